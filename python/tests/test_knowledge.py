"""What is known without a search."""

import pytest

from amazons_solver import Knowledge, Position, TableError, build, score, verify

DECIDED = (
    "4*5/******1*2/Qq**6/q*q1*1*3/**********/Q******q*Q/****Q*****/**********/**********/***2***** b"
)


def test_what_the_module_knows_without_files():
    knowledge = Knowledge()
    start = knowledge.look_up("1q1q1/q3q/5/Q3Q/1Q1Q1 w")
    assert (start.outcome, start.basis) == (True, "by the opening table of 5x5 4v4")
    assert sum(1 for wins in start.moves.values() if wins) == 84
    proved = knowledge.look_up(Position("1q1q1/q3q/5/5/Q3Q/1Q1Q1 w"))
    assert (proved.outcome, proved.basis) == (True, "by the certificate 5x6.proof")
    # The move that it names, and its mirror image.
    assert [played for played, wins in proved.moves.items() if wins] == ["b1-b4/d4", "d1-d4/b4"]
    assert proved.moves["b1-b2/a1"] is None
    assert knowledge.look_up(DECIDED).outcome is True
    small = knowledge.look_up(Position.start("4x4"))
    assert (small.outcome, small.basis) == (False, "by the table of 4x4 4v4")
    assert set(small.moves.values()) == {False}
    unknown = knowledge.look_up("3q2q3/10/10/q8q/10/10/Q8Q/10/10/3Q2Q3 w")
    assert (unknown.outcome, unknown.basis) == (None, None)


def test_files_are_asked_and_missing_ones_are_told(tmp_path):
    with pytest.raises(TableError, match="does not exist"):
        Knowledge(tmp_path / "none")
    with pytest.raises(TableError, match="holds neither"):
        Knowledge(tmp_path)
    with pytest.raises(ValueError):
        Knowledge().look_up("nonsense")
    address = "https://example.org/table"
    for ask in (Knowledge, verify, lambda path: build(path, "3x3", "1v1")):
        with pytest.raises(ValueError, match="expected a path, found the address"):
            ask(address)


def test_a_decided_game_has_a_score():
    least, most = score(DECIDED)
    assert least <= most < 0
    assert score("q*1/**1/2Q w") == (4, 4)
