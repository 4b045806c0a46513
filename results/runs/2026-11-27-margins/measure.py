#!/usr/bin/env python3
"""The margins of start positions, by search: results/margins.csv.

    measure.py PROGRAM OUT BOARD[:AMAZONS]:SECONDS...

Each board is searched by one thread for at most so many seconds; of what is not known then the
range is written. Lines of OUT for other boards stay. METHOD=auto in the environment lets the program
use what it knows of who wins, from tables and certificates.
"""

import csv
import json
import os
import subprocess
import sys

FIELDS = ["board", "amazons", "winner", "least_margin", "most_margin", "method", "nodes", "seconds"]
REMARK = (
    "# by how many spare moves the start positions are won (docs/margins.md): exactly where least "
    "and most are alike; searches by results/runs/2026-11-27-margins/measure.py, tables of "
    "results/margins/\n"
)


def margin(threshold):
    return -threshold if threshold <= 0 else threshold - 1


def measure(program, board, amazons, seconds):
    command = [program, "solve", board, "--amazons", amazons, "--margin", "--json", "--quiet"]
    command += ["--method", os.environ.get("METHOD", "proof"), "--threads", "1", "--memory", os.environ.get("MEMORY", "2GiB"), "--time", f"{seconds}s"]
    run = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    assert run.returncode in (0, 3), run.returncode
    report = json.loads(run.stdout)
    low, high = sorted(margin(threshold) for threshold in report["thresholds"])
    if report["winner"] is None:
        low, high = "", ""
    winner = {None: "", report["side_to_move"]: "first"}.get(report["winner"], "second")
    return [
        board, amazons, winner, low, high, "proof", report["nodes"], round(report["seconds"], 1)
    ]


def place(line):
    columns, rows = (int(size) for size in line[0].split("x"))
    return (columns * rows, columns, line[1])


def main(program, out, *boards):
    lines = {}
    if os.path.exists(out):
        with open(out, encoding="utf-8") as file:
            rows = list(csv.reader(line for line in file if not line.startswith("#")))
        lines = {(row[0], row[1]): row for row in rows[1:]}
    for asked in boards:
        board, *amazons, seconds = asked.split(":")
        found = measure(program, board, amazons[0] if amazons else "4v4", float(seconds))
        print(*found, flush=True)
        lines[found[0], found[1]] = [str(field) for field in found]
        with open(out + ".new", "w", encoding="utf-8", newline="") as file:
            file.write(REMARK)
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(FIELDS)
            writer.writerows(sorted(lines.values(), key=place))
        os.replace(out + ".new", out)


if __name__ == "__main__":
    main(*sys.argv[1:])
