//! What ranks do together, as threads.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use super::*;
use crate::machine::progress::StopFlag;

/// Hands out the numbers below `count`, and notes what came of them.
struct Squares {
    next: u32,
    count: u32,
    squares: Vec<u32>,
}

impl Squares {
    fn of(count: u32) -> Self {
        Self { next: 0, count, squares: Vec::new() }
    }
}

fn number(bytes: &[u8]) -> u32 {
    u32::from_le_bytes(bytes.try_into().unwrap())
}

impl Master for Squares {
    fn next(&mut self, _rank: usize) -> Option<Vec<u8>> {
        let job = (self.next < self.count).then(|| self.next.to_le_bytes().to_vec());
        self.next += 1;
        job
    }

    fn take(&mut self, _rank: usize, result: Vec<u8>) {
        self.squares.push(number(&result));
    }
}

fn square(job: &[u8]) -> Vec<u8> {
    number(job).wrapping_pow(2).to_le_bytes().into()
}

fn status(result: Result<(), Unfinished<String>>) -> Ending {
    match result {
        Ok(()) => Ending::Done,
        Err(Unfinished::Here(why)) => Ending::Failed(1, why),
        Err(Unfinished::Elsewhere(Elsewhere)) => Ending::Elsewhere,
        Err(Unfinished::Stopped) => Ending::Limit("stopped".into()),
    }
}

const SIZES: [usize; 4] = [1, 2, 3, 7];

#[test]
fn all_get_the_answer_that_rank_0_makes_of_what_they_give() {
    for size in SIZES {
        let outcome = in_threads(size, |ranks| {
            for round in 0..20 {
                let given = vec![ranks.rank() as u8, round];
                let answer = ranks.exchange(given, |all| all.concat()).unwrap();
                let expected: Vec<u8> = (0..size).flat_map(|rank| [rank as u8, round]).collect();
                assert_eq!(answer, expected);
                assert_eq!(ranks.tell(|| (round, ranks.rank())).unwrap(), (round, 0));
                assert_eq!(ranks.gather(&ranks.rank()).unwrap(), Vec::from_iter(0..size));
            }
            ranks.meet().unwrap();
            Ending::Done
        });
        assert_eq!(outcome, Ending::Done);
    }
}

#[test]
fn every_job_is_done_once() {
    for size in SIZES {
        for count in [0, 1, 5, 100] {
            let outcome = in_threads(size, |ranks| {
                let master = ranks.hand_out(
                    || Squares::of(count),
                    StopFlags { stop: &StopFlag::new(), halt: &StopFlag::new() },
                    |job| Ok::<_, String>(square(job)),
                );
                let master = master.unwrap();
                assert_eq!(master.is_some(), ranks.is_first());
                if let Some(mut master) = master {
                    master.squares.sort_unstable();
                    assert!(master.squares.iter().copied().eq((0..count).map(|n| n * n)));
                }
                Ending::Done
            });
            assert_eq!(outcome, Ending::Done);
        }
    }
}

/// Waits until the flag is set: a job that has no end of its own.
fn wait_for(flag: &StopFlag) {
    while !flag.is_set() {
        std::thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn a_job_that_fails_in_any_rank_ends_the_others_and_is_told_once() {
    for size in SIZES {
        for failing in 0..size {
            let outcome = in_threads(size, |ranks| {
                let (rank, halt) = (ranks.rank(), StopFlag::new());
                status(
                    ranks
                        .hand_out(
                            || Squares::of(u32::MAX),
                            StopFlags { stop: &StopFlag::new(), halt: &halt },
                            |_| {
                                if rank == failing {
                                    return Err(String::from("no space"));
                                }
                                wait_for(&halt);
                                Err("given up".into())
                            },
                        )
                        .map(drop),
                )
            });
            let told = match failing {
                0 => "no space".into(),
                _ => format!("rank {failing}: no space"),
            };
            assert_eq!(outcome, Ending::Failed(1, told), "rank {failing} of {size}");
        }
    }
}

#[test]
fn a_rank_that_fails_between_jobs_ends_those_that_wait_for_it() {
    for size in [2, 3, 7] {
        for failing in 0..size {
            let outcome = in_threads(size, |ranks| {
                if ranks.rank() == failing {
                    return Ending::Failed(2, "not like this".into());
                }
                match ranks.meet() {
                    Ok(()) => unreachable!("rank {failing} has not come"),
                    Err(Elsewhere) => Ending::Elsewhere,
                }
            });
            let Ending::Failed(2, told) = outcome else { panic!("{outcome:?}") };
            assert!(told.ends_with("not like this") && told.starts_with("rank") == (failing > 0));
        }
    }
}

#[test]
fn nobody_waits_for_a_rank_0_that_has_ended_well() {
    for size in [2, 3, 7] {
        for hands_out in [false, true] {
            let outcome = in_threads(size, |ranks| {
                ranks.meet().unwrap();
                match ranks.is_first() {
                    true => Ending::Done,
                    false if hands_out => status(
                        ranks
                            .hand_out(
                                || Squares::of(5),
                                StopFlags { stop: &StopFlag::new(), halt: &StopFlag::new() },
                                |job| Ok(square(job)),
                            )
                            .map(drop),
                    ),
                    false => ranks.meet().map_or(Ending::Elsewhere, |()| Ending::Done),
                }
            });
            assert_eq!(outcome, Ending::Done);
        }
    }
}

#[test]
fn a_request_to_stop_in_one_rank_stops_all() {
    for size in SIZES {
        for asked in 0..size {
            let given_up = AtomicUsize::new(0);
            let outcome = in_threads(size, |ranks| {
                let (stop, halt) = (StopFlag::new(), StopFlag::new());
                if ranks.rank() == asked {
                    stop.stop();
                }
                let outcome = status(
                    ranks
                        .hand_out(
                            || Squares::of(u32::MAX),
                            StopFlags { stop: &stop, halt: &halt },
                            |_| {
                                wait_for(&halt);
                                given_up.fetch_add(1, Ordering::Relaxed);
                                Err(String::from("given up"))
                            },
                        )
                        .map(drop),
                );
                assert_eq!(outcome, Ending::Limit("stopped".into()));
                outcome
            });
            assert_eq!(outcome, Ending::Limit("stopped".into()));
            assert!(given_up.into_inner() <= size);
        }
    }
}

#[test]
fn a_failure_is_told_before_a_limit() {
    let outcome = in_threads(3, |ranks| match ranks.rank() {
        0 => Ending::Limit("stopped".into()),
        1 => Ending::Elsewhere,
        _ => Ending::Failed(1, "no space".into()),
    });
    assert_eq!(outcome, Ending::Failed(1, "rank 2: no space".into()));
}

/// Complete with its first result.
struct First(Vec<u8>);

impl Master for First {
    fn next(&mut self, rank: usize) -> Option<Vec<u8>> {
        self.0.is_empty().then(|| vec![rank as u8])
    }

    fn take(&mut self, _rank: usize, result: Vec<u8>) {
        self.0 = result;
    }

    fn is_complete(&self) -> bool {
        !self.0.is_empty()
    }
}

#[test]
fn jobs_are_given_up_when_all_is_known() {
    for size in SIZES {
        let outcome = in_threads(size, |ranks| {
            let halt = StopFlag::new();
            let work = |job: &[u8]| {
                // All but the last have no end of their own.
                if usize::from(job[0]) + 1 != size {
                    wait_for(&halt);
                }
                Ok::<_, String>(vec![7])
            };
            let master = ranks.hand_out(
                || First(Vec::new()),
                StopFlags { stop: &StopFlag::new(), halt: &halt },
                work,
            );
            let master = master.unwrap();
            assert!(master.is_none_or(|master| master.0 == [7]));
            Ending::Done
        });
        assert_eq!(outcome, Ending::Done);
    }
}

/// As [`Squares`]; the job of a lost rank is handed out again, or all end.
struct Losing {
    squares: Squares,
    goes_on: bool,
    given: Vec<Option<Vec<u8>>>,
    again: Vec<Vec<u8>>,
    /// Whether the rank that is to be lost has had a job: the others wait for that.
    begun: bool,
}

impl Master for Losing {
    fn next(&mut self, rank: usize) -> Option<Vec<u8>> {
        self.begun |= rank == 2;
        if !self.begun {
            return None;
        }
        let job = self.again.pop().or_else(|| self.squares.next(rank));
        self.given[rank].clone_from(&job);
        job
    }

    fn take(&mut self, rank: usize, result: Vec<u8>) {
        self.squares.take(rank, result);
    }

    fn lose(&mut self, rank: usize) -> bool {
        self.again.extend(self.given[rank].take());
        self.goes_on
    }
}

/// So many jobs by three ranks, of which one is cut off with its first job.
fn cut_off(count: u32, goes_on: bool) -> Ending {
    let cut: Vec<Arc<AtomicBool>> = (0..3).map(|_| Arc::default()).collect();
    in_threads_cut(&cut, Duration::from_secs(1), |ranks| {
        let is_cut = ranks.rank() == 2;
        let work = |job: &[u8]| {
            if is_cut {
                cut[2].store(true, Ordering::Relaxed);
            }
            Ok::<_, String>(square(job))
        };
        let master = || Losing {
            squares: Squares::of(count),
            goes_on,
            given: vec![None; 3],
            again: Vec::new(),
            begun: false,
        };
        let done = ranks.hand_out(
            master,
            StopFlags { stop: &StopFlag::new(), halt: &StopFlag::new() },
            work,
        );
        let done = match done {
            Err(why) => return status(Err(why)),
            Ok(done) => done,
        };
        if let Some(Losing { squares: Squares { mut squares, .. }, .. }) = done {
            squares.sort_unstable();
            assert_eq!(squares, (0..count).map(|number| number * number).collect::<Vec<_>>());
            assert!(ranks.lost().contains(&2));
        }
        // What it would have given is left out, and all get what the others give.
        assert!(!ranks.gather(&ranks.rank()).unwrap().contains(&2));
        Ending::Done
    })
}

#[test]
fn without_a_rank_that_is_cut_off_the_others_go_on_or_end() {
    assert_eq!(cut_off(10, true), Ending::Done);
    let ended = cut_off(u32::MAX, false);
    let Ending::Limit(told) = &ended else { panic!("{ended:?}") };
    assert!(told.ends_with("has said nothing for 1s; stopped"), "{told}");
}
