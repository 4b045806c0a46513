//! The picture of the explorer in the README.
//!
//! `PICTURE=docs/pictures/explorer.png cargo test --test browser
//! picture` makes it.

use crate::driver::in_browser;

#[test]
fn the_picture_can_be_made() {
    in_browser(|page| async move {
        page.size(1180, 820).await;
        page.dark(false).await;
        page.visit("#fen=1q1q1/q3q/5/Q3Q/1Q1Q1+w").await;
        page.until_text("#verdict", "wins: 84 of 260 moves").await;
        page.until("document.querySelectorAll('#boards button').length === 13").await;
        page.choose("#map", "to").await;
        page.until("document.querySelectorAll('.laid-text').length > 10").await;
        page.run("document.activeElement.blur()").await;
        if let Some(file) = std::env::var_os("PICTURE") {
            page.picture_at(file.as_ref()).await;
        }
    });
}
