"""A second computation of every score, from `episodes.jsonl` alone. It shares no code with the package.

    found = recompute(folder)                                    # the same shape as `guideact score FOLDER --json`
    assert not unlike(json.loads(printed), found)                # each entry is a path and the two numbers

    found = recompute_comparison(folder_a, folder_b)             # the same shape as `guideact compare A B --json`

Where the package is fast this is plain: fractions instead of floats, textbook algorithms other than the package's
(Hunt-Szymanski for common subsequences, top-down recursion for alignments, multiplicities for resamples). Choices are
fixed to the defaults. As a program it checks a run folder against what was printed:

    python -m tests.harness.independent_scores RUN printed.json
"""

from __future__ import annotations

import bisect
import contextlib
import itertools
import json
import math
import re
import sys
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from scipy.stats import beta, binomtest

GAMMA = Fraction(2, 5)
RESAMPLES, SEED, LEVEL = 10_000, 0, 0.95
NOT_SCORES = {"run", "model", "notes", "signature", "a", "b", "model_a", "model_b"}
CONSTANTS = ("Click the button on the page.", "点击页面上的按钮。")
Episode = dict[str, Any]
Number = Fraction | float


# --- text -------------------------------------------------------------------------------------------------------


def kind(character: str) -> str:
    code = ord(character)
    if not character.isalnum():
        return "m" if unicodedata.category(character)[0] == "M" else "-"
    name = unicodedata.name(character, "")
    alone = (
        name.startswith(("CJK UNIFIED", "CJK COMPATIBILITY IDEOGRAPH", "HIRAGANA", "KATAKANA", "BOPOMOFO"))
        or name == "IDEOGRAPHIC NUMBER ZERO"
        or code in (0x3005, 0x3006)
    )
    return "c" if alone else "w"


@cache
def tokens(text: str) -> tuple[str, ...]:
    text = unicodedata.normalize("NFKC", text).lower()
    kinds = "".join(kind(character) for character in text)
    return tuple(text[found.start() : found.end()] for found in re.finditer("c|w[wm]*", kinds))


def common_subsequence(one: Sequence[str], other: Sequence[str]) -> int:
    """Hunt and Szymanski: a longest increasing subsequence over the matching positions."""
    places: dict[str, list[int]] = {}
    for index, token in enumerate(other):
        places.setdefault(token, []).append(index)
    ends: list[int] = []
    for token in one:
        for index in reversed(places.get(token, [])):
            position = bisect.bisect_left(ends, index)
            ends[position : position + 1] = [index]
    return len(ends)


def bleu(guide: Sequence[str], references: Sequence[Sequence[str]], order: int) -> float:
    lengths = sorted({len(reference) for reference in references})
    nearest = min(lengths, key=lambda length: abs(length - len(guide)))
    precisions = []
    for n in range(1, order + 1):
        grams = Counter(tuple(guide[i : i + n]) for i in range(len(guide) - n + 1))
        allowed: Counter[tuple[str, ...]] = Counter()
        for reference in references:
            allowed |= Counter(tuple(reference[i : i + n]) for i in range(len(reference) - n + 1))
        if grams:
            precisions.append(Fraction((grams & allowed).total(), grams.total()))
    if not precisions or not all(precisions):
        return 0.0
    penalty = 1.0 if len(guide) >= nearest else math.exp(1 - nearest / len(guide))
    return penalty * math.prod(map(float, precisions)) ** (1 / len(precisions))


@cache
def four(text: str, references: tuple[str, ...]) -> tuple[float, float, float, float]:
    """BLEU-1, BLEU-2, ROUGE-1, ROUGE-L."""
    guide, golds = tokens(text), [gold for gold in map(tokens, references) if gold]
    if not guide:
        return (0.0, 0.0, 0.0, 0.0)
    rouge1 = max(Fraction(2 * (Counter(guide) & Counter(gold)).total(), len(guide) + len(gold)) for gold in golds)
    rouge_l = max(Fraction(2 * common_subsequence(guide, gold), len(guide) + len(gold)) for gold in golds)
    return (bleu(guide, golds, 1), bleu(guide, golds, 2), float(rouge1), float(rouge_l))


def g_of(text: str, references: tuple[str, ...]) -> float:
    return sum(four(text, references)) / 4


def joined(steps: Sequence[Sequence[str]]) -> tuple[str, ...]:
    steps = [step for step in steps if step]
    texts = []
    for k in range(max(map(len, steps), default=0)):
        texts.append(" ".join(next(itertools.islice(itertools.cycle(step), k, None)) for step in steps))
    return tuple(text for text in texts if tokens(text))


def aligned(guides: Sequence[str], gold: Sequence[Sequence[str]]) -> float:
    said = [guide for guide in guides if tokens(guide)]
    asked = [tuple(step) for step in gold if any(map(tokens, step))]

    @cache
    def best(i: int, j: int) -> float:
        if i == len(said) or j == len(asked):
            return 0.0
        return max(best(i + 1, j), best(i, j + 1), g_of(said[i], asked[j]) + best(i + 1, j + 1))

    return 2 * best(0, 0) / (len(said) + len(asked))


# --- intervals --------------------------------------------------------------------------------------------------


def bound(successes: float, trials: float, level: float = LEVEL) -> tuple[float, float]:
    tail = (1 - level) / 2
    low = 0.0 if successes <= 0 else beta.ppf(tail, successes, trials - successes + 1)
    high = 1.0 if successes >= trials else beta.isf(tail, successes + 1, trials - successes)
    return float(low), float(high)


Side = list[tuple[str, Number, Number]]
"""(cluster, above the line, below it)."""


def estimate(sides: Sequence[Side], span: tuple[float, float] | None) -> dict[str, Any]:
    """The ratio of the first side, less that of the second, with its interval."""
    sides = [[row for row in side if row[2]] for side in sides]
    empty = {"value": None, "low": None, "high": None, "n": 0, "clusters": 0, "method": "none"}
    if not all(sides):
        return empty
    names = sorted({row[0] for side in sides for row in side})
    tops = [[sum((row[1] for row in side if row[0] == name), Fraction(0)) for name in names] for side in sides]
    bottoms = [[sum((row[2] for row in side if row[0] == name), Fraction(0)) for name in names] for side in sides]
    ratios = [sum(top) / sum(bottom) for top, bottom in zip(tops, bottoms, strict=True)]
    signs = (1, -1)[: len(sides)]
    value = float(sum(sign * ratio for sign, ratio in zip(signs, ratios, strict=True)))
    found = {**empty, "value": value, "n": round(float(sum(bottoms[0]))), "clusters": len(names)}
    top, bottom = (np.array([[float(x) for x in side] for side in table]) for table in (tops, bottoms))
    totals = bottom.sum(axis=1)
    apart = sum(s * (top[i] - float(ratios[i]) * bottom[i]) / totals[i] for i, s in enumerate(signs))
    apart = np.asarray(apart)
    if span is not None and np.abs(apart).max() < 1e-12:
        share = 1 - ((1 - LEVEL) / 2) ** (1 / len(names))
        low, high = value - (value - span[0]) * share, value + (span[1] - value) * share
        return {**found, "low": low, "high": high, "method": "clopper-pearson"}
    if len(names) == 1:
        return found
    low, high = resampled(top, bottom, signs, value, apart)
    few = len(names) < 30
    if span is not None:
        if few:
            lowest, highest = furthest(top, bottom, signs)
            low, high = max(low, lowest), min(high, highest)
        low, high = max(low, span[0]), min(high, span[1])
    if math.isinf(low) or math.isinf(high):
        return found
    return {**found, "low": low, "high": high, "method": "bootstrap-t" if few else "percentile"}


@cache
def multiplicities(clusters: int, resamples: int) -> Any:
    """How often each cluster is in each resample."""
    draws = np.random.default_rng(SEED).integers(0, clusters, (resamples, clusters))
    return np.stack([np.bincount(draw, minlength=clusters) for draw in draws]).astype(float)


def resampled(top: Any, bottom: Any, signs: Sequence[int], value: float, apart: Any) -> tuple[float, float]:
    clusters = top.shape[1]
    times = multiplicities(clusters, RESAMPLES)
    moved, spread = -value * np.ones(RESAMPLES), np.zeros((RESAMPLES, clusters))
    with np.errstate(divide="ignore", invalid="ignore"):
        for i, sign in enumerate(signs):
            below = np.einsum("rc,c->r", times, bottom[i])
            ratio = np.einsum("rc,c->r", times, top[i]) / below
            moved = moved + sign * ratio
            spread += sign * (top[i][None] - ratio[:, None] * bottom[i][None]) / below[:, None]
    keep = np.isfinite(moved)
    moved, spread, times = moved[keep], spread[keep], times[keep]
    at = [(len(moved) - 1) * (1 - LEVEL) / 2, (len(moved) - 1) * (1 + LEVEL) / 2]
    if clusters >= 30:
        ordered = np.sort(moved)
        ends = [ordered[int(x)] + (x % 1) * (ordered[int(x) + 1] - ordered[int(x)]) for x in at]
        return float(value + ends[0]), float(value + ends[1])
    scale = clusters / (clusters - 1)
    errors = np.sqrt(scale * (times * spread**2).sum(axis=1))
    own = math.sqrt(scale * float((apart**2).sum()))
    errors[errors < 1e-12] = 0
    moved[np.abs(moved) < 1e-12] = 0
    with np.errstate(divide="ignore", invalid="ignore"):
        ratios = np.sort(np.nan_to_num(moved / errors, nan=0.0, posinf=math.inf, neginf=-math.inf))
    return float(value - ratios[math.ceil(at[1])] * own), float(value - ratios[math.floor(at[0])] * own)


def furthest(top: Any, bottom: Any, signs: Sequence[int]) -> tuple[float, float]:
    shares = bottom / bottom.sum(axis=1, keepdims=True)
    trials = 1 / float((shares.mean(axis=0) ** 2).sum())
    parts = sum(sign * top[i] / bottom[i].sum() for i, sign in enumerate(signs))
    gains, losses = float(np.maximum(parts, 0).sum()), float(np.maximum(-np.asarray(parts), 0).sum())
    if len(signs) == 1 and losses == 0:
        return bound(min(gains, 1) * trials, trials)
    level = (1 + LEVEL) / 2
    gained, lost = bound(min(gains, 1) * trials, trials, level), bound(min(losses, 1) * trials, trials, level)
    return gained[0] - lost[1], gained[1] - lost[0]


# --- episodes ---------------------------------------------------------------------------------------------------


class Task:
    def __init__(self, episodes: list[Episode]) -> None:
        first = episodes[0]
        self.id: str = first["task_id"]
        self.template: str = first["template_id"]
        self.cluster = self.template or f"task {self.id}"
        self.sites = " + ".join(first["sites"])
        self.gold = first["references"]
        self.gold_steps: int = first["gold_steps"] or len(self.gold)
        self.references = joined(self.gold)
        self.attempts = [Attempt(episode, self.references) for episode in episodes]

    def mean(self, value: Callable[[Attempt], Number | None]) -> Number | None:
        known = [number for number in map(value, self.attempts) if number is not None]
        return sum(known) / Fraction(len(known)) if known else None

    @property
    def solved(self) -> Fraction:
        return Fraction(sum(attempt.solved for attempt in self.attempts), len(self.attempts))

    @property
    def length(self) -> str:
        names = (("1-3", 3), ("4-6", 6), ("7-9", 9), ("10-14", 14), ("15+", 10**9))
        return "no gold" if self.gold_steps == 0 else next(name for name, most in names if self.gold_steps <= most)


class Attempt:
    def __init__(self, episode: Episode, references: tuple[str, ...]) -> None:
        self.sample: int = episode["sample"]
        self.solved: bool = episode["check"]["passed"]
        self.steps: list[dict[str, Any]] = episode["steps"]
        self.seconds: float = episode["seconds"]
        guides = [step["guide"] for step in self.steps]
        self.four = four(" ".join(guides), references) if references else None
        self.aligned = aligned(guides, episode["references"]) if references else None
        self.well_formed = sum(not step["faults"] for step in self.steps)
        usages = [step["usage"] for step in self.steps if step["usage"]]
        self.input = sum(usage["input_tokens"] for usage in usages) if usages else None
        self.output = sum(usage["output_tokens"] for usage in usages) if usages else None
        self.cost = dollars(usages)

    @property
    def g(self) -> float | None:
        return sum(self.four) / 4 if self.four else None

    def ggs(self, gamma: Fraction = GAMMA) -> Number:
        return gamma + (1 - gamma) * (self.g or 0) if self.solved else Fraction(0)


def dollars(usages: list[dict[str, Any]]) -> float | None:
    costs = [usage["cost"] for usage in usages]
    return math.fsum(costs) if costs and None not in costs else None


def read(folder: Path) -> list[Episode]:
    lines = (folder / "episodes.jsonl").read_bytes().split(b"\n")
    whole = [json.loads(line) for line in lines[:-1]]
    with contextlib.suppress(ValueError):  # the last line may be torn
        whole.append(json.loads(lines[-1]))
    return sorted(whole, key=lambda episode: (episode["task_id"], episode["sample"]))


def tasks_of(episodes: Iterable[Episode]) -> list[Task]:
    good = [episode for episode in episodes if episode["end"] != "infrastructure_error"]
    return [Task(list(group)) for _, group in itertools.groupby(good, key=lambda episode: episode["task_id"])]


def mean_over(
    tasks: Iterable[Task], value: Callable[[Attempt], Number | None], span: tuple[float, float] | None = (0, 1)
) -> dict[str, Any]:
    return estimate([[(t.cluster, m, Fraction(1)) for t in tasks if (m := t.mean(value)) is not None]], span)


def formed(tasks: Iterable[Task]) -> Side:
    return [
        (t.cluster, Fraction(sum(a.well_formed for a in t.attempts)), Fraction(sum(len(a.steps) for a in t.attempts)))
        for t in tasks
    ]


def ranked(things: Iterable[str]) -> dict[str, int]:
    return dict(Counter(things))


def grouped(tasks: Sequence[Task], name: Callable[[Task], str], order: Sequence[str], by_task: bool) -> list[Any]:
    rows = []
    for key in order:
        members = [task for task in tasks if name(task) == key]
        if not members:
            continue
        kept = [task.cluster for task in members]
        if by_task:
            for task in members:
                task.cluster = task.id
        rows.append(
            {
                "name": key,
                "tasks": len(members),
                "sr": mean_over(members, lambda a: Fraction(a.solved)),
                "g": mean_over(members, lambda a: a.g),
                "ggs": mean_over(members, Attempt.ggs),
                "ofcr": estimate([formed(members)], (0, 1)),
            }
        )
        for task, cluster in zip(members, kept, strict=True):
            task.cluster = cluster
    return rows


def noise(tasks: Sequence[Task], value: Callable[[Attempt], Number | None]) -> dict[str, Any] | None:
    rows = [{a.sample: v for a in task.attempts if (v := value(a)) is not None} for task in tasks]
    rows = [row for row in rows if len(row) > 1]
    if not rows:
        return None
    repeats = []
    for sample in sorted({sample for row in rows for sample in row}):
        column = [row[sample] for row in rows if sample in row]
        repeats.append(float(sum(column) / Fraction(len(column))))
    variance = sum(float(np.var([float(v) for v in row.values()], ddof=1)) for row in rows)
    return {"n": len(rows), "repeats": repeats, "sd": math.sqrt(variance) / len(rows)}


def runs_of(tasks: Iterable[Task]) -> list[dict[str, bool]]:
    pairs = [(attempt.sample, task.id, attempt.solved) for task in tasks for attempt in task.attempts]
    return [{t: s for x, t, s in pairs if x == sample} for sample in sorted({x for x, _, _ in pairs})]


def room(pairs: Iterable[tuple[dict[str, bool], dict[str, bool]]]) -> dict[str, Any] | None:
    found = []
    for one, other in pairs:
        shared = set(one) & set(other)
        if shared:
            in_one, in_other = {t for t in shared if one[t]}, {t for t in shared if other[t]}
            union, larger = len(in_one | in_other), max(len(in_one), len(in_other))
            found.append((len(shared), Fraction(union, len(shared)), Fraction(larger, len(shared))))
    if not found:
        return None
    either, best = (sum((row[i] for row in found), Fraction(0)) / len(found) for i in (1, 2))
    return {
        "n": min(row[0] for row in found),
        "either": float(either),
        "best": float(best),
        "room": float(either - best),
    }


# --- what is asked for ------------------------------------------------------------------------------------------


def recompute(run_folder: Path) -> dict[str, Any]:
    """Every score of the run, in the shape of the printed object."""
    episodes = read(run_folder)
    tasks = tasks_of(episodes)
    attempts = [attempt for task in tasks for attempt in task.attempts]
    steps = [step for attempt in attempts for step in attempt.steps]
    gold = [task for task in tasks if task.references]
    solved = sum(attempt.solved for attempt in attempts)
    most = max((len(task.attempts) for task in tasks), default=0)
    using = [attempt for attempt in attempts if attempt.input is not None]
    used = sum((attempt.input or 0) + (attempt.output or 0) for attempt in using)
    usages = [step["usage"] for episode in episodes for step in episode["steps"] if step["usage"]]
    paid = dollars(usages)
    cost = mean_over(tasks, lambda a: a.cost, None)
    if cost["low"] is not None:
        cost["low"] = max(cost["low"], 0)

    def ceiling(task: Task) -> float:
        texts = task.references
        return math.fsum(g_of(text, texts[:k] + texts[k + 1 :]) for k, text in enumerate(texts)) / len(texts)

    def floor(task: Task) -> float:
        count = sum(bool(step) for step in task.gold)
        return max(g_of(" ".join([text] * count), task.references) for text in CONSTANTS)

    def part(index: int) -> dict[str, Any]:
        return mean_over(tasks, lambda a: a.four[index] if a.four else None)

    passes = []
    for k in [k for k in (1, 2, 3, 4, 6, 8, 10, 16, 32, 64) if k <= most]:
        able = [task for task in tasks if len(task.attempts) >= k]
        side: Side = []
        for task in able:
            # The share of all choices of k attempts that hold a success.
            choices = list(itertools.combinations([attempt.solved for attempt in task.attempts], k))
            side.append((task.cluster, Fraction(sum(map(any, choices)), len(choices)), Fraction(1)))
        passes.append({"k": k, "rate": estimate([side], (0, 1)), "left_out": len(tasks) - len(able)})
    sites, templates = sorted({t.sites for t in tasks}), sorted({t.template or "no template" for t in tasks})
    return {
        "n": len(tasks),
        "tasks": len({episode["task_id"] for episode in episodes}),
        "clusters": len({task.cluster for task in tasks}),
        "attempts": len(attempts),
        "samples": most,
        "infrastructure_errors": sum(episode["end"] == "infrastructure_error" for episode in episodes),
        "tasks_lost": sorted({episode["task_id"] for episode in episodes} - {task.id for task in tasks}),
        "tasks_without_reference": len(tasks) - len(gold),
        "sr": mean_over(tasks, lambda a: Fraction(a.solved)),
        "g": mean_over(tasks, lambda a: a.g),
        "ggs": mean_over(tasks, Attempt.ggs),
        "ggs_referenced": mean_over(gold, Attempt.ggs),
        "ofcr": estimate([formed(tasks)], (0, 1)),
        "guide_tax": mean_over(tasks, lambda a: a.solved - a.ggs()),
        "guide_tax_referenced": mean_over(gold, lambda a: a.solved - a.ggs()),
        "bleu1": part(0),
        "bleu2": part(1),
        "rouge1": part(2),
        "rouge_l": part(3),
        "g_solved": mean_over(tasks, lambda a: a.g if a.solved else None),
        "g_failed": mean_over(tasks, lambda a: None if a.solved else a.g),
        "g_aligned": mean_over(tasks, lambda a: a.aligned),
        "ceiling": estimate([[(t.cluster, ceiling(t), Fraction(1)) for t in gold if len(t.references) > 1]], (0, 1)),
        "floor": estimate([[(t.cluster, floor(t), Fraction(1)) for t in gold]], (0, 1)),
        "pass_at_k": passes,
        "noise": {
            "sr": noise(tasks, lambda a: Fraction(a.solved)),
            "g": noise(tasks, lambda a: a.g),
            "ggs": noise(tasks, Attempt.ggs),
            "head_room": room(itertools.combinations(runs_of(tasks), 2)),
        },
        "gamma_sweep": [
            {"gamma": x / 10, "ggs": mean_over(tasks, lambda a, x=x: a.ggs(Fraction(x, 10)))}  # type: ignore[misc]
            for x in range(11)
        ],
        "by_site": grouped(tasks, lambda t: t.sites, sites, False),
        "by_template": grouped(tasks, lambda t: t.template or "no template", templates, True),
        "by_length": grouped(tasks, lambda t: t.length, ("1-3", "4-6", "7-9", "10-14", "15+", "no gold"), False),
        "steps": mean_over(tasks, lambda a: Fraction(len(a.steps)), None),
        "seconds": mean_over(tasks, lambda a: a.seconds, None),
        "input_tokens": mean_over(tasks, lambda a: a.input, None),
        "output_tokens": mean_over(tasks, lambda a: a.output, None),
        "seconds_per_solved": sum(a.seconds for a in attempts) / solved if solved else None,
        "tokens_per_solved": used / solved if solved and using else None,
        "cost": cost,
        "cost_total": paid,
        "cost_per_solved": paid / solved if solved and paid is not None else None,
        "attempts_void": sum(episode["attempts"] - 1 for episode in episodes),
        "calls": len(usages),
        "prices": json.loads((run_folder / "run.json").read_bytes())["versions"].get("prices", ""),
        "answers_from_cache": sum(usage["from_cache"] for usage in usages),
        "structured_output": json.loads((run_folder / "run.json").read_bytes())["config"].get(
            "structured_output", False
        ),
        "ends": ranked(episode["end"] for episode in episodes),
        "actions": ranked(step["action"]["verb"] if step["action"] else "unreadable" for step in steps),
        "faults": ranked(kind for step in steps for kind in {fault["kind"] for fault in step["faults"]}),
        "outcomes": ranked(step["outcome"]["code"] for step in steps if step["outcome"]),
    }


def flips(values: Iterable[tuple[str, Number]]) -> dict[str, Any]:
    sums: dict[str, Number] = {}
    for cluster, value in sorted(values):
        sums[cluster] = sums.get(cluster, Fraction(0)) + value
    totals = [float(sums[cluster]) for cluster in sorted(sums)]
    moved = np.array([total for total in totals if abs(total) > 1e-12])
    count = len(moved)
    if count <= 20:
        patterns = ((np.arange(2**count)[:, None] >> np.arange(count)) & 1) * 2 - 1
    else:
        patterns = np.random.default_rng(SEED).integers(0, 2, (RESAMPLES, count)) * 2 - 1
    extreme = int((np.abs(patterns @ moved) >= abs(moved.sum()) - 1e-9 * np.abs(moved).sum()).sum())
    exact = count <= 20
    p = extreme / len(patterns) if exact else (extreme + 1) / (RESAMPLES + 1)
    return {"p": p, "clusters": count, "exact": exact, "patterns": len(patterns)}


def recompute_comparison(folder_a: Path, folder_b: Path) -> dict[str, Any]:
    """Every number of a comparison, in the shape of the printed object."""
    episodes = [read(folder) for folder in (folder_a, folder_b)]
    all_a, all_b = ({task.id: task for task in tasks_of(each)} for each in episodes)
    pairs = [(all_a[task], all_b[task]) for task in sorted(set(all_a) & set(all_b))]
    gold = [(a, b) for a, b in pairs if a.references and b.references]

    def row(name: str, over: list[tuple[Task, Task]], value: Callable[[Attempt], Number | None]) -> dict[str, Any]:
        known = [
            (a.cluster, x, y) for a, b in over if (x := a.mean(value)) is not None and (y := b.mean(value)) is not None
        ]
        found: dict[str, Any] = {"name": name, "a": None, "b": None, "sign_flip": None}
        found["difference"] = estimate([[(cluster, x - y, Fraction(1)) for cluster, x, y in known]], (-1, 1))
        if known:
            found["a"] = float(sum(x for _, x, _ in known) / Fraction(len(known)))
            found["b"] = float(sum(y for _, _, y in known) / Fraction(len(known)))
            found["sign_flip"] = flips((cluster, x - y) for cluster, x, y in known)
        return found

    sides = [formed(a for a, _ in pairs), formed(b for _, b in pairs)]
    sides[1] = [(a.cluster, top, bottom) for (a, _), (_, top, bottom) in zip(pairs, sides[1], strict=True)]
    won = [a.id for a, b in pairs if a.solved > b.solved]
    lost = [a.id for a, b in pairs if a.solved < b.solved]
    runs_a, runs_b = runs_of(a for a, _ in pairs), runs_of(b for _, b in pairs)
    return {
        "n": len(pairs),
        "clusters": len({a.cluster for a, _ in pairs}),
        "only_a": sorted(set(all_a) - set(all_b)),
        "only_b": sorted(set(all_b) - set(all_a)),
        "infrastructure_errors_a": sum(episode["end"] == "infrastructure_error" for episode in episodes[0]),
        "infrastructure_errors_b": sum(episode["end"] == "infrastructure_error" for episode in episodes[1]),
        "differences": [
            row("sr", pairs, lambda a: Fraction(a.solved)),
            row("g", gold, lambda a: a.g),
            row("ggs", pairs, Attempt.ggs),
            row("ggs_referenced", gold, Attempt.ggs),
            row("guide_tax", pairs, lambda a: a.solved - a.ggs()),
            row("g_aligned", gold, lambda a: a.aligned),
            {
                "name": "ofcr",
                "a": estimate([sides[0]], (0, 1))["value"],
                "b": estimate([sides[1]], (0, 1))["value"],
                "difference": estimate(sides, (-1, 1)),
                "sign_flip": None,
            },
        ],
        "won": won,
        "lost": lost,
        "both": sum(a.solved == b.solved == 1 for a, b in pairs),
        "neither": sum(a.solved == b.solved == 0 for a, b in pairs),
        "mcnemar_ignoring_clusters": binomtest(len(won), len(won + lost)).pvalue if won or lost else 1.0,
        "head_room": room(itertools.product(runs_a, runs_b)),
        "head_room_repeats_a": room(itertools.combinations(runs_a, 2)),
        "head_room_repeats_b": room(itertools.combinations(runs_b, 2)),
    }


def unlike(printed: Any, found: Any, where: str = "", tolerance: float = 1e-9) -> list[str]:
    """Paths at which the printed object and the recomputed one differ, with both values; a missing key counts."""
    if isinstance(found, dict) and isinstance(printed, dict):
        keys = sorted((printed.keys() | found.keys()) - (NOT_SCORES if not where else set()))
        pairs = [(f"{where}.{key}", printed.get(key, "missing"), found.get(key, "missing")) for key in keys]
        return [line for path, one, other in pairs for line in unlike(one, other, path, tolerance)]
    if isinstance(found, list | tuple) and isinstance(printed, list | tuple) and len(found) == len(printed):
        both = zip(printed, found, strict=True)
        return [line for i, (p, f) in enumerate(both) for line in unlike(p, f, f"{where}[{i}]", tolerance)]
    if isinstance(printed, int | float) and isinstance(found, int | float | Fraction):
        if math.isclose(printed, found, rel_tol=tolerance, abs_tol=tolerance):
            return []
        return [f"{where.lstrip('.')}: printed {printed!r}, recomputed {found!r}"]
    return [] if printed == found else [f"{where.lstrip('.')}: printed {printed!r}, recomputed {found!r}"]


if __name__ == "__main__":
    wrong = unlike(json.loads(Path(sys.argv[2]).read_text(encoding="utf-8")), recompute(Path(sys.argv[1])))
    print("\n".join(wrong) or "every score agrees")
    sys.exit(bool(wrong))
