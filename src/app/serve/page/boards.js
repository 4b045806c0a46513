// The boards that are solved: what can be opened with one press, who wins there, and where that is known from.

import { make } from "./dom.js";
import { parse, sideName } from "./position.js";
import { countOfWins, otherSide, sourceName } from "./words.js";

// Opens `choose(board)`; the names and verdicts of the boards as buttons.
export function showBoards(place, boards, choose) {
  place.replaceChildren(...boards.map((board) => {
    const name = board.board.replace("x", "×");
    const { winner, count } = verdictOf(board);
    const title = [`${winner} wins`, count, sourceName(board.source)].filter((part) => part !== "").join(", ");
    const amazons = board.amazons === "4v4" ? "" : ` ${board.amazons}`;
    const button = make("button", { type: "button", title, "data-board": board.board }, make("b", {}, name + amazons), " ", make("span", {}, `${winner} wins`));
    button.addEventListener("click", () => choose(board));
    return make("li", {}, button);
  }));
}

// Who wins a board, and how many of the first moves do, if that is known of all.
function verdictOf({ position, value, wins, losses, moves }) {
  const side = sideName(parse(position).turn);
  if (value !== "win") return { winner: otherSide(side), count: "" };
  const unknown = moves - wins - losses;
  return { winner: side, count: unknown === 0 ? countOfWins({ wins, unknown, total: moves }) : "" };
}
