// Game files that are chosen with the button or dropped on the page.

import { byId } from "./dom.js";

// Hands each file to `open`.
export function takeFiles(open) {
  const chosen = byId("file");
  byId("open-file").addEventListener("click", () => chosen.click());
  chosen.addEventListener("change", () => {
    const [file] = chosen.files;
    // The same file can be chosen again.
    if (file !== undefined) open(file).finally(() => { chosen.value = ""; });
  });
  const holds = ({ dataTransfer }) => dataTransfer?.types.includes("Files") ?? false;
  const mark = (dropping) => document.body.classList.toggle("dropping", dropping);
  document.addEventListener("dragover", (event) => {
    if (!holds(event)) return;
    event.preventDefault();
    mark(true);
  });
  // Out of the page, and not from one element to the next.
  document.addEventListener("dragleave", (event) => event.relatedTarget === null && mark(false));
  document.addEventListener("drop", (event) => {
    mark(false);
    if (!holds(event)) return;
    event.preventDefault();
    document.querySelector("dialog[open]")?.close();
    open(event.dataTransfer.files[0]);
  });
}
