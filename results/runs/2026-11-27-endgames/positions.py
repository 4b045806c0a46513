#!/usr/bin/env python3
"""The late positions of games on 10x10, one a line, tab-separated.

    positions.py games.txt > positions.tsv

Columns: the game, how many moves were made, the empty squares of parts with amazons of both sides,
the squares that are not burned and within reach of an amazon, the parts with amazons of both sides,
the position, the move that was made in it. Positions are late from where at most 64 squares are not
burned and within reach.
"""

import re
import sys

SIDE = 10
MOST = 64
WHITE, BLACK = ("a4", "d1", "g1", "j4"), ("a7", "d10", "g10", "j7")


def square(text):
    return ord(text[0]) - ord("a"), int(text[1:]) - 1


def components(cells):
    """Sets of squares that king steps connect."""
    rest = set(cells)
    while rest:
        component, front = set(), [rest.pop()]
        while front:
            file, rank = at = front.pop()
            component.add(at)
            near = {(file + x, rank + y) for x in (-1, 0, 1) for y in (-1, 0, 1)} & rest
            rest -= near
            front.extend(near)
        yield component


def fen(amazons, burned, turn):
    rows = []
    for rank in reversed(range(SIDE)):
        row = ""
        for file in range(SIDE):
            at = (file, rank)
            sign = "Q" if at in amazons[0] else "q" if at in amazons[1] else "*"
            row += sign if at in amazons[0] | amazons[1] | burned else "."
        rows.append(re.sub(r"\.+", lambda run: str(len(run[0])), row))
    return "/".join(rows) + " " + "wb"[turn]


def main():
    for number, line in enumerate(open(sys.argv[1]), 1):
        amazons, burned = [set(map(square, WHITE)), set(map(square, BLACK))], set()
        for made, move in enumerate(line.split()):
            turn = made % 2
            cells = {(f, r) for f in range(SIDE) for r in range(SIDE)} - burned
            parts = list(components(cells))
            live = sum(len(part) for part in parts if part & (amazons[0] | amazons[1]))
            mixed = [part for part in parts if part & amazons[0] and part & amazons[1]]
            empty = sum(len(part - amazons[0] - amazons[1]) for part in mixed)
            if live <= MOST:
                position = fen(amazons, burned, turn)
                print(number, made, empty, live, len(mixed), position, move, sep="\t")
            step, shot = move.split(",")
            origin, to = map(square, re.findall(r"[a-j]\d+", step))
            arrow = square(re.findall(r"[a-j]\d+", shot)[1])
            amazons[turn] = amazons[turn] - {origin} | {to}
            burned.add(arrow)


main()
