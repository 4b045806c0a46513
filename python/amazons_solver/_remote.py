"""Files at an address, of which a table reads pieces by requests for ranges of bytes."""

from __future__ import annotations

import http.client
import urllib.error
import urllib.request

#: Seconds without an answer after which a request is given up.
PATIENCE = 30
#: What servers answer where there is no file; some do not tell.
NOT_THERE = (403, 404, 410)
#: Bytes of a manifest or an opening table at most.
WHOLE = 64 << 20


class RemoteError(Exception):
    """A server that is not there, or does not do what is asked; its text says what."""


class NotThere(RemoteError):
    """A file that its server does not have."""


def _answer(address: str, headers: dict[str, str]) -> http.client.HTTPResponse:
    # Encodings would change the bytes whose ranges are asked for.
    headers = {"Accept-Encoding": "identity", "User-Agent": "amazons-solver", **headers}
    request = urllib.request.Request(address, headers=headers)
    answer = urllib.request.urlopen(request, timeout=PATIENCE)
    scheme = address.split(":")[0]
    if not isinstance(answer, http.client.HTTPResponse) or not answer.url.startswith(f"{scheme}:"):
        answer.close()
        raise RemoteError(f"{address}: the server leads to {answer.url}, expected {scheme}")
    return answer


def _read(address: str, headers: dict[str, str], most: int) -> tuple[http.client.HTTPResponse, bytes]:
    """An answer and at most `most` bytes of it, and one more if there are more."""
    try:
        with _answer(address, headers) as answer:
            return answer, answer.read(most + 1)
    except urllib.error.HTTPError as error:
        kind = NotThere if error.code in NOT_THERE else RemoteError
        raise kind(f"{address}: the server answers {error.code} {error.reason}") from None
    except urllib.error.URLError as error:
        raise RemoteError(f"{address}: {error.reason}") from None
    except (OSError, http.client.HTTPException, ValueError) as error:
        raise RemoteError(f"{address}: {error or type(error).__name__}") from None


def whole(address: str) -> bytes:
    """All bytes at an address."""
    answer, found = _read(address, {}, WHOLE)
    if len(found) > WHOLE:
        raise RemoteError(f"{address}: more than {WHOLE} bytes")
    length = answer.headers.get("Content-Length")
    if length is not None and length != str(len(found)):
        raise RemoteError(f"{address}: expected {length} bytes, found {len(found)}")
    return found


def whole_if_there(address: str) -> bytes | None:
    """The same, or nothing if the server has no such file."""
    try:
        return whole(address)
    except NotThere:
        return None


class RemoteFile:
    """A file of a known length at an address. Threads may share it."""

    def __init__(self, address: str, length: int) -> None:
        self.address = address
        self.length = length
        #: What the server called the version of the file in its first answer.
        self.version: str | None = None

    def read(self, at: int, count: int) -> bytes:
        """The bytes from `at` to `at + count`, which the file has."""
        last = at + count - 1
        answer, found = _read(self.address, {"Range": f"bytes={at}-{last}"}, count)
        if answer.status != 206:
            raise RemoteError(
                f"{self.address}: expected the answer 206 to a request for a range of bytes, found"
                f" {answer.status}: the server has to answer ranges"
            )
        expected = f"bytes {at}-{last}/{self.length}"
        given = answer.headers.get("Content-Range", "")
        if given != expected:
            raise RemoteError(f"{self.address}: expected the range {expected!r}, found {given!r}")
        if len(found) != count:
            raise RemoteError(f"{self.address}: expected {count} bytes, found {len(found)}")
        version = answer.headers.get("ETag") or answer.headers.get("Last-Modified")
        if self.version is None:
            self.version = version
        elif version != self.version:
            raise RemoteError(f"{self.address}: the file was changed while it was read")
        return found
