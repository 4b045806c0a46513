// Answers of the library in this browser. A worker answers what takes no time; what may take long, searches and the
// engine, has a worker of its own, which is ended when nobody waits for it any more.

import { AnswerError, Answers, refused } from "./answers.js";

// What has a worker of its own.
const SLOW = new Set(["engine", "insight", "positions", "mainline", "margins", "exercise"]);

export class Workers extends Answers {
  // notice(text) tells the user that something is missing.
  constructor(notice) {
    super();
    this.notice = notice;
    this.program = compiled();
    // A rejection is told by whoever asks first.
    this.program.catch(() => {});
    this.quick = null;
    // A worker that has done its work.
    this.spare = null;
  }

  async ask(path, parameters, { signal, body } = {}) {
    const message = { kind: "question", path, query: `${new URLSearchParams(parameters)}`, sent: body !== undefined };
    if (!SLOW.has(path)) {
      if (!this.quick?.alive) this.quick = new Thread(this.program, this.notice);
      return this.quick.ask(message, body);
    }
    const thread = this.spare?.alive ? this.spare : new Thread(this.program, this.notice);
    this.spare = null;
    try {
      return await thread.askUntil(signal, message, body);
    } finally {
      // One that refused has done its work as well.
      if (thread.alive && !this.spare?.alive) this.spare = thread;
      else thread.end();
    }
  }

  // The memory of a search is given back by ending its worker.
  async listen(path, parameters, signal, tell) {
    const thread = new Thread(this.program, this.notice);
    try {
      await thread.askUntil(signal, { kind: path, query: `${new URLSearchParams(parameters)}` }, undefined, tell);
    } finally {
      thread.end();
    }
  }
}

// It is compiled while it is fetched, where the server names its type.
async function compiled() {
  const response = await fetch("amazons.wasm");
  if (!response.ok) throw new Error(`amazons.wasm is answered with status ${response.status}`);
  const named = response.headers.get("Content-Type")?.startsWith("application/wasm");
  return named ? WebAssembly.compileStreaming(response) : WebAssembly.compile(await response.arrayBuffer());
}

// A worker and the questions that it has not answered yet.
class Thread {
  constructor(program, notice) {
    this.alive = true;
    this.waiting = new Map();
    this.asked = 0;
    this.program = program;
    this.worker = new Worker("worker.js");
    this.worker.addEventListener("message", ({ data }) => (data.notice === undefined ? this.hear(data) : notice(data.notice)));
    this.worker.addEventListener("error", (event) => this.end(new AnswerError(`The page's worker failed: ${event.message}`, "internal")));
    program.then(
      (module) => this.worker.postMessage({ module }),
      (error) => this.end(new AnswerError(`The page's program cannot be loaded: ${error.message}`, "no_library")),
    );
  }

  ask(message, body, tell) {
    return new Promise((resolve, reject) => {
      this.asked += 1;
      this.waiting.set(this.asked, { resolve, reject, tell });
      // Behind the program, which may still be on its way.
      const asked = { id: this.asked, message, body };
      this.program.then(() => this.worker.postMessage(asked), () => {});
    });
  }

  // As ask; aborting the signal ends the worker at once.
  async askUntil(signal, message, body, tell) {
    const abort = () => this.end(new DOMException("The question was taken back.", "AbortError"));
    if (signal?.aborted) abort();
    signal?.addEventListener("abort", abort);
    try {
      return await (this.alive ? this.ask(message, body, tell) : Promise.reject(signal.reason));
    } finally {
      signal?.removeEventListener("abort", abort);
    }
  }

  hear({ id, event, data, status, text, broken }) {
    const question = this.waiting.get(id);
    if (broken !== undefined) this.end(new AnswerError(`The page's program failed: ${broken}`, "internal"));
    else if (event !== undefined) question?.tell(event, data);
    else {
      this.waiting.delete(id);
      if (status === 200) question?.resolve(text);
      else question?.reject(refused(text, `The answer has status ${status}.`));
    }
  }

  end(error = new AnswerError("The page's worker was ended.", "internal")) {
    this.alive = false;
    this.worker.terminate();
    for (const { reject } of this.waiting.values()) reject(error);
    this.waiting.clear();
  }
}
