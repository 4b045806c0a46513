//! `amazons verify FILE` for certificates.

use std::path::Path;
use std::time::Instant;

use super::summary::{Proved, Verified};
use crate::app::cli::{Context, Failure};
use crate::game::notation::fen;
use crate::game::rules::{Bitboards, Position};
use crate::game::variants::variant_fen;
use crate::proof::Reader;
use crate::proof::check::{self, Checked, Refusal};
use crate::proof::variants::check::{self as variant_check, VariantRefusal};
use crate::proof::variants::{VariantReader, is_of_variant};

/// Checks a proof with the rules and negamax, and with the wall rule if the file says so.
pub(super) fn run(path: &Path, context: &Context) -> Result<(), Failure> {
    if std::fs::File::open(path).is_ok_and(is_of_variant) {
        return run_variant(path, context);
    }
    let began = Instant::now();
    let stop = context.stop_on_interrupt()?;
    let progress = context.progress();
    let open = || std::fs::File::open(path).map(std::io::BufReader::new);
    let memory = context.left("checking a proof", check::LEAST_MEMORY)?;
    let outcome = check::verify(open, memory, &progress, &stop);
    drop(progress);
    let (claim, checked) = match outcome {
        Ok(found) => found,
        Err(Refusal::Stopped) => return Err(Failure::limit("the check was interrupted")),
        Err(refusal) => {
            let at = refusal.position().and_then(|position| coloured(path, &position));
            let at = at.map_or(String::new(), |fen| format!(", in colours {fen}"));
            return Err(Failure::failed(format!("{}: {refusal}{at}", path.display())));
        }
    };
    let proved = Proved {
        position: fen(&claim.position),
        winner: claim.winner().to_string(),
        rule: claim.walls.then_some("walls"),
        rules: None,
    };
    say(path, proved, checked, began, context)
}

/// As [`run`] for a proof of another game.
fn run_variant(path: &Path, context: &Context) -> Result<(), Failure> {
    let began = Instant::now();
    let stop = context.stop_on_interrupt()?;
    let progress = context.progress();
    let open = || std::fs::File::open(path).map(std::io::BufReader::new);
    let memory = context.left("checking a proof", variant_check::LEAST_MEMORY)?;
    let outcome = variant_check::verify(open, memory, &progress, &stop);
    drop(progress);
    let (claim, checked) = match outcome {
        Ok(found) => found,
        Err(VariantRefusal::Stopped) => return Err(Failure::limit("the check was interrupted")),
        Err(refusal @ VariantRefusal::Memory { .. }) => {
            let words = "give more --memory for its check";
            return Err(Failure::limit(format!("{}: {refusal}; {words}", path.display())));
        }
        Err(refusal) => {
            let reader = open().ok().and_then(|file| VariantReader::new(file).ok());
            let at = reader.and_then(|reader| refusal.position(reader.claim()));
            let at = at.map_or(String::new(), |at| format!(", in colours {}", variant_fen(&at)));
            return Err(Failure::failed(format!("{}: {refusal}{at}", path.display())));
        }
    };
    let proved = Proved {
        position: variant_fen(&claim.position),
        winner: claim.winner().to_string(),
        rule: None,
        rules: Some(claim.position.rules().to_string()),
    };
    say(path, proved, checked, began, context)
}

/// Says what is proved.
fn say(
    path: &Path,
    proved: Proved,
    checked: Checked,
    began: Instant,
    context: &Context,
) -> Result<(), Failure> {
    let verified = Verified {
        checked: checked.positions,
        proved: Some(proved),
        ..Verified::of(path, "positions of the proof", began)
    };
    verified.print(context)?;
    context.remark(format_args!("{} answers met", checked.answers));
    Ok(())
}

/// A position of a certificate, with colours: in all of them the winner is to move.
fn coloured(path: &Path, position: &Bitboards) -> Option<String> {
    let reader = Reader::new(std::fs::File::open(path).ok()?).ok()?;
    let claim = reader.claim();
    Position::new(claim.board(), position, claim.winner()).ok().map(|position| fen(&position))
}
