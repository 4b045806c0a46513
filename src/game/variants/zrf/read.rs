//! The start positions of a rules file: of its game and of each of its variants.
//!
//! Of the rules nothing is read but the order of turns, which tells the number of the first one.
//! The board is the grid of two dimensions, its first one the files from the left, its second one
//! the ranks from the top. Pieces that have moves are amazons, others are burned squares or walls;
//! pieces off the board are passed over. A variant has from the game what it does not say itself.

use super::error::ZrfError;
use super::expression::Expression;
use super::names::{At, Names};
use super::parts::{Kind, Parts};
use super::turn_order::TurnOrder;
use crate::game::board::{Bitboard, Board, SquareIndex, U512};
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

/// The most variants of a file. Each may have its whole start position from the game.
const MOST_VARIANTS: usize = 1000;

/// The most words of a part. A start position on the largest board has 400 squares and 760 places
/// of walls, and turns have at most 50 moves.
const MOST_WORDS: usize = 2000;

/// The start positions of a rules file, for a game with these rules.
///
/// # Errors
/// The first thing that is not as it should be.
pub fn read_zrf(text: &str, rules: RuleSet) -> Result<Vec<ZrfStart>, ZrfError> {
    let parts = Expression::all(text)?;
    let game = parts.iter().find(|part| part.name() == Some("game")).ok_or(ZrfError::NoGame)?;
    let variants: Vec<_> = parts.iter().filter(|part| part.name() == Some("variant")).collect();
    if variants.len() > MOST_VARIANTS {
        return Err(ZrfError::Variants { most: MOST_VARIANTS, found: variants.len() });
    }
    let game_parts = Parts::of(game);
    std::iter::once(game)
        .chain(variants)
        .map(|own| Reader::new(Parts::of(own), &game_parts, rules).start())
        .collect()
}

/// A game or a variant that is read.
struct Reader<'a> {
    own: Parts<'a>,
    game: &'a Parts<'a>,
    title: String,
    rules: RuleSet,
}

/// The two players; White is the first.
struct Players<'a>([&'a str; 2]);

impl Players<'_> {
    fn colour(&self, name: &str) -> Option<Colour> {
        let [white, black] = self.0;
        match name {
            _ if name == white => Some(Colour::White),
            _ if name == black => Some(Colour::Black),
            _ => None,
        }
    }
}

/// A square, or the wall on one of its sides.
enum Standing {
    On(SquareIndex),
    Wall(SquareIndex, Side),
}

/// What stands on a board.
struct Placed {
    setup: Setup,
    walls: Walls<U512>,
}

impl Placed {
    fn add(&mut self, standing: Standing, kind: Kind, colour: Colour) {
        let square = match standing {
            Standing::Wall(square, side) => {
                self.walls = self.walls.with(self.setup.board, square, side);
                return;
            }
            Standing::On(square) => square,
        };
        let set = match (kind, colour) {
            (Kind::Obstacle, _) => &mut self.setup.arrows,
            (Kind::Amazon, Colour::White) => &mut self.setup.white,
            (Kind::Amazon, Colour::Black) => &mut self.setup.black,
        };
        *set = set.with(square);
    }
}

impl<'a> Reader<'a> {
    fn new(own: Parts<'a>, game: &'a Parts<'a>, rules: RuleSet) -> Self {
        let title = match own.part("title") {
            Some([Expression::Text(title), ..]) => {
                title.trim().replace(|symbol: char| symbol.is_control(), " ")
            }
            _ => own.name.to_string(),
        };
        Self { own, game, title, rules }
    }

    /// The title as errors have it.
    fn named(&self) -> String {
        excerpt(&self.title)
    }

    /// A part of the variant, or else of the game.
    fn part(&self, part: &'static str) -> Result<&'a [Expression<'a>], ZrfError> {
        let found = self.own.part(part).or_else(|| self.game.part(part));
        let found = found.ok_or_else(|| ZrfError::Missing { title: self.named(), part })?;
        match found.len() {
            0..=MOST_WORDS => Ok(found),
            _ => Err(self.long(part, MOST_WORDS)),
        }
    }

    fn long(&self, part: &'static str, most: usize) -> ZrfError {
        ZrfError::Long { title: self.named(), part, most }
    }

    /// The names of files and ranks.
    fn names(&self) -> Result<[Names<'a>; 2], ZrfError> {
        let part = "dimensions";
        let missing = || ZrfError::Missing { title: self.named(), part };
        let grid = self.part("board")?.iter().find(|part| part.name() == Some("grid"));
        let dimensions = grid.and_then(|grid| grid.within(part)).ok_or_else(missing)?;
        let [files, ranks] = dimensions else { return Err(missing()) };
        let listed = |dimension: &Expression<'a>| match dimension.parts() {
            [Expression::Text(names), ..] => {
                let names: Vec<&str> =
                    names.split('/').take(Names::MOST + 1).map(str::trim).collect();
                match names.len() {
                    0..=Names::MOST => Ok(names),
                    _ => Err(self.long(part, Names::MOST)),
                }
            }
            _ => Err(missing()),
        };
        let names = |listed: &[&'a str]| {
            let found = || excerpt(&listed.join("/"));
            let names = Names::new(listed);
            names.ok_or_else(|| ZrfError::Names { title: self.named(), found: found() })
        };
        let (files, mut ranks) = (listed(files)?, listed(ranks)?);
        ranks.reverse();
        Ok([names(&files)?, names(&ranks)?])
    }

    fn players(&self) -> Result<Players<'a>, ZrfError> {
        let players = self.part("players")?;
        match players {
            [Expression::Word(white), Expression::Word(black)] if white != black => {
                Ok(Players([white, black]))
            }
            _ => {
                let names: Vec<&str> = players.iter().filter_map(Expression::word).collect();
                Err(ZrfError::Players { title: self.named(), found: excerpt(&names.join(" ")) })
            }
        }
    }

    /// The colour of a player, by the word in a part.
    fn colour(
        &self,
        players: &Players<'a>,
        part: &'static str,
        name: Option<&str>,
    ) -> Result<Colour, ZrfError> {
        name.and_then(|name| players.colour(name)).ok_or_else(|| ZrfError::Player {
            title: self.named(),
            part,
            names: players.0.map(excerpt),
            found: name.map_or("none".to_string(), excerpt),
        })
    }

    /// What the piece of a name is.
    fn kind(&self, name: Option<&str>) -> Result<Kind, ZrfError> {
        let known = |name| self.own.piece(name).or_else(|| self.game.piece(name));
        name.and_then(known).ok_or_else(|| ZrfError::Piece {
            title: self.named(),
            found: name.map_or("none".to_string(), excerpt),
        })
    }

    fn start(&self) -> Result<ZrfStart, ZrfError> {
        let names = self.names()?;
        let [columns, rows] = [names[0].lines(), names[1].lines()];
        let of_board = |error| ZrfError::Board { title: self.named(), error };
        let board = Board::new(columns, rows).map_err(of_board)?;
        let players = self.players()?;
        let order = self.turn_order(&players)?;
        let (none, turn) = (Bitboard::EMPTY, order.first);
        let setup = Setup { board, white: none, black: none, arrows: none, turn };
        let mut placed = Placed { setup, walls: Walls::default() };
        self.place_all(&mut placed, &names, &players)?;
        let illegal = |error| ZrfError::Illegal { title: self.named(), error };
        let mut position = VariantPosition::new(self.rules, placed.setup.check().map_err(illegal)?);
        if !placed.walls.is_empty() && self.rules.shot != Shot::Wall {
            return Err(ZrfError::Walls { title: self.named(), rules: self.rules });
        }
        position.walls = placed.walls;
        position.turn_number = order.number(self.rules.turns);
        Ok(ZrfStart { title: self.title.clone(), position })
    }

    fn turn_order(&self, players: &Players<'a>) -> Result<TurnOrder, ZrfError> {
        let part = "turn-order";
        let mut order = Vec::new();
        for entry in self.part(part)? {
            order.push(match entry.word().or(entry.name()) {
                Some("repeat") => None,
                name => Some(self.colour(players, part, name)?),
            });
        }
        TurnOrder::new(&order).ok_or_else(|| ZrfError::Missing { title: self.named(), part })
    }

    /// Adds what stands on the board at the beginning.
    fn place_all(
        &self,
        placed: &mut Placed,
        names: &[Names<'a>; 2],
        players: &Players<'a>,
    ) -> Result<(), ZrfError> {
        let (part, mut words) = ("board-setup", 0);
        for player in self.part(part)? {
            let colour = self.colour(players, part, player.name())?;
            for group in &player.parts()[1..] {
                words += 1 + group.parts().len();
                if words > MOST_WORDS {
                    return Err(self.long(part, MOST_WORDS));
                }
                let kind = self.kind(group.name())?;
                let standing = self.standing(placed.setup.board, names, group)?;
                { standing }.into_iter().for_each(|one| placed.add(one, kind, colour));
            }
        }
        Ok(())
    }

    /// Where the pieces of one kind stand: the name of the kind, and then those of squares.
    fn standing(
        &self,
        board: Board,
        names: &[Names<'a>; 2],
        group: &Expression<'a>,
    ) -> Result<Vec<Standing>, ZrfError> {
        let mut words = group.parts().iter().skip(1).filter_map(Expression::word);
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
                piece: excerpt(group.name().unwrap_or_default()),
                found: excerpt(word),
            })?);
        }
        Ok(found)
    }
}

/// Where a name of a square stands: the name of its file and that of its rank.
fn place(board: Board, [files, ranks]: &[Names<'_>; 2], word: &str) -> Option<Standing> {
    let cut = |file: &str| word.strip_prefix(file).and_then(|rank| ranks.at(rank));
    let (file, rank) = files.iter().find_map(|(name, file)| Some((file, cut(name)?)))?;
    let square = |file: usize, rank: usize| board.square(file, rank);
    match (file, rank) {
        (At::Line(file), At::Line(rank)) => Some(Standing::On(square(file, rank)?)),
        (At::Edge(file), At::Line(rank)) => Some(Standing::Wall(square(file, rank)?, Side::East)),
        (At::Line(file), At::Edge(rank)) => Some(Standing::Wall(square(file, rank)?, Side::North)),
        _ => None,
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
            (
                "(players Red Black)",
                "(players)",
                "expected two players, each by another name, found \"\"",
            ),
            ("(players Red Black)", "(players Red Black Blue)", "found \"Red Black Blue\""),
            ("(players Red Black)", "(players Red Red)", "found \"Red Red\""),
            (
                "(board-setup (Red (Hole",
                "(board-setup (Blue (Hole",
                "expected \"Red\" or \"Black\" in (board-setup ...), found \"Blue\"",
            ),
            (
                "(board-setup (Red (Hole",
                "(board-setup Red (Red (Hole",
                "(board-setup ...), found none",
            ),
            ("(turn-order (Red", "(turn-order (Blue", "in (turn-order ...), found \"Blue\""),
            ("(Black normal)", "(Blue normal)", "in (turn-order ...), found \"Blue\""),
            (
                "(Hole c2 off 98)",
                "(Hoel c2 off 98)",
                "a piece that (piece ...) defines, found \"Hoel\"",
            ),
            ("(Hole c2 off 98)", "((Hole) c2)", "a piece that (piece ...) defines, found none"),
            (
                "(Red normal) (Red shoot) (Black normal) (Black shoot)",
                "",
                "expected (turn-order ...), found none",
            ),
            ("\"a/b/c\"", "\"a/b/a\"", "none twice and none empty, found \"a/b/a\""),
            ("\"a/b/c\"", "\"/b/c\"", "none twice and none empty, found \"/b/c\""),
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

    #[test]
    fn files_that_say_too_much_are_refused_soon() {
        let repeated = |from: &str, part: &str, times: usize| {
            assert!(COWS.contains(from), "{from}");
            let text = COWS.replacen(from, &format!("{from}{}", part.repeat(times)), 1);
            read_zrf(&text, RuleSet::COWBOYS).map_err(|error| error.to_string())
        };
        for (from, part) in [
            ("(Cow a1", " a1"),
            ("(Cow a1)", "(Cow)"),
            ("(Cow a1))", "(Red)"),
            ("(turn-order", "(Red normal)"),
        ] {
            let error = repeated(from, part, 200_000).unwrap_err();
            assert!(error.contains("of at most 2000 words"), "{from}: {error}");
        }
        let error = repeated("\"a/b/c", "/d", 40).unwrap_err();
        assert!(error.contains("(dimensions ...) of at most 40 words"), "{error}");
        let pieces = "(piece (name Pawn) (moves))";
        assert_eq!(
            repeated("(piece (name Cow) (moves (leap n ne)))", pieces, 20_000).unwrap().len(),
            2
        );
        let end = "(Black (Cow a2))))";
        assert_eq!(repeated(end, "(variant)", 999).unwrap().len(), 1001);
        let error = repeated(end, "(variant)", 1000).unwrap_err();
        assert!(error.contains("at most 1000 variants, found 1001"), "{error}");
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
