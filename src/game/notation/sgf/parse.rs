//! The syntax of FF\[4\]: trees, nodes, properties. What the properties say is not looked at here.
//!
//! ```text
//! file      text that is skipped, then one or more trees
//! tree      "(" node+ tree* ")"
//! node      ";" property*
//! property  NAME "[" value "]" ("[" value "]")*        in a value, "\" escapes the next character
//! ```
//!
//! Small letters in names are dropped, as older formats want; a name that comes twice in a node has
//! the values of both. One pass, linear in the text, with a stack of its own: depth, nodes, and the
//! properties of a node are limited, see [`MAX_DEPTH`], [`MAX_NODES`] and [`MAX_PROPERTIES`].

use super::tree::{NodeId, Tree};
use super::value::Value;
use crate::game::excerpt::excerpt;

/// The most trees inside each other.
pub const MAX_DEPTH: usize = 10_000;
/// The most nodes of a file.
pub const MAX_NODES: usize = 200_000;
/// The most properties of a node, each with another name. FF\[4\] defines some seventy.
pub const MAX_PROPERTIES: usize = 500;

/// Why some text is not SGF; `line` counts from 1.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SyntaxError {
    /// No tree at all.
    #[error("expected a game, which begins with \"(;\", found none")]
    NoTree,
    /// Something else than what must come.
    #[error("line {line}: expected {expected}, found {found}")]
    Unexpected {
        /// The line.
        line: usize,
        /// What could stand there.
        expected: &'static str,
        /// What does.
        found: String,
    },
    /// A tree without its `)`.
    #[error(
        "line {line}: the tree that begins here is not closed: expected \")\", found the end of the file"
    )]
    OpenTree {
        /// The line of the innermost open `(`.
        line: usize,
    },
    /// A value without its `]`.
    #[error(
        "line {line}: the value that begins here is not closed: expected \"]\", found the end of the file"
    )]
    OpenValue {
        /// The line of the `[`.
        line: usize,
    },
    /// Trees inside each other beyond [`MAX_DEPTH`].
    #[error("line {line}: more than {most} variations inside each other", most = MAX_DEPTH)]
    TooDeep {
        /// The line.
        line: usize,
    },
    /// More nodes than [`MAX_NODES`], or than whoever reads takes.
    #[error("line {line}: more than {most} nodes")]
    TooLong {
        /// The line.
        line: usize,
        /// The most nodes that a file may have here.
        most: usize,
    },
    /// A node with more properties than [`MAX_PROPERTIES`].
    #[error("line {line}: the node that begins here has more than {most} properties", most = MAX_PROPERTIES)]
    TooWide {
        /// The line of the node.
        line: usize,
    },
}

/// The trees of a file of at most so many nodes. No more of them are ever held.
pub(super) fn parse(text: &str, most_nodes: usize) -> Result<Vec<Tree>, SyntaxError> {
    let mut reader = Reader::new(text, most_nodes);
    let mut trees = Vec::new();
    while reader.skip_to_tree() {
        trees.push(reader.tree()?);
    }
    if trees.is_empty() { Err(SyntaxError::NoTree) } else { Ok(trees) }
}

/// Whether a tree begins anywhere in the text.
pub(in crate::game::notation) fn has_tree(text: &str) -> bool {
    Reader::new(text, MAX_NODES).skip_to_tree()
}

/// The first value of a property in the first node, as far as it can be read.
pub(in crate::game::notation) fn in_first_node(text: &str, name: &str) -> Option<String> {
    let mut reader = Reader::new(text, MAX_NODES);
    if !reader.skip_to_tree() {
        return None;
    }
    reader.at += 1;
    reader.skip_blanks();
    let mut tree = Tree::default();
    // What comes before an error counts.
    let _ = reader.node(&mut tree, Tree::ROOT);
    tree.node(Tree::ROOT).values(name)?.first().map(Value::simple_text)
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    /// The line of byte `counted`; see [`Reader::line`].
    line: usize,
    counted: usize,
    /// Nodes that were read.
    nodes: usize,
    most_nodes: usize,
}

impl<'a> Reader<'a> {
    fn new(text: &'a str, most_nodes: usize) -> Self {
        Self { text, at: 0, line: 1, counted: 0, nodes: 0, most_nodes }
    }

    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// The line of the next character. Calls move forward only, so that all of them together read
    /// the text once.
    fn line(&mut self) -> usize {
        let bytes = &self.text.as_bytes()[self.counted..self.at];
        self.line += bytes.iter().filter(|&&byte| byte == b'\n').count();
        self.counted = self.at;
        self.line
    }

    fn skip_blanks(&mut self) {
        self.at += self.rest().len() - self.rest().trim_start().len();
    }

    /// Skips to the next "(" with a ";" after it; false if there is none.
    fn skip_to_tree(&mut self) -> bool {
        while let Some(step) = self.rest().find('(') {
            self.at += step;
            if self.rest()[1..].trim_start().starts_with(';') {
                return true;
            }
            // Blanks after the "(" were looked at for nothing; they are not looked at again.
            self.at += 1;
            self.skip_blanks();
        }
        false
    }

    fn unexpected(&mut self, expected: &'static str) -> SyntaxError {
        let found = match self.rest() {
            "" => "the end of the file".to_string(),
            rest => excerpt(rest.lines().next().unwrap_or(rest)),
        };
        SyntaxError::Unexpected { line: self.line(), expected, found }
    }

    /// A tree; the next character is its "(".
    fn tree(&mut self) -> Result<Tree, SyntaxError> {
        let mut tree = Tree::default();
        // For every open "(": its line, the node before it, and the node that comes last in it.
        let mut open: Vec<(usize, Option<NodeId>)> = Vec::new();
        let mut last: Option<NodeId> = None;
        loop {
            self.skip_blanks();
            match self.peek() {
                Some('(') => {
                    open.push((self.line(), last));
                    if open.len() > MAX_DEPTH {
                        return Err(SyntaxError::TooDeep { line: self.line() });
                    }
                    self.at += 1;
                    self.skip_blanks();
                    if self.peek() != Some(';') {
                        return Err(self.unexpected("\";\" after \"(\""));
                    }
                }
                Some(';') => {
                    let id = last.map_or(Tree::ROOT, |parent| tree.append(parent));
                    self.node(&mut tree, id)?;
                    last = Some(id);
                    // After a variation only another one, or the end of the tree, may come.
                    self.skip_blanks();
                }
                Some(')') => {
                    self.at += 1;
                    match open.pop() {
                        Some((_, before)) if !open.is_empty() => last = before,
                        _ => return Ok(tree),
                    }
                    self.skip_blanks();
                    if !matches!(self.peek(), Some('(' | ')') | None) {
                        return Err(self.unexpected("\"(\" or \")\" after a variation"));
                    }
                }
                None => {
                    return Err(SyntaxError::OpenTree {
                        line: open.last().map_or(1, |&(line, _)| line),
                    });
                }
                Some(_) => return Err(self.unexpected("a property, \";\", \"(\" or \")\"")),
            }
        }
    }

    /// A node; the next character is its ";".
    fn node(&mut self, tree: &mut Tree, id: NodeId) -> Result<(), SyntaxError> {
        let line = self.line();
        self.nodes += 1;
        if self.nodes > self.most_nodes {
            return Err(SyntaxError::TooLong { line, most: self.most_nodes });
        }
        let node = tree.node_mut(id);
        node.line = line;
        self.at += 1;
        self.skip_blanks();
        while self.peek().is_some_and(|symbol| symbol.is_ascii_alphabetic()) {
            let name = self.name()?;
            let values = self.values()?;
            node.add(&name, values);
            if node.properties().len() > MAX_PROPERTIES {
                return Err(SyntaxError::TooWide { line });
            }
            self.skip_blanks();
        }
        Ok(())
    }

    fn name(&mut self) -> Result<String, SyntaxError> {
        let length = self.rest().bytes().take_while(u8::is_ascii_alphanumeric).count();
        let name: String =
            self.rest()[..length].chars().filter(|letter| !letter.is_ascii_lowercase()).collect();
        if !name.starts_with(|first: char| first.is_ascii_uppercase()) {
            return Err(self.unexpected("the name of a property in capital letters"));
        }
        self.at += length;
        Ok(name)
    }

    fn values(&mut self) -> Result<Vec<Value>, SyntaxError> {
        let mut values = Vec::new();
        loop {
            let before = self.at;
            self.skip_blanks();
            if self.peek() != Some('[') {
                if values.is_empty() {
                    return Err(self.unexpected("\"[\" after the name of a property"));
                }
                self.at = before;
                return Ok(values);
            }
            values.push(self.value()?);
        }
    }

    /// A value; the next character is its "[".
    fn value(&mut self) -> Result<Value, SyntaxError> {
        let line = self.line();
        let from = self.at + 1;
        let mut escaped = false;
        let end = self.text[from..].bytes().position(|byte| {
            let ends = byte == b']' && !escaped;
            escaped = byte == b'\\' && !escaped;
            ends
        });
        let length = end.ok_or(SyntaxError::OpenValue { line })?;
        self.at = from + length + 1;
        Ok(Value::of_raw(&self.text[from..from + length]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse_all(text: &str) -> Result<Vec<Tree>, SyntaxError> {
        parse(text, MAX_NODES)
    }

    fn error(text: &str) -> String {
        parse_all(text).unwrap_err().to_string()
    }

    #[test]
    fn trees_have_the_shape_that_was_written() {
        let text = "junk (mail) (;A[1] ;B[2](;C[3];D[4])\n( ;E[5]  [6] (;F[])(;G[])))(;H[8])rest";
        let trees = parse_all(text).unwrap();
        assert_eq!(trees.iter().map(Tree::len).collect::<Vec<_>>(), [7, 1]);
        let tree = &trees[0];
        let names = |ids: &[NodeId]| -> String {
            ids.iter().map(|&id| tree.node(id).properties()[0].name()).collect()
        };
        assert_eq!(names(&tree.preorder()), "ABCDEFG");
        assert_eq!(names(&tree.main_line()), "ABCD");
        let fork = tree.main_line()[1];
        assert_eq!(names(tree.node(fork).children()), "CE");
        let second = tree.node(tree.node(fork).children()[1]);
        assert_eq!((second.values("E").unwrap().len(), second.line()), (2, 2));
        assert_eq!(names(second.children()), "FG");
    }

    #[test]
    fn names_of_older_formats_and_repeated_names_are_read() {
        let trees = parse_all("(;AddBlack[aa]AB[bb]\n[cc] C [x\\]y])").unwrap();
        let root = trees[0].node(Tree::ROOT);
        assert_eq!(root.values("AB").unwrap().len(), 3);
        assert_eq!(root.text("C").unwrap(), "x]y");
    }

    #[test]
    fn errors_say_where_and_what() {
        let cases = [
            ("", "begins with \"(;\", found none"),
            ("(AB)", "found none"),
            ("(;A[1]", "line 1: the tree that begins here is not closed"),
            ("(;A[1]\n(;B[1])\n(;C[", "line 3: the value that begins here is not closed"),
            ("(;A[1\\]", "the value that begins here is not closed"),
            ("(;A[1](;B[2])", "line 1: the tree that begins here"),
            ("(;A[1]\n\n)x(;a[1])", "line 3: expected the name of a property in capital letters"),
            ("(;A)", "expected \"[\" after the name of a property, found \")\""),
            ("(;A[1](B[2]))", "expected \";\" after \"(\", found \"B[2]))\""),
            ("(;A[1](;B[2]);C[3])", "expected \"(\" or \")\" after a variation, found \";C[3])\""),
            ("(;A[1]é)", "expected a property, \";\", \"(\" or \")\", found \"é)\""),
            ("(;;()", "expected \";\" after \"(\""),
        ];
        for (text, expected) in cases {
            let found = error(text);
            assert!(found.contains(expected), "{text:?}: {found}");
        }
    }

    #[test]
    fn depth_and_length_are_limited_and_never_recurse() {
        let deep = |depth: usize| "(;".repeat(depth) + &")".repeat(depth);
        let trees = parse_all(&deep(MAX_DEPTH)).unwrap();
        assert_eq!(trees[0].preorder().len(), MAX_DEPTH);
        assert_eq!(parse_all(&deep(MAX_DEPTH + 1)), Err(SyntaxError::TooDeep { line: 1 }));
        let long = format!("({})", ";".repeat(MAX_NODES));
        assert_eq!(parse_all(&long).unwrap()[0].len(), MAX_NODES);
        let longer = format!("({})", ";".repeat(MAX_NODES + 1));
        assert_eq!(parse_all(&longer), Err(SyntaxError::TooLong { line: 1, most: MAX_NODES }));
        assert_eq!(parse_all(&"(".repeat(1 << 20)), Err(SyntaxError::NoTree));
    }

    #[test]
    fn the_properties_of_a_node_are_limited() {
        let wide = |names: usize| {
            let properties: String = (0..names).map(|number| format!("X{number}[]")).collect();
            format!("(;FF[4]\n;{properties})")
        };
        let trees = parse_all(&wide(MAX_PROPERTIES)).unwrap();
        assert_eq!(trees[0].node(trees[0].main_line()[1]).properties().len(), MAX_PROPERTIES);
        assert_eq!(parse_all(&wide(MAX_PROPERTIES + 1)), Err(SyntaxError::TooWide { line: 2 }));
        // One name as often as one likes.
        let often = format!("(;{})", "AW[a1]".repeat(10_000));
        assert_eq!(
            parse_all(&often).unwrap()[0].node(Tree::ROOT).values("AW").unwrap().len(),
            10_000
        );
    }
}
