//! What is said of a value, wherever a value is said.

use std::fmt;

use serde::{Serialize, Serializer};

use crate::theory::values::{OutcomeClass, Value, Values};

/// A value in words and numbers.
#[derive(Serialize)]
pub(in crate::app::cli) struct Described {
    /// With all braces.
    value: String,
    /// As CGSuite writes it.
    pub(in crate::app::cli) text: String,
    temperature: String,
    mean: String,
    left_stop: String,
    right_stop: String,
    #[serde(serialize_with = "letter")]
    outcome: OutcomeClass,
}

/// The letter of an outcome.
pub(in crate::app::cli) fn letter<S: Serializer>(
    outcome: &OutcomeClass,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(outcome.letter())
}

impl Described {
    pub(in crate::app::cli) fn new(values: &Values, value: Value) -> Self {
        let graph = values.thermograph(value);
        Self {
            value: values.text(value),
            text: values.short_text(value),
            temperature: graph.temperature.to_string(),
            mean: graph.mean.to_string(),
            left_stop: values.left_stop(value).to_string(),
            right_stop: values.right_stop(value).to_string(),
            outcome: values.outcome(value),
        }
    }
}

/// Five lines, without an end.
impl fmt::Display for Described {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { text, temperature, mean, left_stop, right_stop, outcome, .. } = self;
        write!(
            f,
            "value        {text}\n\
             temperature  {temperature}\n\
             mean         {mean}\n\
             stops        {left_stop} (Left begins), {right_stop} (Right begins)\n\
             outcome      {outcome}"
        )
    }
}
