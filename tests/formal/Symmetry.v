(** Positions that are images of each other under a symmetry of the board have the same winner. *)

From Coq Require Import ZArith Lia.
Require Import Game.
Local Open Scope Z_scope.

(** [f] maps the board onto itself and directions to directions; [g] undoes it. *)
Record symmetry (b : board) (f g : square -> square) : Prop := {
  stays : forall s, on_board b s -> on_board b (f s);
  stays' : forall s, on_board b s -> on_board b (g s);
  turns : forall d, direction d ->
    exists d', direction d' /\ forall s, f (next s d) = next (f s) d';
  turns' : forall d, direction d ->
    exists d', direction d' /\ forall s, g (next s d) = next (g s) d';
  undone : forall s, g (f s) = s;
  undone' : forall s, f (g s) = s
}.

(** [q] is the image of [p] under [f]. *)
Definition alike (b : board) (f : square -> square) (p q : position) : Prop :=
  forall s, on_board b s -> q (f s) = p s.

Lemma symmetry_back : forall b f g, symmetry b f g -> symmetry b g f.
Proof. intros b f g []; constructor; assumption. Qed.

Lemma alike_back : forall b f g p q, symmetry b f g -> alike b f p q -> alike b g q p.
Proof.
  intros b f g p q S A s Hs. rewrite <- (A (g s)), (undone' _ _ _ S); [reflexivity |].
  apply (stays' _ _ _ S), Hs.
Qed.

Lemma put_alike : forall b f g p q s x,
  symmetry b f g -> alike b f p q -> alike b f (put p s x) (put q (f s) x).
Proof.
  intros b f g p q s x S A t Ht. destruct (square_eqb t s) eqn:E.
  - apply square_eqb_spec in E. subst. rewrite !put_same. reflexivity.
  - assert (t <> s) by (intros ->; rewrite (proj2 (square_eqb_spec s s)) in E; easy).
    rewrite !put_other; auto. intros H'. apply H.
    rewrite <- (undone _ _ _ S t), <- (undone _ _ _ S s), H'. reflexivity.
Qed.

Lemma queen_step_alike : forall b f g p q s t,
  symmetry b f g -> alike b f p q -> queen_step b p s t -> queen_step b q (f s) (f t).
Proof.
  intros b f g p q s t S A (d & Hd & Hs). destruct (turns _ _ _ S d Hd) as (d' & Hd' & E).
  assert (F : forall u, free b p (next u d) -> free b q (next (f u) d')).
  { intros u [Ho He]. rewrite <- E. split; [apply (stays _ _ _ S), Ho | rewrite A; assumption]. }
  exists d'. split; [exact Hd' |].
  induction Hs; rewrite E; [apply slide_one | apply slide_on]; auto.
Qed.

Lemma queen_step_on_board : forall b p s t, queen_step b p s t -> on_board b t.
Proof. intros b p s t (d & _ & H). destruct H as [[H _] | ? _ [H _]]; exact H. Qed.

Lemma move_alike : forall b f g c p q p',
  symmetry b f g -> alike b f p q -> move b c p p' ->
  exists q', move b c q q' /\ alike b f p' q'.
Proof.
  intros b f g c p q p' S A [from to arrow Hf Hc H1 H2 Hq].
  assert (A' : alike b f p' (fun s => p' (g s))).
  { intros s Hs. rewrite (undone _ _ _ S). reflexivity. }
  assert (A2 : alike b f (moved c p from to) (moved c q (f from) (f to))).
  { unfold moved. eapply put_alike; eauto. eapply put_alike; eauto. }
  exists (fun s => p' (g s)). split; [| exact A'].
  apply a_move with (f from) (f to) (f arrow).
  - apply (stays _ _ _ S), Hf.
  - rewrite A; assumption.
  - eapply queen_step_alike; eauto.
  - eapply queen_step_alike; eauto.
  - intros s Hs. pose proof (stays' _ _ _ S s Hs) as Hg. rewrite Hq by exact Hg.
    rewrite <- (undone' _ _ _ S s) at 2. symmetry.
    exact (put_alike b f g _ _ arrow Burned S A2 (g s) Hg).
Qed.

(** The same side wins. *)
Theorem outcome_alike : forall b,
  (forall c p, wins b c p -> forall f g q, symmetry b f g -> alike b f p q -> wins b c q) /\
  (forall c p, loses b c p -> forall f g q, symmetry b f g -> alike b f p q -> loses b c q).
Proof.
  intros b.
  apply (wins_loses_ind b
    (fun c p _ => forall f g q, symmetry b f g -> alike b f p q -> wins b c q)
    (fun c p _ => forall f g q, symmetry b f g -> alike b f p q -> loses b c q)).
  - intros c p p' Hm _ IH f g q S A. destruct (move_alike b f g c p q p' S A Hm) as (q' & Hq & A').
    apply wins_by with q'; eauto.
  - intros c p _ IH f g q S A. constructor. intros q' Hq.
    pose proof (symmetry_back _ _ _ S) as S'. pose proof (alike_back _ _ _ _ _ S A) as B.
    destruct (move_alike b g f c q p q' S' B Hq) as (p' & Hp & A').
    apply (IH p' Hp f g q' S). exact (alike_back b g f q' p' S' A').
Qed.

Lemma symmetry_id : forall b, symmetry b (fun s => s) (fun s => s).
Proof. intros b. constructor; eauto. Qed.
