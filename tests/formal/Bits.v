(** Sets of squares square by square, and as a whole: the squares around a set, all that king steps
    reach from one. *)

From Coq Require Import ZArith Lia List Bool Uint63 PArray.
Require Import Game Symmetry Sets Moves Walls.
Import ListNotations.
Local Notation length := Datatypes.length.
Local Open Scope uint63_scope.

(** * One by one *)

(** A set without its lowest square. *)
Definition rest (x : int) : int := x land (x - 1).

(** Whether [f] holds of all squares of a set; not if they are more than [n]. *)
Fixpoint all_in (n : nat) (f : int -> bool) (x : int) : bool :=
  match n with
  | O => false
  | S n =>
      if is_zero x then true
      else let y := x land (x - 1) in if f (x lxor y) then all_in n f y else false
  end.

(** Whether [f] holds of a square of a set; no more than [n] are asked for. *)
Fixpoint any_in (n : nat) (f : int -> bool) (x : int) : bool :=
  match n with
  | O => false
  | S n =>
      if is_zero x then false
      else let y := x land (x - 1) in if f (x lxor y) then true else any_in n f y
  end.

(** The squares of a set of which [f] holds, and [found]; no more than [n] are asked for. *)
Fixpoint those_in (n : nat) (f : int -> bool) (x found : int) : int :=
  match n with
  | O => found
  | S n =>
      if is_zero x then found
      else
        let y := x land (x - 1) in
        let s := x lxor y in
        those_in n f y (if f s then found lor s else found)
  end.

(** Whether a set has so many squares. *)
Fixpoint at_least (n : nat) (x : int) : bool :=
  match n with
  | O => true
  | S n => if is_zero x then false else at_least n (x land (x - 1))
  end.

(** How many squares a set has, [fuel] at most, more than [n]. *)
Fixpoint size (fuel : nat) (x n : int) : int :=
  match fuel with
  | O => n
  | S fuel => if is_zero x then n else size fuel (x land (x - 1)) (n + 1)
  end.

(** The square of a set with the smallest key, if that is less than [least]; else [best]. *)
Fixpoint least_in (n : nat) (key : int -> int) (x least best : int) : int :=
  match n with
  | O => best
  | S n =>
      if is_zero x then best
      else
        let y := x land (x - 1) in
        let s := x lxor y in
        let k := key s in
        if k <? least then least_in n key y k s else least_in n key y least best
  end.

(** * As a whole *)

(** The squares of which [f] holds. *)
Definition set_where (b : board) (f : square -> bool) : int :=
  fold_right (fun s x => if f s then x lor single b s else x) 0 (squares b).

(** A board for king steps: its width, all squares, those without the first file and without the
    last. *)
Record field := Field { width : int; whole : int; not_first : int; not_last : int }.

Definition field_of (b : board) : field :=
  Field (of_Z (columns b)) (set_where b (fun _ => true))
    (set_where b (fun s => 0 <? fst s)%Z) (set_where b (fun s => fst s <? columns b - 1)%Z).

(** The squares around those of a set. *)
Definition king (f : field) (x : int) : int :=
  let x := x land whole f in
  let side := ((x land not_last f) << 1) lor ((x land not_first f) >> 1) in
  let row := x lor side in
  (side lor (row << width f) lor (row >> width f)) land whole f.

(** What is reached from [seeds] by king steps over [empty] squares. Should the fuel end, it is all
    empty squares: that is right as well. *)
Fixpoint flood (f : field) (fuel : nat) (empty seeds area : int) : int :=
  match fuel with
  | O => empty
  | S fuel =>
      let larger := area lor (king f (area lor seeds) land empty) in
      if larger =? area then area else flood f fuel empty seeds larger
  end.

(** * Squares as places of an array *)

(** A number below 64: for each square another one. *)
Definition place (x : int) : int := (x * 0x1FBCEB8DA658544) >> 57.

Definition placed (cells : list cell) : array cell :=
  fold_left (fun t c => t.[place (it c) <- c]) cells (make 64 (Cell 0 [])).

(** What [f] says of the cell of a square, [other] if it is not found. *)
Definition at_cell {A} (t : array cell) (x : int) (f : cell -> A) (other : A) : A :=
  let c := t.[place x] in if it c =? x then f c else other.

(** * Proofs *)

Local Open Scope Z_scope.

Lemma rest_positive : forall p, exists k, Z.testbit (Zpos p) k = true /\ forall j,
  Z.testbit (Z.land (Zpos p) (Zpos p - 1)) j = Z.testbit (Zpos p) j && negb (j =? k).
Proof.
  induction p as [p _ | p IH |].
  - exists 0. split; [reflexivity |]. intros j. rewrite Z.land_spec.
    replace (Z.pos p~1 - 1) with (2 * Z.pos p) by lia. rewrite (Pos2Z.inj_xI p).
    destruct (Z.ltb_spec j 0); [rewrite !Z.testbit_neg_r by lia; reflexivity |].
    destruct (Z.eqb_spec j 0) as [-> |].
    + rewrite Z.testbit_even_0. rewrite !andb_false_r. reflexivity.
    + replace j with (Z.succ (j - 1)) by lia.
      rewrite Z.testbit_odd_succ, Z.testbit_even_succ, andb_true_r by lia. apply andb_diag.
  - destruct IH as (k & K & H). exists (Z.succ k).
    assert (0 <= k). { destruct (Z.ltb_spec k 0); [rewrite Z.testbit_neg_r in K by lia |]; easy. }
    rewrite (Pos2Z.inj_xO p). split; [rewrite Z.testbit_even_succ; assumption |].
    intros j. rewrite Z.land_spec. replace (2 * Z.pos p - 1) with (2 * (Z.pos p - 1) + 1) by lia.
    destruct (Z.ltb_spec j 0); [rewrite !Z.testbit_neg_r by lia; reflexivity |].
    destruct (Z.eqb_spec j 0) as [-> |]; [rewrite !Z.testbit_even_0; reflexivity |].
    replace j with (Z.succ (j - 1)) by lia.
    rewrite Z.testbit_odd_succ, !Z.testbit_even_succ by lia.
    specialize (H (j - 1)). rewrite Z.land_spec in H. rewrite H. f_equal. f_equal.
    destruct (Z.eqb_spec (j - 1) k), (Z.eqb_spec (Z.succ (j - 1)) (Z.succ k)); lia.
  - exists 0. split; [reflexivity |]. intros j. change (Z.land 1 (1 - 1)) with 0.
    rewrite Z.bits_0. destruct (Z.eqb_spec j 0) as [-> |]; [reflexivity |].
    destruct (Z.ltb_spec j 0); [rewrite Z.testbit_neg_r by lia; reflexivity |].
    replace j with (Z.succ (j - 1)) by lia. rewrite (Z.testbit_odd_succ 0) by lia.
    rewrite Z.bits_0. reflexivity.
Qed.

(** The lowest square is the only one that goes. *)
Lemma rest_spec : forall x, is_zero x = false -> exists k, bit x k = true /\
  (forall j, bit (x land (x - 1))%uint63 j = bit x j && negb (j =? k)%uint63) /\
  (forall j, bit (x lxor (x land (x - 1)))%uint63 j = (j =? k)%uint63).
Proof.
  intros x N. assert (P : 0 < to_Z x).
  { pose proof (to_Z_bounded x). destruct (Z.eq_dec (to_Z x) 0) as [E |]; [| lia].
    exfalso. assert (x = 0%uint63) by (apply to_Z_inj; exact E). subst. discriminate. }
  destruct (to_Z x) as [| p |] eqn:E; [lia | | lia].
  destruct (rest_positive p) as (k & K & H).
  assert (B : forall j, bit x j = Z.testbit (Zpos p) (to_Z j)) by (intros; rewrite bitE, E; auto).
  assert (K0 : 0 <= k). { destruct (Z.ltb_spec k 0); [rewrite Z.testbit_neg_r in K by lia |]; easy. }
  assert (K1 : k < 63).
  { destruct (Z.ltb_spec k 63) as [| L]; [assumption |].
    rewrite Z.bits_above_log2 in K; [discriminate | lia |].
    pose proof (to_Z_bounded x) as Bx. rewrite E in Bx. change wB with (2 ^ 63) in Bx.
    apply Z.log2_lt_pow2; [lia |].
    eapply Z.lt_le_trans; [apply Bx |]. apply Z.pow_le_mono_r; lia. }
  assert (Ek : to_Z (of_Z k) = k).
  { rewrite of_Z_spec. apply Z.mod_small. change wB with 9223372036854775808. lia. }
  assert (R : forall j, bit (x land (x - 1))%uint63 j = bit x j && negb (j =? of_Z k)%uint63).
  { intros j. rewrite bitE, land_spec', sub_spec, E. change (to_Z 1) with 1.
    rewrite Z.mod_small by (pose proof (to_Z_bounded x) as Bx; rewrite E in Bx; lia).
    rewrite H, <- B. f_equal. f_equal.
    destruct (j =? of_Z k)%uint63 eqn:Q.
    - apply eqb_spec in Q. subst. rewrite Ek. apply Z.eqb_refl.
    - apply Z.eqb_neq. intros C. apply eqb_false_spec in Q. apply Q. apply to_Z_inj. congruence. }
  exists (of_Z k). rewrite B, Ek. split; [exact K |]. split; [exact R |].
  intros j. rewrite lxor_spec, R. destruct (j =? of_Z k)%uint63 eqn:Q.
  - apply eqb_spec in Q. subst. rewrite B, Ek, K. reflexivity.
  - destruct (bit x j); reflexivity.
Qed.

(** A set has squares of the board alone. *)
Definition within_board (b : board) (x : int) : Prop :=
  forall i, bit x i = true -> exists s, on_board b s /\ i = of_Z (index b s).

Lemma within_zero : forall b, within_board b 0%uint63.
Proof. intros b i H. rewrite bit_0 in H. discriminate. Qed.

Lemma within_lor : forall b x y, within_board b x -> within_board b y ->
  within_board b (x lor y)%uint63.
Proof.
  intros b x y X Y i H. rewrite lor_spec in H. apply orb_true_iff in H. destruct H; auto.
Qed.

Lemma within_subset : forall b x y, within_board b x ->
  (forall i, bit y i = true -> bit x i = true) -> within_board b y.
Proof. intros b x y X S i H. auto. Qed.

Lemma within_land : forall b x y, within_board b x -> within_board b (x land y)%uint63.
Proof.
  intros b x y X. apply (within_subset b x); [exact X |]. intros i H. rewrite land_spec in H.
  apply andb_true_iff in H. tauto.
Qed.

Lemma within_less : forall b x y, within_board b x -> within_board b (x lxor (x land y))%uint63.
Proof.
  intros b x y X. apply (within_subset b x); [exact X |]. intros i H.
  rewrite lxor_spec, land_spec in H. destruct (bit x i); [reflexivity | discriminate].
Qed.

Lemma mem_land : forall b x y s, mem b (x land y)%uint63 s = mem b x s && mem b y s.
Proof. intros. apply land_spec. Qed.

(** Without what is in [y] too. *)
Lemma mem_less : forall b x y s, mem b (x lxor (x land y))%uint63 s = mem b x s && negb (mem b y s).
Proof.
  intros. rewrite mem_lxor, mem_land. destruct (mem b x s), (mem b y s); reflexivity.
Qed.

Section Board.
Variable b : board.
Hypothesis F : fits b.

Lemma bit_single_eq : forall s j, on_board b s ->
  bit (single b s) j = (j =? of_Z (index b s))%uint63.
Proof.
  intros s j Hs. pose proof (index_bounds b s F Hs). unfold single.
  apply bit_single. rewrite small_index by assumption. lia.
Qed.

Lemma within_single : forall s, on_board b s -> within_board b (single b s).
Proof.
  intros s Hs i H. rewrite bit_single_eq in H by exact Hs. apply eqb_spec in H. eauto.
Qed.

Lemma mem_single_eq : forall s t, on_board b s -> on_board b t ->
  mem b (single b s) t = true <-> t = s.
Proof. intros s t Hs Ht. rewrite mem_single by assumption. apply square_eqb_spec. Qed.

Lemma mem_single_neq : forall s t, on_board b s -> on_board b t -> t <> s ->
  mem b (single b s) t = false.
Proof.
  intros s t Hs Ht N. destruct (mem b (single b s) t) eqn:E; [| reflexivity].
  apply mem_single_eq in E; congruence.
Qed.

Lemma single_injective : forall s t, on_board b s -> on_board b t -> single b s = single b t ->
  s = t.
Proof.
  intros s t Hs Ht E. apply (mem_single_eq t s Ht Hs). rewrite <- E. apply mem_single_eq; auto.
Qed.

(** The lowest square of a set, and the others. *)
Lemma lowest : forall x, within_board b x -> is_zero x = false -> exists s, on_board b s /\
  mem b x s = true /\ (x lxor (x land (x - 1)))%uint63 = single b s /\
  within_board b (x land (x - 1))%uint63 /\
  forall t, on_board b t ->
    mem b (x land (x - 1))%uint63 t = mem b x t && negb (square_eqb t s).
Proof.
  intros x W N. destruct (rest_spec x N) as (k & K & R & L). destruct (W k K) as (s & Hs & ->).
  exists s. split; [exact Hs |]. split; [exact K |]. split; [| split].
  - apply bit_ext. intros j. rewrite L, bit_single_eq by exact Hs. reflexivity.
  - apply within_land, W.
  - intros t Ht. unfold mem at 1. rewrite R. unfold mem. f_equal. f_equal.
    rewrite <- bit_single_eq by exact Hs. apply mem_single; assumption.
Qed.

Lemma all_in_spec : forall f n x, within_board b x -> all_in n f x = true ->
  forall s, on_board b s -> mem b x s = true -> f (single b s) = true.
Proof.
  intros f. induction n as [| n IH]; intros x W H s Hs Ms; cbn [all_in] in H; [discriminate |].
  destruct (is_zero x) eqn:Z0.
  { apply is_zero_spec in Z0. subst. rewrite mem_zero in Ms. discriminate. }
  destruct (lowest x W Z0) as (t & Ht & Mt & E & W' & R). cbv zeta in H. rewrite E in H.
  destruct (f (single b t)) eqn:Q; [| discriminate].
  destruct (square_eqb s t) eqn:St.
  - apply square_eqb_spec in St. subst. exact Q.
  - apply (IH _ W' H s Hs). rewrite R, Ms, St by exact Hs. reflexivity.
Qed.

Lemma any_in_spec : forall f n x, within_board b x -> any_in n f x = true ->
  exists s, on_board b s /\ mem b x s = true /\ f (single b s) = true.
Proof.
  intros f. induction n as [| n IH]; intros x W H; cbn [any_in] in H; [discriminate |].
  destruct (is_zero x) eqn:Z0; [discriminate |].
  destruct (lowest x W Z0) as (t & Ht & Mt & E & W' & R). cbv zeta in H. rewrite E in H.
  destruct (f (single b t)) eqn:Q; [eauto |].
  destruct (IH _ W' H) as (s & Hs & Ms & Fs). exists s. split; [exact Hs |]. split; [| exact Fs].
  rewrite R in Ms by exact Hs. apply andb_true_iff in Ms. tauto.
Qed.

Lemma those_in_spec : forall f n x found, within_board b x -> within_board b found ->
  within_board b (those_in n f x found) /\
  forall s, on_board b s -> mem b (those_in n f x found) s = true ->
    mem b found s = true \/ (mem b x s = true /\ f (single b s) = true).
Proof.
  intros f. induction n as [| n IH]; intros x found W Wf; cbn [those_in]; [auto |].
  destruct (is_zero x) eqn:Z0; [auto |].
  destruct (lowest x W Z0) as (t & Ht & Mt & E & W' & R). cbv zeta. rewrite E.
  set (found' := if f (single b t) then _ else _).
  assert (Wf' : within_board b found').
  { unfold found'. destruct (f _); [apply within_lor; [| apply within_single] |]; assumption. }
  destruct (IH _ found' W' Wf') as [Wi H]. split; [exact Wi |]. intros s Hs Ms.
  destruct (H s Hs Ms) as [M | [M Q]].
  - unfold found' in M. destruct (f (single b t)) eqn:Q; [| auto].
    rewrite mem_lor, orb_true_iff, mem_single_eq in M by assumption.
    destruct M as [M | ->]; auto.
  - rewrite R in M by exact Hs. apply andb_true_iff in M. tauto.
Qed.

Lemma least_in_spec : forall key n x least best, within_board b x ->
  least_in n key x least best = best \/
  exists s, on_board b s /\ mem b x s = true /\ least_in n key x least best = single b s.
Proof.
  intros key. induction n as [| n IH]; intros x least best W; cbn [least_in]; [auto |].
  destruct (is_zero x) eqn:Z0; [auto |].
  destruct (lowest x W Z0) as (t & Ht & Mt & E & W' & R). cbv zeta. rewrite E.
  assert (G : forall s, on_board b s -> mem b (x land (x - 1))%uint63 s = true -> mem b x s = true).
  { intros s Hs Ms. rewrite R in Ms by exact Hs. apply andb_true_iff in Ms. tauto. }
  destruct (_ <? least)%uint63.
  - destruct (IH _ (key (single b t)) (single b t) W') as [Q | (s & Hs & Ms & Q)]; rewrite Q;
      right; [exists t | exists s]; auto.
  - destruct (IH _ least best W') as [Q | (s & Hs & Ms & Q)]; rewrite Q; [auto |].
    right. exists s. auto.
Qed.

(** ** Counting *)

Definition members (x : int) : list square := filter (mem b x) (squares b).

Lemma members_zero : members 0%uint63 = [].
Proof.
  unfold members. induction (squares b) as [| s l IH]; [reflexivity |]. cbn [filter].
  rewrite mem_zero. exact IH.
Qed.

Lemma members_rest : forall x, within_board b x -> is_zero x = false ->
  length (members x) = S (length (members (x land (x - 1))%uint63)).
Proof.
  intros x W N. destruct (lowest x W N) as (s & Hs & Ms & _ & _ & R). unfold members.
  pose proof (proj2 (in_squares b s) Hs) as Hin. pose proof (squares_once b) as Nd.
  assert (B : forall t, In t (squares b) -> on_board b t) by (intros; apply in_squares; assumption).
  induction (squares b) as [| t l IH]; [destruct Hin |]. cbn [filter].
  inversion Nd as [| ? ? Nt Nd']; subst.
  rewrite R by (apply B; left; reflexivity).
  destruct (square_eqb t s) eqn:E.
  - apply square_eqb_spec in E. subst t. rewrite Ms. rewrite andb_false_r. cbn [negb andb length].
    assert (G : forall l, (forall t, In t l -> on_board b t) -> ~ In s l ->
      filter (mem b x) l = filter (mem b (x land (x - 1))%uint63) l).
    { clear - R F. induction l as [| t l IH]; intros B Ns; [reflexivity |]. cbn [filter].
      rewrite R by (apply B; left; reflexivity).
      destruct (square_eqb t s) eqn:E.
      - apply square_eqb_spec in E. subst. destruct Ns. left. reflexivity.
      - rewrite andb_true_r, IH; [reflexivity | intros; apply B; right; assumption |].
        intros C. apply Ns. right. exact C. }
    rewrite (G l); [reflexivity | intros; apply B; right; assumption | exact Nt].
  - destruct Hin as [-> | Hin].
    { rewrite (proj2 (square_eqb_spec s s) eq_refl) in E. discriminate. }
    rewrite andb_true_r. specialize (IH Hin Nd' (fun t Ht => B t (or_intror Ht))).
    destruct (mem b x t); cbn [length]; lia.
Qed.

Lemma at_least_spec : forall n x, within_board b x -> at_least n x = true ->
  (n <= length (members x))%nat.
Proof.
  induction n as [| n IH]; intros x W H; cbn [at_least] in H; [lia |].
  destruct (is_zero x) eqn:Z0; [discriminate |].
  rewrite (members_rest x W Z0). apply IH in H; [lia | apply within_land, W].
Qed.

Lemma few_squares : (length (squares b) <= 62)%nat.
Proof.
  assert (R : forall n, length (ranks n) = Z.to_nat n).
  { intros n. unfold ranks. rewrite map_length, seq_length. reflexivity. }
  assert (L : forall l : list Z,
    length (flat_map (fun y => map (fun x => (x, y)) (ranks (columns b))) l) =
    (length l * Z.to_nat (columns b))%nat).
  { induction l as [| y l IH]; cbn [flat_map length]; [reflexivity |].
    rewrite app_length, map_length, IH, R. lia. }
  unfold squares. rewrite L, R. destruct F as (? & ? & ?). nia.
Qed.

Lemma filter_length_le : forall A (P Q : A -> bool) l,
  (forall x, In x l -> P x = true -> Q x = true) ->
  (length (filter P l) <= length (filter Q l))%nat.
Proof.
  intros A P Q. induction l as [| x l IH]; intros H; cbn; [lia |].
  assert (G : (length (filter P l) <= length (filter Q l))%nat).
  { apply IH. intros y Hy. apply H. right. exact Hy. }
  pose proof (H x (or_introl eq_refl)) as Hx. destruct (P x), (Q x); cbn; lia.
Qed.

Lemma few_members : forall x, (length (members x) <= 62)%nat.
Proof.
  intros x. eapply Nat.le_trans; [| apply few_squares]. unfold members.
  induction (squares b) as [| s l IH]; cbn; [lia |]. destruct (mem b x s); cbn; lia.
Qed.

Lemma size_spec : forall fuel x n, within_board b x -> (length (members x) <= fuel)%nat ->
  0 <= to_Z n -> to_Z n + Z.of_nat (length (members x)) < 1000 ->
  to_Z (size fuel x n) = to_Z n + Z.of_nat (length (members x)).
Proof.
  induction fuel as [| fuel IH]; intros x n W L N B; cbn [size]; [lia |].
  destruct (is_zero x) eqn:Z0.
  { apply is_zero_spec in Z0. subst. rewrite members_zero. cbn. lia. }
  pose proof (members_rest x W Z0) as E.
  assert (A : to_Z (n + 1)%uint63 = to_Z n + 1).
  { rewrite add_spec, Z.mod_small; [reflexivity |]. change (to_Z 1) with 1.
    change wB with 9223372036854775808. lia. }
  rewrite IH by (try apply within_land; rewrite ?A; auto; lia). lia.
Qed.

Lemma size_members : forall fuel x n, (62 <= fuel)%nat -> within_board b x ->
  0 <= to_Z n < 100 -> to_Z (size fuel x n) = to_Z n + Z.of_nat (length (members x)).
Proof.
  intros fuel x n L W N. pose proof (few_members x). apply size_spec; auto; lia.
Qed.

(** ** Around a set *)

Lemma mem_where : forall f s, on_board b s -> mem b (set_where b f) s = f s.
Proof.
  intros f s Hs. unfold set_where. pose proof (proj2 (in_squares b s) Hs) as Hin.
  pose proof (squares_once b) as Nd.
  assert (B : forall t, In t (squares b) -> on_board b t) by (intros; apply in_squares; assumption).
  assert (G : forall l, (forall t, In t l -> on_board b t) ->
    mem b (fold_right (fun s x => if f s then (x lor single b s)%uint63 else x) 0%uint63 l) s = true
    <-> (In s l /\ f s = true)).
  { clear Hin Nd B. induction l as [| t l IH]; intros B; cbn [fold_right].
    - rewrite mem_zero. split; [discriminate | intros [[] _]].
    - assert (Ht : on_board b t) by (apply B; left; reflexivity).
      specialize (IH (fun u Hu => B u (or_intror Hu))).
      destruct (f t) eqn:Ft.
      + rewrite mem_lor, orb_true_iff, IH, mem_single_eq by assumption. split.
        * intros [[H1 H2] | ->]; [split; [right |] | split; [left |]]; auto.
        * intros [[-> | H] H2]; auto.
      + rewrite IH. split; intros [H1 H2]; (split; [| exact H2]); [right; exact H1 |].
        destruct H1 as [-> | H1]; [congruence | exact H1]. }
  specialize (G (squares b) B). destruct (f s) eqn:Fs.
  - apply G. auto.
  - apply not_true_is_false. intros M. apply G in M. destruct M. congruence.
Qed.

Lemma within_where : forall f, within_board b (set_where b f).
Proof.
  intros f. unfold set_where.
  assert (B : forall t, In t (squares b) -> on_board b t) by (intros; apply in_squares; assumption).
  induction (squares b) as [| s l IH]; cbn [fold_right]; [apply within_zero |].
  specialize (IH (fun u Hu => B u (or_intror Hu))).
  destruct (f s); [| exact IH].
  apply within_lor; [exact IH | apply within_single, B; left; reflexivity].
Qed.

(** A square as the bit of an integer. *)
Lemma index_of : forall i s, on_board b s -> i = of_Z (index b s) -> to_Z i = index b s.
Proof. intros i s Hs ->. apply small_index; assumption. Qed.

Lemma at_index : forall i s, on_board b s -> to_Z i = index b s -> i = of_Z (index b s).
Proof. intros i s Hs E. apply to_Z_inj. rewrite small_index by assumption. exact E. Qed.

Lemma shift_up : forall x n, within_board b x -> 0 <= to_Z n <= 62 ->
  forall i, to_Z i < 63 ->
  bit (x << n)%uint63 i = true <-> exists s, on_board b s /\ mem b x s = true /\
    to_Z i = index b s + to_Z n.
Proof.
  intros x n W N i I. rewrite bit_lsl. split.
  - destruct ((i <? n)%uint63 || (digits <=? i)%uint63) eqn:E; [discriminate |].
    apply orb_false_iff in E. destruct E as [E1 E2]. intros H.
    destruct (W _ H) as (s & Hs & Es). exists s. split; [exact Hs |].
    split; [unfold mem; rewrite <- Es; exact H |].
    apply (index_of _ s Hs) in Es. rewrite <- Es, sub_spec.
    assert (~ to_Z i < to_Z n) by (intros C; apply ltb_spec in C; congruence).
    pose proof (to_Z_bounded i). rewrite Z.mod_small; lia.
  - intros (s & Hs & Ms & E). pose proof (index_bounds b s F Hs).
    destruct (i <? n)%uint63 eqn:E1; [apply ltb_spec in E1; lia |].
    destruct (digits <=? i)%uint63 eqn:E2.
    { apply leb_spec in E2. change (to_Z digits) with 63 in E2. lia. }
    cbn [orb]. unfold mem in Ms. rewrite <- Ms. f_equal. apply at_index; [exact Hs |].
    rewrite sub_spec. pose proof (to_Z_bounded i). rewrite Z.mod_small; lia.
Qed.

Lemma shift_down : forall x n, within_board b x -> 0 <= to_Z n <= 62 ->
  forall i, to_Z i < 63 ->
  bit (x >> n)%uint63 i = true <-> exists s, on_board b s /\ mem b x s = true /\
    to_Z i + to_Z n = index b s.
Proof.
  intros x n W N i I. rewrite bit_lsr. pose proof (to_Z_bounded i) as Bi.
  assert (A : to_Z (i + n)%uint63 = to_Z i + to_Z n).
  { rewrite add_spec, Z.mod_small; [reflexivity |]. change wB with 9223372036854775808. lia. }
  assert (L : (i <=? n + i)%uint63 = true).
  { apply leb_spec. rewrite add_comm, A. lia. }
  assert (L' : (i <=? i + n)%uint63 = true).
  { apply leb_spec. rewrite A. lia. }
  rewrite ?L, ?L', ?(add_comm n i). split.
  - intros H. destruct (W _ H) as (s & Hs & Es). exists s. split; [exact Hs |].
    split; [unfold mem; rewrite <- Es; exact H |].
    apply (index_of _ s Hs) in Es. lia.
  - intros (s & Hs & Ms & E). unfold mem in Ms. rewrite <- Ms. f_equal.
    apply at_index; [exact Hs |]. lia.
Qed.

Lemma near_spec : forall s t, near s t <->
  t <> s /\ -1 <= fst t - fst s <= 1 /\ -1 <= snd t - snd s <= 1.
Proof.
  intros [x y] [u v]. unfold near, direction, next. cbn. split.
  - intros ([dx dy] & (N & Hx & Hy) & [= -> ->]). cbn in *. split; [| lia].
    intros [= E1 E2]. apply N. f_equal; lia.
  - intros (N & Hx & Hy). exists (u - x, v - y). cbn. split; [split; [| lia] | f_equal; lia].
    intros [= E1 E2]. apply N. f_equal; lia.
Qed.

Lemma index_cases : forall s t, on_board b s -> on_board b t -> forall k, -1 <= k <= 1 ->
  index b t = index b s + k * columns b -> fst t = fst s /\ snd t = snd s + k.
Proof.
  intros [x y] [u v] [Hx Hy] [Hu Hv] k Hk E. unfold index in E. cbn in *.
  assert (G : (v - y - k) * columns b = x - u) by lia.
  assert (v - y - k = 0) by (destruct (Z.lt_trichotomy (v - y - k) 0) as [| []]; nia). split; nia.
Qed.

Lemma large_bit : forall x i, bit x i = true -> to_Z i < 63.
Proof.
  intros x i H. destruct (Z.ltb_spec (to_Z i) 63) as [| L]; [assumption |].
  rewrite bit_M in H; [discriminate |]. apply leb_spec. exact L.
Qed.

Section King.
Variable x : int.
Let f := field_of b.
Let x0 := (x land whole f)%uint63.
Let side := (((x0 land not_last f) << 1) lor ((x0 land not_first f) >> 1))%uint63.
Let row := (x0 lor side)%uint63.

Lemma x0_within : within_board b x0.
Proof.
  apply (within_subset b (whole f)); [apply within_where |]. intros i H. unfold x0 in H.
  rewrite land_spec in H. apply andb_true_iff in H. tauto.
Qed.

Lemma x0_mem : forall s, on_board b s -> mem b x0 s = mem b x s.
Proof.
  intros s Hs. unfold x0. rewrite mem_land. unfold f, field_of. cbn [whole].
  rewrite mem_where, andb_true_r by exact Hs. reflexivity.
Qed.

Lemma side_spec : forall i, bit side i = true <-> exists s t, on_board b s /\ on_board b t /\
  mem b x s = true /\ (fst t = fst s + 1 \/ fst t = fst s - 1) /\ snd t = snd s /\
  to_Z i = index b t.
Proof.
  intros i. pose proof x0_within as W. split.
  - intros H. pose proof (large_bit _ _ H) as I. unfold side in H. rewrite lor_spec in H.
    apply orb_true_iff in H. destruct H as [H | H].
    + apply shift_up in H; [| apply within_land, W | cbn; lia | exact I].
      destruct H as (s & Hs & Ms & E). rewrite mem_land in Ms. apply andb_true_iff in Ms.
      destruct Ms as [Ms Ls]. rewrite x0_mem in Ms by exact Hs.
      unfold f, field_of in Ls. cbn [not_last] in Ls. rewrite mem_where in Ls by exact Hs.
      apply Z.ltb_lt in Ls. exists s, (fst s + 1, snd s).
      destruct Hs as [Hs1 Hs2]. unfold on_board, index in *. cbn [fst snd].
      change (to_Z 1) with 1 in E. repeat (split; [lia || auto |]). lia.
    + apply shift_down in H; [| apply within_land, W | cbn; lia | exact I].
      destruct H as (s & Hs & Ms & E). rewrite mem_land in Ms. apply andb_true_iff in Ms.
      destruct Ms as [Ms Ls]. rewrite x0_mem in Ms by exact Hs.
      unfold f, field_of in Ls. cbn [not_first] in Ls. rewrite mem_where in Ls by exact Hs.
      apply Z.ltb_lt in Ls. exists s, (fst s - 1, snd s).
      destruct Hs as [Hs1 Hs2]. unfold on_board, index in *. cbn [fst snd].
      change (to_Z 1) with 1 in E. repeat (split; [lia || auto |]). lia.
  - intros (s & t & Hs & Ht & Ms & D & Y & E).
    pose proof (index_bounds b t F Ht). assert (I : to_Z i < 63) by lia.
    unfold side. rewrite lor_spec. apply orb_true_iff. destruct D as [D | D]; [left | right].
    + apply shift_up; [apply within_land, W | cbn; lia | exact I |]. exists s.
      split; [exact Hs |]. split.
      * rewrite mem_land, x0_mem, Ms by exact Hs. unfold f, field_of. cbn [not_last].
        rewrite mem_where by exact Hs. apply Z.ltb_lt. destruct Ht as [Ht _]. lia.
      * change (to_Z 1) with 1. unfold index in *. rewrite E, Y, D. lia.
    + apply shift_down; [apply within_land, W | cbn; lia | exact I |]. exists s.
      split; [exact Hs |]. split.
      * rewrite mem_land, x0_mem, Ms by exact Hs. unfold f, field_of. cbn [not_first].
        rewrite mem_where by exact Hs. apply Z.ltb_lt. destruct Ht as [Ht _]. lia.
      * change (to_Z 1) with 1. unfold index in *. rewrite E, Y, D. lia.
Qed.

Lemma row_spec : forall i, bit row i = true <-> exists s t, on_board b s /\ on_board b t /\
  mem b x s = true /\ -1 <= fst t - fst s <= 1 /\ snd t = snd s /\ to_Z i = index b t.
Proof.
  intros i. unfold row. rewrite lor_spec, orb_true_iff, side_spec. split.
  - intros [H | (s & t & Hs & Ht & Ms & D & Y & E)].
    + destruct (x0_within i H) as (s & Hs & Ei). exists s, s.
      assert (Ms : mem b x s = true).
      { rewrite <- x0_mem by exact Hs. unfold mem. rewrite <- Ei. exact H. }
      split; [exact Hs |]. split; [exact Hs |]. split; [exact Ms |]. split; [lia |].
      split; [reflexivity |]. apply index_of; assumption.
    + exists s, t. repeat (split; [assumption || lia |]). exact E.
  - intros (s & t & Hs & Ht & Ms & D & Y & E).
    destruct (Z.eq_dec (fst t) (fst s)) as [X | X].
    + left. assert (t = s) by (destruct s, t; cbn in *; congruence). subst t.
      rewrite (at_index i s Hs E). change (mem b x0 s = true). rewrite x0_mem; assumption.
    + right. exists s, t. repeat (split; [assumption || lia |]). exact E.
Qed.

Lemma row_within : within_board b row.
Proof.
  intros i H. apply row_spec in H. destruct H as (s & t & Hs & Ht & _ & _ & _ & E).
  exists t. split; [exact Ht |]. apply at_index; assumption.
Qed.

Lemma king_within : within_board b (king f x).
Proof.
  apply (within_subset b (whole f)); [apply within_where |]. intros i H. unfold king in H.
  rewrite land_spec in H. apply andb_true_iff in H. tauto.
Qed.

(** The squares around a set are those that a king step leads to. *)
Lemma mem_king : forall t, on_board b t ->
  mem b (king f x) t = true <-> exists s, on_board b s /\ mem b x s = true /\ near s t.
Proof.
  intros t Ht. pose proof (index_bounds b t F Ht) as Bt. pose proof (small_index b t F Ht) as It.
  assert (Wi : to_Z (width f) = columns b /\ 1 <= columns b <= 62).
  { destruct F as (Fc & Fr & Fb). assert (columns b <= 62) by nia. split; [| lia].
    unfold f, field_of. cbn [width]. rewrite of_Z_spec. apply Z.mod_small.
    change wB with 9223372036854775808. lia. }
  destruct Wi as [Wi Wb]. pose proof row_within as W.
  unfold king. fold x0. fold side. fold row. rewrite mem_land.
  unfold f at 3, field_of. cbn [whole]. rewrite mem_where, andb_true_r by exact Ht.
  rewrite !mem_lor, !orb_true_iff. unfold mem at 1 2 3.
  rewrite side_spec, shift_up, shift_down by (rewrite ?It, ?Wi; auto; lia).
  rewrite !It, !Wi. split.
  - intros [[(s & u & Hs & Hu & Ms & D & Y & E) | (u & Hu & Mu & E)] | (u & Hu & Mu & E)].
    + destruct (index_cases u t Hu Ht 0) as [E1 E2]; [lia | lia |].
      exists s. split; [exact Hs |]. split; [exact Ms |]. apply near_spec.
      split; [intros ->; lia | lia].
    + unfold mem in Mu. apply row_spec in Mu. destruct Mu as (s & v & Hs & Hv & Ms & D & Y & E').
      rewrite small_index in E' by assumption.
      destruct (index_cases v u Hv Hu 0) as [E1 E2]; [lia | lia |].
      destruct (index_cases u t Hu Ht 1) as [E3 E4]; [lia | lia |].
      exists s. split; [exact Hs |]. split; [exact Ms |]. apply near_spec.
      split; [intros ->; lia | lia].
    + unfold mem in Mu. apply row_spec in Mu. destruct Mu as (s & v & Hs & Hv & Ms & D & Y & E').
      rewrite small_index in E' by assumption.
      destruct (index_cases v u Hv Hu 0) as [E1 E2]; [lia | lia |].
      destruct (index_cases u t Hu Ht (-1)) as [E3 E4]; [lia | lia |].
      exists s. split; [exact Hs |]. split; [exact Ms |]. apply near_spec.
      split; [intros ->; lia | lia].
  - intros (s & Hs & Ms & N). apply near_spec in N. destruct N as (N & Dx & Dy).
    assert (C : snd t = snd s \/ snd t = snd s + 1 \/ snd t = snd s - 1) by lia.
    assert (Bu : on_board b (fst t, snd s)).
    { destruct Hs, Ht. split; cbn; lia. }
    assert (Mu : mem b row (fst t, snd s) = true).
    { unfold mem. apply row_spec. exists s, (fst t, snd s). rewrite small_index by assumption.
      cbn. repeat (split; [assumption || lia |]). reflexivity. }
    destruct C as [C | [C | C]].
    + left. left. exists s, t.
      assert (fst t <> fst s).
      { intros E. apply N. destruct s, t. cbn in *. congruence. }
      repeat (split; [assumption || lia |]). reflexivity.
    + left. right. exists (fst t, snd s). split; [exact Bu |]. split; [exact Mu |].
      unfold index. cbn. lia.
    + right. exists (fst t, snd s). split; [exact Bu |]. split; [exact Mu |].
      unfold index. cbn. lia.
Qed.
End King.

Lemma king_single : forall s t, on_board b s -> on_board b t ->
  (mem b (king (field_of b) (single b s)) t = true <-> near s t).
Proof.
  intros s t Hs Ht. rewrite mem_king by exact Ht. split.
  - intros (u & Hu & Mu & N). apply mem_single_eq in Mu; [| assumption ..]. subst. exact N.
  - intros N. exists s. split; [exact Hs |]. split; [apply mem_single_eq; auto | exact N].
Qed.

(** All squares that border on the area are in it. *)
Definition closed (empty seeds area : int) : Prop := forall s t,
  on_board b s -> on_board b t -> mem b empty s = true -> near s t ->
  mem b area t = true \/ mem b seeds t = true -> mem b area s = true.

Lemma flood_closed : forall fuel empty seeds area,
  closed empty seeds (flood (field_of b) fuel empty seeds area).
Proof.
  induction fuel as [| n IH]; intros empty seeds area; cbn [flood].
  - intros s t _ _ He _ _. exact He.
  - destruct (_ =? _)%uint63 eqn:E; [| apply IH]. apply eqb_spec in E.
    intros s t Hs Ht He N Hm. rewrite <- E, mem_lor, mem_land, He, andb_true_r. apply orb_true_iff.
    right. apply mem_king; [exact Hs |]. exists t. split; [exact Ht |].
    split; [rewrite mem_lor; apply orb_true_iff; exact Hm | apply near_back, N].
Qed.

(** ** Cells *)

Lemma at_cell_spec : forall A t s (f : cell -> A) other, on_board b s ->
  t = placed (cells_of b) ->
  at_cell t (single b s) f other = f (cell_of b 2 s) \/ at_cell t (single b s) f other = other.
Proof.
  intros A t s f other Hs ->. unfold at_cell.
  set (c := (placed (cells_of b)).[_]).
  assert (C : it c = 0%uint63 \/ In c (cells_of b)).
  { unfold c, placed. generalize (place (single b s)) as i.
    assert (G : forall l t, (forall i, it t.[i] = 0%uint63 \/ In t.[i] (cells_of b)) ->
      (forall c, In c l -> In c (cells_of b)) ->
      forall i, let t' := fold_left (fun t c => t.[place (it c) <- c]) l t in
        it t'.[i] = 0%uint63 \/ In t'.[i] (cells_of b)).
    { induction l as [| d l IH]; intros t T L i; cbn [fold_left]; [apply T |].
      apply IH; [| intros; apply L; right; assumption]. clear i. intros i.
      destruct (place (it d) =? i)%uint63 eqn:Q.
      - apply eqb_spec in Q. subst i.
        destruct (place (it d) <? PArray.length t)%uint63 eqn:Ln.
        + rewrite get_set_same by exact Ln. right. apply L. left. reflexivity.
        + rewrite get_out_of_bounds by (rewrite length_set; exact Ln). rewrite default_set.
          rewrite <- (get_out_of_bounds _ t _ Ln). apply T.
      - rewrite get_set_other; [apply T |]. intros E. rewrite E, eqb_refl in Q. discriminate. }
    apply G; [| auto]. intros i. rewrite get_make. left. reflexivity. }
  clearbody c. destruct (it c =? single b s)%uint63 eqn:E; [left | auto]. apply eqb_spec in E.
  destruct C as [C | C].
  - exfalso. pose proof (proj2 (mem_single_eq s s Hs Hs) eq_refl) as M.
    rewrite <- E, C, mem_zero in M. discriminate.
  - apply in_map_iff in C. destruct C as (u & <- & Hu). apply in_squares in Hu.
    rewrite it_cell in E. apply single_injective in E; [| assumption ..]. subst. reflexivity.
Qed.
End Board.
