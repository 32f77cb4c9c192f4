"""Carrying out one action with real mouse and key events, and saying what stood in the way when it had no effect.

A `Mark` and a `Point` end in the same element and run the same code; only where a click lands differs.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any

from guideact.browser.observe import Place, Reference, frame_hits, place_of
from guideact.browser.tab import Handle, Tab, Vanished
from guideact.types import Click, Mark, Outcome, Point, PressEnter, Scroll, Select, Target, Type, Viewport

LIST_PATIENCE = 2000
"""Milliseconds for which a list that was opened may take to show its options."""
_STALE = Outcome(code="stale_mark", detail="The page has been replaced since this was seen.")


@dataclass(frozen=True)
class Done:
    """What came of an action, and whether the page may answer it after a pause."""

    outcome: Outcome | None = None
    eager: bool = False
    found: Found | None = None
    """The element the action was for, where it had a target that was there."""


@dataclass(frozen=True)
class Found:
    """The element an action is for. `at` is the point of the viewport it was named by, if it was."""

    frame: str
    element: int
    at: tuple[float, float] | None = None


class Stopped(Exception):
    """Ends an action with an outcome."""

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(detail)
        self.outcome = Outcome(code=code, detail=detail)


@dataclass(frozen=True)
class Page:
    """What acting needs: the tab, the last look's references (none if it was of another tab), how to take notes."""

    tab: Tab
    references: Sequence[Reference]
    viewport: Viewport
    note: Callable[[str], None]
    dialogs: Callable[[], int]
    """How many dialogs have appeared so far."""


async def perform(page: Page, action: Click | Type | Select | Scroll | PressEnter) -> Done:
    """Do it. Anything but a crash comes back as an outcome."""
    found: Found | None = None
    eager = False
    try:
        if not isinstance(action, PressEnter) and action.target is not None:
            found = await find(page, action.target)
        match action:
            case PressEnter():
                if not await page.tab.call(page.tab.main, "hasFocus"):
                    page.note("Enter was pressed, but nothing has the focus.")
                await press(page.tab, "Enter", 13, text="\r")
            case Scroll(direction=direction):
                await scroll(page, found, direction)
            case _ if found is None:
                raise ValueError(f"{action.verb} without a target")
            case Click():
                await click(page, found)
            case Type(text=text):
                eager = await type_text(page, found, text)
            case Select(option=option):
                await select(page, found, option)
    except Stopped as stop:
        return Done(stop.outcome, eager, found)
    except Vanished:
        return Done(_STALE, eager, found)
    return Done(None, eager, found)


# --- finding --------------------------------------------------------------------------------------------------------


async def find(page: Page, target: Target) -> Found:
    """The element of a mark, or what a hit test finds at a point."""
    if isinstance(target, Mark):
        if not page.references:
            raise Stopped("no_such_mark", "Nothing on this page has a mark.")
        if target.mark > len(page.references):
            raise Stopped("no_such_mark", f"There is no mark {target.mark}: they go from 1 to {len(page.references)}.")
        reference = page.references[target.mark - 1]
        if page.tab.contexts.get(reference.frame) != reference.context:
            raise Vanished
        return Found(reference.frame, reference.element)
    return (await probe(page, target))[0]


async def probe(page: Page, target: Point) -> tuple[Found, dict[str, Any]]:
    """Hit test through frames, and what is known of the element that is hit."""
    x, y = target.x, target.y
    if x >= page.viewport.width or y >= page.viewport.height:
        size = f"{page.viewport.width}x{page.viewport.height}"
        raise Stopped("off_page", f"The point ({x:g}, {y:g}) lies outside the page's {size} px.")
    tab, frame, place = page.tab, page.tab.main, Place()
    while True:
        children = tab.children(frame)
        owners: list[Handle] = [await tab.owner(child) for child in children]
        hit = await tab.call(frame, "under", *place.into(x, y), *owners)
        if "nothing" in hit:
            raise Stopped("off_page", f"There is nothing at ({x:g}, {y:g}).")
        if "owner" not in hit:
            return Found(frame, hit["id"], (x, y)), hit
        frame = children[hit["owner"]]
        place = await place_of(tab, frame)


async def ask(tab: Tab, frame: str, function: str, *args: Any) -> dict[str, Any]:
    """Call a function of hands.js that may answer with what stands in the way."""
    reply: dict[str, Any] = await tab.call(frame, function, *args)
    if not reply["ok"]:
        raise Stopped(reply["code"], reply["detail"])
    return reply


async def after(work: Awaitable[Any]) -> Any:
    """For what follows the act itself: a page that has gone by then was meant to go."""
    try:
        return await work
    except Vanished:
        return None


# --- mouse and keys -------------------------------------------------------------------------------------------------


async def aim(page: Page, found: Found) -> tuple[tuple[float, float], dict[str, Any]]:
    """A point of the viewport at which the element is reached, from inside its frame and from outside."""
    tab = page.tab
    reply = await ask(tab, found.frame, "aim", found.element)
    points: list[list[float]] = reply["points"]
    if found.frame != tab.main:
        hits = await frame_hits(tab, found.frame, points)
        points = [point for point, hit in zip(points, hits, strict=True) if hit]
        if not points:
            raise Stopped("covered", f"The frame of the {reply['name']} is covered or out of view.")
    place = await place_of(tab, found.frame)
    for point in points:
        x, y = place.out(*point)
        await mouse(tab, "mouseMoved", x, y)
        check = await tab.call(found.frame, "still", found.element, *point)
        if check["ok"]:
            return (x, y), reply
    raise Stopped(check["code"], check["detail"])


async def mouse(tab: Tab, kind: str, x: float, y: float) -> None:
    """One mouse event. `kind`: mouseMoved, mousePressed or mouseReleased."""
    pressed = kind != "mouseMoved"
    await tab.send(
        "Input.dispatchMouseEvent",
        {
            "type": kind,
            "x": x,
            "y": y,
            "button": "left" if pressed else "none",
            "buttons": 1 if kind == "mousePressed" else 0,
            "clickCount": 1 if pressed else 0,
        },
    )


async def press_mouse(tab: Tab, x: float, y: float) -> None:
    """Press and release where the mouse already is. A page that goes away while the button is down is no failure."""
    await after(asyncio.gather(mouse(tab, "mousePressed", x, y), mouse(tab, "mouseReleased", x, y)))


async def press(tab: Tab, key: str, code: int, *, text: str = "", commands: Sequence[str] = ()) -> None:
    """One key, down and up, where the focus is."""
    event = {"key": key, "code": key, "windowsVirtualKeyCode": code, "nativeVirtualKeyCode": code}
    down = {**event, "type": "keyDown" if text else "rawKeyDown", "text": text, "commands": list(commands)}
    await after(
        asyncio.gather(
            tab.send("Input.dispatchKeyEvent", down), tab.send("Input.dispatchKeyEvent", {**event, "type": "keyUp"})
        )
    )


async def click(page: Page, found: Found) -> None:
    """Click an element; a native select is only given the focus, as its list cannot be seen."""
    tab = page.tab
    before = page.dialogs()
    if found.at is not None:
        x, y = found.at
        _, known = await probe(page, Point(x=x, y=y))
        if known["disabled"]:
            raise Stopped("disabled", f"The {known['disabled']} is disabled.")
        if not known["select"]:
            await mouse(tab, "mouseMoved", x, y)
    else:
        (x, y), known = await aim(page, found)
    if known["select"]:
        await _focus_select(page, found, known["name"])
        return
    await press_mouse(tab, x, y)
    if known["checked"] is not None and page.dialogs() == before:
        point = await after(tab.call(found.frame, "labelPoint", found.element, known["checked"]))
        if point is not None:
            x, y = (await place_of(tab, found.frame)).out(*point)
            await mouse(tab, "mouseMoved", x, y)
            await press_mouse(tab, x, y)


async def _focus_select(page: Page, found: Found, name: str) -> None:
    await ask(page.tab, found.frame, "focusOn", found.element)
    page.note(f"The list {name} has the focus; choose from it with select.")


# --- typing ---------------------------------------------------------------------------------------------------------


async def type_text(page: Page, found: Found, text: str) -> bool:
    """Replace the content of a field. Returns whether its page may answer after a pause in typing."""
    tab = page.tab
    field = await ask(tab, found.frame, "field", found.element)
    if field["kind"] == "set":
        await aim(page, Found(found.frame, field["id"]))
        wanted = (await ask(tab, found.frame, "assign", field["id"], text))["wanted"]
        await held(tab, found.frame, "taken", field["id"], wanted)
        return False
    target = Found(found.frame, field["id"])
    (x, y), _ = await aim(page, target)
    if found.at is not None and field["id"] == found.element:
        x, y = found.at
        await mouse(tab, "mouseMoved", x, y)
    await press_mouse(tab, x, y)
    grabbed = await ask(tab, found.frame, "grab", target.element)
    # What an input method sends, so that pages which wait for keys hear of it.
    ime = {"key": "Process", "windowsVirtualKeyCode": 229, "nativeVirtualKeyCode": 229}
    await tab.send("Input.dispatchKeyEvent", {**ime, "type": "rawKeyDown"})
    if text:
        await tab.send("Input.insertText", {"text": text})
    elif not grabbed["empty"]:
        await press(tab, "Delete", 46, commands=("deleteForward",))
    await after(tab.send("Input.dispatchKeyEvent", {**ime, "type": "keyUp"}))
    await held(tab, found.frame, "typed", grabbed["id"], text)
    return bool(grabbed["eager"])


async def held(tab: Tab, frame: str, question: str, *arguments: Any) -> None:
    """Ask what the page made of a value, a frame after it was set; nothing is amiss where the page goes away over it.

    A list that leads to another page often goes back to its first entry while that page is on its way.
    """
    reply = await after(tab.call(frame, question, *arguments))
    if reply is not None and not reply["ok"] and not tab.leaving:
        raise Stopped(reply["code"], reply["detail"])


# --- choosing -------------------------------------------------------------------------------------------------------


async def select(page: Page, found: Found, option: str) -> None:
    """Choose from a native select, a widget that hides one, or a list made of anything."""
    tab, frame = page.tab, found.frame
    if await _choose(tab, frame, found.element, option):
        return
    plan = await ask(tab, frame, "plan", found.element)
    head = Found(frame, plan["id"])
    if plan["datalist"]:
        choices = await tab.call(frame, "datalistOptions", head.element)
        chosen = next((c for c in choices if c.strip().casefold() == option.strip().casefold()), None)
        if chosen is None:
            raise Stopped("option_missing", f'"{option}" is not in the list. It has: {_listed(choices)}.')
        await type_text(page, head, chosen)
        return
    if not plan["open"]:
        (x, y), _ = await aim(page, head)
        await press_mouse(tab, x, y)
    try:
        try:
            item = await ask(tab, frame, "seek", head.element, option, LIST_PATIENCE)
        except Stopped as stop:
            if stop.outcome.code not in ("option_missing", "no_list") or not plan["input"]:
                raise
            # A list that shows only what matches what is typed.
            await type_text(page, head, option)
            item = await ask(tab, frame, "seek", head.element, option, LIST_PATIENCE)
    except Stopped as stop:
        if stop.outcome.code == "no_list":
            hidden = await tab.call(frame, "hiddenSelect", head.element)
            if hidden and await _choose(tab, frame, hidden, option):
                return
            raise Stopped("not_a_select", f"No list opened for the {plan['name']}.") from stop
        if not plan["open"]:
            await press(tab, "Escape", 27)
        raise
    try:
        (x, y), _ = await aim(page, Found(frame, item["id"]))
    except Stopped as stop:
        if stop.outcome.code != "gone":
            raise
        # The list has drawn its rows anew since: the option now shows without a search.
        item = await ask(tab, frame, "seek", head.element, option, LIST_PATIENCE)
        (x, y), _ = await aim(page, Found(frame, item["id"]))
    await press_mouse(tab, x, y)


async def _choose(tab: Tab, frame: str, element: int, option: str) -> bool:
    """Choose from a native select; False where it is none."""
    reply = await ask(tab, frame, "choose", element, option)
    if reply["native"]:
        await held(tab, frame, "chosen", element, reply["option"])
    return bool(reply["native"])


def _listed(labels: Sequence[str]) -> str:
    head = ", ".join(f'"{label}"' for label in labels[:30])
    return head if len(labels) <= 30 else f"{head} and {len(labels) - 30} more"


# --- scrolling ------------------------------------------------------------------------------------------------------

_STEPS = {"up": (0, -1), "down": (0, 1), "left": (-1, 0), "right": (1, 0)}


async def scroll(page: Page, found: Found | None, direction: str) -> None:
    """Scroll what lies under the element by 80 % of its visible extent; frame by frame outwards where nothing can."""
    tab = page.tab
    dx, dy = _STEPS[direction]
    frame, element = (tab.main, 0) if found is None else (found.frame, found.element)
    while True:
        reply = await ask(tab, frame, "scrollFrom", element, dx, dy)
        if reply["moved"]:
            return
        if reply.get("inner") or frame == tab.main:
            break
        owner = await tab.owner(frame)
        frame = tab.parents[frame]
        element = await tab.call(frame, "owned", owner)
    page.note(f"Nothing scrolled {direction}: it is at its end.")
