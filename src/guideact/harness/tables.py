"""Scores as tables for the terminal: at most 100 columns wide, readable on dark and on light, and without colour."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from rich import box
from rich.console import Group as Renderables
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from guideact.harness.scores import Comparison, Group, Score
from guideact.stats import Estimate, HeadRoom, NoiseFloor

WIDTH = 100
NAMES = {
    "sr": "SR",
    "g": "G",
    "ggs": "GGS, no reference = 0",
    "ggs_referenced": "GGS, with reference only",
    "guide_tax": "Guide Tax",
    "g_aligned": "G, step-aligned",
    "ofcr": "OFCR",
}


def score_table(score: Score) -> RenderableType:
    """The scores of a run: what `guideact run` ends with."""
    table = _table(f"{score.model}: {score.run}")
    for name, justify in (("score", "left"), ("value", "right"), (_interval_name(score), "left"), ("over", "left")):
        table.add_column(name, justify=justify)  # type: ignore[arg-type]
    gamma = f"{score.signature.gamma:g}"
    rows: Sequence[tuple[str, Estimate, str]] = (
        ("SR  tasks solved", score.sr, "tasks"),
        ("G  guide against references", score.g, "tasks with reference"),
        (f"GGS  gamma {gamma}, no reference = 0", score.ggs, "tasks"),
        (f"GGS  gamma {gamma}, with reference only", score.ggs_referenced, "tasks with reference"),
        ("Guide Tax  SR - GGS, no reference = 0", score.guide_tax, "tasks"),
        (f"OFCR  well-formed, {decoding(score)}", score.ofcr, "steps"),
    )
    for name, estimate, unit in rows:
        table.add_row(name, *_cells(estimate), _count(estimate.n, unit), style="bold" if name.startswith("SR") else "")
    table.add_section()
    for name, estimate, unit in (
        ("G, step-aligned", score.g_aligned, "tasks with reference"),
        ("G of solved attempts", score.g_solved, "tasks solved"),
        ("G of failed attempts", score.g_failed, "tasks failed"),
        ("G of one reference against the others", score.ceiling, "tasks with 2 references"),
        ("G floor: a constant guide", score.floor, "tasks with reference"),
    ):
        table.add_row(name, *_cells(estimate), _count(estimate.n, unit))
    table.add_section()
    for name, estimate, digits in (
        ("steps", score.steps, 1),
        ("seconds", score.seconds, 2),
        ("input tokens", score.input_tokens, 0),
        ("output tokens", score.output_tokens, 0),
    ):
        table.add_row(f"{name} of an attempt", *_cells(estimate, digits), _count(estimate.n, "tasks"))
    if score.cost.value is not None:
        table.add_row("US$ of an attempt", *_cells(score.cost, 4), _count(score.cost.n, "tasks"))
    lost = _count(len(score.tasks_lost), "tasks lost by them") if score.tasks_lost else "in no rate"
    table.add_row(
        "infrastructure errors",
        str(score.infrastructure_errors),
        lost,
        _count(score.attempts + score.infrastructure_errors, "episodes"),
        style="bold red" if score.infrastructure_errors else "",
    )
    return Renderables(
        table,
        *_lines(
            [
                _method(score.sr, score),
                cost_line(score),
                *score.notes,
                f"Signature  {score.signature}".replace("|", " "),
            ]
        ),
    )


def decoding(score: Score) -> str:
    """How the model was left to write its answers: OFCR means little where their form was forced."""
    return "constrained" if score.structured_output else "unconstrained"


def cost_line(score: Score) -> str:
    """What the run cost, in a sentence; empty where no call was counted."""
    if not score.calls:
        return ""
    if score.cost_total is None:
        return f"Cost: not known, since not every call to {score.model} has a price; --prices FILE gives it one."
    solved = "nothing was solved"
    if score.cost_per_solved is not None:
        solved = f"US$ {score.cost_per_solved:.4f} per solved attempt"
    prices = f", at prices of {score.prices}" if score.prices else ""
    kept = f" {score.answers_from_cache} of {_count(score.calls, 'answers')} came from the response cache, at no cost."
    return f"Cost: US$ {score.cost_total:.4f}, {solved}{prices}.{kept if score.answers_from_cache else ''}"


def detail_table(score: Score) -> RenderableType:
    """What stands behind the scores: groups, repeats, the sweep over gamma, and what happened at the steps."""
    parts: list[RenderableType] = [
        _groups("by site", score.by_site, score),
        _groups("by gold length, in steps", score.by_length, score),
        _groups("by template", score.by_template, score),
        _sweep(score),
    ]
    if score.samples > 1:
        parts.append(_repeats(score))
    steps = sum(score.actions.values())
    for title, counts, total in (
        ("how episodes ended", score.ends, sum(score.ends.values())),
        ("actions", score.actions, steps),
        ("format faults", score.faults, steps),
        ("outcomes that stood in the way", score.outcomes, steps),
    ):
        if counts:
            parts.append(_counts(title, counts, total))
    return Renderables(*parts)


def comparison_table(comparison: Comparison) -> RenderableType:
    """Two runs side by side, with the tests of their difference."""
    level = f"{100 * comparison.signature.level:g} % interval"
    table = _table("A against B, over the tasks that both have")
    for name in ("", "A", "B", "A - B"):
        table.add_column(name, justify="right" if name else "left")
    table.add_column(level)
    table.add_column("sign-flip p", justify="right")
    table.add_column("over", justify="left")
    for row in comparison.differences:
        table.add_row(
            NAMES[row.name],
            _number(row.a),
            _number(row.b),
            _number(row.difference.value, signed=True),
            _interval(row.difference, signed=True),
            "" if row.sign_flip is None else _p(row.sign_flip.p),
            _count(row.difference.n, "steps" if row.name == "ofcr" else "tasks"),
        )
    room = _table("head-room: |A or B| - max(|A|, |B|)")
    for name in ("", "either", "better one", "head-room"):
        room.add_column(name, justify="right" if name else "left")
    room.add_column("over")
    for name, value in (
        ("A and B", comparison.head_room),
        ("two repeats of A", comparison.head_room_repeats_a),
        ("two repeats of B", comparison.head_room_repeats_b),
    ):
        room.add_row(name, *_room(value))
    both, neither = comparison.both, comparison.neither
    won, only_a = _count(len(comparison.won), "tasks"), _count(len(comparison.only_a), "tasks")
    lines = [
        f"A won {won} and lost {len(comparison.lost)}; both solved {both}, neither {neither}. "
        f"McNemar's exact p = {_p(comparison.mcnemar_ignoring_clusters)}, which ignores clusters.",
        f"Left out: {only_a} that only A has, {len(comparison.only_b)} that only B has. "
        f"Infrastructure errors: {comparison.infrastructure_errors_a} in A, {comparison.infrastructure_errors_b} in B.",
        _method(comparison.differences[0].difference, comparison),
        *comparison.notes,
        f"Signature  {comparison.signature}".replace("|", " "),
    ]
    heads = [f"A  {comparison.model_a}: {comparison.a}", f"B  {comparison.model_b}: {comparison.b}"]
    return Renderables(*_lines(heads), table, room, *_lines(lines))


def _groups(title: str, groups: Iterable[Group], score: Score) -> Table:
    table = _table(title)
    table.add_column("", overflow="fold", max_width=36)
    table.add_column("tasks", justify="right")
    table.add_column("SR", justify="right")
    table.add_column(_interval_name(score))
    for name in ("G", "GGS", "OFCR"):
        table.add_column(name, justify="right")
    for group in groups:
        rates = (_number(rate.value) for rate in (group.g, group.ggs, group.ofcr))
        table.add_row(Text(group.name), str(group.tasks), *_cells(group.sr), *rates)
    return table


def _sweep(score: Score) -> Table:
    table = _table("GGS by gamma, no reference = 0")
    for point in score.gamma_sweep:
        table.add_column(f"{point.gamma:g}", justify="right")
    table.add_row(*(_number(point.ggs.value) for point in score.gamma_sweep))
    return table


def _repeats(score: Score) -> RenderableType:
    passes = _table("pass@k")
    passes.add_column("k", justify="right")
    passes.add_column("rate", justify="right")
    passes.add_column(_interval_name(score))
    passes.add_column("over")
    for entry in score.pass_at_k:
        left_out = f", {entry.left_out} with fewer attempts" if entry.left_out else ""
        passes.add_row(str(entry.k), *_cells(entry.rate), _count(entry.rate.n, "tasks") + left_out)
    noise = _table("noise floor: from one repeat to the next, same tasks")
    for name in ("", "standard deviation", "lowest repeat", "highest repeat"):
        noise.add_column(name, justify="right" if name else "left")
    noise.add_column("over")
    for name, floor in (("SR", score.noise.sr), ("G", score.noise.g), ("GGS", score.noise.ggs)):
        noise.add_row(name, *_noise(floor))
    room = score.noise.head_room
    lines = [] if room is None else [f"Head-room of two repeats: {_number(room.room)} of {_count(room.n, 'tasks')}."]
    return Renderables(passes, noise, *_lines(lines))


def _counts(title: str, counts: Mapping[str, int], total: int) -> Table:
    table = _table(title)
    table.add_column("", overflow="fold", max_width=36)
    table.add_column("count", justify="right")
    table.add_column("share", justify="right")
    for name, count in counts.items():
        table.add_row(Text(name), str(count), f"{100 * count / total:.1f} %")
    return table


def _table(title: str) -> Table:
    return Table(
        title=Text(title, style="bold"), title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False, header_style=""
    )


def _lines(lines: Iterable[str]) -> list[Text]:
    return [Text(line, overflow="fold") for line in lines if line]


def _cells(estimate: Estimate, digits: int = 3) -> tuple[str, str]:
    return _number(estimate.value, digits), _interval(estimate, digits)


def _number(value: float | None, digits: int = 3, *, signed: bool = False) -> str:
    if value is None:
        return "none"
    # Adding zero turns a negative zero, which would print as -0.000, into zero.
    return f"{round(value, digits) + 0.0:{'+' if signed else ''}.{digits}f}"


def _interval(estimate: Estimate, digits: int = 3, *, signed: bool = False) -> str:
    if estimate.low is None or estimate.high is None:
        return ""
    ends = (_number(end, digits, signed=signed) for end in (estimate.low, estimate.high))
    return " to ".join(ends) + (" exact" if estimate.method == "clopper-pearson" else "")


def _interval_name(score: Score) -> str:
    return f"{100 * score.signature.level:g} % interval"


def _method(estimate: Estimate, source: Score | Comparison) -> str:
    """How the first interval was made, in a sentence."""
    signature = source.signature
    templates = _count(source.clusters, "templates")
    alike = "with one template" if source.clusters == 1 else f"where all {templates} are alike"
    how = {
        "percentile": f"bootstrap over {templates}",
        "bootstrap-t": f"studentised bootstrap over {templates}",
        "clopper-pearson": f"{alike} the exact bound, else bootstrap over them",
        "none": "none, as nothing was scored",
    }[estimate.method]
    return f"Intervals: {how} ({signature.resamples} resamples, seed {signature.seed})."


def _count(count: int, units: str) -> str:
    """`3 tasks solved`, `1 task solved`: the first word is the plural."""
    noun, _, rest = units.partition(" ")
    return " ".join(filter(None, (str(count), noun.removesuffix("s") if count == 1 else noun, rest)))


def _noise(floor: NoiseFloor | None) -> tuple[str, ...]:
    if floor is None:
        return ("none", "", "", "no repeats")
    return (_number(floor.sd), _number(min(floor.repeats)), _number(max(floor.repeats)), _count(floor.n, "tasks"))


def _room(room: HeadRoom | None) -> tuple[str, ...]:
    if room is None:
        return ("", "", "none", "no repeats: run with --epochs 2")
    return (_number(room.either), _number(room.best), _number(room.room), _count(room.n, "tasks"))


def _p(p: float) -> str:
    return f"{p:.3f}" if p >= 0.001 else f"{p:.1e}"
