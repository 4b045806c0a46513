(* check UNPACKED: says who wins which position by an unpacked certificate. What is printed comes
   from the checker alone. Status: 0 it holds, 1 it is refused, 2 wrong usage. *)

let bytes_of name =
  let input = open_in_bin name in
  let rec back at bytes =
    if at < 0 then bytes
    else begin
      let start = max 0 (at - 65535) in
      seek_in input start;
      let part = really_input_string input (at - start + 1) in
      let bytes = ref bytes in
      for i = String.length part - 1 downto 0 do
        bytes := Uint63.of_int (Char.code part.[i]) :: !bytes
      done;
      back (start - 1) !bytes
    end
  in
  let bytes = back (in_channel_length input - 1) [] in
  close_in input;
  bytes

let name = function Checker.White -> "White" | Checker.Black -> "Black"

let sign = function
  | Checker.Empty -> "."
  | Checker.Amazon Checker.White -> "w"
  | Checker.Amazon Checker.Black -> "b"
  | Checker.Burned -> "x"

let refuse why =
  prerr_endline ("refused: " ^ why);
  exit 1

let () =
  if Array.length Sys.argv <> 2 then begin
    prerr_endline "usage: check UNPACKED";
    exit 2
  end;
  Gc.set { (Gc.get ()) with minor_heap_size = 262144; space_overhead = 200 };
  let bytes = try bytes_of Sys.argv.(1) with Sys_error why -> refuse why in
  match Checker.check bytes with
  | exception Stack_overflow -> refuse "too deep for the stack"
  | None -> refuse "the certificate does not hold"
  | Some shown ->
    let row contents = print_endline (String.concat " " (List.map sign contents)) in
    List.iter row (Checker.diagram shown);
    Printf.printf "%s to move, %s wins\n" (name shown.its_turn) (name shown.its_winner)
