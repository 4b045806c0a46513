// The library `amazons` for JavaScript: its answers are those of `/api/v1/` of `amazons serve`.
//
// A call hands a message to the WebAssembly and reads what it answers; nothing is sent anywhere.

const encoder = new TextEncoder();
const decoder = new TextDecoder();

// What is known beside the rules and bounds: opening tables and certificates.
const DATA = [
  ...["5x4", "4x5", "5x5", "4x6", "6x4"].map((board) => ({ kind: "opening", place: `data/${board}.amz` })),
  ...["4x7", "5x6"].map((board) => ({ kind: "certificate", place: `data/${board}.proof` })),
];

/** A question that has no answer: `status` as in HTTP, `code` for programs, `message` for people. */
export class AmazonsError extends Error {
  constructor(status, code, message) {
    super(message);
    this.name = "AmazonsError";
    this.status = status;
    this.code = code;
  }
}

// A file of this package, in browsers and in Node.
async function own(name) {
  const address = new URL(name, import.meta.url);
  if (address.protocol === "file:") {
    const { readFile } = await import("node:fs/promises");
    return new Uint8Array(await readFile(address));
  }
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${name}: expected the file of the package, found status ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}

/** Loads the library, with what it knows of solved boards. */
export async function load() {
  const [wasm, ...files] = await Promise.all(["amazons.wasm", ...DATA.map(({ place }) => place)].map(own));
  const amazons = await Amazons.of(wasm);
  DATA.forEach((message, at) => amazons.add(message, files[at]));
  return amazons;
}

/** The library; `load` makes one. */
export class Amazons {
  #library;
  #listener = () => {};

  /** @private */
  static async of(wasm) {
    const amazons = new Amazons();
    const host = {
      now: () => performance.now(),
      tell: (...told) => amazons.#told(...told),
      decode: (...bytes) => amazons.#decoded(...bytes),
    };
    const { instance } = await WebAssembly.instantiate(wasm, { host });
    amazons.#library = instance.exports;
    return amazons;
  }

  #text(at, length) {
    return decoder.decode(new Uint8Array(this.#library.memory.buffer, at, length));
  }

  #told(nameAt, nameLength, dataAt, dataLength) {
    this.#listener({ event: this.#text(nameAt, nameLength), data: JSON.parse(this.#text(dataAt, dataLength)) });
  }

  // Bytes in any charset as UTF-8.
  #decoded(nameAt, nameLength, at, length) {
    let charset;
    try {
      charset = new TextDecoder(this.#text(nameAt, nameLength), { fatal: true, ignoreBOM: true });
    } catch {
      return -2;
    }
    try {
      const utf8 = encoder.encode(charset.decode(new Uint8Array(this.#library.memory.buffer, at, length)));
      const to = this.#library.input(utf8.length);
      new Uint8Array(this.#library.memory.buffer, to, utf8.length).set(utf8);
      return utf8.length;
    } catch {
      return -1;
    }
  }

  #call(message, body = new Uint8Array()) {
    const head = encoder.encode(JSON.stringify(message));
    const length = 4 + head.length + body.length;
    const at = this.#library.input(length);
    const input = new Uint8Array(this.#library.memory.buffer, at, length);
    new DataView(input.buffer, at).setUint32(0, head.length, true);
    input.set(head, 4);
    input.set(body, 4 + head.length);
    const status = this.#library.call();
    const text = this.#text(this.#library.output(), this.#library.output_length());
    if (status === 200) return text;
    const { code, message: said } = JSON.parse(text).error;
    throw new AmazonsError(status, code, said);
  }

  /** @private */
  add(message, bytes) {
    this.#call(message, bytes);
  }

  #ask(path, query = {}, body = undefined) {
    const given = Object.entries(query).filter(([, value]) => value !== undefined);
    const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
    const sent = body !== undefined;
    return this.#call({ kind: "question", path, query: text, sent }, sent ? encoder.encode(body) : undefined);
  }

  #game(position, { moves = [], rules, turns } = {}) {
    return { fen: position, moves: moves.length > 0 ? moves.join(" ") : undefined, rules, turns };
  }

  /** A start position of a board. */
  start(board, { amazons, rules } = {}) {
    return JSON.parse(this.#ask("start", { board, amazons, rules })).position;
  }

  /** What is known of a position and of each of its moves, best first. */
  position(position, options) {
    return JSON.parse(this.#ask("position", this.#game(position, options)));
  }

  /** The positions that moves lead to. */
  line(position, moves, options = {}) {
    return JSON.parse(this.#ask("line", this.#game(position, { ...options, moves })));
  }

  /** Best play from a position, as far as it is known. */
  mainLine(position, options) {
    return JSON.parse(this.#ask("mainline", this.#game(position, options)));
  }

  /** By how much a position is won, and each of its moves: what is known, and what a search of a second, or fewer, adds. */
  margins(position, { seconds, ...options } = {}) {
    return JSON.parse(this.#ask("margins", { ...this.#game(position, options), seconds }));
  }

  /** The engine's move, and what it thinks of the position. */
  engine(position, { level, ...options } = {}) {
    return JSON.parse(this.#ask("engine", { ...this.#game(position, options), level }));
  }

  /** The boards whose start positions are solved. */
  boards() {
    return JSON.parse(this.#ask("boards")).boards;
  }

  /** The first game of a record in any form, with all of its moves. */
  readGames(text) {
    return JSON.parse(this.#ask("sgf", {}, text));
  }

  /** A game as SGF. */
  writeGame(position, moves) {
    return this.#ask("sgf", this.#game(position, { moves }));
  }

  /** A proof search, which blocks until it ends; `tell` hears of it as it goes. */
  search(position, { seconds, moves_valued: movesValued, tell = () => {}, ...options } = {}) {
    const query = { ...this.#game(position, options), seconds, moves_valued: movesValued };
    const given = Object.entries(query).filter(([, value]) => value !== undefined);
    let last;
    this.#listener = (event) => {
      last = event;
      tell(event);
    };
    try {
      this.#call({ kind: "search", query: new URLSearchParams(given).toString() });
    } finally {
      this.#listener = () => {};
    }
    if (last?.event === "done") return last.data;
    throw new AmazonsError(500, last?.data?.code ?? "internal", last?.data?.message ?? "the search told nothing");
  }
}
