//! Games in and out: `POST /api/v1/sgf`, which reads records in every form, `GET /api/v1/sgf` and
//! `POST /api/v1/sgf/tree`, which write SGF.
//!
//! Of a file the answer has the texts of all games, the first one as a tree of nodes, with all that
//! the file says of them, so that nothing is lost when the tree is written again; and its main
//! line, in which setup begins the game anew.

use serde::{Deserialize, Serialize};

use super::query::Step;
use super::refusal::Refusal;
use crate::game::excerpt::excerpt;
use crate::game::notation::record::{Record, read_games_at_most};
use crate::game::notation::sgf::{
    Game, MAX_PROPERTIES, Node, NodeId, SgfError, Style, Tree, Value, games_text,
};
use crate::game::notation::{fen, move_text, parse_fen};
use crate::game::rules::Position;
use crate::machine::json;

/// What `POST /api/v1/sgf` answers.
#[derive(Debug, Serialize)]
pub(crate) struct Read {
    start: String,
    moves: Vec<Step>,
    position: String,
    /// The text of each game.
    games: Vec<String>,
    /// Games after the first.
    games_left_out: usize,
    /// Moves of the first game that are not in its main line.
    moves_left_out: usize,
    /// What the record says of the first game besides moves, and what was supposed.
    remarks: Vec<String>,
    /// The first game in the order of the file: a node, then its first continuation to the end,
    /// then the next.
    nodes: Vec<ReadNode>,
}

/// A node of a game that was read.
#[derive(Debug, Serialize)]
struct ReadNode {
    /// The number of the node before it.
    parent: Option<usize>,
    #[serde(rename = "move")]
    played: Option<String>,
    /// The position after it.
    position: String,
    /// An empty comment is one too.
    #[serde(skip_serializing_if = "Option::is_none")]
    comment: Option<String>,
    /// Everything that the file says, as it stands there.
    properties: Vec<(String, Vec<String>)>,
}

/// What `POST /api/v1/sgf/tree` takes: a tree, every node after its parent.
#[derive(Debug, Deserialize)]
#[serde(expecting = "an object with nodes, and with a start if the root has no properties")]
struct Written {
    /// The position of the root, if it has no properties.
    start: Option<String>,
    nodes: Vec<WrittenNode>,
}

/// A node of it: as it was read, or a new one with a move of its own. The comment takes the place
/// of the one among the properties; without one there is none.
#[derive(Debug, Deserialize)]
#[serde(expecting = "a node: an object with a parent, a move and its side, properties")]
struct WrittenNode {
    parent: Option<usize>,
    #[serde(rename = "move")]
    played: Option<String>,
    /// Whose move it is, `w` or `b`.
    side: Option<String>,
    comment: Option<String>,
    #[serde(default)]
    properties: Vec<(String, Vec<String>)>,
}

/// The main line of the first game in some bytes.
pub(crate) fn read(bytes: &[u8]) -> Result<Read, Refusal> {
    let bad = |message: String| Refusal::bad("bad_sgf", message);
    let too_many = |message: String| Refusal::new(413, "too_many_nodes", message);
    let games =
        read_games_at_most(bytes, MOST_READ).map_err(|error| match error.is_too_long() {
            true => too_many(error.to_string()),
            false => bad(error.to_string()),
        })?;
    let game = games.first().ok_or_else(|| bad("expected a game, found none".to_string()))?;
    let found = game.tree().len();
    if found > MOST_NODES {
        return Err(too_many(format!(
            "expected a game of at most {MOST_NODES} nodes, found {found}"
        )));
    }
    let line = Record::of(game);
    let count = |nodes: &[NodeId]| nodes.iter().filter(|&&id| game.played(id).is_some()).count();
    let all = count(&game.tree().preorder());
    let moves = line
        .moves()
        .iter()
        .zip(line.positions())
        .map(|(played, after)| Step { played: played.to_string(), position: fen(after) });
    Ok(Read {
        start: fen(line.start()),
        moves: moves.collect(),
        position: fen(line.last()),
        games: games.iter().map(|game| games_text(std::slice::from_ref(game))).collect(),
        games_left_out: games.len() - 1,
        moves_left_out: all - count(&game.tree().main_line()),
        remarks: line.remarks().to_vec(),
        nodes: nodes(game),
    })
}

/// All nodes of a game in the order of the file.
fn nodes(game: &Game) -> Vec<ReadNode> {
    let order = game.tree().preorder();
    let mut number = vec![0; order.len()];
    for (at, id) in order.iter().enumerate() {
        number[id.index()] = at;
    }
    let raw = |values: &[Value]| values.iter().map(|value| value.raw().to_string()).collect();
    let node = |&id: &NodeId| {
        let (node, position) = (game.tree().node(id), game.position(id));
        ReadNode {
            parent: node.parent().map(|parent| number[parent.index()]),
            played: game.played(id).map(|played| move_text(position.board(), played)),
            position: fen(position),
            comment: node.text(COMMENT),
            properties: node
                .properties()
                .iter()
                .map(|property| (property.name().to_string(), raw(property.values())))
                .collect(),
        }
    };
    order.iter().map(node).collect()
}

/// The most nodes of a file that is read. A node takes hundreds of bytes of memory, and may have
/// one in the file; that of a move has ten, so games of moves alone are as long as a body may be.
const MOST_READ: usize = 50_000;
/// The most nodes of a game that is answered as a tree, where each has a position: a hundred bytes
/// or two.
const MOST_NODES: usize = 20_000;

/// The property of comments.
const COMMENT: &str = "C";

/// A tree as SGF, from its JSON.
pub(crate) fn write_tree(text: &[u8]) -> Result<String, Refusal> {
    let bad = |message: String| Refusal::bad("bad_tree", message);
    let written: Written = serde_json::from_slice(text)
        .map_err(|error| bad(format!("expected a tree: {}", json::fault(&error))))?;
    if written.nodes.is_empty() && written.start.is_none() {
        return Err(bad("expected a start or at least one node, found neither".to_string()));
    }
    let mut tree = Tree::default();
    if let Some(start) = &written.start {
        let start = parse_fen(start).map_err(|error| Refusal::bad("bad_fen", error.to_string()))?;
        tree = Game::new(&start, Style::Algebraic).tree().clone();
    }
    let mut ids: Vec<NodeId> = Vec::with_capacity(written.nodes.len());
    for (at, node) in written.nodes.iter().enumerate() {
        let id = match node.parent {
            None if at == 0 => Tree::ROOT,
            Some(parent) if parent < at => tree.append(ids[parent]),
            _ => return Err(bad(format!("node {at}: expected a parent before it"))),
        };
        ids.push(id);
        fill(tree.node_mut(id), node).map_err(|error| bad(format!("node {at}: {error}")))?;
    }
    // A tree has no lines.
    let game = Game::from_tree(tree).map_err(|error| match error {
        SgfError::Setup { error, .. } => bad(error.to_string()),
        SgfError::Move { number, colour, text, error, .. } => {
            bad(format!("move {number}, {colour} {text}: {error}"))
        }
        error => bad(error.to_string()),
    })?;
    Ok(games_text(&[game]))
}

/// Gives a node of a tree what is written of it.
fn fill(node: &mut Node, written: &WrittenNode) -> Result<(), String> {
    if written.properties.len() > MAX_PROPERTIES {
        return Err(format!(
            "expected at most {MAX_PROPERTIES} properties, found {}",
            written.properties.len()
        ));
    }
    for (name, values) in &written.properties {
        let letters = name.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit());
        if !letters || !name.starts_with(|first: char| first.is_ascii_uppercase()) {
            return Err(format!("a property has a name in capitals, found {}", excerpt(name)));
        }
        let read = |raw: &String| {
            Value::from_raw(raw).ok_or_else(|| format!("a value of {name} ends too early"))
        };
        node.set(name, values.iter().map(read).collect::<Result<_, _>>()?);
    }
    let has_move = ["B", "W"].iter().any(|name| node.values(name).is_some());
    if let Some(played) = written.played.as_ref().filter(|_| !has_move) {
        let name = match written.side.as_deref() {
            Some("w") => "W",
            Some("b") => "B",
            _ => return Err("a move needs a side, w or b".to_string()),
        };
        node.set_text(name, &played.replace(['-', '/'], ""));
    }
    match &written.comment {
        None => node.set(COMMENT, Vec::new()),
        // What says the same stays as it stands in the file.
        Some(_) if node.text(COMMENT) == written.comment => {}
        Some(comment) => node.set_text(COMMENT, comment),
    }
    Ok(())
}

/// A game of these moves, which are legal one after another.
pub(crate) fn write(start: &Position, moves: &[Step]) -> Result<String, Refusal> {
    let mut game = Game::new(start, Style::Algebraic);
    let mut at = Tree::ROOT;
    for step in moves {
        at = game.play(at, &step.played).map_err(|_| Refusal::internal())?;
    }
    Ok(games_text(&[game]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::notation::play_text;
    use crate::game::notation::sgf::parse_games;

    #[test]
    fn what_is_written_is_read() {
        let start = parse_fen("1q1q1/q3q/5/Q3Q/1Q1Q1 w").unwrap();
        let (mut at, mut moves) = (start, Vec::new());
        for text in ["b1-b3/d3", "b5-b4/b5", "a2-a3/a2"] {
            let (played, after) = play_text(&at, text).unwrap();
            moves.push(Step { played: move_text(after.board(), played), position: fen(&after) });
            at = after;
        }
        let text = write(&start, &moves).unwrap();
        let read = read(text.as_bytes()).unwrap();
        assert_eq!((read.start, read.position), (fen(&start), fen(&at)));
        let played: Vec<&str> = read.moves.iter().map(|step| step.played.as_str()).collect();
        assert_eq!(played, ["b1-b3/d3", "b5-b4/b5", "a2-a3/a2"]);
        assert_eq!((read.games_left_out, read.moves_left_out), (0, 0));
    }

    #[test]
    fn records_in_other_forms_are_answered_as_sgf() {
        let read = read(b"1. d1-d6(g9) 2. D10-F10xE10 resign").unwrap();
        assert_eq!(read.moves.len(), 2);
        assert_eq!(read.remarks, ["white resigned"]);
        assert!(read.games[0].contains(";W[d1d6g9]\n;B[d10f10e10]"), "{}", read.games[0]);
        assert_eq!(read.nodes[2].played.as_deref(), Some("d10-f10/e10"));
    }

    #[test]
    fn what_is_left_out_is_counted_and_setup_begins_anew() {
        let text = "(;FF[4]GM[18]SZ[4]AW[b1]AB[c4]PL[W](;W[b1b2b1];B[c4c3c4];AE[b1]PL[W];W[b2b1b2])(;W[b1a1b1]))(;GM[18]SZ[4])";
        let read = read(text.as_bytes()).unwrap();
        assert_eq!((read.games_left_out, read.moves_left_out), (1, 1));
        assert_eq!(read.games.concat(), games_text(&parse_games(text.as_bytes()).unwrap()));
        assert_eq!(parse_games(read.games[1].as_bytes()).unwrap().len(), 1);
        assert_eq!(read.start, "2*1/2q1/1Q2/4 w");
        assert_eq!(read.moves.len(), 1);
        assert_eq!(read.position, "2*1/2q1/1*2/1Q2 b");
    }

    #[test]
    fn a_tree_is_written_as_it_was_read() {
        for text in [
            "(;FF[4]GM[18]SZ[4]AW[b1]AB[c4]PL[W]GN[a \\] b]C[root];W[b1b2b1]C[one\\]\ntwo](;B[c4c3c4];AE[b1]PL[W];W[b2b1b2])(;B[c4d3c4]XX[1][2]))",
            "(;GM[18]FF[4];B[djddgd](;W[addgad])(;W[addgcg]LB[aa:1]))",
            "(;C[before]GM[18]SZ[4]W[b1b3b1];C[no move];N[a]C[ b \\\\]B[c4c3c4])",
            "(;C[]GM[18]SZ[4]W[b1b3b1];C[\\\n][second];C[ ]B[c4c3c4]N[])",
        ] {
            let read = read(text.as_bytes()).unwrap();
            let json = serde_json::json!({ "nodes": read.nodes });
            let written = write_tree(json.to_string().as_bytes()).unwrap();
            assert_eq!(written, games_text(&parse_games(text.as_bytes()).unwrap()));
        }
    }

    #[test]
    fn new_moves_and_comments_are_written() {
        let json = r#"{"start": "2q1/4/4/1Q2 w", "nodes": [{"parent": null, "comment": "a]b"},
            {"parent": 0, "move": "b1-b3/b1", "side": "w", "comment": null},
            {"parent": 1, "move": "c4-c3/c4", "side": "b", "comment": ""},
            {"parent": 0, "move": "b1-b2/b1", "side": "w", "comment": "other"}]}"#;
        let read = read(write_tree(json.as_bytes()).unwrap().as_bytes()).unwrap();
        let found: Vec<_> = read
            .nodes
            .iter()
            .map(|node| {
                (node.parent, node.played.as_deref().unwrap_or(""), node.comment.as_deref())
            })
            .collect();
        assert_eq!(
            found,
            [
                (None, "", Some("a]b")),
                (Some(0), "b1-b3/b1", None),
                (Some(1), "c4-c3/c4", Some("")),
                (Some(0), "b1-b2/b1", Some("other"))
            ]
        );
    }

    #[test]
    fn a_comment_that_is_taken_away_is_gone() {
        let with = "(;C[root]GM[18]SZ[4]C[more];W[b1b3b1]C[])";
        let written = |comment: Option<&str>| {
            let mut read = read(with.as_bytes()).unwrap();
            read.nodes.iter_mut().for_each(|node| node.comment = comment.map(str::to_string));
            let json = serde_json::json!({ "nodes": read.nodes });
            write_tree(json.to_string().as_bytes()).unwrap()
        };
        let text = |text: &str| games_text(&parse_games(text.as_bytes()).unwrap());
        assert_eq!(written(None), text("(;GM[18]SZ[4];W[b1b3b1])"));
        assert_eq!(written(Some("")), text("(;C[]GM[18]SZ[4];W[b1b3b1]C[])"));
        assert_eq!(written(Some("x")), text("(;C[x]GM[18]SZ[4];W[b1b3b1]C[x])"));
    }

    #[test]
    fn other_trees_are_refused() {
        let cases = [
            ("", "expected a tree"),
            ("3", "expected a tree: expected an object with nodes, and with a start"),
            (r#"{"nodes": [3]}"#, "expected a node: an object with a parent"),
            (
                r#"{"nodes": [{"parent": -1}]}"#,
                "expected a whole number, and none below 0, found -1, at line 1",
            ),
            (r#"{"nodes": [{"parent": 0}]}"#, "node 0: expected a parent before it"),
            (r#"{"nodes": [{"parent": null}, {"parent": 1}]}"#, "node 1: expected a parent"),
            (r#"{"nodes": [{"parent": null, "properties": [["c", []]]}]}"#, "in capitals"),
            (r#"{"nodes": [{"parent": null, "properties": [["N", ["]"]]]}]}"#, "ends too early"),
            (r#"{"nodes": [{"parent": null}, {"parent": 0, "move": "a1-a2/a3"}]}"#, "needs a side"),
            (
                r#"{"start": "2q1/4/4/1Q2 w", "nodes": [{"parent": null}, {"parent": 0, "move": "a1-a2/a3", "side": "w"}]}"#,
                "a1",
            ),
        ];
        for (json, expected) in cases {
            let error = write_tree(json.as_bytes()).unwrap_err();
            assert!(error.message().contains(expected), "{json}: {}", error.message());
        }
    }

    #[test]
    fn a_tree_of_too_many_nodes_is_refused() {
        let text = |nodes: usize| format!("(;GM[18]SZ[4]AW[b1]AB[c4]{})", ";".repeat(nodes - 1));
        assert_eq!(read(text(MOST_NODES).as_bytes()).unwrap().nodes.len(), MOST_NODES);
        let error = read(text(MOST_NODES + 1).as_bytes()).unwrap_err();
        assert_eq!((error.status(), error.code()), (413, "too_many_nodes"));
        assert!(error.message().contains("found 20001"), "{}", error.message());
        // Further games may have as many, up to what is read.
        let games = |nodes: usize| text(2) + &text(nodes);
        assert_eq!(read(games(MOST_READ - 2).as_bytes()).unwrap().games_left_out, 1);
        let error = read(games(MOST_READ - 1).as_bytes()).unwrap_err();
        assert_eq!(error.code(), "too_many_nodes");
        assert!(error.message().contains("more than 50000 nodes"), "{}", error.message());
    }

    #[test]
    fn other_files_are_refused() {
        for (text, expected) in
            [("", ""), ("(;GM[1])", ""), ("(;GM[18]SZ[10];W[d1d5d9];W[a4a5a6])", "turn"), ("x", "")]
        {
            let error = read(text.as_bytes()).unwrap_err();
            assert_eq!(error.code(), "bad_sgf");
            assert!(error.message().contains(expected), "{text}: {}", error.message());
        }
    }
}
