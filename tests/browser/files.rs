//! Game files that are chosen, dropped and saved.

use std::fs;

use crate::START;
use crate::driver::{Page, in_browser};

const GAME: &str = "(;FF[4]GM[18]CA[UTF-8]SZ[4]AW[b1]AB[c4]PL[W]\n;W[b1b2b1]C[one]\n;B[c4c3c4])\n";

/// Drops a file on the page.
async fn drop_file(page: &Page, content: &str, name: &str) {
    page.run(&format!(
        "const data = new DataTransfer(); data.items.add(new File([{content}], {name:?})); for \
        (const name of ['dragover', 'drop']) document.querySelector('#board').dispatchEvent(new \
        DragEvent(name, {{ dataTransfer: data, bubbles: true, cancelable: true }}))"
    ))
    .await;
}

#[test]
fn a_file_is_opened_by_the_button_and_saved_under_its_name() {
    in_browser(|page| async move {
        page.visit(START).await;
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("round 1.final.sgf");
        fs::write(&path, GAME).unwrap();
        // The button opens the browser's own dialog, which nobody can press here.
        let pressed = "(() => { let pressed = false; const field = document.querySelector('#file'); \
            field.addEventListener('click', (event) => { pressed = true; event.preventDefault(); }, \
            { once: true }); document.querySelector('#open-file').click(); return pressed; })()";
        assert_eq!(page.value(pressed).await, true);
        page.find("#file").await.send_keys(path.to_str().unwrap()).await.unwrap();
        page.until_text("#record", "c4-c3/c4").await;
        page.until_text("#verdict", "White to move").await;
        assert_eq!(saved(&page).await, ("round 1.final.sgf".to_string(), GAME.to_string()));
        // What is of no file has a name too.
        page.visit(START).await;
        let (name, text) = saved(&page).await;
        assert_eq!(name, "amazons-4x4.sgf");
        assert!(text.starts_with("(;FF[4]GM[18]"), "{text}");
    });
}

/// Name and text of the file that `Save` gives to the browser.
async fn saved(page: &Page) -> (String, String) {
    page.run("document.querySelector('#share-sgf').value = ''").await;
    page.click("#share").await;
    page.until("document.querySelector('#share-sgf').value !== ''").await;
    page.run(
        "window.saved = {}; const make = URL.createObjectURL; URL.createObjectURL = (blob) => { \
        window.saved.blob = blob; return make(blob); }; const click = \
        HTMLAnchorElement.prototype.click; HTMLAnchorElement.prototype.click = function () { \
        window.saved.name = this.download; window.saved.isBlob = this.href.startsWith('blob:'); }; \
        document.querySelector('#share-sgf-save').click(); URL.createObjectURL = make; \
        HTMLAnchorElement.prototype.click = click",
    )
    .await;
    assert_eq!(page.value("window.saved.isBlob").await, true);
    let name = page.value("window.saved.name").await;
    let text = page.promised("await window.saved.blob.text()").await;
    page.click("#share-dialog [data-close]").await;
    (name.as_str().unwrap().to_string(), text.as_str().unwrap().to_string())
}

#[test]
fn a_file_that_is_dropped_is_opened() {
    in_browser(|page| async move {
        page.visit(START).await;
        page.click("#paste").await;
        drop_file(&page, &format!("{GAME:?}"), "a.sgf").await;
        page.until_text("#record", "c4-c3/c4").await;
        assert_eq!(page.value("document.querySelector('#paste-dialog').open").await, false);
        assert_eq!(page.value("document.body.className").await, "");
        // Bytes go as they are: the file says what they mean.
        let bytes = "Uint8Array.from('(;GM[18]CA[ISO-8859-1]SZ[4]AW[b1]AB[c4]C[\u{e9}t\u{e9}])', \
            (letter) => letter.charCodeAt(0))";
        drop_file(&page, bytes, "b.sgf").await;
        page.until_text("#record", "\u{e9}t\u{e9}").await;
        // What cannot be opened leaves what is shown.
        drop_file(&page, "'(;GM[1])'", "chess.pgn").await;
        page.until_text("#status", "chess.pgn cannot be opened: ").await;
        assert_eq!(page.text("#record .comment").await, "\u{e9}t\u{e9}");
        drop_file(&page, "new Uint8Array(300000)", "large.sgf").await;
        page.until_text("#status", "large.sgf has 300000 bytes, at most 262144 can be read.").await;
    });
}

#[test]
fn what_is_pasted_and_no_position_is_a_file() {
    in_browser(|page| async move {
        page.visit(START).await;
        page.click("#paste").await;
        page.run(
            "const real = window.fetch; window.sent = null; window.fetch = (address, options) => { \
            if (address.includes('/sgf?')) window.sent = options.body; return real(address, \
            options); }",
        )
        .await;
        page.fill("#paste-text", "10x10 d1-d6/g9").await;
        page.click("#paste-dialog .main").await;
        page.until("window.sent === '10x10 d1-d6/g9'").await;
    });
}
