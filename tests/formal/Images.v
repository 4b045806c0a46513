(** Images of states under the symmetries of the board, and the smallest of them. *)

From Coq Require Import ZArith Lia List Bool Uint63.
Require Import Game Symmetry Sets Moves.
Import ListNotations.
Local Open Scope Z_scope.

Definition across (b : board) (s : square) : square := (columns b - 1 - fst s, snd s).
Definition over (b : board) (s : square) : square := (fst s, rows b - 1 - snd s).
Definition flip (s : square) : square := (snd s, fst s).

(** All symmetries but the one that moves nothing. *)
Definition symmetries (b : board) : list (square -> square) :=
  [across b; over b; fun s => across b (over b s)] ++
  if columns b =? rows b
  then [flip; fun s => across b (flip s); fun s => over b (flip s);
        fun s => across b (over b (flip s))]
  else [].

(** Each square with its image. *)
Definition table (b : board) (f : square -> square) : list (int * int) :=
  map (fun s => (single b s, single b (f s))) (squares b).

Definition tables (b : board) : list (list (int * int)) := map (table b) (symmetries b).

(** The image of [st], added to [found]. *)
Fixpoint image (t : list (int * int)) (st found : state) : state :=
  match t with
  | [] => found
  | (x, y) :: t => image t st
      (State (if disjoint (lo st) x then lo found else (lo found lor y)%uint63)
             (if disjoint (hi st) x then hi found else (hi found lor y)%uint63))
  end.

(** Whether the code of [s] is smaller: what counts is the highest square where they differ, and
    there first [hi]. *)
Definition less (s t : state) : bool :=
  let l := (lo s lxor lo t)%uint63 in
  let h := (hi s lxor hi t)%uint63 in
  if ((h <? l) && (h <? (h lxor l)))%uint63 then (lo s <? lo t)%uint63 else (hi s <? hi t)%uint63.

Fixpoint smallest (ts : list (list (int * int))) (st best : state) : state :=
  match ts with
  | [] => best
  | t :: ts =>
      let i := image t st (State 0%uint63 0%uint63) in
      smallest ts st (if less i best then i else best)
  end.

(** The smallest image of a state. *)
Definition canonical (ts : list (list (int * int))) (st : state) : state := smallest ts st st.

(** * Proofs *)

Lemma symmetry_compose : forall b f g f' g', symmetry b f g -> symmetry b f' g' ->
  symmetry b (fun s => f (f' s)) (fun s => g' (g s)).
Proof.
  intros b f g f' g' [a1 a2 a3 a4 a5 a6] [b1 b2 b3 b4 b5 b6]. constructor.
  - auto.
  - auto.
  - intros d Hd. destruct (b3 d Hd) as (d1 & H1 & E1). destruct (a3 d1 H1) as (d2 & H2 & E2).
    exists d2. split; [exact H2 |]. intros s. rewrite E1, E2. reflexivity.
  - intros d Hd. destruct (a4 d Hd) as (d1 & H1 & E1). destruct (b4 d1 H1) as (d2 & H2 & E2).
    exists d2. split; [exact H2 |]. intros s. rewrite E1, E2. reflexivity.
  - intros s. rewrite a5, b5. reflexivity.
  - intros s. rewrite b6, a6. reflexivity.
Qed.

Lemma direction_across : forall dx dy, direction (dx, dy) -> direction (- dx, dy).
Proof.
  intros dx dy (N & Hx & Hy). unfold direction. cbn in *. split; [| lia].
  intros [= A ->]. apply N. f_equal. lia.
Qed.

Lemma direction_over : forall dx dy, direction (dx, dy) -> direction (dx, - dy).
Proof.
  intros dx dy (N & Hx & Hy). unfold direction. cbn in *. split; [| lia].
  intros [= -> A]. apply N. f_equal. lia.
Qed.

Lemma direction_flip : forall dx dy, direction (dx, dy) -> direction (dy, dx).
Proof.
  intros dx dy (N & Hx & Hy). unfold direction. cbn in *. split; [| lia].
  intros [= -> ->]. apply N. reflexivity.
Qed.

Lemma across_symmetry : forall b, symmetry b (across b) (across b).
Proof.
  intros b. constructor; try (intros [x y] [? ?]; unfold across, on_board in *; cbn in *; lia).
  1, 2: intros [dx dy] Hd; exists (- dx, dy); split; [apply direction_across, Hd |];
    intros [x y]; unfold across, next; cbn; f_equal; lia.
  all: intros [x y]; unfold across; cbn; f_equal; lia.
Qed.

Lemma over_symmetry : forall b, symmetry b (over b) (over b).
Proof.
  intros b. constructor; try (intros [x y] [? ?]; unfold over, on_board in *; cbn in *; lia).
  1, 2: intros [dx dy] Hd; exists (dx, - dy); split; [apply direction_over, Hd |];
    intros [x y]; unfold over, next; cbn; f_equal; lia.
  all: intros [x y]; unfold over; cbn; f_equal; lia.
Qed.

Lemma flip_symmetry : forall b, columns b = rows b -> symmetry b flip flip.
Proof.
  intros b E. constructor; try (intros [x y] [? ?]; unfold flip, on_board in *; cbn in *; lia).
  1, 2: intros [dx dy] Hd; exists (dy, dx); split; [apply direction_flip, Hd |];
    intros [x y]; reflexivity.
  all: intros [x y]; reflexivity.
Qed.

Lemma symmetries_spec : forall b f, In f (symmetries b) -> exists g, symmetry b f g.
Proof.
  intros b f H. pose proof (across_symmetry b) as A. pose proof (over_symmetry b) as O.
  unfold symmetries in H. apply in_app_iff in H. destruct H as [H | H].
  - destruct H as [<- | [<- | [<- | []]]]; eauto using symmetry_compose.
  - destruct (columns b =? rows b) eqn:E; [| contradiction].
    apply Z.eqb_eq in E. pose proof (flip_symmetry b E) as T.
    destruct H as [<- | [<- | [<- | [<- | []]]]]; eauto.
    + eexists. exact (symmetry_compose _ _ _ _ _ A T).
    + eexists. exact (symmetry_compose _ _ _ _ _ O T).
    + eexists. exact (symmetry_compose _ _ _ _ _ A (symmetry_compose _ _ _ _ _ O T)).
Qed.

Section Image.
Variables (b : board) (f g : square -> square).
Hypotheses (F : fits b) (S : symmetry b f g).

(** Whether the image of a set under [f] has [u]. *)
Definition hit (x : int) (l : list square) (u : square) : bool :=
  existsb (fun s => mem b x s && square_eqb u (f s)) l.

Lemma image_mem : forall st u, on_board b u ->
  forall l found, (forall s, In s l -> on_board b s) ->
  let i := image (map (fun s => (single b s, single b (f s))) l) st found in
  mem b (lo i) u = mem b (lo found) u || hit (lo st) l u /\
  mem b (hi i) u = mem b (hi found) u || hit (hi st) l u.
Proof.
  intros st u Hu l. unfold hit.
  induction l as [| s l IH]; intros found Hl; cbn [map image existsb].
  - rewrite !orb_false_r. auto.
  - assert (Hs : on_board b s) by (apply Hl; left; reflexivity).
    pose proof (stays _ _ _ S s Hs) as Hfs. cbv zeta in IH.
    match goal with |- context [image _ _ ?x] => set (found' := x) end.
    destruct (IH found') as [E1 E2]; [intros; apply Hl; right; assumption |].
    cbv zeta. rewrite E1, E2. subst found'. cbn [lo hi]. rewrite !disjoint_single by assumption.
    split.
    + destruct (mem b (lo st) s); cbn; [| reflexivity].
      rewrite mem_lor, mem_single by assumption. rewrite orb_assoc. reflexivity.
    + destruct (mem b (hi st) s); cbn; [| reflexivity].
      rewrite mem_lor, mem_single by assumption. rewrite orb_assoc. reflexivity.
Qed.

Lemma hit_image : forall x s, on_board b s -> hit x (squares b) (f s) = mem b x s.
Proof.
  intros x s Hs. unfold hit. destruct (mem b x s) eqn:M.
  - apply existsb_exists. exists s. split; [apply in_squares, Hs |]. rewrite M.
    apply square_eqb_spec. reflexivity.
  - destruct (existsb _ _) eqn:E; [| reflexivity].
    apply existsb_exists in E. destruct E as (t & _ & H). apply andb_true_iff in H.
    destruct H as [H1 H2]. apply square_eqb_spec in H2.
    apply (f_equal g) in H2. rewrite !(undone _ _ _ S) in H2. congruence.
Qed.

Lemma image_alike : forall c st,
  alike b f (position_of b c st)
    (position_of b c (image (table b f) st (State 0%uint63 0%uint63))).
Proof.
  intros c st s Hs. unfold table.
  destruct (image_mem st (f s) (stays _ _ _ S s Hs) (squares b) (State 0%uint63 0%uint63))
    as [E1 E2].
  { intros. apply in_squares. assumption. }
  unfold position_of. rewrite E1, E2. cbn [lo hi]. rewrite !mem_zero, !hit_image by assumption.
  reflexivity.
Qed.
End Image.

Lemma won_alike : forall b f g st st', symmetry b f g ->
  (forall c, alike b f (position_of b c st) (position_of b c st')) ->
  (won b st' <-> won b st).
Proof.
  intros b f g st st' S A. split; intros W c.
  - eapply (proj1 (outcome_alike b) _ _ (W c) g f); [apply symmetry_back, S |].
    apply (alike_back b f g); auto.
  - eapply (proj1 (outcome_alike b) _ _ (W c) f g); auto.
Qed.

(** A state is won if its smallest image is. *)
Theorem canonical_won : forall b st, fits b ->
  (won b (canonical (tables b) st) <-> won b st).
Proof.
  intros b st F. unfold canonical, tables.
  assert (G : forall fs best, (forall f, In f fs -> In f (symmetries b)) ->
    (won b best <-> won b st) -> (won b (smallest (map (table b) fs) st best) <-> won b st)).
  { induction fs as [| f fs IH]; intros best Hf Hb; [exact Hb |].
    cbn [map smallest]. apply IH; [intros; apply Hf; right; assumption |].
    destruct (less _ _); [| exact Hb].
    destruct (symmetries_spec b f) as (g & S); [apply Hf; left; reflexivity |].
    apply (won_alike b f g); [exact S |]. intros c. exact (image_alike b f g F S c st). }
  apply G; [auto | tauto].
Qed.
