// Exercises on the page: a new one, the move that the user chooses, and the solution.

import { byId, option } from "./dom.js";
import { Exercise } from "./exercise.js";
import { Game } from "./game.js";
import { source as amazons } from "./source.js";
import { fail } from "./status.js";

export class Exercises {
  // handlers: { begin(game, said, { exercise }), show(), render() }
  constructor(state, handlers) {
    this.state = state;
    this.handlers = handlers;
  }

  render() {
    const { exercise, editor } = this.state;
    byId("exercise-panel").hidden = exercise === null || editor !== null;
    if (exercise === null) return;
    byId("exercise-title").textContent = exercise.title;
    byId("exercise-task").textContent = exercise.task;
    byId("exercise-show").hidden = exercise.solved;
    byId("exercise-next").className = exercise.solved ? "main" : "";
  }

  async next() {
    const seed = Math.floor(Math.random() * 2 ** 32);
    const given = await amazons.exercise(option("exercise-board"), option("exercise-difficulty"), seed, option("exercise-goal"));
    const { moves } = await amazons.line(given.start, given.moves);
    byId("exercise-answer").textContent = "";
    const exercise = new Exercise(given, this.state.about({}).knowledge);
    await this.handlers.begin(new Game(given.start, moves), "", { exercise });
    byId("exercise-title").focus();
  }

  async judge(move) {
    const { state } = this;
    const { exercise, game } = state;
    const step = state.withPosition(move);
    try {
      const { right, text } = await exercise.judge(move, step.position);
      if (state.exercise !== exercise) return;
      byId("exercise-answer").textContent = text;
      if (right) {
        game.play(step);
        await this.handlers.show();
      } else {
        state.choice = [];
        this.handlers.render();
      }
    } catch (error) {
      fail(error.message);
    }
  }

  async showSolution() {
    const { state } = this;
    const { exercise } = state;
    const { move } = await exercise.solution();
    exercise.solved = true;
    byId("exercise-answer").textContent = `The move is ${move}.`;
    state.game.node = state.game.line.find(({ fen }) => fen === exercise.position) ?? state.game.node;
    state.game.play(state.withPosition(move));
    await this.handlers.show();
  }
}
