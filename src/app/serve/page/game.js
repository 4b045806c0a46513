// A game: a tree of moves from where it began, and the node that is shown. What is shared as an address.

import { parse } from "./position.js";
import { rulesNamed } from "./rules.js";

// A node has: parent, move (null at the start and where a file sets up a position), fen (after the move), comment
// (null if there is none: a file may have an empty one), properties (what a file says of it and nobody here reads),
// children (the first one goes on with its line).
function newNode(parent, move, fen) {
  return { parent, move, fen, comment: null, properties: [], children: [] };
}

export class Game {
  // `moves` are legal one after another, each with the position after it; `at` of them are shown as played. The rules
  // are those of OtherGame, or nothing.
  constructor(start, moves = [], at = moves.length, rules = {}) {
    this.rules = rules;
    this.root = newNode(null, null, start);
    this.fromFile = false;
    // The name of the file, if it has one.
    this.file = null;
    let node = this.root;
    for (const move of moves) node = this.child(node, move);
    this.node = this.root;
    this.goTo(at);
  }

  // A game that was read from a file of this name, as the source gives it.
  static read(nodes, file = null) {
    const game = new Game(nodes[0].position);
    Object.assign(game, { fromFile: true, file });
    const made = [];
    for (const { parent, move, position, comment = null, properties } of nodes) {
      const node = parent === null ? game.root : newNode(made[parent], move, position);
      Object.assign(node, { comment, properties });
      if (parent !== null) made[parent].children.push(node);
      made.push(node);
    }
    return game;
  }

  // The same for the source to write.
  written() {
    const nodes = [];
    const numbers = new Map();
    const open = [this.root];
    while (open.length > 0) {
      const node = open.pop();
      numbers.set(node, nodes.length);
      const parent = node.parent === null ? null : numbers.get(node.parent);
      const side = node.parent === null ? null : parse(node.parent.fen).turn;
      nodes.push({ parent, move: parent === null ? null : node.move, side, comment: node.comment, properties: node.properties });
      open.push(...[...node.children].reverse());
    }
    return { start: this.fromFile ? null : this.root.fen, nodes };
  }

  child(node, { move, position }) {
    const known = node.children.find((child) => child.move === move);
    if (known !== undefined) return known;
    const child = newNode(node, move, position);
    node.children.push(child);
    return child;
  }

  get start() {
    return this.root.fen;
  }

  get fen() {
    return this.node.fen;
  }

  get lastMove() {
    return this.node.move;
  }

  // The nodes from the start to the one that is shown.
  get path() {
    return pathTo(this.node);
  }

  // How many nodes lead to the one that is shown.
  get at() {
    return this.path.length - 1;
  }

  // The line through the node that is shown, to its end.
  get line() {
    const line = this.path;
    while (line.at(-1).children.length > 0) line.push(line.at(-1).children[0]);
    return line;
  }

  get atEnd() {
    return this.node.children.length === 0;
  }

  // Plays a move, with the position after it, from where the game is shown; other moves from there stay as variations.
  play(move) {
    this.node = this.child(this.node, move);
  }

  // Enters moves, each with the position after it, behind the node that is shown, and stays there.
  enter(moves) {
    let { node } = this;
    for (const move of moves) node = this.child(node, move);
  }

  // Goes to a place on the line that is shown.
  goTo(ply) {
    const line = this.line;
    this.node = line[Math.min(Math.max(ply, 0), line.length - 1)];
  }

  show(node) {
    this.node = node;
  }

  // To the next (1) or the previous (-1) of the moves that were played from the same position.
  beside(step) {
    const siblings = this.node.parent?.children ?? [this.node];
    const at = siblings.indexOf(this.node) + step;
    if (at < 0 || at >= siblings.length) return false;
    this.node = siblings[at];
    return true;
  }

  // Takes back the move that is shown with all that follows it; what puts it back.
  takeBack() {
    const { node } = this;
    const { parent } = node;
    if (parent === null) return null;
    const at = parent.children.indexOf(node);
    parent.children.splice(at, 1);
    this.node = parent;
    return () => {
      parent.children.splice(at, 0, node);
      this.node = node;
    };
  }

  // Makes the line that is shown the main line.
  promote() {
    for (const node of this.path) {
      const siblings = node.parent?.children;
      if (siblings && siblings[0] !== node) {
        siblings.splice(siblings.indexOf(node), 1);
        siblings.unshift(node);
      }
    }
  }

  // The part of the address behind '#': the line that is shown. Where a file sets up another position, it begins there.
  hash(flipped) {
    const line = this.line;
    const from = line.findLastIndex((node) => node.move === null);
    const moves = line.slice(from + 1).map(({ move }) => move);
    const at = line.indexOf(this.node) - from;
    const fields = new URLSearchParams({ ...this.rules, fen: at >= 0 ? line[from].fen : this.fen });
    if (moves.length > 0 && at >= 0) fields.set("moves", moves.join(" "));
    if (at >= 0 && at < moves.length) fields.set("at", at);
    if (flipped) fields.set("flip", "1");
    // These are plain in the fragment of an address, and an address that can be read is nicer to share.
    return fields.toString().replaceAll("%2F", "/").replaceAll("%2A", "*").replaceAll("%2C", ",");
  }
}

export function pathTo(node) {
  const path = [];
  for (let at = node; at !== null; at = at.parent) path.push(at);
  return path.reverse();
}

// What an address says; nothing of it has been checked.
export function parseHash(hash) {
  const fields = new URLSearchParams(hash.replace(/^#/, ""));
  const at = fields.get("at");
  const [rules, turns] = [fields.get("rules"), fields.get("turns")];
  return {
    rules: rules === null && turns === null ? null : rulesNamed(rules, turns),
    fen: fields.get("fen"),
    moves: (fields.get("moves") ?? "").split(/\s+/).filter((move) => move !== ""),
    at: at !== null && /^\d+$/.test(at) ? Number(at) : undefined,
    flipped: fields.get("flip") === "1",
  };
}
