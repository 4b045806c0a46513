(* SHA-256, by FIPS 180-4: it names the file of which a part was checked. *)

let k = [|
  0x428a2f98; 0x71374491; 0xb5c0fbcf; 0xe9b5dba5; 0x3956c25b; 0x59f111f1; 0x923f82a4; 0xab1c5ed5;
  0xd807aa98; 0x12835b01; 0x243185be; 0x550c7dc3; 0x72be5d74; 0x80deb1fe; 0x9bdc06a7; 0xc19bf174;
  0xe49b69c1; 0xefbe4786; 0x0fc19dc6; 0x240ca1cc; 0x2de92c6f; 0x4a7484aa; 0x5cb0a9dc; 0x76f988da;
  0x983e5152; 0xa831c66d; 0xb00327c8; 0xbf597fc7; 0xc6e00bf3; 0xd5a79147; 0x06ca6351; 0x14292967;
  0x27b70a85; 0x2e1b2138; 0x4d2c6dfc; 0x53380d13; 0x650a7354; 0x766a0abb; 0x81c2c92e; 0x92722c85;
  0xa2bfe8a1; 0xa81a664b; 0xc24b8b70; 0xc76c51a3; 0xd192e819; 0xd6990624; 0xf40e3585; 0x106aa070;
  0x19a4c116; 0x1e376c08; 0x2748774c; 0x34b0bcb5; 0x391c0cb3; 0x4ed8aa4a; 0x5b9cca4f; 0x682e6ff3;
  0x748f82ee; 0x78a5636f; 0x84c87814; 0x8cc70208; 0x90befffa; 0xa4506ceb; 0xbef9a3f7; 0xc67178f2 |]

let word x = x land 0xffffffff
let turned x n = word ((x lsr n) lor (x lsl (32 - n)))

let block state get at =
  let w = Array.make 64 0 in
  for i = 0 to 15 do
    w.(i) <- List.fold_left (fun x j -> (x lsl 8) lor get (at + (4 * i) + j)) 0 [ 0; 1; 2; 3 ]
  done;
  for i = 16 to 63 do
    let x = w.(i - 15) and y = w.(i - 2) in
    let a = turned x 7 lxor turned x 18 lxor (x lsr 3)
    and b = turned y 17 lxor turned y 19 lxor (y lsr 10) in
    w.(i) <- word (w.(i - 16) + a + w.(i - 7) + b)
  done;
  let s = Array.copy state in
  for i = 0 to 63 do
    let a = s.(0) and e = s.(4) in
    let big1 = turned e 6 lxor turned e 11 lxor turned e 25
    and choice = e land s.(5) lxor (word (lnot e) land s.(6))
    and big0 = turned a 2 lxor turned a 13 lxor turned a 22
    and most = a land s.(1) lxor (a land s.(2)) lxor (s.(1) land s.(2)) in
    let x = s.(7) + big1 + choice + k.(i) + w.(i) in
    Array.blit s 0 s 1 7;
    s.(4) <- word (s.(4) + x);
    s.(0) <- word (x + big0 + most)
  done;
  Array.iteri (fun i x -> state.(i) <- word (state.(i) + x)) s

let hex (data : string) : string =
  let n = String.length data in
  let padded = (n + 8) / 64 * 64 + 64 in
  let get i =
    if i < n then Char.code data.[i]
    else if i = n then 0x80
    else if i < padded - 8 then 0
    else (8 * n) lsr (8 * (padded - 1 - i)) land 255
  in
  let state = [|
    0x6a09e667; 0xbb67ae85; 0x3c6ef372; 0xa54ff53a; 0x510e527f; 0x9b05688c; 0x1f83d9ab; 0x5be0cd19 |]
  in
  for i = 0 to (padded / 64) - 1 do
    block state get (64 * i)
  done;
  String.concat "" (List.map (Printf.sprintf "%08x") (Array.to_list state))
