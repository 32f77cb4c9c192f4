"""Guides that are replaced, and paraphrases that rename their target."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from guideact.errors import InputError
from guideact.offline.gold import Demo, demos_of
from guideact.offline.interventions import BARE_VERBS, KINDS, NEUTRAL, Interventions
from guideact.offline.rename import content_words, read_audited, renamed, shared_words
from guideact.types import VERBS, Click, Mark, Observation
from tests.tasks.pages import candidate, line, page

from .made import made


@pytest.fixture(scope="module")
def demos(tmp_path_factory: pytest.TempPathFactory) -> tuple[Demo, ...]:
    return demos_of(made(tmp_path_factory.mktemp("made") / "made"), "test")


def test_each_kind_is_what_it_says(demos: tuple[Demo, ...]) -> None:
    found = Interventions(demos)
    for demo in demos:
        told = {guide for step in demo.steps for guide in step.guides}
        for step in demo.steps:
            guide = {kind: found.guide(kind, demo, step.index) for kind in KINDS}
            assert guide["gold"] == step.guides[0]
            assert guide["paraphrase"] == step.guides[1]
            assert guide["none"] == ""
            assert guide["neutral"] == NEUTRAL
            assert guide["verb"] == BARE_VERBS[step.verb]
            assert guide["shuffled"] is not None
            assert guide["shuffled"] != step.guides[0]
            assert sorted(guide["shuffled"].replace(" ", "")) == sorted(step.guides[0].replace(" ", ""))
            assert (guide["target"] is None) == (step.target is None)
            if step.target is not None:
                assert guide["target"] == f"“{step.target.name}”."
            if guide["other-step"] is not None:
                assert guide["other-step"] in told
                assert guide["other-step"] not in step.guides
            assert guide["other-task"] is not None
            assert any(
                guide["other-task"] == other.guides[0]
                for another in demos
                if another.template != demo.template
                for other in another.steps
                if other.verb == step.verb
            )
            assert guide["other-task"] not in step.guides


def test_what_is_drawn_depends_on_the_seed_and_the_step_alone(demos: tuple[Demo, ...]) -> None:
    one, again, other = Interventions(demos), Interventions(demos), Interventions(demos, seed=1)
    guides = [
        [found.guide("other-task", demo, step.index) for demo in demos for step in demo.steps]
        for found in (one, again, other)
    ]
    assert guides[0] == guides[1] != guides[2]


def test_every_verb_has_a_bare_form() -> None:
    assert set(BARE_VERBS) == set(VERBS)


def test_a_renaming_paraphrase_shares_no_content_word_with_the_name(demos: tuple[Demo, ...]) -> None:
    made_up = 0
    for demo in demos:
        for step in demo.steps:
            sentence = renamed(step)
            if sentence is not None and step.target is not None:
                made_up += 1
                assert not shared_words(sentence, step.target)
                assert sentence != step.guides[0]
    assert made_up > 20


def step_on(seen: Observation, mark: int) -> Demo:
    from guideact.data import DemoStep
    from guideact.types import Task

    step = DemoStep(
        task_id="t.1", index=0, split="test", observation=seen, action=Click(target=Mark(mark=mark)), guides=("Go.",)
    )
    task = Task(id="t.1", intent="Do it", sites=("shopping",), start_url="__SHOPPING__/")
    return Demo(task, (step,))


def test_it_tells_role_place_and_neighbour() -> None:
    seen = page(candidate(1, "button", "Save", 1300, 840), candidate(2, "link", "Cancel", 1180, 840))
    assert renamed(step_on(seen, 1).steps[0]) == "Click the button at the bottom right, right of “Cancel”."
    seen = page(candidate(1, "link", "Orders", 20, 20), line("Account", 20, 50))
    assert renamed(step_on(seen, 1).steps[0]) == "Click the link at the top left, above “Account”."


def test_words_of_the_name_are_avoided_wherever_they_would_come_from() -> None:
    seen = page(
        candidate(1, "button", "Click the top left button", 20, 20),
        candidate(2, "link", "Buttons of all kinds", 20, 50),
        line("Shelf", 20, 90),
    )
    assert renamed(step_on(seen, 1).steps[0]) == "Press the control above “Shelf”."
    nameless = page(candidate(1, "button", "Click press activate", 20, 20))
    assert renamed(step_on(nameless, 1).steps[0]) is None


def test_endings_do_not_hide_a_shared_word() -> None:
    assert content_words("Saved items") & content_words("save the item")
    assert content_words("Sorting") & content_words("sorted")
    assert not content_words("the of and") & content_words("the of and")


def test_audited_paraphrases_win_and_are_held_to_the_rule(demos: tuple[Demo, ...], tmp_path: Path) -> None:
    demo = next(each for each in demos if each.steps[0].target is not None)
    target = demo.steps[0].target
    assert target is not None
    file = tmp_path / "p.jsonl"

    def write(guide: str, index: int = 0) -> None:
        file.write_text(json.dumps({"task_id": demo.id, "index": index, "guide": guide, "by": "A"}) + "\n")

    write("Have a go at the third thing.")
    found = Interventions(demos, 0, read_audited(file))
    assert found.guide("rename", demo, 0) == "Have a go at the third thing."
    write(f"Take {target.name}.")
    with pytest.raises(InputError, match="names the target: "):
        Interventions(demos, 0, read_audited(file))
    write("Well.", index=99)
    with pytest.raises(InputError, match=f"there is no step 99 of {demo.id}"):
        Interventions(demos, 0, read_audited(file))
    file.write_text('{"task_id": "a"}\n')
    with pytest.raises(InputError, match="line 1: index: Field required"):
        read_audited(file)
