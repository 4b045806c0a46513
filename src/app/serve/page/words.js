// Sentences about what is known. They claim nothing more than that.

import { parse, sideName } from "./position.js";

// "2 of 170 moves win", or "at least 2 of 260 moves win; 234 not known".
export function countOfWins({ wins, unknown, total }) {
  if (wins === 0 && unknown > 0) return `no winning move is known yet, ${unknown} of ${plural(total, "move")} not known`;
  return winning({ wins, unknown, total }, "; ");
}

// Whether one threshold alone is possible.
export function isExactly([least, most]) {
  return least === most;
}

// By how much is won or lost, by the least and the greatest threshold that are possible: "by 3", or "by 1 to 3" where
// it is not known more exactly; null where it is not known who wins.
export function byHowMuch([least, most]) {
  if (least <= 0 && most > 0) return null;
  const [few, many] = most <= 0 ? [-most, -least] : [least - 1, most - 1];
  return few === many ? `by ${few}` : `by ${few} to ${many}`;
}

// What is said of the moves: what stands before it, and itself.
function howMany(report) {
  const { value, losses, moves } = report;
  if (value === "win") return { before: ":", said: countOfWins({ ...report, total: moves.length }) };
  if (value === "loss") return { before: ":", said: `none of ${plural(moves.length, "move")} wins` };
  return losses > 0 ? { before: ";", said: `${losses} of ${plural(moves.length, "move")} known to lose` } : { before: "", said: "" };
}

// Whose values must hold if what has this source is to hold.
export function believed(source) {
  switch (source?.kind) {
    case "table": return [`the table of ${source.name}`];
    case "opening": return [`the opening table of ${source.name}`];
    case "certificate": return [`the certificate ${source.name}`];
    case "elsewhere": return [`the certificate ${source.certificate}`];
    default: return source?.sources ?? [];
  }
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
    mirror: "by symmetry",
    proof: "proved by search",
    conditional: "proved by search",
    search: "proved by search",
    deduced: "follows from what is known",
  };
  const condition = source.sources?.length > 0 ? `, if the values of ${source.sources.join(" and ")} hold` : "";
  return `${names[source.kind] ?? ""}${condition}`;
}

// The verdict on a position: { who, how }, who wins and what makes it so. Without values it says whose turn it is.
// `lead` is how many more moves White has left than Black, if that is known.
export function verdict(report, values, lead = null) {
  const side = sideName(parse(report.position).turn);
  if (report.moves.length === 0) return { who: `${side} cannot move: ${otherSide(side)} ${won(lead)}`, how: "" };
  if (!values) return { who: `${side} to move`, how: "" };
  const words = { win: "wins", loss: "loses", unknown: "not known" };
  const known = report.value === "unknown" ? `${side} to move: who wins is ${words.unknown}` : `${side} to move ${words[report.value]}`;
  const { before, said } = howMany(report);
  const from = sourceName(report.source);
  return { who: known + before, how: [said, from === "" ? "" : `(${from})`].filter((part) => part !== "").join(" ") };
}

// How a game was won that is over: the winner has moves left, or nobody has.
function won(lead) {
  if (lead === null) return "has won";
  return lead === 0 ? "has won, and has no move left either" : `wins by ${plural(Math.abs(lead), "move")}`;
}

// The same for ears, short.
export function spoken(report, values, lead = null) {
  const side = sideName(parse(report.position).turn);
  if (report.moves.length === 0) return lead === null ? `${side} cannot move and has lost.` : `${verdict(report, values, lead).who}.`;
  if (!values) return `${side} to move.`;
  const words = { win: `${side} to move wins`, loss: `${side} to move loses`, unknown: `${side} to move; who wins is not known` };
  return `${words[report.value]}.`;
}

// What moves through a square are known to do, for its label: wins of total, with what is not known.
export function squareCount(count) {
  return winning(count, ", ");
}

function winning({ wins, unknown, total }, between) {
  const win = `${wins} of ${plural(total, "move")} ${wins === 1 ? "wins" : "win"}`;
  return unknown === 0 ? win : `at least ${win}${between}${unknown} not known`;
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
