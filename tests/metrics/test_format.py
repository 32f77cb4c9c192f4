"""OFCR and what is counted over steps."""

from guideact.metrics import action_mix, format_count, outcome_codes
from guideact.types import Click, Fault, GoBack, Mark, Outcome, Step

CLICK = Click(target=Mark(mark=1))


def step(*kinds: str, action: Click | GoBack | None = CLICK, outcome: str = "") -> Step:
    faults = tuple(Fault(kind=kind, detail="") for kind in kinds)
    met = Outcome(code=outcome, detail="") if outcome else None
    return Step(index=0, url="", title="", action=action, faults=faults, outcome=met)


def test_a_step_counts_once_however_many_faults_it_has() -> None:
    count = format_count([step(), step("leak_mark", "leak_mark", "leak_dom"), step("leak_mark"), step()])
    assert count.ofcr == 0.5
    assert (count.steps, count.well_formed) == (4, 2)
    assert list(count.faults.items()) == [("leak_mark", 2), ("leak_dom", 1)]


def test_no_steps_have_no_rate() -> None:
    assert format_count([]).ofcr is None


def test_counts_come_largest_first_and_then_by_name() -> None:
    steps = [
        step(action=GoBack(), outcome="no_history"),
        step(),
        step(outcome="covered"),
        step("not_json", action=None, outcome="malformed"),
    ]
    assert list(action_mix(steps).items()) == [("click", 2), ("go_back", 1), ("unreadable", 1)]
    assert list(outcome_codes(steps)) == ["covered", "malformed", "no_history"]
