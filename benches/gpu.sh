#!/usr/bin/env bash
# Tables by a graphics card, held against known counts and hashes, and timed; the processor of the
# same machine beside it. At most six minutes.
#
#   benches/gpu.sh AMAZONS OUT [SCRATCH]
#
# AMAZONS is a program that is built with the feature gpu. Everything that is measured goes to files
# in OUT: info.txt, times.csv, one log a run, and the counts and hashes that were found. The tables
# are built in SCRATCH (default: a temporary folder) and deleted. The status is 0 if every figure is
# right.
set -uo pipefail
[ $# -ge 2 ] || { sed -n '2,11s/^# \{0,1\}//p' "$0" >&2; exit 2; }
amazons=$(realpath "$1")
mkdir -p "$2"
out=$(realpath "$2")
root=$(realpath "$(dirname "$0")/..")
scratch=$(mktemp -d -p "${3:-${TMPDIR:-/tmp}}")
trap 'rm -rf "$scratch"' EXIT
failed=0
# Seconds that all runs together may take.
limit=${GPU_SECONDS:-345}

complain() {
    printf 'gpu.sh: %s\n' "$*" | tee -a "$out/failures.txt" >&2
    failed=1
}

{
    date -u
    uname -a
    nproc
    free -g
    command -v nvidia-smi >/dev/null && nvidia-smi
    "$amazons" --version
    "$amazons" info --gpu
    "$amazons" info --gpu --json
    "$amazons" plan 5x5 --gpu --keep none
} >"$out/info.txt" 2>&1
"$amazons" info --gpu >/dev/null 2>&1 || complain "no graphics card: $("$amazons" info --gpu 2>&1)"
echo "name,by,seconds,status,host_megabytes" >"$out/times.csv"

# measure NAME BY COMMAND...: runs a command and notes its time; its output goes to a log.
measure() {
    local name=$1 by=$2 begun ended status=0 left peak=
    shift 2
    left=$((limit - SECONDS))
    if [ "$left" -lt 5 ]; then
        complain "$name by $by is left out: no time is left"
        return 1
    fi
    begun=$(date +%s.%N)
    if [ -x /usr/bin/time ]; then
        /usr/bin/time -f %M -o "$scratch/peak" timeout -s INT -k 20 "$left" "$@" >"$out/$name.$by.log" 2>&1 || status=$?
        peak=$(tail -n 1 "$scratch/peak")
        peak=$((${peak:-0} / 1024))
    else
        timeout -s INT -k 20 "$left" "$@" >"$out/$name.$by.log" 2>&1 || status=$?
    fi
    ended=$(date +%s.%N)
    awk -v a="$begun" -v b="$ended" -v row="$name,$by," -v rest=",$status,$peak" \
        'BEGIN { printf "%s%.2f%s\n", row, b - a, rest }' | tee -a "$out/times.csv"
    [ "$status" = 0 ] || complain "$name by $by ended with status $status: $(tail -n 3 "$out/$name.$by.log")"
    return "$status"
}

# compare NAME BY DIRECTORY OF: holds the counts and hashes of a table against those in a folder.
compare() {
    local name=$1 by=$2 directory=$3 of=$4 figures
    for figures in counts hashes; do
        "$amazons" info "$directory" --csv "$figures" >"$out/$name.$by.$figures.csv" 2>>"$out/failures.txt"
        [ -n "$of" ] || continue
        if cmp -s "$out/$name.$by.$figures.csv" "$of/$figures.csv"; then
            echo "$name by $by: $figures are right" | tee -a "$out/compared.txt"
        else
            complain "$name by $by: $figures differ from $of/$figures.csv"
        fi
    done
}

# table NAME BY BOARD AMAZONS FOLDER OPTION...: builds, compares, deletes.
table() {
    local name=$1 by=$2 board=$3 sides=$4 of=$5
    shift 5
    if measure "$name" "$by" "$amazons" build "$board" --amazons "$sides" --tables "$scratch/$name" -v "$@"; then
        compare "$name" "$by" "$scratch/$name" "$of"
    fi
    rm -rf "${scratch:?}/$name"
}

table 4x4 gpu 4x4 4v4 "$root/results/4x4-4v4" --gpu
table 4x5 gpu 4x5 4v4 "$root/results/4x5-4v4" --gpu
table 4x5-none gpu 4x5 4v4 "$root/results/4x5-4v4" --gpu --keep none
table 4x5 cpu 4x5 4v4 "$root/results/4x5-4v4"
table 5x5-2v2 gpu 5x5 2v2 "" --gpu
table 5x5-2v2 cpu 5x5 2v2 ""
for figures in counts hashes; do
    [ -e "$out/5x5-2v2.gpu.$figures.csv" ] && [ -e "$out/5x5-2v2.cpu.$figures.csv" ] || continue
    cmp -s "$out/5x5-2v2.gpu.$figures.csv" "$out/5x5-2v2.cpu.$figures.csv" \
        || complain "5x5 2v2: $figures of the card and of the processor differ"
done
# Nothing stays but counts, hashes and the opening table: nothing else is encoded.
table 5x5-none gpu 5x5 4v4 "$root/results/5x5-4v4" --gpu --keep none
printf '%d s in all\n' "$SECONDS" | tee -a "$out/info.txt"
exit "$failed"
