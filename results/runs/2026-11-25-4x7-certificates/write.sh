#!/bin/sh
# Writes the certificates after the first moves of 4x7, which pieces.csv beside this lists, two at a
# time; those that are there already are left as they are. Run it in the root of the repository:
#
#     write.sh target/release/amazons DIRECTORY
set -eu
pieces=$(dirname "$0")/pieces.csv
mkdir -p "$2"
tail -n +2 "$pieces" | cut -d, -f1 | xargs -P 2 -I MOVE sh -c '
    file=$2/$(printf %s "$3" | tr / -).proof
    [ -e "$file" ] || exec "$1" solve 4x7 "$3" --threads 1 --memory 3GiB --walls --quiet \
        --certificate "$file"' - "$1" "$2" MOVE
