//! The store of canonical forms: every value once, named by a small number.
//!
//! Two games are equal exactly when their canonical forms are, so with hash-consed forms equality
//! of values is equality of names, and sums, comparisons and values of positions can be remembered
//! by name. One store is shared by all threads: the forms lie in segments that never move and are
//! written once, the tables are [`DashMap`]s, and no lock is held while anything else is computed.

use std::hash::BuildHasherDefault;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use dashmap::DashMap;
use dashmap::mapref::entry::Entry;

use super::table_bytes::table_bytes;
use super::thermograph::Thermograph;
use super::{Dyadic, Nus};
use crate::machine::hash::Mix;

/// The name of a value in its [`Values`]; names from different stores must not be mixed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Value(pub(super) u32);

impl Value {
    /// 0, the value of a position where nobody can move; every store has it under this name.
    pub const ZERO: Self = Self(0);
}

/// Left's and Right's canonical options.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Options {
    pub(super) left: Box<[Value]>,
    pub(super) right: Box<[Value]>,
}

/// What names a value: its parts, or the sorted options of a form that is no number-up-star.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Key {
    Nus(Nus),
    Form(Options),
}

#[derive(Debug)]
pub(super) struct Node {
    pub(super) nus: Option<Nus>,
    pub(super) left_stop: Dyadic,
    pub(super) right_stop: Dyadic,
    /// Filled at once for forms, on demand for number-up-stars: an integer has as many followers as
    /// its size.
    options: OnceLock<Options>,
    pub(super) negative: OnceLock<Value>,
    /// Boxed: few values are ever drawn, and nodes that are small stay in cache.
    pub(super) thermograph: OnceLock<Box<Thermograph>>,
}

const FIRST_SEGMENT: u32 = 8;
const SEGMENTS: usize = 24;

pub(super) type Memo<K, V> = DashMap<K, V, BuildHasherDefault<Mix>>;

/// The store of canonical forms, with the memories of their comparisons and sums.
#[derive(Debug)]
pub struct Values {
    segments: [OnceLock<Box<[OnceLock<Node>]>>; SEGMENTS],
    next: AtomicU32,
    names: Memo<Key, Value>,
    /// Bytes of the options of forms, in names and in nodes.
    pub(super) option_bytes: AtomicU64,
    /// Bytes of the thermographs that were drawn.
    pub(super) thermograph_bytes: AtomicU64,
    pub(super) orders: Memo<(Value, Value), bool>,
    pub(super) sums: Memo<(Value, Value), Value>,
}

impl Default for Values {
    fn default() -> Self {
        Self::new()
    }
}

impl Values {
    /// Bytes of a node.
    pub(super) const NODE_BYTES: u64 = size_of::<OnceLock<Node>>() as u64;

    /// Bytes of the table of names.
    pub(super) fn name_bytes(&self) -> u64 {
        table_bytes(&self.names)
    }

    /// A store that knows 0 only.
    pub fn new() -> Self {
        let values = Self {
            segments: [const { OnceLock::new() }; SEGMENTS],
            next: AtomicU32::new(0),
            names: Memo::default(),
            option_bytes: AtomicU64::new(0),
            thermograph_bytes: AtomicU64::new(0),
            orders: Memo::default(),
            sums: Memo::default(),
        };
        let zero = values.nus(Nus::default());
        debug_assert_eq!(zero, Value::ZERO);
        values
    }

    /// How many values the store holds.
    pub fn len(&self) -> usize {
        self.next.load(Ordering::Relaxed) as usize
    }

    /// Never: 0 is always there.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The value of a number.
    pub fn number(&self, number: Dyadic) -> Value {
        self.nus(Nus::from_number(number))
    }

    /// The value of a whole number.
    pub fn integer(&self, number: i32) -> Value {
        self.number(Dyadic::integer(number))
    }

    /// The value of a number-up-star.
    pub fn nus(&self, nus: Nus) -> Value {
        self.intern(Key::Nus(nus))
    }

    /// The parts of a value that is a number-up-star.
    pub fn as_nus(&self, value: Value) -> Option<Nus> {
        self.node(value).nus
    }

    /// The number that a value is, if it is one.
    pub fn as_number(&self, value: Value) -> Option<Dyadic> {
        self.as_nus(value).filter(|nus| nus.is_number()).map(|nus| nus.number)
    }

    /// Left's canonical options.
    pub fn left(&self, value: Value) -> &[Value] {
        &self.options(value).left
    }

    /// Right's canonical options.
    pub fn right(&self, value: Value) -> &[Value] {
        &self.options(value).right
    }

    /// The number reached when Left begins and both play well to the first number.
    pub fn left_stop(&self, value: Value) -> Dyadic {
        self.node(value).left_stop
    }

    /// The number reached when Right begins.
    pub fn right_stop(&self, value: Value) -> Dyadic {
        self.node(value).right_stop
    }

    /// The value whose canonical options these are. Both sides without dominated or reversible
    /// options, and the value no number.
    pub(super) fn canonical(&self, mut left: Vec<Value>, mut right: Vec<Value>) -> Value {
        let parts = |side: &[Value]| {
            let mut parts: Option<Vec<Nus>> =
                side.iter().map(|&option| self.as_nus(option)).collect();
            if let Some(parts) = &mut parts {
                parts.sort_unstable();
            }
            parts
        };
        if let (Some(l), Some(r)) = (parts(&left), parts(&right))
            && let Some(nus) = Nus::recognise(&l, &r)
        {
            return self.nus(nus);
        }
        left.sort_unstable();
        right.sort_unstable();
        self.intern(Key::Form(Options { left: left.into(), right: right.into() }))
    }

    fn options(&self, value: Value) -> &Options {
        let node = self.node(value);
        node.options.get_or_init(|| {
            let (left, right) = node.nus.unwrap_or_default().options();
            let names = |side: Vec<Nus>| side.into_iter().map(|nus| self.nus(nus)).collect();
            Options { left: names(left), right: names(right) }
        })
    }

    /// The node of a name.
    ///
    /// # Panics
    /// If the name comes from another store that holds more values.
    #[inline]
    pub(super) fn node(&self, value: Value) -> &Node {
        let (segment, place) = address(value.0);
        let node = self.segments[segment].get().and_then(|nodes| nodes[place].get());
        node.expect("a value is asked of the store that named it")
    }

    fn intern(&self, key: Key) -> Value {
        if let Some(value) = self.names.get(&key) {
            return *value;
        }
        // The node is made before the entry is locked, because making it reads other entries'
        // nodes.
        let node = self.new_node(&key);
        match self.names.entry(key) {
            Entry::Occupied(entry) => *entry.get(),
            Entry::Vacant(entry) => *entry.insert(self.push(node)),
        }
    }

    fn new_node(&self, key: &Key) -> Node {
        let (nus, left_stop, right_stop, options) = match key {
            Key::Nus(nus) => (Some(*nus), nus.number, nus.number, OnceLock::new()),
            Key::Form(options) => {
                let left = options.left.iter().map(|&option| self.right_stop(option)).max();
                let right = options.right.iter().map(|&option| self.left_stop(option)).min();
                // A canonical form with an empty side is an integer, hence a number-up-star.
                (
                    None,
                    left.unwrap_or_default(),
                    right.unwrap_or_default(),
                    OnceLock::from(options.clone()),
                )
            }
        };
        let (negative, thermograph) = (OnceLock::new(), OnceLock::new());
        Node { nus, left_stop, right_stop, options, negative, thermograph }
    }

    fn push(&self, node: Node) -> Value {
        if let Some(options) = node.options.get() {
            // Two lists in the node, two in its name.
            let entries = options.left.len() + options.right.len();
            let bytes = 2 * (entries * size_of::<Value>() + 2 * LIST_BYTES);
            self.option_bytes.fetch_add(bytes as u64, Ordering::Relaxed);
        }
        let name = self.next.fetch_add(1, Ordering::Relaxed);
        let (segment, place) = address(name);
        let length = 1usize << (FIRST_SEGMENT as usize + segment);
        let nodes =
            self.segments[segment].get_or_init(|| (0..length).map(|_| OnceLock::new()).collect());
        if nodes[place].set(node).is_err() {
            unreachable!("every name is given once");
        }
        Value(name)
    }
}

/// What the allocator takes for a list, beside its entries, at most.
const LIST_BYTES: usize = 24;

/// Room for nodes when so many names are given.
pub(super) fn segments_for(names: usize) -> usize {
    let last = names.saturating_sub(1).min(u32::MAX as usize >> 1) as u32;
    let (segment, _) = address(last);
    (1 << (FIRST_SEGMENT as usize + segment + 1)) - (1 << FIRST_SEGMENT)
}

/// Segment `s` holds the `2^(8+s)` names from `2^(8+s) - 2^8` on.
#[inline]
fn address(name: u32) -> (usize, usize) {
    let shifted = name + (1 << FIRST_SEGMENT);
    let top = shifted.ilog2();
    ((top - FIRST_SEGMENT) as usize, (shifted - (1 << top)) as usize)
}
