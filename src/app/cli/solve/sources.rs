//! What `amazons solve` asks before it searches, and what its search may ask.

use std::path::Path;
use std::sync::Arc;

use super::arguments::{Args, Method};
use crate::app::cli::context::failure::with_advice;
use crate::app::cli::context::{Context, Failure, OrFail};
use crate::app::cli::sources::blame::blame;
use crate::app::cli::sources::{known, open};
use crate::game::Outcome;
use crate::game::rules::Position;
use crate::knowledge::{
    Basis, Finding, Knowledge, Margins, Source, Subject, TableSource, TablesOracle, tell_by_table,
};
use crate::search::GroundTooLarge;
use crate::tables::value_source::ValueSource;

/// The table that was given, and what is known by it and without it.
#[derive(Debug)]
pub(super) struct Sources {
    given: Option<Arc<ValueSource>>,
    knowledge: Knowledge,
    /// The table as the search asks it.
    pub(super) oracle: Option<TablesOracle>,
}

impl Sources {
    /// Opens the table, if one is given.
    ///
    /// # Errors
    /// If it cannot be opened, none is given where it alone is to answer, or one where a search is.
    pub(super) fn open(args: &Args, context: &Context) -> Result<Self, Failure> {
        if args.method == Method::Tables && args.tables.is_none() {
            return Err(Failure::usage("--method tables needs --tables DIR"));
        }
        if args.method == Method::Proof && args.tables.is_some() {
            return Err(Failure::usage(
                "--method proof searches without a table: leave out one of --method and --tables",
            ));
        }
        if args.method == Method::Auto {
            known::set_aside(context)?;
        }
        let open = |path: &Path| open::source(path, context).map(Arc::new);
        let given = args.tables.as_deref().map(open).transpose()?;
        let source = given.clone().map(|table| Arc::new(TableSource::new(table, 0)) as _);
        Ok(Self {
            knowledge: Knowledge::new(source),
            oracle: given.clone().map(|table| TablesOracle::new(vec![table])),
            given,
        })
    }

    /// The table, as what tells what it knows.
    fn source(&self) -> Option<TableSource> {
        self.given.clone().map(|table| TableSource::new(table, 0))
    }

    /// What is known without a search: by the table alone where that is asked for, and nothing
    /// where a search is. Where files of a search are given, what the program itself knows is left
    /// out: whoever gives them wants the search.
    ///
    /// # Errors
    /// If a file is damaged, or the table has to answer and is not about the position.
    pub(super) fn finding(&self, args: &Args, position: &Position) -> Result<Finding, Failure> {
        if let (Method::Tables, Some(table)) = (args.method, &self.given) {
            return by_table_alone(table, position);
        }
        if asks_all(args) {
            return self.knowledge.of(position).or_failed();
        }
        let mut finding = Finding::of_moves(position.board(), position.indexed_moves());
        if let Some(source) = self.source() {
            source.tell(position, &mut finding).or_failed()?;
        }
        Ok(finding)
    }

    /// By how much a position is won, as far as that is known without a search, where
    /// [`Self::finding`] is asked.
    ///
    /// # Errors
    /// If a file is damaged.
    pub(super) fn margins(&self, args: &Args, position: &Position) -> Result<Margins, Failure> {
        let finding = self.finding(args, position)?;
        if asks_all(args) {
            return self.knowledge.margins_beside(position, &finding).or_failed();
        }
        let mut margins = Margins::of_finding(&finding, position.empty_squares());
        if let Some(source) = self.source() {
            source.tell_margins(position, &mut margins).or_failed()?;
        }
        Ok(margins)
    }

    /// Why the table that was given is not about a position, if it is not.
    pub(super) fn other_game(&self, position: &Position) -> Option<String> {
        let table = self.given.as_ref()?;
        match table.look_up(position) {
            Err(error) if !Subject::of(table).is_of(position) => Some(error.to_string()),
            _ => None,
        }
    }

    /// What a search rests on that has asked the table until now.
    pub(super) fn basis(&self) -> Basis {
        self.oracle.as_ref().map_or(Basis::Proof, TablesOracle::basis)
    }

    /// Fails if the search found a table damaged.
    ///
    /// # Errors
    /// If it did: its answer does not rest on the damaged file, but the user has to know.
    pub(super) fn check(&self) -> Result<(), Failure> {
        let damage = self.oracle.as_ref().and_then(TablesOracle::damage);
        damage.map_or(Ok(()), |damage| Err(Failure::failed(with_advice(damage))))
    }
}

/// Whether everything that is known is asked for, and not a search or a table alone.
fn asks_all(args: &Args) -> bool {
    args.method == Method::Auto && args.option_of_search().is_none()
}

/// What a table says that has to answer.
fn by_table_alone(table: &ValueSource, position: &Position) -> Result<Finding, Failure> {
    let known = blame(table.look_up(position))?;
    let mut finding = Finding::of_moves(position.board(), position.indexed_moves());
    tell_by_table(known, &Subject::of(table).basis(table), &mut finding)?;
    Ok(finding)
}

/// Whether a finding is all that is asked for; where no search follows, whether it says who wins.
/// Where files of a search are given one follows, so that these are read.
pub(super) fn answers(args: &Args, position: &Position, finding: &Finding) -> bool {
    if args.method == Method::Tables || GroundTooLarge::check(position).is_err() {
        return finding.value().is_some();
    }
    if args.option_of_search().is_some() {
        return false;
    }
    is_whole(args, finding)
}

/// Whether a finding says all that is asked for: who wins and by which move, or that of every move.
pub(super) fn is_whole<M: Copy + Ord>(args: &Args, finding: &Finding<M>) -> bool {
    match finding.value() {
        None => false,
        Some(_) if args.all_moves => finding.is_complete(),
        Some(Outcome::Loss) => true,
        Some(Outcome::Win) => finding.of_value(Some(Outcome::Win)).next().is_some(),
    }
}
