#!/usr/bin/env python3
"""Times proofs of start positions: natively on one thread, and by the page in headless Chromium.

    measure.py AMAZONS FOLDER [--rounds N] [BOARD...]

AMAZONS is the program, FOLDER what page/build wrote. Needs chromedriver. For each board and round it
prints seconds and positions of both, the native search by 'amazons solve --threads 1', the page's by
the same method that its button calls, told to end with one winning move; then the medians.
"""

import json
import statistics
import subprocess
import sys
import time

from page_session import Files, PageSession

rounds = 3
arguments = sys.argv[1:]
if "--rounds" in arguments:
    at = arguments.index("--rounds")
    rounds = int(arguments[at + 1])
    del arguments[at : at + 2]
program, folder, *boards = arguments
boards = boards or ["4x4", "4x5", "5x4", "5x5", "4x6"]


class WithoutTables(Files):
    """They know the start positions, and then there is nothing to search."""

    def do_GET(self):
        if self.path != "/tables.json":
            return super().do_GET()
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"[]")


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

with PageSession(folder, WithoutTables) as page:
    print(page.browser)
    for board in boards:
        times = {"native": [], "page": []}
        for _ in range(rounds):
            began = time.monotonic()
            native = subprocess.run(
                [program, "solve", board, "--threads", "1", "--json"],
                capture_output=True, text=True, check=True,
            )
            native_seconds = time.monotonic() - began
            told = page.run(SCRIPT, board)
            found = json.loads(native.stdout)
            assert found["winner"] == told["winner"], (found, told)
            times["native"].append(native_seconds)
            times["page"].append(told["whole"])
            print(f"{board} {told['winner']}: native {native_seconds:.2f} s {found.get('nodes')} positions,"
                  f" page {told['whole']:.2f} s {told['nodes']} positions", flush=True)
        native, paged = (statistics.median(times[kind]) for kind in ("native", "page"))
        print(f"{board} medians: native {native:.2f} s, page {paged:.2f} s, {paged / native:.2f} times", flush=True)
