// What the second checkers of certificates have in common of boards: squares, their names, the
// symmetries, and a position's ranks as text. Nothing of it is the program's.

#pragma once

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "proof_file.hpp"

enum { Empty, Mover, Opponent, Burned };  // what is on a square, as codes have it

struct Grid {
    int columns, rows, squares;
    std::vector<std::array<int, 64>> image;  // by symmetry: where each square goes

    Grid(int columns, int rows) : columns(columns), rows(rows), squares(columns * rows) {
        if (columns < 1 || columns > 20 || rows < 1 || rows > 20 || squares > 64)
            refuse("no board has ", columns, " columns and ", rows, " rows");
        for (int symmetry = 0; symmetry < (columns == rows ? 8 : 4); symmetry++) {
            std::array<int, 64> to{};
            for (int square = 0; square < squares; square++) {
                int file = square % columns, rank = square / columns;
                if (symmetry & 1) file = columns - 1 - file;
                if (symmetry & 2) rank = rows - 1 - rank;
                if (symmetry & 4) std::swap(file, rank);
                to[square] = rank * columns + file;
            }
            image.push_back(to);
        }
    }

    bool inside(int file, int rank) const {
        return 0 <= file && file < columns && 0 <= rank && rank < rows;
    }

    std::string name(int square) const {
        return char('a' + square % columns) + std::to_string(square / columns + 1);
    }

    // The first two fields of a FEN; `at` says what is on a square.
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
