"""The score table and the plots of a report, from a run's `Score`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from guideact.harness.scores import Group, PassAtK, Score
from guideact.harness.tables import cost_line, decoding
from guideact.metrics import GAMMA
from guideact.report.charts import Chart, bars, interval_picture, rates, sweep
from guideact.report.measures import MAIN, MORE, Measure, Unit
from guideact.report.words import count, listed
from guideact.stats import Estimate

METHODS = {
    "percentile": "percentiles of the results when whole templates are drawn again, with replacement (bootstrap)",
    "bootstrap-t": "studentised bootstrap over templates, since there are fewer than 30 of them",
    "clopper-pearson": "exact bound, since no template departs from the whole",
    "none": "none, since there are too few templates to tell",
}


@dataclass(frozen=True)
class ScoreRow:
    """One line of the score table; `value` and `interval` are what is printed."""

    key: str
    name: str
    short: str
    meaning: str
    value: str
    interval: str
    basis: str
    picture: Markup


def score_rows(score: Score) -> tuple[ScoreRow, ...]:
    """The main table: each measure of `Score` with its interval and what stands behind it, then the errors."""
    return (*(_row(each, getattr(score, each.key), score) for each in MAIN if _tells(each, score)), _errors(score))


def more_rows(score: Score) -> tuple[ScoreRow, ...]:
    """The measures behind the main ones, as far as the run has them."""
    pairs = [(measure, getattr(score, measure.key)) for measure in MORE if _tells(measure, score)]
    pairs += [(_pass_at(item), item.rate) for item in score.pass_at_k]
    return tuple(_row(measure, estimate, score) for measure, estimate in pairs if estimate.value is not None)


def _tells(measure: Measure, score: Score) -> bool:
    """Whether a measure is of its own: where no task lacks a reference, the `_referenced` ones repeat the others."""
    return score.tasks_without_reference > 0 or not measure.key.endswith("_referenced")


def _pass_at(item: PassAtK) -> Measure:
    left_out = f" {count(item.left_out, 'task')} with fewer attempts left out." if item.left_out else ""
    return Measure(
        f"pass_at_{item.k}",
        f"pass@{item.k}",
        f"solved at least once in {count(item.k, 'attempt')}",
        "The chance that at least one of that many attempts at a task succeeds." + left_out,
    )


def _row(measure: Measure, estimate: Estimate, score: Score) -> ScoreRow:
    show = _show(measure.unit)
    gamma = score.signature.gamma
    meaning = measure.meaning.format(gamma=gamma, rest=1 - gamma)
    known = estimate.low is not None and estimate.high is not None
    return ScoreRow(
        key=measure.key,
        name=measure.name,
        short=measure.short.format(decoding=decoding(score)),
        meaning=f"{meaning} Interval: {METHODS[estimate.method]}." if estimate.clusters else meaning,
        value=show(estimate.value),
        interval=f"{show(estimate.low)} to {show(estimate.high)}" if known else "no interval",
        basis=f"{count(estimate.n, measure.of)} of {count(estimate.clusters, 'template')}" if estimate.clusters else "",
        picture=interval_picture(estimate) if measure.unit == "share" else Markup(""),
    )


def _show(unit: Unit) -> Callable[[float | None], str]:
    digits = {"share": 3, "number": 2, "money": 4}[unit]
    return lambda value: "–" if value is None else f"{value:,.{digits}f}"


def _errors(score: Score) -> ScoreRow:
    lost = len(score.tasks_lost)
    return ScoreRow(
        key="infrastructure_errors",
        name="Errors",
        short="episodes lost to the infrastructure",
        meaning="The browser, a site or the model's endpoint failed, again after every retry. Nobody's fault in the "
        "episode, so these are in no other number of this table.",
        value=f"{score.infrastructure_errors:,}",
        interval="not an average",
        basis=f"{count(lost, 'task')} with no episode left" if lost else "every task has an episode that counts",
        picture=Markup(""),
    )


def charts_of(score: Score) -> tuple[Chart, ...]:
    """The plots, only those that have something to show."""
    charts = [
        rates("By site", "Site", _groups(score.by_site)),
        rates("By steps of the gold path", "Gold steps", _groups(score.by_length)),
        bars("What the agent did", "Action", _shares(score.actions)),
        sweep("GGS over gamma", [(point.gamma, point.ggs) for point in score.gamma_sweep], score.signature.gamma),
    ]
    if score.faults:
        charts.append(bars("What was wrong with answers", "Fault", _shares(score.faults, sum(score.actions.values()))))
    if score.outcomes:
        charts.append(
            bars("What stood in an action's way", "Outcome", _shares(score.outcomes, sum(score.actions.values())))
        )
    return tuple(charts)


def side_by_side(charts: Sequence[Chart]) -> tuple[tuple[Chart, ...], ...]:
    """The plots in three columns of much the same height, each in the column that ends first."""
    columns: list[list[Chart]] = [[], [], []]
    ends = [0.0] * len(columns)
    for chart in charts:
        place = ends.index(min(ends))
        columns[place].append(chart)
        ends[place] += chart.height + _AROUND
    return tuple(tuple(column) for column in columns if column)


_AROUND = 110
"""What a plot's card adds to its height: heading, numbers and gap."""


def _groups(groups: Sequence[Group]) -> list[tuple[str, int, Estimate, Estimate]]:
    return [(group.name, group.tasks, group.sr, group.ggs) for group in groups]


def _shares(counts: Mapping[str, int], whole: int | None = None) -> list[tuple[str, int, float]]:
    total = sum(counts.values()) if whole is None else whole
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return [(name, number, number / total if total else 0.0) for name, number in ordered]


def template_line(group: Group) -> tuple[str, ...]:
    """Name, tasks, SR, G, GGS, OFCR of one template."""
    show = _show("share")
    estimates = (group.sr, group.g, group.ggs, group.ofcr)
    return (group.name, f"{group.tasks:,}", *(show(estimate.value) for estimate in estimates))


def headline(score: Score) -> str:
    """The run in one or two sentences."""
    if score.sr.value is not None and score.samples == 1:
        share = f"{round(score.sr.value * score.n):,}"
    else:
        share = _percent(score.sr.value)
    solved = f"{share} of {count(score.n, 'task')} solved"
    guided = "" if score.g.value is None else f", with a guide score of {score.g.value:.3f}"
    lost = (
        f" {count(score.infrastructure_errors, 'episode')} lost to the infrastructure and left out."
        if score.infrastructure_errors
        else ""
    )
    return f"{solved}{guided}.{lost}"


def _percent(value: float | None) -> str:
    """`50 %`, `98.4 %`; never `100 %` or `0 %` unless it is exactly so."""
    if value is None:
        return "None"
    shown = f"{value:.1%}".replace(".0%", "%").replace("%", " %")
    if value not in (0, 1) and shown in ("0 %", "100 %"):
        return "almost all" if value > 0.5 else "almost none"
    return shown


def notes_of(score: Score) -> tuple[str, ...]:
    """What a reader must know to read the numbers rightly."""
    notes = [
        f"{count(score.n, 'task')}, {count(score.attempts, 'episode')} that count, "
        f"{count(score.clusters, 'template')}: tasks made from one template are alike, so templates and not tasks are "
        "drawn again for the intervals.",
    ]
    if score.tasks_without_reference:
        notes.append(
            f"{count(score.tasks_without_reference, 'task has', 'tasks have')} no reference guide, hence no G: GGS is "
            "given with it counted as 0 and with such tasks left out."
        )
    if score.tasks_lost:
        notes.append(f"No episode that counts: {listed(score.tasks_lost)}.")
    if score.signature.gamma != GAMMA:
        notes.append(f"gamma is {score.signature.gamma:g} here; MAG's tables use {GAMMA:g}.")
    if cost := cost_line(score):
        notes.append(cost)
    return (*notes, *score.notes)
