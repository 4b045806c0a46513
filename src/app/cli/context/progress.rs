//! Progress on standard error: a bar on a terminal, a plain line now and then elsewhere, nothing if
//! quiet.
//!
//! ```text
//! tier 8 [=========>               ]  37% 13.4 G/36.1 G placements, 2.61 G/s (1.31 G/s a thread), 9 s left
//! ```

use std::fmt::Write as _;
use std::io::{IsTerminal, Write as _};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::machine::progress::Observer;

/// The first plain line comes after this long; the pause then doubles up to [`LONGEST_PAUSE`].
const FIRST_PAUSE: Duration = Duration::from_secs(10);
const LONGEST_PAUSE: Duration = Duration::from_secs(60);
/// How often a bar is drawn anew.
const REDRAW: Duration = Duration::from_millis(200);

/// Who reads the progress.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::app::cli) enum Audience {
    /// A terminal: a bar.
    Terminal,
    /// A file or a pipe: lines.
    Log,
    /// Nobody.
    Nobody,
}

impl Audience {
    /// Who reads standard error.
    pub(in crate::app::cli) fn of_stderr(quiet: bool) -> Self {
        match (quiet, std::io::stderr().is_terminal()) {
            (true, _) => Self::Nobody,
            (false, true) => Self::Terminal,
            (false, false) => Self::Log,
        }
    }
}

/// An [`Observer`] that reports on standard error.
#[derive(Debug)]
pub(in crate::app::cli) struct Progress {
    audience: Audience,
    threads: usize,
    done: AtomicU64,
    stage: Mutex<Stage>,
}

#[derive(Debug)]
struct Stage {
    name: String,
    unit: String,
    words: String,
    total: u64,
    /// Units that were done before this process began.
    before: u64,
    began: Instant,
    bar: ProgressBar,
    last_drawn: Instant,
    next_line: Instant,
    pause: Duration,
}

impl Progress {
    /// A report to `audience` about a computation on `threads` threads.
    pub(in crate::app::cli) fn new(audience: Audience, threads: usize) -> Self {
        let now = Instant::now();
        let stage = Stage {
            name: String::new(),
            unit: String::new(),
            words: String::new(),
            total: 0,
            before: 0,
            began: now,
            bar: ProgressBar::hidden(),
            last_drawn: now,
            next_line: now + FIRST_PAUSE,
            pause: FIRST_PAUSE,
        };
        Self { audience, threads, done: AtomicU64::new(0), stage: Mutex::new(stage) }
    }

    /// Removes the bar; what comes next on standard error begins on a fresh line.
    pub(in crate::app::cli) fn finish(&self) {
        if let Ok(stage) = self.stage.lock() {
            stage.bar.finish_and_clear();
        }
    }

    /// Counts on from what was done of the stage before this process began; the rate is that of
    /// this process.
    pub(in crate::app::cli) fn go_on(&self, before: u64) {
        if let Ok(mut stage) = self.stage.lock() {
            stage.before = before;
            self.done.fetch_add(before, Ordering::Relaxed);
        }
    }

    /// Says something on standard error that must not be missed, quiet or not.
    pub(in crate::app::cli) fn warn(&self, text: &str) {
        match self.stage.lock() {
            Ok(stage) if self.audience == Audience::Terminal => stage.bar.suspend(|| say(text)),
            _ => say(text),
        }
    }

    fn draw(&self, stage: &mut Stage, now: Instant) {
        let done = self.done.load(Ordering::Relaxed);
        match self.audience {
            Audience::Nobody => {}
            Audience::Terminal if now.duration_since(stage.last_drawn) >= REDRAW => {
                stage.last_drawn = now;
                stage.bar.set_message(stage.figures(done, now, self.threads));
                stage.bar.set_position(done);
            }
            Audience::Log if now >= stage.next_line => {
                stage.pause = (stage.pause * 2).min(LONGEST_PAUSE);
                stage.next_line = now + stage.pause;
                let share = percent(done, stage.total);
                say(&format!("{}: {share}{}", stage.name, stage.figures(done, now, self.threads)));
            }
            _ => {}
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.finish();
    }
}

impl Observer for Progress {
    fn begin(&self, name: &str, total: u64, unit: &str) {
        let Ok(mut stage) = self.stage.lock() else { return };
        stage.bar.finish_and_clear();
        self.done.store(0, Ordering::Relaxed);
        (stage.name, stage.unit, stage.total) = (name.to_string(), unit.to_string(), total);
        stage.words.clear();
        stage.before = 0;
        stage.began = Instant::now();
        if self.audience == Audience::Terminal {
            stage.bar = new_bar(total);
            stage.bar.set_prefix(stage.name.clone());
            stage.bar.tick();
        }
    }

    fn add(&self, count: u64) {
        self.done.fetch_add(count, Ordering::Relaxed);
        // Whoever does not get the lock leaves the drawing to the one who has it.
        if self.audience != Audience::Nobody
            && let Ok(mut stage) = self.stage.try_lock()
        {
            self.draw(&mut stage, Instant::now());
        }
    }

    fn status(&self, words: &str) {
        if let Ok(mut stage) = self.stage.lock() {
            words.clone_into(&mut stage.words);
            self.draw(&mut stage, Instant::now());
        }
    }

    fn line(&self, text: &str) {
        let Ok(stage) = self.stage.lock() else { return };
        match self.audience {
            Audience::Nobody => {}
            Audience::Terminal => stage.bar.suspend(|| say(text)),
            Audience::Log => say(text),
        }
    }
}

impl Stage {
    /// `13.4 G/36.1 G placements, 2.61 G/s (1.31 G/s a thread), 9 s left, words`.
    fn figures(&self, done: u64, now: Instant, threads: usize) -> String {
        let seconds = now.duration_since(self.began).as_secs_f64().max(1e-3);
        let rate = done.saturating_sub(self.before) as f64 / seconds;
        let mut text = si(done as f64);
        if self.total > 0 {
            let _ = write!(text, "/{}", si(self.total as f64));
        }
        let _ = write!(text, " {}, {}/s", self.unit, si(rate));
        if threads > 1 {
            let _ = write!(text, " ({}/s a thread)", si(rate / threads as f64));
        }
        if self.total > done && rate > 0.0 {
            let _ = write!(text, ", {} left", span((self.total - done) as f64 / rate));
        }
        if !self.words.is_empty() {
            let _ = write!(text, ", {}", self.words);
        }
        text
    }
}

fn new_bar(total: u64) -> ProgressBar {
    let template = if total > 0 {
        "{prefix} [{bar:25}] {percent:>3}% {msg}"
    } else {
        "{prefix} {spinner} {msg}"
    };
    let style =
        ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    let bar = ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::stderr());
    bar.with_style(style.progress_chars("=> "))
}

fn say(text: &str) {
    // There is nobody to tell when standard error is closed.
    let _ = writeln!(std::io::stderr().lock(), "{text}");
}

fn percent(done: u64, total: u64) -> String {
    if total == 0 { String::new() } else { format!("{:.0}%, ", 100.0 * done as f64 / total as f64) }
}

/// Whole numbers below ten thousand as they are, all others with three digits and a prefix: `2.61
/// G`.
fn si(value: f64) -> String {
    if value < 10_000.0 && value.fract() == 0.0 {
        return format!("{value}");
    }
    let prefixes = ["", " k", " M", " G", " T", " P", " E"];
    let step = if value < 1000.0 { 0 } else { (value.log10() / 3.0) as usize };
    let step = step.min(prefixes.len() - 1);
    let scaled = value / 1000f64.powi(step as i32);
    let digits = match scaled {
        s if s < 10.0 => 2,
        s if s < 100.0 => 1,
        _ => 0,
    };
    format!("{scaled:.digits$}{}", prefixes[step])
}

/// `9 s`, `12 min`, `3.4 h`, `12 days`.
fn span(seconds: f64) -> String {
    match seconds {
        s if s < 100.0 => format!("{s:.0} s"),
        s if s < 6_000.0 => format!("{:.0} min", s / 60.0),
        s if s < 172_800.0 => format!("{:.1} h", s / 3600.0),
        s => format!("{:.0} days", s / 86400.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_short() {
        let numbers = [
            (0.0, "0"),
            (999.0, "999"),
            (2176.0, "2176"),
            (21760.0, "21.8 k"),
            (13_400_000_000.0, "13.4 G"),
            (2.5, "2.50"),
        ];
        for (value, text) in numbers {
            assert_eq!(si(value), text);
        }
        for (seconds, text) in
            [(9.0, "9 s"), (720.0, "12 min"), (12_240.0, "3.4 h"), (1e6, "12 days")]
        {
            assert_eq!(span(seconds), text);
        }
    }

    #[test]
    fn what_was_done_before_counts_and_is_no_part_of_the_rate() {
        let progress = Progress::new(Audience::Nobody, 1);
        progress.begin("search", 0, "nodes");
        progress.go_on(5000);
        progress.add(500);
        let done = progress.done.load(Ordering::Relaxed);
        let stage = progress.stage.lock().unwrap();
        let figures = stage.figures(done, stage.began + Duration::from_secs(10), 1);
        assert_eq!(figures, "5500 nodes, 50/s");
    }

    #[test]
    fn many_threads_may_report() {
        for audience in [Audience::Nobody, Audience::Log] {
            let progress = Progress::new(audience, 2);
            progress.begin("stage", 4000, "units");
            std::thread::scope(|scope| {
                for _ in 0..4 {
                    scope.spawn(|| (0..1000).for_each(|_| progress.add(1)));
                }
            });
            assert_eq!(progress.done.load(Ordering::Relaxed), 4000);
            progress.begin("next", 0, "units");
            assert_eq!(progress.done.load(Ordering::Relaxed), 0);
        }
    }
}
