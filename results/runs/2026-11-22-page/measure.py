#!/usr/bin/env python3
"""Times proofs of start positions: natively on one thread, and by the page in headless Chromium.

    measure.py AMAZONS FOLDER [--rounds N] [BOARD...]

AMAZONS is the program, FOLDER what page/build wrote. Needs chromedriver. For each board and round it
prints seconds and positions of both, the native search by 'amazons solve --threads 1', the page's by
the same method that its button calls, told to end with one winning move; then the medians.
"""

import http.server
import json
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request

rounds = 3
arguments = sys.argv[1:]
if "--rounds" in arguments:
    at = arguments.index("--rounds")
    rounds = int(arguments[at + 1])
    del arguments[at : at + 2]
program, folder, *boards = arguments
boards = boards or ["4x4", "4x5", "5x4", "5x5", "4x6"]


class Quiet(http.server.SimpleHTTPRequestHandler):
    def __init__(self, *args):
        super().__init__(*args, directory=folder)

    def log_message(self, *_):
        pass

    # Without the tables, which know the start positions, there is something to search.
    def do_GET(self):
        if self.path != "/tables.json":
            return super().do_GET()
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"[]")


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Quiet)
threading.Thread(target=server.serve_forever, daemon=True).start()
driver = subprocess.Popen(["chromedriver", "--port=0"], stdout=subprocess.PIPE, text=True)
line = next(line for line in driver.stdout if "successfully on port " in line)
base = f"http://127.0.0.1:{line.rsplit('on port ', 1)[1].strip().rstrip('.')}"


def post(path, body):
    request = urllib.request.Request(
        base + path, json.dumps(body).encode(), {"Content-Type": "application/json"}
    )
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)["value"]


SCRIPT = """
const [board, done] = arguments;
(async () => {
  const { source } = await import("./source.js");
  const { position } = await source.start(board, "4v4");
  const began = performance.now();
  let end = null;
  await source.search(position, 3600, "best", undefined, (name, data) => { if (name === "done") end = data; });
  done({ ...end, whole: (performance.now() - began) / 1000 });
})().catch((error) => done({ error: `${error}` }));
"""

profile = tempfile.TemporaryDirectory()
arguments = ["--headless=new", "--no-sandbox", "--disable-gpu", f"--user-data-dir={profile.name}"]
options = {"goog:chromeOptions": {"args": arguments}, "timeouts": {"script": 3_600_000}}
session = post("/session", {"capabilities": {"alwaysMatch": options}})
print(session["capabilities"]["browserName"], session["capabilities"]["browserVersion"])
where = f"/session/{session['sessionId']}"
try:
    post(f"{where}/url", {"url": f"http://127.0.0.1:{server.server_port}/"})
    for board in boards:
        times = {"native": [], "page": []}
        for _ in range(rounds):
            began = time.monotonic()
            native = subprocess.run(
                [program, "solve", board, "--threads", "1", "--json"],
                capture_output=True, text=True, check=True,
            )
            native_seconds = time.monotonic() - began
            page = post(f"{where}/execute/async", {"script": SCRIPT, "args": [board]})
            if "error" in page:
                sys.exit(f"{board}: {page['error']}")
            found = json.loads(native.stdout)
            assert found["winner"] == page["winner"], (found, page)
            times["native"].append(native_seconds)
            times["page"].append(page["whole"])
            print(f"{board} {page['winner']}: native {native_seconds:.2f} s {found.get('nodes')} positions,"
                  f" page {page['whole']:.2f} s {page['nodes']} positions", flush=True)
        native, page = (statistics.median(times[kind]) for kind in ("native", "page"))
        print(f"{board} medians: native {native:.2f} s, page {page:.2f} s, {page / native:.2f} times", flush=True)
finally:
    urllib.request.urlopen(urllib.request.Request(base + where, method="DELETE"))
    driver.terminate()
