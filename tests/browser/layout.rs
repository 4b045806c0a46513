//! The page on screens of all kinds.

use crate::driver::in_browser;

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

#[test]
fn a_phone_held_sideways_shows_the_whole_board() {
    in_browser(|page| async move {
        for (width, height) in [(740, 360), (844, 390), (640, 320)] {
            page.size(width, height).await;
            for hash in ["", "#fen=3q2q3/10/10/q8q/10/10/Q8Q/10/10/3Q2Q3+w"] {
                page.visit(hash).await;
                page.until("document.querySelectorAll('#moves button').length > 10").await;
                let name = if hash.is_empty() { "5x4" } else { "10x10" };
                page.run("document.querySelector('#board').scrollIntoView()").await;
                let board = "document.querySelector('.board').getBoundingClientRect()";
                let at = |side: &str| format!("{board}.{side}");
                for (side, most) in [("bottom", height), ("right", width)] {
                    let found = page.value(&at(side)).await.as_f64().unwrap();
                    assert!(found <= f64::from(most) + 1.0, "{name}: {side} at {found} of {most}");
                }
                let tall = page.value(&at("height")).await.as_f64().unwrap();
                assert!(tall > f64::from(height) * 0.7, "{name}: only {tall} of {height}");
                // What is beside it can be scrolled while the board stays.
                page.run("document.querySelector('#moves').scrollIntoView()").await;
                let top = page.value(&at("top")).await.as_f64().unwrap();
                assert!((-1.0..20.0).contains(&top), "{name}: the board went to {top}");
                page.run("window.scrollTo(0, 0)").await;
                page.picture(&format!("sideways-{name}-{width}")).await;
            }
        }
    });
}

#[test]
fn marks_can_be_read_on_a_phone() {
    in_browser(|page| async move {
        page.size(360, 780).await;
        for (hash, least) in [("", 14.0), ("#fen=3q2q3/10/10/q8q/10/10/Q8Q/10/10/3Q2Q3+w", 9.0)] {
            page.visit(hash).await;
            page.until("document.querySelector('.board use[href^=\"#mark\"]') !== null").await;
            let size = page
                .value(
                    "document.querySelector('.board \
                    use[href^=\"#mark\"]').getBoundingClientRect().height",
                )
                .await;
            assert!(size.as_f64().unwrap() >= least, "a mark of {size} pixels");
        }
    });
}
