(** All moves of a state, and that they are those of the rules. *)

From Coq Require Import ZArith Lia List Bool Uint63 Wf_nat.
Require Import Game Symmetry Sets.
Import ListNotations.
Local Open Scope Z_scope.

(** * Rays of squares *)

Definition directions : list (Z * Z) :=
  [(1, 0); (1, 1); (0, 1); (-1, 1); (-1, 0); (-1, -1); (0, -1); (1, -1)].

Definition on_board_b (b : board) (s : square) : bool :=
  (0 <=? fst s) && (fst s <? columns b) && (0 <=? snd s) && (snd s <? rows b).

(** The squares in direction [d] from [s], the nearest first, [n] at most. *)
Fixpoint ray (b : board) (n : nat) (s : square) (d : Z * Z) : list square :=
  match n with
  | O => []
  | S n => let t := next s d in if on_board_b b t then t :: ray b n t d else []
  end.

(** A square as a set, and its rays: of cells with rays, of cells with rays and so on. *)
Inductive cell := Cell (it : int) (rays : list (list cell)).

Definition it (t : cell) : int := let (x, _) := t in x.
Definition rays (t : cell) : list (list cell) := let (_, r) := t in r.

Fixpoint cell_of (b : board) (depth : nat) (s : square) : cell :=
  Cell (single b s)
    match depth with
    | O => []
    | S depth => map (fun d => map (cell_of b depth) (ray b 62 s d)) directions
    end.

(** * Steps *)

(** The cells of a ray before the first taken one, the last one first, before [found]. *)
Fixpoint walk (taken : int) (ray : list cell) (found : list cell) : list cell :=
  match ray with
  | [] => found
  | t :: ray => if disjoint taken (it t) then walk taken ray (t :: found) else found
  end.

Fixpoint walks (taken : int) (rays : list (list cell)) (found : list cell) : list cell :=
  match rays with
  | [] => found
  | r :: rays => walks taken rays (walk taken r found)
  end.

(** What a queen on [s] reaches. *)
Definition reached (taken : int) (s : cell) : list cell := walks taken (rays s) [].

(** * Moves *)

(** [to_move] is the set of amazons of the side that moves, [from] is one of them. *)
Definition after_step (st : state) (from to : int) : state :=
  State ((lo st lxor from) lor to)%uint63 (hi st).

(** The side to move has changed. *)
Definition after_shot (st : state) (arrow : int) : state :=
  State (hi st lor arrow)%uint63 (lo st lor arrow)%uint63.

Section Generator.
(** The order in which squares are taken. *)
Variable order : list cell -> list cell.

Definition shots (st : state) (to : cell) : list state :=
  map (fun arrow => after_shot st (it arrow)) (order (reached (taken st) to)).

Definition steps (st : state) (from : cell) : list state :=
  flat_map (fun to => shots (after_step st (it from) (it to)) to)
    (order (reached (taken st) from)).

(** The states after each move; [cells]: all squares of the board. *)
Definition moves (cells : list cell) (st : state) : list state :=
  flat_map (fun from =>
      if negb (disjoint (lo st) (it from)) && disjoint (hi st) (it from)
      then steps st from else [])
    cells.
End Generator.

Definition ranks (n : Z) : list Z := map Z.of_nat (seq 0 (Z.to_nat n)).

Definition squares (b : board) : list square :=
  flat_map (fun y => map (fun x => (x, y)) (ranks (columns b))) (ranks (rows b)).

Definition cells_of (b : board) : list cell := map (cell_of b 2) (squares b).

(** * Proofs *)

Lemma in_ranks : forall n x, In x (ranks n) <-> 0 <= x < n.
Proof.
  intros n x. unfold ranks. rewrite in_map_iff. split.
  - intros (k & <- & H). apply in_seq in H. lia.
  - intros H. exists (Z.to_nat x). split; [lia |]. apply in_seq. lia.
Qed.

Lemma in_squares : forall b s, In s (squares b) <-> on_board b s.
Proof.
  intros b [x y]. unfold squares. rewrite in_flat_map. split.
  - intros (y' & Hy & H). apply in_map_iff in H. destruct H as (x' & [= -> ->] & Hx).
    apply in_ranks in Hx, Hy. split; assumption.
  - intros [Hx Hy]. cbn in *. exists y. split; [apply in_ranks; assumption |].
    apply in_map_iff. exists x. split; [reflexivity |]. apply in_ranks. assumption.
Qed.

Lemma on_board_b_spec : forall b s, on_board_b b s = true <-> on_board b s.
Proof.
  intros. unfold on_board_b, on_board. rewrite !andb_true_iff, !Z.leb_le, !Z.ltb_lt. tauto.
Qed.

Lemma directions_spec : forall d, In d directions <-> direction d.
Proof.
  intros [x y]. unfold directions, direction. cbn. split.
  - intros H. repeat destruct H as [[= <- <-] | H]; try contradiction;
      (split; [intros C; discriminate C | lia]).
  - intros [N [Hx Hy]].
    assert (Cx : x = -1 \/ x = 0 \/ x = 1) by lia. assert (Cy : y = -1 \/ y = 0 \/ y = 1) by lia.
    destruct Cx as [-> | [-> | ->]], Cy as [-> | [-> | ->]]; try tauto.
Qed.

#[local] Arguments next : simpl never.
#[local] Arguments on_board_b : simpl never.
#[local] Arguments cell_of : simpl never.

(** The square [k] steps from [s]. *)
Definition far (s : square) (d : Z * Z) (k : Z) : square := (fst s + k * fst d, snd s + k * snd d).

Lemma far_0 : forall s d, far s d 0 = s.
Proof. intros [x y] [dx dy]; intros; unfold far, next, fst, snd; f_equal; ring. Qed.

Lemma far_next : forall s d k, far (next s d) d k = far s d (k + 1).
Proof. intros [x y] [dx dy]; intros; unfold far, next, fst, snd; f_equal; ring. Qed.

Lemma next_far : forall s d k, next (far s d k) d = far s d (k + 1).
Proof. intros [x y] [dx dy]; intros; unfold far, next, fst, snd; f_equal; ring. Qed.

Lemma far_1 : forall s d, far s d 1 = next s d.
Proof. intros [x y] [dx dy]; intros; unfold far, next, fst, snd; f_equal; ring. Qed.

Lemma slide_far : forall b p d s t,
  slide b p d s t <->
  exists k, 1 <= k /\ t = far s d k /\ forall j, 1 <= j <= k -> free b p (far s d j).
Proof.
  intros b p d s t. split.
  - induction 1 as [H | t H (k & Hk & -> & IH) F].
    + exists 1. rewrite far_1. split; [lia |]. split; [reflexivity |].
      intros j Hj. replace j with 1 by lia. rewrite far_1. exact H.
    + exists (k + 1). rewrite next_far in *. split; [lia |]. split; [reflexivity |].
      intros j Hj. destruct (Z.eq_dec j (k + 1)) as [-> |]; [exact F |]. apply IH. lia.
  - intros (k & Hk & -> & H). revert k Hk H.
    refine (Zlt_lower_bound_ind _ 1 _). intros k IH Hk H.
    destruct (Z.eq_dec k 1) as [-> |].
    + rewrite far_1. apply slide_one. rewrite <- far_1. apply H. lia.
    + replace k with ((k - 1) + 1) by lia. rewrite <- next_far. apply slide_on.
      * apply IH; [lia |]. intros j Hj. apply H. lia.
      * rewrite next_far. replace (k - 1 + 1) with k by lia. apply H. lia.
Qed.

Lemma far_bound : forall b s d k, fits b -> direction d -> on_board b s -> 0 <= k ->
  on_board b (far s d k) -> k < 62.
Proof.
  intros b [x y] [dx dy] k (Fc & Fr & F) (N & Hx & Hy) [Hs1 Hs2] Hk [Ht1 Ht2].
  unfold far in *. cbn in *.
  assert (columns b <= 62 /\ rows b <= 62) as [C R] by nia.
  assert (Cx : dx = -1 \/ dx = 0 \/ dx = 1) by lia.
  assert (Cy : dy = -1 \/ dy = 0 \/ dy = 1) by lia.
  destruct Cx as [-> | [-> | ->]]; try lia.
  destruct Cy as [-> | [-> | ->]]; try lia. destruct N. reflexivity.
Qed.

(** ** A walk is a slide *)

Section Walks.
Variables (b : board) (c : colour) (st : state) (depth : nat).
Hypothesis F : fits b.
Let p := position_of b c st.

Lemma disjoint_free : forall t, on_board b t ->
  (disjoint (taken st) (it (cell_of b depth t)) = true <-> free b p t).
Proof.
  intros t Ht. replace (it (cell_of b depth t)) with (single b t) by (destruct depth; reflexivity).
  rewrite disjoint_single by assumption. rewrite negb_true_iff, (taken_spec b c).
  unfold free, p. tauto.
Qed.

Lemma in_walk_found : forall r found t, In t found -> In t (walk (taken st) r found).
Proof.
  induction r as [| u r IH]; cbn; intros found t H; [exact H |].
  destruct (disjoint (taken st) (it u)); [apply IH; right; exact H | exact H].
Qed.

Lemma walk_sound : forall n s d found t,
  In t (walk (taken st) (map (cell_of b depth) (ray b n s d)) found) ->
  In t found \/ exists k, 1 <= k /\ t = cell_of b depth (far s d k) /\
    forall j, 1 <= j <= k -> free b p (far s d j).
Proof.
  induction n as [| n IH]; cbn; intros s d found t H; [left; exact H |].
  destruct (on_board_b b (next s d)) eqn:B; cbn in H; [| left; exact H].
  apply on_board_b_spec in B.
  destruct (disjoint (taken st) _) eqn:D; [| left; exact H].
  apply disjoint_free in D; [| exact B].
  assert (D1 : free b p (far s d 1)).
  { rewrite far_1. exact D. }
  apply IH in H. destruct H as [[<- | H] | (k & Hk & -> & H)].
  - right. exists 1. split; [lia |]. split.
    + rewrite far_1. reflexivity.
    + intros j Hj. replace j with 1 by lia. exact D1.
  - left. exact H.
  - right. exists (k + 1). split; [lia |]. split; [rewrite far_next; reflexivity |].
    intros j Hj. destruct (Z.eq_dec j 1) as [-> |]; [exact D1 |].
    replace j with ((j - 1) + 1) by lia. rewrite <- far_next. apply H. lia.
Qed.

Lemma walk_complete : forall n s d found k,
  1 <= k <= Z.of_nat n -> (forall j, 1 <= j <= k -> free b p (far s d j)) ->
  In (cell_of b depth (far s d k)) (walk (taken st) (map (cell_of b depth) (ray b n s d)) found).
Proof.
  induction n as [| n IH]; cbn; intros s d found k Hk H; [lia |].
  assert (D1 : free b p (next s d)).
  { rewrite <- far_1. apply H. lia. }
  rewrite (proj2 (on_board_b_spec b (next s d)) (proj1 D1)). cbn.
  rewrite (proj2 (disjoint_free (next s d) (proj1 D1)) D1).
  destruct (Z.eq_dec k 1) as [-> |].
  - apply in_walk_found. left. rewrite far_1. reflexivity.
  - replace k with ((k - 1) + 1) by lia. rewrite <- far_next. apply IH; [lia |].
    intros j Hj. rewrite far_next. apply H. lia.
Qed.

Lemma in_walks : forall rs found t,
  In t (walks (taken st) rs found) <->
  In t found \/ exists r, In r rs /\ In t (walk (taken st) r []).
Proof.
  assert (W : forall r found t,
    In t (walk (taken st) r found) <-> In t found \/ In t (walk (taken st) r [])).
  { induction r as [| u r IH]; cbn; intros found t; [tauto |].
    destruct (disjoint (taken st) (it u)); cbn; [| tauto].
    rewrite (IH (u :: found)), (IH [u]). cbn. tauto. }
  induction rs as [| r rs IH]; cbn; intros found t.
  - split; [tauto |]. intros [H | (r & [] & _)]. exact H.
  - rewrite IH, W. split.
    + intros [[H | H] | (r' & H & H')]; eauto.
    + intros [H | (r' & [<- | H] & H')]; eauto.
Qed.

Lemma reached_spec : forall s t, on_board b s ->
  (In t (reached (taken st) (cell_of b (S depth) s)) <->
   exists u, t = cell_of b depth u /\ queen_step b p s u).
Proof.
  intros s t Hs. unfold reached. rewrite in_walks. cbn [rays cell_of]. split.
  - intros [[] | (r & Hr & Ht)]. apply in_map_iff in Hr. destruct Hr as (d & <- & Hd).
    apply directions_spec in Hd. apply walk_sound in Ht. destruct Ht as [[] | (k & Hk & -> & H)].
    exists (far s d k). split; [reflexivity |]. exists d. split; [exact Hd |].
    apply slide_far. exists k. auto.
  - intros (u & -> & d & Hd & H). right. apply slide_far in H. destruct H as (k & Hk & -> & H).
    eexists. split.
    + apply in_map_iff. exists d. split; [reflexivity |]. apply directions_spec. exact Hd.
    + apply walk_complete; [| exact H]. split; [lia |].
      assert (k < 62); [| lia]. apply (far_bound b s d k F Hd Hs); [lia |]. apply H. lia.
Qed.

End Walks.

Lemma reached_on_board : forall b p s u, queen_step b p s u -> on_board b u.
Proof. exact queen_step_on_board. Qed.

(** ** Moves are moves *)

Section Moves.
Variable order : list cell -> list cell.
Hypothesis order_spec : forall l t, In t (order l) <-> In t l.
Variables (b : board) (c : colour) (st : state).
Hypothesis F : fits b.
Let p := position_of b c st.

Lemma it_cell : forall depth s, it (cell_of b depth s) = single b s.
Proof. destruct depth; reflexivity. Qed.

Lemma moved_spec : forall from to, on_board b from -> on_board b to ->
  p from = Amazon c -> p to = Empty ->
  forall s, on_board b s ->
  position_of b c (after_step st (single b from) (single b to)) s = moved c p from to s.
Proof.
  intros from to Hf Ht Pf Pt s Hs. unfold position_of, after_step. cbn [lo hi].
  rewrite mem_lor, mem_lxor, !mem_single by assumption.
  unfold moved, put, p, position_of in *.
  destruct (square_eqb s to) eqn:E1.
  - apply square_eqb_spec in E1. subst. destruct (mem b (lo st) to), (mem b (hi st) to);
      try discriminate. rewrite orb_true_r. reflexivity.
  - rewrite orb_false_r. destruct (square_eqb s from) eqn:E2.
    + apply square_eqb_spec in E2. subst.
      destruct (mem b (lo st) from), (mem b (hi st) from); try discriminate; [reflexivity |].
      destruct c; discriminate.
    + rewrite xorb_false_r. reflexivity.
Qed.

Lemma shot_spec : forall arrow, on_board b arrow -> p arrow = Empty ->
  forall s, on_board b s ->
  position_of b (other c) (after_shot st (single b arrow)) s = put p arrow Burned s.
Proof.
  intros arrow Ha Pa s Hs. unfold position_of, after_shot. cbn [lo hi].
  rewrite !mem_lor, !mem_single by assumption. unfold put, p, position_of in *.
  destruct (square_eqb s arrow) eqn:E.
  - rewrite !orb_true_r. reflexivity.
  - rewrite !orb_false_r. destruct (mem b (lo st) s), (mem b (hi st) s); destruct c; reflexivity.
Qed.

Lemma own_spec : forall s, on_board b s ->
  (negb (disjoint (lo st) (single b s)) && disjoint (hi st) (single b s) = true <->
   p s = Amazon c).
Proof.
  intros s Hs. rewrite !disjoint_single by assumption. unfold p, position_of.
  destruct (mem b (lo st) s), (mem b (hi st) s); cbn; split; intros H;
    try discriminate; try reflexivity; destruct c; discriminate.
Qed.

End Moves.

Lemma slide_ext : forall b p q d s t, (forall u, on_board b u -> q u = p u) ->
  slide b p d s t -> slide b q d s t.
Proof.
  intros b p q d s t E H.
  assert (G : forall u, free b p u -> free b q u) by (intros u [? ?]; split; [| rewrite E]; auto).
  induction H; [apply slide_one | apply slide_on]; auto.
Qed.

Lemma queen_step_ext : forall b p q s t, (forall u, on_board b u -> q u = p u) ->
  queen_step b p s t -> queen_step b q s t.
Proof. intros b p q s t E (d & Hd & H). exists d. split; [| eapply slide_ext]; eauto. Qed.

Lemma queen_step_free : forall b p s t, queen_step b p s t -> free b p t.
Proof. intros b p s t (d & _ & []); assumption. Qed.

Section Theorems.
Variable order : list cell -> list cell.
Hypothesis order_spec : forall l t, In t (order l) <-> In t l.
Variables (b : board) (c : colour) (st : state).
Hypothesis F : fits b.

(** Each state in the list is the position after a move. *)
Theorem moves_sound : forall st', In st' (moves order (cells_of b) st) ->
  move b c (position_of b c st) (position_of b (other c) st').
Proof.
  intros st' H. unfold moves in H. apply in_flat_map in H. destruct H as (cf & Hf & H).
  apply in_map_iff in Hf. destruct Hf as (from & <- & Hf). apply in_squares in Hf.
  rewrite it_cell in H.
  destruct (_ && _) eqn:O in H; [| contradiction].
  apply (own_spec b c st F from Hf) in O.
  unfold steps in H. apply in_flat_map in H. destruct H as (ct & Ht & H).
  apply (proj1 (order_spec _ _)) in Ht. apply (reached_spec b c st 1 F from ct Hf) in Ht.
  destruct Ht as (to & -> & Ht). rewrite !it_cell in H.
  pose proof (queen_step_free _ _ _ _ Ht) as [Bt Et].
  pose proof (moved_spec b c st F from to Hf Bt O Et) as M.
  set (st1 := after_step st (single b from) (single b to)) in *.
  unfold shots in H. apply in_map_iff in H. destruct H as (ca & <- & Ha).
  apply (proj1 (order_spec _ _)) in Ha. apply (reached_spec b c st1 0 F to ca Bt) in Ha.
  destruct Ha as (arrow & -> & Ha). rewrite it_cell.
  pose proof (queen_step_free _ _ _ _ Ha) as [Ba Ea].
  apply a_move with from to arrow; auto.
  - eapply queen_step_ext; [| exact Ha]. intros u Hu. symmetry. apply M. exact Hu.
  - intros s Hs. rewrite shot_spec by assumption. unfold put.
    destruct (square_eqb s arrow); [reflexivity |]. apply M. exact Hs.
Qed.

(** Each move is in the list. *)
Theorem moves_complete : forall q, move b c (position_of b c st) q ->
  exists st', In st' (moves order (cells_of b) st) /\
    forall s, on_board b s -> q s = position_of b (other c) st' s.
Proof.
  intros q [from to arrow Hf O Ht Ha Hq].
  pose proof (queen_step_free _ _ _ _ Ht) as [Bt Et].
  pose proof (moved_spec b c st F from to Hf Bt O Et) as M.
  set (st1 := after_step st (single b from) (single b to)) in *.
  assert (Ha' : queen_step b (position_of b c st1) to arrow).
  { eapply queen_step_ext; [| exact Ha]. exact M. }
  pose proof (queen_step_free _ _ _ _ Ha') as [Ba Ea].
  exists (after_shot st1 (single b arrow)). split.
  - unfold moves. apply (proj2 (in_flat_map _ _ _)). exists (cell_of b 2 from). split.
    { unfold cells_of. apply (in_map (cell_of b 2)). apply (proj2 (in_squares b from)). exact Hf. }
    rewrite it_cell, (proj2 (own_spec b c st F from Hf) O).
    unfold steps. apply (proj2 (in_flat_map _ _ _)).
    exists (cell_of b 1 to). split.
    { apply (proj2 (order_spec _ _)). apply (proj2 (reached_spec b c st 1 F from _ Hf)).
      exists to. auto. }
    rewrite !it_cell. fold st1. unfold shots. apply (proj2 (in_map_iff _ _ _)).
    exists (cell_of b 0 arrow).
    rewrite it_cell. split; [reflexivity |]. apply (proj2 (order_spec _ _)).
    apply (proj2 (reached_spec b c st1 0 F to _ Bt)). exists arrow. auto.
  - intros s Hs. rewrite shot_spec by assumption. rewrite Hq by exact Hs. unfold put.
    destruct (square_eqb s arrow); [reflexivity |]. symmetry. apply M. exact Hs.
Qed.

(** A state with a move after which the other side loses is won. *)
Theorem won_by : forall st', In st' (moves order (cells_of b) st) -> lost b st' ->
  wins b c (position_of b c st).
Proof. intros st' H L. eapply wins_by; [apply moves_sound; exact H | apply L]. Qed.

(** A state is lost if the other side wins after every move. *)
Theorem lost_by : (forall st', In st' (moves order (cells_of b) st) -> won b st') ->
  loses b c (position_of b c st).
Proof.
  intros H. constructor. intros q Hq. destruct (moves_complete q Hq) as (st' & Hs & E).
  apply (proj1 (outcome_alike b) _ _ (H st' Hs (other c))
    (fun s => s) (fun s => s) q (symmetry_id b)).
  exact E.
Qed.
End Theorems.

(** ** Each side wins or loses *)

Section Decided.
Variables (b : board).
Hypothesis F : fits b.

Definition unburned (st : state) (s : square) : bool :=
  negb (mem b (lo st) s && mem b (hi st) s).

Lemma unburned_spec : forall c st s, unburned st s = false <-> position_of b c st s = Burned.
Proof.
  intros c st s. unfold unburned, position_of.
  destruct (mem b (lo st) s), (mem b (hi st) s); cbn; split; congruence.
Qed.

Lemma fewer : forall (p q : square -> bool) l a, (forall s, In s l -> q s = true -> p s = true) ->
  In a l -> p a = true -> q a = false ->
  (length (filter q l) < length (filter p l))%nat.
Proof.
  intros p q l a. induction l as [| s l IH]; intros Hpq Ha Hp Hq; [contradiction |].
  assert (LE : (length (filter q l) <= length (filter p l))%nat).
  { clear IH Ha. induction l as [| t l IH]; [auto |]. cbn.
    assert (G : forall u, In u (s :: l) -> q u = true -> p u = true).
    { intros u [<- | Hu]; apply Hpq; [left | right; right]; auto. }
    specialize (IH G). pose proof (Hpq t (or_intror (or_introl eq_refl))).
    destruct (q t), (p t); cbn; try lia; discriminate H; reflexivity. }
  destruct Ha as [<- | Ha].
  - cbn. rewrite Hp, Hq. cbn. lia.
  - assert (LT : (length (filter q l) < length (filter p l))%nat).
    { apply IH; auto. intros; apply Hpq; [right |]; assumption. }
    cbn. pose proof (Hpq s (or_introl eq_refl)).
    destruct (q s), (p s); cbn; try lia; discriminate H; reflexivity.
Qed.

Lemma move_burns : forall c p q, move b c p q ->
  (forall s, on_board b s -> p s = Burned -> q s = Burned) /\
  exists s, on_board b s /\ p s <> Burned /\ q s = Burned.
Proof.
  intros c p q [from to arrow Hf O Ht Ha Hq].
  apply queen_step_free in Ht. apply queen_step_free in Ha.
  destruct Ht as [Bt Et], Ha as [Ba Ea]. split.
  - intros s Hs B. rewrite Hq by exact Hs. unfold put, moved, put in *.
    destruct (square_eqb s arrow); [reflexivity |].
    destruct (square_eqb s to) eqn:E; [apply square_eqb_spec in E; subst; congruence |].
    destruct (square_eqb s from) eqn:E'; [apply square_eqb_spec in E'; subst; congruence |].
    exact B.
  - exists arrow. split; [exact Ba |]. split; [| rewrite Hq, put_same by exact Ba; reflexivity].
    intros B. unfold moved, put in Ea.
    destruct (square_eqb arrow to); [discriminate |].
    destruct (square_eqb arrow from) eqn:E; [| congruence].
    apply square_eqb_spec in E. subst. congruence.
Qed.

(** The side to move wins or loses, in all positions that states stand for. *)
Theorem decided : forall st c, wins b c (position_of b c st) \/ loses b c (position_of b c st).
Proof.
  intros st. remember (length (filter (unburned st) (squares b))) as n eqn:E. revert st E.
  induction n as [n IH] using (well_founded_induction lt_wf). intros st -> c.
  assert (G : forall l, (forall st', In st' l -> In st' (moves (fun l => l) (cells_of b) st)) ->
    (exists st', In st' l /\ loses b (other c) (position_of b (other c) st')) \/
    (forall st', In st' l -> wins b (other c) (position_of b (other c) st'))).
  { induction l as [| x l IHl]; intros Hl; [right; intros _ [] |].
    assert (D : wins b (other c) (position_of b (other c) x) \/
                loses b (other c) (position_of b (other c) x)).
    { eapply IH; [| reflexivity].
      pose proof (moves_sound (fun l => l) (fun l t => iff_refl _) b c st F x
        (Hl x (or_introl eq_refl))) as M.
      destruct (move_burns _ _ _ M) as (K & s & Hs & B1 & B2).
      apply fewer with s.
      - intros t Ht U. destruct (unburned st t) eqn:U'; [reflexivity |].
        apply (unburned_spec c) in U'. apply K in U'; [| apply in_squares, Ht].
        apply unburned_spec in U'. congruence.
      - apply in_squares, Hs.
      - destruct (unburned st s) eqn:U; [reflexivity |].
        apply (unburned_spec c) in U. contradiction.
      - apply (unburned_spec (other c)). exact B2. }
    destruct IHl as [(st' & H1 & H2) | W].
    - intros; apply Hl; right; assumption.
    - left. exists st'. split; [right |]; assumption.
    - destruct D as [W' | L].
      + right. intros st' [<- | H]; auto.
      + left. exists x. split; [left; reflexivity | exact L]. }
  destruct (G _ (fun st' H => H)) as [(st' & H1 & H2) | W].
  - left. eapply wins_by; [| exact H2].
    apply (moves_sound (fun l => l) (fun l t => iff_refl _) b c st F). exact H1.
  - right. constructor. intros q Hq.
    destruct (moves_complete (fun l => l) (fun l t => iff_refl _) b c st F q Hq) as (st' & Hs & A).
    exact (proj1 (outcome_alike b) _ _ (W st' Hs) (fun s => s) (fun s => s) q (symmetry_id b) A).
Qed.
End Decided.
