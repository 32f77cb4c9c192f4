"""Who may run beside whom on sites that there is one copy of, and when they are put back.

The conflict keys of a task are the sites that it needs; with a reset that puts back all sites at once there is one key
for all. Tasks that only read share a key. One that may write has its keys to itself, from the first page to the end of
its check, and leaves them changed: they are put back before the next task that needs them. What went on before the run
is not known, so every site counts as changed at first. With `when = "task"` they are put back before every task.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

from guideact.tasks.webarena.setup import SITES, Reset
from guideact.tasks.webarena.tasks import WebArenaTask

PutBack = Callable[[tuple[str, ...]], Awaitable[None]]
"""Puts these sites back; raises SiteError where that fails."""


class Turns:
    """Gives tasks their turn. Safe to use from every task of an event loop."""

    def __init__(self, reset: Reset | None, put_back: PutBack) -> None:
        """`put_back` is called with sites that nobody is using; without a `reset` it never is."""
        self._reset = reset
        self._put_back = put_back
        self._moved = asyncio.Condition()
        self._reading: Counter[str] = Counter()
        self._owned: set[str] = set()
        self._wanted: Counter[str] = Counter()
        """By key, how many wait to have it to themselves: nobody begins to read it meanwhile, or they wait for ever."""
        self._changed: set[str] = set(SITES)

    def keys(self, task: WebArenaTask) -> tuple[str, ...]:
        """What a task shares with others that must not disturb it."""
        return SITES if self._reset is not None and not self._reset.by_site else task.needed_sites

    @asynccontextmanager
    async def turn(self, task: WebArenaTask) -> AsyncIterator[None]:
        """Hold until nobody is in the way, put back what has to be, and keep others out of the way until the end."""
        keys = self.keys(task)
        alone = await self._take(task, keys)
        try:
            if alone:
                await self._prepare(task, keys)
                if not task.writes:
                    await self._share(keys)
                    alone = False
            yield
        finally:
            await self._leave(keys, alone=alone, changed=task.writes)

    def _stale(self, task: WebArenaTask, keys: tuple[str, ...]) -> tuple[str, ...]:
        """The sites that must be put back before this task."""
        if self._reset is None:
            return ()
        if self._reset.when == "task" or task.require_reset:
            return keys
        changed = tuple(key for key in keys if key in self._changed)
        return changed if self._reset.by_site or not changed else keys

    async def _take(self, task: WebArenaTask, keys: tuple[str, ...]) -> bool:
        """Whether the keys were taken for this task alone; otherwise they are shared."""
        async with self._moved:
            while True:
                alone = task.writes or bool(self._stale(task, keys))
                if alone:
                    self._wanted.update(keys)
                    try:
                        await self._moved.wait_for(lambda: not any(self._reading[k] or k in self._owned for k in keys))
                    finally:
                        self._wanted.subtract(keys)
                        self._moved.notify_all()
                    self._owned.update(keys)
                    return True
                await self._moved.wait_for(lambda: not any(self._wanted[k] or k in self._owned for k in keys))
                # Somebody may have changed them while we waited.
                if not self._stale(task, keys):
                    self._reading.update(keys)
                    return False

    async def _prepare(self, task: WebArenaTask, keys: tuple[str, ...]) -> None:
        if stale := self._stale(task, keys):
            await self._put_back(stale)
            self._changed.difference_update(stale)

    async def _share(self, keys: tuple[str, ...]) -> None:
        async with self._moved:
            self._owned.difference_update(keys)
            self._reading.update(keys)
            self._moved.notify_all()

    async def _leave(self, keys: tuple[str, ...], *, alone: bool, changed: bool) -> None:
        async with self._moved:
            if alone:
                self._owned.difference_update(keys)
            else:
                self._reading.subtract(keys)
            if changed:
                self._changed.update(keys)
            self._moved.notify_all()
