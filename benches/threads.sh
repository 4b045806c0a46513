#!/usr/bin/env bash
# Many threads on a real machine: seconds and positions of `amazons solve` on 1 to 16 threads, where
# benches/threads.rs counts positions of virtual threads on any.
#
#     benches/threads.sh BINARY OUT
#
# BINARY is the program `amazons`. OUT is a directory that does not exist yet; each search leaves
# its `--json` in OUT/POSITION.THREADS.RUN.json, and OUT/summary.csv has a line of each. No search
# takes longer than LIMIT, and none begins when ALL seconds are over (both can be set, and THREADS).
# Memory: 8 GiB.
set -euo pipefail

if [ $# -ne 2 ]; then
    echo "usage: $0 BINARY OUT" >&2
    exit 2
fi
binary=$1 out=$2
if [ ! -x "$binary" ]; then
    echo "$binary: expected the program amazons, found nothing that can be run" >&2
    exit 2
fi
if [ -e "$out" ]; then
    echo "$out: expected a directory that does not exist yet" >&2
    exit 2
fi
mkdir -p "$out"

LIMIT=${LIMIT:-30s} ALL=${ALL:-285} THREADS=${THREADS:-16 8 4 2 1}
echo "position,threads,run,seconds,positions,value" > "$out/summary.csv"

# A field of a search's JSON, which is on one line or more.
field() {
    sed -n "s/.*\"$1\": *\"\{0,1\}\([^\",}]*\).*/\1/p" "$2" | head -1
}

# search NAME THREADS RUN BOARD [MOVES]: one search, if there is time.
search() {
    local name=$1 threads=$2 run=$3
    shift 3
    if [ "$SECONDS" -ge "$ALL" ]; then
        echo "$name on $threads threads, run $run: no time is left" >&2
        return
    fi
    local json="$out/$name.$threads.$run.json" begun ended
    begun=$(date +%s%N)
    # A search that runs out of time is a result too.
    "$binary" solve "$@" --threads "$threads" --memory 8GiB --time "$LIMIT" --json \
        > "$json" 2> "$json.err" || true
    ended=$(date +%s%N)
    printf '%s,%s,%s,%s.%03d,%s,%s\n' "$name" "$threads" "$run" \
        "$(((ended - begun) / 1000000000))" "$(((ended - begun) / 1000000 % 1000))" \
        "$(field nodes "$json")" "$(field value "$json")" | tee -a "$out/summary.csv"
}

# Each position on all numbers of threads before a second run of any, most threads first. On one and
# two threads the long ones would take all the time.
for run in 1 2 3; do
    for threads in $THREADS; do
        search 4x7 "$threads" "$run" 4x7
        search 6x4 "$threads" "$run" 6x4
        [ "$threads" -gt 2 ] || continue
        search 5x6-b1-b4-d4 "$threads" "$run" 5x6 b1-b4/d4
        search 6x5-a2-b2-a3 "$threads" "$run" 6x5 a2-b2/a3
        search 4x8 "$threads" "$run" 4x8
    done
done
