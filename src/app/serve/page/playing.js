// Playing: moves chosen on the board or in the list, the replies of a side that plays by itself, and the way back and
// forth in the game.

import { choose, targets } from "./choice.js";
import { option } from "./dom.js";
import { parse, sideName } from "./position.js";
import { fail, say } from "./status.js";
import { plural } from "./words.js";

export class Playing {
  // handlers: { show(said, reply), render(), drawBoard(), judge(move) }
  constructor(state, handlers) {
    this.state = state;
    this.handlers = handlers;
  }

  // A square was chosen, or a side of one where walls are set up.
  chooseSquare(name, side) {
    const { state } = this;
    if (state.editor) {
      state.editor.change(name, side);
      return this.handlers.render();
    }
    if (state.report === null) return;
    const { choice, move } = choose(state.report.moves, state.choice, name);
    state.choice = choice;
    state.preview = null;
    if (move !== undefined) return this.play(move);
    this.handlers.render();
    this.sayChoice();
  }

  sayChoice() {
    const { choice, report, game, values } = this.state;
    if (choice.length === 0) return say("Nothing chosen.");
    const next = targets(report.moves, choice);
    const kind = choice.length === 1 ? "step" : this.state.listed(game.rules)?.shot === "wall" ? "wall" : "shot";
    const winning = [...next.values()].filter(({ value }) => value === "win").length;
    const unknown = [...next.values()].some(({ value }) => value === "unknown");
    const can = winning === 0 && unknown ? "none known to win" : `${unknown ? "at least " : ""}${winning} can win`;
    say(`${choice.at(-1)} chosen: ${plural(next.size, kind)}${values ? `, ${can}` : ""}.`);
  }

  preview(move) {
    if (this.state.preview === move || this.state.editor) return;
    this.state.preview = move;
    this.handlers.drawBoard();
  }

  play(move) {
    const { state } = this;
    if (state.isExercise) return this.handlers.judge(move);
    const side = sideName(parse(state.game.fen).turn);
    state.game.play(state.withPosition(move));
    state.putBack = null;
    this.handlers.show(`${side}: ${move}.`, true);
  }

  // Has the engine answer for a side that plays by itself; whether it did.
  async answers(report) {
    const { state } = this;
    if (state.isExercise || !byItself(report) || report.moves.length === 0 || !state.game.atEnd) return false;
    const number = state.shown;
    // The engine needs a place of its own, and the search has said enough.
    state.live.stop();
    say("The engine is thinking …");
    try {
      const { move } = await state.thinking.move(report.position, option("level"));
      if (number !== state.shown) return true;
      this.play(option("level") === "best" ? keepingTheWin(report, move) : move);
    } catch (error) {
      if (number === state.shown && error.name !== "AbortError") fail(`The engine does not answer: ${error.message}`);
    }
    return true;
  }

  // Enters the best moves from here on, as far as they are known, as a line of the game.
  async bestLine() {
    const { state } = this;
    const { game, shown } = state;
    const { moves, winner, ended } = await state.source.mainLine(game.fen);
    if (shown !== state.shown) return;
    game.enter(moves);
    this.handlers.render();
    const end = { over: "to the end of the game", unknown: "then no best move is known", long: "and so on" }[ended];
    const wins = winner === null ? "" : ` ${winner === "white" ? "White" : "Black"} wins.`;
    say(`Best play from here: ${plural(moves.length, "move")}, ${end}.${wins}`);
  }

  goToNode(node) {
    const { state } = this;
    state.game.show(node);
    state.putBack = null;
    this.handlers.show(node.parent === null ? "Start." : `After move ${state.game.at}, ${node.move ?? "set up"}.`);
  }

  goTo(ply) {
    this.state.game.goTo(ply);
    this.goToNode(this.state.game.node);
  }

  // Back to where the user is to move, if the other side plays by itself.
  back() {
    const { node, at, path } = this.state.game;
    if (node.parent === null) return;
    const byUser = path.slice(0, -1).findLastIndex(({ fen }) => parse(fen).turn !== option("opponent"));
    this.goTo(byUser >= 0 ? byUser : at - 1);
  }

  forward() {
    this.goTo(this.state.game.at + 1);
  }

  takeBack() {
    const { state } = this;
    const move = state.game.lastMove;
    const putBack = state.game.takeBack();
    if (putBack === null) return;
    state.putBack = putBack;
    this.handlers.show(`Taken back: ${move ?? "set up"}.`);
  }

  undo() {
    this.state.putBack?.();
    this.state.putBack = null;
    this.handlers.show("Put back.");
  }

  beside(step) {
    if (this.state.game.beside(step)) this.goToNode(this.state.game.node);
  }
}

// The engine's move, or one that is known to win where it is not known whether the engine's does: the page may have
// proved more than the engine has time for.
function keepingTheWin({ moves }, move) {
  const wins = moves.filter(({ value }) => value === "win");
  return wins.length === 0 || wins.some((other) => other.move === move) ? move : wins[0].move;
}

// Whether the side to move plays by itself.
function byItself(report) {
  const opponent = option("opponent");
  return opponent === "winner" ? report.value === "win" : opponent === parse(report.position).turn;
}
