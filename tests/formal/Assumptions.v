(** Prints what the theorem rests on; [run] compares it with assumptions.txt. *)

Require Import Game Checker Walls.

Check check_correct
  : forall bytes s, check bytes = Some s ->
    side_wins (its_board s) (its_position s) (its_turn s) (its_winner s).

Print Assumptions check_correct.
Print Assumptions holder_wins.
Print Assumptions other_loses.
