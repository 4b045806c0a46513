#!/usr/bin/env python3
"""What sets of 128 bits cost: positions of 8x8 alone, and with burned squares around them on 10x10.

    words.py PROGRAM

Prints positions evaluated and processor seconds of one thread for each, 8x8 first.
"""

import json
import resource
import subprocess
import sys

POSITIONS = """\
2**1q2/**Qq*2*/Q*3**1/1****2*/1*1*1*Q1/1**q*1q1/*1*Q*3/2***3 w
2q*2*1/1QQ****1/2*1*Qq1/3*4/***q****/q**1*3/2**4/3Q4 b
2q*2*1/1QQ****1/2*1**q1/3*2Q1/***q****/1**1*3/1q**4/2*Q4 b
2**4/1Q1***2/***1*q2/1*q****1/*1*Q2q*/2***Q*1/1Qq1*2*/3*4 w
**2q*2/2q*Q**1/1*2***1/*1***1*q/2q*1*Q*/1*1Q4/1Q1**2*/5*2 b
**2q*2/2q*1**1/1**Q***1/*1***1*q/2**1*Q*/1*1Q4/1Qq**2*/5*2 b
"""


def around(position):
    rows, turn = position.split()
    burned = "*" * 10
    return "/".join([burned, *(f"*{row}*" for row in rows.split("/")), burned]) + " " + turn


def solve(program, position):
    arguments = [program, "solve", position, "--json", "--quiet", "--method", "proof"]
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    found = subprocess.run(
        [*arguments, "--threads", "1", "--memory", "1GiB"], capture_output=True, text=True, check=True
    )
    seconds = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    report = json.loads(found.stdout)
    return report["value"], report["nodes"], seconds


for position in POSITIONS.splitlines():
    (value, nodes, seconds), (other, more, longer) = (
        solve(sys.argv[1], text) for text in (position, around(position))
    )
    assert value == other
    print(position, value, nodes, f"{seconds:.2f}", more, f"{longer:.2f}", sep="\t")
