// A worker with the library in it. It hears { module } first, then { id, message, body } for each question; messages
// are those of page/src/lib.rs. It says { id, status, text }, { id, event, data } while it searches, { id, broken }
// when the library is at its end, and { notice } for what the user has to know.
//
// What the library has to read it asks for, and the question again when it has been fetched.

"use strict";

// The longest time for a piece of a file, in milliseconds.
const PATIENCE = 30_000;
// The most bytes of a list of tables or of a manifest: a manifest has at most 1 MiB.
const LONGEST_LIST = 4 << 20;
// Answers that need more rounds of fetching than that get nowhere. A game of a table is fetched a move a round.
const MOST_ROUNDS = 1000;

// Manifests of layers that are asked for together, once it is known that there are any.
// A layer is a number of spare moves in a byte.
const MOST_LAYERS = 127;
const LAYERS_TOGETHER = 8;
// What servers answer where there is no file; some do not tell.
const NOT_THERE = [403, 404, 410];

let library = null;
// The question that is being answered.
let current = null;
// Questions are answered one after another.
let queue = Promise.resolve();
// Places without which the page can do.
const optional = [];
// Files that are fetched when they are first needed, and what they are.
const later = new Map();
// Which version of a file its server sends, where it says so: all pieces must be of one.
const versions = new Map();

const encoder = new TextEncoder();
const decoder = new TextDecoder();

self.addEventListener("message", ({ data }) => {
  queue = queue.then(() => (data.module ? begin(data.module) : reply(data))).catch((error) => {
    self.postMessage({ id: data.id, broken: error.message });
  });
});

// Whether what is at a place is one file, and no directory of a table.
function isFile(kind) {
  return kind === "opening" || kind === "certificate";
}

async function begin(module) {
  const host = { now: () => performance.now(), tell, decode };
  library = (await WebAssembly.instantiate(module, { host })).exports;
  const tables = JSON.parse(decoder.decode(await whole("tables.json", LONGEST_LIST)));
  const manifests = await Promise.allSettled(tables.map((table) => (isFile(table.kind) ? null : manifestsOf(table))));
  tables.forEach(({ kind, place, board, bytes }, number) => {
    try {
      if (manifests[number].status === "rejected") throw manifests[number].reason;
      if (isFile(kind)) {
        expect(call({ kind: "later", file: kind, place, board, bytes }));
        later.set(place, kind);
      } else {
        const { layers, all } = manifests[number].value;
        expect(call({ kind: "table", place, in_pieces: kind === "pieces", layers }, all));
      }
      if (kind !== "table") optional.push(place);
    } catch (error) {
      giveUp(place, error);
    }
  });
}

// The manifests of a table and of its layers of margins, one behind the other: { layers, all }, the lengths of those of
// layers. An entry that does not say how many `layers` there are has as many as its server has manifests of.
async function manifestsOf({ place, layers: known }) {
  const layer = (number) => `${place}margins-${`${number}`.padStart(2, "0")}.json`;
  const first = whole(`${place}manifest.json`, LONGEST_LIST);
  const given = Array.from({ length: known ?? 0 }, (_, at) => whole(layer(at + 1), LONGEST_LIST));
  const found = await Promise.all([first, ...given]);
  for (let more = known === undefined ? 1 : 0; more > 0 && found.length <= MOST_LAYERS; ) {
    const asked = Array.from({ length: more }, (_, at) => ifThere(layer(found.length + at)));
    const next = await Promise.all(asked);
    const end = next.findIndex((layer) => layer === null || !isObject(layer));
    found.push(...(end < 0 ? next : next.slice(0, end)));
    more = end < 0 ? LAYERS_TOGETHER : 0;
  }
  const all = new Uint8Array(await new Blob(found).arrayBuffer());
  return { layers: found.slice(1).map(({ length }) => length), all };
}

// Whether bytes may be JSON of a manifest: some servers answer with a page for whatever they lack.
function isObject([first]) {
  return first === "{".charCodeAt(0);
}

function text(at, length) {
  return decoder.decode(new Uint8Array(library.memory.buffer, at, length));
}

// Bytes in any charset as UTF-8, which browsers know how to decode.
function decode(nameAt, nameLength, at, length) {
  let charset;
  try {
    charset = new TextDecoder(text(nameAt, nameLength), { fatal: true, ignoreBOM: true });
  } catch {
    return -2;
  }
  try {
    const utf8 = encoder.encode(charset.decode(new Uint8Array(library.memory.buffer, at, length)));
    const to = library.input(utf8.length);
    new Uint8Array(library.memory.buffer, to, utf8.length).set(utf8);
    return utf8.length;
  } catch {
    return -1;
  }
}

function tell(nameAt, nameLength, dataAt, dataLength) {
  self.postMessage({ id: current, event: text(nameAt, nameLength), data: text(dataAt, dataLength) });
}

// Has the library do what a message says: { status, text }.
function call(message, body = new Uint8Array()) {
  const head = encoder.encode(JSON.stringify(message));
  const at = library.input(4 + head.length + body.length);
  const input = new Uint8Array(library.memory.buffer, at, 4 + head.length + body.length);
  new DataView(input.buffer, at).setUint32(0, head.length, true);
  input.set(head, 4);
  input.set(body, 4 + head.length);
  const status = library.call();
  return { status, text: text(library.output(), library.output_length()) };
}

function expect({ status, text: answer }) {
  if (status !== 200) throw new Error(JSON.parse(answer).error.message);
}

async function reply({ id, message, body = "" }) {
  current = id;
  const bytes = typeof body === "string" ? encoder.encode(body) : body;
  let answer = call(message, bytes);
  for (let round = 0; answer.status === 0 && round < MOST_ROUNDS; round += 1) {
    try {
      await Promise.all(JSON.parse(answer.text).map(fetchPiece));
    } catch (error) {
      const place = optional.find((known) => error.file?.startsWith(known));
      if (place === undefined) {
        answer = refusal(error);
        break;
      }
      giveUp(place, error);
    }
    answer = call(message, bytes);
  }
  if (answer.status === 0) answer = refusal(new Error("a table asks for more and more"));
  call({ kind: "forget" });
  self.postMessage({ id, status: answer.status, text: answer.text });
}

function refusal(error) {
  const message = `what this needs cannot be fetched: ${error.message}`;
  return { status: 503, text: JSON.stringify({ error: { code: "table_unavailable", message } }) };
}

// Goes on without a table that cannot be read.
function giveUp(place, error) {
  call({ kind: "drop", place });
  self.postMessage({ notice: `The table at ${place} is left out: ${error.message}.` });
}

async function fetchPiece({ file, at, length, of, whole: all }) {
  try {
    const bytes = all ? await whole(file, length) : await piece(file, at, length, of);
    if (bytes.length !== length) throw new Error(`${file}: expected ${length} bytes from byte ${at} on, found ${bytes.length}`);
    if (later.has(file)) expect(call({ kind: later.get(file), place: file }, bytes));
    else call({ kind: "piece", file, at }, bytes);
  } catch (error) {
    error.file = file;
    throw error;
  }
}

// A manifest, or null if its server has none such.
async function ifThere(file) {
  const response = await fetched(file, {});
  if (!NOT_THERE.includes(response.status)) return bytesOf(file, response, LONGEST_LIST);
  response.body?.cancel();
  return null;
}

async function whole(file, most) {
  return bytesOf(file, await fetched(file, {}), most);
}

function bytesOf(file, response, most) {
  if (!response.ok) throw new Error(`${file} is answered with status ${response.status}`);
  return body(file, response, most);
}

async function piece(file, at, length, of) {
  const response = await fetched(file, { headers: { Range: `bytes=${at}-${at + length - 1}` } });
  // A server that knows no ranges sends the file, which may be of hundreds of megabytes.
  if (response.status !== 206) {
    response.body?.cancel();
    if (response.status === 200) throw new Error(`its server answers a request for some bytes of ${file} with the whole file: it must answer range requests`);
    throw new Error(`${file} is answered with status ${response.status}`);
  }
  // Servers elsewhere need not show this header; then the checksums alone tell.
  const found = response.headers.get("Content-Range");
  const expected = `bytes ${at}-${at + length - 1}/${of}`;
  if (found !== null && found !== expected) {
    response.body?.cancel();
    throw new Error(`${file}: expected Content-Range ${expected}, found ${found}`);
  }
  const before = versions.get(file);
  const version = response.headers.get("ETag") ?? response.headers.get("Last-Modified");
  if (version !== null) versions.set(file, version);
  if (before !== undefined && version !== null && version !== before) {
    response.body?.cancel();
    throw new Error(`${file} was changed while it was read`);
  }
  return body(file, response, length);
}

async function fetched(file, options) {
  try {
    return await fetch(file, { ...options, signal: AbortSignal.timeout(PATIENCE) });
  } catch (error) {
    throw new Error(`${file} cannot be fetched (${error.message})`);
  }
}

// The bytes of an answer. A server may send without end, so no more are taken than there may be.
async function body(file, response, most) {
  const [reader, pieces] = [response.body.getReader(), []];
  let length = 0;
  for (;;) {
    let read;
    try {
      read = await reader.read();
    } catch (error) {
      throw new Error(`the answer for ${file} ends too early (${error.message})`);
    }
    if (read.done) break;
    length += read.value.length;
    if (length > most) {
      reader.cancel();
      throw new Error(`${file}: expected at most ${most} bytes, found more`);
    }
    pieces.push(read.value);
  }
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}
