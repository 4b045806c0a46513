// A second checker of certificates, written from docs/certificate.md alone.
//
// It shares nothing with the program: it has its own moves, codes, negamax and wall rule. So it
// shows that the document is enough to judge a certificate by, and that what the program accepts
// is a proof by another reading of the same page.
//
//     g++ -std=c++17 -O3 -march=native -pthread certificate_checker.cpp -lzstd -o checker
//     checker FILE [THREADS [K/N]]         judges a certificate, or part K of N of it
//     checker walls < POSITIONS            POSITION,wins,loses,covered by the wall rule
//     checker explain POSITION begins|answers      each walk, as on the page
//
// Listed positions are dealt out to the parts 256 at a time, anew in each frame, and part 1 takes the
// start as well. Each part reads the whole file. If all parts of one file hold then the certificate
// does, also if the program has checked some of them.
//
// Exit status 0: it holds; 1: it is refused, with the reason; 2: wrong usage.
//
// How files are read is in proof_file.hpp, what a board is in grid.hpp, which the checker of the
// other games' certificates (variant_checker.cpp) has as well.

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <iomanip>
#include <iostream>
#include <mutex>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <csignal>

#include "grid.hpp"

int highest(Set set) { return 63 - __builtin_clzll(set); }

struct Position {
    Set mover, opponent, arrows;
};

// --- The board ----------------------------------------------------------------------------------

struct Board : Grid {
    Set all, first_file = 0, last_file = 0;
    Set king[64] = {};                              // the squares around
    Set line[8][64] = {};                           // to the edge; square numbers fall in 0 to 3
    std::vector<std::array<std::array<Set, 256>, 8>> bytes;  // images of eight squares at once

    Board(int columns, int rows) : Board(columns, rows, all_places(columns, rows)) {}

    Board(int columns, int rows, const std::vector<int>& places) : Grid(columns, rows, places) {
        all = squares == 64 ? ~Set(0) : bit(squares) - 1;
        for (int square = 0; square < squares; square++) {
            if (place[square] % columns == 0) first_file |= bit(square);
            if (place[square] % columns == columns - 1) last_file |= bit(square);
        }
        // Past a wall no line goes on.
        const auto open = [&](int file, int rank) {
            return inside(file, rank) && number[rank * columns + file] >= 0;
        };
        int direction = 0;
        for (int y = -1; y <= 1; y++)
            for (int x = -1; x <= 1; x++) {
                if (!x && !y) continue;
                for (int square = 0; square < squares; square++) {
                    int file = place[square] % columns + x, rank = place[square] / columns + y;
                    if (open(file, rank)) king[square] |= bit(number[rank * columns + file]);
                    for (; open(file, rank); file += x, rank += y)
                        line[direction][square] |= bit(number[rank * columns + file]);
                }
                direction++;
            }
        if (walled()) return;
        for (const std::array<int, 64>& to : image) {
            std::array<std::array<Set, 256>, 8> table{};
            for (int square = 0; square < squares; square++)
                for (int byte = 0; byte < 256; byte++)
                    if (byte >> square % 8 & 1) table[square / 8][byte] |= bit(to[square]);
            bytes.push_back(table);
        }
    }

    Set empty(const Position& p) const { return all & ~(p.mover | p.opponent | p.arrows); }

    // Where a queen goes from a square over empty ones. What lies behind the first square in the way
    // is cut off each line. If there is none it is square 0 or 63: behind those no line that goes
    // down, or up, has a square, so nothing is cut off.
    Set reach(int from, Set empty) const {
        if (!(king[from] & empty)) return 0;
        Set found = 0;
        for (int direction = 0; direction < 8; direction++) {
            const Set way = line[direction][from], stops = way & ~empty;
            const int stop = direction < 4 ? highest(stops | bit(0)) : lowest(stops | bit(63));
            found |= way & ~line[direction][stop];
        }
        return found & empty;
    }

    // A set and what touches it by a king step. It may go beyond the board.
    Set around(Set set) const {
        if (walled()) {
            Set found = set;
            EACH(square, set) found |= king[square];
            return found;
        }
        set |= (set & ~last_file) << 1 | (set & ~first_file) >> 1;
        return set | set << columns | set >> columns;
    }

    // Whether `stop` is true of a position after a move, in the order of the moves.
    template <class Stop> bool any_move(const Position& p, Stop stop) const {
        const Set free = empty(p);
        EACH(origin, p.mover) {
            EACH(destination, reach(origin, free)) {
                const Set moved = p.mover ^ bit(origin) ^ bit(destination);
                const Set open = (free | bit(origin)) & ~bit(destination);
                EACH(arrow, reach(destination, open))
                    if (stop(Position{p.opponent, moved, p.arrows | bit(arrow)})) return true;
            }
        }
        return false;
    }

    Set map(int symmetry, Set set) const {
        Set found = 0;
        for (int byte = 0; byte * 8 < squares; byte++)
            found |= bytes[symmetry][byte][set >> 8 * byte & 255];
        return found;
    }

    // The smallest code among the images; if there are walls, the code itself.
    Code canonical(const Position& p) const;

    // Burned squares, with the walls.
    int burned(const Position& p) const { return count(p.arrows) + walled(); }
};

// Every bit of 32 to the even bits of 64.
Set spread(Set low) {
    low &= 0xffffffff;
    low = (low | low << 16) & 0x0000ffff0000ffff;
    low = (low | low << 8) & 0x00ff00ff00ff00ff;
    low = (low | low << 4) & 0x0f0f0f0f0f0f0f0f;
    low = (low | low << 2) & 0x3333333333333333;
    return (low | low << 1) & 0x5555555555555555;
}

Code code_of(Set low, Set high) {
    return Code(spread(low >> 32) | spread(high >> 32) << 1) << 64 |
           (spread(low) | spread(high) << 1);
}

Code Board::canonical(const Position& p) const {
    const Set low = p.mover | p.arrows, high = p.opponent | p.arrows;
    Code least = code_of(low, high);
    for (std::size_t symmetry = 1; symmetry < bytes.size(); symmetry++)
        least = std::min(least, code_of(map(symmetry, low), map(symmetry, high)));
    return least;
}

// The position that a code spells out; the code has no bit beyond the board.
Position position_of(const Board& board, Code code) {
    Position p{};
    for (int square = 0; square < board.squares; square++) {
        const int content = int(code >> 2 * square & 3);
        if (content) (content == 1 ? p.mover : content == 2 ? p.opponent : p.arrows) |= bit(square);
    }
    return p;
}

std::string fen(const Board& board, const Position& p, bool black) {
    const auto at = [&](int place) {
        if (board.number[place] < 0) return Burned;
        const Set one = bit(board.number[place]);
        return one & p.mover ? Mover : one & p.opponent ? Opponent : one & p.arrows ? Burned : Empty;
    };
    return board.ranks(at, black);
}

struct Game {
    Board board;
    Position position;
    bool black;
};

Game parse(const std::string& text) {
    std::vector<std::string> ranks(1);
    const std::size_t space = text.find(' ');
    for (std::size_t i = 0; i < std::min(space, text.size()); i++) {
        if (text[i] == '/') {
            ranks.emplace_back();
        } else if (text[i] >= '0' && text[i] <= '9') {
            std::size_t used;
            ranks.back().append(std::min(64, std::stoi(text.substr(i), &used)), '.');
            i += used - 1;
        } else {
            ranks.back() += text[i];
        }
    }
    const std::string turn = space < text.size() ? text.substr(space + 1) : "";
    if (turn != "w" && turn != "b") refuse("no side to move: ", text);
    Game game{Board(int(ranks[0].size()), int(ranks.size())), {}, turn == "b"};
    Set white = 0, black = 0;
    for (int rank = 0; rank < game.board.rows; rank++) {
        const std::string& row = ranks[game.board.rows - 1 - rank];
        if (int(row.size()) != game.board.columns) refuse("ranks of different lengths: ", text);
        for (int file = 0; file < game.board.columns; file++) {
            const Set at = bit(rank * game.board.columns + file);
            switch (row[file]) {
                case '.': break;
                case 'Q': white |= at; break;
                case 'q': black |= at; break;
                case '*': game.position.arrows |= at; break;
                default: refuse("no square is '", row[file], "': ", text);
            }
        }
    }
    game.position.mover = game.black ? black : white;
    game.position.opponent = game.black ? white : black;
    return game;
}

// --- The wall rule ------------------------------------------------------------------------------

struct Walk {
    int moves = 0;
    Set idle = 0, single = 0;
};

class Walls {
    const Board& board;
    const Set holder, other;
    const bool begins;
    struct {
        int steps;
        Set steppers;
    } failed[16];  // what is not sure; a walk adds two at most
    int failures = 0;

public:
    Set F = 0, K;
    int needed;

    Walls(const Board& board, Set holder, Set other, Set arrows, bool begins)
        : board(board), holder(holder), other(other), begins(begins) {
        const Set empty = board.all & ~(holder | other | arrows);
        for (Set more = board.around(other) & empty; more != F; more = board.around(F) & empty)
            F = more;
        K = empty & ~F;
        needed = count(F) + begins;
    }

    int most_steps() const { return begins ? 3 : 2; }

    bool decides() {
        // No walk is longer than K.
        if (count(K) + 2 * most_steps() < needed) return false;
        for (std::size_t symmetry = 0; symmetry < board.image.size(); symmetry++)
            if (decides(walk(int(symmetry)))) return true;
        return false;
    }

    // The walk of a symmetry; `ways` gets the squares of each amazon.
    Walk walk(int symmetry, std::vector<std::vector<int>>* ways = nullptr) const {
        const auto& number = board.image[symmetry];
        Walk found;
        Set free = K;
        const Set beside = holder & board.around(F);
        for (Set group : {holder & ~beside, beside}) {
            while (group) {
                int amazon = lowest(group);
                EACH(square, group) if (number[square] < number[amazon]) amazon = square;
                group ^= bit(amazon);
                int at = amazon, moves = 0;
                if (ways) ways->push_back({at});
                while (const Set on = board.king[at] & free) {
                    int fewest = 9;
                    EACH(square, on) {
                        const int next = count(board.king[square] & free);
                        if (next < fewest || (next == fewest && number[square] < number[at]))
                            fewest = next, at = square;
                    }
                    free ^= bit(at);
                    moves++;
                    if (ways) ways->back().push_back(at);
                }
                found.moves += moves;
                if (moves == 0) found.idle |= bit(amazon);
                if (moves == 1) found.single |= bit(amazon);
            }
        }
        return found;
    }

    // Whether a walk decides; if `how` is given, with how many steps and whether with the singles.
    bool decides(const Walk& walk, std::pair<int, bool>* how = nullptr) {
        const int missing = needed - walk.moves, singles = count(walk.single);
        if (how) *how = {0, false};
        if (missing <= 0) return true;
        for (int k = 1; k <= most_steps(); k++) {
            if (2 * k < missing) continue;
            if (how) *how = {k, false};
            if (sure(k, walk.idle)) return true;
            break;  // more steps are surely not sure
        }
        for (int k = 1; k <= most_steps(); k++) {
            if (2 * k - std::min(k, singles) < missing) continue;
            if (how) *how = {k, true};
            return sure(k, walk.idle | walk.single);
        }
        return false;
    }

private:
    // More steps, or the same by some of the steppers, are not sure where these are not.
    bool sure(int k, Set steppers) {
        for (int i = 0; i < failures; i++)
            if (k >= failed[i].steps && !(steppers & ~failed[i].steppers)) return false;
        const bool is = begins ? to_step(k, steppers, other, F) : to_answer(k, steppers, other, F);
        if (!is) failed[failures++] = {k, steppers};
        return is;
    }

    // Whether k steps are sure with the holder to move; `area` are its empty squares.
    bool to_step(int k, Set steppers, Set other, Set area) const {
        if (k == 0) return true;
        EACH(from, steppers)
            EACH(to, board.king[from] & area)
                if (to_answer(k - 1, steppers ^ bit(from) ^ bit(to), other, area ^ bit(to)))
                    return true;
        return false;
    }

    // The same with the other side to move.
    bool to_answer(int k, Set steppers, Set other, Set area) const {
        if (k == 0) return true;
        if (k == 1) return one_to_answer(steppers, other, area);
        if (!to_step(k, steppers, other, area)) return false;
        EACH(from, other)
            EACH(to, board.reach(from, area)) {
                const Set moved = other ^ bit(from) ^ bit(to);
                const Set open = (area ^ bit(to)) | bit(from);
                EACH(arrow, board.reach(to, open))
                    if (!to_step(k, steppers, moved, open ^ bit(arrow))) return false;
            }
        return true;
    }

    // One step with the other side to move: whether each of its moves leaves a liberty, an empty
    // square beside a stepper. A move takes two squares at most, its destination and its arrow. It
    // opens its origin, which is a liberty too if it lies beside a stepper, and may burn it.
    bool one_to_answer(Set steppers, Set other, Set area) const {
        const Set beside = board.around(steppers), liberties = beside & area;
        if (!liberties) return false;
        if (count(liberties) > 2) return true;
        if (count(liberties) == 2) {
            // A move that leaves none goes to one of them and burns the other. So its origin is no
            // liberty. The two see each other, and one of them sees the origin. Here they see
            // through amazons, so no such move is missed; what remains is judged below.
            const Set one = board.reach(lowest(liberties), area | other);
            const Set two = board.reach(highest(liberties), area | other);
            if (!(one & liberties)) return true;
            other &= (one | two) & ~beside;
        }
        EACH(from, other) {
            // A move leaves none if it takes all of these.
            const Set take = liberties | (beside & bit(from)), open = area | bit(from);
            const Set go = board.reach(from, area);
            if (count(take) == 1) {
                // The amazon goes there, and can burn its origin then. Or it goes to where it can
                // burn the one: whether that is empty or not, the line there is the same.
                if (board.reach(lowest(take), open) & (go | bit(from))) return false;
            } else {
                // There are two of them. The amazon goes to one and burns the other.
                EACH(to, go & take)
                    if (board.reach(to, open) & take) return false;
            }
        }
        return true;
    }
};

bool wins_by_walls(const Board& board, const Position& p) {
    return Walls(board, p.mover, p.opponent, p.arrows, true).decides();
}

bool loses_by_walls(const Board& board, const Position& p) {
    return Walls(board, p.opponent, p.mover, p.arrows, false).decides();
}

bool covered_by_walls(const Board& board, const Position& p) {
    return wins_by_walls(board, p) ||
           board.any_move(p, [&](const Position& q) { return loses_by_walls(board, q); });
}

// --- The file -----------------------------------------------------------------------------------

struct Certificate {
    Board board{1, 1};
    Position start;
    std::string fen;  // of the start
    int version, leaf;
    bool black, claim, walls;
    std::string hash;
    // All listed positions. Those with some number of burned squares follow each other, codes
    // upwards; `from` has where those with at least so many begin.
    std::vector<Code> codes;
    std::vector<std::uint32_t> moves;
    std::array<std::size_t, 257> from{};
    // Listed positions that are judged together.
    std::vector<Chunk> chunks;
};

void read_frame(Certificate& certificate, Bytes& file) {
    const int arrows = file.byte();
    const Frame frame(file, 1447424, 1441792);

    const Board& board = certificate.board;
    auto& codes = certificate.codes;
    // Until the last frame is read, `from` is as if no other had more arrows.
    auto& from = certificate.from;
    if (from[arrows + 1] < codes.size()) refuse("fewer arrows than before");
    Bytes bytes{frame.unpacked};
    Code code = 0;
    const std::size_t first = codes.size();
    for (Set i = 0; i < frame.positions; i++) {
        const Code more = bytes.variable(128, 19);
        if (code + more < code) refuse("a code passes 128 bits");
        code += more;
        if (codes.size() > from[arrows] && codes.back() >= code) refuse("codes do not increase");
        codes.push_back(code);
        certificate.moves.push_back(std::uint32_t(bytes.variable(32, 5)));
        if (board.squares < 64 && code >> 2 * board.squares) refuse("a code is beyond the board");
        const Position p = position_of(board, code);
        if (board.canonical(p) != code) refuse("not a canonical image: ", fen(board, p, false));
        if (board.burned(p) != arrows) refuse("not ", arrows, " arrows: ", fen(board, p, false));
    }
    std::fill(from.begin() + arrows + 1, from.end(), codes.size());
    add_chunks(certificate.chunks, first, codes.size());
    if (bytes.at != frame.unpacked.size()) refuse("bytes after the last position of a frame");
}

// A position of any board, each set as the bits of 128; the mover is White unless `black`.
struct Wide {
    int columns, rows;
    Code mover, opponent, arrows;

    int at(int place) const {
        const auto has = [&](Code set) { return set >> place & 1; };
        return has(mover) ? Mover : has(opponent) ? Opponent : has(arrows) ? Burned : Empty;
    }

    // The squares that take part, upwards: not burned, and joined by king steps over such squares to
    // an amazon and to an empty square.
    std::vector<int> live() const {
        std::vector<int> part(columns * rows, -1), found;
        std::vector<bool> amazon, empty;
        const auto go = [&](const auto& go, int place) -> void {
            if (at(place) == Burned || part[place] >= 0) return;
            part[place] = int(amazon.size()) - 1;
            (at(place) == Empty ? empty : amazon).back() = true;
            for (int y = -1; y <= 1; y++)
                for (int x = -1; x <= 1; x++) {
                    const int file = place % columns + x, rank = place / columns + y;
                    if (0 <= file && file < columns && 0 <= rank && rank < rows)
                        go(go, rank * columns + file);
                }
        };
        for (int place = 0; place < columns * rows; place++) {
            if (at(place) == Burned || part[place] >= 0) continue;
            amazon.push_back(false), empty.push_back(false);
            go(go, place);
        }
        for (int place = 0; place < columns * rows; place++)
            if (part[place] >= 0 && amazon[part[place]] && empty[part[place]]) found.push_back(place);
        return found;
    }
};

// The sets of the header, of squares of `bytes` bytes.
Wide read_start(Bytes& file, int columns, int rows, int bytes) {
    Wide wide{columns, rows, 0, 0, 0};
    for (Code* set : {&wide.mover, &wide.opponent, &wide.arrows}) *set = file.integer(bytes);
    if (columns < 1 || columns > 20 || rows < 1 || rows > 20 || columns * rows > 128)
        refuse("no board has ", columns, " columns and ", rows, " rows");
    const Code all = ~Code(0) >> (128 - columns * rows);
    if ((wide.mover | wide.opponent | wide.arrows) & ~all) refuse("a square off the board");
    if ((wide.mover & wide.opponent) | ((wide.mover | wide.opponent) & wide.arrows))
        refuse("a square is two things");
    if (!(wide.mover | wide.opponent)) refuse("no amazon");
    return wide;
}

Certificate read(const std::string& path) {
    const std::string whole = whole_file(path);
    Bytes file{whole};
    if (file.take(8) != "AMZPROOF") refuse("the magic is another");
    Certificate certificate;
    const int version = certificate.version = file.byte();
    if (version != 1 && version != 3 && version != 4 && version != 6) refuse("version ", version);
    const int columns = file.byte(), rows = file.byte(), turn = file.byte(), claim = file.byte();
    certificate.leaf = file.byte();
    const bool is_large = version == 6;
    if (!is_large) certificate.board = Board(columns, rows);
    if (turn > 1) refuse("turn ", turn);
    if (claim > 1) refuse("claim ", claim);
    if (certificate.leaf > 12) refuse("leaf ", certificate.leaf);
    certificate.black = turn, certificate.claim = claim;
    const int walls = is_large ? file.byte() : version >= 3;
    if (walls > 1) refuse("wall rule ", walls);
    certificate.walls = walls;
    const Wide wide = read_start(file, columns, rows, is_large ? 16 : 8);
    if (is_large) {
        if (columns * rows <= 64) refuse("version 6 of a small board");
        const std::vector<int> live = wide.live();
        if (live.size() > 64) refuse(live.size(), " squares take part");
        certificate.board = Board(columns, rows, live);
    }
    certificate.fen = certificate.board.ranks([&](int place) { return wide.at(place); }, turn);
    certificate.start = Position{};
    for (int square = 0; square < certificate.board.squares; square++) {
        const int content = wide.at(certificate.board.place[square]);
        Position& start = certificate.start;
        if (content == Mover) start.mover |= bit(square);
        if (content == Opponent) start.opponent |= bit(square);
        if (content == Burned) start.arrows |= bit(square);
    }

    int tag;
    while ((tag = file.byte()) == 'F') read_frame(certificate, file);
    certificate.hash = read_end(file, tag);
    return certificate;
}

// --- The proof ----------------------------------------------------------------------------------

// Judges positions of one certificate; each thread has its own, with what it remembers.
class Judge {
    const Certificate& certificate;
    const Board& board;
    std::vector<Code> covered_before;
    struct Known {
        Set low, high;  // bits of the code
        bool win;
    };
    std::vector<Known> known;

    // No position has this code: all squares burned.
    static constexpr Code none = ~Code(0);

    static std::size_t place(Code code, std::size_t size) {
        const Set mixed = (Set(code >> 64) * 0x9e3779b97f4a7c15 ^ Set(code)) * 0xd6e8feb86659fd93;
        return (mixed ^ mixed >> 32) * 0x9e3779b97f4a7c15 >> 32 & (size - 1);
    }

    // Negamax, with a memory of whole positions.
    bool wins(const Position& p) {
        const Set low = p.mover | p.arrows, high = p.opponent | p.arrows;
        Known& memory = known[place(Code(high) << 64 | low, known.size())];
        if (memory.low == low && memory.high == high) return memory.win;
        const bool win = wins_anew(p);
        memory = {low, high, win};
        return win;
    }

    // First the wall rule, where the certificate uses it. Then all moves, until one wins: first those
    // that leave the other side few squares to go to, and its own side many. Their order changes
    // only how soon a winning one is found.
    bool wins_anew(const Position& p) {
        if (certificate.walls && covered_by_walls(board, p)) return true;
        std::vector<std::pair<int, Position>> moves;
        board.any_move(p, [&](const Position& q) {
            const Set empty = board.empty(q);
            int score = 0;
            EACH(square, q.mover) score += 2 * count(board.reach(square, empty));
            EACH(square, q.opponent) score -= count(board.reach(square, empty));
            moves.emplace_back(score, q);
            return false;
        });
        std::sort(moves.begin(), moves.end(),
                  [](const auto& one, const auto& two) { return one.first < two.first; });
        for (const auto& move : moves)
            if (!wins(move.second)) return true;
        return false;
    }

    bool listed(Code code, int arrows) const {
        const auto codes = certificate.codes.begin();
        const auto& from = certificate.from;
        return std::binary_search(codes + from[arrows], codes + from[arrows + 1], code);
    }

public:
    std::uint64_t answers = 0;

    explicit Judge(const Certificate& certificate)
        : certificate(certificate),
          board(certificate.board),
          covered_before(1 << 16, none),
          known(1 << 14, Known{~Set(0), ~Set(0), false}) {}

    // Whether a position with the winner to move is shown to be won.
    bool covered(const Position& p) {
        const Code code = board.canonical(p);
        Code& memory = covered_before[place(code, covered_before.size())];
        if (memory == code || listed(code, board.burned(p))) return true;
        // Negamax tries the wall rule first, so that need not be done here.
        const bool is = count(board.empty(p)) <= certificate.leaf
                            ? wins(p)
                            : certificate.walls && covered_by_walls(board, p);
        if (is) memory = code;
        return is;
    }

    // Refuses if a position with the loser to move leads to one that is not covered.
    void lost(const Position& p) {
        if (certificate.walls && loses_by_walls(board, p)) return;
        board.any_move(p, [&](const Position& q) {
            answers++;
            if (!covered(q))
                refuse("not covered, the winner being White: ", fen(board, q, false));
            return false;
        });
    }

    // The same after the move of a listed position, which has to exist.
    void listed_holds(std::size_t listed) {
        const Position p = position_of(board, certificate.codes[listed]);
        const std::uint32_t move = certificate.moves[listed];
        std::uint32_t number = 0;
        Position after{};
        const bool exists = board.any_move(p, [&](const Position& q) {
            after = q;
            return number++ == move;
        });
        if (!exists) refuse("move ", move, " of ", number, ": ", fen(board, p, false));
        lost(after);
    }
};

// A part of a certificate. Threads take chunks of neighbours, which have many answers in common.
void judge(const std::string& path, unsigned threads, const Part& part) {
    const Certificate certificate = read(path);
    const std::size_t size = certificate.codes.size();
    const auto& chunks = certificate.chunks;
    std::atomic<std::size_t> next{part.number - 1};
    std::atomic<std::uint64_t> positions{0}, answers{0};
    std::atomic<bool> refused{false};
    std::mutex mutex;
    std::string reason;
    const auto work = [&](bool start) {
        Judge judge(certificate);
        try {
            if (start && certificate.claim && !judge.covered(certificate.start))
                refuse("the start is not covered");
            if (start && !certificate.claim) judge.lost(certificate.start);
            for (std::size_t i; !refused && (i = next.fetch_add(part.of)) < chunks.size();)
                for (auto [at, end] = chunks[i]; at < end; at++, positions++)
                    judge.listed_holds(at);
        } catch (const Refused& why) {
            const std::lock_guard lock(mutex);
            if (!refused.exchange(true)) reason = why.what();
        }
        answers += judge.answers;
    };
    std::vector<std::thread> others;
    for (unsigned i = 1; i < threads; i++) others.emplace_back(work, false);
    work(part.number == 1);
    for (auto& other : others) other.join();
    if (refused) refuse(reason);
    if (part.of > 1) {
        std::ostringstream checked;
        checked << "positions " << positions << " of " << size << ", answers " << answers;
        std::cout << part_holds(part, checked.str(), certificate.hash) << '\n';
        return;
    }
    if (positions != size) refuse("positions were left out");
    std::cout << certificate.fen << ": "
              << (certificate.black == certificate.claim ? "Black" : "White") << " wins, by the "
              << (certificate.walls ? "rules, negamax and the wall rule" : "rules and negamax")
              << " (version " << certificate.version << ", leaves of " << certificate.leaf
              << "); positions " << size << ", answers " << answers << "\n";
}

// --- The wall rule alone ------------------------------------------------------------------------

void verdicts() {
    for (std::string line; std::getline(std::cin, line);) {
        const Game game = parse(line);
        std::cout << line << ',' << wins_by_walls(game.board, game.position) << ','
                  << loses_by_walls(game.board, game.position) << ','
                  << covered_by_walls(game.board, game.position) << '\n';
    }
}

void explain(const std::string& text, bool begins) {
    const Game game = parse(text);
    const Board& board = game.board;
    const Set holder = begins ? game.position.mover : game.position.opponent;
    const Set other = begins ? game.position.opponent : game.position.mover;
    Walls walls(board, holder, other, game.position.arrows, begins);
    const auto names = [&](Set set) {
        std::string text;
        EACH(square, set) text += " " + board.name(square);
        return set ? text : " none";
    };
    std::cout << text << "\nholder " << (game.black == begins ? "Black" : "White") << ", who "
              << (begins ? "begins" : "answers") << ": needed " << walls.needed << "\n  F ("
              << count(walls.F) << "):" << names(walls.F) << "\n  K (" << count(walls.K)
              << "):" << names(walls.K) << '\n';
    for (std::size_t symmetry = 0; symmetry < board.image.size(); symmetry++) {
        std::vector<std::vector<int>> ways;
        const Walk walk = walls.walk(int(symmetry), &ways);
        std::string told;
        for (const auto& way : ways) {
            if (way.size() < 2) continue;
            if (!told.empty()) told += ", ";
            for (std::size_t i = 0; i < way.size(); i++)
                told += (i ? "-" : "") + board.name(way[i]);
        }
        std::pair<int, bool> how;
        const bool decides = walls.decides(walk, &how);
        std::cout << "  " << symmetry << ": " << (told.empty() ? "no walk" : told) << "; P "
                  << walk.moves << ", missing " << walls.needed - walk.moves << "\n     idle"
                  << names(walk.idle) << "; single" << names(walk.single) << ": "
                  << (decides ? "decides" : "does not decide");
        if (decides && how.first) std::cout << " with k " << how.first;
        if (decides && how.second) std::cout << " and singles";
        std::cout << '\n';
    }
}

int main(int number, char** words) {
    std::signal(SIGPIPE, SIG_IGN);
    const std::vector<std::string> arguments(words + 1, words + number);
    try {
        if (arguments.size() == 1 && arguments[0] == "walls") {
            verdicts();
        } else if (arguments.size() == 3 && arguments[0] == "explain" &&
                   (arguments[2] == "begins" || arguments[2] == "answers")) {
            explain(arguments[1], arguments[2] == "begins");
        } else if (arguments.size() >= 1 && arguments.size() <= 3) {
            const std::size_t threads = arguments.size() > 1 ? number_of(arguments[1]) : 1;
            const Part part = arguments.size() == 3 ? Part(arguments[2]) : Part();
            if (threads > 256) throw std::invalid_argument("");
            judge(arguments[0], unsigned(threads), part);
        } else {
            throw std::invalid_argument("");
        }
    } catch (const Refused& refused) {
        std::cerr << "refused: " << refused.what() << '\n';
        return 1;
    } catch (const std::logic_error&) {
        std::cerr << "usage: certificate_checker FILE [THREADS [K/N]] | walls | "
                     "explain POSITION begins|answers\n";
        return 2;
    }
}
