"""Work on instances without a browser and without sites, for what is done with whatever comes of it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from guideact.cli import replay
from guideact.harness import pool


class _Nothing:
    def __init__(self, *_: Any, **__: Any) -> None: ...

    async def __aenter__(self) -> _Nothing:
        return self

    async def __aexit__(self, *_: object) -> None: ...

    async def get(self) -> None: ...

    async def close(self) -> None: ...


def without_browser(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let `on_instances` hand out workplaces at which nothing is."""

    async def version() -> str:
        return "no browser 1"

    @asynccontextmanager
    async def serve(port: int) -> AsyncIterator[None]:
        yield None

    monkeypatch.setattr(pool, "serve", serve)
    monkeypatch.setattr(pool, "SharedBrowser", _Nothing)
    monkeypatch.setattr(pool, "WebEnv", _Nothing)
    monkeypatch.setattr(pool, "browser_version", version)
    monkeypatch.setattr(replay, "browser_version", version)
