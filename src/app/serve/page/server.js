// Answers of a server. This is the one module that asks it.

import { AnswerError, Answers, refused } from "./answers.js";

const BASE = "api/v1/";

// As docs/serve.md has it.
const LARGEST_BODY = 256 * 1024;

export class Server extends Answers {
  get largestFile() {
    return LARGEST_BODY;
  }

  async ask(path, parameters, { signal, body } = {}) {
    return (await request(path, parameters, signal, body)).text();
  }

  async listen(path, parameters, signal, tell) {
    const response = await request(path, parameters, signal);
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

async function request(path, parameters, signal, body) {
  const query = new URLSearchParams(parameters);
  const method = body === undefined ? "GET" : "POST";
  let response;
  try {
    response = await fetch(`${BASE}${path}?${query}`, { signal, method, body });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new AnswerError("The server cannot be reached.", "unreachable");
  }
  if (response.ok) return response;
  throw refused(await response.text().catch(() => ""), `The server answers with status ${response.status}.`);
}

function event(block, tell) {
  let name = "message";
  const data = [];
  for (const line of block.split("\n")) {
    if (line.startsWith("event:")) name = line.slice(6).trim();
    if (line.startsWith("data:")) data.push(line.slice(5).trim());
  }
  if (data.length > 0) tell(name, data.join("\n"));
}
