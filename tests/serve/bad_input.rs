//! Requests that are wrong, too large or no requests at all: a clear answer, and the server stays
//! up.

use std::io::{Read, Write};

use amazons::app::serve::Options;
use rand::rngs::StdRng;
use rand::{Rng, RngCore, SeedableRng};

use crate::client::{Reply, Served};

#[test]
fn errors_have_a_status_a_code_and_a_reason() {
    let served = Served::with_tables(&[]);
    let cases = [
        ("/api/v1/position", 400, "no_fen", "expected a position as fen="),
        ("/api/v1/position?fen=", 400, "no_fen", "found none"),
        (
            "/api/v1/position?fen=1qq1/q2q/Q2/1QQ1+w",
            400,
            "bad_fen",
            "rank 2 has 3 squares, but rank 4 above it has 4",
        ),
        ("/api/v1/position?fen=x", 400, "bad_fen", "rank 1, file a: expected 'Q'"),
        ("/api/v1/position?fen=4/4+w", 400, "bad_fen", "no amazon"),
        ("/api/v1/position?fen=%FF%FE", 400, "bad_fen", "rank 1, file a: expected"),
        ("/api/v1/position?fen=a&fen=b", 400, "bad_query", "duplicate field `fen`"),
        (
            "/api/v1/position?fen=Q2q+w&move=a1-b1/c1",
            400,
            "bad_query",
            "fen, moves, found \"move\"",
        ),
        ("/api/v1/position?fen=Q2q+w&rule=killer", 400, "bad_query", "found \"rule\""),
        ("/api/v1/exercise?board=4x4&seed=-1", 400, "bad_query", "seed: expected a whole number"),
        (
            "/api/v1/engine?fen=Q2q+w&level=god",
            400,
            "bad_query",
            "level: expected one of `beginner`",
        ),
        ("/api/v1/exercise?board=4x4&amazons=1v1", 400, "bad_query", "found \"amazons\""),
        ("/api/v1/search?fen=Q2q+w&level=easy", 400, "bad_query", "found \"level\""),
        ("/api/v1/tables?x", 400, "bad_query", "expected fields of rules, turns, found \"x\""),
        (
            "/api/v1/line?fen=1qq1/q2q/Q2Q/1QQ1+w&moves=b1-b3/b1+a1a2a3",
            400,
            "bad_move",
            "move 2: a1-a2/a3 is illegal",
        ),
        ("/api/v1/start", 400, "no_board", "board=COLUMNSxROWS"),
        ("/api/v1/start?board=44", 400, "bad_board", "COLUMNSxROWS"),
        ("/api/v1/start?board=21x4", 400, "bad_board", "found 21x4"),
        ("/api/v1/start?board=4x4&amazons=0v0", 400, "bad_amazons", "at least one in all"),
        (
            "/api/v1/start?board=3x3&amazons=4v4",
            422,
            "no_start",
            "4 amazons of one side do not fit 3 squares",
        ),
        (
            "/api/v1/search?fen=1qq1/q2q/Q2Q/1QQ1+w&seconds=0",
            400,
            "bad_seconds",
            "from 0.05 to 60, found 0",
        ),
        ("/api/v1/search?fen=1qq1/q2q/Q2Q/1QQ1+w&seconds=61", 400, "bad_seconds", "found 61"),
        ("/api/v1/search?fen=1qq1/q2q/Q2Q/1QQ1+w&seconds=NaN", 400, "bad_seconds", "found NaN"),
        ("/api/v1/search?fen=1qq1/q2q/Q2Q/1QQ1+w&seconds=soon", 400, "bad_query", "seconds"),
        (
            "/api/v1/search?fen=1qq1/q2q/Q2Q/1QQ1+w&moves_valued=some",
            400,
            "bad_query",
            "moves_valued",
        ),
        (
            "/api/v1/search?fen=Q8q/10/10/10/10/10/10+w",
            422,
            "board_too_large",
            "70 squares of 10x7 are not burned",
        ),
        ("/api/v1/nothing", 404, "not_found", "/api/v1/nothing"),
        ("/favicon.ico", 404, "not_found", "nothing at"),
    ];
    for (path, status, code, message) in cases {
        let reply = served.get(path);
        let (found_code, found) = reply.error();
        assert_eq!((reply.status, found_code.as_str()), (status, code), "{path}: {found}");
        assert!(found.contains(message), "{path}: {found}");
        assert_eq!(reply.header("content-type"), Some("application/json"));
    }
    let posted = served
        .send("POST /api/v1/position HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    assert_eq!((posted.status, posted.error().0.as_str()), (405, "wrong_method"));
    assert!(posted.header("allow").is_some_and(|allow| allow.contains("get")), "{}", posted.head);
}

#[test]
fn every_response_has_the_headers() {
    let served = Served::with_tables(&[]);
    for path in ["/", "/main.js", "/api/v1/health", "/api/v1/position?fen=x", "/nothing"] {
        let reply = served.get(path);
        for (name, value) in [
            ("x-content-type-options", "nosniff"),
            ("x-frame-options", "deny"),
            ("referrer-policy", "no-referrer"),
        ] {
            assert_eq!(reply.header(name), Some(value), "{path}");
        }
        let policy = reply.header("content-security-policy").unwrap();
        assert!(policy.contains("default-src 'none'; script-src 'self'"), "{path}: {policy}");
        assert_eq!(reply.header("access-control-allow-origin"), None);
    }
}

#[test]
fn a_server_on_loopback_answers_to_names_of_loopback() {
    let served = Served::new(Options { hosts: vec!["board.example".into()], ..Options::default() });
    let asked = |host: &str| {
        served.send(&format!(
            "GET /api/v1/health HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"
        ))
    };
    for host in ["localhost", "127.0.0.1:80", "[::1]:80", "board.example"] {
        assert_eq!(asked(host).status, 200, "{host}");
    }
    for host in ["evil.example", "127.0.0.1.evil.example", "", "localhost, evil.example"] {
        assert_eq!(
            (asked(host).status, asked(host).error().0.as_str()),
            (403, "bad_host"),
            "{host}"
        );
    }
    let absolute =
        "GET http://evil.example/ HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    assert_eq!(served.send(absolute).status, 403);
    let without = served.send("GET / HTTP/1.0\r\n\r\n");
    assert_eq!(without.status, 403);
}

#[test]
fn headers_that_contradict_each_other_are_refused() {
    let served = Served::new(Options::default());
    for twice in [
        "Host: evil.example",
        "Origin: http://localhost\r\nOrigin: http://evil.example",
        "Sec-Fetch-Site: same-origin\r\nSec-Fetch-Site: cross-site",
    ] {
        let refused = served.send(&format!(
            "GET /api/v1/health HTTP/1.1\r\nHost: localhost\r\n{twice}\r\nConnection: close\r\n\r\n"
        ));
        let code = refused.error().0;
        assert_eq!((refused.status, code.as_str()), (400, "repeated_header"), "{twice}");
    }
}

#[test]
fn the_pages_of_other_sites_cannot_make_the_server_work() {
    let served = Served::new(Options { hosts: vec!["board.example".into()], ..Options::default() });
    let foreign = [
        "Sec-Fetch-Site: cross-site",
        "Sec-Fetch-Site: same-site",
        "Sec-Fetch-Site: anything",
        "Origin: https://evil.example",
        "Origin: http://localhost:3000",
        "Origin: null",
        "Origin: \u{ff}",
        "Sec-Fetch-Site: same-origin\r\nOrigin: https://evil.example",
    ];
    let own = [
        "Accept: */*",
        "Sec-Fetch-Site: same-origin",
        "Sec-Fetch-Site: none",
        "Origin: http://localhost",
        "Sec-Fetch-Site: same-origin\r\nOrigin: https://board.example",
    ];
    let position = "fen=q1q/3/3/Q1Q+w";
    let paths = ["search", "position", "line", "sgf", "insight"];
    for path in paths.map(|path| format!("/api/v1/{path}?{position}")) {
        for header in foreign {
            let crossed = served.get_with(&path, &format!("{header}\r\n"));
            assert_eq!(
                (crossed.status, crossed.error().0.as_str()),
                (403, "cross_site"),
                "{path}, {header}"
            );
        }
        for header in own {
            assert_eq!(
                served.get_with(&path, &format!("{header}\r\n")).status,
                200,
                "{path}, {header}"
            );
        }
    }
    // Anybody may link to the page.
    assert_eq!(served.get_with("/", "Sec-Fetch-Site: cross-site\r\n").status, 200);
}

#[test]
fn no_path_leads_to_a_file() {
    let served = Served::with_tables(&[]);
    for path in [
        "/../../../../etc/passwd",
        "/%2e%2e/%2e%2e/etc/passwd",
        "/..%2f..%2fetc%2fpasswd",
        "//etc/passwd",
        "/page/main.js",
        "/main.js/../Cargo.toml",
        "/main.js%00",
        "/api/v1/position?fen=/etc/passwd+w",
        "/api/v1/../../main.js",
    ] {
        let reply = served.get(path);
        assert!((400..500).contains(&reply.status), "{path}: {}", reply.status);
        assert!(!reply.body.contains("root:"), "{path}");
    }
}

#[test]
fn the_page_names_only_files_that_are_served() {
    let served = Served::with_tables(&[]);
    let page = served.get("/");
    assert_eq!((page.status, page.header("content-type")), (200, Some("text/html; charset=utf-8")));
    let mut wanted: Vec<String> = Vec::new();
    // Relative addresses, because the page may stand anywhere; `#` is a place in the page itself.
    for marker in ["href=\"", "src=\""] {
        let named = page.body.split(marker).skip(1);
        let named = named.map(|rest| rest.split('"').next().unwrap().to_string());
        wanted.extend(named.filter(|file| !file.starts_with('#')));
    }
    let mut seen = 0;
    while let Some(file) = wanted.get(seen).cloned() {
        let reply = served.get(&format!("/{file}"));
        assert_eq!(reply.status, 200, "{file}");
        let again = served.get_with(
            &format!("/{file}"),
            &format!("If-None-Match: {}\r\n", reply.header("etag").unwrap()),
        );
        assert_eq!((again.status, again.body.as_str()), (304, ""), "{file}");
        assert!(
            !reply.body.contains("http://") || file == "favicon.svg" || file == "dom.js",
            "{file} names another server"
        );
        for import in reply.body.split("from \"./").skip(1) {
            let import = import.split('"').next().unwrap().to_string();
            if !wanted.contains(&import) {
                wanted.push(import);
            }
        }
        seen += 1;
    }
    assert!(seen >= 12, "{wanted:?}");
}

#[test]
fn what_is_too_large_is_refused() {
    let served = Served::with_tables(&[]);
    let long = "1".repeat(9000);
    let reply = served.get(&format!("/api/v1/position?fen={long}"));
    assert_eq!((reply.status, reply.error().0.as_str()), (414, "uri_too_long"));
    for bytes in [20_000, 5_000_000] {
        let reply = served.get(&format!("/{}", "1".repeat(bytes)));
        assert!([0, 414, 431].contains(&reply.status), "{bytes}: {}", reply.status);
        let reply = served.get_with("/", &format!("X-Long: {}\r\n", "1".repeat(bytes)));
        assert!([0, 431].contains(&reply.status), "{bytes}: {}", reply.status);
    }
    let body = "1".repeat(1 << 20);
    let posted = served.send(&format!(
        "POST /api/v1/position HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    ));
    assert!([0, 405, 413].contains(&posted.status), "{}", posted.status);
    // What is said to be too large is refused before it has come.
    let declared = served.send(&format!(
        "POST /api/v1/sgf HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: {}\r\n\r\n",
        (256 << 10) + 1
    ));
    assert_eq!((declared.status, declared.error().0.as_str()), (413, "body_too_large"));
    assert_eq!(served.get("/api/v1/health").status, 200);
}

/// Text that looks like a request until it does not, and whether the server must answer it.
fn junk_request(random: &mut StdRng) -> (Vec<u8>, bool) {
    let words = [
        "GET",
        "POST",
        "DELETE",
        "/",
        "/api/v1/position",
        "?fen=",
        "1qq1/q2q/Q2Q/1QQ1",
        "+w",
        "%",
        "%zz",
        "&moves=",
        "a1a2a3",
        " HTTP/1.1\r\n",
        " HTTP/9.9\r\n",
        "Host: localhost\r\n",
        "\r\n",
        "\r\n\r\n",
        "\0",
        "é",
        "Q",
        "10",
        "&seconds=1e999",
        "Content-Length: 99999999999999999999\r\n",
        "Transfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n",
        "/api/v1/search",
        "Connection: close\r\n",
        "?board=",
        "9x",
        "&amazons=",
        "99v99",
        "/api/v1/line",
        "/api/v1/start",
    ];
    let mut bytes = Vec::new();
    let kind = random.random_range(0..3);
    match kind {
        0 => {
            bytes.resize(random.random_range(1..600), 0);
            random.fill_bytes(&mut bytes);
        }
        1 => {
            for _ in 0..random.random_range(1..14) {
                bytes.extend(words[random.random_range(0..words.len())].as_bytes());
            }
        }
        _ => {
            let path: String =
                (0..random.random_range(1..4)).map(|_| words[random.random_range(3..12)]).collect();
            let mut path = path.into_bytes();
            let at = random.random_range(0..path.len());
            path[at] = random.random();
            bytes.extend(b"GET /api/v1/position?fen=");
            bytes.extend(path);
            bytes.extend(b" HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
        }
    }
    (bytes, kind == 2)
}

#[test]
fn ten_thousand_junk_requests_change_nothing() {
    let served = Served::new(Options { searches: 0, ..Options::default() });
    let before = served.get("/api/v1/position?fen=1qq1/q2q/Q2Q/1QQ1+w").body;
    std::thread::scope(|scope| {
        for seed in 0..4 {
            let served = &served;
            scope.spawn(move || {
                let mut random = StdRng::seed_from_u64(seed);
                for _ in 0..2500 {
                    let (request, answered) = junk_request(&mut random);
                    let bytes = if answered {
                        served.raw(&request)
                    } else {
                        served.raw_and_leave(&request)
                    };
                    let reply = Reply::parse(&bytes);
                    assert!(
                        (bytes.is_empty() && !answered) || (200..504).contains(&reply.status),
                        "{}",
                        reply.head
                    );
                    assert_ne!(reply.status, 500, "{}", reply.body);
                }
            });
        }
    });
    assert_eq!(served.get("/api/v1/position?fen=1qq1/q2q/Q2Q/1QQ1+w").body, before);
}

#[test]
fn connections_beyond_the_limit_wait_and_keep_alive_works() {
    let served = Served::new(Options { connections: 2, ..Options::default() });
    let mut held: Vec<_> = (0..2).map(|_| served.connect()).collect();
    let mut buffer = [0; 4096];
    for stream in &mut held {
        for _ in 0..3 {
            stream.write_all(b"GET /api/v1/health HTTP/1.1\r\nHost: localhost\r\n\r\n").unwrap();
            let count = stream.read(&mut buffer).unwrap();
            assert!(buffer[..count].starts_with(b"HTTP/1.1 200"));
        }
    }
    let mut third = served.connect();
    third.write_all(b"GET /api/v1/health HTTP/1.1\r\nHost: localhost\r\n\r\n").unwrap();
    third.set_read_timeout(Some(std::time::Duration::from_millis(300))).unwrap();
    assert!(third.read(&mut buffer).is_err());
    held.pop();
    third.set_read_timeout(Some(std::time::Duration::from_secs(10))).unwrap();
    let count = third.read(&mut buffer).unwrap();
    assert!(buffer[..count].starts_with(b"HTTP/1.1 200"));
}

#[test]
fn bodies_that_do_not_come_keep_nobody_out() {
    let served = Served::with_tables(&[]);
    let game = "(;GM[18]SZ[4]AW[b1]AB[c4])";
    let head = "POST /api/v1/sgf HTTP/1.1\r\nHost: localhost\r\nConnection: close";
    let head = format!("{head}\r\nContent-Length: {}\r\n\r\n", game.len());
    // As many as are held at once; of each a byte comes.
    let slow: Vec<_> = (0..32)
        .map(|_| {
            let mut stream = served.connect();
            stream.write_all(format!("{head}(").as_bytes()).unwrap();
            stream
        })
        .collect();
    let reply = served.send(&format!("{head}{game}"));
    assert_eq!(reply.status, 200, "{}", reply.body);
    for mut stream in slow {
        let mut told = Vec::new();
        stream.read_to_end(&mut told).unwrap();
        let reply = Reply::parse(&told);
        assert_eq!((reply.status, reply.error().0.as_str()), (408, "body_too_slow"));
    }
}
