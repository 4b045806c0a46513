"""XXH3-64 with a seed, after the description of xxHash 0.8 (github.com/Cyan4973/xxHash).

Plain Python, half a second a megabyte: for the checksums of a small table, no more. Four bytes or
more: no part of a table is shorter.
"""

import struct

M32, M64 = (1 << 32) - 1, (1 << 64) - 1
P32_1, P32_2, P32_3 = 0x9E3779B1, 0x85EBCA77, 0xC2B2AE3D
P64_1, P64_2, P64_3 = 0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9
P64_4, P64_5 = 0x85EBCA77C2B2AE63, 0x27D4EB2F165667C5
SECRET = bytes.fromhex(
    "b8fe6c3923a44bbe7c01812cf721ad1cded46de9839097db7240a4a4b7b3671fcb79e64eccc0e578825a"
    "d07dccff7221b8084674f743248ee03590e6813a264c3c2852bb91c300cb88d0658b1b532ea371644897"
    "a20df94e3819ef46a9deacd8a8fa763fe39c343ff9dcbbc7c70b4f1d8a51e04bcdb45931c89f7ec9d978"
    "7364eac5ac8334d3ebc3c581a0fffa1363eb170ddd51b7f0da49d316552629d4689e2b16be587d47a1fc"
    "8ff8b8d17ad031ce45cb3a8f95160428afd7fbcabb4b407e"
)


def u32(data, at):
    return int.from_bytes(data[at : at + 4], "little")


def u64(data, at):
    return int.from_bytes(data[at : at + 8], "little")


def fold(a, b):
    product = a * b
    return (product & M64) ^ (product >> 64)


def avalanche(h, first=37, by=0x165667919E3779F9, last=32):
    h = ((h ^ (h >> first)) * by) & M64
    return h ^ (h >> last)


def mix(data, at, secret_at, seed):
    low = u64(data, at) ^ ((u64(SECRET, secret_at) + seed) & M64)
    return fold(low, u64(data, at + 8) ^ ((u64(SECRET, secret_at + 8) - seed) & M64))


def short(data, seed):
    size = len(data)
    if size < 9:
        seed ^= int.from_bytes((seed & M32).to_bytes(4, "little"), "big") << 32
        h = (u32(data, size - 4) + (u32(data, 0) << 32)) & M64
        h ^= ((u64(SECRET, 8) ^ u64(SECRET, 16)) - seed) & M64
        h ^= ((h << 49 | h >> 15) ^ (h << 24 | h >> 40)) & M64
        h = (h * 0x9FB21C651E98DF25) & M64
        return avalanche(h ^ ((h >> 35) + size), 64, 0x9FB21C651E98DF25, 28)
    low = u64(data, 0) ^ (((u64(SECRET, 24) ^ u64(SECRET, 32)) + seed) & M64)
    high = u64(data, size - 8) ^ (((u64(SECRET, 40) ^ u64(SECRET, 48)) - seed) & M64)
    swapped = int.from_bytes(low.to_bytes(8, "little"), "big")
    return avalanche((size + swapped + high + fold(low, high)) & M64)


def medium(data, seed):
    size, h = len(data), len(data) * P64_1
    if size <= 128:
        for i in range((size - 1) // 32 + 1):
            h += mix(data, 16 * i, 32 * i, seed) + mix(data, size - 16 * i - 16, 32 * i + 16, seed)
        return avalanche(h & M64)
    h = avalanche((h + sum(mix(data, 16 * i, 16 * i, seed) for i in range(8))) & M64)
    h += sum(mix(data, 16 * i, 16 * (i - 8) + 3, seed) for i in range(8, size // 16))
    return avalanche((h + mix(data, size - 16, 119, seed)) & M64)


def long(data, seed):
    words = struct.unpack("<24Q", SECRET)
    words = [(w + (-seed if i % 2 else seed)) & M64 for i, w in enumerate(words)]
    secret = struct.pack("<24Q", *words)
    acc = [P32_3, P64_1, P64_2, P64_3, P64_4, P32_2, P64_5, P32_1]

    def stripe(at, secret_at):
        for i, (word, key) in enumerate(
            zip(struct.unpack_from("<8Q", data, at), struct.unpack_from("<8Q", secret, secret_at))
        ):
            key ^= word
            acc[i ^ 1] = (acc[i ^ 1] + word) & M64
            acc[i] = (acc[i] + (key & M32) * (key >> 32)) & M64

    for n in range((len(data) - 1) // 64):
        stripe(64 * n, 8 * (n % 16))
        if n % 16 == 15:
            acc = [((a ^ (a >> 47) ^ key) * P32_1) & M64 for a, key in zip(acc, words[16:])]
    stripe(len(data) - 64, 121)
    h = len(data) * P64_1
    for i in range(0, 8, 2):
        h += fold(acc[i] ^ u64(secret, 11 + 8 * i), acc[i + 1] ^ u64(secret, 19 + 8 * i))
    return avalanche(h & M64)


def xxh3_64(data, seed=0):
    """The hash of four bytes or more."""
    if len(data) < 4:
        raise ValueError("XXH3 of fewer than four bytes is left out here")
    return (short if len(data) <= 16 else medium if len(data) <= 240 else long)(data, seed)
