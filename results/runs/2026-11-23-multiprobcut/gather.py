"""Scores of the engine's own searches by depth, on positions of games that it plays.

gather.py PROGRAM FEN PLIES GAMES SEED NODES prints a line a position: the ply, the static
evaluation, then the scores of searches of 1, 2, ... moves, in hundredths of a square for the side
to move. A game goes on by one of the six moves that a search of one move likes best. Proven scores
are left out, and the last depth, which the limit of nodes may have cut.
"""

import random
import subprocess
import sys

PROVEN = 15000


class Engine:
    """The program under UCI."""

    def __init__(self, program, fen):
        pipe = subprocess.PIPE
        self.process = subprocess.Popen([program, "uci"], stdin=pipe, stdout=pipe, text=True)
        self.fen = fen
        self.say("setoption name Threads value 1")

    def say(self, text):
        self.process.stdin.write(text + "\n")
        self.process.stdin.flush()

    def go(self, moves, limits, lines=1):
        """Score and first move by depth and rank, with nothing remembered from before."""
        self.say(f"setoption name MultiPV value {lines}")
        self.say("setoption name Clear Hash")
        self.say(f"position fen {self.fen}" + (" moves " + " ".join(moves) if moves else ""))
        self.say("go " + limits)
        found = {}
        while True:
            words = self.process.stdout.readline().split()
            if words[:1] == ["bestmove"]:
                return found
            after = {name: word for name, word in zip(words, words[1:])}
            if {"depth", "cp", "pv"} <= after.keys():
                key = int(after["depth"]), int(after.get("multipv", 1))
                found[key] = int(after["cp"]), after["pv"]


def play(engine, plies, nodes):
    """One game, printed."""
    moves, static = [], None
    for ply in range(plies):
        if static is not None:
            deep = engine.go(moves, f"depth 5 nodes {nodes}")
            depths = sorted(depth for depth, _ in deep)[:-1]
            scores = [static] + [deep[depth, 1][0] for depth in depths]
            if depths and all(abs(score) < PROVEN for score in scores):
                print(ply, *scores, flush=True)
        best = engine.go(moves, "depth 1", lines=6)
        if not best:
            return
        score, move = random.choice(list(best.values()))
        if abs(score) >= PROVEN:
            return
        moves.append(move)
        # A search of one move scores a move by the evaluation of what it leads to.
        static = -score


if __name__ == "__main__":
    program, fen, plies, games, seed, nodes = sys.argv[1:]
    random.seed(int(seed))
    engine = Engine(program, fen)
    for _ in range(int(games)):
        play(engine, int(plies), int(nodes))
    engine.say("quit")
