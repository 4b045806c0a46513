// The course of a game: who is ahead after each of its moves, drawn over the moves, with those that gave it away.

import { svg } from "./dom.js";

const WIDTH = 320;
const HEIGHT = 78;
// Above and below the columns, for the marks of blunders.
const EDGE = 13;
const MIDDLE = HEIGHT / 2;
const TALL = MIDDLE - EDGE;

// points: [{ node, share of White from 0 to 1 or null, proved, mark: "", "?" or "??", said }], from the start on
export class Course {
  // `goTo(node)` is called for a move that was pressed.
  constructor(place, goTo) {
    this.place = place;
    this.goTo = goTo;
  }

  show(points, current) {
    const wide = Math.min((WIDTH - 2) / points.length, 24);
    const columns = points.map((point, at) => this.column(point, 1 + at * wide, wide, point.node === current));
    const said = points.filter(({ mark }) => mark !== "").map(({ said: words }) => words);
    const label = `Who is ahead after each move. ${said.length === 0 ? "No move is known to have given it away" : said.join(". ")}.`;
    this.place.replaceChildren(svg("svg", { class: "course", role: "img", "aria-label": label, viewBox: `0 0 ${WIDTH} ${HEIGHT}` },
      svg("path", { class: "grid", d: `M0 ${MIDDLE}H${WIDTH}` }), ...columns));
  }

  column({ node, share, proved, mark, said }, x, width, isCurrent) {
    const kind = share === null ? "unknown" : `${share >= 0.5 ? "white" : "black"} ${proved ? "proved" : "estimate"}`;
    const height = share === null ? 3 : Math.max(Math.abs(share - 0.5) * 2 * TALL, 1.5);
    const y = share === null ? MIDDLE - 1.5 : share >= 0.5 ? MIDDLE - height : MIDDLE;
    const bar = svg("rect", { class: `bar ${kind}`, x: x + width * 0.1, y, width: width * 0.8, height });
    const title = svg("title");
    title.textContent = said;
    const marked = mark === "" ? [] : [svg("text", { class: "fault", x: x + width / 2, y: share >= 0.5 ? EDGE - 3 : HEIGHT - 2 })];
    for (const text of marked) text.textContent = mark;
    const column = svg("g", { class: `column${isCurrent ? " current" : ""}` }, title,
      svg("rect", { class: "field", x, y: 0, width, height: HEIGHT }), bar, ...marked);
    column.addEventListener("click", () => this.goTo(node));
    return column;
  }
}
