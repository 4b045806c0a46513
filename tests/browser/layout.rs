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
                let beyond =
                    "document.documentElement.scrollWidth - document.documentElement.clientWidth";
                assert_eq!(page.value(beyond).await, 0, "{name} is wider than {width}");
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
fn a_phone_shows_the_board_in_its_first_screen() {
    in_browser(|page| async move {
        let large = "#fen=3q2q3/10/10/q8q/10/10/Q8Q/10/10/3Q2Q3+w";
        let views = ["", large, "#turns=1,3,4&fen=1qq1/q2q/Q2Q/1QQ1+w", "#fen=1qq1/q2q/Q2Q/1QQ1+w"];
        for (width, height) in [(390, 844), (320, 568)] {
            page.size(width, height).await;
            for view in views {
                page.visit(view).await;
                page.until("document.querySelectorAll('#moves button').length > 10").await;
                let number = async |expression: &str| {
                    let measure = format!(
                        "(() => {{ const box = (css) => \
                        document.querySelector(css).getBoundingClientRect(); return {expression}; \
                        }})()"
                    );
                    page.value(&measure).await.as_f64().unwrap()
                };
                let head = number("box('header').height").await;
                assert!(head < 56.0, "{view}: the head has {head} pixels");
                // Two lines of the larger of its letters.
                let verdict = number("box('#verdict').height").await;
                assert!(verdict < 44.0, "{view} at {width}: the verdict has {verdict} pixels");
                let bottom = number("box('.board').bottom").await;
                assert!(bottom <= f64::from(height), "{view}: the board ends at {bottom}");
                let beyond =
                    "document.documentElement.scrollWidth - document.documentElement.clientWidth";
                assert_eq!(page.value(beyond).await, 0, "{view} is wider than {width}");
                // What comes later moves nothing.
                let top = number("box('.board').top").await;
                page.until("!document.querySelector('#standing').hidden").await;
                assert!((number("box('.board').top").await - top).abs() < 1.0, "{view}");
            }
        }
        page.picture("phone").await;
        // A move that is played leaves the board where it is.
        for _ in 0..3 {
            let (square, _) = crate::open_squares(&page).await.swap_remove(0);
            page.square(&square).await;
        }
        page.until("document.querySelectorAll('#record li').length === 1").await;
        page.until_text("#verdict", "Black to move").await;
        assert_eq!(page.value("window.scrollY").await, 0);
    });
}

#[test]
fn the_rest_of_a_phones_head_unfolds() {
    in_browser(|page| async move {
        page.size(390, 844).await;
        page.visit("").await;
        let shown = "document.querySelector('#help').getBoundingClientRect().height > 0";
        let told = "document.querySelector('#menu').getAttribute('aria-expanded')";
        assert_eq!(
            (page.value(shown).await, page.value(told).await),
            (false.into(), "false".into())
        );
        page.click("#menu").await;
        assert_eq!((page.value(shown).await, page.value(told).await), (true.into(), "true".into()));
        page.picture("menu").await;
        page.click("#help").await;
        // Help is read from its beginning, and its end can be closed without reading it.
        let help = "document.querySelector('#help-dialog')";
        page.until(&format!("{help}.open")).await;
        assert_eq!(page.value(&format!("{help}.scrollTop")).await, 0);
        let title = "document.querySelector('#help-title').getBoundingClientRect().top >= 0";
        assert_eq!(page.value(title).await, true);
        page.picture("help").await;
        page.click("#help-dialog .main").await;
        assert_eq!(page.value("document.activeElement.id").await, "menu");
        assert_eq!(page.value(shown).await, false);
        // By keyboard.
        page.keys("\u{e007}").await;
        page.until(shown).await;
        page.keys("\u{e004}").await;
        page.keys("\u{e00c}").await;
        assert_eq!(
            (page.value(shown).await, page.value(told).await),
            (false.into(), "false".into())
        );
        assert_eq!(page.value("document.activeElement.id").await, "menu");
        page.click("#menu").await;
        page.click("#boards [data-board=\"4x4\"]").await;
        page.until_text("#game-name", "4×4").await;
        assert_eq!(page.value(shown).await, false);
    });
}

#[test]
fn a_full_bar_can_be_seen_on_any_paper() {
    in_browser(|page| async move {
        for dark in [false, true] {
            page.dark(dark).await;
            for (hash, winner) in [("", "White wins"), ("#fen=1qq1/q2q/Q2Q/1QQ1+w", "Black wins")] {
                page.visit(hash).await;
                page.until_text("#standing-name", winner).await;
                let contrast = page
                    .value(
                        "(() => { const light = (colour) => { const [r, g, b] = \
                        colour.match(/[\\d.]+/g).map((part) => part / 255).map((part) => part <= \
                        0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4); return 0.2126 * \
                        r + 0.7152 * g + 0.0722 * b + 0.05; }; const border = \
                        light(getComputedStyle(document.querySelector('#standing-bar')) \
                        .borderTopColor); const paper = light(getComputedStyle(document.body) \
                        .backgroundColor); return Math.max(border, paper) / Math.min(border, paper); \
                        })()",
                    )
                    .await;
                assert!(contrast.as_f64() > Some(4.5), "dark {dark}, {winner}: {contrast}");
                let thick = "parseFloat(getComputedStyle(document.querySelector('#standing-bar')) \
                    .borderTopWidth) >= 2";
                assert_eq!(page.value(thick).await, true);
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
