// A search that runs, and what it has found so far.

import { amount, plural, sentence } from "./words.js";

export class LiveSearch {
  // handlers: { changed(fen), news(text), time(share or null), numbers(progress or null) }
  constructor(source, knowledge, handlers) {
    this.source = source;
    this.knowledge = knowledge;
    this.handlers = handlers;
    this.running = null;
  }

  // Searches a position; resolves to what the search says at its end, or null if it was stopped or failed. Why it
  // failed is said if somebody asked for it.
  async run(report, { seconds, valued, asked = true }) {
    this.stop();
    const abort = new AbortController();
    const run = { abort, fen: report.position };
    const failed = (message) => this.handlers.news(asked ? sentence(message) : "");
    this.running = run;
    this.handlers.news("");
    this.handlers.numbers(null);
    this.handlers.time(0);
    let done = null;
    try {
      await this.source.search(report.position, seconds, valued, abort.signal, (name, data) => {
        if (this.running === run && name !== "failed") done = this.hear(report, seconds, name, data) ?? done;
        if (this.running === run && name === "failed") failed(data.message);
      });
    } catch (error) {
      if (this.running === run) failed(error.name === "AbortError" ? "" : error.message);
    }
    if (this.running === run) {
      this.running = null;
      this.handlers.time(null);
      this.handlers.changed(report.position);
    }
    return done;
  }

  hear(report, seconds, name, data) {
    if (name === "progress") {
      this.handlers.news(figures(report, data));
      this.handlers.numbers(data);
      this.handlers.time(Math.min(data.seconds / seconds, 1));
      return null;
    }
    if (name === "value") this.knowledge.prove(report, { value: data.value, source: data.source });
    else if (name === "moves") this.knowledge.prove(report, { moves: data });
    else if (name === "done") {
      this.handlers.news(summary(report, data));
      return data;
    }
    this.handlers.changed(report.position);
    return null;
  }

  stop() {
    const run = this.running;
    this.running = null;
    if (run !== null) {
      run.abort.abort();
      this.handlers.time(null);
      this.handlers.changed(run.fen);
    }
  }

  // Stops, and forgets what the last search said: another position is shown.
  leave() {
    this.stop();
    this.handlers.news("");
    this.handlers.numbers(null);
  }
}

// Between looks at the position itself its moves are searched, one after another; then the numbers are theirs.
function figures(report, { nodes, seconds, refuted, first_moves }) {
  const moves = first_moves === report.moves.length ? `, ${refuted} of ${plural(first_moves, "move")} refuted` : "";
  return `${amount(nodes)} positions in ${seconds.toFixed(1)} s${moves}`;
}

function summary({ value, unknown, moves }, { nodes, seconds }) {
  const known = `${moves.length - unknown} of ${plural(moves.length, "move")} are known`;
  const found = value === "unknown" ? `Who wins was not proved; ${known}` : `Proved; ${known}`;
  return `${found}: ${amount(nodes)} positions in ${seconds.toFixed(1)} s.`;
}
