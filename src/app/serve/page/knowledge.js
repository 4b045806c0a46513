// What is known of positions: the answers of the source, and all that was proved since the page was opened.
//
// A report is what the source answers for a position. Values that a search proves are kept by position, for good: a
// move's value is that of the position after it, seen from the side that made it. So what was proved of a move is known when
// it has been played, what was proved after it is known when it is taken back, and other moves that lead to the same
// position have it too. With a value goes whose values it believes: a proof that asked a table holds if the table's do.

import { after, parse, seenFrom } from "./position.js";
import { believed } from "./words.js";

// Reports of the last positions that were looked at. Proofs are never dropped.
const KEPT = 400;
const ORDER = { win: 0, unknown: 1, loss: 2 };

export class Knowledge {
  constructor(source) {
    this.source = source;
    this.reports = new Map();
    // By position { value, sources }: what the side to move reaches, "win" or "loss", and whose values that believes.
    this.proofs = new Map();
    // Positions whose values were asked for together.
    this.asked = new Set();
  }

  // What is known of a position, asked for if need be.
  async report(fen) {
    let report = this.reports.get(fen);
    if (report === undefined) {
      report = await this.source.position(fen);
      this.reports.set(fen, report);
      if (this.reports.size > KEPT) this.reports.delete(this.reports.keys().next().value);
    }
    this.settle(report);
    return report;
  }

  // The report of a position that was asked for before, or null.
  remembered(fen) {
    const report = this.reports.get(fen) ?? null;
    if (report !== null) this.settle(report);
    return report;
  }

  // The value of a position for its side to move, as far as it was asked for or proved.
  value(fen) {
    return this.proofs.get(fen)?.value ?? this.reports.get(fen)?.value ?? "unknown";
  }

  // Asks for the values of up to 1000 positions, of which nothing was asked; whether there were such.
  async askFor(fens) {
    const open = [...new Set(fens)].filter((fen) => !this.asked.has(fen) && !this.reports.has(fen) && !this.proofs.has(fen));
    if (open.length === 0) return false;
    for (const fen of open) this.asked.add(fen);
    const answers = await this.source.positions(open);
    answers.forEach(({ value = "unknown", source }, at) => this.remember(open[at], value, believed(source)));
    return true;
  }

  // What a search proved of a position: its value, and those of some moves. A move without a source has that of all.
  prove(report, { value = "unknown", moves = [], source }) {
    if (value !== "unknown" && report.value === "unknown") Object.assign(report, { value, source: { kind: "search", sources: believed(source) } });
    const found = new Map(moves.map((known) => [known.move, known]));
    for (const move of report.moves) {
      const known = found.get(move.move) ?? { value: "unknown" };
      if (known.value === "unknown" || move.value !== "unknown") continue;
      Object.assign(move, { value: known.value, sources: believed(known.source ?? source) });
      this.rememberAfter(report, move, known.value, move.sources);
    }
    this.settle(report);
  }

  // What is proved and believes fewer stays.
  remember(fen, value, sources) {
    if (value === "unknown" || this.proofs.get(fen)?.sources.length <= sources.length) return;
    this.proofs.set(fen, { value, sources });
  }

  // A move's value, as the position's after it.
  rememberAfter({ position }, move, value, sources) {
    const fen = after(position, move);
    this.remember(fen, seenFrom(fen, position, value), sources);
  }

  // Takes over into a report what was proved elsewhere, and what follows from that.
  settle(report) {
    for (const move of report.moves) {
      if (move.value !== "unknown") continue;
      const fen = after(report.position, move);
      const known = this.proofs.get(fen);
      if (known) Object.assign(move, { value: seenFrom(report.position, fen, known.value), sources: known.sources });
    }
    if (report.value === "unknown") {
      const known = this.proofs.get(report.position) ?? fromMoves(report.moves);
      if (known !== null) Object.assign(report, { value: known.value, source: { kind: "deduced", sources: known.sources } });
    }
    // Every move of a lost position loses, so the positions after them are won by the other side.
    if (report.value === "loss") {
      for (const move of report.moves) {
        this.rememberAfter(report, move, "loss", believed(report.source));
        move.value = "loss";
      }
    }
    const kind = report.source?.kind;
    if (kind === "search" || kind === "deduced") this.remember(report.position, report.value, report.source.sources);
    count(report);
  }

  // After something was proved: takes it back along the positions that led there, the last one first.
  settleBack(fens) {
    for (const fen of [...fens].reverse()) this.remembered(fen);
  }
}

// What follows from the moves for their maker, or null.
function fromMoves(moves) {
  const wins = moves.filter(({ value }) => value === "win").map(({ sources = [] }) => sources);
  if (wins.length > 0) return { value: "win", sources: wins.reduce((few, sources) => (sources.length < few.length ? sources : few)) };
  if (!moves.every(({ value }) => value === "loss")) return null;
  return { value: "loss", sources: [...new Set(moves.flatMap(({ sources = [] }) => sources))] };
}

function count(report) {
  // In the middle of a turn the replies are the same side's, and many are the better.
  const [first] = report.moves;
  const goesOn = first?.position !== undefined && parse(first.position).turn === parse(report.position).turn;
  const few = (a, b) => (goesOn ? b.replies - a.replies : a.replies - b.replies);
  report.moves.sort((a, b) => ORDER[a.value] - ORDER[b.value] || few(a, b));
  report.wins = report.moves.filter(({ value }) => value === "win").length;
  report.losses = report.moves.filter(({ value }) => value === "loss").length;
  report.unknown = report.moves.length - report.wins - report.losses;
  if (report.value !== "unknown" && report.unknown === 0) report.search = false;
}
