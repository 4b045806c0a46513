//! What `amazons solve` answers.

use std::path::PathBuf;
use std::time::Instant;

use serde::{Serialize, Serializer};

use super::arguments::Args;
use super::found_margin::FoundMargin;
use super::margin_report::MarginReport;
use super::search_share::SearchShare;
use crate::app::cli::context::{Context, Failure};
use crate::app::counted::Counted;
use crate::app::value::Value;
use crate::game::Outcome;
use crate::game::board::Word;
use crate::game::notation::{fen, move_text};
use crate::game::rules::{IndexedMove, Position};
use crate::knowledge::{Basis, Finding};
use crate::machine::shown::Shown as _;
use crate::search::Survey;

/// The method of a search.
const PROOF: &str = "proof";

/// Prints what a finding says of a position that was asked about when it `began`.
///
/// # Errors
/// If it cannot be printed.
pub(super) fn print_known(
    args: &Args,
    position: &Position,
    finding: &Finding,
    began: Instant,
    context: &Context,
) -> Result<(), Failure> {
    let solved = Solved::by_knowledge(args, finding);
    Report::new(args, position, &solved, began).print(context)?;
    if solved.wins_by_an_unknown_move() {
        context.remark("which move wins is not known");
    }
    Ok(())
}

/// Who wins a position, and by which moves.
#[derive(Serialize)]
pub(in crate::app::cli) struct Report {
    pub(in crate::app::cli) position: String,
    /// The rules, unless they are those of Amazons.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::app::cli) rules: Option<String>,
    pub(in crate::app::cli) board: String,
    pub(in crate::app::cli) side_to_move: String,
    pub(in crate::app::cli) value: Value,
    pub(in crate::app::cli) winner: Option<String>,
    pub(in crate::app::cli) method: &'static str,
    /// What the answer rests on.
    #[serde(serialize_with = "in_words")]
    pub(in crate::app::cli) basis: Option<Basis>,
    pub(in crate::app::cli) best_move: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::app::cli) winning_moves: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::app::cli) unknown_moves: Option<Vec<String>>,
    pub(in crate::app::cli) nodes: u64,
    /// Of this run.
    pub(in crate::app::cli) seconds: f64,
    /// Of this run and those whose checkpoint it has gone on from, as are the nodes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::app::cli) searched_seconds: Option<f64>,
    /// The digest that the answer rests on, or the checkpoint that rests on one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::app::cli) digest: Option<String>,
    /// The checkpoint that the search has gone on from, whose values it believes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::app::cli) checkpoint: Option<String>,
    /// What was asked about spare moves.
    #[serde(flatten)]
    pub(in crate::app::cli) margin: Option<MarginReport>,
}

/// A basis as its words.
fn in_words<S: Serializer>(basis: &Option<Basis>, serializer: S) -> Result<S::Ok, S::Error> {
    basis.as_ref().map(Basis::to_string).serialize(serializer)
}

impl Report {
    /// What is said of a position that was asked about when it `began`.
    pub(super) fn new(args: &Args, position: &Position, solved: &Solved, began: Instant) -> Self {
        let texts = |moves: &[IndexedMove]| -> Vec<String> {
            moves.iter().map(|&played| move_text(position.board(), played)).collect()
        };
        let winning = texts(&solved.moves);
        let seconds = began.elapsed();
        // The name of a digest that a checkpoint rests on is not known, that of the checkpoint is.
        let digest = args.digest.as_ref().or(args.checkpoint.as_ref());
        let digest = digest.filter(|_| solved.search.rests_on_digest);
        let checkpoint = args.checkpoint.as_ref().filter(|_| solved.search.before.is_some());
        let named = |path: &PathBuf| path.to_string_lossy().into_owned();
        let files = [digest, checkpoint].into_iter().flatten().map(|path| path.shown().to_string());
        let basis = solved.basis.as_ref().map(|basis| match basis {
            Basis::Proof | Basis::Conditional { .. } => {
                Basis::proof_given(basis.sources().into_iter().chain(files))
            }
            known => known.clone(),
        });
        let winner = solved.outcome.map(|outcome| outcome.winner(position.turn()));
        Self {
            position: fen(position),
            rules: None,
            board: position.board().to_string(),
            side_to_move: position.turn().to_string(),
            value: Value::of(solved.outcome),
            winner: winner.map(|colour| colour.to_string()),
            method: solved.method(),
            basis,
            best_move: winning.first().cloned(),
            winning_moves: args.all_moves.then_some(winning),
            unknown_moves: args.all_moves.then(|| texts(&solved.unknown)),
            nodes: solved.search.nodes,
            seconds: seconds.as_secs_f64(),
            searched_seconds: solved.search.before.map(|before| (before + seconds).as_secs_f64()),
            digest: digest.map(named),
            checkpoint: checkpoint.map(named),
            margin: None,
        }
    }

    /// Whether a search has not found out all that was asked.
    pub(super) fn is_unfinished(&self) -> bool {
        if self.margin.as_ref().is_some_and(|margin| !margin.is_complete) {
            return true;
        }
        self.method == PROOF && (self.winner.is_none() || self.has_unknown_moves())
    }

    /// What the answer rests on beside a search of this program, if there is something.
    fn rests_on(&self) -> String {
        let by_proof = Basis::Proof.to_string();
        match self.basis.as_ref().map(Basis::to_string) {
            None => String::new(),
            Some(basis) => match basis.strip_prefix(&by_proof) {
                Some(condition) => condition.to_string(),
                None => format!(", {basis}"),
            },
        }
    }

    fn has_unknown_moves(&self) -> bool {
        self.unknown_moves.as_ref().is_some_and(|moves| !moves.is_empty())
    }

    /// Prints it as text or JSON.
    pub(in crate::app::cli) fn print(&self, context: &Context) -> Result<(), Failure> {
        if context.json() {
            return context.print_json(self);
        }
        context.print(self.sentence())?;
        match &self.margin {
            Some(margin) => margin.print_moves(context)?,
            None => self.print_moves(context)?,
        }
        context.remark(format_args!("{}, {:.3} s", Counted(self.nodes, "node"), self.seconds));
        Ok(())
    }

    /// Who wins, by which move, and what that rests on.
    fn sentence(&self) -> String {
        let rests = self.rests_on();
        let (best, value) = (self.best_move.as_deref(), self.value.outcome());
        match (&self.margin, &self.winner) {
            (Some(margin), _) => margin.sentence(value, best, &rests),
            (None, Some(winner)) => {
                let first = best.map_or(String::new(), |played| format!(" by {played}"));
                format!("{winner} wins{first}{rests}")
            }
            (None, None) => "unknown".to_string(),
        }
    }

    /// Prints the moves, if all were asked for.
    fn print_moves(&self, context: &Context) -> Result<(), Failure> {
        if let Some(winning) = &self.winning_moves {
            match winning.is_empty() && self.has_unknown_moves() {
                true => context.print("no winning move known yet")?,
                false => context.print(count_and_list(winning, "winning"))?,
            }
        }
        if let Some(unknown) = self.unknown_moves.as_ref().filter(|unknown| !unknown.is_empty()) {
            context.print(count_and_list(unknown, "unknown"))?;
        }
        Ok(())
    }
}

/// What a finding rests on, as far as it is told: the value and the moves that win, or all moves.
pub(super) fn basis_of<M: Copy + Ord>(args: &Args, finding: &Finding<M>) -> Option<Basis> {
    if args.all_moves { finding.basis_of_all() } else { finding.basis_of_wins() }
}

/// What is known of a position, or a search says.
pub(super) struct Solved {
    outcome: Option<Outcome>,
    basis: Option<Basis>,
    /// Winning moves: all that are known, or the first.
    moves: Vec<IndexedMove>,
    /// Moves that may win or not, if all were asked for.
    unknown: Vec<IndexedMove>,
    search: SearchShare,
}

impl Solved {
    /// What is known without a search.
    pub(super) fn by_knowledge(args: &Args, finding: &Finding) -> Self {
        Self {
            outcome: finding.value(),
            basis: basis_of(args, finding),
            moves: finding.of_value(Some(Outcome::Win)).collect(),
            unknown: finding.of_value(None).collect(),
            search: SearchShare::default(),
        }
    }

    /// What a search says, and what that rests on beside the files of the search.
    pub(super) fn by_search<W: Word>(
        survey: &Survey<W>,
        search: SearchShare,
        basis: Basis,
    ) -> Self {
        let standing = survey.standing();
        Self {
            outcome: standing.outcome(),
            basis: standing.outcome().map(|_| basis),
            moves: standing.of_value(Some(Outcome::Win)),
            unknown: standing.of_value(None),
            search,
        }
    }

    /// What was found about spare moves, and by what. A best move that wins comes first.
    pub(super) fn by_margin(found: &FoundMargin, basis: Option<&Basis>) -> Self {
        let of_value = |value| {
            let moves = found.moves.iter().flatten();
            moves.filter(move |(_, range)| range.outcome() == value).map(|&(played, _)| played)
        };
        let best = found.best.filter(|_| found.outcome == Some(Outcome::Win));
        let others = of_value(Some(Outcome::Win)).filter(|&played| best != Some(played));
        Self {
            outcome: found.outcome,
            basis: found.outcome.and(basis).cloned(),
            moves: best.into_iter().chain(others).collect(),
            unknown: of_value(None).collect(),
            search: SearchShare::default(),
        }
    }

    /// The same, where a search has found it.
    pub(super) fn of_search(self, search: SearchShare) -> Self {
        Self { search, ..self }
    }

    /// What a search says, and what is known beside it.
    pub(super) fn with(mut self, args: &Args, finding: &Finding) -> Self {
        if self.outcome.is_none() {
            (self.outcome, self.basis) = (finding.value(), basis_of(args, finding));
        }
        let (had_a_move, unknown_before) = (!self.moves.is_empty(), self.unknown.len());
        let of_value = |value| finding.of_value(value).collect::<Vec<IndexedMove>>();
        let (wins, unknown) = (of_value(Some(Outcome::Win)), of_value(None));
        self.moves.extend(wins.into_iter().filter(|played| self.unknown.contains(played)));
        self.unknown.retain(|played| unknown.binary_search(played).is_ok());
        let helps = match args.all_moves {
            true => self.unknown.len() < unknown_before,
            false => !had_a_move && !self.moves.is_empty(),
        };
        if helps {
            let known = basis_of(args, finding);
            self.basis = self.basis.map(|basis| basis.and(known.as_ref()));
        }
        self
    }

    /// Whether this answers what was asked.
    pub(super) fn is_answer(&self, args: &Args) -> bool {
        self.outcome.is_some()
            && !self.wins_by_an_unknown_move()
            && (!args.all_moves || self.unknown.is_empty())
    }

    /// Whether a move wins, and it is not known which.
    fn wins_by_an_unknown_move(&self) -> bool {
        self.outcome == Some(Outcome::Win) && self.moves.is_empty()
    }

    /// The method in one word.
    fn method(&self) -> &'static str {
        method_of(self.basis.as_ref())
    }
}

/// The method of an answer that rests on this, in one word.
pub(super) fn method_of(basis: Option<&Basis>) -> &'static str {
    match basis {
        None | Some(Basis::Proof | Basis::Conditional { .. } | Basis::Continuation) => PROOF,
        Some(Basis::Table { .. } | Basis::Opening { .. }) => "tables",
        Some(Basis::Certificate { .. } | Basis::Elsewhere { .. }) => "certificate",
        Some(Basis::Rules) => "rules",
        Some(Basis::Bounds | Basis::Mirror) => "bounds",
    }
}

/// `2 winning moves: b1-b2/d2 d1-d2/b2`, `no winning move`.
fn count_and_list(moves: &[String], kind: &str) -> String {
    match moves {
        [] => format!("no {kind} move"),
        some => {
            let noun = format!("{kind} move");
            format!("{}: {}", Counted(some.len(), &noun), some.join(" "))
        }
    }
}
