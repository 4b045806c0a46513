//! Findings as properties and comments of a game.

use super::cost::Cost;
use super::course::Costly;
use super::estimate::Estimate;
use super::judgement::{Mark, alternatives, mark, winner};
use crate::game::notation::sgf::{Game, NodeId};
use crate::game::rules::Colour;
use crate::knowledge::Finding;

/// Writes findings into a game, one a node, what costly moves cost, and, where that was asked for,
/// what each move cost in spare moves.
///
/// # Panics
/// If there are fewer findings or estimates than nodes.
pub fn annotate(
    game: &mut Game,
    findings: &[Finding],
    estimates: &[Option<Estimate>],
    costly: &[Costly],
    costs: &[Option<Cost>],
) {
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
        let mark = mark(game, id.index(), findings);
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
        let mut lines = words(game, id, findings, mark, estimates[id.index()].as_ref());
        let cost = costly.iter().find(|costly| costly.node == id && mark.is_none());
        lines.extend(cost.map(|costly| costly.words(game)));
        lines.extend(costs.get(id.index()).into_iter().flatten().map(Cost::words));
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

fn words(
    game: &Game,
    id: NodeId,
    findings: &[Finding],
    mark: Option<Mark>,
    estimate: Option<&Estimate>,
) -> Vec<String> {
    let finding = &findings[id.index()];
    let winner = winner(game.position(id), finding);
    let mut lines = vec![match winner.zip(finding.basis()) {
        Some((winner, basis)) => format!("{winner} wins, {basis}"),
        None => match estimate {
            Some(estimate) => format!("the winner is not known; {}", estimate.words()),
            None => "the winner is not known".to_string(),
        },
    }];
    match mark {
        Some(Mark::Blunder) => {
            let instead = alternatives(game, id.index(), findings).unwrap_or_default();
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
    use crate::app::annotation::{find_all, winning};
    use crate::game::Outcome;
    use crate::game::naive::NaiveSolver;
    use crate::game::notation::move_text;
    use crate::game::notation::sgf::{Style, Tree, games_text, parse_games};
    use crate::game::notation::{fen, parse_fen};
    use crate::game::rules::Position;
    use crate::game::rules::Rules;
    use crate::knowledge::{Basis, SourceError};

    /// Every position by brute force.
    fn naive(position: &Position) -> Result<Finding, SourceError> {
        let rules = Rules::<u64>::new(position.board()).unwrap();
        let mut solver = NaiveSolver::new(rules.clone());
        let plain = position.bitboards::<u64>().unwrap();
        let mut finding = Finding::of_moves(position.board(), rules.moves(&plain));
        for played in rules.moves(&plain) {
            let value = solver.outcome(&rules.play_unchecked(&plain, played)).reversed();
            finding.tell_move(played, value, &table())?;
        }
        if rules.moves(&plain).is_empty() {
            finding.tell_value(Outcome::Loss, &Basis::Rules)?;
        }
        Ok(finding)
    }

    /// All findings of a game by brute force.
    fn all(game: &Game) -> Vec<Finding> {
        let ids: Vec<NodeId> = game.tree().ids().collect();
        find_all(game, |at| naive(game.position(ids[at]))).unwrap()
    }

    /// No estimates.
    fn nothing(findings: &[Finding]) -> Vec<Option<Estimate>> {
        findings.iter().map(|_| None).collect()
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
        let findings = all(&game);
        annotate(&mut game, &findings, &nothing(&findings), &[], &[]);
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
        let findings = all(&game);
        annotate(&mut game, &findings, &nothing(&findings), &[], &[]);
        let root = game.tree().node(Tree::ROOT);
        assert!(root.text("C").unwrap().starts_with("mine\nstays\namazons: white wins"));
        assert!(root.values("DM").is_none());
        let text = games_text(std::slice::from_ref(&game));
        let mut again = parse_games(text.as_bytes()).unwrap().remove(0);
        annotate(&mut again, &findings, &nothing(&findings), &[], &[]);
        assert_eq!(games_text(&[again]), text);
    }

    #[test]
    fn a_lost_continuation_settles_the_position_before_it() {
        let game = game();
        let mut children = game.tree().node(Tree::ROOT).children().iter().copied();
        let all = all(&game);
        let known =
            children.rfind(|child| all[child.index()].value() == Some(Outcome::Loss)).unwrap();
        let ids: Vec<NodeId> = game.tree().ids().collect();
        let one = |at: usize| {
            let position = game.position(ids[at]);
            let nothing = Finding::of_moves(position.board(), position.indexed_moves());
            if ids[at] == known { naive(position) } else { Ok(nothing) }
        };
        let findings: Vec<Finding> = find_all(&game, one).unwrap();
        assert_eq!(findings[0].value(), Some(Outcome::Win));
        assert_eq!(winning(&findings[0]), [game.played(known).unwrap()]);
        assert_eq!(findings[0].basis(), Some(&Basis::Continuation));
        let mut game = game;
        annotate(&mut game, &findings, &nothing(&findings), &[], &[]);
        assert!(game.tree().node(Tree::ROOT).values("GW").is_some());
        let unknown = game.tree().node(Tree::ROOT).children()[0];
        assert_eq!(
            game.tree().node(unknown).values("UC").is_some(),
            findings[unknown.index()].value().is_none()
        );
        assert!(fen(game.position(known)).ends_with('b'));
    }
}
