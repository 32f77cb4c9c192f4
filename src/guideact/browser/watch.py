"""Watching a person at work in a session: what they do, told as it happens, in every tab and frame."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from dataclasses import dataclass
from importlib.resources import files
from typing import Any, Literal

from guideact.browser.session import Session
from guideact.browser.tab import WORLD, Tab, Vanished
from guideact.errors import BrowserError

_SCRIPT = files("guideact.browser").joinpath("watch.js").read_text("utf-8")
_TOLD = "guideactTold"
TRIES, PAUSE = 40, 0.05
"""How often, and how far apart (s), a tab is asked for its history."""
Kind = Literal["down", "click", "type", "select", "enter", "scroll", "back", "address", "moved"]


@dataclass(frozen=True)
class Act:
    """One thing that happened.

    `down` comes before the page hears of it, `click` with it; `type` with every change of a field, with all that it
    holds then; `back` and `address` for what was done outside the page; `moved` when the page itself changed.
    """

    kind: Kind
    frame: str = ""
    element: int = 0
    """The element's number in its frame, as `Session.seen_as` takes it; 0 where there is none."""
    value: str = ""
    """Text of a field, label of an option, direction of a scroll, or the address."""
    point: tuple[float, float] | None = None
    """Of a mouse click, CSS px of the frame."""
    hidden: bool = False
    """The field is one for passwords: `value` is bullets."""


async def watch(session: Session, tell: Callable[[Act], None]) -> None:
    """Tell of everything that a person does in a session from now on, in tabs that open later too."""
    for tab in session.tabs:
        await _watch(tab, tell)
    session.when_a_tab_opens(lambda tab: _watch(tab, tell))


async def _watch(tab: Tab, tell: Callable[[Act], None]) -> None:
    places: dict[str, int] = {}

    def told(event: dict[str, Any]) -> None:
        frame = tab.frame_of.get(event["executionContextId"])
        if event["name"] == _TOLD and frame is not None:
            tell(_act(frame, json.loads(event["payload"])))

    def navigated(event: dict[str, Any]) -> None:
        if "parentId" not in event["frame"]:
            tab.spawn(_outside(tab, places, tell))

    def asked(event: dict[str, Any]) -> None:
        # What a page asks for is the work of the person's click; what nothing asked for came from the browser's bar.
        if event.get("frameId") == tab.main:
            places["asked"] = 1

    tab.cdp.on("Runtime.bindingCalled", told)
    tab.cdp.on("Page.frameNavigated", navigated)
    tab.cdp.on("Page.frameRequestedNavigation", asked)
    tab.cdp.on("Page.frameScheduledNavigation", asked)
    try:
        await tab.send("Runtime.addBinding", {"name": _TOLD, "executionContextName": WORLD})
        places["index"] = (await tab.send("Page.getNavigationHistory"))["currentIndex"]
        await tab.send(
            "Page.addScriptToEvaluateOnNewDocument", {"source": _SCRIPT, "worldName": WORLD, "runImmediately": True}
        )
    except Vanished:
        return


async def _outside(tab: Tab, places: dict[str, int], tell: Callable[[Act], None]) -> None:
    """Whether a document came by the browser's own buttons or its address bar."""
    asked = places.pop("asked", 0)
    history = await _history(tab)
    if history is None:
        return
    index, before = history["currentIndex"], places.get("index", 0)
    places["index"] = index
    entry = history["entries"][index]
    if index < before:
        tell(Act("back", value=entry["url"]))
    elif not asked and entry.get("transitionType") in ("typed", "address_bar", "auto_bookmark", "generated", "keyword"):
        tell(Act("address", value=entry["url"]))


async def _history(tab: Tab) -> Any:
    """The tab's history; None once it has closed. While a document takes another's place, Chromium gives none."""
    for _ in range(TRIES):
        if tab.closed:
            return None
        try:
            return await tab.send("Page.getNavigationHistory")
        except (Vanished, BrowserError):
            if tab.crashed:
                raise
            await asyncio.sleep(PAUSE)
    return await tab.send("Page.getNavigationHistory")


def _act(frame: str, said: dict[str, Any]) -> Act:
    point = (float(said["x"]), float(said["y"])) if "x" in said else None
    return Act(said["kind"], frame, int(said["element"]), str(said.get("value", "")), point, bool(said.get("hidden")))
