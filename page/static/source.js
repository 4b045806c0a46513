// Where this page's answers come from: the library, which runs in workers of this browser.

import { AnswerError, Answers } from "./answers.js";
import { Workers } from "./workers.js";

const NEEDED = { Worker: "workers", WebAssembly: "WebAssembly" };

// Says what cannot be overlooked, at the head of the page, once however many workers find it out.
function notice(text) {
  if ([...document.querySelectorAll(".notice")].some((line) => line.textContent === text)) return;
  const line = document.createElement("p");
  line.className = "notice error";
  line.setAttribute("role", "alert");
  line.textContent = text;
  document.body.prepend(line);
}

// In place of answers, where there can be none.
class Without extends Answers {
  constructor(message) {
    super();
    this.message = message;
  }

  async ask() {
    throw new AnswerError(this.message, "no_library");
  }

  listen() {
    return this.ask();
  }
}

function answers() {
  const missing = Object.keys(NEEDED).filter((name) => typeof globalThis[name] === "undefined");
  if (missing.length === 0) return new Workers(notice);
  const message = `This page solves positions in your browser and needs ${missing.map((name) => NEEDED[name]).join(" and ")}, which this browser does not have or does not allow.`;
  notice(message);
  return new Without(message);
}

export const source = answers();

// What was fetched once is kept, so that the page works without a network. Browsers allow that over HTTPS and on the
// own machine only. It fetches all files, so it begins when the page is there.
addEventListener("load", () => navigator.serviceWorker?.register("service.js").catch(() => {}));
