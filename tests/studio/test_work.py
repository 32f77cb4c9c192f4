"""Assignment, outcomes, agreement, and what is written back."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from guideact.data.shards import open_dataset
from guideact.errors import InputError
from guideact.guides.guide import Guide, GuideStep, read_guide, write_guide
from guideact.studio.accounts import SignIn, add_person
from guideact.studio.export import export
from guideact.studio.items import read_source
from guideact.studio.store import KEY, Decision, Label, Store
from guideact.studio.work import Plan, agreement, finished, next_item, next_task, outcomes, to_settle


def say(store: Store, number: int, person: str, decision: Decision, text: str = "", **more: object) -> None:
    item = store.item(number)
    assert item is not None
    said = item.draft if decision == "accept" else text
    store.add_label(
        Label.model_validate({"item": number, "person": person, "decision": decision, "text": said, **more})
    )


def test_a_task_is_given_once_or_to_as_many_as_are_wanted(store: Store) -> None:
    alone = Plan(annotators=2, overlap=0.0)
    assert next_task(store, alone, "ann") == "made.1"
    assert next_task(store, alone, "ann") == "made.1"  # theirs until it is finished
    assert next_task(store, alone, "bo") == "made.2"
    assert next_task(store, alone, "lea") is None
    both = Plan(annotators=2, overlap=1.0)
    assert next_task(store, both, "lea") == "made.1"
    assert store.assignments() == {"made.1": ["ann", "lea"], "made.2": ["bo"]}


def test_the_overlap_is_the_same_everywhere_and_about_as_large_as_asked_for() -> None:
    plan = Plan(annotators=3, overlap=0.25)
    wanted = [plan.wanted(f"task.{i}") for i in range(2000)]
    assert set(wanted) == {1, 3}
    assert 0.22 < wanted.count(3) / 2000 < 0.28


def test_the_last_word_counts_and_every_word_is_kept(store: Store) -> None:
    first, *others = store.items("made.1")
    say(store, first, "ann", "reject", reason="not clear")
    say(store, first, "ann", "edit", "Do this first.")
    for number in others:
        say(store, number, "ann", "accept")
    assert [label.decision for label in store.labels(first)] == ["reject", "edit"]
    assert finished(store, "ann") == {"made.1"}
    assert next_item(store, "made.1", "ann") is None
    found = outcomes(store)
    assert [each.final.text if each.final else None for each in found][:2] == ["Do this first.", "Do step 2."]


def test_what_people_differ_about_waits_for_a_lead(store: Store) -> None:
    first, second, third = store.items("made.1")
    say(store, first, "ann", "accept")
    say(store, first, "bo", "accept")
    say(store, second, "ann", "accept")
    say(store, second, "bo", "edit", "Press Go.")
    say(store, third, "ann", "accept", flagged=True)
    assert [each.number for each in to_settle(outcomes(store))] == [second, third]
    say(store, second, "lea", "edit", "Press Go now.", kind="settled")
    settled = {each.number: each for each in outcomes(store)}[second]
    assert settled.final is not None
    assert settled.final.text == "Press Go now."
    assert [each.number for each in to_settle(outcomes(store))] == [third]
    measured = agreement(outcomes(store))
    assert measured.sentence == 0.5
    assert measured.decision.n == 2


def test_what_was_reviewed_is_written_back_with_its_history(store: Store, tmp_path: Path) -> None:
    first, second, third = store.items("made.1")
    say(store, first, "ann", "edit", "Search for it.", note="was clumsy")
    say(store, second, "ann", "reject", reason="not true", flagged=False)
    say(store, third, "ann", "accept", flagged=True)  # in doubt: the draft stays
    counts = export(store, tmp_path / "out")
    assert counts == {"accepted": 0, "edited": 1, "rejected": 1, "open": 4, "flagged": 0}
    written = open_dataset(tmp_path / "out" / "made")
    written.verify()
    guides = [step.guides for step in written.steps("train")]
    assert guides == [
        ("Search for it.", "Do step 1.", "Step 1 is what to do now."), (), ("Do step 3.", "Step 3 is what to do now."),
    ]  # fmt: skip
    lines = [json.loads(line) for line in (written.folder / "labels.jsonl").read_text().splitlines()]
    assert [(line["person"], line["decision"], line["final"]) for line in lines] == [
        ("ann", "edit", True), ("ann", "reject", True), ("ann", "accept", False),
    ]  # fmt: skip
    assert lines[0]["draft"] == "Do step 1."
    with pytest.raises(InputError, match="not empty"):
        export(store, tmp_path / "out")


def test_a_guide_is_reviewed_and_written_back(tmp_path: Path) -> None:
    guide = Guide(
        id="sign-up", title="Sign up", start_url="http://example.test/",
        steps=(
            GuideStep(sentence="Type your password.", verb="type", secret="password"),
            GuideStep(sentence="Press Send.", verb="click"),
        ),
    )  # fmt: skip
    write_guide(tmp_path / "guide", guide, {})
    store = Store.open(tmp_path / "studio", make=True)
    add_person(store, "ann", "long enough", "annotator", "en")
    assert store.add_source(*read_source(tmp_path / "guide", None, None)) == 2
    assert store.add_source(*read_source(tmp_path / "guide", None, None)) == 0
    first, second = store.items()
    assert store.items()[first].value == "••••••"
    say(store, first, "ann", "edit", "Choose a password.")
    say(store, second, "ann", "reject", reason="not clear")
    export(store, tmp_path / "out")
    written = read_guide(tmp_path / "out" / "sign-up")
    assert [step.sentence for step in written.steps] == ["Choose a password.", "Press Send."]
    assert "step 2" in written.note
    store.close()


def test_a_studio_keeps_its_secrets(store: Store) -> None:
    assert (store.folder / KEY).stat().st_mode & 0o077 == 0
    assert len(store.key) == 32
    person = store.person("ann")
    assert person is not None
    assert person.password.startswith("$argon2id$")
    assert "correct" not in (store.folder / "studio.sqlite").read_bytes().decode("latin-1")


def test_bad_input_is_named(store: Store, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds no studio"):
        Store.open(tmp_path / "nowhere")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "file").write_text("x")
    with pytest.raises(InputError, match="not empty"):
        Store.open(tmp_path / "full", make=True)
    with pytest.raises(InputError, match="8 characters"):
        add_person(store, "new", "short", "lead", "en")
    with pytest.raises(InputError, match="is no name"):
        add_person(store, "a b", "long enough", "lead", "en")
    with pytest.raises(InputError, match="no dataset"):
        read_source(tmp_path / "full", None, None)
    (store.folder / KEY).write_bytes(b"short")
    with pytest.raises(InputError, match="cut short"):
        _ = store.key


def test_wrong_passwords_make_a_name_wait(store: Store) -> None:
    sign_in = SignIn(store)
    assert sign_in.check("ann", "correct horse") is not None
    for _ in range(5):
        assert sign_in.check("ann", "wrong one") is None
    assert sign_in.waits("ann")
    assert not sign_in.waits("bo")
    assert sign_in.check("nobody", "correct horse") is None
