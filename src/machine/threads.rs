//! Work in parts, a thread for each part.
//!
//! The calling thread does the first part itself: if it only waited, there would be a thread more
//! than processors, and one of the others would start milliseconds late. A part for which the
//! system gives no thread is done by the calling thread too, after its own. So the same code works
//! where there are no threads at all.

use std::thread::Builder;

/// The most threads that anything is done on: more than any machine has use for would take minutes
/// to start.
pub const MOST_THREADS: usize = 1024;

/// A number of threads that there may be: the nearest to the one that is wanted.
pub(crate) fn allowed(wanted: usize) -> usize {
    wanted.clamp(1, MOST_THREADS)
}

/// Calls `work` with every number below `parts`, each on a thread of its own as far as there are
/// threads; returns the results in the order of the numbers.
///
/// A part must not wait for another one, because the calling thread may have to do both.
///
/// # Panics
/// If `work` panics in one of the parts.
pub(crate) fn in_parts<T: Send>(parts: usize, work: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let work = &work;
    std::thread::scope(|scope| {
        let start = |part| Builder::new().spawn_scoped(scope, move || work(part)).map_err(|_| part);
        let others: Vec<_> = (1..parts).map(start).collect();
        let first = (parts > 0).then(|| work(0));
        let others = others.into_iter().map(|other| match other {
            Ok(thread) => thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
            Err(part) => work(part),
        });
        first.into_iter().chain(others).collect()
    })
}

/// Calls `work` with every number below `count`, on at most so many threads; returns the results in
/// the order of the numbers.
///
/// # Panics
/// If `work` does.
pub(crate) fn each<T: Send>(
    threads: usize,
    count: usize,
    work: impl Fn(usize) -> T + Sync,
) -> Vec<T> {
    let threads = threads.min(count).max(1);
    let share = |part: usize| (part..count).step_by(threads).map(&work).collect::<Vec<T>>();
    let mut shares: Vec<_> = in_parts(threads, share).into_iter().map(Vec::into_iter).collect();
    (0..count).filter_map(|at| shares[at % threads].next()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;
    use std::panic::catch_unwind;

    #[test]
    fn results_come_in_order_and_the_first_part_is_the_callers() {
        for parts in [0, 1, 2, 7] {
            let done = in_parts(parts, |part| (part, std::thread::current().id()));
            assert!(done.iter().map(|&(part, _)| part).eq(0..parts));
            let threads: HashSet<_> = done.iter().map(|&(_, thread)| thread).collect();
            assert_eq!(threads.len(), parts);
            assert!(done.first().is_none_or(|first| first.1 == std::thread::current().id()));
        }
    }

    #[test]
    fn each_number_has_its_result_on_any_number_of_threads() {
        for (threads, count) in [(1, 0), (1, 5), (2, 5), (3, 3), (4, 2), (0, 4)] {
            let expected: Vec<usize> = (0..count).map(|number| 3 * number).collect();
            assert_eq!(each(threads, count, |number| 3 * number), expected);
        }
    }

    #[test]
    fn a_panic_reaches_the_caller() {
        let work = |part| assert!(part != 2, "part {part} fails");
        let panic = catch_unwind(|| in_parts(4, work)).unwrap_err();
        assert_eq!(panic.downcast_ref::<String>().map(String::as_str), Some("part 2 fails"));
    }
}
