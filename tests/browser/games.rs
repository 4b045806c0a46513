//! Games as trees: variations, comments, files; and games against the engine.

use serde_json::Value;

use crate::driver::{Page, in_browser};
use crate::{START, played};

const BACKSPACE: &str = "\u{e003}";
const DELETE: &str = "\u{e017}";

async fn record(page: &Page) -> String {
    page.value("document.querySelector('#record').textContent").await.as_str().unwrap().to_string()
}

/// The game as the dialog shares it.
async fn shared(page: &Page) -> String {
    page.run("document.querySelector('#share-sgf').value = ''").await;
    page.click("#share").await;
    page.until("document.querySelector('#share-sgf').value !== ''").await;
    let text = page.value("document.querySelector('#share-sgf').value").await;
    page.click("#share-dialog [data-close]").await;
    text.as_str().unwrap().to_string()
}

pub(crate) async fn paste(page: &Page, text: &str) {
    page.click("#paste").await;
    page.fill("#paste-text", "").await;
    page.run(&format!("document.querySelector('#paste-text').value = {text:?}")).await;
    page.click("#paste-dialog .main").await;
    page.until("!document.querySelector('#paste-dialog').open").await;
}

#[test]
fn variations_are_kept_numbered_and_taken_back() {
    in_browser(|page| async move {
        page.visit(&format!("{START}&moves=b1-b3/b1+c4-c2/c3")).await;
        page.until_text("#verdict", "White to move loses").await;
        assert_eq!(record(&page).await, "1.b1-b3/b1c4-c2/c3");
        page.click("#back").await;
        page.until_text("#heard", "After move 1, b1-b3/b1. Black to move wins.").await;
        page.click("[data-move=\"d3-c2/c3\"]").await;
        page.until_text("#heard", "Black: d3-c2/c3.").await;
        assert_eq!(record(&page).await, "1.b1-b3/b1c4-c2/c3variation: 1…d3-c2/c3");
        assert_eq!(page.text("#record [aria-current]").await, "d3-c2/c3");
        // To the other variation and back by keyboard.
        let current = |played: &str| {
            format!("document.querySelector('#record [aria-current]').textContent === '{played}'")
        };
        page.run("document.activeElement.blur()").await;
        page.keys("p").await;
        page.until(&current("c4-c2/c3")).await;
        page.keys("n").await;
        page.until(&current("d3-c2/c3")).await;
        page.click("#promote").await;
        assert_eq!(record(&page).await, "1.b1-b3/b1d3-c2/c3variation: 1…c4-c2/c3");
        page.picture("tree").await;
        page.run("document.activeElement.blur()").await;
        page.keys(DELETE).await;
        page.until_text("#heard", "Taken back: d3-c2/c3.").await;
        assert_eq!(record(&page).await, "1.b1-b3/b1c4-c2/c3");
        page.until("!document.querySelector('#undo').hidden").await;
        page.click("#undo").await;
        page.until_text("#heard", "Put back.").await;
        assert_eq!(record(&page).await, "1.b1-b3/b1d3-c2/c3variation: 1…c4-c2/c3");
        assert_eq!(played(&page).await, 4);
    });
}

#[test]
fn a_file_goes_in_and_out_without_loss() {
    in_browser(|page| async move {
        page.visit("").await;
        let file = "(;FF[4]GM[18]CA[UTF-8]AP[other:1]SZ[4]AW[b1][c1][a2][d2]AB[a3][d3][b4][c4]PL[W]PW[A \\] B]C[root]\n;W[b1b3b1]C[one\\]\ntwo]\n(;B[a3a4a3]XX[1][2])\n(;C[first]B[b4a4b4]\n;AE[b4]PL[W]C[]\n;W[c1d1c1]C[])\n)\n";
        paste(&page, file).await;
        page.until_text("#record", "one]").await;
        assert_eq!(shared(&page).await, file);
        page.picture("file").await;
        // What is added is added, and nothing else changes.
        page.click("#first").await;
        page.until_text("#heard", "Start.").await;
        page.fill("#comment", "a new [comment] \\").await;
        page.click("#forward").await;
        page.until_text("#heard", "After move 1").await;
        let expected = file.replace("C[root]", "C[a new [comment\\] \\\\]");
        assert_eq!(shared(&page).await, expected);
        // A comment that is emptied is gone. Those that are empty in the file stay.
        page.fill("#comment", &format!("x{BACKSPACE}")).await;
        let expected = expected.replace("C[one\\]\ntwo]", "");
        assert_eq!(shared(&page).await, expected);
        page.click(".moves button").await;
        page.until("document.querySelectorAll('#record .variation').length === 2").await;
        let again = shared(&page).await;
        assert_eq!(again.lines().count(), expected.lines().count() + 1, "{again}");
        assert_eq!(page.value("document.querySelector('#status').textContent").await, "");
    });
}

#[test]
fn records_from_other_sites_are_pasted_as_they_stand() {
    in_browser(|page| async move {
        page.visit("").await;
        paste(&page, "4x4 1. B1-B3 (B1) 2. a3–a4xa3 resign").await;
        page.until_text("#record", "a3-a4/a3").await;
        page.until_text("#status", "In the record: white resigned.").await;
        let file = shared(&page).await;
        assert!(file.contains("RE[B+R]") && file.contains(";B[a3a4a3]"), "{file}");
        paste(&page, "1q1q1/q3q/5/Q3Q/1Q1Q1[PPpp] w - 0 1 b1b3 P@d3").await;
        page.until_text("#record", "b1-b3/d3").await;
        assert_eq!(page.text("#game-name").await, "5×5, 4 v 4");
    });
}

#[test]
fn every_game_of_a_file_can_be_opened_and_none_is_lost() {
    in_browser(|page| async move {
        page.visit("").await;
        let games = [
            "(;FF[4]GM[18]CA[UTF-8]SZ[4]AW[b1]AB[c4]PL[W]\n;W[b1b2b1])\n",
            "(;FF[4]GM[18]CA[UTF-8]SZ[3]AW[a1]AB[c3]PL[B]\n;B[c3b3c3]\n;W[a1a2a1]XX[kept])\n",
            "(;FF[4]GM[18]CA[UTF-8]SZ[4]AW[d1]AB[c4]PL[W])\n",
        ];
        paste(&page, &games.concat()).await;
        page.until_text("#status", "Game 1 of 3.").await;
        page.until_text("#record", "b1-b2/b1").await;
        assert_eq!(shared(&page).await, games.concat());
        page.fill("#comment", "seen").await;
        page.choose("#games-open", "1").await;
        page.until_text("#record", "c3-b3/c3").await;
        page.until_text("#status", "Game 2 of 3.").await;
        assert_eq!(page.text("#game-name").await, "3×3, 1 v 1");
        let first = games[0].replace("W[b1b2b1]", "W[b1b2b1]C[seen]");
        assert_eq!(shared(&page).await, [&first, games[1], games[2]].concat());
        page.choose("#games-open", "0").await;
        page.until_text("#record", "b1-b2/b1").await;
        assert_eq!(page.value("document.querySelector('#comment').value").await, "seen");
        // Another game is of no file.
        page.click("#first").await;
        paste(&page, "5x4").await;
        page.until("document.querySelector('#games').hidden").await;
    });
}

#[test]
fn variations_are_shown_however_deep_they_are() {
    in_browser(|page| async move {
        page.visit(START).await;
        // Each node has an end and a variation, which goes on the same way.
        let deep = 9000;
        page.click("#paste").await;
        page.run(&format!(
            "document.querySelector('#paste-text').value = '(;GM[18]SZ[4]AW[b1]AB[c4]' + \
             '(;)(;'.repeat({deep}) + ')'.repeat({deep}) + ')'"
        ))
        .await;
        page.click("#paste-dialog .main").await;
        page.until("!document.querySelector('#paste-dialog').open").await;
        let shown = "document.querySelectorAll('#record .variation').length";
        assert_eq!(page.value(shown).await, deep);
        // All of them, and within what can be read.
        let buttons = "[...document.querySelectorAll('#record button')].length";
        assert_eq!(page.value(buttons).await, 2 * deep);
        assert_eq!(
            page.value("document.querySelectorAll('#record' + ' .variation'.repeat(9)).length")
                .await,
            0
        );
        page.click("#back").await;
        page.until_text("#heard", "Start.").await;
    });
}

#[test]
fn variations_stand_behind_the_move_they_are_beside() {
    in_browser(|page| async move {
        page.visit(START).await;
        // Ten variations in one another, the last two too deep to be within the ones before.
        let deep = 10;
        let begin: String = (0..deep).map(|at| format!("(;N[m]C[m{at}])(;C[v{at}]")).collect();
        let file = format!("(;GM[18]SZ[4]AW[b1]AB[c4]{begin}{})", ")".repeat(deep));
        paste(&page, &file).await;
        let order: Vec<String> =
            (0..deep).flat_map(|at| [format!("m{at}"), format!("v{at}")]).collect();
        let comments = "[...document.querySelectorAll('#record .comment')].map(({ textContent }) => textContent)";
        assert_eq!(page.value(comments).await, Value::from(order));
        assert_eq!(shared(&page).await.matches("C[v").count(), deep);
    });
}

#[test]
fn a_game_that_cannot_be_drawn_leaves_the_one_before() {
    in_browser(|page| async move {
        page.visit(&format!("{START}&moves=b1-b3/b1")).await;
        page.until_text("#verdict", "Black to move wins").await;
        let hash = page.value("location.hash").await;
        page.promised(
            "await import('./tree.js').then(({ GameTree }) => { const show = \
             GameTree.prototype.show; GameTree.prototype.show = function (game) { if \
             (game.start.startsWith('q')) throw new Error('too much to draw'); \
             show.call(this, game); }; })",
        )
        .await;
        page.click("#paste").await;
        page.fill("#paste-text", "q3/4/4/Q3 w").await;
        page.click("#paste-dialog .main").await;
        page.until_text("#paste-dialog .error", "too much to draw").await;
        page.click("#paste-dialog [data-close]").await;
        page.until_text("#verdict", "Black to move wins").await;
        assert_eq!(page.value("location.hash").await, hash);
        assert_eq!(record(&page).await, "1.b1-b3/b1");
        page.click("#back").await;
        page.until_text("#heard", "Start. White to move loses").await;
    });
}

#[test]
fn a_game_of_a_file_that_cannot_be_opened_stays_in_it() {
    in_browser(|page| async move {
        page.visit("").await;
        let first = "(;FF[4]GM[18]CA[UTF-8]SZ[4]AW[b1]AB[c4]PL[W]\n;W[b1b2b1])\n";
        page.click("#paste").await;
        page.run(&format!(
            "document.querySelector('#paste-text').value = {first:?} + \
             '(;FF[4]GM[18]SZ[4]AW[b1]AB[c4]' + ';'.repeat(20000) + ')'"
        ))
        .await;
        page.click("#paste-dialog .main").await;
        page.until_text("#status", "Game 1 of 2.").await;
        let whole = shared(&page).await;
        page.choose("#games-open", "1").await;
        page.until_text("#status", "at most 20000 nodes").await;
        assert_eq!(page.value("document.querySelector('#games-open').value").await, "0");
        page.until_text("#record", "b1-b2/b1").await;
        assert_eq!(shared(&page).await, whole);
    });
}

#[test]
fn a_game_that_is_over_says_by_how_many_moves_it_was_won() {
    in_browser(|page| async move {
        // White is shut in, and Black has so many moves left.
        for (squares, verdict) in [
            ("q1*/***/**Q", "White cannot move: Black wins by 1 move"),
            ("q2/***/**Q", "White cannot move: Black wins by 2 moves"),
            ("q**/***/**Q", "White cannot move: Black has won, and has no move left either"),
        ] {
            page.visit(&format!("#fen={squares}+w")).await;
            page.until(&format!("document.querySelector('#verdict').textContent === {verdict:?}"))
                .await;
            page.until(&format!(
                "document.querySelector('#heard').textContent === {:?}",
                format!("{verdict}.")
            ))
            .await;
        }
        // Of other games nobody counts that.
        page.visit("#rules=cowboys&fen=q**/***/**Q+w").await;
        page.until(
            "document.querySelector('#verdict').textContent === 'White cannot move: Black has won'",
        )
        .await;
    });
}

#[test]
fn the_engine_answers_on_every_level_and_board() {
    in_browser(|page| async move {
        for hash in ["#fen=3q2q3/10/10/q8q/10/10/Q8Q/10/10/3Q2Q3+w", "", "#fen=4q/5/5/5/Q4+w"] {
            for level in ["beginner", "medium", "best"] {
                page.visit(hash).await;
                page.until("document.querySelector('#moves button') !== null").await;
                page.choose("#level", level).await;
                page.choose("#opponent", "b").await;
                page.click("#moves .moves button").await;
                page.until("document.querySelectorAll('#record li').length === 2").await;
                page.until("document.querySelector('#verdict').textContent.startsWith('White')")
                    .await;
            }
        }
    });
}

#[test]
fn an_engine_that_does_not_answer_says_so() {
    in_browser(|page| async move {
        page.visit(START).await;
        page.until_text("#verdict", "White to move loses").await;
        // The address of the engine does not answer: what is asked for is refused.
        page.run(
            "const real = window.fetch; window.fetch = (address, ...rest) => \
            address.includes('/engine') ? real('/api/v1/nothing', ...rest) : real(address, \
            ...rest)",
        )
        .await;
        page.choose("#opponent", "w").await;
        page.until_text(
            "#status",
            "The engine does not answer: there is nothing at /api/v1/nothing",
        )
        .await;
        assert_eq!(page.value("document.querySelector('#record li')").await, Value::Null);
    });
}

#[test]
fn a_click_counts_though_the_board_is_drawn_anew_before_the_button_is_let_go() {
    in_browser(|page| async move {
        page.visit(START).await;
        page.until_text("#verdict", "White to move").await;
        page.press("b1").await;
        for _ in 0..2 {
            page.run("document.querySelector('#values').click()").await;
        }
        page.release().await;
        page.until_text("#status", "b1 chosen").await;
    });
}
