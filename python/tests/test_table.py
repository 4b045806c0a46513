"""Tables: values, moves, building, checking, and files that are not what they should be."""

import os
import random
import shutil
import threading

import numpy as np
import pytest

import amazons_solver as amazons
from amazons_solver import Position, Table, TableError

FIVE = "5x5-4v4/opening-5x5.amz"


def naive(position, known):
    """Plain negamax."""
    if position not in known:
        known[position] = any(not naive(position.play(m), known) for m in position.moves())
    return known[position]


def walk(start, random, plies):
    """Positions of a random game."""
    while plies > 0 and start.moves():
        start = start.play(random.choice(start.moves()))
        plies -= 1
        yield start


def test_values_are_those_of_negamax(small):
    known, position = {}, Position.start("3x4", "1v1")
    assert small.value(position) == naive(position, known)
    for move, wins in small.moves(position.fen).items():
        assert wins == (not naive(position.play(move), known))
    assert list(small.moves(position)) == position.moves()


def test_many_values_are_the_single_ones(table):
    rng = random.Random(1)
    start = Position.start("4x4", "2v2")
    positions = [position for _ in range(60) for position in walk(start, rng, 8)]
    mixed = [p if i % 2 else p.fen for i, p in enumerate(positions)]
    values = table.values(mixed)
    assert values.dtype == np.bool_ and values.shape == (len(positions),)
    assert values.tolist() == [table.value(position) for position in positions]
    assert 0 < values.sum() < len(positions)
    assert table.values(iter(mixed)).tolist() == values.tolist()
    assert table.values([]).shape == (0,)


def test_margins_are_those_of_the_definition(tmp_path):
    table = amazons.build(tmp_path / "margins", "3x3", "1v1", margins=True)
    packed, wins = table.sample(500)
    margins = table.margins(packed)
    assert margins.dtype == np.int8 and ((margins <= 0) == wins).all()
    assert margins.min() < 0 and margins.max() > 1
    position = Position.start("3x3", "1v1")
    after = table.margins([position.play(move) for move in position.moves()])
    assert table.margins([position.fen])[0] <= (1 - after).min()
    plain = amazons.build(tmp_path / "plain", "3x3", "1v1")
    with pytest.raises(ValueError, match="margins"):
        plain.margins([position])
    with pytest.raises(ValueError, match="position 1: "):
        table.margins([position, "nonsense"])
    # As many as are looked up beside a thread that looks for Ctrl-C.
    many = table.sample(5000)[0]
    assert (table.margins(many)[:500] == table.margins(many[:500])).all()


def test_a_table_answers_its_board_either_way_round(small):
    lying = Position("q3/4/3Q w")
    standing = Position("q2/3/3/2Q w")
    assert small.value(lying) == small.value(standing)


def test_what_a_table_holds(small):
    assert (small.board, small.amazons) == ("3x4", "1v1")
    assert small.start == Position.start("3x4", "1v1")
    assert sorted(tier["arrows"] for tier in small.tiers) == list(range(11))
    first = next(tier for tier in small.tiers if tier["arrows"] == 0)
    assert first["positions"] == 12 * 11 and 0 < first["wins"] < 132
    assert (first["mover"], first["opponent"], first["stored"]) == (1, 1, True)
    assert repr(small).endswith(": 3x4 1v1") and str(small.path) in repr(small)


def test_opening_tables(results):
    opening = Table(results / FIVE)
    start = Position.start("5x5")
    assert opening.start == start and (opening.board, opening.amazons) == ("5x5", "4v4")
    assert opening.value(start) is True
    moves = opening.moves(start)
    assert (len(moves), sum(moves.values())) == (260, 84)
    assert moves["b1-b3/d3"] is True
    children = [start.play(move) for move in moves]
    assert opening.values(children).tolist() == [not wins for wins in moves.values()]
    assert [tier["arrows"] for tier in opening.tiers] == [0, 1, 2, 3]
    last = start
    for _ in range(3):
        last = last.play(last.moves()[0])
    assert opening.value(last) in (True, False)
    with pytest.raises(ValueError, match="its value, not those of its moves"):
        opening.moves(last)
    with pytest.raises(ValueError, match="what at most 3 moves"):
        opening.value(last.play(last.moves()[0]))


def test_positions_of_other_boards(small, results):
    ours, other = Position.start("3x4", "1v1"), Position.start("4x4", "1v1")
    with pytest.raises(ValueError, match="on 4x4"):
        small.value(other)
    with pytest.raises(ValueError, match="position 2: .*on 4x4"):
        small.values([ours, ours.fen, other, ours])
    with pytest.raises(ValueError, match="^position 1: .*2v1"):
        small.values([ours, Position.start("3x4", "2v1")])
    with pytest.raises(ValueError, match="position 1: expected a position"):
        small.values([ours, ""])
    with pytest.raises(TypeError, match="position 1: expected a Position or a FEN, found int"):
        small.values([ours, 7])
    with pytest.raises(TypeError, match="found NoneType"):
        small.value(None)
    with pytest.raises(TypeError):
        small.values(5)
    with pytest.raises(ValueError, match="position 0"):
        Table(results / FIVE).values([other])


def test_files_that_are_no_tables(tmp_path):
    with pytest.raises(TableError, match="no table"):
        Table(tmp_path / "nowhere")
    with pytest.raises(OSError, match="no table"):
        Table(tmp_path)
    junk = tmp_path / "junk.amz"
    junk.write_bytes(b"AMZOPENS" + bytes(100))
    with pytest.raises(TableError, match="junk.amz"):
        Table(junk)
    (tmp_path / "manifest.json").write_text("{")
    with pytest.raises(TableError, match="manifest.json"):
        Table(tmp_path)
    with pytest.raises(TypeError):
        Table(3)


def tier_files(directory):
    return sorted(directory.glob("*.amz"), key=lambda file: file.stat().st_size)


def test_a_table_that_vanishes(small, tmp_path):
    start = Position.start("3x4", "1v1")
    shutil.copytree(small.path, tmp_path / "gone")
    gone = Table(tmp_path / "gone")
    shutil.rmtree(tmp_path / "gone")
    with pytest.raises(TableError, match="cannot read"):
        gone.value(start)
    with pytest.raises(TableError, match="position 0: cannot read"):
        gone.values([start])


def test_a_table_that_is_cut(small, tmp_path):
    start = Position.start("3x4", "1v1")
    shutil.copytree(small.path, tmp_path / "cut")
    cut = Table(tmp_path / "cut")
    for file in tier_files(tmp_path / "cut"):
        file.write_bytes(file.read_bytes()[:-20])
    with pytest.raises(TableError, match="is damaged"):
        cut.value(start)


def test_a_table_that_is_cut_while_it_is_open(table, tmp_path):
    shutil.copytree(table.path, tmp_path / "cut")
    cut = Table(tmp_path / "cut")
    rng, start = random.Random(2), Position.start("4x4", "2v2")
    assert cut.value(start) == table.value(start)
    for file in tier_files(tmp_path / "cut"):
        with file.open("r+b") as tier:
            tier.truncate(100)
    failures = 0
    for position in walk(start, rng, 12):
        try:
            assert cut.value(position) == table.value(position)
        except TableError:
            failures += 1
    assert failures > 0


def test_threads_share_a_table(table):
    start = Position.start("4x4", "2v2")
    children = [start.play(move) for move in start.moves()]
    expected = table.values(children).tolist()
    found = []
    work = [
        threading.Thread(target=lambda: found.append(table.values(children).tolist()))
        for _ in range(4)
    ]
    for thread in work:
        thread.start()
    for thread in work:
        thread.join()
    assert found == [expected] * 4


def test_building(tmp_path):
    told = []
    table = amazons.build(tmp_path / "t", "3x3", "1v1", threads=1, progress=told.append)
    assert table.value(Position("q2/3/2Q w")) is True
    assert told and set(told[-1]) == {"stage", "done", "total", "unit"}
    again = amazons.build(tmp_path / "t", "3x3", "1v1")
    assert again.tiers == table.tiers
    odd = amazons.build(tmp_path / "odd", "3x3", "1v1", keep="odd")
    assert {tier["arrows"] % 2 for tier in odd.tiers if tier["stored"]} == {1}
    assert odd.value(Position("q2/3/2Q w")) is True


def test_what_cannot_be_built(tmp_path, small):
    with pytest.raises(ValueError, match="10x10"):
        amazons.build(tmp_path / "t", "10x10")
    with pytest.raises(ValueError, match="too many placements of a side"):
        amazons.build(tmp_path / "t", "6x6", "7v1")
    with pytest.raises(MemoryError, match="at least"):
        amazons.build(tmp_path / "t", "4x4", memory=1000)
    with pytest.raises(ValueError, match="holds a table of 3x4 1v1"):
        amazons.build(small.path, "3x3", "1v1")
    with pytest.raises(ValueError, match="'all', 'odd' or 'first'"):
        amazons.build(tmp_path / "t", "3x3", "1v1", keep="even")
    with pytest.raises(ValueError, match="expected a whole number of 0 to .*, found -1"):
        amazons.build(tmp_path / "t", "3x3", "1v1", memory=-1)
    (tmp_path / "file").write_text("")
    with pytest.raises(TableError, match="file"):
        amazons.build(tmp_path / "file", "3x3", "1v1")


def test_verifying(small, tmp_path, results):
    told = []
    verified = amazons.verify(small.path, progress=told.append, threads=1)
    assert verified and verified.kind == "table" and verified.wrong == 0 and told
    stored = sum(tier["positions"] for tier in small.tiers)
    assert 0 < verified.checked <= stored
    sample = amazons.verify(small.path, sample=50, seed=7)
    assert sample.ok and sample.checked >= 50
    opening = amazons.verify(results / "4x6-4v4/opening-6x4.amz")
    assert opening and opening.kind == "opening table" and opening.checked > 1000
    last = Table(results / "4x6-4v4/opening-6x4.amz").tiers[-1]["positions"]
    proof = amazons.verify(results / "proofs/4x7.proof")
    assert opening.not_checked == last and proof.not_checked == verified.not_checked == 0
    assert proof and (proof.kind, proof.winner) == ("certificate", "white")
    assert proof.position == Position.start("4x7").fen


def test_what_a_check_passes_over_is_refused(small, results):
    proof, opening = results / "proofs/4x7.proof", results / "4x6-4v4/opening-6x4.amz"
    for file in (proof, opening):
        with pytest.raises(ValueError, match=f"sample is for tables, .*{file.name} is none"):
            amazons.verify(file, sample=5)
    for path in (small.path, proof, opening):
        with pytest.raises(ValueError, match="seed goes with sample"):
            amazons.verify(path, seed=1)


def test_checks_say_what_memory_they_need(small, results):
    files = (small.path, results / "proofs/4x7.proof", results / "4x6-4v4/opening-6x4.amz")
    for path in files:
        for memory in (0, 10_000):
            with pytest.raises(MemoryError, match="needs.* bytes of memory"):
                amazons.verify(path, memory=memory)
    with pytest.raises(MemoryError) as refused:
        amazons.verify(small.path, memory=0, threads=1)
    needed = int(str(refused.value).split("at least ")[1].split()[0])
    assert amazons.verify(small.path, memory=needed, threads=1)
    with pytest.raises(MemoryError, match="at least"):
        amazons.verify(small.path, memory=needed - 1, threads=1)
    with pytest.raises(MemoryError, match="at least"):
        amazons.verify(small.path, sample=9, memory=1000)
    assert amazons.verify(files[1], memory=16 << 20)


def test_other_games_are_refused(results):
    with pytest.raises(TableError, match="certificate of another game, expected one of Amazons"):
        amazons.verify(results / "variants/proofs/cowboys-3x3-1v1.proof")


def test_damage_is_found(small, tmp_path, results):
    damaged = tmp_path / "proof"
    good = (results / "proofs/4x7.proof").read_bytes()
    damaged.write_bytes(good[:-40])
    with pytest.raises(TableError, match="proof"):
        amazons.verify(damaged)
    with pytest.raises(TableError):
        amazons.verify(tmp_path)
    with pytest.raises(TableError):
        amazons.verify(tmp_path / "nowhere")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no such pipes")
def test_a_pipe_is_refused_and_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(TableError, match="pipe"):
        amazons.verify(tmp_path / "pipe")
    with pytest.raises(TableError, match="pipe"):
        Table(tmp_path / "pipe")


def test_an_exception_of_the_callback_ends_a_build(tmp_path):
    class Enough(Exception):
        pass

    def callback(told):
        raise Enough

    with pytest.raises(Enough):
        amazons.build(tmp_path / "t", "4x4", "2v2", progress=callback)
    assert amazons.build(tmp_path / "t", "4x4", "2v2").value(Position.start("4x4", "2v2")) in (
        True,
        False,
    )


def test_a_graphics_card_solves_the_same_table_or_is_refused_by_name(tmp_path):
    plain = amazons.build(tmp_path / "plain", "3x3", "1v1")
    auto = amazons.build(tmp_path / "auto", "3x3", "1v1", gpu="auto")
    assert auto.tiers == plain.tiers
    # A machine with a card and a module with the feature solves; any other says what it lacks.
    try:
        by_card = amazons.build(tmp_path / "card", "3x3", "1v1", gpu=True)
    except ValueError as error:
        assert "feature gpu" in str(error) or "graphics adapter" in str(error)
        assert not (tmp_path / "card").exists()
    else:
        assert by_card.tiers == plain.tiers
    with pytest.raises(ValueError, match="gpu: expected True, False or 'auto', found 'yes'"):
        amazons.build(tmp_path / "other", "3x3", "1v1", gpu="yes")
    with pytest.raises(ValueError, match="gpu: expected True, False or 'auto', found 1"):
        amazons.build(tmp_path / "other", "3x3", "1v1", gpu=1)
    start = Position.start("3x3", "1v1")
    margins = amazons.build(tmp_path / "margins", "3x3", "1v1", margins=True, gpu="auto")
    by_processor = amazons.build(tmp_path / "processor", "3x3", "1v1", margins=True)
    assert margins.tiers == plain.tiers
    assert margins.margins([start]) == by_processor.margins([start])
