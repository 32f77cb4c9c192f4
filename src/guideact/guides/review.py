"""A mended guide as a change that a person can review: what it says now, why, and pictures of before and after."""

from __future__ import annotations

from pathlib import Path

from guideact.errors import InputError
from guideact.guides.guide import Guide, GuideStep, picture_of
from guideact.guides.publish.markdown import escape
from guideact.guides.publish.pictures import cut
from guideact.guides.repair import Change, Repaired

FILE = "changes.md"


def write_review(folder: Path, old: Guide, source: Path, repaired: Repaired) -> Path:
    """Write `changes.md` and its pictures beside the mended guide; `source` holds the old one's pictures."""
    lines = [f"# {escape(old.title)}", "", f"{len(repaired.changes)} of {len(repaired.guide.steps)} steps changed.", ""]
    try:
        for change in repaired.changes:
            lines += _section(change, folder, source, repaired)
        path = folder / FILE
        path.write_text("\n".join(lines), encoding="utf-8")
    except OSError as error:
        raise InputError(f"{folder} cannot be written: {error.strerror}", fix="Give another --out.") from error
    return path


def _section(change: Change, folder: Path, source: Path, repaired: Repaired) -> list[str]:
    number = change.step + 1
    head = f"## Step {number}" + (" (added)" if change.before is None else "")
    lines = [head, "", f"Why: {escape(change.why)}.", ""]
    if change.before is not None:
        lines += [f"- was: {escape(change.before.sentence)}", f"  target: {_target(change.before)}"]
    lines += [f"- is: {escape(change.after.sentence)}", f"  target: {_target(change.after)}", ""]
    shown = []
    if change.before is not None and change.before.image:
        shown.append(("before", cut(picture_of(source, change.before.image), change.before, kind="png").data))
    if change.after.image and change.after.image in repaired.pictures:
        shown.append(("after", cut(repaired.pictures[change.after.image], change.after, kind="png").data))
    for when, data in shown:
        name = f"change-{number:02}-{when}.png"
        (folder / name).write_bytes(data)
        lines += [f"![{when}]({name})", ""]
    return lines


def _target(step: GuideStep) -> str:
    return escape(f"{step.target.role} “{step.target.name or step.target.text}”") if step.target is not None else "none"
