//! What stays on the device from tier to tier, and the tier that is solved now.

use std::collections::HashMap;
use std::panic::resume_unwind;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread::{self, JoinHandle};

use super::adapter::Gpu;
use super::batches::{Batches, turned_bytes};
use super::error::GpuError;
use super::handover::Handover;
use super::lists::Source;
use super::program::{Solve, Turn};
use super::segments::{Pool, Segments};
use super::sizes::Sizes;
use super::solver::{TierSolver, buffers, children};
use crate::tables::counting::Mask;
use crate::tables::index::{CanonicalSets, TableSubject, TierShape};
use crate::tables::retrograde::accelerator::{Accelerator, ChunkSolver};
use crate::tables::retrograde::chunk::Chunks;
use crate::tables::retrograde::error::BuildError;
use crate::tables::retrograde::planes::Planes;
use crate::tables::retrograde::store::Below;

/// A device, the tier below if it is there, and the tier that is solved if it is to stay there.
#[derive(Debug)]
pub(in crate::tables::retrograde) struct Resident {
    gpu: Gpu,
    pool: Pool,
    below: Option<Tier>,
    current: Option<Tier>,
    /// Programs of tiers to come that are being compiled.
    programs: Mutex<HashMap<TierShape, JoinHandle<Result<Program, GpuError>>>>,
    /// Where the blocks of the last tier have come back.
    handover: Mutex<Option<Arc<Handover>>>,
}

/// What solves a kind of a tier, and what turns its blocks.
type Program = (Arc<Solve>, Arc<Turn>);

/// The blocks of a tier, of all kinds.
#[derive(Debug)]
struct Tier {
    arrows: usize,
    kinds: Vec<(TierShape, Segments)>,
}

impl Tier {
    fn kind(&self, shape: &TierShape) -> Option<&Segments> {
        self.kinds.iter().find(|(kind, _)| kind == shape).map(|(_, segments)| segments)
    }
}

impl Resident {
    /// For a build of all tiers with so many arrows and more.
    ///
    /// # Errors
    /// [`BuildError::Shape`] if there are no such tiers.
    pub(in crate::tables::retrograde) fn new(
        gpu: &Gpu,
        subject: TableSubject,
        least_arrows: usize,
    ) -> Result<Self, BuildError> {
        let turned = turned_bytes(subject, least_arrows, gpu.least_block)?;
        let pool = Pool::new(gpu, turned.kind, turned.block);
        let (programs, handover) = (Mutex::default(), Mutex::default());
        Ok(Self { gpu: gpu.clone(), pool, below: None, current: None, programs, handover })
    }

    /// Begins to compile what the tier needs that comes after this one.
    fn prepare(&self, shape: &TierShape) {
        let Some(arrows) = shape.arrows().checked_sub(1) else { return };
        let next = TierShape::new(shape.board(), arrows, shape.mover(), shape.opponent());
        let Ok(next) = next else { return };
        let next = next.with_rules(shape.rules()).with_plane(shape.plane());
        if Sizes::of(&next).has_children() && self.gpu.is_for(&next) {
            let gpu = self.gpu.clone();
            let program = thread::spawn(move || compile(&gpu, &next));
            let mut programs = self.programs.lock().unwrap_or_else(PoisonError::into_inner);
            programs.insert(next, program);
        }
    }

    /// The program of a tier, which may have been compiled before.
    fn program(&self, shape: &TierShape) -> Result<Program, GpuError> {
        let mut programs = self.programs.lock().unwrap_or_else(PoisonError::into_inner);
        let prepared = programs.remove(shape);
        drop(programs);
        match prepared {
            Some(program) => program.join().unwrap_or_else(|panic| resume_unwind(panic)),
            None => compile(&self.gpu, shape),
        }
    }

    fn give(&mut self, tier: Option<Tier>) {
        for (_, segments) in tier.into_iter().flat_map(|tier| tier.kinds) {
            self.pool.give(segments);
        }
    }

    /// Room for the blocks of a tier.
    fn make_room(&mut self, shapes: &[TierShape], sets: usize) -> Result<Option<Tier>, GpuError> {
        let mut tier = Tier { arrows: shapes.first().map_or(0, TierShape::arrows), kinds: vec![] };
        for shape in shapes {
            let Some(segments) = self.pool.take(shape, sets) else {
                self.give(Some(tier));
                return Ok(None);
            };
            if !Sizes::of(shape).has_children() {
                segments.clear(&self.gpu)?;
            }
            tier.kinds.push((*shape, segments));
        }
        Ok(Some(tier))
    }
}

fn compile(gpu: &Gpu, shape: &TierShape) -> Result<Program, GpuError> {
    Ok((Arc::new(Solve::new(gpu, shape)?), Arc::new(Turn::new(gpu, shape)?)))
}

impl<M: Mask> Accelerator<M> for Resident {
    fn holds(&self, arrows: usize) -> bool {
        self.below.as_ref().is_some_and(|tier| tier.arrows == arrows)
    }

    fn solves(&self, shape: &TierShape) -> bool {
        // Children that have no file are in the fullest tiers alone.
        let in_files = |child: TierShape| child.constant().is_none();
        self.gpu.is_for(shape) && shape.child().is_none_or(in_files)
    }

    fn begin(&mut self, shapes: &[TierShape], sets: usize) -> Result<bool, BuildError> {
        let stale = self.current.take();
        self.give(stale);
        // A plane without moves is not lost everywhere: the mover may spend a spare one.
        let stays = |shape: &TierShape| {
            let moves = Sizes::of(shape).has_children() || shape.plane() == 0;
            moves && Accelerator::<M>::solves(self, shape)
        };
        self.current = match shapes.iter().all(stays) {
            true => self.make_room(shapes, sets)?,
            false => None,
        };
        Ok(self.current.is_some())
    }

    fn solver<'s>(
        &'s self,
        shape: &TierShape,
        sets: &'s CanonicalSets<M>,
        below: &'s Below<M>,
        planes: Option<&'s Planes>,
        stretch: u64,
    ) -> Result<Box<dyn ChunkSolver + 's>, BuildError> {
        let gpu = &self.gpu;
        let child = shape.child().ok_or(BuildError::NoChildren)?;
        let device = self.below.as_ref().filter(|tier| tier.arrows == child.arrows());
        let source = match device.and_then(|tier| tier.kind(&child)) {
            Some(segments) => Source::Device(segments),
            None => Source::Host(below.kind(&child).ok_or(BuildError::NoChildren)?),
        };
        let chunks = Chunks::of(shape, sets.len());
        let batches = Batches::new(gpu, shape, &chunks, stretch, children(&source))?;
        let turn_children = match source {
            Source::Device(_) => None,
            Source::Host(_) => Some(Arc::new(Turn::new(gpu, &child)?)),
        };
        let (solve, turn) = self.program(shape)?;
        self.prepare(shape);
        let stays = self.current.as_ref().and_then(|tier| tier.kind(shape));
        let target = stays.map(|segments| (turn, segments));
        let mut last = self.handover.lock().unwrap_or_else(PoisonError::into_inner);
        let handover = Handover::new(buffers(gpu, shape, &batches, last.as_deref()));
        *last = Some(handover.clone());
        drop(last);
        Ok(Box::new(TierSolver {
            gpu,
            shape: *shape,
            sets,
            below: &below.sets,
            source,
            chunks,
            batches,
            solve,
            turn_children,
            planes,
            target,
            handover,
            scratch: OnceLock::new(),
        }))
    }

    fn end(&mut self, whole: bool) {
        let below = self.below.take();
        self.give(below);
        let current = self.current.take();
        if whole {
            self.below = current;
        } else {
            self.give(current);
        }
    }
}
