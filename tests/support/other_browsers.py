"""One game of each by mouse in Firefox, over its own WebDriver BiDi, or in WebKitGTK's MiniBrowser:

    python -m tests.support.other_browsers firefox-esr
    xvfb-run python -m tests.support.other_browsers MINIBROWSER     (of Debian's webkit2gtk-driver)

A look now and then, not part of the tests: those run in Chromium.
"""

from __future__ import annotations

import itertools
import json
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from contextlib import ExitStack
from random import Random
from typing import Any

from websockets.sync.client import ClientConnection, connect

from tests.support.play import GAMES
from tests.support.screenshots import serving

TIMEOUT_S = 60.0  # seconds for Firefox to start, and for an answer of the page
LONG = 300.0  # seconds for a game
SETTLED = "!!document.querySelector('html.scripted .result, html.scripted #actions [name=token]')"
# The middle of one thing that one may click on next: a die to choose, what has a ring, or a button.
GOAL = """(() => {
  const all = (css) => [...document.querySelectorAll(css)], dice = all("#actions label.die-choice input");
  const ready = all("#marked:enabled"), live = all("a.live"), buttons = all("#actions .buttons .btn:enabled");
  const goals = ready.length ? ready : dice.length ? dice : live.length ? live : buttons;
  const el = goals[Math.floor(LUCK * goals.length)], to = el?.querySelector(".hit") ?? el;
  to?.scrollIntoView({ block: "center" });
  const { x, y, width, height } = to?.getBoundingClientRect() ?? {};
  return to ? JSON.stringify([Math.round(x + width / 2), Math.round(y + height / 2)]) : "";
})()"""


MOUSE = {"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}}


def click(x: int, y: int) -> dict[str, Any]:
    steps = [
        {"type": "pointerMove", "x": x, "y": y},
        {"type": "pointerDown", "button": 0},
        {"type": "pointerUp", "button": 0},
    ]
    return MOUSE | {"actions": steps}


class Firefox:
    """A page in a Firefox of its own."""

    def __init__(self, program: str, profile: str) -> None:
        self._numbers = itertools.count(1)
        self._process = subprocess.Popen(
            [program, "--headless", "--no-remote", "--profile", profile, "--remote-debugging-port", "0"],
            stderr=subprocess.PIPE,
            text=True,
        )
        assert self._process.stderr is not None
        said = next(line for line in self._process.stderr if "WebDriver BiDi listening on" in line)
        self._open = connect(said.split()[-1] + "/session", max_size=None)
        self._line: ClientConnection = self._open.__enter__()
        self.said = self.ask("session.new", capabilities={})["capabilities"]["browserVersion"]
        self._page = self.ask("browsingContext.getTree")["contexts"][0]["context"]
        self.ask("browsingContext.setViewport", context=self._page, viewport={"width": 1280, "height": 720})

    def close(self) -> None:
        self._process.terminate()
        self._process.wait()

    def ask(self, method: str, **params: Any) -> Any:
        number = next(self._numbers)
        self._line.send(json.dumps({"id": number, "method": method, "params": params}))
        while (answer := json.loads(self._line.recv(TIMEOUT_S))).get("id") != number:
            pass
        assert answer["type"] == "success", answer
        return answer["result"]

    def goto(self, url: str) -> None:
        self.ask("browsingContext.navigate", context=self._page, url=url, wait="complete")

    def value(self, expression: str) -> Any:
        asked = self.ask(
            "script.evaluate", expression=expression, target={"context": self._page}, awaitPromise=False
        )
        assert asked["type"] == "success", asked
        return asked["result"].get("value")

    def click(self, x: int, y: int) -> None:
        self.ask("input.performActions", context=self._page, actions=[click(x, y)])


class WebKit:
    """A page in a MiniBrowser of its own, over WebDriver as it was before BiDi."""

    def __init__(self, program: str) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self._url = f"http://127.0.0.1:{port}/session"
        self._process = subprocess.Popen(["WebKitWebDriver", f"--port={port}"])
        options = {"binary": program, "args": ["--automation"]}
        wanted = {"capabilities": {"alwaysMatch": {"webkitgtk:browserOptions": options}}}
        end = time.monotonic() + TIMEOUT_S
        while True:
            try:
                begun = self.ask("", wanted)
                break
            except urllib.error.URLError:
                assert time.monotonic() < end, "WebKitWebDriver does not answer"
        self.said = begun["capabilities"]["browserVersion"]
        self._url += f"/{begun['sessionId']}"
        self.ask("/window/rect", {"x": 0, "y": 0, "width": 1280, "height": 900})

    def close(self) -> None:
        self._process.terminate()
        self._process.wait()

    def ask(self, path: str, body: dict[str, Any]) -> Any:
        head = {"Content-Type": "application/json"}
        asked = urllib.request.Request(self._url + path, json.dumps(body).encode(), head)
        with urllib.request.urlopen(asked, timeout=TIMEOUT_S) as answer:
            return json.load(answer)["value"]

    def goto(self, url: str) -> None:
        self.ask("/url", {"url": url})

    def value(self, expression: str) -> Any:
        return self.ask("/execute/sync", {"script": f"return {expression}", "args": []})

    def click(self, x: int, y: int) -> None:
        self.ask("/actions", {"actions": [click(x, y)]})


def play(page: Firefox | WebKit, url: str, game: str) -> str:
    """Play from the lobby to the result, and return its text."""
    page.goto(url)
    page.value(f"document.querySelector(\"form[action='/games/{game}'] .primary\").click()")
    luck, end = Random(1), time.monotonic() + LONG
    while time.monotonic() < end:
        if not page.value(SETTLED):
            continue
        if page.value("!!document.querySelector('.result')"):
            return str(page.value("document.querySelector('.result').textContent"))
        if goal := page.value(GOAL.replace("LUCK", str(luck.random()))):  # none while a move is on its way
            page.click(*json.loads(goal))
    raise AssertionError(f"{game} comes to no end")


def main(program: str) -> None:
    with ExitStack() as stack:
        profile = stack.enter_context(tempfile.TemporaryDirectory())
        server = stack.enter_context(serving())
        page = WebKit(program) if "MiniBrowser" in program else Firefox(program, profile)
        stack.callback(page.close)
        print(f"{type(page).__name__} {page.said}")
        for game in GAMES:
            print(f"{game}: {play(page, server.url, game)}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "firefox")
