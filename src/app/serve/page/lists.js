// The list of moves with their values.

import { begins } from "./choice.js";
import { make } from "./dom.js";
import { plural } from "./words.js";

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

  // `margins` are of moves whose margins are known, the best first: { words, fill, ink }, the words such as "by 3" or
  // "by 1 to 3", on the colour of the margin.
  show(fen, moves, choice, values, margins = new Map()) {
    if (fen !== this.fen) {
      this.expanded.clear();
      this.buttons.clear();
    }
    this.fen = fen;
    this.margins = margins;
    this.again = () => this.show(fen, moves, choice, values, margins);
    const focused = this.place.contains(document.activeElement) ? document.activeElement.dataset.move : undefined;
    const shown = bestFirst(moves.filter(({ move }) => begins(move, choice)), margins);
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
    const letter = value === "" ? [] : [make("span", { class: `letter ${value}` }, LETTERS[value])];
    const known = value === "unknown" ? "not known" : value;
    const heard = value === "" ? [] : [make("span", { class: "hidden" }, `, ${known}, ${plural(replies, "reply", "replies")}`)];
    const margin = value === "" ? undefined : this.margins.get(move);
    const looks = margin === undefined ? "" : `${margin.words} ${margin.fill}`;
    if (button.dataset.value !== value || button.dataset.margin !== looks) button.replaceChildren(...letter, move, ...marginWords(margin), ...heard);
    Object.assign(button.dataset, { value, margin: looks });
    return button;
  }

  newButton(move, replies) {
    const button = make("button", { type: "button", "data-move": move, title: plural(replies, "reply", "replies") });
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

function marginWords(margin) {
  if (margin === undefined) return [];
  const words = make("span", { class: "margin" }, margin.words);
  words.style.setProperty("background", margin.fill);
  words.style.setProperty("color", margin.ink);
  return [" ", words];
}

function alphabetical(moves) {
  return [...moves].sort((a, b) => a.move.localeCompare(b.move));
}

// Moves whose margins are known in the order of these, before the others.
function bestFirst(moves, margins) {
  const order = new Map([...margins.keys()].map((move, at) => [move, at]));
  const place = ({ move }) => order.get(move) ?? Infinity;
  return [...moves].sort((a, b) => (place(a) === place(b) ? 0 : place(a) - place(b)));
}
