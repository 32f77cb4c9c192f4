"""The embedded sites: ready after start, reset of an instance, and how fast a page is answered.

*Ready* is from the start of a Python process to the first page it has answered, imports and the making of all data
included. *Memory* is the resident size of that process after eight instances of every site have answered pages to
somebody signed in. *Reset* restores every site of an instance after changes were made to it. *Pages* are those that a
signed-in visitor reaches by links from the start page, up to a number, asked for over one kept connection; the time
includes our client's share, since client and server have one event loop here.
"""

from __future__ import annotations

import asyncio
import re
import resource
import subprocess
import sys
import time
from collections import deque
from pathlib import Path
from urllib.parse import urljoin, urlsplit

from benchmarks.bench import Bench, arguments
from guideact.sites.registry import SITES
from guideact.sites.server import SiteServer, serve

USERS = {
    "shopping": "emma.lopez@example.com",
    "shopping_admin": "admin",
    **dict.fromkeys(("gitlab", "map", "reddit", "wikipedia"), "emma_l"),
}
READY = """
import asyncio
from benchmarks.server import Client, USERS
from guideact.sites.registry import SITES
from guideact.sites.server import serve

async def first():
    async with serve() as server:
        site = next(iter(SITES))
        status, _ = await Client(server, site).get("/")
        print(status)

asyncio.run(first())
"""

MEMORY = """
import asyncio
from benchmarks.server import Client, USERS, crawl, resident
from guideact.sites.registry import SITES
from guideact.sites.server import serve

async def instances(number):
    async with serve() as server:
        for instance in range(number):
            for site in SITES:
                cookie = server.cookie(instance, site, USERS[site])
                client = Client(server, site, f"{cookie['name']}={cookie['value']}", instance)
                await crawl(client, server.url(site, instance), 10)
                await client.close()
        print(resident())

asyncio.run(instances(8))
"""


def resident() -> float:
    """MiB of this process."""
    (line,) = (line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmRSS"))
    return int(line.split()[1]) / 1024


class Client:
    """GET over one kept connection, as little of it as can be: what it costs is counted as the server's."""

    def __init__(self, server: SiteServer, site: str, cookie: str = "", instance: int = 0) -> None:
        self._server = server
        self._host = server.host(site, instance)
        self._cookie = f"Cookie: {cookie}\r\n" if cookie else ""
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def get(self, path: str) -> tuple[int, bytes]:
        """Status and body."""
        if self._streams is None:
            self._streams = await asyncio.open_connection("127.0.0.1", self._server.port)
        reader, writer = self._streams
        writer.write(f"GET {path} HTTP/1.1\r\nHost: {self._host}\r\n{self._cookie}\r\n".encode())
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        length = re.search(r"(?im)^content-length: (\d+)", head)
        body = await reader.readexactly(int(length[1])) if length else b""
        return int(head.split(" ", 2)[1]), body

    async def close(self) -> None:
        if self._streams is not None:
            self._streams[1].close()
            await self._streams[1].wait_closed()


async def crawl(client: Client, origin: str, most: int) -> list[str]:
    """Pages reached by links from the start page, nearest first; only those that answer 200 with a page."""
    found: list[str] = []
    waiting, seen = deque(["/"]), {"/"}
    while waiting and len(found) < most:
        path = waiting.popleft()
        status, body = await client.get(path)
        if status != 200 or b"<html" not in body[:2000]:
            continue
        found.append(path)
        for link in re.findall(r'href="([^"#]+)', body.decode("utf-8", "replace")):
            parts = urlsplit(urljoin(origin + path, link.replace("&amp;", "&")))
            target = parts.path + (f"?{parts.query}" if parts.query else "")
            leads_out = f"{parts.scheme}://{parts.netloc}" != origin
            if leads_out or target in seen or re.search(r"/static/|logout|sign-?out|delete|remove|export|csv", target):
                continue
            seen.add(target)
            waiting.append(target)
    return found


async def measure(pages: int, rounds: int, resets: int, bench: Bench) -> None:
    async with serve() as server:
        for site in SITES:
            client = Client(server, site)
            await client.get("/")
        databases = {id(server.database(0, site)): server.database(0, site) for site in SITES}
        spent = []
        for _ in range(resets):
            for database in databases.values():
                (table,) = database.connection.execute(
                    "SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'session' LIMIT 1"
                ).fetchone()
                database.connection.execute(f"UPDATE {table} SET rowid = rowid")
                database.connection.commit()
            start = time.perf_counter()
            server.reset(0)
            spent.append((time.perf_counter() - start) * 1000)
        reset = bench.sample(f"reset of {len(SITES)} sites after changes", "ms", spent)
        everything: list[float] = []
        for site in SITES:
            found = server.cookie(0, site, USERS[site])
            client = Client(server, site, f"{found['name']}={found['value']}")
            paths = await crawl(client, server.url(site), pages)
            medians = []
            for path in paths:
                times = []
                for _ in range(rounds):
                    start = time.perf_counter()
                    await client.get(path)
                    times.append((time.perf_counter() - start) * 1000)
                medians.append((bench_median(times), path))
                everything += times
            await client.close()
            bench.sample(f"{site}: {len(paths)} pages, medians", "ms", [value for value, _ in medians])
            slowest = ", ".join(f"{path} {value:.1f} ms" for value, path in sorted(medians, reverse=True)[:5])
            bench.notes.append(f"{site}, slowest: {slowest}")
        page = bench.sample("a page", "ms", everything)
    bench.budget("reset of an instance: at most 5 ms", f"{reset.median:.2f} ms", reset.median <= 5)
    bench.budget("a page, p50: at most 3 ms", f"{page.median:.2f} ms", page.median <= 3)


def bench_median(values: list[float]) -> float:
    return sorted(values)[len(values) // 2]


def ready(times: int, bench: Bench) -> None:
    spent, used = [], []
    for _ in range(times):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        start = time.perf_counter()
        done = subprocess.run([sys.executable, "-c", READY], capture_output=True, text=True, check=True)
        spent.append(time.perf_counter() - start)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        used.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
        assert done.stdout.strip() == "200", done.stdout
    sample = bench.sample("process started to first page answered", "s", spent)
    bench.sample("the same, processor time", "s", used)
    bench.budget("ready after start: at most 1 s", f"{sample.median:.2f} s", sample.median <= 1)


def memory(bench: Bench) -> None:
    done = subprocess.run([sys.executable, "-c", MEMORY], capture_output=True, text=True, check=True)
    used = float(done.stdout)
    bench.budget("memory with eight instances of every site: at most 200 MiB", f"{used:.0f} MiB", used <= 200)


def main() -> None:
    chosen = arguments(
        __doc__,
        starts=(5, "starts of a process"),
        resets=(200, "resets"),
        pages=(60, "pages of each site"),
        rounds=(10, "times each page is asked for"),
    )
    bench = Bench("server")
    ready(chosen.starts, bench)
    memory(bench)
    asyncio.run(measure(chosen.pages, chosen.rounds, chosen.resets, bench))
    bench.show()
    bench.keep(chosen.json)


if __name__ == "__main__":
    main()
