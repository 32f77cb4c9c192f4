"""Offline scores as tables for the terminal, at most 120 columns wide."""

from __future__ import annotations

from collections.abc import Iterable

from rich import box
from rich.console import Group as Renderables
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from guideact.offline.compare import RunTable
from guideact.offline.mediation import Mediation
from guideact.offline.mre import Mre
from guideact.offline.predictions import Header
from guideact.offline.rewards import RewardReport
from guideact.offline.score import OfflineScore
from guideact.stats import Estimate

TITLES = {
    "element": "element: mark, or point in box",
    "element@14": "element: point within 14 px",
    "element@25": "element: point within 25 px",
    "element@50": "element: point within 50 px",
    "verb": "verb",
    "operation_f1": "operation F1",
    "step_success": "step success",
    "step_success@14": "step success, 14 px",
    "step_success@25": "step success, 25 px",
    "step_success@50": "step success, 50 px",
    "value": "value",
    "answer": "answer",
    "action": "whole action",
    "action@14": "whole action, 14 px",
    "action@25": "whole action, 25 px",
    "action@50": "whole action, 50 px",
    "bleu1": "guide BLEU-1",
    "bleu2": "guide BLEU-2",
    "rouge1": "guide ROUGE-1",
    "rouge_l": "guide ROUGE-L",
    "g": "guide G, mean of the four",
    "chrf": "guide chrF",
    "gacs": "GACS",
    "gacs_all": "GACS, every part passed",
    "gacs_action": "  verb and value right",
    "gacs_head_verb": "  guide's verb is the action's",
    "gacs_name": "  target named, token F1",
    "gacs_place": "  target right",
    "gacs_referent": "  guide tells target from others",
    "ofcr": "OFCR",
}
"""What a score is called, for people."""

COMPARED = ("element", "element@25", "step_success", "step_success@25", "value", "answer", "g", "chrf", "gacs", "ofcr")
"""The scores of the table; `--json` has them all."""


def score_table(score: OfflineScore) -> RenderableType:
    """The scores of a run."""
    table = plain_table(head_of(score.header))
    level = f"{100 * score.signature.level:g} % interval"
    for name, justify in (("score", "left"), ("micro", "right"), (level, "left"), ("steps", "right")):
        table.add_column(name, justify=justify)  # type: ignore[arg-type]
    for name, justify in (("macro", "right"), (level, "left"), ("tasks", "right")):
        table.add_column(name, justify=justify)  # type: ignore[arg-type]
    before = ""
    for measure in score.measures:
        group = group_of(measure.name)
        if before and group != before:
            table.add_section()
        before = group
        table.add_row(
            TITLES[measure.name],
            number(measure.micro.value),
            interval(measure.micro),
            str(measure.micro.n),
            number(measure.macro.value),
            interval(measure.macro),
            str(measure.macro.n),
        )
    kinds = ", ".join(f"{kind} {count}" for kind, count in score.faults.items())
    return Renderables(
        table,
        *lines(
            [
                "micro: over steps. macro: over tasks, of the task's mean. Intervals resample "
                f"{score.clusters} templates ({score.signature.resamples} times, seed {score.signature.seed}).",
                f"{score.missing} steps of the tasks asked for have no prediction, and are in no score."
                if score.missing
                else "",
                f"{score.dropped} steps are left out, for their labels were settled to be wrong."
                if score.dropped
                else "",
                f"Faults: {kinds}." if kinds else "",
                builtin_note([score.header.model]),
                f"Signature  {score.signature}",
            ]
        ),
    )


def task_table(score: OfflineScore) -> RenderableType:
    """The scores of each task that a table has room for."""
    having = [name for name in COMPARED if score.measure(name) is not None]
    table = plain_table("by task")
    table.add_column("", overflow="fold", max_width=40)
    table.add_column("steps", justify="right")
    for name in having:
        table.add_column(name, justify="right")
    for task in score.by_task:
        cells = (number(task.scores.get(name)) if name in task.scores else "" for name in having)
        table.add_row(Text(task.task), str(task.steps), *cells)
    return table


def comparison_table(found: RunTable) -> RenderableType:
    """Runs side by side: a table a score."""
    base = found.rows[found.against]
    parts: list[RenderableType] = []
    for name in COMPARED:
        if all(row.cell(name) is None for row in found.rows):
            continue
        table = plain_table(TITLES[name].strip())
        table.add_column("", overflow="fold", max_width=44)
        for head in ("micro", "macro", "less the first" if found.against == 0 else f"less run {found.against + 1}"):
            table.add_column(head, justify="right")
        table.add_column("interval, paired")
        table.add_column("p", justify="right")
        table.add_column("steps", justify="right")
        for row in found.rows:
            cell = row.cell(name)
            if cell is None:
                continue
            gap = cell.difference
            table.add_row(
                Text(row.label),
                number(cell.micro.value),
                number(cell.macro.value),
                "" if gap is None else number(gap.value, signed=True),
                "" if gap is None else interval(gap, signed=True),
                "" if cell.sign_flip is None else f"{cell.sign_flip.p:.3f}",
                str(cell.steps or cell.micro.n),
            )
        parts.append(table)
    notes = [
        f"Differences are micro, over the steps that both have, from: {base.label}. Intervals resample templates, both "
        "runs together; p is that of the sign-flip test over templates.",
        builtin_note(row.label for row in found.rows),
    ]
    return Renderables(*parts, *lines(notes))


def mre_table(found: Mre) -> RenderableType:
    """The effect on both sides, and the verdict."""
    table = plain_table(f"joint arm {found.joint} against the single ones, {found.seeds} seeds")
    for name, justify in (
        ("", "left"),
        ("joint", "right"),
        ("single", "right"),
        ("gain", "right"),
        ("interval, paired", "left"),
        ("macro gain", "right"),
        ("detectable", "right"),
        ("by seed", "left"),
    ):
        table.add_column(name, justify=justify)  # type: ignore[arg-type]
    side = ""
    for gain in found.gains:
        if side and gain.side != side:
            table.add_section()
        side = gain.side
        table.add_row(
            f"{gain.side}: {TITLES[gain.name]}",
            number(gain.joint),
            number(gain.single),
            number(gain.gain.value, signed=True),
            interval(gain.gain, signed=True),
            number(gain.macro_gain.value, signed=True),
            "" if gain.detectable is None else number(gain.detectable),
            ", ".join(number(value, signed=True) for value in gain.by_seed),
        )
    return Renderables(
        table,
        *lines(
            [
                f"Verdict: {found.verdict}. It is by the first score of each side; reinforcement wants both to gain.",
                "detectable: the smallest difference that this many templates show four times in five; smaller ones "
                "are inconclusive.",
                f"Signature  {found.signature}",
            ]
        ),
    )


def mediation_table(found: Mediation) -> RenderableType:
    """Accuracy by the guide that was forced, beside the baseline."""
    table = plain_table(f"{found.model}: elements right over {found.steps} steps, by the guide before the action")
    for name, justify in (
        ("guide", "left"),
        ("right", "right"),
        ("interval", "left"),
        ("overlap", "right"),
        ("excess", "right"),
        ("interval", "left"),
        ("- none", "right"),
        ("interval", "left"),
        ("kept", "right"),
        ("+ / -", "right"),
    ):
        table.add_column(name, justify=justify)  # type: ignore[arg-type]
    for row in found.rows:
        gain = row.gain
        table.add_row(
            row.kind,
            number(row.element.value),
            interval(row.element, 2),
            number(row.baseline.value),
            number(row.excess.value, signed=True),
            interval(row.excess, 2, signed=True),
            "" if gain is None else number(gain.value, signed=True),
            "" if gain is None else interval(gain, 2, signed=True),
            "" if row.kept is None or row.kept.value is None else number(row.kept.value, 2),
            "" if gain is None else f"{row.gained} / {row.lost}",
        )
    shares = ""
    if found.mediated is not None and found.direct is not None and found.mediated.value is not None:
        shares = (
            f"Of what is right with the model's own guides, {number(found.mediated.value, 2)} "
            f"({interval(found.mediated, 2) or 'no interval'}) is lost where the guide is one of {found.other} "
            f"(mediated), and {number(found.direct.value, 2)} stays (direct)."
        )
    return Renderables(
        table,
        *lines(
            [
                "overlap: the candidate that shares most words with the guide, which has learned nothing; only "
                "the excess over it is called learned.",
                "- none: less the run with no guide. kept: of what the gold guide adds to that, the share that this "
                "one adds. + / -: steps that turn right and wrong against no guide.",
                shares,
                f"{found.left_out} steps are left out, for not every run has them." if found.left_out else "",
                builtin_note([found.model]),
                f"Signature  {found.signature}",
            ]
        ),
    )


def reward_table(found: RewardReport) -> RenderableType:
    """What the guides of a run earned."""
    table = plain_table(f"{head_of(found.header)}; scorer {found.scorer}, frozen")
    for name, justify in (("", "left"), ("micro", "right"), ("interval", "left"), ("macro", "right")):
        table.add_column(name, justify=justify)  # type: ignore[arg-type]
    titles = {
        "lift": "lift: log p(gold | guide) - log p(gold | none)",
        "naming_lift": "lift of naming the target",
        "log": "reward: lift less that of naming",
        "flip": "flip: gold picked with the guide and not without",
        "naming_flip": "flip of naming the target",
        "zero_one": "0/1 reward: flip less that of naming",
    }
    for name, title in titles.items():
        table.add_row(
            title,
            number(found.means[name].value, signed=True),
            interval(found.means[name], signed=True),
            number(found.macro[name].value, signed=True),
        )
    return Renderables(
        table,
        *lines(
            [
                f"{found.steps} steps; {found.unscorable} are in no mean, for their gold action is none that the "
                "scorer can choose, or they have no guide.",
                builtin_note([found.header.model, found.scorer]),
                f"Signature  {found.signature}",
            ]
        ),
    )


# --- pieces -------------------------------------------------------------------------------------------------------


def head_of(header: Header) -> str:
    """A run in a line."""
    forced = f", guide forced: {header.force}" if header.force else ""
    return (
        f"{header.model}: {header.dataset}, {header.split}, {header.grounding}, arm {header.arm}, "
        f"history {header.history}{forced}"
    )


def group_of(name: str) -> str:
    """Which of the blocks of the table a score stands in."""
    if name.startswith("gacs") or name == "ofcr":
        return "both"
    return "guide" if name in ("bleu1", "bleu2", "rouge1", "rouge_l", "g", "chrf") else "action"


def builtin_note(models: Iterable[str]) -> str:
    """What stands beside every number of the built-in agent."""
    if not any("builtin/" in model for model in models):
        return ""
    from guideact.models.builtin import NOTE

    return NOTE


def plain_table(title: str) -> Table:
    return Table(
        title=Text(title, style="bold"), title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False, header_style=""
    )


def lines(texts: Iterable[str]) -> list[Text]:
    return [Text(text, overflow="fold") for text in texts if text]


def number(value: float | None, digits: int = 3, *, signed: bool = False) -> str:
    """A number, or `none`."""
    if value is None:
        return "none"
    return f"{round(value, digits) + 0.0:{'+' if signed else ''}.{digits}f}"


def interval(estimate: Estimate, digits: int = 3, *, signed: bool = False) -> str:
    """`.912 to .988`, or nothing."""
    if estimate.low is None or estimate.high is None:
        return ""
    return f"{number(estimate.low, digits, signed=signed)} to {number(estimate.high, digits, signed=signed)}"
