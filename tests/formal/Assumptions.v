(** Prints what the theorems rest on; [run] compares it with assumptions.txt. *)

From Coq Require Uint63.
Require Import Game Checker Walls.

Module Statements.
Import Uint63.
Local Open Scope uint63_scope.

Check parts_correct
  : forall file size places n s,
    (0 <? n) = true ->
    (forall k, (k <? n) = true -> check_part file size places n k = Some s) ->
    side_wins (its_board s) (its_position s) (its_turn s) (its_winner s).
Check check_correct
  : forall file size places s, check file size places = Some s ->
    side_wins (its_board s) (its_position s) (its_turn s) (its_winner s).
End Statements.

Print Assumptions parts_correct.
Print Assumptions check_correct.
Print Assumptions holder_wins.
Print Assumptions other_loses.
