(** The Game of the Amazons: the board, the moves, and who wins.

    Everything that the theorem of Checker.v says is said in the words of this file. Nothing here
    is computed. *)

From Coq Require Import ZArith Lia Bool.
Local Open Scope Z_scope.

(** * The board *)

Record board := Board { columns : Z; rows : Z }.

(** A square is its column and its row, both from 0: a1 is [(0, 0)], b1 is [(1, 0)]. *)
Definition square : Type := Z * Z.

Definition on_board (b : board) (s : square) : Prop :=
  0 <= fst s < columns b /\ 0 <= snd s < rows b.

(** * Positions *)

Inductive colour := White | Black.

Definition other (c : colour) : colour :=
  match c with White => Black | Black => White end.

Inductive content := Empty | Amazon (c : colour) | Burned.

(** What stands on each square. What it says of squares off the board does not matter. *)
Definition position : Type := square -> content.

Definition square_eqb (s t : square) : bool := (fst s =? fst t) && (snd s =? snd t).

(** The position [p] with [x] on square [s]. *)
Definition put (p : position) (s : square) (x : content) : position :=
  fun t => if square_eqb t s then x else p t.

(** * Moves *)

(** One of the eight directions of a chess queen. *)
Definition direction (d : Z * Z) : Prop :=
  d <> (0, 0) /\ -1 <= fst d <= 1 /\ -1 <= snd d <= 1.

(** The square next to [s] in direction [d]. *)
Definition next (s : square) (d : Z * Z) : square := (fst s + fst d, snd s + snd d).

Definition free (b : board) (p : position) (s : square) : Prop :=
  on_board b s /\ p s = Empty.

(** From [s] one gets to a square in direction [d] over free squares, the last one free too. *)
Inductive slide (b : board) (p : position) (d : Z * Z) (s : square) : square -> Prop :=
| slide_one : free b p (next s d) -> slide b p d s (next s d)
| slide_on : forall t, slide b p d s t -> free b p (next t d) -> slide b p d s (next t d).

(** A step of a chess queen that captures nothing. *)
Definition queen_step (b : board) (p : position) (s t : square) : Prop :=
  exists d, direction d /\ slide b p d s t.

(** The position after an amazon of colour [c] has gone from [from] to [to]. *)
Definition moved (c : colour) (p : position) (from to : square) : position :=
  put (put p from Empty) to (Amazon c).

(** [c] comes from [p] to [q] in one move: one of its amazons makes a queen step, and from where it
    stands then it shoots an arrow as far as a queen steps. The square it left is empty by then.
    Where the arrow lands is burned. *)
Inductive move (b : board) (c : colour) (p q : position) : Prop :=
| a_move : forall from to arrow,
    on_board b from -> p from = Amazon c ->
    queen_step b p from to ->
    queen_step b (moved c p from to) to arrow ->
    (forall s, on_board b s -> q s = put (moved c p from to) arrow Burned s) ->
    move b c p q.

(** * Who wins *)

(** [wins b c p]: in position [p], with [c] to move, [c] can win: it has a move after which the
    other side loses. [loses b c p]: with [c] to move [c] loses, whatever it does: after each of
    its moves the other side wins. So who cannot move loses. *)
Inductive wins (b : board) : colour -> position -> Prop :=
| wins_by : forall c p q, move b c p q -> loses b (other c) q -> wins b c p
with loses (b : board) : colour -> position -> Prop :=
| loses_all : forall c p, (forall q, move b c p q -> wins b (other c) q) -> loses b c p.

(** In position [p], with [turn] to move, [side] wins the game. *)
Definition side_wins (b : board) (p : position) (turn side : colour) : Prop :=
  (side = turn /\ wins b turn p) \/ (side = other turn /\ loses b turn p).

(** * What was meant *)

Scheme wins_mutual := Induction for wins Sort Prop
with loses_mutual := Induction for loses Sort Prop.
Combined Scheme wins_loses_ind from wins_mutual, loses_mutual.

(** No side both wins and loses. *)
Theorem not_both : forall b,
  (forall c p, wins b c p -> ~ loses b c p) /\ (forall c p, loses b c p -> ~ wins b c p).
Proof.
  intros b.
  apply (wins_loses_ind b (fun c p _ => ~ loses b c p) (fun c p _ => ~ wins b c p)).
  - intros c p q Hm _ IH Hl. inversion Hl; subst. apply IH, H, Hm.
  - intros c p Hall IH Hw. inversion Hw; subst. exact (IH q H H0).
Qed.

Theorem one_winner : forall b p turn side,
  side_wins b p turn side -> ~ side_wins b p turn (other side).
Proof.
  intros b p turn side [[-> Hw] | [-> Hl]] [[He Hw'] | [He Hl']].
  - destruct turn; discriminate.
  - exact (proj1 (not_both b) _ _ Hw Hl').
  - exact (proj2 (not_both b) _ _ Hl Hw').
  - destruct turn; discriminate.
Qed.

(** Who cannot move loses. *)
Theorem stuck_loses : forall b p turn,
  (forall q, ~ move b turn p q) -> side_wins b p turn (other turn).
Proof.
  intros b p turn H. right. split; [reflexivity |]. constructor. intros q Hm. destruct (H q Hm).
Qed.

Lemma square_eqb_spec : forall s t, square_eqb s t = true <-> s = t.
Proof.
  intros [x y] [x' y']. unfold square_eqb. cbn. rewrite andb_true_iff, !Z.eqb_eq.
  split; [intros [-> ->]; reflexivity | intros [= -> ->]; auto].
Qed.

Lemma put_same : forall p s x, put p s x s = x.
Proof. intros. unfold put. rewrite (proj2 (square_eqb_spec s s)); reflexivity. Qed.

Lemma put_other : forall p s x t, t <> s -> put p s x t = p t.
Proof.
  intros. unfold put. destruct (square_eqb t s) eqn:E; [| reflexivity].
  apply square_eqb_spec in E. contradiction.
Qed.
