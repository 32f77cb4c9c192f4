"""Recall of demonstrations: which plans come to mind, how far they are done, and that weights keep them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from guideact.errors import InputError
from guideact.models.builtin.acts import Act
from guideact.models.builtin.network import SIZES, new_network
from guideact.models.builtin.policy import Policy, values_of
from guideact.models.builtin.recall import Plan, PlanStep, Recall, as_lists, form_of, from_lists, said_words, slotted
from guideact.models.builtin.view import view_of
from guideact.models.builtin.weights import Weights, load_weights, save_weights
from guideact.models.builtin.words import read_goal
from tests.tasks.pages import candidate, page

SITE = "shopping.localhost"
GOAL = "Rename my list “Lamp Week” to “Helsinki in April”."
HOME = page(candidate(1, "link", "Lists", 10, 10), candidate(2, "link", "Help", 10, 40))
LISTS = page(candidate(1, "link", "Lamp Week", 10, 10), url=f"http://{SITE}/lists")
FORM = page(
    candidate(1, "textbox", "Name", 10, 10, value="Lamp Week"),
    candidate(2, "button", "Save", 10, 40),
    url=f"http://{SITE}/lists/7",
)


def step(verb: str, role: str = "", name: str = "", place: str = "", value: str = "", *source: str) -> PlanStep:
    said = said_words(read_goal(""), f"{verb} “{name}”" if name else f"{verb} here")
    return PlanStep(verb, role, name, "0 alone", f"{SITE}/{place}", value, source, said)


def plan(form: str, *steps: PlanStep) -> Plan:
    return Plan(tuple(form.split()), (*steps, step("finish", place="lists/*")))


RENAME = plan(
    "rename my list *0 to *1",
    step("click", "link", "list"),
    step("click", "link", "*0", "lists"),
    step("type", "textbox", "name", "lists/*", "*1", "quoted", "to", ""),
    step("click", "button", "save", "lists/*"),
)
DELETE = plan("delete my list *0", step("click", "link", "list"), step("click", "link", "*0", "lists"))
HELP = plan("what doe the help say about *0", step("click", "link", "help"))
RECALL = Recall((DELETE, RENAME, HELP))


def test_values_become_slots() -> None:
    goal = read_goal(GOAL)
    assert form_of(goal) == ("rename", "my", "list", "*0", "to", "*1")
    assert slotted(goal, "Helsinki in April (7 places)") == "*1 # place"
    assert slotted(goal, "Rename “Lamp Week” for April") == "rename *0 for *"
    assert said_words(goal, "Open “Lamp Week” with the links.") == {"open", "link", '"*0'}


def test_plans_of_similar_requests_come_to_mind_the_most_similar_first() -> None:
    found = RECALL.find(read_goal(GOAL), SITE)
    assert [each for each, _ in found] == [RENAME, DELETE]
    assert found[0][1] == pytest.approx(1)
    assert RECALL.find(read_goal("Sing."), SITE) == ()
    assert Recall().find(read_goal(GOAL), SITE) == ()


def test_what_is_hidden_does_not_come_to_mind_and_another_site_counts_less() -> None:
    assert [each for each, _ in RECALL.find(read_goal(GOAL), SITE, frozenset({1}))] == [DELETE]
    here, there = (RECALL.find(read_goal(GOAL), site)[0][1] for site in (SITE, "map.localhost"))
    assert there == pytest.approx(here / 2)


def test_plans_of_the_same_steps_come_to_mind_once() -> None:
    twice = Recall((RENAME, Plan(("rename", "list", "*0"), RENAME.steps), DELETE))
    assert [each for each, _ in twice.find(read_goal(GOAL), SITE)] == [RENAME, DELETE]


@pytest.mark.parametrize(
    ("seen", "memory", "position"),
    [
        (HOME, (), 0),
        (LISTS, ("Click “Lists”.",), 1),
        (LISTS, ("Go to the part of lists.", "Click “Lists”."), 1),
        (FORM, ("Click “Lists”.", "Click “Lamp Week”."), 2),
        (FORM, ("Click “Lamp Week”.",), 2),
        (FORM, ("Click “Lists”.", "Click “Lamp Week”.", "Type “Helsinki in April” into “Name”."), 3),
        (LISTS, ("Click “Lists”.", "Click “Lamp Week”.", "Type into “Name”.", "Click “Save”."), 4),
    ],
)
def test_it_is_told_by_the_memory_and_the_page_how_far_a_plan_is_done(
    seen: object, memory: tuple[str, ...], position: int
) -> None:
    view = view_of(GOAL, seen, memory, recall=RECALL)  # type: ignore[arg-type]
    assert view.standings[0].position == position


def test_a_plan_says_when_an_act_is_due() -> None:
    view = view_of(GOAL, LISTS, ("Click “Lists”.",), recall=RECALL)
    standing = view.standings[0]
    assert standing.when("click", "link", "*0") == ("exact", "next")
    assert standing.when("click", "link", "*1") == ("blank", "next")
    assert standing.when("click", "link", "other") == ("role", "next")
    assert standing.when("click", "link", "list") == ("exact", "done")
    assert standing.when("click", "button", "save") == ("exact", "soon")
    assert standing.when("go_back", "", "") == ("no", "")
    assert (standing.here, standing.in_view) == (True, "exact")
    step = standing.step_for("type", "textbox", "name")
    assert step is not None
    assert step.value == "*1"


def test_what_is_recalled_is_a_feature_of_acts_and_values() -> None:
    """With untrained weights but for one: a plan's next step alone decides."""
    plain = view_of(GOAL, FORM, ("Click “Lists”.", "Click “Lamp Week”."))
    recalling = view_of(GOAL, FORM, ("Click “Lists”.", "Click “Lamp Week”."), recall=RECALL)
    act = Act("type", FORM.candidates[0])
    (values, without), (same, told) = (values_of(view, act) for view in (plain, recalling))
    assert same == values
    assert len(told.features) > len(without.features)


def test_what_demonstrations_typed_and_nothing_says_can_be_typed() -> None:
    typed = step("type", "textbox", "name", "lists/*", "list of comp", "plan", "List of comp")
    recall = Recall((plan("rename my list *0 to *1", typed),))
    values, _ = values_of(view_of(GOAL, FORM, (), recall=recall), Act("type", FORM.candidates[0]))
    assert "List of comp" in values
    assert "List of comp" not in values_of(view_of(GOAL, FORM, ()), Act("type", FORM.candidates[0]))[0]


def test_plans_are_kept_in_the_weights(tmp_path: Path) -> None:
    assert from_lists(json.loads(json.dumps(as_lists(RECALL)))) == RECALL
    network = new_network(SIZES["small"], 0)
    save_weights(tmp_path / "w.npz", Weights(Policy(network, (), recall=RECALL), {}))
    assert load_weights(tmp_path / "w.npz").policy.recall == RECALL
    one, other = (load_weights(tmp_path / "w.npz").policy for _ in range(2))
    assert (one.recall is other.recall, one.lore is other.lore) == (True, True), "what is read of a step is shared"
    save_weights(tmp_path / "again.npz", load_weights(tmp_path / "w.npz"))
    assert (tmp_path / "again.npz").read_bytes() == (tmp_path / "w.npz").read_bytes()
    save_weights(tmp_path / "none.npz", Weights(Policy(network, ()), {}))
    assert load_weights(tmp_path / "none.npz").policy.recall == Recall()


@pytest.mark.parametrize(
    "held",
    [
        {},
        {"steps": [["click"]], "plans": []},
        {"steps": [], "plans": [["a", []]]},
        {"steps": [], "plans": [["a", [3]]]},
    ],
)
def test_damaged_plans_are_told(tmp_path: Path, held: dict[str, list[object]], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("guideact.models.builtin.weights.as_lists", lambda _: held)
    save_weights(tmp_path / "w.npz", Weights(Policy(new_network(SIZES["small"], 0), (), recall=RECALL), {}))
    with pytest.raises(InputError, match="damaged"):
        load_weights(tmp_path / "w.npz")
