"""Look-ups a second of processor time: one at a time, and many at a time.

    RAYON_NUM_THREADS=1 python measure.py TABLE COUNT [LOOPED] [CACHE]

COUNT random positions through `values`, from cold and again; LOOPED of them (default 20,000)
through `value`, one after the other, as positions and as FENs. CACHE bytes of decoded frames are
kept."""

import sys
from time import process_time

import amazons_solver as amazons

table = amazons.Table(sys.argv[1])
count = int(sys.argv[2])
looped = int(sys.argv[3]) if len(sys.argv) > 3 else 20_000
cache = int(sys.argv[4]) if len(sys.argv) > 4 else 256 << 20
packed, wins = table.sample(count, seed=5)
table = amazons.Table(sys.argv[1], cache=cache)


def timed(name, number, work):
    began = process_time()
    found = work()
    seconds = process_time() - began
    print(f"{name:45} {number / seconds:12,.0f} a second  {1e6 * seconds / number:8.3f} us each")
    assert (found == wins[: len(found)]).all()
    return number / seconds


print(f"{table.board} {table.amazons}, {count} random positions")
positions = amazons.unpack(table.board, packed[:looped])
fens = [position.fen for position in positions]
one_cold = timed(
    "value(position) in a loop, cold", looped, lambda: [table.value(p) for p in positions]
)
one = timed("value(position) in a loop, again", looped, lambda: [table.value(p) for p in positions])
timed("value(fen) in a loop", looped, lambda: [table.value(fen) for fen in fens])
table = amazons.Table(sys.argv[1], cache=cache)
timed("values(packed), cold", count, lambda: table.values(packed))
many = timed("values(packed), again", count, lambda: table.values(packed))
timed("values(list of positions)", looped, lambda: table.values(positions))
timed("values(list of FENs)", looped, lambda: table.values(fens))
print(f"values / value: {many / one:.1f} times, cold loop {many / one_cold:.1f} times")
