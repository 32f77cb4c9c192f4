"""OpAgent's runs are read with every step accounted for."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from guideact.data import open_dataset
from guideact.errors import InputError
from guideact.gold.opagent import Choices, Imported, import_run, import_runs, ledger_of
from guideact.gold.opagent_runs import read_run, read_runs
from guideact.types import Click, Finish, GoBack, Point, PressEnter, Scroll, Select, Type
from tests.cli.calling import call, one_line

SHOP = "http://ecs_ip:7770"


def act(
    verb: str, page: str = "/next", instruction: str | None = None, error: str = "", **params: Any
) -> dict[str, Any]:
    return {
        "type": "action",
        "action": {"action_type": verb, "params": params},
        "planner_output": {"instruction": instruction},
        "page_url": SHOP + page,
        "error_msg": error,
    }


def write_run(
    folder: Path,
    number: int,
    actions: Iterable[dict[str, Any]],
    *,
    score: float = 1.0,
    answer: str | None = "<answer>12</answer>",
) -> Path:
    config = {
        "task_id": number,
        "sites": ["shopping"],
        "start_url": SHOP,
        "intent": "Find it",
        "intent_template_id": 7,
    }
    records: list[dict[str, Any]] = []
    for index, action in enumerate(actions):
        records += [{"type": "observation", "image_path": f"images/screenshot_{index}.png"}, action]
    if answer is not None:
        records.append(
            {"type": "generated_answer", "generated_final_answer": f"<|im_start|>assistant\n{answer}\n<|im_end|>"}
        )
    records += [{"configs": config}, {"type": "evaluation", "score": score}]
    run = folder / f"val_{number}"
    run.mkdir(parents=True)
    (run / "trajectory.json").write_text(json.dumps(records))
    return run


def adds_up(one: Imported) -> bool:
    counts = one.entry.steps
    added = sum(count for name, count in counts.items() if name.startswith("added:"))
    gone = sum(count for name, count in counts.items() if name.startswith(("dropped:", "trimmed", "lost:")))
    return counts["source"] + added == counts.get("kept", 0) + gone and counts.get("kept", 0) == len(one.steps)


EVERYTHING = (
    act("click", "/a", "Click the cart.", coords=[720, 450]),
    act("goto", "/b", "Go to the page of orders.", url=SHOP + "/b"),
    act("type", "/c", "Type tea into the search field.", content="tea", press_enter=True, coords=[12, 24]),
    act("select_option", "/c", "Choose ten.", option="10", coords=[600, 300]),
    act("scroll", "/c", None, direction="down"),
    act("press", "/c", "Press Enter.", key="Enter"),
    act("press", "/c", "Press Backspace.", key="Backspace"),
    act("hover", "/c", "Hover.", coords=[1, 1]),
    act("click", "/c", "Click nothing."),
    act("click", "/c", "Click below.", coords=[10, 1300]),
    act("click", "/c", "Click the broken one.", error="Timeout", coords=[1, 1]),
    act("go_back", "/b", "Go back."),
)


def test_what_has_a_counterpart_is_mapped_and_scaled_and_all_else_is_counted(tmp_path: Path) -> None:
    one = import_run(read_run(write_run(tmp_path, 5, EVERYTHING)), Choices())
    assert [step.action for step in one.steps] == [
        Click(target=Point(x=600, y=375)),
        Type(target=Point(x=10, y=20), text="tea"),
        PressEnter(),
        Select(target=Point(x=500, y=250), option="10"),
        Scroll(direction="down"),
        PressEnter(),
        GoBack(),
        Finish(answer="12"),
    ]
    assert one.entry.steps == {
        "added:enter": 1,
        "added:finish": 1,
        "dropped:error": 1,
        "dropped:goto": 1,
        "dropped:hover": 1,
        "dropped:no_point": 1,
        "dropped:outside": 1,
        "dropped:press": 1,
        "kept": 8,
        "source": 12,
    }
    assert adds_up(one)
    assert [step.observation.url for step in one.steps[:4]] == [
        "__SHOPPING__",
        "__SHOPPING__/b",
        "__SHOPPING__/b",
        "__SHOPPING__/c",
    ]
    assert [step.guides for step in one.steps[:2]] == [("Click the cart.",), ("Type tea into the search field.",)]
    assert one.steps[4].guides == ()
    assert one.task is not None
    assert one.task.task.id == "webarena.5"
    assert one.task.task.start_url == "__SHOPPING__"
    assert all(step.action_som is None for step in one.steps if step.point is not None)
    assert all(step.box is None for step in one.steps)


def test_choices(tmp_path: Path) -> None:
    run = write_run(tmp_path, 5, EVERYTHING)
    dropped = import_run(read_run(run), Choices(drop_task=True))
    assert (dropped.entry.stage, dropped.entry.reason) == ("answered", "unmappable")
    assert dropped.entry.detail == "goto, press, hover"
    assert dropped.steps == ()
    assert dropped.entry.steps == {"source": 12, "lost:unmappable": 12}
    assert adds_up(dropped)
    joined = import_run(read_run(run), Choices(join_enter=True))
    assert joined.entry.steps["joined:enter"] == 1
    assert len(joined.steps) == 7
    assert adds_up(joined)
    noted = import_run(read_run(run), Choices(keep_note=True))
    assert noted.steps[1].guides == ("Go to the page of orders. Type tea into the search field.",)
    ending = write_run(tmp_path, 6, [act("go_back"), act("hover", "/c", "Hover over it.", coords=[1, 1])])
    assert import_run(read_run(ending), Choices(keep_note=True)).steps[-1].guides == ("Hover over it.",)
    assert import_run(read_run(ending), Choices()).steps[-1].guides == ()


def test_a_loop_is_what_comes_back_after_other_pages(tmp_path: Path) -> None:
    click, other = act("click", "/list", coords=[10, 10]), act("click", "", coords=[50, 50])
    turned_twice = [act("click", "", coords=[9, 9]), act("click", "", coords=[9, 9]), click]
    in_a_circle = [click, other, click, other, click]
    kept = import_run(read_run(write_run(tmp_path, 1, turned_twice)), Choices(trim_loops=True))
    assert len(kept.steps) == 4
    assert "trimmed" not in kept.entry.steps
    cut = import_run(read_run(write_run(tmp_path, 2, in_a_circle)), Choices(trim_loops=True))
    assert cut.entry.steps["trimmed"] == 4
    assert len(cut.steps) == 2
    assert adds_up(cut)
    assert len(import_run(read_run(tmp_path / "val_2"), Choices()).steps) == 6


def test_failures_and_silence_are_lost_with_a_reason(tmp_path: Path) -> None:
    write_run(tmp_path, 1, [], score=0.0)
    write_run(tmp_path, 2, [act("go_back")], answer=None)
    write_run(tmp_path, 10, [act("go_back")] * 30, answer="no tags")
    imported = import_runs(tmp_path, Choices())
    assert [one.entry.task_id for one in imported] == ["webarena.1", "webarena.2", "webarena.10"]
    assert [(one.entry.stage, one.entry.reason) for one in imported] == [
        ("listed", "failed"),
        ("succeeded", "no_answer"),
        ("frozen", ""),
    ]
    assert imported[2].entry.detail == "31 steps, more than 25"
    assert imported[2].steps[-1].action == Finish(answer="no tags")
    ledger = ledger_of(imported)
    ledger.check()
    assert [total.lost for total in ledger.totals()] == [0, 1, 1, 0, 0]


def test_pictures_tell_the_height_and_are_kept_as_they_are(tmp_path: Path) -> None:
    run = write_run(tmp_path, 3, [act("click", coords=[720, 1100])])
    (run / "images").mkdir()
    for index in (0, 1):
        Image.new("RGB", (1200, 1000), (200 * index, 0, 0)).save(run / "images" / f"screenshot_{index}.jpg")
    one = import_run(read_run(run), Choices())
    assert one.steps[0].observation.viewport.height == 1000
    assert len(one.pictures) == 2
    shot = one.steps[0].observation.screenshot
    assert shot is not None
    assert (shot.width, shot.height) == (1200, 1000)
    whole = (run / "images" / "screenshot_1.jpg").read_bytes()
    for damaged in (b"no picture", whole[: len(whole) // 2]):
        (run / "images" / "screenshot_1.jpg").write_bytes(damaged)
        with pytest.raises(InputError, match=r"screenshot_1\.jpg is no picture"):
            import_run(read_run(run), Choices())
    Image.new("RGB", (600, 500)).save(run / "images" / "screenshot_1.jpg")
    with pytest.raises(InputError, match=r"screenshot_1\.jpg is 600 px wide, not 1200"):
        import_run(read_run(run), Choices())


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", r"trajectory\.json is no JSON"),
        ("{}", "is no list of records"),
        ("[]", "holds 0 records with 'configs', not one"),
    ],
)
def test_a_damaged_run_is_named(tmp_path: Path, text: str, said: str) -> None:
    run = write_run(tmp_path, 1, [])
    (run / "trajectory.json").write_text(text)
    with pytest.raises(InputError, match=said):
        import_run(read_run(run), Choices())


@pytest.mark.parametrize(
    ("place", "value", "said"),
    [
        ((1, "action"), None, "record 2: action: "),
        ((1, "action", "params"), None, "record 2: action.params: "),
        ((1, "action", "params", "coords"), [1, None], "record 2: action.params.coords.1: "),
        ((1, "action", "params", "coords"), [1, float("nan")], "record 2: action.params.coords.1: "),
        ((1, "page_url"), None, "record 2: page_url: "),
        ((1, "planner_output"), 3, "record 2: planner_output: "),
        ((3, "action", "params"), {"coords": [1, 1]}, "record 4: a type needs action.params.content"),
        ((4, "generated_final_answer"), None, "record 5: generated_final_answer: it is no text"),
        ((5, "configs"), None, "record 6: configs: "),
        ((5, "configs", "sites"), [], "record 6: configs.sites: "),
        ((5, "configs", "intent"), "\ud800", "record 6: configs.intent: "),
        ((5, "configs", "task_id"), 10**30, "record 6: configs.task_id: "),
        ((6, "score"), "good", "record 7: score: "),
    ],
)
def test_a_damaged_record_is_named_with_its_field(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], place: tuple[Any, ...], value: object, said: str
) -> None:
    run = write_run(tmp_path / "runs", 1, [EVERYTHING[0], EVERYTHING[2]])
    path = run / "trajectory.json"
    records = json.loads(path.read_text())
    damaged: Any = records
    for key in place[:-1]:
        damaged = damaged[key]
    damaged[place[-1]] = value
    path.write_text(json.dumps(records))
    for words in (
        ["import-opagent", str(tmp_path / "runs"), str(tmp_path / "out")],
        ["rescore", str(tmp_path / "runs")],
    ):
        line = one_line(call(capsys, "gold", *words))
        assert f"val_1/trajectory.json, {said}" in line
    assert not (tmp_path / "out").exists()


def test_a_run_without_its_file_and_a_task_that_was_run_twice_are_named(tmp_path: Path) -> None:
    run = write_run(tmp_path, 1, [])
    shutil.copytree(run, tmp_path / "val_01")
    with pytest.raises(InputError, match=r"val_01 and .*val_1 are both of webarena\.1"):
        read_runs(tmp_path)
    (tmp_path / "val_01" / "trajectory.json").unlink()
    with pytest.raises(InputError, match=r"val_01/trajectory\.json cannot be read: No such file"):
        read_runs(tmp_path)


def test_of_several_pages_at_the_start_the_first_is_on_top(tmp_path: Path) -> None:
    run = write_run(tmp_path, 1, [act("go_back")])
    path = run / "trajectory.json"
    records = json.loads(path.read_text())
    next(record for record in records if "configs" in record)["configs"]["start_url"] = f"{SHOP}/a |AND| {SHOP}/b"
    path.write_text(json.dumps(records))
    one = import_run(read_run(run), Choices())
    assert one.task is not None
    assert one.task.task.start_url == one.steps[0].observation.url == "__SHOPPING__/a"


def test_folders_without_runs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(InputError, match="holds no run val_<id>"):
        read_runs(tmp_path)
    with pytest.raises(InputError, match="there is no folder"):
        read_runs(tmp_path / "nowhere")
    write_run(tmp_path / "runs", 1, [])
    words = ["gold", "import-opagent", str(tmp_path / "runs"), str(tmp_path / "out")]
    assert "exclude each other" in one_line(call(capsys, *words, "--drop-task", "--keep-note"))
    assert "1 of 1 tasks, 1 steps" in call(capsys, *words).out
    assert "is not empty" in one_line(call(capsys, *words))


@pytest.mark.corpora
def test_the_published_runs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    if "GUIDEACT_DATA" not in os.environ:
        pytest.skip("GUIDEACT_DATA points at no corpora")
    runs = Path(os.environ["GUIDEACT_DATA"]) / "opagent"
    said = call(capsys, "gold", "import-opagent", str(runs), str(tmp_path / "out"))
    assert said.status == 0
    dataset = open_dataset(tmp_path / "out")
    dataset.verify()
    ledger = dataset.ledger()
    assert [(total.came, total.lost) for total in ledger.totals()] == [
        (487, 0),
        (487, 136),
        (351, 1),
        (350, 0),
        (350, 0),
    ]
    assert dataset.manifest.counts["steps"] == ledger.step_totals()["kept"] == 3681
    assert not any("|AND|" in step.observation.url for step in dataset.steps())
    without = ledger_of(import_runs(runs, Choices(drop_task=True))).step_totals()
    assert (without["source"], without["lost:unmappable"], without["kept"]) == (3262, 1088, 2589)
    imported = import_runs(runs, Choices(trim_loops=True, keep_note=True))
    assert all(adds_up(one) for one in imported if one.task is not None)
    for step in dataset.steps():
        if step.point is not None:
            assert step.point[0] < step.observation.viewport.width
            assert step.point[1] < step.observation.viewport.height
