"""Recordings of other tools: what goes out comes in again, and what cannot be had is said."""

from __future__ import annotations

import ast
import json
from pathlib import Path

import pytest

from guideact.errors import InputError
from guideact.guides.exchange import read_foreign
from guideact.guides.exchange.codegen import read_codegen, write_codegen
from guideact.guides.exchange.recorder import read_recording, write_recording
from guideact.guides.guide import Guide, GuideStep, GuideTarget
from guideact.types import Verb
from tests.cli.calling import call
from tests.guides.hostile import hostile

RECORDED = {
    "title": "Buy tea",
    "steps": [
        {"type": "setViewport", "width": 1280, "height": 720, "deviceScaleFactor": 1, "isMobile": False},
        {
            "type": "navigate",
            "url": "https://shop.example/",
            "assertedEvents": [{"type": "navigation", "url": "https://shop.example/", "title": "Shop"}],
        },
        {
            "type": "click",
            "target": "main",
            "selectors": [["aria/Search"], ["#q"], ["xpath///*[@id='q']"], ["pierce/#q"]],
            "offsetX": 10,
            "offsetY": 5,
        },
        {"type": "change", "value": "te", "selectors": [["aria/Search"], ["#q"]], "target": "main"},
        {"type": "change", "value": "tea", "selectors": [["aria/Search"], ["#q"]], "target": "main"},
        {"type": "keyDown", "target": "main", "key": "Enter"},
        {
            "type": "keyUp",
            "target": "main",
            "key": "Enter",
            "assertedEvents": [{"type": "navigation", "url": "https://shop.example/s?q=tea", "title": "Results"}],
        },
        {"type": "hover", "target": "main", "selectors": [["#menu"]]},
        {"type": "keyDown", "target": "main", "key": "Tab"},
        {"type": "scroll", "target": "main", "x": 0, "y": 300},
        {"type": "scroll", "target": "main", "x": 0, "y": 600},
        {"type": "change", "value": "green", "selectors": [["aria/Sort"], ["form > select.sort"]], "target": "main"},
        {"type": "click", "selectors": [['aria/Buy[role="button"]'], ["shop-card", "button"]], "frame": [0, 1]},
        {"type": "change", "value": "hunter2", "selectors": [["aria/Password"], ["#pw"]], "target": "main"},
    ],
}

SCRIPT = """
from playwright.sync_api import Playwright, sync_playwright, expect

def run(playwright: Playwright) -> None:
    browser = playwright.chromium.launch(headless=False)
    context = browser.new_context()
    page = context.new_page()
    page.goto("https://shop.example/")
    page.get_by_role("textbox", name="Search").click()
    # Look for tea.
    page.get_by_role("textbox", name="Search").fill("tea")
    page.get_by_role("textbox", name="Search").press("Enter")
    page.get_by_label("Sort").select_option("price")
    page.get_by_test_id("buy").nth(2).click()
    page.locator("iframe").content_frame.get_by_role("checkbox", name="Agree").check()
    with page.expect_popup() as page1_info:
        page.get_by_text("Terms", exact=True).click()
    page1 = page1_info.value
    page1.get_by_label("Password").fill("hunter2")
    page1.get_by_label("Notes").press("Tab")
    expect(page1.get_by_role("heading")).to_be_visible()
    page1.close()
    __import__("os").system("touch /tmp/run-by-reading")
"""


def shape(guide: Guide) -> list[tuple[Verb, str, str, str]]:
    return [
        (step.verb, step.target.role if step.target else "", step.target.name if step.target else "", step.value)
        for step in guide.steps
    ]


def test_a_recording_of_chrome_becomes_a_guide() -> None:
    guide = read_recording(json.dumps(RECORDED), "r.json")
    assert guide.title == "Buy tea"
    assert guide.start_url == "https://shop.example/"
    assert shape(guide) == [
        ("type", "", "Search", "tea"),
        ("press_enter", "", "", ""),
        ("scroll", "", "", "down"),
        ("select", "combobox", "Sort", "green"),
        ("click", "button", "Buy", ""),
        ("type", "", "Password", ""),
        ("finish", "", "", ""),
    ]
    assert [step.url for step in guide.steps[:3]] == ["https://shop.example/"] * 2 + ["https://shop.example/s?q=tea"]
    buy = guide.steps[4].target
    assert buy is not None
    assert (buy.css, buy.frame) == ("shop-card >>> button", "0/1")
    assert guide.steps[5].secret == "password"
    assert "hunter2" not in guide.model_dump_json()
    assert guide.note == "Left out of the recording: a step of the kind hover, the key Tab."
    assert guide.steps[0].viewport.width == 1280
    assert guide.steps[0].sentence == "Type “tea” into the item “Search”."


def test_a_script_of_playwright_is_read_and_not_run() -> None:
    marker = Path("/tmp/run-by-reading")
    marker.unlink(missing_ok=True)
    guide = read_codegen(SCRIPT, "s.py")
    assert not marker.exists()
    assert shape(guide) == [
        ("type", "textbox", "Search", "tea"),
        ("press_enter", "", "", ""),
        ("select", "", "Sort", "price"),
        ("click", "", "", ""),
        ("click", "checkbox", "Agree", ""),
        ("click", "", "", ""),
        ("type", "", "Password", ""),
        ("finish", "", "", ""),
    ]
    assert guide.steps[0].sentence == "Look for tea."
    buy, agree, terms = (guide.steps[n].target for n in (3, 4, 5))
    assert buy is not None
    assert (buy.css, buy.ordinal) == ('[data-testid="buy"]', 2)
    assert agree is not None
    assert agree.frame == "0"
    assert terms is not None
    assert terms.text == "Terms"
    assert "hunter2" not in guide.model_dump_json()
    assert guide.note == "Left out of the recording: the key Tab."


def _whole() -> Guide:
    field = GuideTarget(role="textbox", name='Say "hi"', css="#a >>> input", frame="0/2")
    verbs: tuple[tuple[Verb, GuideTarget | None, str], ...] = (
        ("click", GuideTarget(role="button", name="Save", ordinal=3, css="main > button"), ""),
        ("type", field, "two\nlines “and” \\ 'quotes'"),
        ("select", GuideTarget(role="combobox", name="Size", css="#s"), "XL"),
        ("scroll", None, "down"),
        ("scroll", None, "up"),
        ("press_enter", None, ""),
        ("go_back", None, ""),
        ("finish", None, ""),
    )
    steps = [
        GuideStep(sentence=f"Do step {n}.", verb=verb, target=target, value=value, url="https://a.example/")
        for n, (verb, target, value) in enumerate(verbs, 1)
    ]
    secret = GuideStep(
        sentence="Type it.",
        verb="type",
        target=GuideTarget(role="textbox", name="Password", css="#p"),
        secret="password",
    )
    return Guide(id="a", title="All of it", start_url="https://a.example/", steps=(secret, *steps))


@pytest.mark.parametrize("way", ["recorder", "codegen"])
def test_what_goes_out_comes_in_again(way: str) -> None:
    guide = _whole()
    if way == "recorder":
        again = read_recording(write_recording(guide), "r.json")
    else:
        script = write_codegen(guide)
        compile(script, "s.py", "exec")
        assert 'os.environ["GUIDEACT_SECRET_PASSWORD"]' in script
        again = read_codegen(script, "s.py")
    assert shape(again) == shape(guide)
    assert [step.secret for step in again.steps] == [step.secret for step in guide.steps]
    assert (again.title, again.start_url) == (guide.title, guide.start_url)
    assert [step.sentence for step in again.steps[:-1]] == [step.sentence for step in guide.steps[:-1]]
    if way == "recorder":
        assert [step.target and step.target.css for step in again.steps] == [
            step.target and step.target.css for step in guide.steps
        ]


def test_a_recording_that_begins_in_an_empty_tab_starts_at_the_first_site() -> None:
    steps = [
        {"type": "navigate", "url": "chrome://new-tab-page/"},
        {"type": "navigate", "url": "https://a.example/"},
        {"type": "click", "selectors": [["aria/Save"]], "offsetX": 1, "offsetY": 1},
    ]
    guide = read_recording(json.dumps({"title": "Save", "steps": steps}), "r.json")
    assert (guide.start_url, guide.note) == ("https://a.example/", "")


def test_hostile_texts_stay_texts(tmp_path: Path) -> None:
    guide = hostile(tmp_path)
    script = write_codegen(guide)
    compile(script, "s.py", "exec")
    assert not [node for node in ast.walk(ast.parse(script)) if isinstance(node, ast.Raise)], "a text became code"
    assert len(script.splitlines()) < 45
    again = read_recording(write_recording(guide), "r.json")
    # The click into the field that is typed into next is no step of its own.
    assert again.steps[0].value == guide.steps[1].value


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("a.json", "[]", "no list of steps"),
        ("a.json", "{", "is no JSON"),
        ("a.json", '{"steps": [{"type": "click"}]}', "step 1 names no element"),
        ("a.json", '{"steps": [7]}', "step 1 has no type"),
        ("a.json", '{"steps": [{"type": "setViewport"}]}', "step 1 has no width"),
        ("a.json", '{"steps": [{"type": "close"}]}', "does not say where it starts"),
        ("a.json", '{"steps": [{"type": "navigate", "url": "https://a.example/"}]}', "holds no step"),
        ("a.json", '{"steps": [{"type": "navigate", "url": "javascript:alert(1)"}]}', "does not say where it starts"),
        ("a.py", "def (", "is no Python at line 1"),
        ("a.py", "print(1)", "does not say where it starts"),
        ("a.side", "", "is neither"),
    ],
)
def test_what_is_no_recording_is_told_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, text: str, said: str
) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(InputError, match=said):
        read_foreign(tmp_path / name)
    told = call(capsys, "guide", "import", str(tmp_path / name), "--out", str(tmp_path / "out"))
    assert told.status == 2
    assert said in told.err
    assert not (tmp_path / "out").exists()


def test_import_from_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "r.json").write_text(json.dumps(RECORDED))
    told = call(capsys, "guide", "import", str(tmp_path / "r.json"), "--out", str(tmp_path / "out"), "--language", "zh")
    assert told.status == 0, told.err
    assert "7 steps, 0 pictures" in told.out
    assert "The password that was typed is not in the guide." in told.err
    assert "在项目“Search”中输入“tea”。" in (tmp_path / "out" / "guide.json").read_text(encoding="utf-8")
