(** The checker as an OCaml program. Integers are those of uint63.ml. *)

From Coq Require Import Extraction ExtrOcamlBasic Uint63.
Require Import WallRule Checker.

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
Extract Inlined Constant Uint63.eqb => "Uint63.equal".
Extract Inlined Constant Uint63.ltb => "Uint63.lt".
Extract Inlined Constant Uint63.leb => "Uint63.le".

Extraction "checker.ml" check diagram rule_on.
