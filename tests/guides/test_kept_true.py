"""Guides kept true: verified on the live sites, broken by another look, mended, and true again."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

from guideact.browser import Browser, launch
from guideact.env import WebEnv
from guideact.guides.ci import junit, lines_of
from guideact.guides.guide import Guide, GuideStep, read_guide, write_guide
from guideact.guides.make import from_gold
from guideact.guides.places import EmbeddedStage, WebStage, hosts_of, task_of
from guideact.guides.repair import repair
from guideact.guides.verify import Problem, Verdict, place, verify
from guideact.sites.server import SiteServer, serve
from guideact.sites.skins import parse_skin
from guideact.types import Viewport
from tests.cli.calling import call, spawn
from tests.guides.hostile import ATTACK, hostile

TASK = "map.list_rename.1"


@pytest.fixture
async def at() -> AsyncIterator[tuple[SiteServer, Browser]]:
    async with serve(port=0) as server, launch() as browser:
        yield server, browser


async def test_a_guide_holds_and_another_look_breaks_it_and_it_is_mended(at: tuple[SiteServer, Browser]) -> None:
    server, browser = at
    plain = WebEnv(browser, server)
    guide, pictures = await from_gold(TASK, plain)
    verdict = await verify(guide, EmbeddedStage(plain, task_of(guide)))
    await plain.close()
    assert verdict.holds
    assert verdict.judged
    assert len(verdict.pages) == len(guide.steps) - 1

    for skin, added in (("relabel-901", 0), ("relayout-901", 1)):
        env = WebEnv(browser, server, skin=parse_skin(skin))
        stage = EmbeddedStage(env, task_of(guide))
        broken = await verify(guide, stage)
        assert broken.problem is not None, skin
        assert (broken.problem.kind, broken.problem.step) == ("gone", 0)
        mended = await repair(guide, stage, pictures.get)
        assert mended.problem is None
        assert [change.before is None for change in mended.changes].count(True) == added
        again = await verify(mended.guide, stage)
        assert again.holds, again.problem
        assert again.judged, "the check of the task was asked"
        assert all(step.image in mended.pictures for step in mended.guide.steps)
        await env.close()


async def test_the_commands_for_ci_and_review(tmp_path: Path) -> None:
    made = await spawn("guide", "from-gold", TASK, "--out", str(tmp_path / "g"))
    assert made.status == 0, made.err
    report, out = tmp_path / "j" / "junit.xml", tmp_path / "pictures"
    skin = ("--skin", "relabel-901")
    said = await spawn("guide", "verify", str(tmp_path / "g"), *skin, "--junit", str(report), "--out", str(out))
    assert said.status == 1
    assert said.out.startswith(f"BROKEN {TASK}, step 1 of 6: there is no link")
    assert {path.name for path in out.iterdir()} == {f"{TASK}-step-01-before.png", f"{TASK}-step-01-after.png"}
    failure = ElementTree.parse(report).find("testsuite/testcase/failure")
    assert failure is not None
    assert failure.attrib["type"] == "gone"

    said = await spawn("guide", "repair", str(tmp_path / "g"), *skin, "--out", str(tmp_path / "new"))
    assert said.status == 0, said.out + said.err
    review = (tmp_path / "new" / "changes.md").read_text(encoding="utf-8")
    assert "## Step 1" in review
    assert "![before](change-01-before.png)" in review
    assert (tmp_path / "new" / "change-01-after.png").exists()
    assert read_guide(tmp_path / "new").steps[0].target != read_guide(tmp_path / "g").steps[0].target
    assert (await spawn("guide", "verify", str(tmp_path / "new"), *skin)).status == 0


async def test_any_site_is_verified_by_its_address(at: tuple[SiteServer, Browser]) -> None:
    server, browser = at
    env = WebEnv(browser, server)
    made, _ = await from_gold("shopping.price.1", env)
    await env.close()
    url = server.url("shopping", 3)
    steps = tuple(step.model_copy(update={"url": server.actual(step.url, 3)}) for step in made.steps)
    guide = made.model_copy(update={"start_url": f"{url}/", "steps": steps, "task_id": "", "signed_in": {}})
    stage = WebStage(browser, guide.start_url, hosts_of(guide.start_url), Viewport())
    assert (await verify(guide, stage)).holds
    ends = steps[-1].model_copy(update={"url": f"{url}/somewhere/else"})
    moved = guide.model_copy(update={"steps": (*steps[:-1], ends)})
    verdict = await verify(moved, stage)
    await stage.close()
    assert verdict.problem is not None
    assert verdict.problem.kind == "elsewhere"


def test_places_without_their_numbers() -> None:
    assert place("http://a.example/orders/12/edit?x=1") == place("http://a.example/orders/7/edit/")
    assert place("http://a.example/orders") != place("http://a.example/carts")


def _verdict(guide: Guide, problem: Problem | None) -> Verdict:
    return Verdict(guide=guide, problem=problem, seconds=1.5)


def test_junit_holds_any_text(tmp_path: Path) -> None:
    guide = hostile(tmp_path)
    odd = ATTACK + "\x00\x1b\ud800]]>&"
    broken = _verdict(guide, Problem(kind="gone", step=0, message=odd, here=(odd,)))
    root = ElementTree.fromstring(junit([_verdict(guide, None), broken], [("other", odd)]).encode("utf-8", "replace"))
    suite = root.find("testsuite")
    assert suite is not None
    assert (suite.attrib["tests"], suite.attrib["failures"], suite.attrib["errors"]) == ("3", "1", "1")
    assert lines_of(replace(broken, problem=None)) == [
        "ok     hostile: 3 steps, 1.5 s (nothing could tell whether its end is right)"
    ]


def test_what_cannot_be_verified_is_told_before_anything_runs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    said = call(capsys, "guide", "verify")
    assert said.status == 2
    assert "no guide is named" in said.err
    step = GuideStep(sentence="Type it.", verb="type", secret="password")
    write_guide(tmp_path / "g", Guide(id="g", title="G", start_url="https://a.example/", steps=(step,)), {})
    monkeypatch.delenv("GUIDEACT_SECRET_PASSWORD", raising=False)
    said = call(capsys, "guide", "verify", str(tmp_path / "g"))
    assert said.status == 2
    assert "Set GUIDEACT_SECRET_PASSWORD" in said.err
    monkeypatch.setenv("GUIDEACT_SECRET_PASSWORD", "x")
    said = call(capsys, "guide", "verify", str(tmp_path / "g"), "--skin", "relabel-1")
    assert said.status == 2
    assert "has no skin" in said.err


def test_what_is_wrong_with_one_guide_is_told_and_the_others_go_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    step = GuideStep(sentence="That is all.", verb="finish")
    folders = [tmp_path / name for name in ("one", "two")]
    for folder in folders:
        write_guide(folder, Guide(id=folder.name, title="G", start_url="http://a.example:99999/", steps=(step,)), {})
    file = tmp_path / "junit.xml"
    said = call(capsys, "guide", "verify", *map(str, folders), "--junit", str(file))
    assert said.status == 2
    assert [line.split(": ")[0] for line in said.err.splitlines()] == list(map(str, folders))
    suite = ElementTree.fromstring(file.read_text()).find("testsuite")
    assert suite is not None
    assert (suite.attrib["tests"], suite.attrib["errors"]) == ("2", "2")
