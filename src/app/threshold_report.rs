//! A margin as JSON: the one form in which commands and the explorer tell by how much something is
//! won ([json.md](../../docs/json.md)).

use serde::Serialize;

use crate::game::{Threshold, ThresholdRange};

/// The threshold of a position, or of a move for its maker, or between what it lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct ThresholdReport {
    /// The threshold, if it is known.
    threshold: Option<i16>,
    /// By how many spare moves is won or lost, if that is known.
    margin: Option<u16>,
    /// The least and the greatest threshold that are possible.
    thresholds: [i16; 2],
}

impl From<ThresholdRange> for ThresholdReport {
    fn from(range: ThresholdRange) -> Self {
        Self {
            threshold: range.exact().map(Threshold::spare),
            margin: range.exact().map(Threshold::margin),
            thresholds: [range.least().spare(), range.most().spare()],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Outcome;

    #[test]
    fn what_is_not_known_is_null() {
        let written = |range: ThresholdRange| {
            serde_json::to_string(&ThresholdReport::from(range)).expect("it is JSON")
        };
        let won = r#"{"threshold":-3,"margin":3,"thresholds":[-3,-3]}"#;
        assert_eq!(written(Threshold::new(-3).into()), won);
        let lost = r#"{"threshold":1,"margin":0,"thresholds":[1,1]}"#;
        assert_eq!(written(Threshold::new(1).into()), lost);
        let range = ThresholdRange::of_empty(4).with(-1, Outcome::Win).expect("it is possible");
        let open = r#"{"threshold":null,"margin":null,"thresholds":[-3,-1]}"#;
        assert_eq!(written(range), open);
    }
}
