#!/usr/bin/env python3
"""What solved endgames say, as tables.

    report.py games.txt positions.tsv solved.tsv

1. by empty squares of contested parts: how many positions, and the share that one thread solves in
   a second and in the time that was given;
2. from which move on every position of a game is solved;
3. where the engine's move threw a win away: a position that is won before it and lost after it.
"""

import statistics
import sys


def main():
    games = [len(line.split()) for line in open(sys.argv[1])]
    positions = [line.rstrip("\n").split("\t") for line in open(sys.argv[2])]
    solved = {}
    for line in open(sys.argv[3]):
        game, made, empty, live, parts, value, nodes, seconds = line.split("\t")
        solved[int(game), int(made)] = value, int(nodes), float(seconds)
    tried = {game for game, _ in solved}
    late = [(int(c[0]), int(c[1]), int(c[2]), int(c[4])) for c in positions if int(c[0]) in tried]

    print(f"{len(tried)} games, {len(late)} late positions, {len(solved)} tried\n")
    print("| empty squares in contested parts | positions | in 1 s | in 10 s | median positions evaluated |")
    print("|---|---|---|---|---|")
    groups = {}
    for game, made, empty, _ in late:
        groups.setdefault((empty + 3) // 4, []).append(solved.get((game, made)))
    for group in sorted(groups):
        found = groups[group]
        known = [one for one in found if one and one[0] != "unknown"]
        soon = sum(one[2] <= 1 for one in known)
        share = lambda count: f"{100 * count / len(found):.0f} %"
        # What is not solved takes more than anything that is.
        order = sorted(one[1] for one in known) + [None] * (len(found) - len(known))
        middle = order[(len(order) - 1) // 2]
        name = "0" if group == 0 else f"{4 * group - 3} to {4 * group}"
        median = "-" if middle is None else f"{middle:,}"
        print(f"| {name} | {len(found)} | {share(soon)} | {share(len(known))} | {median} |")

    first, lengths = [], []
    for game in sorted(tried):
        made = [m for g, m, _, _ in late if g == game]
        exact = max(made) + 1
        while (game, exact - 1) in solved and solved[game, exact - 1][0] != "unknown":
            exact -= 1
        first.append(exact)
        lengths.append(games[game - 1] - exact)
    print(f"\nexact from the position after move: least {min(first)}, median "
          f"{statistics.median(first):.0f}, most {max(first)}; moves left then: median "
          f"{statistics.median(lengths):.0f}")
    print("by game:", *first)

    thrown, pairs = [], 0
    for (game, made), (value, _, _) in sorted(solved.items()):
        after = solved.get((game, made + 1))
        if after is None or "unknown" in (value, after[0]):
            continue
        pairs += value == "win"
        if value == "win" and after[0] == "win":
            thrown.append((game, made + 1))
    print(f"\nmoves in won positions: {pairs}, of which threw the win away: {len(thrown)}")
    print("game and number of the move:", *(f"{game}:{number}" for game, number in thrown))


main()
