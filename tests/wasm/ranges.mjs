// How the page's worker reads pieces of files from a server that does as it should, and from servers that do not.
//
//   node tests/wasm/ranges.mjs

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createContext, runInContext } from "node:vm";

const FILE = Buffer.from("0123456789abcdef");
let fault = null;
let asked = 0;

// Answers a request for some bytes of the file, or for all of it.
const server = createServer((request, response) => {
  asked += 1;
  const wanted = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? "");
  if (fault === "missing") return response.writeHead(404).end();
  if (wanted === null || fault === "whole") {
    if (fault !== "endless") return response.writeHead(200).end(FILE);
    response.writeHead(200);
    return endless(response);
  }
  const [first, last] = [Number(wanted[1]), Number(wanted[2])];
  const total = FILE.length + (fault === "length" ? 1 : 0);
  const place = `bytes ${first + (fault === "place" ? 1 : 0)}-${last}/${total}`;
  const head = { ETag: `"${fault === "changed" ? asked : 1}"` };
  if (fault !== "nameless" && fault !== "endless") head["Content-Range"] = place;
  const piece = FILE.subarray(first, last + 1);
  if (fault === "short") head["Content-Length"] = piece.length;
  response.writeHead(206, head);
  if (fault === "endless") return endless(response);
  if (fault === "short") {
    response.write(piece.subarray(1));
    return setImmediate(() => response.destroy());
  }
  return response.end(fault === "fewer" ? piece.subarray(1) : piece);
});

// Sends until nobody reads any more.
function endless(response) {
  const send = () => {
    while (!response.destroyed && response.write(Buffer.alloc(1 << 16))) {}
  };
  response.on("drain", send);
  send();
}

await new Promise((listens) => server.listen(0, "127.0.0.1", listens));
const address = `http://127.0.0.1:${server.address().port}/`;

// A worker whose library notes what it is given.
function worker() {
  const given = [];
  const context = createContext({
    self: { addEventListener() {}, postMessage() {} },
    fetch: (file, options) => fetch(new URL(file, address), options),
    AbortSignal, TextEncoder, TextDecoder, Uint8Array, DataView, WebAssembly, performance, setTimeout,
    note: (message, bytes) => given.push([message.at, Buffer.from(bytes).toString()]),
  });
  runInContext(readFileSync(new URL("../../page/static/worker.js", import.meta.url), "utf8"), context);
  runInContext("call = (message, bytes) => { note(message, bytes); return { status: 200 }; };", context);
  const read = (at, length, whole = false) =>
    runInContext(`fetchPiece(${JSON.stringify({ file: "t/tier.amz", at, length, of: FILE.length, whole })})`, context);
  return { read, given };
}

// A server that does as it should, also one that does not say which bytes it sends.
for (fault of [null, "nameless"]) {
  const { read, given } = worker();
  await read(4, 3);
  await read(0, 16);
  await read(0, 16, true);
  assert.deepEqual(given, [[4, "456"], [0, FILE.toString()], [0, FILE.toString()]]);
}

// What is wrong is named, and none of it is handed over.
for (const [wrong, words] of [
  ["missing", /t\/tier\.amz is answered with status 404/],
  ["whole", /with the whole file: it must answer range requests/],
  ["place", /expected Content-Range bytes 4-6\/16, found bytes 5-6\/16/],
  ["length", /expected Content-Range bytes 4-6\/16, found bytes 4-6\/17/],
  ["fewer", /expected 3 bytes from byte 4 on, found 2/],
  ["short", /the answer for t\/tier\.amz ends too early/],
  ["endless", /expected at most 3 bytes, found more/],
]) {
  fault = wrong;
  const { read, given } = worker();
  await assert.rejects(read(4, 3), ({ message, file }) => words.test(message) && file === "t/tier.amz", wrong);
  assert.deepEqual(given, [], wrong);
}
fault = "endless";
await assert.rejects(worker().read(0, 16, true), /expected at most 16 bytes, found more/);

// A file that is changed between two pieces.
fault = "changed";
const { read, given } = worker();
await read(0, 4);
await assert.rejects(read(4, 4), /t\/tier\.amz was changed while it was read/);
assert.deepEqual(given, [[0, "0123"]]);

server.close();
server.closeAllConnections();
console.log("pieces of files: all as it should be");
