"""Unpacks the frames of a certificate: unpack.py CERTIFICATE UNPACKED.

The rest of the file stays as it is, the hash too, which nobody looks at then. Uses the program
zstd. It is no part of the proof: whatever it writes, the checker takes only what holds.
"""

import struct
import subprocess
import sys

HEADER = 38
LARGEST = 65536 * 22


def unpacked(data):
    out, at = [data[:HEADER]], HEADER
    while data[at : at + 1] == b"F":
        if len(data) < at + 10:
            sys.exit(f"refused: the file ends in the frame at byte {at}")
        (length,) = struct.unpack_from("<I", data, at + 6)
        packed = data[at + 10 : at + 10 + length]
        if len(packed) != length:
            sys.exit(f"refused: the file ends in the frame at byte {at}")
        done = subprocess.run(["zstd", "-dcq"], input=packed, capture_output=True)
        if done.returncode != 0 or len(done.stdout) > LARGEST:
            sys.exit(f"refused: zstd does not unpack the frame at byte {at}")
        out += [data[at : at + 6], struct.pack("<I", len(done.stdout)), done.stdout]
        at += 10 + length
    return b"".join(out + [data[at:]])


if __name__ == "__main__":
    if len(sys.argv) != 3:
        print("usage: unpack.py CERTIFICATE UNPACKED", file=sys.stderr)
        sys.exit(2)
    with open(sys.argv[1], "rb") as file:
        data = file.read()
    with open(sys.argv[2], "wb") as file:
        file.write(unpacked(data))
