// Asks the package for npm what is known.
//
//   node tests/wasm/package.mjs FOLDER        # as packaging/npm/build has made it

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const folder = resolve(process.argv[2]);
const { AmazonsError, load } = await import(pathToFileURL(`${folder}/index.js`));
const amazons = await load();

// Every board that is solved, whatever it rests on.
const boards = new Map(amazons.boards().map((board) => [board.board, board]));
const solved = ["4x5", "5x4", "5x5", "4x6", "6x4", "4x7", "5x6", "4x8", "7x4", "6x5", "5x7", "4x9"];
for (const board of solved) {
  assert.ok(boards.has(board), board);
}
assert.deepEqual([boards.get("5x5").wins, boards.get("5x5").source.kind], [84, "opening"]);
assert.deepEqual([boards.get("5x6").winner, boards.get("5x6").source.kind], ["white", "certificate"]);
assert.equal(boards.get("7x4").winner, "black");

const start = amazons.start("5x4");
const known = amazons.position(start);
assert.deepEqual(known.moves.slice(0, 2).map((move) => move.move).sort(), ["b1-b2/d2", "d1-d2/b2"]);
assert.equal(amazons.position(start, { moves: ["b1-b2/d2"] }).value, "loss");
assert.ok(amazons.mainLine(start).moves.length > 0);
assert.equal(amazons.line(start, ["b1-b2/d2"]).moves.length, 1);

// What a search proves is known afterwards.
const small = amazons.start("4x4");
assert.equal(amazons.position(small).value, "unknown");
const events = [];
assert.equal(amazons.search(small, { seconds: 60, tell: ({ event }) => events.push(event) }).winner, "black");
assert.equal(events.at(-1), "done");
assert.deepEqual(amazons.position(small).source, { kind: "proof" });

// A zugzwang that is worth 4 to Black.
const won = amazons.margins("1*Q1/*q**/4/*1** b");
assert.deepEqual([won.threshold, won.margin, won.thresholds, won.complete], [-3, 3, [-3, -3], true]);
assert.deepEqual(amazons.margins("1*Q1/*q**/4/*1** b", { seconds: 0 }), won);

assert.equal(amazons.engine(amazons.start("6x6"), { level: "easy" }).source, "search");
const record = amazons.readGames("1. d1-d7/g7 a7-d4/i4");
assert.equal(record.moves.length, 2);
assert.ok(amazons.writeGame(record.start, ["d1-d7/g7"]).startsWith("(;FF[4]"));
assert.throws(() => amazons.position("nonsense"), (error) => error instanceof AmazonsError && error.code === "bad_fen");

// Every call of the types is there, and no other.
const types = readFileSync(`${folder}/index.d.ts`, "utf8");
const declared = [...types.split("class Amazons {")[1].matchAll(/^ {2}(\w+)\(/gm)].map((found) => found[1]);
const made = Object.getOwnPropertyNames(Object.getPrototypeOf(amazons));
const inner = ["constructor", "add"];
assert.deepEqual(declared.sort(), made.filter((name) => !inner.includes(name)).sort());
console.log("the package for npm answers");
