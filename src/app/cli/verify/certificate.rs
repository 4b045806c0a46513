//! `amazons verify FILE` for certificates.

use std::io::{self, BufReader};
use std::path::Path;
use std::time::Instant;

use super::summary::{PartHolds, Proved, Verified};
use crate::app::cli::context::failure::as_word;
use crate::app::cli::context::{Context, Failure};
use crate::app::counted::Counted;
use crate::game::notation::fen;
use crate::game::rules::{Bitboards, Position};
use crate::game::variants::variant_fen;
use crate::machine::pieces::{self, Pieces};
use crate::machine::progress::{Observer, StopFlag};
use crate::machine::shown::Shown as _;
use crate::proof::check::{self, Checked, Refusal};
use crate::proof::variants::check::{self as variant_check, VariantRefusal};
use crate::proof::variants::{VariantReader, is_of_variant};
use crate::proof::{Part, Reader};

/// Checks a proof, or a part of it, with the rules and negamax, and with the wall rule if the file
/// says so.
pub(super) fn run(path: &Path, part: Option<Part>, context: &Context) -> Result<(), Failure> {
    let file = Proof { path, context, began: Instant::now() };
    let is_of_variant = pieces::open(path).is_ok_and(is_of_variant);
    if is_of_variant { file.of_variant(part) } else { file.of_amazons(part) }
}

/// A file that is checked.
struct Proof<'a> {
    path: &'a Path,
    context: &'a Context,
    began: Instant,
}

impl Proof<'_> {
    fn of_amazons(&self, part: Option<Part>) -> Result<(), Failure> {
        let memory = self.context.left("checking a proof", check::LEAST_MEMORY)?;
        let all = part.unwrap_or(Part::WHOLE);
        let found = self.with_progress(|progress, stop| {
            check::verify_part(|| self.open(), all, memory, progress, stop)
        })?;
        let (claim, checked) = found.map_err(|refusal| match refusal {
            Refusal::Stopped => interruption(),
            refusal => {
                let at = refusal.position().and_then(|position| self.with_colours(&position));
                self.failure(&refusal, at)
            }
        })?;
        let proved = Proved {
            position: fen(&claim.position),
            winner: claim.winner().to_string(),
            rule: claim.walls.then_some("walls"),
            rules: None,
        };
        self.say(checked, proved, part)
    }

    /// The same for a proof of another game.
    fn of_variant(&self, part: Option<Part>) -> Result<(), Failure> {
        let memory = self.context.left("checking a proof", variant_check::least_memory())?;
        let all = part.unwrap_or(Part::WHOLE);
        let found = self.with_progress(|progress, stop| {
            variant_check::verify_part(|| self.open(), all, memory, progress, stop)
        })?;
        let (claim, checked) = found.map_err(|refusal| match refusal {
            VariantRefusal::Stopped => interruption(),
            VariantRefusal::Memory { .. } => {
                let words = "give more --memory for its check";
                Failure::limit(format!("{}: {refusal}; {words}", self.path.shown()))
            }
            refusal => {
                let reader = self.open().ok().and_then(|file| VariantReader::new(file).ok());
                let at = reader.and_then(|reader| refusal.position(reader.claim()));
                self.failure(&refusal, at.map(|at| variant_fen(&at)))
            }
        })?;
        let proved = Proved {
            position: variant_fen(&claim.position),
            winner: claim.winner().to_string(),
            rule: None,
            rules: Some(claim.position.rules().to_string()),
        };
        self.say(checked, proved, part)
    }

    fn open(&self) -> io::Result<BufReader<Pieces>> {
        pieces::open(self.path).map(BufReader::new)
    }

    /// Checks with progress, until an interrupt.
    fn with_progress<T>(
        &self,
        check: impl FnOnce(&dyn Observer, &StopFlag) -> T,
    ) -> Result<T, Failure> {
        let stop = self.context.stop_on_interrupt()?;
        let progress = self.context.progress();
        Ok(check(&progress, &stop))
    }

    /// A position of the certificate, with colours: in all of them the winner is to move.
    fn with_colours(&self, position: &Bitboards<u128>) -> Option<String> {
        let reader = Reader::new(self.open().ok()?).ok()?;
        let claim = reader.claim();
        Position::new(claim.board(), position, claim.winner()).ok().map(|position| fen(&position))
    }

    /// The failure of a file that proves nothing, with the position where it fails, if there is
    /// one.
    fn failure(&self, refusal: &dyn std::error::Error, at: Option<String>) -> Failure {
        let at = at.map_or(String::new(), |fen| format!(": {fen}"));
        let piece = pieces::whole(self.path).map_or(String::new(), |whole| {
            format!(
                "; a piece alone is no certificate, `amazons verify {}` reads all pieces",
                as_word(&whole)
            )
        });
        Failure::failed(format!("{}: {refusal}{at}{piece}", self.path.shown()))
    }

    /// Says what is proved, or of which part it is known that it holds.
    fn say(&self, checked: Checked, claims: Proved, part: Option<Part>) -> Result<(), Failure> {
        let (proved, part) = match part {
            None => (Some(claims), None),
            Some(part) => {
                // Parts that are checked elsewhere must be parts of the same file.
                let hash = checked.hash.iter().map(|byte| format!("{byte:02x}")).collect();
                (None, Some(PartHolds { part, hash, claims }))
            }
        };
        let verified = Verified {
            checked: checked.positions,
            proved,
            part,
            ..Verified::of(self.path, "positions of the proof", self.began)
        };
        verified.print(self.context)?;
        self.context.remark(format_args!("{} met", Counted(checked.answers, "answer")));
        Ok(())
    }
}

fn interruption() -> Failure {
    Failure::limit("the check was interrupted")
}
