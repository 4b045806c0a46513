//! What is found on all regions of a size.

use std::convert::Infallible;

use super::{Growth, Region};
use crate::machine::progress::{Observer, StopFlag};
use crate::theory::stage::Stage;

/// Adds up every region of `size` squares, a sum for each task, and puts the sums together; with
/// all threads of the current pool. `what` names what is looked at, for the observer. `None` if it
/// was asked to stop.
///
/// # Panics
/// If `size` is not in `1..=MAX_SIZE`.
pub(super) fn over_regions<T: Default + Send>(
    (what, size): (&str, usize),
    observer: &dyn Observer,
    stop: &StopFlag,
    add: impl Fn(&mut T, &Region) + Sync + Send,
    plus: impl Fn(T, T) -> T + Sync + Send,
) -> Option<T> {
    let name = format!("{what} of size {size}");
    let stage = Stage { name: &name, unit: "parts", observer, stop };
    let sum = |task: &Growth| -> Result<T, Infallible> {
        let mut sum = T::default();
        task.for_each(size, &mut |region| {
            // Finding the regions of a task is quick; adding up takes the time.
            if !stop.is_set() {
                add(&mut sum, &region);
            }
        });
        Ok(sum)
    };
    let Ok(found) = stage.gather(&Growth::tasks(size), sum, plus);
    found
}
