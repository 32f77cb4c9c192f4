"""Guides drafted by a model: what it is shown and asked, what rules reject, and what becomes of both."""

from __future__ import annotations

import base64
import hashlib
import io
import json
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from guideact.data import Manifest, open_dataset, write_dataset
from guideact.gold.draft import fault_of, is_instruction, is_one_sentence, prompt_of, said_of
from guideact.types import Click, GoBack, Mark, Observation, PressEnter, Screenshot, Scroll, Select, Type
from tests.cli.calling import call, one_line, spawn
from tests.data.made_data import made_ledger, made_task
from tests.models.endpoint import Behaviour, endpoint
from tests.models.wire import KEY, completion, openai_server
from tests.tasks.pages import candidate, line, page


def seen() -> Observation:
    return page(
        candidate(1, "searchbox", "Search", 10, 10),
        candidate(2, "button", "Add to Cart", 120, 10),
        candidate(3, "button", "Add to Wish List", 240, 10),
        candidate(4, "textbox", "Password", 360, 10),
        candidate(5, "button", "Save", 480, 10),
        line("It costs $25", 10, 60),
    )


def step(action: Any, target: int | None = None) -> Any:
    _, steps = made_task(1)
    observation = seen()
    found = None if target is None else observation.candidates[target - 1]
    return steps[0].model_copy(
        update={
            "observation": observation,
            "action": action,
            "point": found.point if found else None,
            "box": found.box if found else None,
        }
    )


CART = step(Click(target=Mark(mark=2)), 2)
SEARCH = step(Type(target=Mark(mark=1), text="tea"), 1)


@pytest.mark.parametrize(
    ("guide", "rule"),
    [
        ("Click “Add to Cart” below the price.", None),
        ("In the box on the right, press Add to Cart.", None),
        ("To buy it, click the button that puts it into your cart.", None),
        ("Click it.", "not_one_sentence"),
        ("Click “Add to Cart” below the price", "not_one_sentence"),
        ("Click “Add to Cart” below the price. Then look at the cart.", "not_one_sentence"),
        ("Click “Add to Cart”, e.g. with the mouse.", None),
        ("I click “Add to Cart” below the price.", "not_an_instruction"),
        ("The agent clicks “Add to Cart” below the price.", "not_an_instruction"),
        ("You should click “Add to Cart” below the price.", "not_an_instruction"),
        ("Clicking “Add to Cart” buys it.", "not_an_instruction"),
        ("Click “Add to Cart” at (640, 360).", "leak"),
        ("Click [2], the button “Add to Cart”.", "leak"),
        ("Click the <script>alert(1)</script> “Add to Cart”.", "leak"),
        ("Click \x1b[31m“Add to Cart” below the price.", "unreadable"),
        ("Click “Add to Cart” below \u202ethe price.", "unreadable"),
        ("Click “Add to Cart”, for it costs $25.", "gives_away"),
        ("Scroll to where “Add to Cart” is shown.", "wrong_action"),
        ("Click “Add to Wish List” below the price.", "wrong_element"),
        ("Click Add to Wish List below the price.", "wrong_element"),
        ("Click “Save” at the right.", "wrong_element"),
        ("Click the entry “Reviews” at the right.", "wrong_element"),
    ],
)
def test_the_rules(guide: str, rule: str | None) -> None:
    found = fault_of(guide, CART, intent="Buy the tea", answer="$25")
    assert (found[0] if found else None) == rule, found


def test_what_is_typed_names_nothing_and_an_answer_that_is_typed_is_no_secret_there() -> None:
    save = step(Type(target=Mark(mark=1), text="Save"), 1)
    assert fault_of("Type “Save” into the field “Search”.", save, intent="Find it", answer="Save") is None
    assert fault_of("Type “Save” into the button “Save”.", step(Type(target=Mark(mark=1), text="x"), 1), intent="") == (
        "wrong_element",
        "it speaks of 'Save', and the step acts on 'Search'",
    )
    assert fault_of("Click “Add to Cart”, for it costs $25.", CART, intent="Buy it for $25", answer="$25") is None


def test_a_password_is_neither_told_to_the_model_nor_let_through() -> None:
    secret = step(Type(target=Mark(mark=4), text="s3cret-word"), 4)
    demo, _ = made_task(1)
    assert "s3cret-word" not in prompt_of(demo, secret, []).user
    found = fault_of("Type “s3cret-word” into “Password”.", secret, intent="Sign in")
    assert found is not None
    assert found[0] == "gives_away"


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("Click “Go.” now.", True),
        ("Click it! Then go.", False),
        ("点击“保存”按钮。", True),
        ("点击“保存”。然后返回。", False),
        ("Type “Is it? Yes” there.", True),
        ("Click it\nnow.", False),
    ],
)
def test_one_sentence(text: str, whole: bool) -> None:
    assert is_one_sentence(text) is whole


def test_instructions_in_chinese() -> None:
    assert is_instruction("在页面右侧点击“保存”按钮。")
    assert not is_instruction("我点击“保存”按钮。")


@pytest.mark.parametrize(
    ("action", "target", "said"),
    [
        (Click(target=Mark(mark=2)), 2, 'click the button "Add to Cart"'),
        (Select(target=Mark(mark=1), option="Ten"), 1, 'select "Ten" in the searchbox "Search"'),
        (Scroll(direction="down"), None, "scroll down"),
        (PressEnter(), None, "press enter"),
        (GoBack(), None, "go back"),
    ],
)
def test_a_step_in_words(action: Any, target: int | None, said: str) -> None:
    assert said_of(step(action, target)) == said


# --- against a server that speaks chat completions --------------------------------------------------------------


def dataset(folder: Path, source: str = "embedded") -> Path:
    """Two tasks, with screenshots."""
    out = io.BytesIO()
    Image.new("RGB", (1440, 900), "white").save(out, "PNG")
    png = out.getvalue()
    shot = Screenshot(sha256=hashlib.sha256(png).hexdigest(), width=1440, height=900)
    made = [made_task(1), made_task(2, "test")]
    steps = [
        each.model_copy(update={"observation": each.observation.model_copy(update={"screenshot": shot})})
        for _, own in made
        for each in own
    ]
    demos = [demo for demo, _ in made]
    manifest = Manifest(name="made", licence="Apache-2.0", source=source)
    write_dataset(
        folder,
        manifest,
        demos,
        steps,
        made_ledger(*demos),
        picture=lambda _: png,
        card=lambda each, verbs: f"# {each.name}\n",
    )
    return folder


def drafting(asked: list[dict[str, Any]]) -> Behaviour:
    """Describes each step; the first sentence for the button names the field, and no sentence for the end will do."""

    async def respond(request: Request) -> Response:
        body = json.loads(await request.body())
        content = body["messages"][-1]["content"]
        parts = content if isinstance(content, list) else [{"type": "text", "text": content}]
        text = next(part["text"] for part in parts if part["type"] == "text")
        asked.append({"text": text, "images": [part for part in parts if part["type"] == "image_url"], **body})
        guide = "Press “Go”, right of the search field."
        if "This step: type" in text:
            guide = "Type the number into the field “Search” at the top."
        elif "This step: finish" in text:
            guide = "It is all done"
        elif "rejected" not in text:
            guide = "Click “Search” at the top."
        return JSONResponse(completion(json.dumps({"rationale": "It leads on.", "guide": guide})))

    return respond


async def test_a_dataset_is_drafted_and_every_rejection_is_in_the_ledger(tmp_path: Path) -> None:
    source, out = dataset(tmp_path / "made"), tmp_path / "drafted"
    asked: list[dict[str, Any]] = []
    server = openai_server()
    async with endpoint(drafting(asked), path=server.path, check=server.check) as there:
        words = ["--model", "openai/gpt-x", "--model-base-url", there.url, "--json", "--max-tokens", "2048"]
        said = await spawn("gold", "draft", str(source), str(out), *words, OPENAI_API_KEY=KEY)
    assert server.refused == []
    assert said.status == 0, said
    told = json.loads(said.out)
    assert (told["tasks"], told["steps"], told["drafted"]) == (2, 6, 4)
    assert {(each["step"], each["rule"]) for each in told["rejections"]} == {
        (1, "wrong_element"),
        (2, "not_one_sentence"),
    }
    drafted = open_dataset(out)
    drafted.verify()
    first, second, last = (each for each in drafted.steps("train"))
    assert first.guides == (
        "Type the number into the field “Search” at the top.",
        "Do step 1.",
        "Step 1 is what to do now.",
    )
    assert first.rationale == "It leads on."
    assert second.guides[0] == "Press “Go”, right of the search field."
    assert (last.guides, last.rationale) == (("Do step 3.", "Step 3 is what to do now."), "")
    fate = drafted.ledger().fates()["made.1"]
    assert fate.steps == {"drafted": 2, "kept": 3, "rejected:not_one_sentence": 3, "rejected:wrong_element": 1}
    assert fate.detail.startswith("step 2 wrong_element: 'Click “Search” at the top.'; step 3 not_one_sentence")
    assert drafted.manifest.source == "embedded+draft"
    assert drafted.manifest.versions["drafted_by"] == "openai/gpt-x"
    # What the model saw: the task, the sentences before, why it was rejected, and the picture with a frame in it.
    steps = [each for each in asked if "This step" in each["text"]]
    assert all('Task: "Look for number' in each["text"] for each in steps)
    again = next(each for each in steps if "rejected" in each["text"])
    assert '1. "Type the number into the field “Search” at the top."' in again["text"]
    assert "wrong element: it speaks of 'Search'" in again["text"]
    framed = base64.b64decode(steps[0]["images"][0]["image_url"]["url"].partition(",")[2])
    colours = Image.open(io.BytesIO(framed)).getcolors()
    assert colours is not None
    assert (208, 16, 16) in [colour for _, colour in colours]
    assert KEY not in said.out + said.err


async def test_the_planners_sentences_of_an_import_give_way(tmp_path: Path) -> None:
    source, out = dataset(tmp_path / "made", "opagent"), tmp_path / "drafted"
    async with endpoint(drafting([])) as there:
        words = ["--model", "openai/gpt-x", "--model-base-url", there.url, "--no-screenshots"]
        said = await spawn("gold", "draft", str(source), str(out), "made.1", *words)
    assert said.status == 0, said
    assert "2 of 3 steps of 1 tasks drafted" in said.out
    steps = list(open_dataset(out).steps())
    assert [len(each.guides) for each in steps] == [1, 1, 2]


async def test_a_rationale_that_steers_terminals_is_rejected(tmp_path: Path) -> None:
    source, out = dataset(tmp_path / "made"), tmp_path / "drafted"

    async def respond(request: Request) -> Response:
        guide = "Type the number into the field “Search” at the top."
        return JSONResponse(completion(json.dumps({"rationale": "It \x1b[2J leads on.", "guide": guide})))

    async with endpoint(respond) as there:
        words = ["--model", "openai/gpt-x", "--model-base-url", there.url, "--no-screenshots", "--json"]
        said = await spawn("gold", "draft", str(source), str(out), "made.1", *words)
    assert said.status == 0, said
    told = json.loads(said.out)
    assert told["drafted"] == 0
    assert [each["rule"] for each in told["rejections"] if each["step"] == 0] == ["unreadable"] * 3


def test_what_cannot_be_drafted_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = dataset(tmp_path / "made")
    (tmp_path / "file").write_text("")
    for words, said in (
        (["/nope", str(tmp_path / "out"), "--model", "openai/m"], "is no dataset"),
        ([str(source), str(source), "--model", "openai/m"], "is not empty"),
        ([str(source), str(tmp_path / "out"), "--model", "scripted/noop"], "Use --model with openai/NAME"),
        ([str(source), str(tmp_path / "file" / "out"), "--model", "openai/m"], "file is no folder"),
        ([str(source), str(tmp_path / "out"), "--model", "openai/m", "--temperature", "-5"], "--temperature -5.0: "),
    ):
        result = call(capsys, "gold", "draft", *words)
        assert result.status == 2
        assert said in one_line(result)
