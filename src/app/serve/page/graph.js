// Proof and disproof numbers while a search runs, on a logarithmic scale.

import { svg } from "./dom.js";

const WIDTH = 320;
const HEIGHT = 96;
const LEFT = 30;
const BOTTOM = 16;
// What is at least this has no number any more: one of the two is proved.
const ENDLESS = 4_000_000_000;

export class NumberGraph {
  constructor(place) {
    this.place = place;
    this.points = [];
  }

  clear() {
    this.points = [];
    this.place.hidden = true;
    this.place.replaceChildren();
  }

  add({ seconds, proof, disproof }) {
    if (proof === null || disproof === null) return;
    this.points.push({ seconds, proof, disproof });
    if (this.points.length > 600) this.points = this.points.filter((_, index) => index % 2 === 1);
    this.draw();
  }

  draw() {
    const { points } = this;
    const finite = points.flatMap(({ proof, disproof }) => [proof, disproof]).filter((number) => number < ENDLESS);
    const most = Math.max(Math.ceil(Math.log10(Math.max(10, ...finite))), 1);
    const end = Math.max(points.at(-1).seconds, 0.1);
    const x = (seconds) => LEFT + (seconds / end) * (WIDTH - LEFT - 4);
    const y = (number) => 4 + (HEIGHT - BOTTOM - 4) * (1 - Math.min(Math.log10(Math.max(number, 1)) / most, 1));
    const line = (name) => svg("polyline", { class: name, points: points.map((point) => `${x(point.seconds).toFixed(1)},${y(point[name]).toFixed(1)}`).join(" ") });
    const label = (at, down, text, anchor) => {
      const element = svg("text", { x: at, y: down, "text-anchor": anchor });
      element.textContent = text;
      return element;
    };
    const grid = Array.from({ length: most + 1 }, (_, power) => svg("path", { class: "grid", d: `M${LEFT} ${y(10 ** power)}H${WIDTH - 4}` }));
    const last = points.at(-1);
    const words = (number) => (number >= ENDLESS ? "without end" : `${number}`);
    const said = `Proof number ${words(last.proof)}, disproof number ${words(last.disproof)} after ${last.seconds.toFixed(1)} seconds`;
    const drawing = svg("svg", { class: "graph", role: "img", "aria-label": said, viewBox: `0 0 ${WIDTH} ${HEIGHT}` }, ...grid,
      label(LEFT - 4, y(1) + 4, "1", "end"), label(LEFT - 4, y(10 ** most) + 8, `1e${most}`, "end"),
      label(LEFT, HEIGHT - 3, "0 s", "start"), label(WIDTH - 4, HEIGHT - 3, `${end.toFixed(1)} s`, "end"),
      line("proof"), line("disproof"));
    this.place.hidden = false;
    this.place.replaceChildren(drawing);
  }
}
