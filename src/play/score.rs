//! How well a side stands: hundredths of a square, or a proven end.

use std::fmt;
use std::ops::Neg;

use crate::game::Outcome;

/// A lead in hundredths of a square, for the side to move: +100 is one move more to play than the
/// other side.
///
/// [`Score::WIN`] and [`Score::LOSS`] are proven results, not large leads; every lead lies strictly
/// between.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Score(i16);

impl Score {
    /// The side to move wins, whatever the other does.
    pub const WIN: Self = Self(Self::END);
    /// The side to move loses, whatever it does.
    pub const LOSS: Self = Self(-Self::END);
    /// Nobody leads.
    pub const EVEN: Self = Self(0);

    const END: i16 = 20_000;

    /// A lead that proves nothing. More than 199 squares count as 199.
    #[inline(always)]
    pub fn lead(hundredths: i32) -> Self {
        let most = i32::from(Self::END) - 1;
        Self(hundredths.clamp(-most, most) as i16)
    }

    /// What the side to move reaches, if that is proven.
    pub fn proven(self) -> Option<Outcome> {
        match self {
            Self::WIN => Some(Outcome::Win),
            Self::LOSS => Some(Outcome::Loss),
            _ => None,
        }
    }

    /// Hundredths of a square; 20,000 either way for a proven end.
    #[inline(always)]
    pub fn hundredths(self) -> i32 {
        self.0.into()
    }

    /// The score `hundredths` higher, as the edge of a search window: at most a win.
    #[inline(always)]
    pub(super) fn above(self, hundredths: i16) -> Self {
        Self((self.0 + hundredths).clamp(-Self::END, Self::END))
    }

    /// The score as 16 bits.
    #[inline(always)]
    pub(super) fn bits(self) -> u16 {
        self.0 as u16
    }

    /// Takes back [`Self::bits`].
    #[inline(always)]
    pub(super) fn from_bits(bits: u16) -> Self {
        Self((bits as i16).clamp(-Self::END, Self::END))
    }
}

/// The other side's view.
impl Neg for Score {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.proven() {
            Some(outcome) => outcome.fmt(f),
            None => write!(f, "{:+.2}", f64::from(self.0) / 100.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leads_are_never_proofs() {
        for hundredths in [i32::MIN, -20_000, -1, 0, 1, 20_000, i32::MAX] {
            let score = Score::lead(hundredths);
            assert!(score.proven().is_none() && Score::LOSS < score && score < Score::WIN);
            assert_eq!(Score::from_bits(score.bits()), score);
            assert_eq!(-(-score), score);
        }
        assert_eq!(
            (Score::WIN.proven(), Score::LOSS.proven()),
            (Some(Outcome::Win), Some(Outcome::Loss))
        );
        assert_eq!(
            (Score::lead(-150).to_string(), Score::WIN.to_string()),
            ("-1.50".into(), "win".into())
        );
    }
}
