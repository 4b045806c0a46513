// Sentences about what is known. They claim nothing more than that.

import { parse, sideName } from "./position.js";

// "2 of 170 moves", or "at least 2 of 260 moves; 234 not known".
export function countOfWins({ wins, unknown, moves }) {
  const total = moves.length;
  if (unknown === 0) return `${wins} of ${plural(total, "move")}`;
  if (wins === 0) return `by a move not known yet; ${unknown} of ${total} not known`;
  return `at least ${wins} of ${plural(total, "move")}; ${unknown} not known`;
}

function howMany(report) {
  const { value, wins, unknown, losses, moves } = report;
  if (value === "win") return wins === 0 && unknown > 0 ? ` ${countOfWins(report)}` : ` by ${countOfWins(report)}`;
  if (value === "loss") return `: none of ${plural(moves.length, "move")} wins`;
  return losses > 0 ? `; ${losses} of ${plural(moves.length, "move")} are known to lose` : "";
}

export function sourceName(source) {
  if (!source) return "";
  const names = {
    table: `from the table ${source.name}`,
    opening: `from the opening table of ${source.name}`,
    certificate: `by the certificate ${source.name}`,
    elsewhere: `by the certificate ${source.certificate}, which is not here`,
    rules: "by the rules",
    bounds: "plain to see",
    proof: "proved by search",
    search: "proved by search",
    deduced: "follows from what was proved",
  };
  return names[source.kind] ?? "";
}

// The verdict on a position. Without values it says whose turn it is.
export function verdict(report, values) {
  const side = sideName(parse(report.position).turn);
  if (report.moves.length === 0) return `${side} cannot move: ${otherSide(side)} has won`;
  if (!values) return `${side} to move`;
  const words = { win: "wins", loss: "loses", unknown: "not known" };
  const known = report.value === "unknown" ? `${side} to move: who wins is ${words.unknown}` : `${side} to move ${words[report.value]}`;
  const from = sourceName(report.source);
  return known + howMany(report) + (from === "" ? "" : ` (${from})`);
}

// The same for ears, short.
export function spoken(report, values) {
  const side = sideName(parse(report.position).turn);
  if (report.moves.length === 0) return `${side} cannot move and has lost.`;
  if (!values) return `${side} to move.`;
  const words = { win: `${side} to move wins`, loss: `${side} to move loses`, unknown: `${side} to move; who wins is not known` };
  return `${words[report.value]}.`;
}

// What moves through a square are known to do, for its label: wins of total, with what is not known.
export function squareCount({ wins, unknown, total }) {
  if (unknown === 0) return `${wins} of ${plural(total, "move")} win`;
  return `at least ${wins} of ${plural(total, "move")} win, ${unknown} not known`;
}

export function otherSide(side) {
  return side === "White" ? "Black" : "White";
}

export function plural(number, one, many = `${one}s`) {
  return `${number} ${number === 1 ? one : many}`;
}

export function sentence(text) {
  return text === "" ? "" : text[0].toUpperCase() + text.slice(1) + (/[.!?]$/.test(text) ? "" : ".");
}

// A number of positions, short.
export function amount(number) {
  if (number < 10_000) return `${number}`;
  return number < 1_000_000 ? `${(number / 1000).toFixed(0)} k` : `${(number / 1_000_000).toFixed(1)} M`;
}
