// A search that runs on the server, and what it has found so far.

import { search } from "./api.js";

export class LiveSearch {
  // handlers: { changed(fen), news(text), time(share or null) }
  constructor(handlers) {
    this.handlers = handlers;
    this.running = null;
  }

  // Searches a position; resolves to what the search says at its end, or null if it was stopped or failed.
  async run(report, seconds, valued) {
    this.stop();
    const abort = new AbortController();
    const run = { abort, fen: report.position };
    this.running = run;
    this.handlers.news("");
    this.handlers.time(0);
    let done = null;
    try {
      await search(report.position, seconds, valued, abort.signal, (name, data) => {
        if (this.running === run && name !== "failed") done = this.hear(report, seconds, name, data) ?? done;
        if (this.running === run && name === "failed") this.handlers.news(sentence(data.message));
      });
    } catch (error) {
      if (this.running === run) this.handlers.news(error.name === "AbortError" ? "" : sentence(error.message));
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
      this.handlers.news(figures(data));
      this.handlers.time(Math.min(data.seconds / seconds, 1));
      return null;
    }
    if (name === "value") {
      Object.assign(report, { value: data.value, winner: data.winner, source: { kind: "search" } });
    } else if (name === "moves") {
      merge(report, data);
    } else if (name === "done") {
      this.handlers.news(summary(data));
      report.search = data.value === "unknown" || data.moves_known < data.moves;
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
      this.handlers.news("");
      this.handlers.changed(run.fen);
    }
  }
}

const ORDER = { win: 0, unknown: 1, loss: 2 };

// Puts values that were found into a report, best moves first.
function merge(report, found) {
  const values = new Map(found.map(({ move, value }) => [move, value]));
  for (const move of report.moves) move.value = values.get(move.move) ?? move.value;
  report.moves.sort((a, b) => ORDER[a.value] - ORDER[b.value] || a.replies - b.replies);
  report.wins = report.moves.filter(({ value }) => value === "win").length;
  report.losses = report.moves.filter(({ value }) => value === "loss").length;
}

function figures({ nodes, seconds, refuted, first_moves }) {
  const moves = first_moves > 0 ? `, ${refuted} of ${first_moves} moves refuted` : "";
  return `${count(nodes)} positions in ${seconds.toFixed(1)} s${moves}`;
}

function summary({ value, moves_known, moves, nodes, seconds }) {
  const found = value === "unknown" ? "Nothing was proved" : `Proved; ${moves_known} of ${moves} moves are known`;
  return `${found}: ${count(nodes)} positions in ${seconds.toFixed(1)} s.`;
}

function count(number) {
  if (number < 10_000) return `${number}`;
  return number < 1_000_000 ? `${(number / 1000).toFixed(0)} k` : `${(number / 1_000_000).toFixed(1)} M`;
}

function sentence(text) {
  return text === "" ? "" : text[0].toUpperCase() + text.slice(1) + (/[.!?]$/.test(text) ? "" : ".");
}
