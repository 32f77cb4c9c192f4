"""What a report says, and that it stands alone: numbers, policy, pictures, an empty run."""

from __future__ import annotations

import base64
import hashlib
import re
from pathlib import Path

import pytest
from markupsafe import Markup

from guideact.errors import InputError
from guideact.harness.score import score_run
from guideact.harness.scores import Score
from guideact.report import build
from guideact.report.charts import Chart
from guideact.report.page import breakable
from guideact.report.scores import side_by_side
from guideact.stats import Estimate
from guideact.types import Episode
from tests.harness.made_runs import made_episodes, write_run
from tests.report.reading import lines_of, policy_of, table_of, tags_of

RATES = ("sr", "g", "ggs", "ggs_referenced", "ofcr", "guide_tax")
NUMBERS = ("steps", "seconds")
MORE = (
    *("bleu1", "bleu2", "rouge1", "rouge_l", "g_solved", "g_failed", "g_aligned", "ceiling", "floor"),
    "guide_tax_referenced",
)
TOKENS = ("input_tokens", "output_tokens")


def made_run(folder: Path, samples: int = 1) -> Path:
    return write_run(
        folder / "run", made_episodes(3, tasks=14, samples=samples, infrastructure=0.2, without_gold=0.4), files=True
    )


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run with its report, which no test changes."""
    folder = made_run(tmp_path_factory.mktemp("report"))
    build(folder)
    return folder


@pytest.fixture
def page(run: Path) -> str:
    return (run / "report.html").read_text(encoding="utf-8")


def printed(estimate: Estimate, digits: int) -> tuple[str, str]:
    def show(value: float | None) -> str:
        return "–" if value is None else f"{value:,.{digits}f}"

    return show(estimate.value), f"{show(estimate.low)} to {show(estimate.high)}"


def test_every_number_of_the_table_is_the_scores(run: Path, page: str) -> None:
    expect_the_scores(page, score_run(run))


def test_so_it_is_with_several_attempts_at_a_task(tmp_path: Path) -> None:
    run = made_run(tmp_path, samples=2)
    score = score_run(run)
    assert [item.k for item in score.pass_at_k] == [1, 2]
    expect_the_scores(build(run).read_text(encoding="utf-8"), score)


def expect_the_scores(page: str, score: Score) -> None:
    table = table_of(page)
    assert score.infrastructure_errors > 0
    expected = {
        **{key: getattr(score, key) for key in (*RATES, *NUMBERS, *MORE, *TOKENS, "cost")},
        **{f"pass_at_{item.k}": item.rate for item in score.pass_at_k},
    }
    for key, estimate in expected.items():
        value, interval, basis = table[key]
        digits = 4 if key == "cost" else 2 if key in (*NUMBERS, *TOKENS) else 3
        assert (value, interval) == printed(estimate, digits), key
        found = [int(number.replace(",", "")) for number in re.findall(r"[\d,]+", basis)]
        assert found == [estimate.n, estimate.clusters], key
    assert table["infrastructure_errors"][0] == str(score.infrastructure_errors)
    assert set(table) == {*expected, "infrastructure_errors"}


def test_groups_and_counts_are_the_scores(run: Path, page: str) -> None:
    score = score_run(run)
    tables = {
        re.search(r"<th [^>]*>(.*?)</th>", chunk)[1]: lines_of(chunk)  # type: ignore[index]
        for chunk in re.findall(r'<table class="plain">.*?</table>', page, flags=re.DOTALL)
    }

    def show(estimate: Estimate) -> str:
        return "–" if estimate.value is None else f"{estimate.value:.3f}"

    for head, groups in (("Site", score.by_site), ("Gold steps", score.by_length)):
        assert [(line[0], line[1], line[2], line[4]) for line in tables[head]] == [
            (group.name, str(group.tasks), show(group.sr), show(group.ggs)) for group in groups
        ]
    assert [line[:2] for line in tables["gamma"]] == [
        [f"{point.gamma:g}", show(point.ggs)] for point in score.gamma_sweep
    ]
    for head, counts in (("Action", score.actions), ("Fault", score.faults), ("Outcome", score.outcomes)):
        assert {name: int(number) for name, number, _ in tables.get(head, [])} == counts
    assert tables["Template"] == [
        [group.name, str(group.tasks), *map(show, (group.sr, group.g, group.ggs, group.ofcr))]
        for group in score.by_template
    ]
    assert str(score.signature) in page.replace("&#39;", "'")


def test_where_no_task_lacks_a_reference_ggs_and_the_guide_tax_are_one_line_each(tmp_path: Path) -> None:
    run = write_run(tmp_path / "run", made_episodes(3, tasks=6, without_gold=0))
    table = table_of(build(run).read_text(encoding="utf-8"))
    assert {"ggs", "guide_tax"} <= set(table)
    assert not {"ggs_referenced", "guide_tax_referenced"} & set(table)


def test_plots_fill_columns_of_much_the_same_height() -> None:
    charts = [Chart(str(height), Markup(), (), (), float(height)) for height in (700, 250, 200, 230, 80, 60)]
    columns = side_by_side(charts)
    assert [[chart.title for chart in column] for column in columns] == [["700"], ["250", "80", "60"], ["200", "230"]]
    assert side_by_side(charts[:2]) == ((charts[0],), (charts[1],))


def test_a_name_breaks_after_its_dots_and_underscores_and_is_escaped() -> None:
    assert breakable("gitlab.file_edit") == "gitlab.<wbr>file_<wbr>edit"
    assert breakable("a.<b>_") == "a.<wbr>&lt;b&gt;_"


def test_the_title_names_two_sites_and_counts_more(tmp_path: Path, page: str) -> None:
    assert "<h1>scripted/made on shopping and shopping_admin</h1>" in page
    assert "<dt>Sites</dt>" not in page
    episodes = [
        episode.model_copy(update={"sites": (site,)})
        for episode, site in zip(made_episodes(1, tasks=3), ("map", "reddit", "gitlab"), strict=True)
    ]
    more = build(write_run(tmp_path / "more", episodes)).read_text(encoding="utf-8")
    assert "<h1>scripted/made on 3 sites</h1>" in more
    assert "<dt>Sites</dt><dd>gitlab, map and reddit</dd>" in more


def test_the_policy_allows_this_style_and_this_script_and_nothing_else(page: str) -> None:
    scripts = re.findall(r"<script>(.*?)</script>", page, flags=re.DOTALL)
    styles = re.findall(r"<style>(.*?)</style>", page, flags=re.DOTALL)
    assert len(scripts) == len(styles) == 1

    def digest(text: str) -> str:
        return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"

    assert policy_of(page) == {
        "default-src": ["'none'"],
        "img-src": ["data:"],
        "style-src": [digest(styles[0])],
        "script-src": [digest(scripts[0])],
        "base-uri": ["'none'"],
        "form-action": ["'none'"],
    }


def test_nothing_outside_the_file_is_named(page: str) -> None:
    for tag in tags_of(page):
        for name, value in tag.attributes.items():
            assert not name.startswith("on"), tag
            assert name != "style", tag
            if name in ("src", "href", "action", "data", "poster", "srcset", "xlink:href"):
                assert value.startswith(("#", "data:,")), tag
    (style,) = (tag.text for tag in tags_of(page) if tag.name == "style")
    assert "url(" not in style
    assert "@import" not in style


def test_a_picture_is_in_the_file_once_however_often_it_is_shown(tmp_path: Path) -> None:
    run = write_run(tmp_path / "run", made_episodes(1, tasks=3), files=True)
    lines = [Episode.model_validate_json(line) for line in (run / "episodes.jsonl").read_text().splitlines()]
    same = lines[0].steps[0].screenshot
    changed = [
        episode.model_copy(
            update={"steps": tuple(step.model_copy(update={"screenshot": same}) for step in episode.steps)}
        )
        for episode in lines
    ]
    (run / "episodes.jsonl").write_text("".join(f"{episode.model_dump_json()}\n" for episode in changed))
    pictures = [tag for tag in tags_of(build(run).read_text()) if tag.attributes.get("id", "").startswith("image-")]
    assert len(pictures) == 1
    assert base64.b64decode(pictures[0].text)[8:12] == b"WEBP"


def test_the_same_run_gives_the_same_bytes(tmp_path: Path) -> None:
    run = write_run(tmp_path / "run", made_episodes(2, tasks=4), files=True)
    first = build(run).read_bytes()
    assert build(run).read_bytes() == first


def test_charts_say_what_they_show(page: str) -> None:
    tags = tags_of(page)
    named = {tag.attributes["id"]: tag.text for tag in tags if tag.name in ("title", "desc") and "id" in tag.attributes}
    charts = [tag for tag in tags if tag.name == "svg" and tag.attributes.get("role") == "img"]
    assert len(charts) >= 4
    for chart in charts:
        title, description = chart.attributes["aria-labelledby"].split()
        assert named[title]
        assert re.search(r"\d", named[description])


def test_a_run_in_which_nothing_has_ended_has_a_report_that_says_so(tmp_path: Path) -> None:
    run = write_run(tmp_path / "run", [])
    page = build(run).read_text()
    assert "No episode has finished yet" in page
    assert table_of(page) == {}


def test_a_run_of_infrastructure_errors_alone_has_dashes_and_no_rates(tmp_path: Path) -> None:
    run = write_run(tmp_path / "run", made_episodes(3, tasks=4, infrastructure=1.0))
    table = table_of(build(run).read_text(encoding="utf-8"))
    assert table["infrastructure_errors"][0] == "4"
    assert all(table[key][0] == "–" for key in RATES if key != "ggs_referenced")


def test_a_folder_that_is_no_run_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is no run"):
        build(tmp_path)


def test_a_report_that_cannot_be_written_is_an_input_error(tmp_path: Path) -> None:
    run = write_run(tmp_path / "run", made_episodes(1, tasks=1))
    (run / "report.html").mkdir()
    with pytest.raises(InputError, match=r"report\.html cannot be written"):
        build(run)
    assert not (run / "report.html.part").exists()
