#!/usr/bin/env python3
"""Of each game the last late position that was not solved, as positions.tsv has it.

    latest.py positions.tsv solved.tsv > latest.tsv
"""

import sys


def main():
    positions, solved = ([line.rstrip("\n").split("\t") for line in open(path)] for path in sys.argv[1:])
    latest = {}
    for columns in solved:
        if columns[5] == "unknown":
            # Games are walked from their ends.
            latest.setdefault(columns[0], columns[1])
    for columns in positions:
        if latest.get(columns[0]) == columns[1]:
            print(*columns, sep="\t")


main()
