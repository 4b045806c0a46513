//! The page in a real browser: games played, addresses followed, mistakes made, by mouse and by
//! keyboard.
//!
//! `cargo test --release --features long-tests --test browser`; with SCREENSHOTS=DIR it leaves
//! pictures there.

mod driver;

use driver::{Page, in_browser};
use serde_json::Value;

const START: &str = "1qq1/q2q/Q2Q/1QQ1 w";
const LEFT: &str = "\u{e012}";
const UP: &str = "\u{e013}";
const RIGHT: &str = "\u{e014}";
const ENTER: &str = "\u{e007}";
const ESCAPE: &str = "\u{e00c}";
const END: &str = "\u{e010}";

/// Squares that can be chosen next, with what is said of them.
async fn open_squares(page: &Page) -> Vec<(String, String)> {
    let list = page
        .value("[...document.querySelectorAll('.board .open')].map((cell) => [cell.dataset.square, cell.getAttribute('aria-label')])")
        .await;
    serde_json::from_value(list).unwrap()
}

async fn played(page: &Page) -> u64 {
    page.value("document.querySelectorAll('#record li').length").await.as_u64().unwrap()
}

/// Plays a move by clicking three squares that are said to be good; whether there was one.
async fn play(page: &Page, word: &str) -> bool {
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

#[test]
fn a_won_game_is_won_to_its_end_against_the_table() {
    in_browser(|page| async move {
        page.visit("").await;
        page.until_text("#verdict", "White to move loses (from the table 4x4 4v4)").await;
        assert_eq!(page.text("#game-name").await, "4×4, 4 v 4");
        assert_eq!(open_squares(&page).await.len(), 4);
        page.picture("light").await;
        page.choose("#opponent", "w").await;
        let mut moves = 1;
        loop {
            page.until(&format!("document.querySelectorAll('#record li').length === {moves} && !document.querySelector('#verdict').textContent.includes('…')")).await;
            if page.text("#verdict").await.contains("White cannot move") {
                break;
            }
            // White's best reply does not change that Black wins.
            page.until_text("#verdict", "Black to move wins by").await;
            if moves == 1 {
                let square = open_squares(&page)
                    .await
                    .into_iter()
                    .find(|(_, label)| label.contains(", wins"))
                    .unwrap()
                    .0;
                page.square(&square).await;
                page.picture("steps").await;
                let labels: Vec<String> =
                    open_squares(&page).await.into_iter().map(|(_, label)| label).collect();
                assert!(labels.iter().any(|label| label.contains("step here, ")), "{labels:?}");
                page.square(&square).await;
            }
            assert!(play(&page, "wins").await, "no winning move is shown");
            // The last winning move leaves no reply.
            moves += 1;
            let reply = format!("document.querySelectorAll('#record li').length === {}", moves + 1);
            page.until(&format!(
                "({reply}) || document.querySelector('#verdict').textContent.includes('cannot move')"
            ))
            .await;
            moves = played(&page).await;
            assert!(moves < 20, "4x4 has eight empty squares");
        }
        assert_eq!(page.text("#verdict").await, "White cannot move: Black has won");
        page.until_text("#status", "White cannot move and has lost.").await;
        assert_eq!(page.value("document.querySelectorAll('.blunder').length").await, 0);
        page.picture("end").await;
    });
}

#[test]
fn the_winning_side_replies_and_wins_whatever_is_played() {
    in_browser(|page| async move {
        page.visit("").await;
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
            page.until(&format!("document.querySelectorAll('#record li').length > {before} && document.querySelector('#verdict').textContent.startsWith('White')")).await;
        }
        panic!("the game does not end");
    });
}

#[test]
fn a_bad_position_is_refused_and_a_good_one_opened() {
    in_browser(|page| async move {
        page.visit("").await;
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
            "move 2: a1-a2/a3 is illegal: black to move has no amazon on a1",
        )
        .await;
        page.fill("#paste-text", "1q1q1/q3q/5/Q3Q/1Q1Q1 w - - 0 1 b1-b3/d3").await;
        page.click("#paste-dialog .main").await;
        page.until("!document.querySelector('#paste-dialog').open").await;
        page.until_text("#verdict", "Black to move: not known").await;
        assert_eq!(
            page.value("document.querySelector('#fen').value").await,
            "1q1q1/q3q/1Q1*1/Q3Q/3Q1 b"
        );
        page.visit("#fen=nonsense").await;
        page.until_text(
            "#status",
            "This address cannot be shown: after the squares: expected the side to move",
        )
        .await;
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
        page.visit(&format!("#fen={}", START.replace(' ', "+"))).await;
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
        page.until_text("#status", "White: a2-b2/a2. Black to move wins.").await;
        page.keys("[").await;
        page.until_text("#status", "Start. White to move loses.").await;
        page.keys("]").await;
        page.until_text("#status", "After move 1").await;
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
fn grids_lists_and_regions_have_roles_and_names() {
    in_browser(|page| async move {
        page.visit("").await;
        page.until_text("#verdict", "White to move loses").await;
        assert_eq!(
            page.value("document.querySelector('[role=grid]').getAttribute('aria-label')").await,
            "Board, 4 by 4, White to move"
        );
        for (css, count) in
            [("[role=row]", 4), ("[role=gridcell]", 16), ("[role=gridcell][tabindex=\"0\"]", 1)]
        {
            assert_eq!(
                page.value(&format!("document.querySelectorAll({css:?}).length")).await,
                count
            );
        }
        let cell = page
            .value("document.querySelector('[data-square=a2]').getAttribute('aria-label')")
            .await;
        assert!(
            cell.as_str().unwrap().starts_with("a2, white amazon, can move, loses, 0 of "),
            "{cell}"
        );
        let nameless = page
            .value("[...document.querySelectorAll('button, input, select, textarea, dialog, progress')].filter((element) => !(element.getAttribute('aria-label') || element.getAttribute('aria-labelledby') || element.textContent.trim() || element.labels?.length)).map((element) => element.outerHTML)")
            .await;
        assert_eq!(nameless, Value::Array(Vec::new()));
        // A value is told by more than its colour.
        page.square("a2").await;
        let marks = page.value("[...document.querySelectorAll('.board use[href^=\"#mark\"]')].map((mark) => mark.getAttribute('href'))").await;
        assert!(
            !marks.as_array().unwrap().is_empty()
                && marks.as_array().unwrap().iter().all(|mark| mark == "#mark-loss")
        );
    });
}

#[test]
fn a_search_answers_where_there_is_no_table() {
    in_browser(|page| async move {
        page.visit("").await;
        page.click("#new").await;
        page.until("!document.querySelector('#new-tables').textContent.includes('…') && document.querySelector('#new-tables').textContent.length > 0").await;
        page.picture("new").await;
        page.fill("#new-columns", "5").await;
        page.click("#new-dialog .main").await;
        page.until_text("#verdict", "White to move: not known").await;
        page.picture("unknown").await;
        page.choose("#search-seconds", "60").await;
        page.click("#search-go").await;
        page.until_text("#verdict", "White to move wins by").await;
        page.until_text("#verdict", "(proved by search)").await;
        page.until("document.querySelector('#moves .win button') !== null").await;
        page.until("document.querySelector('#search-stop').hidden").await;
        page.picture("search").await;
        // Leaving the position stops the search, and what it found is kept.
        page.click("#moves .win button").await;
        page.until_text("#verdict", "Black to move").await;
        page.click("#back").await;
        page.until_text("#verdict", "White to move wins by").await;
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

#[test]
fn it_fits_a_phone_and_the_dark() {
    in_browser(|page| async move {
        for (width, dark) in [(360, false), (360, true), (1200, true), (700, false)] {
            page.size(width, 780).await;
            page.dark(dark).await;
            for hash in ["", "#fen=3q2q3/10/10/q8q/10/10/Q8Q/10/10/3Q2Q3+w"] {
                page.visit(hash).await;
                page.until("document.querySelectorAll('#moves button').length > 10").await;
                let beyond =
                    "document.documentElement.scrollWidth - document.documentElement.clientWidth";
                assert_eq!(page.value(beyond).await, 0, "wider than the window");
                let board = page
                    .value("document.querySelector('.board').getBoundingClientRect().width")
                    .await;
                assert!(board.as_f64().unwrap() > f64::from(width.min(640)) * 0.6, "{board}");
                let name = if hash.is_empty() { "4x4" } else { "10x10" };
                page.picture(&format!("{name}-{width}{}", if dark { "-dark" } else { "" })).await;
            }
        }
        let paper = page.value("getComputedStyle(document.body).backgroundColor").await;
        page.choose("#theme", "dark").await;
        assert_ne!(page.value("getComputedStyle(document.body).backgroundColor").await, paper);
    });
}
