"""Rows of equal buttons: the one that is meant is told by what its row says, wherever it stands."""

from __future__ import annotations

import http.server
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager

import pytest

from guideact.browser import Browser, launch
from guideact.env import WebEnv
from guideact.guides import rows
from guideact.guides.guide import Guide, GuideStep, GuideTarget
from guideact.guides.make import from_gold, target_of
from guideact.guides.places import EmbeddedStage, WebStage, hosts_of, task_of
from guideact.guides.publish.tour import tour
from guideact.guides.repair import repair
from guideact.guides.verify import verify
from guideact.sites.server import serve
from guideact.sites.skins import parse_skin
from guideact.types import Observation, Viewport

TITLES = tuple(f"{fruit}, bring a bag" for fruit in ("Figs", "Plums", "Free pecans", "Quinces", "Pears", "Medlars"))
WANTED = "Free pecans, bring a bag"
SENTENCE = f"Press “Approve” under “{WANTED}”."


def cards(titles: tuple[str, ...], name: str = "Approve", height: int = 400) -> str:
    """A card for each title, the button at its foot; two or three are in view."""
    return "".join(
        f"<li style='height:{height}px'><h3>{title}</h3><p>Reported as off topic</p>"
        f"<form action='/approved/{slug(title)}'><button>{name}</button></form></li>"
        for title in titles
    )


def table(titles: tuple[str, ...], name: str = "Approve") -> str:
    """The same as lines of a table, the button first, with other words around it."""
    return "<table>" + "".join(
        f"<tr><td><form action='/approved/{slug(title)}'><button>{name}</button></form></td><td>was flagged:</td>"
        f"<td>{title}</td></tr>"
        for title in titles
    )


def slug(title: str) -> str:
    return title.split(",")[0].replace(" ", "-").casefold()


class Site(http.server.ThreadingHTTPServer):
    """A site whose start page is `body`."""

    body = ""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Page)
        self.url = f"http://127.0.0.1:{self.server_address[1]}/"


class _Page(http.server.BaseHTTPRequestHandler):
    server: Site

    def do_GET(self) -> None:
        body = self.server.body if self.path == "/" else "<h1>Done</h1>"
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.end_headers()
        self.wfile.write(f"<!doctype html><title>Reports</title><main>{body}</main>".encode())

    def log_message(self, *_: object) -> None:
        """Nothing: a test's output is its own."""


@pytest.fixture
def site() -> Iterator[Site]:
    with Site() as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


@pytest.fixture
async def browser() -> AsyncIterator[Browser]:
    async with launch() as launched:
        yield launched


@asynccontextmanager
async def staged(site: Site, browser: Browser, body: str) -> AsyncIterator[WebStage]:
    site.body = body
    stage = WebStage(browser, site.url, hosts_of(site.url), Viewport())
    yield stage
    await stage.close()


async def made(site: Site, browser: Browser, sentence: str = SENTENCE, title: str = WANTED) -> Guide:
    """The guide of approving one report, made where each is in view."""
    async with staged(site, browser, cards(TITLES, height=130)) as stage:
        seen = await stage.begin()
    buttons = [each for each in seen.candidates if each.name == "Approve"]
    press = GuideStep(
        sentence=sentence,
        verb="click",
        target=target_of(seen, buttons[TITLES.index(title)]),
        box=buttons[TITLES.index(title)].box,
        url=site.url,
    )
    done = GuideStep(sentence="That is all.", verb="finish", url=f"{site.url}approved/{slug(title)}")
    return Guide(id="approve", title="Approve it", start_url=site.url, steps=(press, done))


def no_picture(sha256: str) -> None:
    """The guides here have none."""


async def test_the_row_is_told_by_what_it_says(site: Site, browser: Browser) -> None:
    quoting = await made(site, browser)
    target = quoting.steps[0].target
    assert target is not None
    assert target.row == f"{WANTED} Reported as off topic"
    wordless = await made(site, browser, "Press “Approve”.", "Pears, bring a bag")
    # A guide that was made before rows were known has what stood around its target and the sentence alone.
    old = quoting.steps[0].model_copy(update={"target": target.model_copy(update={"row": ""})})
    looks = {
        "further down": cards(TITLES),
        "in another order": cards(tuple(reversed(TITLES))),
        "longer": cards((*(f"{number} apples, bring a bag" for number in range(9)), *TITLES)),
        "with other surroundings": table(tuple(reversed(TITLES))),
    }
    for look, body in looks.items():
        for guide in (quoting, wordless, quoting.model_copy(update={"steps": (old, quoting.steps[1])})):
            async with staged(site, browser, body) as stage:
                verdict = await verify(guide, stage)
            assert verdict.problem is None, (look, guide.steps[0].sentence, verdict.problem)


@pytest.mark.parametrize("others", [TITLES[3:], TITLES[:1], (*TITLES[:2], "Walnuts, bring a bag", *TITLES[3:])])
async def test_the_button_of_another_row_is_none(others: tuple[str, ...], site: Site, browser: Browser) -> None:
    guide = await made(site, browser)
    last = guide.steps[1].model_copy(update={"url": ""})
    guide = guide.model_copy(update={"steps": (guide.steps[0], last)})
    async with staged(site, browser, cards(others)) as stage:
        verdict = await verify(guide, stage)
        assert verdict.problem is not None
        assert verdict.problem.kind == "gone"
        assert verdict.problem.message == "there is no button “Approve” in the row of “free pecans, bring a bag”"
        assert not verdict.pages, "nothing was pressed"
        if len(others) > 1:
            assert (await repair(guide, stage, no_picture)).problem is not None


async def test_the_only_row_left_is_the_right_one(site: Site, browser: Browser) -> None:
    guide = await made(site, browser)
    async with staged(site, browser, cards((WANTED,), height=1500)) as stage:
        assert (await verify(guide, stage)).holds


async def test_a_renamed_button_is_mended_in_its_own_row(site: Site, browser: Browser) -> None:
    guide = await made(site, browser)
    async with staged(site, browser, cards(tuple(reversed(TITLES)), "Keep it")) as stage:
        assert not (await verify(guide, stage)).holds
        mended = await repair(guide, stage, no_picture)
        assert mended.problem is None
        target = mended.guide.steps[0].target
        assert target is not None
        assert (target.name, WANTED in target.row) == ("Keep it", True)
        assert (await verify(mended.guide, stage)).holds


async def test_a_tour_lights_the_button_of_its_row(site: Site, browser: Browser) -> None:
    guide = await made(site, browser)
    site.body = cards(tuple(reversed(TITLES)))
    async with browser.session(allow=hosts_of(site.url)) as session:
        await session.active_page.add_init_script(tour(guide))
        await session.active_page.goto(site.url)
        await session.active_page.locator(".guideact-start").click()
        await session.active_page.locator(".driver-popover-title", has_text="Step 1 of 2").wait_for()
        lit = await session.active_page.locator(".guideact-light").bounding_box()
        button = session.active_page.locator("li", has_text=WANTED).locator("button")
        meant = await button.bounding_box()
        assert lit is not None
        assert meant is not None
        assert abs(lit["y"] + lit["height"] / 2 - meant["y"] - meant["height"] / 2) < 10


async def test_a_row_has_what_heads_it(site: Site, browser: Browser) -> None:
    vote = "<p><button>Vote</button> <b hidden>secret</b><a href='/'>Reply</a></p>"
    answer = f"<ul><li><i>Bo</i>{vote}</li></ul>"
    body = (
        f"<ul><li><i>Ada</i><p>First</p><div>{vote}{answer}</div></li><li><i>Cy</i><textarea>mine</textarea>{vote}</li></ul>"
        "<h3>Plums</h3><button>Buy</button><h3>Figs</h3><button>Buy</button>"
        "<p>Dee <a href='/'>4 answers</a></p><p>Eve <a href='/'>5 answers</a></p><button>Only one</button>"
        "<ul><li>Own</li><li>Nuts <a href='/n'>Edit</a></li><li>Own</li><li>Oil <a href='/o'>Edit</a></li></ul>"
    )
    async with staged(site, browser, body) as stage:
        seen = await stage.begin()
    told = [(each.name, each.locator.row) for each in seen.candidates if each.name != "Reply"]
    assert sorted(told) == sorted(
        [
            ("Vote", "Ada First Reply"),
            ("Vote", "Bo Reply"),
            ("Vote", "Cy Reply"),
            ("", ""),
            ("Buy", "Plums"),
            ("Buy", "Figs"),
            # What comes before the first one that is in no entry begins at the nearest heading.
            ("4 answers", "Figs Buy Dee"),
            ("5 answers", "Eve"),
            # An entry without such a link is no part of the next one.
            ("Edit", "Nuts"),
            ("Edit", "Oil"),
            ("Only one", ""),
        ]
    )


@pytest.mark.parametrize("skin", [None, "relabel-922"])
async def test_reports_each_with_the_same_buttons(skin: str | None, browser: Browser) -> None:
    async with serve(port=0) as server:
        plain = WebEnv(browser, server, screenshots=False)
        guide, _ = await from_gold("reddit.report_remove.1", plain)
        await plain.close()
        env = WebEnv(browser, server, instance=1, screenshots=False, skin=parse_skin(skin) if skin else None)
        verdict = await verify(guide, EmbeddedStage(env, task_of(guide)))
        await env.close()
    assert verdict.problem is None


def test_what_a_sentence_quotes_of_its_row() -> None:
    step = GuideStep(sentence="In “Plums” choose “Two” in “Amount”, not in “Plum”.", verb="select", value="Two")
    assert rows.quoted(step) == ()
    target = GuideTarget(role="combobox", name="Amount", row="Plums 3 euros")
    assert rows.quoted(step.model_copy(update={"target": target})) == ("plums",)
    assert rows.share(("plum",), "Plums 3 euros") == 0
    assert rows.share(("plums", "figs"), "PLUMS, 3 euros") == 0.5
    assert rows.likeness("red mug", "Mug, red") == 1
    assert rows.likeness("red mug", "") == 0
    assert rows.heard(step.model_copy(update={"target": target}), Observation(url="", title="")) == frozenset()


async def test_a_row_that_is_cut_says_so_wherever_the_cut_falls(site: Site, browser: Browser) -> None:
    words = [f"{'a' * length} {'b ' * 100}" for length in range(30, 42)]
    cases = "".join(
        f"<li><p>{said}</p><p> </p><button>Approve</button><p> <b> </b> spam</p></li>" for said in (*words, "short")
    )
    async with staged(site, browser, f"<ul style='font-size:1px'>{cases}</ul>") as stage:
        seen = await stage.begin()
    found = [one.locator.row for one in seen.candidates if one.name == "Approve"]
    assert len(found) == len(words) + 1
    assert all(len(row) <= 240 and row.endswith(("spam", "…")) for row in found)
    assert {row[-1] for row in found} == {"m", "…"}


async def test_a_step_without_a_target_is_not_taken_for_done(site: Site, browser: Browser) -> None:
    guide = await made(site, browser)
    # Edited by hand; it ends where it began, so that its end says nothing.
    press, done = (step.model_copy(update={"target": None, "url": site.url}) for step in guide.steps)
    guide = guide.model_copy(update={"steps": (press, done)})
    async with staged(site, browser, cards(TITLES)) as stage:
        problem = (await verify(guide, stage)).problem
        assert problem is not None
        assert (problem.kind, problem.step) == ("failed", 0)
        assert "names no target" in problem.message
        assert (await repair(guide, stage, no_picture)).problem is not None
