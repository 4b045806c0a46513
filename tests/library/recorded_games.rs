//! The recorded games of the rule pages of 134* and Tromazons, to their printed end.

use amazons::error::{VariantPlayError, VariantRecordError};
use amazons::game::board::Bitboard;
use amazons::game::notation::parse_square;
use amazons::game::variants::{
    RuleSet, VariantPosition, VariantRecord, parse_variant_fen, variant_fen,
};

/// The moves of a file of records, without its remarks.
fn moves(file: &str) -> String {
    let lines = file.lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| format!("{line}\n")).collect()
}

fn start(rules: RuleSet, fen: &str) -> VariantPosition {
    parse_variant_fen(fen, rules).unwrap()
}

/// Where the game of 134* begins.
const START_134: &str = "15/3q3Q3q3/15/1Q11Q1/15/15/15/1q11q1/15/15/15/1Q11Q1/15/3q3Q3q3/15 w";
/// The diagram of its end on the page.
const END_134: &str = "15/15/1*2***Q7/4*qQ*3**2/Q2********2**/3***********q/*1**q1***5*/1Q*1*8q*/\
                       1*q***2*6/**1****1*6/******q**1*4/*Q**1Q***6/1*1*****7/1*1**10/3*11";
/// Moves that are misprinted, and what stands to reason: the amazon goes on from there, and the
/// diagram of the end has the squares so.
const MISPRINTS: [[&str; 2]; 3] = [
    // The amazon moves on from d7 in turn 14.
    ["c7-d8/c8", "c7-d7/c8"],
    // It moves on from a4 in turn 17; the diagram has d7 burned, and a3 empty.
    ["a3-b4/a3", "a3-a4/d7"],
    // k11 burned in turn 6; the diagram has j11 burned.
    ["g12-h13/k11", "g12-h13/j11"],
];
/// A move that no reading makes legal: the diagram of the end has the amazon on o10, and i5 burned.
const ILLEGAL: &str = "i5-o10/i5";

#[test]
fn the_game_of_134_has_its_printed_end() {
    let printed = moves(include_str!("../data/134.txt"));
    let at = start(RuleSet::TURNS_134, START_134);
    // As it is printed, the first move that cannot be played is named.
    let VariantRecordError::Move { turn, number, error, .. } =
        VariantRecord::read(at, &printed).unwrap_err()
    else {
        panic!("an illegal move was expected");
    };
    assert_eq!((turn, number), (10, 4));
    let VariantPlayError::Illegal { played, reason, .. } = error else { panic!("{error}") };
    assert_eq!((played.as_str(), reason.as_str()), (ILLEGAL, "the amazon cannot step there"));

    let mut text = printed;
    for [misprint, corrected] in MISPRINTS {
        assert_eq!(text.matches(misprint).count(), 1, "{misprint}");
        text = text.replace(misprint, corrected);
    }
    let (before, after) = text.split_once(ILLEGAL).unwrap();
    let record = VariantRecord::read(at, before).unwrap();
    assert_eq!(record.moves().len(), 1 + 3 + 7 * 4 + 3);
    // Its effect, which ends the turn.
    let mut setup = record.last().position().setup();
    let [from, to] = ["i5", "o10"].map(|name| parse_square(setup.board, name).unwrap());
    setup.black = setup.black.without(Bitboard::of(from)).with(to);
    setup.arrows = setup.arrows.with(from);
    setup.turn = setup.turn.other();
    let at = start(RuleSet::TURNS_134, &format!("{} 3", setup.check().unwrap()));
    let record = VariantRecord::read(at, after).unwrap();
    assert_eq!(record.moves().len(), 10 * 4);
    assert_eq!(variant_fen(record.last()), format!("{END_134} w 3"));
}

#[test]
fn the_game_of_tromazons_has_its_printed_end() {
    let rules = RuleSet { turns: "1,2".parse().unwrap(), ..RuleSet::TROMAZONS };
    let at = VariantPosition::start(rules, "8x8".parse().unwrap(), None).unwrap();
    let record = VariantRecord::read(at, &moves(include_str!("../data/tromazons.txt"))).unwrap();
    assert_eq!(record.moves().len(), 1 + 27 * 2);
    let walls = "e1N,f1N,b2N,c2N,b3N,c3N,f3N,g3N,b4N,c4N,d4N,f4N,g4N,h4N,b5N,e5N,f5N,g5N,h5N,a6N,\
                 e6N,g6N,a7N,b7N,c7N,d7N,e7N,g7N,h7N,d1E,d2E,f2E,b3E,c3E,d3E,e3E,b4E,e4E,f4E,b5E,\
                 f5E,g5E,b6E,c6E,d6E,f6E,b7E,c7E,d7E,f7E,g7E,b8E,c8E,d8E,e8E";
    let end = format!("7q/Q6Q/q7/8/8/3Q4/3qQ1q1/8 w 2 {walls}");
    assert_eq!(variant_fen(record.last()), end);
}
