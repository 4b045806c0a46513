"""A second reader of the tables of `amazons`, written from docs/format.md alone.

It shares nothing with the program: it has its own moves and symmetries (board.py), its own
numbering and decoding, its own checksums (xxh3.py). So it shows two things: that the document is
enough to read a table by, and that the program writes what the document says.

    python3 tests/independent/table_reader.py DIR --sample 10000 --seed 1

draws positions at random and holds the value of each against the values after its moves. With
--values it prints each position and its value, to be compared with what `amazons lookup` says; with
--whole it decodes every frame and counts the wins; with --part the emptier tiers may be missing.
Exit status 1 if something is wrong or damaged.

Of modules from elsewhere it needs `zstandard` only. BLAKE3 is not in Python's standard library, so
the sums of the contents and of the manifest are not checked; every XXH3 is.
"""

import argparse
import json
import random
import struct
import sys
from functools import lru_cache
from itertools import combinations
from math import comb
from pathlib import Path

import zstandard

from board import Board, squares_of
from xxh3 import xxh3_64

RULES = "queen step, queen shot, one arrow a move; who cannot move loses"
HEADER = struct.Struct("<8sI8BI10Q32s3Q")
MOST_SQUARES = 64  # an arrow set has eight bytes
TOP = "format engine rules board amazons keep milliseconds tiers checksum".split()
ENTRY = "arrows mover opponent positions wins stored bytes content".split()


class Damaged(Exception):
    """The table is not what the document says."""


def demand(condition, words):
    if not condition:
        raise Damaged(words)


# Numbering: subsets in colex order, numbered by their order as integers


def rank_of(places):
    return sum(comb(place, i) for i, place in enumerate(places, 1))


def places_among(bits, free):
    """The numbers that the squares of a set have among the free squares, upwards."""
    return [(free & ((1 << square) - 1)).bit_count() for square in squares_of(bits)]


@lru_cache(None)
def neighbours(n, m):
    """For each row of a block: the rows with one amazon one place lower, at most four."""
    subsets = sorted(combinations(range(n), m), key=lambda places: places[::-1])
    ranks = {places: rank for rank, places in enumerate(subsets)}
    lower = [
        [s[:i] + (p - 1,) + s[i + 1 :] for i, p in enumerate(s) if p > 0 and p - 1 not in s]
        for s in subsets
    ]
    return [[ranks[places] for places in some[:4]] for some in lower]


# Frames


def unzstd(data, size):
    """The content of one zstd frame that must have this many bytes."""
    try:
        demand(zstandard.frame_content_size(data) in (-1, size), "a zstd frame of another length")
        decoder = zstandard.ZstdDecompressor()
        plain = decoder.decompress(data, max_output_size=max(size, 1), allow_extra_data=False)
    except zstandard.ZstdError as error:
        raise Damaged(f"zstd: {error}") from error
    demand(len(plain) == size, "a zstd frame of another length")
    return plain


def stream_table(voters):
    """The stream for each byte: votes for 1, plus 8 if the first voter says 1."""
    pairs = {(3, 3): 0, (4, 4): 0, (5, 5): 0, (2, 2): 2, (5, 4): 2, (4, 3): 4, (1, 1): 6}
    pairs |= {(3, 2): 8, (5, 3): 8, (2, 1): 10, (4, 2): 10, (0, 0): 10}
    table = bytearray(256)
    for votes in range(voters + 1):
        for first in (0, 1):
            against = voters - votes
            says = first if votes == against else int(votes > against)
            table[votes + 8 * first] = pairs[voters, max(votes, against)] + says
    return bytes(table)


STREAMS = [stream_table(voters) for voters in range(6)]
BITS = [bytes(byte >> i & 1 for i in range(8)) for byte in range(256)]
DIGITS = bytes.maketrans(b"\0\1", b"01")


def read_streams(encoded, most):
    """The twelve streams of a frame; together they have at most so many bytes."""
    at, streams = 0, []

    def number():
        nonlocal at
        value = shift = 0
        while True:
            demand(at < len(encoded) and shift < 35, "a stream's length is cut off")
            byte = encoded[at]
            value, shift, at = value | (byte & 127) << shift, shift + 7, at + 1
            if byte < 128:
                return value

    for _ in range(12):
        size, stored = number(), number()
        demand(size <= most and stored <= len(encoded) - at, "a stream is too long")
        data = encoded[at : at + stored]
        streams.append(data if size == stored else unzstd(data, size))
        at += stored
    demand(at == len(encoded), "bytes behind the last stream")
    return streams


def decode_votes(encoded, lower, start, count, columns):
    """The rows of a frame of codec 1: count of them, the first being row start of its block."""
    streams = read_streams(encoded, count * columns // 8 + 12)
    bits = [iter(b"".join([BITS[byte] for byte in stream])) for stream in streams]
    take = [stream.__next__ for stream in bits]
    rows, content = [], []  # a row of `rows` is an integer with one byte for each column
    for i in range(count):
        block, row = divmod(start + i, len(lower))
        voters = [rows[i - row + other] for other in lower[row] if i - row + other >= 0]
        if block > 0:
            voters.append(rows[i - len(lower)])
        votes = sum(voters) + 8 * (voters[0] if voters else 0)
        which = votes.to_bytes(columns, "little").translate(STREAMS[len(voters)])
        try:
            line = bytes([take[stream]() for stream in which])
        except StopIteration:
            raise Damaged("a stream is too short") from None
        rows.append(int.from_bytes(line, "little"))
        packed = int(line[::-1].translate(DIGITS), 2)
        content.append(packed.to_bytes((columns + 7) // 8, "little"))
    rest = [bytes(stream) for stream in bits]
    demand(all(len(r) < 8 and not any(r) for r in rest), "a stream is too long")
    return b"".join(content)


# Tier files


def version_of(squares):
    """The version of the format, which is also how many times four bytes an arrow set has."""
    return 1 if squares <= 32 else 2


class Tier:
    """One file: the values of the positions with so many arrows and amazons."""

    def __init__(self, path, board, arrows, mover, opponent):
        self.board, self.kind = board, (arrows, mover, opponent)
        self.free = board.squares - arrows
        self.rows, self.columns = comb(self.free, mover), comb(self.free - mover, opponent)
        self.row = (self.columns + 7) // 8
        self.block = self.rows * self.row
        self.positions = comb(board.squares, arrows) * self.rows * self.columns
        self.name, self.file, self.size = path.name, path.open("rb"), path.stat().st_size
        self.frame = lru_cache(4096)(self.frame)
        try:
            self.open()
        except Damaged as error:
            raise Damaged(f"{self.name}: {error}") from None

    def read(self, at, size):
        self.file.seek(at)
        data = self.file.read(size)
        demand(len(data) == size, "the file is cut off")
        return data

    def open(self):
        head = self.read(0, 160)
        fields = HEADER.unpack(head)
        magic, version, *shape, target = fields[:11]
        sets, block, frames, content, positions, wins, *offsets, size = fields[11:21]
        self.content_sum, list_sum, index_sum, head_sum = fields[21:]
        expected = version_of(self.board.squares)
        demand(magic == b"AMAZTIER" and version == expected, f"no tier file of version {expected}")
        demand(head_sum == xxh3_64(head[:152]), "the checksum of the header is wrong")
        self.codec = int(self.columns >= 64)
        expected = [self.board.columns, self.board.rows, *self.kind, self.codec, 1, 0]
        demand(shape == expected, f"the header's shape is {shape}, not {expected}")

        # What the lengths must be, before any is used.
        self.whole_blocks = self.block <= target
        if self.whole_blocks:
            self.per = target // self.block  # blocks a frame
            all_frames = -(-sets // self.per)
        else:
            self.per = min(max(target // self.row, 1), self.rows)  # rows a frame
            self.parts = -(-self.rows // self.per)
            all_frames = sets * self.parts
        self.sets, self.frames, self.wins = sets, frames, wins
        list_bytes = 4 * version * sets
        index_at, frames_at = 160 + list_bytes, 160 + list_bytes + 16 * frames
        demand(block == self.block, "bytes of a block")
        demand(sets > 0 and frames == all_frames, "arrow sets or frames")
        demand(content == sets * block, "bytes of the content")
        demand(positions == self.positions and wins <= positions, "positions or wins")
        demand(offsets == [160, index_at, frames_at], "offsets")
        demand(size == self.size and size >= frames_at, f"{self.size} bytes, not {size}")

        data = self.read(160, list_bytes)
        demand(list_sum == xxh3_64(data), "the checksum of the list is wrong")
        self.list = struct.unpack(f"<{sets}{'IQ'[version - 1]}", data)
        self.ranks = {arrows: rank for rank, arrows in enumerate(self.list)}
        # Canonical, in order, and with all their images as many as there are sets: so none lacks.
        images = 0
        for before, arrows in zip((-1,) + self.list, self.list):
            demand(before < arrows < 1 << self.board.squares, "the list is not in order")
            demand(arrows.bit_count() == self.kind[0], "a set with another number of arrows")
            largest, _, count = self.board.canonical(arrows)
            demand(largest == arrows, "a set of the list is not canonical")
            images += count
        demand(images == comb(self.board.squares, self.kind[0]), "sets lack in the list")

        data = self.read(index_at, 16 * frames)
        demand(index_sum == xxh3_64(data), "the checksum of the index is wrong")
        index = struct.unpack(f"<{2 * frames}Q", data)
        self.ends, self.sums, self.frames_at = (0,) + index[::2], index[1::2], frames_at
        demand(all(a < b for a, b in zip(self.ends, self.ends[1:])), "the index is not in order")
        demand(frames_at + self.ends[-1] == size, "the frames do not end where the file does")

    def span(self, number):
        """A frame's first arrow set, its first row there, and how many rows it has."""
        if self.whole_blocks:
            first = number * self.per
            return first, 0, min(self.per, self.sets - first) * self.rows
        rank, part = divmod(number, self.parts)
        return rank, part * self.per, min(self.per, self.rows - part * self.per)

    def frame(self, number):
        """The content of a frame."""
        start, end = self.ends[number], self.ends[number + 1]
        _, first, count = self.span(number)
        try:
            demand(4 <= end - start <= count * self.row + 1024, "a frame of this length cannot be")
            encoded = self.read(self.frames_at + start, end - start)
            demand(xxh3_64(encoded, number) == self.sums[number], "the checksum is wrong")
            if self.codec == 0:
                return unzstd(encoded, count * self.row)
            lower = neighbours(self.free, self.kind[1])
            return decode_votes(encoded, lower, first, count, self.columns)
        except Damaged as error:
            raise Damaged(f"{self.name}: frame {number}: {error}") from None

    def wins_at(self, mover, opponent, arrows):
        """Whether the side to move wins."""
        arrows, symmetry, _ = self.board.canonical(arrows)
        mover = self.board.image(mover, symmetry)
        opponent = self.board.image(opponent, symmetry)
        rank, free = self.ranks[arrows], ((1 << self.board.squares) - 1) ^ arrows
        row = rank_of(places_among(mover, free))
        column = rank_of(places_among(opponent, free ^ mover))
        if self.whole_blocks:
            number, row = rank // self.per, rank % self.per * self.rows + row
        else:
            number, row = rank * self.parts + row // self.per, row % self.per
        return bool(self.frame(number)[row * self.row + column // 8] >> column % 8 & 1)

    def count(self):
        """Decodes everything; the wins must be as many as the header says."""
        wins, last = 0, (0xFF << (self.columns % 8 or 8)) & 0xFF
        for number in range(self.frames):
            content, (rank, row, count) = self.frame(number), self.span(number)
            filling = any(byte & last for byte in content[self.row - 1 :: self.row])
            demand(not filling, f"{self.name}: frame {number}: a bit behind a row's last column")
            size = min(count, self.rows) * self.row
            for at in range(0, len(content), size):
                images = self.board.canonical(self.list[rank + at // size])[2]
                wins += images * int.from_bytes(content[at : at + size], "little").bit_count()
        demand(wins == self.wins, f"{self.name}: {wins} wins, not {self.wins}")


# Tables


class Table:
    """A directory: its manifest and its tier files."""

    def __init__(self, directory, part):
        text = (directory / "manifest.json").read_text("utf-8")
        try:
            manifest = json.loads(text)
            demand(list(manifest) == TOP, "manifest: other keys")
            columns, rows = map(int, manifest["board"].split("x"))
            self.white, self.black = map(int, manifest["amazons"].split("v"))
            written = json.dumps(manifest, indent=2, ensure_ascii=False) + "\n"
        except (ValueError, TypeError, AttributeError, RecursionError) as error:
            raise Damaged(f"manifest: {error}") from error
        demand(written == text, "manifest: not as it would be written")
        keep, listed = manifest["keep"], manifest["tiers"]
        version = version_of(columns * rows)
        known = manifest["format"] == version and manifest["rules"] == RULES
        demand(known, "manifest: format or rules")
        demand(keep in ("all", "odd") and isinstance(listed, list), "manifest: keep or tiers")
        self.fullest = columns * rows - self.white - self.black
        amazons_fit = min(self.white, self.black, self.fullest) >= 0
        board_fits = min(columns, rows) > 0 and columns * rows <= MOST_SQUARES
        demand(amazons_fit and board_fits, "manifest: board or amazons")
        self.board = Board(columns, rows)
        self.value = lru_cache(1 << 20)(self.value)

        sides = dict.fromkeys([(self.white, self.black), (self.black, self.white)])
        kinds = [(arrows, *side) for arrows in range(self.fullest + 1) for side in sides]
        whole = len(listed) == len(kinds)
        demand(whole or part, f"{len(listed)} of {len(kinds)} tiers: not finished")
        demand(0 < len(listed) <= len(kinds), "manifest: no tiers, or too many")
        kinds = kinds[len(kinds) - len(listed) :]
        self.least = kinds[0][0]
        self.tiers = {}
        for entry, kind in zip(listed, kinds):
            path = directory / "tier-{:02}-{}v{}.amz".format(*kind)
            ok = isinstance(entry, dict) and list(entry) == ENTRY
            ok = ok and tuple(entry.values())[:3] == kind
            # While a table is built its newest tier is there.
            stays = keep == "all" or kind[0] % 2 == 1 or (not whole and kind[0] == self.least)
            ok = ok and entry["stored"] is stays
            demand(ok, f"manifest: the entry of {path.name}")
            if entry["stored"]:
                tier = self.tiers[kind] = Tier(path, self.board, *kind)
                figures = [tier.positions, tier.wins, True, tier.size, tier.content_sum.hex()]
                demand(list(entry.values())[3:] == figures, f"manifest: figures of {path.name}")

    def value(self, mover, opponent, arrows):
        """Whether the side to move wins: as stored, else by one ply."""
        kind = (arrows.bit_count(), mover.bit_count(), opponent.bit_count())
        if kind in self.tiers:
            return self.tiers[kind].wins_at(mover, opponent, arrows)
        return self.by_moves(mover, opponent, arrows)

    def by_moves(self, *position):
        return any(not self.value(*after) for after in self.board.moves(*position))

    def draw(self, chance):
        """A position, each number of arrows as likely as another, and who moves."""
        arrows, turn = chance.randint(self.least, self.fullest), chance.choice("wb")
        amazons = (self.white, self.black) if turn == "w" else (self.black, self.white)
        squares = chance.sample(range(self.board.squares), arrows + sum(amazons))
        bits = [1 << square for square in squares]
        opponent = amazons[0] + amazons[1]
        sets = bits[: amazons[0]], bits[amazons[0] : opponent], bits[opponent:]
        return tuple(map(sum, sets)), turn


def main():
    parser = argparse.ArgumentParser(description="Reads a table by docs/format.md alone.")
    parser.add_argument("directory", type=Path)
    parser.add_argument("--sample", type=int, default=1000, help="positions to draw [1000]")
    parser.add_argument("--seed", type=int, default=1, help="of the random numbers [1]")
    parser.add_argument("--values", action="store_true", help="print each position and its value")
    parser.add_argument("--whole", action="store_true", help="decode everything, count the wins")
    parser.add_argument("--part", action="store_true", help="emptier tiers may be missing")
    options = parser.parse_args()
    remarks = sys.stderr if options.values else sys.stdout
    one_ply = two_plies = wrong = 0
    try:
        table = Table(options.directory, options.part)
        if options.whole:
            for tier in table.tiers.values():
                tier.count()
        chance = random.Random(options.seed)
        for _ in range(options.sample):
            position, turn = table.draw(chance)
            value = table.value(*position)
            text = f"{table.board.fen(*position, turn)} {'win' if value else 'loss'}"
            if options.values:
                print(text)
            mover, opponent, arrows = (bits.bit_count() for bits in position)
            if (arrows, mover, opponent) not in table.tiers:
                continue  # its value came from its moves
            if arrows == table.fullest or (arrows + 1, opponent, mover) in table.tiers:
                one_ply += 1
            else:
                two_plies += 1
            if table.by_moves(*position) != value:
                wrong += 1
                print(f"wrong: {text}", file=sys.stderr)
    except (Damaged, OSError, UnicodeDecodeError) as error:
        print(f"error: {options.directory}: {error}", file=sys.stderr)
        return 1
    more = f", {two_plies} by two (of what is not stored)" if two_plies else ""
    print(f"{options.sample} positions, {one_ply} by one ply{more}, {wrong} wrong", file=remarks)
    if options.whole:
        print(f"{len(table.tiers)} files decoded, their wins counted", file=remarks)
    print("not checked: BLAKE3, which is not in Python's standard library", file=remarks)
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
