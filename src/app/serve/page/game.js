// A game: where it began, its moves, and the ply that is shown. What is shared as an address.

import { apply, format, parse } from "./position.js";

export class Game {
  // `moves` are legal one after another.
  constructor(start, moves = [], at = moves.length) {
    this.start = start;
    this.moves = moves;
    this.positions = [start];
    for (const move of moves) this.positions.push(format(apply(parse(this.positions.at(-1)), move)));
    this.at = Math.min(Math.max(at, 0), moves.length);
  }

  get fen() {
    return this.positions[this.at];
  }

  get lastMove() {
    return this.at > 0 ? this.moves[this.at - 1] : null;
  }

  get atEnd() {
    return this.at === this.moves.length;
  }

  // Plays a move from where the game is shown; other moves that were played from there are forgotten.
  play(move) {
    const again = this.moves[this.at] === move;
    if (!again) {
      this.moves = [...this.moves.slice(0, this.at), move];
      this.positions = [...this.positions.slice(0, this.at + 1), format(apply(parse(this.fen), move))];
    }
    this.at += 1;
  }

  goTo(ply) {
    this.at = Math.min(Math.max(ply, 0), this.moves.length);
  }

  // The part of the address behind '#'.
  hash(flipped) {
    const fields = new URLSearchParams({ fen: this.start });
    if (this.moves.length > 0) fields.set("moves", this.moves.join(" "));
    if (!this.atEnd) fields.set("at", this.at);
    if (flipped) fields.set("flip", "1");
    // These are plain in the fragment of an address, and an address that can be read is nicer to share.
    return fields.toString().replaceAll("%2F", "/").replaceAll("%2A", "*");
  }
}

// What an address says; nothing of it has been checked.
export function parseHash(hash) {
  const fields = new URLSearchParams(hash.replace(/^#/, ""));
  const at = fields.get("at");
  return {
    fen: fields.get("fen"),
    moves: (fields.get("moves") ?? "").split(/\s+/).filter((move) => move !== ""),
    at: at !== null && /^\d+$/.test(at) ? Number(at) : undefined,
    flipped: fields.get("flip") === "1",
  };
}
