// Positions as the server writes them: FEN to squares and back, and the position after a move.
// The rules are the server's: it lists the legal moves, and nothing here says what is one. What a move of Amazons does
// is known here, too; of a move of another game the server says what it leads to.

// Squares are indexed rank * columns + file, from a1.
export function parse(fen) {
  const [board, turn, number, walls] = fen.trim().split(/\s+/);
  const ranks = board.split("/").reverse().map(expand);
  const columns = ranks[0].length;
  return { columns, rows: ranks.length, squares: ranks.flat(), turn, number: parseInt(number ?? "1", 10), walls: (walls ?? "").match(/[a-t]\d+[NESW]/g) ?? [] };
}

function expand(rank) {
  const squares = [];
  for (const token of rank.match(/\d+|[Qq*]/g) ?? []) {
    if (/\d/.test(token)) squares.push(...Array(Number(token)).fill(""));
    else squares.push(token);
  }
  return squares;
}

// The squares and the side to move.
export function format(position) {
  const ranks = [];
  for (let rank = position.rows - 1; rank >= 0; rank--) {
    const squares = position.squares.slice(rank * position.columns, (rank + 1) * position.columns);
    ranks.push(squares.map((square) => square || " ").join("").replace(/ +/g, (run) => run.length));
  }
  return `${ranks.join("/")} ${position.turn}`;
}

export function nameOf(position, index) {
  return fileName(index % position.columns) + (Math.floor(index / position.columns) + 1);
}

export function fileName(file) {
  return String.fromCharCode(97 + file);
}

export function indexOf(position, name) {
  return (Number(name.slice(1)) - 1) * position.columns + (name.charCodeAt(0) - 97);
}

// "b1-b3/d3" as its three squares; where a wall is built the third is a side, as in "c8-c7/W".
export function parts(move) {
  const [from, to, arrow] = move.split(/[-/]/);
  return { from, to, arrow };
}

// Sides of a square, as files and ranks to the square beyond.
export const SIDES = { N: [0, 1], E: [1, 0], S: [0, -1], W: [-1, 0] };
export const OPPOSITE = { N: "S", E: "W", S: "N", W: "E" };

export function beyond(name, side) {
  const [files, ranks] = SIDES[side];
  return fileName(name.charCodeAt(0) - 97 + files) + (Number(name.slice(1)) + ranks);
}

// The squares that are chosen for a move; the square beyond it stands for a wall.
export function steps(move) {
  const { from, to, arrow } = parts(move);
  return [from, to, arrow in SIDES ? beyond(to, arrow) : arrow];
}

// The position after a move as the source lists it.
export function after(fen, { move, position }) {
  return position ?? format(apply(parse(fen), move));
}

// A value seen from a position before or after a move: the other side's, unless the same side is to move in both.
export function seenFrom(fen, other, value) {
  return parse(fen).turn === parse(other).turn ? value : REVERSED[value];
}

const REVERSED = { win: "loss", loss: "win", unknown: "unknown" };

function apply(position, move) {
  const { from, to, arrow } = parts(move);
  const squares = [...position.squares];
  const amazon = squares[indexOf(position, from)];
  squares[indexOf(position, from)] = "";
  squares[indexOf(position, to)] = amazon;
  squares[indexOf(position, arrow)] = "*";
  return { ...position, squares, turn: position.turn === "w" ? "b" : "w" };
}

export function sideName(turn) {
  return turn === "w" ? "White" : "Black";
}
