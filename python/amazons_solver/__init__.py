"""Exact solutions of small boards of the Game of the Amazons.

`Position` is the game, `build` and `Table` know every position of a board, `Solver` proves who wins
one position, `Engine` plays where nobody knows, `region_value` evaluates local games,
`read_records` reads games from any site or program, `Knowledge` says what is known without a search,
`score` counts what each side has left, `VariantPosition` is a
position of a game around Amazons. What each name takes and returns is said in the
stub file `_native.pyi` beside this one.
"""

from ._native import (
    Engine,
    Evaluation,
    Knowledge,
    Known,
    LocalValue,
    Position,
    Record,
    Solver,
    Table,
    TableError,
    VariantPosition,
    Verification,
    __version__,
    build,
    evaluate,
    pack,
    read_records,
    region_value,
    score,
    unpack,
    verify,
)

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
