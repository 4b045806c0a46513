(** The wall rule of docs/certificate.md as a program, and the theorem that it is right. *)

From Coq Require Import ZArith Lia List Bool Uint63.
Require Import Game Symmetry Sets Moves Images Walls.
Import ListNotations.
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

Definition all_steps (f : state -> bool) (st : state) (from : cell) : bool :=
  all_walks (fun to => all_shots f (after_step st (it from) (it to)) to) (taken st) (rays from).

(** Whether [f] holds of all states after a move. *)
Fixpoint all_moves (f : state -> bool) (cells : list cell) (st : state) : bool :=
  match cells with
  | [] => true
  | from :: cells =>
      if disjoint (lo st) (it from) then all_moves f cells st
      else if disjoint (hi st) (it from) then
        if all_steps f st from then all_moves f cells st else false
      else all_moves f cells st
  end.

(** The same where nothing is to be tried of steps of which [skip] holds. *)
Definition all_steps_but (skip : cell -> bool) (f : state -> bool) (st : state) (from : cell)
    : bool :=
  all_walks
    (fun to => if skip to then true else all_shots f (after_step st (it from) (it to)) to)
    (taken st) (rays from).

Fixpoint all_moves_but (skip : cell -> bool) (f : state -> bool) (cells : list cell) (st : state)
    : bool :=
  match cells with
  | [] => true
  | from :: cells =>
      if disjoint (lo st) (it from) then all_moves_but skip f cells st
      else if disjoint (hi st) (it from) then
        if all_steps_but skip f st from then all_moves_but skip f cells st else false
      else all_moves_but skip f cells st
  end.

(** Whether the side to move has a step to a square of [x]: what a queen meets from there is its
    amazon. *)
Fixpoint meets (theirs taken : int) (ray : list cell) : bool :=
  match ray with
  | [] => false
  | t :: ray =>
      if disjoint taken (it t) then meets theirs taken ray else negb (disjoint theirs (it t))
  end.

Definition reaches (cells : list cell) (x : int) (st : state) : bool :=
  existsb (fun c => if disjoint x (it c) then false
                    else existsb (meets (lo st lxor (lo st land hi st)) (taken st)) (rays c))
    cells.

(** * Squares with what is around them *)

Record spot := Spot { here : int; around : int }.

Definition around_of (b : board) (s : square) : int :=
  fold_right (fun d x => if on_board_b b (next s d) then x lor single b (next s d) else x)
    0 directions.

Definition spot_of (b : board) (s : square) : spot := Spot (single b s) (around_of b s).

Definition spots_of (b : board) : list spot := map (spot_of b) (squares b).

(** For each symmetry the squares in the order of the image. *)
Definition orders_of (b : board) : list (list spot) :=
  map (fun f => map (fun s => spot_of b (f s)) (squares b)) ((fun s => s) :: symmetries b).

Definition all_of (b : board) : int := fold_right (fun s x => x lor single b s) 0 (squares b).

(** * The area *)

Fixpoint sweep (l : list spot) (empty seeds area : int) : int :=
  match l with
  | [] => area
  | x :: l => sweep l empty seeds
      (if disjoint empty (here x) then area
       else if disjoint (area lor seeds) (around x) then area else area lor here x)
  end.

(** What is reached from [seeds] by king steps over [empty] squares; [l] and [l'] are the squares in
    any two orders. Should the fuel end, it is all empty squares: that is right as well. *)
Fixpoint flood (fuel : nat) (l l' : list spot) (empty seeds area : int) : int :=
  match fuel with
  | O => empty
  | S fuel =>
      let larger := sweep l empty seeds area in
      if larger =? area then area else flood fuel l' l empty seeds larger
  end.

(** How many squares, more than [n]. *)
Fixpoint size (l : list spot) (x n : int) : int :=
  match l with
  | [] => n
  | s :: l => size l x (if disjoint x (here s) then n else n + 1)
  end.

(** Whether a set has so many squares. *)
Fixpoint at_least (n : nat) (l : list spot) (x : int) : bool :=
  match n with
  | O => true
  | S m =>
      match l with
      | [] => false
      | s :: l => if disjoint x (here s) then at_least n l x else at_least m l x
      end
  end.

(** * The walk *)

(** The number of bits, eight at most, more than [n]. Only the choice of the walk rests on it. *)
Fixpoint bits (most : nat) (x n : int) : int :=
  match most with
  | O => n
  | S most => if is_zero x then n else bits most (x land (x - 1)) (n + 1)
  end.

(** The first of [ways] with the fewest ways on, if it has fewer than [least]; or else [best]. *)
Fixpoint narrowest (l : list spot) (ways left least : int) (best : spot) : spot :=
  match l with
  | [] => best
  | x :: l =>
      if disjoint ways (here x) then narrowest l ways left least best
      else
        let n := bits 8 (around x land left) 0 in
        if n <? least then narrowest l ways left n x else narrowest l ways left least best
  end.

(** The part of an amazon in the walk: no move, one, or more. *)
Inductive part := Idle | Single | Long.

Definition longer (x : part) : part := match x with Idle => Single | _ => Long end.

(** Squares that nobody has visited, the number of moves, and the part of the amazon that went. *)
Record gone := Gone { unvisited : int; made : int; its_part : part }.

(** An amazon on [x] goes on as long as it can. *)
Fixpoint go (fuel : nat) (l : list spot) (x : spot) (left n : int) (so_far : part) : gone :=
  match fuel with
  | O => Gone left n so_far
  | S fuel =>
      let ways := around x land left in
      if is_zero ways then Gone left n so_far
      else
        let y := narrowest l ways left 9 x in
        if disjoint ways (here y) then Gone left n so_far
        else go fuel l y (left lxor here y) (n + 1) (longer so_far)
  end.

(** What is known of a walk: squares left, its moves, its idle and single amazons, the number of the
    single ones. *)
Record tour := Tour { t_left : int; t_moves : int; t_idle : int; t_single : int; t_singles : nat }.

(** The amazons of a group go, those that come first in [rest] first. *)
Fixpoint march (fuel : nat) (l rest : list spot) (group : int) (w : tour) : tour :=
  match rest with
  | [] => w
  | x :: rest =>
      if disjoint group (here x) then march fuel l rest group w
      else
        let g := go fuel l x (t_left w) (t_moves w) Idle in
        march fuel l rest (group lxor here x)
          (match its_part g with
           | Idle => Tour (t_left w) (t_moves w) (t_idle w lor here x) (t_single w) (t_singles w)
           | Single => Tour (unvisited g) (made g) (t_idle w) (t_single w lor here x)
                         (S (t_singles w))
           | Long => Tour (unvisited g) (made g) (t_idle w) (t_single w) (t_singles w)
           end)
  end.

(** The amazons beside no square of [area]. *)
Fixpoint behind (l : list spot) (amazons area found : int) : int :=
  match l with
  | [] => found
  | x :: l => behind l amazons area
      (if disjoint amazons (here x) then found
       else if disjoint area (around x) then found lor here x else found)
  end.

(** * Steps *)

(** The squares around a set. *)
Fixpoint spread (l : list spot) (x found : int) : int :=
  match l with
  | [] => found
  | s :: l => spread l x (if disjoint x (here s) then found else found lor around s)
  end.

(** The states of steps have the other side's amazons alone. Squares outside the area are burned,
    those of steppers too. *)

Fixpoint any_near (f : int -> bool) (taken : int) (rays : list (list cell)) : bool :=
  match rays with
  | [] => false
  | (t :: _) :: rays =>
      if disjoint taken (it t) then if f (it t) then true else any_near f taken rays
      else any_near f taken rays
  | [] :: rays => any_near f taken rays
  end.

(** Whether after some step [f] holds of the steppers and the state. *)
Fixpoint any_step (f : int -> state -> bool) (cells : list cell) (steppers : int) (st : state)
    : bool :=
  match cells with
  | [] => false
  | from :: cells =>
      if disjoint steppers (it from) then any_step f cells steppers st
      else if any_near (fun to => f ((steppers lxor it from) lor to) (after_shot st to))
                (taken st) (rays from)
      then true else any_step f cells steppers st
  end.

Fixpoint near_where (f : int -> bool) (taken : int) (rays : list (list cell)) (found : int) : int :=
  match rays with
  | [] => found
  | (t :: _) :: rays => near_where f taken rays
      (if disjoint taken (it t) then
         if disjoint found (it t) then if f (it t) then found lor it t else found else found
       else found)
  | [] :: rays => near_where f taken rays found
  end.

(** The squares such that [f] holds of the steppers after a step to them, and of themselves. *)
Fixpoint steps_where (f : int -> int -> bool) (cells : list cell) (steppers : int) (st : state)
    (found : int) : int :=
  match cells with
  | [] => found
  | from :: cells => steps_where f cells steppers st
      (if disjoint steppers (it from) then found
       else near_where (fun to => f ((steppers lxor it from) lor to) to) (taken st) (rays from)
              found)
  end.

Section Rule.
Variables (cells : list cell) (spots back : list spot) (orders : list (list spot)) (all : int).

(** Whether a square of [x] is not taken. *)
Definition open (x : int) (st : state) : bool := negb ((x land taken st) =? x).

(** One step is sure with the other side to move. It fills two squares at most. With two squares to
    step to it fills both only if it goes to one of them. With one it need only go there. *)
Definition answering_one (steppers : int) (st : state) : bool :=
  let x := spread spots steppers 0 in
  let free := x lxor (x land taken st) in
  if at_least 3 spots free then true
  else if at_least 2 spots free then
    all_moves_but (fun to => disjoint free (it to)) (open x) cells st
  else if is_zero free then false
  else if reaches cells free st then false
  else all_moves (open x) cells st.

(** Where a step leads to five squares for another one, so that three are left after a move, and one
    after the next one. *)
Definition roomy (steppers : int) (st : state) : int :=
  steps_where (fun steppers to =>
    let x := spread spots steppers 0 in
    at_least 5 spots (x lxor (x land (taken st lor to)))) cells steppers st 0.

(** [k] steps are sure with the other side to move, if [f] says whether they are after its move. *)
Definition answering_by (f : int -> state -> bool) (k : nat) (steppers : int) (st : state) : bool :=
  match k with
  | O => true
  | S O => answering_one steppers st
  | S (S O) =>
      if f steppers (State (hi st) (lo st)) then
        let r := roomy steppers st in
        if at_least 3 spots r then true
        else all_moves (fun st => if open r st then true else f steppers st) cells st
      else false
  | _ => if f steppers (State (hi st) (lo st)) then all_moves (f steppers) cells st else false
  end.

Fixpoint moving (k : nat) (steppers : int) (st : state) : bool :=
  match k with
  | O => true
  | S k' =>
      match k' with
      | O => open (spread spots steppers 0) st
      | S _ => any_step (answering_by (moving k') k') cells steppers st
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
  let ks := if begins then [(1%nat, 2); (2%nat, 4); (3%nat, 6)] else [(1%nat, 2); (2%nat, 4)] in
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
Definition tour_of (kept first then_ : int) (l : list spot) : tour :=
  march 62 l l then_ (march 62 l l first (Tour kept 0 0 0 O)).

Definition alike (w w' : tour) : bool :=
  (t_moves w =? t_moves w') && (t_idle w =? t_idle w') && (t_single w =? t_single w').

(** Whether [f] holds of a walk in some order. Those that are like one that was tried are not tried
    again. *)
Fixpoint some_tour (f : tour -> bool) (g : list spot -> tour) (orders : list (list spot))
    (tried : list tour) : bool :=
  match orders with
  | [] => false
  | l :: orders =>
      let w := g l in
      if existsb (alike w) tried then some_tour f g orders tried
      else if f w then true else some_tour f g orders (w :: tried)
  end.

(** Whether the rule decides for the holder, whose amazons are [mine]. *)
Definition decides (begins : bool) (mine theirs empty : int) : bool :=
  let area := flood 62 spots back empty theirs 0 land empty in
  let kept := (empty lor area) lxor area in
  let needed := size spots area (if begins then 1 else 0) in
  if size spots kept (if begins then 6 else 4) <? needed then false
  else
    let first := behind spots mine area 0 in
    let then_ := (mine lor first) lxor first in
    some_tour (settles begins needed (all lxor area) (all lxor (area lor theirs)))
      (tour_of kept first then_) orders [].

(** The side to move wins by the wall rule. *)
Definition wall_win (st : state) : bool :=
  let burned := lo st land hi st in
  decides true (lo st lxor burned) (hi st lxor burned) (all lxor taken st).

(** The side to move loses by the wall rule. *)
Definition wall_lose (st : state) : bool :=
  let burned := lo st land hi st in
  decides false (hi st lxor burned) (lo st lxor burned) (all lxor taken st).

(** The side to move has a move after which the other one loses by the wall rule. *)
Definition wall_win_by_move (st : state) : bool :=
  negb (all_moves (fun st => negb (wall_lose st)) cells st).
End Rule.

(** What a checker may ask of a state: whether its side to move wins, loses, has a winning move. *)
Record rule := Rule {
  says_win : state -> bool;
  says_loss : state -> bool;
  says_move : state -> bool
}.

Definition no_rule : rule := Rule (fun _ => false) (fun _ => false) (fun _ => false).

Definition wall_rule (b : board) : rule :=
  let cells := cells_of b in
  let spots := spots_of b in
  let back := rev spots in
  let orders := orders_of b in
  let all := all_of b in
  Rule (wall_win cells spots back orders all) (wall_lose cells spots back orders all)
    (wall_win_by_move cells spots back orders all).

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
  intros f taken. pose proof (walk_adds taken) as W.
  assert (W' : forall rs found t,
    In t (Moves.walks taken rs found) <-> In t found \/ In t (Moves.walks taken rs [])).
  { induction rs as [| r rs IH]; cbn; intros found t; [tauto |].
    rewrite IH, W, (IH (walk taken r [])). tauto. }
  induction rs as [| r rs IH]; cbn; [tauto |].
  destruct (all_walk f taken r) eqn:E.
  - rewrite IH. pose proof (proj1 (all_walk_spec f taken r) E) as R.
    split; intros H t Ht; [| apply H, W'; auto].
    apply W' in Ht. destruct Ht as [Ht | Ht]; auto.
  - split; [discriminate |]. intros H. rewrite <- E. apply all_walk_spec. intros t Ht.
    apply H, W'. auto.
Qed.

Lemma all_moves_spec : forall f cells st,
  all_moves f cells st = true <->
  forall st', In st' (moves (fun l => l) cells st) -> f st' = true.
Proof.
  intros f cells st. assert (T : forall to st, all_shots f st to = true <->
    forall st', In st' (shots (fun l => l) st to) -> f st' = true).
  { intros to st0. unfold all_shots, shots, reached. rewrite all_walks_spec. split.
    - intros H st' Hs. apply in_map_iff in Hs. destruct Hs as (a & <- & Ha). auto.
    - intros H t Ht. apply H. apply in_map_iff. eauto. }
  assert (G : forall from, all_steps f st from = true <->
    forall st', In st' (steps (fun l => l) st from) -> f st' = true).
  { intros from. unfold all_steps, steps, reached. rewrite all_walks_spec. split.
    - intros H st' Hs. apply in_flat_map in Hs. destruct Hs as (to & Ht & Hs).
      apply (proj1 (T to _) (H to Ht)). exact Hs.
    - intros H t Ht. apply T. intros st' Hs. apply H. apply in_flat_map. eauto. }
  induction cells as [| from cells IH]; cbn [all_moves moves flat_map]; [cbn; tauto |].
  change (flat_map _ cells) with (moves (fun l => l) cells st).
  assert (A : forall l, (forall st', In st' (l ++ moves (fun l => l) cells st) -> f st' = true) <->
    (forall st', In st' l -> f st' = true) /\ all_moves f cells st = true).
  { intros l. rewrite IH. split.
    - intros H. split; intros; apply H, in_app_iff; auto.
    - intros [H1 H2] st' H. apply in_app_iff in H. destruct H; auto. }
  rewrite A. destruct (disjoint (lo st) (it from)), (disjoint (hi st) (it from)); cbn [negb andb];
    try (split; [intros; split; [intros _ [] | assumption] | tauto]).
  rewrite <- G. destruct (all_steps f st from); intuition discriminate.
Qed.

(** * Proofs: sets *)

Lemma disjoint_mem : forall b x y s, disjoint x y = true -> mem b x s = true -> mem b y s = true ->
  False.
Proof.
  intros b x y s D X Y. unfold disjoint in D. apply is_zero_spec in D.
  assert (E : mem b (x land y)%uint63 s = true).
  { unfold mem in *. rewrite land_spec, X, Y. reflexivity. }
  rewrite D, mem_zero in E. discriminate.
Qed.

Lemma mem_land : forall b x y s, mem b (x land y)%uint63 s = mem b x s && mem b y s.
Proof. intros. apply land_spec. Qed.

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

Section Board.
Variable b : board.
Hypothesis F : fits b.

Lemma within_single : forall s, on_board b s -> within_board b (single b s).
Proof.
  intros s Hs i H. unfold single in H. pose proof (index_bounds b s F Hs).
  rewrite bit_single in H by (rewrite small_index by assumption; lia).
  apply eqb_spec in H. eauto.
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

(** ** Spots *)

Lemma mem_around : forall s t, on_board b t ->
  (mem b (around (spot_of b s)) t = true <-> near s t).
Proof.
  intros s t Ht. cbn [around spot_of]. unfold around_of, near.
  assert (G : forall l, mem b (fold_right (fun d x =>
        if on_board_b b (next s d) then (x lor single b (next s d))%uint63 else x)
      0%uint63 l) t = true
      <-> exists d, In d l /\ t = next s d).
  { induction l as [| d l IH]; cbn [fold_right].
    - rewrite mem_zero. split; [discriminate | intros (d & [] & _)].
    - destruct (on_board_b b (next s d)) eqn:O.
      + apply on_board_b_spec in O. rewrite mem_lor, orb_true_iff, IH, mem_single_eq by assumption.
        split.
        * intros [(e & H & E) | E]; [exists e | exists d]; split; auto; [right | left]; auto.
        * intros (e & [<- | H] & E); [right | left; exists e]; auto.
      + rewrite IH. split; intros (e & H & E); [exists e; split; [right |]; assumption |].
        destruct H as [<- | H]; [| exists e; auto].
        subst. apply on_board_b_spec in Ht. congruence. }
  rewrite G. split; intros (d & H & E); exists d; split; auto; apply directions_spec; assumption.
Qed.

Lemma within_around : forall s, within_board b (around (spot_of b s)).
Proof.
  intros s. cbn [around spot_of]. unfold around_of.
  induction directions as [| d l IH]; cbn [fold_right]; [apply within_zero |].
  destruct (on_board_b b (next s d)) eqn:O; [| exact IH].
  apply on_board_b_spec in O. apply within_lor; [exact IH | apply within_single; exact O].
Qed.

(** Lists of spots of squares of the board. *)
Definition spotted (l : list spot) : Prop :=
  forall x, In x l -> exists s, on_board b s /\ x = spot_of b s.

Lemma spots_spotted : spotted (spots_of b).
Proof.
  intros x H. apply in_map_iff in H. destruct H as (s & <- & H). apply in_squares in H. eauto.
Qed.

Lemma order_spotted : forall l, In l (orders_of b) -> spotted l.
Proof.
  intros l H x Hx. unfold orders_of in H. apply in_map_iff in H. destruct H as (f & <- & Hf).
  apply in_map_iff in Hx. destruct Hx as (s & <- & Hs). apply in_squares in Hs.
  exists (f s). split; [| reflexivity]. destruct Hf as [<- | Hf]; [exact Hs |].
  destruct (symmetries_spec b f Hf) as (g & S). apply (stays _ _ _ S), Hs.
Qed.

Lemma here_spot : forall s, here (spot_of b s) = single b s.
Proof. reflexivity. Qed.

(** Whether a spot is in a set. *)
Lemma spot_out : forall x s, on_board b s -> disjoint x (single b s) = true <-> mem b x s = false.
Proof. intros. rewrite disjoint_single by assumption. apply negb_true_iff. Qed.

Lemma spot_in : forall x s, on_board b s -> disjoint x (single b s) = false <-> mem b x s = true.
Proof. intros. rewrite disjoint_single by assumption. apply negb_false_iff. Qed.

Lemma at_least_spec : forall l n x, (forall s, In s l -> on_board b s) ->
  at_least n (map (spot_of b) l) x = true -> (n <= length (filter (mem b x) l))%nat.
Proof.
  induction l as [| s l IH]; intros [| n] x O H; cbn [at_least map filter length] in *;
    try discriminate; try lia.
  assert (Hs : on_board b s) by (apply O; left; reflexivity).
  assert (O' : forall t, In t l -> on_board b t) by (intros; apply O; right; assumption).
  rewrite here_spot, disjoint_single in H by assumption.
  destruct (mem b x s); cbn [negb length] in *; [apply IH in H | apply IH in H]; auto. lia.
Qed.

(** ** The area *)

Lemma sweep_grows : forall l empty seeds area s,
  mem b area s = true -> mem b (sweep l empty seeds area) s = true.
Proof.
  induction l as [| x l IH]; intros empty seeds area s H; cbn [sweep]; [exact H |].
  apply IH. destruct (disjoint empty (here x)); [exact H |].
  destruct (disjoint _ (around x)); [exact H |]. rewrite mem_lor, H. reflexivity.
Qed.

(** All squares that border on the area are in it. *)
Definition closed (empty seeds area : int) : Prop := forall s t,
  on_board b s -> on_board b t -> mem b empty s = true -> near s t ->
  mem b area t = true \/ mem b seeds t = true -> mem b area s = true.

Lemma sweep_closed : forall l empty seeds area s t,
  In (spot_of b s) l -> on_board b s -> on_board b t -> mem b empty s = true -> near s t ->
  mem b area t = true \/ mem b seeds t = true -> mem b (sweep l empty seeds area) s = true.
Proof.
  induction l as [| x l IH]; intros empty seeds area s t Hin Hs Ht He N Hm; [destruct Hin |].
  cbn [sweep]. destruct Hin as [-> | Hin].
  - apply sweep_grows. rewrite here_spot, (proj2 (spot_in empty s Hs) He).
    destruct (disjoint (area lor seeds)%uint63 _) eqn:D.
    + destruct (disjoint_mem b _ _ t D); [| apply mem_around; assumption].
      rewrite mem_lor. apply orb_true_iff. exact Hm.
    + rewrite mem_lor, orb_true_iff. right. apply mem_single_eq; auto.
  - apply (IH _ _ _ s t); auto. destruct Hm as [Hm | Hm]; [left | right; exact Hm].
    destruct (disjoint empty (here x)); [exact Hm |].
    destruct (disjoint _ (around x)); [exact Hm |]. rewrite mem_lor, Hm. reflexivity.
Qed.

Lemma flood_closed : forall fuel l l' empty seeds area,
  (forall s, on_board b s -> In (spot_of b s) l) ->
  (forall s, on_board b s -> In (spot_of b s) l') ->
  closed empty seeds (flood fuel l l' empty seeds area).
Proof.
  induction fuel as [| n IH]; intros l l' empty seeds area L L'; cbn [flood].
  - intros s t _ _ He _ _. exact He.
  - destruct (_ =? _)%uint63 eqn:E; [| apply IH; assumption].
    apply eqb_spec in E. intros s t Hs Ht He N Hm. rewrite <- E.
    apply (sweep_closed l empty seeds area s t); auto.
Qed.

Lemma in_spots : forall s, on_board b s -> In (spot_of b s) (spots_of b).
Proof. intros s Hs. apply in_map. apply in_squares. exact Hs. Qed.

(** ** Counting *)

Lemma size_spec : forall l x n, (forall s, In s l -> on_board b s) ->
  0 <= to_Z n -> to_Z n + Z.of_nat (length l) < 1000 ->
  to_Z (size (map (spot_of b) l) x n) = to_Z n + Z.of_nat (length (filter (mem b x) l)).
Proof.
  induction l as [| s l IH]; intros x n O N B; cbn [size map filter length]; [lia |].
  assert (Hs : on_board b s) by (apply O; left; reflexivity).
  cbn [length] in B. rewrite Nat2Z.inj_succ in B.
  assert (A : to_Z (n + 1)%uint63 = to_Z n + 1).
  { rewrite add_spec, Z.mod_small; [reflexivity |]. change (to_Z 1) with 1.
    change wB with 9223372036854775808. lia. }
  rewrite here_spot, disjoint_single by assumption.
  destruct (mem b x s) eqn:M; cbn [negb length].
  - rewrite IH, A by (rewrite ?A; auto; try lia; intros; apply O; right; assumption). lia.
  - rewrite IH by (auto; try lia; intros; apply O; right; assumption). lia.
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

Lemma size_squares : forall x n, 0 <= to_Z n < 100 ->
  to_Z (size (spots_of b) x n) = to_Z n + Z.of_nat (length (filter (mem b x) (squares b))).
Proof.
  intros x n N. pose proof few_squares. unfold spots_of. apply size_spec; [| lia | lia].
  intros s. apply in_squares.
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

(** ** Walks *)

Lemma narrowest_in : forall l ways left least best,
  In (narrowest l ways left least best) l \/ narrowest l ways left least best = best.
Proof.
  induction l as [| x l IH]; intros ways left least best; cbn [narrowest]; [auto |].
  destruct (disjoint ways (here x)).
  - destruct (IH ways left least best) as [H | H]; [left; right; exact H | auto].
  - destruct (_ <? least)%uint63.
    + match goal with |- context [narrowest l ways left ?n x] =>
        destruct (IH ways left n x) as [H | H] end; left; [right; exact H | left; auto].
    + destruct (IH ways left least best) as [H | H]; [left; right; exact H | auto].
Qed.

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

Lemma go_spec : forall fuel l s left n so_far p, spotted l ->
  on_board b s -> p s = Amazon h -> A s = false ->
  (forall t, on_board b t -> mem b left t = true -> p t = Empty /\ A t = false) ->
  let g := go fuel l (spot_of b s) left n so_far in
  exists m, Walls.walks b h A p m /\ to_Z (made g) <= to_Z n + Z.of_nat (length m) /\
    (forall t, on_board b t -> mem b (unvisited g) t = true ->
      mem b left t = true /\ ~ In t (ends m)) /\
    (forall t, In t (ends m) -> mem b left t = true) /\
    (forall t, In t (starts m) -> t = s \/ In t (ends m)) /\
    its_part g = grown (length m) so_far /\
    match m with [] => True | (u, _) :: _ => u = s end.
Proof.
  induction fuel as [| k IH]; intros l s left n so_far p L Hs Ps As H; cbv zeta; cbn [go].
  1: exists []; cbn; intuition lia.
  destruct (is_zero _); [exists []; cbn; intuition lia |].
  set (ways := (around (spot_of b s) land left)%uint63).
  set (y := narrowest l ways left 9%uint63 (spot_of b s)).
  destruct (disjoint ways (here y)) eqn:D; [exists []; cbn; intuition lia |].
  assert (Y : exists t, on_board b t /\ y = spot_of b t).
  { destruct (narrowest_in l ways left 9%uint63 (spot_of b s)) as [E | E]; [apply L, E |].
    exists s. auto. }
  destruct Y as (t & Ht & Y). rewrite Y in *. clear y Y.
  rewrite here_spot in *. apply spot_in in D; [| exact Ht]. unfold ways in D.
  rewrite mem_land, andb_true_iff in D. destruct D as [N Lt].
  apply mem_around in N; [| exact Ht]. destruct (H t Ht Lt) as [Pt At].
  assert (St : can_step b h p s t) by (unfold can_step; auto).
  assert (X : forall u, on_board b u -> mem b (left lxor single b t)%uint63 u = true ->
    mem b left u = true /\ u <> t).
  { intros u Hu. rewrite mem_lxor. destruct (square_dec u t) as [-> | Nu].
    - rewrite Lt, (proj2 (mem_single_eq t t Ht Ht) eq_refl). discriminate.
    - rewrite (mem_single_neq t u Ht Hu Nu), xorb_false_r. auto. }
  destruct (IH l t (left lxor single b t)%uint63 (n + 1)%uint63 (longer so_far) (stepped h p s t))
    as (m & W & M & U & E & St' & G & _); auto.
  { rewrite stepped_spec. destruct (square_dec t s); [congruence |].
    destruct (square_dec t t); congruence. }
  { intros u Hu Mu. destruct (X u Hu Mu) as [Mu' Nu]. destruct (H u Hu Mu') as [Pu Au].
    split; [| exact Au]. rewrite stepped_spec.
    destruct (square_dec u s); [congruence |]. destruct (square_dec u t); congruence. }
  exists ((s, t) :: m). cbn [Walls.walks starts ends map fst snd length].
  split; [auto |]. split; [pose proof (add_1_le n); lia |]. split; [| split; [| split; [| split]]].
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

Lemma march_spec : forall fuel rest order group w p l ones, spotted order -> spotted rest ->
  told p w l ones ->
  (forall s, on_board b s -> mem b group s = true ->
    p s = Amazon h /\ A s = false /\ ~ In s (starts l) /\ mem b (t_idle w) s = false) ->
  let w' := march fuel order rest group w in
  exists l' ones', told p w' l' ones' /\
    (forall x, on_board b x -> mem b (t_idle w') x = true ->
      mem b (t_idle w) x = true \/ mem b group x = true) /\
    (forall x, In x (starts l') ->
      In x (starts l) \/ mem b group x = true \/ p x = Empty).
Proof.
  intros fuel. induction rest as [| x rest IH]; intros order group w p l ones O R T G;
    cbv zeta; cbn [march].
  { exists l, ones. auto. }
  assert (R' : spotted rest) by (intros y Hy; apply R; right; exact Hy).
  destruct (R x (or_introl eq_refl)) as (s & Hs & ->). rewrite here_spot.
  destruct (disjoint group (single b s)) eqn:D; [apply IH with ones; assumption |].
  apply spot_in in D; [| exact Hs]. destruct (G s Hs D) as (Ps & As & Ns & Is).
  destruct T as (W & M & L & I & Si & C).
  assert (Es : ~ In s (ends l)) by (apply (walks_taken b h A l p s W); congruence).
  destruct (go_spec fuel order s (t_left w) (t_moves w) Idle (walked h p l)) as
    (m & Wm & Mm & Um & Em & Sm & Gm & Fm); auto.
  { rewrite walked_other; assumption. }
  { intros t Ht Mt. destruct (L t Ht Mt) as (Pt & At & N1 & N2). rewrite walked_other; auto. }
  set (g := go fuel order (spot_of b s) (t_left w) (t_moves w) Idle) in *. clearbody g.
  assert (X : forall u, on_board b u -> mem b (group lxor single b s)%uint63 u = true ->
    mem b group u = true /\ u <> s).
  { intros u Hu. rewrite mem_lxor. destruct (square_dec u s) as [-> | Nu].
    - rewrite D, (proj2 (mem_single_eq s s Hs Hs) eq_refl). discriminate.
    - rewrite (mem_single_neq s u Hs Hu Nu), xorb_false_r. auto. }
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
    destruct (IH order (group lxor single b s)%uint63
      (Tour (t_left w) (t_moves w) (t_idle w lor single b s) (t_single w) (t_singles w)) p l ones)
      as (l' & ones' & T' & I' & S'); auto.
    { unfold told. cbn [t_left t_moves t_idle t_single t_singles].
      split; [exact W |]. split; [exact M |]. split; [exact L |]. split; [| auto].
      intros t Ht Mt. destruct (Y _ t Ht Mt) as [E | ->]; auto. }
    { intros u Hu Mu. destruct (X u Hu Mu) as [Mu' Nu].
      destruct (G u Hu Mu') as (a1 & a2 & a3 & a4).
      split; [exact a1 |]. split; [exact a2 |]. split; [exact a3 |]. cbn [t_idle].
      rewrite mem_lor, a4, (mem_single_neq s u Hs Hu Nu). reflexivity. }
    exists l', ones'. split; [exact T' |]. split.
    + intros u Hu Mu. destruct (I' u Hu Mu) as [E | E].
      * destruct (Y _ u Hu E) as [E' | ->]; auto.
      * right. apply (X u Hu E).
    + intros u Hu. destruct (S' u Hu) as [E | [E | E]]; auto.
      right. left. apply (X u (B1 l' u (proj1 T') Hu) E).
  - (* One move. *)
    symmetry in Gm. apply grown_single in Gm.
    destruct (IH order (group lxor single b s)%uint63
      (Tour (unvisited g) (made g) (t_idle w) (t_single w lor single b s) (S (t_singles w)))
      p (l ++ m) (s :: ones)) as (l' & ones' & T' & I' & S'); auto.
    { destruct T1 as (b1 & b2 & b3 & b4 & b5 & b6). unfold told.
      cbn [t_left t_moves t_idle t_single t_singles length] in *.
      split; [exact b1 |]. split; [exact b2 |]. split; [exact b3 |]. split; [exact b4 |].
      split; [| congruence]. intros t Ht Mt. destruct (Y _ t Ht Mt) as [E | ->].
      - destruct (b5 t Ht E) as (a1 & a2 & a3). split; [exact a1 |].
        split; [right; exact a2 | exact a3].
      - split; [exact Ps |]. split; [left; reflexivity |]. apply lone_right.
        destruct m as [| [u v] [| ? ?]]; try discriminate. subst u. left.
        split; [reflexivity | intros []]. }
    exists l', ones'. split; [exact T' |]. split.
    + intros u Hu Mu. destruct (I' u Hu Mu) as [E | E]; auto. right. apply (X u Hu E).
    + intros u Hu. destruct (S' u Hu) as [E | [E | E]]; auto.
      right. left. apply (X u (B1 l' u (proj1 T') Hu) E).
  - (* More. *)
    destruct (IH order (group lxor single b s)%uint63
      (Tour (unvisited g) (made g) (t_idle w) (t_single w) (t_singles w))
      p (l ++ m) ones) as (l' & ones' & T' & I' & S'); auto.
    exists l', ones'. split; [exact T' |]. split.
    + intros u Hu Mu. destruct (I' u Hu Mu) as [E | E]; auto. right. apply (X u Hu E).
    + intros u Hu. destruct (S' u Hu) as [E | [E | E]]; auto.
      right. left. apply (X u (B1 l' u (proj1 T') Hu) E).
Qed.

(** ** Steps *)

Lemma within_spread : forall l x found, spotted l -> within_board b found ->
  within_board b (spread l x found).
Proof.
  induction l as [| y l IH]; intros x found S W; cbn [spread]; [exact W |].
  apply IH; [intros z Hz; apply S; right; exact Hz |].
  destruct (disjoint x (here y)); [exact W |].
  destruct (S y (or_introl eq_refl)) as (s & Hs & ->).
  apply within_lor; [exact W | apply within_around].
Qed.

Lemma mem_spread : forall l x found t, spotted l -> on_board b t ->
  mem b (spread l x found) t = true ->
  mem b found t = true \/ exists s, on_board b s /\ mem b x s = true /\ near s t.
Proof.
  induction l as [| y l IH]; intros x found t S Ht H; cbn [spread] in H; [auto |].
  apply IH in H; auto; [| intros z Hz; apply S; right; exact Hz].
  destruct H as [H | H]; [| auto].
  destruct (S y (or_introl eq_refl)) as (s & Hs & ->). rewrite here_spot in H.
  destruct (disjoint x (single b s)) eqn:D; [auto |].
  apply spot_in in D; [| exact Hs]. rewrite mem_lor, orb_true_iff in H.
  destruct H as [H | H]; [auto |]. apply mem_around in H; [| exact Ht]. eauto.
Qed.

Lemma all_moves_but_spec : forall skip f st,
  (forall from to arrow, on_board b from -> on_board b to -> on_board b arrow ->
    mem b (lo st) from = true -> skip (cell_of b 1 to) = true ->
    f (after_shot (after_step st (single b from) (single b to)) (single b arrow)) = true) ->
  all_moves_but skip f (cells_of b) st = true ->
  forall st', In st' (moves (fun l => l) (cells_of b) st) -> f st' = true.
Proof.
  intros skip f st Hs. unfold cells_of.
  assert (G : forall l, (forall s, In s l -> on_board b s) ->
    all_moves_but skip f (map (cell_of b 2) l) st = true ->
    forall st', In st' (moves (fun l => l) (map (cell_of b 2) l) st) -> f st' = true).
  { induction l as [| from l IH]; intros B H st' Hin; [destruct Hin |].
    assert (B' : forall e, In e l -> on_board b e) by (intros; apply B; right; assumption).
    assert (Hf : on_board b from) by (apply B; left; reflexivity).
    cbn [map all_moves_but moves flat_map] in H, Hin.
    change (flat_map _ (map (cell_of b 2) l)) with (moves (fun l => l) (map (cell_of b 2) l) st)
      in Hin.
    rewrite it_cell in H, Hin.
    destruct (disjoint (lo st) (single b from)) eqn:Lo; [exact (IH B' H st' Hin) |].
    destruct (disjoint (hi st) (single b from)); [| exact (IH B' H st' Hin)].
    destruct (all_steps_but skip f st _) eqn:St; [| discriminate].
    cbn [negb andb] in Hin. apply in_app_iff in Hin.
    destruct Hin as [Hin | Hin]; [| exact (IH B' H st' Hin)].
    apply spot_in in Lo; [| exact Hf].
    unfold steps in Hin. apply in_flat_map in Hin. destruct Hin as (to & Ht & Hin).
    unfold all_steps_but in St. pose proof (proj1 (all_walks_spec _ _ _) St to Ht) as E.
    apply (reached_spec b White st 1 F from to Hf) in Ht. destruct Ht as (t & -> & Ht).
    pose proof (queen_step_on_board _ _ _ _ Ht) as Bt.
    unfold shots in Hin. apply in_map_iff in Hin. destruct Hin as (arrow & <- & Ha).
    destruct (skip (cell_of b 1 t)) eqn:Sk.
    - rewrite !it_cell in *.
      apply (reached_spec b White _ 0 F t arrow Bt) in Ha. destruct Ha as (a & -> & Ha).
      pose proof (queen_step_on_board _ _ _ _ Ha) as Ba. rewrite it_cell. apply Hs; assumption.
    - unfold all_shots in E. exact (proj1 (all_walks_spec _ _ _) E arrow Ha). }
  apply G. intros s. apply in_squares.
Qed.

(** With two squares to step to, a move that goes to neither leaves one. *)
Lemma two_open : forall x st from to arrow u v, on_board b from -> on_board b to ->
  on_board b arrow -> mem b (lo st) from = true -> on_board b u -> on_board b v -> u <> v ->
  mem b (x lxor (x land taken st))%uint63 u = true ->
  mem b (x lxor (x land taken st))%uint63 v = true ->
  mem b (x lxor (x land taken st))%uint63 to = false ->
  open x (after_shot (after_step st (single b from) (single b to)) (single b arrow)) = true.
Proof.
  intros x st from to arrow u v Hf Ht Ha Lf Hu Hv N Mu Mv Mt. unfold open. apply negb_true_iff.
  apply eqb_false_complete. intros E.
  assert (G : forall w, on_board b w -> mem b (x lxor (x land taken st))%uint63 w = true ->
    w = arrow).
  { intros w Hw Mw. assert (Nt : w <> to) by congruence.
    rewrite mem_lxor, mem_land in Mw. destruct (mem b x w) eqn:Xw; [| discriminate].
    destruct (mem b (taken st) w) eqn:T; [discriminate |].
    unfold taken in T. rewrite mem_lor in T. apply orb_false_iff in T. destruct T as [T1 T2].
    assert (Nf : w <> from) by congruence.
    pose proof (mem_land b x (taken (after_shot (after_step st (single b from) (single b to))
      (single b arrow))) w) as L.
    rewrite E, Xw in L. unfold taken, after_shot, after_step in L. cbn [lo hi] in L.
    rewrite !mem_lor, mem_lxor, T1, T2, (mem_single_neq from w), (mem_single_neq to w) in L
      by assumption.
    destruct (mem b (single b arrow) w) eqn:Ma; [| discriminate L].
    apply mem_single_eq in Ma; assumption. }
  apply N. rewrite (G u Hu Mu), (G v Hv Mv). reflexivity.
Qed.

Lemma two_squares : forall x, at_least 2 (spots_of b) x = true ->
  exists u v, on_board b u /\ on_board b v /\ u <> v /\ mem b x u = true /\ mem b x v = true.
Proof.
  intros x H. apply at_least_spec in H; [| intros s; apply in_squares].
  pose proof (NoDup_filter (mem b x) (squares_once b)) as N.
  assert (G : forall s, In s (filter (mem b x) (squares b)) -> on_board b s /\ mem b x s = true).
  { intros s Hs. apply filter_In in Hs. rewrite in_squares in Hs. exact Hs. }
  destruct (filter (mem b x) (squares b)) as [| u [| v l]]; cbn in H; try lia.
  exists u, v. destruct (G u) as [Bu Mu]; [left; reflexivity |].
  destruct (G v) as [Bv Mv]; [right; left; reflexivity |]. inversion N as [| ? ? Nu]; subst.
  repeat (split; [assumption |]). split; [| auto]. intros ->. apply Nu. left. reflexivity.
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
Variable spots : list spot.
Hypothesis Sp : spotted spots.

Lemma open_sure : forall c p x st, seen c p st -> own p x ->
  open (spread spots x 0%uint63) st = true -> sure b h A 1 (set_of x) p.
Proof.
  intros c p x st R O H. unfold open in H. apply negb_true_iff in H.
  apply missing in H; [| apply within_spread; [exact Sp | apply within_zero]].
  destruct H as (t & Ht & M & T). apply mem_spread in M; auto.
  destruct M as [M | (s & Hs & Ms & N)]; [rewrite mem_zero in M; discriminate |].
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
  (forall s, P s = true -> A s = true /\ mem b (spread spots x 0%uint63) s = true) ->
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
  apply andb_true_iff in E. destruct E as [Pt Et]. destruct (HP t Pt) as [At Mt].
  assert (Qt : q t = Empty) by (destruct (q t); [reflexivity | discriminate | discriminate]).
  apply mem_spread in Mt; auto.
  destruct Mt as [Mt | (s & Hs & Ms & N)]; [rewrite mem_zero in Mt; discriminate |].
  exists s, t. split; [split; assumption |]. split; [| split; [exact At | intros; exact I]].
  unfold can_step. auto.
Qed.

Lemma answering_one_sure : forall p x st, seen (other h) p st -> shut b h A p -> own p x ->
  spots = spots_of b ->
  answering_one (cells_of b) spots x st = true ->
  forall q, move b (other h) p q -> sure b h A 1 (set_of x) q.
Proof.
  intros p x st R C O Es H q M. unfold answering_one in H.
  set (n := spread spots x 0%uint63) in *.
  pose proof (answer_own_set p q x C M O) as O'.
  destruct (at_least 3 spots (n lxor (n land taken st))%uint63) eqn:L.
  - rewrite Es in L. apply at_least_spec in L; [| intros s; apply in_squares].
    apply (three_sure p x (fun s => mem b n s && A s) C O); [| | exact M].
    { intros s E. apply andb_true_iff in E. tauto. }
    eapply Nat.le_trans; [exact L |]. apply filter_length_le. intros s Hs Ms.
    apply in_squares in Hs. rewrite mem_lxor, mem_land in Ms.
    destruct (mem b n s) eqn:Mn; [| discriminate].
    destruct (mem b (taken st) s) eqn:T; [discriminate |].
    apply (taken_spec b (other h)) in T. rewrite R in T by exact Hs. apply mask_empty in T.
    destruct T as [T1 T2]. rewrite T1, T2. reflexivity.
  - destruct (seen_answer p q st R C M) as (st' & Hin & R').
    destruct (at_least 2 spots _) eqn:L2.
    + rewrite Es in L2. apply two_squares in L2.
      destruct L2 as (u & v & Hu & Hv & N & Mu & Mv).
      apply (open_sure h q x st' R' O').
      refine (all_moves_but_spec _ _ st _ H st' Hin).
      intros from to arrow Hf Ht Ha Lf Sk. rewrite it_cell in Sk.
      apply spot_out in Sk; [| exact Ht].
      apply (two_open n st from to arrow u v); assumption.
    + destruct (is_zero _); [discriminate |]. destruct (reaches _ _ _); [discriminate |].
      apply (proj1 (all_moves_spec _ _ _) H) in Hin. eapply open_sure; eauto.
Qed.

Lemma any_near_spec : forall f taken n s, on_board b s ->
  any_near f taken (rays (cell_of b (S n) s)) = true ->
  exists t, on_board b t /\ near s t /\ disjoint taken (single b t) = true /\ f (single b t) = true.
Proof.
  intros f taken n s Hs. cbn [rays cell_of].
  assert (G : forall l, (forall d, In d l -> direction d) ->
    any_near f taken (map (fun d => map (cell_of b n) (ray b 62 s d)) l) = true ->
    exists t, on_board b t /\ near s t /\ disjoint taken (single b t) = true /\
      f (single b t) = true).
  { induction l as [| d l IH]; intros D H; [discriminate |]. cbn [map] in H.
    assert (D' : forall e, In e l -> direction e) by (intros; apply D; right; assumption).
    change (ray b 62 s d) with
      (if on_board_b b (next s d) then next s d :: ray b 61 (next s d) d else []) in H.
    destruct (on_board_b b (next s d)) eqn:O; cbn [map any_near] in H; [| auto].
    apply on_board_b_spec in O. rewrite it_cell in H.
    destruct (disjoint taken (single b (next s d))) eqn:T; [| auto].
    destruct (f (single b (next s d))) eqn:E; [| auto].
    exists (next s d). split; [exact O |]. split; [| auto].
    exists d. split; [apply D; left |]; reflexivity. }
  apply G. apply directions_spec.
Qed.

Lemma any_step_spec : forall f x st, any_step f (cells_of b) x st = true ->
  exists s t, on_board b s /\ on_board b t /\ mem b x s = true /\ near s t /\
    mem b (taken st) t = false /\
    f ((x lxor single b s) lor single b t)%uint63 (after_shot st (single b t)) = true.
Proof.
  intros f x st. unfold cells_of.
  assert (G : forall l, (forall s, In s l -> on_board b s) ->
    any_step f (map (cell_of b 2) l) x st = true ->
    exists s t, on_board b s /\ on_board b t /\ mem b x s = true /\ near s t /\
      mem b (taken st) t = false /\
      f ((x lxor single b s) lor single b t)%uint63 (after_shot st (single b t)) = true).
  { induction l as [| s l IH]; intros B H; [discriminate |]. cbn [map any_step] in H.
    assert (B' : forall e, In e l -> on_board b e) by (intros; apply B; right; assumption).
    assert (Hs : on_board b s) by (apply B; left; reflexivity).
    rewrite it_cell in H. destruct (disjoint x (single b s)) eqn:D; [auto |].
    apply spot_in in D; [| exact Hs].
    destruct (any_near _ _ _) eqn:N; [| auto].
    apply any_near_spec in N; [| exact Hs]. destruct N as (t & Ht & N & T & E).
    apply spot_out in T; [| exact Ht]. exists s, t. auto 10. }
  apply G. intros s. apply in_squares.
Qed.

Lemma near_where_spec : forall f taken n s found u, on_board b s -> on_board b u ->
  mem b (near_where f taken (rays (cell_of b (S n) s)) found) u = true ->
  mem b found u = true \/
  (near s u /\ disjoint taken (single b u) = true /\ f (single b u) = true).
Proof.
  intros f taken n s found u Hs Hu. cbn [rays cell_of].
  assert (G : forall l found, (forall d, In d l -> direction d) ->
    mem b (near_where f taken (map (fun d => map (cell_of b n) (ray b 62 s d)) l) found) u = true ->
    mem b found u = true \/
    (near s u /\ disjoint taken (single b u) = true /\ f (single b u) = true)).
  { induction l as [| d l IH]; intros found0 D H; [auto |]. cbn [map] in H.
    assert (D' : forall e, In e l -> direction e) by (intros; apply D; right; assumption).
    change (ray b 62 s d) with
      (if on_board_b b (next s d) then next s d :: ray b 61 (next s d) d else []) in H.
    destruct (on_board_b b (next s d)) eqn:O; cbn [map near_where] in H; [| auto].
    apply on_board_b_spec in O. rewrite it_cell in H. apply IH in H; [| exact D'].
    destruct H as [H | H]; [| auto].
    destruct (disjoint taken (single b (next s d))) eqn:T; [| auto].
    destruct (disjoint found0 _); [| auto].
    destruct (f (single b (next s d))) eqn:E; [| auto].
    rewrite mem_lor, orb_true_iff, mem_single_eq in H by assumption.
    destruct H as [H | ->]; [auto |]. right. split; [| auto].
    exists d. split; [apply D; left |]; reflexivity. }
  apply G. apply directions_spec.
Qed.

Lemma within_near_where : forall f taken n s found, on_board b s -> within_board b found ->
  within_board b (near_where f taken (rays (cell_of b (S n) s)) found).
Proof.
  intros f taken n s found Hs W. cbn [rays cell_of]. revert found W.
  induction directions as [| d l IH]; intros found W; [exact W |]. cbn [map].
  change (ray b 62 s d) with
    (if on_board_b b (next s d) then next s d :: ray b 61 (next s d) d else []).
  destruct (on_board_b b (next s d)) eqn:O; cbn [map near_where]; [| auto].
  apply on_board_b_spec in O. apply IH. rewrite it_cell.
  destruct (disjoint taken _); [| exact W]. destruct (disjoint found _); [| exact W].
  destruct (f _); [| exact W]. apply within_lor; [exact W | apply within_single, O].
Qed.

Lemma steps_where_spec : forall f x st,
  within_board b (steps_where f (cells_of b) x st 0%uint63) /\
  forall t, on_board b t -> mem b (steps_where f (cells_of b) x st 0%uint63) t = true ->
  exists s, on_board b s /\ mem b x s = true /\ near s t /\ mem b (taken st) t = false /\
    f ((x lxor single b s) lor single b t)%uint63 (single b t) = true.
Proof.
  intros f x st. unfold cells_of.
  assert (G : forall l found, (forall s, In s l -> on_board b s) -> within_board b found ->
    within_board b (steps_where f (map (cell_of b 2) l) x st found) /\
    forall t, on_board b t -> mem b (steps_where f (map (cell_of b 2) l) x st found) t = true ->
    mem b found t = true \/
    exists s, on_board b s /\ mem b x s = true /\ near s t /\ mem b (taken st) t = false /\
      f ((x lxor single b s) lor single b t)%uint63 (single b t) = true).
  { induction l as [| s l IH]; intros found B W; cbn [map steps_where]; [auto |].
    assert (B' : forall e, In e l -> on_board b e) by (intros; apply B; right; assumption).
    assert (Hs : on_board b s) by (apply B; left; reflexivity).
    rewrite it_cell.
    match goal with |- context [steps_where f _ x st ?y] => set (found' := y) end.
    assert (W' : within_board b found').
    { unfold found'. destruct (disjoint x _); [exact W |]. apply within_near_where; assumption. }
    destruct (IH found' B' W') as [Wi Sp']. split; [exact Wi |]. intros t Ht Mt.
    destruct (Sp' t Ht Mt) as [M | M]; [| auto]. unfold found' in M.
    destruct (disjoint x (single b s)) eqn:D; [auto |]. apply spot_in in D; [| exact Hs].
    apply near_where_spec in M; auto. destruct M as [M | (N & T & E)]; [auto |].
    apply spot_out in T; [| exact Ht]. right. exists s. auto 10. }
  destruct (G (squares b) 0%uint63) as [W H]; [| apply within_zero |].
  { intros s. apply in_squares. }
  split; [exact W |]. intros t Ht Mt. destruct (H t Ht Mt) as [E | E]; [| exact E].
  rewrite mem_zero in E. discriminate.
Qed.

(** The steppers after one has stepped from [s] to [t]. *)
Definition after (x : int) (s t : square) : int := ((x lxor single b s) lor single b t)%uint63.

Lemma after_in : forall x s t u, on_board b s -> on_board b t -> on_board b u ->
  mem b x s = true -> mem b (after x s t) u = true -> u = t \/ (u <> s /\ mem b x u = true).
Proof.
  intros x s t u Hs Ht Hu Ms. unfold after.
  rewrite mem_lor, mem_lxor, orb_true_iff, mem_single_eq by assumption.
  intros [E | E]; [| auto]. right. destruct (square_dec u s) as [-> |].
  - rewrite Ms, (proj2 (mem_single_eq s s Hs Hs) eq_refl) in E. discriminate.
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

(** Two steps are sure while a roomy square is empty after the other side's move. *)
Lemma roomy_sure : spots = spots_of b -> forall p x st q t, seen (other h) p st ->
  shut b h A p -> own p x -> move b (other h) p q -> on_board b t ->
  mem b (roomy (cells_of b) spots x st) t = true -> q t = Empty ->
  sure b h A 2 (set_of x) q.
Proof.
  intros Es p x st q t R C O M Ht Mt Qt. unfold roomy in Mt.
  apply steps_where_spec in Mt; [| exact Ht].
  destruct Mt as (s & Hs & Ms & N & T & L). fold (after x s t) in L. cbv beta zeta in L.
  set (n := spread spots (after x s t) 0%uint63) in *. rewrite Es in L.
  apply at_least_spec in L; [| intros u; apply in_squares].
  apply (taken_spec b (other h)) in T. rewrite R in T by exact Ht. apply mask_empty in T.
  destruct T as [Pt At].
  pose proof (answer_own_set p q x C M O) as O'. pose proof (answer_shut b h A p q C M) as C'.
  assert (St : can_step b h q s t) by (unfold can_step; auto).
  set (P := fun u => mem b n u && A u && negb (square_eqb u t)).
  assert (G : (5 <= count b P p)%nat).
  { eapply Nat.le_trans; [exact L |]. apply filter_length_le. intros u Hu Mu.
    apply in_squares in Hu. rewrite mem_lxor, mem_land, mem_lor in Mu. unfold P.
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
  - intros u E'. unfold P in E'. rewrite !andb_true_iff in E'. tauto.
Qed.

(** What the program says of steps with the other side to move, if [f] is right after its moves. *)
Lemma answering_by_sure : spots = spots_of b -> forall f k,
  (forall p x st, seen h p st -> shut b h A p -> own p x -> f x st = true ->
    sure b h A k (set_of x) p) ->
  forall p x st, seen (other h) p st -> shut b h A p -> own p x ->
  answering_by (cells_of b) spots f k x st = true ->
  forall q, move b (other h) p q -> sure b h A k (set_of x) q.
Proof.
  intros Es f k Hf p x st R C O H q M. unfold answering_by in H.
  destruct (seen_answer p q st R C M) as (st' & Hin & Rq).
  pose proof (answer_own_set p q x C M O) as O'. pose proof (answer_shut b h A p q C M) as C'.
  destruct k as [| [| [| k]]]; [exact I | | |].
  - apply (answering_one_sure p x st R C O Es H q M).
  - destruct (f x _) in H; [| discriminate]. cbv zeta in H.
    set (r := roomy (cells_of b) spots x st) in *.
    destruct (at_least 3 spots r) eqn:L.
    + rewrite Es in L. apply at_least_spec in L; [| intros u; apply in_squares].
      assert (G : (3 <= count b (mem b r) p)%nat).
      { eapply Nat.le_trans; [exact L |]. apply filter_length_le. intros u Hu Mu.
        apply in_squares in Hu. rewrite Mu. pose proof Mu as Mu'. unfold r, roomy in Mu'.
        apply steps_where_spec in Mu'; [| exact Hu]. destruct Mu' as (s & _ & _ & _ & T & _).
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
      apply (roomy_sure Es p x st q t); auto. destruct (q t); [reflexivity | discriminate ..].
    + apply (proj1 (all_moves_spec _ _ _) H) in Hin.
      destruct (open r st') eqn:Op; [| exact (Hf q x st' Rq C' O' Hin)].
      unfold open in Op. apply negb_true_iff in Op.
      apply missing in Op; [| apply steps_where_spec].
      destruct Op as (t & Ht & Mt & T). apply (taken_spec b h) in T. rewrite Rq in T by exact Ht.
      apply mask_empty in T. apply (roomy_sure Es p x st q t); tauto.
  - destruct (f x _) in H; [| discriminate].
    apply (proj1 (all_moves_spec _ _ _) H) in Hin. exact (Hf q x st' Rq C' O' Hin).
Qed.

(** Steps that the program finds sure are. *)
Lemma moving_sure : spots = spots_of b -> forall k p x st, seen h p st -> shut b h A p -> own p x ->
  moving (cells_of b) spots k x st = true -> sure b h A k (set_of x) p.
Proof.
  intros Es. induction k as [| k IH]; intros p x st R C O H; [exact I |].
  cbn [moving] in H. destruct k as [| k]; [eapply open_sure; eauto |].
  apply any_step_spec in H. destruct H as (s & t & Hs & Ht & Ms & N & T & H).
  fold (after x s t) in H.
  apply (taken_spec b h) in T. rewrite R in T by exact Ht. apply mask_empty in T.
  destruct T as [Pt At].
  assert (St : can_step b h p s t) by (unfold can_step; auto).
  exists s, t. split; [split; assumption |]. split; [exact St |]. split; [exact At |].
  intros q M. apply after_sure; [assumption .. |].
  apply (answering_by_sure Es _ (S k) IH (stepped h p s t) (after x s t) _
    (seen_step p s t st R St At) (stepped_shut b h A p s t St C)
    (after_own p x s t O St Ms) H q M).
Qed.

Lemma answering_sure : spots = spots_of b -> forall k p x st, seen (other h) p st ->
  shut b h A p -> own p x -> answering (cells_of b) spots k x st = true ->
  forall q, move b (other h) p q -> sure b h A k (set_of x) q.
Proof.
  intros Es k. exact (answering_by_sure Es _ k (moving_sure Es k)).
Qed.
End Sure.
End Holder.

(** ** The rule *)

Lemma behind_in : forall l amazons area found s, spotted l -> on_board b s ->
  mem b (behind l amazons area found) s = true -> mem b found s = true \/ mem b amazons s = true.
Proof.
  induction l as [| x l IH]; intros amazons area found s Sp Hs H; cbn [behind] in H; [auto |].
  apply IH in H; auto; [| intros y Hy; apply Sp; right; exact Hy].
  destruct H as [H | H]; [| auto].
  destruct (Sp x (or_introl eq_refl)) as (t & Ht & ->). rewrite here_spot in H.
  destruct (disjoint amazons (single b t)) eqn:D; [auto |].
  destruct (disjoint area _); [| auto]. apply spot_in in D; [| exact Ht].
  rewrite mem_lor, orb_true_iff, mem_single_eq in H by assumption.
  destruct H as [H | ->]; auto.
Qed.

Lemma mem_all : forall s, on_board b s -> mem b (all_of b) s = true.
Proof.
  intros s Hs. unfold all_of. pose proof (proj2 (in_squares b s) Hs) as H.
  assert (B : forall t, In t (squares b) -> on_board b t) by (intros; apply in_squares; assumption).
  induction (squares b) as [| t l IH]; [destruct H |]. cbn [fold_right]. rewrite mem_lor.
  destruct H as [-> | H].
  - rewrite (proj2 (mem_single_eq s s Hs Hs) eq_refl). apply orb_true_r.
  - rewrite IH; auto. intros; apply B; right; assumption.
Qed.

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
  (Empties : forall s, on_board b s -> (mem b empty s = true <-> p s = Empty)).

Let cells := cells_of b.
Let spots := spots_of b.
Let all := all_of b.

Section Area.
Variable area : int.
Hypotheses (Inner : forall s, on_board b s -> mem b area s = true -> p s = Empty)
  (Closed : closed empty theirs area).

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
  Z.of_nat (room b A p) + to_Z n <= to_Z (size spots area n).
Proof.
  intros n N. unfold spots. rewrite size_squares by exact N. unfold room, count.
  assert ((length (filter (fun s => A s && is_empty (p s)) (squares b)) <=
    length (filter (mem b area) (squares b)))%nat); [| lia].
  apply filter_length_le. intros s Hs E. apply in_squares in Hs. apply andb_true_iff in E.
  destruct E as [As E]. rewrite <- (area_empty s Hs); [exact As |].
  destruct (p s); [reflexivity | discriminate | discriminate].
Qed.

Lemma area_bound : forall n, 0 <= to_Z n < 100 -> to_Z (size spots area n) < 1000.
Proof.
  intros n N. unfold spots. rewrite size_squares by exact N.
  pose proof few_squares. pose proof (filter_length_le _ (mem b area) (fun _ => true) (squares b)
    (fun _ _ _ => eq_refl)) as L.
  assert (E : forall l : list square, length (filter (fun _ => true) l) = length l).
  { induction l; cbn; auto. }
  rewrite E in L. lia.
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
  { intros s Hs. unfold outside, burned, all. rewrite !mem_lxor, mem_lor, mem_all by exact Hs.
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
Lemma settles_right : forall begins kept first then_ order, spotted order ->
  (forall s, on_board b s -> mem b kept s = true -> p s = Empty /\ mem b area s = false) ->
  (forall s, on_board b s -> mem b first s = true -> mem b mine s = true) ->
  (forall s, on_board b s -> mem b then_ s = true ->
    mem b mine s = true /\ mem b first s = false) ->
  settles cells spots begins (size spots area (if begins then 1 else 0)%uint63) outside burned
    (tour_of kept first then_ order) = true ->
  if begins then wins b h p else loses b (other h) p.
Proof.
  intros begins kept first then_ order Od K Fi Th H.
  set (needed := size spots area (if begins then 1 else 0)%uint63) in *.
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
  destruct (march_spec h A 62 order order first _ p [] [] Od Od T0) as (l1 & ones1 & T1 & I1 & S1).
  { intros s Hs Ms. pose proof (Fi s Hs Ms) as Mm. split; [apply Mine; assumption |].
    split; [apply NA; assumption |]. split; [intros [] | apply mem_zero]. }
  set (w1 := march 62 order order first _) in *. clearbody w1.
  destruct (march_spec h A 62 order order then_ w1 p l1 ones1 Od Od T1) as (l & ones & T & _ & _).
  { intros s Hs Ms. destruct (Th s Hs Ms) as [Mm Nf]. pose proof (Mine s Hs Mm) as Ps.
    split; [exact Ps |]. split; [apply NA; assumption |]. split.
    - intros F'. destruct (S1 s F') as [[] | [E | E]]; congruence.
    - destruct (mem b (t_idle w1) s) eqn:E; [| reflexivity].
      destruct (I1 s Hs E) as [E' | E']; [rewrite mem_zero in E' |]; congruence. }
  set (w := march 62 order order then_ w1) in *. clearbody w.
  destruct T as (W & M & _ & Id & Si & Co).
  pose proof area_shut as C. destruct seen_first as [R1 R2].
  (* Steps of some steppers, if they are enough. *)
  assert (Gain : forall k x ones', own h p x -> spare (set_of x) l ones' ->
    to_Z needed + Z.of_nat (Nat.min k (length ones')) <= to_Z (t_moves w) + 2 * Z.of_nat k ->
    (if begins then moving cells spots k x (State burned outside)
     else answering cells spots k x (State outside burned)) = true ->
    if begins then wins b h p else loses b (other h) p).
  { intros k x ones' Ow Spa Le Su. destruct begins.
    - apply (holder_wins b h A k (set_of x) p l ones' C W Spa); [| lia].
      apply (moving_sure h A spots spots_spotted eq_refl k p x _ R1 C Ow Su).
    - apply (other_loses b h A k (set_of x) p l ones' C W Spa); [| lia].
      apply (answering_sure h A spots spots_spotted eq_refl k p x _ R2 C Ow Su). }
  destruct (needed <=? t_moves w)%uint63 eqn:L.
  { apply leb_spec in L. apply (Gain O 0%uint63 []).
    - intros s _. rewrite mem_zero. discriminate.
    - intros s [_ Ms]. rewrite mem_zero in Ms. discriminate.
    - cbn [Nat.min]. lia.
    - destruct begins; reflexivity. }
  set (ks := if begins then _ else _) in H.
  assert (Ks : forall k g, In (k, g) ks -> to_Z g = 2 * Z.of_nat k /\ (k < 100)%nat).
  { intros k g Hk. subst ks. destruct begins; cbn in Hk;
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

Theorem decides_right : forall back begins, (forall s, on_board b s -> In (spot_of b s) back) ->
  decides cells spots back (orders_of b) all begins mine theirs empty = true ->
  if begins then wins b h p else loses b (other h) p.
Proof.
  intros back begins Ba H. unfold decides in H.
  set (reached := flood 62 spots back empty theirs 0) in *.
  assert (Cl : closed empty theirs (reached land empty)%uint63).
  { intros s t Hs Ht He N Hm. rewrite mem_land, He, andb_true_r.
    apply (flood_closed 62 spots back empty theirs 0%uint63 in_spots Ba s t Hs Ht He N).
    destruct Hm as [Hm | Hm]; [| auto]. rewrite mem_land in Hm. apply andb_true_iff in Hm. tauto. }
  clearbody reached. set (area := (reached land empty)%uint63) in *.
  assert (In1 : forall s, on_board b s -> mem b area s = true -> p s = Empty).
  { intros s Hs Ms. apply Empties; [exact Hs |]. unfold area in Ms. rewrite mem_land in Ms.
    apply andb_true_iff in Ms. tauto. }
  clearbody area.
  destruct (_ <? _)%uint63 in H; [discriminate |].
  apply some_tour_spec in H. destruct H as (order & Ho & H). apply order_spotted in Ho.
  eapply (settles_right area In1 Cl begins); [exact Ho | | | | exact H].
  - intros s Hs Ms. rewrite mem_lxor, mem_lor in Ms.
    destruct (mem b area s) eqn:E1; [rewrite orb_true_r in Ms; discriminate |].
    split; [| reflexivity]. apply Empties; [exact Hs |].
    destruct (mem b empty s); [reflexivity | discriminate].
  - intros s Hs Ms. apply behind_in in Ms; [| apply spots_spotted | exact Hs].
    rewrite mem_zero in Ms. destruct Ms; [discriminate | assumption].
  - intros s Hs Ms. rewrite mem_lxor, mem_lor in Ms.
    destruct (mem b (behind _ _ _ _) s); [rewrite orb_true_r in Ms; discriminate |].
    destruct (mem b mine s); [auto | discriminate].
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
  mem b (all_of b lxor taken st)%uint63 s = true <-> position_of b c st s = Empty.
Proof.
  intros c st s Hs. rewrite mem_lxor, mem_all, <- (taken_spec b c) by exact Hs.
  destruct (mem b (taken st) s); cbn; split; congruence.
Qed.

Lemma in_back : forall s, on_board b s -> In (spot_of b s) (rev (spots_of b)).
Proof. intros s Hs. apply -> in_rev. apply in_spots, Hs. Qed.

(** A state that the rule says to be won is won. *)
Theorem wall_win_right : forall st, says_win (wall_rule b) st = true -> won b st.
Proof.
  intros st H c. unfold wall_rule, wall_win in H. cbn [says_win] in H.
  apply (decides_right c (position_of b c st) _ _ _) in H; auto using in_back.
  - intros s _. apply mine_spec.
  - intros s _. apply theirs_spec.
  - intros s Hs. apply empty_spec, Hs.
Qed.

(** A state that the rule says to be lost is lost. *)
Theorem wall_lose_right : forall st, says_loss (wall_rule b) st = true -> lost b st.
Proof.
  intros st H c. unfold wall_rule, wall_lose in H. cbn [says_loss] in H.
  apply (decides_right (other c) (position_of b c st) _ _ _) in H; auto using in_back.
  - rewrite other_other in H. exact H.
  - intros s _. apply theirs_spec.
  - intros s _. rewrite other_other. apply mine_spec.
  - intros s Hs. apply empty_spec, Hs.
Qed.

Theorem wall_win_by_move_right : forall st,
  says_move (wall_rule b) st = true -> won b st.
Proof.
  intros st H c. unfold wall_rule, wall_win_by_move in H. cbn [says_move] in H.
  apply negb_true_iff in H.
  set (lose := wall_lose _ _ _ _ _) in H.
  destruct (existsb lose (moves (fun l => l) (cells_of b) st)) eqn:E.
  - apply existsb_exists in E. destruct E as (st' & Hin & E).
    apply (won_by (fun l => l) (fun l t => iff_refl _) b c st F st' Hin).
    exact (wall_lose_right st' E).
  - assert (T : all_moves (fun st => negb (lose st)) (cells_of b) st = true); [| congruence].
    apply all_moves_spec. intros st' Hin. apply negb_true_iff.
    destruct (lose st') eqn:L; [| reflexivity].
    assert (C : existsb lose (moves (fun l => l) (cells_of b) st) = true); [| congruence].
    apply existsb_exists. eauto.
Qed.

Theorem wall_rule_right : right_rule b (wall_rule b).
Proof.
  intros st. cbn [says_win says_loss says_move wall_rule].
  auto using wall_win_right, wall_lose_right, wall_win_by_move_right.
Qed.

Theorem no_rule_right : right_rule b no_rule.
Proof. intros st. cbn. repeat split; discriminate. Qed.
End Board.
