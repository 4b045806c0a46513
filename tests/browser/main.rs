//! The page in a real browser: games played, addresses followed, mistakes made, by mouse and by
//! keyboard.
//!
//! `cargo test --test browser`; with BROWSER=firefox it is Firefox instead of Chromium, and with
//! SCREENSHOTS=DIR it leaves pictures there.

mod accessibility;
mod alone;
mod driver;
mod engines;
mod exercises;
mod files;
mod games;
mod keyboard;
mod known;
mod layout;
mod maps;
mod margins;
mod picture;
mod review;
mod searching;
mod static_server;
mod variants;

use driver::{Page, in_browser};

/// 4x4, of which every position is known.
pub(crate) const START: &str = "#fen=1qq1/q2q/Q2Q/1QQ1+w";
const LEFT: &str = "\u{e012}";
const UP: &str = "\u{e013}";
const RIGHT: &str = "\u{e014}";
const ENTER: &str = "\u{e007}";
const ESCAPE: &str = "\u{e00c}";
const END: &str = "\u{e010}";

/// Squares that can be chosen next, with what is said of them.
pub(crate) async fn open_squares(page: &Page) -> Vec<(String, String)> {
    let list = page
        .value(
            "[...document.querySelectorAll('.board .open')].map((cell) => [cell.dataset.square, \
            cell.getAttribute('aria-label')])",
        )
        .await;
    serde_json::from_value(list).unwrap()
}

/// Has positions searched only when that is asked for.
pub(crate) async fn search_only_when_asked(page: &Page) {
    page.visit(START).await;
    page.run(
        "const choice = document.querySelector('#search-auto'); choice.value = 'never'; \
        choice.dispatchEvent(new Event('change'))",
    )
    .await;
}

pub(crate) async fn played(page: &Page) -> u64 {
    page.value("document.querySelectorAll('#record li').length").await.as_u64().unwrap()
}

/// Plays a move by clicking three squares that are said to be good; whether there was one.
pub(crate) async fn play(page: &Page, word: &str) -> bool {
    for _ in 0..3 {
        let squares = open_squares(page).await;
        let Some((square, _)) =
            squares.iter().find(|(_, label)| label.contains(&format!(", {word}")))
        else {
            return false;
        };
        page.square(square).await;
    }
    true
}

/// Plays 4x4 for Black, who wins, against a White that replies by itself, to the end.
pub(crate) async fn win_to_the_end(page: &Page) {
    page.choose("#opponent", "w").await;
    let mut moves = 1;
    loop {
        page.until(&format!(
            "document.querySelectorAll('#record li').length === {moves} && \
            !document.querySelector('#verdict').textContent.includes('…')"
        ))
        .await;
        if page.text("#verdict").await.contains("White cannot move") {
            break;
        }
        // White's best reply does not change that Black wins.
        page.until_text("#verdict", "Black to move wins: ").await;
        if moves == 1 {
            let square = open_squares(page)
                .await
                .into_iter()
                .find(|(_, label)| label.contains(", wins"))
                .unwrap()
                .0;
            page.square(&square).await;
            page.picture("steps").await;
            let labels: Vec<String> =
                open_squares(page).await.into_iter().map(|(_, label)| label).collect();
            assert!(labels.iter().any(|label| label.contains("step here, ")), "{labels:?}");
            page.square(&square).await;
        }
        assert!(play(page, "wins").await, "no winning move is shown");
        // The last winning move leaves no reply.
        moves += 1;
        let reply = format!("document.querySelectorAll('#record li').length === {}", moves + 1);
        page.until(&format!(
            "({reply}) || document.querySelector('#verdict').textContent.includes('cannot move')"
        ))
        .await;
        moves = played(page).await;
        assert!(moves < 20, "4x4 has eight empty squares");
    }
    page.until_text("#verdict", "White cannot move: Black ").await;
    page.until_text("#heard", "White cannot move").await;
}

#[test]
fn a_won_game_is_won_to_its_end_against_the_table() {
    in_browser(|page| async move {
        page.visit(START).await;
        page.until_text(
            "#verdict",
            "White to move loses: none of 88 moves wins (from the table 4x4 4v4)",
        )
        .await;
        assert_eq!(page.text("#game-name").await, "4×4, 4 v 4");
        assert_eq!(open_squares(&page).await.len(), 4);
        page.picture("light").await;
        win_to_the_end(&page).await;
        assert_eq!(page.value("document.querySelectorAll('.blunder').length").await, 0);
        page.picture("end").await;
    });
}

#[test]
fn the_winning_side_replies_and_wins_whatever_is_played() {
    in_browser(|page| async move {
        page.visit(START).await;
        page.choose("#opponent", "winner").await;
        for turn in 0..10 {
            page.until("document.querySelector('#verdict').textContent.startsWith('White')").await;
            if page.text("#verdict").await.contains("cannot move") {
                assert!(turn > 1);
                return;
            }
            page.until_text("#verdict", "White to move loses").await;
            let before = played(&page).await;
            assert!(play(&page, "loses").await);
            page.until(&format!(
                "document.querySelectorAll('#record li').length > {before} && \
                document.querySelector('#verdict').textContent.startsWith('White')"
            ))
            .await;
        }
        panic!("the game does not end");
    });
}

#[test]
fn a_bad_position_is_refused_and_a_good_one_opened() {
    in_browser(|page| async move {
        page.visit(START).await;
        page.click("#paste").await;
        page.fill("#paste-text", "1qq1/q2q/Q2/1QQ1 w").await;
        page.click("#paste-dialog .main").await;
        page.until_text("#paste-dialog .error", "rank 2 has 3 squares, but rank 4 above it has 4")
            .await;
        page.picture("bad-fen").await;
        page.fill("#paste-text", "1qq1/q2q/Q2Q/1QQ1 w b1-b3/b1 a1-a2/a3").await;
        page.click("#paste-dialog .main").await;
        page.until_text(
            "#paste-dialog .error",
            "move 2, black: a1-a2/a3 is illegal: black to move has no amazon on a1",
        )
        .await;
        page.fill("#paste-text", "1q1q1/q3q/5/Q3Q/1Q1Q1 w - - 0 1 b1-b3/d3").await;
        page.click("#paste-dialog .main").await;
        page.until("!document.querySelector('#paste-dialog').open").await;
        page.until_text("#verdict", "Black to move loses").await;
        assert_eq!(
            page.value("document.querySelector('#fen').value").await,
            "1q1q1/q3q/1Q1*1/Q3Q/3Q1 b"
        );
        page.visit("#fen=nonsense").await;
        page.until_text("#status", "This address cannot be shown: rank 1, file a: expected").await;
        page.picture("bad-address").await;
        page.until_text("#verdict", "White to move loses").await;
    });
}

#[test]
fn a_shared_address_opens_the_same_game() {
    in_browser(|page| async move {
        page.visit("#fen=1q1q1/q3q/5/Q3Q/1Q1Q1+w&moves=b1-b3/d3+b5-b4/b5+a2-a3/a2&at=2&flip=1")
            .await;
        page.until_text("#verdict", "White to move").await;
        assert_eq!(played(&page).await, 3);
        assert_eq!(page.text("#record [aria-current]").await, "b5-b4/b5");
        assert_eq!(
            page.value("document.querySelector('#fen').value").await,
            "1*1q1/qq2q/1Q1*1/Q3Q/3Q1 w"
        );
        // Turned: the first square of the first row is the last file of the first rank.
        assert_eq!(
            page.value("document.querySelector('[role=gridcell]').dataset.square").await,
            "e1"
        );
        page.click("#share").await;
        let address = page.value("document.querySelector('#share-url').value").await;
        assert_eq!(
            address,
            format!(
                "{}#fen=1q1q1/q3q/5/Q3Q/1Q1Q1+w&moves=b1-b3/d3+b5-b4/b5+a2-a3/a2&at=2&flip=1",
                page.url
            )
        );
        page.keys(ESCAPE).await;
        page.click("#forward").await;
        page.until_text("#verdict", "Black to move").await;
        assert_eq!(page.value("document.querySelector('#forward').disabled").await, true);
        page.click("#first").await;
        page.until_text("#verdict", "White to move").await;
        assert_eq!(
            page.value("document.querySelector('#fen').value").await,
            "1q1q1/q3q/5/Q3Q/1Q1Q1 w"
        );
        page.visit("#fen=1q1q1/q3q/5/Q3Q/1Q1Q1+w&moves=b1-b3/d3+b5-b5/b5").await;
        page.until_text("#status", "move 2: b5-b5/b5 is illegal").await;
    });
}

#[test]
fn everything_can_be_done_by_keyboard() {
    in_browser(|page| async move {
        page.visit(START).await;
        page.until_text("#verdict", "White to move loses").await;
        page.value("document.querySelector('[role=gridcell][tabindex=\"0\"]').focus()").await;
        let focus = "document.activeElement.dataset.square";
        assert_eq!(page.value(focus).await, "a1");
        for (key, square) in [(END, "d1"), (LEFT, "c1"), (UP, "c2"), (LEFT, "b2"), (LEFT, "a2")] {
            page.keys(key).await;
            assert_eq!(page.value(focus).await, square);
        }
        page.keys(ENTER).await;
        page.until_text("#status", "a2 chosen: ").await;
        assert_eq!(
            page.value("document.activeElement.getAttribute('aria-selected')").await,
            "true"
        );
        page.keys(ESCAPE).await;
        page.until_text("#status", "Nothing chosen.").await;
        page.keys(ENTER).await;
        page.keys(RIGHT).await;
        page.keys(" ").await;
        page.until_text("#status", "b2 chosen: ").await;
        // Back to where the amazon came from is a shot.
        page.keys(LEFT).await;
        page.keys(ENTER).await;
        page.until_text("#heard", "White: a2-b2/a2. Black to move wins.").await;
        page.keys("[").await;
        page.until_text("#heard", "Start. White to move loses.").await;
        page.keys("]").await;
        page.until_text("#heard", "After move 1").await;
        page.keys("v").await;
        page.until("document.querySelector('#verdict').textContent === 'Black to move'").await;
        let labels = open_squares(&page).await;
        assert!(
            labels.iter().all(|(_, label)| !label.contains("wins") && !label.contains("loses")),
            "{labels:?}"
        );
    });
}

#[test]
fn a_position_is_set_up_by_hand() {
    in_browser(|page| async move {
        page.visit("").await;
        page.click("#new").await;
        for (field, value) in [("columns", "3"), ("rows", "3"), ("white", "1"), ("black", "4")] {
            page.fill(&format!("#new-{field}"), value).await;
        }
        page.click("#new-dialog .main").await;
        page.until_text("#new-dialog .error", "4 amazons of one side do not fit 3 squares").await;
        page.fill("#new-black", "1").await;
        page.click("#new-edit").await;
        page.click("#new-dialog .main").await;
        page.until("!document.querySelector('#editor').hidden").await;
        // The game before is not this position's.
        for id in ["record-panel", "moves-panel", "search", "standing"] {
            assert_eq!(page.value(&format!("document.getElementById('{id}').hidden")).await, true);
        }
        page.picture("editor").await;
        for (square, clicks) in [("a1", 3), ("c3", 3), ("b2", 1)] {
            for _ in 0..clicks {
                page.square(square).await;
            }
        }
        page.choose("#edit-turn", "b").await;
        page.click("#edit-done").await;
        page.until("document.querySelector('#editor').hidden").await;
        assert_eq!(page.value("document.querySelector('#fen').value").await, "1q*/1Q1/*Q1 b");
    });
}
