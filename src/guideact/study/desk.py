"""What a served study does: trials begin, go on over restarts, and end by one check."""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from guideact import __version__
from guideact.errors import InputError
from guideact.sites.registry import database_of, home_of
from guideact.sites.server import SiteServer
from guideact.sites.state import diff, pristine_snapshot
from guideact.study.folder import Study
from guideact.study.state import How, Person, Tried, person
from guideact.study.store import Store, starts, utc_now
from guideact.tasks.checks import Evidence, run_check
from guideact.types import Task

KEY = "key"


class Desk:
    """The study, what happened in it, and the websites of the trials that go on."""

    def __init__(self, study: Study, store: Store, server: SiteServer, clock: Callable[[], datetime] = utc_now) -> None:
        """Notes that the server was started. Raises InputError where the study is of another version of guideact."""
        if study.settings.version != __version__:
            raise InputError(
                f"the study was built by guideact {study.settings.version}, whose websites may differ",
                fix=f"Install that version, or build the study again with {__version__}.",
            )
        self.study, self.store, self.server, self.clock = study, store, server, clock
        self.key = _key(study.folder / KEY)
        self._restored: set[int] = set()
        self._written: dict[tuple[int, str], int] = {}
        """`total_changes` of a database when it was last kept."""
        store.add(0, "served", clock(), data={"version": __version__})
        self._starts = starts(store.events(0))

    # --- participants -----------------------------------------------------------------------------------------------

    def person(self, number: int) -> Person:
        """Where a participant stands. Raises IndexError for nobody."""
        return person(number, self.study.trials(number), self.store.events(number), self._starts)

    async def settled(self, number: int) -> Person:
        """The same, after a trial whose time is up has been ended."""
        found = self.person(number)
        current = found.current
        if current is not None and found.place == "trial" and self.left(current) <= timedelta(0):
            await self._end(found, current, "time_up", self.deadline(current))
            return self.person(number)
        return found

    def consent(self, number: int, language: str) -> None:
        """Note the consent, and to which text it was given."""
        if self.person(number).place == "consent":
            text = self.study.consent[language]
            sha256 = hashlib.sha256(text.encode()).hexdigest()
            self.store.add(number, "consent", self.clock(), data={"language": language, "sha256": sha256})

    def begin(self, number: int, position: int) -> None:
        """Begin a trial; nothing where the participant is not before it."""
        found = self.person(number)
        if found.place == "ready" and found.current is not None and found.current.position == position:
            self.store.add(number, "begin", self.clock(), position)

    async def end(self, number: int, position: int, how: How) -> None:
        """End a trial and check it; nothing where it is not going on."""
        found = await self.settled(number)
        if found.place == "trial" and found.current is not None and found.current.position == position:
            await self._end(found, found.current, how, self.clock())

    def answer(self, number: int, position: int | None, answers: dict[str, Any]) -> None:
        """Keep the answers after a trial, or with None at the end; nothing where they are not asked now."""
        found = self.person(number)
        at = found.current.position if found.current is not None else None
        if at == position and found.place in ("questions", "end"):
            self.store.add(number, "answers", self.clock(), position, answers)

    def withdraw(self, number: int) -> None:
        """Delete all of a participant."""
        for tried in self.person(number).trials:
            self._let_go(tried.instance)
        self.store.withdraw(number, self.clock())

    # --- trials -----------------------------------------------------------------------------------------------------

    def deadline(self, tried: Tried) -> datetime:
        """When the time is up. It runs anew from a start of the server: nobody loses time to that."""
        assert tried.began is not None
        since = max([tried.began, *(at for at in self._starts if at > tried.began)])
        return since + timedelta(minutes=self.study.settings.minutes)

    def left(self, tried: Tried) -> timedelta:
        return self.deadline(tried) - self.clock()

    def pass_of(self, instance: int) -> str:
        """What opens the websites of a trial: known to the participant's browser alone."""
        return hmac.new(self.key, f"websites {instance}".encode(), hashlib.sha256).hexdigest()

    async def going_on(self, instance: int) -> tuple[Person, Tried, Task] | None:
        """The trial that has these websites, with its data in place; None where it is over or never was."""
        event = self.store.event(instance)
        found = await self.settled(event.participant) if event is not None and event.kind == "begin" else None
        current = found.current if found is not None and found.place == "trial" else None
        if found is None or current is None or current.instance != instance:
            # A request that was under way when the trial ended has made them again.
            self.server.forget(instance)
            return None
        self._restore(instance)
        return found, current, self.study.task(current.trial.task)

    def page(self, found: Person, tried: Tried, url: str, *, loaded: bool) -> None:
        """Note that a page was loaded, or another address came into view without a load."""
        url = self.server.canonical(url)
        if loaded or not tried.pages or tried.pages[-1].url != url:
            self.store.add(found.number, "page", self.clock(), tried.position, {"url": url, "loaded": loaded})

    def keep(self, found: Person, tried: Tried, site: str) -> None:
        """Keep the data of a website where a request changed them, and note what went wrong."""
        home = home_of(site)
        database = self.server.database(tried.instance, home)
        written = database.connection.total_changes
        if self._written.get((tried.instance, home)) != written:
            self.store.keep_site(tried.instance, found.number, home, database.image())
            self._written[tried.instance, home] = written
        faults = self.server.faults(tried.instance)
        for fault in faults[tried.faults :]:
            reason = fault.strip().splitlines()[-1][:500]
            self.store.add(found.number, "fault", self.clock(), tried.position, {"reason": reason})

    async def _end(self, found: Person, tried: Tried, how: How, at: datetime) -> None:
        self._restore(tried.instance)
        task = self.study.task(tried.trial.task)
        changes = tuple(
            change
            for site, now in self.server.snapshots(tried.instance).items()
            for change in diff(pristine_snapshot(database_of(site)), now, site=site)
        )
        url = tried.pages[-1].url if tried.pages else ""
        # Nothing from here on waits for anything, so no second request ends the same trial.
        verdict = await run_check(task.check, Evidence("", url, changes, _no_page))
        parts = [part.model_dump() for part in verdict.parts]
        said = {"how": how, "passed": verdict.passed, "parts": parts}
        self.store.add(found.number, "end", at, tried.position, said)
        self._let_go(tried.instance)

    def _restore(self, instance: int) -> None:
        """Put the data back as they were before the server was started again."""
        if instance in self._restored:
            return
        self._restored.add(instance)
        for site, image in self.store.sites(instance).items():
            database = self.server.database(instance, site)
            database.restore(image)
            self._written[instance, site] = database.connection.total_changes

    def _let_go(self, instance: int) -> None:
        self.server.forget(instance)
        self.store.drop_sites(instance)
        self._restored.discard(instance)
        self._written = {place: at for place, at in self._written.items() if place[0] != instance}


async def _no_page(site: str, path: str, selector: str) -> str:
    raise AssertionError("tasks whose check opens a page are in no study")


def _key(path: Path) -> bytes:
    """32 random bytes that sign sessions, made when first needed. Raises InputError where they cannot be read."""
    try:
        if not path.exists():
            part = path.with_name(f"{path.name}.part")
            part.touch(mode=0o600)
            part.write_bytes(secrets.token_bytes(32))
            os.replace(part, path)
        key = path.read_bytes()
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}", fix="Check who may read it.") from error
    if len(key) < 32:
        raise InputError(f"{path} is cut short", fix="Remove it: a new one is made, and all enter their code again.")
    return key
