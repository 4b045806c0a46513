(** Squares as bits of machine integers, and states of the checker as positions of the game. *)

From Coq Require Import ZArith Lia List Bool Uint63.
Require Import Game Symmetry.
Local Open Scope Z_scope.

(** Boards whose squares fit into the integers. *)
Definition fits (b : board) : Prop := 1 <= columns b /\ 1 <= rows b /\ columns b * rows b <= 62.

(** The number of a square: along the ranks, from a1. *)
Definition index (b : board) (s : square) : Z := snd s * columns b + fst s.

Definition mem (b : board) (x : int) (s : square) : bool := bit x (of_Z (index b s)).

Definition single (b : board) (s : square) : int := (1 << of_Z (index b s))%uint63.

Lemma index_bounds : forall b s, fits b -> on_board b s -> 0 <= index b s < 62.
Proof. intros b [x y] (? & ? & ?) [? ?]; unfold index; cbn in *; nia. Qed.

Lemma index_injective : forall b s t, fits b -> on_board b s -> on_board b t ->
  index b s = index b t -> s = t.
Proof.
  intros b [x y] [x' y'] (? & ? & ?) [? ?] [? ?]; unfold index; cbn in *; intros E.
  assert (y = y') by nia. subst. f_equal. lia.
Qed.

Lemma small_index : forall b s, fits b -> on_board b s ->
  to_Z (of_Z (index b s)) = index b s.
Proof.
  intros b s F H. pose proof (index_bounds b s F H). rewrite of_Z_spec. apply Z.mod_small.
  change wB with 9223372036854775808. lia.
Qed.

Lemma mem_lor : forall b x y s, mem b (x lor y)%uint63 s = mem b x s || mem b y s.
Proof. intros. apply lor_spec. Qed.

Lemma mem_lxor : forall b x y s, mem b (x lxor y)%uint63 s = xorb (mem b x s) (mem b y s).
Proof. intros. apply lxor_spec. Qed.

Lemma mem_zero : forall b s, mem b 0%uint63 s = false.
Proof. intros. apply bit_0. Qed.

Lemma bit_single : forall i j, 0 <= to_Z i < 63 -> bit (1 << i)%uint63 j = (j =? i)%uint63.
Proof.
  intros i j Hi. rewrite bit_lsl.
  destruct (j <? i)%uint63 eqn:L; cbn [orb].
  - apply ltb_spec in L. symmetry. apply eqb_false_complete. intros ->. lia.
  - destruct (digits <=? j)%uint63 eqn:D; cbn [orb].
    + apply leb_spec in D. change (to_Z digits) with 63 in D.
      symmetry. apply eqb_false_complete. intros ->. lia.
    + rewrite bit_1. destruct (j =? i)%uint63 eqn:E.
      * apply eqb_spec in E. subst. apply eqb_spec. apply to_Z_inj. rewrite sub_spec, Z.sub_diag.
        reflexivity.
      * apply eqb_false_complete. intros Z0. apply eqb_false_spec in E. apply E.
        apply to_Z_inj. apply (f_equal to_Z) in Z0. rewrite sub_spec in Z0.
        pose proof (to_Z_bounded j). pose proof (to_Z_bounded i).
        assert (~ to_Z j < to_Z i).
        { intros C. apply ltb_spec in C. congruence. }
        rewrite Z.mod_small in Z0 by lia. change (to_Z 0) with 0 in Z0. lia.
Qed.

Lemma mem_single : forall b s t, fits b -> on_board b s -> on_board b t ->
  mem b (single b s) t = square_eqb t s.
Proof.
  intros b s t F Hs Ht. unfold mem, single.
  pose proof (index_bounds b s F Hs).
  rewrite bit_single by (rewrite small_index by assumption; lia).
  destruct (square_eqb t s) eqn:E.
  - apply square_eqb_spec in E. subst. apply eqb_refl.
  - apply eqb_false_complete. intros C. apply (f_equal to_Z) in C.
    rewrite !small_index in C by assumption. apply index_injective in C; auto. subst.
    rewrite (proj2 (square_eqb_spec s s)) in E; easy.
Qed.

Definition disjoint (x y : int) : bool := is_zero (x land y)%uint63.

Lemma disjoint_single : forall b x s, fits b -> on_board b s ->
  disjoint x (single b s) = negb (mem b x s).
Proof.
  intros b x s F Hs. pose proof (index_bounds b s F Hs). unfold disjoint.
  destruct (is_zero (x land single b s)%uint63) eqn:E.
  - apply is_zero_spec in E.
    assert (B : bit (x land single b s)%uint63 (of_Z (index b s)) = false).
    { rewrite E. apply bit_0. }
    rewrite land_spec in B. unfold single in B.
    rewrite bit_single, eqb_refl, andb_true_r in B by (rewrite small_index by assumption; lia).
    unfold mem. rewrite B. reflexivity.
  - destruct (mem b x s) eqn:M; [reflexivity |].
    assert (Z0 : (x land single b s)%uint63 = 0%uint63).
    { apply bit_ext. intros n. rewrite land_spec, bit_0. unfold single.
      rewrite bit_single by (rewrite small_index by assumption; lia).
      destruct (n =? of_Z (index b s))%uint63 eqn:N; [| apply andb_false_r].
      apply eqb_spec in N. subst. unfold mem in M. rewrite M. reflexivity. }
    rewrite Z0 in E. discriminate.
Qed.

(** * States *)

(** What the checker holds of a position: two bits a square. Neither: empty. Only [lo]: an amazon
    of the side to move. Only [hi]: one of the other side. Both: burned. *)
Record state := State { lo : int; hi : int }.

(** The position of a state, when [c] is to move. *)
Definition position_of (b : board) (c : colour) (st : state) : position :=
  fun s => match mem b (lo st) s, mem b (hi st) s with
    | false, false => Empty
    | true, false => Amazon c
    | false, true => Amazon (other c)
    | true, true => Burned
  end.

Definition taken (st : state) : int := (lo st lor hi st)%uint63.

Lemma taken_spec : forall b c st s, mem b (taken st) s = false <-> position_of b c st s = Empty.
Proof.
  intros. unfold taken, position_of. rewrite mem_lor.
  destruct (mem b (lo st) s), (mem b (hi st) s); cbn; split; congruence.
Qed.

(** Whoever has which colour, its side to move wins, or loses. *)
Definition won (b : board) (st : state) : Prop := forall c, wins b c (position_of b c st).
Definition lost (b : board) (st : state) : Prop := forall c, loses b c (position_of b c st).

#[global] Arguments taken : simpl never.
#[global] Arguments disjoint : simpl never.
#[global] Arguments single : simpl never.
#[global] Arguments mem : simpl never.
