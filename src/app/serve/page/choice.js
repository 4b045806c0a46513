// Choosing a move square by square: amazon, step, shot. A choice is a list of none, one or two squares.

import { parts } from "./position.js";

// For each square that can be chosen next, what its moves lead to:
// { value, wins, unknown, total }, the value being the best that can be reached.
export function targets(moves, choice) {
  const found = new Map();
  for (const { move, value } of moves) {
    const squares = Object.values(parts(move));
    if (!choice.every((square, index) => square === squares[index])) continue;
    const square = squares[choice.length];
    const target = found.get(square) ?? { wins: 0, unknown: 0, total: 0 };
    target.total += 1;
    if (value === "win") target.wins += 1;
    if (value === "unknown") target.unknown += 1;
    found.set(square, target);
  }
  for (const target of found.values()) target.value = best(target);
  return found;
}

function best({ wins, unknown }) {
  if (wins > 0) return "win";
  return unknown > 0 ? "unknown" : "loss";
}

// What choosing a square does: the new choice, and the move once it is complete. A square that cannot be chosen
// next may begin another choice; choosing a chosen square again takes it back.
export function choose(moves, choice, square) {
  if (targets(moves, choice).has(square)) {
    const chosen = [...choice, square];
    return chosen.length === 3 ? { choice: [], move: text(chosen) } : { choice: chosen };
  }
  const before = choice.indexOf(square);
  if (before >= 0) return { choice: choice.slice(0, before) };
  return { choice: targets(moves, []).has(square) ? [square] : [] };
}

export function text([from, to, arrow]) {
  return `${from}-${to}/${arrow}`;
}

export function begins(move, choice) {
  const squares = Object.values(parts(move));
  return choice.every((square, index) => square === squares[index]);
}
