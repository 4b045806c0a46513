// Exercises: find the only winning move, or the one that wins by most. What was chosen is answered and explained.

import { parse, sideName } from "./position.js";
import { byHowMuch, otherSide, plural } from "./words.js";

const TITLES = { win: "Find the only winning move", margin: "Find the move that wins by most" };

export class Exercise {
  // `given` is as the source gives it; `knowledge` has the values.
  constructor(given, knowledge) {
    Object.assign(this, given);
    this.knowledge = knowledge;
    this.solved = false;
    this.tries = 0;
    // What the source says of margins, once it was asked.
    this.margins = null;
  }

  get side() {
    return sideName(parse(this.position).turn);
  }

  get title() {
    return TITLES[this.goal];
  }

  get task() {
    const { side, wins, losses, difficulty } = this;
    const lose = `${plural(losses, "move")} lose${losses === 1 ? "s" : ""}`;
    if (this.goal === "win") return `${side} to move and win: one of ${losses + 1} moves does it (${difficulty}: ${lose}).`;
    return `${side} to move and win by as much as can be: ${wins} moves win, and one of them by more than the others (${difficulty}: ${lose}).`;
  }

  // The move to be found.
  async solution() {
    if (this.goal === "margin") return (await this.byMargin())[0];
    const report = await this.knowledge.report(this.position);
    return report.moves.find(({ value }) => value === "win");
  }

  // All moves with their margins, the best first.
  async byMargin() {
    this.margins ??= await this.knowledge.source.margins(this.position, 0);
    return this.margins.moves;
  }

  // Judges a move: { right, text }. Afterwards the position after it has been asked for.
  async judge(move, after) {
    this.tries += 1;
    const report = await this.knowledge.report(after);
    if (this.goal === "margin") {
      const moves = await this.byMargin();
      const chosen = moves.find((other) => other.move === move);
      if (chosen?.value === "win") return this.judgeMargin(chosen, moves);
    }
    const { move: wanted } = await this.solution();
    if (move !== wanted) return { right: false, text: this.refuted(move, report) };
    this.solved = true;
    const other = otherSide(this.side);
    const replies = report.moves.length === 0 ? `${other} cannot move any more` : `${other} has ${plural(report.moves.length, "reply", "replies")}, and every one loses`;
    return { right: true, text: `Right: ${move} is the only move that wins. ${replies}.` };
  }

  // What is said of a move that wins.
  judgeMargin({ move, thresholds }, [best, next]) {
    const by = byHowMuch(thresholds);
    if (move !== best.move) return { right: false, text: `${move} wins ${by}; another move wins by more. Try another move.` };
    this.solved = true;
    return { right: true, text: `Right: ${move} wins ${by}. The best of the others wins ${byHowMuch(next.thresholds)}.` };
  }

  refuted(move, report) {
    const other = otherSide(this.side);
    const winning = report.moves.filter(({ value }) => value === "win");
    const answer = winning.length === 0 ? `${other} wins after it` : `${other} answers ${winning[0].move}${howMany(report, winning.length)}`;
    return `${move} loses: ${answer}. Try another move.`;
  }
}

function howMany({ unknown }, wins) {
  if (wins === 1) return unknown > 0 ? " and wins" : ", the only move that wins";
  return `, ${unknown > 0 ? "one of at least" : "one of"} ${wins} moves that win`;
}
