//! By how much moves win or lose: shown where it is known, in words and colours, on the list and on
//! the board, and as an exercise.

use serde_json::{Value, json};

use crate::alone::{alone, folder, pieces, with_tables};
use crate::driver::{Page, in_browser};
use crate::exercises::play;
use crate::static_server::Ranges;
use crate::{START, search_only_when_asked};

/// What is written beside the moves in the list, and the colours that it is written on.
async fn told(page: &Page) -> Vec<(String, String, u64)> {
    let list = page
        .value(
            "[...document.querySelectorAll('#moves .margin')].map((margin) => \
            [margin.closest('button').dataset.move, margin.textContent, \
            getComputedStyle(margin).backgroundColor.match(/\\d+/g).slice(0, 3).reduce((sum, part) \
            => sum + Number(part), 0)])",
        )
        .await;
    serde_json::from_value(list).unwrap()
}

/// What the source says of the position that is shown, without a search: each move, whether it
/// wins, and by how much.
async fn known(page: &Page) -> Vec<(String, String, u64)> {
    let asked = "(await (await import('./source.js')).source.margins(document.querySelector(\
        '#fen').value, 0)).moves.map(({ move, value, margin }) => [move, value, margin])";
    serde_json::from_value(page.promised(asked).await).unwrap()
}

/// The page without a server knows the margins of 4x4.
#[test]
fn margins_of_a_table_are_shown_with_their_colours() {
    let Some(folder) = folder() else { return };
    alone(folder, Ranges::Unknown, |page, _| async move {
        page.visit(&format!("{START}&moves=b1-b3/b1+c4-c2/c3+d2-d1/d2")).await;
        page.until("document.querySelector('#moves .margin') !== null").await;
        let (mut told, known) = (told(&page).await, known(&page).await);
        assert!(!told.is_empty() && known.iter().any(|(_, value, _)| value == "win"));
        for (played, words, _) in &told {
            let (_, _, margin) = known.iter().find(|(other, ..)| other == played).unwrap();
            assert_eq!(words, &format!("by {margin}"), "{played}");
        }
        // The more a move wins by, the lighter its colour.
        let level = |played: &str| {
            let (_, value, margin) = known.iter().find(|(other, ..)| other == played).unwrap();
            let margin = *margin as i64;
            if value == "win" { margin + 1 } else { -margin - 1 }
        };
        told.sort_by_key(|(played, ..)| level(played));
        let lightness: Vec<(i64, u64)> =
            told.iter().map(|(played, _, light)| (level(played), *light)).collect();
        assert!(lightness.is_sorted(), "{lightness:?}");
        assert!(lightness.first().unwrap().1 < lightness.last().unwrap().1, "{lightness:?}");
        assert_eq!(page.value("document.querySelector('#margins-scale').hidden").await, false);
        page.picture("margins").await;

        page.choose("#map", "margins").await;
        page.until("document.querySelector('.laid-text') !== null").await;
        let best = known.iter().map(|(played, ..)| level(played)).max().unwrap();
        let first = known.iter().find(|(played, ..)| level(played) == best).unwrap().0.clone();
        let square = first.split('-').next().unwrap();
        let text =
            format!("document.querySelector('[data-on=\"{square}\"] .laid-text').textContent");
        assert_eq!(page.value(&text).await, format!("+{}", best - 1));
        let label = format!(
            "document.querySelector('[data-square=\"{square}\"]').getAttribute('aria-label')"
        );
        let label = page.value(&label).await;
        assert!(label.as_str().unwrap().ends_with(&format!("wins by {}", best - 1)), "{label}");
        assert_eq!(page.value("document.querySelector('#scale').hidden").await, false);
        page.picture("margin-map").await;
        // Without values nothing tells.
        page.click("#values").await;
        page.until("document.querySelector('.laid-text, #moves .margin') === null").await;
    });
}

#[test]
fn margins_are_read_in_pieces() {
    let Some(folder) = folder() else { return };
    let copy = with_tables(folder, &pieces());
    alone(&copy.path().to_path_buf(), Ranges::Sent, |page, server| async move {
        // Early in a game bounds tell nothing.
        page.visit(&format!("{START}&moves=b1-b3/b1")).await;
        page.until("document.querySelector('#moves .margin') !== null").await;
        let requests = server.requests();
        // The service worker asks for the files beside the page, whole, when it comes to it.
        let planes: Vec<&String> = requests
            .iter()
            .filter(|path| path.starts_with("far/"))
            .filter(|path| path.contains("-plus-") || path.contains("-minus-"))
            .collect();
        println!("{} of {} requests for planes", planes.len(), requests.len());
        assert!(!planes.is_empty() && planes.len() < 80, "{planes:?}");
        assert!(planes.iter().all(|request| request.contains("bytes=")), "{planes:?}");
        let known = known(&page).await;
        for (played, words, _) in told(&page).await {
            let (_, _, margin) = known.iter().find(|(other, ..)| *other == played).unwrap();
            assert_eq!(words, format!("by {margin}"), "{played}");
        }
        assert_eq!(page.value("document.querySelector('.notice')").await, Value::Null);
    });
    // Without one of its planes the table is left out, and that is said once.
    let planes = std::fs::read_dir(copy.path().join("far")).unwrap();
    for plane in planes.map(|entry| entry.unwrap().path()) {
        if plane.to_str().unwrap().contains("-minus-01") {
            std::fs::remove_file(plane).unwrap();
        }
    }
    alone(&copy.path().to_path_buf(), Ranges::Sent, |page, _| async move {
        page.visit(&format!("{START}&moves=b1-b3/b1")).await;
        page.until("document.querySelector('.notice') !== null").await;
        page.until_text(".notice", "The table at far/ is left out: ").await;
        page.until_text(".notice", "-minus-01.amz is answered with status 404").await;
        assert_eq!(page.value("document.querySelectorAll('.notice').length").await, 1);
    });
}

#[test]
fn what_bounds_know_is_shown_and_the_rest_is_searched_for() {
    in_browser(|page| async move {
        search_only_when_asked(&page).await;
        // A zugzwang that is worth 4 to Black.
        page.visit("#fen=1*Q1/*q**/4/*1**+b").await;
        page.until_text("#verdict", "Black to move wins").await;
        page.click("#margins").await;
        page.until_text("#heard", "Margins are shown.").await;
        let found = told(&page).await;
        let moves =
            page.value("document.querySelectorAll('#moves button[data-move]').length").await;
        assert_eq!(json!(found.len()), moves);
        assert_eq!(found[0].1, "by 3");
    });
}

#[test]
fn the_move_that_wins_by_most_is_an_exercise() {
    let Some(folder) = folder() else { return };
    alone(folder, Ranges::Unknown, |page, _| async move {
        page.visit("").await;
        page.until("document.querySelectorAll('#exercise-board option').length > 0").await;
        page.click("#exercise").await;
        page.choose("#exercise-goal", "margin").await;
        page.choose("#exercise-board", "4x4").await;
        page.click("#exercise-dialog .main").await;
        page.until("!document.querySelector('#exercise-dialog').open").await;
        page.until_text("#exercise-title", "Find the move that wins by most").await;
        page.until_text("#exercise-task", " moves win, and one of them by more than the others")
            .await;
        page.until("document.querySelectorAll('#moves button').length > 0").await;
        // Nothing gives the move away.
        let tells = "document.querySelector('#moves .margin, #moves .letter')";
        assert_eq!(page.value(tells).await, Value::Null);
        let known = known(&page).await;
        let [(best, value, most), (next, next_value, less), ..] = &known[..] else {
            panic!("{known:?}")
        };
        assert!(value == "win" && next_value == "win" && most > less, "{known:?}");
        play(&page, next).await;
        let expected = format!("{next} wins by {less}; another move wins by more");
        page.until_text("#exercise-answer", &expected).await;
        if let Some((lost, ..)) = known.iter().find(|(_, value, _)| value == "loss") {
            play(&page, lost).await;
            page.until_text("#exercise-answer", &format!("{lost} loses: ")).await;
        }
        play(&page, best).await;
        let expected =
            format!("Right: {best} wins by {most}. The best of the others wins by {less}.");
        page.until_text("#exercise-answer", &expected).await;
        page.picture("exercise-margin").await;
        page.click("#exercise-next").await;
        page.until("document.querySelector('#exercise-answer').textContent === ''").await;
        page.click("#exercise-show").await;
        page.until_text("#exercise-answer", "The move is ").await;
    });
}
