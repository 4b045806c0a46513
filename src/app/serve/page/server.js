// Where the page's answers come from: a server, here. This is the one module that asks it. A page without a server
// would put another class in its place, with the same methods; nothing else would change.
//
// All methods are asynchronous. Failures are AnswerError with a sentence for people. Positions are FEN, moves are
// "b1-b3/d3", values are "win", "loss" or "unknown", seen by the side to move or by a move's maker.
//
//   position(fen)            { position, value, winner, source, search, wins, losses, moves: [{ move, value, replies }] }
//   line(fen, moves)         { start, moves: [{ move, position }], position }; refuses moves that are not legal
//   start(board, amazons)    { board, position }
//   boards()                 [{ board, amazons, position, value, winner, wins, moves, source }], those that are solved
//   tables()                 [{ name, board, amazons, opening_moves, built_in }]
//   limits()                 { longest_search_seconds, searches_at_once }
//   search(fen, seconds, valued, signal, tell)   a proof search; tell(event, data) hears of it, aborting the signal ends it
//   engine(fen, level, signal)                   { move, lead, proved, source, line, depth, nodes, seconds }
//   insight(fen)             { distances: { white, black }, regions: { components } }
//   exercise(board, difficulty, seed)            { start, moves, position, losses, difficulty }
//   readGame(text)           { nodes: [{ parent, move, position, comment, properties }], games_left_out }, from SGF
//   writeGame(start, nodes)  SGF

export class AnswerError extends Error {
  constructor(message, code) {
    super(message);
    this.code = code;
  }
}

const BASE = "/api/v1/";

export class Server {
  position(fen) {
    return json("position", { fen });
  }

  line(fen, moves) {
    return json("line", { fen, moves: moves.join(" ") });
  }

  start(board, amazons) {
    return json("start", { board, amazons });
  }

  async boards() {
    return (await json("boards", {})).boards;
  }

  async tables() {
    return (await json("tables", {})).tables;
  }

  limits() {
    return json("health", {});
  }

  engine(fen, level, signal) {
    return json("engine", { fen, level }, signal);
  }

  insight(fen) {
    return json("insight", { fen });
  }

  exercise(board, difficulty, seed) {
    return json("exercise", { board, ...(difficulty === "" ? {} : { difficulty }), seed });
  }

  async readGame(text) {
    return (await ask("sgf", {}, undefined, { method: "POST", body: text })).json();
  }

  async writeGame(start, nodes) {
    const body = JSON.stringify({ start, nodes });
    return (await ask("sgf/tree", {}, undefined, { method: "POST", body })).text();
  }

  async search(fen, seconds, valued, signal, tell) {
    const response = await ask("search", { fen, seconds, moves_valued: valued }, signal);
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      const blocks = (rest + value).split("\n\n");
      rest = blocks.pop();
      for (const block of blocks) event(block, tell);
    }
  }
}

async function ask(path, parameters, signal, options = {}) {
  const query = new URLSearchParams(parameters);
  let response;
  try {
    response = await fetch(`${BASE}${path}?${query}`, { signal, ...options });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new AnswerError("The server cannot be reached.", "unreachable");
  }
  if (response.ok) return response;
  const body = await response.json().catch(() => null);
  throw new AnswerError(body?.error?.message ?? `The server answers with status ${response.status}.`, body?.error?.code);
}

async function json(path, parameters, signal) {
  return (await ask(path, parameters, signal)).json();
}

function event(block, tell) {
  let name = "message";
  const data = [];
  for (const line of block.split("\n")) {
    if (line.startsWith("event:")) name = line.slice(6).trim();
    if (line.startsWith("data:")) data.push(line.slice(5).trim());
  }
  if (data.length > 0) tell(name, JSON.parse(data.join("\n")));
}
