"""Can counts of squares tell which winning move has the cheapest proof?

usage: fit.py choices.txt      (needs numpy; xz -dk choices.txt.xz first)

A line of choices.txt is a position after a move: number of the position before the move, its
logarithm of effort, its empty squares, the positions that the search of it evaluated; then of the
move the rank by its disproof number, who wins after it (L the side that moved, W the other, ? not
found with twice the positions of the whole), the positions evaluated, proof, disproof; lead, steps,
upper bound and the counts in NAMES. `a` is the side to move after the move, `b` the other.

The fit is linear and within the moves of one position: the logarithm of what a move costs, where
one that does not win costs four times the whole. It is held against positions that it has not
seen: the moves are tried one after another in its order, until one wins.
"""

import math
import sys

import numpy as np

NAMES = ("lead steps up qa1 qb1 qa2 qb2 qa3 qb3 qa4 qb4 qna qnb qeq ka1 kb1 ka2 kb2 kna knb keq "
         "ma ma1 ma2 ma3 ma4 la1 la2 la3 la4 mb mb1 mb2 mb3 mb4 lb1 lb2 lb3 lb4").split()
SETS = ["lead steps up", "lead steps up qa2", "lead steps up qa1 qa2", "lead steps up qa1 qa2 lb1",
        "lead steps up qa1 qa2 lb1 qa4 qb1 ka1", " ".join(NAMES)]
PARTS, TIMES = 5, 4


class Choice:
    """The moves of one position."""

    def __init__(self, lines):
        self.whole = int(lines[0][3])
        self.value = np.array([line[5] for line in lines])
        self.cost = np.array([int(line[6]) for line in lines], float)
        self.disproof = np.array([int(line[8]) for line in lines])
        self.counts = np.array([line[9:] for line in lines], float)
        logarithm = np.log2(np.maximum(self.cost, 50))
        self.wanted = np.where(self.value == "L", logarithm, math.log2(2 * self.whole) + 1)
        self.cheapest = min(self.cost[self.value == "L"], default=None)

    def one_after_another(self, score):
        """What it costs to try the moves by their score until one wins."""
        total = 0
        for at in np.argsort(score, kind="stable"):
            total += self.cost[at]
            if self.value[at] == "L":
                break
        return total


def geometric(values):
    return math.exp(np.mean(np.log(list(values))))


def fit(choices, columns):
    def centred(values):
        return values - values.mean(0)

    counts = np.vstack([centred(c.counts[:, columns]) for c in choices])
    wanted = np.concatenate([centred(c.wanted) for c in choices])
    weight = np.concatenate([np.full(len(c.value), 1 / len(c.value)) for c in choices])
    scale = counts.std(0) + 1e-9
    counts = counts / scale
    square = (counts * weight[:, None]).T @ counts + 1e-3 * weight.sum() * np.eye(len(columns))
    return np.linalg.solve(square, (counts * weight[:, None]).T @ wanted) / scale


def main():
    groups = {}
    for line in open(sys.argv[1]):
        groups.setdefault(line.split()[0], []).append(line.split())
    choices = [c for c in map(Choice, groups.values()) if c.cheapest]
    moves, win, lose = (np.mean([(np.isin(c.value, list(which))).sum() for c in choices])
                        for which in ("LW?", "L", "W"))
    print(f"{len(choices)} positions, {moves:.0f} moves each, of which {win:.0f} are found to "
          f"win and {lose:.0f} to lose")
    ratios = np.array([c.whole / c.cheapest for c in choices])
    print(f"whole search by cheapest winning move: mean {geometric(ratios):.1f}, quartiles "
          + ", ".join(f"{q:.1f}" for q in np.quantile(ratios, [0.25, 0.5, 0.75])))
    print(f"evaluated, geometric means: whole {geometric(c.whole for c in choices):,.0f}, "
          f"cheapest {geometric(c.cheapest for c in choices):,.0f}")
    tried = geometric(c.one_after_another(c.disproof) for c in choices)
    print(f"one after another: by the disproof number {tried:,.0f}")
    random = np.random.default_rng(1)
    for names in SETS:
        columns = [NAMES.index(name) for name in names.split()]
        costs = []
        for _ in range(TIMES):
            order = random.permutation(len(choices))
            for part in range(PARTS):
                weights = fit([choices[i] for i in np.delete(order, np.s_[part::PARTS])], columns)
                costs += [choices[i].one_after_another(choices[i].counts[:, columns] @ weights)
                          for i in order[part::PARTS]]
        weights = fit(choices, columns)
        shown = "all"
        if len(columns) < len(NAMES):
            shown = " ".join(f"{NAMES[c]} {w:.3f}" for c, w in zip(columns, weights))
        print(f"  by {shown}: {geometric(costs):,.0f}")


main()
