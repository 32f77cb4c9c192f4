"""docs/metrics.md says what is so."""

import doctest
from pathlib import Path

from guideact.stats.bootstrap import FEW_CLUSTERS
from guideact.stats.paired import ENUMERATED
from tests.stats.test_bootstrap import COVERAGE

PAGE = Path(__file__).parents[2] / "docs" / "metrics.md"


def test_its_examples_run() -> None:
    found = doctest.testfile(str(PAGE), module_relative=False, encoding="utf-8")
    assert found.attempted >= 11
    assert found.failed == 0


def test_its_table_of_coverage_is_the_tested_one() -> None:
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    start = lines.index("| templates | true rate | alike | coverage at least |") + 2
    stated = lines[start : start + len(COVERAGE)]
    assert stated == ["| {} | {} | {} | {} |".format(*row) for row in COVERAGE]
    assert lines[start + len(COVERAGE)] == ""


def test_its_limits_are_the_codes() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert f"under {FEW_CLUSTERS} templates" in text
    assert f"up to {ENUMERATED} templates" in text
