//! What is known of a position and of each of its moves, and by what.
//!
//! [`Knowledge`] asks its [`Source`]s in order of trust and cost, until everything is known: the
//! rules; exact bounds; opening tables, tables and certificates, those of the user before those
//! that the program has without any files; what certificates claim that are not part of the
//! program; and what was proved since the program began. A new kind of source is one more
//! implementation of that trait. Who searches or estimates beyond that (a command, the explorer)
//! says so.
//!
//! What it says is the same whoever asks: commands, server, page and Python are its clients.

mod basis;
mod bounds;
mod built_in;
mod certificates;
mod elsewhere;
mod error;
mod files;
mod finding;
mod held_table;
mod info;
mod margins;
mod proofs;
mod rules;
mod source;
mod subject;
mod tables;

pub use basis::Basis;
#[cfg(any(unix, windows))]
pub use built_in::{FourByFour, FourByFourError};
pub use certificates::CertificateSource;
pub use error::{SourceError, SourceFileError};
pub use files::SourceFile;
pub use finding::Finding;
pub use held_table::{HeldTable, TableQuestion, tell_by_table};
pub use info::{SourceInfo, SourceKind};
pub use margins::Margins;
pub use proofs::Proofs;
pub use source::Source;
pub use subject::Subject;
pub use tables::{TableSource, TablesOracle};

use std::error::Error;
use std::path::Path;
use std::sync::Arc;

use bounds::BoundsSource;
use elsewhere::Elsewhere;
use rules::EndOfGame;

use crate::game::Outcome;
use crate::game::board::{Board, Symmetry};
use crate::game::rules::Position;
use crate::game::variants::{SingleMove, VariantPosition};
use crate::play::{Known, KnownMoves};
use crate::tables::index::TableRules;
use crate::tables::value_source::ValueSource;

/// What is known, by whatever.
#[derive(Debug)]
pub struct Knowledge {
    /// What needs no files and no memory of what was asked: the rules and bounds.
    first: [Arc<dyn Source>; 2],
    /// Those of the user.
    sources: Vec<Arc<dyn Source>>,
    /// Those of the program.
    last: Vec<Arc<dyn Source>>,
    proofs: Arc<Proofs>,
}

impl Knowledge {
    /// What these sources know, in the order in which they are asked, and behind them whatever the
    /// program has without any files.
    #[doc(hidden)]
    pub fn new(sources: impl IntoIterator<Item = Arc<dyn Source>>) -> Self {
        Self::with(sources, built_in::sources())
    }

    /// What the files at some paths know, and behind them whatever the program has without any:
    /// directories of tables, opening tables, certificates, and directories of such files.
    ///
    /// # Errors
    /// If there is none at a path, or one is damaged.
    pub fn open<P: AsRef<Path>>(paths: impl IntoIterator<Item = P>) -> Result<Self, SourceError> {
        let mut sources = Vec::new();
        for path in paths {
            for file in SourceFile::at(path.as_ref())? {
                sources.push(file.open()?);
            }
        }
        Ok(Self::new(sources))
    }

    /// The same without opening tables and certificates of the program: for whoever has them as
    /// files.
    #[cfg(any(test, feature = "internals"))]
    pub fn of_files(sources: impl IntoIterator<Item = Arc<dyn Source>>) -> Self {
        Self::with(sources, Vec::new())
    }

    fn with(
        sources: impl IntoIterator<Item = Arc<dyn Source>>,
        mut last: Vec<Arc<dyn Source>>,
    ) -> Self {
        let proofs = Arc::new(Proofs::default());
        last.extend([Arc::new(Elsewhere) as Arc<dyn Source>, proofs.clone()]);
        Self {
            first: [Arc::new(EndOfGame), Arc::new(BoundsSource::default())],
            sources: sources.into_iter().collect(),
            last,
            proofs,
        }
    }

    /// From now on other sources of the user are asked; what was proved stays known.
    #[cfg(any(test, feature = "internals"))]
    pub fn replace_sources(&mut self, sources: impl IntoIterator<Item = Arc<dyn Source>>) {
        self.sources = sources.into_iter().collect();
    }

    /// All sources, in the order in which they are asked.
    fn all(&self) -> impl Iterator<Item = &Arc<dyn Source>> {
        self.first.iter().chain(&self.sources).chain(&self.last)
    }

    /// What is known of a position.
    ///
    /// # Errors
    /// If a source is damaged, or two contradict each other.
    pub fn of(&self, position: &Position) -> Result<Finding, SourceError> {
        finding(position, self.all())
    }

    /// What is known of by how much a position is won, and by how much each of its moves.
    ///
    /// # Errors
    /// If a source is damaged, or two contradict each other.
    pub fn margins(&self, position: &Position) -> Result<Margins, SourceError> {
        self.margins_beside(position, &self.of(position)?)
    }

    /// As [`Self::margins`], where it is known already who wins.
    ///
    /// # Errors
    /// As [`Self::margins`].
    pub fn margins_beside(
        &self,
        position: &Position,
        finding: &Finding,
    ) -> Result<Margins, SourceError> {
        let mut margins = self.margins_of_sources(position, finding)?;
        // A position that is lost may be won by spending a spare move: then this says so.
        if margins.position().exact().is_none_or(|threshold| threshold.spare() > 0) {
            let passed = position.passed();
            let other = self.margins_of_sources(&passed, &self.of(&passed)?)?;
            margins.tell_passed(other.position(), other.basis_of_position())?;
        }
        Ok(margins)
    }

    /// The margins as the sources tell them.
    fn margins_of_sources(
        &self,
        position: &Position,
        finding: &Finding,
    ) -> Result<Margins, SourceError> {
        let mut margins = Margins::of_finding(finding, position.empty_squares());
        for source in self.all() {
            if margins.is_complete() {
                break;
            }
            source.tell_margins(position, &mut margins)?;
        }
        Ok(margins)
    }

    /// What is known of a position by other rules than those of Amazons.
    ///
    /// # Errors
    /// As [`Self::of`].
    pub fn by_other_rules(
        &self,
        position: &VariantPosition,
    ) -> Result<Finding<SingleMove>, SourceError> {
        let mut finding = Finding::of_moves(position.board(), position.moves());
        for source in self.all() {
            if finding.is_complete() {
                break;
            }
            source.tell_by_other_rules(position, &mut finding)?;
        }
        Ok(finding)
    }

    /// Where what is proved is remembered.
    pub fn proofs(&self) -> &Proofs {
        &self.proofs
    }

    /// The start positions by some rules of which something may be known, the smallest board first,
    /// each once.
    pub fn starts(&self, rules: TableRules) -> Vec<Position> {
        let mut distinct: Vec<Position> = Vec::new();
        for start in self.all().flat_map(|source| source.starts(rules)) {
            if !distinct.contains(&start) {
                distinct.push(start);
            }
        }
        distinct.sort_by_key(|start| (start.board().squares(), start.board().columns()));
        distinct
    }

    /// The tables that a search of Amazons or the engine may ask about a board, either way round.
    pub fn tables(&self, board: Board) -> Vec<Arc<ValueSource>> {
        self.all().filter_map(|source| source.table(board)).collect()
    }

    /// The tables, opening tables and certificates, in the order in which they are asked.
    pub fn list(&self) -> Vec<SourceInfo> {
        self.all().filter_map(|source| source.info()).collect()
    }
}

impl Default for Knowledge {
    /// What the program knows without any files.
    fn default() -> Self {
        Self::new([])
    }
}

/// So an engine plays by it.
impl Known for Knowledge {
    fn known(
        &self,
        position: &Position,
    ) -> Result<Option<KnownMoves>, Box<dyn Error + Send + Sync>> {
        Ok(known_moves(&self.of(position)?))
    }

    fn looked_up(
        &self,
        position: &Position,
    ) -> Result<Option<KnownMoves>, Box<dyn Error + Send + Sync>> {
        Ok(known_moves(&finding(position, self.sources.iter().chain(&self.last))?))
    }
}

/// What some sources know of a position.
fn finding<'a>(
    position: &Position,
    sources: impl Iterator<Item = &'a Arc<dyn Source>>,
) -> Result<Finding, SourceError> {
    let mut finding = Finding::of_moves(position.board(), position.indexed_moves());
    for source in sources {
        if finding.is_complete() {
            break;
        }
        source.tell(position, &mut finding)?;
    }
    tell_images(position, &mut finding)?;
    Ok(finding)
}

/// What is known of a move is known of its images, where the position is an image of itself. Only
/// start positions and the like are, so larger boards than have tables and certificates are left
/// out.
fn tell_images(position: &Position, finding: &mut Finding) -> Result<(), SourceError> {
    let Some(plain) = position.bitboards::<u64>() else { return Ok(()) };
    for symmetry in Symmetry::all(position.board()) {
        if finding.is_complete() || plain.mapped(&symmetry) != plain {
            continue;
        }
        for (played, _) in finding.moves().to_vec() {
            finding.tell_image(played, played.mapped(&symmetry))?;
        }
    }
    Ok(())
}

/// A finding as an engine takes it.
fn known_moves(finding: &Finding) -> Option<KnownMoves> {
    finding.value().map(|value| KnownMoves {
        value,
        winning: finding.of_value(Some(Outcome::Win)).collect(),
        is_complete: finding.is_complete(),
    })
}
