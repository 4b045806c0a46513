#!/usr/bin/env python3
"""Solves late positions of games, each alone on one thread, for so much processor time at most.

    solve.py PROGRAM positions.tsv SECONDS [GAMES] > solved.tsv

A game is walked from its end. Where three positions in a row were not solved, those before them are
not tried. Columns: those of positions.tsv but the position and the move, then the value for the side
to move (`unknown` if the time was up), positions evaluated, processor seconds.
"""

import json
import os
import signal
import subprocess
import sys
import time

MOST_FAILURES = 3
TICKS = os.sysconf("SC_CLK_TCK")


def spent(pid):
    """Processor seconds of a process so far."""
    with open(f"/proc/{pid}/stat") as stat:
        fields = stat.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def solve(program, position, seconds):
    arguments = [program, "solve", position, "--json", "--quiet", "--method", "proof"]
    process = subprocess.Popen(
        [*arguments, "--threads", "1", "--memory", "1GiB"], stdout=subprocess.PIPE, text=True
    )
    used = 0.0
    while process.poll() is None:
        used = max(used, spent(process.pid))
        if used > seconds:
            process.send_signal(signal.SIGINT)
            break
        time.sleep(0.02)
    report = json.loads(process.communicate()[0])
    return report["value"], report["nodes"], used


def main():
    program, path, seconds = sys.argv[1], sys.argv[2], float(sys.argv[3])
    games = int(sys.argv[4]) if len(sys.argv) > 4 else None
    lines = [line.rstrip("\n").split("\t") for line in open(path)]
    failures, last = 0, None
    for columns in reversed(lines):
        game, position = int(columns[0]), columns[5]
        if games and game > games:
            continue
        if game != last:
            failures, last = 0, game
        if failures >= MOST_FAILURES:
            continue
        value, nodes, used = solve(program, position, seconds)
        failures = failures + 1 if value == "unknown" else 0
        print(*columns[:5], value, nodes, f"{used:.2f}", sep="\t", flush=True)


main()
