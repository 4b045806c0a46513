// What is known and guessed of a whole game: the values of the positions of the line that is shown, and the moves that
// gave something away.

import { Course } from "./course.js";
import { byId, make } from "./dom.js";
import { parse, seenFrom } from "./position.js";
import { standing } from "./thinking.js";

// A move that loses so much of the bar by the engine's estimate is marked.
const LARGE = 0.2;
// The longest line that is drawn, in positions. A game is shorter; a file may be anything.
const LONGEST = 500;
// How long to wait where the server has no room for the engine, in milliseconds.
const WAIT = 1500;
// How often it may have none.
const MOST_WAITS = 40;

export class Review {
  // handlers: { goTo(node), render(): draws the game anew, unit(): what leads are counted in }
  constructor(state, handlers) {
    this.state = state;
    this.handlers = handlers;
    this.course = new Course(byId("course"), handlers.goTo);
    // What ends the estimates that are being made, or null.
    this.abort = null;
  }

  // Asks for the values of the line that is shown. Without them less is drawn, and that is all.
  async look() {
    const { game, knowledge, shown } = this.state;
    if (game.line.length < 2 || game.line.length > LONGEST || this.state.exercise !== null) return;
    const isNew = await knowledge.askFor(game.line.map(({ fen }) => fen)).catch(() => false);
    if (isNew && shown === this.state.shown) this.handlers.render();
  }

  // Has the engine estimate every position of the line whose value is not known; a second call ends that.
  async estimate() {
    if (this.abort !== null) return this.leave();
    const abort = new AbortController();
    this.abort = abort;
    const { thinking, knowledge, game } = this.state;
    let waits = 0;
    for (const { fen } of game.line) {
      while (!abort.signal.aborted && this.state.game === game && knowledge.value(fen) === "unknown" && thinking.of(fen) === null) {
        this.render();
        try {
          await thinking.judge(fen, abort.signal);
        } catch (error) {
          waits += 1;
          if (!["busy", "too_many_searches"].includes(error.code) || waits > MOST_WAITS) abort.abort();
          else await new Promise((resolve) => { setTimeout(resolve, WAIT); });
        }
      }
    }
    if (this.abort === abort) this.abort = null;
    this.render();
  }

  leave() {
    this.abort?.abort();
    this.abort = null;
    this.render();
  }

  render() {
    const { state } = this;
    const line = state.game.line;
    const points = state.values && state.editor === null && line.length > 1 && line.length <= LONGEST ? this.points(line) : [];
    const hidden = points.every(({ share }) => share === null);
    byId("course").hidden = hidden;
    byId("course-key").hidden = hidden;
    byId("course-marks").hidden = points.every(({ mark }) => mark === "");
    byId("estimate").hidden = points.length === 0 || (this.abort === null && points.every(({ proved, estimated }) => proved || estimated));
    byId("estimate").textContent = this.abort === null ? "Estimate all" : "Stop estimating";
    if (!hidden) this.course.show(points, state.game.node);
  }

  points(line) {
    const points = line.map((node, at) => ({ node, at, ...this.seen(node.fen) }));
    return points.map((point, at) => ({ ...point, ...remark(points[at - 1], point) }));
  }

  // How a position stands, as far as that is known.
  seen(fen) {
    const { knowledge, thinking } = this.state;
    const value = knowledge.value(fen);
    const estimate = thinking.of(fen);
    const found = standing({ position: fen, value }, estimate, this.handlers.unit());
    return { share: found?.share ?? null, proved: found?.proved ?? false, estimated: estimate !== null };
  }
}

// Whether a move gave the win away, by what is known of the positions before and after it.
export function gaveAway(knowledge, { parent, move, fen }) {
  if (parent === null || move === null || knowledge.value(parent.fen) !== "win") return false;
  const played = knowledge.remembered(parent.fen)?.moves.find((other) => other.move === move);
  return played?.value === "loss" || seenFrom(parent.fen, fen, knowledge.value(fen)) === "loss";
}

// What is to be said of a move: its mark, and words.
function remark(before, { node, at, share, proved }) {
  const how = share === null ? "not known" : `${share >= 0.5 ? "White" : "Black"} ${proved ? "wins" : "is ahead by the estimate"}`;
  if (before === undefined) return { mark: "", said: `Start: ${how}` };
  const name = `Move ${at}, ${node.move ?? "set up"}`;
  const none = { mark: "", said: `${name}: ${how}` };
  if (node.move === null || share === null || before.share === null) return none;
  const lost = parse(node.parent.fen).turn === "w" ? before.share - share : share - before.share;
  if (before.proved && proved) return lost > 0 ? { mark: "??", said: `${name}, gave the win away` } : none;
  return lost >= LARGE ? { mark: "?", said: `${name}, lost much by the estimate` } : none;
}
