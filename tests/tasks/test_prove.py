"""A proof finds what is wrong with a task: each of these templates has one fault."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from guideact.gold.record import record_task, write_gold
from guideact.tasks.catalogue import entry, instantiate
from guideact.tasks.gold import Gold, fingerprint
from guideact.tasks.prove import Proof, prove_entry
from guideact.tasks.solve import Page, Solver
from guideact.tasks.template import EMMA, Params, Query, Template
from guideact.types import AnswerCheck, Change, Check, StateCheck
from tests.tasks.conftest import Bench

SAY = ("Press the button that stands there.", "It is the one with the heart, and a note confirms the click.")


def params(db: Query) -> Sequence[Params]:
    rows = db.execute("SELECT id, name, slug FROM product WHERE id IN (40, 41) ORDER BY id").fetchall()
    return [{"product": row["name"], "slug": row["slug"]} for row in rows]


def check(db: Query, p: Params) -> Check:
    row = db.execute("SELECT id FROM product WHERE slug = ?", (p["slug"],)).fetchone()
    added = Change(table="wishlist_item", op="insert", values={"product_id": row["id"], "customer_id": 1})
    return Check(state=(StateCheck(site="shopping", required=(added,)),))


def solve(page: Page, p: Params) -> Solver:
    yield from page.click("button", "Add to wish list", say=SAY)
    yield from page.finish(say=("The heart counts one more.", "Nothing is left once the note has appeared."))


SOUND = Template(
    id="shopping.sound",
    sites=("shopping",),
    start="__SHOPPING__/p/{slug}",
    logins={"shopping": EMMA},
    intents=("Wish for the {product}.", "Put the {product} on my list."),
    params=params,
    check=check,
    solve=solve,
)


async def proof_of(template: Template, bench: Bench) -> Proof:
    (first, *_) = instantiate(template)
    return await prove_entry(first, bench.env, browser=bench.browser, server=bench.server)


def bad(proof: Proof) -> set[str]:
    return {trial.name.split(" (")[0] for trial in proof.trials if not trial.ok}


async def test_a_sound_task_is_proved(bench: Bench) -> None:
    proof = await proof_of(SOUND, bench)
    assert proof.passed, "\n".join(proof.lines())
    assert proof.gold_steps == 2
    assert [trial.name.split(" (")[0] for trial in proof.trials] == [
        "gold",
        "an unrelated change",
        "gold by points",
        "nothing done",
        "wrong entity",
        "without its last change",
        "without insert wishlist_item[63]",
        "insert wishlist_item[63] with product_id 41",
        "insert wishlist_item[63] twice",
    ]
    assert proof.lines() == [
        "shopping.sound.1: proved (2 gold steps)",
        *(f"  ok  {trial.name}: must {_word(trial.must_pass)}; {trial.reason}" for trial in proof.trials),
    ]


def _word(must_pass: bool) -> str:
    return "pass" if must_pass else "fail"


async def test_a_check_that_lets_anything_through_lets_mutants_live(bench: Bench) -> None:
    anything = (Change(table="wishlist_item", op="insert", count=None),)
    lax = Check(state=(StateCheck(site="shopping", allowed=anything),))
    proof = await proof_of(replace(SOUND, check=lambda db, p: _with_slug(lax, db, p)), bench)
    assert bad(proof) >= {"nothing done", "wrong entity"}
    lines = "\n".join(proof.lines())
    assert "shopping.sound.1: NOT PROVED" in lines
    assert "BAD wrong entity (that of shopping.sound.2): must fail; the check passed" in lines
    assert "      1. click button 'Add to wish list' at http://shopping.localhost/p/" in lines
    assert "insert wishlist_item[" in lines


def _with_slug(lax: Check, db: Query, p: Params) -> Check:
    """The same for every task but for something that never matters, so that the tasks count as different."""
    state = lax.state[0]
    never = Change(table="setting", op="delete", where={"key": p["slug"]})
    return Check(state=(state.model_copy(update={"forbidden": (never,)}),))


async def test_a_gold_that_fails_its_own_check(bench: Bench) -> None:
    strict = Check(state=(StateCheck(site="shopping", required=(Change(table="setting", op="delete"),)),))
    proof = await proof_of(replace(SOUND, check=lambda db, p: strict), bench)
    assert {"gold", "gold by points", "wrong entity"} <= bad(proof)
    assert (
        "BAD wrong entity: must fail; cannot be tried with shopping.sound.2, where the same end state is right as "
        "well; choose params whose tasks differ in what is right, or give the template a wrong_entity"
    ) in "\n".join(proof.lines())


async def test_tasks_with_one_answer_are_told_which_and_a_lone_task_that_it_is_one(bench: Bench) -> None:
    def count(page: Page, p: Params) -> Solver:
        yield from page.finish("7", say=("Count the hearts in the list.", "What you have counted is the answer."))

    def three(db: Query) -> Sequence[Params]:
        return [{"product": name, "slug": params(db)[0]["slug"]} for name in ("A", "B", "C")]

    seven = Check(answer=AnswerCheck(kind="number", expected=("7",)))
    alike = replace(SOUND, solve=count, params=three, check=lambda db, p: seven)
    middle = instantiate(alike)[1]
    proof = await prove_entry(middle, bench.env, browser=bench.browser, server=bench.server)
    assert bad(proof) == {"wrong entity"}
    (reason,) = (trial.reason for trial in proof.trials if not trial.ok)
    assert reason.startswith(
        "cannot be tried with shopping.sound.3 and shopping.sound.1, where the answer '7' is right"
    )
    proof = await proof_of(replace(alike, params=lambda db: three(db)[:1]), bench)
    (reason,) = (trial.reason for trial in proof.trials if not trial.ok)
    assert reason == "the template has no other task to do instead; give it a second one, or a wrong_entity"


async def test_a_solver_that_is_stuck(bench: Bench) -> None:
    def stuck(page: Page, p: Params) -> Solver:
        yield from page.click("button", "Add to wish lost", say=SAY)

    proof = await proof_of(replace(SOUND, solve=stuck), bench)
    assert not proof.passed
    assert proof.trials[0].reason.startswith("could not be made: shopping.sound.1: there is not the “Add to wish lost”")
    assert "'Add to wish list'" in proof.trials[0].reason


async def test_a_solver_without_finish_and_one_that_never_ends(bench: Bench) -> None:
    def short(page: Page, p: Params) -> Solver:
        yield from page.click("button", "Add to wish list", say=SAY)

    def endless(page: Page, p: Params) -> Solver:
        while True:
            yield from page.scroll("down", say=SAY)

    proof = await proof_of(replace(SOUND, solve=short), bench)
    assert proof.trials[0].reason == "could not be made: the solver ended without page.finish"
    proof = await proof_of(replace(SOUND, solve=endless, max_steps=3), bench)
    assert proof.trials[0].reason == "could not be made: the budget of 3 steps was spent"


async def test_a_guide_that_gives_the_answer_away(bench: Bench) -> None:
    def telling(page: Page, p: Params) -> Solver:
        yield from page.finish("7", say=("There are 7 of them in the list.", "Count what the page shows to you."))

    answer = Check(answer=AnswerCheck(kind="number", expected=("7",)))
    proof = await proof_of(replace(SOUND, solve=telling, check=lambda db, p: answer), bench)
    assert proof.faults == ("step 1 (finish): gives away '7': 'There are 7 of them in the list.'",)
    assert not proof.passed


async def test_recording_keeps_what_was_done_and_said(bench: Bench, tmp_path: Path) -> None:
    path = tmp_path / "gold.jsonl"
    found = entry("shopping.wish_to_cart.4")
    gold = await record_task(found.task.id, bench.env)
    write_gold(path, [gold])
    (line,) = path.read_text(encoding="utf-8").splitlines()
    read = Gold.model_validate_json(line)
    assert read == gold
    assert read.task_sha256 == fingerprint(found.task)
    assert [step.verb for step in read.steps] == ["click", "click", "click", "finish"]
    assert read.steps[1].name == "My wish list"
    assert read.steps[1].box is not None
    assert read.steps[1].point is not None
    assert read.steps[1].box.contains(*read.steps[1].point)
    assert all(len(step.references) == 2 for step in read.steps)
    assert read.steps[-1].value == ""


async def test_what_gold_does_last_must_be_asked_for(bench: Bench) -> None:
    """A change that the check merely allows is none that can be left out, whatever else is asked."""

    def twice(page: Page, p: Params) -> Solver:
        yield from page.click("button", "Add to wish list", say=SAY)
        yield from page.click("button", "Compare", say=SAY)
        yield from page.finish("done", say=("Say that it is done.", "Nothing is left once both notes have appeared."))

    def lax(db: Query, p: Params) -> Check:
        (state,) = check(db, p).state
        compared = Change(table="compare_item", op="insert", count=None)
        return Check(
            answer=AnswerCheck(kind="text", expected=("done",)),
            state=(state.model_copy(update={"allowed": (compared,)}),),
        )

    proof = await proof_of(replace(SOUND, solve=twice, check=lax), bench)
    assert bad(proof) == {"without its last change"}


async def test_a_wrong_value_that_is_there_already_proves_nothing(bench: Bench) -> None:
    def idle(page: Page, p: Params) -> Solver:
        if p["product"] != "nothing":
            yield from page.click("button", "Add to wish list", say=SAY)
        yield from page.finish(say=("The heart counts one more.", "Nothing is left once the note has appeared."))

    template = replace(SOUND, solve=idle, wrong_value=lambda db, p: {**p, "product": "nothing"})
    proof = await proof_of(template, bench)
    assert bad(proof) == {"wrong value"}
    assert "  BAD wrong value: must fail; it changed nothing, which proves nothing" in proof.lines()
