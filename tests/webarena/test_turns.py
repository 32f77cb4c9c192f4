"""Whose turn it is on sites that there is one copy of, and when they are put back."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from guideact.errors import SiteError
from guideact.tasks.webarena.setup import SITES, Reset
from guideact.tasks.webarena.tasks import WebArenaTask
from guideact.tasks.webarena.turns import Turns


def task(name: str, *sites: str, writes: bool = False, require_reset: bool = False) -> WebArenaTask:
    return WebArenaTask(
        id=f"t.{name}",
        intent="Do it",
        sites=sites,
        start_url=f"__{sites[0].upper()}__",
        number=1,
        start_urls=(f"__{sites[0].upper()}__",),
        kind="mutate" if writes else "retrieve",
        require_reset=require_reset,
    )


class Stage:
    """Runs tasks in turns and keeps what happened in order; a task ends when it is told to."""

    def __init__(self, reset: Reset | None = None, fault: Callable[[], None] = lambda: None) -> None:
        self.events: list[str] = []
        self.running: set[str] = set()
        self.turns = Turns(reset, self._back)
        self._fault = fault
        self._ends: dict[str, asyncio.Event] = {}
        self._work: dict[str, asyncio.Task[None]] = {}

    async def _back(self, sites: tuple[str, ...]) -> None:
        self._fault()
        self.events.append(f"reset {' '.join(sites)}")

    async def _do(self, each: WebArenaTask) -> None:
        async with self.turns.turn(each):
            self.running.add(each.id)
            self.events.append(each.id)
            await self._ends[each.id].wait()
        self.running.discard(each.id)

    async def begin(self, *tasks: WebArenaTask) -> set[str]:
        """Ask for turns; who has one after that."""
        for each in tasks:
            self._ends[each.id] = asyncio.Event()
            self._work[each.id] = asyncio.create_task(self._do(each))
            await self._quiet()
        return self.running

    async def end(self, *tasks: WebArenaTask) -> set[str]:
        for each in tasks:
            self._ends[each.id].set()
            await self._work[each.id]
        await self._quiet()
        return self.running

    async def _quiet(self) -> None:
        for _ in range(20):
            await asyncio.sleep(0)


BY_SITE = Reset(url="http://h/{site}")
ALL = Reset(url="http://h/")


async def test_readers_share_and_a_writer_is_alone() -> None:
    stage = Stage()
    one, two, writer, late = (
        task("one", "map"),
        task("two", "map"),
        task("writer", "map", writes=True),
        task("late", "map"),
    )
    assert await stage.begin(one, two, writer) == {"t.one", "t.two"}
    # Who reads is not let in before a writer that waits, which would otherwise wait for ever.
    assert await stage.begin(late) == {"t.one", "t.two"}
    assert await stage.end(one) == {"t.two"}
    assert await stage.end(two) == {"t.writer"}
    assert await stage.end(writer) == {"t.late"}
    assert await stage.end(late) == set()
    assert stage.events == ["t.one", "t.two", "t.writer", "t.late"]


async def test_writers_of_one_site_take_turns_and_of_two_do_not() -> None:
    stage = Stage()
    a, b, c = (
        task("a", "map", writes=True),
        task("b", "map", "gitlab", writes=True),
        task("c", "reddit", writes=True),
    )
    assert await stage.begin(a, b, c) == {"t.a", "t.c"}
    assert await stage.end(a) == {"t.b", "t.c"}
    assert await stage.end(b, c) == set()


async def test_a_site_is_put_back_before_the_next_task_that_needs_it_and_no_other() -> None:
    stage = Stage(BY_SITE)
    writer, other, reader, again = (
        task("writer", "map", writes=True),
        task("other", "gitlab"),
        task("reader", "map"),
        task("again", "map"),
    )
    await stage.begin(writer)
    await stage.end(writer)
    assert await stage.begin(other, reader, again) == {"t.other", "t.reader", "t.again"}
    # What went on before the run is not known: each site is put back before it is used at all.
    assert stage.events[:2] == ["reset map", "t.writer"]
    assert stage.events[2:] == ["reset gitlab", "t.other", "reset map", "t.reader", "t.again"]
    await stage.end(other, reader, again)


async def test_of_the_sites_of_a_task_only_the_changed_ones_are_put_back() -> None:
    stage = Stage(BY_SITE)
    writer, both, again = (
        task("writer", "map", writes=True),
        task("both", "map", "gitlab"),
        task("again", "gitlab", "map"),
    )
    for each in (both, writer, again):
        await stage.begin(each)
        await stage.end(each)
    assert stage.events == ["reset map gitlab", "t.both", "t.writer", "reset map", "t.again"]


async def test_a_reset_of_everything_waits_for_everybody() -> None:
    stage = Stage(ALL)
    writer, reader, later = task("writer", "map", writes=True), task("reader", "gitlab"), task("later", "reddit")
    assert await stage.begin(writer, reader) == {"t.writer"}
    assert await stage.end(writer) == {"t.reader"}
    everything = f"reset {' '.join(SITES)}"
    assert stage.events == [everything, "t.writer", everything, "t.reader"]
    assert await stage.begin(later) == {"t.reader", "t.later"}
    await stage.end(reader, later)


async def test_a_reset_before_each_task() -> None:
    stage = Stage(Reset(url="http://h/{site}", when="task"))
    one, two = task("one", "map"), task("two", "map")
    assert await stage.begin(one, two) == {"t.one"}
    assert await stage.end(one) == {"t.two"}
    await stage.end(two)
    assert stage.events == ["reset map", "t.one", "reset map", "t.two"]


async def test_a_task_that_asks_for_a_reset_gets_one() -> None:
    stage = Stage(BY_SITE)
    asking = task("asking", "map", require_reset=True)
    await stage.begin(asking)
    await stage.end(asking)
    assert stage.events == ["reset map", "t.asking"]


async def test_a_reset_that_fails_is_made_again_by_the_next() -> None:
    faults = [False, True, True, False]

    def fault() -> None:
        if faults.pop(0):
            raise SiteError("no reset")

    stage = Stage(Reset(url="http://h/{site}", when="changed"), fault)
    writer, first, second = task("writer", "map", writes=True), task("first", "map"), task("second", "map")
    await stage.begin(writer)
    await stage.end(writer)
    for each in (first, first):
        with pytest.raises(SiteError):
            async with stage.turns.turn(each):
                raise AssertionError("the site was not put back")
    assert await stage.begin(second) == {"t.second"}
    await stage.end(second)
    assert stage.events == ["reset map", "t.writer", "reset map", "t.second"]
