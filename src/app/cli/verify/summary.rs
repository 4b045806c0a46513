//! What `amazons verify` prints of anything that it verified.

use std::path::Path;
use std::time::Instant;

use serde::{Serialize, Serializer};

use crate::app::cli::context::{Context, Failure};
use crate::app::cli::files::completeness::Completeness;
use crate::game::board::Board;
use crate::game::notation::fen;
use crate::game::rules::{Bitboards, Colour, Position};
use crate::machine::progress::StopFlag;
use crate::machine::shown::Shown as _;
use crate::proof::Part;

/// What was verified, and with what result.
#[derive(Debug, Serialize)]
pub(super) struct Verified {
    pub(super) target: String,
    pub(super) checked: u64,
    pub(super) mismatches: u64,
    /// Claims that nothing was held against, where the target is a list of claims, an opening
    /// table, or a table that does not store all its tiers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) not_checked: Option<u64>,
    /// What is proved, where the target is a proof.
    #[serde(flatten)]
    pub(super) proved: Option<Proved>,
    /// The part that holds, where no more of a proof was checked.
    #[serde(flatten)]
    pub(super) part: Option<PartHolds>,
    /// Whether it is finished, where the target is a table.
    #[serde(flatten)]
    pub(super) completeness: Option<Completeness>,
    pub(super) seconds: f64,
    /// What was counted, in words.
    #[serde(skip)]
    pub(super) what: &'static str,
}

/// What a certificate proves.
#[derive(Debug, Serialize)]
pub(super) struct Proved {
    pub(super) position: String,
    pub(super) winner: String,
    /// A rule besides those of the game that the proof rests on: `walls`, the wall rule.
    pub(super) rule: Option<&'static str>,
    /// The game, if it is another than Amazons.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) rules: Option<String>,
}

/// A part of a certificate that holds.
#[derive(Debug, Serialize)]
pub(super) struct PartHolds {
    #[serde(serialize_with = "as_text")]
    pub(super) part: Part,
    /// The BLAKE3 hash that ends the file, in hexadecimal.
    pub(super) hash: String,
    /// What is proved if all parts hold.
    pub(super) claims: Proved,
}

fn as_text<S: Serializer>(part: &Part, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(part)
}

impl Proved {
    /// In words.
    fn words(&self) -> String {
        let Self { position, winner, rule, rules } = self;
        let rule = if rule.is_some() { ", with the wall rule" } else { "" };
        let rules = rules.as_ref().map_or(String::new(), |rules| format!(" by the rules {rules}"));
        format!("proved{rule}{rules}: {winner} wins {position}")
    }
}

impl Verified {
    /// Nothing checked yet of a target.
    pub(super) fn of(target: &Path, what: &'static str, began: Instant) -> Self {
        Self {
            target: target.to_string_lossy().into_owned(),
            checked: 0,
            mismatches: 0,
            not_checked: None,
            proved: None,
            part: None,
            completeness: None,
            seconds: began.elapsed().as_secs_f64(),
            what,
        }
    }

    /// Prints it on standard output.
    pub(super) fn print(&self, context: &Context) -> Result<(), Failure> {
        if context.json() {
            return context.print_json(self);
        }
        let Self { target, checked, mismatches, seconds, what, .. } = self;
        let not_checked =
            self.not_checked.map_or(String::new(), |count| format!(", {count} not checked"));
        let rate = *checked as f64 / seconds.max(1e-9) / 1e6;
        context.print(format_args!(
            "{}: {checked} {what} recomputed, {mismatches} wrong{not_checked} ({seconds:.1} s, {rate:.2} million/s)",
            target.shown()
        ))?;
        if let Some(completeness) = &self.completeness {
            completeness.print(context)?;
        }
        if let Some(PartHolds { part, hash, claims }) = &self.part {
            let (of, claims) = (part.of(), claims.words());
            context.print(format_args!(
                "part {part} holds of the file that ends with the hash {hash}"
            ))?;
            return context.print(format_args!("if all {of} parts of it do: {claims}"));
        }
        self.proved.as_ref().map_or(Ok(()), |proved| context.print(proved.words()))
    }
}

/// Prints what was verified; fails if the verification was interrupted, or for what `wrong` says is
/// not right.
pub(super) fn conclude(
    verified: &Verified,
    wrong: Option<String>,
    stop: &StopFlag,
    context: &Context,
) -> Result<(), Failure> {
    verified.print(context)?;
    match wrong {
        Some(words) => Err(Failure::failed(format!("{}: {words}", verified.target.shown()))),
        None if stop.is_set() => {
            Err(Failure::limit("verification was interrupted: what was compared is right so far"))
        }
        None => Ok(()),
    }
}

/// A position without colours, as if White were to move.
pub(super) fn white_to_move(board: Board, position: &Bitboards) -> String {
    let coloured = Position::new(board, position, Colour::White);
    coloured.map_or_else(|flaws| flaws.to_string(), |position| fen(&position))
}
