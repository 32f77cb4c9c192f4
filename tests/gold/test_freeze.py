"""Freezing demonstrations on the live sites: what is kept, what is lost and why, and that it is the same each time."""

from __future__ import annotations

import asyncio
import os
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from guideact.browser.observe import MOVING, STALE
from guideact.data import Entry, open_dataset
from guideact.env import WebEnv, open_env
from guideact.errors import BrowserError, InputError
from guideact.gold import freeze
from guideact.gold.freeze import FrozenTask, Workshop, freeze_task
from guideact.gold.pictures import keep_picture
from guideact.sites.skins import Skin, words
from guideact.tasks.catalogue import all_tasks, entry
from guideact.tasks.solve import Page, Solver
from guideact.types import AnswerCheck, Check, Observation, Point, Screenshot
from tests.cli.calling import call, one_line, spawn
from tests.harness.pretend import without_browser

SHORT, ADMIN = "shopping.price.1", "shopping_admin.go_to_list.1"
SHOT = Screenshot(sha256="a" * 64, width=1, height=1, png=b"\x89PNG")


async def test_a_dataset_is_built_looked_at_and_the_same_when_built_again(tmp_path: Path) -> None:
    for name in ("a", "b"):
        said = await spawn("data", "build", str(tmp_path / name), SHORT, ADMIN)
        assert said.status == 0, said.err
        assert "2 of 2 tasks, 8 steps" in said.out
    for file in sorted((tmp_path / "a").iterdir()):
        assert file.read_bytes() == (tmp_path / "b" / file.name).read_bytes(), file.name
    assert sorted(os.listdir(tmp_path)) == ["a", "b"], "nothing unfinished is left behind"

    dataset = open_dataset(tmp_path / "a")
    dataset.verify()
    assert [task.id for task in dataset.tasks()] == [SHORT, ADMIN]
    for step in dataset.steps():
        assert len(step.guides) >= 2
        assert step.action_som is not None
        shot = step.observation.screenshot
        assert shot is not None
        assert dataset.image(shot.sha256).startswith(b"\x89PNG")
        if step.target is not None:
            assert step.box is not None
            assert step.point is not None
            assert step.box.contains(*step.point)
            assert isinstance(getattr(step.action_coord, "target", None), Point)

    assert '"came": 2, "lost": 0' in (await spawn("data", "ledger", str(tmp_path / "a"), "--json")).out
    verified = await spawn("data", "verify", str(tmp_path / "a"))
    files = len(os.listdir(tmp_path / "a")) - 1
    assert verified.status == 0, verified.err
    assert verified.out == f"{tmp_path / 'a'}: {files} files, {dataset.manifest.signature}\n"
    again = await spawn("data", "build", str(tmp_path / "a"))
    assert again.status == 2
    assert "a is not empty" in again.err


async def test_a_build_that_is_stopped_says_how_to_go_on_and_keeps_what_is_frozen(tmp_path: Path) -> None:
    out, kept = tmp_path / "a", tmp_path / "a.unfinished"
    build = [
        "-m",
        "guideact",
        "data",
        "build",
        str(out),
        SHORT,
        "shopping.phone",
        "--no-screenshots",
        "--max-samples",
        "1",
    ]
    process = await asyncio.create_subprocess_exec(sys.executable, *build, stderr=asyncio.subprocess.PIPE)
    assert process.stderr is not None
    said = await process.stderr.readuntil(f"{SHORT}".encode())
    process.terminate()
    said += await process.stderr.read()
    assert await process.wait() == 130
    assert said.decode().splitlines()[-1] == f"Stopped. The same command goes on with {out}."
    assert "Traceback" not in said.decode()
    assert kept.is_dir()
    assert not out.exists()
    again = await spawn(*build[2:])
    assert again.status == 0, again.err
    assert SHORT not in again.err, "it was frozen before"
    assert not kept.exists()


def test_a_task_that_the_surroundings_fail_is_named_when_the_others_are_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    without_browser(monkeypatch)
    failing = {ADMIN}
    asked: list[tuple[str, bool]] = []

    async def freeze_one(task_id: str, *_: object, moving: bool) -> FrozenTask:
        asked.append((task_id, moving))
        if task_id in failing:
            raise BrowserError("it died")
        return FrozenTask(entry=Entry(task_id=task_id, stage="listed", reason="stuck"))

    monkeypatch.setattr(freeze, "freeze_task", freeze_one)
    build = ["data", "build", str(tmp_path / "a"), ADMIN, SHORT, "--no-screenshots", "--max-samples", "1"]
    said = call(capsys, *build)
    assert said.status == 1
    assert one_line(said) == (
        f"1 of 2 tasks could not be frozen: {ADMIN}. The same command tries them again, and them alone."
    )
    assert f"{ADMIN}: given up, for it died" in said.err
    assert (SHORT, False) in asked
    assert [moving for task_id, moving in asked if task_id == ADMIN] == [False, False, True]
    failing.clear()
    asked.clear()
    assert call(capsys, *build).status == 0
    assert asked == [(ADMIN, False)]
    assert os.listdir(tmp_path) == ["a"]


async def test_a_dataset_frozen_in_a_skin_names_it_and_what_it_shows(tmp_path: Path) -> None:
    said = await spawn("data", "build", str(tmp_path / "a"), ADMIN, "--skin", "relabel-3", "--no-screenshots")
    assert said.status == 0, said.err
    dataset = open_dataset(tmp_path / "a")
    assert dataset.manifest.skin == "relabel-3"
    assert "`relabel-3`" in (tmp_path / "a" / "README.md").read_text(encoding="utf-8")
    shown = words(Skin("relabel", 3), "shopping_admin")
    guides = " ".join(guide for step in dataset.steps() for guide in step.guides)
    quoted = [word for word in shown if f"“{shown[word]}”" in guides]
    assert quoted
    assert not [word for word in quoted if f"“{word}”" in guides]
    wrong = await spawn("data", "build", str(tmp_path / "b"), ADMIN, "--skin", "relabel")
    assert wrong.status == 2
    assert "there is no skin 'relabel'" in wrong.err


async def test_one_split_can_be_frozen_alone(tmp_path: Path) -> None:
    said = await spawn(
        "data", "build", str(tmp_path / "a"), "shopping.newsletter", "--split", "train", "--no-screenshots"
    )
    assert said.status == 0, said.err
    wanted = [task.id for task in all_tasks() if task.template_id == "shopping.newsletter" and task.split == "train"]
    assert len(wanted) == 1
    assert [task.id for task in open_dataset(tmp_path / "a").tasks()] == wanted
    none = await spawn("data", "build", str(tmp_path / "b"), wanted[0], "--split", "test")
    assert (none.status, none.out) == (2, "")
    assert f"none of {wanted[0]} is of the test split" in none.err


@pytest.fixture
async def env() -> object:
    async with open_env(screenshots=False) as opened:
        yield opened


def broken(monkeypatch: pytest.MonkeyPatch, **change: object) -> None:
    """Let the short task be another one than it is."""
    real = entry(SHORT)
    task = real.task.model_copy(update={"check": change.pop("check", real.task.check)})
    changed = replace(real, task=task, template=replace(real.template, **change))  # type: ignore[arg-type]
    monkeypatch.setattr(freeze, "entry", lambda task_id: changed)


def _lost_way(page: Page, params: object) -> Solver:
    yield from page.click("button", "No such button", say=("Press it.", "It is there."))


def _hasty(page: Page, params: object) -> Solver:
    yield from page.finish(page.matches("No such price")[0].group(), say=("Read it.", "It is there."))


def _curt(page: Page, params: object) -> Solver:
    yield from page.finish("$18.50", say=("Stop.", "Done"))


@pytest.mark.parametrize(
    ("change", "stage", "reason", "detail"),
    [
        ({"solve": _lost_way}, "listed", "stuck", "No such button"),
        (
            {"solve": _hasty},
            "listed",
            "stuck",
            "index out of range; nothing matches 'No such price' at http://shopping",
        ),
        (
            {"check": Check(answer=AnswerCheck(expected=("nothing of the kind",)))},
            "performed",
            "check_failed",
            "answer",
        ),
        ({"solve": _curt, "check": Check(answer=AnswerCheck(expected=("$18.50",)))}, "solved", "guide_fault", "Stop."),
    ],
)
async def test_what_is_lost_is_lost_at_a_stage_for_a_reason(
    monkeypatch: pytest.MonkeyPatch, env: WebEnv, change: dict[str, object], stage: str, reason: str, detail: str
) -> None:
    broken(monkeypatch, **change)
    frozen = await freeze_task(SHORT, env, None)
    assert (frozen.entry.stage, frozen.entry.reason) == (stage, reason)
    assert detail in frozen.entry.detail
    assert frozen.task is None
    assert frozen.steps == ()


@pytest.mark.parametrize("partial", [STALE, MOVING, "frame 1 could not be read"])
async def test_what_was_not_seen_as_it_was_is_not_frozen(
    monkeypatch: pytest.MonkeyPatch, env: WebEnv, tmp_path: Path, partial: str
) -> None:
    real = env._observe

    async def observe() -> Observation:
        seen = await real()
        return seen.model_copy(update={"partial": partial, "screenshot": SHOT})

    monkeypatch.setattr(env, "_observe", observe)
    with pytest.raises(BrowserError, match=f"step 1 of {SHORT} was not seen as it was: {partial}"):
        await freeze_task(SHORT, env, tmp_path)
    if partial != MOVING:
        with pytest.raises(BrowserError):
            await freeze_task(SHORT, env, tmp_path, moving=True)
        return
    # A page that never stands still: kept at the last try, and named.
    frozen = await freeze_task(SHORT, env, tmp_path, moving=True)
    assert frozen.entry.stage == "frozen"
    assert frozen.entry.detail.startswith("the page of step 1, 2")
    assert frozen.entry.steps["moving"] == len(frozen.steps)
    assert {step.observation.partial for step in frozen.steps} == {""}


def test_a_picture_is_written_once_and_whole(tmp_path: Path) -> None:
    seen = Observation(url="", title="", screenshot=SHOT)
    keep_picture(tmp_path, seen, "step 1")
    (kept,) = tmp_path.iterdir()
    assert (kept.name, kept.read_bytes()) == (f"{SHOT.sha256}.png", SHOT.png)
    before = kept.stat()
    keep_picture(tmp_path, seen, "step 2")
    assert (kept.stat().st_mtime_ns, kept.stat().st_ino) == (before.st_mtime_ns, before.st_ino)
    changes: list[dict[str, object]] = [{"screenshot": None}, {"partial": f"no screenshot within 5 s: {STALE}"}]
    for without in changes:
        with pytest.raises(BrowserError, match="step 3 has no screenshot"):
            keep_picture(tmp_path, seen.model_copy(update=without), "step 3")


def test_an_unfinished_build_goes_on_only_with_the_same_settings(tmp_path: Path) -> None:
    workshop = Workshop(tmp_path / "w")
    workshop.open({"tasks": "1"})
    task = entry(SHORT).task
    assert not workshop.done(task)
    kept = FrozenTask.model_validate({"entry": {"task_id": SHORT, "stage": "listed", "reason": "stuck"}})
    workshop.keep(task, kept)
    workshop.open({"tasks": "1"})
    assert workshop.done(task)
    assert workshop.load(task) == kept
    assert not workshop.done(task.model_copy(update={"intent": "Another one"})), "a task that has changed is done anew"
    with pytest.raises(InputError, match=r"an unfinished build with other settings \(tasks\)"):
        workshop.open({"tasks": "2"})


def test_an_unfinished_build_goes_on_with_the_same_code_and_browser_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    workshop, tasks = Workshop(tmp_path / "w"), [entry(SHORT).task]
    workshop.open(freeze.settings_of(tasks, True, None, "chromium 1"))
    begun = (workshop.folder / "settings.json").stat()
    workshop.open(freeze.settings_of(tasks, True, None, "chromium 1"))
    again = (workshop.folder / "settings.json").stat()
    assert (again.st_ino, again.st_mtime_ns) == (begun.st_ino, begun.st_mtime_ns), "written once"
    with pytest.raises(InputError, match=r"other settings \(browser\)"):
        workshop.open(freeze.settings_of(tasks, True, None, "chromium 2"))
    monkeypatch.setattr(freeze, "code_sha256", lambda: "another")
    with pytest.raises(InputError, match=r"other settings \(code\)"):
        workshop.open(freeze.settings_of(tasks, True, None, "chromium 1"))
    (workshop.folder / "settings.json").write_text("")
    with pytest.raises(InputError, match=r"settings\.json is damaged: it is no JSON\. Remove "):
        workshop.open(freeze.settings_of(tasks, True, None, "chromium 1"))


def test_a_task_whose_file_is_damaged_is_done_anew(tmp_path: Path) -> None:
    workshop, task = Workshop(tmp_path / "w"), entry(SHORT).task
    workshop.open({})
    workshop.keep(task, FrozenTask.model_validate({"entry": {"task_id": SHORT, "stage": "listed", "reason": "stuck"}}))
    (kept,) = workshop.folder.glob(f"{SHORT}-*.json")
    assert workshop.done(task)
    for text in (kept.read_text()[:-9], "", '{"entry": 1}'):
        kept.write_text(text)
        assert not workshop.done(task)
