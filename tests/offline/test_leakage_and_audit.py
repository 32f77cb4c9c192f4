"""Gold text in questions, and labels that are suspect."""

from __future__ import annotations

import json
from pathlib import Path
from typing import get_args

import pytest

from guideact.data import DemoStep
from guideact.errors import InputError
from guideact.offline import leakage
from guideact.offline import questions as module
from guideact.offline.audit import settle, suspects
from guideact.offline.gold import Demo, demos_of
from guideact.offline.leakage import CANARY, leaks, leaks_at, with_canaries
from guideact.offline.predictions import Arm, History
from guideact.offline.questions import Question, Way
from guideact.offline.settled import Settled
from guideact.types import Action, Box, Click, Mark, Observation, Task, Type
from tests.cli.calling import call, one_line
from tests.tasks.pages import candidate, line, page
from tests.train.trained import shop

from .made import coord_dataset, made

WAY = Way("action-guide", "som", "gold")


def test_no_question_holds_gold_text_in_any_arm_and_history(tmp_path: Path) -> None:
    for demos in (demos_of(shop(), "test"), demos_of(made(tmp_path / "made"), "test")):
        for arm in get_args(Arm):
            for history in get_args(History):
                assert leaks(demos, Way(arm, "som", history)) == ()


def test_what_is_changed_is_all_that_is_gold_from_the_step_on(tmp_path: Path) -> None:
    demo = demos_of(made(tmp_path / "made"), "test")[0]
    changed = with_canaries(demo, 1)
    assert changed.steps[0] == demo.steps[0]
    for before, after in zip(demo.steps[1:], changed.steps[1:], strict=True):
        assert after.observation == before.observation
        assert after.action != before.action
        assert not set(after.guides) & set(before.guides)
    assert CANARY in str(changed.task.check)


@pytest.mark.parametrize("part", ["action", "guides", "later", "check", "count"])
def test_a_question_that_depends_on_gold_is_found(part: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    demo = next(d for d in demos_of(made(tmp_path / "made"), "test") if d.task.check.answer and len(d.steps) > 2)
    ask = module.question

    def leaky(demo: Demo, index: int, way: Way) -> Question:
        asked = ask(demo, index, way)
        hint = {
            "action": demo.steps[index].action.verb,
            "guides": demo.steps[index].guides[0][:3],
            "later": demo.steps[-1].guides[-1].swapcase(),
            "check": str(demo.task.check),
            "count": str(len(demo.steps[index].guides)),
        }[part]
        user = asked.prompt.user + hint
        return Question(
            asked.task, index, asked.observation, asked.memory, asked.prompt.model_copy(update={"user": user})
        )

    monkeypatch.setattr(leakage, "question", leaky)
    found = leaks_at(demo, 0, WAY)
    assert [leak.kind for leak in found] == ["depends"]
    assert "the prompt changes" in found[0].detail


def test_a_sentence_that_stands_in_the_prompt_is_found_by_reading(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    demo = demos_of(made(tmp_path / "made"), "test")[0]
    intent = "Look. " + demo.steps[1].guides[2]
    told = Demo(demo.task, demo.steps)
    ask = module.question

    def leaky(demo: Demo, index: int, way: Way) -> Question:
        return ask(Demo(demo.task.model_copy(update={"intent": intent}), demo.steps), index, way)

    monkeypatch.setattr(leakage, "question", leaky)
    assert {leak.kind for leak in leaks_at(told, 0, WAY)} == {"sentence"}


def test_a_sentence_within_one_that_was_said_before_is_no_leak(tmp_path: Path) -> None:
    demo = demos_of(made(tmp_path / "made"), "test")[0]
    again = demo.steps[1].model_copy(update={"guides": ("Click the link “Order 148”",)})
    said = demo.steps[0].model_copy(update={"guides": ("Click the link “Order 148”.",)})
    assert leaks_at(Demo(demo.task, (said, again)), 1, WAY) == ()


def test_an_answer_in_the_memory_is_found(tmp_path: Path) -> None:
    demo = next(d for d in demos_of(made(tmp_path / "made"), "test") if d.task.check.answer and len(d.steps) > 2)
    assert demo.task.check.answer is not None
    answer = demo.task.check.answer.expected[0]
    if len(answer) <= 3:
        demo = Demo(
            demo.task.model_copy(
                update={
                    "check": demo.task.check.model_copy(
                        update={"answer": demo.task.check.answer.model_copy(update={"expected": ("Copenhagen",)})}
                    )
                }
            ),
            demo.steps,
        )
        answer = "Copenhagen"
    first = demo.steps[0].model_copy(update={"guides": (f"It will be {answer} in the end",)})
    giving_away = Demo(demo.task, (first, *demo.steps[1:]))
    assert [leak.kind for leak in leaks_at(giving_away, 1, WAY)] == ["answer"]
    assert leaks_at(giving_away, 1, Way("action", "som", "none")) == ()


def test_the_command_counts_leaks(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    dataset = made(tmp_path / "made", tasks=4)
    said = call(capsys, "offline", "leaks", str(tmp_path / "made"))
    assert said.status == 0
    assert said.out == f"{dataset.manifest.counts['steps']} steps, 20 ways to ask: 0 leaks\n"
    points = coord_dataset(tmp_path / "points", tasks=4)
    asked: set[str] = set()
    ask = module.question

    def noting(demo: Demo, index: int, way: Way) -> Question:
        asked.add(way.grounding)
        return ask(demo, index, way)

    monkeypatch.setattr(leakage, "question", noting)
    said = call(capsys, "offline", "leaks", str(points.folder))
    assert said.status == 0, said.out
    assert asked == {"coord"}


# --- audit --------------------------------------------------------------------------------------------------------


def one(seen: Observation, action: Action, *guides: str, after: Observation | None = None) -> Demo:
    task = Task(id="t.1", intent="Do it", sites=("shopping",), start_url="__SHOPPING__/")
    target = getattr(action, "target", None)
    found = seen.candidate(target.mark) if isinstance(target, Mark) else None
    steps = [
        DemoStep(
            task_id="t.1",
            index=index,
            split="test",
            observation=each,
            action=action,
            point=None if found is None else found.point,
            box=None if found is None else found.box,
            guides=guides,
        )
        for index, each in enumerate([seen, *([after] if after is not None else [])])
    ]
    return Demo(task, tuple(steps))


def kinds(demo: Demo) -> list[str]:
    return [suspect.kind for suspect in suspects([demo]) if suspect.index == 0]


PAGE = page(candidate(1, "button", "Save", 10, 10), candidate(2, "link", "Cancel", 200, 10), line("Form", 10, 60))
CLICK = Click(target=Mark(mark=1))


def test_a_sound_label_is_not_suspect() -> None:
    after = PAGE.model_copy(update={"title": "Saved"})
    assert kinds(one(PAGE, CLICK, "Press “Save”.", after=after)) == []


def test_a_target_that_lies_under_another_is_suspect() -> None:
    over = candidate(2, "dialog", "Cookies", 40, 5)
    assert kinds(one(page(candidate(1, "button", "Save", 10, 10), over), CLICK)) == ["covered"]
    inside = candidate(2, "img", "Icon", 30, 12).model_copy(update={"box": Box(x=50, y=12, width=20, height=10)})
    assert kinds(one(page(candidate(1, "button", "Save", 10, 10), inside), CLICK)) == []


def test_a_point_where_nothing_can_be_acted_on_is_suspect() -> None:
    demo = one(PAGE, CLICK)
    step = demo.steps[0].model_copy(update={"point": (700.0, 700.0), "box": None})
    assert kinds(Demo(demo.task, (step,))) == ["no-candidate"]


def test_two_candidates_that_look_the_same_are_suspect() -> None:
    twice = page(candidate(1, "button", "Save", 10, 10), candidate(2, "button", "Save", 200, 10))
    (found,) = suspects([one(twice, CLICK, "Press “Save”.")])
    assert (found.kind, found.marks) == ("equal", (2,))


@pytest.mark.parametrize(
    ("guide", "suspect"),
    [
        ("Press “Cancel”.", True),
        ("Press “Save”, not “Cancel”.", False),
        ("Beside “Cancel” there is “Save”.", False),
        ("Press the button.", False),
        ("Press “Elsewhere”.", False),
    ],
)
def test_a_guide_that_names_another_element_is_suspect(guide: str, suspect: bool) -> None:
    assert (kinds(one(PAGE, CLICK, guide)) == ["names-another"]) == suspect


def test_a_quoted_value_is_no_other_element() -> None:
    seen = page(candidate(1, "textbox", "Name", 10, 10), candidate(2, "link", "Oak", 200, 10))
    assert kinds(one(seen, Type(target=Mark(mark=1), text="Oak"), "Type “Oak”.")) == []


def test_a_step_that_changes_nothing_is_suspect() -> None:
    assert kinds(one(PAGE, CLICK, after=PAGE)) == ["no-change"]
    filled = page(candidate(1, "button", "Save", 10, 10, states=("pressed",)), *PAGE.candidates[1:], *PAGE.texts)
    assert kinds(one(PAGE, CLICK, after=filled)) == []


def test_what_was_settled_is_kept_with_who_and_how(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    dataset = made(tmp_path / "made")
    demos = demos_of(dataset, "test")
    listed = suspects(demos)
    equal = next(suspect for suspect in listed if suspect.kind == "equal")
    common = {"task_id": equal.task_id, "index": equal.index, "kind": "equal", "by": "Ada", "how": "on the live site"}
    file = tmp_path / "decisions.jsonl"
    file.write_text(json.dumps({**common, "verdict": "also", "also": list(equal.marks)}) + "\n")
    said = call(capsys, "data", "audit", str(tmp_path / "made"), "--settle", str(file))
    assert said.out == f"{file}: 1 decisions taken in\n"
    assert settle(tmp_path / "made", file, demos) == ()  # nothing is taken in twice
    kept = Settled.read(tmp_path / "made")
    assert kept.also == {(equal.task_id, equal.index): frozenset(equal.marks)}
    again = next(
        each
        for each in suspects(demos, kept)
        if (each.task_id, each.index, each.kind) == (equal.task_id, equal.index, "equal")
    )
    assert again.settled == "also by Ada: on the live site"
    said = call(capsys, "data", "audit", str(tmp_path / "made"), "--json")
    assert len(said.out.splitlines()) == len(listed)
    said = call(capsys, "data", "audit", str(tmp_path / "made"))
    assert "equal" in said.out
    decisions = tmp_path / "made" / "settled.jsonl"
    said = call(capsys, "data", "audit", str(tmp_path / "made"), "--out", str(decisions))
    assert one_line(said) == f"{decisions} cannot be written: it is read from. Give another --out."
    assert Settled.read(tmp_path / "made") == kept


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"index": 99}, "there is no step 99"),
        ({"also": [99]}, "has no mark 99"),
        ({"kind": "odd"}, "'odd' is no kind of suspicion"),
        ({"verdict": "fine"}, "verdict 'fine' with also = [1]"),
        ({"by": ""}, "line 1: by: String should have at least 1 character"),
    ],
)
def test_decisions_about_nothing_are_refused(
    change: dict[str, object], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made(tmp_path / "made", tasks=3)
    whole = {"task_id": "made.0000", "index": 0, "kind": "equal", "verdict": "also", "also": [1], "by": "A", "how": "B"}
    file = tmp_path / "decisions.jsonl"
    file.write_text(json.dumps(whole | change) + "\n")
    found = call(capsys, "data", "audit", str(tmp_path / "made"), "--settle", str(file))
    assert found.status == 2
    assert said in one_line(found)
    assert not (tmp_path / "made" / "settled.jsonl").exists()


def test_decisions_are_put_below_a_last_line_that_has_no_end(tmp_path: Path) -> None:
    demos = demos_of(made(tmp_path / "made", tasks=3), "test")
    whole = {"task_id": "made.0000", "index": 0, "kind": "equal", "verdict": "drop", "by": "A", "how": "B"}
    (tmp_path / "made" / "settled.jsonl").write_text(json.dumps(whole))
    file = tmp_path / "decisions.jsonl"
    file.write_text(json.dumps({**whole, "index": 1}))
    settle(tmp_path / "made", file, demos)
    assert Settled.read(tmp_path / "made").dropped == {("made.0000", 0), ("made.0000", 1)}


def test_a_decision_can_be_taken_back_to_an_earlier_one(tmp_path: Path) -> None:
    demos = demos_of(made(tmp_path / "made", tasks=3), "test")
    common = {"task_id": "made.0000", "index": 0, "kind": "equal", "by": "A", "how": "B"}
    file = tmp_path / "decisions.jsonl"

    def taken(*verdicts: str) -> list[str]:
        file.write_text("".join(json.dumps({**common, "verdict": verdict}) + "\n" for verdict in verdicts))
        return [decision.verdict for decision in settle(tmp_path / "made", file, demos)]

    assert [taken("fine"), taken("drop"), taken("fine")] == [["fine"], ["drop"], ["fine"]]
    assert Settled.read(tmp_path / "made").decisions[-1].verdict == "fine"
    assert taken("drop", "fine") == []
    assert taken("fine", "drop") == ["drop"]
    assert Settled.read(tmp_path / "made").dropped == {("made.0000", 0)}
    assert taken("fine", "drop") == []


def test_decisions_that_cannot_be_read_are_named(tmp_path: Path) -> None:
    (tmp_path / "settled.jsonl").mkdir()
    with pytest.raises(InputError, match=r"settled\.jsonl cannot be read: Is a directory"):
        Settled.read(tmp_path)


def test_a_dataset_that_was_changed_is_refused_before_it_is_asked_about(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made(tmp_path / "made", tasks=3)
    made(tmp_path / "other", tasks=3, seed=1)
    (tmp_path / "made" / "steps-test-00000.parquet").write_bytes(
        (tmp_path / "other" / "steps-test-00000.parquet").read_bytes()
    )
    out = str(tmp_path / "p.jsonl")
    for words in (
        ("offline", "leaks"),
        ("data", "audit"),
        ("offline", "predict", "--model", "scripted/noop", "--out", out),
    ):
        found = call(capsys, *words, str(tmp_path / "made"))
        assert found.status == 2
        assert "steps-test-00000.parquet was changed since it was built" in one_line(found)
    assert not Path(out).exists()


def test_steps_of_points_alone_are_told_by_their_pictures() -> None:
    from guideact.types import Screenshot

    shots = [Screenshot(sha256=name, width=10, height=10) for name in ("a", "a", "b")]
    pages = [Observation(url="u", title="", screenshot=shot) for shot in shots]
    assert kinds(one(pages[0], CLICK, after=pages[1])) == ["no-change"]
    assert kinds(one(pages[0], CLICK, after=pages[2])) == []
    assert kinds(one(Observation(url="u", title=""), CLICK, after=Observation(url="u", title=""))) == []
