"""Demonstrations performed again: recorded ones on the embedded sites, imported ones on a stand-in for WebArena's."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from guideact.browser.observe import MOVING, STALE
from guideact.cli import replay as cli_replay
from guideact.data import Dataset, DemoStep, DemoTask, Manifest, open_dataset, write_dataset
from guideact.env import StepResult
from guideact.errors import BrowserError
from guideact.gold import replays
from guideact.gold.replay import Replayed, alike, page_of, replay_task
from guideact.sites.skins import Skin
from guideact.tasks.catalogue import entry
from guideact.tasks.webarena.setup import read_setup
from guideact.tasks.webarena.tasks import load_webarena
from guideact.types import Action, Candidate, CheckResult, Click, Finish, Mark, Observation, Point, Task, Type
from guideact.webarena import open_webarena
from tests.cli.calling import Said, call, one_line, spawn
from tests.data.made_data import made_ledger, seen
from tests.harness.pretend import without_browser
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


# --- without a browser ------------------------------------------------------------------------------------------


def kept(folder: Path, *, skin: str = "", task: Task | None = None) -> Dataset:
    """A demonstration of an embedded task, one step long, made by hand."""
    of = task or entry(TASK).task
    step = DemoStep(
        task_id=of.id,
        index=0,
        split=of.split,
        observation=seen(""),
        action=Finish(answer="1"),
        guides=("Tell the price.",),
        rationale="It stands there.",
    )
    demo = DemoTask(task=of, steps=1, skeleton=("shopping/ finish",))
    return write_dataset(
        folder,
        Manifest(name="made", licence="Apache-2.0", source="embedded", skin=skin),
        [demo],
        [step],
        made_ledger(demo),
        card=lambda manifest, verbs: "",
    )


class Stage:
    """An environment that shows one page and lets everything pass."""

    def __init__(self, page: Observation) -> None:
        self.page = page

    async def reset(self, task: Task) -> Observation:
        return self.page

    async def step(self, action: Action | None) -> StepResult:
        return StepResult(observation=self.page)

    async def check(self) -> CheckResult:
        return CheckResult(passed=True)

    def target_of(self, action: Action) -> Candidate | None:
        return None


async def replayed_on(page: Observation, dataset: Dataset, **how: Any) -> Replayed:
    (demo,) = dataset.tasks()
    return await replay_task(demo, steps_of(dataset), Stage(page), demo.task, **how)


async def test_a_replay_keeps_what_was_said_of_a_step(tmp_path: Path) -> None:
    (step,) = (await replayed_on(seen(""), kept(tmp_path / "d"))).steps
    assert (step.guides, step.rationale) == (("Tell the price.",), "It stands there.")


@pytest.mark.parametrize("partial", [STALE, MOVING, "frame 1 could not be read"])
async def test_a_page_that_was_not_seen_as_it_was_is_no_part_of_a_replay(tmp_path: Path, partial: str) -> None:
    page, dataset = seen("").model_copy(update={"partial": partial}), kept(tmp_path / "d")
    with pytest.raises(BrowserError, match=f"step 1 of {TASK} was not seen as it was: {partial}"):
        await replayed_on(page, dataset)
    if partial != MOVING:
        with pytest.raises(BrowserError):
            await replayed_on(page, dataset, moving=True)
        return
    replayed = await replayed_on(page, dataset, moving=True)
    assert replayed.entry.steps["moving"] == 1
    assert replayed.steps[0].observation.partial == ""


def replay_of(capsys: pytest.CaptureFixture[str], dataset: Dataset, *words: str) -> dict[str, Any]:
    out = dataset.folder.with_name("out")
    said = call(capsys, "gold", "replay", str(dataset.folder), str(out), "--no-screenshots", "--json", *words)
    assert said.status == 0, said
    found: dict[str, Any] = json.loads(said.out)
    return found


def test_a_task_that_the_sites_fail_is_lost_and_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    async def fail(*_: object, **__: object) -> Replayed:
        raise BrowserError("it died")

    without_browser(monkeypatch)
    monkeypatch.setattr(replays, "replay_task", fail)
    (lost,) = replay_of(capsys, kept(tmp_path / "d"))["lost"]
    assert (lost["task_id"], lost["reason"], lost["detail"]) == (TASK, "infrastructure", "it died")


def test_a_task_that_is_another_one_since_is_not_checked_as_what_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    without_browser(monkeypatch)
    before = entry(TASK).task.model_copy(update={"intent": "What did it cost?"})
    (lost,) = replay_of(capsys, kept(tmp_path / "d", task=before))["lost"]
    assert (lost["task_id"], lost["reason"]) == (TASK, "changed")


@pytest.mark.parametrize(
    ("words", "worn"), [((), "relabel-3"), (("--skin", "none"), ""), (("--skin", "relayout-2"), "relayout-2")]
)
def test_a_dataset_is_replayed_in_the_look_that_it_was_made_in(
    words: tuple[str, ...],
    worn: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    looks: list[str] = []

    async def perform(demos: object, *, skin: Skin | None, **_: object) -> list[Replayed]:
        looks.append(skin.name if skin else "")
        return [await replayed_on(seen(""), dataset)]

    without_browser(monkeypatch)
    monkeypatch.setattr(cli_replay, "replay_embedded", perform)
    dataset = kept(tmp_path / "d", skin="relabel-3")
    replay_of(capsys, dataset, *words)
    assert looks == [worn]
    assert open_dataset(tmp_path / "out").manifest.skin == worn
    card = " ".join((tmp_path / "out" / "README.md").read_text().split())
    assert "The guides name what it shows" not in card
    assert "The guides are the record's own" in card


def test_a_replay_leaves_alone_what_lies_beside_its_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Such as an unfinished build of the same name."""
    dataset = kept(tmp_path / "d")
    (tmp_path / "out.unfinished").mkdir()
    (tmp_path / "out.unfinished" / "settings.json").touch()
    refused = call(capsys, "gold", "replay", str(dataset.folder), str(tmp_path / "out"), "shopping.nope")
    assert refused.status == 2
    without_browser(monkeypatch)
    replay_of(capsys, kept(tmp_path / "e", task=entry(TASK).task.model_copy(update={"intent": "Another"})))
    assert (tmp_path / "out.unfinished" / "settings.json").exists()
    assert {path.name for path in tmp_path.iterdir()} == {"d", "e", "out", "out.unfinished"}


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
