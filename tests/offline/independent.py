"""A second computation of every offline score, from the Parquet files and the predictions alone.

It shares no code with the package: answers are read with `json`, texts and intervals with `independent_scores`, chrF by
sacrebleu, answers by the kinds that the made dataset has.

    found = recompute(folder, [file])        # the shape of `guideact offline score FOLDER FILE --json`
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from datetime import date
from fractions import Fraction
from pathlib import Path
from typing import Any

import pyarrow.parquet as parquet
from sacrebleu.metrics.chrf import CHRF

from tests.harness.independent_scores import estimate, four, tokens

Step = dict[str, Any]
RADII = ("@14", "@25", "@50")
WITH_INTERVALS = ("element", "element@25", "g")
"""The scores whose intervals are computed again, which takes long; of the others only the means are."""
VALUES = {"type": "text", "select": "option", "scroll": "direction", "finish": "answer"}
ORDERS = {
    "action": ["think", "action", "target", "value"],
    "guide": ["think", "guide"],
    "guide-action": ["think", "guide", "action", "target", "value"],
    "action-guide": ["think", "action", "target", "value", "guide"],
}


def recompute(folder: Path, files: Sequence[Path]) -> dict[str, Any]:
    """Counts, measures, faults and the scores of each task."""
    head, rows = read_predictions(files)
    tasks, steps = read_dataset(folder, head["split"])
    points = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))["grounding"] == "coord"
    scored = []
    for row in sorted(rows, key=lambda row: (row["task"], row["index"])):
        task, step = tasks[row["task"]], steps[row["task"], row["index"]]
        cluster = task["template_id"] or task["id"]
        scores, faults = scores_of(task, step, {**head, "radii": RADII if points else [""]}, row)
        scored.append({"task": row["task"], "cluster": cluster, "scores": scores, "faults": faults})
    names = {name for each in scored for name in each["scores"]}
    kinds = Counter(kind for each in scored for kind in each["faults"])
    return {
        "steps": len(scored),
        "tasks": len({each["task"] for each in scored}),
        "clusters": len({each["cluster"] for each in scored}),
        "measures": {name: means(scored, name) for name in sorted(names)},
        "faults": dict(kinds),
        "by_task": by_task(scored),
    }


def read_predictions(files: Sequence[Path]) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    rows: list[dict[str, Any]] = []
    head: dict[str, Any] = {}
    for file in files:
        first, *rest = file.read_text(encoding="utf-8").splitlines()
        head = json.loads(first)
        rows += map(json.loads, rest)
    return head, rows


def read_dataset(folder: Path, split: str) -> tuple[dict[str, Any], dict[tuple[str, int], Step]]:
    tasks = [json.loads(text)["task"] for text in parquet.read_table(folder / "tasks.parquet")["json"].to_pylist()]
    steps = [
        json.loads(text)
        for file in sorted(folder.glob(f"steps-{split}-*.parquet"))
        for text in parquet.read_table(file)["json"].to_pylist()
    ]
    return {task["id"]: task for task in tasks}, {(step["task_id"], step["index"]): step for step in steps}


# --- a step -------------------------------------------------------------------------------------------------------


def scores_of(task: Any, step: Step, head: dict[str, Any], row: Any) -> tuple[dict[str, float], set[str]]:
    order = ORDERS[head["arm"]]
    said, guide, faults = understood(step, head, row, order)
    scores: dict[str, float] = {}
    gold = step["action"]
    target = gold.get("target")
    if "action" in order:
        scores |= for_action(task, step, gold, target, said, head["radii"])
    forced = bool(head["force"])
    if "guide" in order and not forced:
        scores |= for_guide(guide, step["guides"])
    if "guide" in order and "action" in order and not forced:
        scores |= consistency(step, gold, target, said, guide, scores)
    if not forced:
        scores["ofcr"] = float(not faults)
    return scores, faults


def understood(step: Step, head: dict[str, Any], row: Any, order: list[str]) -> tuple[Any, str, set[str]]:
    """The action as a dictionary or None, the guide, and the kinds of faults."""
    try:
        answer = json.loads(row["raw"])
    except ValueError:
        return None, "", {"not_json"}
    faults: set[str] = set()
    guide = answer.get("guide", "") if "guide" in order else ""
    if "guide" in order and not guide:
        faults.add("no_guide")
    # The only leak that the made predictions have: a mark in brackets that stands nowhere on the page.
    page = json.dumps(step["observation"], ensure_ascii=False)
    faults |= {"leak_mark" for mark in re.findall(r"\[\d+\]", guide) if mark not in page}
    if "action" not in order:
        return None, guide, faults
    verb = answer["action"]
    if verb not in (*VALUES, "click", "press_enter", "go_back"):
        return None, guide, faults | {"unknown_verb"}
    target = answer["target"]
    if head["grounding"] == "som" and target and target[0] > len(step["observation"]["candidates"]):
        return None, guide, faults | {"bad_target"}
    return {"verb": verb, "target": target, "value": answer["value"] if verb in VALUES else ""}, guide, faults


def for_action(task: Any, step: Step, gold: Any, target: Any, said: Any, radii: Sequence[str]) -> dict[str, float]:
    gold_value = gold.get(VALUES.get(gold["verb"], ""), "")
    scores: dict[str, float] = {}
    if target is not None:
        hits = where(step, target, None if said is None else said["target"])
        scores |= {f"element{radius}": float(hit) for radius, hit in hits.items()}
    else:
        hits = dict.fromkeys(radii, said is None or said["target"] is None)
    verb = said is not None and said["verb"] == gold["verb"]
    scores["verb"] = float(verb)
    ours = set() if said is None else set(f"{said['verb'].upper()} {said['value']}".split())
    theirs = set(f"{gold['verb'].upper()} {gold_value}".split())
    both = Fraction(len(ours & theirs))
    precision, recall = (both / len(ours) if ours else Fraction(0)), both / len(theirs)
    f1 = float(2 * precision * recall / (precision + recall)) if precision + recall else 0.0
    scores["operation_f1"] = f1
    right = True
    if gold["verb"] in ("type", "select", "scroll"):
        right = verb and said["value"].lower().split() == gold_value.lower().split()
        scores["value"] = float(right)
    if gold["verb"] == "finish":
        asked = task["check"]["answer"]
        if asked is not None or gold_value:
            kind = "money" if asked is None else asked["kind"]
            expected = gold_value if asked is None else asked["expected"][0]
            right = verb and same_answer(kind, said["value"], expected)
            scores["answer"] = float(right)
    for radius, hit in hits.items():
        scores[f"step_success{radius}"] = float(hit and f1 == 1)
        scores[f"action{radius}"] = float(hit and verb and right)
    return scores


def where(step: Step, target: Any, said: Any) -> dict[str, bool]:
    if "mark" in target:
        if said is None:
            return {"": False}
        if len(said) == 1:
            return {"": said[0] == target["mark"]}
        box = step["observation"]["candidates"][target["mark"] - 1]["box"]
        inside = 0 <= said[0] - box["x"] <= box["width"] and 0 <= said[1] - box["y"] <= box["height"]
        return {"": inside}
    if said is None:
        return {"@14": False, "@25": False, "@50": False}
    off = math.hypot(said[0] - target["x"], said[1] - target["y"])
    return {"@14": off <= 14, "@25": off <= 25, "@50": off <= 50}


def same_answer(kind: str, said: str, expected: str) -> bool:
    """For the answers that made predictions give."""
    bare = re.sub(r"^it is ", "", said.strip().lower())
    if kind == "money":
        return bare in (expected, expected.lstrip("$"), f"{expected.lstrip('$')} dollars")
    if kind == "number":
        return bare == expected
    if kind == "date":
        return bare == expected or bare == f"{date.fromisoformat(expected):%B %d, %Y}".lower()
    return bare == expected.lower()


def for_guide(guide: str, references: list[str]) -> dict[str, float]:
    bleu1, bleu2, rouge1, rouge_l = four(guide, tuple(references))
    metric = CHRF(lowercase=True)
    return {
        "bleu1": bleu1,
        "bleu2": bleu2,
        "rouge1": rouge1,
        "rouge_l": rouge_l,
        "g": (bleu1 + bleu2 + rouge1 + rouge_l) / 4,
        "chrf": metric.sentence_score(guide, references).score / 100,
    }


# --- GACS ---------------------------------------------------------------------------------------------------------

HEADS: dict[str, set[str]] = {
    "click": {"press", "use", "click", "look", "点击"},
    "type": {"use"},
    "press_enter": {"press"},
    "scroll": {"go", "below", "page"},
    "finish": set(),
    "select": set(),
    "go_back": set(),
}
"""Of the words of the made guides, those that name each way of acting."""


def consistency(
    step: Step, gold: Any, target: Any, said: Any, guide: str, scores: dict[str, float]
) -> dict[str, float]:
    if said is None or not guide:
        return {"gacs": 0.0, "gacs_all": 0.0}
    right = all(scores.get(name, 1) == 1 for name in ("verb", "value", "answer"))
    parts = {"action": float(right), "head_verb": float(headed(guide, said["verb"]))}
    if target is not None or said["target"] is not None:
        hit = target is not None and scores.get("element", scores.get("element@25", 0)) == 1
        parts["place"] = float(hit)
    candidates = step["observation"]["candidates"]
    number = pointed(candidates, said["target"])
    if number is not None:
        texts = [" ".join((each["name"], each["text"], each["placeholder"], *each["options"])) for each in candidates]
        parts["name"] = named(guide, candidates[number]["name"])
        parts["referent"] = float(told_apart(guide, texts, number))
    whole = all(score >= (0.5 if part == "name" else 1) for part, score in parts.items())
    found = {f"gacs_{part}": score for part, score in parts.items()}
    return {"gacs": sum(parts.values()) / len(parts), "gacs_all": float(whole), **found}


def headed(guide: str, verb: str) -> bool:
    words = list(pieces(guide))
    known = set().union(*HEADS.values())
    return next((word in HEADS[verb] for word in words if word in known), False)


def pieces(text: str) -> list[str]:
    """Tokens, and before each Chinese character the pair that it begins."""
    found = []
    own = tokens(text)
    for at, token in enumerate(own):
        if re.fullmatch("[一-鿿]", token) and at + 1 < len(own) and len(own[at + 1]) == 1:
            found.append(token + own[at + 1])
        found.append(token)
    return found


def pointed(candidates: list[Any], target: Any) -> int | None:
    if target is None:
        return None
    if len(target) == 1:
        return int(target[0]) - 1
    inside = [
        at
        for at, each in enumerate(candidates)
        if 0 <= target[0] - each["box"]["x"] <= each["box"]["width"]
        and 0 <= target[1] - each["box"]["y"] <= each["box"]["height"]
    ]
    return inside[0] if inside else None


def named(guide: str, name: str) -> float:
    wanted, said = list(tokens(name)), list(tokens(guide))
    best = 0.0
    size = min(len(wanted), len(said))
    for at in range(len(said) - size + 1):
        window, left = 0, list(wanted)
        for token in said[at : at + size]:
            if token in left:
                left.remove(token)
                window += 1
        best = max(best, 2 * window / (size + len(wanted)))
    return best


def told_apart(guide: str, texts: list[str], target: int) -> bool:
    said = set(pieces(guide))
    sets = [set(pieces(text)) for text in texts]

    def shared(at: int) -> float:
        total = sum(Fraction(1, sum(word in other for other in sets)) for word in sets[at] & said)
        return float(total) / math.sqrt(len(sets[at])) if sets[at] else 0.0

    own = shared(target)
    rivals = [shared(at) for at in range(len(texts)) if at != target and texts[at] != texts[target]]
    return own > 1e-12 and all(rival < own - 1e-12 for rival in rivals)


# --- means --------------------------------------------------------------------------------------------------------


def means(scored: list[Any], name: str) -> dict[str, Any]:
    having = [each for each in scored if name in each["scores"]]
    rows = [(each["cluster"], each["scores"][name], 1) for each in having]
    per_task: dict[tuple[str, str], list[float]] = defaultdict(list)
    for each in having:
        per_task[each["cluster"], each["task"]].append(each["scores"][name])
    by_tasks = [(cluster, sum(own) / len(own), 1) for (cluster, _), own in per_task.items()]
    return {"micro": mean(rows, name in WITH_INTERVALS), "macro": mean(by_tasks, name in WITH_INTERVALS)}


def mean(rows: list[tuple[str, float, int]], interval: bool) -> dict[str, Any]:
    if interval:
        return estimate([[(cluster, Fraction(value), count) for cluster, value, count in rows]], (0, 1))
    return {"value": math.fsum(row[1] for row in rows) / len(rows), "n": len(rows)}


def by_task(scored: list[Any]) -> dict[str, dict[str, float]]:
    found: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for each in scored:
        for name, value in each["scores"].items():
            found[each["task"]][name].append(value)
    return {task: {name: sum(own) / len(own) for name, own in scores.items()} for task, scores in found.items()}
