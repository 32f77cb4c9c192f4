"""Scores in the terminal."""

import io
import json
import re
from pathlib import Path
from typing import Any

import pytest
from rich.cells import cell_len
from rich.console import Console, RenderableType

from guideact.cli import show as terminal
from guideact.harness.compare import compare_runs
from guideact.harness.score import score_run
from guideact.harness.tables import WIDTH, comparison_table, detail_table, score_table
from guideact.report import build
from tests.harness.made_runs import made_episodes, write_run


def printed(renderable: RenderableType) -> str:
    stream = io.StringIO()
    Console(file=stream, width=WIDTH, color_system=None).print(renderable)
    return stream.getvalue()


CASES: dict[str, dict[str, Any]] = {
    "usual": {"tasks": 20, "templates": 8},
    "repeats": {"tasks": 12, "samples": 3},
    "errors only": {"tasks": 3, "infrastructure": 1.0},
    "no gold": {"tasks": 5, "without_gold": 1.0},
    "all solved": {"tasks": 9, "success": 1.0},
}


@pytest.mark.parametrize("case", CASES)
def test_no_line_is_too_wide_and_nothing_is_cut(tmp_path: Path, case: str) -> None:
    episodes = [
        episode.model_copy(update={"template_id": f"{episode.template_id}[red]-a-rather-long-name-of-a-template"})
        for episode in made_episodes(1, **CASES[case])
    ]
    folder = write_run(tmp_path / "run", episodes)
    score = score_run(folder)
    text = printed(score_table(score)) + printed(detail_table(score))
    if score.n:
        text += printed(comparison_table(compare_runs(folder, folder)))
    assert max(cell_len(line) for line in text.splitlines()) <= WIDTH
    assert "…" not in text
    assert "-0.000" not in text
    if score.n:
        assert "[red]" in text  # names are no markup


def test_the_numbers_of_the_score_stand_there(tmp_path: Path) -> None:
    score = score_run(write_run(tmp_path / "run", made_episodes(2, tasks=20, templates=8, infrastructure=0.2)))
    text = printed(score_table(score))
    for rate in (score.sr, score.g, score.ggs, score.ggs_referenced, score.ofcr, score.guide_tax):
        assert rate.low is not None
        assert rate.high is not None
        assert f"{rate.value:.3f}   {rate.low:.3f} to {rate.high:.3f}" in text
    line = next(line for line in text.splitlines() if "infrastructure errors" in line)
    assert score.infrastructure_errors > 0
    assert line.split()[2] == str(score.infrastructure_errors)
    assert f"over {score.clusters} templates" in text
    assert f"{score.n} tasks from {score.clusters} templates, {score.n - score.tasks_without_reference} of them" in text
    assert "tokeniser:words" in printed(detail_table(score))
    assert "tokeniser:words" not in text


def test_both_ggs_are_named_where_a_task_has_no_reference_and_are_one_line_where_none_lacks_it(tmp_path: Path) -> None:
    some = write_run(tmp_path / "some", made_episodes(2, tasks=20, without_gold=0.4))
    none = write_run(tmp_path / "none", made_episodes(2, tasks=20, without_gold=0))
    both, one = printed(score_table(score_run(some))), printed(score_table(score_run(none)))
    assert re.search(r"^GGS +gamma 0.4, a missing G counts as 0 ", both, flags=re.MULTILINE)
    assert re.search(r"^GGS +gamma 0.4, a missing G left out ", both, flags=re.MULTILINE)
    assert len(re.findall(r"^GGS ", one, flags=re.MULTILINE)) == 1
    assert "missing" not in one
    assert ", all with reference guides\n" in one
    pairs = [printed(comparison_table(compare_runs(folder, folder))) for folder in (some, none)]
    assert [len(re.findall(r"^GGS", text, flags=re.MULTILINE)) for text in pairs] == [2, 1]


def test_intervals_stand_below_each_other_and_a_star_marks_the_exact_bound(tmp_path: Path) -> None:
    score = score_run(write_run(tmp_path / "run", made_episodes(1, tasks=9, success=1.0, samples=2)))
    lines = printed(score_table(score)).splitlines()
    places = {line.index(" to ") for line in lines if re.search(r"\d to \d", line)}
    assert len(places) == 1
    assert score.sr.method == "clopper-pearson"
    assert next(line for line in lines if " * " in line).startswith("SR ")
    assert any(line.endswith("* is the exact bound.") for line in lines)


def test_no_line_ends_in_blanks(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(terminal, "PIPED_WIDTH", WIDTH)
    folder = write_run(tmp_path / "run", made_episodes(1, tasks=12, samples=2))
    score = score_run(folder)
    for table in (score_table(score), detail_table(score), comparison_table(compare_runs(folder, folder))):
        terminal.show(table)
        shown = capsys.readouterr().out
        assert shown == re.sub(r" +$", "", shown, flags=re.MULTILINE)
        assert "SR" in shown
        assert shown.split() == printed(table).split()


def test_comparison_says_what_ignores_clusters_and_what_was_left_out(tmp_path: Path) -> None:
    a = write_run(tmp_path / "a", made_episodes(3, tasks=10, samples=2, infrastructure=0))
    b = write_run(tmp_path / "b", made_episodes(3, tasks=12, success=0.1, skill=4, infrastructure=0))
    text = " ".join(printed(comparison_table(compare_runs(a, b))).split())
    assert "which ignores templates" in text
    assert "Left out: 0 tasks that only A has, 2 that only B has" in text
    assert "two repeats of B none no repeats: run with --epochs 2" in text


def test_one_of_something_is_no_plural(tmp_path: Path) -> None:
    kinds = {"success": 1.0, "infrastructure": 0, "without_gold": 0}
    folder = write_run(tmp_path / "run", made_episodes(4, tasks=1, templates=1, **kinds))  # type: ignore[arg-type]
    text = " ".join(
        (printed(score_table(score_run(folder))) + printed(comparison_table(compare_runs(folder, folder)))).split()
    )
    assert "with one template the exact bound" in text
    assert "1 task from 1 template, with reference guides" in text
    assert "1 episode" in text
    assert not re.search(r"\b1 (tasks|episodes|templates|steps)\b", text)


def test_the_line_of_ofcr_says_whether_decoding_was_constrained(tmp_path: Path) -> None:
    free = write_run(tmp_path / "free", made_episodes(1, tasks=3))
    held = write_run(tmp_path / "held", made_episodes(1, tasks=3))
    manifest = json.loads((held / "run.json").read_text())
    manifest["config"]["structured_output"] = True
    (held / "run.json").write_text(json.dumps(manifest))
    for folder, said in ((free, "OFCR well-formed, unconstrained"), (held, "OFCR well-formed, constrained")):
        assert said in " ".join(printed(score_table(score_run(folder))).split())
        assert said.replace("OFCR well-formed,", "well-formed answers, decoding") in build(folder).read_text(
            encoding="utf-8"
        )
    together = " ".join(printed(comparison_table(compare_runs(free, held))).split())
    assert "Decoding was constrained in B alone: their OFCR cannot be compared." in together
    same = " ".join(printed(comparison_table(compare_runs(held, held))).split())
    assert "constrained in" not in same
