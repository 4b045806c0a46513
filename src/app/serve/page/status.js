// What the page says of what was done last, to eyes and ears.

import { byId } from "./dom.js";

// `heard` is for ears alone.
export function say(text, heard = "") {
  byId("status").classList.remove("error");
  byId("status").textContent = text;
  byId("heard").textContent = [text, heard].filter((part) => part !== "").join(" ");
}

export function fail(text) {
  say(text);
  byId("status").classList.add("error");
}
