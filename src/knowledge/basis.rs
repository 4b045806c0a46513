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
    /// That it is its own mirror image with the colours exchanged: it is lost by a single tempo at
    /// most ([`ThresholdRange::with_other_side`](crate::game::ThresholdRange::with_other_side)).
    Mirror,
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
    /// A proof search of this program that believed what others say: it is a proof if their values
    /// hold.
    Conditional {
        /// Those others, as in `the table of 4x4 4v4`.
        sources: Vec<String>,
    },
    /// A move of the game that leads to a position whose value is known.
    Continuation,
}

impl Basis {
    /// A proof search that believed these.
    pub fn proof_given(believed: impl IntoIterator<Item = String>) -> Self {
        let mut sources = Vec::new();
        for source in believed {
            if !sources.contains(&source) {
                sources.push(source);
            }
        }
        if sources.is_empty() { Self::Proof } else { Self::Conditional { sources } }
    }

    /// What something rests on that follows from what rests on these, as far as they are there.
    pub(super) fn joined(one: Option<&Self>, other: Option<&Self>) -> Option<Self> {
        one.map_or_else(|| other.cloned(), |one| Some(one.and(other)))
    }

    /// What something rests on that follows from this and from `other`. Where one of them is a
    /// continuation, it is that: what it rests on is told of the position that it leads to.
    pub fn and(&self, other: Option<&Self>) -> Self {
        let Some(other) = other.filter(|&other| other != self) else { return self.clone() };
        if [self, other].contains(&&Self::Continuation) {
            return Self::Continuation;
        }
        let is_proof = |basis: &Self| matches!(basis, Self::Proof | Self::Conditional { .. });
        match (self.sources().is_empty(), other.sources().is_empty()) {
            (true, true) if is_proof(other) || *self == Self::Rules => other.clone(),
            (true, true) => self.clone(),
            // The rules and bounds take nothing from what a source says.
            (true, false) if !is_proof(self) => other.clone(),
            (false, true) if !is_proof(other) => self.clone(),
            _ => Self::proof_given([self, other].into_iter().flat_map(Self::sources)),
        }
    }

    /// Whose values must hold if what rests on this is to hold.
    pub fn sources(&self) -> Vec<String> {
        match self {
            Self::Rules | Self::Bounds | Self::Mirror | Self::Proof | Self::Continuation => {
                Vec::new()
            }
            Self::Opening { name, .. } => vec![format!("the opening table of {name}")],
            Self::Table { name } => vec![format!("the table of {name}")],
            Self::Certificate { name } | Self::Elsewhere { certificate: name, .. } => {
                vec![format!("the certificate {name}")]
            }
            Self::Conditional { sources } => sources.clone(),
        }
    }
}

/// In words that follow `wins`.
impl fmt::Display for Basis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rules => f.write_str("by the rules"),
            Self::Bounds => f.write_str("by the bounds of its parts"),
            Self::Mirror => f.write_str("by being its own mirror image"),
            Self::Opening { name, .. } => write!(f, "by the opening table of {name}"),
            Self::Table { name } => write!(f, "by the table of {name}"),
            Self::Certificate { name } => write!(f, "by the certificate {name}"),
            Self::Elsewhere { certificate, .. } => {
                write!(f, "by the certificate {certificate}, which is not part of the program")
            }
            Self::Proof => f.write_str("by proof"),
            Self::Conditional { sources } => {
                write!(f, "by proof, if the values of {} hold", sources.join(" and "))
            }
            Self::Continuation => f.write_str("by the continuation"),
        }
    }
}
