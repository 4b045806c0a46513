// Setting up a position by hand: a square goes round from empty to white, black and burned, a side of a square from
// none to a wall.

import { beyond, format, indexOf, OPPOSITE, parse } from "./position.js";

const CYCLE = ["", "Q", "q", "*"];

export class Editor {
  // `choices`: what the source says of the rules.
  constructor(fen, rules, choices) {
    this.position = parse(fen);
    this.rules = rules;
    this.hasWalls = choices?.shot === "wall";
    this.hasTurns = (rules.turns ?? choices?.turns ?? "1") !== "1";
  }

  // Changes a square, or the wall on a side of it.
  change(name, side = null) {
    if (side !== null) return this.changeWall(name, side);
    const { squares } = this.position;
    const index = indexOf(this.position, name);
    squares[index] = CYCLE[(CYCLE.indexOf(squares[index]) + 1) % CYCLE.length];
  }

  changeWall(name, side) {
    const same = [name + side, beyond(name, side) + OPPOSITE[side]];
    const others = this.position.walls.filter((wall) => !same.includes(wall));
    this.position.walls = others.length < this.position.walls.length ? others : [...others, same[0]];
  }

  set turn(turn) {
    this.position.turn = turn;
  }

  // The number of the turn; nobody has moved in it.
  set number(number) {
    this.position.number = number;
  }

  get fen() {
    const { number, walls } = this.position;
    const fields = [format(this.position)];
    if (this.hasWalls || this.hasTurns) fields.push(number);
    if (this.hasWalls) fields.push(walls.join(",") || "-");
    return fields.join(" ");
  }
}
