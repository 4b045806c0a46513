// The engine: an opponent on every board, and an estimate where nothing is proved.

import { sideName, parse } from "./position.js";
import { plural } from "./words.js";

// How long a position is shown before it is thought about, in milliseconds.
const PAUSE = 350;
// What leads are counted in: squares of Amazons, steps of other games; so many of them fill about three quarters of
// their half of the bar.
export const SQUARES = { name: "square", large: 6, digits: 1 };
export const STEPS = { name: "step", large: 60, digits: 0 };

export class Thinking {
  // handlers: { changed(fen) }
  constructor(source, handlers) {
    this.source = source;
    this.handlers = handlers;
    this.estimates = new Map();
    this.abort = null;
    this.timer = null;
  }

  // The estimate of a position, if there is one.
  of(fen) {
    return this.estimates.get(fen) ?? null;
  }

  // Asks for an estimate of a position, if it is still shown after a moment.
  estimate(fen) {
    this.leave();
    if (this.estimates.has(fen)) return;
    this.timer = setTimeout(async () => {
      const abort = new AbortController();
      this.abort = abort;
      // An estimate is a help: without it the page says less, and that is all.
      await this.judge(fen, abort.signal).then(() => this.handlers.changed(fen), () => {});
    }, PAUSE);
  }

  // The engine's estimate of a position, kept.
  async judge(fen, signal) {
    const thought = await this.source.engine(fen, "analysis", signal);
    this.estimates.set(fen, thought);
  }

  // The engine's move in a position.
  async move(fen, level) {
    this.leave();
    const abort = new AbortController();
    this.abort = abort;
    return this.source.engine(fen, level, abort.signal);
  }

  leave() {
    clearTimeout(this.timer);
    this.abort?.abort();
    this.abort = null;
  }
}

// What the bar under the verdict shows: { share of White from 0 to 1, proved, winner or text, line }, or null.
export function standing(report, estimate, unit) {
  const turn = parse(report.position).turn;
  if (report.value !== "unknown") {
    const white = (report.value === "win") === (turn === "w");
    return { share: white ? 1 : 0, proved: true, winner: `${white ? "White" : "Black"} wins`, line: [] };
  }
  if (estimate === null) return null;
  const side = sideName(turn);
  if (estimate.proved !== null) {
    // The engine saw the end by itself; only tables and the proof search are taken as proofs here.
    const white = (estimate.proved === "win") === (turn === "w");
    return { share: white ? 0.97 : 0.03, proved: false, text: `Estimate: ${white ? "White" : "Black"} wins`, line: estimate.line };
  }
  const lead = turn === "w" ? estimate.lead : -estimate.lead;
  const share = 0.5 + 0.45 * Math.tanh(lead / unit.large);
  const ahead = Math.abs(lead) < 0.05 ? "even" : `${lead > 0 ? "White" : "Black"} ahead by ${Math.abs(lead).toFixed(unit.digits)} ${unit.name}s`;
  const depth = estimate.depth > 0 ? `, ${plural(estimate.depth, "move")} deep` : "";
  return { share, proved: false, text: `Estimate: ${ahead}${depth}`, line: estimate.line, side };
}
