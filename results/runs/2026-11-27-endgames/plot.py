#!/usr/bin/env python3
"""Draws in how many games the position after each move is exactly known, and all after it.

    plot.py games.txt positions.tsv solved.tsv > exact.svg
"""

import sys

WIDTH, HEIGHT, LEFT, TOP, RIGHT, BOTTOM = 640, 300, 56, 16, 16, 44


def known_from(positions, solved):
    """By game, the first move after which every position is solved."""
    known = {(int(c[0]), int(c[1])) for c in solved if c[5] != "unknown"}
    first = {}
    for game in {int(c[0]) for c in solved}:
        at = max(int(c[1]) for c in positions if int(c[0]) == game) + 1
        while (game, at - 1) in known:
            at -= 1
        first[game] = at
    return first


def main():
    longest = max(len(line.split()) for line in open(sys.argv[1]))
    rows = [[line.rstrip("\n").split("\t") for line in open(path)] for path in sys.argv[2:4]]
    first = sorted(known_from(*rows).values())
    wide, high = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM
    x = lambda move: LEFT + wide * move / longest
    y = lambda share: TOP + high * (1 - share)
    points, before = [], y(0)
    for move in range(longest + 1):
        after = y(sum(at <= move for at in first) / len(first))
        points += [f"{x(move):.1f},{before:.1f}", f"{x(move):.1f},{after:.1f}"]
        before = after
    print(f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" '
          f'font-family="sans-serif" font-size="12">')
    print(f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>')
    for percent in range(0, 101, 25):
        at = y(percent / 100)
        print(f'<path d="M{LEFT} {at:.1f}h{wide}" stroke="#ddd"/>')
        print(f'<text x="{LEFT - 8}" y="{at + 4:.1f}" text-anchor="end">{percent} %</text>')
    for move in range(0, longest + 1, 10):
        print(f'<text x="{x(move):.1f}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">{move}</text>')
    print(f'<polyline points="{" ".join(points)}" fill="none" stroke="#06c" stroke-width="2"/>')
    print(f'<text x="{LEFT + wide / 2}" y="{HEIGHT - 8}" text-anchor="middle">moves made</text>')
    print("</svg>")


main()
