//! Values as CGSuite 2 writes them in plain text (`CanonicalShortGame.appendTo`,
//! `Uptimal.appendTo`), but for `±`, which it writes `+-` there.
//!
//! ```text
//! ±1   ±{1,{2|0}}       a value that is its own negative: the left options
//! Tiny(2)   1Miny(3)    {0||0|-2}, {{4|1}|1}
//! {3|1||-1|-3}          braces only around the whole and around one of several options; as many bars
//!                       as there are levels within, four at most
//! ^^   v3               ups: two are doubled, more are counted
//! ```
//!
//! Higher ups (`^[2]`, `^<2>`) are written as forms.

use super::{Dyadic, Value, Values};

/// More levels than this are in braces.
const MOST_BARS: usize = 4;

/// Where a value stands within the text.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// It is the whole, or one of several options: a form has braces.
    Apart,
    /// It is the only option of a side: a form has no braces, and there is one bar more beside it.
    Within,
    /// It follows `±`: a form has braces, and several parts have parentheses.
    AfterSign,
}

impl Values {
    /// The value as CGSuite writes it, which [`Values::parse`] reads. It is hardly longer than
    /// [`Values::text`].
    pub fn short_text(&self, value: Value) -> String {
        self.short(value, Place::Apart).0
    }

    /// The text, and how many bars its parts are parted by, 0 if they are in braces.
    fn short(&self, value: Value, place: Place) -> (String, usize) {
        if self.as_nus(value).is_some() {
            return (self.short_nus(value, place), 0);
        }
        let sides =
            [self.left(value), self.right(value)].map(|side| self.in_order(side, rank_of_kind));
        let [left, right] = &sides;
        if self.negative(value) == value {
            let of_option = if left.len() == 1 { Place::AfterSign } else { Place::Apart };
            let text = |&option: &Value| self.short(option, of_option).0;
            let options: Vec<String> = left.iter().map(text).collect();
            return match options.as_slice() {
                [one] => (format!("±{one}"), 0),
                several => (format!("±{{{}}}", several.join(",")), 0),
            };
        }
        if let Some(text) = self.tiny_text(left, right) {
            return (place.parenthesized(text), 0);
        }
        let mut bars = 0;
        let [left, right] = sides.map(|side| {
            let of_option = if side.len() > 1 { Place::Apart } else { Place::Within };
            let one = |&option: &Value| {
                let (text, within) = self.short(option, of_option);
                bars = bars.max(within + 1);
                text
            };
            side.iter().map(one).collect::<Vec<String>>().join(",")
        });
        let text = format!("{left}{}{right}", "|".repeat(bars.min(MOST_BARS)));
        match place {
            Place::Within if bars < MOST_BARS => (text, bars),
            _ => (format!("{{{text}}}"), 0),
        }
    }

    fn short_nus(&self, value: Value, place: Place) -> String {
        let Some(nus) = self.as_nus(value) else { return String::new() };
        let ups = match nus.up.unsigned_abs() {
            0 => String::new(),
            count @ 1..=2 => (if nus.up > 0 { "^" } else { "v" }).repeat(count as usize),
            count => format!("{}{count}", if nus.up > 0 { '^' } else { 'v' }),
        };
        let star = match nus.star {
            0 => String::new(),
            1 => "*".to_string(),
            star => format!("*{star}"),
        };
        let bare = nus.number == Dyadic::ZERO && !nus.is_number();
        let number = if bare { String::new() } else { nus.number.to_string() };
        let parts = [&number, &ups, &star].iter().filter(|part| !part.is_empty()).count();
        let text = number + &ups + &star;
        if parts > 1 { place.parenthesized(text) } else { text }
    }

    /// `{x||x|y}` with a number x, and its negative.
    fn tiny_text(&self, left: &[Value], right: &[Value]) -> Option<String> {
        let (&[left], &[right]) = (left, right) else { return None };
        let number = |value: Value| self.as_nus(value).is_some_and(|nus| nus.is_number());
        let options = |value: Value| match (self.left(value), self.right(value)) {
            (&[left], &[right]) => Some((left, right)),
            _ => None,
        };
        let (name, at, threat) = match (options(left), options(right)) {
            (_, Some((back, threat))) if number(left) && back == left => {
                ("Tiny", left, self.difference(left, threat))
            }
            (Some((threat, back)), _) if number(right) && back == right => {
                ("Miny", right, self.difference(threat, right))
            }
            _ => return None,
        };
        // Without a threat the value is an up. What is too large to be read is written as a form.
        if self.mean(threat) <= Dyadic::ZERO || !self.is_in_range(threat) {
            return None;
        }
        let at = if at == Value::ZERO { String::new() } else { self.short_text(at) };
        Some(format!("{at}{name}({})", self.short_text(threat)))
    }
}

impl Place {
    /// A text of several parts.
    fn parenthesized(self, text: String) -> String {
        if self == Self::AfterSign { format!("({text})") } else { text }
    }
}

/// CGSuite's order of kinds: numbers, nimbers, other number-up-stars, forms.
fn rank_of_kind(values: &Values, value: Value) -> u8 {
    match values.as_nus(value) {
        Some(nus) if nus.is_number() => 0,
        Some(nus) if nus.up == 0 && nus.number == Dyadic::ZERO => 1,
        Some(_) => 2,
        None => 3,
    }
}
