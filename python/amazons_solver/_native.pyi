"""Exact solutions of small boards of the Game of the Amazons.

Boards are written "5x5" (columns x rows), amazons "4v4" (White v Black), moves "b1-b3/d3" (from-to
and the square that the arrow burns). A value is a bool: whether the side to move wins. Where a
position is wanted, its FEN will do.

Errors:

- ValueError: text that is no position, board, move or record; a position that a table, a solver or an
  engine is not about; a number below zero, a number of threads that is not 1 to 1024; a sample of
  what is no table. Of many positions the message says which: "position 3: ...".
- TypeError: something that is neither a Position nor a FEN.
- TableError, an OSError: a file that is missing, damaged, no table, or of another game.
- TimeoutError: the time of a search is over before it has an answer.
- MemoryError: more memory is needed than was given, or than the system gives for a sample, a search
  or an engine.
- KeyboardInterrupt: Ctrl-C ended the work. Solvers, engines and tables can be used further; a build
  goes on from there with the same call.
- RuntimeError: a solver or an engine was used by two threads at a time, or the library has a fault.

Work that takes long is done without the interpreter's lock. `progress` is called about twenty times
a second, and once when the work is done, with a dict; an exception that it raises ends the work.
"""

import os
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import Any, Literal, final

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "Engine",
    "Evaluation",
    "Knowledge",
    "Known",
    "LocalValue",
    "Position",
    "Record",
    "Solver",
    "Table",
    "TableError",
    "VariantPosition",
    "Verification",
    "__version__",
    "build",
    "evaluate",
    "pack",
    "read_records",
    "region_value",
    "score",
    "unpack",
    "verify",
]

__version__: str

_Path = str | os.PathLike[str]
_Progress = Callable[[dict[str, Any]], object]

class TableError(OSError):
    """A file that is missing, damaged, or no table."""

@final
class Position:
    """A legal position. It never changes; equal positions have equal hashes; it can be pickled.

    A notebook shows its picture.
    """

    def __new__(cls, fen: str, /) -> Position:
        """Reads "1qq1/q2q/Q2Q/1QQ1 w": ranks from the top, Q White, q Black, * burned, then who
        moves."""

    @classmethod
    def start(cls, board: str, amazons: str | None = None) -> Position:
        """The start position of a board, White to move; four amazons a side if nothing is said."""

    @classmethod
    def from_packed(cls, board: str, packed: bytes, /) -> Position:
        """The position of a board that `packed` made into these bytes."""

    def packed(self) -> bytes:
        """The position as bytes. Of the little-endian number that they are, bits 2i and 2i + 1 are
        square i (a1, b1, ...): 0 empty, 1 White, 2 Black, 3 burned; the next bit is 1 if Black is
        to move. Boards of s squares have (2 s + 1) / 8 bytes, rounded up."""

    @property
    def fen(self) -> str: ...
    @property
    def board(self) -> str: ...
    @property
    def columns(self) -> int: ...
    @property
    def rows(self) -> int: ...
    @property
    def turn(self) -> Literal["white", "black"]:
        """The side to move."""

    @property
    def amazons(self) -> str:
        """How many each side has: "4v4"."""

    @property
    def white(self) -> list[str]:
        """Squares of White's amazons."""

    @property
    def black(self) -> list[str]:
        """Squares of Black's amazons."""

    @property
    def burned(self) -> list[str]:
        """Burned squares."""

    @property
    def outcome(self) -> bool | None:
        """None while the game goes on. When it is over, False: the side to move cannot, and has
        lost."""

    @property
    def winner(self) -> Literal["white", "black"] | None:
        """Who has won, None while the game goes on."""

    def moves(self) -> list[str]:
        """The legal moves; by origin, then destination, then arrow, squares in the order a1, b1,
        ..."""

    def play(self, played: str, /) -> Position:
        """The position after a move. ValueError if it is illegal."""

    def to_array(self) -> NDArray[np.uint8]:
        """Rows x columns, a1 first: 0 empty, 1 White, 2 Black, 3 burned."""

    def diagram(self, ascii: bool = False) -> str:
        """The board as text, with coordinates."""

    def svg(self) -> str:
        """A picture as an SVG document, for light and dark backgrounds."""

    def _repr_svg_(self) -> str: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class VariantPosition:
    """A position of a game around Amazons: "killer", "cowboys", "pencil", "134", "tromazons", or
    "amazons" itself (docs/variants.md). It never changes; equal positions have equal hashes; it can
    be pickled."""

    def __getnewargs_ex__(self) -> tuple[tuple[str, str], dict[str, str | None]]: ...
    def __new__(cls, fen: str, rules: str, /, *, turns: str | None = None) -> VariantPosition:
        """Reads a FEN by the rules of this name; `turns` are moves of each turn, "1,3,4", where
        they are not those of the game."""

    @classmethod
    def start(
        cls, board: str, rules: str, amazons: str | None = None, *, turns: str | None = None
    ) -> VariantPosition:
        """Where the game begins on a board, White to move."""

    @property
    def fen(self) -> str: ...
    @property
    def board(self) -> str: ...
    @property
    def rules(self) -> str:
        """The name of its rules."""

    @property
    def turns(self) -> str | None:
        """The moves of each turn, "1,3,4"; None where they are those of the game."""

    @property
    def turn(self) -> Literal["white", "black"]:
        """The side to move."""

    @property
    def outcome(self) -> bool | None:
        """None while the game goes on. When it is over, False: the side to move cannot, and has
        lost."""

    @property
    def winner(self) -> Literal["white", "black"] | None:
        """Who has won, when the game is over."""

    def moves(self) -> list[str]:
        """Every legal move of one amazon."""

    def play(self, played: str, /) -> VariantPosition:
        """The position after a move of one amazon."""

    def solve(self, *, time: float | None = None, memory: int = ...) -> bool:
        """Whether the side to move wins, by a proof search of one thread on a board of at most 64
        squares. TimeoutError after `time` seconds; `memory` in bytes, 256 MiB if nothing is said."""

    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Record:
    """The main line of a recorded game. As text it is a board or a FEN and the moves after it."""

    def __new__(cls, start: Position | str, moves: Sequence[str], /) -> Record:
        """The record of moves from a position; ValueError for the first that is not legal."""

    @property
    def sgf(self) -> str:
        """The record as SGF, with its remarks left out."""

    @property
    def start(self) -> Position:
        """The position that it begins with."""

    @property
    def moves(self) -> list[str]:
        """The moves, one after another; the side to move of the start makes the first."""

    @property
    def positions(self) -> list[Position]:
        """The position after each move."""

    @property
    def moves_left_out(self) -> int:
        """How many moves the game has beside these: those of variations, and those before setup
        within it."""

    @property
    def remarks(self) -> list[str]:
        """What the record says besides moves, and what was supposed where it says too little: who
        resigned, that colours were exchanged."""

def read_records(text: str | bytes, /) -> list[Record]:
    """All games of a record in whatever form a site or a program wrote it: SGF, GGF, lists of moves
    with a board, a FEN or nothing before them, OpenSpiel's boards and numbers; docs/records.md has
    an example of each. What cannot be read is a ValueError that says where, what was expected and
    what was found."""

@final
class Table:
    """A table (a directory that `build` wrote) or an opening table (a file `*.amz`).

    Threads may share one. Files are read when they are needed; one that vanishes or is cut then is
    a TableError."""

    def __new__(cls, path: _Path, /, *, cache: int = ...) -> Table:
        """`cache` bytes of decoded frames are kept, 256 MiB if nothing is said.

        A path that begins with "https://" or "http://" is an address: that of a directory, of whose
        files pieces are fetched as they are needed, or that of a file `*.amz`, which is fetched as a
        whole. The server has to answer requests for ranges of bytes (status 206). What it does not
        do as it should is a TableError."""

    @property
    def path(self) -> str | os.PathLike[str]: ...
    @property
    def board(self) -> str: ...
    @property
    def amazons(self) -> str: ...
    @property
    def start(self) -> Position:
        """The start position of the board, or of the moves of an opening table."""

    @property
    def tiers(self) -> list[dict[str, Any]]:
        """The positions by number of burned squares: dicts with "arrows", "positions", "wins" (of
        the side to move) and "stored". A table counts every placement, and has "mover" and
        "opponent", the amazons of the side to move and of the other; an opening table counts
        images under the symmetries of the board once."""

    def value(self, position: Position | str, /) -> bool:
        """Whether the side to move wins."""

    def moves(self, position: Position | str, /) -> dict[str, bool]:
        """Every legal move, and whether it wins."""

    def values(
        self, positions: Iterable[Position | str] | NDArray[np.uint8], /
    ) -> NDArray[np.bool_]:
        """Whether the side to move wins, of many positions on all threads: a list, or an array of
        packed positions of the table's board, a row each. Each frame of the table is decoded once
        for some millions of positions."""

    def margins(
        self, positions: Iterable[Position | str] | NDArray[np.uint8], /
    ) -> NDArray[np.int8]:
        """By how much each position is won or lost, of a table that was built with margins: the
        least number of spare moves more than the other side's with which the side to move wins. -n
        or 0 is a win by n or 0; n is a loss by n - 1. ValueError if the table does not know them."""

    def sample(
        self, count: int, seed: int = 1, *, by: Literal["positions", "tiers"] = "positions"
    ) -> tuple[NDArray[np.uint8], NDArray[np.bool_]]:
        """Random positions, packed, a row each, and whether the side to move wins. Every position
        is as likely as another, or as many are drawn of each number of burned squares. A seed
        gives the same positions always. TableError if tiers of the table are missing, and
        MemoryError if there is none for so many."""

@final
class Solver:
    """Proof search for the positions of one board: of more than 64 squares, for late positions.

    What it has proved stays in its table for the next question. A position of a board of more than
    64 squares is searched if at most 64 of them take part: those that are not burned, in parts with
    an amazon and an empty square. One that does not come from the position that was asked about
    before begins with an empty table.
    """

    def __new__(
        cls, board: str, *, memory: int = ..., threads: int | None = None, seed: int = 0
    ) -> Solver:
        """`memory` in bytes, 256 MiB if nothing is said and 4 MiB at least; a thread for each
        processor, and at most 1024."""

    @property
    def board(self) -> str: ...
    def solve(
        self,
        position: Position | str,
        /,
        *,
        time: float | None = None,
        progress: _Progress | None = None,
    ) -> bool:
        """Whether the side to move wins. TimeoutError if that is not known after `time` seconds.

        `progress` is told "seconds", "nodes" (positions evaluated), "fill" (share of the table in
        use), and of the moves that differ "open" (not refuted yet) and "total".
        """

    def best_move(
        self,
        position: Position | str,
        /,
        *,
        time: float | None = None,
        progress: _Progress | None = None,
    ) -> str | None:
        """A move that wins, None if none does. TimeoutError if neither is known after `time`
        seconds."""

    def all_moves(
        self,
        position: Position | str,
        /,
        *,
        time: float | None = None,
        progress: _Progress | None = None,
    ) -> dict[str, bool | None]:
        """Every legal move, and whether it wins; None of those not known after `time` seconds."""

@final
class Evaluation:
    """What the engine decided."""

    @property
    def score(self) -> float:
        """The estimated lead of the side to move in squares; infinite where the end is proven or
        known."""

    @property
    def outcome(self) -> bool | None:
        """Whether the side to move wins, None where that is neither proven nor known."""

    @property
    def move(self) -> str | None:
        """The move to play, None if there is none."""

    @property
    def line(self) -> list[str]:
        """The moves that the engine expects."""

    @property
    def source(self) -> Literal["only", "known", "filling", "proof", "search"]: ...
    @property
    def nodes(self) -> int:
        """Positions evaluated."""

@final
class Engine:
    """A player of one board up to 20x20. It remembers from position to position."""

    def __new__(
        cls,
        board: str,
        *,
        memory: int = ...,
        threads: int | None = None,
        knowledge: Knowledge | None = None,
    ) -> Engine:
        """`memory` in bytes, 64 MiB if nothing is said; one thread, and at most 1024. It plays
        perfectly where the value is known by `knowledge`; without any it judges by itself."""

    @property
    def board(self) -> str: ...
    def evaluate(
        self,
        position: Position | str,
        /,
        *,
        time: float | None = None,
        nodes: int | None = None,
        depth: int | None = None,
    ) -> Evaluation:
        """The engine's score and move, within seconds, positions evaluated or moves looked ahead;
        10,000 positions if no limit is given. TableError if a file of its knowledge is damaged."""

    def score(self, position: Position | str, /) -> float:
        """The lead of the side to move in squares, without looking ahead: an estimate, where the
        function `score` counts moves for White that are certain."""

def evaluate(
    position: Position | str,
    /,
    *,
    time: float | None = None,
    nodes: int | None = None,
    depth: int | None = None,
    memory: int = ...,
    threads: int | None = None,
    knowledge: Knowledge | None = None,
) -> Evaluation:
    """As Engine.evaluate, by an engine that remembers nothing. `memory` in bytes, 16 MiB if nothing
    is said."""

def pack(positions: Iterable[Position | str], /) -> NDArray[np.uint8]:
    """Positions of one board as an array of packed positions, a row each; see Position.packed."""

def unpack(board: str, packed: NDArray[np.uint8], /) -> list[Position]:
    """The positions of a board that `pack` or Table.sample made into these rows."""

def build(
    path: _Path,
    board: str,
    amazons: str = "4v4",
    *,
    keep: Literal["all", "odd", "first"] = "all",
    margins: bool = False,
    gpu: bool | Literal["auto"] = ...,
    memory: int = ...,
    threads: int | None = None,
    progress: _Progress | None = None,
) -> Table:
    """Solves every position of a board into a directory, and goes on with what is there already.
    A table of "2v1" is that of "1v2" too: it keeps the name that it was begun with.

    With `margins` also by how much each position is won or lost, for `Table.margins`. With
    `gpu` a graphics card solves, margins too. That takes a module that was built with the feature
    gpu (`maturin build --features gpu`): `"auto"` leaves to the processor what no card can solve, and
    False, which holds if nothing is said, all of it.
    `memory` in bytes, 1 GiB if nothing is said; a thread for each processor. `progress` is told
    "stage", "done", "total" and "unit".
    """

@final
class Verification:
    """What `verify` found. It is true if nothing is wrong."""

    @property
    def kind(self) -> Literal["table", "opening table", "certificate"]: ...
    @property
    def ok(self) -> bool: ...
    @property
    def checked(self) -> int:
        """Entries or positions that were checked."""

    @property
    def wrong(self) -> int:
        """How many of them are wrong."""

    @property
    def not_checked(self) -> int:
        """Positions of the last ply of an opening table, which nothing was held against."""

    @property
    def example(self) -> str | None:
        """A wrong one, as FEN with White to move."""

    @property
    def reason(self) -> str | None: ...
    @property
    def position(self) -> str | None:
        """Of a certificate: the position that it is about."""

    @property
    def winner(self) -> Literal["white", "black"] | None:
        """Of a certificate: who wins there."""

    def __bool__(self) -> bool: ...

def verify(
    path: _Path,
    *,
    sample: int | None = None,
    seed: int | None = None,
    memory: int = ...,
    threads: int | None = None,
    progress: _Progress | None = None,
) -> Verification:
    """Derives every entry of a table again from the moves, or so many random ones, drawn by `seed`
    (1 if nothing is said); checks an opening table, whose last values follow from nothing in the
    file and are counted as not checked, or a certificate.

    `memory` in bytes, 1 GiB if nothing is said. ValueError if `sample` is given with a file, or
    `seed` without `sample`. Tables and certificates of other games are a TableError.
    """

@final
class LocalValue:
    """The combinatorial value of a local position, or of a sum of some."""

    @property
    def region(self) -> str: ...
    @property
    def value(self) -> str:
        """The canonical form, as CGSuite's letters have it: "{1|-1}", "*", "^"."""

    @property
    def temperature(self) -> Fraction:
        """What a move is worth."""

    @property
    def mean(self) -> Fraction: ...
    @property
    def left_stop(self) -> Fraction:
        """The number that is reached if Left (Black, x) begins."""

    @property
    def right_stop(self) -> Fraction: ...
    @property
    def outcome(self) -> Literal["L", "R", "P", "N"]:
        """Who wins: Left, Right, whoever moves second, or whoever moves first."""

    @property
    def left_wall(self) -> list[tuple[Fraction, Fraction]]:
        """The left wall of the thermograph: corners (tax, value) from tax 0 on; vertical above the
        last."""

    @property
    def right_wall(self) -> list[tuple[Fraction, Fraction]]: ...

def region_value(*rows: str, memory: int = ...) -> LocalValue:
    """The value of local positions such as "x..|.#.|..o": rows from the top, x Left (Black), o
    Right (White), . empty, # burned. Several are taken as a sum. MemoryError if `memory` bytes,
    256 MiB if nothing is said, are too few; ValueError if the value is too long to be
    written."""

@final
class Known:
    """What is known of a position: whether its side to move wins, what that rests on in words such
    as "by the opening table of 5x5 4v4", and for each move whether its maker wins by it. None is
    what nobody knows."""

    @property
    def outcome(self) -> bool | None: ...
    @property
    def basis(self) -> str | None: ...
    @property
    def moves(self) -> dict[str, bool | None]: ...

@final
class Knowledge:
    """What is known without a search: by the rules, by bounds on boards of any size, by the files
    at `paths` (directories of tables, opening tables, certificates, and directories of such files),
    and by what this module has without any: 4x4, the first moves of five boards, certificates of
    4x7 and 5x6, and who wins 4x8, 7x4, 6x5, 5x7 and 4x9. TableError if a file is missing, damaged,
    or contradicts another."""

    def __new__(cls, *paths: _Path) -> Knowledge: ...
    def look_up(self, position: Position | str, /) -> Known: ...

def score(position: Position | str, /) -> tuple[int, int]:
    """White's moves less Black's, whoever moves next, at least and at most. Where both are equal
    this is the score of a decided game: the side to move wins if it is ahead."""
