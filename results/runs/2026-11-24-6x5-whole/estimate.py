"""What a board's first moves will take, from those that are settled.

Moves are searched in turn, so each that is open has had about as much as any other: at every line
of a log the nodes since the line before are divided among the moves open by then. A move and its
mirror image are one. The cost of a move is taken to be log-normal; the fit is a straight line
through the share of settled moves (as a normal quantile) over the logarithm of that effort.

usage: estimate.py NAME FIRST_MOVES ROWS.csv [SHARE]
ROWS.csv has lines "million nodes,moves settled"; only lines with at most SHARE settled are used.
"""

import csv
import math
import sys
from statistics import NormalDist, linear_regression

NORMAL = NormalDist()


def main():
    name, moves = sys.argv[1], int(sys.argv[2])
    share = float(sys.argv[4]) if len(sys.argv) > 4 else 1.0
    with open(sys.argv[3]) as file:
        rows = [(float(nodes), int(settled)) for nodes, settled in csv.reader(file)]
    effort, before, settled_before = 0.0, 0.0, 0
    points = []
    for nodes, settled in rows:
        effort += (nodes - before) / ((moves - settled_before) / 2)
        before, settled_before = nodes, settled
        if 0 < settled < moves and settled / moves <= share:
            points.append((math.log(effort), NORMAL.inv_cdf(settled / moves), nodes, settled))
    slope, intercept = linear_regression([p[0] for p in points], [p[1] for p in points])
    sigma, mu = 1 / slope, -intercept / slope
    quantile = lambda part: math.exp(mu + sigma * NORMAL.inv_cdf(part))
    nodes, settled = points[-1][2:]
    pairs = (moves - settled) / 2
    # The mean of those that are dearer than what each has had.
    reached = math.exp(points[-1][0])
    z = (math.log(reached) - mu) / sigma
    mean = math.exp(mu + sigma * sigma / 2) * NORMAL.cdf(sigma - z) / (1 - NORMAL.cdf(z))
    rest = pairs * (mean - reached)
    print(f"{name}: {settled} of {moves} after {nodes:,.0f} million; {len(points)} points")
    print("  a move and its mirror image, million nodes: "
          + ", ".join(f"{part:.0%} {quantile(part):,.0f}" for part in (0.1, 0.25, 0.5, 0.75, 0.9)))
    print(f"  all moves: {nodes + rest:,.0f} million")


main()
