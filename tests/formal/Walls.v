(** The theorem behind the wall rule: who holds its walls, and has moves enough behind them, wins.
    docs/formal.md has the proof in words. It is about Game.v alone, and rests on no axiom. *)

From Coq Require Import ZArith Lia List Bool FinFun.
Require Import Game Symmetry Moves.
Import ListNotations.
Local Open Scope Z_scope.

Lemma other_other : forall c, other (other c) = c.
Proof. destruct c; reflexivity. Qed.

Lemma other_not : forall c, Amazon (other c) <> Amazon c.
Proof. destruct c; discriminate. Qed.

Lemma square_dec : forall s t : square, {s = t} + {s <> t}.
Proof. decide equality; apply Z.eq_dec. Qed.

Lemma put_spec : forall p s x t, put p s x t = if square_dec t s then x else p t.
Proof.
  intros. destruct (square_dec t s) as [-> |]; [apply put_same | apply put_other; assumption].
Qed.

(** [t] is a king step from [s]. *)
Definition near (s t : square) : Prop := exists d, direction d /\ t = next s d.

Lemma near_back : forall s t, near s t -> near t s.
Proof.
  intros [x y] t ([dx dy] & (N & Hx & Hy) & ->). exists (- dx, - dy). cbn in *. split.
  - split; [| cbn; lia]. intros [= A B]. apply N. f_equal; lia.
  - unfold next. cbn. f_equal; lia.
Qed.

(** * Counting empty squares *)

Definition is_empty (x : content) : bool := match x with Empty => true | _ => false end.

Lemma squares_once : forall b, NoDup (squares b).
Proof.
  intros b. assert (R : forall n, NoDup (ranks n)).
  { intros n. apply Injective_map_NoDup; [intros x y; lia | apply seq_NoDup]. }
  unfold squares. generalize (R (rows b)). induction 1 as [| y l Hy _ IH]; cbn; [constructor |].
  assert (G : forall l', NoDup l' ->
    NoDup (map (fun x => (x, y)) l' ++
      flat_map (fun y => map (fun x => (x, y)) (ranks (columns b))) l)).
  { induction 1 as [| x l' Hx _ IH']; cbn; [exact IH |]. constructor; [| exact IH'].
    intros H. apply in_app_iff in H. destruct H as [H | H].
    - apply in_map_iff in H. destruct H as (? & [= ->] & H). contradiction.
    - apply in_flat_map in H. destruct H as (y' & H1 & H2). apply in_map_iff in H2.
      destruct H2 as (? & [= -> ->] & _). contradiction. }
  apply G, R.
Qed.

(** How many squares of a set are empty. *)
Definition count (b : board) (P : square -> bool) (p : position) : nat :=
  length (filter (fun s => P s && is_empty (p s)) (squares b)).

Lemma count_ext : forall b P p q, (forall s, on_board b s -> q s = p s) ->
  count b P q = count b P p.
Proof.
  intros b P p q E. unfold count. f_equal. apply filter_ext_in. intros s Hs.
  apply in_squares in Hs. rewrite E by exact Hs. reflexivity.
Qed.

Definition one_if (x : bool) : nat := if x then 1 else 0.

Lemma count_put : forall b P p s x, on_board b s ->
  (count b P (put p s x) + one_if (P s && is_empty (p s)) =
   count b P p + one_if (P s && is_empty x))%nat.
Proof.
  intros b P p s x Hs. apply in_squares in Hs. unfold count.
  generalize (squares_once b). intros N. induction N as [| t l Ht N IH]; [destruct Hs |].
  cbn [filter]. rewrite (put_spec p s x t). destruct (square_dec t s) as [-> | D].
  - clear IH Hs. assert (E : filter (fun u => P u && is_empty (put p s x u)) l =
                  filter (fun u => P u && is_empty (p u)) l).
    { apply filter_ext_in. intros u Hu. rewrite put_other; [reflexivity |].
      intros ->. contradiction. }
    rewrite E. destruct (P s && is_empty x), (P s && is_empty (p s)); cbn; lia.
  - destruct Hs as [-> | Hs]; [contradiction |]. specialize (IH Hs).
    destruct (P t && is_empty (p t)); cbn [length]; lia.
Qed.

(** * The holder and the area *)

Section Walls.
(** [h] is the holder. [A] is the area: what the other side can ever come to. *)
Variables (b : board) (h : colour) (A : square -> bool).

(** The other side stands in the area, and nothing beside the area is empty. *)
Definition shut (p : position) : Prop :=
  (forall s t, on_board b s -> on_board b t -> A s = true -> near s t -> A t = false ->
    p t <> Empty) /\
  (forall s, on_board b s -> p s = Amazon (other h) -> A s = true).

(** The empty squares of the area. *)
Definition room (p : position) : nat := count b A p.

Lemma slide_inside : forall p d s t, shut p -> direction d -> on_board b s -> A s = true ->
  slide b p d s t -> A t = true.
Proof.
  intros p d s t C Hd Hs As. pose proof (proj1 C) as Hc.
  induction 1 as [[Ho He] | t H IH [Ho He]].
  - destruct (A (next s d)) eqn:E; [reflexivity |].
    destruct (Hc s (next s d) Hs Ho As); [exists d; auto | exact E | exact He].
  - destruct (A (next t d)) eqn:E; [reflexivity |].
    destruct (Hc t (next t d)); auto; [| exists d; auto].
    apply (queen_step_on_board b p s t). exists d. auto.
Qed.

Lemma queen_step_inside : forall p s t, shut p -> on_board b s -> A s = true ->
  queen_step b p s t -> on_board b t /\ A t = true /\ p t = Empty.
Proof.
  intros p s t C Hs As H. pose proof (queen_step_free _ _ _ _ H) as [Ho He].
  destruct H as (d & Hd & H). split; [exact Ho |]. split; [| exact He].
  exact (slide_inside p d s t C Hd Hs As H).
Qed.

(** ** Moves of the other side *)

(** A move of the other side, with its squares, which are of the area. *)
Definition inside (p q : position) (from to arrow : square) : Prop :=
  on_board b from /\ on_board b to /\ on_board b arrow /\
  A from = true /\ A to = true /\ A arrow = true /\
  p from = Amazon (other h) /\ p to = Empty /\ moved (other h) p from to arrow = Empty /\
  forall s, on_board b s -> q s = put (moved (other h) p from to) arrow Burned s.

Lemma moved_shut : forall p from to, shut p -> A from = true -> A to = true ->
  shut (moved (other h) p from to).
Proof.
  intros p from to [Hc Hi] Af At. unfold moved. split.
  - intros s t Hs Ht As N F. rewrite !put_spec.
    destruct (square_dec t to) as [-> |]; [congruence |].
    destruct (square_dec t from) as [-> |]; [congruence |]. eauto.
  - intros s Hs. rewrite !put_spec. destruct (square_dec s to) as [-> |]; [auto |].
    destruct (square_dec s from); [discriminate | auto].
Qed.

Lemma answer_inside : forall p q, shut p -> move b (other h) p q ->
  exists from to arrow, inside p q from to arrow.
Proof.
  intros p q C [from to arrow Hf Hc H1 H2 Hq].
  pose proof (proj2 C from Hf Hc) as Af.
  destruct (queen_step_inside p from to C Hf Af H1) as (Ht & At & Et).
  pose proof (moved_shut p from to C Af At) as C'.
  destruct (queen_step_inside _ to arrow C' Ht At H2) as (Ha & Aa & Ea).
  exists from, to, arrow. unfold inside. auto 20.
Qed.

Section Answer.
Variables (p q : position).
Hypotheses (C : shut p) (M : move b (other h) p q).

Lemma answer_shut : shut q.
Proof.
  destruct (answer_inside p q C M)
    as (from & to & arrow & Hf & Ht & Ha & Af & At & Aa & _ & _ & _ & Hq).
  destruct (moved_shut p from to C Af At) as [Hc Hi]. split.
  - intros s t Hs Hu As N F. rewrite Hq by exact Hu. rewrite put_other by congruence. eauto.
  - intros s Hs. rewrite Hq, put_spec by exact Hs. destruct (square_dec s arrow); [discriminate |].
    apply Hi. exact Hs.
Qed.

Lemma answer_outside : forall s, on_board b s -> A s = false -> q s = p s.
Proof.
  intros s Hs As.
  destruct (answer_inside p q C M)
    as (from & to & arrow & Hf & Ht & Ha & Af & At & Aa & _ & _ & _ & Hq).
  rewrite Hq by exact Hs. unfold moved. rewrite !put_other by congruence. reflexivity.
Qed.

Lemma answer_own : forall s, on_board b s -> p s = Amazon h -> q s = Amazon h.
Proof.
  intros s Hs Ps.
  destruct (answer_inside p q C M)
    as (from & to & arrow & Hf & Ht & Ha & Af & At & Aa & Pf & Pt & Pa & Hq).
  rewrite Hq by exact Hs. revert Pa. unfold moved. rewrite !put_spec.
  destruct (square_dec s from) as [-> |]; [destruct (other_not h); congruence |].
  destruct (square_dec s to) as [-> |]; [congruence |].
  destruct (square_dec s arrow) as [-> |]; [| auto].
  destruct (square_dec arrow to); [discriminate |].
  destruct (square_dec arrow from); congruence.
Qed.

(** A move fills two squares at most. *)
Lemma answer_count : forall P, (count b P p <= count b P q + 2)%nat.
Proof.
  intros P.
  destruct (answer_inside p q C M)
    as (from & to & arrow & Hf & Ht & Ha & Af & At & Aa & Pf & Pt & Pa & Hq).
  rewrite (count_ext b P _ q Hq). unfold moved in *.
  pose proof (count_put b P p from Empty Hf).
  pose proof (count_put b P (put p from Empty) to (Amazon (other h)) Ht).
  pose proof (count_put b P (put (put p from Empty) to (Amazon (other h))) arrow Burned Ha).
  rewrite Pf in *. cbn [is_empty] in *. rewrite !andb_false_r in *. cbn [one_if] in *.
  unfold one_if in *. repeat match goal with |- context [if ?x then _ else _] => destruct x
    | H : context [if ?x then _ else _] |- _ => destruct x end; lia.
Qed.

(** A move takes one empty square from the area. *)
Lemma answer_room : room p = S (room q).
Proof.
  unfold room.
  destruct (answer_inside p q C M)
    as (from & to & arrow & Hf & Ht & Ha & Af & At & Aa & Pf & Pt & Pa & Hq).
  rewrite (count_ext b A _ q Hq). unfold moved in *.
  pose proof (count_put b A p from Empty Hf) as E1.
  pose proof (count_put b A (put p from Empty) to (Amazon (other h)) Ht) as E2.
  pose proof (count_put b A (put (put p from Empty) to (Amazon (other h))) arrow Burned Ha) as E3.
  rewrite Pa in E3. rewrite Pf in E1.
  assert (Et : put p from Empty to = Empty).
  { rewrite put_spec. destruct (square_dec to from); auto. }
  rewrite Et in E2. rewrite Af, At, Aa in *. cbn in *. lia.
Qed.
End Answer.

(** ** Moves of the holder: king steps with the shot back *)

Definition stepped (p : position) (s t : square) : position := put (moved h p s t) s Burned.

Lemma stepped_spec : forall p s t u,
  stepped p s t u = if square_dec u s then Burned else if square_dec u t then Amazon h else p u.
Proof.
  intros. unfold stepped, moved. rewrite !put_spec.
  destruct (square_dec u s); [reflexivity |]. destruct (square_dec u t); reflexivity.
Qed.

(** What makes a step possible. *)
Definition can_step (p : position) (s t : square) : Prop :=
  on_board b s /\ on_board b t /\ p s = Amazon h /\ p t = Empty /\ near s t.

Section Step.
Variables (p : position) (s t : square).
Hypothesis (H : can_step p s t).

Lemma stepped_move : move b h p (stepped p s t).
Proof.
  destruct H as (Hs & Ht & Ps & Pt & N). pose proof N as (d & Hd & Ed).
  apply near_back in N. destruct N as (d' & Hd' & Ed').
  apply a_move with s t s; auto.
  - exists d. split; [exact Hd |]. rewrite Ed. apply slide_one. rewrite <- Ed. split; assumption.
  - exists d'. split; [exact Hd' |]. rewrite Ed' at 2. apply slide_one. rewrite <- Ed'.
    split; [exact Hs |]. unfold moved. rewrite put_other by congruence. apply put_same.
Qed.

Lemma stepped_shut : shut p -> shut (stepped p s t).
Proof.
  destruct H as (Hs & Ht & Ps & Pt & N). intros [Hc Hi]. split.
  - intros u v Hu Hv Au Nu Fv. rewrite stepped_spec.
    destruct (square_dec v s); [discriminate |]. destruct (square_dec v t); [discriminate | eauto].
  - intros u Hu. rewrite stepped_spec. destruct (square_dec u s); [discriminate |].
    destruct (square_dec u t) as [-> |]; [| auto].
    intros E. destruct (other_not h). congruence.
Qed.

Lemma stepped_room : (room (stepped p s t) + one_if (A t) = room p)%nat.
Proof.
  destruct H as (Hs & Ht & Ps & Pt & N). unfold room, stepped, moved.
  pose proof (count_put b A p s Empty Hs) as E1.
  pose proof (count_put b A (put p s Empty) t (Amazon h) Ht) as E2.
  pose proof (count_put b A (put (put p s Empty) t (Amazon h)) s Burned Hs) as E3.
  rewrite Ps in E1.
  rewrite (put_other p s Empty t), Pt in E2 by congruence.
  rewrite (put_other _ t _ s), put_same in E3 by congruence.
  cbn [is_empty] in *. rewrite ?andb_false_r, ?andb_true_r in *. cbn [one_if] in *. lia.
Qed.
End Step.

(** * Walks *)

Definition starts (l : list (square * square)) : list square := map fst l.
Definition ends (l : list (square * square)) : list square := map snd l.

(** Steps outside the area that the holder could make one after the other, if nobody else moved. *)
Fixpoint walks (p : position) (l : list (square * square)) : Prop :=
  match l with
  | [] => True
  | (s, t) :: l => can_step p s t /\ A s = false /\ A t = false /\ walks (stepped p s t) l
  end.

Lemma walks_used : forall l p s, walks p l -> In s (starts l) \/ In s (ends l) ->
  on_board b s /\ A s = false.
Proof.
  induction l as [| [u v] l IH]; intros p s W H; cbn in *; [tauto |].
  destruct W as ((Hu & Hv & _) & Au & Av & W).
  destruct H as [[-> | H] | [-> | H]]; eauto.
Qed.

(** A walk depends on its own squares alone. *)
Lemma walks_ext : forall l p q, walks p l ->
  (forall s, In s (starts l) \/ In s (ends l) -> q s = p s) -> walks q l.
Proof.
  induction l as [| [u v] l IH]; intros p q W E; cbn in *; [exact I |].
  destruct W as ((Hu & Hv & Pu & Pv & N) & Au & Av & W).
  split; [| split; [exact Au | split; [exact Av |]]].
  - unfold can_step. rewrite !E by auto. auto.
  - apply (IH _ _ W). intros s Hs. rewrite !stepped_spec, E by tauto. reflexivity.
Qed.

Lemma stepped_taken : forall p s t u, p u <> Empty -> stepped p s t u <> Empty.
Proof.
  intros p s t u H. rewrite stepped_spec. destruct (square_dec u s); [discriminate |].
  destruct (square_dec u t); [discriminate | exact H].
Qed.

Lemma walks_taken : forall l p s, walks p l -> p s <> Empty -> ~ In s (ends l).
Proof.
  induction l as [| [u v] l IH]; intros p s W H; cbn in *; [tauto |].
  destruct W as ((_ & _ & _ & Pv & _) & _ & _ & W). intros [-> | F]; [congruence |].
  apply (IH _ s W); [apply stepped_taken, H | exact F].
Qed.

Lemma walks_burned : forall l p s, walks p l -> p s = Burned -> ~ In s (starts l).
Proof.
  induction l as [| [u v] l IH]; intros p s W H; cbn in *; [tauto |].
  destruct W as ((_ & _ & Pu & Pv & _) & _ & _ & W). intros [-> | F]; [congruence |].
  apply (IH _ s W); [| exact F]. rewrite stepped_spec. destruct (square_dec s u); [reflexivity |].
  destruct (square_dec s v); congruence.
Qed.

(** The position at the end of a walk. *)
Fixpoint walked (p : position) (l : list (square * square)) : position :=
  match l with
  | [] => p
  | (s, t) :: l => walked (stepped p s t) l
  end.

Lemma walks_app : forall l l' p, walks p l -> walks (walked p l) l' -> walks p (l ++ l').
Proof.
  induction l as [| [u v] l IH]; intros l' p W W'; cbn in *; [exact W' |].
  destruct W as (S & Au & Av & W). auto.
Qed.

Lemma walked_other : forall l p s, ~ In s (starts l) -> ~ In s (ends l) -> walked p l s = p s.
Proof.
  induction l as [| [u v] l IH]; intros p s H1 H2; cbn in *; [reflexivity |].
  rewrite IH by tauto. rewrite stepped_spec.
  destruct (square_dec s u) as [-> |]; [tauto |].
  destruct (square_dec s v) as [-> |]; [tauto | reflexivity].
Qed.

(** The amazon on [s] has a part in the walk, and makes one step. *)
Fixpoint lone (s : square) (l : list (square * square)) : Prop :=
  match l with
  | [] => False
  | (u, v) :: l => (u = s /\ ~ In v (starts l)) \/ lone s l
  end.

(** The walk without that step. *)
Fixpoint drop (s : square) (l : list (square * square)) : list (square * square) :=
  match l with
  | [] => []
  | (u, v) :: l => if square_dec u s then l else (u, v) :: drop s l
  end.

Lemma lone_starts : forall s l, lone s l -> In s (starts l).
Proof.
  induction l as [| [u v] l IH]; cbn; [auto |]. intros [[-> _] | H]; auto.
Qed.

Lemma starts_drop : forall s l x, In x (starts (drop s l)) -> In x (starts l).
Proof.
  induction l as [| [u v] l IH]; intros x; cbn; [auto |].
  destruct (square_dec u s); cbn; [auto |]. intros [-> | H]; auto.
Qed.

Lemma length_drop : forall s l, In s (starts l) -> length l = S (length (drop s l)).
Proof.
  induction l as [| [u v] l IH]; cbn; [tauto |]. intros H.
  destruct (square_dec u s); cbn; [reflexivity |]. f_equal. apply IH. tauto.
Qed.

Lemma lone_drop : forall s y l, y <> s -> lone y l -> lone y (drop s l).
Proof.
  intros s y l N. induction l as [| [u v] l IH]; cbn; [auto |].
  destruct (square_dec u s) as [-> |]; cbn.
  - intros [[-> _] | H]; [congruence | exact H].
  - intros [[-> H] | H]; [left | right; auto]. split; [reflexivity |].
    intros F. apply starts_drop in F. contradiction.
Qed.

Lemma lone_app : forall s l l', lone s l ->
  (forall x, In x (ends l) -> ~ In x (starts l')) -> lone s (l ++ l').
Proof.
  induction l as [| [u v] l IH]; intros l' H N; cbn in *; [destruct H |].
  destruct H as [[-> H] | H]; [left | right].
  - split; [reflexivity |]. unfold starts in *. rewrite map_app, in_app_iff.
    intros [F | F]; [contradiction |]. apply (N v); auto.
  - apply IH; auto.
Qed.

(** When an amazon that has no part in a walk steps into the area, the walk is still one. *)
Lemma walks_idle : forall l p q s, walks p l -> p s <> Empty -> ~ In s (starts l) ->
  (forall x, on_board b x -> A x = false -> x <> s -> q x = p x) -> walks q l.
Proof.
  intros l p q s W Ps Ns E. apply (walks_ext l p q W). intros x Hx.
  destruct (walks_used l p x W Hx). apply E; auto. intros ->.
  destruct Hx; [contradiction |]. exact (walks_taken l p s W Ps H1).
Qed.

(** When an amazon that makes one step of a walk steps into the area, the rest is a walk. *)
Lemma walks_drop : forall l p q s, walks p l -> p s <> Empty -> lone s l ->
  (forall x, on_board b x -> A x = false -> x <> s -> q x = p x) -> walks q (drop s l).
Proof.
  induction l as [| [u v] l IH]; intros p q s W Ps L E; [destruct L |].
  cbn [walks lone drop] in *. destruct W as ((Hu & Hv & Pu & Pv & N) & Au & Av & W).
  destruct (square_dec u s) as [-> | D].
  - assert (Pb : stepped p s v s = Burned).
    { rewrite stepped_spec. destruct (square_dec s s); congruence. }
    assert (V : ~ In v (starts l)).
    { destruct L as [[_ L] | L]; [exact L |]. apply lone_starts in L.
      destruct (walks_burned l _ s W Pb L). }
    apply (walks_ext l _ q W). intros x Hx. destruct (walks_used l _ x W Hx) as [Bx Ax].
    assert (x <> s).
    { intros ->. destruct Hx as [Hx | Hx]; [exact (walks_burned l _ s W Pb Hx) |].
      apply (walks_taken l _ s W); [congruence | exact Hx]. }
    assert (x <> v).
    { intros ->. destruct Hx as [Hx | Hx]; [contradiction |].
      apply (walks_taken l _ v W); [| exact Hx]. rewrite stepped_spec.
      destruct (square_dec v s); [discriminate |]. destruct (square_dec v v); congruence. }
    rewrite stepped_spec, E by assumption.
    destruct (square_dec x s); [contradiction |]. destruct (square_dec x v); congruence.
  - destruct L as [[-> _] | L]; [congruence |].
    assert (v <> s) by congruence. cbn [walks].
    split; [| split; [exact Au | split; [exact Av |]]].
    + unfold can_step. rewrite !E by assumption. auto.
    + apply (IH _ _ s W); [apply stepped_taken, Ps | exact L |].
      intros x Hx Ax Nx. rewrite !stepped_spec, E by assumption. reflexivity.
Qed.

(** * Steps into the area *)

(** The steppers after one of them has gone from [s] to [t]. *)
Definition relay (S : square -> Prop) (s t : square) : square -> Prop :=
  fun x => x = t \/ (x <> s /\ S x).

(** With the holder to move [k] steps of steppers into the area are sure, whatever the other side
    does in between. *)
Fixpoint sure (k : nat) (S : square -> Prop) (p : position) : Prop :=
  match k with
  | O => True
  | Datatypes.S k => exists s t, S s /\ can_step p s t /\ A t = true /\
      forall q, move b (other h) (stepped p s t) q -> sure k (relay S s t) q
  end.

(** Steppers have no part in the walk, or they are among [ones] and make one step of it. *)
Definition spare (S : square -> Prop) (l : list (square * square)) (ones : list square) : Prop :=
  forall s, S s -> ~ In s (starts l) \/ (In s ones /\ lone s l).

(** ** The theorem *)

Lemma holding : forall n,
  (forall k S p l ones, (room p + length l < n)%nat ->
    shut p -> walks p l -> spare S l ones -> sure k S p ->
    (room p + Nat.min k (length ones) < length l + 2 * k)%nat -> wins b h p) /\
  (forall k S p l ones, (room p + length l < n)%nat ->
    shut p -> walks p l -> spare S l ones -> (forall q, move b (other h) p q -> sure k S q) ->
    (room p + Nat.min k (length ones) <= length l + 2 * k)%nat -> loses b (other h) p).
Proof.
  induction n as [| n [IHw IHl]]; split; intros k S p l ones Hn C W Sp Su E; try lia.
  - destruct k as [| k].
    + destruct l as [| [u v] l]; [cbn in *; lia |].
      destruct W as (St & Au & Av & W). pose proof (stepped_room p u v St) as R.
      rewrite Av in R. cbn [one_if length] in *.
      apply wins_by with (stepped p u v); [apply stepped_move, St |].
      apply (IHl 0%nat (fun _ => False) _ l []); cbn [length]; try lia.
      * apply stepped_shut; assumption.
      * exact W.
      * intros ? [].
      * intros; exact I.
    + destruct Su as (s & t & Hs & St & At & Su).
      pose proof (stepped_room p s t St) as R. rewrite At in R. cbn [one_if] in R.
      assert (Ps : p s <> Empty) by (destruct St as (_ & _ & -> & _); discriminate).
      assert (O : forall x, on_board b x -> A x = false -> x <> s -> stepped p s t x = p x).
      { intros x _ Ax Nx. rewrite stepped_spec. destruct (square_dec x s); [contradiction |].
        destruct (square_dec x t); congruence. }
      assert (T : forall l', walks (stepped p s t) l' -> ~ In t (starts l')).
      { intros l' W' F. destruct (walks_used l' _ t W' (or_introl F)). congruence. }
      apply wins_by with (stepped p s t); [apply stepped_move, St |].
      destruct (Sp s Hs) as [Is | [In1 L]].
      * assert (W' : walks (stepped p s t) l) by (apply (walks_idle l p _ s); assumption).
        apply (IHl k (relay S s t) _ l ones); try lia; try assumption.
        -- apply stepped_shut; assumption.
        -- intros y [-> | [Ny Sy]]; [left; apply T; exact W' | auto].
      * assert (W' : walks (stepped p s t) (drop s l)) by (apply (walks_drop l p _ s); assumption).
        pose proof (length_drop s l (lone_starts s l L)).
        pose proof (remove_length_lt square_dec ones s In1).
        apply (IHl k (relay S s t) _ (drop s l) (remove square_dec s ones)); try lia.
        -- apply stepped_shut; assumption.
        -- exact W'.
        -- intros y [-> | [Ny Sy]]; [left; apply T; exact W' |].
           destruct (Sp y Sy) as [Iy | [In2 Ly]].
           ++ left. intros F. apply starts_drop in F. contradiction.
           ++ right. split; [apply in_in_remove; assumption | apply lone_drop; assumption].
        -- exact Su.
  - constructor. intros q M. rewrite other_other.
    pose proof (answer_room p q C M) as R.
    apply (IHw k S q l ones); try lia; auto.
    + apply (answer_shut p q C M).
    + apply (walks_ext l p q W). intros x Hx. destruct (walks_used l p x W Hx).
      apply (answer_outside p q C M); assumption.
Qed.

(** The holder wins with the move, if it has more moves than the other side: [length l] by a walk,
    and [k] by steps, each of which takes one from the other side as well. *)
Theorem holder_wins : forall k S p l ones,
  shut p -> walks p l -> spare S l ones -> sure k S p ->
  (room p + Nat.min k (length ones) < length l + 2 * k)%nat -> wins b h p.
Proof. intros. eapply (proj1 (holding (1 + (room p + length l)))); eauto; lia. Qed.

(** The other side loses with the move, if it has no more moves than the holder. *)
Theorem other_loses : forall k S p l ones,
  shut p -> walks p l -> spare S l ones -> (forall q, move b (other h) p q -> sure k S q) ->
  (room p + Nat.min k (length ones) <= length l + 2 * k)%nat -> loses b (other h) p.
Proof. intros. eapply (proj2 (holding (1 + (room p + length l)))); eauto; lia. Qed.
End Walls.
