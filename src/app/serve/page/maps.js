// What can be laid over the board: where the winning moves go, by how much moves win, who is nearer to each square, and
// the parts that the board has fallen into. A map is a Map from a square to { fill, ink, text, words, kind }.

import { nameOf, parts, steps } from "./position.js";
import { begins } from "./choice.js";

// Cividis: a scale that reads the same to people who see colours differently, and gets lighter all the way.
const SCALE = [[0, 32, 77], [60, 77, 110], [124, 123, 120], [187, 173, 107], [255, 234, 70]];

export function scaleColour(share) {
  const at = Math.min(Math.max(share, 0), 1) * (SCALE.length - 1);
  const low = Math.min(Math.floor(at), SCALE.length - 2);
  const mixed = SCALE[low].map((part, index) => Math.round(part + (SCALE[low + 1][index] - part) * (at - low)));
  return { fill: `rgb(${mixed.join(" ")})`, ink: at < 2 ? "#fff" : "#000" };
}

const HERE = { from: "move from here", to: "go here", arrow: "shoot here" };

// Of each square: how many of the moves that are chosen from win, by which squares they go from, to, or shoot at.
export function heatMap(moves, choice, which) {
  const counts = new Map();
  for (const { move, value } of moves) {
    if (!begins(move, choice)) continue;
    const square = parts(move)[which];
    const count = counts.get(square) ?? { wins: 0, unknown: 0, total: 0 };
    count.total += 1;
    if (value === "win") count.wins += 1;
    if (value === "unknown") count.unknown += 1;
    counts.set(square, count);
  }
  const most = Math.max(0, ...[...counts.values()].map(({ wins }) => wins));
  const map = new Map();
  for (const [square, { wins, unknown, total }] of counts) {
    const shade = scaleColour(most === 0 ? 0 : wins / most);
    const text = `${wins}${unknown > 0 ? "+" : ""}`;
    const words = `${unknown > 0 ? "at least " : ""}${wins} winning of ${total} moves ${HERE[which]}`;
    map.set(square, { kind: "heat", ...shade, text, words });
  }
  return { map, most };
}

// How far a threshold is from being neither won nor lost: 1 for a win by 0, -1 for a loss by 0.
function level(threshold) {
  return threshold <= 0 ? 1 - threshold : -threshold;
}

// A margin with its sign, short: "+3" is a win by 3, "−0" a loss by 0.
function signed(level) {
  return level > 0 ? `+${level - 1}` : `−${-level - 1}`;
}

// The colours of margins: on the scale from what loses by most to what wins by most.
export class MarginScale {
  constructor(thresholds) {
    this.most = Math.max(1, ...thresholds.map((threshold) => Math.abs(level(threshold))));
  }

  colour(threshold) {
    return this.ofLevel(level(threshold));
  }

  ofLevel(level) {
    return scaleColour((level + this.most) / (2 * this.most));
  }

  // A few of its colours, with what they stand for.
  get steps() {
    const few = [...new Set([1, 2, 3].map((part) => Math.max(1, Math.round((part * this.most) / 3))))];
    const levels = [...few.map((step) => -step).reverse(), ...few];
    return levels.map((level) => ({ ...this.ofLevel(level), text: signed(level) }));
  }
}

// Of each square that can be chosen next: the best margin that is known of a move by way of it. `margins` are
// { threshold, words } by move.
export function marginMap(moves, choice, margins, scale) {
  const best = new Map();
  for (const { move } of moves) {
    const margin = margins.get(move);
    if (margin === undefined || !begins(move, choice)) continue;
    const square = steps(move)[choice.length];
    const before = best.get(square);
    if (before === undefined || margin.threshold < before.threshold) best.set(square, margin);
  }
  const map = new Map();
  for (const [square, { threshold, words }] of best) {
    const text = signed(level(threshold));
    map.set(square, { kind: "heat", ...scale.colour(threshold), text, words: `${threshold <= 0 ? "wins" : "loses"} ${words}` });
  }
  return map;
}

// How many queen moves each side is from each square.
export function distanceMap(position, { white, black }) {
  const map = new Map();
  white.forEach((mine, index) => {
    const theirs = black[index];
    if (position.squares[index] !== "" || (mine === null && theirs === null)) return;
    const [a, b] = [mine ?? Infinity, theirs ?? Infinity];
    const kind = a < b ? "near-white" : a > b ? "near-black" : "near-both";
    const nearer = { "near-white": "nearer to White", "near-black": "nearer to Black", "near-both": "equally near" }[kind];
    const moves = (distance) => distance ?? "not reached";
    map.set(nameOf(position, index), { kind, text: `${mine ?? "–"}:${theirs ?? "–"}`, words: `${nearer}, White ${moves(mine)}, Black ${moves(theirs)}` });
  });
  return map;
}

// The parts of the board, by the letters that the list of them has.
export function regionMap(position, { components }) {
  const map = new Map();
  for (const component of components) {
    for (const part of component.parts) {
      const kind = part.owner === null ? "near-both" : `near-${part.owner}`;
      const owner = part.owner === null ? "contested" : `${part.owner}'s`;
      for (const square of part.squares) map.set(square, { kind, text: part.label, words: `part ${part.label}, ${owner}` });
    }
  }
  return map;
}

// The same in words, a line for each component.
export function regionLines({ components }) {
  return components.map((component) => {
    const parts = component.parts.map((part) => `${part.label} (${part.owner ?? "contested"}): ${range("White", part.white_moves)}, ${range("Black", part.black_moves)}`);
    const { white_ahead_at_least: low, white_ahead_at_most: high, value } = component;
    const together = low === high ? `exactly ${ahead(low)}` : `from ${ahead(low)} to ${ahead(high)}`;
    return { parts, together: `${together}${value === undefined ? "" : `; value ${value}, Black as Left`}` };
  });
}

function range(side, [least, most]) {
  return `${side} ${least === most ? least : `${least} to ${most}`} move${least === most && most === 1 ? "" : "s"}`;
}

function ahead(moves) {
  if (moves === 0) return "even";
  return `${moves > 0 ? "White" : "Black"} ahead by ${Math.abs(moves)}`;
}
