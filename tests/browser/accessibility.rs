//! Roles, names, and what axe-core finds.
//!
//! axe-core is not part of the repository. Its file `axe.min.js` is looked for at the path that the
//! variable AXE names, else at `target/axe/node_modules/axe-core/axe.min.js`, where
//! `npm install --prefix target/axe axe-core` puts it. Without it the test says that it was left
//! out.

use serde_json::Value;

use crate::START;
use crate::driver::{Page, in_browser};

/// The text of axe-core, if it is there.
fn axe() -> Option<String> {
    let path = std::env::var("AXE")
        .unwrap_or_else(|_| "target/axe/node_modules/axe-core/axe.min.js".to_string());
    let text = std::fs::read_to_string(&path);
    if text.is_err() {
        println!("LEFT OUT: no axe-core at {path} (npm install --prefix target/axe axe-core)");
    }
    text.ok()
}

/// What axe-core says of the page as it is.
async fn complaints(page: &Page, axe: &str) -> Value {
    page.run(axe).await;
    page.run(
        "window.found = null; axe.run().then((result) => { window.found = \
        result.violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]); })",
    )
    .await;
    page.until("window.found !== null").await;
    page.value("window.found").await
}

#[test]
fn axe_has_nothing_to_complain_about() {
    let Some(axe) = axe() else { return };
    in_browser(|page| async move {
        let none = Value::Array(Vec::new());
        for dark in [false, true] {
            page.dark(dark).await;
            let views = [
                "",
                "#fen=1q1q1/q3q/5/Q3Q/1Q1Q1+w&moves=b1-b3/d3+b5-b4/b5+a2-a3/a2",
                "#fen=3q2q3/10/10/q8q/10/10/Q8Q/10/10/3Q2Q3+w",
                "#rules=tromazons&fen=3/q1Q/3+w&moves=c2-b2/W",
            ];
            for view in views {
                page.visit(view).await;
                page.until("document.querySelectorAll('#moves button').length > 0").await;
                // No table is about other games.
                let boards = "document.querySelectorAll('#boards button').length > 0 || \
                    document.querySelector('.solved').hidden";
                page.until(boards).await;
                assert_eq!(complaints(&page, &axe).await, none, "{view}, dark: {dark}");
            }
            page.size(390, 844).await;
            page.visit("#fen=1qq1/q2q/Q2Q/1QQ1+w&moves=b1-b3/b1").await;
            page.click("#menu").await;
            page.until("!document.querySelector('#course').hidden").await;
            assert_eq!(complaints(&page, &axe).await, none, "a phone, dark: {dark}");
            page.size(1200, 900).await;
            page.visit("").await;
            for map in ["from", "to", "arrow", "distance", "regions"] {
                page.choose("#map", map).await;
                page.until("document.querySelector('.laid') !== null").await;
                assert_eq!(complaints(&page, &axe).await, none, "map {map}, dark: {dark}");
            }
            for dialog in ["new", "exercise", "paste", "share", "help"] {
                page.visit("").await;
                page.click(&format!("#{dialog}")).await;
                assert_eq!(complaints(&page, &axe).await, none, "dialog {dialog}, dark: {dark}");
            }
        }
    });
}

#[test]
fn grids_lists_and_regions_have_roles_and_names() {
    in_browser(|page| async move {
        page.visit(START).await;
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
            .value(
                "[...document.querySelectorAll('button, input, select, textarea, dialog, \
                progress')].filter((element) => !(element.getAttribute('aria-label') || \
                element.getAttribute('aria-labelledby') || element.textContent.trim() || \
                element.labels?.length)).map((element) => element.outerHTML)",
            )
            .await;
        assert_eq!(nameless, Value::Array(Vec::new()));
        // A value is told by more than its colour.
        page.square("a2").await;
        let marks = page
            .value(
                "[...document.querySelectorAll('.board \
            use[href^=\"#mark\"]')].map((mark) => mark.getAttribute('href'))",
            )
            .await;
        assert!(
            !marks.as_array().unwrap().is_empty()
                && marks.as_array().unwrap().iter().all(|mark| mark == "#mark-loss")
        );
    });
}
