//! `amazons lookup`: values of positions and of their moves, from what the program knows, a table
//! or an opening table; or the strategy of a certificate.

mod amazons;
mod arguments;
mod asking;
mod certificate;
mod known;
mod report;
mod variant;

pub(super) use arguments::Args;

use super::context::{Context, Failure};
use crate::tables::index::TableRules;
use arguments::SourceArgs;

pub(super) fn run(args: &Args, context: &Context) -> Result<(), Failure> {
    match &args.source {
        SourceArgs { certificate: Some(path), .. } => certificate::run(args, path, context),
        SourceArgs { tables: Some(tables), .. } => match args.rules.of_tables()? {
            TableRules::Amazons => amazons::run(args, tables, context),
            rules => variant::run(args, tables, rules, context),
        },
        SourceArgs { certificate: None, tables: None } => known::run(args, context),
    }
}
