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
    Basis, Finding, Knowledge, Margins, Subject, TableSource, TablesOracle, tell_by_table,
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
    /// If it cannot be opened, or none is given where it alone is to answer.
    pub(super) fn open(args: &Args, context: &Context) -> Result<Self, Failure> {
        if args.method == Method::Tables && args.tables.is_none() {
            return Err(Failure::usage("--method tables needs --tables DIR"));
        }
        if args.method == Method::Auto {
            known::set_aside(context)?;
        }
        let open = |path: &Path| open::source(path, context).map(Arc::new);
        let given = args.tables.as_deref().map(open).transpose()?;
        let source = given.clone().map(|table| Arc::new(TableSource::new(table, 0)) as _);
        let oracle = given.clone().filter(|_| args.method != Method::Proof);
        Ok(Self {
            knowledge: Knowledge::new(source),
            oracle: oracle.map(|table| TablesOracle::new(vec![table])),
            given,
        })
    }

    /// What is known without a search: by the table alone where that is asked for, and nothing
    /// where a search is. What the program itself knows is left out where files of a search are
    /// given: whoever gives them wants the search.
    ///
    /// # Errors
    /// If a file is damaged, or the table has to answer and is not about the position.
    pub(super) fn finding(&self, args: &Args, position: &Position) -> Result<Finding, Failure> {
        match (args.method, &self.given) {
            (Method::Tables, Some(table)) => by_table_alone(table, position),
            _ if self.are_asked(args) => self.knowledge.of(position).or_failed(),
            _ => Ok(Finding::of_moves(position.indexed_moves())),
        }
    }

    /// Whether what is known is asked for, and not a search alone.
    fn are_asked(&self, args: &Args) -> bool {
        let wants_search = args.option_of_search().is_some() && self.given.is_none();
        args.method == Method::Auto && !wants_search
    }

    /// By how much a position is won, as far as that is known without a search, where
    /// [`Self::finding`] is asked.
    ///
    /// # Errors
    /// If a file is damaged.
    pub(super) fn margins(&self, args: &Args, position: &Position) -> Result<Margins, Failure> {
        let finding = self.finding(args, position)?;
        if !self.are_asked(args) {
            return Ok(Margins::of_finding(&finding, position.empty_squares()));
        }
        self.knowledge.margins_beside(position, &finding).or_failed()
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

/// What a table says that has to answer.
fn by_table_alone(table: &ValueSource, position: &Position) -> Result<Finding, Failure> {
    let known = blame(table.look_up(position))?;
    let mut finding = Finding::of_moves(position.indexed_moves());
    tell_by_table(Ok(Some(known)), &Subject::of(table).basis(table), &mut finding)?;
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
    match finding.value() {
        None => false,
        Some(_) if args.all_moves => finding.is_complete(),
        Some(Outcome::Loss) => true,
        Some(Outcome::Win) => finding.of_value(Some(Outcome::Win)).next().is_some(),
    }
}
