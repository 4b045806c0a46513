//! What the page says it knows: no more than is known, and all that was proved since it was opened.

use serde_json::Value;

use crate::driver::{Page, in_browser};
use crate::{START, open_squares, search_only_when_asked};

/// Beyond the opening tables of the program: Black, to move, wins, and most of its moves lose.
const UNKNOWN: &str = "#fen=1q1q1/q3q/5/Q3Q/1Q1Q1+w&moves=b1-b3/d3+b5-b4/b5+a2-a3/a2";

/// Black, to move, wins; that is proved in seconds. A minute leaves most of its moves unknown.
const LONG: &str = "#fen=1q2q1/q4q/6/Q4Q/1Q2Q1+w&moves=a2-a3/b4";

/// The numbers in the headings of the list of moves: wins, unknown ones, losses.
async fn counts(page: &Page) -> [u64; 3] {
    let count = |name: &'static str| async move {
        let heading = format!(
            "[...document.querySelectorAll('#moves h3')].map((heading) => \
                heading.textContent).find((text) => text.startsWith({name:?}))?.match(/\\d+/)[0]"
        );
        page.value(&heading).await.as_str().map_or(0, |number| number.parse().unwrap())
    };
    [count("Wins").await, count("Not known").await, count("Losses").await]
}

async fn stop_search(page: &Page) {
    page.until("document.querySelector('#search-stop').hidden").await;
}

#[test]
fn the_first_visit_shows_something_to_find_and_the_solved_boards() {
    in_browser(|page| async move {
        page.visit("").await;
        page.until_text(
            "#verdict",
            "White to move wins: 2 of 170 moves win (from the opening table of 5x4 4v4)",
        )
        .await;
        page.until("document.querySelectorAll('#boards button').length === 13").await;
        let boards = page
            .value(
                "[...document.querySelectorAll('#boards button')].map((button) => \
            [button.textContent, button.title])",
            )
            .await;
        let expected = [
            ("4×4 Black wins", "Black wins, from the table 4x4 4v4"),
            ("4×5 Black wins", "Black wins, from the opening table of 4x5 4v4"),
            ("5×4 White wins", "White wins, 2 of 170 moves win, from the opening table of 5x4 4v4"),
            (
                "4×6 White wins",
                "White wins, 14 of 256 moves win, from the opening table of 4x6 4v4",
            ),
            ("6×4 Black wins", "Black wins, from the opening table of 6x4 4v4"),
            (
                "5×5 White wins",
                "White wins, 84 of 260 moves win, from the opening table of 5x5 4v4",
            ),
            ("4×7 White wins", "White wins, by the certificate 4x7.proof"),
            ("7×4 Black wins", "Black wins, by the certificate 7x4.proof, which is not here"),
            ("5×6 White wins", "White wins, by the certificate 5x6.proof"),
            ("6×5 White wins", "White wins, by the certificate 6x5.proof, which is not here"),
            ("4×8 White wins", "White wins, by the certificate 4x8.proof, which is not here"),
            ("5×7 White wins", "White wins, by the certificate 5x7.proof, which is not here"),
            ("4×9 White wins", "White wins, by the certificate 4x9.proof, which is not here"),
        ];
        assert_eq!(boards, serde_json::json!(expected));
        page.picture("first-visit").await;
        page.click("#boards [data-board=\"5x5\"]").await;
        page.until_text("#verdict", "White to move wins: 84 of 260 moves win").await;
        assert_eq!(counts(&page).await, [84, 0, 176]);
    });
}

#[test]
fn the_verdict_is_written_once() {
    in_browser(|page| async move {
        page.visit(START).await;
        page.until_text("#verdict", "White to move loses").await;
        let seen = "[...document.querySelectorAll('h1, h2, p, span')].filter((element) => \
            !element.closest('.hidden') && /White to move/.test(element.textContent)).length";
        assert_eq!(page.value(seen).await, 1);
        // Ears hear it from a place that eyes do not see.
        page.until_text("#heard", "White to move loses.").await;
    });
}

#[test]
fn no_more_is_said_than_is_known() {
    in_browser(|page| async move {
        page.visit(LONG).await;
        page.until_text("#verdict", "Black to move: who wins is not known").await;
        page.picture("unknown").await;
        page.choose("#search-seconds", "60").await;
        page.click("#search-go").await;
        // While some moves are not known, all numbers are at least.
        page.until(
            "/ wins: at least \\d+ of \\d+ moves wins?; \\d+ not known \\(proved by \
            search\\)/.test(document.querySelector('#verdict').textContent)",
        )
        .await;
        let said = page
            .value(
                "(() => { const [, wins, moves, unknown] = \
            document.querySelector('#verdict').textContent.match(/(\\d+) of (\\d+) moves wins?; (\\d+) \
            not/); return [wins, moves, unknown, [...document.querySelectorAll('#moves \
            h3')].map((heading) => heading.textContent).join(' ')]; })()",
            )
            .await;
        let said: Vec<&str> =
            said.as_array().unwrap().iter().map(|v| v.as_str().unwrap()).collect();
        let [wins, moves, unknown, headings] = said[..] else { panic!("{said:?}") };
        assert!(headings.contains(&format!("Wins ({wins})")), "{said:?}");
        assert!(headings.contains(&format!("Not known ({unknown})")), "{said:?}");
        page.click("#search-stop").await;
        stop_search(&page).await;
        let [wins, unknown, losses] = counts(&page).await;
        assert_eq!((wins + unknown + losses).to_string(), moves);
        // With the moves of an amazon chosen, what is said of its steps is at least, too.
        let labels = open_squares(&page).await;
        let open = labels.iter().find(|(_, label)| label.contains("at least "));
        let (square, label) = open.unwrap_or_else(|| panic!("{unknown}: {labels:?}"));
        assert!(label.contains(" win") && label.ends_with(" not known"), "{label}");
        page.square(square).await;
        page.until("document.querySelector('.count')").await;
        let steps = open_squares(&page).await;
        let told = steps.iter().filter(|(_, label)| label.contains("at least ")).count();
        assert!(told > 0, "{steps:?}");
        let marked = page
            .value(
                "[...document.querySelectorAll('.count')].filter((count) => \
                count.textContent.startsWith('≥')).length",
            )
            .await;
        assert_eq!(marked, told, "{steps:?}");
        page.picture("at-least").await;
    });
}

#[test]
fn what_was_proved_is_kept_for_the_moves_and_back() {
    in_browser(|page| async move {
        search_only_when_asked(&page).await;
        page.visit(UNKNOWN).await;
        page.until("document.querySelectorAll('#moves .unknown button').length > 0").await;
        // What the bounds know already needs no proof.
        let losses = "[...document.querySelectorAll('#moves .loss button')].map((button) => \
            button.dataset.move)";
        page.run(&format!("window.plain = {losses}")).await;
        page.choose("#search-seconds", "60").await;
        page.click("#search-go").await;
        let proved = format!("{losses}.find((move) => !plain.includes(move))");
        page.until(&format!("{proved} && document.querySelector('#moves .win button')")).await;
        // It may be over by itself.
        page.run("document.querySelector('#search-stop').click()").await;
        stop_search(&page).await;
        let known = counts(&page).await;
        // A move that was proved to lose leads to a position that is won.
        let losing = page.value(&proved).await;
        page.click(&format!("[data-move=\"{}\"]", losing.as_str().unwrap())).await;
        page.until_text("#verdict", "White to move wins").await;
        page.click("#back").await;
        page.until_text("#verdict", "Black to move wins").await;
        assert_eq!(counts(&page).await, known);
        page.click("#moves .win button").await;
        page.until_text("#verdict", "White to move loses: none of").await;
        page.until(
            "/\\((follows from what is known|proved by search)\\)/.test(document.querySelector(\
            '#verdict').textContent)",
        )
        .await;
        // All moves of a lost position lose, so the positions after them are won, whichever it is.
        assert_eq!(page.value("document.querySelector('#moves .unknown')").await, Value::Null);
        for place in [0, -1] {
            let losses = "[...document.querySelectorAll('#moves .loss button')]";
            page.run(&format!("{losses}.at({place}).click()")).await;
            page.until_text("#verdict", "Black to move wins").await;
            page.click("#back").await;
            page.until_text("#verdict", "White to move loses: none of").await;
        }
        // The positions before are settled too.
        page.click("#first").await;
        page.until_text("#verdict", "White to move wins: 84 of 260").await;
    });
}

#[test]
fn a_proof_below_decides_what_is_above() {
    in_browser(|page| async move {
        search_only_when_asked(&page).await;
        // Black's winning move is not known; once the position after it is proved lost, it is.
        page.visit(UNKNOWN).await;
        page.until_text("#verdict", "Black to move: who wins is not known").await;
        page.choose("#search-seconds", "60").await;
        page.click("#search-go").await;
        page.until("document.querySelector('#moves .win button') !== null").await;
        let winning = page.value("document.querySelector('#moves .win button').dataset.move").await;
        let winning = winning.as_str().unwrap();
        // Another visit is told what follows from it.
        page.visit(&format!("{UNKNOWN}+{winning}")).await;
        page.until_text("#verdict", "White to move loses").await;
        page.click("#back").await;
        page.until(
            "/^Black to move wins: .*\\d+ of 104 moves win.* \\((follows from what is known|\
            proved by search)\\)$/.test(document.querySelector('#verdict').textContent)",
        )
        .await;
    });
}

#[test]
fn a_search_leaves_with_its_position() {
    in_browser(|page| async move {
        search_only_when_asked(&page).await;
        page.visit("#fen=q2/3/1*1/2Q+w").await;
        page.click("#new").await;
        for (field, value) in [("columns", "5"), ("rows", "4"), ("white", "2"), ("black", "2")] {
            page.fill(&format!("#new-{field}"), value).await;
        }
        page.click("#new-dialog .main").await;
        page.until_text("#verdict", "who wins is not known").await;
        page.choose("#search-seconds", "60").await;
        page.click("#search-go").await;
        page.until(
            "document.querySelector('#search-graph svg polyline') !== null || \
            document.querySelector('#search-stop').hidden",
        )
        .await;
        page.picture("graph").await;
        page.until("document.querySelector('#search-news').textContent !== ''").await;
        page.click("#boards [data-board=\"6x4\"]").await;
        page.until_text("#verdict", "from the opening table of 6x4").await;
        assert_eq!(page.text("#search-news").await, "");
        page.until("document.querySelector('#search-graph').hidden").await;
        page.until("document.querySelector('#search').hidden").await;
    });
}

#[test]
fn an_estimate_is_not_taken_for_a_proof() {
    in_browser(|page| async move {
        page.visit("#fen=3q2q3/10/10/q8q/10/10/Q8Q/10/10/3Q2Q3+w").await;
        page.until("!document.querySelector('#standing').hidden").await;
        page.until_text("#standing-text", "Nothing is proved.").await;
        page.until_text("#standing-text", "Estimate: ").await;
        page.until_text("#standing-text", "expected: ").await;
        let class = "document.querySelector('#standing-bar').className";
        assert_eq!(page.value(class).await, "standing-bar estimate");
        page.picture("estimate").await;
        page.visit(START).await;
        page.until("!document.querySelector('#standing').hidden").await;
        assert_eq!(page.value(class).await, "standing-bar proved");
        assert_eq!(page.text("#standing-text").await, "");
        assert_eq!(page.value("document.querySelector('#standing-white').style.width").await, "0%");
    });
}
