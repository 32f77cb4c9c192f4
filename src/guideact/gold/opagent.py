"""OpAgent's runs on WebArena, read into a dataset of demonstrations.

A run is a folder `val_<id>` with a `trajectory.json` and, where they were given, its screenshots. What becomes of each
of its steps is counted, so that for every task `source + added = kept + dropped + trimmed + lost`:

| in the run                                  | in the dataset                                             |
|---------------------------------------------|------------------------------------------------------------|
| click, select_option, scroll, go_back       | click, select, scroll, go_back                             |
| type, with `press_enter`                    | type, and a step of its own for Enter (`added:enter`)      |
| press of Enter                              | press_enter                                                |
| goto, hover, zoom, right_click, other keys  | nothing (`dropped:<verb>`): this grammar has no such verb  |
| a step that the runner reported as failed   | nothing (`dropped:error`)                                  |
| a step without a point, or with one outside | nothing (`dropped:no_point`, `dropped:outside`)            |
| the answer                                  | finish (`added:finish`)                                    |
| all steps of a task that `--drop-task` cost | nothing (`lost:unmappable`)                                |

The runs were made at 1440 px of width, and the pictures are 1200 px wide: points are scaled to the pictures, so that a
pixel is a pixel. The planner's instruction for a step becomes the draft of its guide. Points are all there is: no
boxes.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path

from PIL import Image

from guideact import __version__
from guideact.data import DemoStep, DemoTask, Entry, Ledger, Manifest, skeleton_of
from guideact.errors import InputError
from guideact.gold.opagent_runs import ActionRecord, Run, read_runs
from guideact.tasks.catalogue import split_of
from guideact.tasks.webarena.tasks import AND
from guideact.types import (
    MAX_STEPS,
    Action,
    Click,
    Finish,
    GoBack,
    Observation,
    Point,
    PressEnter,
    Screenshot,
    Scroll,
    Select,
    Task,
    Type,
    Viewport,
)

STAGES = ("listed", "succeeded", "answered", "mapped", "frozen")
ENTER_DRAFT = "Press Enter to send off what you typed."
RUN_WIDTH, RUN_HEIGHTS = 1440, (900, 1200)
PICTURE_WIDTH = 1200
_PORTS = {
    "7770": "shopping",
    "7780": "shopping_admin",
    "8023": "gitlab",
    "9999": "reddit",
    "3000": "map",
    "8888": "wikipedia",
}
_HOST = re.compile(r"http://ecs_ip:(\d+)")
_WITH_POINT = frozenset({"click", "type", "select_option"})


@dataclass(frozen=True)
class Choices:
    """What the papers do not say, and a user may choose."""

    drop_task: bool = False
    """Leave a task out whole where one of its steps has no counterpart, instead of dropping the step."""
    keep_note: bool = False
    """Let the instruction of a dropped step begin the guide of the step after it."""
    join_enter: bool = False
    """Drop the Enter of a `type` (`joined:enter`) instead of making a step of it."""
    trim_loops: bool = False
    """Cut out what lies between a step and its repetition on the same page (`trimmed`)."""


@dataclass(frozen=True)
class _Draft:
    """A step on its way: what is known of it before it is numbered."""

    action: Action
    url: str
    guide: str = ""
    picture: Path | None = None


@dataclass(frozen=True)
class Imported:
    """One run as it was read."""

    entry: Entry
    task: DemoTask | None = None
    steps: tuple[DemoStep, ...] = ()
    pictures: Mapping[str, Path] = field(default_factory=dict)
    """Screenshots by the SHA-256 of their bytes."""


def import_runs(folder: Path, choices: Choices) -> tuple[Imported, ...]:
    """Read all runs of a folder. Raises InputError, naming file and field, for one that is damaged."""
    return tuple(import_run(run, choices) for run in read_runs(folder))


def import_run(run: Run, choices: Choices) -> Imported:
    """What becomes of one run. Raises InputError for a picture that is none."""
    counts: Counter[str] = Counter(source=len(run.actions))

    def lost(stage: str, reason: str, detail: str = "", steps: Mapping[str, int] | None = None) -> Imported:
        return Imported(Entry(task_id=run.task_id, stage=stage, reason=reason, detail=detail, steps=dict(steps or {})))

    if run.score != 1:
        return lost("listed", "failed")
    if run.answer is None:
        return lost("succeeded", "no_answer")
    height = _run_height(run)
    drafts, unmapped, note = _drafts(run, height, choices, counts)
    if unmapped and choices.drop_task:
        gone = {"source": len(run.actions), "lost:unmappable": len(run.actions)}
        return lost("answered", "unmappable", ", ".join(unmapped), gone)
    if choices.trim_loops:
        drafts = _without_loops(drafts, counts)
    end = len(run.actions)
    drafts.append(_Draft(Finish(answer=run.answer), _page_before(run, end), note, _picture(run, end)))
    counts["added:finish"] += 1
    counts["kept"] = len(drafts)
    task = _task(run)
    viewport = Viewport(width=PICTURE_WIDTH, height=height * PICTURE_WIDTH // RUN_WIDTH)
    steps, pictures = _steps(task, drafts, viewport)
    long = f"{len(steps)} steps, more than {MAX_STEPS}" if len(steps) > MAX_STEPS else ""
    entry = Entry(task_id=run.task_id, stage=STAGES[-1], detail=long, steps=dict(sorted(counts.items())))
    demo = DemoTask(task=task, steps=len(steps), skeleton=tuple(skeleton_of(step) for step in steps))
    return Imported(entry, demo, steps, pictures)


def ledger_of(imported: Iterable[Imported]) -> Ledger:
    """The ledger of an import."""
    return Ledger(stages=STAGES, entries=tuple(one.entry for one in imported))


def manifest_of(name: str) -> Manifest:
    """What a dataset of imported runs says of itself, before its files are written."""
    return Manifest(
        name=name,
        licence="Apache-2.0",
        source="opagent",
        grounding="coord",
        viewport=Viewport(width=PICTURE_WIDTH, height=RUN_HEIGHTS[0] * PICTURE_WIDTH // RUN_WIDTH),
        versions={"guideact": __version__, "pyarrow": version("pyarrow")},
    )


def picture_of(imported: Iterable[Imported]) -> Callable[[str], bytes]:
    """A function that gives the bytes of a screenshot by their SHA-256."""
    places = {name: path for one in imported for name, path in one.pictures.items()}
    return lambda name: places[name].read_bytes()


# --- the pages and pictures of a run -----------------------------------------------------------------------------


def _run_height(run: Run) -> int:
    """The height of the viewport: told by a picture, otherwise by whether any point needs the taller one."""
    picture = _picture(run, 0)
    if picture is not None:
        width, height = _size(picture)
        return height * RUN_WIDTH // width
    points = [record.action.params.coords for record in run.actions]
    return RUN_HEIGHTS[any(point is not None and point[1] >= RUN_HEIGHTS[0] for point in points)]


def _page_before(run: Run, index: int) -> str:
    """The page a step was taken on: `page_url` is the one that it led to."""
    return _placeholders(run.actions[index - 1].page_url) if index else _start(run)


def _start(run: Run) -> str:
    """The page on top at the start; behind it, in further tabs, there may be others."""
    return _placeholders(run.config.start_url.split(AND)[0])


def _placeholders(url: str) -> str:
    return _HOST.sub(lambda found: f"__{_PORTS[found[1]].upper()}__" if found[1] in _PORTS else found[0], url)


def _picture(run: Run, index: int) -> Path | None:
    """The screenshot before a step. The files end in .jpg, whatever the trajectory calls them."""
    path = run.folder / "images" / f"screenshot_{index}.jpg"
    return path if path.is_file() else None


# --- mapping ----------------------------------------------------------------------------------------------------


def _drafts(run: Run, height: int, choices: Choices, counts: Counter[str]) -> tuple[list[_Draft], list[str], str]:
    """The steps that have a counterpart, the verbs that have none, and the note that is left for the answer."""
    drafts: list[_Draft] = []
    unmapped: list[str] = []
    note = ""
    for index, record in enumerate(run.actions):
        instruction = " ".join(((record.planner_output and record.planner_output.instruction) or "").split())
        action, why = _action(record, height)
        if action is None:
            counts[f"dropped:{why}"] += 1
            if why not in ("error", "no_point", "outside"):
                unmapped.append(why)
            if choices.keep_note and instruction:
                note = f"{note} {instruction}".strip()
            continue
        url = _page_before(run, index)
        drafts.append(_Draft(action, url, f"{note} {instruction}".strip(), _picture(run, index)))
        note = ""
        if record.action.params.press_enter:
            counts["joined:enter" if choices.join_enter else "added:enter"] += 1
            if not choices.join_enter:
                # What the page showed between typing and Enter was never kept.
                drafts.append(_Draft(PressEnter(), url, ENTER_DRAFT))
    return drafts, unmapped, note


def _action(record: ActionRecord, height: int) -> tuple[Action | None, str]:
    """The counterpart of an action, or None and what it is counted under."""
    verb, params = record.action.action_type, record.action.params
    if record.error_msg:
        return None, "error"
    point = params.coords
    if point is None and verb in _WITH_POINT:
        return None, "no_point"
    if point is not None and not (0 <= point[0] < RUN_WIDTH and 0 <= point[1] < height):
        return None, "outside"
    scale = PICTURE_WIDTH / RUN_WIDTH
    target = None if point is None else Point(x=round(point[0] * scale, 2), y=round(point[1] * scale, 2))
    match verb, target:
        case "click", Point():
            return Click(target=target), ""
        case "type", Point():
            return Type(target=target, text=params.content or ""), ""
        case "select_option", Point():
            return Select(target=target, option=params.option or ""), ""
        case "scroll", _:
            return Scroll(direction=params.direction or "down", target=target), ""
        case "go_back", _:
            return GoBack(), ""
        case "press", _ if params.key == "Enter":
            return PressEnter(), ""
    return None, verb


def _without_loops(drafts: list[_Draft], counts: Counter[str]) -> list[_Draft]:
    """Cut from a step to its repetition after other pages: who comes back and does the same again has gone in a circle.

    The same done twice on one page is no loop: a calendar turned by two months, a list scrolled on.
    """
    kept: list[_Draft] = []
    for draft in drafts:
        earlier = next(
            (
                place
                for place, other in enumerate(kept)
                if (other.action, other.url) == (draft.action, draft.url)
                and any(between.url != draft.url for between in kept[place:])
            ),
            None,
        )
        if earlier is not None:
            counts["trimmed"] += len(kept) - earlier
            del kept[earlier:]
        kept.append(draft)
    return kept


def _task(run: Run) -> Task:
    template = f"webarena.template.{run.config.intent_template_id}"
    return Task(
        id=run.task_id,
        intent=run.config.intent,
        sites=run.config.sites,
        start_url=_start(run),
        template_id=template,
        split=split_of(template, run.task_id),
        source="opagent",
    )


def _steps(task: Task, drafts: list[_Draft], viewport: Viewport) -> tuple[tuple[DemoStep, ...], dict[str, Path]]:
    steps: list[DemoStep] = []
    pictures: dict[str, Path] = {}
    for index, draft in enumerate(drafts):
        shot = None
        if draft.picture is not None:
            name = hashlib.sha256(draft.picture.read_bytes()).hexdigest()
            width, height = _size(draft.picture)
            shot = Screenshot(sha256=name, width=width, height=height)
            pictures[name] = draft.picture
        target = getattr(draft.action, "target", None)
        steps.append(
            DemoStep(
                task_id=task.id,
                index=index,
                split=task.split,
                observation=Observation(url=draft.url, title="", viewport=viewport, screenshot=shot),
                action=draft.action,
                point=(target.x, target.y) if isinstance(target, Point) else None,
                guides=(draft.guide,) if draft.guide else (),
            )
        )
    return tuple(steps), pictures


def _size(path: Path) -> tuple[int, int]:
    """Width and height of a picture. Raises InputError for a file that is none, or is of another width."""
    try:
        with Image.open(path) as picture:
            picture.load()
            width, height = picture.size
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError) as error:
        raise InputError(f"{path} is no picture", fix="Fetch it anew, or take the folder of pictures away.") from error
    if width != PICTURE_WIDTH:
        raise InputError(
            f"{path} is {width} px wide, not {PICTURE_WIDTH}, so that no point would be where it was",
            fix="Fetch it anew, or take the folder of pictures away.",
        )
    return width, height
