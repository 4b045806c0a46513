#!/usr/bin/env python3
"""Who wins the sums of a test file of MCGS, by `amazons region`.

    sums.py PROGRAM random_8x_3x3.test

The file is `input/seg_tests/amazons/random_8x_3x3.test` of
https://github.com/ualberta-mueller-group/MCGS, commit 68fa2c6. A sum is some lines of rows, which a
line with the side to move ends, {B} or {W}; Black is Left.
"""

import json
import subprocess
import sys
import time


def sums(path):
    parts = []
    for line in open(path):
        line = line.strip()
        if line in ("{B}", "{W}"):
            yield parts, line[1]
            parts = []
        elif "|" in line:
            parts.append(line.lower())


def main():
    program, path = sys.argv[1:]
    whole = 0.0
    for number, (parts, turn) in enumerate(sums(path), 1):
        began = time.time()
        found = subprocess.run(
            [program, "region", *parts, "--json", "--threads", "1", "--memory", "4GiB"],
            capture_output=True,
            text=True,
        )
        seconds = time.time() - began
        whole += seconds
        if found.returncode != 0:
            print(number, turn, "refused", f"{seconds:.2f} s", found.stderr.split(chr(10))[-2][:60])
            continue
        report = json.loads(found.stdout)
        outcome = report["outcome"]
        wins = outcome == "N" or outcome == ("L" if turn == "B" else "R")
        how = "by its value" if "value" in report else "by play"
        print(number, turn, outcome, "wins" if wins else "loses", how, f"{seconds:.2f} s", sep="\t")
    print(f"{whole:.1f} s")


main()
