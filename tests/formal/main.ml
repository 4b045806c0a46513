(* check UNPACKED [K/N]: says who wins which position by an unpacked certificate; with K/N, if this
   part of it holds and all other parts do, of which file it is a part, by its SHA-256, and by which
   checker. What is said of the game comes from the checker alone. check --sources: the SHA-256 of
   what the checker was compiled from. Status: 0 it holds, 1 it is refused, 2 wrong usage. *)

let refuse why =
  prerr_endline ("refused: " ^ why);
  exit 1

let usage () =
  prerr_endline "usage: check UNPACKED [K/N], with K from 1 to N, or check --sources";
  exit 2

let contents name =
  try
    let input = open_in_bin name in
    let bytes = really_input_string input (in_channel_length input) in
    close_in input;
    bytes
  with
  | Sys_error why -> refuse why
  | End_of_file -> refuse (name ^ ": it became shorter while it was read")

let name = function Checker.White -> "White" | Checker.Black -> "Black"

let sign = function
  | Checker.Empty -> "."
  | Checker.Amazon Checker.White -> "w"
  | Checker.Amazon Checker.Black -> "b"
  | Checker.Burned -> "x"

(* The number that a text is, written as numbers are. *)
let number text =
  match int_of_string_opt text with
  | Some n when string_of_int n = text && n > 0 && n < 1_000_000 -> n
  | _ -> usage ()

let part text =
  match String.split_on_char '/' text with
  | [ k; n ] ->
      let k, n = (number k, number n) in
      if k <= n then (k, n) else usage ()
  | _ -> usage ()

(* A power of two, that of the bytes for a position, between 2^14 and 2^20. *)
let rec places bytes n = if n < 1 lsl 20 && 8 * n < bytes then places bytes (2 * n) else n

let () =
  let its_part =
    match Sys.argv with
    | [| _; "--sources" |] ->
        print_endline Sources.hash;
        exit 0
    | [| _; _ |] -> None
    | [| _; _; text |] -> Some (part text)
    | _ -> usage ()
  in
  let k, n = Option.value its_part ~default:(1, 1) in
  (* The claims live to the end: to mark them again and again would take half of the time. *)
  Gc.set { (Gc.get ()) with minor_heap_size = 262144; space_overhead = 1000 };
  let bytes = contents Sys.argv.(1) in
  let size = String.length bytes in
  let byte i = if Uint63.lt i size then Char.code (String.unsafe_get bytes i) else 0 in
  match Checker.check_part byte size (places size (1 lsl 14)) n (k - 1) with
  | exception Stack_overflow -> refuse "too deep for the stack"
  | None -> refuse (if n = 1 then "the certificate does not hold" else "this part does not hold")
  | Some shown ->
      let row contents = print_endline (String.concat " " (List.map sign contents)) in
      List.iter row (Checker.diagram shown);
      Printf.printf "%s to move, %s wins\n" (name shown.its_turn) (name shown.its_winner);
      if its_part <> None then begin
        Printf.printf "if all parts hold; this is part %d/%d\n" k n;
        Printf.printf "sha256 of the unpacked file: %s\n" (Sha256.hex bytes);
        Printf.printf "sha256 of the checker's sources: %s\n" Sources.hash
      end
