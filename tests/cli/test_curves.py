"""The curves of a training: what stands in a line, on a terminal, and in a table."""

from __future__ import annotations

import io

import pytest

from guideact.cli.curves import BARS, LiveCurves, PlainCurves, curves, line, sparkline, table
from guideact.train.settings import RoundRecord
from guideact.types import CheckResult, Episode


def record(number: int, **more: object) -> RoundRecord:
    given = {
        "round": number,
        "tasks": ("a.1",),
        "success_rate": 0.25 * number,
        "reward_variance": 0.1,
        "groups": 4,
        "live": 1,
        "all_failed": 2,
        "all_solved": 1,
        "lost": 0,
        "dead_share": 0.75,
        "episodes": 24,
        "errors": 0,
        "trained": 8,
        "expert_share": 0.25,
        "expert_choices_missed": 0,
        "actions": {"click": 0.75, "scroll": 0.25},
        "steps": 7.5,
        "entropy": 1.5,
        "kl": 0.01,
        "updates": 8,
        "loss": -0.1,
        "clipped": 0.0,
        "seconds_rollouts": 60.0,
        "seconds_update": 3.0,
        **more,
    }
    return RoundRecord.model_validate(given)


def test_a_curve_has_a_character_a_round() -> None:
    assert sparkline([0.0, 0.5, 1.0], (0, 1)) == BARS[0] + BARS[4] + BARS[7]
    assert sparkline([2.0, None, 4.0]) == BARS[0] + "·" + BARS[7]
    assert sparkline([3.0, 3.0]) == BARS[0] * 2
    assert sparkline([]) == ""
    assert sparkline([5.0, -5.0], (0, 1)) == BARS[7] + BARS[0], "what lies outside is drawn at the edge"


def test_a_round_is_a_line() -> None:
    assert line(record(1, errors=2, test_success_rate=0.5, test_tasks=60)) == (
        "round 2: SR 0.250, variance 0.100, dead 3/4, experts 0.25, entropy 1.500, KL 0.010, 7.5 steps, 63 s, "
        "click 0.75 scroll 0.25, 2 errors, test SR 0.500 over 60 tasks"
    )
    assert "SR –" in line(record(0, success_rate=None, entropy=None, kl=None, steps=None, actions={}))


def test_a_log_file_gets_lines_and_a_terminal_curves(monkeypatch: pytest.MonkeyPatch) -> None:
    out = io.StringIO()
    with curves(out) as plain:
        assert isinstance(plain, PlainCurves)
        plain.training([record(0)], 3)
        plain.round(record(1))
        plain.retry(("a.1", 0), "the browser \x1b[31mdied", 0.0)
    assert out.getvalue().splitlines() == [
        "1 of 3 rounds are finished already: going on from there.",
        line(record(1)),
        "a.1: begun anew: the browser \\u001b[31mdied",
    ]
    terminal = io.StringIO()
    monkeypatch.setattr(terminal, "isatty", lambda: True)
    with curves(terminal) as live:
        assert isinstance(live, LiveCurves)
        live.training([record(0), record(1)], 5)
        live.phase(2, "rollouts")
        live.begin({}, 24, 0)
        live.step()
        live.episode(Episode(task_id="a.1", end="finished", check=CheckResult(passed=True)))
    shown = terminal.getvalue()
    for words in ("SR", "dead groups", "entropy", "KL from the start", "round 3 of 5: rollouts", "1/24 episodes"):
        assert words in shown, words


def test_a_table_has_a_row_a_round() -> None:
    shown = table([record(0), record(1)])
    assert shown.row_count == 2
