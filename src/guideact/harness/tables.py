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
from guideact.stats.bootstrap import FEW_CLUSTERS

WIDTH = 100
NAMES = {
    "sr": "SR",
    "g": "G",
    "ggs": "GGS, a missing G is 0",
    "ggs_referenced": "GGS, a missing G left out",
    "guide_tax": "Guide Tax",
    "g_aligned": "G, step-aligned",
    "ofcr": "OFCR",
}


def score_table(score: Score) -> RenderableType:
    """The scores of a run: what `guideact run` ends with."""
    gamma = f"gamma {score.signature.gamma:g}"
    missing = bool(score.tasks_without_reference)
    rates = [
        ("SR", "tasks solved", score.sr),
        ("G", "guide against references", score.g),
        ("GGS", f"{gamma}, a missing G counts as 0" if missing else gamma, score.ggs),
        # Where no G is missing, both are the same.
        *([("GGS", f"{gamma}, a missing G left out", score.ggs_referenced)] if missing else []),
        ("Guide Tax", "SR - GGS, a missing G counts as 0" if missing else "SR - GGS", score.guide_tax),
        ("OFCR", f"well-formed, {decoding(score)}", score.ofcr),
    ]
    guides = [
        ("G", "aligned step by step", score.g_aligned),
        ("G", "of solved attempts", score.g_solved),
        ("G", "of failed attempts", score.g_failed),
        ("G", "of one reference against the others", score.ceiling),
        ("G", "of a constant guide, the floor", score.floor),
    ]
    costs = [
        ("steps", score.steps, 1),
        ("seconds", score.seconds, 2),
        ("input tokens", score.input_tokens, 0),
        ("output tokens", score.output_tokens, 0),
        *([("US$", score.cost, 4)] if score.cost.value is not None else []),
    ]
    table = _table("")
    table.add_column("score")
    table.add_column("value", justify="right")
    table.add_column(_interval_name(score))
    table.add_column("over", justify="right")
    for rows in (rates, guides):
        intervals = _intervals([(estimate, 3) for _, _, estimate in rows])
        for (name, meaning, estimate), interval in zip(rows, intervals, strict=True):
            over = _count(estimate.n, "steps" if name == "OFCR" else "tasks")
            style = "bold" if name == "SR" else ""
            table.add_row(f"{name:9}  {meaning}", _number(estimate.value), interval, over, style=style)
        table.add_section()
    intervals = _intervals([(estimate, digits) for _, estimate, digits in costs])
    for (name, estimate, digits), interval in zip(costs, intervals, strict=True):
        value = _number(estimate.value, digits)
        table.add_row(f"{name} of an attempt", value, interval, _count(estimate.n, "tasks"))
    table.add_row(
        "infrastructure errors",
        str(score.infrastructure_errors),
        _count(len(score.tasks_lost), "tasks lost by them") if score.tasks_lost else "in no rate",
        _count(score.attempts + score.infrastructure_errors, "episodes"),
        style="bold red" if score.infrastructure_errors else "",
    )
    return _stacked(
        Renderables(Text(f"{score.model}: {score.run}", style="bold"), *_lines([_scored(score)])),
        table,
        Renderables(
            *_lines(
                [
                    _method(score.sr, score),
                    cost_line(score),
                    *score.notes,
                    "`guideact score RUN --details` adds groups, counts and the signature.",
                ]
            )
        ),
    )


def _scored(score: Score) -> str:
    """`20 tasks from 8 templates, 17 of them with reference guides`: what the rows below average over."""
    if not score.n:
        return ""
    known = score.n - score.tasks_without_reference
    guided = "with reference guides" if known else "without reference guides"
    if 0 < known < score.n:
        guided = f"{known} of them {guided}"
    elif score.n > 1:
        guided = f"all {guided}"
    return f"{_count(score.n, 'tasks')} from {_count(score.clusters, 'templates')}, {guided}"


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
    said = f"Cost: US$ {score.cost_total:.4f}, {solved}{prices}."
    if score.answers_from_cache:
        kept = f"{score.answers_from_cache} of {_count(score.calls, 'answers')}"
        said += f" {kept} came from the response cache, at no cost."
    if score.attempts_void:
        said += f" Not in it: {_count(score.attempts_void, 'attempts')} that came to nothing and had to be made again."
    return said


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
    return Renderables(Text(), _stacked(*parts, _signature(score)))


def comparison_table(comparison: Comparison) -> RenderableType:
    """Two runs side by side, with the tests of their difference."""
    level = f"{100 * comparison.signature.level:g} % interval"
    table = _table("A against B, over the tasks that both have")
    for name in ("", "A", "B", "A - B"):
        table.add_column(name, justify="right" if name else "left")
    table.add_column(level)
    table.add_column("sign-flip p", justify="right")
    table.add_column("over", justify="left")
    means = {row.name: row for row in comparison.differences}
    same = means["ggs"].difference.n == means["ggs_referenced"].difference.n
    rows = [row for row in comparison.differences if not (same and row.name == "ggs_referenced")]
    intervals = _intervals([(row.difference, 3) for row in rows], signed=True)
    for row, interval in zip(rows, intervals, strict=True):
        table.add_row(
            "GGS" if same and row.name == "ggs" else NAMES[row.name],
            _number(row.a),
            _number(row.b),
            _number(row.difference.value, signed=True),
            interval,
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
        f"A won {won} and lost {len(comparison.lost)}; both solved {both}, neither {neither}.",
        f"McNemar's exact p, which ignores templates, is {_p(comparison.mcnemar_ignoring_clusters)}.",
        f"Left out: {only_a} that only A has, {len(comparison.only_b)} that only B has. "
        f"Infrastructure errors: {comparison.infrastructure_errors_a} in A, {comparison.infrastructure_errors_b} in B.",
        _method(comparison.differences[0].difference, comparison),
        *comparison.notes,
    ]
    heads = [f"A  {comparison.model_a}: {comparison.a}", f"B  {comparison.model_b}: {comparison.b}"]
    return _stacked(Renderables(*_lines(heads)), table, room, Renderables(*_lines(lines), _signature(comparison)))


def _groups(title: str, groups: Iterable[Group], score: Score) -> Table:
    table = _table(title)
    table.add_column("", overflow="fold", max_width=36)
    table.add_column("tasks", justify="right")
    table.add_column("SR", justify="right")
    table.add_column(_interval_name(score))
    for name in ("G", "GGS", "OFCR"):
        table.add_column(name, justify="right")
    groups = list(groups)
    for group, interval in zip(groups, _intervals([(group.sr, 3) for group in groups]), strict=True):
        rates = (_number(rate.value) for rate in (group.g, group.ggs, group.ofcr))
        table.add_row(Text(group.name), str(group.tasks), _number(group.sr.value), interval, *rates)
    return table


def _sweep(score: Score) -> Table:
    table = _table("GGS by gamma" + (", a missing G counts as 0" if score.tasks_without_reference else ""))
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
    intervals = _intervals([(entry.rate, 3) for entry in score.pass_at_k])
    for entry, interval in zip(score.pass_at_k, intervals, strict=True):
        left_out = f", {entry.left_out} with fewer attempts" if entry.left_out else ""
        over = _count(entry.rate.n, "tasks") + left_out
        passes.add_row(str(entry.k), _number(entry.rate.value), interval, over)
    noise = _table("noise floor: from one repeat to the next, same tasks")
    for name in ("", "standard deviation", "lowest repeat", "highest repeat"):
        noise.add_column(name, justify="right" if name else "left")
    noise.add_column("over")
    for name, floor in (("SR", score.noise.sr), ("G", score.noise.g), ("GGS", score.noise.ggs)):
        noise.add_row(name, *_noise(floor))
    room = score.noise.head_room
    lines = [] if room is None else [f"Head-room of two repeats: {_number(room.room)} of {_count(room.n, 'tasks')}."]
    return _stacked(passes, noise, *_lines(lines))


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
        title=Text(title, style="bold") if title else None,
        title_justify="left",
        box=box.SIMPLE_HEAD,
        show_edge=False,
        pad_edge=False,
        header_style="",
    )


def _stacked(*parts: RenderableType) -> RenderableType:
    """One below the other, with a line between."""
    return Renderables(*[each for part in parts for each in (part, Text())][:-1])


def _lines(lines: Iterable[str]) -> list[Text]:
    return [Text(line, overflow="fold") for line in lines if line]


def _number(value: float | None, digits: int = 3, *, signed: bool = False) -> str:
    if value is None:
        return "none"
    # Adding zero turns a negative zero, which would print as -0.000, into zero.
    return f"{round(value, digits) + 0.0:{'+' if signed else ''}.{digits}f}"


def _intervals(estimates: Sequence[tuple[Estimate, int]], *, signed: bool = False) -> list[str]:
    """`0.173 to 0.809` of each (estimate, digits), ends below ends; a star marks the exact bound."""
    ends = [
        tuple(_number(end, digits, signed=signed) for end in (estimate.low, estimate.high))
        if estimate.low is not None and estimate.high is not None
        else ()
        for estimate, digits in estimates
    ]
    low, high = (max((len(pair[i]) for pair in ends if pair), default=0) for i in (0, 1))
    return [
        f"{pair[0]:>{low}} to {pair[1]:>{high}}{' *' if estimate.method == 'clopper-pearson' else ''}" if pair else ""
        for pair, (estimate, _) in zip(ends, estimates, strict=True)
    ]


def _signature(source: Score | Comparison) -> RenderableType:
    """What the scores depend on, its parts below each other where they need more than a line."""
    grid = Table.grid(padding=(0, 2))
    grid.add_column()
    grid.add_column(overflow="fold")
    grid.add_row("Signature", str(source.signature).replace("|", " "))
    return grid


def _interval_name(score: Score) -> str:
    return f"{100 * score.signature.level:g} % interval"


def _method(estimate: Estimate, source: Score | Comparison) -> str:
    """How the intervals were made, in a sentence."""
    if estimate.method == "none":
        return "Intervals: none, as nothing was scored."
    if source.clusters == 1:
        return "Intervals: with one template the exact bound (*)."
    kind = "studentised bootstrap" if source.clusters < FEW_CLUSTERS else "bootstrap"
    drawn = f"{source.signature.resamples:,} resamples, seed {source.signature.seed}"
    return f"Intervals: {kind} over {_count(source.clusters, 'templates')}, {drawn}; * is the exact bound."


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
