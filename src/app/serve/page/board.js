// The board as an SVG grid that can be read and used without seeing it.

import { svg } from "./dom.js";
import { beyond, fileName, indexOf, nameOf, OPPOSITE, parts, SIDES } from "./position.js";
import { squareCount } from "./words.js";

const SIDE = 48;
const MARGIN = 22;
const EDGE = 6;
const CROWN =
  "M12.5 32 7 17.5 15 25 15.5 13.5 21 23.5 24 11.5 27 23.5 32.5 13.5 33 25 41 17.5 35.5 32ZM12.5 34.5H35.5V39.5H12.5Z";
const POINTS = [[7, 15.5], [15.5, 11.5], [24, 9.5], [32.5, 11.5], [41, 15.5]];
const CONTENTS = { "": "empty", Q: "white amazon", q: "black amazon", "*": "burned" };
const SIDE_NAMES = { N: "north", E: "east", S: "south", W: "west" };
const VALUES = { win: "wins", loss: "loses", unknown: "not known" };
// From this size on squares are small on a phone: marks are larger and have no numbers beside them.
const LARGE = 8;

export class Board {
  // `choose(square, side)` is called for a square that was clicked, or chosen by key, and for a side of it where walls
  // are set up, else null.
  constructor(place, choose) {
    this.place = place;
    this.choose = choose;
    this.flipped = false;
    this.focused = null;
    this.cells = new Map();
  }

  // view: { position, choice, targets, values, map, last, preview, label, editing, rules }; `map` as in maps.js, or
  // null; `rules` as the source lists them
  show(view) {
    const { position } = view;
    const size = `${position.columns}x${position.rows}${this.flipped}`;
    if (size !== this.size) this.build(position, size);
    this.view = view;
    this.root.setAttribute("aria-label", view.label);
    this.texts.replaceChildren();
    for (const [name, cell] of this.cells) this.fill(name, cell);
    this.overlay.replaceChildren(...this.walls(), ...this.drawn());
    this.rove(this.focused ?? nameOf(position, 0));
  }

  // What marks are drawn with; defined once, also for the legend.
  static definitions() {
    const hatch = svg("pattern", { id: "hatch", width: 5, height: 5, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" },
      svg("rect", { class: "hatch-paper", width: 5, height: 5 }), svg("rect", { class: "hatch-line", width: 2, height: 5 }));
    const both = svg("pattern", { id: "both", width: 12, height: 12, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" },
      svg("rect", { class: "both-a", width: 12, height: 12 }), svg("rect", { class: "both-b", width: 6, height: 12 }));
    const leaning = (name) => svg("pattern", { id: `leaning-${name}`, width: 6, height: 6, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" },
      svg("rect", { class: `leaning-${name}-a`, width: 6, height: 6 }), svg("rect", { class: `leaning-${name}-b`, width: 2.5, height: 6 }));
    const letter = (text) => {
      const element = svg("text", { y: 5 });
      element.textContent = text;
      return element;
    };
    const amazon = svg("g", { id: "amazon", "stroke-linejoin": "round" }, svg("path", { d: CROWN }),
      ...POINTS.map(([cx, cy]) => svg("circle", { cx, cy, r: 2.4 })));
    const win = svg("g", { id: "mark-win", class: "mark win" }, svg("circle", { r: 11 }), letter("W"));
    const loss = svg("g", { id: "mark-loss", class: "mark loss" },
      svg("rect", { class: "outer", x: -11, y: -11, width: 22, height: 22, rx: 3 }),
      svg("rect", { class: "inner", x: -7, y: -8, width: 14, height: 16, rx: 2 }), letter("L"));
    const unknown = svg("g", { id: "mark-unknown", class: "mark unknown" }, svg("circle", { r: 11 }), letter("?"));
    const plain = svg("g", { id: "mark-plain", class: "mark plain" }, svg("circle", { r: 6 }));
    return svg("svg", { class: "definitions", "aria-hidden": "true" }, svg("defs", {}, hatch, both, leaning("white"), leaning("black"), amazon, win, loss, unknown, plain));
  }

  build(position, size) {
    this.size = size;
    this.cells.clear();
    const { columns, rows } = position;
    const width = MARGIN + columns * SIDE + EDGE;
    const height = EDGE + rows * SIDE + MARGIN;
    this.root = svg("svg", { role: "grid", viewBox: `0 0 ${width} ${height}`, class: "board" });
    this.root.setAttribute("data-size", `${Math.max(columns, rows)}`);
    const lines = Array.from({ length: rows }, (_, line) => this.flipped ? line : rows - 1 - line);
    for (const rank of lines) {
      const files = Array.from({ length: columns }, (_, file) => this.flipped ? columns - 1 - file : file);
      this.root.append(svg("g", { role: "row" }, ...files.map((file) => this.cell(position, rank * columns + file))));
    }
    this.root.append(...this.coordinates(columns, rows));
    // What is written on squares; their labels say it in words.
    this.texts = svg("g", { class: "texts", "aria-hidden": "true" });
    this.root.append(this.texts);
    this.overlay = svg("g", { class: "overlay", "aria-hidden": "true" });
    this.root.append(this.overlay);
    this.root.addEventListener("keydown", (event) => this.key(event));
    this.place.replaceChildren(this.root);
    if (this.focused !== null && !this.cells.has(this.focused)) this.focused = null;
  }

  cell(position, index) {
    const name = nameOf(position, index);
    const shade = (index % position.columns + Math.floor(index / position.columns)) % 2 === 0 ? "dark" : "light";
    const { x, y } = this.corner(position, index);
    const content = svg("g", { class: "content" });
    const cell = svg("g", { role: "gridcell", tabindex: "-1", transform: `translate(${x} ${y})`, "data-square": name },
      svg("rect", { class: `square ${shade}`, width: SIDE, height: SIDE }), content,
      svg("rect", { class: "focus", x: 1.5, y: 1.5, width: SIDE - 3, height: SIDE - 3, rx: 3 }));
    cell.addEventListener("click", (event) => {
      this.rove(name);
      if (this.settingWalls) this.choose(name, this.side(name, event));
      else this.choose(this.pointed(name, event), null);
    });
    cell.addEventListener("focus", () => this.rove(name));
    this.cells.set(name, { cell, content });
    return cell;
  }

  // Whether the next square to be chosen stands for a wall.
  get building() {
    return this.view.rules?.shot === "wall" && this.view.choice.length === 2;
  }

  // Whether a side of a square can be chosen for a wall.
  get settingWalls() {
    return this.view.rules?.shot === "wall" && this.view.editing;
  }

  // The square that a click on a square chooses. Near a side of the square where a wall is to be built, it is the one
  // beyond.
  pointed(name, event) {
    if (!this.building || name !== this.view.choice[1]) return name;
    const side = this.side(name, event);
    const square = side === null ? name : beyond(name, side);
    return this.view.targets.has(square) ? square : name;
  }

  // The side of a square that a click on it is near to; null in its middle, and at the edge of the board.
  side(name, event) {
    const { left, top, width, height } = this.cells.get(name).cell.querySelector(".square").getBoundingClientRect();
    const [right, down] = [(event.clientX - left) / width - 0.5, (event.clientY - top) / height - 0.5];
    if (Math.max(Math.abs(right), Math.abs(down)) < 0.25) return null;
    const seen = Math.abs(right) > Math.abs(down) ? (right > 0 ? "E" : "W") : down > 0 ? "S" : "N";
    return this.inner(name, this.flipped ? OPPOSITE[seen] : seen);
  }

  // The side of a square, unless it is the edge of the board.
  inner(name, side) {
    return this.cells.has(beyond(name, side)) ? side : null;
  }

  corner({ columns, rows }, index) {
    let file = index % columns;
    let rank = Math.floor(index / columns);
    if (this.flipped) [file, rank] = [columns - 1 - file, rows - 1 - rank];
    return { x: MARGIN + file * SIDE, y: EDGE + (rows - 1 - rank) * SIDE };
  }

  coordinates(columns, rows) {
    const label = (x, y, text) => {
      const element = svg("text", { class: "coordinate", x, y, "aria-hidden": "true" });
      element.textContent = text;
      return element;
    };
    const files = Array.from({ length: columns }, (_, file) =>
      label(MARGIN + (this.flipped ? columns - 1 - file : file) * SIDE + SIDE / 2, EDGE + rows * SIDE + 15, fileName(file)));
    const ranks = Array.from({ length: rows }, (_, rank) =>
      label(MARGIN / 2, EDGE + (this.flipped ? rank : rows - 1 - rank) * SIDE + SIDE / 2 + 4, rank + 1));
    return [...files, ...ranks];
  }

  fill(name, { cell, content }) {
    const { position, choice, targets, values, map, editing } = this.view;
    const what = position.squares[indexOf(position, name)];
    const target = targets.get(name);
    const chosen = choice.includes(name);
    const mark = target && (values ? target.value : "plain");
    const laid = map?.get(name);
    const drawn = laid ? [svg("rect", { class: `laid ${laid.kind}`, width: SIDE, height: SIDE, fill: laid.fill })] : [];
    if (chosen) drawn.push(svg("rect", { class: "chosen", width: SIDE, height: SIDE }));
    // An amazon that was stepped is drawn where it stands now.
    const amazon = choice.length === 2 ? this.stepped(name, what) : what;
    if (amazon === "*") drawn.push(...burned());
    if (amazon === "Q" || amazon === "q") drawn.push(svg("use", { href: "#amazon", class: amazon === "Q" ? "white" : "black" }));
    if (map === null && mark && !this.building) drawn.push(...this.marked(mark, target, choice.length === 0));
    content.replaceChildren(...drawn);
    this.write(name, laid ? laidText(laid, amazon) : map === null && mark && !this.building ? this.countText(mark, target, choice.length === 0) : null);
    cell.classList.toggle("open", Boolean(target) || Boolean(editing));
    cell.setAttribute("aria-selected", chosen ? "true" : "false");
    cell.setAttribute("aria-label", this.words(name, amazon, target, chosen));
  }

  // What is on a square after the step that was chosen.
  stepped(name, what) {
    const { position, choice: [from, to], rules } = this.view;
    if (name === from) return rules?.origin === "burns" ? "*" : "";
    return name === to ? position.squares[indexOf(position, from)] : what;
  }

  // On an amazon the mark is small and in the corner.
  marked(mark, target, corner) {
    const { large } = this;
    const scale = (corner ? 0.68 : 1) * (large ? 1.45 : 1);
    const [x, y] = corner ? (large ? [35, 13] : [38, 10]) : [24, mark === "plain" || large ? 24 : 20];
    return [svg("use", { href: `#mark-${mark}`, transform: `translate(${x} ${y}) scale(${scale})` })];
  }

  get large() {
    return Math.max(this.view.position.columns, this.view.position.rows) >= LARGE;
  }

  // How many of the moves through a square win, under its mark.
  countText(mark, target, corner) {
    if (corner || this.large || mark === "plain" || target.total === 1) return null;
    const count = svg("text", { class: "count", x: 24, y: 44 });
    count.textContent = `${target.unknown > 0 ? "≥" : ""}${target.wins}/${target.total}`;
    return count;
  }

  write(name, text) {
    if (text === null) return;
    const { x, y } = this.corner(this.view.position, indexOf(this.view.position, name));
    this.texts.append(svg("g", { transform: `translate(${x} ${y})`, "data-on": name }, text));
  }

  words(name, what, target, chosen) {
    const { values, choice, map } = this.view;
    const words = [name, CONTENTS[what]];
    const walls = Object.keys(SIDES).filter((side) => this.hasWall(name, side)).map((side) => SIDE_NAMES[side]);
    if (walls.length > 0) words.push(`wall ${walls.join(" and ")}`);
    if (chosen) words.push("chosen");
    if (target) {
      words.push(["can move", "step here", this.building ? `wall between here and ${choice[1]}` : "shoot here"][choice.length]);
      if (values) words.push(VALUES[target.value]);
      if (values && target.total > 1) words.push(squareCount(target));
    }
    if (map?.has(name)) words.push(map.get(name).words);
    return words.join(", ");
  }

  hasWall(name, side) {
    const { walls } = this.view.position;
    return walls.includes(name + side) || walls.includes(beyond(name, side) + OPPOSITE[side]);
  }

  // The line along a side of a square.
  along(name, side) {
    const [x, y] = this.middle(name);
    const turn = this.flipped ? -SIDE / 2 : SIDE / 2;
    const [right, up] = SIDES[side].map((step) => step * turn);
    const [u, v] = [x + right, y - up];
    return { at: [u, v], d: `M${u - up} ${v - right}L${u + up} ${v + right}` };
  }

  middle(name) {
    const { position } = this.view;
    const { x, y } = this.corner(position, indexOf(position, name));
    return [x + SIDE / 2, y + SIDE / 2];
  }

  // The walls, and those that can be built, with their marks.
  walls() {
    const { position, targets, choice, values } = this.view;
    const walls = position.walls.map((wall) => svg("path", { class: "wall", d: this.along(wall.slice(0, -1), wall.at(-1)).d }));
    if (!this.building) return walls;
    const sides = Object.keys(SIDES).filter((side) => targets.has(beyond(choice[1], side)));
    return walls.concat(sides.flatMap((side) => {
      const { at: [x, y], d } = this.along(choice[1], side);
      const mark = values ? targets.get(beyond(choice[1], side)).value : "plain";
      return [svg("path", { class: "wall open-wall", d }), svg("use", { href: `#mark-${mark}`, transform: `translate(${x} ${y}) scale(.68)` })];
    }));
  }

  // The last move, or the move that is pointed at in the list.
  drawn() {
    const { last, preview, choice } = this.view;
    const move = preview ?? (choice.length === 0 ? last : null);
    if (!move) return [];
    const { from, to, arrow } = parts(move);
    const [a, b] = [from, to].map((name) => this.middle(name));
    const kind = preview ? "preview" : "last";
    const step = [
      svg("circle", { class: kind, cx: a[0], cy: a[1], r: 8 }),
      svg("path", { class: kind, d: segment(a, b, 8, 18) }),
    ];
    if (arrow in SIDES) return [...step, svg("path", { class: `${kind} built`, d: this.along(to, arrow).d })];
    const c = this.middle(arrow);
    return [
      ...step,
      svg("path", { class: `${kind} shot`, d: segment(b, c, 18, 16) }),
      svg("rect", { class: kind, x: c[0] - 21, y: c[1] - 21, width: 42, height: 42, rx: 6 }),
    ];
  }

  key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const name = this.focused ?? nameOf(this.view.position, 0);
    const { columns, rows } = this.view.position;
    const turn = this.flipped ? -1 : 1;
    const steps = { ArrowLeft: [-turn, 0], ArrowRight: [turn, 0], ArrowUp: [0, turn], ArrowDown: [0, -turn], Home: [-columns * turn, 0], End: [columns * turn, 0] };
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.choose(name, null);
    } else if (this.settingWalls && event.key.toUpperCase() in SIDES) {
      event.preventDefault();
      const side = this.inner(name, event.key.toUpperCase());
      if (side !== null) this.choose(name, side);
    } else if (event.key in steps) {
      event.preventDefault();
      const clamp = (value, most) => Math.min(Math.max(value, 0), most - 1);
      const index = indexOf(this.view.position, name);
      const file = clamp(index % columns + steps[event.key][0], columns);
      const rank = clamp(Math.floor(index / columns) + steps[event.key][1], rows);
      this.focus(nameOf(this.view.position, rank * columns + file));
    }
  }

  focus(name) {
    this.rove(name);
    this.cells.get(name).cell.focus();
  }

  // Exactly one square is in the order of the Tab key.
  rove(name) {
    this.focused = name;
    for (const [other, { cell }] of this.cells) cell.setAttribute("tabindex", other === name ? "0" : "-1");
  }
}

// The number or letter of a map: in the middle of a square, in the corner of one with an amazon.
function laidText({ kind, text, ink }, amazon) {
  const [x, y] = amazon === "" ? [24, 30] : [38, 44];
  const element = svg("text", { class: `laid-text on-${kind}${amazon === "" ? "" : " small"}`, x, y });
  // On the amazon's own square the text has an edge of its own and needs no ink.
  if (ink && amazon === "") element.style.setProperty("fill", ink);
  element.textContent = text;
  return element;
}

function burned() {
  return [
    svg("rect", { class: "burned", x: 3, y: 3, width: 42, height: 42, rx: 5 }),
    svg("path", { class: "burned", d: "M16 16L32 32M16 32L32 16", "stroke-linecap": "round" }),
  ];
}

// The line between two centres without its first `start` and last `end` units.
function segment([x, y], [u, v], start, end) {
  const length = Math.max(Math.hypot(u - x, v - y), 1);
  const at = (distance) => `${x + (u - x) * distance / length} ${y + (v - y) * distance / length}`;
  return `M${at(start)}L${at(length - end)}`;
}
