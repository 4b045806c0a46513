// Searches of the position that is shown: started, and drawn while they find something.
//
// Small boards are searched without being asked: there a minute mostly proves every move, so a solved board stays
// solved beyond what tables know. Such a search leaves room for others, and says nothing if there is none.

import { byId, option } from "./dom.js";
import { NumberGraph } from "./graph.js";
import { parse } from "./position.js";
import { source as amazons } from "./source.js";
import { say } from "./status.js";
import { spoken } from "./words.js";

// The most squares of a board that is searched by itself.
const SMALL = 25;
// How long a position is shown before it is searched by itself, in milliseconds.
const PAUSE = 600;
// How often it is tried where there is no room, and after which time.
const TRIES = 5;
const AGAIN = 3000;

// It has the handlers that LiveSearch asks for.
export class Searching {
  // handlers: { render(), settled(report): it was found who wins }
  constructor(state, handlers) {
    this.state = state;
    this.handlers = handlers;
    this.graph = new NumberGraph(byId("search-graph"));
    // Whether the page will be drawn with the next frame.
    this.drawing = false;
    // Whether the user asked for the last search.
    this.asked = false;
    // Reports of positions that were searched as long as they are, or whose search the user stopped.
    this.done = new WeakSet();
  }

  start() {
    return this.run({ asked: true });
  }

  async run({ asked }) {
    const { state } = this;
    const { report } = state;
    state.thinking.leave();
    // Ears hear only of what was asked for.
    this.asked = asked;
    byId("search-news").setAttribute("aria-live", asked ? "polite" : "off");
    const running = state.live.run(report, { seconds: Number(option("search-seconds")), valued: "all", asked });
    this.handlers.render();
    if ((await running) !== null) this.done.add(report);
  }

  stop() {
    this.done.add(this.state.report);
    this.state.live.stop();
  }

  // Another choice was made of what is searched by itself: a search that nobody asked for may end or begin.
  choose() {
    if (option("search-auto") === "never" && !this.asked) this.state.live.stop();
    this.byItself();
  }

  // Searches the position that is shown, if it is to be searched by itself and is still shown after a moment; whether
  // it is to be.
  byItself() {
    if (!this.isWanted) return false;
    const { report } = this.state;
    setTimeout(() => this.begin(report, TRIES), PAUSE);
    return true;
  }

  async begin(report, tries) {
    const isLeft = () => this.state.report !== report || !this.isWanted;
    if (tries === 0 || isLeft()) return;
    const room = await hasRoom();
    if (isLeft()) return;
    if (room) {
      this.run({ asked: false });
    } else {
      this.estimate(report);
      setTimeout(() => this.begin(report, tries - 1), AGAIN);
    }
  }

  // Whether what is shown is to be searched by itself. It has to be shown with its values, and not to be found.
  get isWanted() {
    const { report, values, exercise, editor, live } = this.state;
    if (!report?.search || !this.state.searches || this.done.has(report) || !values || exercise !== null || editor !== null || live.running !== null) return false;
    const { columns, rows } = parse(report.position);
    return { small: columns * rows <= SMALL, always: true, never: false }[option("search-auto")];
  }

  estimate(report) {
    if (report.value === "unknown" && this.state.searches) this.state.thinking.estimate(report.position);
  }

  // A search found something, or ended. Many findings are drawn together.
  changed(fen) {
    if (this.state.report?.position !== fen || this.drawing) return;
    this.drawing = true;
    requestAnimationFrame(() => {
      this.drawing = false;
      this.draw(fen);
    });
  }

  draw(fen) {
    const { state } = this;
    if (state.report?.position !== fen || state.editor) return;
    state.knowledge.settleBack(state.game.path.map((node) => node.fen));
    this.handlers.render();
    if (state.report.value !== "unknown") this.handlers.settled(state.report);
    if (state.live.running !== null) return;
    if (state.report.value !== "unknown" && this.asked) say("", spoken(state.report, state.values));
    this.estimate(state.report);
  }

  news(text) {
    byId("search-news").textContent = text;
  }

  time(share) {
    byId("search-time").hidden = share === null;
    byId("search-time").value = share ?? 0;
  }

  numbers(progress) {
    if (progress === null) this.graph.clear();
    else this.graph.add(progress);
    byId("search-graph-key").hidden = byId("search-graph").hidden;
  }
}

// Whether a search by itself leaves one for the engine and for others, if there are several at once.
async function hasRoom() {
  const none = { searches_at_once: 0 };
  const { searches_at_once: most, searches_running: running = 0 } = await amazons.limits().catch(() => none);
  return running < Math.min(most, Math.max(most - 1, 1));
}
