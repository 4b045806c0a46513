//! What an answer rests on.

use std::fmt;

use serde::Serialize;

/// What the value of a position rests on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Basis {
    /// The rules: the side to move cannot move, or has a move after which the other cannot.
    Rules,
    /// Exact bounds of the parts that the board has fallen into.
    Bounds,
    /// This opening table, which knows what so many moves from its start lead to; at the last of
    /// them it knows the value alone.
    Opening {
        /// Its board and amazons.
        name: String,
        /// The moves.
        moves: usize,
    },
    /// This table, which knows every position of its board and amazons.
    Table {
        /// Its board and amazons, and the rules if they are not those of Amazons.
        name: String,
    },
    /// What this certificate says its winner plays. Whether it is a proof is for the checker to
    /// say.
    Certificate {
        /// Its file.
        name: String,
    },
    /// What a certificate claims that was checked when this program was made, and is not part of
    /// it.
    Elsewhere {
        /// Its file.
        certificate: String,
        /// SHA-256 of the file, in hexadecimal.
        sha256: String,
    },
    /// A proof search of this program.
    Proof,
    /// A move of the game that leads to a position whose value is known.
    Continuation,
}

/// In words that follow `wins`.
impl fmt::Display for Basis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rules => f.write_str("by the rules"),
            Self::Bounds => f.write_str("by the bounds of its parts"),
            Self::Opening { name, .. } => write!(f, "by the opening table of {name}"),
            Self::Table { name } => write!(f, "by the table of {name}"),
            Self::Certificate { name } => write!(f, "by the certificate {name}"),
            Self::Elsewhere { certificate, .. } => {
                write!(f, "by the certificate {certificate}, which is not part of the program")
            }
            Self::Proof => f.write_str("by proof"),
            Self::Continuation => f.write_str("by the continuation"),
        }
    }
}
