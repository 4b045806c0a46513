//! Annotated games: what every position of a game is worth, and which moves gave a win away.
//!
//! A [`Finding`] says what is known of a position. [`find_all`] asks for one a node, the last nodes
//! first: what a continuation is worth often decides the position before it. [`annotate`] writes them into the game as FF\[4\]
//! has it:
//!
//! | property | on a node |
//! |---|---|
//! | `GW[2]`, `GB[2]` | White or Black wins the position |
//! | `UC[1]` | the winner is not known |
//! | `BM[2]` | the move threw a win away |
//! | `TE[1]` | the only move that wins |
//! | `C` | the same in words, with winning alternatives; each line begins with `amazons: ` |
//!
//! Annotations of these kinds that were there are replaced, since a node may have but one of each
//! kind; other lines of a comment stay. So annotating twice changes nothing.

use crate::game::Outcome;
use crate::game::notation::move_text;
use crate::game::notation::sgf::{Game, NodeId};
use crate::game::rules::{Colour, IndexedMove, Position};
use crate::knowledge::{Basis, Finding, SourceError};

/// Who wins a position, if that is known.
pub fn winner(position: &Position, finding: &Finding) -> Option<Colour> {
    finding.value().map(|outcome| outcome.winner(position.turn()))
}

/// The moves that are known to win.
pub fn winning(finding: &Finding) -> Vec<IndexedMove> {
    finding.of_value(Some(Outcome::Win)).collect()
}

/// Whether it is known of every move whether it wins.
pub fn knows_all_moves(finding: &Finding) -> bool {
    finding.of_value(None).next().is_none()
}

/// What a move did to its maker's value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mark {
    /// It was a win before, and is a loss after it.
    Blunder,
    /// Of several moves it is the only one that wins.
    Only,
}

/// The findings of every node of a game: what `judge` finds, and what the nodes after it tell.
///
/// # Errors
/// The first error of `judge`, or that it contradicts what is found of a continuation.
pub fn find_all<E: From<SourceError>>(
    game: &Game,
    mut judge: impl FnMut(NodeId, &Position) -> Result<Finding, E>,
) -> Result<Vec<Finding>, E> {
    let ids: Vec<NodeId> = game.tree().ids().collect();
    let mut findings = vec![Finding::of_moves(Vec::new()); ids.len()];
    for (at, &id) in ids.iter().enumerate().rev() {
        let mut finding = judge(id, game.position(id))?;
        for &child in game.tree().node(id).children() {
            let value = findings[child.index()].value();
            if let Some((played, value)) = game.played(child).zip(value) {
                finding.tell_move(played, value.reversed(), &Basis::Continuation)?;
            }
        }
        findings[at] = finding;
    }
    Ok(findings)
}

/// What the move of a node did, if that is known and worth a mark.
pub fn mark(game: &Game, id: NodeId, findings: &[Finding]) -> Option<Mark> {
    let played = game.played(id)?;
    let parent = game.tree().node(id).parent()?;
    let (before, after) = (&findings[parent.index()], &findings[id.index()]);
    match (before.value(), after.value()) {
        (Some(Outcome::Win), Some(Outcome::Win)) => Some(Mark::Blunder),
        (Some(Outcome::Win), Some(Outcome::Loss)) => {
            let only = knows_all_moves(before)
                && winning(before) == [played]
                && before.moves().len() > 1;
            only.then_some(Mark::Only)
        }
        _ => None,
    }
}

/// The most alternatives that are listed.
const LISTED: usize = 12;

/// The moves that would have won in place of a blunder, in words.
pub fn alternatives(game: &Game, id: NodeId, findings: &[Finding]) -> Option<String> {
    let parent = game.tree().node(id).parent()?;
    let (before, position) = (&findings[parent.index()], game.position(parent));
    let winning = winning(before);
    let named: Vec<String> = winning
        .iter()
        .take(LISTED)
        .map(|&played| move_text(position.board(), played))
        .collect();
    let more = winning.len() - named.len();
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    let list = named.join(" ");
    Some(match (knows_all_moves(before), named.is_empty()) {
        (true, _) => {
            let (count, all) = (winning.len(), before.moves().len());
            format!("{count} of {all} moves won: {list}{more}")
        }
        (false, false) => format!("{list}{more} would have won"),
        (false, true) => "another move would have won".to_string(),
    })
}

/// Writes findings into a game, one a node.
///
/// # Panics
/// If there are fewer findings than nodes.
pub fn annotate(game: &mut Game, findings: &[Finding]) {
    for id in game.tree().ids().collect::<Vec<_>>() {
        for name in ["GW", "GB", "UC", "DM"] {
            game.clear(id, name);
        }
        let (value, emphasis) = match winner(game.position(id), &findings[id.index()]) {
            Some(Colour::White) => ("GW", "2"),
            Some(Colour::Black) => ("GB", "2"),
            None => ("UC", "1"),
        };
        game.annotate(id, value, emphasis);
        let mark = mark(game, id, findings);
        if known_move(game, id, findings) {
            for name in ["BM", "DO", "IT", "TE"] {
                game.clear(id, name);
            }
        }
        match mark {
            Some(Mark::Blunder) => game.annotate(id, "BM", "2"),
            Some(Mark::Only) => game.annotate(id, "TE", "1"),
            None => {}
        }
        let lines = words(game, id, findings, mark);
        comment(game, id, &lines);
    }
}

/// Whether the values before and after a move are known, so that nobody else's opinion of it
/// counts.
fn known_move(game: &Game, id: NodeId, findings: &[Finding]) -> bool {
    let parent = game.tree().node(id).parent();
    let before = parent.and_then(|parent| findings[parent.index()].value());
    game.played(id).is_some() && before.is_some() && findings[id.index()].value().is_some()
}

/// How the lines of a comment begin that are ours.
const SIGNATURE: &str = "amazons: ";

fn words(game: &Game, id: NodeId, findings: &[Finding], mark: Option<Mark>) -> Vec<String> {
    let finding = &findings[id.index()];
    let winner = winner(game.position(id), finding);
    let mut lines = vec![match winner.zip(finding.basis()) {
        Some((winner, basis)) => format!("{winner} wins, {basis}"),
        None => "the winner is not known".to_string(),
    }];
    match mark {
        Some(Mark::Blunder) => {
            let instead = alternatives(game, id, findings).unwrap_or_default();
            lines.push(format!("this move threw the win away; {instead}"));
        }
        Some(Mark::Only) => lines.push("the only move that wins".to_string()),
        None => {}
    }
    lines
}

fn comment(game: &mut Game, id: NodeId, lines: &[String]) {
    let before = game.tree().node(id).text("C").unwrap_or_default();
    let kept = before.lines().filter(|line| !line.starts_with(SIGNATURE)).map(str::to_string);
    let ours = lines.iter().map(|line| format!("{SIGNATURE}{line}"));
    let text: Vec<String> = kept.chain(ours).collect();
    // The comment comes last, where it stays when this is done again.
    game.clear(id, "C");
    game.annotate(id, "C", &text.join("\n"));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::naive::NaiveSolver;
    use crate::game::notation::sgf::{Style, Tree, games_text, parse_games};
    use crate::game::notation::{fen, parse_fen};
    use crate::game::rules::Rules;

    /// Every position by brute force.
    fn naive(_: NodeId, position: &Position) -> Result<Finding, SourceError> {
        let rules = Rules::<u64>::new(position.board()).unwrap();
        let mut solver = NaiveSolver::new(rules.clone());
        let plain = position.bitboards::<u64>().unwrap();
        let mut finding = Finding::of_moves(rules.moves(&plain));
        for played in rules.moves(&plain) {
            let value = solver.outcome(&rules.play_unchecked(&plain, played)).reversed();
            finding.tell_move(played, value, &table())?;
        }
        if rules.moves(&plain).is_empty() {
            finding.tell_value(Outcome::Loss, &Basis::Rules)?;
        }
        Ok(finding)
    }

    fn table() -> Basis {
        Basis::Table { name: "3x3 1v1".into() }
    }

    /// A game of 3x3 1v1 with every first move as a variation.
    fn game() -> Game {
        let mut game = Game::new(&parse_fen("q2/3/2Q w").unwrap(), Style::Algebraic);
        let start = game.position(Tree::ROOT).bitboards::<u64>().unwrap();
        let board = game.position(Tree::ROOT).board();
        for played in Rules::<u64>::new(board).unwrap().moves(&start) {
            game.play(Tree::ROOT, &move_text(board, played)).unwrap();
        }
        game
    }

    #[test]
    fn moves_that_give_the_win_away_are_marked_and_no_others() {
        let mut game = game();
        let findings = find_all(&game, naive).unwrap();
        annotate(&mut game, &findings);
        let root = &findings[0];
        assert_eq!(root.value(), Some(Outcome::Win));
        let (mut kept, mut thrown) = (0, 0);
        for &child in game.tree().node(Tree::ROOT).children() {
            let node = game.tree().node(child);
            let wins = winning(root).contains(&game.played(child).unwrap());
            assert_eq!(node.values("BM").is_none(), wins);
            assert_eq!(node.values("GW").is_some(), wins);
            assert_eq!(node.values("GB").is_none(), wins);
            assert_eq!(node.text("C").unwrap().contains("threw the win away"), !wins);
            *(if wins { &mut kept } else { &mut thrown }) += 1;
        }
        assert_eq!(
            (kept, thrown),
            (winning(root).len(), game.tree().len() - 1 - winning(root).len())
        );
        assert!(kept > 0 && thrown > 0);
    }

    #[test]
    fn annotating_twice_changes_nothing_and_keeps_other_words() {
        let mut game = game();
        game.annotate(Tree::ROOT, "C", "mine\nstays");
        game.annotate(Tree::ROOT, "DM", "1");
        let findings = find_all(&game, naive).unwrap();
        annotate(&mut game, &findings);
        let root = game.tree().node(Tree::ROOT);
        assert!(root.text("C").unwrap().starts_with("mine\nstays\namazons: white wins"));
        assert!(root.values("DM").is_none());
        let text = games_text(std::slice::from_ref(&game));
        let mut again = parse_games(text.as_bytes()).unwrap().remove(0);
        annotate(&mut again, &findings);
        assert_eq!(games_text(&[again]), text);
    }

    #[test]
    fn a_lost_continuation_settles_the_position_before_it() {
        let game = game();
        let mut children = game.tree().node(Tree::ROOT).children().iter().copied();
        let all = find_all(&game, naive).unwrap();
        let known =
            children.rfind(|child| all[child.index()].value() == Some(Outcome::Loss)).unwrap();
        let one = |id: NodeId, position: &Position| {
            let nothing = Finding::of_moves(position.indexed_moves());
            if id == known { naive(id, position) } else { Ok(nothing) }
        };
        let findings: Vec<Finding> = find_all::<SourceError>(&game, one).unwrap();
        assert_eq!(findings[0].value(), Some(Outcome::Win));
        assert_eq!(winning(&findings[0]), [game.played(known).unwrap()]);
        assert_eq!(findings[0].basis(), Some(&Basis::Continuation));
        let mut game = game;
        annotate(&mut game, &findings);
        assert!(game.tree().node(Tree::ROOT).values("GW").is_some());
        let unknown = game.tree().node(Tree::ROOT).children()[0];
        assert_eq!(
            game.tree().node(unknown).values("UC").is_some(),
            findings[unknown.index()].value().is_none()
        );
        assert!(fen(game.position(known)).ends_with('b'));
    }
}
