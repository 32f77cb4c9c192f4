"""Recipient trials: guide sets, what treatments do to them, and what is counted."""

from __future__ import annotations

import json
import pickle
import shutil
from pathlib import Path

import pytest

from guideact.config import RunConfig
from guideact.errors import InputError
from guideact.guides.guide import Guide, GuideStep, GuideTarget, write_guide
from guideact.guides.kept import GUIDES, Kept, keep_guides, trial_cast
from guideact.guides.naming import complete, names
from guideact.guides.trial_scores import agrees, followed, pearson, score_trial
from guideact.guides.trials import Key, ModelRecipients, TrialGuide, guide_set, recipient_agents, told_as_task
from guideact.harness.evaluate import make_manifest
from guideact.tasks.catalogue import entry
from guideact.tasks.gold import gold_for
from guideact.types import Box, Candidate, Click, Locator, Mark, Outcome, Step, Type
from tests.cli.calling import call, spawn
from tests.guides.pages import page, thing
from tests.harness.actors import FINISH, Says, agents

TASK, OTHER = "shopping.phone.1", "gitlab.milestone_new.2"


def guide(treatment: str, task: str = TASK) -> TrialGuide:
    found = guide_set("gold", treatment, [TASK, OTHER]).guide(task)  # type: ignore[arg-type]
    assert found is not None
    return found


def test_gold_as_it_is_is_made_of_references() -> None:
    gold = gold_for(TASK)
    assert gold is not None
    found = guide("as_is")
    assert len(found.lines) == len(found.key) == len(gold.steps)
    for line, step in zip(found.lines, gold.steps, strict=True):
        assert line.sentence in step.references


def test_treatments_change_what_they_say_they_do() -> None:
    plain, gold = guide("as_is"), gold_for(TASK)
    assert gold is not None
    dropped = guide("drop")
    assert len(dropped.lines) == len(plain.lines) - 1
    assert dropped.key == plain.key
    renamed = guide("rename")
    changed = [(a, b) for a, b in zip(plain.lines, renamed.lines, strict=True) if a != b]
    assert len(changed) == 1
    assert guide("other").lines == guide("as_is", OTHER).lines
    assert guide("other").key == plain.key, "it is scored against what the task needs"
    assert [line.sentence for line in guide("second").lines] == [step.references[-1] for step in gold.steps]
    for line, step in zip(guide("plain").lines, gold.steps, strict=True):
        assert not step.name or not names(line.sentence, step.name)
    for line, step in zip(guide("complete").lines, gold.steps, strict=True):
        assert not step.name or names(line.sentence, step.name)
    assert guide("drop") == dropped, "the same every time"
    assert guide_set("none", "as_is", [TASK]).guide(TASK) is None


def test_a_sentence_is_completed_where_it_names_nothing() -> None:
    said = complete("Open the company in that row.", "click", "link", "Volta", "")
    assert said == "Open the company in that row (the link “Volta”)."
    assert complete("Click “Volta”.", "click", "link", "Volta", "") == "Click “Volta”."
    assert complete("Press “Fork”.", "click", "link", "Fork 0", "") == "Press “Fork”."
    assert complete("Write the price into it.", "type", "textbox", "Note", "$7") == (
        "Write the price into it (“$7” in the field “Note”)."
    )
    assert complete("打开它。", "click", "link", "Volta", "", "zh") == "打开它 (链接“Volta”)。"


def test_a_folder_of_guides_and_what_is_none(tmp_path: Path) -> None:
    step = GuideStep(sentence="Type it.", verb="type", target=GuideTarget(role="textbox", name="A"), value="b")
    made = Guide(id="g", title="G", start_url="https://a.example/", steps=(step,), task_id=TASK)
    write_guide(tmp_path / "g", made, {})
    found = guide_set(str(tmp_path), "as_is", [TASK]).guide(TASK)
    assert found is not None
    assert (found.lines[0].sentence, found.lines[0].enter) == ("Type it.", "b")
    assert told_as_task(found).endswith("\n1. Type it. [b]")
    with pytest.raises(InputError, match="holds no guide of these tasks"):
        guide_set(str(tmp_path), "as_is", [OTHER])
    with pytest.raises(InputError, match="is no run, no dataset and no folder"):
        guide_set(str(tmp_path / "nowhere"), "as_is", [TASK])
    with pytest.raises(InputError, match="follows no guide"):
        recipient_agents(RunConfig(recipient="scripted/gold"), (entry(TASK).task,), guide_set("none", "as_is", [TASK]))


def put_guide(folder: Path, sentence: str) -> None:
    step = GuideStep(sentence=sentence, verb="click", target=GuideTarget(role="link", name="A"))
    made = Guide(id="g", title="G", start_url="https://a.example/", steps=(step,), task_id=TASK)
    shutil.rmtree(folder, ignore_errors=True)
    write_guide(folder / "g", made, {})


def test_the_guides_of_a_trial_are_read_once_and_go_where_its_recipients_go(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put_guide(tmp_path / "guides", "Click “A”.")
    monkeypatch.setenv("GUIDEACT_API_KEY", "sk-nobody's")
    for recipient in ("literal", "openai/m"):
        config = RunConfig(recipient=recipient, model=recipient, guides=str(tmp_path / "guides"))
        make = pickle.dumps(trial_cast(config, (entry(TASK).task,)).make)
        (tmp_path / "guides").rename(tmp_path / "away")
        arrived = pickle.loads(make)()
        assert arrived.agent(entry(TASK).task, 0)
        (tmp_path / "away").rename(tmp_path / "guides")


def test_a_trial_does_not_go_on_with_other_guides_and_keeps_those_of_its_beginning(tmp_path: Path) -> None:
    config = RunConfig(recipient="literal", model="literal", guides=str(tmp_path / "guides"))
    tasks = (entry(TASK).task,)

    def hashed(sentence: str) -> str:
        put_guide(tmp_path / "guides", sentence)
        cast = trial_cast(config, tasks)
        assert Kept.model_validate_json(cast.files[GUIDES]).lines[0].sentence == sentence
        return make_manifest(config, tasks, "a browser", cast.hashes).hashes["guides"]

    first = hashed("Click “A”.")
    assert hashed("Press “A”.") != first
    assert hashed("Click “A”.") == first


def step(name: str, *, text: str = "", outcome: Outcome | None = None) -> Step:
    target = Candidate(
        mark=1, role="textbox" if text else "button", name=name, box=Box(x=0, y=0, width=1, height=1), point=(0, 0),
        locator=Locator(role="", name=name),
    )  # fmt: skip
    action = Type(target=Mark(mark=1), text=text) if text else Click(target=Mark(mark=1))
    return Step(index=0, url="", title="", action=action, target=target, outcome=outcome)


def test_what_was_followed_is_a_longest_common_subsequence() -> None:
    key = [Key(verb="click", role="button", name=name) for name in "ABC"]
    assert followed(key, [step("A"), step("X"), step("B"), step("C")]) == {0, 1, 2}
    assert followed(key, [step("B"), step("A"), step("C")]) in ({0, 2}, {1, 2})
    assert followed(key, []) == set()
    assert agrees(Key(verb="type", role="textbox", name="A", value="Tea"), step("a", text="tea"))
    assert not agrees(Key(verb="type", role="textbox", name="A", value="Tea"), step("A", text="coffee"))
    assert not agrees(key[0], step("A", outcome=Outcome(code="covered", detail="")))


def test_correlation() -> None:
    assert pearson([1, 2, 3], [2, 4, 6]) == pytest.approx(1)
    assert pearson([1, 2, 3], [3, 2, 1]) == pytest.approx(-1)
    assert pearson([1, 2, 3], [1, 1, 1]) is None
    assert pearson([1, 2], [1, 2]) is None


async def test_a_model_is_told_the_guide_and_nothing_of_the_task() -> None:
    model = Says(lambda request: FINISH)
    recipients = ModelRecipients(agents(model), guide_set("gold", "as_is", [TASK]))
    task = entry(TASK).task
    decision = await recipients.agent(task, 0).decide(page(thing("link", "Home")), None, 0)
    assert decision.answer.action is not None
    (request,) = model.requests
    told = guide("as_is")
    assert all(line.sentence in request.prompt.user for line in told.lines)
    assert task.intent not in request.prompt.user
    without = ModelRecipients(agents(model), guide_set("none", "as_is", [TASK]))
    await without.agent(task, 0).decide(page(thing("link", "Home")), None, 0)
    assert "There is no guide." in model.requests[1].prompt.user
    assert task.intent not in model.requests[1].prompt.user


async def test_a_trial_is_run_and_scored_from_the_command_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folders = []
    for treatment in ("complete", "rename"):
        folder = tmp_path / treatment
        said = await spawn(
            "run", "--recipient", "literal", "--treatment", treatment, "--sample-id", TASK, "shopping.price.1",
            "--no-screenshots", "--log-dir", str(folder),
        )  # fmt: skip
        assert said.status == 0, said.err
        assert "Recipient trials" in said.out
        folders.append(folder)
    good, bad = (score_trial(folder) for folder in folders)
    assert (good.tasks, good.success.n, good.answers.n) == (2, 1, 1)
    assert good.success.value == 1
    assert good.follow_rate.value == 1
    assert good.ggs is not None
    assert good.ggs_measured == 1
    assert bad.success.value == 0
    assert bad.broke == {"nothing bears the name": 1}
    assert bad.ggs_measured == pytest.approx(0.4)
    (folders[0] / "guides.jsonl").unlink()
    keep_guides(folders[0])
    said = call(capsys, "guide", "trials", str(folders[0]), str(folders[1]), "--json")
    trials = json.loads(said.out)["trials"]
    assert [trial["treatment"] for trial in trials] == ["complete", "rename"]


async def test_one_guide_is_followed_and_told_step_by_step(tmp_path: Path) -> None:
    made = await spawn("guide", "from-gold", TASK, "--out", str(tmp_path / "g"))
    assert made.status == 0, made.err
    said = await spawn("guide", "follow", str(tmp_path / "g"))
    assert said.status == 0, said.out + said.err
    assert said.out.splitlines()[-1] == "The check passed."
    path = tmp_path / "g" / "guide.json"
    path.write_text(path.read_text(encoding="utf-8").replace("“Save", "“Store"), encoding="utf-8")
    broken = await spawn("guide", "follow", str(tmp_path / "g"))
    assert broken.status == 1
    assert "Broke: step" in broken.out
