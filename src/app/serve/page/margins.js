// By how much the moves of a position win or lose, in spare moves: what is known of the position that is shown, and
// what a search adds when the user asks for it. Each move has the least and the greatest threshold that are possible
// for its maker, as docs/json.md says.

import { byId } from "./dom.js";
import { byHowMuch, isExactly } from "./words.js";
import { isAmazons } from "./rules.js";
import { fail, say } from "./status.js";

// Positions whose margins are remembered.
const KEPT = 100;

export class Margins {
  // handlers: { render() }
  constructor(state, handlers) {
    this.state = state;
    this.handlers = handlers;
    // By position: { thresholds: by move, the best move first, asked: whether the user asked for them }.
    this.known = new Map();
    this.looking = false;
  }

  // Whether margins are shown of what is on the board.
  get areShown() {
    const { state } = this;
    return state.values && state.editor === null && isAmazons(state.game.rules);
  }

  // What is shown of the moves: { threshold, words } by move, the best first. A bound that says hardly more than who
  // wins is told to those who asked.
  get shown() {
    const { thresholds, asked } = (this.areShown && this.known.get(this.state.game.fen)) || { thresholds: new Map() };
    const shown = new Map();
    for (const [move, range] of thresholds) {
      const words = byHowMuch(range);
      if (words !== null && (asked || isExactly(range) || nearest(range) < 0 || nearest(range) > 1)) {
        shown.set(move, { threshold: nearest(range), words });
      }
    }
    return shown;
  }

  // Looks for what is known of the position that is shown. One position is looked at a time: who goes through a game
  // fast has the one where he stops looked at.
  async look() {
    const { state } = this;
    const { fen } = state.game;
    if (this.looking || !this.areShown || this.known.has(fen) || !state.report?.moves.length) return;
    this.looking = true;
    try {
      this.remember(fen, (await state.source.margins(fen, 0)).moves, false);
    } catch {
      // Who asks for it is told why.
      return;
    } finally {
      this.looking = false;
    }
    if (state.game.fen !== fen) return this.look();
    this.handlers.render();
  }

  // Has it searched for.
  async ask() {
    const { state } = this;
    const { report } = state;
    const { fen } = state.game;
    const button = byId("margins");
    button.disabled = true;
    try {
      const { moves, thresholds, source } = await state.source.margins(fen);
      this.remember(fen, moves, true);
      if (report !== null) state.knowledge.prove(report, { value: valueOf(thresholds), moves, source });
      if (state.game.fen !== fen) return;
      this.handlers.render();
      say("", this.shown.size === moves.length ? "Margins are shown." : "Margins are shown as far as they are known.");
    } catch (error) {
      fail(error.message);
    } finally {
      button.disabled = false;
    }
  }

  remember(fen, moves, asked) {
    this.known.delete(fen);
    this.known.set(fen, { thresholds: new Map(moves.map(({ move, thresholds }) => [move, thresholds])), asked });
    if (this.known.size > KEPT) this.known.delete(this.known.keys().next().value);
  }
}

// The possible threshold that is nearest to being neither won nor lost.
function nearest([least, most]) {
  return most <= 0 ? most : least;
}

function valueOf([least, most]) {
  if (most <= 0) return "win";
  return least > 0 ? "loss" : "unknown";
}
