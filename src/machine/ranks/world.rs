//! The processes that an MPI launcher started.
//!
//! MPI is called by the thread that began it only; that asks the least of an MPI library.

use mpi::environment::Universe;
use mpi::point_to_point::MatchedReceiveVec as _;
use mpi::topology::SimpleCommunicator;
use mpi::traits::{Communicator as _, Destination as _, Source as _};

use super::message::{Kind, Link, Message};

/// All processes. MPI ends when it is dropped, which waits for the others to do so.
pub(super) struct World {
    world: SimpleCommunicator,
    _universe: Universe,
}

impl World {
    /// Begins MPI. `None` if it was begun before or knows no threads.
    pub(super) fn new() -> Option<Self> {
        let (universe, threading) = mpi::initialize_with_threading(mpi::Threading::Funneled)?;
        let world = universe.world();
        (threading >= mpi::Threading::Funneled).then_some(Self { world, _universe: universe })
    }

    pub(super) fn rank(&self) -> usize {
        self.world.rank() as usize
    }

    pub(super) fn size(&self) -> usize {
        self.world.size() as usize
    }

    /// What MPI calls the machine that this process runs on.
    pub(super) fn machine() -> String {
        mpi::environment::processor_name().unwrap_or_default()
    }
}

impl Link for World {
    fn send(&self, to: usize, kind: Kind, bytes: &[u8]) {
        let to = i32::try_from(to).expect("ranks are numbered from 0");
        self.world.process_at_rank(to).send_with_tag(bytes, kind.tag());
    }

    fn receive(&self) -> Option<Message> {
        let (bytes, status) =
            self.world.any_process().immediate_matched_probe()?.matched_receive_vec();
        let from = usize::try_from(status.source_rank()).expect("ranks are numbered from 0");
        Some(Message { from, kind: Kind::of_tag(status.tag()), bytes })
    }
}
