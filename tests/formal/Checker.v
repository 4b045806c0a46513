(** A checker of certificates, and the theorem that it is right.

    docs/certificate.md has the format. The checker reads the bytes of a file in which each frame
    is unpacked already: its length is that of the unpacked bytes, and these follow. It checks a
    part of the file, or all of it, which is part 1 of 1. *)

From Coq Require Import ZArith Lia List Bool Uint63 PArray.
Require Import Game Symmetry Sets Moves Images Walls Bits WallRule.
Import ListNotations.
Local Open Scope uint63_scope.

(** * Memory *)

(** Arrays in which a hash finds things. Whether a thing is found is no matter of correctness; what
    is found was put there. *)
Definition hash (st : state) : int :=
  ((lo st * 0x1E3779B97F4A7C15) lxor (hi st * 0x42B2AE3D27D4EB4F)) >> 38.

Definition same (s t : state) : bool := (lo s =? lo t) && (hi s =? hi t).

(** * Negamax *)

Inductive verdict := Win | Loss | Unknown.

(** Verdicts on states that were judged before: a later one takes the place of an earlier one. A
    state is in three arrays, at one place of each: most that are asked for are not there, which the
    first array mostly tells alone. *)
Record memory := Memory { los : array int; his : array int; verdicts : array verdict }.

Definition no_memory (places : int) : memory :=
  Memory (make places 0) (make places 0) (make places Unknown).

Definition place_of (h : int) (m : memory) : int := h land (PArray.length (los m) - 1).

Definition recall (h : int) (m : memory) (st : state) : verdict :=
  let i := place_of h m in
  if (los m).[i] =? lo st then if (his m).[i] =? hi st then (verdicts m).[i] else Unknown
  else Unknown.

Definition remember (h : int) (st : state) (v : verdict) (m : memory) : memory :=
  let i := place_of h m in
  Memory (los m).[i <- lo st] (his m).[i <- hi st] (verdicts m).[i <- v].

(** ** Moves one by one, without a list of them *)

Definition opposite (v : verdict) : verdict :=
  match v with Win => Loss | Loss => Win | Unknown => Unknown end.

(** The best of [so_far] and of what [f] says of the cells that a queen reaches: nothing more is
    asked after a win. *)
Fixpoint best_walk (f : cell -> verdict) (taken : int) (ray : list cell) (so_far : verdict)
    : verdict :=
  match ray with
  | [] => so_far
  | t :: ray =>
      if disjoint taken (it t) then
        match f t with
        | Win => Win
        | Loss => best_walk f taken ray so_far
        | Unknown => best_walk f taken ray Unknown
        end
      else so_far
  end.

Fixpoint best_walks (f : cell -> verdict) (taken : int) (rays : list (list cell))
    (so_far : verdict) : verdict :=
  match rays with
  | [] => so_far
  | r :: rays =>
      match best_walk f taken r Loss with
      | Win => Win
      | Loss => best_walks f taken rays so_far
      | Unknown => best_walks f taken rays Unknown
      end
  end.

(** The verdict on a state whose side moves the amazon on [from], if [f] is that on the states after
    it. *)
Definition best_steps (f : state -> verdict) (st : state) (from : cell) : verdict :=
  best_walks
    (fun to =>
      let st := after_step st (it from) (it to) in
      best_walks (fun arrow => opposite (f (after_shot st (it arrow)))) (taken st) (rays to) Loss)
    (taken st) (rays from) Loss.

Fixpoint best_moves (f : state -> verdict) (cells : list cell) (st : state) (so_far : verdict)
    : verdict :=
  match cells with
  | [] => so_far
  | from :: cells =>
      if negb (disjoint (lo st) (it from)) && disjoint (hi st) (it from) then
        match best_steps f st from with
        | Win => Win
        | Loss => best_moves f cells st so_far
        | Unknown => best_moves f cells st Unknown
        end
      else best_moves f cells st so_far
  end.

(** Who wins, for states with few moves; unknown only if [fuel] moves can follow each
    other. *)
Fixpoint brief (cells : list cell) (fuel : nat) (st : state) : verdict :=
  match fuel with
  | O => Unknown
  | S n => best_moves (brief cells n) cells st Loss
  end.

(** Twenty for each square that the amazons of the side to move come to by king steps, two for each
    that they come to by one, and one less for each that those of the other side come to by one. *)
Definition worth_in (f : field) (st : state) : int :=
  let burned := lo st land hi st in
  let empty := whole f lxor (whole f land taken st) in
  let own := lo st lxor burned in
  size 63 (flood f 63 empty own 0 land empty) 0 * 20 + size 63 (king f own land empty) 0 * 2
  + (63 - size 63 (king f (hi st lxor burned) land empty) 0).

Definition worth_on (b : board) : state -> int := worth_in (field_of b).

Section Board.
(** The squares, the tables of the symmetries, a rule that may be asked, a quicker one for negamax,
    and what the side to move still has in a state: moves are tried first that leave it the least. *)
Variable cells : list cell.
Variable images : list (list (int * int)).
Variables walls quick : rule.
Variable worth : state -> int.

(** ** The order in which moves are tried: any is right *)

Fixpoint sorted_in (n : int) (st : state) (l : list (int * state)) : list (int * state) :=
  match l with
  | [] => [(n, st)]
  | (m, x) as y :: l' => if n <=? m then (n, st) :: l else y :: sorted_in n st l'
  end.

(** States, those of least [worth] first. *)
Definition by_worth (l : list state) : list state :=
  map snd (fold_right (fun st => sorted_in (worth st) st) [] l).

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

(** Who wins; unknown only if [fuel] moves can follow each other. *)
Fixpoint negamax (fuel : nat) (m : memory) (st : state) : verdict * memory :=
  match fuel with
  | O => (Unknown, m)
  | S n =>
      match n with
      | S (S (S (S (S _)))) =>
          let h := hash st in
          match recall h m st with
          | Unknown =>
              if says_win quick st then (Win, remember h st Win m)
              else if says_move quick st then (Win, remember h st Win m)
              else
                let (v, m) := best (negamax n) m (by_worth (moves (fun l => l) cells st)) Loss in
                (v, remember h st v m)
          | v => (v, m)
          end
      | _ => (brief cells fuel st, m)
      end
  end.

(** * Listed positions *)

(** Listed states, by their hashes. *)
Definition claims : Type := array (list state).

Definition no_claims (places : int) : claims := make places [].

Definition known (p : claims) (st : state) : bool :=
  existsb (same st) p.[hash st land (PArray.length p - 1)].

Definition add (st : state) (p : claims) : claims :=
  let h := hash st land (PArray.length p - 1) in p.[h <- st :: p.[h]].

Fixpoint count_empty (cells : list cell) (taken : int) : nat :=
  match cells with
  | [] => O
  | s :: cells => if disjoint taken (it s) then S (count_empty cells taken)
                  else count_empty cells taken
  end.

(** Whether a state is won by what is known: a leaf by negamax, any other by the rule or as an image
    of a state that was shown to be won. *)
Definition covered (leaf : nat) (p : claims) (m : memory) (st : state) : bool * memory :=
  let e := count_empty cells (taken st) in
  if Nat.leb e leaf
  then let (v, m) := negamax (S e) m st in (match v with Win => true | _ => false end, m)
  else
    (if says_win walls st then true
     else if known p (canonical images st) then true else says_move walls st, m).

Fixpoint all_covered (leaf : nat) (p : claims) (m : memory) (l : list state) : bool * memory :=
  match l with
  | [] => (true, m)
  | st :: l =>
      let (c, m) := covered leaf p m st in
      if c then all_covered leaf p m l else (false, m)
  end.

(** Whether a state is lost: by the rule, or because what follows is covered. *)
Definition answered (leaf : nat) (p : claims) (m : memory) (st : state) : bool * memory :=
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

(** A listed state with the number of its move, and the number of its chunk in the file. *)
Record entry := Entry { e_state : state; e_move : int; e_chunk : int }.

(** Goes through listed states of part [k] of [n], from 0: all that can follow after the move and an
    answer is covered by the claims of [p]. *)
Fixpoint prove (leaf : nat) (n k : int) (p : claims) (m : memory) (l : list entry)
    : option memory :=
  match l with
  | [] => Some m
  | e :: l =>
      if (e_chunk e mod n) =? k then
        match pick (e_move e) (moves sorted cells (e_state e)) with
        | None => None
        | Some st' =>
            let (c, m) := answered leaf p m st' in
            if c then prove leaf n k p m l else None
        end
      else prove leaf n k p m l
  end.

(** The claims of frames that were gone through, by the number of arrows. *)
Definition tiers : Type := list (int * claims).

Fixpoint tier (places a : int) (ts : tiers) : claims :=
  match ts with
  | [] => no_claims places
  | (a', p) :: ts => if a =? a' then p else tier places a ts
  end.

(** With the claims [p] of [a] arrows, and without those that no frame of as many or fewer arrows
    asks for. *)
Definition with_tier (a : int) (p : claims) (ts : tiers) : tiers :=
  (a, p) :: filter (fun t => (a <? fst t) && (fst t <=? a + 2)) ts.

(** The number of bits, if it is not more than [n]. *)
Fixpoint ones (n : nat) (x : int) : int :=
  match n with
  | O => 0
  | S n => if is_zero x then 0 else 1 + ones n (x land (x - 1))
  end.

(** Whether the start is won, or lost, by the claims that are left in the end. *)
Definition begun (places : int) (leaf : nat) (m : memory) (ts : tiers) (start : state) (win : bool) : bool :=
  let a := ones 63 (lo start land hi start) in
  fst (if win then covered leaf (tier places a ts) m start
       else answered leaf (tier places (a + 1) ts) m start).
End Board.

(** * Reading *)

Section File.
(** The bytes of the file, from 0, and how many they are. *)
Variable file : int -> int.
Variable size : int.

(** The number of which these are the bytes, the lowest first. *)
Fixpoint number (n : nat) (at_ : int) : int :=
  match n with
  | O => 0
  | S n => file at_ lor (number n (at_ + 1) << 8)
  end.

Definition mask : int := 0x3FFFFFFFFFFFFFFF.

(** A number in groups of seven bits, into two words of 62 bits, and where it ends: before [end_]. *)
Fixpoint varint (n : nat) (end_ at_ shift low high : int) : option (int * int * int) :=
  match n with
  | O => None
  | S n =>
      if end_ <=? at_ then None else
      let x := file at_ in
      let part := x land 127 in
      let low := low lor ((part << shift) land mask) in
      let high := high lor
        (if shift <? 62 then part >> (62 - shift) else part << (shift - 62)) in
      if x <? 128 then Some (low, high, at_ + 1)
      else varint n end_ (at_ + 1) (shift + 7) low high
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

(** [step] until it gives [inr], 2 to the power [depth] times at most. *)
Fixpoint until {A B} (depth : nat) (step : A -> A + B) (a : A) : A + B :=
  match depth with
  | O => step a
  | S depth =>
      match until depth step a with
      | inl a => until depth step a
      | r => r
      end
  end.

(** A frame: the burned squares of its positions, how many they are, the number of its first chunk,
    and where its bytes are. *)
Record frame := Frame {
  f_arrows : int; f_positions : int; f_chunk : int; f_from : int; f_end : int
}.

(** Where the search for frames is, the next one's first chunk, and those found, the last first. *)
Record found := Found { at_ : int; chunk : int; frames : list frame }.

Definition next_frame (f : found) : found + option (list frame) :=
  let x := at_ f in
  if size <=? x then inr None
  else if file x =? 69 then inr (if x + 33 =? size then Some (frames f) else None)
  else if negb (file x =? 70) || (size <? x + 10) then inr None
  else
    let a := file (x + 1) in
    let n := number 4 (x + 2) in
    let end_ := x + 10 + number 4 (x + 6) in
    let before := match frames f with [] => 0 | g :: _ => f_arrows g end in
    if is_zero n || (a <? before) || (size <? end_) then inr None
    else inl (Found end_ (chunk f + ((n + 255) >> 8)) (Frame a n (chunk f) (x + 10) end_ :: frames f)).

(** All frames, the last one first. *)
Definition all_frames : option (list frame) :=
  match until 40 next_frame (Found 38 0 []) with
  | inr r => r
  | inl _ => None
  end.

(** A code: its low 62 bits, and those above them. *)
Record code := Code { low : int; high : int }.

Definition below (x y : code) : bool :=
  (high x <? high y) || ((high x =? high y) && (low x <? low y)).

Definition sum (x y : code) : code :=
  let l := low x + low y in Code (l land mask) (high x + high y + (l >> 62)).

(** Where the reader of a frame is: positions gone by, the first of their codes, the last, and the
    positions, the last one first. *)
Record reader := Reader {
  place_at : int; gone_by : int; first : code; last : code; entries : list entry
}.

(** The next position of a frame: its code is greater than the one before, it has squares of [all]
    alone and as many arrows as the frame says. *)
Definition next_entry (all : int) (f : frame) (p : reader) : reader + option reader :=
  if gone_by p =? f_positions f
  then inr (if place_at p =? f_end f then Some p else None)
  else
    match varint 19 (f_end f) (place_at p) 0 0 0 with
    | None => inr None
    | Some (l, h, x) =>
        match varint 5 (f_end f) x 0 0 0 with
        | None => inr None
        | Some (played, _, x) =>
            let start := is_zero (gone_by p) in
            let c := if start then Code l h else sum (last p) (Code l h) in
            let st := state_of_code (low c) (high c) in
            if (start || below (last p) c) && (high c <=? mask) && (taken st <=? all)
               && (ones 63 (lo st land hi st) =? f_arrows f)
            then inl (Reader x (gone_by p + 1) (if start then c else first p) c
                   (Entry st played (f_chunk f + (gone_by p >> 8)) :: entries p))
            else inr None
        end
    end.

(** The positions of a frame, the last one first, and the first of its codes, if the last one is
    below [limit]. *)
Definition read_frame (all : int) (limit : option code) (f : frame)
    : option (list entry * code) :=
  match until 40 (next_entry all f) (Reader (f_from f) 0 (Code 0 0) (Code 0 0) []) with
  | inr (Some p) =>
      if match limit with Some c => below (last p) c | None => true end
      then Some (entries p, first p) else None
  | _ => None
  end.

(** Goes through frames, the last one of the file first; [after] is the number of arrows of the frame
    before, with the first of its codes. All positions of a frame are claims for frames with two
    arrows less; those of part [k] of [n] are checked. *)
Fixpoint through (read : option code -> frame -> option (list entry * code))
    (check : claims -> memory -> list entry -> option memory) (places : int)
    (fs : list frame) (after : option (int * code)) (ts : tiers) (m : memory)
    : option (tiers * memory) :=
  match fs with
  | [] => Some (ts, m)
  | f :: fs =>
      let a := f_arrows f in
      let limit :=
        match after with Some (a', c) => if a' =? a then Some c else None | None => None end in
      match read limit f with
      | None => None
      | Some (l, c) =>
          match check (tier places (a + 2) ts) m l with
          | None => None
          | Some m =>
              let p := fold_left (fun p e => add (e_state e) p) l (tier places a ts) in
              through read check places fs (Some (a, c)) (with_tier a p ts) m
          end
      end
  end.

Definition colour_of (turn : int) : option colour :=
  if turn =? 0 then Some White else if turn =? 1 then Some Black else None.

Definition bool_of (x : int) : option bool :=
  if x =? 0 then Some false else if x =? 1 then Some true else None.

(** A word of eight bytes, if it is below 2^62. *)
Definition word (at_ : int) : option int :=
  if file (at_ + 7) <? 64 then Some (number 8 at_) else None.

Definition fits_b (b : board) : bool :=
  ((1 <=? columns b) && (1 <=? rows b) && (columns b * rows b <=? 62))%Z.

(** The rule that a file of a version may rest on, and the one for negamax. *)
Definition rules_of (b : board) (version : int) : option (rule * rule) :=
  if version =? 1 then Some (no_rule, no_rule)
  else if (version =? 3) || (version =? 4) then Some (wall_rule b, quick_rule b)
  else None.

(** "AMZPROOF". *)
Definition magic : int := 0x464F4F52505A4D41.

(** What the header says: a claim, and on what it rests. *)
Record header := Header {
  h_board : board; h_rule : rule; h_quick : rule; h_turn : colour; h_win : bool; h_leaf : nat;
  h_all : int; h_start : state
}.

Definition read_header : option header :=
  if (size <? 38) || negb (number 8 0 =? magic) then None else
  let b := Board (to_Z (file 9)) (to_Z (file 10)) in
  match rules_of b (file 8), colour_of (file 11), bool_of (file 12), word 14, word 22, word 30 with
  | Some (r, q), Some turn, Some win, Some mover, Some opponent, Some burned =>
      let all := (1 << (file 9 * file 10)) - 1 in
      let start := State (mover lor burned) (opponent lor burned) in
      if fits_b b && (file 13 <=? 12) && (taken start <=? all)
         && disjoint mover opponent && disjoint (mover lor opponent) burned
      then Some (Header b r q turn win (Z.to_nat (to_Z (file 13))) all start)
      else None
  | _, _, _, _, _, _ => None
  end.

(** What a certificate shows: who wins which position. *)
Record shown := Shown {
  its_board : board;
  its_position : position;
  its_turn : colour;
  its_winner : colour
}.

Definition shown_by (h : header) : shown :=
  Shown (h_board h) (position_of (h_board h) (h_turn h) (h_start h)) (h_turn h)
    (if h_win h then h_turn h else other (h_turn h)).

(** [places] is how many places tables have, a power of two: nothing but the time rests on it. *)

(** What the certificate shows if part [k] of [n], from 0, holds and all others do; nothing if this
    part does not. *)
Definition check_part (places n k : int) : option shown :=
  match read_header, all_frames with
  | Some h, Some fs =>
      let cells := cells_of (h_board h) in
      let images := tables (h_board h) in
      let worth := worth_on (h_board h) in
      let checked := prove cells images (h_rule h) (h_quick h) worth (h_leaf h) n k in
      match through (read_frame (h_all h)) checked places fs None [] (no_memory places) with
      | None => None
      | Some (ts, m) =>
          if if k =? 0
             then begun cells images (h_rule h) (h_quick h) worth places (h_leaf h) m ts
                    (h_start h) (h_win h)
             else true
          then Some (shown_by h) else None
      end
  | _, _ => None
  end.

(** What a certificate shows; nothing if it does not hold. *)
Definition check (places : int) : option shown := check_part places 1 0.
End File.

(** The wall rule on a board, to be held against the verdicts of others. *)
Definition rule_on (columns rows : int) : option rule :=
  let b := Board (to_Z columns) (to_Z rows) in
  if fits_b b then Some (wall_rule b) else None.

(** The position in rows as it is drawn, the highest one first. *)
Definition diagram (s : shown) : list (list content) :=
  map (fun y => map (fun x => its_position s (x, y)) (ranks (columns (its_board s))))
    (rev (ranks (rows (its_board s)))).

(** * Proofs *)

(** [P] holds for all things in an array. *)
Definition within {A : Set} (P : A -> Prop) (t : array A) : Prop := forall i, P t.[i].

Lemma get_set : forall (A : Set) (t : array A) i j x,
  t.[i <- x].[j] = if (i <? PArray.length t) && (i =? j) then x else t.[j].
Proof.
  intros A t i j x. destruct (i =? j) eqn:Q.
  - apply eqb_spec in Q. subst j. rewrite andb_true_r.
    destruct (i <? PArray.length t) eqn:L; [apply get_set_same, L |].
    rewrite get_out_of_bounds by (rewrite length_set; exact L). rewrite default_set.
    symmetry. apply get_out_of_bounds, L.
  - rewrite andb_false_r. apply get_set_other. intros ->. rewrite eqb_refl in Q. discriminate.
Qed.

Lemma set_within : forall (A : Set) (P : A -> Prop) (t : array A) i x,
  within P t -> P x -> within P t.[i <- x].
Proof.
  intros A P t i x H Px j. rewrite get_set. destruct (_ && _); [exact Px | apply H].
Qed.

Lemma make_within : forall (A : Set) (P : A -> Prop) n (x : A), P x -> within P (make n x).
Proof. intros A P n x Px i. rewrite get_make. exact Px. Qed.

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
Variables walls quick : rule.
Variable worth : state -> int.
Hypothesis Right : right_rule b walls.
Hypothesis Quick : right_rule b quick.

Definition right (st : state) (v : verdict) : Prop :=
  match v with Win => won b st | Loss => lost b st | Unknown => True end.

Definition right_memory (m : memory) : Prop :=
  PArray.length (his m) = PArray.length (los m) /\
  PArray.length (verdicts m) = PArray.length (los m) /\
  forall i, right (State (los m).[i] (his m).[i]) (verdicts m).[i].

Lemma recall_right : forall h m st, right_memory m -> right st (recall h m st).
Proof.
  intros h m [x y] (_ & _ & H). unfold recall. cbv zeta. specialize (H (place_of h m)).
  cbn [lo hi]. destruct (_ =? x) eqn:X; [| exact I]. destruct (_ =? y) eqn:Y; [| exact I].
  apply eqb_spec in X, Y. rewrite X, Y in H. exact H.
Qed.

Lemma remember_right : forall h m st v, right_memory m -> right st v ->
  right_memory (remember h st v m).
Proof.
  intros h m [x y] v (L & L' & H) R. unfold remember. cbv zeta. set (i := place_of h m).
  unfold right_memory. cbn [los his verdicts lo hi]. rewrite !length_set.
  split; [exact L |]. split; [exact L' |]. intros j.
  rewrite !get_set, L, L'. destruct (_ && _); [exact R | apply H].
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

Lemma in_by_worth : forall l x, In x (by_worth worth l) <-> In x l.
Proof.
  intros l x. unfold by_worth. induction l as [| y l IH]; [reflexivity |].
  cbn [fold_right]. rewrite in_sorted_in, IH. cbn. intuition.
Qed.

Lemma in_same : forall (l : list cell) t, In t l <-> In t l.
Proof. reflexivity. Qed.

(** [v] is the best of [so_far], which is no win, and of what [f] says of [l]. *)
Definition best_of {A} (f : A -> verdict) (l : list A) (so_far v : verdict) : Prop :=
  (v = Win -> exists x, In x l /\ f x = Win) /\
  (v = Loss -> so_far = Loss /\ forall x, In x l -> f x = Loss).

Lemma best_of_none : forall A (f : A -> verdict) v, v <> Win -> best_of f [] v v.
Proof. intros A f v N. split; [contradiction | intros ->; split; [reflexivity | intros x []]]. Qed.

(** [both] is [l], of which [v] is the best, and then [l'], with which [go] goes on. *)
Lemma best_of_then : forall A (f : A -> verdict) (l l' both : list A) so_far v go, so_far <> Win ->
  (forall x, In x both <-> In x l \/ In x l') -> best_of f l Loss v ->
  (forall s, s <> Win -> best_of f l' s (go s)) ->
  best_of f both so_far match v with Win => Win | Loss => go so_far | Unknown => go Unknown end.
Proof.
  intros A f l l' both so_far v go N I [W L] G. destruct v.
  - split; [intros _ | discriminate]. destruct (W eq_refl) as (x & Hx & E). exists x.
    split; [apply I; auto | exact E].
  - destruct (G so_far N) as [W' L']. split.
    + intros E. destruct (W' E) as (x & Hx & E'). exists x. split; [apply I; auto | exact E'].
    + intros E. destruct (L' E) as [S All]. split; [exact S |]. intros x Hx. apply I in Hx.
      destruct Hx; [apply (L eq_refl) |]; auto.
  - destruct (G Unknown) as [W' L']; [discriminate |]. split.
    + intros E. destruct (W' E) as (x & Hx & E'). exists x. split; [apply I; auto | exact E'].
    + intros E. destruct (L' E). discriminate.
Qed.

Lemma best_of_flat : forall A B (g : B -> verdict) (parts : A -> list B) (f : A -> verdict) l v,
  (forall x, best_of g (parts x) Loss (f x)) -> best_of f l Loss v ->
  best_of g (flat_map parts l) Loss v.
Proof.
  intros A B g parts f l v H [W L]. split.
  - intros E. destruct (W E) as (x & Hx & Fx). destruct (proj1 (H x) Fx) as (y & Hy & Gy).
    exists y. split; [apply in_flat_map; eauto | exact Gy].
  - intros E. split; [reflexivity |]. intros y Hy. apply in_flat_map in Hy.
    destruct Hy as (x & Hx & Hy). apply (proj2 (H x)); [apply (L E) |]; assumption.
Qed.

Lemma best_of_map : forall A B (g : B -> verdict) (h : A -> B) l v,
  best_of (fun x => g (h x)) l Loss v -> best_of g (map h l) Loss v.
Proof.
  intros A B g h l v [W L]. split.
  - intros E. destruct (W E) as (x & Hx & Gx). exists (h x). split; [apply in_map, Hx | exact Gx].
  - intros E. split; [reflexivity |]. intros y Hy. apply in_map_iff in Hy.
    destruct Hy as (x & <- & Hx). apply (L E), Hx.
Qed.

Lemma best_walk_right : forall f taken r so_far, so_far <> Win ->
  best_of f (walk taken r []) so_far (best_walk f taken r so_far).
Proof.
  intros f taken. induction r as [| t r IH]; intros so_far N; cbn [best_walk walk].
  - apply best_of_none, N.
  - destruct (disjoint taken (it t)); [| apply best_of_none, N].
    apply (best_of_then _ f [t] (walk taken r [])); [exact N | | | exact IH].
    + intros x. rewrite walk_adds. reflexivity.
    + split; [| split; [reflexivity |]].
      * intros E. exists t. split; [left; reflexivity | exact E].
      * intros x [<- | []]. assumption.
Qed.

Lemma best_walks_right : forall f taken rs so_far, so_far <> Win ->
  best_of f (Moves.walks taken rs []) so_far (best_walks f taken rs so_far).
Proof.
  intros f taken. induction rs as [| r rs IH]; intros so_far N; cbn [best_walks Moves.walks].
  - apply best_of_none, N.
  - apply (best_of_then _ f (walk taken r []) (Moves.walks taken rs [])); [exact N | | | exact IH].
    + intros x. apply walks_adds.
    + apply best_walk_right. discriminate.
Qed.

Lemma best_steps_right : forall f st from,
  best_of (fun st => opposite (f st)) (steps (fun l => l) st from) Loss (best_steps f st from).
Proof.
  intros f st from. unfold best_steps, steps. eapply best_of_flat.
  2: { apply best_walks_right. discriminate. }
  intros to. unfold shots. apply best_of_map. apply best_walks_right. discriminate.
Qed.

Lemma best_moves_right : forall f st some so_far, so_far <> Win ->
  best_of (fun st => opposite (f st)) (moves (fun l => l) some st) so_far
    (best_moves f some st so_far).
Proof.
  intros f st. induction some as [| from some IH]; intros so_far N; unfold moves in *;
    cbn [best_moves flat_map]; [apply best_of_none, N |].
  destruct (_ && _); [| apply IH, N].
  eapply best_of_then; [exact N | intros x; apply in_app_iff | apply best_steps_right | exact IH].
Qed.

Theorem brief_right : forall fuel st, right st (brief cells fuel st).
Proof.
  induction fuel as [| n IH]; intros st; cbn [brief]; [exact I |].
  destruct (best_moves_right (brief cells n) st cells Loss) as [W L]; [discriminate |].
  destruct (best_moves _ _ _ _); cbn; [| | exact I]; intros c.
  - destruct (W eq_refl) as (st' & Hs & E). specialize (IH st').
    destruct (brief cells n st'); try discriminate.
    apply (won_by (fun l => l) in_same b c st F st'); assumption.
  - destruct (L eq_refl) as [_ All]. apply (lost_by (fun l => l) in_same b c st F).
    intros st' Hs. specialize (IH st'). specialize (All st' Hs).
    destruct (brief cells n st'); try discriminate. exact IH.
Qed.

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
Theorem negamax_right : forall fuel, right_search (negamax cells quick worth fuel).
Proof.
  induction fuel as [| n IH]; intros m st Hm; [split; [exact I | exact Hm] |].
  cbn [negamax].
  assert (P : forall l, (forall st', In st' (moves (fun l => l) cells st) <-> In st' l) ->
    right st (fst (best (negamax cells quick worth n) m l Loss)) /\
    right_memory (snd (best (negamax cells quick worth n) m l Loss))).
  { intros l Hl. apply best_right; auto. }
  assert (Q : forall r, r = match recall (hash st) m st with
      | Unknown =>
          if says_win quick st then (Win, remember (hash st) st Win m)
          else if says_move quick st then (Win, remember (hash st) st Win m)
          else
            let (v, m) := best (negamax cells quick worth n) m
              (by_worth worth (moves (fun l => l) cells st)) Loss in
            (v, remember (hash st) st v m)
      | v => (v, m)
      end -> right st (fst r) /\ right_memory (snd r)).
  { intros r ->. pose proof (recall_right (hash st) m st Hm) as Hr.
    destruct (recall (hash st) m st); [split; assumption | split; assumption |].
    destruct (Quick st) as (Rw & _ & Rm).
    destruct (says_win quick st); [split; [| apply remember_right]; cbn; auto |].
    destruct (says_move quick st); [split; [| apply remember_right]; cbn; auto |].
    destruct (P (by_worth worth (moves (fun l => l) cells st))) as [R1 R2].
    { intros st'. symmetry. apply in_by_worth. }
    destruct (best _ m _ Loss) as [v m']. cbn [fst snd] in *.
    split; [exact R1 |]. apply remember_right; assumption. }
  destruct n as [| [| [| [| [| n]]]]]; try (split; [apply brief_right | exact Hm]).
  apply Q. reflexivity.
Qed.

Definition right_claims (p : claims) : Prop := within (Forall (won b)) p.

Lemma known_right : forall p st, right_claims p -> known p st = true -> won b st.
Proof.
  intros p st Hp H. unfold known in H. apply existsb_exists in H. destruct H as (st' & Hin & E).
  apply same_spec in E. subst. specialize (Hp (hash st' land (PArray.length p - 1))).
  rewrite Forall_forall in Hp. auto.
Qed.

Lemma add_right : forall p st, right_claims p -> won b st -> right_claims (add st p).
Proof. intros p st Hp W. apply (set_within _ _ p); [exact Hp |]. constructor; [exact W | apply Hp]. Qed.

Lemma covered_right : forall leaf p m st, right_claims p -> right_memory m ->
  right_memory (snd (covered cells images walls quick worth leaf p m st)) /\
  (fst (covered cells images walls quick worth leaf p m st) = true -> won b st).
Proof.
  intros leaf p m st Hp Hm. unfold covered. cbv zeta.
  destruct (Nat.leb _ _).
  - destruct (negamax_right (S (count_empty cells (taken st))) m st Hm) as [V M].
    destruct (negamax _ _ _ _ m st) as [v m']. cbn [fst snd] in *. split; [exact M |].
    destruct v; try discriminate. intros _. exact V.
  - cbn [fst snd]. split; [exact Hm |]. intros H. destruct (Right st) as (Rw & _ & Rm).
    destruct (says_win walls st); [auto |].
    destruct (known p (canonical images st)) eqn:K; [| auto].
    apply known_right in K; [| exact Hp]. apply (canonical_won b st F). exact K.
Qed.

Lemma all_covered_right : forall leaf p l m, right_claims p -> right_memory m ->
  right_memory (snd (all_covered cells images walls quick worth leaf p m l)) /\
  (fst (all_covered cells images walls quick worth leaf p m l) = true ->
    forall st, In st l -> won b st).
Proof.
  intros leaf p l. induction l as [| x l IH]; intros m Hp Hm; cbn [all_covered].
  - split; [exact Hm | intros _ st []].
  - destruct (covered_right leaf p m x Hp Hm) as [M C].
    destruct (covered cells images walls quick worth leaf p m x) as [c m']. cbn [fst snd] in *.
    destruct c; [| split; [exact M | discriminate]].
    destruct (IH m' Hp M) as [M' C']. split; [exact M' |].
    intros H st [<- | Hs]; auto.
Qed.

Lemma answered_right : forall leaf p m st, right_claims p -> right_memory m ->
  right_memory (snd (answered cells images walls quick worth leaf p m st)) /\
  (fst (answered cells images walls quick worth leaf p m st) = true -> lost b st).
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

(** What holds of a part that is accepted. *)
Lemma prove_right : forall leaf n k p l m m', right_claims p -> right_memory m ->
  prove cells images walls quick worth leaf n k p m l = Some m' ->
  right_memory m' /\ (forall e, In e l -> (e_chunk e mod n = k)%uint63 -> won b (e_state e)).
Proof.
  intros leaf n k p l. induction l as [| e l IH]; intros m m' Hp Hm H; cbn [prove] in H.
  - injection H as <-. split; [exact Hm | intros e []].
  - destruct (e_chunk e mod n =? k)%uint63 eqn:K.
    + destruct (pick _ _) as [st' |] eqn:E; [| discriminate]. apply pick_in in E.
      destruct (answered_right leaf p m st' Hp Hm) as [M C].
      destruct (answered _ _ _ _ _ _ _ m _) as [c m1]. cbn [fst snd] in *.
      destruct c; [| discriminate].
      destruct (IH m1 m' Hp M H) as [M' W]. split; [exact M' |].
      intros e' [<- | He]; [| auto]. intros _ c.
      apply (won_by sorted in_sorted b c _ F st' E). apply C. reflexivity.
    + destruct (IH m m' Hp Hm H) as [M' W]. split; [exact M' |].
      intros e' [<- | He] Q; [| auto]. rewrite Q, eqb_refl in K. discriminate.
Qed.

Definition right_tiers (ts : tiers) : Prop := Forall (fun t => right_claims (snd t)) ts.

Lemma no_claims_right : forall n, right_claims (no_claims n).
Proof. intros n. unfold right_claims, no_claims. apply make_within. constructor. Qed.

Lemma no_memory_right : forall n, right_memory (no_memory n).
Proof.
  intros n. unfold right_memory, no_memory. cbn [los his verdicts]. rewrite !length_make.
  repeat split. intros i. rewrite !get_make. exact I.
Qed.

Lemma tier_right : forall places a ts, right_tiers ts -> right_claims (tier places a ts).
Proof.
  intros places a ts H. induction H as [| [a' p] ts Hp _ IH]; [apply no_claims_right |].
  cbn [tier]. destruct (a =? a')%uint63; assumption.
Qed.

Lemma with_tier_right : forall a p ts, right_claims p -> right_tiers ts ->
  right_tiers (with_tier a p ts).
Proof.
  intros a p ts Hp H. constructor; [exact Hp |]. apply Forall_forall. intros t Ht.
  apply filter_In in Ht. exact (proj1 (Forall_forall _ _) H t (proj1 Ht)).
Qed.

Lemma all_added : forall l p, right_claims p -> (forall e, In e l -> won b (e_state e)) ->
  right_claims (fold_left (fun p e => add (e_state e) p) l p).
Proof.
  induction l as [| e l IH]; intros p Hp H; cbn [fold_left]; [exact Hp |].
  apply IH; [apply add_right; [exact Hp | apply H; left; reflexivity] |].
  intros; apply H; right; assumption.
Qed.

Lemma begun_right : forall places leaf m ts start win, right_tiers ts -> right_memory m ->
  begun cells images walls quick worth places leaf m ts start win = true ->
  if win then won b start else lost b start.
Proof.
  intros places leaf m ts start win Ht Hm H. unfold begun in H. cbv zeta in H. destruct win.
  - eapply covered_right; [apply tier_right, Ht | exact Hm | exact H].
  - eapply answered_right; [apply tier_right, Ht | exact Hm | exact H].
Qed.

(** If all parts go through the frames, then all that is claimed is right: the claims that a frame is
    checked with are those of frames before it. *)
Lemma through_right : forall read places leaf n, (0 < to_Z n)%Z ->
  forall fs after ts, right_tiers ts -> forall before r,
  (forall k, (to_Z k < to_Z n)%Z -> right_memory (before k) /\
    through read (prove cells images walls quick worth leaf n k) places fs after ts (before k)
      = Some (r k)) ->
  forall k, (to_Z k < to_Z n)%Z -> right_tiers (fst (r k)) /\ right_memory (snd (r k)).
Proof.
  intros read places leaf n N. induction fs as [| f fs IH]; intros after ts T before r H k K.
  { destruct (H k K) as [M E]. injection E as E. rewrite <- E. auto. }
  cbn [through] in H.
  match type of H with context [read ?x f] => set (limit := x) in H end.
  destruct (read limit f) as [[l c] |].
  2: { destruct (H k K) as [_ E]. discriminate. }
  set (p := tier places (f_arrows f + 2) ts) in *.
  assert (P : right_claims p) by (apply tier_right, T).
  set (next k := match prove cells images walls quick worth leaf n k p (before k) l with
                 | Some m => m | None => before k end).
  assert (G : forall j, (to_Z j < to_Z n)%Z ->
    prove cells images walls quick worth leaf n j p (before j) l = Some (next j)).
  { intros j J. destruct (H j J) as [_ E]. unfold next.
    destruct (prove _ _ _ _ _ _ _ _ _ _ _); [reflexivity | discriminate]. }
  assert (W : forall e, In e l -> won b (e_state e)).
  { intros e He. set (j := (e_chunk e mod n)%uint63).
    assert (J : (to_Z j < to_Z n)%Z).
    { unfold j. rewrite mod_spec. apply Z.mod_pos_bound. exact N. }
    destruct (prove_right leaf n j p l _ _ P (proj1 (H j J)) (G j J)) as [_ C].
    apply C; [exact He | reflexivity]. }
  refine (IH _ _ _ next r _ k K).
  - apply with_tier_right; [| exact T]. apply all_added; [apply tier_right, T | exact W].
  - intros j J. destruct (H j J) as [M E]. rewrite (G j J) in E. split; [| exact E].
    apply (prove_right leaf n j p l (before j) (next j) P M (G j J)).
Qed.
End Correct.

Lemma fits_b_spec : forall b, fits_b b = true -> fits b.
Proof.
  intros b H. unfold fits_b in H. rewrite !andb_true_iff, !Z.leb_le in H. unfold fits. tauto.
Qed.

Lemma rules_of_right : forall b, fits b -> forall version r q,
  rules_of b version = Some (r, q) -> right_rule b r /\ right_rule b q.
Proof.
  intros b F version r q H. unfold rules_of in H. destruct (version =? 1).
  - injection H as <- <-. split; apply no_rule_right.
  - destruct (_ || _); [| discriminate]. injection H as <- <-.
    split; apply wall_rule_by_right, F.
Qed.

Lemma read_header_right : forall file size h, read_header file size = Some h ->
  fits (h_board h) /\ right_rule (h_board h) (h_rule h) /\ right_rule (h_board h) (h_quick h).
Proof.
  intros file size h H. unfold read_header in H.
  repeat match type of H with
  | match ?x with _ => _ end = _ => destruct x eqn:?; try discriminate
  | (if ?x then _ else _) = _ => destruct x eqn:?; try discriminate
  end.
  injection H as <-. cbn [h_board h_rule h_quick].
  repeat match goal with E : _ && _ = true |- _ => apply andb_true_iff in E; destruct E end.
  match goal with E : fits_b _ = true |- _ => apply fits_b_spec in E; rename E into F end.
  split; [exact F |]. eapply rules_of_right; eauto.
Qed.

(** * The theorems *)

(** Who wins by a certificate of which the checker takes all parts wins by the rules. *)
Theorem parts_correct : forall file size places n s,
  (0 <? n) = true ->
  (forall k, (k <? n) = true -> check_part file size places n k = Some s) ->
  side_wins (its_board s) (its_position s) (its_turn s) (its_winner s).
Proof.
  intros file size places n s N H. apply ltb_spec in N. change (to_Z 0) with 0%Z in N.
  assert (H' : forall k, (to_Z k < to_Z n)%Z -> check_part file size places n k = Some s).
  { intros k K. apply H, ltb_spec, K. }
  clear H. pose proof (H' 0 N) as H. unfold check_part in H', H.
  destruct (read_header file size) as [h |] eqn:Eh; [| discriminate].
  destruct (read_header_right file size h Eh) as (F & R & Q).
  destruct (all_frames file size) as [fs |]; [| discriminate]. cbv zeta in H', H.
  pose proof (no_memory_right (h_board h) places) as M0. set (m0 := no_memory places) in *.
  clearbody m0. set (read := read_frame file (h_all h)) in *. clearbody read.
  set (go := fun k => through read (prove (cells_of (h_board h)) (tables (h_board h)) (h_rule h)
    (h_quick h) (worth_on (h_board h)) (h_leaf h) n k) places fs None [] m0).
  set (r k := match go k with Some r => r | None => ([], m0) end).
  assert (G : forall k, (to_Z k < to_Z n)%Z ->
    right_memory (h_board h) m0 /\ go k = Some (r k)).
  { intros k K. split; [exact M0 |]. specialize (H' k K). unfold r.
    change (through _ _ _ _ _ _ _) with (go k) in H'.
    destruct (go k); [reflexivity | discriminate]. }
  destruct (through_right (h_board h) F (h_rule h) (h_quick h)
    (worth_on (h_board h)) R Q read places (h_leaf h) n N fs None []
    (Forall_nil _) (fun _ => m0) r G 0 N) as [T M].
  change (through _ _ _ _ _ _ _) with (go 0) in H. rewrite (proj2 (G 0 N)) in H.
  destruct (r 0) as [ts m]. cbn [fst snd] in T, M. rewrite eqb_refl in H.
  destruct (begun _ _ _ _ _ _ _ _ _ _ _) eqn:B; [| discriminate].
  apply (begun_right (h_board h) F (h_rule h) (h_quick h)
    (worth_on (h_board h)) R Q _ _ _ _ _ _ T M) in B.
  injection H as <-. unfold shown_by. cbn [its_board its_position its_turn its_winner].
  destruct (h_win h); [left | right]; split; auto.
Qed.

(** Who wins by a certificate that the checker takes wins by the rules. *)
Theorem check_correct : forall file size places s,
  check file size places = Some s ->
  side_wins (its_board s) (its_position s) (its_turn s) (its_winner s).
Proof.
  intros file size places s H. apply (parts_correct file size places 1 s eq_refl). intros k K.
  apply ltb_spec in K. change (to_Z 1) with 1%Z in K.
  replace k with 0%uint63; [exact H |]. apply to_Z_inj. pose proof (to_Z_bounded k).
  change (to_Z 0) with 0%Z. lia.
Qed.
