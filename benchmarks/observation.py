"""How long a look at a page takes: marks, menu and PNG; and BrowserGym's observation of the same page in the same run.

The page has 336 links and 80 inputs and is generated here. It comes in two layouts: `long`, like a shop's page, of
which a viewport shows a part, and `dense`, everything in view at once. Ours is what an agent gets: `Session.observe`
(marks and PNG) and the menu of the prompt. BrowserGym's is its own `BrowserEnv._get_obs` (screenshot, DOM snapshot,
accessibility tree) and `flatten_axtree_to_str`, the menu of its prompt, unchanged, on a page that we open for it, since
its `reset` also starts a second browser for a chat. Both get the same Chromium, at 1440x900. Drawing the marks into the
picture is timed apart: BrowserGym's observation has no such picture.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from types import SimpleNamespace

from benchmarks.bench import Bench, Sample, arguments
from guideact.browser import launch
from guideact.browser.draw import draw_marks
from guideact.prompts import menu
from guideact.types import Observation

LINKS, INPUTS = 336, 80
VIEW = {"width": 1440, "height": 900}


def page(layout: str) -> str:
    """A page of 336 links and 80 inputs. `dense`: all within 1440x900; `long`: about five screens."""
    links = "".join(f'<li><a href="/item/{i}">Product number {i}</a></li>' for i in range(LINKS))
    kinds = ("text", "checkbox", "number", "search")
    inputs = "".join(
        f'<label>Field {i} <input type="{kinds[i % len(kinds)]}" name="field{i}"></label>' for i in range(INPUTS)
    )
    style = {
        "dense": "ul{display:grid;grid-template-columns:repeat(14,1fr);gap:0 4px;font-size:10px;margin:0;padding:4px}"
        "li{list-style:none;height:20px;overflow:hidden;white-space:nowrap}"
        "form{display:grid;grid-template-columns:repeat(10,1fr);gap:2px;padding:4px;font-size:10px}"
        "label{height:42px}input{width:80px;height:18px;display:block}",
        "long": "ul{display:grid;grid-template-columns:repeat(6,1fr);gap:28px 16px;padding:16px}"
        "li{list-style:none;height:44px}form{display:grid;grid-template-columns:repeat(4,1fr);gap:24px;padding:16px}"
        "input{display:block;margin-top:6px}",
    }[layout]
    return (
        f"<!doctype html><html lang=en><title>{layout}</title>"
        f"<style>body{{font-family:sans-serif;margin:0}}{style}</style>"
        f"<main><form>{inputs}</form><ul>{links}</ul></main></html>"
    )


@contextlib.contextmanager
def served() -> Iterator[str]:
    """The pages on a free port of this machine; gives the address up to the layout's name."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:  # the name that http.server calls
            body = page("dense" if self.path == "/dense" else "long").encode()
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *args: object) -> None:
            """Quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


async def ours(address: str, layouts: tuple[str, ...], rounds: int, bench: Bench) -> dict[str, Sample]:
    found = {}
    async with launch() as browser:
        bench.facts["browser"] = f"{browser.executable.name} {browser.version}"
        for layout in layouts:
            async with browser.session(allow=None) as session:
                await session.goto(f"{address}/{layout}")
                seen: Observation = await session.observe(screenshot=True)
                assert not seen.partial, seen.partial
                looks, draws = [], []
                for _ in range(rounds):
                    start = time.perf_counter()
                    seen = await session.observe(screenshot=True)
                    menu(seen)
                    looks.append((time.perf_counter() - start) * 1000)
                    assert seen.screenshot is not None
                    start = time.perf_counter()
                    draw_marks(seen.screenshot.png, seen.candidates, seen.viewport)
                    draws.append((time.perf_counter() - start) * 1000)
            marks = len(seen.candidates)
            found[layout] = bench.sample(f"{layout}: guideact, {marks} marks in view", "ms", looks)
            bench.sample(f"{layout}: drawing the marks, apart", "ms", draws)
    return found


def browsergym(address: str, layouts: tuple[str, ...], rounds: int, executable: str, bench: Bench) -> dict[str, Sample]:
    from browsergym.core import _get_global_playwright
    from browsergym.core.constants import BROWSERGYM_ID_ATTRIBUTE
    from browsergym.core.env import BrowserEnv
    from browsergym.core.task import OpenEndedTask
    from browsergym.utils.obs import flatten_axtree_to_str

    found = {}
    playwright = _get_global_playwright()
    playwright.selectors.set_test_id_attribute(BROWSERGYM_ID_ATTRIBUTE)
    browser = playwright.chromium.launch(executable_path=executable, chromium_sandbox=False)
    try:
        for layout in layouts:
            env = BrowserEnv(OpenEndedTask, {"start_url": f"{address}/{layout}"})
            env.context = browser.new_context(viewport=VIEW)
            env.page = env.context.new_page()
            env.page.goto(f"{address}/{layout}")
            env.chat = SimpleNamespace(messages=[])
            env.goal_object, env.last_action, env.last_action_error, env.start_time = [], "", "", time.time()
            looks = []
            for _ in range(rounds + 1):
                start = time.perf_counter()
                seen = env._get_obs()
                flatten_axtree_to_str(seen["axtree_object"], seen["extra_element_properties"], with_clickable=True)
                looks.append((time.perf_counter() - start) * 1000)
            env.context.close()
            found[layout] = bench.sample(f"{layout}: BrowserGym", "ms", looks[1:])
    finally:
        browser.close()
        playwright.stop()
    return found


def main() -> None:
    chosen = arguments(__doc__, rounds=(60, "looks of ours at each page"), peer=(10, "looks of BrowserGym's at each"))
    bench = Bench("observation")
    layouts = ("long", "dense")
    with served() as address:
        mine = asyncio.run(ours(address, layouts, chosen.rounds, bench))
        executable = asyncio.run(_executable())
        theirs = browsergym(address, layouts, chosen.peer, executable, bench)
    bench.facts["peer"] = f"browsergym-core {_peer_version()}"
    for layout in layouts:
        ratio = theirs[layout].median / mine[layout].median
        bench.budget(f"{layout}: at most 60 ms", f"{mine[layout].median:.1f} ms", mine[layout].median <= 60)
        bench.budget(f"{layout}: at least 10 times faster than BrowserGym", f"{ratio:.1f} times", ratio >= 10)
    bench.show()
    bench.keep(chosen.json)


async def _executable() -> str:
    async with launch() as browser:
        return str(browser.executable)


def _peer_version() -> str:
    from importlib.metadata import version

    return version("browsergym-core")


if __name__ == "__main__":
    main()
