// Choosing a move square by square: amazon, step, shot. A choice is a list of none, one or two squares. For a wall the
// square beyond it is chosen.

import { steps } from "./position.js";

// For each square that can be chosen next, what its moves lead to:
// { value, wins, unknown, total }, the value being the best that can be reached.
export function targets(moves, choice) {
  const found = new Map();
  for (const { move, value } of moves) {
    if (!begins(move, choice)) continue;
    const square = steps(move)[choice.length];
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
    return chosen.length === 3 ? { choice: [], move: moves.find(({ move }) => begins(move, chosen)).move } : { choice: chosen };
  }
  const before = choice.indexOf(square);
  if (before >= 0) return { choice: choice.slice(0, before) };
  return { choice: targets(moves, []).has(square) ? [square] : [] };
}

export function begins(move, choice) {
  const squares = steps(move);
  return choice.every((square, index) => square === squares[index]);
}
