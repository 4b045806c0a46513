// What the second checkers of certificates have in common: how a file is read, as
// docs/certificate.md says. Nothing of it is the program's.
//
// Packed parts are read by libzstd. BLAKE3 is computed by the command b3sum, which must be there.

#pragma once

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <iomanip>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>
#include <zstd.h>

using Set = std::uint64_t;  // of squares, square i is bit i
using Code = unsigned __int128;

struct Refused : std::runtime_error {
    using std::runtime_error::runtime_error;
};

template <class... Parts> [[noreturn]] void refuse(const Parts&... parts) {
    std::ostringstream text;
    (text << ... << parts);
    throw Refused(text.str());
}

inline Set bit(int square) { return Set(1) << square; }
inline int lowest(Set set) { return __builtin_ctzll(set); }
inline int count(Set set) { return __builtin_popcountll(set); }

// Each square of a set, upwards.
#define EACH(square, set) \
    for (Set rest_##square = (set); rest_##square; rest_##square &= rest_##square - 1) \
        if (const int square = lowest(rest_##square); true)

// The BLAKE3 hash of some bytes, by the command b3sum.
inline std::string blake3(const std::string& bytes) {
    int in[2], out[2];
    if (pipe(in) || pipe(out)) refuse("no pipe");
    const pid_t child = fork();
    if (child == 0) {
        dup2(in[0], 0), dup2(out[1], 1);
        for (int end : {in[0], in[1], out[0], out[1]}) close(end);
        execlp("b3sum", "b3sum", "--no-names", static_cast<char*>(nullptr));
        _exit(127);
    }
    close(in[0]), close(out[1]);
    std::size_t written = 0;
    for (ssize_t n; written < bytes.size(); written += n)
        if ((n = write(in[1], bytes.data() + written, bytes.size() - written)) <= 0) break;
    close(in[1]);
    char digits[64];
    std::size_t got = 0;
    for (ssize_t n; got < 64 && (n = read(out[0], digits + got, 64 - got)) > 0;) got += n;
    close(out[0]);
    int status = 1;
    waitpid(child, &status, 0);
    if (status || got < 64) refuse("the hash cannot be checked: no b3sum here");
    std::string hash;
    for (int i = 0; i < 64; i += 2)
        hash += char(std::stoi(std::string(digits + i, 2), nullptr, 16));
    return hash;
}

// Bytes in order, from one end to the other.
struct Bytes {
    const std::string& bytes;
    std::size_t at = 0;

    int byte() {
        if (at == bytes.size()) refuse("too few bytes at ", at);
        return static_cast<unsigned char>(bytes[at++]);
    }

    std::string take(std::size_t length) {
        if (bytes.size() - at < length) refuse("too few bytes at ", at);
        return bytes.substr((at += length) - length, length);
    }

    Code integer(int length) {
        Code value = 0;
        for (int i = 0; i < length; i++) value |= Code(byte()) << 8 * i;
        return value;
    }

    Code variable(int bits, int most) {
        Code value = 0;
        for (int i = 0; i < most; i++) {
            const int next = byte();
            if (bits - 7 * i < 7 && (next & 127) >> (bits - 7 * i)) break;
            value |= Code(next & 127) << 7 * i;
            if (next < 128) return value;
        }
        refuse("an integer is longer than ", bits, " bits or ", most, " bytes");
    }
};

inline std::string whole_file(const std::string& path) {
    std::ifstream stream(path, std::ios::binary);
    std::string whole{std::istreambuf_iterator<char>(stream), {}};
    if (!stream) refuse("cannot be read");
    return whole;
}

// The number of positions of a frame and its unpacked part, of at most `most_packed` and
// `most_unpacked` bytes; the file stands behind the frame then.
struct Frame {
    Set positions;
    std::string unpacked;

    Frame(Bytes& file, Set most_packed, Set most_unpacked) : positions(Set(file.integer(4))) {
        const Set length = Set(file.integer(4));
        if (positions < 1 || positions > 65536) refuse("a frame of ", positions, " positions");
        if (length > most_packed) refuse("a frame of ", length, " bytes");
        const std::string packed = file.take(length);
        unpacked.resize(most_unpacked);
        const std::size_t size =
            ZSTD_decompress(unpacked.data(), unpacked.size(), packed.data(), packed.size());
        if (ZSTD_isError(size)) refuse("zstd: ", ZSTD_getErrorName(size));
        unpacked.resize(size);
    }
};

// Behind the last frame: refuses another tag than that of the end, another hash, and more bytes.
// The hash, in 32 bytes.
inline std::string read_end(Bytes& file, int tag) {
    if (tag != 'E') refuse("a tag ", tag);
    const std::string before = file.bytes.substr(0, file.at - 1);
    const std::string hash = file.take(32);
    if (file.at != file.bytes.size()) refuse("bytes after the hash");
    if (hash != blake3(before)) refuse("the hash is another");
    return hash;
}

// A number of at most nine digits, from 1.
inline std::size_t number_of(const std::string& text) {
    if (text.empty() || text.size() > 9 ||
        text.find_first_not_of("0123456789") != std::string::npos || std::stoul(text) < 1)
        throw std::invalid_argument(text);
    return std::stoul(text);
}

// One of several shares of a check. Listed positions are dealt out to the parts in chunks, which
// are 256 of a frame, or those that are left of it.
struct Part {
    std::size_t number = 1, of = 1;

    Part() = default;

    // As in 3/20.
    explicit Part(const std::string& text) {
        const std::size_t slash = text.find('/');
        if (slash == std::string::npos) throw std::invalid_argument(text);
        number = number_of(text.substr(0, slash)), of = number_of(text.substr(slash + 1));
        if (number > of) throw std::invalid_argument(text);
    }
};

// From where on and up to where listed positions are judged together.
using Chunk = std::pair<std::size_t, std::size_t>;

// Adds the chunks of a frame, whose positions are those from `first` up to `end`.
inline void add_chunks(std::vector<Chunk>& chunks, std::size_t first, std::size_t end) {
    for (; first < end; first += 256) chunks.emplace_back(first, std::min(end, first + 256));
}

// What is said of a part that holds, `checked` behind its number, with the hash of the file.
inline std::string part_holds(const Part& part, const std::string& checked,
                              const std::string& hash) {
    std::ostringstream text;
    text << "part " << part.number << " of " << part.of << " holds; " << checked
         << "; no proof without the other parts of the same file, that with the hash " << std::hex
         << std::setfill('0');
    for (const unsigned char byte : hash) text << std::setw(2) << int(byte);
    return text.str();
}
