"""Reads what `amazons export` and `amazons sample` write, by docs/format.md alone.

    python3 tests/independent/exports.py 4x4 5 BITS 4 4 CSV NPY

BITS is the export of the tier with 5 arrows, 4 amazons of the mover and 4 of the opponent; CSV and
NPY are one sample of positions in both forms. The bit of each position of the sample that is of this
tier must be the value that the sample says, and both forms must say the same. Exit status 1 if not.
"""

import ast
import struct
import sys
from itertools import combinations
from math import comb
from pathlib import Path

from board import Board
from table_reader import places_among, rank_of


def read_fen(board, text):
    """The squares of White, of Black, the burned ones, and who moves."""
    ranks, turn = text.split()
    sets = {"Q": 0, "q": 0, "*": 0}
    for rank, line in enumerate(reversed(ranks.split("/"))):
        file = 0
        for symbol in line.replace("10", ".........."):
            if symbol in sets:
                sets[symbol] |= 1 << rank * board.columns + file
            file += int(symbol) if symbol.isdigit() else 1
    return *sets.values(), turn


def read_csv(board, path):
    head, *lines = path.read_text().splitlines()
    assert head == "position,value", head
    for line in lines:
        text, value = line.split(",")
        yield *read_fen(board, text), {"win": True, "loss": False}[value]


def read_npy(board, path):
    data = path.read_bytes()
    assert data[:8] == b"\x93NUMPY\x01\x00", "no NPY of version 1.0"
    start = 10 + struct.unpack_from("<H", data, 8)[0]
    head = ast.literal_eval(data[10:start].decode())
    size = -(-(2 * board.squares + 1) // 8)
    assert head["descr"] == [("position", "|u1", (size,)), ("win", "|b1")], head
    assert head["shape"] == ((len(data) - start) // (size + 1),) and not head["fortran_order"]
    for at in range(start, len(data), size + 1):
        packed = int.from_bytes(data[at : at + size], "little")
        sets = [0, 0, 0, 0]
        for square in range(board.squares):
            sets[packed >> 2 * square & 3] |= 1 << square
        assert packed >> 2 * board.squares + 1 == 0, "a bit behind the last"
        yield *sets[1:], "wb"[packed >> 2 * board.squares], bool(data[at + size])


def main():
    name, arrows, bits, mover, opponent, csv, npy = sys.argv[1:]
    board, kind = Board(*map(int, name.split("x"))), tuple(map(int, (arrows, mover, opponent)))
    free = board.squares - kind[0]
    rows, columns = comb(free, kind[1]), comb(free - kind[1], kind[2])
    row_bytes = -(-columns // 8)
    subsets = combinations(range(board.squares), kind[0])
    sets = sorted(sum(1 << square for square in squares) for squares in subsets)
    ranks = {s: rank for rank, s in enumerate(s for s in sets if board.canonical(s)[0] == s)}
    content = Path(bits).read_bytes()
    if len(content) != len(ranks) * rows * row_bytes:
        sys.exit(f"{bits}: {len(content)} bytes, not {len(ranks)} x {rows} x {row_bytes}")

    sample = list(read_csv(board, Path(csv)))
    if sample != list(read_npy(board, Path(npy))):
        sys.exit(f"{csv} and {npy} differ")
    compared = 0
    for white, black, burned, turn, wins in sample:
        ours, theirs = (white, black) if turn == "w" else (black, white)
        if (burned.bit_count(), ours.bit_count(), theirs.bit_count()) != kind:
            continue
        burned, symmetry, _ = board.canonical(burned)
        ours, theirs = board.image(ours, symmetry), board.image(theirs, symmetry)
        empty = (1 << board.squares) - 1 ^ burned
        row = rank_of(places_among(ours, empty))
        column = rank_of(places_among(theirs, empty ^ ours))
        byte = content[(ranks[burned] * rows + row) * row_bytes + column // 8]
        if bool(byte >> column % 8 & 1) != wins:
            sys.exit(f"{board.fen(ours, theirs, burned, turn)}: the bit is not its value")
        compared += 1
    if compared < 100:
        sys.exit(f"only {compared} of {len(sample)} positions are of this tier")
    print(f"{name}, {kind[1]}v{kind[2]} with {kind[0]} arrows: {compared} values compared")


if __name__ == "__main__":
    main()
