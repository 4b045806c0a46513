//! "Find the only winning move."

use serde_json::Value;

use crate::driver::{Page, in_browser};

pub(crate) async fn begin(page: &Page, board: &str, difficulty: &str) {
    page.visit("").await;
    page.until("document.querySelectorAll('#exercise-board option').length === 6").await;
    page.click("#exercise").await;
    page.choose("#exercise-board", board).await;
    page.choose("#exercise-difficulty", difficulty).await;
    page.click("#exercise-dialog .main").await;
    page.until("!document.querySelector('#exercise-dialog').open").await;
    page.until("document.querySelectorAll('#moves button').length > 0").await;
}

/// The moves of the position that is shown, and the one that wins.
async fn solution(page: &Page) -> (Vec<String>, String) {
    page.run(
        "window.answer = null; fetch('/api/v1/position?' + new URLSearchParams({ fen: \
        document.querySelector('#fen').value })).then((found) => found.json()).then((found) => { \
        window.answer = found; })",
    )
    .await;
    page.until("window.answer !== null").await;
    let moves = page.value("answer.moves.map(({ move }) => move)").await;
    let wins = page
        .value("answer.moves.filter(({ value }) => value === 'win').map(({ move }) => move)")
        .await;
    let wins: Vec<String> = serde_json::from_value(wins).unwrap();
    assert_eq!(wins.len(), 1);
    (serde_json::from_value(moves).unwrap(), wins[0].clone())
}

pub(crate) async fn play(page: &Page, played: &str) {
    for square in played.split(['-', '/']) {
        page.square(square).await;
    }
}

#[test]
fn a_wrong_move_is_refuted_and_the_right_one_explained() {
    in_browser(|page| async move {
        begin(&page, "4x4", "medium").await;
        // Nothing gives the move away.
        let words = page.text("#verdict").await;
        assert!(words == "White to move" || words == "Black to move", "{words}");
        assert_eq!(
            page.value(
                "document.querySelector('#moves .letter, .board \
            use[href=\"#mark-win\"], #standing:not([hidden])')"
            )
            .await,
            Value::Null
        );
        assert!(page.text("#exercise-task").await.contains("(medium: "));
        page.picture("exercise").await;
        let (moves, wins) = solution(&page).await;
        let wrong = moves.iter().find(|played| **played != wins).unwrap();
        play(&page, wrong).await;
        page.until_text("#exercise-answer", &format!("{wrong} loses: ")).await;
        page.until_text("#exercise-answer", "Try another move.").await;
        assert!(page.text("#exercise-answer").await.contains(" answers "));
        play(&page, &wins).await;
        page.until_text("#exercise-answer", &format!("Right: {wins} is the only move that wins."))
            .await;
        page.until_text("#verdict", "loses").await;
        page.picture("exercise-solved").await;
        page.click("#exercise-next").await;
        page.until("document.querySelector('#exercise-answer').textContent === ''").await;
        page.until(
            "/^(White|Black) to move$/.test(document.querySelector('#verdict').textContent)",
        )
        .await;
        page.click("#exercise-show").await;
        page.until_text("#exercise-answer", "The move is ").await;
        page.until_text("#verdict", "loses").await;
        page.click("#exercise-end").await;
        page.until("document.querySelector('#exercise-panel').hidden").await;
    });
}

#[test]
fn opening_tables_have_exercises_too() {
    in_browser(|page| async move {
        begin(&page, "5x5", "hard").await;
        let (_, wins) = solution(&page).await;
        play(&page, &wins).await;
        page.until_text("#exercise-answer", "Right: ").await;
        begin(&page, "4x4", "easy").await;
        page.until_text("#exercise-task", "(easy: ").await;
        page.click("#exercise").await;
        page.choose("#exercise-board", "5x5").await;
        page.choose("#exercise-difficulty", "easy").await;
        page.click("#exercise-dialog .main").await;
        page.until_text("#exercise-dialog .error", "no position of 5x5 like that").await;
    });
}
