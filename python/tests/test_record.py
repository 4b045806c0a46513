"""Records of games: every form opens, what is refused names its place."""

import pytest

from amazons_solver import Position, Record, read_records


def test_the_games_of_a_record_are_read():
    text = "1. D1–D6 (G9) 2. d10f10pe10 resign\n4x4 b1-b3/b1\n"
    first, second = read_records(text)
    assert first.start == Position.start("10x10")
    assert first.moves == ["d1-d6/g9", "d10-f10/e10"]
    assert first.remarks == ["white resigned"]
    assert str(first) == "10x10 d1-d6/g9 d10-f10/e10"
    assert repr(second) == "Record('4x4 b1-b3/b1')"
    assert second.positions == [Position.start("4x4").play("b1-b3/b1")]
    assert read_records(text.encode()) == [first, second]


def test_variations_are_counted():
    (game,) = read_records("(;GM[18]SZ[4];W[b1b3b1](;B[a3a4a3])(;B[b4a4b4]))")
    assert (game.moves, game.moves_left_out) == (["b1-b3/b1", "a3-a4/a3"], 1)


def test_what_is_no_record_is_refused_with_its_place():
    with pytest.raises(ValueError, match="line 2, column 1, move 1, white: b1-b4/b3 is illegal"):
        read_records("4x4\nb1-b4/b3")
    with pytest.raises(ValueError, match="found nothing"):
        read_records("")
    with pytest.raises(TypeError, match="expected str or bytes, found int"):
        read_records(7)


def test_a_record_is_made_and_written():
    with pytest.raises(TypeError, match="a list of moves, found a str"):
        Record(Position.start("4x4"), "b1-b3/b1")
    game = Record(Position.start("4x4"), ["b1-b3/b1", "a3-a4/a3"])
    assert str(game) == "4x4 b1-b3/b1 a3-a4/a3"
    assert read_records(game.sgf) == [game]
    assert Record("q2/3/2Q w", []).moves == []
    with pytest.raises(ValueError, match="illegal"):
        Record(Position.start("4x4"), ["b1-b4/b1"])
