"""Says that all parts of a certificate were accepted: collect.py RECORD...

A record is what `check UNPACKED K/N` prints of a part that it accepts. All parts from 1 to N have to
be there, each once, of the same N, of one file, by one checker, and with the same claim; then the
claim is printed. Status: 0 all parts are there, 1 not, 2 wrong usage.
"""

import re
import sys

RECORD = re.compile(
    r"(?P<claim>(?:[.wbx](?: [.wbx])*\n)+(?:White|Black) to move, (?:White|Black) wins\n)"
    r"if all parts hold; this is part (?P<k>[1-9][0-9]*)/(?P<n>[1-9][0-9]*)\n"
    r"sha256 of the unpacked file: (?P<file>[0-9a-f]{64})\n"
    r"sha256 of the checker's sources: (?P<checker>[0-9a-f]{64})\n",
    re.ASCII,
)


def refuse(why):
    sys.exit(f"refused: {why}")


def collect(names):
    seen, first = {}, None
    for name in names:
        try:
            with open(name, encoding="ascii") as file:
                record = RECORD.fullmatch(file.read())
        except (OSError, UnicodeDecodeError) as why:
            refuse(f"{name}: {why}")
        if not record:
            refuse(f"{name}: not the record of an accepted part")
        k, n = int(record["k"]), int(record["n"])
        first = first or (name, n, record["file"], record["claim"], record["checker"])
        if n != first[1]:
            refuse(f"{name}: one of {n} parts, {first[0]} is one of {first[1]}")
        if record["file"] != first[2]:
            refuse(f"{name}: a part of another file than {first[0]}")
        if record["claim"] != first[3]:
            refuse(f"{name}: another claim than that of {first[0]}")
        if record["checker"] != first[4]:
            refuse(f"{name}: by another checker than {first[0]}")
        if k > n:
            refuse(f"{name}: part {k} of {n}")
        if k in seen:
            refuse(f"{name}: part {k} a second time, after {seen[k]}")
        seen[k] = name
    _, n, file, claim, checker = first
    missing = [k for k in range(1, n + 1) if k not in seen]
    if missing:
        more = f" and {len(missing) - 5} others" if len(missing) > 5 else ""
        refuse(f"of {n} parts these are missing: {', '.join(map(str, missing[:5]))}{more}")
    print(f"{claim}all {n} parts are accepted\nsha256 of the unpacked file: {file}")
    print(f"sha256 of the checker's sources: {checker}")


if __name__ == "__main__":
    if len(sys.argv) < 2:
        print("usage: collect.py RECORD...", file=sys.stderr)
        sys.exit(2)
    collect(sys.argv[1:])
