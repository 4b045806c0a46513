"""Tables that threads share, and tables in other processes."""

import concurrent.futures
import multiprocessing
import os
import subprocess
import sys
import textwrap

import pytest

from amazons_solver import Position, Table


def positions(table):
    """The start, and what its moves and theirs lead to."""
    first = [table.start.play(move) for move in table.start.moves()]
    second = [position.play(move) for position in first[:20] for move in position.moves()]
    return [table.start, *first, *second]


def value_of(path, text):
    """In a process of its own: the value of a position by the table at a path."""
    return Table(path).value(Position(text))


def test_threads_share_a_table(table):
    asked = positions(table)
    expected = table.values(asked).tolist()
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: table.values(asked).tolist(), range(16)))
        single = list(pool.map(table.value, asked[:100]))
    assert answers == [expected] * 16
    assert single == [table.value(position) for position in asked[:100]]


def test_a_process_that_is_spawned_has_a_table_of_its_own(table):
    asked = positions(table)[:3]
    expected = [table.value(position) for position in asked]
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        found = pool.starmap(value_of, [(table.path, str(position)) for position in asked])
    assert found == expected


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there are no forks here")
def test_a_process_may_fork_before_a_table_is_used(table):
    script = textwrap.dedent(
        """
        import os, sys
        from amazons_solver import Table

        child = os.fork()
        table = Table(sys.argv[1])
        wins = int(table.values([table.start.play(move) for move in table.start.moves()]).sum())
        if child == 0:
            os._exit(wins % 100)
        _, status = os.waitpid(child, 0)
        print(os.waitstatus_to_exitcode(status), wins % 100)
        """
    )
    command = [sys.executable, "-c", script, table.path]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    wins = int(table.values([table.start.play(move) for move in table.start.moves()]).sum())
    assert done.stdout.split() == [str(wins % 100)] * 2
