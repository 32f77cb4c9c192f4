"""The tables of the two WebMRE studies, computed from the folder that `runs/webmre_arms.sh` and its sibling fill.

    FOLDER/arms/MODEL/ARM/SEED.jsonl           predictions; ARM is an arm, or `guide-action.CONTROL`
    FOLDER/history/MODEL/HISTORY/SEED.jsonl    the arm action-guide told another history
    FOLDER/baselines/NAME.jsonl
    FOLDER/mediation/MODEL/SEED/KIND.jsonl     the arm guide-action; KIND is a kind of forced guide, or `own`

What is not there is left out of the tables, so they can be looked at while a study runs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from guideact.data import Dataset
from guideact.errors import InputError
from guideact.models.builtin.model import NOTE
from guideact.offline.gold import Gold, read_gold
from guideact.offline.measure import StepScore, measure
from guideact.offline.mediation import Mediation, mediation
from guideact.offline.mre import Mre, detectable, direction, mean_of, mre, over_seeds
from guideact.offline.predictions import Predictions, read_predictions
from guideact.offline.score import check, gold_of, micro_rows
from guideact.offline.tables import interval, number
from guideact.stats import Estimate, Resampling, ratio_interval
from guideact.stats.bootstrap import DIFFERENCE

SMALLEST = {"element": 0.03, "g": 0.02}
"""The smallest effects of which the plan says beforehand that the study concludes something."""

COLUMNS = ("element", "step_success", "action", "answer", "g", "chrf", "gacs", "ofcr")
SINGLE = ("action", "guide")
JOINT = ("guide-action", "action-guide")
CONTROLS = ("guide-action.shuffled", "guide-action.neutral")

Steps = Sequence[StepScore]


def arms_report(dataset: Dataset, folder: Path, resampling: Resampling | None = None) -> str:
    """The tables of the arms, as Markdown. Raises InputError where the folder holds no predictions of arms."""
    resampling = resampling or Resampling()
    models = _folders(folder / "arms")
    if not models:
        raise InputError(f"{folder} holds no arms/", fix="Give the folder that runs/webmre_arms.sh writes.")
    gold: Gold | None = None
    parts: list[str] = []
    for model in models:
        runs = {arm.name: _seeds(arm) for arm in _folders(model)}
        if not runs:
            raise InputError(f"{model} holds no arm", fix="Let the study's script go on.")
        gold = gold or gold_of(dataset, next(iter(runs.values())))
        told = {f"history {each.name}": _seeds(each) for each in _folders(folder / "history" / model.name)}
        measured = {name: _measure(gold, found) for name, found in {**runs, **told}.items()}
        parts += [
            f"## {model.name}",
            _means(measured),
            *_gains(measured, resampling),
            *_effects(dataset, runs, resampling),
        ]
    assert gold is not None
    files = sorted((folder / "baselines").glob("*.jsonl"))
    if files:
        floors = {file.stem: _measure(gold, [read_predictions([file])]) for file in files}
        parts += ["## Baselines", _means(floors)]
    return _page("WebMRE arms, in miniature", "runs/webmre_arms.sh", gold, [*parts, *_SHOWS_ARMS])


def mediations(dataset: Dataset, folder: Path, resampling: Resampling | None = None) -> dict[str, Mediation]:
    """The mediation of each model. Raises InputError where the folder holds no predictions of it."""
    models = _folders(folder / "mediation")
    if not models:
        raise InputError(f"{folder} holds no mediation/", fix="Give the folder that runs/webmre_mediation.sh writes.")
    found = {}
    for model in models:
        files = [file for seed in _folders(model) for file in sorted(seed.glob("*.jsonl"))]
        if not files:
            raise InputError(f"{model} holds no predictions", fix="Let the study's script go on.")
        found[model.name] = mediation(dataset, [read_predictions([file]) for file in files], resampling)
    return found


def mediation_report(dataset: Dataset, found: Mapping[str, Mediation]) -> str:
    """The tables of the mediation of each model, as Markdown."""
    parts: list[str] = []
    for model, mediated in found.items():
        parts += [f"## {model}", *_mediated(mediated)]
    split = next(iter(found.values())).signature.split
    gold = read_gold(dataset, split)
    return _page("WebMRE mediation, in miniature", "runs/webmre_mediation.sh", gold, [*parts, *_SHOWS_MEDIATION])


# --- the parts of the first ---------------------------------------------------------------------------------------


def _means(measured: Mapping[str, Sequence[Steps]]) -> str:
    """A row an arm: micro means over seeds, with the lowest and the highest seed."""
    having = [name for name in COLUMNS if any(name in step.scores for runs in measured.values() for step in runs[0])]
    lines = [_head(["", *having, "seeds"])]
    for label, runs in _ordered(measured):
        cells = []
        for name in having:
            each = [mean_of(found, name) for run in runs if (found := [s for s in run if name in s.scores])]
            if not each:
                cells.append("")
                continue
            spread = f" ({number(min(each))} to {number(max(each))})" if len(each) > 1 else ""
            cells.append(f"{number(sum(each) / len(each))}{spread}")
        lines.append(_line([label, *cells, str(len(runs))]))
    return "\n".join(lines)


def _gains(measured: Mapping[str, Sequence[Steps]], resampling: Resampling) -> list[str]:
    """Every arm that acts against the one that only acts, and every history against gold."""
    parts = []
    arms = [name for name in (*JOINT, *CONTROLS) if name in measured]
    if "action" in measured and arms:
        parts += ["Element, less that of the arm that only acts:", _differences(measured, arms, "action", resampling)]
    histories = [name for name in measured if name.startswith("history ")]
    if "action-guide" in measured and histories:
        parts += [
            "Element of action-guide, told another history, less that with gold guides:",
            _differences(measured, histories, "action-guide", resampling),
        ]
    return parts


def _differences(
    measured: Mapping[str, Sequence[Steps]], names: Sequence[str], base: str, resampling: Resampling
) -> str:
    lines = [_head(["", "difference", "interval", "detectable", "says"])]
    for name in names:
        ours, theirs = (over_seeds(measured[each], "element") for each in (name, base))
        keys = {step.key for step in ours} & {step.key for step in theirs}
        ours, theirs = ([s for s in side if s.key in keys] for side in (ours, theirs))
        gap = ratio_interval(
            micro_rows(ours, "element"), micro_rows(theirs, "element"), span=DIFFERENCE, resampling=resampling
        )
        found = detectable(ours, theirs, "element")
        lines.append(
            _line(
                [
                    name,
                    number(gap.value, signed=True),
                    interval(gap, signed=True),
                    "" if found is None else number(found),
                    _says(gap, "element"),
                ]
            )
        )
    return "\n".join(lines)


def _effects(dataset: Dataset, runs: Mapping[str, Sequence[Predictions]], resampling: Resampling) -> list[str]:
    """The mutual reinforcement effect of each joint arm that has both single ones beside it."""
    if not all(name in runs for name in SINGLE):
        return []
    parts = []
    for arm in JOINT:
        if arm in runs and len(runs[arm]) == len(runs["action"]) == len(runs["guide"]):
            found = mre(dataset, runs[arm], runs["action"], runs["guide"], resampling, SMALLEST)
            parts += [f"MRE of {arm}: **{found.verdict}**", _effect(found)]
    return parts


def _effect(found: Mre) -> str:
    lines = [_head(["", "joint", "single", "gain", "interval", "detectable", "by seed", "says"])]
    lines += [
        _line(
            [
                f"{gain.side}: {gain.name}",
                number(gain.joint),
                number(gain.single),
                number(gain.gain.value, signed=True),
                interval(gain.gain, signed=True),
                "" if gain.detectable is None else number(gain.detectable),
                ", ".join(number(value, signed=True) for value in gain.by_seed),
                _says(gain.gain, gain.name) if gain.name in SMALLEST else "",
            ]
        )
        for gain in found.gains
    ]
    return "\n".join(lines)


def _says(estimate: Estimate, name: str) -> str:
    return {1: "gains", -1: "loses", 0: "inconclusive"}[direction(estimate, SMALLEST.get(name, 0.0))]


# --- the parts of the second --------------------------------------------------------------------------------------


def _mediated(found: Mediation) -> list[str]:
    head = ["guide", "element", "interval", "word overlap", "excess", "interval", "less none", "interval"]
    lines = [_head([*head, "kept", "gained / lost", "by seed"])]
    for row in found.rows:
        gain = row.gain
        lines.append(
            _line(
                [
                    row.kind,
                    number(row.element.value),
                    interval(row.element),
                    number(row.baseline.value),
                    number(row.excess.value, signed=True),
                    interval(row.excess, signed=True),
                    "" if gain is None else number(gain.value, signed=True),
                    "" if gain is None else interval(gain, signed=True),
                    "" if row.kept is None or row.kept.value is None else number(row.kept.value, 2),
                    "" if gain is None else f"{row.gained} / {row.lost}",
                    ", ".join(number(value) for value in row.by_seed),
                ]
            )
        )
    parts = [
        f"{found.steps} steps that point at something, {found.clusters} templates, {found.seeds} seeds; "
        f"{found.left_out} steps are left out, for there is no guide of some kind for them.",
        "\n".join(lines),
    ]
    if found.mediated is not None and found.direct is not None:
        parts.append(
            f"Of what is right with the model's own guides, {number(found.mediated.value, 2)} "
            f"({interval(found.mediated, 2) or 'no interval'}) is lost where the guide is one of {found.other} "
            f"(mediated); {number(found.direct.value, 2)} stays (direct)."
        )
    return parts


# --- pieces -------------------------------------------------------------------------------------------------------

_HEADING = "## What this shows, and what it does not"
_SHOWS_ARMS = (
    _HEADING,
    "The agent is a scorer of candidates on hashed words, with the same parameters and the same number of updates "
    "in every arm. Its guide is a sentence frame filled with the target's name, planned by the heads that act. So "
    "a joint arm can gain only through shared embeddings, a guide adds no reasoning, and `guide-action` reads a "
    "sentence that it has made from its own first choice. Whether a language model gains by writing the guide is "
    "not asked here; that the machinery measures it is.",
    f"A difference below the smallest effect of the plan (element {SMALLEST['element']}, G {SMALLEST['g']}), or whose "
    "interval holds 0, is inconclusive.",
)
_SHOWS_MEDIATION = (
    _HEADING,
    "The agent was trained with true guides before its eyes and reads them as words: a name that is quoted, a "
    "part of one, a word in common. `word overlap` is what comes of matching words alone, with nothing learned; "
    "only the *excess* over it is learned, and where it is negative the agent follows the sentence less than "
    "plain matching would. A paraphrase that renames the target leaves such an agent nothing to match; a language "
    "model may know better. No number here says anything about one.",
)


def _page(title: str, script: str, gold: Gold, parts: Sequence[str]) -> str:
    manifest = gold.dataset.manifest
    steps = len(gold.texts)
    head = [
        f"# {title}",
        f"Made by `{script}`; the [plan](plan.md) was written before. Dataset {manifest.name} "
        f"`{manifest.signature[:16]}`, {gold.split} split: {len(gold.tasks)} tasks, {steps} steps, of "
        f"{len({gold.cluster(task) for task in gold.tasks})} templates. Means are over steps (micro), then over seeds, "
        "with the lowest and highest seed in brackets; intervals are paired and resample templates.",
        f"**{NOTE}**",
    ]
    return "\n\n".join([*head, *parts]) + "\n"


def _measure(gold: Gold, runs: Sequence[Predictions]) -> list[Steps]:
    for run in runs:
        check(gold, run)
    return [measure(gold, run) for run in runs]


def _folders(folder: Path) -> list[Path]:
    return sorted(each for each in folder.iterdir() if each.is_dir()) if folder.is_dir() else []


def _seeds(folder: Path) -> list[Predictions]:
    files = sorted(folder.glob("*.jsonl"))
    if not files:
        raise InputError(f"{folder} holds no predictions", fix="Let the study's script go on.")
    return [read_predictions([file]) for file in files]


def _ordered(measured: Mapping[str, Sequence[Steps]]) -> list[tuple[str, Sequence[Steps]]]:
    order = (*SINGLE, *JOINT, *CONTROLS)
    known = [name for name in order if name in measured]
    return [(name, measured[name]) for name in [*known, *(name for name in measured if name not in order)]]


def _head(cells: Sequence[str]) -> str:
    return f"{_line(cells)}\n{'|---' * len(cells)}|"


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cell.replace('|', '/') for cell in cells)} |"
