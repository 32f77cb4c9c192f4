"""A study of two tasks of the shop that can be served, killed and served again."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from guideact.sites.server import SiteServer
from guideact.study.build import build
from guideact.study.desk import Desk
from guideact.study.folder import Study, read_study
from guideact.study.store import Store

TASKS = ("shopping.wish_add.1", "shopping.contact.3")


class Clock:
    """A clock that stands still until it is put forward."""

    def __init__(self) -> None:
        self.ahead = timedelta(0)

    def __call__(self) -> datetime:
        return datetime(2026, 3, 1, 9, tzinfo=UTC) + self.ahead


def built(folder: Path, *, conditions: tuple[str, ...] = ("complete", "rename"), goals: bool = False) -> Path:
    build(
        folder,
        patterns=TASKS,
        limit=2,
        guides="gold",
        conditions=conditions,
        participants=2 * len(conditions),
        each=None,
        goals=goals,
        minutes=5,
        seed=1,
        contact="Ada Example, ada@example.org",
    )
    return folder


@pytest.fixture(scope="session")
def pristine_study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built(tmp_path_factory.mktemp("study") / "study")


@contextmanager
def served(folder: Path, clock: Clock | None = None) -> Iterator[Desk]:
    """The study as a server that has just been started has it."""
    store, server = Store.open(folder, make=True), SiteServer(8700)
    try:
        yield Desk(read_study(folder), store, server, clock or Clock())
    finally:
        server.close()
        store.close()


def code_of(study: Study, number: int) -> str:
    return next(code for code, found in study.codes.items() if found == number)
