"""What a verification leaves for a CI server and for people: JUnit XML, lines, pictures of before and after."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from xml.etree import ElementTree

from guideact.errors import InputError
from guideact.guides.guide import picture_of
from guideact.guides.locate import alike
from guideact.guides.publish.pictures import cut
from guideact.guides.verify import Verdict

_ILLEGAL = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def lines_of(verdict: Verdict) -> list[str]:
    """A verdict for the terminal."""
    guide, problem = verdict.guide, verdict.problem
    if problem is None:
        how = "" if verdict.judged else " (nothing could tell whether its end is right)"
        return [f"ok     {guide.id}: {len(guide.steps)} steps, {verdict.seconds:.1f} s{how}"]
    found = [f"BROKEN {guide.id}, step {problem.step + 1} of {len(guide.steps)}: {problem.message}"]
    found.append(f"       says: {guide.steps[problem.step].sentence}")
    found += [f"       there now: {', '.join(problem.here)}"] if problem.here else []
    return found


def junit(verdicts: Sequence[Verdict], errors: Sequence[tuple[str, str]] = ()) -> str:
    """JUnit XML: a test case a guide; `errors` are guides that could not be verified, with the reason."""
    broken = sum(not verdict.holds for verdict in verdicts)
    suite = ElementTree.Element(
        "testsuite",
        name="guides",
        tests=str(len(verdicts) + len(errors)),
        failures=str(broken),
        errors=str(len(errors)),
        time=f"{sum(verdict.seconds for verdict in verdicts):.3f}",
    )
    for verdict in verdicts:
        case = ElementTree.SubElement(
            suite, "testcase", classname="guideact", name=_clean(verdict.guide.id), time=f"{verdict.seconds:.3f}"
        )
        if verdict.problem is not None:
            failure = ElementTree.SubElement(
                case,
                "failure",
                type=verdict.problem.kind,
                message=_clean(f"step {verdict.problem.step + 1}: {verdict.problem.message}"),
            )
            failure.text = _clean("\n".join(lines_of(verdict)))
    for name, reason in errors:
        case = ElementTree.SubElement(suite, "testcase", classname="guideact", name=_clean(name))
        ElementTree.SubElement(case, "error", message=_clean(reason))
    root = ElementTree.Element("testsuites")
    root.append(suite)
    ElementTree.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(root, encoding="unicode") + "\n"


def pictures(verdict: Verdict, source: Path, out: Path) -> tuple[Path, ...]:
    """Pictures of the step that broke, before (from the guide) and after (as it is now), written into a folder.

    `source` holds the guide's own pictures. Raises InputError where `out` cannot be written.
    """
    if verdict.problem is None:
        return ()
    step = verdict.guide.steps[verdict.problem.step]
    name = f"{verdict.guide.id}-step-{verdict.problem.step + 1:02}"
    written = {}
    if step.image:
        written[f"{name}-before.png"] = cut(picture_of(source, step.image), step, kind="png").data
    shot = verdict.after.screenshot if verdict.after is not None else None
    if verdict.after is not None and shot is not None and shot.png:
        likely = alike(step, verdict.after)[:1]
        box = likely[0].candidate.box if likely and likely[0].score >= 0.25 else None
        now = step.model_copy(update={"box": None, "point": None, "viewport": verdict.after.viewport})
        written[f"{name}-after.png"] = cut(shot.png, now, box=box, kind="png", whole=box is None).data
    try:
        out.mkdir(parents=True, exist_ok=True)
        for file, data in written.items():
            (out / file).write_bytes(data)
    except OSError as error:
        raise InputError(f"{out} cannot be written: {error.strerror}", fix="Give another --out.") from error
    return tuple(out / file for file in written)


def _clean(text: str) -> str:
    """Text that XML can hold."""
    return _ILLEGAL.sub("\ufffd", text)
