"""Packed positions, samples, and batches of them."""

import collections
import functools
import io
import operator
import os
import random
import signal
import subprocess
import sys

import numpy as np
import pytest

from amazons_solver import Position, Table, TableError, build, pack, unpack

OPENING = "5x5-4v4/opening-5x5.amz"


def by_hand(position):
    """The documented form: two bits a square, then who moves."""
    number = sum(int(contents) << 2 * i for i, contents in enumerate(position.to_array().flat))
    squares = position.rows * position.columns
    number |= (position.turn == "black") << 2 * squares
    return number.to_bytes((2 * squares + 8) // 8, "little")


def test_packed_positions_are_what_is_documented():
    assert Position("Q* b").packed() == bytes([0b1_11_01])
    rng = random.Random(4)
    for board in ("4x4", "5x5", "7x5", "10x10"):
        position = Position.start(board)
        for _ in range(10):
            assert position.packed() == by_hand(position)
            assert Position.from_packed(board, position.packed()) == position
            position = position.play(rng.choice(position.moves()))
            if position.winner:
                break


def test_arrays_of_positions():
    start = Position.start("5x5")
    positions = [start.play(move) for move in start.moves()]
    packed = pack(positions)
    assert packed.dtype == np.uint8 and packed.shape == (260, 7)
    assert packed[3].tobytes() == positions[3].packed()
    assert unpack("5x5", packed) == positions
    assert unpack("5x5", packed[::-2]) == positions[::-2]
    assert unpack("5x5", np.asfortranarray(packed)) == positions
    assert pack([start.fen]).tolist() == pack([start]).tolist()
    assert pack([]).shape == (0, 0)


def test_no_positions_are_packed_and_unpacked(table):
    none = pack([])
    assert unpack("3x3", none) == [] and len(table.values(none)) == 0


def test_values_of_packed_positions(table, small, results):
    packed, wins = table.sample(5000, seed=3)
    assert packed.shape == (5000, 5) and wins.shape == (5000,) and wins.dtype == np.bool_
    assert 0 < wins.sum() < 5000
    assert (table.values(packed) == wins).all()
    positions = unpack("4x4", packed)
    assert table.values(positions).tolist() == wins.tolist()
    assert [table.value(position) for position in positions[:200]] == wins[:200].tolist()
    # Every other row, from the last: memory that is not in one piece.
    assert (table.values(packed[::-2]) == wins[::-2]).all()
    assert table.values(packed[:0]).shape == (0,)
    opening = Table(results / OPENING)
    children = [opening.start.play(move) for move in opening.start.moves()]
    assert opening.values(pack(children)).sum() == 260 - 84


def test_samples(table, small, results):
    packed, wins = table.sample(300, seed=9)
    again = table.sample(300, seed=9)
    assert (packed == again[0]).all() and (wins == again[1]).all()
    assert not (packed == table.sample(300, seed=10)[0]).all()
    tiers, _ = table.sample(26, by="tiers")
    burned = [len(position.burned) for position in unpack("4x4", tiers)]
    assert sorted(burned) == sorted(list(range(13)) * 2)
    assert small.sample(0)[0].shape == (0, 4)
    with pytest.raises(ValueError, match="'positions' or 'tiers'"):
        table.sample(1, by="games")
    with pytest.raises(ValueError, match="opening table"):
        Table(results / OPENING).sample(1)
    for wrong in (1.5, None):
        with pytest.raises(TypeError):
            table.sample(wrong)
    for wrong in (-1, 1 << 64):
        with pytest.raises(ValueError, match="expected a whole number of 0 to 2\\^64 - 1, found"):
            table.sample(wrong)


def test_a_table_that_lacks_tiers_is_not_drawn_from(tmp_path):
    """Of what is there alone nobody would see that it is not all; of nothing, nothing is drawn."""

    class Enough(Exception):
        pass

    def callback(told):
        if (tmp_path / "t/manifest.json").exists():
            raise Enough

    with pytest.raises(Enough):
        build(tmp_path / "t", "5x5", "2v2", threads=1, progress=callback)
    unfinished = Table(tmp_path / "t")
    for by in ("positions", "tiers"):
        with pytest.raises(TableError, match="is unfinished: tiers 0 to .* are missing"):
            unfinished.sample(10, by=by)


def test_samples_that_fit_no_memory(small):
    for count in (1 << 40, 1 << 60, (1 << 64) - 1):
        with pytest.raises(MemoryError, match="no memory for the positions"):
            small.sample(count)


LIMITED = """
import resource, sys
from amazons_solver import Table

table = Table(sys.argv[1])
table.sample(100_000)
pages = int(open("/proc/self/statm").read().split()[0])
limit = pages * resource.getpagesize() + (300 << 20)
resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
for count in (10**8, 2 * 10**6):
    try:
        table.sample(count)
    except MemoryError:
        print("MemoryError")
print(len(table.sample(1000)[0]))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="memory is limited otherwise there")
def test_memory_that_the_system_does_not_give_ends_no_interpreter(small):
    run = subprocess.run(
        [sys.executable, "-c", LIMITED, str(small.path)],
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert run.returncode == 0, run.stderr
    assert run.stdout.split() == ["MemoryError", "MemoryError", "1000"]


def test_arrays_of_the_program(table):
    """`amazons sample --format npy` writes records; their field is what `values` takes."""
    packed, wins = table.sample(50)
    records = np.empty(50, [("position", "|u1", (5,)), ("win", "|b1")])
    records["position"], records["win"] = packed, wins
    file = io.BytesIO()
    np.save(file, records)
    file.seek(0)
    read = np.load(file)
    assert (table.values(read["position"]) == read["win"]).all()


def test_what_is_refused(table):
    packed, _ = table.sample(10)
    with pytest.raises(ValueError, match="uint8, n x 5, found 10 x 4"):
        table.values(packed[:, :4])
    with pytest.raises(ValueError, match=r"n x 5, found the shape \[5\]"):
        table.values(packed[0])
    with pytest.raises(TypeError, match="found int64"):
        table.values(packed.astype(np.int64))
    with pytest.raises(ValueError, match="float64"):
        table.values(np.zeros(3))
    wrong = packed.copy()
    wrong[7] = 0
    with pytest.raises(ValueError, match="^position 7: .*no amazon"):
        table.values(wrong)
    wrong = packed.copy()
    wrong[3, 4] |= 128
    with pytest.raises(ValueError, match="^position 3: a bit behind"):
        table.values(wrong)
    other = pack([Position.start("4x4", "2v2"), Position.start("4x4", "3v2")])
    with pytest.raises(ValueError, match="^position 1: .*3v2"):
        table.values(other)
    with pytest.raises(ValueError, match="^position 1: it is on 5x5, the first one on 4x4"):
        pack([Position.start("4x4"), Position.start("5x5")])
    with pytest.raises(TypeError, match="position 1: expected a Position"):
        pack([Position.start("4x4"), 5])
    with pytest.raises(TypeError, match="a list of positions, found a str"):
        table.values(Position.start("4x4").fen)
    with pytest.raises(ValueError, match="7 bytes, found 3"):
        Position.from_packed("5x5", b"abc")
    with pytest.raises(ValueError, match="position 0: "):
        unpack("4x4", np.full((1, 5), 255, np.uint8))
    with pytest.raises(TypeError):
        unpack("4x4", [1, 2])


def test_objects_and_texts_in_arrays(table):
    start = Position.start("4x4", "2v2")
    expected = [table.value(start)] * 2
    assert table.values(np.array([start, start.fen], dtype=object)).tolist() == expected
    assert table.values(np.array([start.fen, start.fen])).tolist() == expected


class Interrupted(Exception):
    pass


def test_ctrl_c_ends_what_goes_through_many_positions(table):
    def interrupted(number, frame):
        raise Interrupted

    start = Position.start("4x4")
    rows = pack([start] * 10000)
    rows[-1] = 255
    calls = [
        functools.partial(unpack, "4x4", rows),
        functools.partial(pack, [start] * 100_000 + [3]),
        functools.partial(table.values, [start.fen] * 100_000 + [3]),
    ]
    before = signal.signal(signal.SIGUSR1, interrupted)
    try:
        for call in calls:
            # Between the signal and the call Python has no chance to see it.
            both = [functools.partial(os.kill, os.getpid(), signal.SIGUSR1), call]
            with pytest.raises(Interrupted):
                collections.deque(map(operator.methodcaller("__call__"), both))
    finally:
        signal.signal(signal.SIGUSR1, before)
