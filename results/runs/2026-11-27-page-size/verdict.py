"""Time to the first verdict of the page, in headless Chromium whose page is slowed down.

    pip install websocket-client
    python3 verdict.py FOLDER HASH RATE RUNS
"""

import gzip
import http.server
import json
import os
import re
import socketserver
import subprocess
import sys
import tempfile
import threading
import time

import websocket

FOLDER, HASH, RATE, RUNS = sys.argv[1], sys.argv[2], float(sys.argv[3]), int(sys.argv[4])
TYPES = {
    ".js": "text/javascript", ".wasm": "application/wasm", ".html": "text/html", ".css": "text/css",
    ".json": "application/json", ".svg": "image/svg+xml",
}
WATCH = """new MutationObserver(() => {
  const verdict = document.querySelector("#verdict")?.textContent ?? "";
  if (!window.firstVerdict && /White|Black/.test(verdict)) window.firstVerdict = [performance.now(), verdict];
}).observe(document, { subtree: true, childList: true, characterData: true });"""
CHROMIUM = [
    "nice", "-n", "-15", "chromium", "--headless=new", "--no-sandbox", "--disable-gpu",
    "--remote-debugging-port=0", "--remote-allow-origins=*",
]
packed = {}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        path = self.path.split("?")[0]
        file = FOLDER + ("/index.html" if path == "/" else path)
        found = os.path.isfile(file)
        if found and file not in packed:
            packed[file] = gzip.compress(open(file, "rb").read(), 9)
        body = packed.get(file, b"")
        self.send_response(200 if found else 404)
        self.send_header("Content-Type", TYPES.get(os.path.splitext(file)[1], "application/octet-stream"))
        if found:
            self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *words):
        pass


class Server(socketserver.ThreadingMixIn, http.server.HTTPServer):
    daemon_threads = True


class Browser:
    """A browser and what it is told by its own protocol."""

    def __init__(self):
        home = f"--user-data-dir={tempfile.mkdtemp()}"
        self.process = subprocess.Popen([*CHROMIUM, home, "about:blank"], stderr=subprocess.PIPE, text=True)
        address = next(filter(None, (re.search(r"ws://\S+", line) for line in self.process.stderr)))[0]
        threading.Thread(target=lambda: [None for _ in self.process.stderr], daemon=True).start()
        self.socket, self.asked = websocket.create_connection(address, timeout=60), 0

    def ask(self, method, session=None, **parameters):
        self.asked += 1
        message = {"id": self.asked, "method": method, "params": parameters}
        self.socket.send(json.dumps(message | ({"sessionId": session} if session else {})))
        while (answer := json.loads(self.socket.recv())).get("id") != message["id"]:
            pass
        return answer["result"]

    def end(self):
        self.socket.close()
        self.process.kill()
        self.process.wait()


def first_verdict(url):
    browser = Browser()
    target = browser.ask("Target.createTarget", url="about:blank")["targetId"]
    session = browser.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
    browser.ask("Page.enable", session)
    browser.ask("Emulation.setCPUThrottlingRate", session, rate=RATE)
    browser.ask("Page.addScriptToEvaluateOnNewDocument", session, source=WATCH)
    browser.ask("Page.navigate", session, url=url)
    first, end = None, time.time() + 60
    while first is None and time.time() < end:
        time.sleep(0.1)
        found = browser.ask("Runtime.evaluate", session, expression="window.firstVerdict", returnByValue=True)
        first = found["result"].get("value")
    browser.end()
    return first


def main():
    server = Server(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    for _ in range(RUNS):
        print(first_verdict(f"http://127.0.0.1:{server.server_port}/{HASH}"), flush=True)


main()
