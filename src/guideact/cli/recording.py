"""The terminal's side of `guideact guide record`: steps as they happen, and the words that steer a recording."""

from __future__ import annotations

import asyncio
import os
import signal
import stat
import sys
from collections.abc import Sequence
from contextlib import AsyncExitStack, suppress

from guideact.browser import LaunchOptions, launch
from guideact.cli.show import note, say
from guideact.errors import BrowserError, InputError, SiteError
from guideact.guides.guide import Guide
from guideact.guides.make import guide_of
from guideact.guides.places import embedded_site, hosts_of
from guideact.guides.record import Recorder, record
from guideact.sites.server import serve
from guideact.sites.skins import Skin
from guideact.sites.world import NOW

HELP = "u takes the last step back, r N TEXT rewords step N, t TEXT changes the title, s stops"


async def run(
    url: str, title: str, *, allow: Sequence[str], skin: Skin | None, language: str, headless: bool
) -> tuple[Guide, dict[str, bytes]]:
    """Record until the person stops; an embedded site is served for it.

    Raises InputError where no window can be opened, the address cannot be, or nothing was done.
    """
    embedded = embedded_site(url)
    hosts = None if embedded else hosts_of(url, allow)
    if (
        not headless
        and sys.platform == "linux"
        and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
    ):
        raise InputError("there is no screen to open a window on", fix="Run it on a desktop, or under xvfb-run.")
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    async with AsyncExitStack() as stack:
        server = await stack.enter_async_context(serve()) if embedded else None
        if server is not None and skin is not None:
            server.dress(0, skin)
        browser = await stack.enter_async_context(launch(LaunchOptions(headless=headless)))
        session = await stack.enter_async_context(
            browser.session(allow=hosts if server is None else server.allow(0), now=NOW if server is not None else None)
        )
        try:
            await session.goto(url if server is None else server.actual(url))
        except (SiteError, BrowserError) as error:
            raise InputError(error.message, fix="Check the address.") from error
        recorder = Recorder(session, title, url, language)
        if server is not None:
            recorder.canonical = server.canonical
        shown = Shown(recorder)
        recorder.changed = shown.show
        say(f"Recording {url}. {HELP}.")
        listening = loop.create_task(_listen(recorder, stop))
        loop.add_signal_handler(signal.SIGINT, stop.set)
        try:
            return await record(session, recorder, stop)
        finally:
            loop.remove_signal_handler(signal.SIGINT)
            listening.cancel()
            with suppress(asyncio.CancelledError):
                await listening


class Shown:
    """Prints what has become of the steps since it last did."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder
        self._lines: list[str] = []

    def show(self) -> None:
        lines = sentences(self._recorder)
        for number, line in enumerate(lines, 1):
            if number > len(self._lines) or self._lines[number - 1] != line:
                say(f"{number:3}. {line}")
        if len(lines) < len(self._lines):
            say(f"     Taken back; {len(lines)} steps are left.")
        self._lines = lines


def sentences(recorder: Recorder) -> list[str]:
    """The sentences of the steps so far, secrets left out."""
    if not recorder.moments:
        return []
    guide, _ = guide_of(
        recorder.moments, title=recorder.title, start_url=recorder.start_url, source="", language=recorder.language
    )
    return [step.sentence for step in guide.steps]


async def _listen(recorder: Recorder, stop: asyncio.Event) -> None:
    if sys.stdin is None or sys.stdin.closed:
        return
    kind = os.fstat(sys.stdin.fileno()).st_mode
    if not (sys.stdin.isatty() or stat.S_ISFIFO(kind) or stat.S_ISSOCK(kind)):
        return  # a file, or nothing: closing the window stops
    reader = asyncio.StreamReader()
    loop = asyncio.get_running_loop()
    transport, _ = await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    try:
        while line := (await reader.readline()).decode("utf-8", "replace"):
            command(recorder, line, stop)
    finally:
        transport.close()


def command(recorder: Recorder, line: str, stop: asyncio.Event) -> None:
    """Carry out a line that was typed while recording."""
    word, _, rest = line.strip().partition(" ")
    match word:
        case "":
            return
        case "s":
            stop.set()
        case "u":
            if not recorder.undo():
                note("There is no step to take back.")
            recorder.changed()
        case "t" if rest.strip():
            recorder.title = rest.strip()
            say(f"Title: {recorder.title}")
        case "r":
            number, _, text = rest.strip().partition(" ")
            if not (number.isdecimal() and text.strip() and recorder.rename(int(number), text)):
                note(f"r takes the number of a step, 1 to {len(recorder.moments)}, and its new sentence.")
            recorder.changed()
        case _:
            note(f"{word!r} is no command: {HELP}.")
