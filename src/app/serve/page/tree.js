// The game as a tree: moves with their numbers, variations in lines of their own, comments.

import { make } from "./dom.js";
import { parse, sideName } from "./position.js";

// So many lists are in one another at most: beyond, there is no room to read them, and a file may have thousands.
const MOST_NESTED = 8;

// handlers: { goTo(node), remark(node): what is to be said of its move, or null }
export class GameTree {
  constructor(place, handlers) {
    this.place = place;
    this.handlers = handlers;
  }

  show(game) {
    const focused = this.place.contains(document.activeElement);
    this.current = game.node;
    const first = parse(game.start).turn === "w" ? 0 : 1;
    this.place.replaceChildren(...comment(game.root), ...this.lines(game.root, first));
    const current = this.place.querySelector("[aria-current]");
    if (current !== null) this.uncover(current);
    if (focused) (current ?? this.place.querySelector("button"))?.focus();
  }

  // Scrolls the list to an element of it, and nothing else: on a phone the board is to stay where it is.
  uncover(element) {
    const [list, shown] = [this.place, element].map((box) => box.getBoundingClientRect());
    if (shown.top < list.top) this.place.scrollTop -= list.top - shown.top;
    else if (shown.bottom > list.bottom) this.place.scrollTop += shown.bottom - list.bottom;
  }

  // The line that goes on after a node, with all its variations; nothing if there is none. `half` counts half moves
  // from White's first.
  lines(node, half) {
    const list = make("ol", { class: "line" });
    // Lists whose line is still to come, so that no depth of variations is too deep.
    const open = [{ list, node, half, nested: 0, place: null }];
    while (open.length > 0) open.push(...this.line(open.pop()));
    return list.children.length > 0 ? [list] : [];
  }

  // Appends the line that goes on after a node to a list, with the variations beside each move; the lists of these,
  // whose lines are still to come. A list that is too deep has its variations behind its place.
  line({ list, node, half, nested, place }) {
    const begun = [];
    let at = node;
    let numbered = false;
    // The half move of the move before: those of a turn of several moves have one number.
    let last = null;
    while (at.children.length > 0) {
      const [main, ...others] = at.children;
      list.append(this.item(main, half, !numbered || (half % 2 === 0 && half !== last)));
      numbered = true;
      for (const other of others) {
        const variation = make("ol", { class: "line" }, this.item(other, half, true));
        const item = make("li", { class: "variation" }, make("span", { class: "hidden" }, "variation: "), variation);
        if (nested < MOST_NESTED) {
          list.append(item);
        } else {
          place.after(item);
          place = item;
        }
        const deeper = Math.min(nested + 1, MOST_NESTED);
        begun.push({ list: variation, node: other, half: next(other, half), nested: deeper, place: item });
      }
      if (others.length > 0 || main.comment) numbered = false;
      at = main;
      last = half;
      half = next(main, half);
    }
    return begun;
  }

  item(node, half, numbered) {
    if (node.move === null) return make("li", {}, this.button(node, "set up"), ...comment(node));
    const number = `${Math.floor(half / 2) + 1}${half % 2 === 0 ? "." : "…"}`;
    const side = sideName(parse(node.parent.fen).turn).toLowerCase();
    const mark = make("span", { class: "side", role: "img", "aria-label": side });
    const button = this.button(node, node.move);
    return make("li", { class: side }, ...(numbered ? [make("span", { class: "number" }, number)] : []), mark, button, ...comment(node));
  }

  button(node, text) {
    const button = make("button", { type: "button", "aria-current": node === this.current ? "step" : null }, text);
    const remark = this.handlers.remark(node);
    if (remark !== null) button.append(make("span", { class: "blunder", title: remark }, make("span", { "aria-hidden": "true" }, "??"), make("span", { class: "hidden" }, `, ${remark}`)));
    button.addEventListener("click", () => this.handlers.goTo(node));
    return button;
  }
}

// The half move after that of a node: the same while its side goes on. What a file sets up counts as a move.
function next(node, half) {
  const goesOn = node.move !== null && parse(node.fen).turn === parse(node.parent.fen).turn;
  return goesOn ? half : half + 1;
}

// An empty comment is not shown.
function comment(node) {
  return node.comment ? [make("span", { class: "comment" }, node.comment)] : [];
}

// How many moves a game has in all its variations.
export function countMoves(root) {
  let count = 0;
  const open = [root];
  while (open.length > 0) {
    const node = open.pop();
    count += node.move === null ? 0 : 1;
    open.push(...node.children);
  }
  return count;
}

