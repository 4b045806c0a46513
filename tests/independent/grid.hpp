// What the second checkers of certificates have in common of boards: squares, their names, the
// symmetries, and a position's ranks as text. Nothing of it is the program's.

#pragma once

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "proof_file.hpp"

enum { Empty, Mover, Opponent, Burned };  // what is on a square, as codes have it

// Squares 0 to `squares` - 1 of a board. They are all there are, or some of them, numbered in the
// same order; the others are walls.
struct Grid {
    int columns, rows, squares;
    std::vector<int> place;                  // the number of each square on the board
    std::array<int, 400> number{};           // of a square of the board, -1 for a wall
    std::vector<std::array<int, 64>> image;  // by symmetry: the place where each square goes

    Grid(int columns, int rows) : Grid(columns, rows, all_places(columns, rows)) {}

    Grid(int columns, int rows, const std::vector<int>& places)
        : columns(columns), rows(rows), squares(int(places.size())), place(places) {
        number.fill(-1);
        for (int square = 0; square < squares; square++) number[place[square]] = square;
        for (int symmetry = 0; symmetry < (columns == rows ? 8 : 4); symmetry++) {
            std::array<int, 64> to{};
            for (int square = 0; square < squares; square++) {
                int file = place[square] % columns, rank = place[square] / columns;
                if (symmetry & 1) file = columns - 1 - file;
                if (symmetry & 2) rank = rows - 1 - rank;
                if (symmetry & 4) std::swap(file, rank);
                to[square] = rank * columns + file;
            }
            image.push_back(to);
        }
    }

    static std::vector<int> all_places(int columns, int rows) {
        if (columns < 1 || columns > 20 || rows < 1 || rows > 20 || columns * rows > 64)
            refuse("no board has ", columns, " columns and ", rows, " rows");
        std::vector<int> places;
        for (int square = 0; square < columns * rows; square++) places.push_back(square);
        return places;
    }

    // How many squares of the board are walls.
    int walled() const { return columns * rows - squares; }

    bool inside(int file, int rank) const {
        return 0 <= file && file < columns && 0 <= rank && rank < rows;
    }

    std::string name(int square) const {
        return char('a' + place[square] % columns) + std::to_string(place[square] / columns + 1);
    }

    // The first two fields of a FEN; `at` says what is at a place.
    template <class At> std::string ranks(At at, bool black) const {
        std::string text;
        for (int rank = rows; rank-- > 0;) {
            int empty = 0;
            for (int file = 0; file < columns; file++) {
                const int content = at(rank * columns + file);
                if (content == Empty) {
                    empty++;
                    continue;
                }
                if (empty) text += std::to_string(empty);
                empty = 0;
                text += content == Burned ? '*' : (content == Mover) == black ? 'q' : 'Q';
            }
            if (empty) text += std::to_string(empty);
            text += rank ? "/" : black ? " b" : " w";
        }
        return text;
    }
};
