// Positions as the server writes them: FEN to squares and back, and the position after a move.
// The rules are the server's: it lists the legal moves, and nothing here says what is one.

// Squares are indexed rank * columns + file, from a1.
export function parse(fen) {
  const [board, turn] = fen.trim().split(/\s+/);
  const ranks = board.split("/").reverse().map(expand);
  const columns = ranks[0].length;
  return { columns, rows: ranks.length, squares: ranks.flat(), turn };
}

function expand(rank) {
  const squares = [];
  for (const token of rank.match(/\d+|[Qq*]/g) ?? []) {
    if (/\d/.test(token)) squares.push(...Array(Number(token)).fill(""));
    else squares.push(token);
  }
  return squares;
}

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

// "b1-b3/d3" as its three squares.
export function parts(move) {
  const [from, to, arrow] = move.split(/[-/]/);
  return { from, to, arrow };
}

export function apply(position, move) {
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
