// A second checker of the certificates of the other games (version 5), written from
// docs/certificate.md and docs/variants.md alone.
//
// It shares nothing with the program: it has its own moves, symmetries, codes and negamax.
//
//     g++ -std=c++17 -O2 variant_checker.cpp -lzstd -o variant_checker
//     variant_checker FILE...              judges certificates, a line for each
//     variant_checker --part K/N FILE...   judges part K of N of each
//
// The parts take turns with chunks of 256 listed positions of a frame, and part 1 takes the start as
// well. If all parts of one file hold then the certificate does, also if the program has checked
// some of them.
//
// Exit status 0: all hold, and each line says the rules, the position and the winner; 1: one is
// refused, with the reason; 2: wrong usage.

#include <algorithm>
#include <array>
#include <iostream>
#include <string>
#include <tuple>
#include <vector>

#include <csignal>

#include "grid.hpp"

// --- The game -----------------------------------------------------------------------------------

enum Step { QueenStep, TakingStep, KnightStep, NeighbourStep };
enum Shot { QueenShot, KnightShot, WallShot };

// The numbers of a position, in their order: so a position is its own code.
struct Position {
    Code squares = 0;  // two bits a square
    Code walls = 0;    // by the number of the side
    Set moved = 0;
    int turn = 1, made = 0;

    auto numbers() const { return std::tie(squares, walls, moved, turn, made); }
    bool operator<(const Position& other) const { return numbers() < other.numbers(); }
    bool operator==(const Position& other) const { return numbers() == other.numbers(); }

    int at(int square) const { return int(squares >> 2 * square & 3); }
    void put(int square, int content) {
        squares = (squares & ~(Code(3) << 2 * square)) | Code(content) << 2 * square;
    }
};

struct Game : Grid {
    int step, shot;
    bool origin_burns;
    std::vector<int> turns;

    Code sides = 0;                                  // those between two squares
    std::array<std::vector<int>, 8> rays[64];        // by direction, from a square to the edge
    Set leaps[64] = {};                              // of a knight
    std::array<int, 4> side[64];                     // north, east, south, west; -1 at the edge
    std::vector<std::array<int, 128>> image_of_side;  // by symmetry

    Game(int columns, int rows, int step, int origin, int shot, std::vector<int> turns)
        : Grid(columns, rows), step(step), shot(shot), origin_burns(origin),
          turns(std::move(turns)) {
        for (int square = 0; square < squares; square++) {
            const int file = square % columns, rank = square / columns;
            int direction = 0;
            for (int y = -2; y <= 2; y++)
                for (int x = -2; x <= 2; x++) {
                    if (x * x + y * y == 5 && inside(file + x, rank + y))
                        leaps[square] |= bit((rank + y) * columns + file + x);
                    if (std::max(x * x, y * y) != 1) continue;
                    for (int i = 1; inside(file + i * x, rank + i * y); i++)
                        rays[square][direction].push_back((rank + i * y) * columns + file + i * x);
                    direction++;
                }
            side[square] = {rank + 1 < rows ? square : -1, file + 1 < columns ? 64 + square : -1,
                            rank ? square - columns : -1, file ? 64 + square - 1 : -1};
            for (int number : side[square])
                if (number >= 0) sides |= Code(1) << number;
        }
        for (const std::array<int, 64>& to : image) {
            std::array<int, 128> side_to{};
            for (int square = 0; square < squares; square++) {
                if (side[square][0] >= 0)
                    side_to[square] = side_between(to[square], to[square + columns]);
                if (side[square][1] >= 0)
                    side_to[64 + square] = side_between(to[square], to[square + 1]);
            }
            image_of_side.push_back(side_to);
        }
    }

    bool takes() const { return step == TakingStep; }
    bool builds() const { return shot == WallShot; }
    bool long_turns() const { return *std::max_element(turns.begin(), turns.end()) > 1; }

    int side_between(int a, int b) const {
        const int lower = std::min(a, b);
        return a % columns == b % columns ? lower : 64 + lower;
    }

    // Over empty squares, and onto the first amazon met where those can be taken.
    Set queen(const Position& p, int from, bool taking) const {
        Set found = 0;
        for (const auto& ray : rays[from])
            for (int square : ray) {
                const int content = p.at(square);
                if (content == Empty || (taking && content != Burned)) found |= bit(square);
                if (content != Empty) break;
            }
        return found;
    }

    Set empty_of(const Position& p, Set set) const {
        Set found = 0;
        EACH(square, set) if (p.at(square) == Empty) found |= bit(square);
        return found;
    }

    Set destinations(const Position& p, int origin) const {
        if (step == KnightStep) return empty_of(p, leaps[origin]);
        if (step != NeighbourStep) return queen(p, origin, takes());
        Set open = 0;
        for (int i = 0; i < 4; i++) {
            const int number = side[origin][i];
            if (number < 0 || (p.walls >> number & 1)) continue;
            open |= bit(origin + std::array<int, 4>{columns, 1, -columns, -1}[i]);
        }
        return empty_of(p, open);
    }

    // The position as the side sees it that moves next, when a move has put its amazon down.
    Position next(Position p, int destination) const {
        if (++p.made < turns[p.turn - 1]) {
            p.moved |= bit(destination);
            return p;
        }
        const Code low = ~Code(0) / 3;  // the lower bit of each square
        p.squares = (p.squares & low) << 1 | (p.squares >> 1 & low);
        p.moved = 0, p.made = 0;
        p.turn = std::min(p.turn + 1, int(turns.size()));
        return p;
    }

    // Whether `stop` is true of a position after a move, in the order of the moves.
    template <class Stop> bool any_move(const Position& p, Stop stop) const {
        for (int origin = 0; origin < squares; origin++) {
            if (p.at(origin) != Mover || (p.moved >> origin & 1)) continue;
            EACH(destination, destinations(p, origin)) {
                Position q = p;
                q.put(origin, origin_burns ? Burned : Empty);
                q.put(destination, Mover);
                if (builds()) {
                    for (int number : side[destination]) {
                        if (number < 0 || (q.walls >> number & 1)) continue;
                        Position built = q;
                        built.walls |= Code(1) << number;
                        if (stop(next(built, destination))) return true;
                    }
                    continue;
                }
                EACH(arrow, shot == KnightShot ? empty_of(q, leaps[destination])
                                               : queen(q, destination, false)) {
                    Position shot_at = q;
                    shot_at.put(arrow, Burned);
                    if (stop(next(shot_at, destination))) return true;
                }
            }
        }
        return false;
    }

    int how_many(const Position& p, int content) const {
        int found = 0;
        for (int square = 0; square < squares; square++) found += p.at(square) == content;
        return found;
    }

    int amazons(const Position& p) const { return how_many(p, Mover) + how_many(p, Opponent); }

    int room(const Position& p) const {
        const Code open = sides & ~p.walls;
        if (builds()) return count(Set(open)) + count(Set(open >> 64));
        return how_many(p, Empty) + (takes() ? amazons(p) : 0);
    }

    Position image_of(const Position& p, std::size_t symmetry) const {
        Position found{0, 0, 0, p.turn, p.made};
        for (int square = 0; square < squares; square++)
            found.squares |= Code(p.at(square)) << 2 * image[symmetry][square];
        EACH(square, p.moved) found.moved |= bit(image[symmetry][square]);
        for (int half = 0; half < 128; half += 64)
            EACH(number, Set(p.walls >> half))
                found.walls |= Code(1) << image_of_side[symmetry][half + number];
        return found;
    }

    Position canonical(const Position& p) const {
        Position least = p;
        for (std::size_t symmetry = 1; symmetry < image.size(); symmetry++)
            least = std::min(least, image_of(p, symmetry));
        return least;
    }

    // Refuses numbers that are no position of the game.
    void must_be_position(const Position& p) const {
        if (squares < 64 && p.squares >> 2 * squares) refuse("a square off the board");
        if (p.walls & ~sides) refuse("a wall that is not between two squares");
        if (p.walls && !builds()) refuse("a wall in a game without");
        EACH(square, p.moved)
            if (square >= squares || p.at(square) != Mover) refuse("what has moved is no amazon");
        if (p.turn < 1 || p.turn > int(turns.size())) refuse("turn number ", p.turn);
        if (p.made >= turns[p.turn - 1]) refuse(p.made, " moves are made of ", turns[p.turn - 1]);
        if (count(p.moved) > p.made) refuse("more amazons have moved than moves are made");
    }

    std::string rules() const {
        std::string text, lengths;
        for (int length : turns) lengths += (lengths.empty() ? "" : ",") + std::to_string(length);
        const auto choices = std::make_tuple(step, origin_burns, shot);
        if (choices == std::make_tuple(0, false, 0)) text = "amazons";
        else if (choices == std::make_tuple(1, false, 0)) text = "killer";
        else if (choices == std::make_tuple(2, false, 1)) text = "cowboys";
        else if (choices == std::make_tuple(0, true, 0)) text = "pencil";
        else if (choices == std::make_tuple(3, false, 2)) text = "tromazons";
        else
            text = "step " + std::to_string(step) + ", origin " + std::to_string(origin_burns) +
                   ", shot " + std::to_string(shot);
        if (text == "amazons" && lengths == "1,3,4") return "134";
        return lengths == "1" ? text : text + " --turns " + lengths;
    }

    std::string fen(const Position& p, bool black) const {
        std::string text = ranks([&](int square) { return p.at(square); }, black);
        if (long_turns() || builds()) {
            text += " " + std::to_string(p.turn);
            char before = '+';
            EACH(square, p.moved) text += before + name(square), before = ',';
            for (int gone = p.made - count(p.moved); gone-- > 0; before = ',')
                text += std::string(1, before) + "-";
        }
        if (builds()) {
            std::string walls;
            for (int square = 0; square < squares; square++)
                for (int i : {0, 1})
                    if (const int number = side[square][i]; number >= 0 && (p.walls >> number & 1))
                        walls += (walls.empty() ? "" : ",") + name(square) + "NE"[i];
            text += " " + (walls.empty() ? "-" : walls);
        }
        return text;
    }
};

// --- The file -----------------------------------------------------------------------------------

struct Listed {
    Position position;
    Set move;  // 0: lost; else 1 more than the number of the move

    bool operator<(const Listed& other) const { return position < other.position; }
};

struct Certificate {
    Game game;
    bool black, claim;
    int leaf;
    Position start;
    std::vector<Listed> listed;
    std::vector<Chunk> chunks;  // of the listed positions
    std::string hash;
};

void read_frame(Certificate& certificate, Bytes& file) {
    const Game& game = certificate.game;
    const Frame frame(file, 3750144, 3735552);
    Bytes bytes{frame.unpacked};
    Code squares = 0;
    const std::size_t first = certificate.listed.size();
    for (Set i = 0; i < frame.positions; i++) {
        Position p;
        const Code more = bytes.variable(128, 19);
        if (squares + more < squares) refuse("squares pass 128 bits");
        p.squares = squares += more;
        if (game.builds()) p.walls = bytes.variable(128, 19);
        if (game.long_turns()) {
            p.moved = Set(bytes.variable(64, 10));
            p.turn = int(bytes.variable(8, 2));
            p.made = int(bytes.variable(8, 2));
        }
        const Set move = Set(bytes.variable(33, 5));
        game.must_be_position(p);
        if (!certificate.listed.empty() && !(certificate.listed.back().position < p))
            refuse("codes do not increase");
        if (!(game.canonical(p) == p)) refuse("not a canonical image: ", game.fen(p, false));
        certificate.listed.push_back({p, move});
    }
    if (bytes.at != frame.unpacked.size()) refuse("bytes after the last position of a frame");
    add_chunks(certificate.chunks, first, certificate.listed.size());
}

Certificate read(const std::string& whole) {
    Bytes file{whole};
    const auto field = [&](const char* name, int least, int most) {
        const int value = file.byte();
        if (value < least || value > most) refuse(name, " ", value);
        return value;
    };
    if (file.take(8) != "AMZPROOF") refuse("the magic is another");
    field("version", 5, 5);
    const int columns = field("columns", 1, 20), rows = field("rows", 1, 20);
    const int step = field("step", 0, 3), origin = field("origin", 0, 1);
    const int shot = field("shot", 0, 2);
    const int lengths = field("lengths of turns", 1, 8);
    std::vector<int> turns;
    for (int i = 0; i < 8; i++) {
        turns.push_back(field("a turn of length", 1, 50));
        if (i >= lengths && turns[i] != turns[lengths - 1]) refuse("a length behind the last one");
    }
    turns.resize(lengths);
    if (lengths > 1 && turns[lengths - 1] == turns[lengths - 2]) refuse("equal lengths at the end");
    const bool black = field("turn", 0, 1), claim = field("claim", 0, 1);
    const int leaf = field("leaf", 0, 6);
    Certificate certificate{{columns, rows, step, origin, shot, turns}, black, claim, leaf, {}, {}, {}, {}};
    Position& start = certificate.start;
    start.squares = file.integer(16), start.walls = file.integer(16);
    start.moved = Set(file.integer(8)), start.turn = file.byte(), start.made = file.byte();
    certificate.game.must_be_position(start);
    if (!certificate.game.amazons(start)) refuse("no amazon");
    int tag;
    while ((tag = file.byte()) == 'F') read_frame(certificate, file);
    certificate.hash = read_end(file, tag);
    return certificate;
}

// --- The proof ----------------------------------------------------------------------------------

class Judge {
    const Certificate& certificate;
    const Game& game;

    struct Known {
        Position position{~Code(0), 0, 0, 0, 0};  // none has turn 0
        bool win = false;
    };
    std::vector<Known> known{1 << 16};

    Known& place(const Position& p) {
        Set mixed = Set(p.moved + p.turn * 8 + p.made);
        for (Code numbers : {p.squares, p.walls})
            for (int half : {0, 64})
                mixed = (mixed ^ mixed >> 29 ^ Set(numbers >> half)) * 0x9e3779b97f4a7c15;
        return known[mixed >> 48];
    }

    // Negamax over single moves: while a turn goes on, the same side moves again.
    bool wins(const Position& p) {
        const Known memory = place(p);
        if (memory.position == p) return memory.win;
        const bool win =
            game.any_move(p, [&](const Position& q) { return wins(q) == (q.made > 0); });
        place(p) = {p, win};
        return win;
    }

    bool shown(const Position& p, bool won) {
        if (game.room(p) <= certificate.leaf && wins(p) == won) return true;
        const Listed one{game.canonical(p), 0};
        const auto at = std::lower_bound(certificate.listed.begin(), certificate.listed.end(), one);
        if (at != certificate.listed.end() && at->position == one.position && (at->move > 0) == won)
            return true;
        return !won && p.made == 0 &&
               !game.any_move(p, [&](const Position& q) { return !move_shows(q, false); });
    }

    // Whether a move shows that the side that makes it wins, or loses, by the position after it.
    bool move_shows(const Position& after, bool won) {
        return shown(after, won == (after.made > 0));
    }

public:
    explicit Judge(const Certificate& certificate)
        : certificate(certificate), game(certificate.game) {}

    // Judges a part; how many positions it has.
    std::size_t judge(const Part& part) {
        if (part.number == 1 && !shown(certificate.start, certificate.claim))
            refuse("the start is not shown");
        std::size_t judged = 0;
        for (std::size_t i = part.number - 1; i < certificate.chunks.size(); i += part.of)
            for (auto [at, end] = certificate.chunks[i]; at < end; at++, judged++)
                listed_holds(certificate.listed[at]);
        return judged;
    }

private:
    void listed_holds(const Listed& listed) {
        const Position& p = listed.position;
        Set number = 0;
        bool exists = listed.move == 0;
        game.any_move(p, [&](const Position& q) {
            if (listed.move && ++number < listed.move) return false;
            exists = true;
            if (!move_shows(q, listed.move > 0))
                refuse(listed.move ? "the move shows nothing: " : "a move is left: ",
                       game.fen(p, false));
            return listed.move > 0;
        });
        if (!exists) refuse("move ", listed.move - 1, " of ", number, ": ", game.fen(p, false));
    }
};

// Judges a part of a file, or all of it, and says so.
void judge(const std::string& path, const Part& part) {
    const Certificate certificate = read(whole_file(path));
    const std::size_t judged = Judge(certificate).judge(part), all = certificate.listed.size();
    if (part.of > 1) {
        const std::string checked =
            "positions " + std::to_string(judged) + " of " + std::to_string(all);
        std::cout << part_holds(part, checked, certificate.hash) << '\n';
        return;
    }
    if (judged != all) refuse("positions were left out");
    const Game& game = certificate.game;
    const bool black = certificate.black;
    std::cout << game.rules() << ": " << game.fen(certificate.start, black) << ": "
              << (black == certificate.claim ? "black" : "white") << " wins; positions " << all
              << '\n';
}

int main(int number, char** words) {
    std::signal(SIGPIPE, SIG_IGN);
    std::vector<std::string> files(words + 1, words + number);
    Part part;
    try {
        if (!files.empty() && files[0] == "--part") {
            part = Part(files.size() > 1 ? files[1] : "");
            files.erase(files.begin(), files.begin() + 2);
        }
        if (files.empty()) throw std::invalid_argument("");
    } catch (const std::invalid_argument&) {
        std::cerr << "usage: variant_checker [--part K/N] FILE...\n";
        return 2;
    }
    int status = 0;
    for (const std::string& file : files) {
        try {
            judge(file, part);
        } catch (const Refused& refused) {
            std::cerr << file << ": refused: " << refused.what() << '\n';
            status = 1;
        }
    }
    return status;
}
