// The boards that are solved: what can be opened with one press, who wins there, and where that is known from.

import { make } from "./dom.js";
import { parse, sideName } from "./position.js";
import { sourceName } from "./words.js";

// Opens `choose(board)`; the names and verdicts of the boards as buttons.
export function showBoards(place, boards, choose) {
  place.replaceChildren(...boards.map((board) => {
    const [name, verdict, from] = [`${board.board.replace("x", "×")}`, verdictOf(board), sourceName(board.source)];
    const amazons = board.amazons === "4v4" ? "" : ` ${board.amazons}`;
    const button = make("button", { type: "button", title: `${verdict}, ${from}`, "data-board": board.board }, make("b", {}, name + amazons), " ", make("span", {}, verdict));
    button.addEventListener("click", () => choose(board));
    return make("li", {}, button);
  }));
}

export function verdictOf({ position, value, wins, losses, moves }) {
  const side = parse(position).turn;
  const count = wins + losses === moves ? `, ${wins} of ${moves}` : "";
  if (value === "win") return `${sideName(side)} wins${count}`;
  return `${sideName(side === "w" ? "b" : "w")} wins`;
}
