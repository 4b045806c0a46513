//! The other games of the family in the page.

use serde_json::{Value, json};

use crate::driver::{Page, in_browser};
use crate::games::paste;
use crate::{open_squares, played, search_only_when_asked};

async fn fen(page: &Page) -> String {
    page.value("document.querySelector('#fen').value").await.as_str().unwrap().to_string()
}

/// Whether elements are hidden.
async fn hidden(page: &Page, ids: &[&str]) -> Vec<bool> {
    let mut found = Vec::new();
    for id in ids {
        let value = page.value(&format!("document.getElementById('{id}').hidden")).await;
        found.push(value.as_bool().unwrap());
    }
    found
}

#[test]
fn cowboys_is_chosen_searched_and_played_to_the_end() {
    in_browser(|page| async move {
        search_only_when_asked(&page).await;
        page.visit("").await;
        page.until_text("#verdict", "White to move wins: 2 of").await;
        assert_eq!(hidden(&page, &["rules-choice", "exercise"]).await, [false, false]);
        page.choose("#map", "distance").await;
        page.choose("#rules", "cowboys").await;
        page.until_text("#game-name", "Cowboys, 7×7, 4 v 4").await;
        assert_eq!(fen(&page).await, "2q1q2/7/q5q/7/Q5Q/7/2Q1Q2 w");
        // What is there for Amazons only is not offered.
        assert_eq!(hidden(&page, &["exercise", "share-sgf", "share-sgf-copy"]).await, [true; 3]);
        let maps = "[...document.querySelector('#map').options].filter((map) => \
            map.disabled).map((map) => map.value)";
        assert_eq!(page.value(maps).await, json!(["margins", "distance", "regions"]));
        let map = "document.querySelector('#map').value";
        assert_eq!(page.value(map).await, "none", "a map that this game does not have");
        page.click("#new").await;
        for (field, value) in [("columns", "4"), ("rows", "4"), ("white", "1"), ("black", "1")] {
            page.fill(&format!("#new-{field}"), value).await;
        }
        page.click("#new-dialog .main").await;
        page.until_text("#game-name", "Cowboys, 4×4, 1 v 1").await;
        page.until_text("#verdict", "who wins is not known").await;
        page.until("!document.querySelector('#search').hidden").await;
        page.click("#search-go").await;
        // Black mirrors what White plays.
        page.until_text("#verdict", "White to move loses").await;
        page.until_text("#search-news", "Proved").await;
        page.picture("cowboys").await;
        page.choose("#opponent", "b").await;
        let mut moves = 0;
        while !page.text("#verdict").await.contains("White cannot move") {
            for _ in 0..3 {
                let squares = open_squares(&page).await;
                page.square(&squares[0].0).await;
            }
            moves += 2;
            page.until(&format!("document.querySelectorAll('#record li').length === {moves}"))
                .await;
            page.until("document.querySelector('#verdict').textContent.startsWith('White')").await;
            assert!(moves < 14, "4x4 has 14 free squares");
        }
        // Back to where the user is to move, and forth.
        page.click("#back").await;
        page.until(&format!("!document.querySelector('#verdict').textContent.includes('cannot')"))
            .await;
        // The address opens the game anew.
        let address = page.value("location.hash").await;
        let address = address.as_str().unwrap();
        assert!(address.starts_with("#rules=cowboys&fen=1q2/4/4/1Q2+w&moves="), "{address}");
        let shown = fen(&page).await;
        page.visit(address).await;
        page.until_text("#game-name", "Cowboys").await;
        page.until(&format!("document.querySelector('#fen').value === {shown:?}")).await;
        assert_eq!(played(&page).await, moves);
        // Back to Amazons, where all is as it was.
        page.choose("#rules", "amazons").await;
        page.until_text("#verdict", "White to move wins: 2 of").await;
        assert_eq!(hidden(&page, &["exercise", "share-sgf"]).await, [false, false]);
        assert_eq!(page.text("#game-name").await, "5×4, 4 v 4");
        page.choose("#map", "arrow").await;
        page.choose("#rules", "tromazons").await;
        page.until_text("#game-name", "Tromazons, 8×8, 4 v 4").await;
        assert_eq!(page.value(map).await, "none", "no arrow is shot");
    });
}

/// Clicks near the west side of a square, inside it.
async fn click_west_side(page: &Page, square: &str) {
    page.run(&format!(
        "const cell = document.querySelector('[data-square={square}]'); const {{ left, top, height \
        }} = cell.querySelector('.square').getBoundingClientRect(); cell.dispatchEvent(new \
        MouseEvent('click', {{ bubbles: true, clientX: left + 2, clientY: top + height / 2 }}))"
    ))
    .await;
}

#[test]
fn walls_and_the_number_of_a_turn_are_set_up_by_hand() {
    in_browser(|page| async move {
        page.visit("#rules=tromazons&turns=1,2&fen=q2/3/2Q+w").await;
        page.until_text("#game-name", "Tromazons").await;
        page.click("#new").await;
        for (field, value) in [("columns", "3"), ("rows", "3"), ("white", "1"), ("black", "1")] {
            page.fill(&format!("#new-{field}"), value).await;
        }
        page.click("#new-edit").await;
        page.click("#new-dialog .main").await;
        page.until("!document.querySelector('#editor').hidden").await;
        assert_eq!(hidden(&page, &["edit-walls"]).await, [false]);
        let start = fen(&page).await;
        let squares = start.split(' ').next().unwrap();
        assert_eq!(start, format!("{squares} w 1 -"));
        click_west_side(&page, "b2").await;
        // Once more takes it away, from the other side too.
        for key in ["e", "e", "n", "s", "s"] {
            page.run(&format!(
                "document.querySelector('[data-square=b2]').dispatchEvent(new KeyboardEvent(\
                'keydown', {{ bubbles: true, key: '{key}' }}))"
            ))
            .await;
        }
        page.picture("editor-walls").await;
        let walls = "document.querySelectorAll('.board .wall').length";
        assert_eq!(page.value(walls).await, 2);
        page.run(
            "const number = document.querySelector('#edit-number'); number.value = '2'; \
            number.dispatchEvent(new Event('change'))",
        )
        .await;
        page.choose("#edit-turn", "b").await;
        page.click("#edit-done").await;
        page.until("document.querySelector('#editor').hidden").await;
        assert_eq!(fen(&page).await, format!("{squares} b 2 b2N,a2E"));
        assert_eq!(page.value(walls).await, 2);
    });
}

#[test]
fn walls_are_built_by_clicking_beside_them_and_drawn() {
    in_browser(|page| async move {
        search_only_when_asked(&page).await;
        page.visit("#rules=tromazons&fen=3/q1Q/3+w").await;
        page.until_text("#game-name", "Tromazons, 3×3, 1 v 1").await;
        let walls = "document.querySelectorAll('.board .wall:not(.open-wall)').length";
        assert_eq!(page.value(walls).await, 0);
        page.square("c2").await;
        page.until_text("#status", "c2 chosen: 3 steps").await;
        page.square("b2").await;
        page.until_text("#status", "b2 chosen: 4 walls").await;
        let squares = open_squares(&page).await;
        let names: Vec<&str> = squares.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names.len(), 4);
        assert!(names.iter().all(|name| ["a2", "b1", "b3", "c2"].contains(name)), "{names:?}");
        assert!(squares.iter().all(|(_, label)| label.contains("wall between here and b2")));
        page.picture("walls").await;
        click_west_side(&page, "b2").await;
        page.until_text("#record", "c2-b2/W").await;
        page.until_text("#verdict", "Black to move").await;
        assert_eq!(fen(&page).await, "3/qQ1/3 b 1 a2E");
        assert_eq!(page.value(walls).await, 1);
        let label = page
            .value("document.querySelector('[data-square=b2]').getAttribute('aria-label')")
            .await;
        assert_eq!(label, "b2, white amazon, wall west");
        // By the square beyond, with the board turned.
        page.click("#flip").await;
        for square in ["a2", "a3", "b3"] {
            page.square(square).await;
        }
        page.until_text("#record", "a2-a3/E").await;
        assert_eq!(fen(&page).await, "q2/1Q1/3 w 1 a2E,a3E");
        assert_eq!(page.value(walls).await, 2);
        page.click("#first").await;
        page.until(&format!("{walls} === 0")).await;
        page.click("#last").await;
        page.until(&format!("{walls} === 2")).await;
        page.click("#search-go").await;
        page.until("!/not known/.test(document.querySelector('#verdict').textContent)").await;
    });
}

#[test]
fn a_turn_of_several_moves_goes_on_with_the_same_side() {
    in_browser(|page| async move {
        page.visit("#turns=1,3,4&fen=1qq1/q2q/Q2Q/1QQ1+w&moves=b1-b3/b1").await;
        page.until_text("#game-name", "Amazons, turns of 1,3,4 moves, 4×4, 4 v 4").await;
        page.until_text("#verdict", "Black to move").await;
        page.click("[data-move=\"b4-a4/b4\"]").await;
        page.until_text("#record", "b4-a4/b4").await;
        page.until_text("#verdict", "Black to move").await;
        assert_eq!(fen(&page).await, "q*q1/qQ1q/Q2Q/1*Q1 b 2+a4");
        // The amazon that has moved does not move again.
        let from: Vec<String> =
            open_squares(&page).await.into_iter().map(|(square, _)| square).collect();
        assert!(!from.contains(&"a4".to_string()) && !from.is_empty(), "{from:?}");
        // The engine ends the turn, with a number for all its moves.
        page.choose("#level", "easy").await;
        page.choose("#opponent", "b").await;
        page.until("document.querySelectorAll('#record li').length === 4").await;
        page.until("!document.querySelector('#verdict').textContent.startsWith('Black to')").await;
        assert_eq!(page.value("document.querySelectorAll('#record .number').length").await, 1);
        page.click("#back").await;
        page.until(
            "document.querySelector('#record button').ariaCurrent === 'step' || \
            document.querySelector('#back').disabled",
        )
        .await;
        assert_eq!(page.value("document.querySelector('#back').disabled").await, Value::Bool(true));
        page.visit("#rules=chess&fen=1qq1/q2q/Q2Q/1QQ1+w").await;
        page.until_text("#status", "This address cannot be shown: rules are one of amazons").await;
    });
}

#[test]
fn games_by_other_rules_are_pasted_with_numbers_and_from_a_board() {
    in_browser(|page| async move {
        page.visit("#rules=killer&fen=1qq1/q2q/Q2Q/1QQ1+w").await;
        for text in ["4x4 b1-b3/b1", "1qq1/q2q/Q2Q/1QQ1 w 1. b1-b3/b1", "4x4 1.b1-b3/b1"] {
            paste(&page, text).await;
            page.until("document.querySelector('#fen').value === '1qq1/qQ1q/Q2Q/1*Q1 b'").await;
            page.click("#first").await;
            page.until("document.querySelector('#fen').value === '1qq1/q2q/Q2Q/1QQ1 w'").await;
        }
        page.click("#paste").await;
        page.fill("#paste-text", " ").await;
        page.click("#paste-dialog .main").await;
        page.until_text("#paste-dialog .error", "Paste a position or a game first").await;
    });
}

#[test]
fn turns_of_one_move_are_amazons() {
    in_browser(|page| async move {
        page.visit("#turns=1&fen=1qq1/q2q/Q2Q/1QQ1+w").await;
        page.until_text("#verdict", "White to move loses").await;
        assert!(!page.text("#game-name").await.contains("turns"));
        assert_eq!(hidden(&page, &["exercise", "share-sgf"]).await, [false, false]);
    });
}
