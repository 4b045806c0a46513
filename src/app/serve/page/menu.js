// The head of the page on small screens: one line, with a button that unfolds the rest.

import { byId } from "./dom.js";

export function setUpMenu() {
  const [button, items] = [byId("menu"), byId("menu-items")];
  const unfold = (open) => {
    items.classList.toggle("unfolded", open);
    button.setAttribute("aria-expanded", `${open}`);
  };
  button.addEventListener("click", () => unfold(button.getAttribute("aria-expanded") !== "true"));
  // Whoever pressed a button in it or chose a game wants to see what that did. The focus comes back to what is still
  // there when a dialog is closed.
  items.addEventListener("click", ({ target }) => {
    if (target.closest("button") === null || button.getAttribute("aria-expanded") !== "true") return;
    button.focus();
    unfold(false);
  }, true);
  byId("rules").addEventListener("change", () => unfold(false));
  items.addEventListener("keydown", ({ key }) => {
    if (key !== "Escape") return;
    unfold(false);
    button.focus();
  });
}
