#!/bin/sh
# Writes the certificates after the moves that a list names, two at a time, each with the memory
# that the list says; those that are there already are left as they are. What follows the directory
# is the command that solves the position before these moves, with no blanks in its words:
#
#     write.sh LIST DIRECTORY target/release/amazons solve 4x7
set -eu
list=$1 directory=$2
shift 2
export directory command="$*"
mkdir -p "$directory"
columns='NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } { print $at["move"], $at["memory"] }'
awk -F, "$columns" "$list" | xargs -P 2 -L 1 sh -c '
    file=$directory/$(printf %s "$1" | tr / -).proof
    [ -e "$file" ] ||
        exec $command "$1" --threads 1 --memory "$2" --walls --quiet --certificate "$file"' -
