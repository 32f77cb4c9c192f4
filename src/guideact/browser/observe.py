"""Looking at a page: numbered candidates, visible text, and a screenshot, without touching the page.

One call a frame, level by level: a frame tells where its child frames show, the children then look no further than
that. What a child reports is kept only where its parents' hit tests agree that the frame itself shows there.
"""

from __future__ import annotations

import asyncio
import base64
import hashlib
import struct
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pydantic import TypeAdapter

from guideact.browser.tab import Handle, Tab, Vanished
from guideact.errors import BrowserError
from guideact.types import Candidate, Screenshot, Scroll2D, TextLine, Viewport

_ACTING = frozenset({"click", "mousedown", "mouseup", "pointerdown", "pointerup", "touchstart", "touchend", "dblclick"})
# Validated in one go: one at a time would take as long as the look itself.
_CANDIDATES = TypeAdapter(tuple[Candidate, ...])
_TEXTS = TypeAdapter(tuple[TextLine, ...])
MAX_LISTENERS = 400
"""New nodes with listeners that one look asks about."""
SHOTS = 4
"""Pictures that are taken, at most, until two in a row are the same."""
MOVING = f"the page does not stand still: this is the last of {SHOTS} screenshots"
STALE = "this is the last frame"
"""What `partial` says of a screenshot that no second one confirms, and of one that shows an earlier page."""
ROW = 10
"""CSS px by which things on one line of reading may differ in height."""


@dataclass(frozen=True)
class Place:
    """How a frame lies in the viewport: viewport = origin + scale * frame."""

    x: float = 0
    y: float = 0
    scale: float = 1

    def out(self, x: float, y: float) -> tuple[float, float]:
        """From the frame to the viewport."""
        return (self.x + self.scale * x, self.y + self.scale * y)

    def into(self, x: float, y: float) -> tuple[float, float]:
        """From the viewport to the frame."""
        return ((x - self.x) / self.scale, (y - self.y) / self.scale)

    def inner(self, x: float, y: float, scale: float) -> Place:
        """The place of a frame that lies at (x, y) of this one."""
        left, top = self.out(x, y)
        return Place(left, top, self.scale * scale)


@dataclass(frozen=True)
class Reference:
    """Where an element lives: the frame, the isolated world it was seen in, and its number there."""

    frame: str
    context: int
    element: int


@dataclass
class Look:
    """What one look found."""

    title: str = ""
    scroll: Scroll2D = field(default_factory=Scroll2D)
    candidates: tuple[Candidate, ...] = ()
    references: tuple[Reference, ...] = ()
    """One for each candidate."""
    texts: tuple[TextLine, ...] = ()
    prints: int = 0
    problems: list[str] = field(default_factory=list)


async def look(tab: Tab) -> Look:
    """Everything in the viewport that can be acted on or read.

    Never raises for a page that changes meanwhile: what is missing is said in `problems`.

    Raises:
        BrowserError: the page or the browser has crashed.
    """
    found = Look()
    await _mark_listeners(tab, found)
    raw: list[tuple[dict[str, Any], Reference]] = []
    texts: list[dict[str, Any]] = []
    level: list[tuple[str, Place, list[float] | None]] = [(tab.main, Place(), None)]
    while level:
        seen = await asyncio.gather(*(_see(tab, frame, clip, found) for frame, _, clip in level))
        below: list[tuple[str, Place, list[float] | None]] = []
        for (frame, place, _), reply in zip(level, seen, strict=True):
            if reply is None:
                continue
            data, context, children = reply
            if frame == tab.main:
                found.title = data["title"]
                x, y, max_x, max_y = data["scroll"]
                found.scroll = Scroll2D(x=x, y=y, max_x=max_x, max_y=max_y)
            found.prints += data["prints"]
            if data["truncated"]:
                found.problems.append(f"the page is huge: only its first {data['visited']} elements were looked at")
            candidates = data["candidates"]
            if frame != tab.main:
                candidates = await _unhidden(tab, frame, candidates)
            path = tab.path(frame)
            if frame != tab.main:
                for item in candidates:
                    _move(item, place)
                    item["frame"] = path
                for item in data["texts"]:
                    _move(item, place)
            for item in candidates:
                del item["points"]
                raw.append((item, Reference(frame, context, item.pop("id"))))
            texts.extend(data["texts"])
            for child, box in zip(children, data["frames"], strict=True):
                if box is None:
                    continue
                inner = place.inner(box["x"], box["y"], box["scale"])
                x0, y0, x1, y1 = box["clip"]
                left, top, scale = box["x"], box["y"], box["scale"]
                clip = [(x0 - left) / scale, (y0 - top) / scale, (x1 - left) / scale, (y1 - top) / scale]
                below.append((child, inner, clip))
        level = below
    ordered = [raw[i] for i in reading_order([item["box"] for item, _ in raw])]
    for mark, (item, _) in enumerate(ordered, 1):
        item["mark"] = mark
    found.candidates = _CANDIDATES.validate_python([item for item, _ in ordered])
    found.references = tuple(reference for _, reference in ordered)
    found.texts = _TEXTS.validate_python([texts[i] for i in reading_order([text["box"] for text in texts])])
    return found


async def _see(
    tab: Tab, frame: str, clip: list[float] | None, found: Look
) -> tuple[dict[str, Any], int, list[str]] | None:
    try:
        children: list[str] = []
        owners: list[Handle] = []
        for child in tab.children(frame):
            try:
                owners.append(await tab.owner(child))
            except Vanished:
                found.problems.append(f"frame {tab.path(child) or child} was detached")
            else:
                children.append(child)
        context = tab.contexts.get(frame, 0)
        data: dict[str, Any] = await tab.call(frame, "see", clip, True, *owners)
    except Vanished:
        if frame == tab.main:
            what = "the document was replaced while looking"
        elif frame in tab.parents:
            what = f"frame {tab.path(frame)} could not be read"
        else:
            what = "a frame was detached while looking"
        found.problems.append(what)
        return None
    return data, context, children


async def _unhidden(tab: Tab, frame: str, items: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Those that a click from outside would reach too, each with the points at which it does."""
    flat = [(i, point) for i, item in enumerate(items) for point in item["points"]]
    hits = await frame_hits(tab, frame, [point for _, point in flat])
    points: dict[int, list[list[float]]] = {}
    for (i, point), hit in zip(flat, hits, strict=True):
        if hit:
            points.setdefault(i, []).append(point)
    return [{**items[i], "points": reached} for i, reached in points.items()]


async def frame_hits(tab: Tab, frame: str, points: Sequence[Sequence[float]]) -> list[bool]:
    """For points of a frame, whether each shows in the viewport: hit tests in every frame around it."""
    alive = [True] * len(points)
    while frame != tab.main and points:
        try:
            parent = tab.parents[frame]
            owner = await tab.owner(frame)
            box = await tab.call(parent, "frameBox", owner, [-1e6, -1e6, 1e6, 1e6])
            if box is None:
                return [False] * len(points)
            place = Place(box["x"], box["y"], box["scale"])
            points = [place.out(x, y) for x, y in points]
            hits = await tab.call(parent, "frameHits", owner, points)
        except (Vanished, KeyError):
            return [False] * len(points)
        alive = [a and h for a, h in zip(alive, hits, strict=True)]
        frame = parent
    return alive


async def place_of(tab: Tab, frame: str) -> Place:
    """How a frame lies in the viewport.

    Raises:
        Vanished: it has been detached, or is hidden.
    """
    chain = []
    while frame != tab.main:
        if frame not in tab.parents:
            raise Vanished(f"frame {frame} was detached")
        chain.append(frame)
        frame = tab.parents[frame]
    place = Place()
    for child in reversed(chain):
        box = await tab.call(tab.parents[child], "frameBox", await tab.owner(child), [-1e6, -1e6, 1e6, 1e6])
        if box is None:
            raise Vanished(f"frame {child} is hidden")
        place = place.inner(box["x"], box["y"], box["scale"])
    return place


async def _mark_listeners(tab: Tab, found: Look) -> None:
    """Tell every isolated world which of its elements listen to the mouse: no script can ask that.

    The question names a document by the page's own world (where `document` cannot be replaced): asked of an isolated
    world, Chromium 156 compiles the `onclick` attributes of other frames there, and then breaks at random.
    """
    by_frame = await _listeners(tab)
    new = [(node, frame) for frame, nodes in by_frame.items() for node in sorted(nodes - tab.listeners.keys())]
    if len(new) > MAX_LISTENERS:
        found.problems.append(f"{len(new)} elements listen to the mouse: only {MAX_LISTENERS} were looked at")
        new = new[:MAX_LISTENERS]
    if not new:
        return
    handles: dict[str, list[Handle]] = {}
    contexts = dict(tab.contexts)
    replies = await asyncio.gather(*(_resolve(tab, node, contexts.get(frame)) for node, frame in new))
    for (node, frame), handle in zip(new, replies, strict=True):
        if handle is not None:
            tab.listeners[node] = contexts[frame]
            handles.setdefault(frame, []).append(handle)
    for frame, known in handles.items():
        try:
            await tab.call(frame, "listening", *known)
        except Vanished:
            continue
    await tab.send("Runtime.releaseObjectGroup", {"objectGroup": "listeners"})


async def _listeners(tab: Tab) -> dict[str, set[int]]:
    """Of each frame, the backend ids of its own nodes that listen to the mouse.

    Whose a node is must be known before it is asked for: one of another frame of the same site is handed out as well,
    and made there for good, with the wrong document's prototypes.
    """
    frames = [frame for frame in (tab.main, *tab.parents) if frame in tab.contexts]
    # An answer holds the nodes of the frames inside too: those are taken away.
    nodes = dict(zip(frames, await asyncio.gather(*(_listening_below(tab, frame) for frame in frames)), strict=True))
    return {
        frame: own.difference(*(nodes[each] for each in frames if tab.parents.get(each) == frame))
        for frame, own in nodes.items()
    }


async def _listening_below(tab: Tab, frame: str) -> set[int]:
    """Backend ids of the nodes of a frame, and of the frames inside it, that listen to the mouse."""
    context = tab.contexts.get(frame)
    if context is None:
        return set()
    try:
        if context not in tab.documents:
            tab.documents[context] = await _document(tab, frame)
        reply = await tab.send(
            "DOMDebugger.getEventListeners", {"objectId": tab.documents[context], "depth": -1, "pierce": True}
        )
    except Vanished:
        return set()
    return {e["backendNodeId"] for e in reply["listeners"] if e["type"] in _ACTING and "backendNodeId" in e}


async def _document(tab: Tab, frame: str) -> str:
    """A frame's document as the page's own world has it. Raises Vanished."""
    if frame == tab.main:
        reply = await tab.send("Runtime.evaluate", {"expression": "document"})
        return str(reply["result"]["objectId"])
    owner = await tab.send("DOM.getFrameOwner", {"frameId": frame})
    described = await tab.send("DOM.describeNode", {"backendNodeId": owner["backendNodeId"]})
    inner = described["node"].get("contentDocument")
    if inner is None:
        raise Vanished(f"frame {frame} shows no document")
    reply = await tab.send("DOM.resolveNode", {"backendNodeId": inner["backendNodeId"]})
    return str(reply["object"]["objectId"])


async def _resolve(tab: Tab, node: int, context: int | None) -> Handle | None:
    """The node in its frame's isolated world; None where it has gone."""
    if context is None:
        return None
    try:
        reply = await tab.send(
            "DOM.resolveNode", {"backendNodeId": node, "executionContextId": context, "objectGroup": "listeners"}
        )
    except Vanished:
        return None
    return Handle(reply["object"]["objectId"]) if "objectId" in reply["object"] else None


def _move(item: dict[str, Any], place: Place) -> None:
    """Turn the coordinates of a candidate or a line of text from its frame's into the viewport's."""
    box = item["box"]
    box["x"], box["y"] = (round(v, 2) for v in place.out(box["x"], box["y"]))
    box["width"], box["height"] = round(box["width"] * place.scale, 2), round(box["height"] * place.scale, 2)
    if "points" in item:
        item["point"] = [round(v, 2) for v in place.out(*item["points"][0])]


def reading_order(boxes: Sequence[Mapping[str, float]]) -> list[int]:
    """Indices in reading order: lines from top to bottom, in a line from left to right.

    A line is what begins within `ROW` px of its first member, measured at the middle of the first text line, so that
    a tall card stands where it starts. A box has x, y, width and height.
    """
    anchors = [box["y"] + min(box["height"], 32) / 2 for box in boxes]
    by_height = sorted(range(len(boxes)), key=lambda i: (anchors[i], boxes[i]["x"], -boxes[i]["width"]))
    order: list[int] = []
    row: list[int] = []
    for i in by_height:
        if row and anchors[i] - anchors[row[0]] > ROW:
            order.extend(sorted(row, key=lambda j: (boxes[j]["x"], anchors[j])))
            row = []
        row.append(i)
    order.extend(sorted(row, key=lambda j: (boxes[j]["x"], anchors[j])))
    return order


async def capture(tab: Tab, viewport: Viewport, seconds: float) -> Screenshot:
    """A PNG of the viewport; tried twice, as the first can fail under load.

    Raises:
        TimeoutError: not within `seconds`.
        BrowserError: the page has crashed, or refuses twice.
        Vanished: the tab has closed.
    """
    async with asyncio.timeout(seconds):
        try:
            return await _capture(tab, viewport)
        except BrowserError:
            if tab.crashed or tab.closed:
                raise
            return await _capture(tab, viewport)


async def _capture(tab: Tab, viewport: Viewport) -> Screenshot:
    reply = await tab.send("Page.captureScreenshot", {"format": "png", "optimizeForSpeed": True})
    return screenshot(base64.b64decode(reply["data"]))


async def steady(shoot: Callable[[], Awaitable[Screenshot]]) -> tuple[Screenshot, bool]:
    """A picture that a second one confirms, and whether one does; of a page that keeps moving, the last of `SHOTS`.

    On a busy machine, about one picture in ten thousand is of a frame before the last (something fixed at the window's
    edge is missing, say), while the page has long been at rest.
    """
    shot = await shoot()
    for _ in range(SHOTS - 1):
        again = await shoot()
        if again.sha256 == shot.sha256:
            return again, True
        shot = again
    return shot, False


def screenshot(png: bytes) -> Screenshot:
    """Names a PNG by its content; its size is read from its header."""
    width, height = struct.unpack(">II", png[16:24])
    return Screenshot(sha256=hashlib.sha256(png).hexdigest(), width=width, height=height, png=png)


def smallest(candidates: Iterable[Candidate], x: float, y: float) -> Candidate | None:
    """The candidate with the smallest box around a point; of equals, the later mark."""
    holding = [c for c in candidates if c.box.contains(x, y)]
    return min(holding, key=lambda c: (c.box.width * c.box.height, -c.mark), default=None)
