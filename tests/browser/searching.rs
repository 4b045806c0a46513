//! Searches that begin by themselves: on small boards, while nobody is in their way.

use serde_json::Value;

use amazons::app::serve::Options;

use crate::driver::{Page, in_browser, in_browser_with};
use crate::search_only_when_asked;

/// 5x5 beyond the opening table of the program, which knows the value of the second position here.
const BEYOND: &str = "#fen=1q1q1/q3q/5/Q3Q/1Q1Q1+w&moves=b1-b3/d3+b5-b4/b5+a2-a3/a2";

/// A small board that is not proved while a test looks.
const LONG: &str = "#fen=q3q/5/5/5/Q3Q+w";

const RUNNING: &str = "!document.querySelector('#search-stop').hidden";

async fn news(page: &Page) -> Value {
    page.value("document.querySelector('#search-news').textContent").await
}

#[test]
fn a_small_board_is_searched_without_being_asked() {
    in_browser(|page| async move {
        page.visit(BEYOND).await;
        page.until("/^Black to move wins: \\d+ of 104 moves win \\(/.test(document.querySelector('#verdict').textContent)").await;
        assert_eq!(page.value("document.querySelector('#moves .unknown')").await, Value::Null);
        page.until_text("#search-news", "Proved; 104 of 104 moves are known").await;
        // Ears hear of it only if it was asked for.
        let live = "document.querySelector('#search-news').getAttribute('aria-live')";
        assert_eq!(page.value(live).await, "off");
        assert_eq!(
            page.value("document.querySelector('#heard').textContent").await,
            "Black to move; who wins is not known."
        );
        // What is known is not searched again.
        assert_eq!(page.value(RUNNING).await, false);
    });
}

#[test]
fn a_server_without_searches_says_so_and_offers_none() {
    in_browser_with(Options { searches: 0, ..Options::default() }, |page| async move {
        page.visit(BEYOND).await;
        page.until_text("#search-why", "This server was started without searches").await;
        page.until("document.querySelector('#opponent').disabled").await;
        let offered =
            "['search-go', 'search-stop'].filter((id) => !document.getElementById(id).hidden)";
        assert_eq!(page.value(offered).await, serde_json::json!([]));
    });
}

#[test]
fn a_search_that_believes_a_table_says_so_at_once_and_later() {
    const AFTER_THE_TABLE: &str = "#fen=1q1q1/q3q/Q3Q/2QQ1+w";
    let said = "if the values of the opening table of 5x4 4v4 hold)";
    in_browser(|page| async move {
        page.visit(AFTER_THE_TABLE).await;
        page.until_text("#verdict", "White to move wins").await;
        page.until_text("#verdict", said).await;
        page.visit(AFTER_THE_TABLE).await;
        page.until_text("#verdict", said).await;
        page.until("document.querySelector('#moves .loss button')").await;
        // So is what follows from it.
        page.click("#moves .win button").await;
        page.until_text("#verdict", "Black to move loses").await;
        page.until_text("#verdict", said).await;
    });
}

#[test]
fn it_ends_with_the_position_and_with_the_button() {
    in_browser(|page| async move {
        page.visit(LONG).await;
        page.until(RUNNING).await;
        page.until_text("#search-news", "positions in").await;
        page.click("#moves .moves button").await;
        page.until_text("#verdict", "Black to move").await;
        assert_eq!(news(&page).await, "");
        // The server has room for one search: the one before has ended.
        page.until(RUNNING).await;
        page.until_text("#search-news", "positions in").await;
        page.click("#search-stop").await;
        page.until("!document.querySelector('#search-go').hidden").await;
        // The engine estimates what nobody searches.
        page.until_text("#standing-text", "Nothing is proved.").await;
        assert_eq!(page.value(RUNNING).await, false);
    });
}

#[test]
fn the_winning_side_replies_once_it_is_known_to_win() {
    in_browser(|page| async move {
        search_only_when_asked(&page).await;
        page.visit(BEYOND).await;
        page.until_text("#verdict", "Black to move: who wins is not known").await;
        page.choose("#opponent", "winner").await;
        page.click("#search-go").await;
        page.until("document.querySelectorAll('#record li').length === 4").await;
        page.until_text("#verdict", "White to move").await;
    });
}

#[test]
fn the_setting_stays_and_larger_boards_are_left_alone() {
    in_browser(|page| async move {
        search_only_when_asked(&page).await;
        page.visit(LONG).await;
        // An estimate comes first only where no search is to come.
        page.until_text("#standing-text", "Nothing is proved.").await;
        assert_eq!(page.value(RUNNING).await, false);
        page.choose("#search-auto", "always").await;
        page.until(RUNNING).await;
        page.choose("#search-auto", "never").await;
        page.until(&format!("!({RUNNING})")).await;
        page.choose("#search-auto", "always").await;
        page.until(RUNNING).await;
        page.visit("#fen=1q2q1/q4q/6/6/Q4Q/1Q2Q1+w").await;
        assert_eq!(page.value("document.querySelector('#search-auto').value").await, "always");
        page.until(RUNNING).await;
        page.choose("#search-auto", "small").await;
        page.visit("#fen=1q2q1/q4q/6/6/Q4Q/1Q2Q1+w").await;
        page.until_text("#standing-text", "Nothing is proved.").await;
        assert_eq!(page.value(RUNNING).await, false);
    });
}

#[test]
fn a_server_without_room_is_met_quietly() {
    in_browser(|page| async move {
        search_only_when_asked(&page).await;
        for refused in ["/search?", "/health?"] {
            page.visit(LONG).await;
            page.until_text("#verdict", "who wins is not known").await;
            page.run(&format!(
                "window.tried = 0; const real = window.fetch; window.fetch = (address, ...rest) => \
                {{ if (!address.includes('{refused}')) return real(address, ...rest); window.tried \
                += 1; const full = {{ searches_at_once: 2, searches_running: 1 }}; const busy = {{ \
                error: {{ code: 'busy', message: 'no room' }} }}; const health = \
                '{refused}' === '/health?'; return Promise.resolve(new \
                Response(JSON.stringify(health ? full : busy), {{ status: health ? 200 : 503 }})); }}"
            ))
            .await;
            page.run("document.querySelector('#search-auto').value = 'small'").await;
            page.click("#moves .moves button").await;
            page.until("window.tried > 0").await;
            // It goes on as without a search, and says nothing.
            page.until_text("#standing-text", "Nothing is proved.").await;
            assert_eq!((news(&page).await, page.value(RUNNING).await), ("".into(), false.into()));
            assert_eq!(page.value("document.querySelector('#search-go').disabled").await, false);
            assert_eq!(page.value("document.querySelector('#status').textContent").await, "");
        }
        // Who asks is told.
        page.run(
            "const real = window.fetch; window.fetch = (address, ...rest) => \
            address.includes('/search?') ? real('/api/v1/nothing', ...rest) : real(address, ...rest)",
        )
        .await;
        page.click("#search-go").await;
        page.until_text("#search-news", "There is nothing at /api/v1/nothing").await;
    });
}
