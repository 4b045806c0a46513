"""Games around Amazons: read, played, solved; what is wrong is refused."""

import copy
import pickle
import random

import pytest

from amazons_solver import Position, VariantPosition

GAMES = ["amazons", "killer", "cowboys", "pencil", "134", "tromazons"]


def naive(position, known):
    """Who wins, by the rules alone: moves of one turn may follow one another."""
    if position not in known:
        after = [position.play(move) for move in position.moves()]
        side = position.turn
        ours = (naive(p, known) == (p.turn == side) for p in after)
        known[position] = any(ours)
    return known[position]


@pytest.mark.parametrize("rules", GAMES)
def test_games_are_solved_as_by_the_rules_alone(rules):
    rng = random.Random(3)
    # A turn of 134 takes three amazons and more.
    board, amazons = ("3x4", "4v4") if rules == "134" else ("3x3", "1v1")
    known, checked = {}, 0
    for _ in range(4):
        position = VariantPosition.start(board, rules, amazons)
        while position.outcome is None:
            position = position.play(rng.choice(position.moves()))
            if len(position.moves()) < 8:
                assert position.solve() == naive(position, known), position
                checked += 1
        assert position.winner != position.turn and position.moves() == []
    assert checked > 0


def test_a_position_is_read_and_played():
    position = VariantPosition("q*1/1*1/*1Q w", "cowboys")
    assert (position.board, position.rules, position.turn) == ("3x3", "cowboys", "white")
    after = position.play("c1-a2/c3")
    assert after == VariantPosition("q**/Q*1/*2 b", "cowboys") and len({after, position}) == 2
    assert (after.outcome, after.winner) == (None, None)
    assert (position.solve(), after.solve()) == (True, False)
    assert "c1" in position.moves()[0] and "Q" in str(position)
    assert repr(after) == "VariantPosition('q**/Q*1/*2 b', 'cowboys')"
    assert VariantPosition.start("10x10", "amazons").fen == Position.start("10x10").fen
    assert (position.turns, VariantPosition.start("5x5", "134").turns) == (None, None)


def test_a_position_reads_back_and_is_pickled():
    of_name = VariantPosition.start("4x4", "killer")
    with_turns = VariantPosition.start("5x5", "killer", turns="1,2")
    assert (with_turns.rules, with_turns.turns) == ("killer", "1,2")
    for position in (of_name, with_turns):
        names = {"VariantPosition": VariantPosition}
        assert eval(repr(position), names) == position
        assert pickle.loads(pickle.dumps(position)) == position
        assert copy.deepcopy(position) == position


def test_what_is_wrong_is_refused():
    with pytest.raises(ValueError, match="amazons, killer"):
        VariantPosition.start("4x4", "chess")
    with pytest.raises(ValueError, match="turns"):
        VariantPosition.start("4x4", "killer", turns="0")
    with pytest.raises(ValueError):
        VariantPosition("x w", "killer")
    with pytest.raises(MemoryError, match="at least 1048576 bytes of memory, 0 are"):
        VariantPosition.start("3x3", "killer", "1v1").solve(memory=0)
    start = VariantPosition.start("10x10", "cowboys")
    with pytest.raises(ValueError, match="64"):
        start.solve()
    with pytest.raises(ValueError):
        start.play("a1-a2/a3")
    with pytest.raises(TimeoutError):
        VariantPosition.start("6x6", "killer").solve(time=0.01)
