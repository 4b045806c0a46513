// What the page asks, and in what form it is answered. Where the answers come from is another module's business: a
// server (server.js), or the library in this browser (page/static/workers.js). A subclass has two methods:
//
//   ask(path, parameters, { signal, body })       the text of an answer, as docs/serve.md has it
//   listen(path, parameters, signal, tell)        a proof search; tell(event, data) hears of it as text
//
// All methods are asynchronous. Failures are AnswerError with a sentence for people. Positions are FEN, moves are
// "b1-b3/d3", values are "win", "loss" or "unknown", seen by the side to move or by a move's maker.
//
//   positions(fens)          [{ position, value } or { error }], in the same order
//   position(fen)            { position, value, winner, source, search, wins, losses, moves: [{ move, value, replies }] }
//   line(fen, moves)         { start, moves: [{ move, position }], position }; refuses moves that are not legal
//   start(board, amazons)    { board, position }
//   boards()                 [{ board, amazons, position, value, winner, wins, moves, source }], those that are solved
//   tables()                 [{ name, board, amazons, opening_moves, built_in }]
//   limits()                 { longest_search_seconds, searches_at_once, searches_running if it is told }
//   search(fen, seconds, valued, signal, tell)   a proof search; tell(event, data) hears of it, aborting the signal ends it
//   engine(fen, level, signal)                   { move, lead, proved, source, line, depth, nodes, seconds }
//   mainLine(fen)                              { moves: [{ move, value, position }], winner, ended: "over", "unknown" or "long" }
//   margins(fen, seconds)    { thresholds: [least, most], moves: [{ move, value, thresholds }] }, the best move first; 0 for no search
//   insight(fen)             { distances: { white, black }, regions: { components } }
//   exercise(board, difficulty, seed, goal)      { start, moves, position, goal, wins, losses, difficulty }; "win" or "margin"
//   games()                  { first: { rules, turns }, rules: [{ name, step, origin, shot, turns }] }
//   readGame(file)           { nodes: [{ parent, move, position, comment, properties }], games: [SGF], remarks: [words] }, from a record in any form, text or bytes
//   writeGame(start, nodes)  SGF

// Of other games than Amazons OtherGame asks; then each move of a position says the position after it.

export class AnswerError extends Error {
  constructor(message, code) {
    super(message);
    this.code = code;
  }
}

// The error of an answer that is none: its text, and its status in words.
export function refused(text, status) {
  let error;
  try {
    ({ error } = JSON.parse(text));
  } catch {
    // Not every answer is from this program.
  }
  return new AnswerError(error?.message ?? status, error?.code);
}

export class Answers {
  position(fen) {
    return this.json("position", { fen });
  }

  async positions(fens) {
    const body = JSON.stringify({ positions: fens, moves: false });
    return (await this.json("positions", {}, { body })).positions;
  }

  line(fen, moves) {
    return this.json("line", { fen, moves: moves.join(" ") });
  }

  start(board, amazons) {
    return this.json("start", { board, amazons });
  }

  async boards() {
    return (await this.json("boards", {})).boards;
  }

  async tables() {
    return (await this.json("tables", {})).tables;
  }

  games() {
    return this.json("rules", {});
  }

  limits() {
    return this.json("health", {});
  }

  engine(fen, level, signal) {
    return this.json("engine", { fen, level }, { signal });
  }

  mainLine(fen) {
    return this.json("mainline", { fen });
  }

  margins(fen, seconds) {
    return this.json("margins", { fen, ...(seconds === undefined ? {} : { seconds }) });
  }

  insight(fen) {
    return this.json("insight", { fen });
  }

  exercise(board, difficulty, seed, goal = "win") {
    return this.json("exercise", { board, ...(difficulty === "" ? {} : { difficulty }), seed, goal });
  }

  readGame(file) {
    return this.json("sgf", {}, { body: file });
  }

  // The bytes of the largest file that can be read.
  get largestFile() {
    return Infinity;
  }

  writeGame(start, nodes) {
    return this.ask("sgf/tree", {}, { body: JSON.stringify({ start, nodes }) });
  }

  search(fen, seconds, valued, signal, tell) {
    const heard = (name, data) => tell(name, JSON.parse(data));
    return this.listen("search", { fen, seconds, moves_valued: valued }, signal, heard);
  }

  async json(path, parameters, options = {}) {
    return JSON.parse(await this.ask(path, parameters, options));
  }
}

// A source that is asked about a game by other rules: { rules, turns }, the turns only if they are not those of the game.
export class OtherGame extends Answers {
  constructor(source, rules) {
    super();
    Object.assign(this, { source, rules });
  }

  ask(path, parameters, options) {
    return this.source.ask(path, { ...parameters, ...this.rules }, options);
  }

  listen(path, parameters, signal, tell) {
    return this.source.listen(path, { ...parameters, ...this.rules }, signal, tell);
  }
}
