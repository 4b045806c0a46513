// The list of moves with their values, and the record of the game.

import { begins } from "./choice.js";
import { make } from "./dom.js";

const HEADINGS = { win: "Wins", unknown: "Not known", loss: "Losses" };
const LETTERS = { win: "W", unknown: "?", loss: "L" };
// More than this many moves of one kind are shown when asked for.
const FEW = 40;

// handlers: { play(move), preview(move or null) }
export class MoveList {
  constructor(place, handlers) {
    this.place = place;
    this.handlers = handlers;
    this.expanded = new Set();
    // The buttons of this position's moves: the same ones however often values change, so that none is lost
    // between pressing and releasing it.
    this.buttons = new Map();
    this.fen = null;
  }

  show(fen, moves, choice, values) {
    if (fen !== this.fen) {
      this.expanded.clear();
      this.buttons.clear();
    }
    this.fen = fen;
    this.again = () => this.show(fen, moves, choice, values);
    const focused = this.place.contains(document.activeElement) ? document.activeElement.dataset.move : undefined;
    const shown = moves.filter(({ move }) => begins(move, choice));
    const groups = values ? ["win", "unknown", "loss"].map((value) => [value, shown.filter((move) => move.value === value)]) : [["", alphabetical(shown)]];
    this.place.replaceChildren(...groups.filter(([, group]) => group.length > 0).flatMap(([value, group]) => this.group(value, group)));
    if (shown.length === 0) this.place.append(make("p", { class: "quiet" }, "There is no move."));
    if (focused !== undefined) this.place.querySelector(`[data-move="${focused}"]`)?.focus();
  }

  group(value, moves) {
    const heading = value === "" ? `All (${moves.length})` : `${HEADINGS[value]} (${moves.length})`;
    const shown = this.expanded.has(value) ? moves : moves.slice(0, FEW);
    const list = make("ul", { class: `moves ${value}` }, ...shown.map((move) => make("li", {}, this.button(move, value))));
    const parts = [make("h3", {}, heading), list];
    if (shown.length < moves.length) parts.push(this.more(value, moves.length - shown.length));
    return parts;
  }

  button({ move, replies }, value) {
    const button = this.buttons.get(move) ?? this.newButton(move, replies);
    const letter = value === "" ? [] : [make("span", { class: `letter ${value}`, "aria-hidden": "true" }, LETTERS[value])];
    button.setAttribute("aria-label", value === "" ? move : `${move}, ${value}, ${replies} replies`);
    if (button.dataset.value !== value) button.replaceChildren(...letter, move);
    button.dataset.value = value;
    return button;
  }

  newButton(move, replies) {
    const button = make("button", { type: "button", "data-move": move, title: `${replies} replies` });
    button.addEventListener("click", () => this.handlers.play(move));
    for (const [event, shown] of [["mouseenter", move], ["focus", move], ["mouseleave", null], ["blur", null]]) {
      button.addEventListener(event, () => this.handlers.preview(shown));
    }
    this.buttons.set(move, button);
    return button;
  }

  more(value, count) {
    const button = make("button", { type: "button", class: "more" }, `${count} more`);
    button.addEventListener("click", () => {
      this.expanded.add(value);
      this.again();
    });
    return button;
  }
}

function alphabetical(moves) {
  return [...moves].sort((a, b) => a.move.localeCompare(b.move));
}

// The moves played; `verdict(ply)` says of a move that gave the win away "gave the win away", else nothing.
export function showRecord(place, game, first, verdict, goTo) {
  const focused = place.contains(document.activeElement);
  const items = game.moves.map((move, index) => {
    const button = make("button", { type: "button", "aria-current": game.at === index + 1 ? "step" : null }, move);
    const remark = verdict(index);
    if (remark !== null) button.append(make("span", { class: "blunder", title: remark, "aria-label": `, ${remark}` }, "?"));
    button.addEventListener("click", () => goTo(index + 1));
    const side = (index % 2 === 0) === (first === "w") ? "white" : "black";
    return make("li", { class: side }, make("span", { class: "side", "aria-label": side }), button);
  });
  place.replaceChildren(...items);
  if (focused) (place.querySelector("[aria-current]") ?? place.querySelector("button"))?.focus();
}
