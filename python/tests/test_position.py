"""Positions: text, moves, arrays, pictures, and what is refused."""

import copy
import pickle
import xml.etree.ElementTree as xml

import numpy as np
import pytest

from amazons_solver import Position

START = "1q1q1/q3q/5/Q3Q/1Q1Q1 w"


def test_a_position_is_what_its_text_says():
    position = Position(START)
    assert position == Position.start("5x5")
    assert (position.fen, str(position)) == (START, START)
    assert repr(position) == f"Position('{START}')"
    assert eval(repr(position)) == position
    assert (position.board, position.columns, position.rows) == ("5x5", 5, 5)
    assert (position.turn, position.amazons) == ("white", "4v4")
    assert position.white == ["b1", "d1", "a2", "e2"]
    assert position.black == ["a4", "e4", "b5", "d5"]
    assert position.burned == []
    assert Position.start("4x4", "2v1").amazons == "2v1"


def test_moves_are_played():
    position = Position(START)
    assert len(position.moves()) == 260
    assert "b1-b3/d3" in position.moves()
    after = position.play("b1-b3/d3")
    assert after.fen == "1q1q1/q3q/1Q1*1/Q3Q/3Q1 b"
    assert (after.turn, after.burned) == ("black", ["d3"])
    assert position.fen == START
    assert all(position.play(move).turn == "black" for move in position.moves())
    assert position.play("b1b3,b3d3") == after


def test_the_end():
    over = Position("Q*/*q w")
    assert over.moves() == []
    assert (over.outcome, over.winner) == (False, "black")
    goes_on = Position("Q1/*q w")
    assert goes_on.moves() != [] and goes_on.outcome is None and goes_on.winner is None


def test_equality_hashing_and_pickling():
    position = Position(START)
    others = [Position(START.replace(" w", " b")), position.play("b1-b3/d3"), Position.start("5x4")]
    assert len({position, Position(START), *others}) == 4
    assert position != START and position not in others
    for twin in (
        pickle.loads(pickle.dumps(position)),
        copy.copy(position),
        copy.deepcopy(position),
    ):
        assert twin == position and hash(twin) == hash(position)
    with pytest.raises(AttributeError):
        position.fen = "x"


def test_arrays_and_pictures():
    position = Position("1q1/*2/Q2/2Q b")
    array = position.to_array()
    assert array.dtype == np.uint8
    assert array.tolist() == [[0, 0, 1], [1, 0, 0], [3, 0, 0], [0, 2, 0]]
    assert "*" in position.diagram(ascii=True) and "▒" in position.diagram()
    assert position._repr_svg_() == position.svg()
    root = xml.fromstring(position.svg())
    assert root.tag.endswith("svg") and "black to move" in position.svg()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "found nothing"),
        ("1q1q1/q3q/5/Q3Q/1Q1Q1 x", "the side to move"),
        ("1q1q1/q3q/5/Q3Q/1Q1Z1 w", "found 'Z'"),
        ("3/3 w", "no amazon"),
        ("21q/q w", "21"),
        ("\0", "rank 1, file a: expected"),
        ("Q" * 100_000 + " w", "1 to 20 columns"),
    ],
)
def test_text_that_is_no_position(text, words):
    with pytest.raises(ValueError, match=words):
        Position(text)


def test_what_else_is_refused():
    for wrong in (None, 5, b"1q1", ["Q"]):
        with pytest.raises(TypeError):
            Position(wrong)
    with pytest.raises(ValueError, match="21x5"):
        Position.start("21x5")
    with pytest.raises(ValueError, match="3x3"):
        Position.start("3x3")
    with pytest.raises(ValueError, match="9v9"):
        Position.start("4x4", "9v9 ")
    position = Position(START)
    with pytest.raises(ValueError, match="no queen move over empty squares to b5"):
        position.play("b1-b5/d3")
    with pytest.raises(ValueError, match="from-to/arrow"):
        position.play("b1")
    with pytest.raises(ValueError, match="f1"):
        position.play("f1-f2/f3")
