// Searches of the position that is shown: started, and drawn while they find something.

import { byId, option } from "./dom.js";
import { NumberGraph } from "./graph.js";
import { say } from "./status.js";
import { spoken } from "./words.js";

// It has the handlers that LiveSearch asks for.
export class Searching {
  constructor(state, render) {
    this.state = state;
    this.render = render;
    this.graph = new NumberGraph(byId("search-graph"));
    // Whether the page will be drawn with the next frame.
    this.drawing = false;
  }

  start(valued) {
    const { state } = this;
    state.thinking.leave();
    const running = state.live.run(state.report, Number(option("search-seconds")), valued);
    this.render();
    return running;
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
    this.render();
    if (state.live.running !== null) return;
    if (state.report.value !== "unknown") say("", spoken(state.report, state.values));
    else state.thinking.estimate(fen);
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
