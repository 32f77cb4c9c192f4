"""Published guides: looked at in a real browser, with texts that attack whatever shows them."""

from __future__ import annotations

import io
import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from PIL import Image
from playwright.async_api import Page

from guideact.browser import Browser, launch
from guideact.errors import InputError
from guideact.guides.guide import Guide, GuideStep, read_guide, write_guide
from guideact.guides.publish import FORMATS, publish
from guideact.guides.publish.html import html
from guideact.guides.publish.markdown import code, escape, markdown
from guideact.guides.publish.pictures import SMALLEST, cut
from guideact.types import Box
from tests.cli.calling import call
from tests.guides.hostile import ATTACK, hostile, picture


@pytest.fixture
async def browser() -> AsyncIterator[Browser]:
    async with launch() as launched:
        yield launched


async def _problems(page: Page) -> list[str]:
    found: list[str] = []
    page.on("dialog", lambda dialog: found.append(f"dialog {dialog.message}"))
    page.on("pageerror", lambda error: found.append(f"error {error}"))
    page.on("console", lambda message: found.append(f"console {message.text}"))
    page.on("request", lambda request: found.append(f"request {request.url}"))
    return found


async def test_a_hostile_guide_is_text_alone_and_asks_for_nothing(tmp_path: Path, browser: Browser) -> None:
    guide = hostile(tmp_path)
    async with browser.session(allow=()) as session:
        page = session.active_page
        problems = await _problems(page)
        await page.set_content(html(guide, tmp_path), wait_until="load")
        assert [each for each in problems if not each.startswith("request data:image/webp")] == []
        assert await page.locator("script, iframe, object, a[href^=javascript]").count() == 0
        assert (await page.locator("h1").inner_text()).split() == guide.title.split()
        assert await page.locator("section").count() == 3
        assert await page.locator("figure img").count() == 3
        assert (await page.locator(".say b").first.inner_text()).split() == f"“{ATTACK}”".split()
        links = await page.locator("nav a").evaluate_all("all => all.map(a => a.getAttribute('href'))")
        assert links == ["#step-1", "#step-2", "#step-3"]


async def test_a_page_fits_a_phone_and_its_pictures_are_cut_to_the_target(tmp_path: Path, browser: Browser) -> None:
    guide = hostile(tmp_path)
    text = html(guide, tmp_path)
    async with browser.session(allow=()) as session:
        page = session.active_page
        for width in (320, 390, 1280):
            await page.set_viewport_size({"width": width, "height": 800})
            await page.set_content(text, wait_until="load")
            assert await page.evaluate("document.documentElement.scrollWidth") == width
        assert await page.locator("figure img").first.get_attribute("width") == str(SMALLEST[0])
        assert await page.locator("details img").first.get_attribute("width") == "1440"
        assert await page.locator("details").count() == 2, "a step without a target shows the whole page anyway"


def test_the_light_is_on_the_target_and_nowhere_else() -> None:
    _, png = picture()
    step = GuideStep(sentence="Click.", verb="click", box=Box(x=700, y=400, width=90, height=30))
    with Image.open(io.BytesIO(cut(png, step, kind="png", whole=True).data)) as opened:
        image = opened.convert("RGB")
    assert image.size == (1440, 900)
    assert image.getpixel((745, 415)) == (255, 255, 255)
    dark = image.getpixel((100, 100))
    assert isinstance(dark, tuple)
    assert max(dark) < 200
    edge = cut(png, step.model_copy(update={"box": Box(x=1400, y=880, width=40, height=20)}), kind="png")
    assert (edge.width, edge.height, edge.whole) == (*SMALLEST, False)
    with pytest.raises(InputError, match="cannot be read"):
        cut(b"no picture", step)


async def test_all_formats_are_written_from_the_command_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    hostile(tmp_path / "guide")
    out = tmp_path / "out"
    paths = await publish(read_guide(tmp_path / "guide"), tmp_path / "guide", FORMATS, out)
    assert {path.name for path in paths} == {
        *("hostile.html", "hostile.md", "hostile.pdf", "hostile.user.js", "hostile.recorder.json", "hostile.py")
    }
    pdf = (out / "hostile.pdf").read_bytes()
    assert pdf.startswith(b"%PDF-")
    assert len(re.findall(rb"/Type\s*/Page\b", pdf)) >= 2
    assert b"/JavaScript" not in pdf
    assert (out / "images" / "step-01.png").exists()


def test_the_command_line_names_formats_that_there_are(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    hostile(tmp_path / "guide")
    said = call(capsys, "guide", "publish", str(tmp_path / "guide"), "--format", "html", "markdown")
    assert said.status == 0, said.err
    assert said.out.splitlines() == [
        str(tmp_path / "guide/published" / name) for name in ("hostile.html", "hostile.md")
    ]
    said = call(capsys, "guide", "publish", str(tmp_path / "guide"), "--format", "word")
    assert said.status == 2
    assert "no format 'word'" in said.err


def test_markdown_of_a_hostile_guide_has_no_markup_of_it(tmp_path: Path) -> None:
    text, pictures = markdown(hostile(tmp_path), tmp_path)
    assert set(pictures) == {f"images/step-{n:02}.png" for n in (1, 2, 3)}
    outside = re.sub(r"\\.", "", re.sub(r"(`+)[^\n]*?[^`\n]\1(?!`)", "", text))
    assert re.findall(r"<(?!a id=\"step-\d\"></a>|/a>)", outside) == []
    assert len(re.findall(r"!\[", outside)) == 3, "the three pictures of the guide"
    assert "javascript:alert(3)" not in outside.replace("(javascript", "")
    assert text.count("\n# ") == 0


def test_markdown_sets_what_is_quoted_apart_from_the_words_around_it(tmp_path: Path) -> None:
    step = GuideStep(sentence="Press “Save” at the bottom (beside “Back”).", verb="finish")
    guide = Guide(id="save", title="Save", start_url="https://a.example/", steps=(step,))
    assert "\n## 1. Press **“Save”** at the bottom \\(beside **“Back”**\\).\n" in markdown(guide, tmp_path)[0]


@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        ("1. A *b* [c](d)", r"1\. A \*b\* \[c\]\(d\)"),
        ("a\nb", "a b"),
        (" a ", " a "),
        ("# x", r"\# x"),
        ("5 < 6 & 7", r"5 \< 6 \& 7"),
    ],
)
def test_markdown_text(text: str, escaped: str) -> None:
    assert escape(text) == escaped


@pytest.mark.parametrize(("text", "fenced"), [("a", "`a`"), ("`", "`` ` ``"), ("a``b", "```a``b```")])
def test_markdown_code(text: str, fenced: str) -> None:
    assert code(text) == fenced


async def test_chinese_guides_speak_chinese(tmp_path: Path, browser: Browser) -> None:
    guide = hostile(tmp_path).model_copy(update={"language": "zh"})
    write_guide(tmp_path, guide, {})
    page = html(guide, tmp_path)
    assert '<html lang="zh">' in page
    assert "3 个步骤" in page
    assert "目录" in markdown(guide, tmp_path)[0]
