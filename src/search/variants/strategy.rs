//! The winner's strategy under any rules, for a certificate.

use std::collections::HashMap;

use super::solver::{VariantSolver, VariantSolverError};
use crate::game::Outcome;
use crate::game::notation::fen_of_mover;
use crate::game::variants::{State, VariantCode};
use crate::proof::variants::{Listed, VariantClaim, room};

/// Why no certificate was written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum VariantStrategyError {
    /// The position is of another game or board than the solver.
    #[error(transparent)]
    Solver(#[from] VariantSolverError),
    /// The solver gave up.
    #[error("the search was stopped before the certificate was complete")]
    Stopped,
    /// The list does not fit the memory that is given.
    #[error("its positions need more than the {allowed} bytes that are given")]
    Memory {
        /// Bytes that may be used.
        allowed: u64,
    },
    /// The claim is not what the search finds of this position, whose mover is written as White. It
    /// may have walls.
    #[error("the claim is not true of {0}, the side to move written as White")]
    Untrue(String),
}

/// Bytes of a position: in the map, which is at most half empty and may be copied while it grows,
/// and in the list.
const POSITION_BYTES: u64 =
    4 * size_of::<(VariantCode, Option<u32>)>() as u64 + size_of::<Listed>() as u64;

/// A position of which it has to be shown what its side to move reaches.
struct ToShow {
    state: State,
    outcome: Outcome,
}

impl VariantSolver {
    /// The list of a certificate ([`crate::proof::variants`]) of a claim, within about `memory`
    /// bytes beside the table.
    ///
    /// # Errors
    /// If the solver gives up, the list does not fit, or the claim is not true or not of the
    /// solver's game.
    pub fn strategy(
        &mut self,
        claim: &VariantClaim,
        memory: u64,
    ) -> Result<Vec<Listed>, VariantStrategyError> {
        let start = self.state(&claim.position)?;
        // Leaves are not judged below, and the start may be one.
        if self.outcome(&start).ok_or(VariantStrategyError::Stopped)? != claim.outcome {
            return Err(self.untrue(&start));
        }
        let most = memory / POSITION_BYTES;
        let mut shown: HashMap<VariantCode, Option<u32>> = HashMap::new();
        let mut left = vec![ToShow { state: start, outcome: claim.outcome }];
        while let Some(ToShow { state, outcome }) = left.pop() {
            // Where all is known, nothing is searched that would look at it.
            if self.is_stopped() {
                return Err(VariantStrategyError::Stopped);
            }
            if room(self.board(), self.rules().rules(), &state) <= claim.leaf.into() {
                continue;
            }
            if shown.len() as u64 + left.len() as u64 >= most {
                return Err(VariantStrategyError::Memory { allowed: memory });
            }
            // A position that begins a turn and is lost is not listed: see
            // `proof::variants::check`.
            if outcome == Outcome::Loss && !state.goes_on() {
                self.add_answers(&state, &mut left);
                continue;
            }
            let code = self.coder().code(&state);
            if shown.contains_key(&code) {
                continue;
            }
            let image = self.coder().state(&code).expect("a code of a position is of one");
            let number = match outcome {
                Outcome::Win => {
                    let (number, after) = self.winning_move(&image)?;
                    left.push(after);
                    Some(number)
                }
                Outcome::Loss => {
                    self.add_answers(&image, &mut left);
                    None
                }
            };
            shown.insert(code, number);
        }
        let listed = shown.into_iter().map(|(code, played)| Listed { code, played });
        let mut listed: Vec<Listed> = listed.collect();
        listed.sort_unstable_by_key(|listed| listed.code);
        Ok(listed)
    }

    /// The positions after all moves of a position that is lost.
    fn add_answers(&self, state: &State, left: &mut Vec<ToShow>) {
        self.rules().for_each_move(state, |played| {
            let after = self.rules().play_unchecked(state, played);
            left.push(ToShow { state: after, outcome: after.outcome_of_move(Outcome::Loss) });
            true
        });
    }

    /// The number of a winning move, and the position after it.
    fn winning_move(&mut self, state: &State) -> Result<(u32, ToShow), VariantStrategyError> {
        let moves = self.rules().moves(state).into_iter().enumerate();
        let mut moves: Vec<_> = moves
            .map(|(number, played)| {
                let after = self.rules().play_unchecked(state, played);
                // First what is known to win without a search, of that what leaves few answers.
                let steps = self.rules().count_steps(&after);
                (self.proof_number(&after), steps, number, after)
            })
            .collect();
        moves.sort_unstable_by_key(|&(proof, steps, number, _)| (proof, steps, number));
        for (_, _, number, after) in moves {
            let outcome = self.outcome(&after).ok_or(VariantStrategyError::Stopped)?;
            if after.outcome_of_move(outcome) == Outcome::Win {
                return Ok((number as u32, ToShow { state: after, outcome }));
            }
        }
        Err(self.untrue(state))
    }

    fn untrue(&self, state: &State) -> VariantStrategyError {
        VariantStrategyError::Untrue(fen_of_mover(self.rules().board(), &state.squares))
    }
}
