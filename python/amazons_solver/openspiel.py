"""The Game of the Amazons for OpenSpiel, on any board; importing this registers it.

    import pyspiel
    import amazons_solver.openspiel
    game = pyspiel.load_game("amazons_solver", {"board": "5x5", "amazons": "4v4"})

Player 0 is White. An action is a whole move; see `amazons_solver._actions`. With `table`, a path, a
state knows its exact value (`State.value`).
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pyspiel

from . import Position, Table
from ._actions import actions, count, planes

_TYPE = pyspiel.GameType(
    short_name="amazons_solver",
    long_name="Game of the Amazons, small boards",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
    information=pyspiel.GameType.Information.PERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=2,
    min_num_players=2,
    provides_information_state_string=True,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification={"board": "5x5", "amazons": "4v4", "table": ""},
)


class Game(pyspiel.Game):
    """The game from the start position of a board."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        params = params or {}
        self.start = Position.start(params.get("board", "5x5"), params.get("amazons", "4v4"))
        self.table = Table(params["table"]) if params.get("table") else None
        if self.table:
            self.table.value(self.start)
        info = pyspiel.GameInfo(
            num_distinct_actions=count(self.start),
            max_chance_outcomes=0,
            num_players=2,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=int((self.start.to_array() == 0).sum()),
        )
        super().__init__(_TYPE, info, params)

    def new_initial_state(self, state: str | None = None) -> State:
        """The start position, or the position of a FEN."""
        start = Position(state) if state else self.start
        if start.board != self.start.board:
            raise ValueError(f"the game is on {self.start.board}, {start} on {start.board}")
        return State(self, start)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
        """An observer of the position, which both players see."""
        return Observer(self.start)


class State(pyspiel.State):
    """A position of a game."""

    def __init__(self, game: Game, position: Position) -> None:
        super().__init__(game)
        self.position = position

    def value(self) -> float:
        """What player 0 reaches if both play perfectly, by the game's table: 1 or -1."""
        table = self.get_game().table
        if table is None:
            raise ValueError("this game was loaded without a table")
        wins = table.value(self.position) == (self.position.turn == "white")
        return 1.0 if wins else -1.0

    def current_player(self) -> int:
        if self.is_terminal():
            return pyspiel.PlayerId.TERMINAL
        return 0 if self.position.turn == "white" else 1

    def _legal_actions(self, player: int) -> list[int]:
        return list(actions(self.position))

    def _apply_action(self, action: int) -> None:
        self.position = self.position.play(actions(self.position)[action])

    def _action_to_string(self, player: int, action: int) -> str:
        return actions(self.position)[action]

    def is_terminal(self) -> bool:
        return self.position.outcome is not None

    def returns(self) -> list[float]:
        return {None: [0.0, 0.0], "white": [1.0, -1.0], "black": [-1.0, 1.0]}[self.position.winner]

    def __str__(self) -> str:
        return self.position.fen


class Observer:
    """White's amazons, Black's, burned squares, and whose turn it is, as planes of zeros and
    ones."""

    def __init__(self, start: Position) -> None:
        shape = (4, start.rows, start.columns)
        self.tensor = np.zeros(int(np.prod(shape)), np.float32)
        self.dict = {"observation": self.tensor.reshape(shape)}

    def set_from(self, state: State, player: int) -> None:
        """Shows the position of a state."""
        self.dict["observation"][:3] = planes(state.position, "white")
        self.dict["observation"][3] = state.position.turn == "white"

    def string_from(self, state: State, player: int) -> str:
        """The position of a state as FEN."""
        return state.position.fen


pyspiel.register_game(_TYPE, Game)
