"""Demonstrations performed again: recorded ones on the embedded sites, imported ones on a stand-in for WebArena's."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from guideact.data import Dataset, DemoStep, open_dataset
from guideact.gold.replay import alike, page_of
from guideact.tasks.webarena.setup import read_setup
from guideact.tasks.webarena.tasks import load_webarena
from guideact.types import Candidate, Click, Mark, Observation, Point, Type
from guideact.webarena import open_webarena
from tests.cli.calling import Said, call, one_line, spawn
from tests.webarena.cases import CASES
from tests.webarena.standin import StandIn, serve_standin

from .test_opagent import act, write_run

TASK = "shopping.price.1"


def steps_of(dataset: Dataset) -> list[DemoStep]:
    return list(dataset.steps())


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("recorded") / "data"
    said = asyncio.run(spawn("data", "build", str(folder), TASK, "--no-screenshots"))
    assert said.status == 0, said
    return folder


def test_a_recording_is_seen_again_as_it_was(
    recorded: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "again"
    said = call(capsys, "gold", "replay", str(recorded), str(out), "--json")
    assert said.status == 0, said
    told = json.loads(said.out)
    assert (told["tasks"], told["passed"], told["drifts"], told["unmapped"], told["lost"]) == (1, 1, [], [], [])
    before, after = steps_of(open_dataset(recorded)), steps_of(open_dataset(out))
    assert [step.action for step in before] == [step.action for step in after]
    assert [step.guides for step in before] == [step.guides for step in after]
    assert [step.point for step in before] == [step.point for step in after]
    assert all(step.observation.screenshot is not None for step in after)
    manifest = open_dataset(out).manifest
    assert (manifest.source, manifest.counts["images"]) == (
        "embedded+replay",
        len({s.observation.screenshot for s in after}),
    )
    assert "performed again" in (out / "README.md").read_text()


def test_in_another_skin_what_moved_is_found_and_told(
    recorded: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--skin", "relayout-3", "--no-screenshots", "--json"]
    said = call(capsys, "gold", "replay", str(recorded), str(tmp_path / "again"), *words)
    told = json.loads(said.out)
    assert told["passed"] == 1
    assert {drift["kind"] for drift in told["drifts"]} == {"moved"}
    assert open_dataset(tmp_path / "again").manifest.skin == "relayout-3"


def test_what_cannot_be_replayed_is_told(recorded: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for words, said in (
        ([str(tmp_path / "nope"), str(tmp_path / "out")], "is no dataset"),
        ([str(recorded), str(recorded)], "is not empty"),
        ([str(recorded), str(tmp_path / "out"), "shopping.nope"], "has no task 'shopping.nope'"),
        (
            [str(recorded), str(tmp_path / "out"), "--tasks", "webarena:x.json"],
            "--tasks is for demonstrations on WebArena",
        ),
        ([str(recorded), str(tmp_path / "out"), "--max-samples", "0"], "--max-samples 0 is no number"),
    ):
        result = call(capsys, "gold", "replay", *words)
        assert result.status == 2
        assert said in one_line(result)
        assert not (tmp_path / "out").exists()


# --- imported runs ----------------------------------------------------------------------------------------------


async def points_of(there: StandIn, number: int, case: str, folder: Path) -> dict[str, tuple[float, float]]:
    """Where the things of a case stand, found by doing it."""
    path = folder / "one.json"
    path.write_text(json.dumps(CASES[case].raw(number, "")))
    points: dict[str, tuple[float, float]] = {}
    async with open_webarena(read_setup(None, [], there.environ), screenshots=False) as env:
        observation = await env.reset(load_webarena(path)[0])
        for verb, *words in CASES[case].right:
            if verb not in ("click", "type"):
                continue
            found = next(each for each in observation.candidates if words[0] in each.name)
            points[words[0]] = found.point
            mark = Mark(mark=found.mark)
            action = Click(target=mark) if verb == "click" else Type(target=mark, text=words[1])
            observation = (await env.step(action)).observation
    there.reset("reddit")
    there.reset("shopping")
    return points


def configured(folder: Path, number: int, case: str, port: str, actions: list[dict[str, Any]]) -> None:
    """A run of OpAgent's on a case."""
    raw = CASES[case].raw(number, "")
    run = write_run(folder, number, actions, answer="<answer></answer>")
    records = json.loads((run / "trajectory.json").read_text())
    for record in records:
        if "configs" in record:
            record["configs"] = {**raw, "start_url": f"http://ecs_ip:{port}"}
        if "page_url" in record:
            record["page_url"] = record["page_url"].replace(":7770", f":{port}")
    (run / "trajectory.json").write_text(json.dumps(records))


@pytest.mark.slow
async def test_imported_runs_are_performed_on_the_sites_and_grounded_both_ways(tmp_path: Path) -> None:
    runs = tmp_path / "runs"
    async with serve_standin() as there:
        vote = await points_of(there, 1, "class of an element", tmp_path)
        form = await points_of(there, 2, "last page", tmp_path)
        post, contact = "/f/books/1/x", "/contact/"
        configured(
            runs,
            1,
            "class of an element",
            "9999",
            [
                act("click", "/", "Click the empty place.", coords=[1400, 880]),
                act("scroll", "/", None, direction="down"),
                # Dropped by the import: the step after it is on a page that no step leads to.
                act("goto", post, "Open the post.", url="http://ecs_ip:9999" + post),
                act("click", post, "Click Upvote.", coords=list(vote["Upvote"])),
            ],
        )
        configured(
            runs,
            2,
            "last page",
            "7770",
            [
                act("click", contact, "Open the contact form.", coords=list(form["Contact Us"])),
                act("type", contact, "Type the refund.", content="A refund", coords=list(form["What’s on your mind?"])),
            ],
        )
        configured(
            runs,
            3,
            "whole page",
            "7770",
            [act("click", "/", "Click the wrong product.", coords=list(form["Contact Us"]))],
        )
        configured(runs, 4, "judged", "3000", [])
        tasks = tmp_path / "tasks.json"
        names = {1: "class of an element", 2: "last page", 3: "whole page", 4: "judged"}
        tasks.write_text(json.dumps([CASES[name].raw(number, "") for number, name in names.items()]))
        imported, out = tmp_path / "imported", tmp_path / "replayed"
        assert (await spawn("gold", "import-opagent", str(runs), str(imported))).status == 0
        said: Said = await spawn(
            *("gold", "replay", str(imported), str(out), "--tasks", f"webarena:{tasks}", "--json"),
            **there.environ,  # type: ignore[arg-type]
        )
    assert said.status == 0, said
    told = json.loads(said.out)
    assert (told["tasks"], told["passed"]) == (4, 2)
    assert {(entry["task_id"], entry["reason"]) for entry in told["lost"]} == {
        ("webarena.3", "check_failed"),
        ("webarena.4", "needs_judge"),
    }
    assert [(drift["task_id"], drift["kind"]) for drift in told["drifts"] if drift["kind"] != "outcome"] == [
        ("webarena.1", "jumped"),
        ("webarena.3", "url"),
    ]
    assert [(each["task_id"], each["step"], each["detail"]) for each in told["unmapped"]] == [
        ("webarena.1", 0, "nothing_to_act_on")
    ]
    dataset = open_dataset(out)
    assert dataset.manifest.source == "opagent+replay"
    upvote = next(step for step in steps_of(dataset) if step.guides == ("Click Upvote.",))
    assert upvote.target is not None
    assert upvote.target.name == "Upvote"
    assert upvote.box is not None
    assert upvote.observation.url == "__REDDIT__" + post
    assert isinstance(upvote.action_coord, Click)
    assert isinstance(upvote.action_coord.target, Point)
    empty = next(step for step in steps_of(dataset) if step.guides == ("Click the empty place.",))
    assert empty.action_som is None
    assert dataset.ledger().fates()["webarena.1"].steps["unmapped:nothing_to_act_on"] == 1


def test_which_pages_are_the_same() -> None:
    assert page_of("__REDDIT__/f/a/?x=1#y") == page_of("__REDDIT__/f/a")
    assert page_of("http://shopping.localhost/a?b=c") == page_of("http://shopping.localhost/a/")
    assert page_of("__REDDIT__/f/a") != page_of("__GITLAB__/f/a")


def test_of_several_of_one_name_the_one_at_the_same_place_is_meant() -> None:
    def candidate(mark: int, name: str, ordinal: int, text: str = "") -> Candidate:
        return Candidate.model_validate(
            {
                "mark": mark,
                "role": "button",
                "name": name,
                "text": text,
                "box": {"x": 0, "y": mark * 20, "width": 10, "height": 10},
                "point": (5, mark * 20 + 5),
                "locator": {"role": "button", "name": name, "ordinal": ordinal},
            }
        )

    page = Observation(
        url="", title="", candidates=(candidate(1, "Add", 0), candidate(2, "Add", 1), candidate(3, "", 0, "x"))
    )
    second = alike(candidate(9, "Add", 1), page)
    assert second is not None
    assert second.mark == 2
    beyond = alike(candidate(9, "Add", 7), page)
    assert beyond is not None
    assert beyond.mark == 1
    assert alike(candidate(9, "Save", 0), page) is None
    assert alike(candidate(9, "", 0, "y"), page) is None
