"""What harnesses get wrong when they look at a page; each test is named after the symptom."""

from __future__ import annotations

import asyncio
import io
from datetime import datetime
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from PIL import Image, ImageChops

from guideact.browser import Browser
from guideact.browser import observe as eyes
from guideact.browser import session as sessions
from guideact.browser.observe import steady
from guideact.types import Click, PressEnter, Screenshot, Select, Type
from tests.browser.conftest import Hand, Site, code

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_divs_that_act_as_buttons_have_no_mark(hand: Hand) -> None:
    await hand.open("custom.html")
    names = hand.names()
    for how in ("role", "cursor", "tabindex", "listener", "attribute", "contenteditable"):
        assert names.count(f"By {how}") == 1, how
    assert "checked" in hand.find("By switch").states
    assert "Just text" not in names


async def test_one_thing_has_one_mark(hand: Hand) -> None:
    await hand.open("custom.html")
    names = hand.names()
    assert names.count("One mark") == 1
    assert "One" not in names
    assert names.count("Star") == 1
    assert "Delegated one" in names
    assert "Delegated two" in names
    assert "Delegated one Delegated two" not in names
    assert [c.role for c in hand.seen.candidates if c.name.startswith("A card")] == ["clickable"]
    assert hand.find("a link").role == "link"


async def test_marks_on_covered_clipped_or_invisible_elements(hand: Hand) -> None:
    await hand.open("hidden.html")
    assert hand.names() == ["In sight"]
    assert "Words in sight" in hand.text()
    assert "Words far below" not in hand.text()
    assert "Words under" not in hand.text()


async def test_shadow_roots_and_iframes_are_skipped(hand: Hand) -> None:
    await hand.open("frames.html")
    assert hand.seen.partial == ""
    where = {c.name: c.frame for c in hand.seen.candidates}
    assert where["Outside"] == ""
    assert where["Press same"] == "0"
    assert where["Press cross"] == "1"
    assert where["Press deep"] == "1/0"
    assert where["Press boxed"] == "2"
    assert "Press veiled" not in where
    assert where["Shadow button"] == ""
    assert hand.find("In the shade").locator.css.endswith(">>> #in")
    assert "Shadow words" in hand.text()


@pytest.mark.parametrize("grounding", ["mark", "point"])
@pytest.mark.parametrize("who", ["same", "cross", "deep", "boxed"])
async def test_every_verb_works_inside_iframes(hand: Hand, who: str, grounding: str) -> None:
    await hand.open("frames.html")
    at = hand.mark if grounding == "mark" else hand.point
    assert await hand.do(Click(target=at(f"Press {who}"))) is None
    assert "pressed" in hand.text()
    assert await hand.do(Type(target=at(f"{who} field"), text="漢字")) is None
    assert hand.find(f"{who} field").value == "漢字"
    assert await hand.do(PressEnter()) is None
    if who != "boxed":  # a sandbox without allow-forms sends nothing
        assert "sent 漢字" in hand.text()
    assert await hand.do(Select(target=at(f"Pick {who}"), option="Two")) is None
    assert hand.find(f"Pick {who}").value == "Two"


@pytest.mark.parametrize("grounding", ["mark", "point"])
async def test_every_verb_works_inside_a_shadow_root(hand: Hand, grounding: str) -> None:
    await hand.open("frames.html")
    await hand.session.active_page.evaluate("document.querySelector('shadow-thing').scrollIntoView()")
    await hand.look()
    at = hand.mark if grounding == "mark" else hand.point
    assert await hand.do(Click(target=at("Shadow button"))) is None
    assert "shadow clicked" in hand.text()
    assert await hand.do(Type(target=at("In the shade"), text="x")) is None
    assert hand.find("In the shade").value == "x"
    assert await hand.do(Select(target=at("Shadow list"), option="B")) is None
    assert hand.find("Shadow list").value == "B"


async def test_observation_changes_the_page(hand: Hand) -> None:
    await hand.open("untouched.html")
    page = hand.session.active_page
    await page.evaluate("seen.length = 0")
    before = await page.content()
    await hand.look(screenshot=True)
    await hand.look()
    assert await page.content() == before
    assert await page.evaluate("seen") == []
    assert await page.evaluate("document.adoptedStyleSheets.length + document.styleSheets.length") == 0
    assert await page.evaluate("typeof guideact") == "undefined"


async def test_typed_passwords_are_copied_into_the_observation(hand: Hand) -> None:
    await hand.open("typing.html")
    assert await hand.type("Secret", "hunter2!") is None
    assert hand.find("Secret").value == "••••••••"
    assert "hunter2" not in hand.seen.model_dump_json()


async def test_a_frame_detaches_while_looking(hand: Hand) -> None:
    await hand.open("changing.html")
    drop = asyncio.ensure_future(hand.session.active_page.evaluate("frame.remove()"))
    seen = await hand.look()
    await drop
    assert "Will go" in hand.names()
    assert seen.partial == "" or "detached" in seen.partial
    assert (await hand.look()).partial == ""


async def test_a_document_is_replaced_while_looking(hand: Hand) -> None:
    await hand.open("changing.html")
    for _ in range(5):
        going = asyncio.ensure_future(hand.session.active_page.goto(hand.site.url("second.html")))
        seen = await hand.look(screenshot=True)
        await going
        assert seen.candidates or seen.partial
    assert (await hand.look()).title == "Second"


async def test_a_huge_page_is_seen_in_part(hand: Hand) -> None:
    await hand.open("huge.html")
    assert "First" in hand.names()
    assert "huge" in hand.seen.partial


async def test_screenshots_hang(hand: Hand, monkeypatch: pytest.MonkeyPatch) -> None:
    await hand.open("third.html")
    first = await hand.look(screenshot=True)
    assert first.screenshot is not None
    assert (first.screenshot.width, first.screenshot.height) == (1440, 900)
    monkeypatch.setattr(sessions, "CAPTURE", 0.0)
    late = await hand.look(screenshot=True)
    assert late.screenshot == first.screenshot
    assert "this is the last frame" in late.partial
    assert late.texts == first.texts


async def test_caret_animation_clock_and_scrollbars_make_pixels_differ(browser: Browser, site: Site) -> None:
    now = datetime(2026, 3, 16, 10, 0, tzinfo=ZoneInfo("Europe/Helsinki"))
    pictures = []
    for _ in range(3):
        async with browser.session(allow=site.allow, now=now) as session:
            hand = Hand(session, site)
            await hand.open("moving.html")
            assert "2026-03-16T08:00:00.000Z -120 en-US" in hand.text()
            for _ in range(2):
                seen = await hand.look(screenshot=True)
                assert seen.screenshot is not None
                pictures.append(Image.open(io.BytesIO(seen.screenshot.png)).convert("RGB"))
    differing = [ImageChops.difference(pictures[0], other).getbbox() for other in pictures]
    assert differing == [None] * 6


async def test_a_debounced_search_under_a_frozen_clock(browser: Browser, site: Site) -> None:
    now = datetime(2026, 3, 16, 10, 0, tzinfo=ZoneInfo("Europe/Helsinki"))
    async with browser.session(allow=site.allow, now=now) as session:
        hand = Hand(session, site)
        await hand.open("late.html")
        await hand.type("Find", "shoes")
        assert "Found shoes" in hand.text()


async def test_a_request_without_an_answer_to_be_seen_is_not_what_the_page_does_after_a_pause(hand: Hand) -> None:
    await hand.open("leaving.html")
    await hand.type("Logged", "shoes")
    assert "Found shoes" in hand.text()


async def test_settling_waits_for_requests_but_not_for_tickers_and_long_polls(hand: Hand) -> None:
    await hand.open("late.html")
    await hand.click("Load")
    assert "loaded" in hand.text()
    await hand.click("Tick")
    await hand.click("Poll")
    assert hand.seen.title == "Late"


async def test_text_is_grouped_by_line_and_cell(hand: Hand) -> None:
    await hand.open("table.html")
    lines = [line.text for line in hand.seen.texts]
    assert lines[0] == "Order history"
    assert lines[1:10] == [
        "Order", "Date", "Total", "#000000187", "3/14/26", "$1,234.50", "#000000186", "2/28/26", "$17.00",
    ]  # fmt: skip
    assert "A paragraph with a link inside that wraps over more than one line of the page." in lines
    assert "Total: $1,251.50" in lines
    assert "Next line" in lines
    assert "Buy now" not in lines
    assert "Off screen" not in hand.text()
    assert "Starts in sight" in hand.text()
    assert "omega" not in hand.text()


async def test_names_and_states_are_those_of_aria(hand: Hand) -> None:
    await hand.open("names.html")
    assert [(c.role, c.name) for c in hand.seen.candidates][:15] == [
        ("textbox", "Billing city"),
        ("button", "Close"),
        ("link", "Home page"),
        ("textbox", "Email address"),
        ("textbox", "Only a placeholder"),
        ("button", "Save all"),
        ("button", "Send"),
        ("button", "Submit"),
        ("button", "Search"),
        ("button", "Menu"),
        ("spinbutton", "Quantity pieces"),
        ("button", "Within"),
        ("button", "States"),
        ("button", "More"),
        ("textbox", "Required"),
    ]
    assert hand.find("Within").states == ("disabled",)
    assert set(hand.find("States").states) == {"collapsed", "pressed"}
    assert hand.find("More").states == ("collapsed",)
    assert set(hand.find("Required").states) == {"required", "invalid"}
    assert hand.find("Here").states == ("current",)
    assert hand.find("Email address").placeholder == "you@example.com"
    assert [c.locator.ordinal for c in hand.seen.candidates if c.name == "Twin"] == [0, 1]
    # A label that holds what it names is followed once.
    assert [c.name for c in hand.seen.candidates if c.text in ("Red", "Blue")] == [
        "Colour of all Blue",
        "Colour of all Red",
    ]


async def test_marks_are_numbered_in_reading_order(hand: Hand) -> None:
    await hand.open("frames.html")
    candidates = hand.seen.candidates
    assert [c.mark for c in candidates] == list(range(1, len(candidates) + 1))
    middles = [c.box.y + min(c.box.height, 32) / 2 for c in candidates]
    assert all(b > a - 11 for a, b in pairwise(middles))


async def test_a_hostile_page_cannot_tamper_with_what_is_seen_or_done(hand: Hand) -> None:
    await hand.open("hostile.html")
    assert hand.seen.partial == ""
    assert hand.names() == ["First", "Second", "Third", "Fourth", "Honest button"]
    assert "Read me" in hand.text()
    assert await hand.click("Honest button") is None
    assert "clicked" in hand.text()
    assert await hand.type("Second", "typed") is None
    assert hand.find("Second").value == "typed"
    assert await hand.session.active_page.evaluate("window.noticed") is None


async def test_target_of_names_what_an_action_points_at(hand: Hand) -> None:
    await hand.open("select.html")
    target = hand.find("Sort by")
    assert hand.session.target_of(Click(target=hand.mark("Sort by"))) == target
    assert hand.session.target_of(Click(target=hand.point("Sort by"))) == target
    assert hand.session.target_of(PressEnter()) is None
    await hand.open("custom.html")
    assert hand.session.target_of(Click(target=hand.point("a link"))) == hand.find("a link")


async def test_a_screenshot_shows_the_page(hand: Hand) -> None:
    await hand.open("covered.html")
    seen = await hand.look(screenshot=True)
    assert seen.screenshot is not None
    picture = Image.open(io.BytesIO(seen.screenshot.png)).convert("RGB")
    assert picture.getpixel((300, 90)) == (221, 221, 221)
    assert code(None) == ""


async def test_half_a_character_on_a_page_can_be_written_to_a_file(hand: Hand) -> None:
    await hand.open("halves.html")
    name = "half \ufffd and whole \U0001f600 and \\ud83d"
    assert hand.names() == [name, "Field"]
    assert (hand.seen.title, hand.text()) == ("title \ufffd", "text \ufffd")
    assert hand.find("Field").value == "value \ufffd"
    assert await hand.click(name) is None
    assert [dialog.message for dialog in hand.seen.dialogs] == ["half \ufffd"]
    assert hand.seen.model_dump_json()


async def test_what_listens_in_a_frame_of_the_same_site_belongs_to_that_frame(hand: Hand) -> None:
    """Taken for the outer page's, elements lose their mark, and are no longer what `instanceof` tells them by."""
    await hand.open("listening_frame.html")
    assert [name for name in hand.names() if name.endswith("side")] == ["Outside", "Inside"]
    assert await hand.type("Postcode", "41101") is None
    assert hand.find("Postcode").value == "41101"
    assert await hand.click("Inside") is None
    assert await hand.click("Outside") is None
    assert "inside:clicked" in hand.text() or "inside:clicked" in hand.names()
    assert "outside:clicked" in hand.text() or "outside:clicked" in hand.names()


@pytest.mark.parametrize(
    ("frames", "kept", "taken", "confirmed"), [("aa", "a", 2, True), ("abb", "b", 3, True), ("abcde", "d", 4, False)]
)
async def test_a_steady_picture_is_one_that_a_second_confirms(
    frames: str, kept: str, taken: int, confirmed: bool
) -> None:
    left = list(frames)

    async def shoot() -> Screenshot:
        return Screenshot(sha256=left.pop(0) * 64, width=1, height=1)

    shot, confirms = await steady(shoot)
    assert (shot.sha256, confirms) == (kept * 64, confirmed)
    assert len(frames) - len(left) == taken


async def test_a_steady_observation_has_the_picture_of_the_page_at_rest(hand: Hand) -> None:
    await hand.open("select.html")
    seen = [await hand.session.observe(steady=each) for each in (True, False)]
    first, second = (observation.screenshot for observation in seen)
    assert first is not None
    assert second is not None
    assert first.sha256 == second.sha256
    assert (await hand.session.observe(screenshot=False, steady=True)).screenshot is None
    assert [observation.partial for observation in seen] == ["", ""]


async def test_a_page_that_does_not_stand_still_is_told(hand: Hand, monkeypatch: pytest.MonkeyPatch) -> None:
    taken = 0

    async def capture(*_: object) -> Screenshot:
        nonlocal taken
        taken += 1
        return Screenshot(sha256=f"{taken:064}", width=1, height=1)

    await hand.open("select.html")
    monkeypatch.setattr(eyes, "capture", capture)
    seen = await hand.session.observe(steady=True)
    assert seen.partial == eyes.MOVING
    assert seen.screenshot is not None
    assert seen.screenshot.sha256 == f"{eyes.SHOTS:064}"
