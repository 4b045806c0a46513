//! What packages install beside the program: completions and manual pages that know every command.

use assert_cmd::Command;
use predicates::str::contains;

fn amazons(arguments: &[&str]) -> Command {
    let mut command = Command::cargo_bin("amazons").unwrap();
    command.args(arguments);
    command
}

/// The names of all commands, from the help.
fn commands() -> Vec<String> {
    let help = amazons(&["--help"]).assert().success();
    let help = String::from_utf8(help.get_output().stdout.clone()).unwrap();
    let listed = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let names: Vec<String> = listed
        .take_while(|line| !line.is_empty())
        // Descriptions may go on in lines that are indented further.
        .filter(|line| line.starts_with("  ") && !line.starts_with("   "))
        .filter_map(|line| line.split_whitespace().next().map(str::to_string))
        .filter(|name| name != "help")
        .collect();
    assert!(names.len() >= 14, "{names:?}");
    names
}

#[test]
fn completions_know_every_command() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = amazons(&["completions", shell]).assert().success();
        let script = String::from_utf8(script.get_output().stdout.clone()).unwrap();
        for name in commands() {
            assert!(script.contains(&name), "{shell} does not know {name}");
        }
        assert!(script.contains("--memory") || script.contains("memory"), "{shell}");
    }
    amazons(&["completions", "command.com"]).assert().code(2).stderr(contains("bash"));
}

#[cfg(unix)]
#[test]
fn bash_takes_the_completions() {
    let script = amazons(&["completions", "bash"]).assert().success();
    let Ok(mut bash) =
        std::process::Command::new("bash").arg("-n").stdin(std::process::Stdio::piped()).spawn()
    else {
        return;
    };
    std::io::Write::write_all(&mut bash.stdin.take().unwrap(), &script.get_output().stdout)
        .unwrap();
    assert!(bash.wait().unwrap().success());
}

#[test]
fn there_is_a_manual_page_for_every_command() {
    let directory = tempfile::tempdir().unwrap();
    let pages = directory.path().join("share/man1");
    amazons(&["man", pages.to_str().unwrap()]).assert().success().stdout("");
    let main = std::fs::read_to_string(pages.join("amazons.1")).unwrap();
    assert!(main.contains(".TH amazons 1"), "{main}");
    for name in commands() {
        let page = std::fs::read_to_string(pages.join(format!("amazons-{name}.1"))).unwrap();
        assert!(page.contains(&format!(".TH amazons-{name} 1")), "{name}: {page}");
        assert!(
            page.contains("Common options") || page.contains("COMMON OPTIONS"),
            "{name}: {page}"
        );
        assert!(main.contains(&format!("amazons\\-{name}(1)")), "{name}");
    }
    assert_eq!(std::fs::read_dir(&pages).unwrap().count(), commands().len() + 1);
    let file = directory.path().join("file");
    std::fs::write(&file, "").unwrap();
    amazons(&["man", file.join("x").to_str().unwrap()])
        .assert()
        .code(1)
        .stderr(contains("cannot write"));
}
