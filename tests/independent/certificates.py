"""Holds the second checker of certificates against the program, on files that hold and that do not.

    python3 tests/independent/certificates.py CHECKER PROGRAM DIR [SHARE]

CHECKER is certificate_checker.cpp, compiled. SHARE is how many times as many damaged and random
files as the fewest (1) are judged; from 2 on 5x6 and damaged copies of it, too. Each file is judged
by both, which must agree. There are the certificates of results/proofs, some that the program
writes here, damaged copies of them, and random positions with nothing listed, which hold if leaves
and the wall rule cover enough. The hash of a damaged copy is computed anew unless the hash is the
damage, so that the check of the proof itself has to find it. DIR is for scratch.

Needs the module `zstandard` and the command b3sum. Exit status 1 if something is wrong.
"""

import csv
import json
import os
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

ROOT = Path(__file__).parents[2]
HEADER = struct.Struct("<8s6B3Q")
FRAME = struct.Struct("<cBII")
LARGE_HEADER = struct.Struct("<8s7B16s16s16s")
FIELDS = "magic version columns rows turn claim leaf mover opponent arrows".split()


def integer(value, length=0):
    """A variable-length integer, of at least some bytes."""
    found = bytearray()
    while value > 127 or len(found) + 1 < length:
        found.append(value & 127 | 128)
        value >>= 7
    return bytes(found) + bytes([value])


def blake3(data):
    run = subprocess.run(["b3sum", "--no-names"], input=data, capture_output=True, check=True)
    return bytes.fromhex(run.stdout.decode().strip())


def image(code, board, symmetry):
    """The code of the image of a position."""
    return sum(
        (code >> 2 * square & 3) << 2 * (board.maps[symmetry][square].bit_length() - 1)
        for square in range(board.squares)
    )


class Certificate:
    """The header's fields, and of each frame the number of arrows, codes and moves."""

    def __init__(self, data):
        at, self.frames = self.read_header(data), []
        while data[at : at + 1] == b"F":
            _, arrows, positions, length = FRAME.unpack_from(data, at)
            at += FRAME.size + length
            unpacked = zstandard.ZstdDecompressor().decompress(data[at - length : at])
            self.frames.append((arrows, self.positions(unpacked)))
            if len(self.frames[-1][1]) != positions:
                raise ValueError("a frame has another number of positions")

    def read_header(self, data):
        """Its length."""
        for name, value in zip(FIELDS, HEADER.unpack_from(data)):
            setattr(self, name, value)
        return HEADER.size

    @staticmethod
    def positions(unpacked):
        found, values, value, shift = [], [], 0, 0
        for byte in unpacked:
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                values.append(value)
                value = shift = 0
        code = 0
        for more, move in zip(values[::2], values[1::2]):
            code += more
            found.append([code, move])
        return found

    def header(self):
        return HEADER.pack(*(getattr(self, name) for name in FIELDS))

    def frame(self, arrows, positions, length=0, after=b"", number=None, pack=zstandard.compress):
        parts, code = [], 0
        for new, move in positions:
            parts += [integer((new - code) % (1 << 128), length), integer(move, min(length, 5))]
            code = new
        packed = pack(b"".join(parts) + after)
        number = len(positions) if number is None else number
        return FRAME.pack(b"F", arrows, number, len(packed)) + packed

    def write(self, **how):
        body = self.header() + b"".join(self.frame(*frame, **how) for frame in self.frames)
        return close(body)


class LargeCertificate(Certificate):
    """The same of a board of more than 64 squares."""

    def read_header(self, data):
        fields = LARGE_HEADER.unpack_from(data)
        names = [*FIELDS[:7], "walls", *FIELDS[7:]]
        for name, value in zip(names, fields):
            is_set = isinstance(value, bytes) and name != "magic"
            setattr(self, name, int.from_bytes(value, "little") if is_set else value)
        return LARGE_HEADER.size

    def header(self):
        return large_header(
            *(getattr(self, name) for name in [*FIELDS[2:7], "walls", *FIELDS[7:]]),
            version=self.version,
        )


def large_header(*fields, version=6):
    """From the columns on."""
    *numbers, mover, opponent, arrows = fields
    sets = [squares.to_bytes(16, "little") for squares in (mover, opponent, arrows)]
    return LARGE_HEADER.pack(b"AMZPROOF", version, *numbers, *sets)


def close(body):
    """With tag and hash."""
    return body + b"E" + blake3(body)


class Checkers:
    """Judges files by both; the words of the checker stand behind the file."""

    def __init__(self, checker, words, program, scratch):
        self.commands = [[checker], words], [[program, "verify", "--quiet"], []]
        self.file = Path(scratch) / "judged.proof"
        self.wrong = 0

    def judge(self, data):
        """Whether both accept a file, and what they say; None if they differ or fail."""
        self.file.write_bytes(data)
        runs = [
            subprocess.run([*before, self.file, *after], capture_output=True, text=True)
            for before, after in self.commands
        ]
        said = [(run.stderr or run.stdout).strip() for run in runs]
        statuses = [run.returncode for run in runs]
        if statuses not in ([0, 0], [1, 1]):
            self.wrong += 1
            kept = self.file.with_name(f"wrong-{self.wrong}.proof")
            kept.write_bytes(data)
            print(f"statuses {statuses}: {kept}\n  checker: {said[0]}\n  program: {said[1]}")
            return None, said[0]
        return statuses[0] == 0, said[0]

    def expect(self, name, data, reason):
        """`reason`: a pattern for what the checker says of a file it refuses; "" if it holds."""
        holds, said = self.judge(data)
        if holds is None:
            return
        if holds != (reason == "") or not re.search(reason, said):
            self.wrong += 1
            print(f"{name}: {said!r}, expected {reason or 'to hold'!r}")
        else:
            print(f"{name}: {said}", flush=True)


def changed(certificate, **fields):
    copy = deepcopy(certificate)
    for name, value in fields.items():
        setattr(copy, name, value)
    return copy.write()


def with_positions(certificate, change, frame=0):
    """A copy in which a function has changed the list of positions of a frame."""
    copy = deepcopy(certificate)
    change(copy.frames[frame][1])
    copy.frames = [part for part in copy.frames if part[1]]
    return copy.write()


def main_damages(certificate, frames):
    """(what, file, reason): what every certificate must be refused for; positions of some frames
    are removed."""
    data = certificate.write()
    for part in 2, 3:
        yield f"cut off at 1/{part}", data[: len(data) // part], "too few bytes"
    yield "cut off by a byte", data[:-1], "too few bytes"
    yield "a flipped bit in the hash", data[:-1] + bytes([data[-1] ^ 16]), "the hash is another"
    at = len(data) // 2
    yield "a flipped bit, hash as it was", data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :], "."
    for frame in frames:
        last = len(certificate.frames[frame][1]) - 1
        for place in sorted({0, last // 2, last}):
            where = f"position {place} of frame {frame}"
            removed = with_positions(certificate, lambda list: list.pop(place), frame)
            yield f"{where} removed", removed, "not covered"

            def move(list, by):
                list[place][1] += by

            yield f"{where}, no such move", with_positions(
                certificate, lambda list: move(list, 100000), frame
            ), r"move 1\d* of \d+"
    moves = certificate.frames[0][1]
    other = -1 if moves[0][1] else 1

    def another(list):
        list[0][1] += other

    yield "another move", with_positions(certificate, another), "not covered"
    yield "the other side as winner", changed(certificate, claim=1 - certificate.claim), "not cov"
    lowest = certificate.mover & -certificate.mover
    squares = (1 << certificate.columns * certificate.rows) - 1
    empty = squares & ~(certificate.mover | certificate.opponent | certificate.arrows)
    start = certificate.mover ^ lowest | empty & -empty
    yield "another start", changed(certificate, mover=start), "not covered"
    for leaf in 0, 9:
        yield f"leaves of {leaf}", changed(certificate, leaf=leaf), "not covered"
    yield "without the wall rule", changed(certificate, version=1), "not covered"


def format_cases(certificate):
    """(what, file, reason): one for each line of the list of what is refused, and what is not."""
    yield "as it was written", certificate.write(), ""
    yield "the other colour to move", changed(certificate, turn=1 - certificate.turn), ""
    yield "version 3", changed(certificate, version=3), ""
    yield "leaves of 12", changed(certificate, leaf=12), ""
    yield "integers longer than they need be", certificate.write(length=19), ""
    half = lambda data: zstandard.compress(data[:1]) + zstandard.compress(data[1:])
    yield "two parts of zstd in a frame", certificate.write(pack=half), ""
    skipped = lambda data: b"\x50\x2a\x4d\x18\x02\0\0\0ab" + zstandard.compress(data)
    yield "a part that zstd skips", certificate.write(pack=skipped), ""
    single = deepcopy(certificate)
    single.frames = [(arrows, [one]) for arrows, list in single.frames for one in list]
    yield "a position a frame", single.write(), ""

    for field, value, reason in [
        ("magic", b"AMZPROOG", "magic"),
        ("version", 0, "version"),
        ("version", 2, "version"),
        ("version", 5, "version"),
        ("columns", 0, "no board"),
        ("rows", 21, "no board"),
        ("turn", 2, "turn"),
        ("claim", 2, "claim"),
        ("leaf", 13, "leaf"),
        ("mover", certificate.mover | 1 << 63, "off the board"),
        ("arrows", certificate.mover, "two things"),
        ("opponent", certificate.mover, "two things"),
    ]:
        yield f"{field} {value}", changed(certificate, **{field: value}), reason
    empty = deepcopy(certificate)
    empty.mover = empty.opponent = 0
    yield "no amazon", empty.write(), "no amazon"
    data = certificate.write()
    yield "37 bytes", data[:37], "too few bytes"
    yield "bytes after the hash", data + b"\0", "after the hash"
    header = certificate.header()
    yield "another tag", close(header + b"G"), "a tag"
    yield "no position in a frame", close(header + certificate.frame(1, [])), "a frame of 0"
    yield "65,537 positions", close(
        header + certificate.frame(1, [[1, 0]], number=65537)
    ), "a frame of 65537"
    yield "a long packed part", close(
        header + FRAME.pack(b"F", 1, 1, 1447425) + bytes(1447425)
    ), "a frame of 1447425 bytes"
    yield "an unpacked part that is too long", certificate.write(after=bytes(1441792)), "zstd"
    yield "no zstd", certificate.write(pack=lambda data: data), "zstd"
    yield "bytes left over", certificate.write(after=b"\0"), "after the last"
    arrows, first = certificate.frames[0]
    more = certificate.frame(arrows, first, number=len(first) + 1)
    yield "too few bytes in a frame", close(header + more), "too few"
    twenty = bytes([128] * 19 + [0, 0])
    for what, content in [
        ("an integer of 20 bytes", twenty),
        ("an integer of 129 bits", integer(1 << 128) + b"\0"),
        ("a number of a move of 6 bytes", b"\1" + integer(0, 6)),
        ("a number of a move of 33 bits", b"\1" + integer(1 << 32)),
    ]:
        frame = certificate.frame(1, [], after=content, number=1)
        yield what, close(header + frame), "an integer is longer"
    passes = certificate.frame(64, [[(1 << 128) - 1, 0], [1 << 128, 0]])
    large = HEADER.pack(b"AMZPROOF", 4, 8, 8, 0, 1, 0, 1, 2, 0)
    yield "a code of more than 128 bits", close(large + passes), "128 bits"
    back = deepcopy(certificate)
    back.frames.reverse()
    yield "fewer arrows later", back.write(), "fewer arrows"
    long = max(range(len(certificate.frames)), key=lambda i: len(certificate.frames[i][1]))
    twice = with_positions(certificate, lambda list: list.insert(0, list[0]), long)
    yield "a code twice", twice, "do not increase"
    again = deepcopy(certificate)
    arrows, list = again.frames[long]
    again.frames[long : long + 1] = [(arrows, list[1:]), (arrows, list[:1])]
    yield "a smaller code in the next frame", again.write(), "do not increase"
    board = Board(certificate.columns, certificate.rows)

    def mirror(list):
        list[0][0] = max(image(list[0][0], board, symmetry) for symmetry in range(4))
        list.sort()

    yield "not the canonical image", with_positions(certificate, mirror, long), "canonical"
    beyond = lambda list: list.append([list[-1][0] | 3 << 2 * board.squares, 0])
    yield "a code beyond the board", with_positions(certificate, beyond, long), "beyond the board"
    moved = deepcopy(certificate)
    moved.frames[long] = (certificate.frames[long][0] + 1, certificate.frames[long][1])
    moved.frames.sort(key=lambda frame: frame[0])
    yield "another number of arrows", moved.write(), "not \\d* arrows|fewer arrows|increase"
    full = (1 << 2 * board.squares) - 1
    stuck = deepcopy(certificate)
    stuck.frames.append((board.squares, [[full, 0]]))
    yield "a full board listed", stuck.write(), "move 0 of 0"


def flipped(certificate, chance):
    """One bit of what is packed in one frame is another."""
    frames = [certificate.frame(*frame, pack=bytes) for frame in certificate.frames]
    at = chance.randrange(len(frames))
    content = bytearray(frames[at][FRAME.size :])
    bit = chance.randrange(8 * len(content))
    content[bit // 8] ^= 1 << bit % 8
    packed = zstandard.compress(bytes(content))
    arrows, positions = certificate.frames[at]
    frames = [certificate.frame(*frame) for frame in certificate.frames]
    frames[at] = FRAME.pack(b"F", arrows, len(positions), len(packed)) + packed
    return close(certificate.header() + b"".join(frames))


def random_start(chance):
    """A certificate of a random position with nothing listed."""
    while True:
        columns, rows = chance.randint(1, 10), chance.randint(1, 10)
        if columns * rows > 64:
            continue
        squares = list(range(columns * rows))
        chance.shuffle(squares)
        sides = chance.randint(0, 4), chance.randint(0, 4)
        free = chance.randint(0, 16)
        if 0 < sum(sides) <= len(squares) - free:
            break
    mover = sum(1 << squares.pop() for _ in range(sides[0]))
    opponent = sum(1 << squares.pop() for _ in range(sides[1]))
    arrows = sum(1 << square for square in squares[free:])
    version, claim, leaf = chance.choice((1, 4)), chance.randint(0, 1), chance.choice((0, 0, 4, 8))
    return version, claim, close(
        HEADER.pack(b"AMZPROOF", version, columns, rows, 0, claim, leaf, mover, opponent, arrows)
    )


def random_large_start(chance):
    """A certificate of a random position of a large board with nothing listed: parts of it are
    empty, and some of them have amazons."""
    columns, rows = chance.choice([(10, 10), (10, 7), (7, 10), (9, 8), (10, 9)])
    squares, free = columns * rows, chance.randint(6, 18)
    cells = {chance.randrange(squares)}
    while len(cells) < free:
        file, rank = (lambda square: (square % columns, square // columns))(chance.choice([*cells]))
        file, rank = file + chance.randint(-1, 1), rank + chance.randint(-1, 1)
        if chance.randrange(6) == 0:
            cells.add(chance.randrange(squares))
        elif 0 <= file < columns and 0 <= rank < rows:
            cells.add(rank * columns + file)
    order = sorted(cells)
    chance.shuffle(order)
    mover = sum(1 << order.pop() for _ in range(chance.randint(1, 3)))
    opponent = sum(1 << order.pop() for _ in range(chance.randint(1, 3)))
    arrows = (1 << squares) - 1 ^ sum(1 << square for square in cells)
    walls, claim, leaf = chance.randint(0, 1), chance.randint(0, 1), chance.choice((0, 0, 4, 8))
    header = large_header(columns, rows, 0, claim, leaf, walls, mover, opponent, arrows)
    return walls, claim, close(header)


def large_cases(certificate):
    """(what, file, reason): what is so of files about large boards alone."""
    yield "as it was written", certificate.write(), ""
    yield "the other colour to move", changed(certificate, turn=1 - certificate.turn), ""
    yield "leaves of 12", changed(certificate, leaf=12), ""
    yield "without the wall rule", changed(certificate, walls=0), "not covered"
    yield "walls 2", changed(certificate, walls=2), "wall rule"
    yield "a small board", changed(certificate, columns=6), "small board|off the board"
    yield "an open board", changed(certificate, arrows=0), "squares take part"
    yield "version 4", changed(certificate, version=4), "no board|version"
    off = certificate.mover | 1 << 127
    yield "a square off the board", changed(certificate, mover=off), "off the board"
    yield "61 bytes", certificate.write()[:61], "too few bytes"
    live = max(code for _, list in certificate.frames for code, _ in list).bit_length() + 1 & ~1
    beyond = lambda list: list.append([list[-1][0] | 3 << live, 0])
    yield "a code beyond the squares", with_positions(certificate, beyond), "beyond the board|not"
    moved = deepcopy(certificate)
    moved.frames = [(arrows + 1, list) for arrows, list in certificate.frames]
    yield "another number of arrows", moved.write(), "not \\d* arrows"


def same_walls(checker):
    """Holds the wall rule of the checker to tests/data/walls.csv and to the page's examples."""
    lines = (ROOT / "tests/data/walls.csv").read_text().splitlines()
    rows = list(csv.DictReader(line for line in lines if not line.startswith("#")))
    positions = "".join(row["position"] + "\n" for row in rows)
    run = subprocess.run([checker, "walls"], input=positions, capture_output=True, text=True)
    ours = run.stdout.splitlines()
    wrong = int(len(rows) != len(ours))
    for row, our in zip(rows, ours):
        if ",".join(row.values()) != our:
            wrong += 1
            print(f"checker {our}, walls.csv {','.join(row.values())}")
    page = (ROOT / "docs/certificate.md").read_text()
    page = page[page.index("### Examples") : page.index("### How it was tested")]
    examples = re.findall(r"(?:^    .*\n)+", page, re.MULTILINE)
    for example in examples:
        example = re.sub("^    ", "", example, flags=re.MULTILINE)
        role = re.search("who (begins|answers)", example)[1]
        command = [checker, "explain", example.splitlines()[0], role]
        told = subprocess.run(command, capture_output=True, text=True).stdout
        if told != example:
            wrong += 1
            print(f"the page has\n{example}\nthe checker\n{told}")
    print(f"the wall rule: {len(rows)} verdicts, {len(examples)} examples; {wrong} differ")
    return wrong + (len(rows) < 100) + (not examples)


def same_parts(checker, program, file, number):
    """Holds the parts of a certificate to the whole and to the program's parts, and has parts
    refused that there are not."""

    def words(said):
        return [int(re.search(rf"{word} (\d+)", said)[1]) for word in ("positions", "answers")]

    def run(*part):
        return subprocess.run([checker, file, *part], capture_output=True, text=True)

    whole = words(run("1").stdout)
    parts = [run("1", f"{k}/{number}") for k in range(1, number + 1)]
    held = [words(part.stdout) for part in parts if part.returncode == 0]
    wrong = int([sum(each) for each in zip(*held)] != whole)
    for k, part in enumerate(parts, 1):
        wrong += f"part {k} of {number} holds" not in part.stdout
        command = [program, "verify", file, "--part", f"{k}/{number}", "--json"]
        theirs = subprocess.run(command, capture_output=True, text=True)
        theirs = json.loads(theirs.stdout or '{"checked": 0, "hash": "none"}')
        ours = f"positions {theirs['checked']} of "
        wrong += ours not in part.stdout or theirs["hash"] not in part.stdout
    for part in "0/2", "3/2", "1/", "/2", "1/2/3", "-1/2", "1/1000000000":
        wrong += run("1", part).returncode != 2
    print(f"{number} parts: {held}, the whole {whole}; {wrong} wrong")
    return wrong


def damaged_part(checker, certificate, scratch, number):
    """A position less: the parts that need it are refused for that, and the others hold."""
    file = Path(scratch) / "part.proof"
    middle = len(certificate.frames[2][1]) // 2
    file.write_bytes(with_positions(certificate, lambda list: list.pop(middle), 2))
    parts = [
        subprocess.run([checker, file, "1", f"{k}/{number}"], capture_output=True, text=True)
        for k in range(1, number + 1)
    ]
    refused = ["not covered" in part.stderr + part.stdout for part in parts]
    statuses = [part.returncode for part in parts]
    print(f"a position removed: the parts' statuses are {statuses}")
    return int(set(statuses) != {0, 1} or statuses != [int(is_refused) for is_refused in refused])


def main(checker, program, scratch, share=1):
    checkers = Checkers(checker, [str(os.cpu_count())], program, scratch)
    wrong = same_walls(checker)

    def solve(name, *arguments):
        file = Path(scratch) / name
        command = [program, "solve", *arguments, "--threads", "1", "--certificate", file]
        subprocess.run(command, check=True, capture_output=True)
        return file.read_bytes()

    print("== certificates as they are")
    large = ["4x7", "5x6"][: 1 + (int(share) > 1)]
    for name in large:
        checkers.expect(name, (ROOT / f"results/proofs/{name}.proof").read_bytes(), "")
    small = Certificate(solve("4x6.proof", "4x6", "--walls"))
    plain = Certificate(solve("5x4.proof", "5x4"))
    checkers.expect("5x4, version 1", plain.write(), "")
    removed = with_positions(plain, lambda list: list.pop())
    checkers.expect("5x4, version 1, a position removed", removed, "not covered")
    # Positions are judged by the number of arrows, so damage is found early in the first frames.
    for name, frames in zip(large, [(0, 2, 4), (0,)]):
        print(f"== damaged copies of {name}")
        certificate = Certificate((ROOT / f"results/proofs/{name}.proof").read_bytes())
        for case in main_damages(certificate, frames):
            checkers.expect(*case)
    print("== parts of 4x7")
    whole = ROOT / "results/proofs/4x7.proof"
    wrong += same_parts(checker, program, whole, 3)
    wrong += damaged_part(checker, Certificate(whole.read_bytes()), scratch, 3)
    print("== copies of a certificate of 4x6, damaged and written in other ways")
    for case in format_cases(small):
        checkers.expect(*case)

    print("== late positions of 10x10")
    lines = (ROOT / "benches/data/endgames.txt").read_text().splitlines()
    endgames = [line.split("  ")[0] for line in lines if line and line[0] != "#"]
    for position in endgames[:1]:
        certificate = LargeCertificate(solve("late.proof", position, "--walls"))
        for case in main_damages(certificate, [0]):
            if not case[0].startswith(("without the wall", "another start", "leaves of")):
                checkers.expect(*case)
        for case in large_cases(certificate):
            checkers.expect(*case)

    print("== flipped bits and random positions with nothing listed")
    chance = random.Random(1)
    counts = Counter()
    for _ in range(15 * int(share)):
        counts["a flipped bit", checkers.judge(flipped(small, chance))[0]] += 1
    for _ in range(100 * int(share)):
        version, claim, data = random_start(chance)
        counts[f"version {version}, claim {claim}", checkers.judge(data)[0]] += 1
    for _ in range(150 * int(share)):
        walls, claim, data = random_large_start(chance)
        counts[f"version 6, walls {walls}, claim {claim}", checkers.judge(data)[0]] += 1
    for kind in sorted({kind for kind, _ in counts}):
        print(f"{kind}: {counts[kind, True]} hold, {counts[kind, False]} are refused")
        if not counts[kind, False] or (not counts[kind, True] and kind != "a flipped bit"):
            wrong += 1
            print("  one verdict is missing, so little is compared")
    wrong += checkers.wrong
    print(f"{wrong} wrong")
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
