"""Recording a guide: a person does the task in a browser window, and each act becomes a step.

The picture of a step is the page as it last stood at rest before the act. Typing into a field is one step however many
keys it took, and a click into the field before it is none; what goes into a password field is never kept.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from guideact.browser.session import Session
from guideact.browser.watch import Act, watch
from guideact.errors import InfrastructureError, InputError
from guideact.guides.guide import Guide
from guideact.guides.make import Moment, guide_of
from guideact.types import (
    Action,
    Candidate,
    Click,
    Direction,
    Finish,
    GoBack,
    Mark,
    Observation,
    Point,
    PressEnter,
    Scroll,
)
from guideact.types import Select as SelectAction
from guideact.types import Type as TypeAction

QUIET = 0.15
"""Seconds without an act or a change of the page after which it is looked at again."""


@dataclass
class Recorder:
    """A recording that is under way. `changed` is called whenever the page has come to rest after an act."""

    session: Session
    title: str
    start_url: str
    language: str = "en"
    changed: Callable[[], None] = lambda: None
    canonical: Callable[[str], str] = str
    """The address that a guide names for the one that the window shows."""
    moments: list[Moment] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    """What a guide cannot say: addresses typed by hand."""
    idle: asyncio.Event = field(default_factory=asyncio.Event)
    """Set while all that has happened has been seen to; not before acts are heard of."""
    _seen: Observation | None = None
    _at_rest: dict[tuple[str, int], Candidate] = field(default_factory=dict)
    _pressed: tuple[Observation, Candidate | None] | None = None
    _key: tuple[str, int] = ("", 0)
    """Frame and element of the last step."""
    _written: dict[tuple[str, int], str] = field(default_factory=dict)
    """What was last typed into each field: the browser tells of it again when the field is left."""
    _dirty: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def url(self) -> str:
        """Address of the page as it was last looked at; "" before."""
        return self._seen.url if self._seen is not None else ""

    async def run(self, stop: asyncio.Event) -> None:
        """Record until `stop` is set, or the last tab is closed.

        Raises:
            InfrastructureError: the browser died, or its page cannot be looked at.
        """
        await self._look()
        await watch(self.session, self._told)
        self.idle.set()
        ending = asyncio.ensure_future(stop.wait())
        try:
            while not stop.is_set() and self.session.tabs:
                waiting = asyncio.ensure_future(self._dirty.wait())
                await asyncio.wait({waiting, ending}, return_when=asyncio.FIRST_COMPLETED, timeout=1)
                waiting.cancel()
                if not self._dirty.is_set():
                    continue
                # Until nothing has happened for a moment: what is looked at while it changes is of no use.
                while self._dirty.is_set() and not stop.is_set():
                    self._dirty.clear()
                    await asyncio.wait({ending}, timeout=QUIET)
                if self.session.tabs:
                    await self._look()
                if not self._dirty.is_set():
                    self.idle.set()
                    self.changed()
        finally:
            ending.cancel()

    def undo(self) -> bool:
        """Forget the last step; False where there is none. What it did to the site stays done."""
        if not self.moments:
            return False
        self.moments.pop()
        self._key = ("", 0)
        return True

    def rename(self, step: int, sentence: str) -> bool:
        """Put a step (1-based) into other words; False where there is no such step."""
        if not 1 <= step <= len(self.moments):
            return False
        self.moments[step - 1] = replace(self.moments[step - 1], sentence=" ".join(sentence.split()), verbatim=True)
        return True

    def guide(self) -> tuple[Guide, dict[str, bytes]]:
        """The guide of what was done so far. Raises InputError where that is nothing."""
        moments = list(self.moments)
        if not moments:
            raise InputError("nothing was done in the window, so there is no guide", fix="Record it again.")
        if self._seen is not None:
            moments.append(Moment(self._seen, Finish()))
        guide, pictures = guide_of(
            moments, title=self.title, start_url=self.start_url, source="recorder", language=self.language
        )
        return guide.model_copy(update={"note": " ".join(self.notes)}), pictures

    async def _look(self) -> None:
        await self.session.settle()
        seen = await self.session.observe()
        self._seen = seen.model_copy(update={"url": self.canonical(seen.url)})
        self._at_rest = self.session.seen_by_element()

    def _told(self, act: Act) -> None:
        if self._seen is None:
            return
        found = self._at_rest.get((act.frame, act.element))
        match act.kind:
            case "moved":
                pass  # nobody did anything: the page is only looked at anew
            case "down":
                # The page may change under the button: what was to be seen is what was to be seen now.
                self._pressed = (self._seen, found)
            case "click":
                seen, target = self._pressed or (self._seen, found)
                self._pressed = None
                if target is None or target.tag != "select":
                    self._add(seen, self._click(target, act), target, act)
            case "type":
                self._typed(found, act)
            case "select":
                self._replace_click(act)
                if found is not None:
                    self._add(self._seen, SelectAction(target=Mark(mark=found.mark), option=act.value), found, act)
            case "enter":
                self._add(self._seen, PressEnter(), None, act)
            case "scroll":
                self._scrolled(act.value)  # type: ignore[arg-type]
            case "back":
                self._add(self._seen, GoBack(), None, act)
            case "address":
                self.notes.append(f"After step {len(self.moments)} the address {act.value} was typed in by hand.")
        self._dirty.set()
        self.idle.clear()

    def _click(self, target: Candidate | None, act: Act) -> Action:
        if target is not None:
            return Click(target=Mark(mark=target.mark))
        x, y = act.point or (0.0, 0.0)

        return Click(target=Point(x=max(x, 0), y=max(y, 0)))

    def _typed(self, found: Candidate | None, act: Act) -> None:
        if self._written.get((act.frame, act.element)) == act.value:
            return
        self._written[act.frame, act.element] = act.value
        same = self._key == (act.frame, act.element) and self.moments
        if same and isinstance(self.moments[-1].action, TypeAction):
            last = self.moments[-1]
            assert isinstance(last.action, TypeAction)
            self.moments[-1] = replace(last, action=TypeAction(target=last.action.target, text=act.value))
            return
        before = self._replace_click(act)
        seen, target = (before.seen, before.target) if before is not None else (self._seen, found)
        if seen is None or target is None:
            return
        if target.value == act.value:
            return  # a field that is left as it was
        self._add(seen, TypeAction(target=Mark(mark=target.mark), text=act.value), target, act)

    def _replace_click(self, act: Act) -> Moment | None:
        """Take back the click into the field or list that is now typed into or chosen from."""
        if self.moments and self._key == (act.frame, act.element) and isinstance(self.moments[-1].action, Click):
            return self.moments.pop()
        return None

    def _scrolled(self, direction: Direction) -> None:
        assert self._seen is not None
        last = self.moments[-1].action if self.moments else None
        if not (isinstance(last, Scroll) and last.direction == direction):
            self._add(self._seen, Scroll(direction=direction), None, Act("scroll"))

    def _add(self, seen: Observation, action: Action, target: Candidate | None, act: Act) -> None:
        point = act.point if target is None else None
        self.moments.append(Moment(seen, action, target, point=point, hidden=act.hidden))
        self._key = (act.frame, act.element)


async def record(session: Session, recorder: Recorder, stop: asyncio.Event) -> tuple[Guide, dict[str, bytes]]:
    """Record until `stop` is set or the window is closed, and give the guide of it.

    What was done until the browser died is kept. Raises InputError where nothing was done.
    """
    try:
        await recorder.run(stop)
    except InfrastructureError as error:
        recorder.notes.append(f"The recording ended early: {error.message}.")
    return recorder.guide()
