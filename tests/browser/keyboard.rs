//! Keys of one letter, and where the focus goes.

use crate::driver::{Page, in_browser};
use crate::{ENTER, START, search_only_when_asked};

/// A button is pressed by keyboard, and then another one has the focus.
async fn is_passed_on(page: &Page, pressed: &str, then: &str) {
    page.run(&format!("document.getElementById('{pressed}').focus()")).await;
    page.keys(ENTER).await;
    page.until(&format!("document.activeElement.id === '{then}'")).await;
}

#[test]
fn the_focus_stays_with_what_undoes_the_last_button() {
    in_browser(|page| async move {
        search_only_when_asked(&page).await;
        // A board that is not proved while a test looks.
        page.visit("#fen=q3q/5/5/5/Q3Q+w").await;
        page.until("!document.querySelector('#search-go').disabled").await;
        for (pressed, then) in [("search-go", "search-stop"), ("search-stop", "search-go")] {
            is_passed_on(&page, pressed, then).await;
        }
        page.visit(START).await;
        page.until("document.querySelectorAll('#moves button').length > 0").await;
        page.click("#moves .moves button").await;
        page.until("!document.querySelector('#take-back').disabled").await;
        for (pressed, then) in [("take-back", "undo"), ("undo", "take-back"), ("back", "forward")] {
            is_passed_on(&page, pressed, then).await;
        }
    });
}

#[test]
fn brackets_work_however_they_are_written_and_keys_can_be_switched_off() {
    in_browser(|page| async move {
        page.visit(START).await;
        page.until("document.querySelectorAll('#moves button').length > 0").await;
        page.click("#moves .moves button").await;
        page.until("!document.querySelector('#back').disabled").await;
        let press = |key: &str, more: &str| {
            format!(
                "document.body.dispatchEvent(new KeyboardEvent('keydown', {{ key: '{key}', \
                bubbles: true, {more} }}))"
            )
        };
        let at_the_start = "document.querySelector('#back').disabled";
        page.run(&press("[", "ctrlKey: true, altKey: true")).await;
        page.until(at_the_start).await;
        page.run(&press("]", "altKey: true")).await;
        page.until("!document.querySelector('#back').disabled").await;
        page.run(&press("[", "ctrlKey: true")).await;
        assert_eq!(page.value(at_the_start).await, false);
        page.run("document.querySelector('#keys').click()").await;
        page.run(&press("[", "")).await;
        assert_eq!(page.value(at_the_start).await, false);
        page.run("document.querySelector('#keys').click()").await;
        page.run(&press("[", "")).await;
        page.until(at_the_start).await;
    });
}
