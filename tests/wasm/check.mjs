// Runs the library in WebAssembly and compares what it says with what is known.
//
//   node tests/wasm/check.mjs amazons_wasm.wasm TABLE CERTIFICATE
//
// TABLE is the directory of a 4x4 table with four amazons a side.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

const [program, table, certificate] = process.argv.slice(2);
const host = { now: () => performance.now() };
const { instance } = await WebAssembly.instantiate(readFileSync(program), { host });
const library = instance.exports;

/** Hands text or bytes over. */
function give(input) {
  const bytes = Buffer.from(input);
  const at = library.input(bytes.length);
  new Uint8Array(library.memory.buffer, at, bytes.length).set(bytes);
}

/** Calls a function with this input. */
function ask(name, input, ...rest) {
  give(input);
  return library[name](...rest);
}

const start4x4 = "1qq1/q2q/Q2Q/1QQ1 w";
const start5x4 = "1q1q1/q3q/Q3Q/1Q1Q1 w";
const start10x10 = "3q2q3/10/10/q8q/10/10/Q8Q/10/10/3Q2Q3 w";
const start8x8 = "2q2q2/8/q6q/8/8/Q6Q/8/2Q2Q2 w";
const [WIN, LOSS, FAILED, LATE] = [1, 0, -1, -2];

assert.equal(ask("solve", start4x4, 0), LOSS, "4x4 is lost for who begins");
assert.equal(ask("solve", start5x4, 0), WIN, "5x4 is won for who begins");
assert.equal(ask("solve", "no position", 0), FAILED);

library.set_clock();
const began = performance.now();
assert.equal(ask("solve", start8x8, 200), LATE, "8x8 is not solved in 0.2 s");
assert.ok(performance.now() - began >= 200, "the deadline is not early");
assert.equal(ask("play", start10x10, 200), 1, "there is a move on 10x10");

const files = readdirSync(table);
const tiers = files.filter((file) => file.endsWith(".amz"));
ask("take_manifest", readFileSync(join(table, "manifest.json")));
for (const tier of tiers) {
  ask("take_tier", readFileSync(join(table, tier)));
}
assert.ok(tiers.length > 1);
assert.equal(library.open_table(), tiers.length);
assert.equal(ask("look_up", start4x4), LOSS);
assert.equal(ask("look_up", "1qq1/q2q/Q2Q/1QQ1 b"), LOSS, "the board is symmetric");
assert.equal(ask("look_up", "qqqq/4/4/QQQQ w"), ask("solve", "qqqq/4/4/QQQQ w", 0));
assert.equal(ask("look_up", start5x4), FAILED, "it is a table of another board");
const damaged = readFileSync(join(table, tiers[0]));
damaged[40] ^= 1;
ask("take_tier", damaged);
assert.equal(library.open_table(), FAILED, "a tier with a damaged header is refused");

assert.ok(ask("check_certificate", readFileSync(certificate)) > 1000, "a proof is a proof");
const forged = readFileSync(certificate);
forged[forged.length >> 1] ^= 1;
assert.equal(ask("check_certificate", forged), FAILED);
assert.equal(ask("is_a_switch", "x..o"), 1);
assert.equal(library.files_are_errors(), 1);
console.log("the library runs in WebAssembly");
