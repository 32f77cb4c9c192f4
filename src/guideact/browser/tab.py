"""One tab over one debugging session: its frames, their isolated worlds, and the requests that are under way.

Everything that looks at a page or prepares an action runs in an isolated world named `guideact`, which the page's own
scripts can neither see nor tamper with.
"""

from __future__ import annotations

import asyncio
import json
import logging
import math
import re
import time
from collections.abc import Coroutine
from importlib.resources import files
from typing import Any

from playwright.async_api import BrowserContext, CDPSession, Page
from playwright.async_api import Error as PlaywrightError

from guideact.errors import BrowserError

_log = logging.getLogger(__name__)
WORLD = "guideact"
_PARTS = "".join(
    files("guideact.browser").joinpath(f"{name}.js").read_text("utf-8") for name in ("dom", "marks", "hands")
)
# Run again where the document is another: a frame's first, empty document hands its window on to the one that replaces
# it, our world and what it holds of the old document included.
SCRIPT = f"(() => {{ if (globalThis.guideact?.document === document) return;\n{_PARTS}}})();"
STILL = (
    "*, *::before, *::after { animation-duration: 0s !important; animation-delay: 0s !important; "
    "transition-duration: 0s !important; transition-delay: 0s !important; scroll-behavior: auto !important; } "
    "* { caret-color: transparent !important; }"
)
_NAVIGATION = "navigation"
ASKED = 1.0
"""Seconds in which the browser takes up what a page asks for, or does not."""
# Requests that stay open by nature, or that nothing on the page waits for.
_IGNORED = frozenset(
    {"WebSocket", "EventSource", "Ping", "Media", "Other", "Prefetch", "CSPViolationReport", "Manifest"}
)
# Half a character, which a page may hold and no file can: JSON writes it as an escape, and nothing else so.
_HALF = re.compile(r"(\\\\)|\\ud[89a-f][0-9a-f]{2}")
_CALL = "async function(...a) { return JSON.stringify(await guideact.%s(...a)); }"
REQUEST_PATIENCE = 4.0
"""Seconds after which a request that is no document counts as a long poll."""

_VANISHED = (
    "Cannot find context",
    "Context not found",
    "context was destroyed",
    "uniqueContextId not found",
    "Could not find object",
    "Could not find node",
    "Could not find frame",
    "Could not find document",
    "No frame for given id",
    "Frame with the given id was not found",
    "No frame with given id",
    "Frame not found",
    "No node with given id",
    "No node found for given backend id",
    "Node with given id does not belong",
    "does not belong to the document",
    "Inspected target navigated or closed",
    "Invalid remote object id",
    "Argument should belong to the same JavaScript world",
    "Cannot find default execution context",
    "Execution context was destroyed",
    "Frame with the given frameId is not found",
    "No style sheet with given id found",
    "Promise was collected",
    "Frame does not have an owner",
    "Target closed",
    "Target page, context or browser has been closed",
    "Session closed",
    "Target crashed",
)


class Vanished(Exception):
    """What was asked has gone: the document was replaced, the frame detached, or the tab closed."""


class Tab:
    """A page, and what its debugging session has told about it."""

    def __init__(self, page: Page, cdp: CDPSession, opener: Tab | None) -> None:
        self.page = page
        self.cdp = cdp
        self.opener = opener
        self.title = ""
        self.status = 0
        """HTTP status of the last main document; 0 when there was none."""
        self.floor = 0
        """Index in the history below which `go_back` does not go."""
        self.crashed = False
        self.closed = False
        self.main = ""
        self.parents: dict[str, str] = {}
        """Frame id -> parent's frame id, in the order in which the frames were attached; without the main frame."""
        self.contexts: dict[str, int] = {}
        """Frame id -> our isolated world's execution context."""
        self.frame_of: dict[int, str] = {}
        self.documents: dict[int, str] = {}
        """Context -> the object id that its frame's document has in the page's own world."""
        self.owners: dict[str, tuple[int, str]] = {}
        """Frame id -> its owner element in its parent's isolated world: (context, object id)."""
        self.listeners: dict[int, int] = {}
        """Backend id of a node that listens to the mouse -> the context whose isolated world knows so."""
        self.inflight: dict[str, tuple[float, str]] = {}
        self.changed = asyncio.Event()
        """Set whenever a request starts or ends, or a document is replaced."""
        self._asked = -math.inf
        """When the main document last asked to be replaced; its successor sets this back."""
        self.commits = 0
        """How often a main document was committed."""
        self.refused = ""
        """Url of the last main document that could not be loaded because its host is out of bounds."""
        self.good = ""
        """The last address within bounds."""
        self._tasks: set[asyncio.Task[None]] = set()

    # --- talking to the page --------------------------------------------------------------------------------

    async def send(self, method: str, params: dict[str, Any] | None = None) -> Any:
        """A protocol command.

        Raises:
            Vanished: its object has gone.
            BrowserError: the page or the browser crashed, or refuses the command.
        """
        try:
            return await self.cdp.send(method, params or {})
        except PlaywrightError as error:
            if self.crashed:
                raise BrowserError("The page crashed") from error
            if any(text in error.message for text in _VANISHED):
                raise Vanished(error.message) from error
            raise BrowserError(f"{method}: {error.message.splitlines()[0]}") from error

    async def call(self, frame: str, function: str, *args: Any) -> Any:
        """Call `guideact.<function>` of a frame's isolated world; a `Handle` argument is passed as its object.

        Raises:
            Vanished: the frame has no isolated world (any more).
        """
        context = self.contexts.get(frame)
        if context is None:
            raise Vanished(f"no context for frame {frame}")
        reply = await self.send(
            "Runtime.callFunctionOn",
            {
                # As text: the protocol takes twice as long over a large object as JSON does.
                "functionDeclaration": _CALL % function,
                "executionContextId": context,
                "arguments": [{"objectId": a.id} if isinstance(a, Handle) else {"value": a} for a in args],
                "returnByValue": True,
                "awaitPromise": True,
            },
        )
        if "exceptionDetails" in reply:
            details = reply["exceptionDetails"]
            text = details.get("exception", {}).get("description") or details["text"]
            raise BrowserError(f"guideact.{function}: {' '.join(text.split())[:300]}")
        text = reply["result"].get("value")
        return None if text is None else json.loads(_HALF.sub(lambda match: match[1] or "\\ufffd", text))

    def children(self, frame: str) -> list[str]:
        """The frames inside a frame, in the order in which they were attached."""
        return [f for f, parent in self.parents.items() if parent == frame]

    def path(self, frame: str) -> str:
        """ "" for the main frame, "0" for its first iframe, "0/2" for the third one inside that."""
        steps: list[str] = []
        while frame != self.main:
            parent = self.parents.get(frame)
            if parent is None:
                break
            steps.append(str(self.children(parent).index(frame)))
            frame = parent
        return "/".join(reversed(steps))

    async def owner(self, frame: str) -> Handle:
        """The iframe element that holds a frame, in its parent's isolated world."""
        parent = self.parents[frame]
        context = self.contexts.get(parent)
        if context is None:
            raise Vanished(f"no context for frame {parent}")
        known = self.owners.get(frame)
        if known is None or known[0] != context:
            node = await self.send("DOM.getFrameOwner", {"frameId": frame})
            reply = await self.send(
                "DOM.resolveNode", {"backendNodeId": node["backendNodeId"], "executionContextId": context}
            )
            known = (context, reply["object"]["objectId"])
            self.owners[frame] = known
        return Handle(known[1])

    @property
    def busy(self) -> bool:
        """Whether a request that the page may be waiting for is under way."""
        now = time.monotonic()
        return any(kind == "Document" or now - since < REQUEST_PATIENCE for since, kind in self.inflight.values())

    @property
    def leaving(self) -> bool:
        """Whether the document has asked to be replaced, and is still there."""
        return _NAVIGATION in self.inflight or time.monotonic() - self._asked < ASKED

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """Run something in the background that `settle` waits for."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        self.changed.set()
        if not task.cancelled():
            error = task.exception()
            if error is not None and not self.closed and not self.crashed:
                _log.warning("%s", error)

    @property
    def tasks(self) -> set[asyncio.Task[None]]:
        return set(self._tasks)

    def close(self) -> None:
        self.closed = True
        self.changed.set()
        for task in self._tasks:
            task.cancel()

    # --- what the session tells -----------------------------------------------------------------------------

    def listen(self) -> None:
        handlers = {
            "Runtime.executionContextCreated": self._context_created,
            "Runtime.executionContextDestroyed": self._context_destroyed,
            "Runtime.executionContextsCleared": self._contexts_cleared,
            "Page.frameAttached": self._frame_attached,
            "Page.frameDetached": self._frame_detached,
            "Page.frameNavigated": self._frame_navigated,
            "Page.frameRequestedNavigation": self._navigation_asked,
            "Page.frameStartedLoading": self._started_loading,
            "Page.frameStoppedLoading": self._stopped_loading,
            "Network.requestWillBeSent": self._request,
            "Network.responseReceived": self._response,
            "Network.loadingFinished": self._request_over,
            "Network.loadingFailed": self._request_over,
        }
        for event, handler in handlers.items():
            self.cdp.on(event, handler)

    def _context_created(self, event: dict[str, Any]) -> None:
        context = event["context"]
        frame = context.get("auxData", {}).get("frameId")
        if context["name"] != WORLD or frame is None:
            return
        old = self.contexts.get(frame)
        if old is not None:
            self._forget(old)
        self.contexts[frame] = context["id"]
        self.frame_of[context["id"]] = frame
        self.changed.set()

    def _context_destroyed(self, event: dict[str, Any]) -> None:
        self._forget(event["executionContextId"])

    def _contexts_cleared(self, _: dict[str, Any]) -> None:
        for context in list(self.frame_of):
            self._forget(context)

    def _forget(self, context: int) -> None:
        frame = self.frame_of.pop(context, None)
        if frame is not None and self.contexts.get(frame) == context:
            del self.contexts[frame]
        self.documents.pop(context, None)
        self.listeners = {node: c for node, c in self.listeners.items() if c != context}

    def _frame_attached(self, event: dict[str, Any]) -> None:
        self.parents[event["frameId"]] = event["parentFrameId"]

    def _frame_detached(self, event: dict[str, Any]) -> None:
        if event.get("reason") != "swap":
            self._drop(event["frameId"])

    def _drop(self, frame: str) -> None:
        for child in self.children(frame):
            self._drop(child)
        self.parents.pop(frame, None)
        self.owners.pop(frame, None)
        context = self.contexts.get(frame)
        if context is not None:
            self._forget(context)

    def _frame_navigated(self, event: dict[str, Any]) -> None:
        frame = event["frame"]
        # A frame's first, empty document hands its window on, and the context with it.
        self.documents.pop(self.contexts.get(frame["id"], 0), None)
        # The frames of the document before are gone, and not every one of them says so.
        for child in self.children(frame["id"]):
            self._drop(child)
        if "parentId" in frame:
            self.parents[frame["id"]] = frame["parentId"]
        else:
            self.commits += 1
            self._asked = -math.inf
            self.refused = frame.get("unreachableUrl", "")
            self.inflight = {k: v for k, v in self.inflight.items() if k == frame.get("loaderId")}
        self.changed.set()
        self.spawn(self.freeze(frame["id"]))

    async def freeze(self, frame: str) -> None:
        """Stop animations and hide the caret by a stylesheet of the debugger's, which is no part of the DOM."""
        try:
            sheet = await self.send("CSS.createStyleSheet", {"frameId": frame, "force": True})
            await self.send("CSS.setStyleSheetText", {"styleSheetId": sheet["styleSheetId"], "text": STILL})
        except Vanished:
            return

    def _navigation_asked(self, event: dict[str, Any]) -> None:
        # The page's own word, so it comes before the page's answer to whatever is asked next. The browser takes it up
        # later, or never: a mail address leads nowhere.
        if event["frameId"] == self.main:
            self._asked = time.monotonic()

    def _started_loading(self, event: dict[str, Any]) -> None:
        # The browser's word that it replaces the page. On a busy machine the request follows much later, and the old
        # document looks at rest meanwhile.
        if event["frameId"] == self.main:
            self.inflight[_NAVIGATION] = (time.monotonic(), "Navigation")
            self.changed.set()

    def _stopped_loading(self, event: dict[str, Any]) -> None:
        if event["frameId"] == self.main and self.inflight.pop(_NAVIGATION, None) is not None:
            self.changed.set()

    def _request(self, event: dict[str, Any]) -> None:
        kind = event.get("type", "Other")
        if kind in _IGNORED or event["request"]["url"].startswith(("data:", "blob:")):
            return
        self.inflight[event["requestId"]] = (time.monotonic(), kind)
        self.changed.set()

    def _response(self, event: dict[str, Any]) -> None:
        if event.get("type") == "Document" and event.get("frameId") == self.main:
            self.status = event["response"]["status"]

    def _request_over(self, event: dict[str, Any]) -> None:
        if self.inflight.pop(event["requestId"], None) is not None:
            self.changed.set()


class Handle:
    """An object of an isolated world, as an argument of `Tab.call`."""

    def __init__(self, object_id: str) -> None:
        self.id = object_id


async def attach(context: BrowserContext, page: Page, opener: Tab | None) -> Tab:
    """Open the tab's debugging session and put our script into every frame, present and future.

    Raises:
        Vanished: the page closed meanwhile.
    """
    try:
        cdp = await context.new_cdp_session(page)
    except PlaywrightError as error:
        raise Vanished(error.message) from error
    tab = Tab(page, cdp, opener)
    tab.listen()
    # Sent in one go: the browser answers in order.
    _, _, _, tree, *_ = await asyncio.gather(
        tab.send("Page.enable"),
        tab.send("Runtime.enable"),
        tab.send("Network.enable", {"maxTotalBufferSize": 0, "maxResourceBufferSize": 0, "maxPostDataSize": 0}),
        tab.send("Page.getFrameTree"),
        tab.send("DOM.enable"),
        tab.send("CSS.enable"),
    )
    _walk(tab, tree["frameTree"])
    await tab.send(
        "Page.addScriptToEvaluateOnNewDocument", {"source": SCRIPT, "worldName": WORLD, "runImmediately": True}
    )
    await asyncio.gather(*(tab.freeze(frame) for frame in (tab.main, *tab.parents)))
    return tab


def _walk(tab: Tab, node: dict[str, Any]) -> None:
    frame = node["frame"]
    if "parentId" in frame:
        tab.parents[frame["id"]] = frame["parentId"]
    else:
        tab.main = frame["id"]
    for child in node.get("childFrames", ()):
        _walk(tab, child)
