"""What was reviewed, back in the form it came in, with the history of every label beside it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from guideact.data.card import card
from guideact.data.shards import open_dataset, write_dataset
from guideact.errors import InputError
from guideact.guides.guide import picture_of, read_guide, write_guide
from guideact.studio.items import Source
from guideact.studio.store import Store
from guideact.studio.work import Outcome, outcomes

LABELS = "labels.jsonl"


def export(store: Store, out: Path) -> dict[str, int]:
    """Write each source with its reviewed sentences into `out/<name>`; returns what became of the steps.

    Counts: `accepted`, `edited`, `rejected` (the step keeps no sentence), `open` (not reviewed or in dispute: the
    draft stays). A step whose action was found wrong is counted in `flagged` as well, and named in the labels.

    Raises InputError where a source is gone, was changed since, or the place is taken.
    """
    counts = dict.fromkeys(("accepted", "edited", "rejected", "open", "flagged"), 0)
    if not store.sources():
        raise InputError(f"{store.folder} holds nothing to export", fix="Add a dataset or a guide first.")
    for source in store.sources():
        found = outcomes(store, source.path)
        for each in found:
            counts[_kind(each)] += 1
            counts["flagged"] += each.final is not None and each.final.flagged
        target = out / source.name
        _write(source, found, target)
        _write_labels(store, found, target / LABELS)
    return counts


def _kind(outcome: Outcome) -> str:
    final = outcome.final
    return "open" if final is None else {"accept": "accepted", "edit": "edited", "reject": "rejected"}[final.decision]


def _write(source: Source, found: Sequence[Outcome], target: Path) -> None:
    by_step = {(each.item.task, each.item.position): each for each in found}
    path = Path(source.path)
    if source.kind == "guide":
        guide = read_guide(path)
        steps = tuple(
            step.model_copy(update={"sentence": _sentence(by_step.get((guide.id, i)), step.sentence)})
            for i, step in enumerate(guide.steps)
        )
        rejected = [i + 1 for i in range(len(steps)) if _rejected(by_step.get((guide.id, i)))]
        note = f"Reviewers reject the sentence of step {', '.join(map(str, rejected))}." if rejected else ""
        reviewed = guide.model_copy(update={"steps": steps, "note": " ".join(filter(None, (guide.note, note)))})
        pictures = {step.image: picture_of(path, step.image) for step in steps if step.image}
        write_guide(target, reviewed, pictures)
        return
    dataset = open_dataset(path)
    dataset.verify()
    rows = []
    for step in [*dataset.steps()]:
        outcome = by_step.get((step.task_id, step.index))
        if _rejected(outcome):
            step = step.model_copy(update={"guides": ()})
        elif outcome is not None and outcome.final is not None:
            text = outcome.final.text
            step = step.model_copy(update={"guides": (text, *(each for each in step.guides if each != text))})
        rows.append(step)
    picture = dataset.image if dataset.manifest.counts.get("images", 0) else None
    target.parent.mkdir(parents=True, exist_ok=True)
    tasks, ledger = dataset.tasks(), dataset.ledger()
    write_dataset(
        target, dataset.manifest, tasks, rows, ledger, picture=picture, card=lambda m, v: card(m, v, tasks, ledger)
    )


def _rejected(outcome: Outcome | None) -> bool:
    return outcome is not None and outcome.final is not None and outcome.final.decision == "reject"


def _sentence(outcome: Outcome | None, draft: str) -> str:
    final = outcome.final if outcome is not None else None
    return draft if final is None or final.decision == "reject" else final.text


def _write_labels(store: Store, found: Sequence[Outcome], path: Path) -> None:
    """A line for each label ever given to a step: whose, when, and whether it is the step's final one."""
    lines = []
    for each in found:
        final = each.final
        for label in store.labels(each.number):
            line: Mapping[str, object] = {
                "task": each.item.task,
                "position": each.item.position,
                "draft": each.item.draft,
                **label.model_dump(exclude={"item"}),
                "final": final is not None and label == final,
            }
            lines.append(json.dumps(line, ensure_ascii=False) + "\n")
    path.write_text("".join(lines), encoding="utf-8")
