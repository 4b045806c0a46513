//! Values as text, in a form that CGSuite reads.
//!
//! ```text
//! number-up-star   number, ups, nimber, each left out if it is nothing:
//!                  -3/4   2*   ^   1v2*3   *   0
//! form             {LEFT, LEFT|RIGHT, RIGHT}                              {1, {2|0}|-1}
//! ```
//!
//! Options are printed number-up-stars first, by size, then forms, by their options. CGSuite itself
//! writes less: [`Values::short_text`].
//!
//! On the way in, `a||b|c` and so on separate by the longest run of bars first, `+-x` and `±x` are
//! `{x|-x}`, `^^` is `^2`, `Tiny(x)` is `{0||0|-x}` and `Miny(x)` its negative; values may be added
//! and subtracted and stand in parentheses. The braces around the whole may be left out: `3|6`. A
//! form need not be canonical and is made so.

use std::collections::HashMap;

use super::range::MAX_SMALL;
use super::{Dyadic, Nus, Overwork, Value, Values, Work};

/// Text that is no value.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ValueTextError {
    /// Something else stood where this was expected.
    #[error("expected {expected} at character {at} of the value {text:?}")]
    Expected {
        /// What was expected.
        expected: &'static str,
        /// Where, counted in characters from 1.
        at: usize,
        /// The whole text.
        text: String,
    },
    /// A number is too large.
    #[error(
        "the number at character {at} of the value {text:?} is too large or no fraction of a power \
         of two"
    )]
    Number {
        /// Where, counted in characters from 1.
        at: usize,
        /// The whole text.
        text: String,
    },
    /// A game or a sum is too large.
    #[error(
        "what ends before character {at} of the value {text:?} is too large: \
         at most 24 bits stand before the point and 24 behind, ups go to {MAX_SMALL}, \
         and bits and forms within each other are 56 together"
    )]
    Range {
        /// Where it ends, counted in characters from 1.
        at: usize,
        /// The whole text.
        text: String,
    },
    /// A game or a sum takes more arithmetic than is allowed.
    #[error("what ends before character {at} of the value {text:?} is too much: {why}")]
    Overwork {
        /// Where it ends, counted in characters from 1.
        at: usize,
        /// The whole text.
        text: String,
        /// What was spent.
        why: Overwork,
    },
    /// Braces within braces without end.
    #[error("a value may have {most} braces, parentheses and signs within each other at most")]
    Depth {
        /// The most that are allowed.
        most: usize,
    },
}

/// The most numbers and forms of a value that is written.
const MOST_WRITTEN: u32 = 1 << 20;
/// Bytes of memory for each of them: it is written in both ways, put together of its parts, and
/// once more as JSON.
const WRITTEN_BYTES: u64 = 128;

impl Values {
    /// Whether the text of a value has at most 2^20 numbers and forms. A value whose options share
    /// theirs is written with all of them each time: its text may be longer than any memory.
    pub fn is_writable(&self, value: Value) -> bool {
        self.is_writable_within(u64::MAX, value)
    }

    /// As [`Self::is_writable`], and whether it can be written within `memory` bytes.
    pub fn is_writable_within(&self, memory: u64, value: Value) -> bool {
        let most = (memory / WRITTEN_BYTES).min(MOST_WRITTEN.into()) as u32;
        self.count_written(value, most, &mut HashMap::new()).is_some()
    }

    /// How many numbers and forms the text of a value has, `None` if more than `most`.
    fn count_written(
        &self,
        value: Value,
        most: u32,
        known: &mut HashMap<Value, u32>,
    ) -> Option<u32> {
        if self.as_nus(value).is_some() {
            return Some(1).filter(|&one| one <= most);
        }
        if let Some(written) = known.get(&value) {
            return Some(*written);
        }
        let mut options = self.left(value).iter().chain(self.right(value));
        let written = options.try_fold(1, |sum: u32, &option| {
            Some(sum + self.count_written(option, most, known)?).filter(|&sum| sum <= most)
        })?;
        known.insert(value, written);
        Some(written)
    }

    /// The text of a value, however long: [`Self::is_writable`] says whether it is short.
    ///
    /// # Panics
    /// If the value is of another store: then it may panic, or write another value.
    pub fn text(&self, value: Value) -> String {
        let mut text = String::new();
        self.write(value, &mut text);
        text
    }

    fn write(&self, value: Value, text: &mut String) {
        if let Some(nus) = self.as_nus(value) {
            write_nus(nus, text);
            return;
        }
        text.push('{');
        self.write_side(self.left(value), text);
        text.push('|');
        self.write_side(self.right(value), text);
        text.push('}');
    }

    fn write_side(&self, options: &[Value], text: &mut String) {
        for (i, option) in self.in_order(options, rank_of_kind).into_iter().enumerate() {
            text.push_str(if i > 0 { ", " } else { "" });
            self.write(option, text);
        }
    }

    /// The value that a text says; it is [in range](Self::is_in_range), and what was added is
    /// within what [`Work`] allows.
    ///
    /// # Errors
    /// Where the text stops being one, or what is too large.
    pub fn parse(&self, text: &str) -> Result<Value, ValueTextError> {
        Work::new(self).parse(text)
    }
}

impl Work<'_> {
    /// The value that a text says, with what is left of steps and memory.
    ///
    /// # Errors
    /// As those of [`Values::parse`].
    pub fn parse(&self, text: &str) -> Result<Value, ValueTextError> {
        let characters: Vec<char> = text.chars().collect();
        let mut parser = Parser { work: self, text, characters: &characters, at: 0, depth: 0 };
        let value = parser.whole()?;
        parser.space();
        if parser.at < characters.len() { Err(parser.expected("the end")) } else { Ok(value) }
    }
}

/// Number-up-stars before forms.
fn rank_of_kind(values: &Values, value: Value) -> u8 {
    u8::from(values.as_nus(value).is_none())
}

fn write_nus(nus: Nus, text: &mut String) {
    if nus.number != Dyadic::ZERO || nus.is_number() {
        text.push_str(&nus.number.to_string());
    }
    if nus.up != 0 {
        text.push(if nus.up > 0 { '^' } else { 'v' });
        if nus.up.abs() > 1 {
            text.push_str(&nus.up.abs().to_string());
        }
    }
    if nus.star != 0 {
        text.push('*');
        if nus.star > 1 {
            text.push_str(&nus.star.to_string());
        }
    }
}

/// Braces, parentheses and signs within each other.
const MAX_DEPTH: usize = 96;

struct Parser<'a> {
    work: &'a Work<'a>,
    text: &'a str,
    characters: &'a [char],
    at: usize,
    depth: usize,
}

impl Parser<'_> {
    fn expected(&self, expected: &'static str) -> ValueTextError {
        ValueTextError::Expected { expected, at: self.at + 1, text: self.text.to_string() }
    }

    fn space(&mut self) {
        while self.characters.get(self.at).is_some_and(|c| c.is_whitespace()) {
            self.at += 1;
        }
    }

    fn peek(&mut self) -> Option<char> {
        self.space();
        self.characters.get(self.at).copied()
    }

    fn eat(&mut self, wanted: char) -> bool {
        let found = self.peek() == Some(wanted);
        self.at += usize::from(found);
        found
    }

    /// What the whole text says: a sum, or a form without its braces.
    fn whole(&mut self) -> Result<Value, ValueTextError> {
        let mut inside = 0i32;
        let is_form = self.characters.iter().any(|character| {
            inside += match character {
                '{' | '(' => 1,
                '}' | ')' => -1,
                _ => 0,
            };
            *character == '|' && inside == 0
        });
        if !is_form {
            return self.sum();
        }
        let (lists, bars) = self.options()?;
        self.split(lists, &bars)
    }

    /// The game with these options, all in range.
    fn game(&self, left: Vec<Value>, right: Vec<Value>) -> Result<Value, ValueTextError> {
        self.in_range(self.done(self.work.values().game_within(self.work, left, right))?)
    }

    fn negative(&self, value: Value) -> Result<Value, ValueTextError> {
        self.done(self.work.values().negative_within(self.work, value))
    }

    /// What has been read up to here, if it did not take too much.
    fn done<T>(&self, result: Result<T, Overwork>) -> Result<T, ValueTextError> {
        let too_much = |why| {
            let (at, text) = (self.at + 1, self.text.to_string());
            ValueTextError::Overwork { at, text, why }
        };
        result.map_err(too_much)
    }

    /// What has been read up to here, if it is in range.
    fn in_range(&self, value: Value) -> Result<Value, ValueTextError> {
        let too_large = || ValueTextError::Range { at: self.at + 1, text: self.text.to_string() };
        let is_in_range = self.done(self.work.is_in_range(value))?;
        is_in_range.then_some(value).ok_or_else(too_large)
    }

    /// Values with signs between them.
    fn sum(&mut self) -> Result<Value, ValueTextError> {
        let mut sum = self.value()?;
        loop {
            if matches!(self.peek(), Some('+')) && self.characters.get(self.at + 1) == Some(&'-') {
                self.at += 1;
                return Err(self.expected("parentheses, +±x or +(-x), instead of +-"));
            }
            let value = if self.eat('+') {
                self.value()?
            } else if self.eat('-') {
                let value = self.value()?;
                self.negative(value)?
            } else {
                return Ok(sum);
            };
            sum = self.plus(sum, value)?;
        }
    }

    fn plus(&self, a: Value, b: Value) -> Result<Value, ValueTextError> {
        self.in_range(self.done(self.work.sum(a, b))?)
    }

    fn value(&mut self) -> Result<Value, ValueTextError> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(ValueTextError::Depth { most: MAX_DEPTH });
        }
        let value = self.value_here()?;
        self.depth -= 1;
        Ok(value)
    }

    fn value_here(&mut self) -> Result<Value, ValueTextError> {
        self.space();
        if self.eat('±') || self.eat_word("+-") {
            return self.switch();
        }
        if self.eat('(') {
            let value = self.sum()?;
            return if self.eat(')') { Ok(value) } else { Err(self.expected("a parenthesis")) };
        }
        if let Some(tiny) = self.tiny_here()? {
            return Ok(tiny);
        }
        // A minus before a digit belongs to the number.
        let digit = self.characters.get(self.at + 1).is_some_and(char::is_ascii_digit);
        if self.peek() == Some('-') && !digit {
            self.at += 1;
            let value = self.value()?;
            return self.negative(value);
        }
        if self.eat('{') {
            let (lists, bars) = self.lists()?;
            return self.split(lists, &bars);
        }
        self.nus()
    }

    /// What follows the sign of a switch: a value, or the left options in braces.
    fn switch(&mut self) -> Result<Value, ValueTextError> {
        let left = if self.eat('{') {
            let (mut lists, bars) = self.lists_or_one()?;
            if bars.is_empty() { lists.remove(0) } else { vec![self.split(lists, &bars)?] }
        } else {
            vec![self.value()?]
        };
        let right = left.iter().map(|&option| self.negative(option)).collect::<Result<_, _>>()?;
        self.game(left, right)
    }

    /// `Tiny(x)` or its negative `Miny(x)`, if it stands here.
    fn tiny_here(&mut self) -> Result<Option<Value>, ValueTextError> {
        for (word, sign) in [("Tiny(", true), ("tiny(", true), ("Miny(", false), ("miny(", false)] {
            if self.eat_word(word) {
                let value = self.sum()?;
                if !self.eat(')') {
                    return Err(self.expected("a parenthesis"));
                }
                let tiny = self.tiny(value)?;
                return if sign { Ok(Some(tiny)) } else { self.negative(tiny).map(Some) };
            }
        }
        Ok(None)
    }

    /// `{0||0|-x}`.
    fn tiny(&mut self, value: Value) -> Result<Value, ValueTextError> {
        let zero = self.work.values().integer(0);
        let negative = self.negative(value)?;
        let threat = self.game(vec![zero], vec![negative])?;
        self.game(vec![zero], vec![threat])
    }

    fn eat_word(&mut self, word: &str) -> bool {
        self.space();
        let found = word.chars().zip(self.at..).all(|(c, at)| self.characters.get(at) == Some(&c));
        self.at += if found { word.chars().count() } else { 0 };
        found
    }

    /// The rest of a form after its opening brace: lists of options, and the bars between them.
    fn lists(&mut self) -> Result<(Vec<Vec<Value>>, Vec<usize>), ValueTextError> {
        let read = self.lists_or_one()?;
        if read.1.is_empty() { Err(self.expected("a bar before the brace")) } else { Ok(read) }
    }

    /// As [`Self::lists`], perhaps without a bar.
    fn lists_or_one(&mut self) -> Result<(Vec<Vec<Value>>, Vec<usize>), ValueTextError> {
        let read = self.options()?;
        if self.eat('}') {
            Ok(read)
        } else {
            Err(self.expected("a comma, a bar or a closing brace"))
        }
    }

    /// Lists of options, and the bars between them.
    fn options(&mut self) -> Result<(Vec<Vec<Value>>, Vec<usize>), ValueTextError> {
        let mut lists = vec![self.list()?];
        let mut bars = Vec::new();
        while self.peek() == Some('|') {
            let mut run = 0;
            while self.characters.get(self.at) == Some(&'|') {
                (self.at, run) = (self.at + 1, run + 1);
            }
            bars.push(run);
            lists.push(self.list()?);
        }
        Ok((lists, bars))
    }

    /// The game of option lists with runs of bars between them: the longest run separates last.
    fn split(&self, lists: Vec<Vec<Value>>, bars: &[usize]) -> Result<Value, ValueTextError> {
        let longest = bars.iter().copied().max().unwrap_or(0);
        let middle = bars.iter().position(|&run| run == longest).unwrap_or(0);
        if bars.iter().filter(|&&run| run == longest).count() != 1 {
            return Err(self.expected("one longest run of bars before here"));
        }
        let side = |lists: &[Vec<Value>], bars: &[usize]| match lists {
            [list] => Ok(list.clone()),
            _ => self.split(lists.to_vec(), bars).map(|value| vec![value]),
        };
        let left = side(&lists[..=middle], &bars[..middle])?;
        let right = side(&lists[middle + 1..], &bars[middle + 1..])?;
        self.game(left, right)
    }

    /// Values with commas between, possibly none.
    fn list(&mut self) -> Result<Vec<Value>, ValueTextError> {
        if matches!(self.peek(), Some('|' | '}') | None) {
            return Ok(Vec::new());
        }
        let mut list = vec![self.sum()?];
        while self.eat(',') {
            list.push(self.sum()?);
        }
        Ok(list)
    }

    fn nus(&mut self) -> Result<Value, ValueTextError> {
        let start = self.at;
        let number = self.number()?;
        // 1Tiny(2) is 1 + Tiny(2), and -1Tiny(2) is -1 + Tiny(2).
        let word = matches!(self.characters.get(self.at), Some('T' | 't' | 'M' | 'm'));
        if let Some(number) = number.filter(|_| word) {
            let number = self.in_range(self.work.values().nus(Nus { number, up: 0, star: 0 }))?;
            let Some(tiny) = self.tiny_here()? else { return Ok(number) };
            return self.plus(number, tiny);
        }
        let up = self.ups()?;
        let star =
            if self.eat_here('*') { self.digits(MAX_SMALL.into())?.unwrap_or(1) as u32 } else { 0 };
        if number.is_none() && up.is_none() && star == 0 && self.at == start {
            return Err(self.expected("a number, an up, a star or a brace"));
        }
        let (number, up) = (number.unwrap_or_default(), up.unwrap_or(0));
        self.in_range(self.work.values().nus(Nus { number, up, star }))
    }

    fn eat_here(&mut self, wanted: char) -> bool {
        let found = self.characters.get(self.at) == Some(&wanted);
        self.at += usize::from(found);
        found
    }

    fn number(&mut self) -> Result<Option<Dyadic>, ValueTextError> {
        let negative = self.eat('-');
        self.space();
        let at = self.at + 1;
        let out_of_range =
            |parser: &Self| ValueTextError::Number { at, text: parser.text.to_string() };
        let Some(numerator) = self.digits(i64::MAX as u64)? else {
            return if negative { Err(self.expected("a digit")) } else { Ok(None) };
        };
        let mut exponent = 0;
        if self.eat_here('/') {
            let denominator =
                self.digits(i64::MAX as u64)?.ok_or_else(|| self.expected("a denominator"))?;
            if !denominator.is_power_of_two() {
                return Err(out_of_range(self));
            }
            exponent = denominator.ilog2() as u8;
        }
        let numerator = if negative { -(numerator as i64) } else { numerator as i64 };
        Dyadic::new(numerator, exponent).map(Some).ok_or_else(|| out_of_range(self))
    }

    fn ups(&mut self) -> Result<Option<i32>, ValueTextError> {
        let Some(&arrow @ ('^' | 'v')) = self.characters.get(self.at) else { return Ok(None) };
        let mut ups = 0;
        while self.eat_here(arrow) {
            ups += 1;
        }
        if ups == 1 {
            ups = self.digits(MAX_SMALL.into())?.unwrap_or(1) as i32;
        }
        Ok(Some(if arrow == '^' { ups } else { -ups }))
    }

    /// A run of digits, `None` if there is none.
    fn digits(&mut self, most: u64) -> Result<Option<u64>, ValueTextError> {
        let start = self.at;
        while self.characters.get(self.at).is_some_and(char::is_ascii_digit) {
            self.at += 1;
        }
        let digits: String = self.characters[start..self.at].iter().collect();
        match digits.parse::<u64>() {
            _ if digits.is_empty() => Ok(None),
            Ok(number) if number <= most => Ok(Some(number)),
            _ => Err(ValueTextError::Number { at: start + 1, text: self.text.to_string() }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_braces_around_the_whole_may_be_left_out() {
        let values = Values::new();
        for (text, expected) in [
            ("3|6", "4"),
            ("8|7", "{8|7}"),
            ("-2|1", "0"),
            ("-10|-2", "-3"),
            ("0|-2||2|0", "0"),
            ("|", "0"),
            ("1|", "2"),
            (" 1, 2 | {3|4} - 1 ", "{1, 2|{3|4}-1}"),
            ("{1|0}|{2|1}", "{{1|0}|{2|1}}"),
        ] {
            assert_eq!(values.parse(text), values.parse(expected), "{text}");
        }
        for (text, expected) in [
            ("1, 2", "expected the end at character 2"),
            ("3|6}", "expected the end at character 4"),
            ("1|2|3", "expected one longest run of bars"),
        ] {
            let error = values.parse(text).unwrap_err().to_string();
            assert!(error.starts_with(expected), "{text}: {error}");
        }
    }

    #[test]
    fn what_is_written_is_counted_before_it_is_written() {
        let values = Values::new();
        for text in ["0", "1^2*3", "{1|-1}", "{5*|{1*|-1*}}", "{1, {2|0}|{0|-3}, -1}+{7|*}"] {
            let value = values.parse(text).unwrap();
            let text = values.text(value);
            // A form has a bar, and commas between the options of a side.
            let written = 1 + 2 * text.matches('|').count() + text.matches(',').count();
            let written = written as u32;
            let within = |most| values.count_written(value, most, &mut HashMap::new());
            assert_eq!(within(written), Some(written), "{text}");
            assert!(written == 1 || within(written - 1).is_none(), "{text}");
        }
    }
}
