"""Where a participant stands, read from what happened."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from guideact.study.design import Trial
from guideact.study.store import Event

How = Literal["done", "gave_up", "time_up"]
Place = Literal["consent", "ready", "trial", "questions", "end", "thanks", "withdrawn"]
"""`ready`: before a task; `questions`: after one; `end`: the questions at the end."""


@dataclass(frozen=True)
class Seen:
    """A page of the websites that came into view."""

    at: datetime
    url: str
    """Canonical: http://shopping.localhost/cart."""
    loaded: bool
    """False where a script or the back button showed it without a load."""


@dataclass
class Tried:
    """A trial and what is known of it."""

    position: int
    trial: Trial
    instance: int = 0
    """Of the websites: the number of the event that began the trial. 0 before it."""
    began: datetime | None = None
    ended: datetime | None = None
    how: How | None = None
    passed: bool | None = None
    parts: Sequence[Mapping[str, Any]] = ()
    """Of the check."""
    pages: list[Seen] = field(default_factory=list)
    faults: int = 0
    answers: Mapping[str, Any] | None = None
    interrupted: int = 0
    """How often the server was started during it."""

    @property
    def seconds(self) -> float | None:
        return (self.ended - self.began).total_seconds() if self.began and self.ended else None


@dataclass(frozen=True)
class Person:
    """A participant and where they stand."""

    number: int
    trials: tuple[Tried, ...]
    language: str
    consented: datetime | None
    consent_sha256: str
    answers: Mapping[str, Any] | None
    """At the end."""
    withdrawn: bool

    @property
    def place(self) -> Place:
        if self.withdrawn:
            return "withdrawn"
        if self.consented is None:
            return "consent"
        current = self.current
        if current is None:
            return "end" if self.answers is None else "thanks"
        if current.began is None:
            return "ready"
        return "trial" if current.ended is None else "questions"

    @property
    def current(self) -> Tried | None:
        """The first trial that is not over with its questions; None after the last."""
        return next((tried for tried in self.trials if tried.answers is None), None)


def person(number: int, trials: Sequence[Trial], events: Sequence[Event], starts: Sequence[datetime]) -> Person:
    """A participant from their events, and from when the server was started."""
    tried = tuple(Tried(position, trial) for position, trial in enumerate(trials))
    consent: Event | None = None
    answers = None
    withdrawn = False
    for event in events:
        at = tried[event.trial] if event.trial is not None else None
        match event.kind:
            case "consent":
                consent = event
            case "withdrawn":
                withdrawn = True
            case "answers" if at is None:
                answers = event.data
        if at is None:
            continue
        match event.kind:
            case "begin":
                at.began, at.instance = event.at, event.id
            case "page":
                at.pages.append(Seen(event.at, event.data["url"], event.data["loaded"]))
            case "fault":
                at.faults += 1
            case "end":
                at.ended, at.how = event.at, event.data["how"]
                at.passed, at.parts = event.data["passed"], event.data["parts"]
            case "answers":
                at.answers = event.data
    for each in tried:
        if each.began is not None:
            each.interrupted = sum(each.began < at and (each.ended is None or at < each.ended) for at in starts)
    return Person(
        number=number,
        trials=tried,
        language=consent.data["language"] if consent is not None else "",
        consented=consent.at if consent is not None else None,
        consent_sha256=consent.data["sha256"] if consent is not None else "",
        answers=answers,
        withdrawn=withdrawn,
    )
