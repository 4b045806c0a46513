//! The browsers that the tests can drive, and what each does in its own way.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use fantoccini::Client;
use fantoccini::wd::WebDriverCompatibleCommand;
use serde_json::{Map, Value, json};
use tempfile::TempDir;

/// A browser, headless.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Browser {
    Chromium,
    Firefox,
}

impl Browser {
    /// The one that the variable BROWSER names; Chromium if it is not set.
    pub(crate) fn chosen() -> Self {
        match std::env::var("BROWSER").as_deref() {
            Err(_) | Ok("chromium") => Self::Chromium,
            Ok("firefox") => Self::Firefox,
            Ok(other) => panic!("BROWSER is '{other}', expected chromium or firefox"),
        }
    }

    /// The command that starts its driver at a free port.
    fn driver(self) -> Command {
        let (program, arguments): (_, &[&str]) = match self {
            Self::Chromium => ("chromedriver", &["--port=0"]),
            // The second is for commands in the browser's own context, below.
            Self::Firefox => ("geckodriver", &["--port=0", "--allow-system-access"]),
        };
        let mut command = Command::new(program);
        command.args(arguments);
        command
    }

    /// The port in a line that the driver prints when it is ready.
    fn port(self, line: &str) -> Option<String> {
        let before = match self {
            Self::Chromium => "successfully on port ",
            Self::Firefox => "Listening on 127.0.0.1:",
        };
        line.split_once(before).map(|(_, port)| port.trim_end_matches('.').to_string())
    }

    /// What a session is begun with.
    pub(crate) fn capabilities(self) -> Map<String, Value> {
        let capabilities = match self {
            Self::Chromium => json!({
                "goog:chromeOptions": {"args": [
                    "--headless=new",
                    "--no-sandbox",
                    "--disable-gpu",
                    "--disable-dev-shm-usage",
                    "--disable-quic",
                    "--no-first-run",
                    "--disable-background-networking",
                    "--disable-component-update",
                    "--disable-sync",
                    "--force-device-scale-factor=1",
                ]},
                "goog:loggingPrefs": {"browser": "ALL"},
            }),
            Self::Firefox => json!({
                "moz:firefoxOptions": {
                    "args": ["-headless"],
                    "prefs": {"layout.css.devPixelsPerPx": "1.0"},
                },
            }),
        };
        let Value::Object(capabilities) = capabilities else { unreachable!("it is an object") };
        capabilities
    }

    /// Gives the page this size. A window of Firefox has a least width; the page in it has none.
    pub(crate) async fn size(self, client: &Client, width: u32, height: u32) {
        match self {
            Self::Chromium => {
                let mobile = width < 600;
                let metrics = json!({
                    "width": width,
                    "height": height,
                    "deviceScaleFactor": 1,
                    "mobile": mobile,
                });
                devtools(client, "Emulation.setDeviceMetricsOverride", metrics).await;
            }
            Self::Firefox => {
                let script =
                    "const [width, height] = arguments; const { style } = gBrowser.selectedBrowser;
                    for (const end of ['', 'min-', 'max-']) {
                        style.setProperty(`${end}width`, `${width}px`);
                        style.setProperty(`${end}height`, `${height}px`);
                    }";
                inside(client, script, vec![json!(width), json!(height)]).await;
                let fits = format!("return innerWidth === {width} && innerHeight === {height}");
                // The page hears of it a little later.
                for _ in 0..1000 {
                    if client.execute(&fits, Vec::new()).await.unwrap() == true {
                        return;
                    }
                    tokio::time::sleep(Duration::from_millis(10)).await;
                }
                panic!("the page in Firefox does not become {width} x {height}");
            }
        }
    }

    /// Has the browser prefer dark or light pages.
    pub(crate) async fn dark(self, client: &Client, dark: bool) {
        match self {
            Self::Chromium => {
                let value = if dark { "dark" } else { "light" };
                let features =
                    json!({"features": [{"name": "prefers-color-scheme", "value": value}]});
                devtools(client, "Emulation.setEmulatedMedia", features).await;
            }
            Self::Firefox => {
                // 0 is dark, 1 is light.
                let script = "Services.prefs.setIntPref(\
                    'layout.css.prefers-color-scheme.content-override', arguments[0])";
                inside(client, script, vec![json!(u8::from(!dark))]).await;
            }
        }
    }

    /// What the browser says of errors since the last time.
    pub(crate) async fn errors(self, client: &Client) -> Vec<Value> {
        match self {
            Self::Chromium => {
                let log = Post { path: "se/log", body: json!({"type": "browser"}) };
                let log = client.issue_cmd(log).await.unwrap();
                let entries = log.as_array().cloned().unwrap_or_default();
                // A refused request is an error to the browser, and what some tests are about.
                let harmless = |entry: &Value| entry["source"] == "network";
                let severe = |entry: &Value| entry["level"] == "SEVERE" && !harmless(entry);
                entries.into_iter().filter(severe).collect()
            }
            Self::Firefox => {
                let script = "const errors = Services.console.getMessageArray()
                        .filter((message) => message instanceof Ci.nsIScriptError)
                        .filter(({ flags, sourceName }) =>
                            !(flags & Ci.nsIScriptError.warningFlag)
                            && sourceName.startsWith('http'))
                        .map(({ message }) => message);
                    Services.console.reset();
                    return errors;";
                inside(client, script, Vec::new()).await.as_array().cloned().unwrap_or_default()
            }
        }
    }
}

/// The program that drives a browser.
pub(crate) struct Driver {
    child: Child,
    /// For what both write, which they leave behind when they are killed.
    _temporary: TempDir,
    pub(crate) browser: Browser,
    pub(crate) url: String,
}

impl Driver {
    pub(crate) fn start(browser: Browser) -> Self {
        let temporary = tempfile::tempdir().unwrap();
        let mut command = browser.driver();
        let child = command.env("TMPDIR", temporary.path()).stdout(Stdio::piped()).spawn();
        let mut child = child.unwrap_or_else(|error| {
            panic!(
                "the driver of {browser:?} does not start ({error}); CONTRIBUTING.md tells how \
                to install it"
            )
        });
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let port = lines.find_map(|line| browser.port(&line.unwrap()));
        let port = port.expect("the driver says on which port it listens");
        // Nobody reads what else it says, but its pipe must not break.
        std::thread::spawn(move || lines.for_each(drop));
        Self { child, _temporary: temporary, browser, url: format!("http://127.0.0.1:{port}") }
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A command of Chromium's tools for developers.
async fn devtools(client: &Client, command: &str, parameters: Value) {
    let body = json!({"cmd": command, "params": parameters});
    client.issue_cmd(Post { path: "goog/cdp/execute", body }).await.unwrap();
}

/// Runs a script in Firefox itself, not in the page.
async fn inside(client: &Client, script: &str, arguments: Vec<Value>) -> Value {
    let context = |name: &str| Post { path: "moz/context", body: json!({"context": name}) };
    client.issue_cmd(context("chrome")).await.unwrap();
    let value = client.execute(script, arguments).await;
    client.issue_cmd(context("content")).await.unwrap();
    value.unwrap_or_else(|error| panic!("{script}: {error}"))
}

/// A command that only one browser has.
#[derive(Debug)]
struct Post {
    path: &'static str,
    body: Value,
}

impl WebDriverCompatibleCommand for Post {
    fn endpoint(
        &self,
        base: &url::Url,
        session: Option<&str>,
    ) -> Result<url::Url, url::ParseError> {
        base.join(&format!("session/{}/{}", session.unwrap_or_default(), self.path))
    }

    fn method_and_body(&self, _: &url::Url) -> (axum::http::Method, Option<String>) {
        (axum::http::Method::POST, Some(self.body.to_string()))
    }
}
