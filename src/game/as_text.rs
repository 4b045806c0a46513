//! Boards, moves and the like in serde: each is its text, as `Display` writes and `FromStr` reads
//! it.

use std::fmt;
use std::marker::PhantomData;
use std::str::FromStr;

use serde::de::{Deserialize, Deserializer, Error, Visitor};
use serde::ser::{Serialize, Serializer};

use super::board::Board;
use super::rules::{Amazons, Colour};
use super::{Move, Position, Square};

struct Text<T>(PhantomData<T>);

impl<T: FromStr<Err: fmt::Display>> Visitor<'_> for Text<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("text")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
        text.parse().map_err(E::custom)
    }
}

macro_rules! as_text {
    ($($name:ty),* $(,)?) => {$(
        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                deserializer.deserialize_str(Text(PhantomData))
            }
        }
    )*};
}

as_text!(Amazons, Board, Colour, Move, Position, Square);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Outcome;
    use serde::de::DeserializeOwned;

    /// What this text stands for is written as it is, and other text is refused with a reason.
    fn is_text<T: Serialize + DeserializeOwned>(text: &str) {
        let json = format!("{text:?}");
        let value: T = serde_json::from_str(&json).unwrap();
        assert_eq!(serde_json::to_string(&value).unwrap(), json);
        for wrong in ["\"\"", "\"?\"", "7", "null", "[]"] {
            assert!(serde_json::from_str::<T>(wrong).is_err(), "{wrong} for {text}");
        }
    }

    #[test]
    fn values_are_their_text() {
        is_text::<Amazons>("4v3");
        is_text::<Board>("5x4");
        is_text::<Colour>("white");
        is_text::<Move>("b1-b3/d3");
        is_text::<Outcome>("loss");
        is_text::<Position>("1qq1/q2q/Q2Q/1QQ1 w");
        is_text::<Square>("j10");
    }
}
