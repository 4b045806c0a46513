(* Coq's primitive arrays: an array that is set stays as it was, and the new one differs in one
   place. The newest is an OCaml array; an older one says how it differs from one that is newer, and
   becomes the OCaml array when it is asked. A place that is not there has the default. *)

type 'a t = 'a kind ref

and 'a kind = Whole of 'a * 'a array | Other of int * 'a * 'a t

let largest = 4194303

let make (size : Uint63.t) (x : 'a) : 'a t =
  let size = if Uint63.le size largest then size else largest in
  ref (Whole (x, Array.make size x))

let rec whole (t : 'a t) : 'a * 'a array =
  match !t with
  | Whole (x, items) -> (x, items)
  | Other (i, y, newer) ->
      let x, items = whole newer in
      newer := Other (i, items.(i), t);
      items.(i) <- y;
      t := Whole (x, items);
      (x, items)

let length (t : 'a t) : Uint63.t = Array.length (snd (whole t))

let get (t : 'a t) (i : Uint63.t) : 'a =
  match !t with
  | Whole (x, items) -> if Uint63.lt i (Array.length items) then Array.unsafe_get items i else x
  | Other _ ->
      let x, items = whole t in
      if Uint63.lt i (Array.length items) then items.(i) else x

let set (t : 'a t) (i : Uint63.t) (y : 'a) : 'a t =
  let x, items = whole t in
  if Uint63.lt i (Array.length items) then begin
    let newer = ref (Whole (x, items)) in
    t := Other (i, items.(i), newer);
    items.(i) <- y;
    newer
  end
  else t
