#!/usr/bin/env python3
"""Who wins the sums of a test file of MCGS, by MCGS and by `amazons region`, in turn.

    mcgs.py MCGS DATABASE PROGRAM random_8x_3x3.test SECONDS > mcgs.tsv

The database was made by `MCGS --db-file-create DATABASE "[amazons] max_dims = 3,3;"`. MCGS has one
thread, and ends after so many processor seconds. A sum is some lines of rows, which a line with the
side to move ends, {B} or {W}; Black is Left.

Columns: the sum, the side to move, what MCGS says of it, its processor seconds, what `amazons` says,
its processor seconds.
"""

import json
import os
import re
import resource
import subprocess
import sys


def sums(path):
    parts = []
    for line in open(path):
        line = line.strip()
        if line in ("{B}", "{W}"):
            yield parts, line[1]
            parts = []
        elif "|" in line:
            parts.append(line)


def timed(arguments, seconds):
    """The output of a command and its processor seconds."""
    limit = lambda: resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    process = subprocess.Popen(
        arguments, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, preexec_fn=limit
    )
    output = process.stdout.read()
    _, _, used = os.wait4(process.pid, 0)
    process.returncode = 0
    return output, used.ru_utime + used.ru_stime


def main():
    mcgs, database, program, path, seconds = sys.argv[1:]
    wholes = [0.0, 0.0]
    for number, (parts, turn) in enumerate(sums(path), 1):
        arguments = [mcgs, "--db-file-load", database, "--tt-sumgame-idx-bits", "24"]
        output, peer = timed([*arguments, f"[amazons] {' '.join(parts)} {{{turn}}}"], int(seconds))
        found = re.search(r"Got: (\w+)", output)
        said = {"Win": "wins", "Loss": "loses"}.get(found[1], found[1]) if found else "-"
        arguments = [program, "region", *map(str.lower, parts), "--json", "--threads", "1"]
        output, own = timed([*arguments, "--memory", "4GiB"], 600)
        outcome = json.loads(output)["outcome"]
        wins = outcome == "N" or outcome == ("L" if turn == "B" else "R")
        wholes = [wholes[0] + peer, wholes[1] + own]
        answer = "wins" if wins else "loses"
        print(number, turn, said, f"{peer:.2f}", answer, f"{own:.2f}", sep="\t", flush=True)
    print("all", "", "", f"{wholes[0]:.1f}", "", f"{wholes[1]:.1f}", sep="\t")


main()
