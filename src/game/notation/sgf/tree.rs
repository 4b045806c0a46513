//! A game tree: nodes with properties, each with any number of continuations.
//!
//! Nodes lie in one vector, a parent before its children, and know each other by number: nothing
//! recurses, however deep or bushy a tree is, not even when it is dropped.

use super::value::Value;

/// A node by its number in its tree; parents have smaller numbers than their children.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NodeId(pub(super) usize);

impl NodeId {
    /// The number: nodes count from 0, the root, without gaps.
    pub fn index(self) -> usize {
        self.0
    }
}

/// A property: a name in capitals and its values, at least one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Property {
    pub(super) name: String,
    pub(super) values: Vec<Value>,
}

impl Property {
    /// Its name, `AB` for example.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its values; `DO[]` has one, which is empty.
    pub fn values(&self) -> &[Value] {
        &self.values
    }
}

/// A node: its properties in the order of the file, known and unknown.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Node {
    pub(super) properties: Vec<Property>,
    pub(super) line: usize,
    parent: Option<NodeId>,
    children: Vec<NodeId>,
}

impl Node {
    /// Its properties.
    pub fn properties(&self) -> &[Property] {
        &self.properties
    }

    /// The line of the file it begins on, from 1; 0 if it was not read from a file.
    pub fn line(&self) -> usize {
        self.line
    }

    /// The node before it; the root has none.
    pub fn parent(&self) -> Option<NodeId> {
        self.parent
    }

    /// The nodes after it; the first one goes on with the main line.
    pub fn children(&self) -> &[NodeId] {
        &self.children
    }

    /// The values of a property, if it is there.
    pub fn values(&self, name: &str) -> Option<&[Value]> {
        self.properties.iter().find(|property| property.name == name).map(Property::values)
    }

    /// The first value of a property as `Text`.
    pub fn text(&self, name: &str) -> Option<String> {
        self.values(name)?.first().map(Value::text)
    }

    /// Gives a property these values in place of what it had; with no values it is removed.
    ///
    /// # Panics
    /// In debug builds, if the name is not made of capital letters and digits, a letter first.
    pub fn set(&mut self, name: &str, values: Vec<Value>) {
        debug_assert!(name.starts_with(|first: char| first.is_ascii_uppercase()), "{name:?}");
        debug_assert!(
            name.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit()),
            "{name:?}"
        );
        let at = self.properties.iter().position(|property| property.name == name);
        match (at, values.is_empty()) {
            (Some(at), true) => drop(self.properties.remove(at)),
            (Some(at), false) => self.properties[at].values = values,
            (None, true) => {}
            (None, false) => self.properties.push(Property { name: name.to_string(), values }),
        }
    }

    /// Gives a property one value that says `text`.
    ///
    /// # Panics
    /// As [`Node::set`].
    pub fn set_text(&mut self, name: &str, text: &str) {
        self.set(name, vec![Value::of_text(text)]);
    }

    /// Adds values to a property.
    pub(super) fn add(&mut self, name: &str, values: Vec<Value>) {
        match self.properties.iter_mut().find(|property| property.name == name) {
            Some(property) => property.values.extend(values),
            None => self.properties.push(Property { name: name.to_string(), values }),
        }
    }
}

/// A tree of nodes; never empty.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tree {
    nodes: Vec<Node>,
}

impl Default for Tree {
    fn default() -> Self {
        Self { nodes: vec![Node::default()] }
    }
}

impl Tree {
    /// The root of every tree.
    pub const ROOT: NodeId = NodeId(0);

    /// How many nodes there are, at least one.
    #[allow(clippy::len_without_is_empty)] // A tree is never empty.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// A node of this tree.
    ///
    /// # Panics
    /// If the number comes from a larger tree.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0]
    }

    /// A node of this tree, to change its properties.
    ///
    /// # Panics
    /// If the number comes from a larger tree.
    pub fn node_mut(&mut self, id: NodeId) -> &mut Node {
        &mut self.nodes[id.0]
    }

    /// Adds a last child without properties.
    ///
    /// # Panics
    /// If the number comes from a larger tree.
    pub fn append(&mut self, parent: NodeId) -> NodeId {
        let id = NodeId(self.nodes.len());
        self.nodes[parent.0].children.push(id);
        self.nodes.push(Node { parent: Some(parent), ..Node::default() });
        id
    }

    /// All nodes, a parent before its children.
    pub fn ids(&self) -> impl Iterator<Item = NodeId> + use<> {
        (0..self.nodes.len()).map(NodeId)
    }

    /// All nodes in the order of a file: a node, then its first continuation to the end, then the
    /// next.
    pub fn preorder(&self) -> Vec<NodeId> {
        let (mut order, mut open) = (Vec::with_capacity(self.nodes.len()), vec![Self::ROOT]);
        while let Some(id) = open.pop() {
            order.push(id);
            open.extend(self.node(id).children.iter().rev());
        }
        order
    }

    /// The main line: from the root along the first children.
    pub fn main_line(&self) -> Vec<NodeId> {
        std::iter::successors(Some(Self::ROOT), |&id| self.node(id).children.first().copied())
            .collect()
    }
}
