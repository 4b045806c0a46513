"""The rules of the Game of the Amazons and the symmetries of a board, for the second reader.

A set of squares is an integer; square (file, rank) has the number rank x columns + file.
"""

from functools import lru_cache


def squares_of(bits):
    """The numbers of the squares in a set, upwards."""
    while bits:
        low = bits & -bits
        yield low.bit_length() - 1
        bits ^= low


class Board:
    """Squares, queen lines and symmetries."""

    def __init__(self, columns, rows):
        self.columns, self.rows, self.squares = columns, rows, columns * rows
        steps = [(df, dr) for df in (-1, 0, 1) for dr in (-1, 0, 1) if df or dr]
        places = [(s % columns, s // columns) for s in range(self.squares)]
        self.lines = [[self.line(f, r, df, dr) for df, dr in steps] for f, r in places]
        images = [places]
        images += [[(columns - 1 - f, r) for f, r in image] for image in images]
        images += [[(f, rows - 1 - r) for f, r in image] for image in images]
        if columns == rows:
            images += [[(r, f) for f, r in image] for image in images]
        self.maps = [[1 << (r * columns + f) for f, r in image] for image in images]
        self.canonical = lru_cache(1 << 20)(self.canonical)

    def line(self, file, rank, df, dr):
        """The squares from (file, rank) in one direction, to the edge."""
        line = []
        while 0 <= (file := file + df) < self.columns and 0 <= (rank := rank + dr) < self.rows:
            line.append(rank * self.columns + file)
        return line

    def image(self, bits, symmetry):
        to = self.maps[symmetry]
        return sum([to[square] for square in squares_of(bits)])

    def canonical(self, arrows):
        """The largest image, the first symmetry that leads to it, and the number of images."""
        images = [self.image(arrows, symmetry) for symmetry in range(len(self.maps))]
        return max(images), images.index(max(images)), len(set(images))

    def reach(self, square, taken):
        """Where a queen on the square can go."""
        for line in self.lines[square]:
            for to in line:
                if taken >> to & 1:
                    break
                yield to

    def moves(self, mover, opponent, arrows):
        """The positions after each move, seen by the side that moves then."""
        for start in squares_of(mover):
            others = mover ^ 1 << start
            taken = others | opponent | arrows
            for to in self.reach(start, taken):
                for shot in self.reach(to, taken | 1 << to):
                    yield opponent, others | 1 << to, arrows | 1 << shot

    def fen(self, mover, opponent, arrows, turn):
        ours, theirs = "Qq" if turn == "w" else "qQ"
        ranks = []
        for rank in reversed(range(self.rows)):
            text, gap = "", 0
            for square in range(rank * self.columns, (rank + 1) * self.columns):
                bit = 1 << square
                letter = (
                    ours if mover & bit else theirs if opponent & bit else "*" * bool(arrows & bit)
                )
                text, gap = (text + str(gap or "") + letter, 0) if letter else (text, gap + 1)
            ranks.append(text + str(gap or ""))
        return "/".join(ranks) + " " + turn
