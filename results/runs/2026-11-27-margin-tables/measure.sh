#!/usr/bin/env bash
# Builds tables and their margins, and writes what came of it to out/: measure.sh PROGRAM
set -euo pipefail
program=$(realpath "$1")
mkdir -p out

one() { # BOARD AMAZONS
    local name=$1-$2
    rm -rf "t-$name"
    for margins in "" --margins; do
        # shellcheck disable=SC2086
        /usr/bin/time -o "out/$name$margins.time" -f "%U %S %e %M" \
            nice "$program" build "$1" --amazons "$2" --tables "t-$name" $margins \
            --memory 2GiB -q --json >"out/$name$margins.json"
    done
    "$program" info "t-$name" --csv margins >"out/$name.csv"
    "$program" info "t-$name" --csv margin-hashes >"out/$name.hashes.csv"
}

for amazons in 1v1 2v1 2v2 3v1 3v2 3v3 4v1 4v2 4v3 4v4; do one 4x4 $amazons; done
one 5x5 1v1
one 4x5 4v4
