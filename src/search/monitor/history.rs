//! How far a search was at moments of its time: what its checkpoint tells of it beside the table.

use std::fmt;
use std::time::Duration;

use crate::machine::fields::field;

/// Two moments that follow each other are so much of the time until then apart, or the later one
/// gives way to the next. So their number grows with the logarithm of the time.
const APART: u32 = 256;
/// Moments of a history at most: so many fill ten years, begun with a millisecond.
const MOST: usize = 8192;

/// How many moves of the searched position win, lose, and are not known to do either.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MoveCounts {
    /// Moves that win.
    pub win: u32,
    /// Moves that lose.
    pub lose: u32,
    /// Moves whose value is not known.
    pub open: u32,
}

/// As `3 moves win, 200 lose, 147 open`.
impl fmt::Display for MoveCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} moves win, {} lose, {} open", self.win, self.lose, self.open)
    }
}

/// A moment of a search at which it was saved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moment {
    /// The time that was searched until then, in all runs that went on from one another, to the
    /// millisecond.
    pub searched: Duration,
    /// Positions evaluated until then.
    pub nodes: u64,
    /// What was known of the moves. All are 0 if not all moves were asked for.
    pub moves: MoveCounts,
}

/// The moments of a search, the oldest first. Neither time nor nodes go back.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct History(Vec<Moment>);

impl History {
    /// Bytes of the number of moments.
    pub(in crate::search) const COUNT: usize = 4;
    /// Bytes of a moment.
    pub(in crate::search) const MOMENT: usize = 8 + 8 + 3 * 4;

    /// The moments, the oldest first.
    pub fn moments(&self) -> &[Moment] {
        &self.0
    }

    /// The time of the last moment.
    pub(in crate::search) fn searched(&self) -> Duration {
        self.0.last().map_or(Duration::ZERO, |last| last.searched)
    }

    /// Adds the present. It is no earlier than the last moment, and has no fewer nodes, whatever a
    /// checkpoint has said of that.
    pub(in crate::search) fn push(&mut self, mut moment: Moment) {
        let milliseconds = u64::try_from(moment.searched.as_millis()).unwrap_or(u64::MAX);
        moment.searched = Duration::from_millis(milliseconds).max(self.searched());
        moment.nodes = self.0.last().map_or(0, |last| last.nodes).max(moment.nodes);
        if let [.., before, last] = self.0[..]
            && (last.searched - before.searched <= moment.searched / APART || self.0.len() == MOST)
        {
            self.0.pop();
        }
        self.0.push(moment);
    }

    /// As it stands in a checkpoint.
    pub(in crate::search) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = (self.0.len() as u32).to_le_bytes().to_vec();
        for &Moment { searched, nodes, moves } in &self.0 {
            bytes.extend((searched.as_millis() as u64).to_le_bytes());
            bytes.extend(nodes.to_le_bytes());
            for count in [moves.win, moves.lose, moves.open] {
                bytes.extend(count.to_le_bytes());
            }
        }
        bytes
    }

    /// How many bytes follow those of the count; `None` if there are more moments than a history
    /// has.
    pub(in crate::search) fn bytes_after(count: [u8; Self::COUNT]) -> Option<usize> {
        let count = u32::from_le_bytes(count) as usize;
        (count <= MOST).then_some(count * Self::MOMENT)
    }

    /// The history in the bytes behind those of the count; `None` if time or nodes go back.
    pub(in crate::search) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let moment = |bytes: &[u8; Self::MOMENT]| {
            let number = |at: usize| u64::from_le_bytes(field(bytes, at));
            let count = |at: usize| u32::from_le_bytes(field(bytes, at));
            Moment {
                searched: Duration::from_millis(number(0)),
                nodes: number(8),
                moves: MoveCounts { win: count(16), lose: count(20), open: count(24) },
            }
        };
        let moments: Vec<Moment> = bytes.as_chunks().0.iter().map(moment).collect();
        let forward = |before: &Moment, after: &Moment| {
            before.searched <= after.searched && before.nodes <= after.nodes
        };
        moments.is_sorted_by(forward).then_some(Self(moments))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moment(at: u64) -> Moment {
        let moves = MoveCounts { win: 0, lose: at as u32 / 3, open: 9000 - at as u32 / 3 };
        Moment { searched: Duration::from_millis(10 * at), nodes: 7 * at, moves }
    }

    fn read(bytes: &[u8]) -> Option<History> {
        let (count, rest) = bytes.split_first_chunk().unwrap();
        assert_eq!(History::bytes_after(*count)?, rest.len());
        History::from_bytes(rest)
    }

    #[test]
    fn a_long_history_keeps_its_beginning_and_its_last_moment() {
        let mut history = History::default();
        for at in 1..=20_000 {
            history.push(moment(at));
            assert_eq!(history.moments().last(), Some(&moment(at)));
            assert_eq!(history.searched(), moment(at).searched);
            assert!(history.moments().len() <= MOST);
            // Not each time: that is what takes long here.
            if at % 64 < 2 {
                assert_eq!(read(&history.to_bytes()).unwrap(), history);
            }
        }
        let moments = history.moments();
        assert!((1000..2000).contains(&moments.len()), "{}", moments.len());
        assert!((1..200).all(|at| moments[at as usize - 1] == moment(at)));
        for pair in moments.windows(2) {
            let most = pair[1].searched * 2 / APART + Duration::from_millis(20);
            assert!(pair[1].searched - pair[0].searched <= most, "{pair:?}");
        }
        // A year, saved every minute.
        let mut year = History::default();
        for minute in 1..365 * 24 * 60 {
            let searched = Duration::from_secs(60 * minute);
            year.push(Moment { searched, nodes: minute, moves: MoveCounts::default() });
        }
        assert!(year.moments().len() < MOST / 2, "{}", year.moments().len());
    }

    #[test]
    fn what_goes_on_from_the_oddest_history_can_be_read_again() {
        let most = Moment {
            searched: Duration::from_millis(u64::MAX),
            nodes: u64::MAX,
            moves: MoveCounts::default(),
        };
        let mut history = History::default();
        history.push(most);
        history.push(moment(7));
        history.push(Moment { searched: Duration::MAX, ..moment(8) });
        assert_eq!(history.searched(), most.searched);
        assert_eq!(history.moments().last().unwrap().nodes, u64::MAX);
        assert_eq!(history.moments().last().unwrap().moves, moment(8).moves);
        assert_eq!(read(&history.to_bytes()).unwrap(), history);
    }

    #[test]
    fn what_is_no_history_is_refused() {
        let mut history = History::default();
        assert_eq!(read(&history.to_bytes()).unwrap(), history);
        (1..5).for_each(|at| history.push(moment(at)));
        let bytes = history.to_bytes();
        let at = |moment: usize| History::COUNT + moment * History::MOMENT;
        // The third moment before the second, in time and in nodes; then too many.
        for (from, byte) in [(at(2), 0), (at(2) + 8, 0), (2, 1)] {
            let mut changed = bytes.clone();
            changed[from] = byte;
            let (count, rest) = changed.split_first_chunk().unwrap();
            let found = History::bytes_after(*count).and_then(|_| History::from_bytes(rest));
            assert_eq!(found, None, "byte {from}");
        }
    }
}
