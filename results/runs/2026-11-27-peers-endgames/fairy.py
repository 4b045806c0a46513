#!/usr/bin/env python3
"""How often does Fairy-Stockfish throw away an endgame that is won?

    fairy.py FAIRY PROGRAM positions.tsv solved.tsv > fairy.tsv

Taken are the positions of solved.tsv (see ../2026-11-27-endgames) that the side to move wins, with
nine empty squares or more in contested parts, and that one thread of `amazons` solved in at most
three seconds. Fairy-Stockfish gets ten times as long, a tenth of a second at the least, on one
thread with 256 MiB. `amazons` then solves the position after its move.

Columns: game, moves made, empty squares in contested parts, seconds that were given, depth that was
reached, score in centipawns, the move, and whether it keeps the win: `kept`, `lost` or `unknown`.
"""

import json
import re
import subprocess
import sys

LEAST_EMPTY, MOST_SECONDS, TIMES, LEAST_GIVEN = 9, 3.0, 10, 0.1


class Fairy:
    def __init__(self, program):
        self.process = subprocess.Popen(
            [program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )
        self.say("uci")
        self.until("uciok")
        self.say("setoption name Threads value 1")
        self.say("setoption name Hash value 256")
        self.say("setoption name UCI_Variant value amazons")

    def say(self, line):
        print(line, file=self.process.stdin, flush=True)

    def until(self, word):
        lines = []
        for line in self.process.stdout:
            lines.append(line.rstrip("\n"))
            if line.startswith(word):
                return lines
        sys.exit(f"the engine ended: {lines[-3:]}")

    def move(self, position, seconds):
        self.say("ucinewgame")
        self.say("isready")
        self.until("readyok")
        self.say(f"position fen {position} - - 0 1")
        self.say(f"go movetime {round(1000 * seconds)}")
        lines = self.until("bestmove")
        told = [line for line in lines if " depth " in line and " score " in line]
        depth = re.search(r" depth (\d+)", told[-1])[1]
        score = re.search(r" score (\w+ -?\d+)", told[-1])[1]
        return lines[-1].split()[1], depth, score


def notation(move):
    """`d1d6,d6g9` as `d1-d6/g9`."""
    step, shot = move.split(",")
    origin, to = re.findall(r"[a-j]\d+", step)
    return f"{origin}-{to}/{re.findall(r'[a-j][0-9]+', shot)[1]}"


def value(program, position, move):
    arguments = [program, "solve", position, move, "--json", "--quiet"]
    arguments += ["--method", "proof", "--threads", "1", "--memory", "1GiB", "--time", "20s"]
    done = subprocess.run(arguments, capture_output=True, text=True)
    return json.loads(done.stdout)["value"]


def main():
    fairy, program, positions, solved = Fairy(sys.argv[1]), *sys.argv[2:]
    at = {}
    for line in open(positions):
        columns = line.rstrip("\n").split("\t")
        at[columns[0], columns[1]] = columns[5]
    for line in open(solved):
        game, made, empty, _, _, known, _, seconds = line.rstrip("\n").split("\t")
        if known != "win" or int(empty) < LEAST_EMPTY or float(seconds) > MOST_SECONDS:
            continue
        given = max(LEAST_GIVEN, TIMES * float(seconds))
        move, depth, score = fairy.move(at[game, made], given)
        move = notation(move)
        after = value(program, at[game, made], move)
        kept = {"loss": "kept", "win": "lost"}.get(after, "unknown")
        print(game, made, empty, f"{given:.1f}", depth, score, move, kept, sep="\t", flush=True)


main()
