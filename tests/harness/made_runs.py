"""Random but valid episodes and run folders, for tests of everything that reads a run.

    episodes = made_episodes(seed=1, tasks=12, samples=3)
    folder = write_run(tmp_path / "run", episodes)                 # run.json and episodes.jsonl
    folder = write_run(tmp_path / "run", episodes, files=True)     # and steps/ and images/, as a report needs them

The same arguments always give the same bytes. Nothing here is drawn from a site: the tasks, pages and guides are
invented, with what a reader of runs must cope with: awkward characters, two languages, tasks without gold, malformed
steps, typed outcomes, state changes, and infrastructure errors.
"""

from __future__ import annotations

import hashlib
import io
import json
import random
from collections.abc import Sequence
from pathlib import Path

from PIL import Image, ImageDraw

from guideact.harness.log import Manifest
from guideact.types import (
    Action,
    Box,
    Candidate,
    CheckPart,
    CheckResult,
    Click,
    Episode,
    Fault,
    Finish,
    GoBack,
    Locator,
    Mark,
    Observation,
    Outcome,
    Point,
    PressEnter,
    RowChange,
    Screenshot,
    Scroll,
    Select,
    Step,
    TextLine,
    Type,
    Usage,
)

SITES: tuple[tuple[str, ...], ...] = (("shopping",), ("shopping_admin",), ("shopping", "shopping_admin"))

NAMES = (
    "Add to Cart",
    "My Account",
    "Save <b>now</b> & close",
    "Écru mug — 12 oz",
    "Search",
    "Order #000000187",
    "Checkout",
)
PLACES = ("at the top of the page", "in the left column", "under the picture", "beside the price", "in the header")
SIGNS = (
    "The cart shows one more item.",
    "A green message appears.",
    "The list gets shorter.",
    "The page of the order opens.",
)
NAMES_ZH = ("加入购物车", "我的账户", "搜索", "订单详情", "结账")
PLACES_ZH = ("页面顶部", "左侧栏", "图片下方", "价格旁边")

FAULTS = (
    Fault(kind="not_json", detail="the answer holds no JSON object"),
    Fault(kind="unknown_verb", detail="'hover' is no verb"),
    Fault(kind="leak_mark", detail="the guide says 'mark 7'"),
    Fault(kind="leak_coordinate", detail="the guide says '(120, 340)'"),
)
OUTCOMES = (
    Outcome(code="covered", detail="Something else lies over the element."),
    Outcome(code="no_such_mark", detail="The page shows no such mark."),
    Outcome(code="option_missing", detail="The list has no such option."),
)


def made_candidates(rng: random.Random, count: int) -> tuple[Candidate, ...]:
    """`count` buttons and links in a grid, numbered in reading order."""
    made = []
    for number in range(1, count + 1):
        column, row = (number - 1) % 4, (number - 1) // 4
        box = Box(x=40 + 340 * column, y=60 + 90 * row, width=300, height=50)
        role, name = rng.choice(("button", "link")), rng.choice(NAMES)
        made.append(
            Candidate(
                mark=number,
                role=role,
                name=name,
                text=name,
                tag="button" if role == "button" else "a",
                box=box,
                point=box.centre,
                locator=Locator(role=role, name=name, css=f"#n{number}", text=name),
            )
        )
    return tuple(made)


def made_references(rng: random.Random, steps: int, *, chinese: bool) -> tuple[tuple[str, ...], ...]:
    """Two or three reference sentences for each of `steps` gold steps."""
    gold = []
    for _ in range(steps):
        count = rng.choice((2, 2, 3))
        if chinese:
            name = rng.choice(NAMES_ZH)
            forms = [
                f"点击{rng.choice(PLACES_ZH)}的“{name}”。",
                f"在{rng.choice(PLACES_ZH)}找到“{name}”并点击它。",
                f"请选择“{name}”，等待页面更新。",
            ]
        else:
            name = rng.choice(NAMES)
            forms = [
                f'Click "{name}" {rng.choice(PLACES)}. {rng.choice(SIGNS)}',
                f"Find {name} {rng.choice(PLACES)} and click it.",
                f"Choose {name}; it stands {rng.choice(PLACES)}.",
            ]
        gold.append(tuple(forms[:count]))
    return tuple(gold)


def made_action(rng: random.Random, candidates: Sequence[Candidate], grounding: str) -> tuple[Action, Candidate | None]:
    """A valid action and the candidate it points at."""
    chosen = rng.choice(candidates)
    target = Mark(mark=chosen.mark) if grounding == "som" else Point(x=chosen.point[0], y=chosen.point[1])
    match rng.choice(("click", "click", "click", "type", "select", "scroll", "press_enter", "go_back")):
        case "click":
            return Click(target=target), chosen
        case "type":
            return Type(target=target, text=rng.choice(("12", "red mug", "emma@example.com", "“quoted”"))), chosen
        case "select":
            return Select(target=target, option=rng.choice(("Blue", "Price: low to high"))), chosen
        case "scroll":
            return Scroll(direction=rng.choice(("down", "up"))), None
        case "press_enter":
            return PressEnter(), None
        case _:
            return GoBack(), None


def made_guide(rng: random.Random, references: Sequence[Sequence[str]], index: int) -> str:
    """A guide sentence near (or far from) the reference of the step, sometimes empty."""
    if not references or rng.random() < 0.2:
        return rng.choice(("", "Click the button.", "Open the page of the order.", "点击按钮。"))
    step = references[min(index, len(references) - 1)]
    words = rng.choice(step).split(" ")
    return " ".join(word for word in words if rng.random() < 0.85)


def made_step(
    rng: random.Random, index: int, references: Sequence[Sequence[str]], *, last: bool, grounding: str, where: str
) -> tuple[Step, Observation]:
    """A step and the observation it was decided on."""
    candidates = made_candidates(rng, rng.randint(4, 12))
    url = f"http://shopping.localhost/page/{rng.randint(1, 30)}?q=a%20b"
    faults: tuple[Fault, ...] = ()
    action: Action | None
    action, target = (Finish(answer="$24.99"), None) if last else made_action(rng, candidates, grounding)
    if rng.random() < 0.15:
        faults = tuple(rng.sample(FAULTS[2:] if last else FAULTS, rng.choice((1, 1, 2))))
        if not all(fault.kind.startswith("leak") for fault in faults):
            action, target = None, None
    outcome: Outcome | None = None
    if action is None:
        outcome = Outcome(code="malformed", detail="The answer could not be read, so nothing was done.")
    elif rng.random() < 0.15 and not last:
        outcome = rng.choice(OUTCOMES)
    changes: tuple[RowChange, ...] = ()
    if action is not None and outcome is None and rng.random() < 0.3:
        row = {"cart_id": 1, "product_id": rng.randint(1, 300), "quantity": 1, "note": "<script>alert(1)</script>"}
        changes = (RowChange(site="shopping", table="cart_item", op="insert", key=f"{index}", after=row),)
    guide = made_guide(rng, references, index)
    verb = "" if action is None else action.verb
    raw = json.dumps({"think": "so", "action": verb, "target": None, "value": None, "guide": guide}, ensure_ascii=False)
    observation = Observation(
        url=url,
        title=f"Page {index} <of> the shop",
        candidates=candidates,
        texts=(TextLine(text="Free shipping & returns", box=Box(x=40, y=10, width=400, height=24)),),
    )
    step = Step(
        index=index,
        url=url,
        title=observation.title,
        observation=f"{where}/{index:02}.json",
        prompt_sha256=hashlib.sha256(f"{where}{index}".encode()).hexdigest(),
        raw=raw,
        think="The target is in view.",
        action=action,
        guide=guide,
        faults=faults,
        target=target,
        outcome=outcome,
        changes=changes,
        timings={
            "observe": round(rng.uniform(20, 80), 3),
            "model": round(rng.uniform(5, 900), 3),
            "act": round(rng.uniform(5, 90), 3),
            "settle": round(rng.uniform(5, 200), 3),
        },
        usage=made_usage(rng),
    )
    return step, observation


def made_usage(rng: random.Random) -> Usage:
    read, written = rng.randint(800, 3000), rng.randint(30, 200)
    return Usage(input_tokens=read, output_tokens=written, cost=(2 * read + 8 * written) / 1e6)


def made_episode(
    rng: random.Random,
    *,
    task: int,
    sample: int = 0,
    template: int = 0,
    sites: tuple[str, ...] = ("shopping",),
    references: tuple[tuple[str, ...], ...] = (),
    gold_steps: int = 4,
    success: float = 0.5,
    infrastructure: float = 0.0,
    grounding: str = "som",
) -> Episode:
    """One attempt at the task of that number; `success` and `infrastructure` are probabilities."""
    task_id = f"{sites[0]}.made-{task:03}"
    broken = rng.random() < infrastructure
    solved = not broken and rng.random() < success
    count = rng.randint(0, 3) if broken else max(1, gold_steps + rng.randint(-1, 3))
    finished = solved or rng.random() < 0.6
    where = f"steps/{task_id}/{sample}"
    steps = []
    for index in range(count):
        last = finished and not broken and index == count - 1
        step, _ = made_step(rng, index, references, last=last, grounding=grounding, where=where)
        steps.append(step)
    parts = (
        CheckPart(part="answer", passed=solved, reason="" if solved else "the answer is '$1.00', expected '$24.99'"),
        CheckPart(part="state", passed=True),
    )
    return Episode(
        task_id=task_id,
        sample=sample,
        template_id=f"template-{template}",
        sites=sites,
        intent=f"What does the écru mug no. {task} cost? Answer in <dollars> & cents.",
        steps=tuple(steps),
        answer="$24.99" if solved else "",
        end="infrastructure_error" if broken else "finished" if finished else "out_of_steps",
        check=None if broken else CheckResult(passed=solved, parts=parts),
        changes=tuple(change for step in steps for change in step.changes),
        references=references,
        gold_steps=gold_steps,
        seconds=round(sum(sum(step.timings.values()) for step in steps) / 1000 + 0.5, 4),
        attempts=3 if broken else 1,
        error="the site answered 503" if broken else "",
    )


def made_episodes(
    seed: int = 0,
    *,
    tasks: int = 12,
    samples: int = 1,
    templates: int = 5,
    success: float = 0.5,
    infrastructure: float = 0.05,
    without_gold: float = 0.1,
    chinese: float = 0.15,
    grounding: str = "som",
    skill: int | None = None,
) -> list[Episode]:
    """Episodes of `tasks` tasks over `templates` templates, `samples` attempts each, in task order.

    `seed` fixes the tasks and their gold; `skill` (by default the seed again) what the agent did with them: two
    calls that differ in `skill` or `success` alone are two arms over the same tasks.
    """
    world = random.Random(f"world {seed}")
    episodes = []
    for task in range(tasks):
        template = world.randrange(templates)
        gold_steps = world.choice((2, 3, 4, 6, 9, 12, 17))
        references = made_references(world, gold_steps, chinese=world.random() < chinese)
        if world.random() < without_gold:
            references, gold_steps = (), 0
        for sample in range(samples):
            rng = random.Random(f"agent {seed if skill is None else skill} {task} {sample} {success} {grounding}")
            episodes.append(
                made_episode(
                    rng,
                    task=task,
                    sample=sample,
                    template=template,
                    sites=SITES[template % len(SITES)],
                    references=references,
                    gold_steps=gold_steps,
                    success=success,
                    infrastructure=infrastructure,
                    grounding=grounding,
                )
            )
    return episodes


def made_png(rng: random.Random, candidates: Sequence[Candidate]) -> bytes:
    """A 1440x900 picture of the candidates with their marks."""
    image = Image.new("RGB", (1440, 900), (rng.randint(225, 255), 248, 250))
    draw = ImageDraw.Draw(image)
    for candidate in candidates:
        box = candidate.box
        draw.rectangle((box.x, box.y, box.x + box.width, box.y + box.height), outline=(200, 30, 30), width=2)
        draw.text((box.x + 6, box.y + 6), str(candidate.mark), fill=(0, 0, 0))
    stream = io.BytesIO()
    image.save(stream, format="PNG")
    return stream.getvalue()


def write_run(folder: Path, episodes: Sequence[Episode], *, files: bool = False, **manifest: object) -> Path:
    """A run folder that holds `episodes`; `files` adds the observations and the pictures of every step.

    `manifest` adds to or replaces fields of run.json, for instance `format=2`.
    """
    folder.mkdir(parents=True, exist_ok=True)
    made = Manifest(
        model="scripted/made",
        grounding="som",
        memory="guides",
        config={"model": "scripted/made", "grounding": "som"},
        tasks=tuple(dict.fromkeys(episode.task_id for episode in episodes)),
        epochs=1 + max((episode.sample for episode in episodes), default=0),
        created="2026-03-16T10:00:00+00:00",
    )
    run = {**made.model_dump(mode="json"), **manifest}
    (folder / "run.json").write_text(json.dumps(run, indent=2) + "\n", encoding="utf-8")
    if files:
        episodes = [_with_files(folder, episode) for episode in episodes]
    lines = [episode.model_dump_json() + "\n" for episode in episodes]
    (folder / "episodes.jsonl").write_text("".join(lines), encoding="utf-8")
    return folder


def _with_files(folder: Path, episode: Episode) -> Episode:
    """The episode with a picture and an observation on disk for each of its steps."""
    steps = []
    for step in episode.steps:
        rng = random.Random(f"files {episode.task_id} {episode.sample} {step.index}")
        candidates = made_candidates(rng, 12)
        png = made_png(rng, candidates)
        sha = hashlib.sha256(png).hexdigest()
        image = folder / "images" / f"{sha}.png"
        image.parent.mkdir(exist_ok=True)
        image.write_bytes(png)
        observation = Observation(
            url=step.url,
            title=step.title,
            candidates=candidates,
            texts=(TextLine(text="Free shipping & returns", box=Box(x=40, y=10, width=400, height=24)),),
            screenshot=Screenshot(sha256=sha, width=1440, height=900),
        )
        path = folder / step.observation
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(observation.model_dump_json(), encoding="utf-8")
        steps.append(step.model_copy(update={"screenshot": f"images/{sha}.png"}))
    return episode.model_copy(update={"steps": tuple(steps)})
