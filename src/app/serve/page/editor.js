// Setting up a position by hand: a square goes round from empty to white, black and burned.

import { format, indexOf, parse } from "./position.js";

const CYCLE = ["", "Q", "q", "*"];

export class Editor {
  constructor(fen, rules) {
    this.position = parse(fen);
    this.rules = rules;
  }

  change(name) {
    const { squares } = this.position;
    const index = indexOf(this.position, name);
    squares[index] = CYCLE[(CYCLE.indexOf(squares[index]) + 1) % CYCLE.length];
  }

  set turn(turn) {
    this.position.turn = turn;
  }

  get fen() {
    return format(this.position);
  }
}
