"""Damages a certificate in many ways and has each copy refused.

    damage.py CHECK UNPACK CERTIFICATE UNPACKED SHOWN

CHECK is the checker, UNPACK is unpack.py, UNPACKED the certificate unpacked, SHOWN what the checker
prints of it.
"""

import os
import struct
import subprocess
import sys
import tempfile

HEADER = 38
CASES = 10


def varint(data, at):
    number = shift = 0
    while True:
        byte = data[at]
        number |= (byte & 127) << shift
        at, shift = at + 1, shift + 7
        if byte < 128:
            return number, at


def as_varint(number):
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    return bytes(out) + bytes([number])


def read(data):
    """The frames: arrows, and a list of codes with moves."""
    frames, at = [], HEADER
    while data[at : at + 1] == b"F":
        arrows, count, _ = struct.unpack_from("<BII", data, at + 1)
        at, code, listed = at + 10, 0, []
        for _ in range(count):
            delta, at = varint(data, at)
            played, at = varint(data, at)
            code += delta
            listed.append((code, played))
        frames.append((arrows, listed))
    assert data[at : at + 1] == b"E"
    return frames


def write(data, frames):
    out = [data[:HEADER]]
    for arrows, listed in frames:
        before, packed = 0, b""
        for code, played in listed:
            packed += as_varint(code - before) + as_varint(played)
            before = code
        out += [struct.pack("<cBII", b"F", arrows, len(listed), len(packed)), packed]
    return b"".join(out) + data[-33:]


def some(things):
    """CASES of them, evenly."""
    things = list(things)
    return things if len(things) <= CASES else [
        things[i * (len(things) - 1) // (CASES - 1)] for i in range(CASES)
    ]


def main(check, unpack, certificate, unpacked, shown):
    with open(certificate, "rb") as file:
        packed = file.read()
    with open(unpacked, "rb") as file:
        whole = file.read()
    with open(shown, "rb") as file:
        shown = file.read()
    frames = read(whole)
    assert write(whole, frames) == whole
    places = [(f, i) for f, (_, listed) in enumerate(frames) for i in range(len(listed))]
    scratch = tempfile.mkdtemp(dir=".")
    copy, copy_unpacked = os.path.join(scratch, "copy"), os.path.join(scratch, "unpacked")

    def refused(data, name=copy_unpacked):
        with open(name, "wb") as file:
            file.write(data)
        done = subprocess.run([check, copy_unpacked], capture_output=True)
        if done.returncode == 0:
            assert done.stdout == shown, "something else is shown"
        else:
            assert done.returncode == 1 and not done.stdout, done
        return done.returncode == 1

    def must_refuse(what, copies):
        copies = list(copies)
        taken = sum(not refused(copy) for copy in copies)
        print(f"{what}: {len(copies) - taken} of {len(copies)} refused")
        return copies and not taken

    def with_byte(data, at, change):
        return data[:at] + bytes([data[at] ^ change]) + data[at + 1 :]

    def with_position(place, *new):
        f, i = place
        arrows, listed = frames[f]
        listed = listed[:i] + list(new) + listed[i + 1 :]
        return write(whole, frames[:f] + ([(arrows, listed)] if listed else []) + frames[f + 1 :])

    def listed(place):
        return frames[place[0]][1][place[1]]

    good = [
        must_refuse("cut off", (whole[:n] for n in some(range(len(whole))))),
        must_refuse("more at the end", [whole + b"\0"]),
        must_refuse("a flipped bit of magic, version, columns, claim",
                    (with_byte(whole, at, 1) for at in (0, 7, 8, 9, 12))),
        must_refuse("a square taken twice", [with_byte(whole, 30, whole[14])]),
        must_refuse("no position listed", [write(whole, [])]),
        must_refuse("another number of arrows in a frame",
                    (write(whole, frames[:f] + [(frames[f][0] + 1, frames[f][1])] + frames[f + 1 :])
                     for f in some(range(len(frames))))),
        must_refuse("a position left out", (with_position(p) for p in some(places))),
        must_refuse("a flipped bit of a code",
                    (with_position(p, (listed(p)[0] ^ 1, listed(p)[1]))
                     for p in some(p for p in places if p[1] + 1 == len(frames[p[0]][1])))),
        must_refuse("a code twice", (with_position(p, listed(p), listed(p)) for p in some(places))),
        must_refuse("a move that does not exist",
                    (with_position(p, (listed(p)[0], 100000)) for p in some(places))),
    ]
    # Another move may win too; then the same is shown, or refused() fails.
    copies = [
        with_position(p, (listed(p)[0], listed(p)[1] ^ bit)) for p in some(places) for bit in (1, 4)
    ]
    others = sum(map(refused, copies))
    print(f"another move: {others} of {len(copies)} refused, the others show the same")
    good.append(others > 0)
    # What zstd makes of a flipped bit is not known: it refuses, or the checker does.
    flipped = 0
    ats = some(range(HEADER, len(packed) - 33))
    for at in ats:
        with open(copy, "wb") as file:
            file.write(with_byte(packed, at, 16))
        done = subprocess.run([sys.executable, unpack, copy, copy_unpacked], capture_output=True)
        if done.returncode == 0:
            with open(copy_unpacked, "rb") as file:
                flipped += refused(file.read())
        else:
            assert done.returncode == 1 and b"refused" in done.stderr, done
            flipped += 1
    print(f"a flipped bit of the packed file: {flipped} of {len(ats)} refused")
    good.append(flipped > 0)
    return 0 if all(good) else 1


if __name__ == "__main__":
    if len(sys.argv) != 6:
        print("usage: damage.py CHECK UNPACK CERTIFICATE UNPACKED SHOWN", file=sys.stderr)
        sys.exit(2)
    sys.exit(main(*sys.argv[1:]))
