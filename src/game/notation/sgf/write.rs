//! Trees as text: one node a line, variations in parentheses only where there are several.

use super::tree::{Node, NodeId, Tree};

/// The trees as one SGF file, in UTF-8.
pub fn sgf(trees: &[Tree]) -> String {
    let mut out = String::new();
    for tree in trees {
        write_tree(&mut out, tree);
    }
    out
}

/// What is left to write, the next thing last.
enum Step {
    Node(NodeId),
    Close,
}

fn write_tree(out: &mut String, tree: &Tree) {
    out.push('(');
    let mut left = vec![Step::Close, Step::Node(Tree::ROOT)];
    while let Some(step) = left.pop() {
        let Step::Node(id) = step else {
            out.push_str(")\n");
            continue;
        };
        let node = tree.node(id);
        let variation = node.parent().is_some_and(|parent| tree.node(parent).children().len() > 1);
        if variation {
            out.push('(');
            left.push(Step::Close);
        }
        write_node(out, node);
        left.extend(node.children().iter().rev().map(|&child| Step::Node(child)));
        if !node.children().is_empty() {
            out.push('\n');
        }
    }
}

fn write_node(out: &mut String, node: &Node) {
    out.push(';');
    for property in node.properties() {
        out.push_str(property.name());
        for value in property.values() {
            out.push('[');
            out.push_str(value.raw());
            out.push(']');
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::parse::{MAX_DEPTH, MAX_NODES, parse};
    use super::super::value::Value;
    use super::*;
    use proptest::prelude::*;

    /// The same but for the lines of the nodes.
    fn assert_same(tree: &Tree, other: &Tree) {
        assert_eq!(tree.len(), other.len());
        for (id, image) in tree.preorder().into_iter().zip(other.preorder()) {
            let (node, image) = (tree.node(id), other.node(image));
            assert_eq!(node.properties(), image.properties());
            assert_eq!(node.children().len(), image.children().len());
        }
    }

    #[test]
    fn a_fork_is_written_in_parentheses() {
        let text = "(;A[1]\n;B[2]\n(;C[3])\n(;D[4]\n;E[x\\]y][]))\n";
        assert_eq!(sgf(&parse(text, MAX_NODES).unwrap()), text.replace("))\n", ")\n)\n"));
        let deep = "(;".repeat(MAX_DEPTH) + &")".repeat(MAX_DEPTH);
        assert_eq!(
            parse(&sgf(&parse(&deep, MAX_NODES).unwrap()), MAX_NODES).unwrap()[0].len(),
            MAX_DEPTH
        );
    }

    proptest! {
        #[test]
        fn random_trees_round_trip(
            nodes in prop::collection::vec(
                (any::<prop::sample::Index>(), prop::collection::vec(("[A-Z][A-Z0-9]{0,2}", "\\PC*|[\\]\\[\\\\:;()\n]*"), 0..4)),
                1..40,
            ),
        ) {
            let mut tree = Tree::default();
            for (at, (parent, properties)) in nodes.iter().enumerate() {
                let id = if at == 0 { Tree::ROOT } else { tree.append(NodeId(parent.index(at))) };
                for (name, text) in properties {
                    tree.node_mut(id).add(name, vec![Value::of_text(text)]);
                }
            }
            let text = sgf(std::slice::from_ref(&tree));
            let again = parse(&text, MAX_NODES).unwrap();
            prop_assert_eq!(again.len(), 1);
            assert_same(&tree, &again[0]);
            prop_assert_eq!(sgf(&again), text);
        }
    }
}
