//! The start positions of a rules file: of its game and of each of its variants.
//!
//! Of the rules nothing is read. The board is the grid of two dimensions, its first one the files
//! from the left, its second one the ranks from the top. Pieces that have moves are amazons, others
//! are burned squares or walls; pieces off the board are passed over. A variant has from the game
//! what it does not say itself.

use super::error::ZrfError;
use super::expression::Expression;
use crate::game::board::{Bitboard, Board, SquareIndex};
use crate::game::excerpt::excerpt;
use crate::game::rules::{Colour, Setup};
use crate::game::variants::position::VariantPosition;
use crate::game::variants::rule_set::{RuleSet, Shot};
use crate::game::variants::walls::{Side, Walls};

/// A start position of a rules file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ZrfStart {
    /// The title of the game or the variant.
    pub title: String,
    /// Where it begins.
    pub position: VariantPosition,
}

/// The start positions of a rules file, for a game with these rules.
///
/// # Errors
/// The first thing that is not as it should be.
pub fn read_zrf(text: &str, rules: RuleSet) -> Result<Vec<ZrfStart>, ZrfError> {
    let parts = Expression::all(text)?;
    let game = parts.iter().find(|part| part.name() == Some("game")).ok_or(ZrfError::NoGame)?;
    let variants = parts.iter().filter(|part| part.name() == Some("variant"));
    let start = |own| Reader::new(own, game, rules).start();
    std::iter::once(game).chain(variants).map(start).collect()
}

/// A game or a variant that is read.
struct Reader<'a> {
    own: &'a Expression<'a>,
    game: &'a Expression<'a>,
    title: String,
    rules: RuleSet,
}

/// The files or the ranks of a grid, from the left or from below.
struct Names<'a>(Vec<&'a str>);

/// Where a name stands among the files or ranks of a board.
#[derive(Clone, Copy)]
enum At {
    /// On one.
    Line(usize),
    /// Between one and the next, where walls stand.
    Edge(usize),
}

impl<'a> Names<'a> {
    /// Whether a name is that of a line with the letter of an edge behind it.
    fn is_edge(&self, name: &str) -> bool {
        name.strip_suffix(['e', 'n']).is_some_and(|line| self.0.contains(&line))
    }

    /// How many files or ranks there are; of more names than any board has, how many names.
    fn lines(&self) -> usize {
        if self.0.len() > 2 * usize::from(Board::MAX_SIDE) {
            return self.0.len();
        }
        self.0.iter().filter(|name| !self.is_edge(name)).count()
    }

    fn at(&self, name: &str) -> Option<At> {
        let place = self.0.iter().position(|other| *other == name)?;
        let lines = self.0[..place].iter().filter(|name| !self.is_edge(name)).count();
        Some(if self.is_edge(name) { At::Edge(lines.checked_sub(1)?) } else { At::Line(lines) })
    }
}

/// What a piece is here.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Amazon,
    Obstacle,
}

/// A square, or the wall on one of its sides.
enum Standing {
    On(SquareIndex),
    Wall(SquareIndex, Side),
}

impl<'a> Reader<'a> {
    fn new(own: &'a Expression<'a>, game: &'a Expression<'a>, rules: RuleSet) -> Self {
        let title = match own.within("title") {
            Some([Expression::Text(title), ..]) => {
                title.trim().replace(|symbol: char| symbol.is_control(), " ")
            }
            _ => own.name().unwrap_or("game").to_string(),
        };
        Self { own, game, title, rules }
    }

    /// The title as errors have it.
    fn named(&self) -> String {
        excerpt(&self.title)
    }

    /// A part of the variant, or else of the game.
    fn part(&self, part: &'static str) -> Result<&'a [Expression<'a>], ZrfError> {
        let found = self.own.within(part).or_else(|| self.game.within(part));
        found.ok_or_else(|| ZrfError::Missing { title: self.named(), part })
    }

    /// The names of files and ranks.
    fn names(&self) -> Result<[Names<'a>; 2], ZrfError> {
        let missing = || ZrfError::Missing { title: self.named(), part: "dimensions" };
        let grid = self.part("board")?.iter().find(|part| part.name() == Some("grid"));
        let dimensions = grid.and_then(|grid| grid.within("dimensions")).ok_or_else(missing)?;
        let [files, ranks] = dimensions else { return Err(missing()) };
        let names = |dimension: &Expression<'a>| match dimension.parts() {
            [Expression::Text(names), ..] => Ok(names.split('/').map(str::trim).collect()),
            _ => Err(missing()),
        };
        let (files, mut ranks): (Vec<_>, Vec<_>) = (names(files)?, names(ranks)?);
        ranks.reverse();
        Ok([Names(files), Names(ranks)])
    }

    /// What the piece of a name is.
    fn kind(&self, name: &str) -> Kind {
        let pieces = self.own.parts().iter().chain(self.game.parts());
        let mut pieces = pieces.filter(|part| part.name() == Some("piece"));
        let is_it = |piece: &&Expression<'a>| {
            let words = piece.within("name").unwrap_or_default();
            words.first().and_then(Expression::word) == Some(name)
        };
        match pieces.find(is_it) {
            Some(piece) if piece.within("moves").is_some() => Kind::Amazon,
            _ => Kind::Obstacle,
        }
    }

    fn start(&self) -> Result<ZrfStart, ZrfError> {
        let names = self.names()?;
        let [columns, rows] = [names[0].lines(), names[1].lines()];
        let of_board = |error| ZrfError::Board { title: self.named(), error };
        let board = Board::new(columns, rows).map_err(of_board)?;
        let players = self.part("players")?;
        let first = players.first().and_then(Expression::word);
        let (none, turn) = (Bitboard::EMPTY, self.turn(first)?);
        let mut setup = Setup { board, white: none, black: none, arrows: none, turn };
        let mut walls = Walls::default();
        for player in self.part("board-setup")? {
            let colour = if player.name() == first { Colour::White } else { Colour::Black };
            for group in player.parts().iter().skip(1) {
                let Some(piece) = group.name() else { continue };
                for standing in self.standing(board, &names, piece, &group.parts()[1..])? {
                    let square = match standing {
                        Standing::Wall(square, side) => {
                            walls = walls.with(board, square, side);
                            continue;
                        }
                        Standing::On(square) => square,
                    };
                    let set = match (self.kind(piece), colour) {
                        (Kind::Obstacle, _) => &mut setup.arrows,
                        (Kind::Amazon, Colour::White) => &mut setup.white,
                        (Kind::Amazon, Colour::Black) => &mut setup.black,
                    };
                    *set = set.with(square);
                }
            }
        }
        let illegal = |error| ZrfError::Illegal { title: self.named(), error };
        let mut position = VariantPosition::new(self.rules, setup.check().map_err(illegal)?);
        if !walls.is_empty() && self.rules.shot != Shot::Wall {
            return Err(ZrfError::Walls { title: self.named(), rules: self.rules });
        }
        position.walls = walls;
        Ok(ZrfStart { title: self.title.clone(), position })
    }

    /// Who begins: White is the first of the players.
    fn turn(&self, first: Option<&str>) -> Result<Colour, ZrfError> {
        let order = self.part("turn-order")?;
        let begins = order.first().and_then(|turn| turn.word().or(turn.name()));
        Ok(if begins == first { Colour::White } else { Colour::Black })
    }

    /// Where the pieces of one kind stand.
    fn standing(
        &self,
        board: Board,
        names: &[Names<'a>; 2],
        piece: &str,
        words: &[Expression<'a>],
    ) -> Result<Vec<Standing>, ZrfError> {
        let mut words = words.iter().filter_map(Expression::word);
        let mut found = Vec::new();
        while let Some(word) = words.next() {
            // How many are off the board.
            if word == "off" {
                words.next();
                continue;
            }
            found.push(place(board, names, word).ok_or_else(|| ZrfError::Square {
                title: self.named(),
                board,
                piece: excerpt(piece),
                found: excerpt(word),
            })?);
        }
        Ok(found)
    }
}

/// Where a name of a square stands: the name of its file and that of its rank.
fn place(board: Board, [files, ranks]: &[Names<'_>; 2], word: &str) -> Option<Standing> {
    let cut = |file: &str| word.strip_prefix(file).and_then(|rank| ranks.at(rank));
    let (file, rank) = files.0.iter().find_map(|file| Some((files.at(file)?, cut(file)?)))?;
    let square = |file: usize, rank: usize| board.square(file, rank);
    match (file, rank) {
        (At::Line(file), At::Line(rank)) => Some(Standing::On(square(file, rank)?)),
        (At::Edge(file), At::Line(rank)) => Some(Standing::Wall(square(file, rank)?, Side::East)),
        (At::Line(file), At::Edge(rank)) => Some(Standing::Wall(square(file, rank)?, Side::North)),
        (At::Edge(_), At::Edge(_)) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::variants::{variant_fen, zrf};
    use proptest::prelude::*;

    /// A file as they are met: other names, images, a variant that says little.
    const COWS: &str = r#"
; (not a game)
(define leap ($1 $2 (verify empty?) add))
(game (title "Cows ") (players Red Black) (opening-sound "Audio\\horse.wav")
  (turn-order (Red normal) (Red shoot) (Black normal) (Black shoot))
  (board (image "a;b.bmp") (grid (start-rectangle 2 2 45 45)
    (dimensions ("a/b/c" (47 0)) ; files
                ("2/1" (0 47)))))
  (board-setup (Red (Hole off 99) (Cow a1)) (Black (Hole c2 off 98) (Cow b2 c1)))
  (piece (name Cow) (moves (leap n ne))) (piece (name Hole) (drops (leap n ne))))
(variant (title "Other") (board-setup (Red (Cow c1)) (Black (Cow a2))))
"#;

    #[test]
    fn starts_of_a_file_are_read() {
        let starts = read_zrf(COWS, RuleSet::COWBOYS).unwrap();
        let read: Vec<_> = starts.iter().map(|s| (&*s.title, variant_fen(&s.position))).collect();
        let expected = [("Cows", "1q*/Q1q w".to_string()), ("Other", "q2/2Q w".to_string())];
        assert_eq!(read, expected);
        let black = COWS.replacen("(turn-order (Red normal) (Red shoot)", "(turn-order ", 1);
        let starts = read_zrf(&black, RuleSet::COWBOYS).unwrap();
        assert_eq!(variant_fen(&starts[0].position), "1q*/Q1q b");
    }

    #[test]
    fn errors_say_what_was_expected_and_found() {
        for (from, to, expected) in [
            ("(game", "(gone", "expected a rules file with (game ...), found none"),
            (
                "(Cow c1)) (Black",
                "(Cow c3)) (Black",
                "expected a square of 3x2 for \"Cow\", found \"c3\"",
            ),
            ("(Cow c1)) (Black", "(Cow a2)) (Black", "both a white and a black amazon"),
            ("dimensions", "dim", "expected (dimensions ...), found none"),
            ("(players Red Black)", "", "expected (players ...), found none"),
            ("\"a/b/c\"", "\"a/b/c", "what closes this bracket or quotation mark"),
            (
                "(board-setup (Red (Hole",
                "(board-setup ((Red (Hole",
                "line 4, column 1: expected what closes",
            ),
            ("(Cow a2))))", "(Cow a2)))))", "expected no closing bracket here"),
            ("\"2/1\"", "\"1/2/3/4/5/6/7/8/9/10/11/12/13/14/15/16/17/18/19/20/21\"", "found 3x21"),
        ] {
            assert!(COWS.contains(from), "{from}");
            let error = read_zrf(&COWS.replacen(from, to, 1), RuleSet::COWBOYS).unwrap_err();
            assert!(error.to_string().contains(expected), "{to}: {error}");
        }
        let deep = "(".repeat(100_000);
        assert!(matches!(read_zrf(&deep, RuleSet::COWBOYS), Err(ZrfError::TooDeep { .. })));
        let walls = parse("3/Q1q w 1 a1E,b1N");
        let text = zrf(&walls).unwrap();
        let error = read_zrf(&text, RuleSet::COWBOYS).unwrap_err().to_string();
        assert!(error.ends_with("cowboys has no walls"), "{error}");
    }

    fn parse(text: &str) -> VariantPosition {
        crate::game::variants::parse_variant_fen(text, RuleSet::TROMAZONS).unwrap()
    }

    #[test]
    fn walls_come_back() {
        for text in ["3/Q1q w 1 a1N,a1E,c1N,b2E", "11q/Q11/12 b 1 k3E,l2N", "Qq w 1 a1E"] {
            let at = parse(text);
            let start = &read_zrf(&zrf(&at).unwrap(), RuleSet::TROMAZONS).unwrap()[0];
            assert_eq!(variant_fen(&start.position), variant_fen(&at));
        }
    }

    proptest! {
        #[test]
        fn no_text_panics(any in "\\PC*", near in "[()a-c1-2 \";/]{0,40}") {
            let _ = read_zrf(&any, RuleSet::COWBOYS);
            let _ = read_zrf(&near, RuleSet::COWBOYS);
            let _ = read_zrf(&COWS.replace("a1", &near), RuleSet::COWBOYS);
            let _ = read_zrf(&COWS.replace("a/b/c", &near), RuleSet::COWBOYS);
        }
    }
}
