(* walls: for each line of the input, "COLUMNS ROWS LO HI", what the wall rule says of this state:
   whether its side to move wins by it, loses by it, has a move after which the other side loses by
   it. LO and HI are the sets of Sets.state. "-" for a board that is too large. *)

let () =
  let rules = Hashtbl.create 16 in
  let rule columns rows =
    match Hashtbl.find_opt rules (columns, rows) with
    | Some rule -> rule
    | None ->
        let rule = Checker.rule_on (Uint63.of_int columns) (Uint63.of_int rows) in
        Hashtbl.add rules (columns, rows) rule;
        rule
  in
  try
    while true do
      Scanf.sscanf (input_line stdin) "%d %d %u %u" (fun columns rows lo hi ->
          match rule columns rows with
          | None -> print_endline "-"
          | Some rule ->
              let state = { Checker.lo = Uint63.of_int lo; hi = Uint63.of_int hi } in
              let says f = if f state then 1 else 0 in
              Printf.printf "%d %d %d\n" (says rule.Checker.says_win)
                (says rule.Checker.says_loss) (says rule.Checker.says_move))
    done
  with End_of_file -> ()
