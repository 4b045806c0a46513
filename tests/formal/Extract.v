(** The checker as an OCaml program. Integers are those of uint63.ml, arrays those of parray.ml. *)

From Coq Require Import Extraction ExtrOcamlBasic Uint63 PArray.
Require Import Sets Moves Bits WallRule Checker.

Extract Constant Uint63.int => "Uint63.t".
Extraction Inline Uint63.int.
Extract Inlined Constant Uint63.lsl => "Uint63.l_sl".
Extract Inlined Constant Uint63.lsr => "Uint63.l_sr".
Extract Inlined Constant Uint63.land => "Uint63.l_and".
Extract Inlined Constant Uint63.lor => "Uint63.l_or".
Extract Inlined Constant Uint63.lxor => "Uint63.l_xor".
Extract Inlined Constant Uint63.add => "Uint63.add".
Extract Inlined Constant Uint63.sub => "Uint63.sub".
Extract Inlined Constant Uint63.mul => "Uint63.mul".
Extract Inlined Constant Uint63.mod => "Uint63.rem".
Extract Inlined Constant Uint63.eqb => "Uint63.equal".
Extract Inlined Constant Uint63.ltb => "Uint63.lt".
Extract Inlined Constant Uint63.leb => "Uint63.le".

Extract Constant PArray.array "'a" => "'a Parray.t".
Extract Inlined Constant PArray.make => "Parray.make".
Extract Inlined Constant PArray.length => "Parray.length".
Extract Inlined Constant PArray.get => "Parray.get".
Extract Inlined Constant PArray.set => "Parray.set".

Extraction Inline at_cell own_of free_of open disjoint taken it rays Bits.place.

Extraction "checker.ml" check_part diagram rule_on.
