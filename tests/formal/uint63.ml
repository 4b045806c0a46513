(* Coq's primitive integers, modulo 2^63, are OCaml's: of 63 bits, on machines of 64. They are
   unsigned, so they are compared with their sign bits turned over. *)
let () = assert (Sys.int_size = 63)

type t = int

let of_int (n : int) : t = n
let[@inline] l_sl (x : t) (n : t) : t = if n land lnot 63 <> 0 || n = 63 then 0 else x lsl n
let[@inline] l_sr (x : t) (n : t) : t = if n land lnot 63 <> 0 || n = 63 then 0 else x lsr n
let[@inline] l_and (x : t) (y : t) : t = x land y
let[@inline] l_or (x : t) (y : t) : t = x lor y
let[@inline] l_xor (x : t) (y : t) : t = x lxor y
let[@inline] add (x : t) (y : t) : t = x + y
let[@inline] sub (x : t) (y : t) : t = x - y
let[@inline] mul (x : t) (y : t) : t = x * y
let[@inline] equal (x : t) (y : t) : bool = x = y
let[@inline] lt (x : t) (y : t) : bool = x lxor min_int < y lxor min_int
let[@inline] le (x : t) (y : t) : bool = x lxor min_int <= y lxor min_int
