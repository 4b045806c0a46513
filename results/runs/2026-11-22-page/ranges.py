#!/usr/bin/env python3
"""Plays a game on 4x5 in the page, from a table of which it reads ranges, and counts requests and bytes.

    ranges.py FOLDER TABLE

FOLDER is what 'page/build --table far/ FOLDER' wrote, TABLE the directory of a 4x5 table. Needs
chromedriver. From the start the first of the best moves is played each time; for every position it
prints the requests to the table, their bytes and the seconds to the answer, all moves valued.
"""

import os
import sys

from page_session import Files, PageSession

folder, table = sys.argv[1:]
asked = []


class Ranges(Files):
    """Shows the table as well, by ranges, and takes note of them."""

    def do_GET(self):
        if not self.path.startswith("/far/"):
            return super().do_GET()
        path = os.path.join(table, self.path.removeprefix("/far/"))
        size = os.path.getsize(path)
        wanted = self.headers.get("Range")
        first, last = map(int, wanted.removeprefix("bytes=").split("-")) if wanted else (0, size - 1)
        with open(path, "rb") as file:
            file.seek(first)
            body = file.read(last + 1 - first)
        asked.append((self.path, len(body)))
        self.send_response(206 if wanted else 200)
        self.send_header("Content-Length", str(len(body)))
        if wanted:
            self.send_header("Content-Range", f"bytes {first}-{last}/{size}")
        self.end_headers()
        self.wfile.write(body)


SCRIPT = """
const [moves, done] = arguments;
(async () => {
  const { source } = await import("./source.js");
  const { position } = await source.line("1qq1/q2q/4/Q2Q/1QQ1 w", moves);
  const began = performance.now();
  const report = await source.position(position);
  done({ seconds: (performance.now() - began) / 1000, value: report.value, source: report.source?.kind,
    name: report.source?.name, moves: report.moves.length, best: report.moves[0]?.move });
})().catch((error) => done({ error: `${error}` }));
"""

with PageSession(folder, Ranges, "#fen=1qq1/q2q/Q2Q/1QQ1+w") as page:
    moves = []
    while True:
        before = len(asked)
        found = page.run(SCRIPT, moves)
        new = asked[before:]
        print(f"{len(moves)} moves: {found['value']} from {found['source']} {found['name']}, {found['moves']} moves valued;"
              f" {len(new)} requests, {sum(size for _, size in new)} bytes, {found['seconds']:.2f} s", flush=True)
        if found["best"] is None:
            break
        moves.append(found["best"])
    print(f"in all {len(asked)} requests, {sum(size for _, size in asked)} bytes of"
          f" {sum(entry.stat().st_size for entry in os.scandir(table))}")
