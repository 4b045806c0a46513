//! Annotated games: what every position of a game is worth, and which moves gave a win away.
//!
//! A [`Finding`] says what is known of a position; where it comes from, a table or a proof, is the
//! caller's affair. [`find_all`] asks for one a node, the last nodes first: what a continuation is
//! worth often decides the position before it. [`annotate`] writes them into the game as FF\[4\]
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
use crate::game::rules::{Colour, IndexedMove, Position, Rules};

/// Where a finding comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FoundBy {
    /// The side to move cannot move.
    Rules,
    /// A table.
    Tables,
    /// A proof search.
    Proof,
    /// A continuation of the game that loses for the other side.
    Continuation,
    /// Nothing is known.
    None,
}

impl FoundBy {
    /// The method in words that follow "wins".
    pub fn words(self) -> &'static str {
        match self {
            Self::Rules => "by the rules",
            Self::Tables => "by tables",
            Self::Proof => "by proof",
            Self::Continuation => "by the continuation",
            Self::None => "unknown",
        }
    }
}

/// What is known of a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// What the side to move reaches; `None` if that is not known.
    pub outcome: Option<Outcome>,
    /// Moves that win for it.
    pub winning: Vec<IndexedMove>,
    /// Whether `winning` holds all of them.
    pub complete: bool,
    /// Where this comes from.
    pub method: FoundBy,
}

impl Finding {
    /// Nothing is known.
    pub fn unknown() -> Self {
        Self { outcome: None, winning: Vec::new(), complete: false, method: FoundBy::None }
    }

    /// The side to move loses.
    pub fn lost(method: FoundBy) -> Self {
        Self { outcome: Some(Outcome::Loss), winning: Vec::new(), complete: true, method }
    }

    /// The colour that wins this position.
    pub fn winner(&self, position: &Position) -> Option<Colour> {
        self.outcome.map(|outcome| outcome.winner(position.turn()))
    }
}

/// What a move did to its maker's value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mark {
    /// It was a win before, and is a loss after it.
    Blunder,
    /// Of several moves it is the only one that wins.
    Only,
}

/// The findings of every node of a game, asked of `judge` where the nodes after it do not settle
/// it.
///
/// # Errors
/// The first error of `judge`.
pub fn find_all<E>(
    game: &Game,
    mut judge: impl FnMut(NodeId, &Position) -> Result<Finding, E>,
) -> Result<Vec<Finding>, E> {
    let ids: Vec<NodeId> = game.tree().ids().collect();
    let mut findings = vec![Finding::unknown(); ids.len()];
    for (at, &id) in ids.iter().enumerate().rev() {
        let position = game.position(id);
        findings[at] = if move_count(position) == 0 {
            Finding::lost(FoundBy::Rules)
        } else {
            judge(id, position)?
        };
        if findings[at].outcome.is_none() {
            let winning = winning_continuations(game, id, &findings);
            if !winning.is_empty() {
                let method = FoundBy::Continuation;
                findings[at] =
                    Finding { outcome: Some(Outcome::Win), winning, complete: false, method };
            }
        }
    }
    Ok(findings)
}

/// The moves of the game after a node that are known to win.
pub fn winning_continuations(game: &Game, id: NodeId, findings: &[Finding]) -> Vec<IndexedMove> {
    let children = game.tree().node(id).children().iter();
    let lost = children.filter(|child| findings[child.index()].outcome == Some(Outcome::Loss));
    lost.filter_map(|&child| game.played(child)).collect()
}

/// What the move of a node did, if that is known and worth a mark.
pub fn mark(game: &Game, id: NodeId, findings: &[Finding]) -> Option<Mark> {
    let played = game.played(id)?;
    let parent = game.tree().node(id).parent()?;
    let (before, after) = (&findings[parent.index()], &findings[id.index()]);
    match (before.outcome, after.outcome) {
        (Some(Outcome::Win), Some(Outcome::Win)) => Some(Mark::Blunder),
        (Some(Outcome::Win), Some(Outcome::Loss)) => {
            let only = before.complete
                && before.winning == [played]
                && move_count(game.position(parent)) > 1;
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
    let named: Vec<String> = before
        .winning
        .iter()
        .take(LISTED)
        .map(|&played| move_text(position.board(), played))
        .collect();
    let more = before.winning.len() - named.len();
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    let list = named.join(" ");
    Some(match (before.complete, named.is_empty()) {
        (true, _) => {
            let (count, all) = (before.winning.len(), move_count(position));
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
        let (value, emphasis) = match findings[id.index()].winner(game.position(id)) {
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
    let before = parent.and_then(|parent| findings[parent.index()].outcome);
    game.played(id).is_some() && before.is_some() && findings[id.index()].outcome.is_some()
}

/// How the lines of a comment begin that are ours.
const SIGNATURE: &str = "amazons: ";

fn words(game: &Game, id: NodeId, findings: &[Finding], mark: Option<Mark>) -> Vec<String> {
    let finding = &findings[id.index()];
    let mut lines = vec![match finding.winner(game.position(id)) {
        Some(winner) => format!("{winner} wins, {}", finding.method.words()),
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

/// How many moves there are in a position.
pub(crate) fn move_count(position: &Position) -> u64 {
    let rules = Rules::<u128>::new(position.board());
    let count = rules
        .ok()
        .zip(position.bitboards::<u128>())
        .map(|(rules, position)| rules.count(&position));
    count.unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::naive::NaiveSolver;
    use crate::game::notation::sgf::{Style, Tree, games_text, parse_games};
    use crate::game::notation::{fen, parse_fen};

    /// Every position by brute force.
    fn naive(_: NodeId, position: &Position) -> Result<Finding, std::convert::Infallible> {
        let rules = Rules::<u64>::new(position.board()).unwrap();
        let mut solver = NaiveSolver::new(rules.clone());
        let plain = position.bitboards::<u64>().unwrap();
        let moves = rules.moves(&plain).into_iter();
        let winning: Vec<IndexedMove> = moves
            .filter(|&played| !solver.outcome(&rules.play_unchecked(&plain, played)).is_win())
            .collect();
        Ok(Finding {
            outcome: Some(Outcome::win_if(!winning.is_empty())),
            winning,
            complete: true,
            method: FoundBy::Tables,
        })
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
        assert_eq!(root.outcome, Some(Outcome::Win));
        let (mut kept, mut thrown) = (0, 0);
        for &child in game.tree().node(Tree::ROOT).children() {
            let node = game.tree().node(child);
            let wins = root.winning.contains(&game.played(child).unwrap());
            assert_eq!(node.values("BM").is_none(), wins);
            assert_eq!(node.values("GW").is_some(), wins);
            assert_eq!(node.values("GB").is_none(), wins);
            assert_eq!(node.text("C").unwrap().contains("threw the win away"), !wins);
            *(if wins { &mut kept } else { &mut thrown }) += 1;
        }
        assert_eq!(
            (kept, thrown),
            (root.winning.len(), game.tree().len() - 1 - root.winning.len())
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
            children.rfind(|child| all[child.index()].outcome == Some(Outcome::Loss)).unwrap();
        let one = |id: NodeId, position: &Position| {
            if id == known { naive(id, position) } else { Ok(Finding::unknown()) }
        };
        let findings = find_all(&game, one).unwrap();
        assert_eq!(findings[0].outcome, Some(Outcome::Win));
        assert_eq!(findings[0].winning, [game.played(known).unwrap()]);
        assert_eq!(findings[0].method, FoundBy::Continuation);
        let mut game = game;
        annotate(&mut game, &findings);
        assert!(game.tree().node(Tree::ROOT).values("GW").is_some());
        let unknown = game.tree().node(Tree::ROOT).children()[0];
        assert_eq!(
            game.tree().node(unknown).values("UC").is_some(),
            findings[unknown.index()].outcome.is_none()
        );
        assert!(fen(game.position(known)).ends_with('b'));
    }

    #[test]
    fn a_position_without_moves_is_lost_by_the_rules() {
        let game = Game::new(&parse_fen("q*1/**1/2Q b").unwrap(), Style::Points);
        let never = |_, _: &Position| Err("asked");
        assert_eq!(find_all(&game, never).unwrap(), [Finding::lost(FoundBy::Rules)]);
    }
}
