"""Holds the second checker of the other games' certificates against the program.

    python3 tests/independent/variant_certificates.py CHECKER PROGRAM DIR [SEED COPIES]

CHECKER is variant_checker.cpp, compiled. All certificates of results/variants must be accepted,
with the winner of verdicts.csv and the rules and position that the program says, and there must be
one of each verdict that is proved by a certificate. Of small ones of every game, some written here
from positions in mid-game, damaged copies are judged by both, which must agree; so must they about
random positions of random games with nothing listed. The hash of a damaged copy is computed anew
unless the hash is the damage. DIR is for scratch. SEED is 1 and there are 10 COPIES of each
certificate, unless they are given.

Needs the module `zstandard` and the command b3sum. Exit status 1 if something is wrong.
"""

import csv
import json
import random
import re
import struct
import subprocess
import sys
from collections import Counter
from copy import deepcopy
from pathlib import Path

import zstandard

from board import Board
from certificates import ROOT, Checkers, close, integer

HEADER = struct.Struct("<8s7B8s3B16s16sQ2B")
FRAME = struct.Struct("<cII")
FIELDS = (
    "magic version columns rows step origin shot lengths turns turn claim leaf "
    "squares walls moved number made"
).split()
# Small ones of results/variants, and positions in mid-game: in a turn, after captures, with walls.
SMALL = (
    "134-4x4-4v4 amazons-1,2-4x4-2v2 amazons-1,2-5x3-2v2 killer-4x3-4v4 killer-3x5-2v2 "
    "cowboys-4x4-1v1 cowboys-3x5-2v2 pencil-5x3-1v1 pencil-3x5-4v4 tromazons-3x3-2v2 "
    "tromazons-4x3-1v1 tromazons-1,2-3x4-2v2"
).split()
MIDGAME = [
    ("134", "1q2/3q/Q2Q/1Q*1 b 2+b4"),
    ("134", "1q2/3q/Q*1Q/1Q*1 w 3+a2,d2"),
    ("killer", "q2q/1*2/4/Q1Q1 b"),
    ("killer --turns 1,2", "q2q/1*2/4/Q2Q b 2+a4"),
    ("killer --turns 1,3", "q3/1*2/3*/Q2Q b 2+a4,-"),
    ("cowboys", "1q*q/4/*2Q/1Q2/4 b"),
    ("pencil", "q2q/1**1/4/Q2Q b"),
    ("tromazons", "1q1/3/1Q1 b 1 b1N,a2E"),
    ("tromazons --turns 1,2", "q2/2q/Q1Q b 2+a3 a1N,b2E"),
    ("tromazons --turns 2,3", "2q/q2/Q1Q w 1+a1 b1N,c1N"),
]


def number(data):
    return int.from_bytes(data, "little")


class Certificate:
    """The header's fields, and of each frame the positions: a list of integers each, the last of
    them the move."""

    def __init__(self, data):
        for name, value in zip(FIELDS, HEADER.unpack_from(data)):
            setattr(self, name, number(value) if name in ("squares", "walls") else value)
        at, self.frames = HEADER.size, []
        while data[at : at + 1] == b"F":
            _, positions, length = FRAME.unpack_from(data, at)
            at += FRAME.size + length
            unpacked = zstandard.ZstdDecompressor().decompress(data[at - length : at])
            values = list(integers(unpacked))
            width = 2 + (self.shot == 2) + 3 * (max(self.turns) > 1)
            rows = [values[i : i + width] for i in range(0, len(values), width)]
            for before, row in zip(rows, rows[1:]):
                row[0] += before[0]
            if len(rows) != positions:
                raise ValueError("a frame has another number of positions")
            self.frames.append(rows)

    def header(self):
        numbers = [value & (1 << 128) - 1 for value in (self.squares, self.walls)]
        values = [getattr(self, name) for name in FIELDS]
        at = FIELDS.index("squares")
        values[at : at + 2] = [value.to_bytes(16, "little") for value in numbers]
        return HEADER.pack(*values)

    def unpacked(self, rows, length=0):
        """`length`: the bytes of an integer, at least, where so many are allowed."""
        parts, before = [], 0
        allowed = [19] + [19] * (self.shot == 2) + [10, 2, 2] * (max(self.turns) > 1) + [5]
        for row in rows:
            values = [(row[0] - before) % (1 << 128)] + row[1:]
            before = row[0]
            parts += [integer(v, min(length, most)) for v, most in zip(values, allowed)]
        return b"".join(parts)

    def frame(self, rows, content=None):
        content = self.unpacked(rows) if content is None else content
        packed = zstandard.compress(content)
        return FRAME.pack(b"F", len(rows), len(packed)) + packed

    def write(self, **how):
        frames = [self.frame(rows, self.unpacked(rows, **how)) for rows in self.frames]
        return close(self.header() + b"".join(frames))

    def image(self, row, symmetry):
        """The image of a listed position."""
        board = Board(self.columns, self.rows)
        to = [bit.bit_length() - 1 for bit in board.maps[symmetry]]
        image = list(row)
        image[0] = sum((row[0] >> 2 * s & 3) << 2 * to[s] for s in range(board.squares))
        at = 1
        if self.shot == 2:
            image[1], at = 0, 2
            for side in range(128):
                if row[1] >> side & 1:
                    square = side % 64
                    pair = sorted((to[square], to[square + (1 if side > 63 else self.columns)]))
                    east = pair[0] // self.columns == pair[1] // self.columns
                    image[1] |= 1 << pair[0] + 64 * east
        if max(self.turns) > 1:
            image[at] = board.image(row[at], symmetry)
        return image


def integers(data):
    value = shift = 0
    for byte in data:
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            yield value
            value = shift = 0


def header_damages(certificate):
    """(what, file) for every field of the header: what it may not be, and what it may."""
    squares = certificate.columns * certificate.rows
    free = next(s for s in range(squares) if certificate.squares >> 2 * s & 3 != 1)
    ours = [s for s in range(squares) if certificate.squares >> 2 * s & 3 == 1]
    turns = certificate.turns
    for field, values in dict(
        magic=[b"AMZPROOG"],
        version=[0, 4, 6],
        columns=[0, certificate.columns + 1, 11],
        rows=[0, certificate.rows - 1, 11],
        step=[0, 1, 2, 3, 4],
        origin=[0, 1, 2],
        shot=[0, 1, 2, 3],
        lengths=[0, 1, 2, 3, 8, 9],
        turns=[
            bytes(8), turns[:1] + bytes(7), turns[:7] + b"\0", b"\0" + turns[1:],
            b"\1" * 7 + b"\2", b"\2" * 8, b"\x32" * 8, b"\x33" * 8, turns[:1] + b"\4" * 7,
        ],
        turn=[1 - certificate.turn, 2],
        claim=[1 - certificate.claim, 2],
        leaf=[0, 1, 3, 5, 7, 255],
        squares=[0, certificate.squares ^ 3 << 2 * free, certificate.squares | 1 << 127],
        walls=[
            certificate.walls ^ 1, 1 << squares - 1, 1 << 63, 1 << 64 + certificate.columns - 1,
            1 << 127,
        ],
        moved=[1 << free, *(1 << s for s in ours[:2]), 1 << 63],
        number=[0, 1, 2, 3, 255],
        made=[0, 1, 2, 255],
    ).items():
        for value in values:
            copy = deepcopy(certificate)
            setattr(copy, field, value)
            yield f"{field}", copy.write()
    for lengths, turns in [
        (1, b"\2" * 8), (2, b"\1\1\2\2\2\2\2\2"), (2, b"\1" * 8), (8, b"\1" * 7 + b"\2"),
        (1, b"\x32" * 8), (1, b"\x33" * 8),
    ]:
        copy = deepcopy(certificate)
        copy.lengths, copy.turns = lengths, turns
        yield "lengths and turns", copy.write()
    for moved, made in (ours[:1], 1), (ours[:2], 1), (ours[:1], 2), (ours[:2], 2), ([], 1):
        copy = deepcopy(certificate)
        copy.moved, copy.made = sum(1 << s for s in moved), made
        yield "moved and made", copy.write()


def format_cases(certificate):
    """(what, file, reason), as Checkers.expect takes them: what may be in a file, and what not. The
    certificate is of a game with walls and turns of several moves."""
    header, rows = certificate.header(), certificate.frames[0]
    rest = b"".join(map(certificate.frame, certificate.frames[1:]))
    content = certificate.unpacked(rows)

    def framed(content, count=len(rows), pack=zstandard.compress):
        packed = pack(content)
        return close(header + FRAME.pack(b"F", count, len(packed)) + packed + rest)

    def listed(*new):
        return close(header + certificate.frame([list(row) for row in new]) + rest)

    yield "as it was written", certificate.write(), ""
    yield "integers longer than they need be", certificate.write(length=19), ""
    skipped = b"\x50\x2a\x4d\x18\x02\0\0\0ab" + zstandard.compress(content)
    yield "a part that zstd skips", framed(content, pack=lambda _: skipped), ""
    parts = b"".join(zstandard.compress(part) for part in (content[:9], content[9:]))
    yield "two parts of zstd in a frame", framed(content, pack=lambda _: parts), ""
    single = b"".join(certificate.frame([row]) for row in rows)
    yield "a position a frame", close(header + single + rest), ""
    yield "nothing listed", close(header), "not shown"
    data = certificate.write()
    yield "67 bytes", data[:67], "too few bytes"
    yield "bytes after the hash", data + b"\0", "after the hash"
    yield "another hash", data[:-1] + bytes([data[-1] ^ 1]), "the hash is another"
    yield "another tag", close(header + b"G"), "a tag"
    yield "no position in a frame", framed(b"", 0), "a frame of 0"
    yield "65,537 positions", framed(content, 65537), "a frame of 65537"
    long = framed(content, pack=lambda _: bytes(3750145))
    yield "a long packed part", long, "a frame of 3750145 bytes"
    yield "an unpacked part that is too long", framed(content + bytes(3735552)), "zstd"
    yield "no zstd", framed(content, pack=bytes), "zstd"
    yield "bytes left over", framed(content + b"\0"), "after the last"
    yield "too few bytes in a frame", framed(content, len(rows) + 1), "too few"
    width, bits = len(rows[0]), (128, 128, 64, 8, 8, 33)
    for at, (name, most) in enumerate(zip("squares walls moved turn made move".split(), bits)):
        alone = [integer(value) for value in rows[0]]
        alone[at] = integer(rows[0][at], (most + 6) // 7 + 1)
        yield f"{name} in too many bytes", framed(b"".join(alone), 1), "an integer is longer"
        alone[at] = integer(1 << most)
        yield f"{name} of too many bits", framed(b"".join(alone), 1), "an integer is longer"
    assert width == len(bits)
    first = rows[0]
    squares = certificate.columns * certificate.rows
    east, off = 1 << 64 + certificate.columns - 1, 3 << 2 * squares
    yield "a code twice", listed(*rows[:1], *rows), "do not increase"
    yield "beyond the board", listed(*rows, [rows[-1][0] | off, *first[1:]]), "off the board"
    yield "a wall on the edge", listed([first[0], east, *first[2:]]), "not between two"
    for number, made, reason in [
        (0, 0, "turn number 0"),
        (certificate.lengths + 1, 0, "turn number"),
        (1, certificate.turns[0], "moves are made"),
    ]:
        yield f"turn {number}, {made} made", listed([*first[:3], number, made, first[5]]), reason
    for moved, reason in (1 << squares, "no amazon"), (1 << 63, "no amazon"):
        yield f"moved {moved}", listed([*first[:2], moved, 2, 1, first[5]]), reason
    mirrored = max(certificate.image(first, symmetry) for symmetry in range(4))
    yield "not the canonical image", listed(mirrored), "canonical"
    yield "no such move", listed([*first[:5], 1000], *rows[1:]), r"move 999 of \d+"


def damaged(certificate, chance):
    """(what, file) of one damage by chance. What is packed is changed before it is packed: versions
    of zstd differ about a packed part that is against its format."""
    copy = deepcopy(certificate)
    data = copy.write()
    kind = chance.choice(
        "byte head content removed move outcome numbers twice image order frames longer added "
        "cut header".split()
    )
    if kind == "byte":
        at = chance.randrange(len(data))
        return kind, data[:at] + bytes([data[at] ^ 1 << chance.randrange(8)]) + data[at + 1 :]
    if kind == "head":
        at = chance.randrange(HEADER.size + FRAME.size)
        bit = 1 << chance.randrange(8)
        return kind, close(data[:at] + bytes([data[at] ^ bit]) + data[at + 1 : -33])
    if kind == "header":
        header = bytearray(copy.header())
        header[chance.randrange(9, len(header))] = chance.choice((0, 1, 2, 3, 4, 5, 7, 128, 255))
        return kind, close(bytes(header) + b"".join(map(copy.frame, copy.frames)))
    if kind == "cut":
        return kind, close(data[: chance.randrange(HEADER.size, len(data) - 33)])
    if not copy.frames:
        return "nothing listed", data
    rows = chance.choice(copy.frames)
    row = chance.choice(rows)
    if kind == "content":
        content = bytearray(copy.unpacked(rows))
        content[chance.randrange(len(content))] ^= 1 << chance.randrange(8)
        new = copy.frame(rows, bytes(content))
        frames = [new if other is rows else copy.frame(other) for other in copy.frames]
        return kind, close(copy.header() + b"".join(frames))
    if kind == "removed":
        rows.remove(row)
        copy.frames = [rows for rows in copy.frames if rows]
    elif kind == "move":
        row[-1] = max(1, row[-1] + chance.choice((-3, -1, 1, 2, 1000)))
    elif kind == "outcome":
        row[-1] = 0 if row[-1] else 1
    elif kind == "numbers":
        at = chance.randrange(len(row) - 1)
        row[at] = max(0, row[at] + chance.choice((-1, 1, 1 << chance.randrange(70))))
        rows.sort()
    elif kind == "twice":
        rows.insert(rows.index(row), list(row))
    elif kind == "image":
        symmetry = chance.randrange(1, 8 if copy.columns == copy.rows else 4)
        rows[rows.index(row)] = copy.image(row, symmetry)
        rows.sort()
    elif kind == "order":
        chance.shuffle(rows)
    elif kind == "frames":
        at, cut = copy.frames.index(rows), chance.randrange(len(rows) + 1)
        copy.frames[at : at + 1] = [rows[:cut], rows[cut:]] if chance.random() < 0.7 else [[], rows]
        if chance.random() < 0.7:
            copy.frames = [rows for rows in copy.frames if rows]
    elif kind == "longer":
        return kind, copy.write(length=chance.randint(2, 19))
    elif kind == "added":
        new = list(row)
        for _ in range(chance.randint(1, 3)):
            new[0] ^= chance.randint(1, 3) << 2 * chance.randrange(copy.columns * copy.rows)
        new[-1] = chance.choice((0, 0, 1, 2))
        rows.append(min(copy.image(new, s) for s in range(8 if copy.columns == copy.rows else 4)))
        rows.sort()
    return kind, copy.write()


def random_game(chance):
    """A certificate of a random position of a random game with nothing listed."""
    columns, rows = chance.choice(
        [(3, 3), (4, 2), (2, 4), (4, 3), (3, 4), (1, 5), (5, 1), (4, 4), (8, 8), (10, 6)]
    )
    copy = Certificate.__new__(Certificate)
    copy.magic, copy.version, copy.columns, copy.rows = b"AMZPROOF", 5, columns, rows
    copy.frames = []
    copy.step, copy.origin = chance.randint(0, 3), chance.randint(0, 1)
    copy.shot = chance.randint(0, 2)
    lengths = chance.choice(([1], [1], [2], [1, 2], [1, 3, 4], [2, 1]))
    copy.lengths, copy.turns = len(lengths), bytes((lengths + [lengths[-1]] * 8)[:8])
    copy.turn, copy.claim, copy.leaf = chance.randint(0, 1), chance.randint(0, 1), 6
    squares = list(range(columns * rows))
    chance.shuffle(squares)
    takes = copy.step == 1 and copy.shot != 2
    amazons = chance.randint(1, 4 if takes else 5)
    free = chance.randint(1, 6 - amazons if takes else 6)
    contents = [chance.choice((1, 1, 2)) for _ in range(amazons)] + [0] * free
    if copy.shot == 2:
        contents += [0] * chance.randint(0, len(squares))
    contents = (contents + [3] * len(squares))[: len(squares)]
    copy.squares = sum(content << 2 * s for s, content in zip(squares, contents))
    copy.walls = copy.moved = copy.made = 0
    copy.number = chance.randint(1, copy.lengths)
    if copy.shot == 2:
        sides = [s for s in range(columns * (rows - 1))]
        sides += [64 + s for s in range(columns * rows) if (s + 1) % columns]
        chance.shuffle(sides)
        copy.walls = sum(1 << side for side in sides[chance.randint(1, 6) :])
    copy.made = chance.randrange(copy.turns[copy.number - 1])
    ours = [s for s, content in zip(squares, contents) if content == 1]
    moved = copy.made if copy.step != 1 else chance.randint(0, copy.made)
    copy.moved = sum(1 << s for s in ours[:moved])
    return copy


def judged_as_they_are(checker, program):
    """Holds all of results/variants to verdicts.csv and to what the program says of them."""
    folder = ROOT / "results/variants"
    winners = {}
    for row in csv.DictReader((folder / "verdicts.csv").read_text().splitlines()):
        name = "-".join(filter(None, [row["rules"], row["turns"], row["board"], row["amazons"]]))
        if row["proved_by"] == "certificate":
            winners[name] = row["winner"]
    files = sorted((folder / "proofs").glob("*.proof"))
    wrong = len(winners.keys() ^ {file.stem for file in files})
    run = subprocess.run([checker, *files], capture_output=True, text=True)
    print(run.stderr, end="")
    ours = run.stdout.splitlines()
    wrong += run.returncode != 0 or len(ours) != len(files)
    listed = 0
    for file, our in zip(files, ours):
        run = subprocess.run([program, "verify", "--json", "--quiet", file], capture_output=True)
        theirs = json.loads(run.stdout)
        rules, position, winner, positions = re.fullmatch(
            r"(.*?): (.*?): (\w+) wins; positions (\d+)", our
        ).groups()
        said = [theirs[key] for key in ("rules", "position", "winner", "checked")]
        listed += int(positions)
        if [rules, position, winner, int(positions)] != said or winner != winners.get(file.stem):
            wrong += 1
            print(f"{file.stem}: checker {our}; program {said}; verdict {winners.get(file.stem)}")
    print(f"{len(files)} certificates of results/variants, {listed} positions; {wrong} wrong")
    return wrong


def same_parts(checker, program, scratch, number=3):
    """Holds the parts of a certificate to the whole and to the program's parts, also where one
    position has a move that it does not have: one part is refused, the same one by both."""
    stored = (ROOT / "results/variants/proofs/cowboys-4x6-1v1.proof").read_bytes()
    certificate = Certificate(stored)
    rows = certificate.frames[0]
    at = next(at for at, row in enumerate(rows) if at > len(rows) // 2 and row[-1])
    rows[at] = rows[at][:-1] + [rows[at][-1] + 1000]
    file, wrong = Path(scratch) / "parts.proof", 0
    for data, is_whole in (stored, True), (certificate.write(), False):
        file.write_bytes(data)
        held, positions, all_positions = [], 0, None
        for k in range(1, number + 1):
            part = f"{k}/{number}"
            ours = subprocess.run(
                [checker, "--part", part, file], capture_output=True, text=True
            )
            theirs = subprocess.run(
                [program, "verify", file, "--part", part, "--json"], capture_output=True, text=True
            )
            held.append(ours.returncode == 0)
            wrong += ours.returncode != theirs.returncode
            if ours.returncode == 0:
                said = re.search(r"positions (\d+) of (\d+)", ours.stdout)
                positions, all_positions = positions + int(said[1]), int(said[2])
                told = json.loads(theirs.stdout)
                wrong += told["checked"] != int(said[1]) or told["hash"] not in ours.stdout
        wrong += held.count(False) != (0 if is_whole else 1)
        wrong += is_whole and positions != all_positions
        print(f"{number} parts: {held}, {positions} positions of those that hold")
    for part in "0/2", "3/2", "1/", "/2", "1/2/3", "-1/2", "1/1000000000":
        wrong += subprocess.run([checker, "--part", part, file], capture_output=True).returncode != 2
    return wrong


def main(checker, program, scratch, seed=1, copies=10):
    print("== certificates of the other games")
    wrong = judged_as_they_are(checker, program)
    wrong += same_parts(checker, program, scratch)
    checkers = Checkers(checker, [], program, scratch)

    def stored(name):
        return Certificate((ROOT / f"results/variants/proofs/{name}.proof").read_bytes())

    certificates = [stored(name) for name in SMALL]
    for rules, position in MIDGAME:
        file = Path(scratch) / "midgame.proof"
        command = [program, "solve", position, "--certificate", file, "--rules", *rules.split()]
        subprocess.run(command, check=True, capture_output=True)
        data = file.read_bytes()
        certificates.append(Certificate(data))
        said = checkers.judge(data)[1]
        wrong += not said.startswith(f"{rules}: {position}: ")
        print(said)

    print("== copies of a certificate of Tromazons, damaged and written in other ways")
    for case in format_cases(stored("tromazons-1,2-3x4-2v2")):
        checkers.expect(*case)
    large = stored("cowboys-4x6-1v1")
    checkers.expect("a frame of more than 1.5 MB", large.write(length=19), "")

    print("== copies of all, damaged by chance")
    chance = random.Random(int(seed))
    counts = Counter()
    for certificate in certificates:
        for kind, data in chance.sample(list(header_damages(certificate)), int(copies) // 2):
            counts[kind, checkers.judge(data)[0]] += 1
        for _ in range(int(copies)):
            kind, data = damaged(certificate, chance)
            counts[kind, checkers.judge(data)[0]] += 1
    print("== random positions with nothing listed")
    for _ in range(8 * int(copies)):
        game = random_game(chance)
        counts[f"claim {game.claim}", checkers.judge(game.write())[0]] += 1
    for kind in sorted({kind for kind, _ in counts}):
        print(f"{kind}: {counts[kind, True]} hold, {counts[kind, False]} are refused")
    for kind in "claim 0", "claim 1", "added", "move":
        if not counts[kind, True] or not counts[kind, False]:
            wrong += 1
            print(f"{kind}: one verdict is missing, so little is compared")
    wrong += checkers.wrong
    print(f"{sum(counts.values())} judged, {wrong} wrong")
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
