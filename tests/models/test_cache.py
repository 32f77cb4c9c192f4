"""Answers that are kept: what makes a request the same, what a hit costs, and files that cannot be used."""

from __future__ import annotations

import asyncio
import os
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from guideact.errors import InputError, ModelError
from guideact.models.base import Request, Sampling
from guideact.models.cache import ResponseCache, key_of
from guideact.models.schema import answer_schema

from .dialects import ALL, OPENAI, Dialect, client, request, serving
from .endpoint import fails
from .test_dialects import priced
from .wire import KEY

each = pytest.mark.parametrize("dialect", ALL, ids=lambda dialect: dialect.client.maker)


@each
async def test_a_hit_asks_nobody_is_marked_and_costs_nothing(tmp_path: Path, dialect: Dialect) -> None:
    async with serving(dialect, dialect.says("first"), dialect.says("second")) as there:
        for number in range(2):  # a second client stands for a second run
            model = client(there, dialect, cache=tmp_path / "answers.sqlite", prices=priced(dialect))
            reply = await model.answer(request())
            await model.close()
            assert reply.text == "first"
            assert reply.usage is not None
            assert reply.usage.from_cache == bool(number)
            assert (reply.usage.input_tokens, reply.usage.output_tokens) == (1300, 42)
            assert reply.usage.cost == (0 if number else pytest.approx((1300 * 2 + 42 * 10) / 1e6))
    assert len(there.bodies) == 1


@each
async def test_a_kept_failure_of_the_model_is_the_same_failure_again(tmp_path: Path, dialect: Dialect) -> None:
    async with serving(dialect, dialect.refuses("I will not.")) as there:
        said = set()
        for _ in range(2):
            model = client(there, dialect, cache=tmp_path / "answers.sqlite")
            with pytest.raises(ModelError) as raised:
                await model.answer(request())
            said.add((raised.value.kind, raised.value.message))
            await model.close()
    assert len(said) == len(there.bodies) == 1


def others() -> dict[str, Request]:
    """Requests that differ from the first in one thing."""
    return {
        "the same": request(),
        "seed": request(seed=1),
        "image": request(image=b"\x89PNG another"),
        "no image": request(image=None),
        "temperature": request(sampling=Sampling(temperature=0.1, max_tokens=900)),
        "limit": request(sampling=Sampling(max_tokens=901)),
        "schema": request(schema=answer_schema()),
    }


@each
async def test_anything_that_differs_is_asked_anew(tmp_path: Path, dialect: Dialect) -> None:
    async with serving(dialect, dialect.says("{}")) as there:
        model = client(there, dialect, cache=tmp_path / "answers.sqlite")
        for asked in (*others().values(), *others().values()):
            await model.answer(asked)
        await model.close()
        assert len(there.bodies) == len(others())
    async with serving(dialect, dialect.says("elsewhere")) as there:
        model = client(there, dialect, cache=tmp_path / "answers.sqlite")
        assert (await model.answer(request())).text == "elsewhere"
        await model.close()


async def test_the_probe_and_passing_failures_are_never_kept(tmp_path: Path) -> None:
    async with serving(OPENAI, OPENAI.says("ok"), OPENAI.says("ok"), fails(503), OPENAI.says("{}")) as there:
        model = client(there, OPENAI, cache=tmp_path / "answers.sqlite")
        await model.probe()
        await model.probe()
        assert (await model.answer(request())).text == "{}"
        await model.close()
    assert len(there.bodies) == 4


async def test_no_key_is_in_the_file(tmp_path: Path) -> None:
    async with serving(OPENAI, OPENAI.says(f"the key is {KEY}")) as there:
        model = client(there, OPENAI, cache=tmp_path / "answers.sqlite")
        await model.answer(request())
        await model.close()
    assert KEY.encode() not in (tmp_path / "answers.sqlite").read_bytes()
    assert b"the key is [key]" in (tmp_path / "answers.sqlite").read_bytes()


def test_the_order_of_fields_makes_no_difference() -> None:
    assert key_of({"a": 1, "b": {"c": 2, "d": 3}}) == key_of({"b": {"d": 3, "c": 2}, "a": 1})
    assert key_of({"a": 1}) != key_of({"a": "1"})


async def test_of_two_answers_to_the_same_request_the_first_stays(tmp_path: Path) -> None:
    cache = ResponseCache.open(tmp_path / "new" / "answers.sqlite")
    await cache.put({"q": 0}, {"answer": 0})
    await asyncio.gather(*(cache.put({"q": n % 5}, {"answer": n}) for n in range(50)))
    found = [await cache.get({"q": n}) for n in range(6)]
    assert found[0] == {"answer": 0}
    assert found[5] is None
    # Workers that ask the same at once are in no order, but what one of them has kept stays.
    assert [answer["answer"] % 5 for answer in found[:5] if answer] == [0, 1, 2, 3, 4]
    await asyncio.gather(*(cache.put({"q": n % 5}, {"answer": n}) for n in range(50, 100)))
    assert [await cache.get({"q": n}) for n in range(6)] == found
    cache.close()


WRITER = """
import asyncio, sys
from pathlib import Path
from guideact.models.cache import ResponseCache

async def main():
    cache = ResponseCache.open(Path(sys.argv[1]))
    for n in range(int(sys.argv[3])):
        await cache.put({"writer": sys.argv[2], "n": n}, {"text": "x" * 2000, "n": n})
        print(n, flush=True)
    cache.close()

asyncio.run(main())
"""


def writer(path: Path, name: str, count: int) -> subprocess.Popen[str]:
    words = [sys.executable, "-c", WRITER, str(path), name, str(count)]
    return subprocess.Popen(words, stdout=subprocess.PIPE, text=True)


async def test_several_processes_write_and_one_that_is_killed_loses_nothing_written(tmp_path: Path) -> None:
    path = tmp_path / "answers.sqlite"
    killed, whole = writer(path, "killed", 100_000), writer(path, "whole", 30)
    assert killed.stdout is not None
    for _ in range(20):
        killed.stdout.readline()
    os.kill(killed.pid, signal.SIGKILL)
    rest, _ = killed.communicate()
    written = 20 + len(rest.splitlines())
    assert whole.communicate()[0].split()[-1] == "29"
    cache = ResponseCache.open(path)
    for name, count in (("killed", written), ("whole", 30)):
        for n in range(count):
            assert await cache.get({"writer": name, "n": n}) == {"text": "x" * 2000, "n": n}
    cache.close()


def changed(path: Path, statement: str) -> None:
    ResponseCache.open(path).close()
    connection = sqlite3.connect(path)
    connection.execute(statement)
    connection.commit()
    connection.close()


def of_another_version(path: Path) -> None:
    changed(path, "PRAGMA user_version = 99")


def of_something_else(path: Path) -> None:
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE bookmarks (x)")
    connection.commit()
    connection.close()


def no_database(path: Path) -> None:
    path.write_text("My thesis.\n" * 100)


def cut_short(path: Path) -> None:
    cache = ResponseCache.open(path)
    asyncio.run(cache.put({"q": 1}, {"text": "x" * 20_000}))
    cache.close()
    os.truncate(path, path.stat().st_size // 2)


def scribbled_over(path: Path) -> None:
    cache = ResponseCache.open(path)
    for n in range(40):
        asyncio.run(cache.put({"q": n}, {"text": "x" * 500}))
    cache.close()
    with path.open("r+b") as file:
        file.seek(4096)
        file.write(b"\xa5" * 4096)


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (of_another_version, "is a cache of version 99, and this guideact reads and writes version 1"),
        (of_something_else, "is no cache of answers"),
        (no_database, "is damaged: file is not a database"),
        (cut_short, "is damaged"),
        (scribbled_over, "is damaged"),
    ],
)
def test_a_file_that_cannot_be_used_is_refused_and_left_as_it_is(tmp_path: Path, make: Any, said: str) -> None:
    path = tmp_path / "answers.sqlite"
    make(path)
    before = path.read_bytes()
    with pytest.raises(InputError, match=rf"answers\.sqlite {said}.*--cache"):
        ResponseCache.open(path)
    assert path.read_bytes() == before


def test_a_place_where_no_file_can_be_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="--cache"):
        ResponseCache.open(tmp_path)
    with pytest.raises(InputError, match="--cache"):
        ResponseCache.open(Path("/proc/guideact/answers.sqlite"))


async def test_an_answer_that_was_damaged_is_told_when_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "answers.sqlite"
    cache = ResponseCache.open(path)
    await cache.put({"q": 1}, {"text": "x"})
    cache.close()
    changed(path, "UPDATE answers SET answer = substr(answer, 3)")
    cache = ResponseCache.open(path)
    with pytest.raises(InputError, match=r"is damaged: the answer [0-9a-f]+ is no JSON"):
        await cache.get({"q": 1})
    cache.close()
