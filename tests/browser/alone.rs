//! The page without a server: its folder, written by `page/build` and shown by a plain static
//! server.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::driver::{Page, in_browser, in_browser_at};
use crate::static_server::{Ranges, StaticServer};
use crate::{START, win_to_the_end};

/// The folder; `None` where it cannot be compiled for lack of the target.
pub(crate) fn folder() -> Option<&'static Path> {
    static FOLDER: OnceLock<Option<PathBuf>> = OnceLock::new();
    let written = FOLDER.get_or_init(|| {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("page");
        let mut script = Command::new(concat!(env!("CARGO_MANIFEST_DIR"), "/page/build"));
        let done = script
            .arg("--dev")
            .arg(&folder)
            .env("AMAZONS", env!("CARGO_BIN_EXE_amazons"))
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&done.stderr);
        if done.status.code() == Some(3) {
            eprintln!("left out, for the page cannot be compiled here: {said}");
            return None;
        }
        assert!(done.status.success(), "{said}");
        Some(folder)
    });
    written.as_deref()
}

/// Runs a test with the page of a folder.
pub(crate) fn alone<F: Future<Output = ()> + Send + 'static>(
    folder: &Path,
    ranges: Ranges,
    test: impl FnOnce(Page, StaticServer) -> F,
) {
    let server = StaticServer::start(folder, ranges);
    in_browser_at(server.url(), |page| test(page, server.clone()));
    server.stop();
}

/// A copy of the folder with these tables.
pub(crate) fn with_tables(folder: &Path, tables: &Value) -> tempfile::TempDir {
    let copy = tempfile::tempdir().unwrap();
    copied(folder, copy.path());
    fs::rename(copy.path().join("tables/4x4"), copy.path().join("far")).unwrap();
    fs::write(copy.path().join("tables.json"), tables.to_string()).unwrap();
    copy
}

fn copied(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let to = to.join(entry.file_name());
        match entry.file_type().unwrap().is_dir() {
            true => copied(&entry.path(), &to),
            false => drop(fs::copy(entry.path(), to).unwrap()),
        }
    }
}

/// What a page says to questions of every kind, good and bad. Times differ, and so does what is
/// told of the machine.
async fn said(page: &Page) -> Value {
    page.visit(START).await;
    let script = r#"await (async () => {
        const { source } = await import("./source.js");
        const tell = (promise) =>
            promise.then((found) => found, ({ message, code }) => ({ message, code }));
        const timeless = ({ seconds, ...rest }) => rest;
        const said = [];
        const fens = [
            "1qq1/q2q/Q2Q/1QQ1 w", "1q1q1/q3q/Q3Q/1Q1Q1 w", "1q1q1/q3q/5/Q3Q/1Q1Q1 b",
            "2*1/2q1/1Q2/4 w", "1q1q1/q3q/1Q1*1/Q3Q/3Q1 b", "q1*1/**1Q w",
            "3q2q3/10/10/q8q/10/10/Q8Q/10/10/3Q2Q3 w", "nonsense", "",
        ];
        for (const fen of fens) {
            said.push(await tell(source.position(fen)), await tell(source.insight(fen)));
            said.push(await tell(source.engine(fen, "beginner")).then(timeless));
            said.push(await tell(source.line(fen, ["b1-b3/b1", "c4-c2/c3"])));
            said.push(await tell(source.json("mainline", { fen })));
        }
        said.push(await tell(source.positions(fens)));
        said.push(await tell(source.boards()), await tell(source.tables()));
        for (const [board, amazons] of [["6x6", "2v2"], ["21x21", "4v4"], ["2x2", "4v4"]]) {
            said.push(await tell(source.start(board, amazons)));
        }
        for (const board of ["4x4", "5x4", "5x5", "7x7"]) {
            for (const seed of [0, 7, 2 ** 31]) {
                said.push(await tell(source.exercise(board, "", seed)));
            }
        }
        said.push(await tell(source.exercise("4x4", "impossible", 1)));
        said.push(await tell(source.engine(fens[0], "genius")));
        const file = "(;FF[4]GM[18]SZ[4]AW[b1]AB[c4]PL[W]C[root]"
            + "(;W[b1b2b1]C[one];B[c4c3c4])(;W[b1a1b1]))";
        const game = await source.readGame(file);
        said.push(game, await source.writeGame(null, game.nodes));
        said.push(await tell(source.readGame("(;GM[1])")), await tell(source.writeGame("x", [])));
        const { OtherGame } = await import("./answers.js");
        said.push(await tell(source.games()));
        for (const rules of ["cowboys", "tromazons", "chess"]) {
            const other = new OtherGame(source, { rules, turns: "1,2" });
            for (const fen of ["2q/3/Q2 w", "2q/3/Q2 b 2+c3", "nonsense"]) {
                said.push(await tell(other.position(fen)), await tell(other.insight(fen)));
                said.push(await tell(other.engine(fen, "beginner")).then(timeless));
            }
            said.push(await tell(other.start("8x8", "4v4")), await tell(other.boards()));
            const last = [];
            const end = (name, { value, moves_known: known }) => last.push([name, value, known]);
            const asked = other.search("q2/3/2Q w", 30, "all", undefined, end);
            said.push(await tell(asked), last.at(-1) ?? null);
        }
        const heard = [];
        const hear = (name, data) => {
            if (name !== "progress") heard.push([name, name === "done" ? timeless(data) : data]);
        };
        await source.search("q1q/3/3/Q1Q w", 30, "all", new AbortController().signal, hear);
        const last = heard.at(-1);
        delete last[1].nodes;
        const values = heard.filter(([name]) => name === "moves").flatMap(([, moves]) => moves);
        said.push(last, values.map(({ move, value }) => `${move} ${value}`).sort());
        for (const seconds of [0, 1e9, "soon"]) {
            const refused = await tell(source.search(fens[0], seconds, "all", undefined, () => {}));
            said.push(refused.code);
        }
        return said;
    })()"#;
    page.promised(script).await
}

#[test]
fn it_says_what_a_server_says() {
    let Some(folder) = folder() else { return };
    let (sender, answers) = std::sync::mpsc::channel();
    let other = sender.clone();
    in_browser(|page| async move { sender.send(said(&page).await).unwrap() });
    alone(folder, Ranges::Unknown, |page, _| async move { other.send(said(&page).await).unwrap() });
    let (served, alone) = (answers.recv().unwrap(), answers.recv().unwrap());
    let (served, alone) = (served.as_array().unwrap(), alone.as_array().unwrap());
    assert_eq!(served.len(), alone.len());
    assert!(served.len() > 50);
    for (served, alone) in served.iter().zip(alone) {
        assert_eq!(served, alone);
    }
}

#[test]
fn a_game_is_won_and_goes_on_when_the_server_is_gone() {
    let Some(folder) = folder() else { return };
    alone(folder, Ranges::Unknown, |page, server| async move {
        let verdict = "White to move loses: none of 88 moves wins (from the table 4x4 4v4)";
        page.visit(START).await;
        page.until_text("#verdict", verdict).await;
        page.until("document.querySelectorAll('#boards li').length === 13").await;
        win_to_the_end(&page).await;
        page.promised("(await navigator.serviceWorker.ready).active.state").await;
        page.until("navigator.serviceWorker.controller !== null").await;
        server.stop();
        page.visit(START).await;
        page.until_text("#verdict", verdict).await;
        win_to_the_end(&page).await;
        page.visit("").await;
        page.until_text("#verdict", "White to move wins: 2 of").await;
        page.until("document.querySelectorAll('#boards li').length === 13").await;
        assert_eq!(page.value("document.querySelector('.notice')").await, Value::Null);
    });
}

#[test]
fn a_search_blocks_nothing_and_stops() {
    let Some(folder) = folder() else { return };
    alone(folder, Ranges::Unknown, |page, _| async move {
        // Nobody knows the value of 8x8.
        page.visit("#fen=2q2q2/8/q6q/8/8/Q6Q/8/2Q2Q2+w").await;
        page.choose("#search-seconds", "3600").await;
        for _ in 0..3 {
            page.click("#search-go").await;
            page.until("/positions in/.test(document.querySelector('#search-news').textContent)")
                .await;
            // While it runs, others are answered.
            let value = "(await (await import('./source.js')).source.position('1qq1/q2q/Q2Q/1QQ1 \
                w')).value";
            assert_eq!(page.promised(value).await, "loss");
            let played = "(await (await import('./source.js')).source.engine('4q/5/5/5/Q4 w', \
                'easy')).move !== null";
            assert_eq!(page.promised(played).await, true);
            page.click("#search-stop").await;
            page.until(
                "!document.querySelector('#search-go').hidden && \
                document.querySelector('#search-stop').hidden",
            )
            .await;
        }
        // A search that ends by itself, and one that nobody waits for from the beginning.
        let done = "await (async () => { const { source } = await import('./source.js'); let done \
            = null; await source.search('q1q/3/3/Q1Q w', 60, 'best', undefined, (name, data) => { \
            if (name === 'done') done = data.value; }); return done; })()";
        assert!(["win", "loss"].contains(&page.promised(done).await.as_str().unwrap()));
        let stopped = "await (await import('./source.js')).source.search('q1q/3/3/Q1Q w', 60, \
            'best', AbortSignal.abort(), () => {}).catch(({ name }) => name)";
        assert_eq!(page.promised(stopped).await, "AbortError");
    });
}

#[test]
fn a_small_board_is_searched_by_itself() {
    let Some(folder) = folder() else { return };
    alone(folder, Ranges::Unknown, |page, _| async move {
        // Nothing but its moves is known of 4x5 beyond the opening table.
        page.visit("#fen=1**1/q2q/1**1/Q2Q/1**1+w").await;
        page.until_text("#verdict", "(proved by search)").await;
        page.until_text("#search-news", "Proved; ").await;
        // A file is read as it is, whatever its bytes mean.
        let file = "await (async () => { const { source } = await import('./source.js'); const \
            text = '(;GM[18]CA[ISO-8859-1]SZ[4]AW[b1]AB[c4]C[\u{e9}])'; const bytes = \
            Uint8Array.from(text, (letter) => letter.charCodeAt(0)); const { nodes } = await \
            source.readGame(bytes); return nodes[0].comment; })()";
        assert_eq!(page.promised(file).await, "\u{e9}");
        // The browser has the tables of all charsets. The second byte here is that of a backslash.
        let read = |charset: &str, bytes: &str| {
            format!(
                "await (async () => {{ const {{ source }} = await import('./source.js'); const text \
                = '(;GM[18]CA[{charset}]SZ[4]AW[b1]AB[c4]C[{bytes}])'; const bytes = \
                Uint8Array.from(text, (letter) => letter.charCodeAt(0)); return source.readGame(\
                bytes).then(({{ nodes }}) => nodes[0].comment, ({{ message }}) => message); }})()"
            )
        };
        for (charset, bytes, expected) in [
            ("Shift_JIS", r"\u0083\u005c", "\u{30bd}"),
            ("GB18030", r"\u00c4\u00e3", "\u{4f60}"),
            ("klingon", "a", "expected the name of a charset"),
            ("Shift_JIS", r"\u00ff", "the file is not valid Shift_JIS"),
        ] {
            let found = page.promised(&read(charset, bytes)).await;
            assert!(found.as_str().unwrap().contains(expected), "{charset}: {found}");
        }
    });
}

#[test]
fn a_worker_that_refused_is_used_again_or_ended() {
    let Some(folder) = folder() else { return };
    alone(folder, Ranges::Unknown, |page, _| async move {
        page.visit(START).await;
        let script = r#"await (async () => {
            const { Workers } = await import("./workers.js");
            const living = new Set();
            const Plain = window.Worker;
            window.Worker = class extends Plain {
                constructor(...given) { super(...given); living.add(this); }
                terminate() { super.terminate(); living.delete(this); }
            };
            const workers = new Workers(() => {});
            const refused = (path) => workers.ask(path, { fen: "nonsense" }).catch(({ code }) => code);
            const codes = [];
            for (let at = 0; at < 3; at += 1) codes.push(await refused("engine"), await refused("insight"));
            const together = await Promise.all([refused("engine"), refused("insight"), refused("engine")]);
            return { codes: [...new Set([...codes, ...together])], living: living.size };
        })()"#;
        let found = page.promised(script).await;
        assert_eq!(found, json!({ "codes": ["bad_fen"], "living": 1 }));
    });
}

#[test]
fn a_browser_without_workers_or_webassembly_says_so() {
    let Some(folder) = folder() else { return };
    for (name, word) in [("WebAssembly", "WebAssembly"), ("Worker", "workers")] {
        let copy = tempfile::tempdir().unwrap();
        copied(folder, copy.path());
        fs::write(copy.path().join("without.js"), format!("delete globalThis.{name};")).unwrap();
        let html = fs::read_to_string(copy.path().join("index.html")).unwrap();
        let (before, after) = html.split_once("<script").unwrap();
        let html = format!("{before}<script src=\"without.js\"></script><script{after}");
        fs::write(copy.path().join("index.html"), html).unwrap();
        alone(copy.path(), Ranges::Unknown, |page, _| async move {
            page.go(START).await;
            let expected =
                format!("needs {word}, which this browser does not have or does not allow.");
            page.until_text(".notice", &expected).await;
            page.until_text("#status", &expected).await;
        });
    }
}

/// Whether the verdict is from no table.
const WITHOUT: &str =
    "/who wins is not known|proved/.test(document.querySelector('#verdict').textContent)";

/// Only a table of which pieces are read.
pub(crate) fn pieces() -> Value {
    let bytes = include_bytes!("../../src/knowledge/built_in/5x4.amz").len();
    let opening =
        json!({ "kind": "opening", "place": "opening/5x4.amz", "board": "5x4", "bytes": bytes });
    json!([{ "kind": "pieces", "place": "far/" }, opening])
}

/// The first answer waits for the files of its board, and for no others. One that is damaged or
/// missing is left out with a message, when it is needed.
#[test]
fn files_are_fetched_when_their_board_is_asked_about() {
    let Some(folder) = folder() else { return };
    let copy = tempfile::tempdir().unwrap();
    copied(folder, copy.path());
    // Else it fetches all files beside the page.
    fs::write(copy.path().join("service.js"), "").unwrap();
    let damaged = copy.path().join("opening/4x6.amz");
    let length = fs::metadata(&damaged).unwrap().len() as usize;
    fs::write(damaged, vec![0; length]).unwrap();
    fs::remove_file(copy.path().join("certificates/5x6.proof")).unwrap();
    alone(&copy.path().to_path_buf(), Ranges::Unknown, |page, server| async move {
        let files = |requests: Vec<String>| -> BTreeSet<String> {
            let is_file = |path: &String| path.contains(".amz") || path.contains(".proof");
            requests.into_iter().filter(is_file).collect()
        };
        let value = |fen: &str| {
            let source = "(await import('./workers.js')).Workers";
            format!("(await new ({source})(() => {{}}).ask('position', {{ fen: '{fen}' }}))")
        };
        page.visit("").await;
        // The list of boards, which comes last, wants all files.
        page.until("document.querySelectorAll('#boards li').length > 0").await;
        let left_out = "The table at opening/4x6.amz is left out";
        page.until(&format!("document.body.textContent.includes('{left_out}')")).await;
        let missing = "certificates/5x6.proof is answered with status 404";
        page.until(&format!("document.body.textContent.includes('{missing}')")).await;

        // What the page asks of its own board is over.
        let margins = "(await (await import('./source.js')).source.margins(\
            document.querySelector('#fen').value, 0)).complete";
        assert_eq!(page.promised(margins).await, false);
        server.requests();
        let answer = page.promised(&value("1q1q1/q3q/5/Q3Q/1Q1Q1 w")).await;
        assert!(answer.as_str().unwrap().contains(r#""value":"win""#), "{answer}");
        let asked = files(server.requests());
        assert!(asked.iter().all(|file| file.contains("5x5")) && asked.len() == 1, "{asked:?}");
    });
}

#[test]
fn a_table_is_read_in_pieces_in_few_requests() {
    let Some(folder) = folder() else { return };
    let copy = with_tables(folder, &pieces());
    let path = copy.path().to_path_buf();
    alone(&path.clone(), Ranges::Sent, |page, server| async move {
        page.visit("").await;
        page.until_text("#verdict", "White to move wins: ").await;
        // Planes of margins are another test's.
        let of_tier = |path: &String| {
            let is_plane = path.contains("-plus-") || path.contains("-minus-");
            path.contains("far/tier") && !is_plane
        };
        let far = |requests: Vec<String>| -> Vec<String> {
            requests.into_iter().filter(of_tier).collect()
        };
        far(server.requests());
        let mut read = 0;
        for (moves, verdict) in [
            ("", "White to move loses: none of 88 moves wins (from the table 4x4 4v4)"),
            ("&moves=b1-b2/b1", "Black to move wins: 13 of 58 moves win"),
            ("&moves=b1-b2/b1+b4-b3/b4", "White to move wins: 2 of 30 moves win"),
        ] {
            page.visit(&format!("{START}{moves}")).await;
            page.until_text("#verdict", verdict).await;
            // What is plain to see may be shown before the table is asked.
            let mut requests = far(server.requests());
            let end = Instant::now() + Duration::from_secs(60);
            while requests.is_empty() && Instant::now() < end {
                tokio::time::sleep(Duration::from_millis(50)).await;
                requests = far(server.requests());
            }
            println!("{moves}: {requests:?}");
            assert!(
                !requests.is_empty() && requests.iter().all(|request| request.contains("bytes="))
            );
            read += requests.len();
        }
        assert!(read < 100);
        assert_eq!(page.value("document.querySelector('.notice')").await, Value::Null);
    });
}

#[test]
fn a_table_of_other_rules_is_read_in_pieces() {
    let Some(folder) = folder() else { return };
    let mut tables = pieces();
    tables.as_array_mut().unwrap().push(json!({ "kind": "pieces", "place": "cowboys/" }));
    let copy = with_tables(folder, &tables);
    let mut build = Command::new(env!("CARGO_BIN_EXE_amazons"));
    build.args(["build", "4x4", "--amazons", "1v1", "--rules", "cowboys", "--tables"]);
    assert!(build.arg(copy.path().join("cowboys")).output().unwrap().status.success());
    alone(&copy.path().to_path_buf(), Ranges::Sent, |page, _| async move {
        page.visit(START).await;
        let script = r#"await (async () => {
            const { source } = await import("./source.js");
            const { OtherGame } = await import("./answers.js");
            const cowboys = new OtherGame(source, { rules: "cowboys" });
            const known = await cowboys.position("1q2/4/4/1Q2 w");
            return [known.value, known.source, known.moves.map(({ value }) => value)];
        })()"#;
        let known = page.promised(script).await;
        assert_eq!(known[0], "loss", "{known}");
        assert_eq!(known[1]["name"], "cowboys 4x4 1v1", "{known}");
        let moves = known[2].as_array().unwrap();
        assert!(moves.len() > 5 && moves.iter().all(|value| value == "loss"), "{known}");
        assert_eq!(page.value("document.querySelector('.notice')").await, Value::Null);
    });
}

#[test]
fn a_server_that_sends_no_ranges_or_cut_ones_is_named() {
    let Some(folder) = folder() else { return };
    let copy = with_tables(folder, &pieces());
    for (ranges, expected) in [
        (Ranges::Unknown, "with the whole file: it must answer range requests"),
        (Ranges::Cut, "ends too early"),
        (Ranges::Fewer, "expected Content-Range bytes 0-"),
    ] {
        alone(&copy.path().to_path_buf(), ranges, |page, _| async move {
            page.visit(START).await;
            page.until_text(".notice", "The table at far/ is left out: ").await;
            page.until_text(".notice", expected).await;
            // The page goes on without the table, and may search by itself.
            page.until(WITHOUT).await;
        });
    }
    fs::remove_file(copy.path().join("far/manifest.json")).unwrap();
    alone(&copy.path().to_path_buf(), Ranges::Sent, |page, _| async move {
        page.visit(START).await;
        page.until_text(".notice", "far/manifest.json is answered with status 404").await;
        page.until(WITHOUT).await;
    });
}

#[test]
fn a_folder_with_other_files_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("mine.txt"), "mine").unwrap();
    let run = |arguments: &[&std::ffi::OsStr]| {
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/page/build");
        let done = Command::new(script).args(arguments).output().unwrap();
        (done.status.code(), String::from_utf8_lossy(&done.stderr).into_owned())
    };
    let (file, inside) = (folder.path().join("mine.txt"), folder.path().join("no/such"));
    for (arguments, status, expected) in [
        (vec![folder.path().as_os_str()], 1, "holds other files, such as mine.txt"),
        (vec![file.as_os_str()], 1, "mine.txt is no folder"),
        (vec![inside.as_os_str()], 1, "there is no folder"),
        (vec![], 2, "expected a folder, found none"),
        (vec!["--fast".as_ref(), inside.as_os_str()], 2, "there is no option '--fast'"),
        (vec!["--table".as_ref()], 2, "--table needs an address"),
        (vec!["--table".as_ref(), "a\"b".as_ref(), "x".as_ref()], 2, "expected an address"),
    ] {
        let (found, said) = run(&arguments);
        assert_eq!(found, Some(status), "{said}");
        assert!(said.contains(expected), "{said}");
    }
    let left: Vec<_> =
        fs::read_dir(folder.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert_eq!(left, ["mine.txt"]);
}
