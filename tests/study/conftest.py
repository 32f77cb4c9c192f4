"""A study of two tasks of the shop that can be served, killed and served again."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from guideact.sites.listen import answering, bind
from guideact.sites.server import SiteServer
from guideact.study.app import make_app
from guideact.study.build import build
from guideact.study.desk import Desk
from guideact.study.folder import Study, read_study
from guideact.study.store import Store, utc_now

TASKS = ("shopping.wish_add.1", "shopping.contact.3")


class Clock:
    """A clock that can be put forward."""

    def __init__(self) -> None:
        self.ahead = timedelta(0)

    def __call__(self) -> datetime:
        return utc_now() + self.ahead


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


@asynccontextmanager
async def served(folder: Path, port: int = 0, clock: Clock | None = None) -> AsyncIterator[Desk]:
    """The study on a port of its own."""
    listener = bind(port)
    store, server = Store.open(folder, make=True), SiteServer(listener.getsockname()[1])
    try:
        desk = Desk(read_study(folder), store, server, clock or Clock())
        async with answering(make_app(desk), listener):
            yield desk
    finally:
        server.close()
        store.close()


def code_of(study: Study, number: int) -> str:
    return next(code for code, found in study.codes.items() if found == number)
