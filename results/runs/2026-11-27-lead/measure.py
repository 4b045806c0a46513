#!/usr/bin/env python3
"""How good the engine's lead is as an estimate of the margin, on random positions.

    measure.py PROGRAM DIRECTORY POSITIONS [COLUMNS ROWS AMAZONS FEWEST MOST]

The board, the amazons of a side, and the fewest and the most arrows are those of 5x5 2v2 if nothing
is said: 5 5 2 6 16. For each number of arrows that many random positions get their threshold by search, and the engine's
lead one move and three moves deep. Positions that the engine knows to be decided have no lead and
are left out. Writes positions.csv, correlation.csv and correlation.svg.
"""

import csv
import json
import os
import random
import subprocess
import sys

COLUMNS, ROWS, AMAZONS, FEWEST, MOST = map(int, sys.argv[4:] or (5, 5, 2, 6, 16))
DEPTHS = (1, 3)
ARROWS = range(FEWEST, MOST + 1)


def fen(random_source, arrows):
    squares = list(range(COLUMNS * ROWS))
    random_source.shuffle(squares)
    pieces = "Q" * AMAZONS + "q" * AMAZONS + "*" * arrows
    board = dict(zip(squares, pieces))
    rows = []
    for rank in range(ROWS):
        row, empty = "", 0
        for file in range(COLUMNS):
            piece = board.get(rank * COLUMNS + file)
            if piece is None:
                empty += 1
            else:
                row += (str(empty) if empty else "") + piece
                empty = 0
        rows.append(row + (str(empty) if empty else ""))
    return "/".join(rows) + random_source.choice([" w", " b"])


def thresholds(program, positions):
    command = [program, "solve", "-", "--margin", "--threads", "1", "--memory", "1GiB", "--time", "10s"]
    run = subprocess.run(command, input="\n".join(positions), stdout=subprocess.PIPE, text=True, check=False)
    answers = [json.loads(line) for line in run.stdout.splitlines()]
    assert len(answers) == len(positions)
    return [answer["threshold"] for answer in answers]


class Engine:
    def __init__(self, program):
        pipe = subprocess.PIPE
        self.process = subprocess.Popen([program, "uci", "--threads", "1"], stdin=pipe, stdout=pipe, text=True)

    def say(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def lead(self, position, depth):
        """Hundredths of a square for the side to move; None where the engine knows who wins."""
        self.say("ucinewgame")
        self.say(f"position fen {position}")
        self.say(f"go depth {depth}")
        lead, by_search = None, False
        for line in self.process.stdout:
            words = line.split()
            if "score" in words and words[words.index("score") + 1] == "cp":
                lead = int(words[words.index("score") + 2])
            if line.startswith("info string by"):
                by_search = line.startswith("info string by search")
            if line.startswith("info string error"):
                raise RuntimeError(line)
            if line.startswith("bestmove"):
                return lead if by_search and abs(lead) < 10000 else None


def correlation(pairs):
    count = len(pairs)
    means = [sum(values) / count for values in zip(*pairs)]
    both = sum((a - means[0]) * (b - means[1]) for a, b in pairs)
    spread = [sum((value - mean) ** 2 for value in values) for values, mean in zip(zip(*pairs), means)]
    return both / (spread[0] * spread[1]) ** 0.5 if all(spread) else 0.0


def slope(pairs):
    """By how many spare moves a square of lead is worth, by least squares, and what is left over."""
    count = len(pairs)
    mean_lead, mean_margin = (sum(values) / count for values in zip(*pairs))
    spread = sum((lead - mean_lead) ** 2 for lead, _ in pairs)
    by = sum((lead - mean_lead) * (margin - mean_margin) for lead, margin in pairs) / spread
    rest = sum((margin - mean_margin - by * (lead - mean_lead)) ** 2 for lead, margin in pairs)
    return by, (rest / count) ** 0.5


def picture(lines):
    width, height, left, bottom = 640, 360, 60, 50
    across = lambda arrows: left + 20 + (width - left - 60) * (arrows - min(ARROWS)) / (max(ARROWS) - min(ARROWS))
    up = lambda value: height - bottom - (height - bottom - 20) * value
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="13">']
    parts.append(f'<rect width="{width}" height="{height}" fill="white"/>')
    for tenth in range(0, 11, 2):
        y = up(tenth / 10)
        parts.append(f'<line x1="{left}" x2="{width - 20}" y1="{y:.1f}" y2="{y:.1f}" stroke="#ddd"/>')
        parts.append(f'<text x="{left - 8}" y="{y + 4:.1f}" text-anchor="end">{tenth / 10}</text>')
    for arrows in ARROWS:
        parts.append(f'<text x="{across(arrows):.1f}" y="{height - bottom + 18}" text-anchor="middle">{arrows}</text>')
    parts.append(f'<text x="{width / 2}" y="{height - 12}" text-anchor="middle">arrows</text>')
    parts.append(f'<text x="16" y="14">correlation of lead and margin, random positions of {COLUMNS}x{ROWS} {AMAZONS}v{AMAZONS}</text>')
    for (depth, points), colour in zip(lines.items(), ("#1b6ca8", "#c0392b")):
        way = " ".join(f"{across(arrows):.1f},{up(value):.1f}" for arrows, value in points)
        parts.append(f'<polyline points="{way}" fill="none" stroke="{colour}" stroke-width="2"/>')
        arrows, value = points[-1]
        offset = -8 if depth == DEPTHS[-1] else 18
        parts.append(f'<text x="{across(arrows):.1f}" y="{up(value) + offset:.1f}" text-anchor="end" fill="{colour}">{depth} deep</text>')
    return "\n".join(parts + ["</svg>"]) + "\n"


def main(program, directory, count):
    source, engine = random.Random(1), Engine(program)
    rows, table, lines = [], [], {depth: [] for depth in DEPTHS}
    for arrows in ARROWS:
        positions = [fen(source, arrows) for _ in range(int(count))]
        for position, threshold in zip(positions, thresholds(program, positions)):
            leads = [engine.lead(position, depth) for depth in DEPTHS]
            rows.append([arrows, position, threshold, *("" if lead is None else lead for lead in leads)])
        for column, depth in enumerate(DEPTHS, 3):
            here = [row for row in rows if row[0] == arrows and row[column] != "" and row[2] is not None]
            # By how much the side to move is ahead: half a move to begin is between won and lost.
            pairs = [(row[column] / 100, 0.5 - row[2]) for row in here]
            if len(pairs) < 20:
                continue
            right = sum((lead > 0) == (margin > 0) for lead, margin in pairs) / len(pairs)
            by, rest = slope(pairs)
            found = correlation(pairs)
            table.append([arrows, depth, len(pairs), round(found, 3), round(by, 2), round(rest, 2), round(right, 3)])
            lines[depth].append((arrows, found))
            print(*table[-1], flush=True)
    engine.say("quit")
    for name, header, content in (
        ("positions.csv", ["arrows", "position", "threshold", *(f"lead_{depth}" for depth in DEPTHS)], rows),
        ("correlation.csv", ["arrows", "depth", "positions", "correlation", "moves_per_square", "left_over", "winner_right"], table),
    ):
        with open(os.path.join(directory, name), "w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(header)
            writer.writerows(content)
    with open(os.path.join(directory, "correlation.svg"), "w", encoding="utf-8") as file:
        file.write(picture(lines))


if __name__ == "__main__":
    main(*sys.argv[1:4])
