"""Moves as numbers, for environments that want them.

On a board of n squares the move from square f to square t with an arrow on a is the action
(f n + t) n + a. Squares are numbered by ranks from a1 = 0.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ._native import Position


def count(position: Position) -> int:
    """How many actions there are, most of which are never legal."""
    return (position.columns * position.rows) ** 3


def actions(position: Position) -> dict[int, str]:
    """The legal moves by their actions, in increasing order."""
    squares = position.columns * position.rows

    def number(square: str) -> int:
        return (int(square[1:]) - 1) * position.columns + ord(square[0]) - ord("a")

    def action(move: str) -> int:
        start, rest = move.split("-")
        end, arrow = rest.split("/")
        return (number(start) * squares + number(end)) * squares + number(arrow)

    return dict(sorted((action(move), move) for move in position.moves()))


def planes(position: Position, turn: str) -> NDArray[np.int8]:
    """Three boards of zeros and ones: the amazons of the side `turn`, the other's, burned
    squares."""
    squares = position.to_array()
    order = (1, 2, 3) if turn == "white" else (2, 1, 3)
    return np.stack([squares == contents for contents in order]).astype(np.int8)
