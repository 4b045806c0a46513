#!/usr/bin/env python3
"""Games of the engine against itself on 10x10, one a line: its moves after the start position.

    games.py PROGRAM GAMES NODES > games.txt

The first four moves are random, by the number of the game; then both sides play the engine's first
choice of so many positions a move. With the same program the games are the same every time.
"""

import random
import subprocess
import sys

RANDOM_MOVES = 4


class Engine:
    """A program that plays by the UCI protocol."""

    def __init__(self, program):
        self.process = subprocess.Popen(
            [program, "uci", "--threads", "1", "--quiet"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def say(self, *lines):
        self.process.stdin.write("".join(line + "\n" for line in lines))
        self.process.stdin.flush()

    def until(self, word):
        """The lines up to the one that begins with a word, which is the last of them."""
        lines = []
        while not lines or not lines[-1].startswith(word):
            line = self.process.stdout.readline()
            if not line:
                sys.exit("the engine has ended")
            lines.append(line.rstrip())
        return lines

    def moves_of(self, moves):
        """All moves after some moves."""
        self.say("position startpos moves " + " ".join(moves), "go perft 1")
        lines = self.until("Nodes searched")
        return [line.split(":")[0] for line in lines if ": 1" in line]


def play(engine, number, nodes):
    chance = random.Random(number)
    engine.say("ucinewgame", "setoption name Hash value 16")
    moves = []
    while True:
        if len(moves) < RANDOM_MOVES:
            moves.append(chance.choice(engine.moves_of(moves)))
            continue
        engine.say("position startpos moves " + " ".join(moves), f"go nodes {nodes}")
        best = engine.until("bestmove")[-1].split()[1]
        if best in ("(none)", "0000"):
            return moves
        moves.append(best)


def main():
    program, games, nodes = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    engine = Engine(program)
    for number in range(1, games + 1):
        print(" ".join(play(engine, number, nodes)), flush=True)
    engine.say("quit")


main()
