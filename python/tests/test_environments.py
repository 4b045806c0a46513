"""The adapters, in the real packages where they are installed."""

import importlib.util
import random

import numpy as np
import pytest

from amazons_solver import Position
from amazons_solver._actions import actions, count, planes

spiel = pytest.mark.skipif(not importlib.util.find_spec("pyspiel"), reason="needs open_spiel")
zoo = pytest.mark.skipif(not importlib.util.find_spec("pettingzoo"), reason="needs pettingzoo")


def test_actions_are_the_moves():
    start = Position.start("5x4", "2v2")
    numbered = actions(start)
    assert sorted(numbered.values()) == sorted(start.moves())
    assert list(numbered) == sorted(numbered) and count(start) == 8000
    # From b1 (1) to c2 (7) with an arrow on d3 (13), on 20 squares.
    assert numbered[(1 * 20 + 7) * 20 + 13] == "b1-c2/d3"
    white, black = planes(start, "white"), planes(start, "black")
    assert white.shape == (3, 4, 5) and white.sum() == 4
    assert (white[0] == black[1]).all() and (white[1] == black[0]).all()


@spiel
def test_open_spiel_plays_it():
    import pyspiel

    import amazons_solver.openspiel as adapter

    game = pyspiel.load_game("amazons_solver", {"board": "4x4", "amazons": "2v2"})
    assert isinstance(game, adapter.Game)
    assert game.num_distinct_actions() == 4096 and game.max_game_length() == 12
    rng = random.Random(3)
    for _ in range(5):
        state = game.new_initial_state()
        while not state.is_terminal():
            assert state.current_player() == (0 if state.position.turn == "white" else 1)
            legal = state.legal_actions()
            assert len(legal) == len(state.position.moves())
            twin = state.clone()
            action = rng.choice(legal)
            name = state.action_to_string(action)
            after = state.position.play(name)
            state.apply_action(action)
            assert state.position == after != twin.position
        loser = 0 if state.position.turn == "white" else 1
        assert state.returns()[loser] == -1 and sum(state.returns()) == 0
        assert state.current_player() == pyspiel.PlayerId.TERMINAL
    observer = game.make_py_observer()
    observer.set_from(game.new_initial_state(), 0)
    assert observer.dict["observation"].shape == (4, 4, 4)
    assert observer.tensor.sum() == 2 + 2 + 16
    with pytest.raises(ValueError, match="without a table"):
        game.new_initial_state().value()


@spiel
def test_open_spiel_s_own_check():
    import pyspiel

    import amazons_solver.openspiel  # noqa: F401

    game = pyspiel.load_game("amazons_solver", {"board": "4x4", "amazons": "1v1"})
    pyspiel.random_sim_test(game, num_sims=3, serialize=False, verbose=False)


@spiel
def test_open_spiel_s_search_finds_the_exact_value(small):
    import pyspiel
    from open_spiel.python.algorithms import minimax

    import amazons_solver.openspiel  # noqa: F401

    params = {"board": "3x4", "amazons": "1v1", "table": str(small.path)}
    game = pyspiel.load_game("amazons_solver", params)
    state = game.new_initial_state()
    assert state.value() == (1.0 if small.value(small.start) else -1.0)
    rng = random.Random(5)
    while len(state.legal_actions()) > 8:
        state.apply_action(rng.choice(state.legal_actions()))
    found, _ = minimax.alpha_beta_search(
        game, state=state, value_function=None, maximum_depth=12, maximizing_player_id=0
    )
    assert found == state.value()


@zoo
@pytest.mark.filterwarnings("ignore")
def test_petting_zoo_accepts_it():
    from pettingzoo.test import api_test

    from amazons_solver.pettingzoo import env

    api_test(env("4x4", "2v2"), num_cycles=60, verbose_progress=False)


@zoo
def test_a_game_in_petting_zoo():
    from amazons_solver.pettingzoo import Environment, env

    game = env("4x4", "1v1", render_mode="ansi")
    game.reset(seed=1)
    rng, rewards = random.Random(1), {"white": 0, "black": 0}
    for agent in game.agent_iter():
        observation, reward, terminated, truncated, _ = game.last()
        rewards[agent] += reward
        legal = np.flatnonzero(observation["action_mask"])
        game.step(None if terminated or truncated else rng.choice(legal))
    position = game.unwrapped.position
    loser = "black" if position.winner == "white" else "white"
    assert position.outcome is False and rewards == {position.winner: 1, loser: -1}
    assert game.render() == position.diagram()
    bare = Environment("4x4", "1v1")
    bare.reset(options={"fen": "Q3/4/4/3q b"})
    assert bare.agent_selection == "black"
    with pytest.raises(ValueError, match="is illegal"):
        bare.step(0)
    with pytest.raises(ValueError, match="5x5"):
        bare.reset(options={"fen": Position.start("5x5").fen})
    with pytest.raises(ValueError, match="'ansi' or 'svg'"):
        Environment(render_mode="human")
