"""A studio with three accounts over the small dataset of tests/data, and two runs."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Iterator
from functools import lru_cache
from pathlib import Path

import httpx
import pytest
import pytest_asyncio

from guideact.studio.accounts import hash_password
from guideact.studio.app import make_app
from guideact.studio.items import read_source
from guideact.studio.runs import Runs
from guideact.studio.store import Store
from guideact.studio.work import Plan
from tests.data.made_data import made_dataset
from tests.harness.made_runs import made_episodes, write_run

PASSWORD = "correct horse"
ORIGIN = "http://127.0.0.1:8600"


@lru_cache(1)
def hashed() -> str:
    """Once for all tests: it is made to take long."""
    return hash_password(PASSWORD)


@pytest.fixture
def dataset(tmp_path: Path) -> Path:
    return made_dataset(tmp_path / "data").folder


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    for name, success in (("strong", 0.9), ("weak", 0.2)):
        episodes = made_episodes(3, tasks=8, success=success, infrastructure=0)
        write_run(tmp_path / "runs" / name, episodes, files=True, model=f"made/{name}-model")
    return tmp_path / "runs"


@pytest.fixture
def store(tmp_path: Path, dataset: Path) -> Iterator[Store]:
    store = Store.open(tmp_path / "studio", make=True)
    store.add_source(*read_source(dataset, None, None))
    for name, role in (("ann", "annotator"), ("bo", "annotator"), ("lea", "lead")):
        store.add_person(name, hashed(), role, "en")  # type: ignore[arg-type]
    yield store
    store.close()


class Visitor:
    """A browser of a kind: keeps cookies, and sends forms with the token of the page they stand on."""

    def __init__(self, client: httpx.AsyncClient) -> None:
        self.client = client
        self.token = ""

    async def get(self, path: str) -> httpx.Response:
        return self._keep(await self.client.get(path))

    async def post(self, path: str, **fields: object) -> httpx.Response:
        data = {"csrf": self.token, **{name: str(value) for name, value in fields.items()}}
        return self._keep(await self.client.post(path, data=data))

    async def sign_in(self, name: str) -> httpx.Response:
        await self.get("/sign-in")
        return await self.post("/sign-in", name=name, password=PASSWORD)

    def _keep(self, response: httpx.Response) -> httpx.Response:
        found = re.search(r'name="csrf" value="([^"]+)"', response.text)
        if found:
            self.token = found[1]
        return response


@pytest_asyncio.fixture
async def visitors(store: Store, runs: Path) -> AsyncIterator[dict[str, Visitor]]:
    """Ann, Bo and Lea, signed in, and somebody who is not."""
    app = make_app(store, Plan(annotators=2, overlap=1.0), Runs(runs))
    found = {}
    for name in ("ann", "bo", "lea", "stranger"):
        transport = httpx.ASGITransport(app)
        client = httpx.AsyncClient(transport=transport, base_url=ORIGIN, follow_redirects=True)
        found[name] = Visitor(client)
        if name != "stranger":
            await found[name].sign_in(name)
    yield found
    for visitor in found.values():
        await visitor.client.aclose()
