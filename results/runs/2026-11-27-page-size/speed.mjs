// Processor time and positions of proofs from an empty table: node speed.mjs FILE.wasm...

import { readFileSync } from "node:fs";

const STARTS = ["1q1q1/q3q/5/Q3Q/1Q1Q1 w", "1qq1/q2q/4/Q2Q/1QQ1 w", "1qq1/q2q/4/4/4/Q2Q/1QQ1 w"];
const encoder = new TextEncoder();
const decoder = new TextDecoder();

async function load(file) {
  let library;
  let last;
  const text = (at, length) => decoder.decode(new Uint8Array(library.memory.buffer, at, length));
  const host = {
    now: () => performance.now(),
    tell: (name, nameLength, data, length) => (last = text(data, length)),
    decode: () => -2,
  };
  library = (await WebAssembly.instantiate(readFileSync(file), { host })).instance.exports;
  return (fen) => {
    const query = new URLSearchParams({ fen, seconds: 300, moves_valued: "best" }).toString();
    const head = encoder.encode(JSON.stringify({ kind: "search", query }));
    const at = library.input(4 + head.length);
    const input = new Uint8Array(library.memory.buffer, at, 4 + head.length);
    new DataView(input.buffer, at).setUint32(0, head.length, true);
    input.set(head, 4);
    const before = process.cpuUsage();
    library.call();
    return `${(process.cpuUsage(before).user / 1e6).toFixed(2)} s, ${JSON.parse(last).nodes}`;
  };
}

for (const file of process.argv.slice(2)) {
  const proofs = [];
  for (const fen of STARTS) proofs.push((await load(file))(fen));
  console.log(file, proofs.join("; "));
}
