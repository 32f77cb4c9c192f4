"""The scripts of the WebMRE studies, on a dataset small enough to train on in a second."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from guideact.errors import InputError
from guideact.offline.study import SMALLEST, arms_report, mediation_report, mediations
from guideact.tasks.catalogue import find
from tests.cli.calling import call, one_line
from tests.train.trained import shop

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("study")
    caller = out / "guideact"
    caller.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m guideact "$@"\n')
    caller.chmod(0o755)
    for script in ("webmre_arms.sh", "webmre_mediation.sh"):
        run(out, caller, script)
    return out


def run(out: Path, caller: Path, script: str) -> str:
    words = f"--demos {shop().folder} --out {out} --seeds 0 --epochs 1 --test-limit 2 --model builtin/small".split()
    found = subprocess.run(
        [str(ROOT / "runs" / script), *words],
        env={**os.environ, "GUIDEACT": str(caller)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert found.returncode == 0, found.stderr
    return found.stdout


def test_the_quick_studies_have_tasks_of_several_templates_in_both_splits() -> None:
    """A guide of another template can be forced only where there is one."""
    said = re.search(r"patterns=\((\S.*)\)", (ROOT / "runs" / "webmre.lib.sh").read_text(encoding="utf-8"))
    assert said is not None
    tasks = find(said[1].split())
    for split in ("train", "test"):
        assert len({task.template_id for task in tasks if task.split == split}) > 1


def test_the_arms_are_trained_asked_and_tabled(folder: Path) -> None:
    text = (folder / "webmre_arms.md").read_text(encoding="utf-8")
    for arm in ("action", "guide", "guide-action", "action-guide", "guide-action.shuffled", "guide-action.neutral"):
        assert f"\n| {arm} | " in text
        assert (folder / "arms" / "small" / arm / "0.jsonl").is_file()
    for row in ("history own", "history none", "history actions", "untrained", "overlap"):
        assert f"\n| {row} | " in text
    assert "MRE of guide-action: **" in text
    assert "no number of it says anything about WebArena" in text
    assert text == arms_report(shop(), folder)


def test_the_mediation_is_tabled_and_drawn(folder: Path) -> None:
    text = (folder / "webmre_mediation.md").read_text(encoding="utf-8")
    for kind in ("own", "gold", "paraphrase", "rename", "target", "verb", "shuffled", "other-step", "none"):
        assert f"\n| {kind} | " in text
    assert "(mediated)" in text
    assert (folder / "webmre_mediation_small.svg").read_text(encoding="utf-8").startswith("<svg")
    assert text == mediation_report(shop(), mediations(shop(), folder))


def test_a_script_that_is_called_again_trains_nothing_anew(folder: Path) -> None:
    weights = {path: path.stat().st_mtime_ns for path in (folder / "weights").rglob("*.npz")}
    predictions = {path: path.read_bytes() for path in folder.rglob("*.jsonl")}
    missing = folder / "mediation" / "small" / "0" / "rename.jsonl"
    missing.unlink()
    run(folder, folder / "guideact", "webmre_mediation.sh")
    assert {path: path.stat().st_mtime_ns for path in (folder / "weights").rglob("*.npz")} == weights
    assert {path: path.read_bytes() for path in folder.rglob("*.jsonl")} == predictions


def test_a_run_of_other_settings_does_not_touch_the_documentation(folder: Path) -> None:
    assert "small shop" not in "".join(
        path.read_text(encoding="utf-8") for path in (ROOT / "docs" / "studies").glob("*.md")
    )


def test_the_plan_says_what_the_tables_hold_results_against() -> None:
    plan = (ROOT / "docs" / "studies" / "plan.md").read_text(encoding="utf-8")
    for name, smallest in SMALLEST.items():
        assert f"{name}: {smallest}" in plan


def test_a_folder_of_something_else_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(InputError, match="holds no arms/"):
        arms_report(shop(), tmp_path)
    said = call(capsys, "offline", "study", str(shop().folder), str(tmp_path), "--of", "mediation")
    assert said.status == 2
    assert "holds no mediation/" in said.err
    for study, what in (("arms", "holds no arm."), ("mediation", "holds no predictions.")):
        (tmp_path / study / "small").mkdir(parents=True)
        said = call(capsys, "offline", "study", str(shop().folder), str(tmp_path), "--of", study)
        assert said.status == 2
        assert f"{tmp_path / study / 'small'} {what}" in one_line(said)
