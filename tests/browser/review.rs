//! The course of a game: values and estimates over its moves.

use serde_json::{Value, json};

use crate::START;
use crate::driver::{Page, in_browser};

const LARGE: &str = "#fen=3q2q3/10/10/q8q/10/10/Q8Q/10/10/3Q2Q3+w&moves=d1-d8/b6+g10-g3/g8";

/// The kinds of the bars, from the start on.
async fn bars(page: &Page) -> Value {
    page.value(
        "[...document.querySelectorAll('#course .bar')].map((bar) => \
        bar.getAttribute('class').slice(4))",
    )
    .await
}

#[test]
fn values_are_drawn_over_the_moves_and_blunders_marked() {
    in_browser(|page| async move {
        page.visit(&format!("{START}&moves=b1-b3/b1")).await;
        page.until_text("#verdict", "Black to move wins: ").await;
        let losing = page.value("document.querySelector('#moves .loss button').dataset.move").await;
        let losing = losing.as_str().unwrap();
        // A visit that has seen none of the positions but the last one asks for all of them.
        page.visit(&format!("{START}&moves=b1-b3/b1+{losing}")).await;
        page.until("document.querySelectorAll('#course .bar.proved').length === 3").await;
        assert_eq!(bars(&page).await, json!(["black proved", "black proved", "white proved"]));
        let marks = "[...document.querySelectorAll('#course .column')].map((column) => \
            column.querySelector('.fault')?.textContent ?? '')";
        assert_eq!(page.value(marks).await, json!(["", "", "??"]));
        assert_eq!(page.text("#record .blunder [aria-hidden]").await, "??");
        let label = "document.querySelector('#course svg').getAttribute('aria-label')";
        let said = format!("Move 2, {losing}, gave the win away.");
        assert!(page.value(label).await.as_str().unwrap().ends_with(&said));
        page.picture("course").await;
        // A press on a move leads to it.
        page.run(
            "document.querySelectorAll('#course .column')[1].dispatchEvent(new \
            MouseEvent('click', { bubbles: true }))",
        )
        .await;
        page.until_text("#heard", "After move 1, b1-b3/b1.").await;
        page.until("document.querySelectorAll('#course .column')[1].matches('.current')").await;
        // Without values there is nothing to see of them.
        page.click("#values").await;
        page.until("document.querySelector('#course').hidden").await;
        assert_eq!(page.value("document.querySelector('#record .blunder')").await, Value::Null);
    });
}

#[test]
fn the_best_line_is_entered_as_far_as_it_is_known() {
    in_browser(|page| async move {
        page.visit(&format!("{START}&moves=b1-b3/b1")).await;
        page.until_text("#verdict", "Black to move wins: ").await;
        page.click("#best-line").await;
        page.until_text("#status", "Best play from here: ").await;
        let said = page.text("#status").await;
        assert!(said.ends_with("moves, to the end of the game. Black wins."), "{said}");
        // The position stays; the moves stand behind it, and lead to where White cannot move.
        page.until_text("#verdict", "Black to move wins: ").await;
        page.click("#last").await;
        page.until_text("#verdict", "White cannot move: Black has won").await;
        page.until("document.querySelectorAll('#moves button').length === 0").await;
        page.until("document.querySelector('#best-line').hidden").await;
        // Where nothing is known there is none, nor where values are hidden.
        page.visit(LARGE).await;
        page.until("document.querySelector('#best-line').hidden").await;
    });
}

#[test]
fn what_nobody_knows_is_estimated_if_that_is_asked_for() {
    in_browser(|page| async move {
        page.visit(LARGE).await;
        page.until("document.querySelectorAll('#course .bar.estimate').length === 1").await;
        assert_eq!(page.text("#estimate").await, "Estimate all");
        page.click("#estimate").await;
        page.until("document.querySelectorAll('#course .bar.estimate').length === 3").await;
        page.until("document.querySelector('#estimate').hidden").await;
        page.visit("").await;
        page.until_text("#verdict", "White to move wins").await;
        let hidden = "['course', 'course-key', 'estimate'].every((id) => \
            document.getElementById(id).hidden)";
        assert_eq!(page.value(hidden).await, true, "there is no move");
    });
}
