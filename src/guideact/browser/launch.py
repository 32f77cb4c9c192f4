"""Finding, starting and ending Chromium.

Playwright's pipe is kept: Chromium exits when it closes, so a killed parent leaves no browser behind. Profiles live
in a folder of ours that is locked while we live; folders whose lock is free are swept at the next start.
"""

from __future__ import annotations

import asyncio
import fcntl
import os
import re
import shutil
import sys
import tempfile
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Literal

from playwright.async_api import Browser as PlaywrightBrowser
from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Playwright, async_playwright

from guideact.browser.context import open_session
from guideact.browser.session import Session
from guideact.errors import BrowserError, DeadlineExceeded, MissingDependency
from guideact.types import Viewport

FOLDER = "guideact-browser-"
FLAGS = (
    # One debugging session then reaches every frame.
    "--disable-site-isolation-trials",
    # Nothing leaves the machine but what a page asks for, and that only through the context's proxy.
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-domain-reliability",
    "--disable-sync",
    "--dns-prefetch-disable",
    "--no-pings",
    "--no-default-browser-check",
    "--no-first-run",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    # The same pixels everywhere.
    "--hide-scrollbars",
    "--font-render-hinting=none",
    "--disable-lcd-text",
    "--blink-settings=imageAnimationPolicy=2",
    # Redrawn whole: what is patched up in place keeps other pixels at rounded corners than what is drawn anew.
    "--disable-partial-raster",
)
_FIX = (
    "Install one (`playwright install chromium-headless-shell`, or your system's chromium), or set GUIDEACT_CHROMIUM."
)
OPEN_SECONDS = 20.0
"""How long a context may take to open before its browser counts as one that hangs; Playwright itself waits for ever."""
_starting = asyncio.Lock()


@dataclass(frozen=True)
class LaunchOptions:
    """How to start Chromium."""

    headless: bool = True
    executable: Path | None = None
    """None: searched for, see `find_chromium`."""
    timeout: float = 30
    """Seconds."""


class Browser:
    """A running Chromium; made by `launch`."""

    def __init__(self, inner: PlaywrightBrowser, executable: Path, folder: Path) -> None:
        self._inner = inner
        self.executable = executable
        self.folder = folder
        """Everything this browser writes lies here; removed at the end."""
        self._useless = False

    @property
    def version(self) -> str:
        return self._inner.version

    @property
    def alive(self) -> bool:
        """Whether it can still be used. Playwright tells neither when its driver has died nor when Chromium hangs: then
        no context opens or closes any more."""
        return self._inner.is_connected() and not self._useless

    @asynccontextmanager
    async def session(
        self,
        *,
        allow: Sequence[str] | None = None,
        viewport: Viewport | None = None,
        now: datetime | None = None,
        locale: str = "en-US",
        timezone: str = "Europe/Helsinki",
        dialogs: Literal["accept", "dismiss"] = "accept",
        downloads: Path | None = None,
        cookies: Sequence[Mapping[str, str]] = (),
        storage: Mapping[str, Any] | None = None,
        geolocation: Mapping[str, float] | None = None,
        har: Path | None = None,
    ) -> AsyncIterator[Session]:
        """A fresh context with nothing of any other, and one tab.

        Args:
            allow: `host:port` patterns (`*.localhost:8080`) that can be reached; None for any host.
            viewport: 1440x900 unless told otherwise.
            now: what Date says, frozen; None leaves the clock alone.
            dialogs: what is done with confirm, prompt and beforeunload; alerts are always accepted.
            downloads: folder for downloaded files; None throws them away.
            cookies: each with `name`, `value` and `url`.
            storage: cookies and stored items that it begins with, in Playwright's form.
            geolocation: where pages are told that they are: `latitude`, `longitude`, `accuracy`.
            har: file that all requests and answers are written to when it ends.

        Raises:
            BrowserError: the browser has died, or hangs.
        """
        try:
            async with asyncio.timeout(OPEN_SECONDS):
                session = await open_session(
                    self._inner,
                    allow=None if allow is None else tuple(allow),
                    viewport=viewport or Viewport(),
                    now=now,
                    locale=locale,
                    timezone=timezone,
                    dialogs=dialogs,
                    downloads=downloads,
                    cookies=cookies,
                    storage=storage,
                    geolocation=geolocation,
                    har=har,
                )
        except BrowserError:
            self._useless = True
            raise
        except TimeoutError as error:
            self._useless = True
            raise BrowserError(f"The browser hangs: no context was opened within {OPEN_SECONDS:g} s") from error
        try:
            yield session
        finally:
            try:
                await session.close()
            except TimeoutError:
                # What was done in it stands; whoever opens the next one is to take another browser.
                self._useless = True


@asynccontextmanager
async def launch(options: LaunchOptions | None = None) -> AsyncIterator[Browser]:
    """Start Chromium, and end it with everything it wrote.

    Raises:
        MissingDependency: no Chromium was found; the message says how to get one.
        BrowserError: it was found but does not start.
        DeadlineExceeded: it did not start in time.
    """
    options = options or LaunchOptions()
    root = Path(tempfile.gettempdir())
    sweep(root)
    folder, lock = _folder(root)
    try:
        playwright = await _start_driver(folder)
        try:
            executable = options.executable or find_chromium(playwright, headless=options.headless)
            inner = await _start_browser(playwright, executable, options)
            try:
                yield Browser(inner, executable, folder)
            finally:
                await _close(inner)
        finally:
            await playwright.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        os.close(lock)


def find_chromium(playwright: Playwright, *, headless: bool = True) -> Path:
    """GUIDEACT_CHROMIUM, else Playwright's own, else `chromium-headless-shell`, else `chromium` on the PATH.

    Raises:
        MissingDependency: none of them is there, or GUIDEACT_CHROMIUM names no program.
    """
    named = os.environ.get("GUIDEACT_CHROMIUM")
    if named:
        found = shutil.which(named)
        if found is None:
            raise MissingDependency(f"GUIDEACT_CHROMIUM is {named!r}, which is no program that can be run", fix=_FIX)
        return Path(found)
    own = Path(playwright.chromium.executable_path)
    if headless:
        shell = _own_shell(own)
        if shell is not None:
            return shell
    if own.exists():
        return own
    names = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "chrome")
    for name in names if headless else names[1:]:
        found = shutil.which(name)
        if found is not None:
            return Path(found)
    raise MissingDependency("No Chromium was found", fix=_FIX)


def _own_shell(own: Path) -> Path | None:
    """Playwright's headless shell: a neighbour of its Chromium, of the same revision."""
    for folder in own.parents:
        match = re.fullmatch(r"chromium(?:_headless_shell)?-(\d+)", folder.name)
        if match:
            shells = folder.parent.glob(f"chromium_headless_shell-{match[1]}/*/*headless*shell*")
            return next((s for s in sorted(shells) if s.is_file() and os.access(s, os.X_OK)), None)
    return None


async def _start_driver(folder: Path) -> Playwright:
    """The driver makes profile folders in its own TMPDIR, which it takes from our environment when it starts."""
    async with _starting:
        before = os.environ.get("TMPDIR")
        os.environ["TMPDIR"] = str(folder)
        try:
            return await async_playwright().start()
        finally:
            if before is None:
                del os.environ["TMPDIR"]
            else:
                os.environ["TMPDIR"] = before


async def _start_browser(playwright: Playwright, executable: Path, options: LaunchOptions) -> PlaywrightBrowser:
    root = sys.platform != "win32" and os.geteuid() == 0
    try:
        return await playwright.chromium.launch(
            executable_path=executable,
            headless=options.headless,
            args=list(FLAGS),
            chromium_sandbox=not root,
            handle_sigint=False,
            handle_sigterm=False,
            handle_sighup=False,
            timeout=options.timeout * 1000,
        )
    except PlaywrightError as error:
        first = error.message.strip().splitlines()[0]
        if "Timeout" in first:
            raise DeadlineExceeded("launch", options.timeout) from error
        if not await _is_chromium(executable):
            named = "GUIDEACT_CHROMIUM is " if os.environ.get("GUIDEACT_CHROMIUM") else ""
            raise MissingDependency(f"{named}{str(executable)!r}, which is no Chromium", fix=_FIX) from error
        raise BrowserError(f"{executable} does not start: {first}", fix=_hint(error.message)) from error


async def _is_chromium(executable: Path) -> bool:
    """Whether a program that did not start as a browser calls itself one: "Chromium 143.0", "Google Chrome 143.0"."""
    process = await asyncio.create_subprocess_exec(
        executable, "--version", stdin=DEVNULL, stdout=PIPE, stderr=DEVNULL, start_new_session=True
    )
    try:
        async with asyncio.timeout(10):
            said, _ = await process.communicate()
    except TimeoutError:
        process.kill()
        await process.wait()
        return False
    return re.search(rb"chrom(?:e|ium)|edge", said, re.IGNORECASE) is not None


def _hint(message: str) -> str:
    # The command line that the message begins with names the sandbox whatever was wrong.
    said = "".join(line for line in message.lower().splitlines() if "<launching>" not in line)
    if "sandbox" in said:
        return "Its sandbox needs user namespaces (sysctl kernel.unprivileged_userns_clone=1)."
    return "Run it by hand with --version to see why."


async def _close(inner: PlaywrightBrowser) -> None:
    if not inner.is_connected():
        return
    try:
        async with asyncio.timeout(5):
            await inner.close()
    except TimeoutError:
        # Stopping the driver closes the pipe, and Chromium goes with it.
        return


def _folder(root: Path) -> tuple[Path, int]:
    while True:
        folder = Path(tempfile.mkdtemp(prefix=FOLDER, dir=root))
        lock = os.open(folder / "lock", os.O_CREAT | os.O_RDWR, 0o600)
        fcntl.flock(lock, fcntl.LOCK_EX)
        if (folder / "lock").exists():
            return folder, lock
        os.close(lock)  # another launch swept it before it was locked


def sweep(root: Path) -> tuple[Path, ...]:
    """Remove the folders of launches whose process is gone; returns them. Those of living ones stay locked."""
    swept = []
    for folder in root.glob(f"{FOLDER}*"):
        try:
            lock = os.open(folder / "lock", os.O_RDWR)
        except OSError:
            continue  # being made this moment, or somebody else's
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            continue
        else:
            shutil.rmtree(folder, ignore_errors=True)
            swept.append(folder)
        finally:
            os.close(lock)
    return tuple(swept)
