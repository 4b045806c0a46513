// The server's API. Failures are ApiError with a sentence for people.

export class ApiError extends Error {
  constructor(message, code) {
    super(message);
    this.code = code;
  }
}

const BASE = "/api/v1/";

async function ask(path, parameters, signal, options = {}) {
  const query = new URLSearchParams(parameters);
  let response;
  try {
    response = await fetch(`${BASE}${path}?${query}`, { signal, ...options });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new ApiError("The server cannot be reached.", "unreachable");
  }
  if (response.ok) return response;
  const body = await response.json().catch(() => null);
  throw new ApiError(body?.error?.message ?? `The server answers with status ${response.status}.`, body?.error?.code);
}

async function json(path, parameters, signal) {
  return (await ask(path, parameters, signal)).json();
}

export const position = (fen, signal) => json("position", { fen }, signal);
export const line = (fen, moves) => json("line", { fen, moves: moves.join(" ") });
export const start = (board, amazons) => json("start", { board, amazons });
export const tables = () => json("tables", {});
export const health = () => json("health", {});

// A game in SGF as { start, moves: [{ move, position }] }.
export async function sgf(text) {
  return (await ask("sgf", {}, undefined, { method: "POST", body: text })).json();
}

export async function sgfOf(fen, moves) {
  return (await ask("sgf", { fen, moves: moves.join(" ") })).text();
}

// Follows a search; tell(name, data) is called for each of its events. Aborting the signal stops it on the server.
export async function search(fen, seconds, valued, signal, tell) {
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

function event(block, tell) {
  let name = "message";
  const data = [];
  for (const line of block.split("\n")) {
    if (line.startsWith("event:")) name = line.slice(6).trim();
    if (line.startsWith("data:")) data.push(line.slice(5).trim());
  }
  if (data.length > 0) tell(name, JSON.parse(data.join("\n")));
}
