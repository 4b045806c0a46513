//! `amazons info FILE` for certificates: what the header claims.

use std::path::Path;

use serde::Serialize;

use crate::app::cli::context::failure::as_word;
use crate::app::cli::context::{Context, Failure};
use crate::app::cli::files::kind::FileKind;
use crate::app::counted::Counted;
use crate::game::notation::fen;
use crate::game::variants::variant_fen;
use crate::machine::pieces;
use crate::machine::shown::Shown as _;
use crate::proof::variants::{VariantReader, is_of_variant};
use crate::proof::{CertificateError, Reader};

/// What a certificate claims.
#[derive(Serialize)]
struct Summary {
    kind: FileKind,
    version: u8,
    position: String,
    winner: String,
    /// A rule besides those of the game that the proof rests on: `walls`, the wall rule.
    rule: Option<&'static str>,
    /// The game, if it is another than Amazons.
    #[serde(skip_serializing_if = "Option::is_none")]
    rules: Option<String>,
    /// Positions with at most so many empty squares, in another game with at most so much room, are
    /// not listed.
    leaf: u8,
    bytes: u64,
}

/// Reads the header alone, so that it takes a moment however long the file is.
pub(super) fn run(path: &Path, context: &Context) -> Result<(), Failure> {
    let summary = Summary::of(path).map_err(|error| Failure::of_file(path, &error))?;
    summary.print(context, path)
}

impl Summary {
    fn of(path: &Path) -> Result<Self, CertificateError> {
        let (kind, bytes, file) =
            (FileKind::Certificate, pieces::bytes(path)?, pieces::open(path)?);
        // Opened again, because what tells the game reads on.
        if is_of_variant(pieces::open(path)?) {
            let reader = VariantReader::new(file)?;
            let claim = reader.claim();
            return Ok(Self {
                kind,
                version: reader.version(),
                position: variant_fen(&claim.position),
                winner: claim.winner().to_string(),
                rule: None,
                rules: Some(claim.position.rules().to_string()),
                leaf: claim.leaf,
                bytes,
            });
        }
        let reader = Reader::new(file)?;
        let claim = reader.claim();
        Ok(Self {
            kind,
            version: reader.version(),
            position: fen(&claim.position),
            winner: claim.winner().to_string(),
            rule: claim.walls.then_some("walls"),
            rules: None,
            leaf: claim.leaf,
            bytes,
        })
    }

    /// Prints it as text or JSON.
    fn print(&self, context: &Context, path: &Path) -> Result<(), Failure> {
        if context.json() {
            return context.print_json(self);
        }
        let Self { version, position, winner, rule, rules, leaf, bytes, .. } = self;
        let (of, leaves) = match rules {
            Some(rules) => (
                format!(" by the rules {rules}"),
                format!("with room for {} at most", Counted(*leaf, "move")),
            ),
            None => {
                let rule = rule.map_or("without the wall rule", |_| "with the wall rule");
                (String::new(), format!("with {leaf} empty squares at most, {rule}"))
            }
        };
        let (path, word) = (path.shown(), as_word(path));
        context.print(format_args!(
            "{path}: certificate{of}, format version {version}, {bytes} bytes"
        ))?;
        context.print(format_args!("claims that {winner} wins {position}"))?;
        context.print(format_args!("leaves to negamax positions {leaves}"))?;
        context.print(format_args!("not checked: `amazons verify {word}` does that"))
    }
}
