"""Proof search, the engine, local games: answers, limits, interruptions."""

import math
import signal
import subprocess
import sys
import threading
from fractions import Fraction
from pathlib import Path

import pytest

import amazons_solver as amazons
from amazons_solver import Engine, Knowledge, Position, Solver, VariantPosition, region_value

HARD = Position.start("7x8")
"""A board that no machine settles in the time of a test."""


def test_a_solver_says_who_wins():
    solver = Solver("5x4", threads=1)
    start = Position.start("5x4")
    assert solver.solve(start) is True
    best = solver.best_move(start)
    assert solver.solve(start.play(best)) is False
    assert solver.best_move(start.play(best).fen) is None
    assert solver.board == "5x4" and repr(solver) == "Solver('5x4', threads=1)"


def test_all_moves():
    start = Position.start("5x4")
    moves = Solver("5x4").all_moves(start)
    assert list(moves) == start.moves()
    assert {move for move, wins in moves.items() if wins} == {"b1-b2/d2", "d1-d2/b2"}


def test_search_and_tables_agree(table):
    start = Position.start("4x4", "2v2")
    assert Solver("4x4").all_moves(start) == table.moves(start)
    assert Solver("4x4").solve(start) == table.value(start)


def endgames():
    """The late positions of 10x10 that the bench searches, and whether their side to move wins."""
    path = Path(__file__).parents[2] / "benches/data/endgames.txt"
    lines = [line for line in path.read_text().splitlines() if line and line[0] != "#"]
    return [(fen, value == "win") for fen, value in (line.split("  ") for line in lines)]


def test_endgames_of_large_boards():
    solver = Solver("10x10", memory=64 << 20, threads=1)
    with pytest.raises(ValueError, match="100 squares of 10x10 are not burned and within reach"):
        solver.solve(Position.start("10x10"))
    (lost, _), (won, _) = endgames()[:2]
    assert solver.solve(lost) is False and solver.best_move(lost) is None
    # Another game: it does not come from the position before.
    assert solver.solve(won) is True
    best = solver.best_move(won)
    moves = solver.all_moves(won)
    assert moves[best] is True and None not in moves.values()
    assert solver.solve(Position(won).play(best)) is False
    with pytest.raises(ValueError, match="9x10"):
        solver.solve(Position.start("9x10"))
    with pytest.raises(ValueError, match="100 squares"):
        solver.all_moves(Position.start("10x10"))
    assert solver.solve(won) is True


def test_a_search_whose_time_is_up():
    solver = Solver("7x8", memory=64 << 20)
    with pytest.raises(TimeoutError, match="was not done after 0.01 s"):
        solver.solve(HARD, time=0.01)
    with pytest.raises(TimeoutError):
        solver.best_move(HARD, time=0.0)
    moves = solver.all_moves(HARD, time=0.01)
    assert list(moves) == HARD.moves() and None in moves.values()
    # It can be used further.
    assert solver.solve("Q6/7/7/7/7/7/7/7 w") is True
    for wrong in (-1.0, math.nan, 1e300):
        with pytest.raises(ValueError, match="time: expected seconds"):
            solver.solve(HARD, time=wrong)


def test_progress_and_exceptions_of_the_callback():
    told = []

    def enough(figures):
        told.append(figures)
        if len(told) == 2:
            raise LookupError("enough")

    solver = Solver("7x8", memory=64 << 20)
    with pytest.raises(LookupError, match="enough"):
        solver.solve(HARD, progress=enough)
    assert set(told[0]) == {"seconds", "nodes", "fill", "open", "total"}
    assert told[1]["nodes"] >= told[0]["nodes"]
    assert solver.solve("Q6/7/7/7/7/7/7/7 w") is True


def test_a_solver_at_work_is_not_used_twice():
    solver = Solver("7x8", memory=64 << 20)
    seen = []

    def callback(figures):
        try:
            solver.solve(HARD)
        except RuntimeError as error:
            seen.append(str(error))
        raise KeyError

    with pytest.raises(KeyError):
        solver.solve(HARD, progress=callback)
    assert "at work already" in seen[0]


INTERRUPTED = """
import os, signal, sys
from amazons_solver import Position, Solver, build

# Who runs the tests in the background may have had it ignored.
signal.signal(signal.SIGINT, signal.default_int_handler)

def interrupt(figures):
    os.kill(os.getpid(), signal.SIGINT)

solver = Solver("7x8", memory=64 << 20)
try:
    solver.solve(Position.start("7x8"), progress=interrupt)
except KeyboardInterrupt:
    print("interrupted")
print(solver.solve("Q6/7/7/7/7/7/7/7 w"))
try:
    build(sys.argv[1], "5x5", "2v2", threads=1, progress=interrupt)
except KeyboardInterrupt:
    print("interrupted")
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent otherwise there")
def test_ctrl_c_ends_a_search_and_a_build(tmp_path):
    run = subprocess.run(
        [sys.executable, "-c", INTERRUPTED, str(tmp_path / "t")],
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert run.returncode == 0, run.stderr
    assert run.stdout.split() == ["interrupted", "True", "interrupted"]


def test_ctrl_c_ends_the_evaluation_of_a_region():
    # Who runs the tests in the background may have had it ignored.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    timer = threading.Timer(0.2, signal.raise_signal, [signal.SIGINT])
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        region_value("x.......|........|........|.......o", memory=1 << 40)
    timer.join()


def test_other_threads_run_while_a_search_does():
    ran = threading.Event()

    def callback(figures):
        if ran.is_set():
            raise StopIteration

    other = threading.Thread(target=ran.set)
    timer = threading.Timer(0.05, other.start)
    timer.start()
    with pytest.raises(StopIteration):
        Solver("7x8", memory=64 << 20).solve(HARD, progress=callback)


def test_what_solvers_refuse():
    with pytest.raises(ValueError, match="COLUMNSxROWS"):
        Solver("five")
    for memory in (0, (4 << 20) - 1):
        with pytest.raises(MemoryError, match=f"at least 4194304 bytes of memory, {memory} are"):
            Solver("5x5", memory=memory)
    assert Solver("4x4", memory=4 << 20).solve(Position.start("4x4")) is False
    solver = Solver("5x5")
    for ask in (solver.solve, solver.best_move, solver.all_moves):
        with pytest.raises(ValueError, match="4x4"):
            ask(Position.start("4x4"))
        with pytest.raises(TypeError, match="found int"):
            ask(3)


@pytest.mark.parametrize("threads", [0, 1025, 1 << 33, 1 << 40, (1 << 64) - 1])
def test_numbers_of_threads_that_no_machine_has_use_for(threads, tmp_path):
    start = Position.start("4x4")
    for ask in (
        lambda: Solver("4x4", threads=threads),
        lambda: Engine("4x4", threads=threads),
        lambda: amazons.evaluate(start, threads=threads),
        lambda: amazons.build(tmp_path / "t", "3x3", "1v1", threads=threads),
        lambda: amazons.verify(tmp_path, threads=threads),
    ):
        with pytest.raises(ValueError, match=f"threads: expected 1 to 1024, found {threads}"):
            ask()


@pytest.mark.parametrize("number", [-1, -(1 << 63), 1 << 64, 1 << 70])
def test_whole_numbers_that_are_none(number, tmp_path):
    start = Position.start("4x4")
    engine = Engine("4x4")
    for ask in (
        lambda: Solver("4x4", threads=number),
        lambda: Solver("4x4", memory=number),
        lambda: Solver("4x4", seed=number),
        lambda: Engine("4x4", memory=number),
        lambda: Engine("4x4", threads=number),
        lambda: engine.evaluate(start, nodes=number),
        lambda: engine.evaluate(start, depth=number),
        lambda: amazons.evaluate(start, nodes=number),
        lambda: amazons.evaluate(start, memory=number),
        lambda: amazons.build(tmp_path / "t", "3x3", "1v1", memory=number),
        lambda: amazons.build(tmp_path / "t", "3x3", "1v1", threads=number),
        lambda: amazons.verify(tmp_path, sample=number),
        lambda: amazons.verify(tmp_path, sample=1, seed=number),
        lambda: amazons.verify(tmp_path, memory=number),
        lambda: amazons.Table(tmp_path, cache=number),
        lambda: region_value("x.o", memory=number),
    ):
        with pytest.raises(ValueError, match=f"expected a whole number of 0 to .*, found {number}"):
            ask()


def test_the_engine():
    start = Position.start("6x6")
    found = amazons.evaluate(start, nodes=2000)
    assert found.move in start.moves() and found.line[0] == found.move
    assert math.isfinite(found.score) and found.outcome is None and found.source == "search"
    assert found.nodes > 0 and found.move in repr(found)
    engine = Engine("6x6", memory=1 << 20)
    assert engine.evaluate(start, depth=1).move in start.moves()
    assert math.isfinite(engine.score(start))
    over = amazons.evaluate("Q*/*q w")
    assert over.move is None and over.score == -math.inf and over.outcome is False
    with pytest.raises(ValueError, match="5x5"):
        engine.evaluate(Position.start("5x5"))
    with pytest.raises(ValueError, match="5x5"):
        engine.score(Position.start("5x5"))
    with pytest.raises(MemoryError, match="cannot be had"):
        Engine("6x6", memory=1 << 60)
    small, knowledge = Position.start("5x5"), Knowledge()
    known = amazons.evaluate(small, nodes=2000, knowledge=knowledge)
    assert (known.outcome, known.source, known.score) == (True, "known", math.inf)
    assert Engine("5x5", knowledge=knowledge).evaluate(small).outcome is True
    assert amazons.evaluate(small, nodes=2000).source == "search"


def test_an_engine_that_is_ended_early_calls_nothing_lost_that_is_won():
    for nodes in range(300, 800, 20):
        assert amazons.evaluate("3Q/q1*Q/3*/*q*1 w", nodes=nodes).outcome is not False


def test_a_time_without_end():
    assert Solver("4x4").solve(Position.start("4x4"), time=math.inf) is False
    assert VariantPosition.start("3x3", "killer", "1v1").solve(time=math.inf) is True


def test_memory_of_engines_that_cannot_be_had():
    start = Position.start("6x6")
    with pytest.raises(MemoryError, match="cannot be had"):
        amazons.evaluate(start, memory=1 << 60)


def test_values_of_regions():
    switch = region_value("x..o")
    assert (switch.value, str(switch), switch.region) == ("{1|-1}", "{1|-1}", "x..o")
    assert (switch.temperature, switch.mean, switch.outcome) == (1, 0, "N")
    assert isinstance(switch.temperature, Fraction)
    assert (switch.left_stop, switch.right_stop) == (1, -1)
    assert switch.left_wall == [(0, 1), (1, 0)] and switch.right_wall == [(0, -1), (1, 0)]
    assert region_value("x..").value == "2" and region_value("o..").value == "-2"
    twice = region_value("x..o", "x..o")
    assert (twice.value, twice.outcome) == ("0", "P")


def test_what_regions_are_refused():
    for rows, words in [((), "found nothing"), (("xz",), "z"), (("###",), "not burned")]:
        with pytest.raises(ValueError, match=words):
            region_value(*rows)
    with pytest.raises(MemoryError, match="no exact value"):
        region_value("x.......|........|........|.......o", memory=1 << 16)
    regions = ["x..|...|..o", "x.o|...|...", "x..|..o|...", "x..o|....", "x.o.|...."]
    with pytest.raises(MemoryError, match="no exact value"):
        region_value(*regions, memory=1 << 22)
    with pytest.raises(TypeError):
        region_value(5)
