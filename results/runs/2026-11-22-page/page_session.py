"""The page in headless Chromium, in front of a static server: what the measurements beside this share."""

import functools
import http.server
import json
import subprocess
import sys
import tempfile
import threading
import urllib.request


class Files(http.server.SimpleHTTPRequestHandler):
    """Shows the files of a folder, and says nothing of it."""

    def log_message(self, *_):
        pass


class PageSession:
    """A tab with the page of a folder. 'handler' is a class as Files. Needs chromedriver."""

    def __init__(self, folder, handler, fragment=""):
        handler = functools.partial(handler, directory=folder)
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.address = f"http://127.0.0.1:{server.server_port}/{fragment}"

    def __enter__(self):
        self.driver = subprocess.Popen(["chromedriver", "--port=0"], stdout=subprocess.PIPE, text=True)
        line = next(line for line in self.driver.stdout if "successfully on port " in line)
        self.base = f"http://127.0.0.1:{line.rsplit('on port ', 1)[1].strip().rstrip('.')}"
        self.profile = tempfile.TemporaryDirectory()
        arguments = ["--headless=new", "--no-sandbox", "--disable-gpu", f"--user-data-dir={self.profile.name}"]
        options = {"goog:chromeOptions": {"args": arguments}, "timeouts": {"script": 3_600_000}}
        session = self.post("/session", {"capabilities": {"alwaysMatch": options}})
        self.browser = "{browserName} {browserVersion}".format(**session["capabilities"])
        self.session = f"/session/{session['sessionId']}"
        self.post(f"{self.session}/url", {"url": self.address})
        return self

    def __exit__(self, *_):
        urllib.request.urlopen(urllib.request.Request(self.base + self.session, method="DELETE"))
        self.driver.terminate()

    def post(self, path, body):
        request = urllib.request.Request(
            self.base + path, json.dumps(body).encode(), {"Content-Type": "application/json"}
        )
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)["value"]

    def run(self, script, argument):
        """What the script hands to the function that is its last argument."""
        found = self.post(f"{self.session}/execute/async", {"script": script, "args": [argument]})
        if "error" in found:
            sys.exit(f"{argument}: {found['error']}")
        return found
