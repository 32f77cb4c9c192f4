"""Scores of whole runs: by hand, by a second computation, and the same bytes every time."""

import json
import os
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from guideact.harness.score import score_run
from guideact.harness.tables import cost_line
from guideact.metrics import GuideScoring, ggs, guide_score
from guideact.stats import Resampling
from guideact.types import CheckResult, Click, End, Episode, Fault, Finish, Mark, Step, Usage
from tests.harness import independent_scores
from tests.harness.independent_scores import recompute, unlike
from tests.harness.made_runs import made_episodes, write_run

GOLD = (("Open the cart.", "Go to the cart."), ("Press Checkout.", "Click the Checkout button."))


def episode(
    task: str,
    *guides: str,
    solved: bool = False,
    sample: int = 0,
    template: str = "",
    references: tuple[tuple[str, ...], ...] = GOLD,
    end: End = "finished",
    faults: int = 0,
) -> Episode:
    fault = (Fault(kind="leak_mark", detail=""),)
    steps = tuple(
        Step(
            index=i,
            url="",
            title="",
            guide=guide,
            action=Finish() if i == len(guides) - 1 else Click(target=Mark(mark=1)),
            faults=fault if i < faults else (),
            usage=Usage(input_tokens=100, output_tokens=10),
        )
        for i, guide in enumerate(guides)
    )
    return Episode(
        task_id=task,
        sample=sample,
        template_id=template or f"of {task}",
        sites=("shopping",),
        steps=steps,
        end=end,
        check=None if end == "infrastructure_error" else CheckResult(passed=solved),
        references=references,
        gold_steps=len(references),
        seconds=2.0 * len(guides),
    )


def test_by_hand(tmp_path: Path) -> None:
    run = [
        episode("a", "Open the cart.", "Press Checkout.", solved=True),  # G = 1
        episode("b", "Nothing alike.", "Nothing", solved=True, faults=1),  # G = 0
        episode("c", "Open the cart.", "Press Checkout.", "Go."),  # failed
        episode("d", "Click it.", solved=True, references=()),  # no reference
        episode("e", "Open", end="infrastructure_error"),
    ]
    score = score_run(write_run(tmp_path / "run", run))
    references = ["open the cart press checkout", "go to the cart click the checkout button"]
    g_of_c = guide_score("open the cart press checkout go", references).g
    assert (score.n, score.tasks, score.attempts, score.clusters) == (4, 5, 4, 4)
    assert score.infrastructure_errors == 1
    assert score.tasks_lost == ("e",)
    assert score.tasks_without_reference == 1
    assert score.sr.value == 3 / 4
    assert score.g.value == pytest.approx((1 + 0 + g_of_c) / 3)
    assert score.g.n == 3
    assert score.ggs.value == pytest.approx((1 + 0.4 + 0 + 0.4) / 4)
    assert score.ggs_referenced.value == pytest.approx((1 + 0.4 + 0) / 3)
    assert score.guide_tax.value == pytest.approx(3 / 4 - (1 + 0.4 + 0.4) / 4)
    assert score.guide_tax_referenced.value == pytest.approx(2 / 3 - (1 + 0.4) / 3)
    assert score.ofcr.value == 7 / 8
    assert score.ofcr.n == 8
    assert score.g_solved.value == pytest.approx(1 / 2)
    assert score.g_failed.value == pytest.approx(g_of_c)
    assert score.g_aligned.value == pytest.approx((1 + 0 + 4 / 5) / 3)
    assert score.steps.value == 2
    assert score.seconds.value == 4
    assert score.input_tokens.value == 200
    assert score.seconds_per_solved == 16 / 3
    assert score.tokens_per_solved == 880 / 3
    assert score.ends == {"finished": 4, "infrastructure_error": 1}
    assert score.actions == {"click": 4, "finish": 4}
    assert score.faults == {"leak_mark": 1}
    assert [point.ggs.value for point in score.gamma_sweep][-1] == score.sr.value


def priced(made: Episode, *costs: float | None, from_cache: bool = False) -> Episode:
    """The episode with steps that cost so much."""
    usages = [Usage(input_tokens=1, output_tokens=1, cost=cost, from_cache=from_cache) for cost in costs]
    steps = [step.model_copy(update={"usage": usage}) for step, usage in zip(made.steps, usages, strict=True)]
    return made.model_copy(update={"steps": tuple(steps)})


def test_the_cost_of_a_run_counts_every_episode(tmp_path: Path) -> None:
    run = [
        priced(episode("a", "x", "y", solved=True), 0.25, 0.5),
        priced(episode("b", "x", solved=False), 0.25),
        priced(episode("c", "x", solved=True), 0.0, from_cache=True),
        priced(episode("d", "x", end="infrastructure_error"), 2.0),
    ]
    score = score_run(write_run(tmp_path / "run", run))
    assert score.cost.value == pytest.approx(1 / 3)
    assert (score.cost_total, score.cost_per_solved, score.answers_from_cache) == (3.0, 1.5, 1)
    said = "Cost: US$ 3.0000, US$ 1.5000 per solved attempt. 1 of 5 answers came from the response cache, at no cost."
    assert cost_line(score) == said


def test_one_unknown_cost_makes_the_sum_unknown_and_not_smaller(tmp_path: Path) -> None:
    run = [priced(episode("a", "x", "y", solved=True), 0.25, None), priced(episode("b", "x", solved=True), 0.5)]
    score = score_run(write_run(tmp_path / "run", run))
    assert (score.cost_total, score.cost_per_solved) == (None, None)
    assert (score.cost.value, score.cost.n) == (0.5, 1)
    assert cost_line(score).startswith("Cost: not known")
    assert "--prices" in cost_line(score)


def counted(made: Episode, *tokens: tuple[int | None, int | None]) -> Episode:
    """The episode with steps that took so many tokens."""
    usages = [Usage(input_tokens=read, output_tokens=written) for read, written in tokens]
    steps = [step.model_copy(update={"usage": usage}) for step, usage in zip(made.steps, usages, strict=True)]
    return made.model_copy(update={"steps": tuple(steps)})


@pytest.mark.parametrize("unknown", [(None, None), (None, 5), (100, None), (0, 0)], ids=str)
def test_tokens_that_were_not_counted_are_not_taken_for_none(
    tmp_path: Path, unknown: tuple[int | None, int | None]
) -> None:
    """(0, 0) stands in runs of earlier versions."""
    run = [
        counted(episode("a", "x", "y", solved=True), (100, 10), unknown),
        counted(episode("b", "x", solved=True), (60, 6)),
    ]
    score = score_run(write_run(tmp_path / "run", run))
    assert (score.input_tokens.value, score.input_tokens.n) == (60, 1)
    assert (score.output_tokens.value, score.output_tokens.n) == (6, 1)
    assert score.tokens_per_solved is None


def test_attempts_that_came_to_nothing_are_named_beside_the_cost_that_lacks_them(tmp_path: Path) -> None:
    run = [
        priced(episode("a", "x", solved=True), 0.25).model_copy(update={"attempts": 3}),
        priced(episode("b", "x", end="infrastructure_error"), 0.5).model_copy(update={"attempts": 3}),
        priced(episode("c", "x", solved=True), 0.25),
    ]
    score = score_run(write_run(tmp_path / "run", run))
    assert (score.cost_total, score.attempts_void) == (1.0, 4)
    assert cost_line(score) == (
        "Cost: US$ 1.0000, US$ 0.5000 per solved attempt. "
        "Not in it: 4 attempts that came to nothing and had to be made again."
    )


def test_a_run_that_counted_nothing_says_nothing_of_its_cost(tmp_path: Path) -> None:
    made = episode("a", "x", solved=True)
    steps = tuple(step.model_copy(update={"usage": None}) for step in made.steps)
    score = score_run(write_run(tmp_path / "run", [made.model_copy(update={"steps": steps})]))
    assert (score.cost_total, score.calls, cost_line(score)) == (None, 0, "")


def test_whether_decoding_was_constrained_stands_beside_ofcr(tmp_path: Path) -> None:
    folder = write_run(tmp_path / "run", [episode("a", "x", solved=True)])
    assert not score_run(folder).structured_output
    manifest = json.loads((folder / "run.json").read_text())
    manifest["config"]["structured_output"] = True
    (folder / "run.json").write_text(json.dumps(manifest))
    assert score_run(folder).structured_output


def test_a_task_weighs_the_same_however_many_attempts_it_has(tmp_path: Path) -> None:
    run = [episode("a", "x", solved=s > 0, sample=s) for s in range(3)]  # 2 of 3
    run += [episode("b", "x", solved=False, sample=0), episode("b", "x", sample=1, end="infrastructure_error")]
    run += [episode("b", "x", sample=2, solved=False)]
    score = score_run(write_run(tmp_path / "run", run))
    assert score.sr.value == pytest.approx((2 / 3 + 0) / 2)
    assert (score.n, score.attempts, score.samples) == (2, 5, 3)
    rates = {entry.k: (entry.rate.value, entry.left_out) for entry in score.pass_at_k}
    assert rates == {1: (pytest.approx(1 / 3), 0), 2: (pytest.approx(1 / 2), 0), 3: (1.0, 1)}
    assert score.noise.sr is not None
    # Repeats 0 and 2 have both tasks, repeat 1 the first alone.
    assert score.noise.sr.repeats == (0, 1, 0.5)
    assert score.noise.sr.sd == pytest.approx((1 / 3) ** 0.5 / 2)


def test_the_gold_agent_has_nothing_to_lose(tmp_path: Path) -> None:
    run = [
        made.model_copy(
            update={
                "steps": tuple(
                    Step(index=i, url="", title="", action=Click(target=Mark(mark=1)), guide=step[0])
                    for i, step in enumerate(made.references)
                ),
                "check": CheckResult(passed=True),
            }
        )
        for made in made_episodes(3, tasks=20, templates=8, infrastructure=0, without_gold=0)
    ]
    score = score_run(write_run(tmp_path / "run", run))
    for rate in (score.sr, score.ofcr, score.g, score.ggs, score.g_aligned):
        assert rate.value == 1
        assert rate.high == 1
        assert rate.method == "clopper-pearson"
        assert rate.low == pytest.approx(0.025 ** (1 / score.clusters))
    assert score.guide_tax.value == 0
    assert score.ceiling.value is not None
    assert score.floor.value is not None
    assert score.floor.value < score.ceiling.value < 1


CASES: dict[str, dict[str, Any]] = {
    "one attempt": {"tasks": 24, "templates": 8},
    "three attempts": {"tasks": 15, "samples": 3, "templates": 6, "infrastructure": 0.2},
    "many templates": {"tasks": 60, "templates": 300, "samples": 2, "success": 0.1},
    "all solved": {"tasks": 10, "success": 1.0},
    "none solved": {"tasks": 10, "success": 0.0, "samples": 2},
    "no gold": {"tasks": 8, "without_gold": 1.0},
    "chinese": {"tasks": 12, "chinese": 1.0},
    "one template": {"tasks": 6, "templates": 1},
    "one task": {"tasks": 1},
    "nothing but errors": {"tasks": 4, "infrastructure": 1.0},
    "pixels": {"tasks": 10, "grounding": "coord"},
}


@pytest.mark.parametrize("case", CASES)
def test_a_second_computation_agrees_on_every_number(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, case: str
) -> None:
    monkeypatch.setattr(independent_scores, "RESAMPLES", 1000)
    folder = write_run(tmp_path / "run", made_episodes(8, **CASES[case]))
    printed = json.loads(score_run(folder, resampling=Resampling(resamples=1000)).model_dump_json())
    assert unlike(printed, recompute(folder)) == []


def test_the_second_computation_agrees_on_the_defaults_and_would_notice(tmp_path: Path) -> None:
    folder = write_run(tmp_path / "run", made_episodes(2, tasks=12))
    printed = json.loads(score_run(folder).model_dump_json())
    found = recompute(folder)
    assert unlike(printed, found) == []
    printed["sr"]["value"] += 0.001
    printed["ggs"]["low"] -= 0.001
    printed["by_site"][0]["g"]["value"] = None
    printed["faults"]["not_json"] += 1
    del printed["outcomes"]
    wrong = [line.split(":")[0] for line in unlike(printed, found)]
    assert wrong == ["by_site[0].g.value", "faults.not_json", "ggs.low", "outcomes", "sr.value"]


def test_bytes_are_the_same_in_any_process_and_order(tmp_path: Path) -> None:
    episodes = made_episodes(4, tasks=14, samples=2, templates=6)
    folder = write_run(tmp_path / "run", episodes)
    code = "import sys; from pathlib import Path; from guideact.harness.score import score_run\n"
    code += "sys.stdout.write(score_run(Path(sys.argv[1])).model_dump_json())"
    seen = set()
    for hash_seed in ("0", "1", "random"):
        random.Random(hash_seed).shuffle(episodes)
        write_run(folder, episodes, tasks=sorted({e.task_id for e in episodes}))
        command = [sys.executable, "-c", code, str(folder)]
        environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
        seen.add(subprocess.run(command, env=environment, capture_output=True, check=True).stdout)
    assert len(seen) == 1
    assert json.loads(seen.pop())["n"] == 14


def test_importing_the_scores_loads_no_heavy_package() -> None:
    code = "import sys, guideact.harness.score, guideact.harness.compare\n"
    code += "print(sorted({'numpy', 'scipy', 'sacrebleu', 'matplotlib', 'playwright'} & set(sys.modules)))"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    assert found.stdout.strip() == "[]"


def test_what_is_asked_for_is_what_is_signed(tmp_path: Path) -> None:
    folder = write_run(tmp_path / "run", made_episodes(5, tasks=10))
    plain = score_run(folder)
    other = score_run(
        folder,
        gamma=0.5,
        scoring=GuideScoring(smoothing="exp"),
        resampling=Resampling(resamples=500, seed=3, level=0.9),
    )
    assert (other.signature.gamma, other.signature.smoothing, other.signature.seed) == (0.5, "exp", 3)
    assert (other.signature.resamples, other.signature.level) == (500, 0.9)
    assert other.sr.value == plain.sr.value
    assert other.ggs.value is not None
    assert plain.ggs.value is not None
    assert other.ggs.value > plain.ggs.value
    assert plain.signature.gamma == 0.4
    assert ggs(True, 0.0) == 0.4


def test_groups_hold_every_task_once(tmp_path: Path) -> None:
    score = score_run(write_run(tmp_path / "run", made_episodes(6, tasks=30, templates=9)))
    for groups in (score.by_site, score.by_template, score.by_length):
        assert sum(group.tasks for group in groups) == score.n
        assert all(group.sr.value is not None for group in groups)
    assert score.by_length[0].name == "1-3"


def test_the_object_holds_what_scripts_rely_on(tmp_path: Path) -> None:
    printed = json.loads(score_run(write_run(tmp_path / "run", made_episodes(7, tasks=8))).model_dump_json())
    for name in ("sr", "g", "ggs", "ofcr", "guide_tax"):
        assert {"value", "low", "high", "n", "clusters", "method"} == printed[name].keys()
    assert isinstance(printed["n"], int)
    assert isinstance(printed["infrastructure_errors"], int)
