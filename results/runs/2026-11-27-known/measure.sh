#!/usr/bin/env bash
# What is known without a search, how fast; and the program before it beside the one after, in turn.
#
#     measure.sh BEFORE AFTER WORK      # two programs, and a folder for tables
set -euo pipefail
before=$1 after=$2 work=$3
mkdir -p "$work"
export TIMEFORMAT=%U

# Seconds of processor time of a command, the least of five runs.
least() {
    local runs=() run
    for run in 1 2 3 4 5; do
        runs+=("$({ time "$@" >/dev/null 2>&1 || true; } 2>&1)")
    done
    printf '%s\n' "${runs[@]}" | sort -n | head -1
}

echo "what,program,seconds_of_processor"
for position in 4x4 5x5 4x7 5x6 6x5 10x10; do
    echo "lookup $position,after,$(least "$after" lookup $position)"
done
echo "annotate a game of 10x10 with 87 positions,after,$(least "$after" annotate tests/data/10x10.sgf --time 0s)"

[ -d "$work/4x5" ] || "$after" build 4x5 --tables "$work/4x5" --quiet >/dev/null
"$after" sample "$work/4x5" --count 1000000 --out "$work/sample.csv" --quiet >/dev/null
tail -n +2 "$work/sample.csv" | cut -d, -f1 >"$work/lines"
for turn in 1 2 3; do
    for program in before after; do
        run=${!program}
        echo "solve 5x5 on one thread,$program,$(least "$run" solve 5x5 --method proof --threads 1)"
        echo "solve 6x4 b1-b2/a1 on one thread,$program,$({ time "$run" solve 6x4 b1-b2/a1 --method proof --threads 1 >/dev/null 2>&1; } 2>&1)"
        echo "a million values of 4x5,$program,$({ time "$run" lookup - --tables "$work/4x5" --values-only <"$work/lines" >/dev/null; } 2>&1)"
        rm -rf "$work/built"
        echo "build 4x5,$program,$({ time "$run" build 4x5 --tables "$work/built" --quiet >/dev/null; } 2>&1)"
    done
done
