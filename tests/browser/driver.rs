//! A tab of a [browser](Browser), driven by WebDriver, in front of a server in this process.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use amazons::app::serve::{Options, Server};
use amazons::machine::progress::StopFlag;
use fantoccini::actions::{InputSource, MOUSE_BUTTON_LEFT, MouseActions, PointerAction};
use fantoccini::elements::Element;
use fantoccini::{Client, Locator};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::Value;

use crate::engines::{Browser, Driver};

/// How long the page may take for anything.
const PATIENCE: Duration = Duration::from_secs(60);

/// A tab with the explorer.
#[derive(Clone)]
pub(crate) struct Page {
    client: Client,
    browser: Browser,
    pub(crate) url: String,
}

/// Runs a test in a browser of its own, one at a time, with the page of a server.
pub(crate) fn in_browser<F: Future<Output = ()> + Send + 'static>(test: impl FnOnce(Page) -> F) {
    in_browser_with(Options::default(), test);
}

/// The same with a server of these options.
pub(crate) fn in_browser_with<F: Future<Output = ()> + Send + 'static>(
    options: Options,
    test: impl FnOnce(Page) -> F,
) {
    let stop = StopFlag::new();
    // More than a test can ask for, however fast the machine is.
    let options = Options { searches_a_minute: 1_000_000, ..options };
    let server = Server::open(options, Arc::new(()), &stop).unwrap();
    let (url, flag) = (format!("http://{}/", server.address()), stop.clone());
    let server = std::thread::spawn(move || server.run(&flag));
    let result =
        std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| in_browser_at(url, test)));
    stop.stop();
    server.join().unwrap().unwrap();
    result.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
}

/// The same with the page of an address.
pub(crate) fn in_browser_at<F: Future<Output = ()> + Send + 'static>(
    url: String,
    test: impl FnOnce(Page) -> F,
) {
    static ONE: Mutex<()> = Mutex::new(());
    let _one = ONE.lock().unwrap_or_else(PoisonError::into_inner);
    let driver = Driver::start(Browser::chosen());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let result = runtime.block_on(async {
        let page = Page::open(&driver, url).await;
        let result = tokio::spawn(test(page.clone())).await;
        let errors = page.errors().await;
        // The session is closed also after a panic, or the browser would stay.
        let _ = page.client.close().await;
        result.map(|()| errors)
    });
    match result {
        Ok(errors) => assert!(errors.is_empty(), "the browser complains: {errors:?}"),
        Err(panic) => std::panic::resume_unwind(panic.into_panic()),
    }
}

impl Page {
    async fn open(driver: &Driver, url: String) -> Self {
        let client = Client::with_capabilities_and_connector(
            &driver.url,
            &driver.browser.capabilities(),
            HttpConnector::new(),
        )
        .await;
        let page =
            Self { client: client.expect("the browser starts"), browser: driver.browser, url };
        page.size(1200, 900).await;
        page
    }

    /// Opens the explorer with something behind the address's '#', and waits for an answer.
    pub(crate) async fn visit(&self, hash: &str) {
        self.go(hash).await;
        self.until("document.querySelector('#verdict')?.textContent.length > 3").await;
    }

    /// As [`Self::visit`], without waiting.
    pub(crate) async fn go(&self, hash: &str) {
        // Another address first, for a change of the fragment alone opens no page.
        self.client.goto("about:blank").await.unwrap();
        self.client.goto(&format!("{}{hash}", self.url)).await.unwrap();
    }

    /// Makes the page as large as that, in its own pixels.
    pub(crate) async fn size(&self, width: u32, height: u32) {
        self.browser.size(&self.client, width, height).await;
    }

    /// Has the browser prefer dark or light pages.
    pub(crate) async fn dark(&self, dark: bool) {
        self.browser.dark(&self.client, dark).await;
    }

    /// What the browser says of errors since the last time.
    async fn errors(&self) -> Vec<Value> {
        self.browser.errors(&self.client).await
    }

    pub(crate) async fn find(&self, css: &str) -> Element {
        let found = self.client.find(Locator::Css(css)).await;
        found.unwrap_or_else(|error| panic!("{css}: {error}"))
    }

    /// Clicks an element, as soon as it is there: a list may be drawn anew between finding and
    /// clicking.
    pub(crate) async fn click(&self, css: &str) {
        let end = Instant::now() + PATIENCE;
        loop {
            let clicked = match self.client.find(Locator::Css(css)).await {
                Ok(element) => element.click().await,
                Err(missing) => Err(missing),
            };
            match clicked {
                Ok(()) => return,
                Err(error) if Instant::now() > end => {
                    panic!("not within {PATIENCE:?}: {css}: {error}")
                }
                Err(_) => tokio::time::sleep(Duration::from_millis(30)).await,
            }
        }
    }

    /// Clicks the middle of a square of the board. Firefox clicks no group of an SVG by itself.
    pub(crate) async fn square(&self, name: &str) {
        self.press(name).await;
        self.release().await;
    }

    /// Presses the button of the mouse on the middle of a square.
    pub(crate) async fn press(&self, name: &str) {
        let css = format!("[data-square=\"{name}\"]");
        self.until(&format!("document.querySelector('{css}')")).await;
        let middle = format!(
            "(() => {{ const square = document.querySelector('{css}'); square.scrollIntoView({{ \
                block: 'nearest', behavior: 'instant' }}); const {{ x, y, width, height }} = \
                square.getBoundingClientRect(); return [x + width / 2, y + height / 2]; }})()"
        );
        let middle: [f64; 2] = serde_json::from_value(self.value(&middle).await).unwrap();
        let [x, y] = middle.map(f64::round);
        let mouse = MouseActions::new("mouse".to_string())
            .then(PointerAction::MoveTo { duration: None, x, y })
            .then(PointerAction::Down { button: MOUSE_BUTTON_LEFT });
        self.client.perform_actions(mouse).await.unwrap();
    }

    /// Lets go of it.
    pub(crate) async fn release(&self) {
        let mouse = MouseActions::new("mouse".to_string())
            .then(PointerAction::Up { button: MOUSE_BUTTON_LEFT });
        self.client.perform_actions(mouse).await.unwrap();
    }

    pub(crate) async fn choose(&self, select: &str, value: &str) {
        self.find(select).await.select_by_value(value).await.unwrap();
    }

    /// Types into what has the focus; `\u{e0xx}` are keys.
    pub(crate) async fn keys(&self, keys: &str) {
        self.client.active_element().await.unwrap().send_keys(keys).await.unwrap();
    }

    pub(crate) async fn fill(&self, css: &str, text: &str) {
        let element = self.find(css).await;
        element.clear().await.unwrap();
        element.send_keys(text).await.unwrap();
    }

    pub(crate) async fn text(&self, css: &str) -> String {
        self.find(css).await.text().await.unwrap()
    }

    /// The value of an expression.
    pub(crate) async fn value(&self, expression: &str) -> Value {
        let value = self.client.execute(&format!("return {expression}"), Vec::new()).await;
        value.unwrap_or_else(|error| panic!("{expression}: {error}"))
    }

    /// The value of a promise: of an expression with `await`.
    pub(crate) async fn promised(&self, expression: &str) -> Value {
        self.run(&format!(
            "window.promised = undefined; (async () => ({expression}))().then((value) => {{ \
                window.promised = {{ value }}; }}, (error) => {{ window.promised = {{ error: \
                `${{error.name}}: ${{error.message}}` }}; }})"
        ))
        .await;
        self.until("window.promised !== undefined").await;
        let promised = self.value("window.promised").await;
        assert_eq!(promised["error"], Value::Null, "{expression}");
        promised["value"].clone()
    }

    /// Runs statements.
    pub(crate) async fn run(&self, statements: &str) {
        let run = self.client.execute(statements, Vec::new()).await;
        run.unwrap_or_else(|error| panic!("{error}: {}", &statements[..statements.len().min(80)]));
    }

    /// Waits until an expression is true.
    pub(crate) async fn until(&self, expression: &str) {
        let end = Instant::now() + PATIENCE;
        while self.value(&format!("Boolean({expression})")).await != true {
            if Instant::now() > end {
                let page = self.value("document.body.innerText").await;
                panic!("not within {PATIENCE:?}: {expression}; the page says: {page}");
            }
            tokio::time::sleep(Duration::from_millis(30)).await;
        }
    }

    pub(crate) async fn until_text(&self, css: &str, part: &str) {
        self.until(&format!("document.querySelector({css:?}).textContent.includes({part:?})"))
            .await;
    }

    /// Keeps a picture of the page in the directory named by SCREENSHOTS, if there is one.
    pub(crate) async fn picture(&self, name: &str) {
        let Some(directory) = std::env::var_os("SCREENSHOTS") else { return };
        std::fs::create_dir_all(&directory).unwrap();
        self.picture_at(&std::path::Path::new(&directory).join(format!("{name}.png"))).await;
    }

    /// Keeps a picture of the page in a file.
    pub(crate) async fn picture_at(&self, file: &std::path::Path) {
        let png = self.client.screenshot().await.unwrap();
        std::fs::write(file, png).unwrap();
    }
}
