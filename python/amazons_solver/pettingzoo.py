"""The Game of the Amazons as an environment of PettingZoo (AEC), on any board.

    from amazons_solver.pettingzoo import env
    game = env("5x5")

The agents are "white", who begins, and "black". An action is a whole move; see
`amazons_solver._actions`. An observation is a dict: "observation", three planes (one's own amazons,
the other's, burned squares), and "action_mask". Without a move an agent has lost: -1, the other 1.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.utils import EzPickle
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from . import Position
from ._actions import actions, count, planes


def env(board: str = "5x5", amazons: str = "4v4", render_mode: str | None = None) -> AECEnv:
    """The environment, in which an illegal action loses the game."""
    game: AECEnv = Environment(board, amazons, render_mode)
    game = wrappers.TerminateIllegalWrapper(game, illegal_reward=-1)
    game = wrappers.AssertOutOfBoundsWrapper(game)
    return wrappers.OrderEnforcingWrapper(game)


class Environment(AECEnv, EzPickle):
    """The environment without wrappers."""

    metadata = {
        "render_modes": ["ansi", "svg"],
        "name": "amazons_solver_v0",
        "is_parallelizable": False,
    }

    def __init__(
        self, board: str = "5x5", amazons: str = "4v4", render_mode: str | None = None
    ) -> None:
        super().__init__()
        EzPickle.__init__(self, board, amazons, render_mode)
        if render_mode not in (None, "ansi", "svg"):
            raise ValueError(f"render_mode: expected 'ansi' or 'svg', found {render_mode!r}")
        self.start = self.position = Position.start(board, amazons)
        self.render_mode = render_mode
        self.possible_agents = ["white", "black"]
        shape = (3, self.start.rows, self.start.columns)
        seen = spaces.Dict(
            {
                "observation": spaces.Box(0, 1, shape, np.int8),
                "action_mask": spaces.Box(0, 1, (count(self.start),), np.int8),
            }
        )
        self.observation_spaces = dict.fromkeys(self.possible_agents, seen)
        self.action_spaces = {
            agent: spaces.Discrete(count(self.start)) for agent in self.possible_agents
        }

    def observation_space(self, agent: str) -> spaces.Space:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begins a game; `options={"fen": ...}` from another position of the board."""
        start = Position((options or {}).get("fen", self.start.fen))
        if start.board != self.start.board:
            raise ValueError(f"the environment is on {self.start.board}, {start} on {start.board}")
        self._begin(start)

    def _begin(self, start: Position) -> None:
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._come_to(start)

    def _come_to(self, position: Position) -> None:
        self.position = position
        self.agent_selection = position.turn
        if position.winner is not None:
            self.terminations = dict.fromkeys(self.agents, True)
            self.rewards = {agent: 1 if agent == position.winner else -1 for agent in self.agents}

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        mask = np.zeros(count(self.start), np.int8)
        if agent == self.position.turn:
            mask[list(actions(self.position))] = 1
        return {"observation": planes(self.position, agent), "action_mask": mask}

    def step(self, action: int | None) -> None:
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        legal = actions(self.position)
        if action not in legal:
            raise ValueError(f"action {action} is illegal in {self.position}")
        self._cumulative_rewards[self.agent_selection] = 0
        self._come_to(self.position.play(legal[action]))
        self._accumulate_rewards()

    def render(self) -> str | None:
        """The position as text or as an SVG document, as `render_mode` says."""
        if self.render_mode == "svg":
            return self.position.svg()
        return self.position.diagram() if self.render_mode == "ansi" else None
