"""Holds the wall rule of the proved checker against verdicts on file: walls.py WALLS VERDICTS.

WALLS is the program of walls.ml, VERDICTS a file like tests/data/walls.csv.
"""

import subprocess
import sys


def state(fen):
    """Columns, rows and the two sets of a position, as Sets.v has them."""
    ranks, turn = fen.split(" ")
    rows = []
    for rank in ranks.split("/"):
        row, number = [], ""
        for sign in rank + " ":
            if sign.isdigit():
                number += sign
                continue
            row += ["."] * int(number or 0)
            number = ""
            if sign != " ":
                row.append(sign)
        rows.append(row)
    columns = len(rows[0])
    assert all(len(row) == columns for row in rows), fen
    mover, other = "Qq" if turn == "w" else "qQ"
    lo = hi = 0
    for at, sign in enumerate(sign for row in reversed(rows) for sign in row):
        lo |= (sign in (mover, "*")) << at
        hi |= (sign in (other, "*")) << at
    return columns, len(rows), lo, hi


def main(walls, verdicts):
    with open(verdicts) as file:
        lines = [line.strip().split(",") for line in file][2:]
    states = [state(cells[0]) for cells in lines]
    large = [columns * rows > 62 for columns, rows, _, _ in states]
    asked = "".join("%d %d %d %d\n" % (s[:2] + (0, 0) if big else s)
                    for s, big in zip(states, large))
    said = subprocess.run([walls], input=asked, capture_output=True, text=True, check=True).stdout
    said = said.splitlines()
    assert len(said) == len(lines)
    compared, decided = 0, [0, 0, 0]
    for cells, big, line in zip(lines, large, said):
        if big:
            assert line == "-", cells
            continue
        wins, loses, by_move = map(int, line.split())
        found = [wins, loses, wins | by_move]
        if found != [int(cell) for cell in cells[1:]]:
            sys.exit(f"{cells}: found {found}")
        compared += 1
        decided = [n + x for n, x in zip(decided, found)]
    assert compared > 700 and min(decided) > 100, (compared, decided)
    print(f"{compared} positions judged as on file: {decided[0]} won, {decided[1]} lost, "
          f"{decided[2]} covered; {sum(large)} on boards that are too large left out")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        print("usage: walls.py WALLS VERDICTS", file=sys.stderr)
        sys.exit(2)
    main(*sys.argv[1:])
