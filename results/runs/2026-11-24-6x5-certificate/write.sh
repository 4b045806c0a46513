#!/bin/sh
# Writes the certificates after each move of White that follows b1-b4/b3 b5-e2/b2 on 6x5, which
# pieces.csv beside this lists with the memory that each is written with, two at a time; those that
# are there already are left as they are. Run it in the root of the repository:
#
#     write.sh target/release/amazons DIRECTORY
set -eu
pieces=$(dirname "$0")/pieces.csv
mkdir -p "$2"
tail -n +2 "$pieces" | cut -d, -f1,5 | xargs -P 2 -I PIECE sh -c '
    move=${3%,*} memory=${3#*,}
    file=$2/$(printf %s "$move" | tr / -).proof
    [ -e "$file" ] || exec "$1" solve 6x5 b1-b4/b3 b5-e2/b2 "$move" --threads 1 --memory "$memory" \
        --walls --quiet --digest results/open/6x5-b1-b4-b3.digest --certificate "$file"' \
    - "$1" "$2" PIECE
