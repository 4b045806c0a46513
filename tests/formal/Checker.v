(** A checker of certificates, and the theorem that it is right.

    docs/certificate.md has the format. The checker reads the bytes of a file in which each frame
    is unpacked already: its length is that of the unpacked bytes, and these follow. *)

From Coq Require Import ZArith Lia List Bool Uint63.
Require Import Game Symmetry Sets Moves Images Walls WallRule.
Import ListNotations.
Local Open Scope uint63_scope.

(** * Memory *)

(** A tree with a list of things at each place, which a hash finds. Whether a thing is found is no
    matter of correctness; what is found was put there. *)
Inductive tree (A : Type) :=
| Nothing
| Bucket (l : list A)
| Fork (l r : tree A).
Arguments Nothing {A}.
Arguments Bucket {A}.
Arguments Fork {A}.

Fixpoint bucket {A} (h : int) (t : tree A) : list A :=
  match t with
  | Nothing => []
  | Bucket l => l
  | Fork l r => bucket (h >> 1) (if is_zero (h land 1) then l else r)
  end.

(** [t] with [x] at place [h], of which [n] bits count. With [keep] beside what is there. *)
Fixpoint insert {A} (keep : bool) (n : nat) (h : int) (x : A) (t : tree A) : tree A :=
  match n with
  | O => Bucket (x :: match t with Bucket l => if keep then l else [] | _ => [] end)
  | S n =>
      match t with
      | Fork l r =>
          if is_zero (h land 1) then Fork (insert keep n (h >> 1) x l) r
          else Fork l (insert keep n (h >> 1) x r)
      | _ =>
          if is_zero (h land 1) then Fork (insert keep n (h >> 1) x Nothing) Nothing
          else Fork Nothing (insert keep n (h >> 1) x Nothing)
      end
  end.

Definition hash (st : state) : int :=
  ((lo st * 0x1E3779B97F4A7C15) lxor (hi st * 0x42B2AE3D27D4EB4F)) >> 38.

Definition same (s t : state) : bool := (lo s =? lo t) && (hi s =? hi t).

(** * Negamax *)

Inductive verdict := Win | Loss | Unknown.

(** Verdicts on states that were judged before. *)
Definition memory : Type := tree (state * verdict).

Definition recall (h : int) (m : memory) (st : state) : verdict :=
  match bucket h m with
  | (st', v) :: _ => if same st st' then v else Unknown
  | [] => Unknown
  end.

Definition remember (h : int) (st : state) (v : verdict) (m : memory) : memory :=
  insert false 14 h (st, v) m.

Section Board.
(** The squares, the tables of the symmetries, and a rule that may be asked. *)
Variable cells : list cell.
Variable images : list (list (int * int)).
Variable walls : rule.

(** ** The order in which moves are tried: any is right *)

Fixpoint count_walk (taken : int) (ray : list cell) (n : int) : int :=
  match ray with
  | [] => n
  | t :: ray => if disjoint taken (it t) then count_walk taken ray (n + 1) else n
  end.

Fixpoint count_walks (taken : int) (rays : list (list cell)) (n : int) : int :=
  match rays with
  | [] => n
  | r :: rays => count_walks taken rays (count_walk taken r n)
  end.

(** How many steps the side to move has. *)
Fixpoint count_steps (cells : list cell) (st : state) (n : int) : int :=
  match cells with
  | [] => n
  | s :: cells => count_steps cells st
      (if negb (disjoint (lo st) (it s)) && disjoint (hi st) (it s)
       then count_walks (taken st) (rays s) n else n)
  end.

Fixpoint sorted_in (n : int) (st : state) (l : list (int * state)) : list (int * state) :=
  match l with
  | [] => [(n, st)]
  | (m, x) as y :: l' => if n <=? m then (n, st) :: l else y :: sorted_in n st l'
  end.

(** Those first that leave the other side the fewest steps. *)
Definition by_steps (l : list state) : list state :=
  map snd (fold_right (fun st => sorted_in (count_steps cells st 0) st) [] l).

(** ** The search *)

(** The verdict on a state from those of [f] on the states after its moves, [l]. *)
Fixpoint best (f : memory -> state -> verdict * memory) (m : memory) (l : list state)
    (so_far : verdict) : verdict * memory :=
  match l with
  | [] => (so_far, m)
  | st :: l =>
      let (v, m) := f m st in
      match v with
      | Loss => (Win, m)
      | Win => best f m l so_far
      | Unknown => best f m l Unknown
      end
  end.

(** Who wins; unknown only if more than [fuel] moves can follow each other. *)
Fixpoint negamax (fuel : nat) (m : memory) (st : state) : verdict * memory :=
  match fuel with
  | O => (Unknown, m)
  | S n =>
      match n with
      | S (S (S (S (S _)))) =>
          let h := hash st in
          match recall h m st with
          | Unknown =>
              if says_win walls st then (Win, remember h st Win m)
              else if says_loss walls st then (Loss, remember h st Loss m)
              else if says_move walls st then (Win, remember h st Win m)
              else
                let (v, m) := best (negamax n) m (by_steps (moves (fun l => l) cells st)) Loss in
                (v, remember h st v m)
          | v => (v, m)
          end
      | _ => best (negamax n) m (moves (fun l => l) cells st) Loss
      end
  end.

(** * Listed positions *)

(** The smallest images of states that were shown to be won. *)
Definition proved : Type := tree state.

Definition known (p : proved) (st : state) : bool :=
  existsb (same st) (bucket (hash st) p).

Definition add_proved (st : state) (p : proved) : proved :=
  insert true 18 (hash st) st p.

Fixpoint count_empty (cells : list cell) (taken : int) : nat :=
  match cells with
  | [] => O
  | s :: cells => if disjoint taken (it s) then S (count_empty cells taken)
                  else count_empty cells taken
  end.

(** Whether a state is won by what is known: a leaf by negamax, any other by the rule or as an image
    of a state that was shown to be won. *)
Definition covered (leaf : nat) (p : proved) (m : memory) (st : state) : bool * memory :=
  let e := count_empty cells (taken st) in
  if Nat.leb e leaf
  then let (v, m) := negamax (S e) m st in (match v with Win => true | _ => false end, m)
  else
    (if says_win walls st then true
     else if known p (canonical images st) then true else says_move walls st, m).

Fixpoint all_covered (leaf : nat) (p : proved) (m : memory) (l : list state) : bool * memory :=
  match l with
  | [] => (true, m)
  | st :: l =>
      let (c, m) := covered leaf p m st in
      if c then all_covered leaf p m l else (false, m)
  end.

(** Whether a state is lost: by the rule, or because what follows is covered. *)
Definition answered (leaf : nat) (p : proved) (m : memory) (st : state) : bool * memory :=
  if says_loss walls st then (true, m)
  else all_covered leaf p m (moves (fun l => l) cells st).

Fixpoint cell_in (t : cell) (l : list cell) : list cell :=
  match l with
  | [] => [t]
  | u :: l' => if it t <=? it u then t :: l else u :: cell_in t l'
  end.

(** Cells in increasing order of their squares. *)
Definition sorted (l : list cell) : list cell := fold_right cell_in [] l.

Fixpoint pick {A} (n : int) (l : list A) : option A :=
  match l with
  | [] => None
  | x :: l => if is_zero n then Some x else pick (n - 1) l
  end.

(** Goes through listed states, each with the number of its move: all that can follow after the
    move and an answer is covered by those before. So those with most arrows come first. *)
Fixpoint prove (leaf : nat) (p : proved) (m : memory) (l : list (state * int))
    : option (proved * memory) :=
  match l with
  | [] => Some (p, m)
  | (st, n) :: l =>
      match pick n (moves sorted cells st) with
      | None => None
      | Some st' =>
          let (c, m) := answered leaf p m st' in
          if c then prove leaf (add_proved (canonical images st) p) m l else None
      end
  end.

(** Whether the start is won, or lost, by what is listed. *)
Definition holds (leaf : nat) (l : list (state * int)) (start : state) (win : bool) : bool :=
  match prove leaf Nothing Nothing l with
  | None => false
  | Some (p, m) =>
      fst (if win then covered leaf p m start else answered leaf p m start)
  end.
End Board.

(** * Reading *)

Fixpoint take (n : nat) (bytes : list int) : option (list int * list int) :=
  match n, bytes with
  | O, _ => Some ([], bytes)
  | S n, x :: bytes =>
      match take n bytes with
      | Some (l, rest) => Some (x :: l, rest)
      | None => None
      end
  | S _, [] => None
  end.

(** The number of which these are the bytes, the lowest first. *)
Definition number (bytes : list int) : int :=
  fold_right (fun x n => (n << 8) lor x) 0 bytes.

Definition mask : int := 0x3FFFFFFFFFFFFFFF.

(** A number in groups of seven bits, into two words of 62 bits. [room] is the number of bytes that
    it may be taken from; what is left of them comes back. *)
Fixpoint varint (n : nat) (room : int) (bytes : list int) (shift low high : int)
    : option (int * int * (int * list int)) :=
  match n, bytes with
  | S n, x :: bytes =>
      if is_zero room then None else
      let part := x land 127 in
      let low := low lor ((part << shift) land mask) in
      let high := high lor
        (if shift <? 62 then part >> (62 - shift) else part << (shift - 62)) in
      if x <? 128 then Some (low, high, (room - 1, bytes))
      else varint n (room - 1) bytes (shift + 7) low high
  | _, _ => None
  end.

(** The state of 31 squares: every other bit of [word]. *)
Fixpoint spread (n : nat) (word one : int) (st : state) : state :=
  match n with
  | O => st
  | S n => spread n (word >> 2) (one << 1)
      (State (if is_zero (word land 1) then lo st else lo st lor one)
             (if is_zero (word land 2) then hi st else hi st lor one))
  end.

Definition state_of_code (low high : int) : state :=
  spread 31 high (1 << 31) (spread 31 low 1 (State 0 0)).

Fixpoint ones (n : nat) (x : int) : int :=
  match n with
  | O => 0
  | S n => (x land 1) + ones n (x >> 1)
  end.

(** Where a reader is: positions left in the frame, bytes left in it, its arrows, the code before
    as two words, and the last of all codes if it has as many arrows. *)
Record place := Place {
  left : int; room : int; arrows : int; low : int; high : int; last : option (int * int)
}.

(** All listed states with the numbers of their moves, the last one first. Each round takes at least
    one byte, so as many rounds as bytes will do. *)
Fixpoint listed (rounds bytes : list int) (all : int) (at_ : place) (found : list (state * int))
    : option (list (state * int)) :=
  match rounds with
  | [] => None
  | _ :: rounds =>
      if is_zero (left at_) then
        if negb (is_zero (room at_)) then None else
        match bytes with
        | [] => None
        | tag :: bytes =>
            if tag =? 69 then if Nat.eqb (length bytes) 32 then Some found else None
            else if negb (tag =? 70) then None
            else match take 9 bytes with
            | Some ([a; n0; n1; n2; n3; l0; l1; l2; l3], bytes) =>
                let n := number [n0; n1; n2; n3] in
                if is_zero n || (a <? arrows at_) then None else
                listed rounds bytes all
                  (Place n (number [l0; l1; l2; l3]) a 0 0
                     (if a =? arrows at_ then last at_ else None)) found
            | _ => None
            end
        end
      else
        match varint 18 (room at_) bytes 0 0 0 with
        | None => None
        | Some (dl, dh, (room, bytes)) =>
            match varint 5 room bytes 0 0 0 with
            | None => None
            | Some (played, _, (room, bytes)) =>
                let sum := low at_ + dl in
                let low := sum land mask in
                let high := high at_ + dh + (sum >> 62) in
                let st := state_of_code low high in
                let in_order :=
                  match last at_ with
                  | None => true
                  | Some (l, h) => (h <? high) || ((h =? high) && (l <? low))
                  end in
                if in_order && (high <=? mask) && (taken st <=? all)
                   && (ones 62 (lo st land hi st) =? arrows at_)
                then listed rounds bytes all
                  (Place (left at_ - 1) room (arrows at_) low high (Some (low, high)))
                  ((st, played) :: found)
                else None
            end
        end
  end.

Definition colour_of (turn : int) : option colour :=
  if turn =? 0 then Some White else if turn =? 1 then Some Black else None.

Definition bool_of (x : int) : option bool :=
  if x =? 0 then Some false else if x =? 1 then Some true else None.

(** A word of eight bytes, if it is below 2^62. *)
Definition word (bytes : list int) : option int :=
  match rev bytes with
  | x :: _ => if x <? 64 then Some (number bytes) else None
  | [] => None
  end.

(** What a certificate shows: who wins which position. *)
Record shown := Shown {
  its_board : board;
  its_position : position;
  its_turn : colour;
  its_winner : colour
}.

Definition fits_b (b : board) : bool :=
  ((1 <=? columns b) && (1 <=? rows b) && (columns b * rows b <=? 62))%Z.

(** "AMZPROOF". *)
Definition magic : list int := [65; 77; 90; 80; 82; 79; 79; 70].

(** The rule that a file of a version may rest on. *)
Definition rule_of (b : board) (version : int) : option rule :=
  if version =? 1 then Some no_rule
  else if (version =? 3) || (version =? 4) then Some (wall_rule b)
  else None.

Fixpoint equal (l l' : list int) : bool :=
  match l, l' with
  | [], [] => true
  | x :: l, x' :: l' => (x =? x') && equal l l'
  | _, _ => false
  end.

(** What a certificate shows; nothing if it does not hold. *)
Definition check (bytes : list int) : option shown :=
  match take 8 bytes with
  | Some (found, bytes) =>
    if negb (equal found magic) then None else
    match take 6 bytes with
    | Some ([version; columns; rows; turn; win; leaf], bytes) =>
      let b := Board (to_Z columns) (to_Z rows) in
      match take 8 bytes with
      | Some (mover, bytes) =>
        match take 8 bytes with
        | Some (opponent, bytes) =>
          match take 8 bytes with
          | Some (burned, bytes) =>
            match rule_of b version, colour_of turn, bool_of win, word mover, word opponent,
              word burned with
            | Some walls, Some turn, Some win, Some mover, Some opponent, Some burned =>
              let all := (1 << (columns * rows)) - 1 in
              let start := State (mover lor burned) (opponent lor burned) in
              if fits_b b && (leaf <=? 12) && (taken start <=? all)
                 && disjoint mover opponent && disjoint (mover lor opponent) burned
              then
                match listed bytes bytes all (Place 0 0 0 0 0 None) [] with
                | None => None
                | Some l =>
                  if holds (cells_of b) (tables b) walls (Z.to_nat (to_Z leaf)) l start win
                  then Some (Shown b (position_of b turn start) turn
                               (if win then turn else other turn))
                  else None
                end
              else None
            | _, _, _, _, _, _ => None
            end
          | None => None
          end
        | None => None
        end
      | None => None
      end
    | _ => None
    end
  | None => None
  end.

(** The wall rule on a board, to be held against the verdicts of others. *)
Definition rule_on (columns rows : int) : option rule :=
  let b := Board (to_Z columns) (to_Z rows) in
  if fits_b b then Some (wall_rule b) else None.

(** The position in rows as it is drawn, the highest one first. *)
Definition diagram (s : shown) : list (list content) :=
  map (fun y => map (fun x => its_position s (x, y)) (ranks (columns (its_board s))))
    (rev (ranks (rows (its_board s)))).

(** * Proofs *)

(** [P] holds for all things in a tree. *)
Fixpoint within {A} (P : A -> Prop) (t : tree A) : Prop :=
  match t with
  | Nothing => True
  | Bucket l => Forall P l
  | Fork l r => within P l /\ within P r
  end.

Lemma bucket_within : forall A (P : A -> Prop) t h, within P t -> Forall P (bucket h t).
Proof.
  induction t as [| l | l IHl r IHr]; cbn; intros h H.
  - constructor.
  - exact H.
  - destruct H. match goal with |- context [if ?x then _ else _] => destruct x end; auto.
Qed.

Lemma insert_within : forall A (P : A -> Prop) keep n h x t,
  P x -> within P t -> within P (insert keep n h x t).
Proof.
  intros A P keep n. induction n as [| n IH]; intros h x t Px Ht.
  - cbn. constructor; [exact Px |]. destruct t; try constructor.
    destruct keep; [exact Ht | constructor].
  - cbn [insert]. destruct t; destruct (is_zero (h land 1)); cbn [within] in *;
      split; try exact I; try (apply IH; [exact Px |]); try exact I; destruct Ht; assumption.
Qed.

Lemma same_spec : forall s t, same s t = true -> s = t.
Proof.
  intros [a b] [a' b'] H. unfold same in H. cbn in H. apply andb_true_iff in H.
  destruct H as [H1 H2]. apply eqb_spec in H1, H2. congruence.
Qed.

Section Correct.
Variable b : board.
Hypothesis F : fits b.
Let cells := cells_of b.
Let images := tables b.
Variable walls : rule.
Hypothesis Right : right_rule b walls.

Definition right (st : state) (v : verdict) : Prop :=
  match v with Win => won b st | Loss => lost b st | Unknown => True end.

Definition right_memory (m : memory) : Prop := within (fun x => right (fst x) (snd x)) m.

Lemma recall_right : forall h m st, right_memory m -> right st (recall h m st).
Proof.
  intros h m st H. apply (bucket_within _ _ m h) in H. unfold recall.
  destruct (bucket h m) as [| [st' v] l]; [exact I |].
  inversion H; subst. destruct (same st st') eqn:E; [| exact I].
  apply same_spec in E. subst. assumption.
Qed.

Lemma in_sorted_in : forall n st l x,
  In x (map snd (sorted_in n st l)) <-> x = st \/ In x (map snd l).
Proof.
  intros n st l x. induction l as [| [m y] l IH].
  - cbn. intuition.
  - cbn [sorted_in]. destruct (n <=? m).
    + cbn. intuition.
    + cbn [map snd In]. rewrite IH. intuition.
Qed.

Lemma in_by_steps : forall l x, In x (by_steps cells l) <-> In x l.
Proof.
  intros l x. unfold by_steps. induction l as [| y l IH]; [reflexivity |].
  cbn [fold_right]. rewrite in_sorted_in, IH. cbn. intuition.
Qed.

Lemma in_same : forall (l : list cell) t, In t l <-> In t l.
Proof. reflexivity. Qed.

Definition right_search (f : memory -> state -> verdict * memory) : Prop :=
  forall m st, right_memory m -> right st (fst (f m st)) /\ right_memory (snd (f m st)).

Lemma best_right : forall f st l, right_search f ->
  (forall st', In st' (moves (fun l => l) cells st) <-> In st' l) ->
  forall m, right_memory m ->
  right st (fst (best f m l Loss)) /\ right_memory (snd (best f m l Loss)).
Proof.
  intros f st l Hf Hl.
  assert (G : forall l1 m so_far, right_memory m -> (forall st', In st' l1 -> In st' l) ->
    so_far <> Win ->
    (so_far = Loss -> forall st', In st' l -> In st' l1 \/ won b st') ->
    right st (fst (best f m l1 so_far)) /\ right_memory (snd (best f m l1 so_far))).
  { induction l1 as [| x l1 IH]; intros m so_far Hm Hin Hw Hrest; cbn [best].
    - split; [| exact Hm]. cbn. destruct so_far; [congruence | | exact I].
      intros c. apply (lost_by (fun l => l) in_same b c st F). intros st' Hs.
      apply Hl in Hs. destruct (Hrest eq_refl st' Hs) as [[] |]; assumption.
    - destruct (Hf m x Hm) as [R M]. destruct (f m x) as [v m']. cbn [fst snd] in R, M.
      destruct v; cbn in R.
      + apply IH; auto. { intros; apply Hin; right; assumption. }
        intros E st' Hs. destruct (Hrest E st' Hs) as [[<- | H] | H]; auto.
      + split; [| exact M]. cbn. intros c.
        apply (won_by (fun l => l) in_same b c st F x); [| exact R].
        apply Hl, Hin. left. reflexivity.
      + apply IH; auto; try discriminate. intros; apply Hin; right; assumption. }
  intros m Hm. apply G; auto; discriminate.
Qed.

(** Negamax is right, whatever it remembers. *)
Theorem negamax_right : forall fuel, right_search (negamax cells walls fuel).
Proof.
  induction fuel as [| n IH]; intros m st Hm; [split; [exact I | exact Hm] |].
  cbn [negamax].
  assert (P : forall l, (forall st', In st' (moves (fun l => l) cells st) <-> In st' l) ->
    right st (fst (best (negamax cells walls n) m l Loss)) /\
    right_memory (snd (best (negamax cells walls n) m l Loss))).
  { intros l Hl. apply best_right; auto. }
  assert (Q : forall r, r = match recall (hash st) m st with
      | Unknown =>
          if says_win walls st then (Win, remember (hash st) st Win m)
          else if says_loss walls st then (Loss, remember (hash st) st Loss m)
          else if says_move walls st then (Win, remember (hash st) st Win m)
          else
            let (v, m) := best (negamax cells walls n) m
              (by_steps cells (moves (fun l => l) cells st)) Loss in
            (v, remember (hash st) st v m)
      | v => (v, m)
      end -> right st (fst r) /\ right_memory (snd r)).
  { intros r ->. pose proof (recall_right (hash st) m st Hm) as Hr.
    destruct (recall (hash st) m st); [split; assumption | split; assumption |].
    destruct (Right st) as (Rw & Rl & Rm).
    destruct (says_win walls st); [split; [| apply insert_within]; cbn; auto |].
    destruct (says_loss walls st); [split; [| apply insert_within]; cbn; auto |].
    destruct (says_move walls st); [split; [| apply insert_within]; cbn; auto |].
    destruct (P (by_steps cells (moves (fun l => l) cells st))) as [R1 R2].
    { intros st'. symmetry. apply in_by_steps. }
    destruct (best _ m _ Loss) as [v m']. cbn [fst snd] in *.
    split; [exact R1 |]. apply insert_within; assumption. }
  destruct n as [| [| [| [| [| n]]]]]; try (apply P; reflexivity).
  apply Q. reflexivity.
Qed.

Definition right_proved (p : proved) : Prop := within (won b) p.

Lemma known_right : forall p st, right_proved p -> known p st = true -> won b st.
Proof.
  intros p st Hp H. unfold known in H. apply existsb_exists in H. destruct H as (st' & Hin & E).
  apply same_spec in E. subst. apply (bucket_within _ _ p (hash st')) in Hp.
  rewrite Forall_forall in Hp. auto.
Qed.

Lemma covered_right : forall leaf p m st, right_proved p -> right_memory m ->
  right_memory (snd (covered cells images walls leaf p m st)) /\
  (fst (covered cells images walls leaf p m st) = true -> won b st).
Proof.
  intros leaf p m st Hp Hm. unfold covered. cbv zeta.
  destruct (Nat.leb _ _).
  - destruct (negamax_right (S (count_empty cells (taken st))) m st Hm) as [V M].
    destruct (negamax _ _ _ m st) as [v m']. cbn [fst snd] in *. split; [exact M |].
    destruct v; try discriminate. intros _. exact V.
  - cbn [fst snd]. split; [exact Hm |]. intros H. destruct (Right st) as (Rw & _ & Rm).
    destruct (says_win walls st); [auto |].
    destruct (known p (canonical images st)) eqn:K; [| auto].
    apply known_right in K; [| exact Hp]. apply (canonical_won b st F). exact K.
Qed.

Lemma all_covered_right : forall leaf p l m, right_proved p -> right_memory m ->
  right_memory (snd (all_covered cells images walls leaf p m l)) /\
  (fst (all_covered cells images walls leaf p m l) = true -> forall st, In st l -> won b st).
Proof.
  intros leaf p l. induction l as [| x l IH]; intros m Hp Hm; cbn [all_covered].
  - split; [exact Hm | intros _ st []].
  - destruct (covered_right leaf p m x Hp Hm) as [M C].
    destruct (covered cells images walls leaf p m x) as [c m']. cbn [fst snd] in *.
    destruct c; [| split; [exact M | discriminate]].
    destruct (IH m' Hp M) as [M' C']. split; [exact M' |].
    intros H st [<- | Hs]; auto.
Qed.

Lemma answered_right : forall leaf p m st, right_proved p -> right_memory m ->
  right_memory (snd (answered cells images walls leaf p m st)) /\
  (fst (answered cells images walls leaf p m st) = true -> lost b st).
Proof.
  intros leaf p m st Hp Hm. unfold answered.
  destruct (says_loss walls st) eqn:L.
  - cbn. split; [exact Hm |]. intros _. apply (Right st), L.
  - destruct (all_covered_right leaf p (moves (fun l => l) cells st) m Hp Hm) as [M C].
    split; [exact M |]. intros H c. apply (lost_by (fun l => l) in_same b c st F). exact (C H).
Qed.

Lemma in_sorted : forall l t, In t (sorted l) <-> In t l.
Proof.
  assert (G : forall t l u, In u (cell_in t l) <-> u = t \/ In u l).
  { intros t l u. induction l as [| v l IH]; cbn; [intuition |].
    destruct (it t <=? it v); cbn; [intuition |]. rewrite IH. intuition. }
  intros l t. unfold sorted. induction l as [| u l IH]; [reflexivity |].
  cbn [fold_right]. rewrite G, IH. cbn. intuition.
Qed.

Lemma pick_in : forall A (l : list A) n x, pick n l = Some x -> In x l.
Proof.
  induction l as [| y l IH]; intros n x H; cbn [pick] in H; [discriminate |].
  destruct (is_zero n); [injection H as ->; left; reflexivity | right; eauto].
Qed.

(** All that is proved is won. *)
Lemma prove_right : forall leaf l p m p' m', right_proved p -> right_memory m ->
  prove cells images walls leaf p m l = Some (p', m') -> right_proved p' /\ right_memory m'.
Proof.
  intros leaf l. induction l as [| [st n] l IH]; intros p m p' m' Hp Hm H; cbn [prove] in H.
  - injection H as <- <-. auto.
  - destruct (pick n _) as [st' |] eqn:E; [| discriminate]. apply pick_in in E.
    destruct (answered_right leaf p m st' Hp Hm) as [M C].
    destruct (answered _ _ _ _ _ m _) as [c m1]. cbn [fst snd] in *.
    destruct c; [| discriminate].
    apply IH in H; [exact H | | exact M].
    apply insert_within; [| exact Hp]. apply (canonical_won b st F). intros c.
    apply (won_by sorted in_sorted b c st F st' E). apply C. reflexivity.
Qed.

Lemma holds_right : forall leaf l start win, holds cells images walls leaf l start win = true ->
  if win then won b start else lost b start.
Proof.
  intros leaf l start win H. unfold holds in H.
  destruct (prove _ _ _ _ _ _ l) as [[p m] |] eqn:E; [| discriminate].
  apply prove_right in E; [| exact I | exact I]. destruct E as [Hp Hm].
  destruct win.
  - apply (covered_right leaf p m start Hp Hm). exact H.
  - apply (answered_right leaf p m start Hp Hm). exact H.
Qed.
End Correct.

Lemma fits_b_spec : forall b, fits_b b = true -> fits b.
Proof.
  intros b H. unfold fits_b in H. rewrite !andb_true_iff, !Z.leb_le in H. unfold fits. tauto.
Qed.

Lemma rule_of_right : forall b, fits b -> forall version r,
  rule_of b version = Some r -> right_rule b r.
Proof.
  intros b F version r H. unfold rule_of in H. destruct (version =? 1).
  - injection H as <-. apply no_rule_right.
  - destruct (_ || _); [| discriminate]. injection H as <-. apply wall_rule_right, F.
Qed.

(** * The theorem *)

(** Who wins by a certificate that the checker takes wins by the rules. *)
Theorem check_correct : forall bytes s,
  check bytes = Some s ->
  side_wins (its_board s) (its_position s) (its_turn s) (its_winner s).
Proof.
  intros bytes s H. unfold check in H.
  repeat match type of H with
  | match ?x with _ => _ end = _ => destruct x eqn:?; try discriminate
  | (if ?x then _ else _) = _ => destruct x eqn:?; try discriminate
  end.
  all: injection H as <-; cbn [its_board its_position its_turn its_winner].
  all: repeat match goal with E : _ && _ = true |- _ => apply andb_true_iff in E; destruct E end.
  all: match goal with E : fits_b _ = true |- _ => apply fits_b_spec in E; rename E into F end.
  all: match goal with E : rule_of _ _ = Some _ |- _ => apply (rule_of_right _ F) in E end.
  all: match goal with Q : right_rule _ _, E : holds _ _ _ _ _ _ _ = true |- _ =>
    apply (holds_right _ F _ Q) in E; rename E into R end.
  all: match goal with w : bool |- _ => destruct w end; [left | right]; split; auto.
Qed.
