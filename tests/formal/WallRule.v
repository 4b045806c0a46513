(** The wall rule of docs/certificate.md as a program, and the theorem that it is right. *)

From Coq Require Import ZArith Lia List Bool Uint63 PArray.
Require Import Game Symmetry Sets Moves Images Walls Bits.
Import ListNotations.
Local Notation length := Datatypes.length.
Local Open Scope uint63_scope.

(** * Moves tried one by one *)

Fixpoint all_walk (f : cell -> bool) (taken : int) (ray : list cell) : bool :=
  match ray with
  | [] => true
  | t :: ray =>
      if disjoint taken (it t) then if f t then all_walk f taken ray else false else true
  end.

Fixpoint all_walks (f : cell -> bool) (taken : int) (rays : list (list cell)) : bool :=
  match rays with
  | [] => true
  | r :: rays => if all_walk f taken r then all_walks f taken rays else false
  end.

Definition all_shots (f : state -> bool) (st : state) (to : cell) : bool :=
  all_walks (fun arrow => f (after_shot st (it arrow))) (taken st) (rays to).

(** Whether [f] holds of all states after a move of the amazon on [from], if nothing is to be tried
    of steps of which [skip] holds. *)
Definition all_steps_but (skip : cell -> bool) (f : state -> bool) (st : state) (from : cell)
    : bool :=
  all_walks
    (fun to => if skip to then true else all_shots f (after_step st (it from) (it to)) to)
    (taken st) (rays from).

Definition all_steps (f : state -> bool) (st : state) (from : cell) : bool :=
  all_walks (fun to => all_shots f (after_step st (it from) (it to)) to) (taken st) (rays from).

(** Whether the side to move has a step to the square of a cell: what a queen meets from there is
    its amazon. *)
Fixpoint meets (theirs taken : int) (ray : list cell) : bool :=
  match ray with
  | [] => false
  | t :: ray =>
      if disjoint taken (it t) then meets theirs taken ray else negb (disjoint theirs (it t))
  end.

(** * The walk *)

(** The part of an amazon in the walk: no move, one, or more. *)
Inductive part := Idle | Single | Long.

Definition longer (x : part) : part := match x with Idle => Single | _ => Long end.

(** Squares that nobody has visited, the number of moves, and the part of the amazon that went. *)
Record gone := Gone { unvisited : int; made : int; its_part : part }.

(** What is known of a walk: squares left, its moves, its idle and single amazons, the number of the
    single ones. *)
Record tour := Tour { t_left : int; t_moves : int; t_idle : int; t_single : int; t_singles : nat }.

(** The numbers of squares in the image under a symmetry. The choice of a walk rests on them, and
    any walk is right. *)
Definition ranks_of (b : board) (f : square -> square) : array int :=
  snd (fold_left (fun (nt : int * array int) s => let (n, t) := nt in (n + 1, t.[place (single b (f s)) <- n]))
         (squares b) (0, make 64 0)).

Definition orders_of (b : board) : list (array int) :=
  map (ranks_of b) ((fun s => s) :: symmetries b).

Section Rule.
Variables (field : field) (cells : array cell) (orders : list (array int)).
(** More than a side has amazons and an amazon has moves in a walk, and the most steps that are
    looked for. *)
Variables most limit : nat.

(** The amazons of the side to move. *)
Definition own_of (st : state) : int := (lo st lxor (lo st land hi st)) land whole field.

(** An amazon on [x] goes on as long as it can, to the square with the fewest ways on. *)
Fixpoint go (fuel : nat) (ranks : array int) (x left n : int) (so_far : part) : gone :=
  match fuel with
  | O => Gone left n so_far
  | S fuel =>
      let ways := king field x land left in
      if is_zero ways then Gone left n so_far
      else
        let y :=
          if is_zero (ways land (ways - 1)) then ways
          else least_in 8
            (fun y => (size 8 (king field y land left) 0 << 8) lor ranks.[place y]) ways 0xFFFF 0 in
        if disjoint ways y then Gone left n so_far
        else go fuel ranks y (left lxor y) (n + 1) (longer so_far)
  end.

(** The amazons of a group go, in the order of the image. *)
Fixpoint march (fuel : nat) (ranks : array int) (group : int) (w : tour) : tour :=
  match fuel with
  | O => w
  | S fuel =>
      if is_zero group then w
      else
        let x := least_in most (fun y => ranks.[place y]) group 0xFFFF 0 in
        if disjoint group x then w
        else
          let g := go most ranks x (t_left w) (t_moves w) Idle in
          march fuel ranks (group lxor x)
            (match its_part g with
             | Idle => Tour (t_left w) (t_moves w) (t_idle w lor x) (t_single w) (t_singles w)
             | Single => Tour (unvisited g) (made g) (t_idle w) (t_single w lor x)
                           (S (t_singles w))
             | Long => Tour (unvisited g) (made g) (t_idle w) (t_single w) (t_singles w)
             end)
  end.

(** * Steps *)

(** The states of steps have the other side's amazons alone. Squares outside the area are burned,
    those of steppers too. *)

(** Whether a square of [x] is not taken. *)
Definition open (x : int) (st : state) : bool := negb ((x land taken st) =? x).

(** What of [x] is not taken. *)
Definition free_of (x : int) (st : state) : int := x lxor (x land taken st).

(** One step is sure with the other side to move. It fills two squares at most. An amazon that
    stands on [x], the squares around steppers, leaves one of these empty, unless it burns it. *)
Definition answering_one (steppers : int) (st : state) : bool :=
  let x := king field steppers in
  let free := free_of x st in
  if at_least 3 free then true
  else
    let own := own_of st in
    let afar := own lxor (own land x) in
    if at_least 2 free then
      all_in most
        (fun s => at_cell cells s (all_steps_but (fun to => disjoint free (it to)) (open x) st) false)
        afar
    else if is_zero free then false
    else if at_cell cells free
              (fun c => existsb (meets (lo st lxor (lo st land hi st)) (taken st)) (rays c)) true
    then false
    else
      all_in most
        (fun s => at_cell cells s
           (fun c => if disjoint x s then all_steps (open x) st c
                     else all_walks (fun to => disjoint free (it to)) (taken st) (rays c)) false)
        own.

(** Where a step leads to five squares for another one, so that three are left after a move, and one
    after the next one. *)
Definition roomy (steppers : int) (st : state) : int :=
  those_in most (fun to =>
    any_in most (fun from =>
      let x := king field ((steppers lxor from) lor to) in
      at_least 5 (x lxor (x land (taken st lor to)))) (king field to land steppers))
    (free_of (king field steppers) st) 0.

(** [k] steps are sure with the other side to move, if [f] says whether they are after its move. *)
Definition answering_by (f : int -> state -> bool) (k : nat) (steppers : int) (st : state) : bool :=
  match k with
  | O => true
  | S O => answering_one steppers st
  | S (S O) =>
      if f steppers (State (hi st) (lo st)) then
        let r := roomy steppers st in
        if at_least 3 r then true
        else
          all_in most
            (fun s => at_cell cells s
               (all_steps_but (fun to => at_least 2 (r lxor (r land it to)))
                  (fun st => if open r st then true else f steppers st) st) false)
            (own_of st)
      else false
  | _ =>
      if f steppers (State (hi st) (lo st))
      then all_in most (fun s => at_cell cells s (all_steps (f steppers) st) false) (own_of st)
      else false
  end.

Fixpoint moving (k : nat) (steppers : int) (st : state) : bool :=
  match k with
  | O => true
  | S k' =>
      match k' with
      | O => open (king field steppers) st
      | S _ =>
          any_in most (fun to =>
            any_in most (fun from =>
              answering_by (moving k') k' ((steppers lxor from) lor to) (after_shot st to))
              (king field to land steppers))
            (free_of (king field steppers) st)
      end
  end.

Definition answering (k : nat) : int -> state -> bool := answering_by (moving k) k.

(** * The rule *)

Fixpoint int_of (n : nat) : int := match n with O => 0 | S n => int_of n + 1 end.

(** The fewest steps that make up for what is missing. *)
Fixpoint fewest (ks : list (nat * int)) (singles : nat) (needed moves : int) : option nat :=
  match ks with
  | [] => None
  | (k, gain) :: ks =>
      if needed + int_of (Nat.min k singles) <=? moves + gain then Some k
      else fewest ks singles needed moves
  end.

(** Whether a walk decides. *)
Definition settles (begins : bool) (needed lo hi : int) (w : tour) : bool :=
  let ks := firstn limit
    (if begins then [(1%nat, 2); (2%nat, 4); (3%nat, 6)] else [(1%nat, 2); (2%nat, 4)]) in
  let sure k steppers :=
    if begins then moving k steppers (State hi lo) else answering k steppers (State lo hi) in
  if needed <=? t_moves w then true
  else if match fewest ks O needed (t_moves w) with
          | Some k => sure k (t_idle w)
          | None => false
          end then true
  else match t_singles w with
       | O => false
       | _ => match fewest ks (t_singles w) needed (t_moves w) with
              | Some k => sure k (t_idle w lor t_single w)
              | None => false
              end
       end.

(** The walk in an order: amazons of [first] go first. *)
Definition tour_of (kept first then_ : int) (ranks : array int) : tour :=
  march most ranks then_ (march most ranks first (Tour kept 0 0 0 O)).

Definition alike (w w' : tour) : bool :=
  (t_moves w =? t_moves w') && (t_idle w =? t_idle w') && (t_single w =? t_single w').

(** Whether [f] holds of a walk in some order. Those that are like one that was tried are not tried
    again. *)
Fixpoint some_tour (f : tour -> bool) (g : array int -> tour) (orders : list (array int))
    (tried : list tour) : bool :=
  match orders with
  | [] => false
  | l :: orders =>
      let w := g l in
      if existsb (alike w) tried then some_tour f g orders tried
      else if f w then true else some_tour f g orders (w :: tried)
  end.

(** Whether the rule decides for the holder, whose amazons are [mine]. It does not where all squares
    that are kept, or all that the holder reaches, are too few. *)
Definition decides (begins : bool) (mine theirs empty : int) : bool :=
  let area := flood field most empty theirs 0 land empty in
  let kept := empty lxor (empty land area) in
  let needed := size most area (if begins then 1 else 0) in
  let gain := if begins then 6 else 4 in
  if size most kept gain <? needed then false
  else
    let beside := king field area land mine in
    if size most (flood field most kept mine 0 land kept) (if is_zero beside then 0 else gain) <? needed
    then false
    else
      some_tour (settles begins needed (whole field lxor area) (whole field lxor (area lor theirs)))
        (tour_of kept (mine lxor (mine land beside)) beside) orders [].

(** The empty squares of a state. *)
Definition empty_of (st : state) : int := whole field lxor (whole field land taken st).

(** The side to move wins by the wall rule. *)
Definition wall_win (st : state) : bool :=
  let burned := lo st land hi st in
  decides true ((lo st lxor burned) land whole field) (hi st lxor burned) (empty_of st).

(** The side to move loses by the wall rule. *)
Definition wall_lose (st : state) : bool :=
  let burned := lo st land hi st in
  decides false ((hi st lxor burned) land whole field) (lo st lxor burned) (empty_of st).

(** The side to move has a move after which the other one loses by the wall rule. *)
Definition wall_win_by_move (st : state) : bool :=
  any_in most
    (fun s => at_cell cells s (fun c => negb (all_steps (fun st => negb (wall_lose st)) st c)) false)
    (own_of st).
End Rule.

(** What a checker may ask of a state: whether its side to move wins, loses, has a winning move. *)
Record rule := Rule {
  says_win : state -> bool;
  says_loss : state -> bool;
  says_move : state -> bool
}.

Definition no_rule : rule := Rule (fun _ => false) (fun _ => false) (fun _ => false).

Definition wall_rule_by (orders : list (array int)) (limit : nat) (b : board) : rule :=
  let field := field_of b in
  let cells := placed (cells_of b) in
  Rule (wall_win field cells orders 63 limit) (wall_lose field cells orders 63 limit)
    (wall_win_by_move field cells orders 63 limit).

Definition wall_rule (b : board) : rule := wall_rule_by (orders_of b) 3 b.

(** The rule with one walk for a position, and two steps at the most: it decides less, and sooner. *)
Definition quick_rule (b : board) : rule := wall_rule_by (firstn 1 (orders_of b)) 2 b.

Definition right_rule (b : board) (r : rule) : Prop := forall st,
  (says_win r st = true -> won b st) /\
  (says_loss r st = true -> lost b st) /\
  (says_move r st = true -> won b st).

(** * Proofs: moves *)

Local Open Scope Z_scope.

Lemma walk_adds : forall taken r found t,
  In t (walk taken r found) <-> In t found \/ In t (walk taken r []).
Proof.
  induction r as [| u r IH]; cbn; intros found t; [tauto |].
  destruct (disjoint taken (it u)); cbn; [| tauto].
  rewrite (IH (u :: found)), (IH [u]). cbn. tauto.
Qed.

Lemma walks_adds : forall taken rs found t,
  In t (Moves.walks taken rs found) <-> In t found \/ In t (Moves.walks taken rs []).
Proof.
  intros taken. pose proof (walk_adds taken) as W. induction rs as [| r rs IH]; cbn; intros found t;
    [tauto |].
  rewrite IH, W, (IH (walk taken r [])). tauto.
Qed.

Lemma all_walk_spec : forall f taken r,
  all_walk f taken r = true <-> forall t, In t (walk taken r []) -> f t = true.
Proof.
  intros f taken. pose proof (walk_adds taken) as W.
  induction r as [| u r IH]; cbn; [tauto |].
  destruct (disjoint taken (it u)); [| cbn; tauto].
  destruct (f u) eqn:E.
  - rewrite IH. split; intros H t Ht; [| apply H, W; auto].
    apply W in Ht. destruct Ht as [[<- | []] | Ht]; auto.
  - split; [discriminate |]. intros H. rewrite <- E. apply H, W. cbn. auto.
Qed.

Lemma all_walks_spec : forall f taken rs,
  all_walks f taken rs = true <-> forall t, In t (Moves.walks taken rs []) -> f t = true.
Proof.
  intros f taken. pose proof (walks_adds taken) as W'.
  induction rs as [| r rs IH]; cbn; [tauto |].
  destruct (all_walk f taken r) eqn:E.
  - rewrite IH. pose proof (proj1 (all_walk_spec f taken r) E) as R.
    split; intros H t Ht; [| apply H, W'; auto].
    apply W' in Ht. destruct Ht as [Ht | Ht]; auto.
  - split; [discriminate |]. intros H. rewrite <- E. apply all_walk_spec. intros t Ht.
    apply H, W'. auto.
Qed.

Lemma all_steps_spec : forall f st from, all_steps f st from = true <->
  forall st', In st' (steps (fun l => l) st from) -> f st' = true.
Proof.
  intros f st from. assert (T : forall to st, all_shots f st to = true <->
    forall st', In st' (shots (fun l => l) st to) -> f st' = true).
  { intros to st0. unfold all_shots, shots, reached. rewrite all_walks_spec. split.
    - intros H st' Hs. apply in_map_iff in Hs. destruct Hs as (a & <- & Ha). auto.
    - intros H t Ht. apply H. apply in_map_iff. eauto. }
  unfold all_steps, steps, reached. rewrite all_walks_spec. split.
  - intros H st' Hs. apply in_flat_map in Hs. destruct Hs as (to & Ht & Hs).
    apply (proj1 (T to _) (H to Ht)). exact Hs.
  - intros H t Ht. apply T. intros st' Hs. apply H. apply in_flat_map. eauto.
Qed.

Section Board.
Variable b : board.
Hypothesis F : fits b.
Let field := field_of b.
Let cells := placed (cells_of b).
Variable most : nat.
Hypothesis Most : (62 <= most)%nat.

Lemma missing : forall x y, within_board b x -> ((x land y) =? x)%uint63 = false ->
  exists s, on_board b s /\ mem b x s = true /\ mem b y s = false.
Proof.
  intros x y X N. destruct (existsb (fun s => mem b x s && negb (mem b y s)) (squares b)) eqn:E.
  - apply existsb_exists in E. destruct E as (s & Hs & E). apply andb_true_iff in E.
    destruct E as [E1 E2]. apply negb_true_iff in E2. apply in_squares in Hs. eauto.
  - exfalso. apply eqb_false_spec in N. apply N. apply bit_ext. intros i. rewrite land_spec.
    destruct (bit x i) eqn:B; [| reflexivity]. destruct (X i B) as (s & Hs & ->).
    destruct (mem b y s) eqn:M; [unfold mem in M; rewrite M; reflexivity |].
    assert (C : existsb (fun s => mem b x s && negb (mem b y s)) (squares b) = true);
      [| congruence].
    apply existsb_exists. exists s. split; [apply in_squares, Hs |].
    unfold mem in *. rewrite B, M. reflexivity.
Qed.

(** Whether a square is in a set. *)
Lemma spot_out : forall x s, on_board b s -> disjoint x (single b s) = true <-> mem b x s = false.
Proof. intros. rewrite disjoint_single by assumption. apply negb_true_iff. Qed.

Lemma spot_in : forall x s, on_board b s -> disjoint x (single b s) = false <-> mem b x s = true.
Proof. intros. rewrite disjoint_single by assumption. apply negb_false_iff. Qed.

Lemma mem_whole : forall s, on_board b s -> mem b (whole field) s = true.
Proof. intros s Hs. unfold field, field_of. cbn [whole]. rewrite mem_where; auto. Qed.

Lemma within_whole : within_board b (whole field).
Proof. apply within_where. exact F. Qed.

(** ** The moves of a state *)

Lemma within_own : forall st, within_board b (own_of field st).
Proof.
  intros st. apply (within_subset b (whole field)); [apply within_whole |]. intros i H.
  unfold own_of in H. rewrite land_spec in H. apply andb_true_iff in H. tauto.
Qed.

Lemma mem_own : forall st s, on_board b s ->
  mem b (own_of field st) s = true <-> mem b (lo st) s = true /\ mem b (hi st) s = false.
Proof.
  intros st s Hs. unfold own_of. rewrite mem_land, mem_whole, mem_less, andb_true_r by exact Hs.
  rewrite andb_true_iff, negb_true_iff. tauto.
Qed.

Lemma in_moves : forall st st', In st' (moves (fun l => l) (cells_of b) st) <->
  exists s, on_board b s /\ mem b (own_of field st) s = true /\
    In st' (steps (fun l => l) st (cell_of b 2 s)).
Proof.
  intros st st'. unfold moves. rewrite in_flat_map. split.
  - intros (c & Hc & H). apply in_map_iff in Hc. destruct Hc as (s & <- & Hs).
    apply in_squares in Hs. rewrite it_cell in H. exists s. split; [exact Hs |].
    destruct (negb _ && _) eqn:O; [| destruct H]. split; [| exact H].
    apply andb_true_iff in O. rewrite negb_true_iff, spot_in, spot_out in O by exact Hs.
    apply mem_own; assumption.
  - intros (s & Hs & O & H). exists (cell_of b 2 s). split; [unfold cells_of; apply (in_map (cell_of b 2)), in_squares, Hs |].
    apply mem_own in O; [| exact Hs]. destruct O as [O1 O2]. rewrite it_cell.
    rewrite (proj2 (spot_in _ s Hs) O1), (proj2 (spot_out _ s Hs) O2). exact H.
Qed.

(** A property of all states after a move, if [g] shows it of those of one amazon. *)
Lemma all_cells_spec : forall (g : int -> cell -> bool) (P : state -> Prop) x st,
  within_board b x ->
  (forall s, on_board b s -> mem b x s = true -> g (single b s) (cell_of b 2 s) = true ->
    forall st', In st' (steps (fun l => l) st (cell_of b 2 s)) -> P st') ->
  all_in most (fun s => at_cell cells s (g s) false) x = true ->
  forall s, on_board b s -> mem b x s = true ->
    forall st', In st' (steps (fun l => l) st (cell_of b 2 s)) -> P st'.
Proof.
  intros g P x st W G H s Hs Ms. apply (G s Hs Ms).
  pose proof (all_in_spec b F _ most x W H s Hs Ms) as E. cbv beta in E.
  destruct (at_cell_spec b F _ cells s (g (single b s)) false Hs eq_refl) as [Q | Q];
    rewrite Q in E; [exact E | discriminate].
Qed.

(** A move of the amazon on [s]: it goes to [to] and burns [arrow]. *)
Definition after_move (st : state) (s to arrow : square) : state :=
  after_shot (after_step st (single b s) (single b to)) (single b arrow).

Lemma in_steps : forall st s st', on_board b s ->
  In st' (steps (fun l => l) st (cell_of b 2 s)) ->
  exists to arrow, on_board b to /\ on_board b arrow /\ mem b (taken st) to = false /\
    In (cell_of b 1 to) (reached (taken st) (cell_of b 2 s)) /\
    In st' (shots (fun l => l) (after_step st (single b s) (single b to)) (cell_of b 1 to)) /\
    st' = after_move st s to arrow.
Proof.
  intros st s st' Hs H. unfold steps in H. apply in_flat_map in H. destruct H as (c & Hc & H).
  pose proof Hc as Hc'. apply (reached_spec b White st 1 F s c Hs) in Hc'.
  destruct Hc' as (to & -> & Q). pose proof (queen_step_free _ _ _ _ Q) as [Ht Et].
  apply (taken_spec b White) in Et. rewrite !it_cell in H.
  pose proof H as H'. unfold shots in H'. apply in_map_iff in H'. destruct H' as (a & <- & Ha).
  apply (reached_spec b White _ 0 F to a Ht) in Ha. destruct Ha as (arrow & -> & Ha).
  pose proof (queen_step_on_board _ _ _ _ Ha) as Hr. rewrite it_cell in *.
  exists to, arrow. repeat (split; [assumption |]). reflexivity.
Qed.

(** What is taken after a move. *)
Lemma mem_after : forall st s to arrow t, on_board b s -> on_board b to -> on_board b arrow ->
  on_board b t -> mem b (own_of field st) s = true -> t <> to -> t <> arrow ->
  (t = s \/ mem b (taken st) t = false) -> mem b (taken (after_move st s to arrow)) t = false.
Proof.
  intros st s to arrow t Hs Hto Ha Ht O N1 N2 C. apply mem_own in O; [| exact Hs].
  destruct O as [O1 O2]. unfold taken, after_move, after_shot, after_step. cbn [lo hi].
  rewrite !mem_lor, mem_lxor, (mem_single_neq b F to t), (mem_single_neq b F arrow t) by assumption.
  destruct C as [-> | C].
  - rewrite O1, O2, (proj2 (mem_single_eq b F s s Hs Hs) eq_refl). reflexivity.
  - unfold taken in C. rewrite mem_lor in C. apply orb_false_iff in C. destruct C as [C1 C2].
    rewrite C1, C2. destruct (square_dec t s) as [-> | N]; [congruence |].
    rewrite (mem_single_neq b F s t) by assumption. reflexivity.
Qed.

Lemma open_by : forall x st t, on_board b t -> mem b x t = true -> mem b (taken st) t = false ->
  open x st = true.
Proof.
  intros x st t Ht Mx Mt. unfold open. apply negb_true_iff. apply eqb_false_complete. intros E.
  pose proof (mem_land b x (taken st) t) as H. rewrite E, Mx, Mt in H. discriminate.
Qed.

(** Steps of which nothing is tried, and the others. *)
Lemma all_steps_but_spec : forall skip f st s st', on_board b s ->
  all_steps_but skip f st (cell_of b 2 s) = true ->
  In st' (steps (fun l => l) st (cell_of b 2 s)) ->
  f st' = true \/ exists to arrow, on_board b to /\ on_board b arrow /\
    mem b (taken st) to = false /\ skip (cell_of b 1 to) = true /\ st' = after_move st s to arrow.
Proof.
  intros skip f st s st' Hs H Hin. destruct (in_steps st s st' Hs Hin) as
    (to & arrow & Hto & Ha & Mt & R & Sh & E).
  unfold all_steps_but in H. pose proof (proj1 (all_walks_spec _ _ _) H _ R) as Q.
  cbv beta in Q. destruct (skip (cell_of b 1 to)) eqn:Sk.
  - right. exists to, arrow. auto 10.
  - left. rewrite !it_cell in Q. unfold all_shots in Q. unfold shots in Sh.
    apply in_map_iff in Sh. destruct Sh as (a & <- & Hr).
    exact (proj1 (all_walks_spec _ _ _) Q a Hr).
Qed.

(** ** Walks *)

(** What a part is after [n] moves more. *)
Fixpoint grown (n : nat) (x : part) : part :=
  match n with O => x | S n => grown n (longer x) end.

Lemma grown_long : forall n, grown n Long = Long.
Proof. induction n; auto. Qed.

Lemma grown_idle : forall n, grown n Idle = Idle -> n = O.
Proof. intros [| [| n]]; cbn; [auto | discriminate | rewrite grown_long; discriminate]. Qed.

Lemma grown_single : forall n, grown n Idle = Single -> n = 1%nat.
Proof. intros [| [| n]]; cbn; [discriminate | auto | rewrite grown_long; discriminate]. Qed.

Lemma add_1_le : forall n, to_Z (n + 1)%uint63 <= to_Z n + 1.
Proof.
  intros n. rewrite add_spec. apply Z.mod_le; [| reflexivity].
  pose proof (to_Z_bounded n). change (to_Z 1) with 1. lia.
Qed.

Section Holder.
Variables (h : colour) (A : square -> bool).

Lemma go_spec : forall ranks fuel s left n so_far p, within_board b left ->
  on_board b s -> p s = Amazon h -> A s = false ->
  (forall t, on_board b t -> mem b left t = true -> p t = Empty /\ A t = false) ->
  let g := go field fuel ranks (single b s) left n so_far in
  exists m, Walls.walks b h A p m /\ to_Z (made g) <= to_Z n + Z.of_nat (length m) /\
    within_board b (unvisited g) /\
    (forall t, on_board b t -> mem b (unvisited g) t = true ->
      mem b left t = true /\ ~ In t (ends m)) /\
    (forall t, In t (ends m) -> mem b left t = true) /\
    (forall t, In t (starts m) -> t = s \/ In t (ends m)) /\
    its_part g = grown (length m) so_far /\
    match m with [] => True | (u, _) :: _ => u = s end.
Proof.
  intros ranks. induction fuel as [| k IH]; intros s left n so_far p L Hs Ps As H; cbv zeta;
    cbn [go].
  1: exists []; cbn; intuition lia.
  set (ways := (king field (single b s) land left)%uint63).
  assert (Ww : within_board b ways) by (apply within_land, king_within, F).
  destruct (is_zero ways) eqn:Z0; [exists []; cbn; intuition lia |].
  match goal with |- context [disjoint ways ?z] => set (y := z) end.
  destruct (disjoint ways y) eqn:D; [exists []; cbn; intuition lia |].
  assert (Y : exists t, on_board b t /\ y = single b t).
  { unfold y in *. destruct (is_zero (ways land (ways - 1))%uint63) eqn:Z1.
    - destruct (lowest b F ways Ww Z0) as (t & Ht & _ & E & _). exists t. split; [exact Ht |].
      apply is_zero_spec in Z1. rewrite Z1 in E. rewrite <- E.
      apply bit_ext. intros i. rewrite lxor_spec, bit_0, xorb_false_r. reflexivity.
    - destruct (least_in_spec b F
        (fun y => (size 8 (king field y land left) 0 << 8) lor ranks.[place y])%uint63 8 ways
        0xFFFF%uint63 0%uint63 Ww) as [E | (t & Ht & _ & E)]; [| eauto].
      exfalso. rewrite E in D. unfold disjoint in D. apply not_true_iff_false in D. apply D.
      apply is_zero_spec. apply bit_ext. intros i. rewrite land_spec, bit_0. apply andb_false_r. }
  clearbody y. destruct Y as (t & Ht & ->).
  apply spot_in in D; [| exact Ht]. unfold ways in D.
  rewrite mem_land, andb_true_iff in D. destruct D as [N Lt].
  apply king_single in N; [| exact F | exact Hs | exact Ht]. destruct (H t Ht Lt) as [Pt At].
  assert (St : can_step b h p s t) by (unfold can_step; auto).
  assert (Lw : within_board b (left lxor single b t)%uint63).
  { apply (within_subset b left); [exact L |]. intros i Hi. rewrite lxor_spec in Hi.
    rewrite bit_single_eq in Hi by (exact F || exact Ht).
    destruct (i =? of_Z (index b t))%uint63 eqn:Q; [| rewrite xorb_false_r in Hi; exact Hi].
    apply eqb_spec in Q. subst i. exact Lt. }
  assert (X : forall u, on_board b u -> mem b (left lxor single b t)%uint63 u = true ->
    mem b left u = true /\ u <> t).
  { intros u Hu. rewrite mem_lxor. destruct (square_dec u t) as [-> | Nu].
    - rewrite Lt, (proj2 (mem_single_eq b F t t Ht Ht) eq_refl). discriminate.
    - rewrite (mem_single_neq b F t u Ht Hu Nu), xorb_false_r. auto. }
  destruct (IH t (left lxor single b t)%uint63 (n + 1)%uint63 (longer so_far) (stepped h p s t))
    as (m & W & M & Wu & U & E & St' & G & _); auto.
  { rewrite stepped_spec. destruct (square_dec t s); [congruence |].
    destruct (square_dec t t); congruence. }
  { intros u Hu Mu. destruct (X u Hu Mu) as [Mu' Nu]. destruct (H u Hu Mu') as [Pu Au].
    split; [| exact Au]. rewrite stepped_spec.
    destruct (square_dec u s); [congruence |]. destruct (square_dec u t); congruence. }
  exists ((s, t) :: m). cbn [Walls.walks starts ends map fst snd length].
  split; [auto |]. split; [pose proof (add_1_le n); lia |]. split; [exact Wu |].
  split; [| split; [| split; [| split]]].
  - intros u Hu Mu. destruct (U u Hu Mu) as [Mu' Nu]. destruct (X u Hu Mu') as [Mu'' Nt].
    split; [exact Mu'' |]. intros [-> | F']; auto.
  - intros u [<- | Hu]; [exact Lt |]. pose proof (E u Hu) as Mu.
    destruct (walks_used b h A m _ u W (or_intror Hu)) as [Bu _]. apply (X u Bu Mu).
  - intros u [<- | Hu]; [auto |]. destruct (St' u Hu) as [-> | Hu']; cbn; auto.
  - exact G.
  - reflexivity.
Qed.

(** A tour tells of a walk: of amazons without a part in it, and of those with one step, [ones]. *)
Definition told (p : position) (w : tour) (l : list (square * square)) (ones : list square)
    : Prop :=
  Walls.walks b h A p l /\ to_Z (t_moves w) <= Z.of_nat (length l) /\
  (forall t, on_board b t -> mem b (t_left w) t = true ->
    p t = Empty /\ A t = false /\ ~ In t (starts l) /\ ~ In t (ends l)) /\
  (forall s, on_board b s -> mem b (t_idle w) s = true -> p s = Amazon h /\ ~ In s (starts l)) /\
  (forall s, on_board b s -> mem b (t_single w) s = true ->
    p s = Amazon h /\ In s ones /\ lone s l) /\
  length ones = t_singles w.

Lemma lone_right : forall s l l', lone s l' -> lone s (l ++ l').
Proof. induction l as [| [u v] l IH]; intros l' H; cbn; auto. Qed.

Lemma in_starts_app : forall x l l',
  In x (starts (l ++ l')) <-> In x (starts l) \/ In x (starts l').
Proof. intros. unfold starts. rewrite map_app. apply in_app_iff. Qed.

Lemma in_ends_app : forall x l l',
  In x (ends (l ++ l')) <-> In x (ends l) \/ In x (ends l').
Proof. intros. unfold ends. rewrite map_app. apply in_app_iff. Qed.

Lemma march_spec : forall ranks fuel group w p l ones, within_board b group ->
  within_board b (t_left w) -> told p w l ones ->
  (forall s, on_board b s -> mem b group s = true ->
    p s = Amazon h /\ A s = false /\ ~ In s (starts l) /\ mem b (t_idle w) s = false) ->
  let w' := march field most fuel ranks group w in
  exists l' ones', told p w' l' ones' /\ within_board b (t_left w') /\
    (forall x, on_board b x -> mem b (t_idle w') x = true ->
      mem b (t_idle w) x = true \/ mem b group x = true) /\
    (forall x, In x (starts l') ->
      In x (starts l) \/ mem b group x = true \/ p x = Empty).
Proof.
  intros ranks. induction fuel as [| fuel IH]; intros group w p l ones Wg Wl T G;
    cbv zeta; cbn [march].
  { exists l, ones. auto. }
  destruct (is_zero group) eqn:Z0; [exists l, ones; auto |].
  set (x := least_in most _ group _ _).
  destruct (disjoint group x) eqn:D; [exists l, ones; auto |].
  assert (Y : exists s, on_board b s /\ x = single b s).
  { unfold x in *. destruct (least_in_spec b F (fun y => ranks.[place y])%uint63 most group
      0xFFFF%uint63 0%uint63 Wg) as [E | (s & Hs & _ & E)]; [| eauto].
    exfalso. rewrite E in D. unfold disjoint in D. apply not_true_iff_false in D. apply D.
    apply is_zero_spec. apply bit_ext. intros i. rewrite land_spec, bit_0. apply andb_false_r. }
  clearbody x. destruct Y as (s & Hs & ->).
  apply spot_in in D; [| exact Hs]. destruct (G s Hs D) as (Ps & As & Ns & Is).
  destruct T as (W & M & L & I & Si & C).
  assert (Es : ~ In s (ends l)) by (apply (walks_taken b h A l p s W); congruence).
  destruct (go_spec ranks most s (t_left w) (t_moves w) Idle (walked h p l)) as
    (m & Wm & Mm & Wu & Um & Em & Sm & Gm & Fm); auto.
  { rewrite walked_other; assumption. }
  { intros t Ht Mt. destruct (L t Ht Mt) as (Pt & At & N1 & N2). rewrite walked_other; auto. }
  set (g := go field most ranks (single b s) (t_left w) (t_moves w) Idle) in *. clearbody g.
  assert (Wg' : within_board b (group lxor single b s)%uint63).
  { apply (within_subset b group); [exact Wg |]. intros i Hi. rewrite lxor_spec in Hi.
    rewrite bit_single_eq in Hi by (exact F || exact Hs).
    destruct (i =? of_Z (index b s))%uint63 eqn:Q; [| rewrite xorb_false_r in Hi; exact Hi].
    apply eqb_spec in Q. subst i. exact D. }
  assert (X : forall u, on_board b u -> mem b (group lxor single b s)%uint63 u = true ->
    mem b group u = true /\ u <> s).
  { intros u Hu. rewrite mem_lxor. destruct (square_dec u s) as [-> | Nu].
    - rewrite D, (proj2 (mem_single_eq b F s s Hs Hs) eq_refl). discriminate.
    - rewrite (mem_single_neq b F s u Hs Hu Nu), xorb_false_r. auto. }
  assert (Y : forall y u, on_board b u -> mem b (y lor single b s)%uint63 u = true ->
    mem b y u = true \/ u = s).
  { intros y u Hu. rewrite mem_lor, orb_true_iff. rewrite mem_single_eq by assumption. auto. }
  assert (Z : forall u, In u (ends m) -> on_board b u /\ p u = Empty /\ ~ In u (ends l)).
  { intros u Hu. destruct (walks_used b h A m _ u Wm (or_intror Hu)) as [Bu _].
    destruct (L u Bu (Em u Hu)) as (Pu & _ & _ & Nu). auto. }
  assert (V : forall u, on_board b u -> p u = Amazon h -> u <> s -> ~ In u (starts m)).
  { intros u Hu Pu Nu F'. destruct (Sm u F') as [E | E]; [contradiction |].
    destruct (Z u E) as (_ & E' & _). congruence. }
  (* The walk with what the amazon adds. *)
  assert (T1 : told p (Tour (unvisited g) (made g) (t_idle w) (t_single w) (t_singles w))
    (l ++ m) ones).
  { unfold told. cbn [t_left t_moves t_idle t_single t_singles].
    split; [apply walks_app; assumption |].
    split; [rewrite app_length; lia |]. split; [| split; [| split; [| exact C]]].
    - intros t Ht Mt. destruct (Um t Ht Mt) as [Mt' Nt].
      destruct (L t Ht Mt') as (a1 & a2 & a3 & a4).
      rewrite in_starts_app, in_ends_app. split; [exact a1 |]. split; [exact a2 |].
      split; [| tauto]. intros [E | E]; [auto |].
      destruct (Sm t E) as [-> | E']; [congruence | auto].
    - intros t Ht Mt. destruct (I t Ht Mt) as [Pt Nt]. split; [exact Pt |].
      rewrite in_starts_app. intros [E | E]; [auto |]. revert E. apply V; auto.
      intros ->. congruence.
    - intros t Ht Mt. destruct (Si t Ht Mt) as (a1 & a2 & a3). split; [exact a1 |].
      split; [exact a2 |]. apply lone_app; [exact a3 |]. intros u Hu F'.
      destruct (Sm u F') as [-> | E']; [auto |]. destruct (Z u E') as (_ & _ & N). auto. }
  assert (G1 : forall u, on_board b u -> mem b (group lxor single b s)%uint63 u = true ->
    p u = Amazon h /\ A u = false /\ ~ In u (starts (l ++ m)) /\ mem b (t_idle w) u = false).
  { intros u Hu Mu. destruct (X u Hu Mu) as [Mu' Nu].
    destruct (G u Hu Mu') as (a1 & a2 & a3 & a4).
    split; [exact a1 |]. split; [exact a2 |]. split; [| exact a4].
    rewrite in_starts_app. intros [E | E]; [auto |]. revert E. apply V; auto. }
  assert (S1 : forall u, In u (starts (l ++ m)) ->
    In u (starts l) \/ mem b group u = true \/ p u = Empty).
  { intros u E. apply in_starts_app in E. destruct E as [E | E]; [auto |].
    destruct (Sm u E) as [-> | E']; [auto |]. destruct (Z u E') as (_ & E'' & _). auto. }
  assert (B1 : forall l' u, Walls.walks b h A p l' -> In u (starts l') -> on_board b u).
  { intros l' u W' Hu. apply (walks_used b h A l' p u W' (or_introl Hu)). }
  destruct (its_part g) eqn:P.
  - (* No move. *)
    destruct (IH (group lxor single b s)%uint63
      (Tour (t_left w) (t_moves w) (t_idle w lor single b s) (t_single w) (t_singles w)) p l ones)
      as (l' & ones' & T' & Wn & I' & S'); auto.
    { unfold told. cbn [t_left t_moves t_idle t_single t_singles].
      split; [exact W |]. split; [exact M |]. split; [exact L |]. split; [| auto].
      intros t Ht Mt. destruct (Y _ t Ht Mt) as [E | ->]; auto. }
    { intros u Hu Mu. destruct (X u Hu Mu) as [Mu' Nu].
      destruct (G u Hu Mu') as (a1 & a2 & a3 & a4).
      split; [exact a1 |]. split; [exact a2 |]. split; [exact a3 |]. cbn [t_idle].
      rewrite mem_lor, a4, (mem_single_neq b F s u Hs Hu Nu). reflexivity. }
    exists l', ones'. split; [exact T' |]. split; [exact Wn |]. split.
    + intros u Hu Mu. destruct (I' u Hu Mu) as [E | E].
      * destruct (Y _ u Hu E) as [E' | ->]; auto.
      * right. apply (X u Hu E).
    + intros u Hu. destruct (S' u Hu) as [E | [E | E]]; auto.
      right. left. apply (X u (B1 l' u (proj1 T') Hu) E).
  - (* One move. *)
    symmetry in Gm. apply grown_single in Gm.
    destruct (IH (group lxor single b s)%uint63
      (Tour (unvisited g) (made g) (t_idle w) (t_single w lor single b s) (S (t_singles w)))
      p (l ++ m) (s :: ones)) as (l' & ones' & T' & Wn & I' & S'); auto.
    { destruct T1 as (b1 & b2 & b3 & b4 & b5 & b6). unfold told.
      cbn [t_left t_moves t_idle t_single t_singles length] in *.
      split; [exact b1 |]. split; [exact b2 |]. split; [exact b3 |]. split; [exact b4 |].
      split; [| congruence]. intros t Ht Mt. destruct (Y _ t Ht Mt) as [E | ->].
      - destruct (b5 t Ht E) as (a1 & a2 & a3). split; [exact a1 |].
        split; [right; exact a2 | exact a3].
      - split; [exact Ps |]. split; [left; reflexivity |]. apply lone_right.
        destruct m as [| [u v] [| ? ?]]; try discriminate. subst u. left.
        split; [reflexivity | intros []]. }
    exists l', ones'. split; [exact T' |]. split; [exact Wn |]. split.
    + intros u Hu Mu. destruct (I' u Hu Mu) as [E | E]; auto. right. apply (X u Hu E).
    + intros u Hu. destruct (S' u Hu) as [E | [E | E]]; auto.
      right. left. apply (X u (B1 l' u (proj1 T') Hu) E).
  - (* More. *)
    destruct (IH (group lxor single b s)%uint63
      (Tour (unvisited g) (made g) (t_idle w) (t_single w) (t_singles w))
      p (l ++ m) ones) as (l' & ones' & T' & Wn & I' & S'); auto.
    exists l', ones'. split; [exact T' |]. split; [exact Wn |]. split.
    + intros u Hu Mu. destruct (I' u Hu Mu) as [E | E]; auto. right. apply (X u Hu E).
    + intros u Hu. destruct (S' u Hu) as [E | [E | E]]; auto.
      right. left. apply (X u (B1 l' u (proj1 T') Hu) E).
Qed.

(** ** Steps *)

Lemma two_squares : forall x, within_board b x -> at_least 2 x = true ->
  exists u v, on_board b u /\ on_board b v /\ u <> v /\ mem b x u = true /\ mem b x v = true.
Proof.
  intros x W H. apply (at_least_spec b F 2 x W) in H. unfold members in H.
  pose proof (NoDup_filter (mem b x) (squares_once b)) as N.
  assert (G : forall s, In s (filter (mem b x) (squares b)) -> on_board b s /\ mem b x s = true).
  { intros s Hs. apply filter_In in Hs. rewrite in_squares in Hs. exact Hs. }
  destruct (filter (mem b x) (squares b)) as [| u [| v l]]; cbn in H; try lia.
  exists u, v. destruct (G u) as [Bu Mu]; [left; reflexivity |].
  destruct (G v) as [Bv Mv]; [right; left; reflexivity |]. inversion N as [| ? ? Nu]; subst.
  repeat (split; [assumption |]). split; [| auto]. intros ->. apply Nu. left. reflexivity.
Qed.

Lemma within_free : forall x st, within_board b x -> within_board b (free_of x st).
Proof. intros x st W. apply within_less, W. Qed.

Lemma mem_free : forall x st s, mem b (free_of x st) s = true <->
  mem b x s = true /\ mem b (taken st) s = false.
Proof.
  intros x st s. unfold free_of. rewrite mem_less, andb_true_iff, negb_true_iff. tauto.
Qed.

(** Of two squares a move that goes to neither leaves one. *)
Lemma two_open : forall x st s to arrow u v, on_board b s -> on_board b to -> on_board b arrow ->
  mem b (own_of field st) s = true -> on_board b u -> on_board b v -> u <> v ->
  mem b x u = true -> mem b x v = true -> mem b (taken st) u = false ->
  mem b (taken st) v = false -> u <> to -> v <> to -> open x (after_move st s to arrow) = true.
Proof.
  intros x st s to arrow u v Hs Ht Ha O Hu Hv N Xu Xv Tu Tv Nu Nv.
  destruct (square_dec u arrow) as [-> | Na].
  - apply (open_by x _ v Hv Xv). apply mem_after; auto.
  - apply (open_by x _ u Hu Xu). apply mem_after; auto.
Qed.

(** The position as a state of steps sees it: all but the other side and the empty squares of the
    area is burned. *)
Definition mask (p : position) : position := fun s =>
  match p s with
  | Empty => if A s then Empty else Burned
  | Amazon c => match c, h with White, White | Black, Black => Burned | _, _ => Amazon c end
  | Burned => Burned
  end.

Lemma mask_holder : forall p s, p s = Amazon h -> mask p s = Burned.
Proof. intros p s E. unfold mask. rewrite E. destruct h; reflexivity. Qed.

Lemma mask_other : forall p s, p s = Amazon (other h) -> mask p s = Amazon (other h).
Proof. intros p s E. unfold mask. rewrite E. destruct h; reflexivity. Qed.

Lemma mask_empty : forall p s, mask p s = Empty <-> p s = Empty /\ A s = true.
Proof.
  intros p s. unfold mask. destruct (p s) as [| c |]; [destruct (A s) | destruct c, h |];
    split; try discriminate; try (intros [? ?]; discriminate); auto.
Qed.

Lemma mask_put : forall p s x, mask (put p s x) s = mask (fun _ => x) s.
Proof. intros. unfold mask. rewrite put_same. reflexivity. Qed.

Lemma mask_put_other : forall p s x t, t <> s -> mask (put p s x) t = mask p t.
Proof. intros. unfold mask. rewrite put_other by assumption. reflexivity. Qed.

Lemma mask_slide : forall p d s t, shut b h A p -> direction d -> on_board b s -> A s = true ->
  slide b p d s t -> slide b (mask p) d s t.
Proof.
  intros p d s t C Hd Hs As H. induction H as [[Ho He] | t H IH [Ho He]].
  - apply slide_one. split; [exact Ho |]. apply mask_empty. split; [exact He |].
    apply (slide_inside b h A p d s _ C Hd Hs As). apply slide_one. split; assumption.
  - apply slide_on; [exact IH |]. split; [exact Ho |]. apply mask_empty. split; [exact He |].
    apply (slide_inside b h A p d s _ C Hd Hs As). apply slide_on; [exact H |]. split; assumption.
Qed.

Lemma mask_queen_step : forall p s t, shut b h A p -> on_board b s -> A s = true ->
  queen_step b p s t -> queen_step b (mask p) s t.
Proof.
  intros p s t C Hs As (d & Hd & H). exists d. split; [exact Hd |].
  apply mask_slide; assumption.
Qed.

(** The other side has the same moves there. *)
Lemma mask_move : forall p q, shut b h A p -> move b (other h) p q ->
  move b (other h) (mask p) (mask q).
Proof.
  intros p q C [from to arrow Hf Hc H1 H2 Hq].
  pose proof (proj2 C from Hf Hc) as Af.
  destruct (queen_step_inside b h A p from to C Hf Af H1) as (Ht & At & Et).
  pose proof (moved_shut b h A p from to C Af At) as C'.
  assert (E : forall s, mask (moved (other h) p from to) s = moved (other h) (mask p) from to s).
  { intros s. unfold moved. destruct (square_dec s to) as [-> |].
    - rewrite put_same, mask_put. apply mask_other. reflexivity.
    - rewrite mask_put_other, (put_other _ to) by assumption.
      destruct (square_dec s from) as [-> |].
      + rewrite put_same, mask_put. apply mask_empty. auto.
      + rewrite mask_put_other, put_other by assumption. reflexivity. }
  apply a_move with from to arrow.
  - exact Hf.
  - apply mask_other, Hc.
  - apply mask_queen_step; assumption.
  - apply (queen_step_ext b (mask (moved (other h) p from to))); [intros; symmetry; apply E |].
    apply mask_queen_step; assumption.
  - intros s Hs. unfold mask at 1. rewrite Hq by exact Hs.
    destruct (square_dec s arrow) as [-> |].
    + rewrite !put_same. reflexivity.
    + rewrite !put_other by assumption. rewrite <- E. reflexivity.
Qed.

(** The state [st], with [c] to move, is that of [p]. *)
Definition seen (c : colour) (p : position) (st : state) : Prop :=
  forall s, on_board b s -> position_of b c st s = mask p s.

Lemma seen_answer : forall p q st, seen (other h) p st -> shut b h A p ->
  move b (other h) p q ->
  exists st', In st' (moves (fun l => l) (cells_of b) st) /\ seen h q st'.
Proof.
  intros p q st R C M. pose proof (mask_move p q C M) as M'.
  destruct (move_alike b (fun s => s) (fun s => s) (other h) (mask p) (position_of b (other h) st)
    (mask q)) as (q' & Mq & Eq).
  { apply symmetry_id. }
  { exact R. }
  { exact M'. }
  destruct (moves_complete (fun l => l) (fun l t => iff_refl _) b (other h) st F q' Mq)
    as (st' & Hin & E).
  exists st'. split; [exact Hin |]. intros s Hs. rewrite <- (other_other h), <- E by exact Hs.
  apply Eq, Hs.
Qed.

Lemma seen_step : forall p s t st, seen h p st -> can_step b h p s t -> A t = true ->
  seen (other h) (stepped h p s t) (after_shot st (single b t)).
Proof.
  intros p s t st R (Hs & Ht & Ps & Pt & N) At u Hu.
  assert (E : position_of b h st t = Empty).
  { rewrite R by exact Ht. apply mask_empty. auto. }
  rewrite (shot_spec b h st F t Ht E u Hu). rewrite put_spec.
  unfold mask. rewrite stepped_spec.
  destruct (square_dec u t) as [-> |].
  - destruct (square_dec t s); [reflexivity |]. destruct h; reflexivity.
  - rewrite R by exact Hu. destruct (square_dec u s) as [-> |]; [| reflexivity].
    apply mask_holder, Ps.
Qed.

(** Steppers are amazons of the holder. *)
Definition own (p : position) (x : int) : Prop :=
  forall s, on_board b s -> mem b x s = true -> p s = Amazon h.

(** A set as the theorem has it. *)
Definition set_of (x : int) : square -> Prop := fun s => on_board b s /\ mem b x s = true.

Lemma sure_more : forall k (X Y : square -> Prop) p, (forall x, X x -> Y x) ->
  sure b h A k X p -> sure b h A k Y p.
Proof.
  induction k as [| k IH]; intros X Y p I H; cbn in *; [exact H |].
  destruct H as (s & t & Hs & C & At & H). exists s, t. split; [auto |]. split; [exact C |].
  split; [exact At |]. intros q M. apply (IH (relay X s t)); auto.
  intros x [-> | [N Xx]]; [left | right]; auto.
Qed.

Section Sure.

Lemma open_sure : forall c p x st, seen c p st -> own p x ->
  open (king field x) st = true -> sure b h A 1 (set_of x) p.
Proof.
  intros c p x st R O H. unfold open in H. apply negb_true_iff in H.
  apply missing in H; [| apply king_within, F].
  destruct H as (t & Ht & M & T). apply mem_king in M; [| exact F | exact Ht].
  destruct M as (s & Hs & Ms & N).
  apply (taken_spec b c) in T. rewrite R in T by exact Ht. apply mask_empty in T.
  destruct T as [Pt At]. exists s, t. split; [split; assumption |].
  split; [| split; [exact At | intros; exact I]].
  unfold can_step. auto.
Qed.

Lemma answer_own_set : forall p q x, shut b h A p -> move b (other h) p q -> own p x -> own q x.
Proof.
  intros p q x C M O s Hs Ms. apply (answer_own b h A p q C M); auto.
Qed.

(** One step is sure if three squares can be stepped to. *)
Lemma three_sure : forall p x P, shut b h A p -> own p x ->
  (forall s, on_board b s -> P s = true -> A s = true /\ mem b (king field x) s = true) ->
  (3 <= count b P p)%nat ->
  forall q, move b (other h) p q -> sure b h A 1 (set_of x) q.
Proof.
  intros p x P C O HP G q M. pose proof (answer_own_set p q x C M O) as O'.
  pose proof (answer_count b h A p q C M P) as G'.
  assert (E : exists t, In t (filter (fun s => P s && is_empty (q s)) (squares b))).
  { unfold count in *. destruct (filter (fun s => P s && is_empty (q s)) (squares b)) as [| t l].
    - cbn in G'. lia.
    - exists t. left. reflexivity. }
  destruct E as (t & E). apply filter_In in E. destruct E as [Ht E]. apply in_squares in Ht.
  apply andb_true_iff in E. destruct E as [Pt Et]. destruct (HP t Ht Pt) as [At Mt].
  assert (Qt : q t = Empty) by (destruct (q t); [reflexivity | discriminate | discriminate]).
  apply mem_king in Mt; [| exact F | exact Ht].
  destruct Mt as (s & Hs & Ms & N).
  exists s, t. split; [split; assumption |]. split; [| split; [exact At | intros; exact I]].
  unfold can_step. auto.
Qed.

Lemma answering_one_sure : forall p x st, seen (other h) p st -> shut b h A p -> own p x ->
  answering_one field cells most x st = true ->
  forall q, move b (other h) p q -> sure b h A 1 (set_of x) q.
Proof.
  intros p x st R C O H q M. unfold answering_one in H.
  set (n := king field x) in *.
  assert (Wn : within_board b n) by (apply king_within, F).
  pose proof (answer_own_set p q x C M O) as O'.
  set (free := free_of n st) in *.
  assert (Wf : within_board b free) by (apply within_free, Wn).
  destruct (at_least 3 free) eqn:L.
  - apply (at_least_spec b F 3 free Wf) in L.
    apply (three_sure p x (fun s => mem b n s && A s) C O); [| | exact M].
    { intros s _ E. apply andb_true_iff in E. tauto. }
    eapply Nat.le_trans; [exact L |]. apply filter_length_le. intros s Hs Ms.
    apply in_squares in Hs. apply mem_free in Ms. destruct Ms as [Mn T].
    apply (taken_spec b (other h)) in T. rewrite R in T by exact Hs. apply mask_empty in T.
    destruct T as [T1 T2]. rewrite Mn, T1, T2. reflexivity.
  - destruct (seen_answer p q st R C M) as (st' & Hin & R').
    apply in_moves in Hin. destruct Hin as (s & Hs & Os & Hin).
    apply (open_sure h q x st' R' O'). fold n.
    destruct (in_steps st s st' Hs Hin) as (to & arrow & Hto & Ha & Mt & Re & _ & E).
    assert (Nto : s <> to).
    { intros ->. apply mem_own in Os; [| exact Hto]. unfold taken in Mt.
      rewrite mem_lor, (proj1 Os) in Mt. discriminate. }
    (* An amazon that stands around steppers. *)
    assert (Near : mem b n s = true -> arrow <> s -> open n st' = true).
    { intros Mn Na. rewrite E. apply (open_by n _ s Hs Mn). apply mem_after; auto. }
    destruct (at_least 2 free) eqn:L2.
    + apply (two_squares free Wf) in L2.
      destruct L2 as (u & v & Hu & Hv & N & Mu & Mv). apply mem_free in Mu, Mv.
      destruct Mu as [Nu Tu], Mv as [Nv Tv].
      destruct (mem b n s) eqn:Ms.
      * destruct (square_dec arrow s) as [-> | Na]; [| apply Near; auto].
        assert (K : forall w, on_board b w -> mem b (taken st) w = false -> w <> s).
        { intros w Hw Tw ->. apply mem_own in Os; [| exact Hs]. unfold taken in Tw.
          rewrite mem_lor, (proj1 Os) in Tw. discriminate. }
        rewrite E. destruct (square_dec u to) as [-> | Nut].
        -- apply (open_by n _ v Hv Nv). apply mem_after; auto.
        -- apply (open_by n _ u Hu Nu). apply mem_after; auto.
      * assert (G : forall st', In st' (steps (fun l => l) st (cell_of b 2 s)) ->
          open n st' = true); [| exact (G st' Hin)].
        refine (all_cells_spec _ (fun st' => open n st' = true)
          (own_of field st lxor (own_of field st land n))%uint63 st _ _ H s Hs _).
        { apply within_less, within_own. }
        { intros s' Hs' Ms' G st'' Hin'. rewrite mem_less, andb_true_iff in Ms'.
          destruct (all_steps_but_spec _ _ st s' st'' Hs' G Hin') as
            [Q | (to' & arrow' & Ht' & Ha' & Mt' & Sk & ->)]; [exact Q |].
          rewrite it_cell in Sk. apply spot_out in Sk; [| exact Ht'].
          assert (K : forall w, mem b n w = true -> mem b (taken st) w = false -> w <> to').
          { intros w Nw Tw ->. apply not_true_iff_false in Sk. apply Sk.
            apply mem_free. auto. }
          apply (two_open n st s' to' arrow' u v); auto. tauto. }
        { rewrite mem_less, Os, Ms. reflexivity. }
    + destruct (is_zero free) eqn:Z0; [discriminate |].
      destruct (at_cell _ free _ true); [discriminate |].
      destruct (lowest b F free Wf Z0) as (u & Hu & Mu & _). apply mem_free in Mu.
      destruct Mu as [Nu Tu].
      assert (G : forall st', In st' (steps (fun l => l) st (cell_of b 2 s)) ->
        open n st' = true); [| exact (G st' Hin)].
      refine (all_cells_spec (fun s c => if disjoint n s then all_steps (open n) st c
          else all_walks (fun to => disjoint free (it to)) (taken st) (rays c))
        (fun st' => open n st' = true) (own_of field st) st (within_own st) _ H s Hs Os).
      intros s' Hs' Ms' G st'' Hin'. destruct (disjoint n (single b s')) eqn:D.
      * exact (proj1 (all_steps_spec _ _ _) G st'' Hin').
      * apply spot_in in D; [| exact Hs'].
        destruct (in_steps st s' st'' Hs' Hin') as (to' & arrow' & Ht' & Ha' & Mt' & Re' & _ & ->).
        pose proof (proj1 (all_walks_spec _ _ _) G _ Re') as Q. cbv beta in Q.
        rewrite it_cell in Q. apply spot_out in Q; [| exact Ht'].
        assert (Nu' : u <> to').
        { intros ->. apply not_true_iff_false in Q. apply Q. apply mem_free. auto. }
        assert (Ns' : s' <> to').
        { intros ->. apply mem_own in Ms'; [| exact Ht']. unfold taken in Mt'.
          rewrite mem_lor, (proj1 Ms') in Mt'. discriminate. }
        destruct (square_dec s' arrow') as [<- | Na].
        -- apply (open_by n _ u Hu Nu). apply mem_after; auto. intros ->.
           apply mem_own in Ms'; [| exact Hs']. unfold taken in Tu.
           rewrite mem_lor, (proj1 Ms') in Tu. discriminate.
        -- apply (open_by n _ s' Hs' D). apply mem_after; auto.
Qed.

(** The steppers after one has stepped from [s] to [t]. *)
Definition after (x : int) (s t : square) : int := ((x lxor single b s) lor single b t)%uint63.

Lemma after_in : forall x s t u, on_board b s -> on_board b t -> on_board b u ->
  mem b x s = true -> mem b (after x s t) u = true -> u = t \/ (u <> s /\ mem b x u = true).
Proof.
  intros x s t u Hs Ht Hu Ms. unfold after.
  rewrite mem_lor, mem_lxor, orb_true_iff, mem_single_eq by assumption.
  intros [E | E]; [| auto]. right. destruct (square_dec u s) as [-> |].
  - rewrite Ms, (proj2 (mem_single_eq b F s s Hs Hs) eq_refl) in E. discriminate.
  - rewrite mem_single_neq, xorb_false_r in E by assumption. auto.
Qed.

Lemma after_own : forall p x s t, own p x -> can_step b h p s t -> mem b x s = true ->
  own (stepped h p s t) (after x s t).
Proof.
  intros p x s t O (Hs & Ht & Ps & Pt & N) Ms u Hu Mu. rewrite stepped_spec.
  destruct (after_in x s t u Hs Ht Hu Ms Mu) as [-> | [Nu Mu']].
  - destruct (square_dec t s); [congruence |]. destruct (square_dec t t); congruence.
  - destruct (square_dec u s); [contradiction |]. destruct (square_dec u t); auto.
Qed.

Lemma after_sure : forall k p x s t, on_board b s -> on_board b t -> mem b x s = true ->
  sure b h A k (set_of (after x s t)) p -> sure b h A k (relay (set_of x) s t) p.
Proof.
  intros k p x s t Hs Ht Ms. apply sure_more. intros u [Hu Mu].
  destruct (after_in x s t u Hs Ht Hu Ms Mu) as [-> | [Nu Mu']]; [left; reflexivity |].
  right. split; [exact Nu | split; assumption].
Qed.

(** A stepper beside a square. *)
Lemma any_stepper : forall f x t, on_board b t ->
  any_in most f (king field (single b t) land x)%uint63 = true ->
  exists s, on_board b s /\ mem b x s = true /\ near s t /\ f (single b s) = true.
Proof.
  intros f x t Ht H. apply (any_in_spec b F) in H; [| apply within_land, king_within, F].
  destruct H as (s & Hs & Ms & Fs). rewrite mem_land, andb_true_iff in Ms. destruct Ms as [N Ms].
  apply king_single in N; [| exact F | exact Ht | exact Hs]. exists s.
  repeat (split; [assumption |]). split; [apply near_back, N | exact Fs].
Qed.

Lemma roomy_spec : forall x st, within_board b (roomy field most x st) /\
  forall t, on_board b t -> mem b (roomy field most x st) t = true ->
  exists s, on_board b s /\ mem b x s = true /\ near s t /\ mem b (taken st) t = false /\
    let n := king field (after x s t) in
    at_least 5 (n lxor (n land (taken st lor single b t)))%uint63 = true.
Proof.
  intros x st. unfold roomy.
  match goal with |- context [those_in most ?f ?x 0] =>
    destruct (those_in_spec b F f most x 0%uint63) as [W H] end.
  { apply within_free, king_within, F. }
  { apply within_zero. }
  split; [exact W |]. intros t Ht Mt. destruct (H t Ht Mt) as [M | [M E]].
  { rewrite mem_zero in M. discriminate. }
  apply mem_free in M. destruct M as [_ T]. apply any_stepper in E; [| exact Ht].
  destruct E as (s & Hs & Ms & N & E). exists s. repeat (split; [assumption |]). exact E.
Qed.

(** Two steps are sure while a roomy square is empty after the other side's move. *)
Lemma roomy_sure : forall p x st q t, seen (other h) p st ->
  shut b h A p -> own p x -> move b (other h) p q -> on_board b t ->
  mem b (roomy field most x st) t = true -> q t = Empty ->
  sure b h A 2 (set_of x) q.
Proof.
  intros p x st q t R C O M Ht Mt Qt.
  apply roomy_spec in Mt; [| exact Ht].
  destruct Mt as (s & Hs & Ms & N & T & L). cbv zeta in L.
  set (n := king field (after x s t)) in *.
  assert (Wn : within_board b n) by (apply king_within, F).
  apply (at_least_spec b F) in L; [| apply within_less, Wn].
  apply (taken_spec b (other h)) in T. rewrite R in T by exact Ht. apply mask_empty in T.
  destruct T as [Pt At].
  pose proof (answer_own_set p q x C M O) as O'. pose proof (answer_shut b h A p q C M) as C'.
  assert (St : can_step b h q s t) by (unfold can_step; auto).
  set (P := fun u => mem b n u && A u && negb (square_eqb u t)).
  assert (G : (5 <= count b P p)%nat).
  { eapply Nat.le_trans; [exact L |]. apply filter_length_le. intros u Hu Mu.
    apply in_squares in Hu. rewrite mem_less, mem_lor in Mu. unfold P.
    destruct (mem b n u) eqn:Mn; [| discriminate].
    destruct (mem b (taken st) u) eqn:T; [discriminate |].
    apply (taken_spec b (other h)) in T. rewrite R in T by exact Hu. apply mask_empty in T.
    destruct T as [T1 T2]. rewrite T1, T2. rewrite mem_single in Mu by assumption.
    destruct (square_eqb u t); [discriminate | reflexivity]. }
  pose proof (answer_count b h A p q C M P) as G'.
  assert (E : count b P (stepped h q s t) = count b P q).
  { unfold count. f_equal. apply filter_ext. intros u. rewrite stepped_spec. unfold P.
    destruct (square_dec u s) as [-> |].
    - rewrite (proj1 (proj2 (proj2 St))). cbn. rewrite !andb_false_r. reflexivity.
    - destruct (square_dec u t) as [-> |]; [| reflexivity].
      rewrite (proj2 (square_eqb_spec t t) eq_refl), !andb_false_r. reflexivity. }
  exists s, t. split; [split; assumption |]. split; [exact St |]. split; [exact At |].
  intros r Mr. apply after_sure; [assumption .. |].
  apply (three_sure (stepped h q s t) (after x s t) P); try assumption; [| | | lia].
  - apply stepped_shut; assumption.
  - apply after_own; assumption.
  - intros u _ E'. unfold P in E'. rewrite !andb_true_iff in E'. tauto.
Qed.

(** What the program says of steps with the other side to move, if [f] is right after its moves. *)
Lemma answering_by_sure : forall f k,
  (forall p x st, seen h p st -> shut b h A p -> own p x -> f x st = true ->
    sure b h A k (set_of x) p) ->
  forall p x st, seen (other h) p st -> shut b h A p -> own p x ->
  answering_by field cells most f k x st = true ->
  forall q, move b (other h) p q -> sure b h A k (set_of x) q.
Proof.
  intros f k Hf p x st R C O H q M. unfold answering_by in H.
  destruct (seen_answer p q st R C M) as (st' & Hin & Rq).
  apply in_moves in Hin. destruct Hin as (s & Hs & Os & Hin).
  pose proof (answer_own_set p q x C M O) as O'. pose proof (answer_shut b h A p q C M) as C'.
  destruct k as [| [| [| k]]]; [exact I | | |].
  - apply (answering_one_sure p x st R C O H q M).
  - destruct (f x _) in H; [| discriminate]. cbv zeta in H.
    set (r := roomy field most x st) in *. destruct (roomy_spec x st) as [Wr Rs]. fold r in Wr, Rs.
    assert (Tr : forall t, on_board b t -> mem b r t = true -> mem b (taken st) t = false).
    { intros t Ht Mt. destruct (Rs t Ht Mt) as (_ & _ & _ & _ & T & _). exact T. }
    assert (Sr : forall t, on_board b t -> mem b r t = true -> q t = Empty ->
      sure b h A 2 (set_of x) q).
    { intros t Ht Mt Qt. apply (roomy_sure p x st q t); auto. }
    clear Rs. clearbody r.
    destruct (at_least 3 r) eqn:L.
    + apply (at_least_spec b F 3 r Wr) in L.
      assert (G : (3 <= count b (mem b r) p)%nat).
      { eapply Nat.le_trans; [exact L |]. apply filter_length_le. intros u Hu Mu.
        apply in_squares in Hu. rewrite Mu. pose proof (Tr u Hu Mu) as T.
        apply (taken_spec b (other h)) in T. rewrite R in T by exact Hu. apply mask_empty in T.
        rewrite (proj1 T). reflexivity. }
      pose proof (answer_count b h A p q C M (mem b r)) as G'.
      assert (E : exists t, In t (filter (fun s => mem b r s && is_empty (q s)) (squares b))).
      { unfold count in *.
        destruct (filter (fun s => mem b r s && is_empty (q s)) (squares b)) as [| t l].
        - cbn in G'. lia.
        - exists t. left. reflexivity. }
      destruct E as (t & E). apply filter_In in E. destruct E as [Ht E]. apply in_squares in Ht.
      apply andb_true_iff in E. destruct E as [Mt Et].
      apply (Sr t); auto. destruct (q t); [reflexivity | discriminate ..].
    + assert (G : forall st', In st' (steps (fun l => l) st (cell_of b 2 s)) ->
        open r st' = true \/ f x st' = true).
      { refine (all_cells_spec _ (fun st' => open r st' = true \/ f x st' = true)
          (own_of field st) st (within_own st) _ H s Hs Os).
        intros s' Hs' Ms' G st'' Hin'.
        destruct (all_steps_but_spec _ _ st s' st'' Hs' G Hin') as
          [Q | (to & arrow & Ht & Ha & Mt & Sk & ->)].
        - destruct (open r st''); auto.
        - left. rewrite it_cell in Sk. apply two_squares in Sk; [| apply within_less, Wr].
          destruct Sk as (u & v & Hu & Hv & N & Mu & Mv).
          rewrite mem_less, andb_true_iff, negb_true_iff in Mu, Mv.
          destruct Mu as [Mu Nu], Mv as [Mv Nv].
          assert (K : forall w, mem b (single b to) w = false -> w <> to).
          { intros w Sw ->. rewrite (proj2 (mem_single_eq b F to to Ht Ht) eq_refl) in Sw.
            discriminate. }
          apply (two_open r st s' to arrow u v); auto. }
      destruct (G st' Hin) as [Op | Q]; [| exact (Hf q x st' Rq C' O' Q)].
      unfold open in Op. apply negb_true_iff in Op. apply missing in Op; [| exact Wr].
      destruct Op as (t & Ht & Mt & T). apply (taken_spec b h) in T. rewrite Rq in T by exact Ht.
      apply mask_empty in T. apply (Sr t); tauto.
  - destruct (f x _) in H; [| discriminate].
    assert (G : forall st', In st' (steps (fun l => l) st (cell_of b 2 s)) -> f x st' = true).
    { refine (all_cells_spec _ (fun st' => f x st' = true) (own_of field st) st (within_own st) _
        H s Hs Os).
      intros s' Hs' Ms' G. apply all_steps_spec. exact G. }
    exact (Hf q x st' Rq C' O' (G st' Hin)).
Qed.

(** Steps that the program finds sure are. *)
Lemma moving_sure : forall k p x st, seen h p st -> shut b h A p -> own p x ->
  moving field cells most k x st = true -> sure b h A k (set_of x) p.
Proof.
  induction k as [| k IH]; intros p x st R C O H; [exact I |].
  cbn [moving] in H. destruct k as [| k]; [eapply open_sure; eauto |].
  apply (any_in_spec b F) in H; [| apply within_free, king_within, F].
  destruct H as (t & Ht & Mt & H). apply mem_free in Mt. destruct Mt as [_ T].
  apply any_stepper in H; [| exact Ht]. destruct H as (s & Hs & Ms & N & H).
  fold (after x s t) in H.
  apply (taken_spec b h) in T. rewrite R in T by exact Ht. apply mask_empty in T.
  destruct T as [Pt At].
  assert (St : can_step b h p s t) by (unfold can_step; auto).
  exists s, t. split; [split; assumption |]. split; [exact St |]. split; [exact At |].
  intros q M. apply after_sure; [assumption .. |].
  apply (answering_by_sure _ (S k) IH (stepped h p s t) (after x s t) _
    (seen_step p s t st R St At) (stepped_shut b h A p s t St C)
    (after_own p x s t O St Ms) H q M).
Qed.

Lemma answering_sure : forall k p x st, seen (other h) p st ->
  shut b h A p -> own p x -> answering field cells most k x st = true ->
  forall q, move b (other h) p q -> sure b h A k (set_of x) q.
Proof.
  intros k. exact (answering_by_sure _ k (moving_sure k)).
Qed.
End Sure.
End Holder.

(** ** The rule *)

Lemma int_of_spec : forall n, (n < 100)%nat -> to_Z (int_of n) = Z.of_nat n.
Proof.
  induction n as [| n IH]; intros H; [reflexivity |]. cbn [int_of].
  rewrite add_spec, IH by lia. change (to_Z 1) with 1. rewrite Z.mod_small; [lia |].
  change wB with 9223372036854775808. lia.
Qed.

Lemma fewest_spec : forall ks singles needed moves k,
  (forall k g, In (k, g) ks -> to_Z g = 2 * Z.of_nat k /\ (k < 100)%nat) ->
  to_Z needed < 1000 ->
  fewest ks singles needed moves = Some k ->
  to_Z needed + Z.of_nat (Nat.min k singles) <= to_Z moves + 2 * Z.of_nat k.
Proof.
  induction ks as [| [n g] ks IH]; intros singles needed moves k G N H; cbn [fewest] in H;
    [discriminate |].
  destruct (_ <=? _)%uint63 eqn:L; [| apply IH; auto; intros; apply G; right; assumption].
  injection H as <-. destruct (G n g (or_introl eq_refl)) as [Eg Bn].
  apply leb_spec in L. rewrite !add_spec, int_of_spec in L by lia.
  pose proof (to_Z_bounded needed). pose proof (to_Z_bounded moves).
  rewrite Z.mod_small in L by (change wB with 9223372036854775808; lia).
  rewrite Eg in L. eapply Z.le_trans; [exact L |]. apply Z.mod_le; [lia | reflexivity].
Qed.

Lemma some_tour_spec : forall f g orders tried, some_tour f g orders tried = true ->
  exists l, In l orders /\ f (g l) = true.
Proof.
  induction orders as [| l orders IH]; intros tried H; cbn [some_tour] in H; [discriminate |].
  destruct (existsb _ tried).
  - destruct (IH tried H) as (l' & Hl & E). exists l'. split; [right |]; assumption.
  - destruct (f (g l)) eqn:E; [exists l; split; [left; reflexivity | exact E] |].
    destruct (IH _ H) as (l' & Hl & E'). exists l'. split; [right |]; assumption.
Qed.

Section Decides.
Variables (h : colour) (p : position) (mine theirs empty : int).
Hypotheses
  (Mine : forall s, on_board b s -> mem b mine s = true -> p s = Amazon h)
  (Theirs : forall s, on_board b s -> (mem b theirs s = true <-> p s = Amazon (other h)))
  (Empties : forall s, on_board b s -> (mem b empty s = true <-> p s = Empty))
  (We : within_board b empty) (Wm : within_board b mine).

Let all := whole field.

Section Area.
Variable area : int.
Hypotheses (Inner : forall s, on_board b s -> mem b area s = true -> p s = Empty)
  (Closed : closed b empty theirs area) (Wa : within_board b area).

Let A : square -> bool := fun s => mem b area s || mem b theirs s.

Lemma area_shut : shut b h A p.
Proof.
  split.
  - intros s t Hs Ht As N At Pt. unfold A in *. apply Empties in Pt; [| exact Ht].
    apply orb_true_iff in As. apply orb_false_iff in At. destruct At as [At _].
    rewrite (Closed t s) in At; auto; [discriminate |]. apply near_back, N.
  - intros s Hs Ps. unfold A. apply Theirs in Ps; [| exact Hs]. rewrite Ps. apply orb_true_r.
Qed.

Lemma area_empty : forall s, on_board b s -> p s = Empty -> A s = mem b area s.
Proof.
  intros s Hs Ps. unfold A. destruct (mem b theirs s) eqn:E; [| apply orb_false_r].
  apply Theirs in E; congruence.
Qed.

Lemma area_room : forall n, 0 <= to_Z n < 100 ->
  Z.of_nat (room b A p) + to_Z n <= to_Z (size most area n).
Proof.
  intros n N. rewrite (size_members b F most area n Most Wa N). unfold room, count, members.
  assert ((length (filter (fun s => A s && is_empty (p s)) (squares b)) <=
    length (filter (mem b area) (squares b)))%nat); [| lia].
  apply filter_length_le. intros s Hs E. apply in_squares in Hs. apply andb_true_iff in E.
  destruct E as [As E]. rewrite <- (area_empty s Hs); [exact As |].
  destruct (p s); [reflexivity | discriminate | discriminate].
Qed.

Lemma area_bound : forall n, 0 <= to_Z n < 100 -> to_Z (size most area n) < 1000.
Proof.
  intros n N. rewrite (size_members b F most area n Most Wa N). pose proof (few_members b F area). lia.
Qed.

(** The states in which steps are tried. *)
Let outside := (all lxor area)%uint63.
Let burned := (all lxor (area lor theirs))%uint63.

Lemma seen_first : seen h A h p (State burned outside) /\
  seen h A (other h) p (State outside burned).
Proof.
  assert (E : forall s, on_board b s ->
    mem b outside s = negb (mem b area s) /\
    mem b burned s = negb (mem b area s || mem b theirs s)).
  { intros s Hs. unfold outside, burned, all. rewrite !mem_lxor, mem_lor, mem_whole by exact Hs.
    destruct (mem b area s), (mem b theirs s); auto. }
  split; intros s Hs; destruct (E s Hs) as [E1 E2]; unfold position_of; cbn [lo hi];
    rewrite E1, E2; unfold mask.
  all: pose proof (Inner s Hs) as In1; pose proof (Theirs s Hs) as T;
    pose proof (area_empty s Hs) as Ae.
  all: destruct (mem b area s); [rewrite In1, Ae by auto; reflexivity |].
  all: destruct (mem b theirs s); cbn [negb orb];
    [rewrite (proj1 T eq_refl); destruct h; reflexivity |].
  all: destruct (p s) as [| c |] eqn:P; [rewrite Ae by reflexivity; reflexivity | | reflexivity].
  all: destruct c, h; try reflexivity; destruct T as [_ T]; discriminate (T eq_refl).
Qed.

(** What the program finds in one order. *)
Lemma settles_right : forall limit begins kept first then_ order, within_board b kept ->
  within_board b first -> within_board b then_ ->
  (forall s, on_board b s -> mem b kept s = true -> p s = Empty /\ mem b area s = false) ->
  (forall s, on_board b s -> mem b first s = true -> mem b mine s = true) ->
  (forall s, on_board b s -> mem b then_ s = true ->
    mem b mine s = true /\ mem b first s = false) ->
  settles field cells most limit begins (size most area (if begins then 1 else 0)%uint63) outside
    burned (tour_of field most kept first then_ order) = true ->
  if begins then wins b h p else loses b (other h) p.
Proof.
  intros limit begins kept first then_ order Wk Wf Wt K Fi Th H.
  set (needed := size most area (if begins then 1 else 0)%uint63) in *.
  assert (One : 0 <= to_Z (if begins then 1 else 0)%uint63 < 100) by (destruct begins; cbn; lia).
  pose proof (area_room _ One) as Ro. pose proof (area_bound _ One) as Bo. fold needed in Ro, Bo.
  assert (On : to_Z (if begins then 1 else 0)%uint63 = if begins then 1 else 0).
  { destruct begins; reflexivity. }
  rewrite On in Ro. clear One On.
  assert (NA : forall s, on_board b s -> mem b mine s = true -> A s = false).
  { intros s Hs Ms. apply Mine in Ms; [| exact Hs]. unfold A.
    destruct (mem b area s) eqn:E1; [apply Inner in E1; congruence |].
    destruct (mem b theirs s) eqn:E2; [| reflexivity].
    apply Theirs in E2; [| exact Hs]. destruct (other_not h). congruence. }
  unfold settles, tour_of in H.
  assert (T0 : told h A p (Tour kept 0%uint63 0%uint63 0%uint63 O) [] []).
  { unfold told. cbn [t_left t_moves t_idle t_single t_singles length].
    split; [exact I |]. split; [cbn; lia |]. split; [| split; [| split; [| reflexivity]]].
    - intros t Ht Mt. destruct (K t Ht Mt) as [Pt At]. split; [exact Pt |].
      split; [rewrite area_empty; auto | split; intros []].
    - intros s Hs. rewrite mem_zero. discriminate.
    - intros s Hs. rewrite mem_zero. discriminate. }
  destruct (march_spec h A order most first
    (Tour kept 0%uint63 0%uint63 0%uint63 O) p [] [] Wf Wk T0) as (l1 & ones1 & T1 & Wl1 & I1 & S1).
  { intros s Hs Ms. pose proof (Fi s Hs Ms) as Mm. split; [apply Mine; assumption |].
    split; [apply NA; assumption |]. split; [intros [] | apply mem_zero]. }
  set (w1 := march field most most order first _) in *. clearbody w1.
  destruct (march_spec h A order most then_ w1 p l1 ones1 Wt Wl1 T1) as (l & ones & T & _ & _ & _).
  { intros s Hs Ms. destruct (Th s Hs Ms) as [Mm Nf]. pose proof (Mine s Hs Mm) as Ps.
    split; [exact Ps |]. split; [apply NA; assumption |]. split.
    - intros F'. destruct (S1 s F') as [[] | [E | E]]; congruence.
    - destruct (mem b (t_idle w1) s) eqn:E; [| reflexivity].
      destruct (I1 s Hs E) as [E' | E']; [rewrite mem_zero in E' |]; congruence. }
  set (w := march field most most order then_ w1) in *. clearbody w.
  destruct T as (W & M & _ & Id & Si & Co).
  pose proof area_shut as C. destruct seen_first as [R1 R2].
  (* Steps of some steppers, if they are enough. *)
  assert (Gain : forall k x ones', own h p x -> spare (set_of x) l ones' ->
    to_Z needed + Z.of_nat (Nat.min k (length ones')) <= to_Z (t_moves w) + 2 * Z.of_nat k ->
    (if begins then moving field cells most k x (State burned outside)
     else answering field cells most k x (State outside burned)) = true ->
    if begins then wins b h p else loses b (other h) p).
  { intros k x ones' Ow Spa Le Su. destruct begins.
    - apply (holder_wins b h A k (set_of x) p l ones' C W Spa); [| lia].
      apply (moving_sure h A k p x _ R1 C Ow Su).
    - apply (other_loses b h A k (set_of x) p l ones' C W Spa); [| lia].
      apply (answering_sure h A k p x _ R2 C Ow Su). }
  destruct (needed <=? t_moves w)%uint63 eqn:L.
  { apply leb_spec in L. apply (Gain O 0%uint63 []).
    - intros s _. rewrite mem_zero. discriminate.
    - intros s [_ Ms]. rewrite mem_zero in Ms. discriminate.
    - cbn [Nat.min]. lia.
    - destruct begins; reflexivity. }
  set (any := if begins then _ else _) in H. set (ks := firstn limit any) in H.
  assert (Ks : forall k g, In (k, g) ks -> to_Z g = 2 * Z.of_nat k /\ (k < 100)%nat).
  { intros k g Hk. unfold ks in Hk.
    assert (Ha : In (k, g) any) by (rewrite <- (firstn_skipn limit any); apply in_or_app; auto).
    clear Hk. rename Ha into Hk. unfold any in Hk. destruct begins; cbn in Hk;
      repeat (destruct Hk as [[= <- <-] | Hk]; [split; [reflexivity | lia] |]); destruct Hk. }
  clearbody ks.
  destruct (match fewest ks 0 needed (t_moves w) with Some _ => _ | None => _ end) eqn:E.
  { destruct (fewest ks 0 needed (t_moves w)) as [k |] eqn:Fk; [| discriminate].
    apply fewest_spec in Fk; auto. apply (Gain k (t_idle w) []); auto.
    - intros s Hs Ms. apply (Id s Hs Ms).
    - intros s [Hs Ms]. left. apply (Id s Hs Ms). }
  destruct (t_singles w) as [| n] eqn:Sn; [discriminate |]. rewrite <- Sn in *. clear E.
  destruct (fewest ks (t_singles w) needed (t_moves w)) as [k |] eqn:Fk; [| discriminate].
  apply fewest_spec in Fk; auto. rewrite <- Co in Fk.
  apply (Gain k (t_idle w lor t_single w)%uint63 ones); auto.
  - intros s Hs Ms. rewrite mem_lor, orb_true_iff in Ms.
    destruct Ms as [Ms | Ms]; [apply (Id s Hs Ms) | apply (Si s Hs Ms)].
  - intros s [Hs Ms]. rewrite mem_lor, orb_true_iff in Ms.
    destruct Ms as [Ms | Ms]; [left; apply (Id s Hs Ms) | right; apply (Si s Hs Ms)].
Qed.
End Area.

Theorem decides_right : forall orders limit begins,
  decides field cells orders most limit begins mine theirs empty = true ->
  if begins then wins b h p else loses b (other h) p.
Proof.
  intros orders limit begins H. unfold decides in H. cbv zeta in H.
  set (reached := flood field most empty theirs 0) in *.
  assert (Cl : closed b empty theirs (reached land empty)%uint63).
  { intros s t Hs Ht He N Hm. rewrite mem_land, He, andb_true_r.
    apply (flood_closed b F most empty theirs 0%uint63 s t Hs Ht He N).
    destruct Hm as [Hm | Hm]; [| auto]. rewrite mem_land in Hm. apply andb_true_iff in Hm. tauto. }
  clearbody reached. set (area := (reached land empty)%uint63) in *.
  assert (In1 : forall s, on_board b s -> mem b area s = true -> p s = Empty).
  { intros s Hs Ms. apply Empties; [exact Hs |]. unfold area in Ms. rewrite mem_land in Ms.
    apply andb_true_iff in Ms. tauto. }
  assert (Wa : within_board b area).
  { apply (within_subset b empty); [exact We |]. intros i Hi. unfold area in Hi.
    rewrite land_spec in Hi. apply andb_true_iff in Hi. tauto. }
  clearbody area.
  destruct (_ <? _)%uint63 in H; [discriminate |]. destruct (_ <? _)%uint63 in H; [discriminate |].
  apply some_tour_spec in H. destruct H as (order & Ho & H).
  eapply (settles_right area In1 Cl Wa limit begins); [| | | | | | exact H].
  - apply within_less, We.
  - apply within_less, Wm.
  - apply (within_subset b mine); [exact Wm |]. intros i Hi. rewrite land_spec in Hi.
    apply andb_true_iff in Hi. tauto.
  - intros s Hs Ms. rewrite mem_less, andb_true_iff, negb_true_iff in Ms. destruct Ms as [Ms Na].
    split; [apply Empties; assumption | exact Na].
  - intros s Hs Ms. rewrite mem_less, andb_true_iff in Ms. tauto.
  - intros s Hs Ms. rewrite mem_land, andb_true_iff in Ms. destruct Ms as [Mb Mm].
    split; [exact Mm |]. rewrite mem_less, mem_land, Mb, Mm. reflexivity.
Qed.
End Decides.

(** ** The theorems *)

Lemma mine_spec : forall c st s, mem b (lo st lxor (lo st land hi st))%uint63 s = true <->
  position_of b c st s = Amazon c.
Proof.
  intros c st s. rewrite mem_lxor, mem_land. unfold position_of.
  destruct (mem b (lo st) s), (mem b (hi st) s); cbn; split; intros E;
    try discriminate; try reflexivity; destruct c; discriminate.
Qed.

Lemma theirs_spec : forall c st s, mem b (hi st lxor (lo st land hi st))%uint63 s = true <->
  position_of b c st s = Amazon (other c).
Proof.
  intros c st s. rewrite mem_lxor, mem_land. unfold position_of.
  destruct (mem b (lo st) s), (mem b (hi st) s); cbn; split; intros E;
    try discriminate; try reflexivity; destruct c; discriminate.
Qed.

Lemma empty_spec : forall c st s, on_board b s ->
  mem b (empty_of field st) s = true <-> position_of b c st s = Empty.
Proof.
  intros c st s Hs. unfold empty_of. rewrite mem_less, mem_whole, <- (taken_spec b c) by exact Hs.
  destruct (mem b (taken st) s); cbn; split; congruence.
Qed.

Lemma within_empty : forall st, within_board b (empty_of field st).
Proof. intros st. apply within_less, within_whole. Qed.

Lemma within_mine : forall x, within_board b (x land whole field)%uint63.
Proof.
  intros x. apply (within_subset b (whole field)); [apply within_whole |]. intros i H.
  rewrite land_spec in H. apply andb_true_iff in H. tauto.
Qed.

(** A state that the rule says to be won is won. *)
Theorem wall_win_right : forall orders limit st,
  wall_win field cells orders most limit st = true -> won b st.
Proof.
  intros orders limit st H c. unfold wall_win in H.
  apply (decides_right c (position_of b c st) _ _ _) in H; auto using within_empty.
  - intros s Hs Ms. apply mine_spec. rewrite mem_land, andb_true_iff in Ms. tauto.
  - intros s _. apply theirs_spec.
  - intros s Hs. apply empty_spec, Hs.
  - apply within_mine.
Qed.

(** A state that the rule says to be lost is lost. *)
Theorem wall_lose_right : forall orders limit st,
  wall_lose field cells orders most limit st = true -> lost b st.
Proof.
  intros orders limit st H c. unfold wall_lose in H.
  apply (decides_right (other c) (position_of b c st) _ _ _) in H; auto using within_empty.
  - rewrite other_other in H. exact H.
  - intros s _ Ms. apply theirs_spec. rewrite mem_land, andb_true_iff in Ms. tauto.
  - intros s _. rewrite other_other. apply mine_spec.
  - intros s Hs. apply empty_spec, Hs.
  - apply within_mine.
Qed.

Theorem wall_win_by_move_right : forall orders limit st,
  wall_win_by_move field cells orders most limit st = true -> won b st.
Proof.
  intros orders limit st H c. unfold wall_win_by_move in H.
  apply (any_in_spec b F) in H; [| apply within_own]. destruct H as (s & Hs & Os & H).
  set (lose := wall_lose field cells orders most limit) in H.
  destruct (at_cell_spec b F _ cells s
    (fun c => negb (all_steps (fun st => negb (lose st)) st c)) false Hs eq_refl) as [E | E];
    rewrite E in H; [| discriminate].
  apply negb_true_iff in H.
  destruct (existsb lose (steps (fun l => l) st (cell_of b 2 s))) eqn:Q.
  - apply existsb_exists in Q. destruct Q as (st' & Hin & L).
    apply (won_by (fun l => l) (fun l t => iff_refl _) b c st F st').
    + apply in_moves. exists s. auto.
    + exact (wall_lose_right orders limit st' L).
  - assert (T : all_steps (fun st => negb (lose st)) st (cell_of b 2 s) = true); [| congruence].
    apply all_steps_spec. intros st' Hin. apply negb_true_iff.
    destruct (lose st') eqn:L; [| reflexivity].
    assert (C : existsb lose (steps (fun l => l) st (cell_of b 2 s)) = true); [| congruence].
    apply existsb_exists. eauto.
Qed.

End Board.

Theorem wall_rule_by_right : forall orders limit b, fits b ->
  right_rule b (wall_rule_by orders limit b).
Proof.
  intros orders limit b F st. assert (M : (62 <= 63)%nat) by lia. unfold wall_rule_by.
  cbn [says_win says_loss says_move]. split; [| split]; intros H.
  - exact (wall_win_right b F 63 M _ _ st H).
  - exact (wall_lose_right b F 63 M _ _ st H).
  - exact (wall_win_by_move_right b F 63 M _ _ st H).
Qed.

Theorem no_rule_right : forall b, right_rule b no_rule.
Proof. intros b st. cbn. repeat split; discriminate. Qed.
