// Exercises: find the only winning move. What was chosen is answered and explained.

import { parse, sideName } from "./position.js";
import { otherSide, plural } from "./words.js";

const HARD = { easy: "easy", medium: "medium", hard: "hard" };

export class Exercise {
  // `given` is as the source gives it; `knowledge` has the values.
  constructor(given, knowledge) {
    Object.assign(this, given);
    this.knowledge = knowledge;
    this.solved = false;
    this.tries = 0;
  }

  get side() {
    return sideName(parse(this.position).turn);
  }

  get task() {
    return `${this.side} to move and win: one of ${this.losses + 1} moves does it (${HARD[this.difficulty]}: ${plural(this.losses, "move")} lose${this.losses === 1 ? "s" : ""}).`;
  }

  async solution() {
    const report = await this.knowledge.report(this.position);
    return report.moves.find(({ value }) => value === "win");
  }

  // Judges a move: { right, text }. Afterwards the position after it has been asked for.
  async judge(move, after) {
    this.tries += 1;
    const { move: wanted } = await this.solution();
    const report = await this.knowledge.report(after);
    const other = otherSide(this.side);
    if (move === wanted) {
      this.solved = true;
      const replies = report.moves.length === 0 ? `${other} cannot move any more` : `${other} has ${plural(report.moves.length, "reply", "replies")}, and every one loses`;
      return { right: true, text: `Right: ${move} is the only move that wins. ${replies}.` };
    }
    const winning = report.moves.filter(({ value }) => value === "win");
    const answer = winning.length === 0 ? `${other} wins after it` : `${other} answers ${winning[0].move}${howMany(report, winning.length)}`;
    return { right: false, text: `${move} loses: ${answer}. Try another move.` };
  }
}

function howMany({ unknown }, wins) {
  if (wins === 1) return unknown > 0 ? " and wins" : ", the only move that wins";
  return `, ${unknown > 0 ? "one of at least" : "one of"} ${wins} moves that win`;
}
