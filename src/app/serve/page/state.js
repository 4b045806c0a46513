// What the page is about: the game and the position that are shown, what is known of it, and what the user is doing.

import { OtherGame } from "./answers.js";
import { option } from "./dom.js";
import { Knowledge } from "./knowledge.js";
import { LiveSearch } from "./live.js";
import { after } from "./position.js";
import { isAmazons, nameOfRules } from "./rules.js";
import { source as amazons } from "./source.js";
import { Thinking } from "./thinking.js";

export class State {
  // handlers: { search: those of LiveSearch, estimated(fen) }
  constructor(handlers) {
    this.handlers = handlers;
    this.game = null;
    // The games there are, as the source lists them; the page offers them if there are several.
    this.rules = [];
    // Whether the source searches.
    this.searches = true;
    // The games of the file that this one is of, or null if there is no other.
    this.collection = null;
    this.report = null;
    // What is seen of the position that is shown, when a map asks for it.
    this.insight = null;
    // Whether a side that plays by itself may reply where it is not known yet whether it does.
    this.mayReply = false;
    this.choice = [];
    this.preview = null;
    // Setting up by hand, or null.
    this.editor = null;
    this.exercise = null;
    // Puts back what was taken back last, or null.
    this.putBack = null;
    // Counts the positions shown, so that late answers to earlier ones are dropped.
    this.shown = 0;
    // What is asked and known, of each game that was shown, and of the one that is shown.
    this.games = new Map();
    Object.assign(this, this.about({}));
  }

  // What is asked and known of the game of these rules: { source, knowledge, live, thinking }.
  about(rules) {
    const key = JSON.stringify(rules);
    if (!this.games.has(key)) {
      const source = isAmazons(rules) ? amazons : new OtherGame(amazons, rules);
      const knowledge = new Knowledge(source);
      this.games.set(key, {
        source,
        knowledge,
        live: new LiveSearch(source, knowledge, this.handlers.search),
        thinking: new Thinking(source, { changed: this.handlers.estimated }),
      });
    }
    return this.games.get(key);
  }

  // Turns to the game of these rules; whether it is another one.
  enter(rules) {
    const about = this.about(rules);
    if (about.source === this.source) return false;
    this.leave();
    Object.assign(this, about);
    return true;
  }

  // Stops what is worked out for the position that is shown.
  leave() {
    this.live.leave();
    this.thinking.leave();
  }

  // By how many moves White has won the game that is over; null while it is not, or where that is not known.
  get lead() {
    const { report, insight } = this;
    if (report === null || report.moves.length > 0 || insight === null) return null;
    const sum = (name) => insight.regions.components.reduce((total, component) => total + component[name], 0);
    const [least, most] = [sum("white_ahead_at_least"), sum("white_ahead_at_most")];
    return least === most ? least : null;
  }

  // How the source lists these rules; undefined while it has not.
  listed(rules) {
    return this.rules.find(({ name }) => name === nameOfRules(rules));
  }

  // Whether values are shown. They are kept from who is to find a move.
  get values() {
    return option("values") && !this.isExercise;
  }

  // Whether the position that is shown is that of an exercise, whose move is not found yet.
  get isExercise() {
    const { exercise, game } = this;
    return exercise !== null && !exercise.solved && game.fen === exercise.position;
  }

  // A move of the position that is shown, with the position after it.
  withPosition(move) {
    const { fen } = this.game;
    const known = this.knowledge.remembered(fen)?.moves.find((other) => other.move === move);
    return { move, position: after(fen, known ?? { move }) };
  }
}
