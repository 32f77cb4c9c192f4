"""Finding Chromium, and leaving nothing behind."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.async_api import async_playwright

from guideact.browser import LaunchOptions, launch
from guideact.browser.launch import FOLDER, find_chromium, sweep
from guideact.errors import BrowserError, MissingDependency


async def test_chromium_is_found_in_the_order_that_is_documented(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("GUIDEACT_CHROMIUM", raising=False)
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path / "own"))
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    async with async_playwright() as playwright:
        with pytest.raises(MissingDependency, match="playwright install"):
            find_chromium(playwright)
        chromium = program(tmp_path / "bin" / "chromium")
        assert find_chromium(playwright) == chromium
        shell = program(tmp_path / "bin" / "chromium-headless-shell")
        assert find_chromium(playwright) == shell
        assert find_chromium(playwright, headless=False) == chromium
        own = program(Path(playwright.chromium.executable_path))
        assert find_chromium(playwright) == own
        revision = own.relative_to(tmp_path / "own").parts[0].rsplit("-", 1)[1]
        own_shell = program(
            tmp_path / "own" / f"chromium_headless_shell-{revision}" / "linux" / "chrome-headless-shell"
        )
        assert find_chromium(playwright) == own_shell
        named = program(tmp_path / "mine")
        monkeypatch.setenv("GUIDEACT_CHROMIUM", str(named))
        assert find_chromium(playwright) == named
        monkeypatch.setenv("GUIDEACT_CHROMIUM", str(tmp_path / "nowhere"))
        with pytest.raises(MissingDependency, match="GUIDEACT_CHROMIUM"):
            find_chromium(playwright)


async def test_a_program_that_is_no_browser(tmp_path: Path) -> None:
    with pytest.raises(MissingDependency, match="fake', which is no Chromium"):
        async with launch(LaunchOptions(executable=program(tmp_path / "fake"))):
            pass


async def test_a_chromium_that_does_not_start(tmp_path: Path) -> None:
    broken = program(tmp_path / "broken")
    broken.write_text('#!/bin/sh\n[ "$1" = --version ] && echo Chromium 1.0 && exit\nexit 1\n')
    with pytest.raises(BrowserError, match=r"broken does not start: .*Run it by hand"):
        async with launch(LaunchOptions(executable=broken)):
            pass


@pytest.fixture
def alone(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder for temporary files that no other process sweeps; short, since sockets have short names."""
    with tempfile.TemporaryDirectory(prefix="alone-") as folder:
        monkeypatch.setenv("TMPDIR", folder)
        monkeypatch.setattr(tempfile, "tempdir", None)
        yield Path(folder)


async def test_nothing_is_left_after_a_launch(alone: Path) -> None:
    async with launch() as browser:
        folder = browser.folder
        assert folder.parent == alone
        assert folder.is_dir()
        assert sweep(folder.parent) == ()
        assert folder.is_dir()
        assert any(folder.iterdir())
    assert folder not in set(folder.parent.glob(f"{FOLDER}*"))
    assert chromiums_of(folder) == []


KILLED = """
import asyncio
from guideact.browser import launch

async def main():
    async with launch() as browser, browser.session() as session:
        print(browser.folder, flush=True)
        await asyncio.Event().wait()

asyncio.run(main())
"""


async def test_orphan_processes_after_sigkill(alone: Path) -> None:
    parent = await asyncio.create_subprocess_exec(sys.executable, "-c", KILLED, stdout=asyncio.subprocess.PIPE)
    assert parent.stdout is not None
    folder = Path((await parent.stdout.readline()).decode().strip())
    assert folder.parent == alone
    assert chromiums_of(folder)
    parent.send_signal(signal.SIGKILL)
    await parent.wait()
    assert gone_within(20, folder)
    assert sweep(alone) == (folder,)
    assert chromiums_of(folder) == []


def gone_within(seconds: float, folder: Path) -> bool:
    """Whether no Chromium uses a folder any more before the time is over."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if not chromiums_of(folder):
            return True
    return False


def program(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("#!/bin/sh\nexit 3\n")
    path.chmod(0o755)
    return path


def chromiums_of(folder: Path) -> list[int]:
    """Processes whose profile lies in a folder, zombies left out."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                line = (entry / "cmdline").read_bytes()
            except OSError:
                continue
            if str(folder).encode() in line and FOLDER.encode() in line and int(entry.name) != os.getpid():
                found.append(int(entry.name))
    return found
