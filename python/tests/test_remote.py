"""Tables at an address: of a server that does as it should, and of servers that do not."""

import http.server
import random
import re
import threading
from pathlib import Path

import pytest

import amazons_solver as amazons
from amazons_solver import Position, Table, TableError


class Ranges(http.server.BaseHTTPRequestHandler):
    """Serves the files of a directory, by ranges."""

    protocol_version = "HTTP/1.1"
    #: What the server does wrong: a name of a test below.
    fault = None
    asked = None

    def log_message(self, *_):
        pass

    def do_GET(self):
        path = Path(self.server.directory) / self.path.lstrip("/")
        self.server.asked.append(self.path)
        if not path.is_file():
            self.send_error(404)
            return
        data, fault = path.read_bytes(), self.server.fault
        wanted = re.fullmatch(r"bytes=(\d+)-(\d+)", self.headers.get("Range", ""))
        if wanted is None or fault == "whole":
            self.answer(200, data, {})
            return
        first, last = int(wanted[1]), int(wanted[2])
        total = len(data) + (fault == "length")
        piece = data[first : last + 1]
        named = f"bytes {first + (fault == 'place')}-{last}/{total}"
        version = str(len(self.server.asked)) if fault == "changed" else "1"
        self.answer(206, piece, {"Content-Range": named, "ETag": f'"{version}"'})

    def answer(self, status, data, headers):
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        short = status == 206 and self.server.fault == "short"
        self.wfile.write(data[: len(data) - 1] if short else data)
        self.close_connection = self.close_connection or short


@pytest.fixture
def server():
    """A server of a directory, which a test chooses."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Ranges)
    server.fault, server.asked, server.directory = None, [], None
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield server
    server.shutdown()
    server.server_close()


def address(server, name=""):
    return f"http://127.0.0.1:{server.server_port}/{name}"


def games(start, count):
    """Positions of random games."""
    rng = random.Random(7)
    for _ in range(count):
        position = start
        while position.moves():
            yield position
            position = position.play(rng.choice(position.moves()))


@pytest.mark.parametrize("end", ["", "/"])
def test_a_table_answers_from_its_address(server, table, end):
    server.directory = table.path
    far = Table(address(server).rstrip("/") + end)
    assert far.path.startswith("http://") and (far.board, far.amazons) == ("4x4", "2v2")
    assert [tier["wins"] for tier in far.tiers] == [tier["wins"] for tier in table.tiers]
    positions = list(games(far.start, 3))
    assert far.values(positions).tolist() == table.values(positions).tolist()
    assert far.moves(positions[1]) == table.moves(positions[1])
    # What was fetched is kept.
    asked = len(server.asked)
    assert far.value(positions[0]) == table.value(positions[0]) and len(server.asked) == asked


def test_margins_are_read_from_an_address(server, tmp_path):
    near = amazons.build(tmp_path / "t", "3x3", "1v1", margins=True)
    server.directory = near.path
    far = Table(address(server))
    positions = list(games(near.start, 20))
    assert far.margins(positions).tolist() == near.margins(positions).tolist()
    assert far.values(positions).tolist() == (far.margins(positions) <= 0).tolist()
    # Only manifests are fetched as they are asked for, and one more is looked for than there is.
    manifests = [path for path in server.asked if "margins-" in path]
    layers = len(list(near.path.glob("margins-*.json")))
    assert layers > 2 and manifests == [f"/margins-{layer + 1:02}.json" for layer in range(layers + 1)]
    # A plane that is not there is an error by name, and so is a manifest that is none.
    (near.path / "margins-02.json").rename(tmp_path / "away")
    with pytest.raises(ValueError, match="does not know all margins"):
        Table(address(server)).margins(positions)
    (near.path / "margins-02.json").write_text("{}")
    with pytest.raises(TableError, match="http://"):
        Table(address(server))
    (tmp_path / "away").rename(near.path / "margins-02.json")
    for plane in near.path.glob("*-minus-01.amz"):
        plane.unlink()
    with pytest.raises(TableError, match="minus-01"):
        Table(address(server)).margins(positions)


def test_an_opening_table_is_fetched(server, results):
    server.directory = results / "5x5-4v4"
    far = Table(address(server, "opening-5x5.amz"))
    near = Table(results / "5x5-4v4" / "opening-5x5.amz")
    assert far.moves(far.start) == near.moves(near.start) and server.asked == ["/opening-5x5.amz"]


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        ("whole", "the server has to answer ranges"),
        ("place", "expected the range"),
        ("length", "expected the range"),
        ("short", "http://"),
        ("changed", "the file was changed while it was read"),
    ],
)
def test_a_server_that_does_not_do_as_it_should_is_named(server, table, fault, words):
    server.directory, server.fault = table.path, fault
    far = Table(address(server))
    with pytest.raises(TableError, match=re.escape(words)):
        for position in games(far.start, 3):
            far.value(position)
    # The table can be used further.
    server.fault = None
    fresh = Table(address(server))
    assert fresh.value(fresh.start) == table.value(table.start)


def test_what_is_not_there_is_named(server, table, tmp_path):
    server.directory = tmp_path
    with pytest.raises(TableError, match="manifest.json: the server answers 404"):
        Table(address(server))
    (tmp_path / "manifest.json").write_text("{}")
    with pytest.raises(TableError, match="http://"):
        Table(address(server))
    (tmp_path / "x.amz").write_bytes(b"AMZ?")
    with pytest.raises(TableError, match="x.amz"):
        Table(address(server, "x.amz"))
    server.shutdown()
    server.server_close()
    with pytest.raises(TableError, match="manifest.json: "):
        Table(address(server))
    with pytest.raises(TableError):
        Table("http://127.0.0.1:bad/")
