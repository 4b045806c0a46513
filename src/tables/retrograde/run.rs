//! Building a table: all tiers of a board from the fullest down, resuming what is there.

use std::ffi::OsStr;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use rayon::prelude::*;

use super::accelerator::{Accelerator, ChunkSolver};
use super::by_ranks;
use super::chunk::Chunks;
use super::error::BuildError;
use super::kernel::{BoardTables, TierKernel, has_room};
use super::memory;
use super::options::{AfterTier, BuildJob, BuildOptions, Built, Objection};
use super::planes::Planes;
use super::solvers;
use super::store::{Below, FinishedTier, Reading};
use super::tier::TierJob;
use crate::game::board::Board;
use crate::game::rules::{Amazons, Position, start_with};
use crate::machine::files;
use crate::machine::progress::{Observer, StopFlag};
use crate::machine::ranks::Ranks;
use crate::machine::shown::Shown as _;
use crate::tables::counting::Mask;
use crate::tables::format::{
    DirectoryLock, Keep, Manifest, OPENING_PLIES, Table, TableError, TableName, TierRecord,
    TierSummary, TierWriter,
};
use crate::tables::index::{
    CanonicalSets, Images, TableRules, TableSubject, TierShape, Width, with_mask,
};
use crate::tables::opening::{Opening, OpeningError};

/// Solves every position of `board` with these amazons, either side to move, into tables in
/// `directory`. Goes on with what an earlier run left there. Uses all threads of the current rayon
/// pool.
///
/// # Errors
/// [`BuildError`]. After any of them the directory holds what was finished, and the same call goes
/// on from there.
pub fn build(
    directory: &Path,
    board: Board,
    amazons: Amazons,
    options: &BuildOptions,
    observer: &dyn Observer,
    stop: &StopFlag,
) -> Result<Manifest, BuildError> {
    let job = BuildJob { ranks: &Ranks::alone(), directory, options, observer, stop };
    build_on(&job, board, amazons).map(|built| built.manifest)
}

/// As [`build()`], by several processes that share the directory: each calls this with the same
/// board and amazons. Which tiers stay is what rank 0 says. The files are those of one process,
/// byte for byte.
///
/// # Errors
/// As [`build()`]; [`BuildError::Elsewhere`] if another process has failed.
pub fn build_on(job: &BuildJob<'_>, board: Board, amazons: Amazons) -> Result<Built, BuildError> {
    with_mask!(Width::of(board)?, M => build_in::<M>(job, board, amazons))
}

/// As [`build_on`], with arrow sets in masks of one width; the files do not depend on it.
pub(super) fn build_in<M: Mask>(
    job: &BuildJob<'_>,
    board: Board,
    amazons: Amazons,
) -> Result<Built, BuildError> {
    let BuildJob { ranks, directory, options, .. } = *job;
    check_possible(board, amazons, options)?;
    let subject = options.subject(board, amazons);
    solvers::check(subject, options, 0)?;
    check_memory(subject, 0, options)?;
    let _lock = match ranks.is_first() {
        true => Some(DirectoryLock::acquire(directory)?),
        false => None,
    };
    check_shared(ranks, directory)?;
    build_layer::<M>(job, shared_manifest(job, subject)?)
}

/// Refuses to build a layer with less memory than it needs at the least.
pub(super) fn check_memory(
    subject: TableSubject,
    layer: i8,
    options: &BuildOptions,
) -> Result<(), BuildError> {
    let needed = memory::least(subject, layer, options.least_arrows)?;
    if needed <= options.memory {
        return Ok(());
    }
    let TableSubject { board, amazons, .. } = subject;
    Err(BuildError::Memory { board, amazons, needed, given: options.memory })
}

/// Goes on with what a manifest names, an ordinary table or a layer of margins; the caller holds
/// the lock of the directory.
pub(super) fn build_layer<M: Mask>(
    job: &BuildJob<'_>,
    manifest: Manifest,
) -> Result<Built, BuildError> {
    let BuildJob { ranks, directory, options, observer, stop } = *job;
    let subject = manifest.subject;
    let images = Images::<M>::new(subject.board)?;
    let tables = Arc::new(BoardTables::new(options.rules, images));
    let mut run = Run {
        accelerator: solvers::accelerator(subject, options)?,
        ranks,
        directory,
        options,
        observer,
        stop,
        manifest,
        tables,
        below: None,
        saved: Instant::now(),
        unsynced: Vec::new(),
        dropped: Vec::new(),
        solved: 0,
        taken_up: 0,
    };
    let solved = run.all_tiers(subject.fullest()?);
    // What was solved is named in the manifest even if something failed after it; that failure is
    // the one to report.
    let saved = run.save();
    solved.and(saved)?;
    let Run { manifest, solved, taken_up, .. } = run;
    Ok(Built { manifest, solved, taken_up })
}

/// Refuses what no machine can build, as [`build_on`] does before it writes anything.
///
/// # Errors
/// [`BuildError::Shape`], [`BuildError::NoSuchTier`],
/// [`BuildError::NoOpeningOf`] or [`BuildError::TooManyPlacements`].
pub fn check_possible(
    board: Board,
    amazons: Amazons,
    options: &BuildOptions,
) -> Result<(), BuildError> {
    let subject = options.subject(board, amazons);
    let fullest = subject.fullest()?;
    let found = options.least_arrows;
    if found > fullest {
        return Err(BuildError::NoSuchTier { board, amazons, fullest, found });
    }
    if options.keep == Keep::None && options.rules != TableRules::Amazons {
        return Err(BuildError::NoOpeningOf { rules: options.rules });
    }
    for arrows in found..=fullest {
        for shape in subject.kinds(arrows)? {
            if !has_room(&shape) {
                return Err(BuildError::TooManyPlacements { shape });
            }
        }
    }
    Ok(())
}

/// Makes sure that all ranks see the directory that rank 0 writes.
fn check_shared(ranks: &Ranks, directory: &Path) -> Result<(), BuildError> {
    if ranks.size() == 1 {
        return Ok(());
    }
    let path = directory.join("ranks");
    let shown = match ranks.is_first() {
        true => Some(files::NewFile::create(&path).map_err(TableError::io("write", &path))?),
        false => None,
    };
    let name = shown.as_ref().and_then(files::NewFile::unfinished).map(OsStr::to_string_lossy);
    let path = directory.join(ranks.tell(|| name.unwrap_or_default().into_owned())?);
    let look = || Ok(path.try_exists()?.then_some(()));
    if files::until_shown(look).map_err(TableError::io("read", &path))?.is_none() {
        return Err(BuildError::NotShared { directory: directory.shown().to_string() });
    }
    Ok(ranks.meet()?)
}

/// The manifest that all ranks go on with: that of rank 0 in what is kept, which an earlier run may
/// have said.
fn shared_manifest(job: &BuildJob<'_>, subject: TableSubject) -> Result<Manifest, BuildError> {
    let BuildJob { ranks, directory, options, observer, .. } = *job;
    let mut manifest = Manifest::new(subject, options.keep);
    if ranks.is_first() {
        manifest = open_manifest(directory, manifest)?;
        remove_damaged_opening(directory, &manifest, options, observer)?;
    }
    manifest.keep = ranks.tell(|| manifest.keep)?;
    Ok(manifest)
}

/// The manifest of an earlier run, or the one that is wanted.
pub(super) fn open_manifest(directory: &Path, wanted: Manifest) -> Result<Manifest, BuildError> {
    if !Manifest::layer_path(directory, wanted.layer).exists() {
        refuse_other_tiers(directory, &wanted.subject)?;
        wanted.save(directory)?;
        return Ok(wanted);
    }
    let found = Manifest::load_layer(directory, wanted.layer)?;
    if found.subject.is_same_either_way(&wanted.subject) && found.keep == wanted.keep {
        return Ok(found);
    }
    let name = |manifest: &Manifest| {
        let keep = match manifest.keep {
            Keep::All => "",
            Keep::Odd => ", odd tiers only",
            Keep::First => ", first tiers only",
            Keep::None => ", no tiers",
        };
        format!("a table of {}{keep}", manifest.subject)
    };
    let directory = directory.shown().to_string();
    Err(BuildError::OtherTable { directory, holds: name(&found), wanted: name(&wanted) })
}

/// Refuses a directory whose manifest is lost and whose tiers are of another game: they would be
/// written over.
///
/// # Errors
/// [`BuildError::OtherTable`].
fn refuse_other_tiers(directory: &Path, wanted: &TableSubject) -> Result<(), BuildError> {
    let Some(TableName { subject: found, .. }) = TableName::of_tiers(directory) else {
        return Ok(());
    };
    let Amazons { white, black } = found.amazons;
    if (found.rules, found.board) == (wanted.rules, wanted.board) && wanted.has_sides(white, black)
    {
        return Ok(());
    }
    Err(BuildError::OtherTable {
        directory: directory.shown().to_string(),
        holds: format!("tiers of {found} without a manifest"),
        wanted: format!("a table of {wanted}"),
    })
}

/// Removes an opening table that is damaged, where it is all that a table leaves: it is made again
/// then.
///
/// # Errors
/// [`BuildError::OtherTable`] if it is of another game.
fn remove_damaged_opening(
    directory: &Path,
    manifest: &Manifest,
    options: &BuildOptions,
    observer: &dyn Observer,
) -> Result<(), BuildError> {
    let path = Manifest::opening_path(directory);
    if manifest.keep != Keep::None || !path.exists() {
        return Ok(());
    }
    let error = match Opening::open(&path, options.memory / 2) {
        Ok(opening)
            if start_with(manifest.subject.board, manifest.subject.amazons)
                == Ok(*opening.start()) =>
        {
            return Ok(());
        }
        Ok(opening) => {
            let (board, amazons) = (opening.board(), opening.start().sides());
            return Err(BuildError::OtherTable {
                directory: directory.shown().to_string(),
                holds: format!("the opening table of another start, {board} {amazons}"),
                wanted: format!("a table of {}, no tiers", manifest.subject),
            });
        }
        // How much it would take says nothing of the file.
        Err(OpeningError::Memory { .. }) => return Ok(()),
        Err(error) => error,
    };
    observer.line(&format!("{} is made again: it {error}", path.shown()));
    Ok(std::fs::remove_file(&path).map_err(TableError::io("remove", &path))?)
}

/// A build under way.
struct Run<'a, M: Mask> {
    ranks: &'a Ranks,
    directory: &'a Path,
    options: &'a BuildOptions,
    observer: &'a dyn Observer,
    stop: &'a StopFlag,
    manifest: Manifest,
    tables: Arc<BoardTables<M>>,
    /// The arrow sets of the tier below, and its blocks if nobody else has them.
    below: Option<Below<M>>,
    accelerator: Option<Box<dyn Accelerator<M>>>,
    /// When the manifest was last saved.
    saved: Instant,
    /// Files that must be synced before the manifest names them, and their tiers, whose journals
    /// are removed after that.
    unsynced: Vec<(TierShape, File)>,
    /// Files to be removed once the manifest says that they are not stored.
    dropped: Vec<PathBuf>,
    /// See [`Built`].
    solved: u64,
    taken_up: u64,
}

/// What becomes of a tier.
#[derive(Clone, Copy)]
struct Fate {
    /// Whether its blocks are to stay in memory.
    collect: bool,
    /// Whether it is written even if its blocks stay elsewhere.
    write: bool,
}

/// Bytes of files that are removed as soon as they are not needed: room on the disk is what counts.
const DROPPED_AT_ONCE: u64 = 16 << 20;

/// The manifest is saved at most this often while tiers are small: a kill costs so much work.
const SAVE_EVERY: Duration = Duration::from_secs(1);

impl<M: Mask> Run<'_, M> {
    /// Solves what is missing, from the fullest tiers down.
    fn all_tiers(&mut self, fullest: usize) -> Result<(), BuildError> {
        let missing = self.missing_everywhere(fullest)?;
        let least = self.options.least_arrows;
        // A tier follows the one that its moves lead to, and no other tier comes between the two.
        let burned = self.manifest.subject.rules.burned();
        for first in (0..burned).filter_map(|less| fullest.checked_sub(less)) {
            let tiers = (least..=first).rev().step_by(burned);
            tiers.filter(|&arrows| missing[arrows]).try_for_each(|arrows| self.tier(arrows))?;
        }
        if least == 0 {
            self.write_opening()?;
        }
        // The last tiers of a part of a table stay, because what is left is built on them.
        let last = self.manifest.tiers.first().map_or(0, |tier| tier.arrows);
        let built_on = |arrows: usize| (last..last + burned).contains(&arrows) && last > 0;
        (0..=fullest)
            .filter(|&arrows| !built_on(arrows))
            .try_for_each(|arrows| self.drop_tier(arrows))
    }

    /// Which tiers are to be solved: those not recorded, those whose files are gone or not as long
    /// as recorded, and those that were not kept but from which another of these, or the opening
    /// table, must be found.
    fn missing(&mut self, fullest: usize) -> Result<Vec<bool>, BuildError> {
        let mut missing = vec![false; fullest + 1];
        let burned = self.manifest.subject.rules.burned();
        for arrows in self.options.least_arrows..=fullest {
            for shape in self.manifest.kinds(arrows)? {
                let found = Manifest::tier_bytes(self.directory, &shape)?;
                let record = self.manifest.tier(&shape);
                let whole = record.is_some_and(|record| found == Some(record.bytes));
                let needed = record.is_none_or(|record| record.stored)
                    || arrows >= burned && missing[arrows - burned]
                    || self.is_for_opening(arrows);
                if whole {
                    // A run was killed between the manifest and the end of its work.
                    TierWriter::clear(self.directory, &shape)?;
                }
                if record.is_none() || needed && !whole {
                    missing[arrows] = true;
                    if let (Some(TierRecord { bytes, .. }), Some(found)) = (record, found) {
                        self.observer.line(&format!(
                            "{shape}: its file has {bytes} bytes by the manifest, found {found}; \
                             it is solved again unless its own sums are right"
                        ));
                    }
                    self.manifest.forget(&shape);
                }
            }
        }
        Ok(missing)
    }

    /// As [`Self::missing`], by what rank 0 finds: a file system may not show the same to all.
    fn missing_everywhere(&mut self, fullest: usize) -> Result<Vec<bool>, BuildError> {
        let found = if self.ranks.is_first() { self.missing(fullest)? } else { Vec::new() };
        let told = self.ranks.tell(|| (found, self.manifest.tiers.clone()))?;
        let missing;
        (missing, self.manifest.tiers) = told;
        Ok(missing)
    }

    /// Saves the manifest, and what must happen just before and after; rank 0 does.
    fn save(&mut self) -> Result<(), BuildError> {
        if !self.ranks.is_first() {
            return Ok(());
        }
        let sync = |(shape, file): &(TierShape, File)| {
            let path = Manifest::tier_path(self.directory, shape);
            file.sync_all().map_err(TableError::io("sync", &path))
        };
        let mut synced = self.unsynced.par_iter().try_for_each(sync);
        if !self.unsynced.is_empty() {
            let directory = files::sync_directory(self.directory);
            synced = synced.and(directory.map_err(TableError::io("sync", self.directory)));
        }
        if let Err(error) = synced {
            // The system tells of a failed write once: the next sync would succeed and mean
            // nothing. So these tiers are not recorded, and the next run looks at their bytes.
            for (shape, _) in self.unsynced.drain(..) {
                self.manifest.forget(&shape);
            }
            self.dropped.clear();
            return Err(error.into());
        }
        self.manifest.save(self.directory)?;
        for (shape, _) in self.unsynced.drain(..) {
            TierWriter::clear(self.directory, &shape)?;
        }
        for path in self.dropped.drain(..) {
            if path.exists() {
                std::fs::remove_file(&path).map_err(TableError::io("remove", &path))?;
            }
        }
        self.saved = Instant::now();
        Ok(())
    }

    /// Solves one tier, unless it is recorded as solved.
    fn tier(&mut self, arrows: usize) -> Result<(), BuildError> {
        let subject = self.manifest.subject;
        let shapes = self.manifest.kinds(arrows)?;
        if shapes.iter().all(|shape| self.manifest.tier(shape).is_some()) {
            return Ok(());
        }
        let sets = CanonicalSets::new(subject.board, arrows)?;
        for &shape in &shapes {
            if self.manifest.tier(&shape).is_none() {
                self.take_up(shape, &sets)?;
            }
        }
        if shapes.iter().all(|shape| self.manifest.tier(shape).is_some()) {
            self.below = None;
            return self.drop_tier(arrows + self.manifest.subject.rules.burned());
        }
        let burned = self.manifest.subject.rules.burned();
        let elsewhere = self.accelerator.as_ref().is_some_and(|held| held.holds(arrows + burned));
        if !elsewhere {
            self.open_below(arrows)?;
        }
        let mut solved_whole = true;
        for shape in &shapes {
            solved_whole &= self.manifest.tier(shape).is_none() && self.is_alone(shape)?;
        }
        let stays_elsewhere = match &mut self.accelerator {
            Some(accelerator) if solved_whole => accelerator.begin(&shapes, sets.len())?,
            _ => false,
        };
        let raw: u64 =
            shapes.iter().map(|shape| sets.len() as u64 * shape.block_bytes() as u64).sum();
        let held = self.below.as_ref().map_or(0, Below::<M>::memory);
        let overhead = memory::overhead(subject, self.manifest.layer, arrows)?;
        let fits = raw + held + overhead <= self.options.memory;
        let fate = Fate {
            collect: self.ranks.size() == 1 && fits && !stays_elsewhere,
            write: !stays_elsewhere || self.is_to_be_read(arrows),
        };
        let (mut kinds, taken_up) = (Vec::new(), self.taken_up);
        for shape in shapes {
            if self.manifest.tier(&shape).is_none() {
                kinds.extend(self.kind(shape, &sets, fate)?);
            }
        }
        self.drop_tier(arrows + burned)?;
        // What an earlier run has solved of the tier is in its file alone.
        let elsewhere = stays_elsewhere && self.taken_up == taken_up;
        if let Some(accelerator) = &mut self.accelerator {
            accelerator.end(elsewhere);
        }
        let whole = elsewhere || kinds.len() == self.manifest.kinds(arrows)?.len();
        self.below = whole.then_some(Below { sets, kinds });
        Ok(())
    }

    /// Whether anybody will read the files of a tier, but to solve the next one.
    fn is_to_be_read(&self, arrows: usize) -> bool {
        let least = self.options.least_arrows;
        self.manifest.stays(arrows)
            || self.is_for_opening(arrows)
            || self.options.after_tier.is_some()
            || least > 0 && arrows < least + self.manifest.subject.rules.burned()
    }

    /// Takes up what an earlier run completed of a tier and did not record.
    fn take_up(&mut self, shape: TierShape, sets: &CanonicalSets<M>) -> Result<(), BuildError> {
        let finished = match self.ranks.is_first() {
            true => TierWriter::finished(self.directory, &shape, sets)?,
            false => None,
        };
        let (summary, file) = finished.unzip();
        let summary: Option<TierSummary> = self.ranks.tell(|| summary)?;
        match summary {
            Some(summary) => {
                self.record(shape, &summary, file, Duration::ZERO)?;
                self.taken_up += summary.positions;
                Ok(())
            }
            None => Ok(()),
        }
    }

    /// Solves one kind of a tier and records it.
    fn kind(
        &mut self,
        shape: TierShape,
        sets: &CanonicalSets<M>,
        Fate { collect, write }: Fate,
    ) -> Result<Option<FinishedTier>, BuildError> {
        let begun = Instant::now();
        let positions = shape.count().positions().unwrap_or(0);
        self.observer.begin(
            &shape.to_string(),
            u64::try_from(positions).unwrap_or(0),
            "placements",
        );
        let kernel = TierKernel::new(self.tables.clone(), &shape, self.options.isa);
        let planes = Planes::open(self.directory, &shape, sets.len() as u64)?;
        // One process needs no segments, unless more have left some.
        let alone = self.is_alone(&shape)?;
        let solver = self.solver(&kernel, &shape, sets, planes.as_ref())?;
        let job = TierJob {
            directory: self.directory,
            shape,
            sets,
            below: self.below.as_ref(),
            kernel: &kernel,
            planes: planes.as_ref(),
            solver: solver.as_deref(),
            collect,
            interval: self.options.interval,
            observer: self.observer,
            stop: self.stop,
        };
        let solution = match solver.as_deref().filter(|_| !write) {
            Some(solver) => solvers::solve_unwritten(&job, solver)?,
            None if alone => job.solve()?,
            None => by_ranks::solve(self.ranks, &job)?,
        };
        drop(solver);
        self.record(shape, &solution.summary, solution.file, begun.elapsed())?;
        self.taken_up += solution.taken_up;
        self.solved += solution.summary.positions.saturating_sub(solution.taken_up);
        Ok(solution.blocks)
    }

    /// Who solves a kind of a tier in place of its kernel, if somebody does.
    fn solver<'s>(
        &'s self,
        kernel: &TierKernel<M>,
        shape: &TierShape,
        sets: &'s CanonicalSets<M>,
        planes: Option<&'s Planes>,
    ) -> Result<Option<Box<dyn ChunkSolver + 's>>, BuildError> {
        let (Some(accelerator), Some(below)) = (&self.accelerator, &self.below) else {
            return Ok(None);
        };
        if !kernel.has_moves() || !accelerator.solves(shape) {
            return Ok(None);
        }
        let stretch = match self.is_alone(shape)? {
            true => u64::MAX,
            false => by_ranks::longest(&Chunks::of(shape, sets.len())),
        };
        Ok(Some(accelerator.solver(shape, sets, below, planes, stretch)?))
    }

    /// Whether a tier is solved by this process alone, in one piece.
    fn is_alone(&self, shape: &TierShape) -> Result<bool, BuildError> {
        Ok(self.ranks.size() == 1 && !TierWriter::has_segments(self.directory, shape)?)
    }

    /// Records a tier whose file is complete, unless there is an objection.
    fn record(
        &mut self,
        shape: TierShape,
        summary: &TierSummary,
        file: Option<File>,
        time: Duration,
    ) -> Result<(), BuildError> {
        let mut manifest = self.manifest.clone();
        // Without a file it has no bytes.
        let stored = summary.bytes > 0;
        manifest.record(TierRecord { stored, ..TierRecord::new(&shape, summary) });
        manifest.milliseconds = manifest.milliseconds.saturating_add(time.as_millis() as u64);
        if let Some(AfterTier(after)) = &self.options.after_tier
            && self.ranks.is_first()
        {
            after(&manifest, &shape)
                .map_err(|objection| self.objection_error(&shape, objection))?;
        }
        self.manifest = manifest;
        self.unsynced.extend(file.map(|file| (shape, file)));
        if self.saved.elapsed() > SAVE_EVERY.min(self.options.interval) {
            self.save()?;
        }
        Ok(())
    }

    /// The error for an objection; a tier that is wrong must not be taken up by the next run.
    fn objection_error(&self, shape: &TierShape, objection: Objection) -> BuildError {
        match objection {
            Objection::Wrong(why) => {
                let path = Manifest::tier_path(self.directory, shape);
                let removed = std::fs::remove_file(&path).map_err(TableError::io("remove", &path));
                let cleared = removed.and_then(|()| TierWriter::clear(self.directory, shape)).err();
                let left = cleared.map_or(String::new(), |error| format!("; {error}"));
                BuildError::Objection(why + &left)
            }
            Objection::Table(error) => error.into(),
            Objection::Stopped => BuildError::Stopped,
        }
    }

    /// Opens the tier that the tier of `arrows` reads from, if it is not at hand.
    fn open_below(&mut self, arrows: usize) -> Result<(), BuildError> {
        let subject = self.manifest.subject;
        let after = arrows + self.manifest.subject.rules.burned();
        let at_hand = self.below.as_ref().is_some_and(|below| below.sets.arrows() == after);
        let Ok(shapes) = self.manifest.kinds(after) else { return Ok(()) };
        if at_hand || shapes.is_empty() {
            return Ok(());
        }
        let overhead = memory::overhead(subject, self.manifest.layer, arrows)?;
        let share = self.options.memory.saturating_sub(overhead) / shapes.len() as u64;
        let sets = CanonicalSets::new(subject.board, after)?;
        let reading = if self.ranks.size() == 1 { Reading::Whole } else { Reading::InParts };
        let open = |shape| {
            let bytes = self.manifest.tier(&shape).map_or(0, |record| record.bytes);
            FinishedTier::open(self.directory, shape, bytes, share, reading)
        };
        let kinds = shapes.into_iter().map(open).collect::<Result<_, _>>()?;
        self.below = Some(Below { sets, kinds });
        Ok(())
    }

    /// Deletes the files of a tier that is not to be kept and no longer needed.
    fn drop_tier(&mut self, arrows: usize) -> Result<(), BuildError> {
        if self.manifest.stays(arrows) || self.is_for_opening(arrows) {
            return Ok(());
        }
        let Ok(shapes) = self.manifest.kinds(arrows) else { return Ok(()) };
        let mut bytes = 0;
        for shape in shapes {
            let Some(mut record) = self.manifest.tier(&shape).cloned() else { continue };
            let path = Manifest::tier_path(self.directory, &shape);
            if std::mem::replace(&mut record.stored, false) || path.exists() {
                bytes += record.bytes;
                self.manifest.record(record);
                self.dropped.push(path);
            }
        }
        // What is small goes with the next tiers that are recorded.
        if bytes >= DROPPED_AT_ONCE { self.save() } else { Ok(()) }
    }

    /// Whether no tier stays and this one is needed for the opening table, which is still to be
    /// written.
    fn is_for_opening(&self, arrows: usize) -> bool {
        self.manifest.keep == Keep::None
            && arrows <= OPENING_PLIES
            && self.start().is_some()
            && !Manifest::opening_path(self.directory).exists()
    }

    /// The position that the opening table begins with; some boards have none.
    fn start(&self) -> Option<Position> {
        start_with(self.manifest.subject.board, self.manifest.subject.amazons).ok()
    }

    /// Writes the opening table of a table of which no tier stays, unless it is there; rank 0 does.
    fn write_opening(&mut self) -> Result<(), BuildError> {
        if !self.ranks.is_first() || !self.is_for_opening(0) {
            return Ok(());
        }
        let Some(start) = self.start() else { return Ok(()) };
        let table = Table::with_manifest(self.directory, self.manifest.clone())?;
        let table = table.with_memory(self.options.memory / 2);
        let memory = self.options.memory / 2;
        let fullest = self.manifest.subject.fullest()?;
        let plies = OPENING_PLIES.min(fullest);
        let opening = Opening::derive(&table, &start, plies, memory, self.observer, self.stop)?;
        let path = Manifest::opening_path(self.directory);
        let mut bytes = Vec::new();
        let written = opening.write(&mut bytes).and_then(|_| files::replace(&path, &bytes));
        Ok(written.map_err(TableError::io("write", &path))?)
    }
}
