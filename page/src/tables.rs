//! The tables and certificates of the page: those of its folder, and those of which it reads
//! pieces.

use std::sync::Arc;

use amazons::game::board::Board;
use amazons::game::rules::Position;
use amazons::knowledge::{
    CertificateSource, HeldTable, Source, SourceError, SourceInfo, Subject, TableQuestion,
};
use amazons::tables::format::{Table, TableError, TierBytes};
use amazons::tables::value_source::ValueSource;

use crate::later::{Later, LaterKind};
use crate::shelf::{InPieces, Shelf};

/// A table of the page and where it is kept.
#[derive(Debug)]
struct PageTable {
    subject: Subject,
    source: Arc<ValueSource>,
    bytes: u64,
    /// Whether pieces of its files are fetched. A search and the engine, which ask for many
    /// positions, do without such a table.
    in_pieces: bool,
    shelf: Shelf,
}

impl HeldTable for PageTable {
    fn subject(&self) -> Subject {
        self.subject
    }

    fn opened(&self) -> Arc<ValueSource> {
        self.source.clone()
    }

    /// If something is to be fetched first, all that the moves lead to is asked about at once, so
    /// that it is noted, and fetched together.
    fn unreadable(&self, question: TableQuestion<'_>, error: TableError) -> SourceError {
        if self.shelf.wants() {
            match question {
                TableQuestion::Values(position) => {
                    after(position).for_each(|after| drop(self.source.outcome(&after)));
                }
                TableQuestion::ValuesByOtherRules(position) => {
                    let moves = position.moves().into_iter();
                    let after = moves.filter_map(|played| position.play(played).ok());
                    after.for_each(|after| drop(self.source.known_by_other_rules(&after)));
                }
                TableQuestion::Margins(position) => {
                    after(position).for_each(|after| drop(self.source.margin(&after)));
                }
            }
        }
        let name = self.subject.0;
        SourceError::Unreadable(format!("the table {name} cannot be read: {error}"))
    }

    fn for_searches(&self) -> Option<Arc<ValueSource>> {
        (!self.in_pieces).then(|| self.source.clone())
    }

    fn listed(&self) -> SourceInfo {
        self.subject.info(&self.source, self.bytes, !self.in_pieces)
    }
}

/// What the moves of a position lead to.
fn after(position: &Position) -> impl Iterator<Item = Position> {
    position.moves().filter_map(|played| position.play(played).ok())
}

/// Tables and certificates of the page, in the order in which they are asked, by their places.
#[derive(Debug, Default)]
pub(crate) struct HeldSources {
    sources: Vec<(String, Arc<dyn Source>)>,
    pub(crate) shelf: Shelf,
}

impl HeldSources {
    /// Puts a table of files behind the others: its manifest and those of its layers of margins,
    /// the address of its directory, and whether pieces of its files are fetched or whole ones.
    pub(crate) fn add_table(
        &mut self,
        manifest: &[u8],
        layers: &[&[u8]],
        place: String,
        in_pieces: bool,
    ) -> Result<(), TableError> {
        let (shelf, directory) = (self.shelf.clone(), place.clone());
        let table = Table::opened_any_by(manifest, layers, move |tier| {
            let file = format!("{directory}{}", tier.name);
            if !in_pieces {
                return shelf.take(&file, tier.bytes).map(TierBytes::from);
            }
            let (shelf, bytes, head) = (shelf.clone(), tier.bytes, tier.head);
            Ok(TierBytes::of_source(InPieces { shelf, file, bytes, head }))
        })?;
        self.add(ValueSource::Table(table), 0, place, in_pieces);
        Ok(())
    }

    /// Puts a table behind the others, or in the place of what is to be fetched; `bytes` are those
    /// of an opening table's file.
    pub(crate) fn add(&mut self, source: ValueSource, bytes: u64, place: String, in_pieces: bool) {
        let (subject, shelf) = (Subject::of(&source), self.shelf.clone());
        let table = PageTable { subject, source: Arc::new(source), bytes, in_pieces, shelf };
        self.put(place, Arc::new(table));
    }

    /// The same of a certificate.
    pub(crate) fn add_certificate(&mut self, certificate: CertificateSource, place: String) {
        self.put(place, Arc::new(certificate));
    }

    /// Puts a file that is fetched when it is needed behind the others.
    pub(crate) fn add_later(&mut self, kind: LaterKind, place: String, board: Board, bytes: u64) {
        let shelf = self.shelf.clone();
        let later = Later { kind, place: place.clone(), board, bytes, shelf };
        self.put(place, Arc::new(later));
    }

    /// Puts a source behind the others, or where one of its place is.
    fn put(&mut self, place: String, source: Arc<dyn Source>) {
        match self.sources.iter_mut().find(|(other, _)| *other == place) {
            Some((_, before)) => *before = source,
            None => self.sources.push((place, source)),
        }
    }

    /// How many there are.
    pub(crate) fn count(&self) -> usize {
        self.sources.len()
    }

    /// Gives up what is at a place.
    pub(crate) fn drop_place(&mut self, place: &str) {
        self.sources.retain(|(other, _)| other != place);
    }

    /// All sources.
    pub(crate) fn all(&self) -> impl Iterator<Item = Arc<dyn Source>> {
        self.sources.iter().map(|(_, source)| source.clone())
    }
}
