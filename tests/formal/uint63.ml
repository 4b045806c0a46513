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
let[@inline] lt (x : t) (y : t) : bool = x lxor min_int < y lxor min_int
let[@inline] le (x : t) (y : t) : bool = x lxor min_int <= y lxor min_int

(* The remainder; [x] if [y] is 0. A divisor of 2^62 and more goes into [x] once or not at all. *)
let rem (x : t) (y : t) : t =
  if y = 0 then x
  else if x >= 0 && y > 0 then x mod y
  else if y < 0 then (if le y x then x - y else x)
  else begin
    let r = x - (((x lsr 1) / y) lsl 1) * y in
    if le y r then r - y else r
  end

let[@inline] equal (x : t) (y : t) : bool = x = y
