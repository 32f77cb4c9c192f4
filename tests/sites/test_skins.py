"""Skins: words and looks drawn from a seed, pages dressed by the server, widgets that send what native ones send."""

from __future__ import annotations

import colorsys
import re
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, closing
from pathlib import Path

import httpx
import pytest
from playwright.async_api import Page, async_playwright, expect

from guideact.browser import Session, launch
from guideact.browser.launch import find_chromium
from guideact.errors import InputError
from guideact.sites import skins
from guideact.sites.registry import SITES, database_of
from guideact.sites.server import SiteServer, serve
from guideact.sites.skins import (
    KINDS,
    Kind,
    Skin,
    Widgets,
    dress,
    parse_skin,
    shown_file,
    swappable,
    vocabulary,
    widgets,
    words,
)
from guideact.sites.state import Database
from guideact.sites.transport import LocalhostTransport
from guideact.sites.world import NOW
from guideact.tasks.catalogue import entries
from guideact.tasks.menus import menus
from guideact.types import Candidate, Click, Mark, Observation, PressEnter, Select, Type

PACKAGE = Path(skins.__file__).parent
WORDED = tuple(SITES)
EMMA = "emma.lopez@example.com"


def source(site: str) -> str:
    """Everything that a site's pages are made of, in one line."""
    files = [*(PACKAGE / site).rglob("*"), *(PACKAGE / "templates").rglob("*")]
    kept = [file for file in files if file.suffix in (".html", ".py", ".js") and "seed" not in file.name]
    return " ".join(" ".join(file.read_text(encoding="utf-8") for file in sorted(kept)).split())


def cells(connection: sqlite3.Connection) -> set[str]:
    """Every text of the data, small letters."""
    found: set[str] = set()
    for (table,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'").fetchall():
        for row in connection.execute(f"SELECT * FROM {table}").fetchall():
            found |= {" ".join(cell.split()).casefold() for cell in row if isinstance(cell, str)}
    return found


# --- names ------------------------------------------------------------------------------------------------------


def test_a_skin_is_named_by_kind_and_seed() -> None:
    assert parse_skin("redesign-3") == Skin("redesign", 3)
    assert [parse_skin(f"{kind}-7").name for kind in KINDS] == ["relabel-7", "relayout-7", "redesign-7"]


@pytest.mark.parametrize("text", ["", "redesign", "redesign-", "redesign-x", "repaint-3", "redesign-1234567", "-3"])
def test_what_is_no_skin_is_told_how_one_is_written(text: str) -> None:
    with pytest.raises(InputError, match="there is no skin") as caught:
        parse_skin(text)
    assert caught.value.message == f"there is no skin {text!r}"
    assert caught.value.fix == "Write a kind (relabel, relayout, redesign), a dash and a number: redesign-3."


# --- words ------------------------------------------------------------------------------------------------------


def test_there_are_many_words_and_several_for_each() -> None:
    found = {site: vocabulary(site) for site in WORDED}
    assert len({*found["shopping"], *found["shopping_admin"]}) >= 150
    assert all(len(each) >= 35 for each in found.values())
    assert all(len(others) >= 2 for each in found.values() for others in each.values())


@pytest.mark.parametrize("site", WORDED)
def test_each_word_is_one_of_the_site(site: str) -> None:
    here, common = source(site), set(vocabulary("nowhere"))
    everywhere = " ".join(source(each) for each in WORDED)
    missing = [word for word in vocabulary(site) if word not in (everywhere if word in common else here)]
    assert missing == []


@pytest.mark.parametrize("site", WORDED)
def test_no_alternative_is_a_text_of_the_site(site: str) -> None:
    here = source(site)
    for others in vocabulary(site).values():
        for other in others:
            assert not re.search(rf"""[>"'}}] ?{re.escape(other)} ?[<"'{{]""", here), other


@pytest.mark.parametrize("site", WORDED)
def test_no_word_is_data(site: str) -> None:
    with closing(Database(database_of(site))) as database:
        data = cells(database.connection)
    assert [
        text for word, others in vocabulary(site).items() for text in (word, *others) if text.casefold() in data
    ] == []


ORDERS = ("Add ", "Call ", "Choose ", "Create ", "Give ", "Keep ", "Put ", "Repay ", "Send ", "Set ", "Show ", "Write ")
"""With what a command begins."""


def test_no_column_is_headed_by_a_command() -> None:
    heads = set(re.findall(r'Column\((?:"[\w.]+", )?"([A-Z][^"]*)"', source("shopping_admin")))
    found = vocabulary("shopping_admin")
    assert {"Refund", "Uses", "Email", "Status"} <= heads & set(found)
    assert [other for head in heads & set(found) for other in found[head] if f"{other} ".startswith(ORDERS)] == []
    # Ready-made lists and pages of a list are named so too: no other word fits both.
    assert not {"Views", "Pages"} & set(found)


def test_what_leads_somewhere_on_the_boards_and_the_forge_is_named_for_the_way_and_the_deed() -> None:
    # "Send message" leads to a form from a profile, and sends it there; "Edit milestone" heads a form and opens a list.
    assert [other for other in vocabulary("reddit")["Send message"] if not other.startswith("Send ")] == []
    assert [other for other in vocabulary("gitlab")["Edit milestone"] if "milestone" not in other] == []


@pytest.mark.parametrize("site", WORDED)
def test_no_task_quotes_a_word(site: str) -> None:
    intents = [entry.task.intent for entry in entries().values() if site in entry.task.sites]
    quoted = {said.casefold() for intent in intents for said in re.findall(r"[“\"‘']([^”\"’']+)[”\"’']", intent)}
    assert quoted
    assert [word for word in vocabulary(site) if word.casefold() in quoted] == []


@pytest.mark.parametrize("site", WORDED)
def test_what_is_shown_tells_what_is_meant(site: str) -> None:
    for seed in range(20):
        for kind in KINDS:
            shown = words(Skin(kind, seed), site)
            assert set(shown) == (set() if kind == "relayout" else set(vocabulary(site)))
            folded = {text.casefold() for text in shown.values()}
            assert len(folded) == len(shown)
            assert not folded & {word.casefold() for word in vocabulary(site)}


@pytest.mark.parametrize("site", WORDED)
def test_what_may_be_turned_round_is_a_name_of_the_site_and_no_data(site: str) -> None:
    here = source(site)
    with closing(Database(database_of(site))) as database:
        data = cells(database.connection)
    assert len(swappable(site)) == len(set(swappable(site))) >= 8
    assert [name for name in swappable(site) if name not in here or name.casefold() in data] == []


def test_a_skin_is_the_same_whenever_it_is_made_and_no_two_are_alike() -> None:
    first = dict(words(Skin("relabel", 4), "shopping"))
    words.cache_clear()
    assert dict(words(Skin("relabel", 4), "shopping")) == first
    made = {shown_file(Skin(kind, seed), "shopping", "skin.css") for kind in KINDS[1:] for seed in range(30)}
    assert len(made) == 60
    assert len({tuple(words(Skin("redesign", seed), "shopping").values()) for seed in range(30)}) == 30


def test_a_word_said_twice_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "skin_words.txt").write_text("[common]\nCart | Bag\n[shopping]\nBasket | bag\n", encoding="utf-8")
    monkeypatch.setattr(skins, "_HERE", tmp_path)
    with pytest.raises(ValueError, match=r"skin_words.txt:4: 'bag' is said of 'Cart' too"):
        vocabulary.__wrapped__("shopping")
    assert vocabulary.__wrapped__("map") == {"Cart": ("Bag",)}


# --- looks ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("sheet", sorted((PACKAGE / "looks").glob("*.css")), ids=lambda sheet: sheet.stem)
def test_every_alternative_is_drawn_by_some_skin(sheet: Path) -> None:
    text = sheet.read_text(encoding="utf-8")
    heads = re.findall(r"^/\* = .*$", text, re.MULTILINE)
    groups = skins._looks(sheet.stem)
    assert sum(len(found) for found in groups.values()) == len(heads)
    assert all(len(found) >= 2 for found in groups.values())
    assert sheet.stem in SITES
    for found in groups.values():
        for each in found:
            assert each.css.count("{") == each.css.count("}")
            assert "filter:" not in each.css
            assert "text-transform" not in each.css
    drawn = [each for seed in range(80) for each in skins._drawn(Skin("relayout", seed), sheet.stem)]
    assert [each for found in groups.values() for each in found if each not in drawn] == []


READ = {
    "shopping": ("#ffffff on brand", "#ffffff on brand-2", "brand-2 on paper", "brand-2 on wash-2", "ink-3 on wash"),
    "shopping_admin": (
        "#ffffff on accent",
        "accent on page",
        "accent on grey-wash",
        "accent-dark on accent-wash",
        "#945b00 on page",
        "#945b00 on wash",
    ),
    "gitlab": ("#ffffff on accent", "accent on page", "accent on wash", "accent-dark on accent-wash", "muted on wash"),
    "reddit": ("#ffffff on brand", "brand on fog-2", "brand on brand-soft", "ink-3 on fog", "ink-3 on fog-2"),
    "map": ("#ffffff on accent", "accent on #ffffff", "accent on wash", "muted on wash"),
    "wikipedia": ("#ffffff on brand", "link on paper", "link on wash", "link on wash-2", "brand on wash"),
}
"""Colours of letters, and what they are written on."""


def luminance(colour: str, hue: int, turn: int) -> float:
    """Of `#rrggbb`, `#rgb` or `hsl(... 50% 30%)`: 0 to 1."""
    if colour.startswith("#"):
        digits = colour[1:] if len(colour) == 7 else "".join(digit * 2 for digit in colour[1:])
        parts: tuple[float, ...] = tuple(int(digits[at : at + 2], 16) / 255 for at in (0, 2, 4))
    else:
        saturation, lightness = (int(part) / 100 for part in re.findall(r"(\d+)%", colour))
        angle = hue + turn if "--skin-turn" in colour else hue
        parts = colorsys.hls_to_rgb(angle % 360 / 360, lightness, saturation)
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("site", READ)
def test_letters_are_read_in_every_hue(site: str) -> None:
    def colours(css: str) -> dict[str, str]:
        # The first counts: an appearance that a reader may choose comes later in its sheet.
        return dict(reversed(re.findall(r"--([\w-]+): (#\w+|hsl\(.*?%\))", css)))

    plain = colours(" ".join(file.read_text(encoding="utf-8") for file in (PACKAGE / site / "static").glob("*.css")))
    for look in skins._looks(site)["colours"]:
        for hue in range(0, 360, 20):
            for turn in (30, 150):
                shown = plain | colours(skins._deepened(look.css, hue, turn))
                for pair in READ[site]:
                    dark, light = sorted(luminance(shown.get(name, name), hue, turn) for name in pair.split(" on "))
                    assert (light + 0.05) / (dark + 0.05) >= 4.5, (pair, hue, turn, look.css)


def test_widgets_are_drawn_by_redesigns_alone() -> None:
    assert widgets(Skin("relayout", 4), "map") is None
    drawn = [found for seed in range(60) if (found := widgets(Skin("redesign", seed), "map")) is not None]
    assert {found.few for found in drawn} == {"list", "rows", "pills"}
    assert {found.many for found in drawn} == {"list", "native"}
    assert {(found.choices, found.tabs, found.ticks) for found in drawn} == {
        (choices, tabs, ticks)
        for choices in ("radios", "list")
        for tabs in ("tabs", "list")
        for ticks in ("switches", "chips")
    }
    assert {name for found in drawn for name in found.swaps} == set(swappable("map"))


@pytest.mark.parametrize("site", ["reddit", "gitlab", "map", "wikipedia"])
def test_every_look_of_a_site_moves_things(site: str) -> None:
    moved = re.compile(r"grid-template|flex-direction|order:|float:|position:")
    for seed in range(40):
        assert any(moved.search(each.css) for each in skins._drawn(Skin("relayout", seed), site)), seed


def test_a_site_without_looks_keeps_its_layout() -> None:
    assert skins._looks("nowhere") == {}
    assert b'"folds": []' in shown_file(Skin("relayout", 1), "nowhere", "skin.js")


# --- the server -------------------------------------------------------------------------------------------------


async def test_pages_without_a_skin_are_what_they_were(server: SiteServer, emma: httpx.AsyncClient) -> None:
    address = server.url("shopping") + "/account/orders"
    plain = (await emma.get(address)).content
    skin = Skin("redesign", 3)
    server.dress(0, skin)
    server.reset(0)
    assert server.skin(0) == skin
    cookie = server.cookie(0, "shopping", EMMA)
    emma.cookies.set(cookie["name"], cookie["value"], domain="shopping.localhost")
    answer = await emma.get(address)
    dressed = answer.content
    tags = re.findall(
        rb'<link rel="stylesheet" href="/static/skin/redesign-3/skin.css\?v=\w+">\n|'
        rb'<script src="/static/skin/redesign-3/skin.js\?v=\w+"></script>\n',
        dressed,
    )
    assert len(tags) == 2
    assert int(answer.headers["content-length"]) == len(dressed)
    server.dress(0, None)
    undressed = (await emma.get(address)).content
    assert dressed.replace(b"".join(tags), b"", 1) == undressed
    token = rb'value="[\w-]{20,}"'
    assert re.sub(token, b"", undressed) == re.sub(token, b"", plain)
    assert server.skin(0) is None


async def test_other_instances_and_what_is_no_page_stay_as_they_are(
    server: SiteServer, client: httpx.AsyncClient
) -> None:
    server.dress(3, Skin("relabel", 1))
    assert b"skin.js" in (await client.get(server.url("shopping", 3) + "/")).content
    assert b"skin.css" not in (await client.get(server.url("shopping", 3) + "/")).content
    assert b"/static/skin" not in (await client.get(server.url("shopping", 4) + "/")).content
    fragment = await client.get(server.url("shopping", 3) + "/search/suggest?q=mug")
    assert b"skin.js" not in fragment.content
    assert b"skin.js" in (await client.get(server.url("shopping", 3) + "/nothing-here")).content


async def test_files_of_skins_are_made_when_asked_for(server: SiteServer, client: httpx.AsyncClient) -> None:
    base = server.url("shopping") + "/static/skin/"
    script = await client.get(base + "relabel-12/skin.js")
    assert script.headers["content-type"].startswith("text/javascript")
    assert words(Skin("relabel", 12), "shopping")["Add to cart"] in script.text
    assert (await client.get(base + "relayout-12/skin.css")).headers["content-type"].startswith("text/css")
    for wrong in ("relabel-12/other.js", "nothing-1/skin.js", "relabel-12", "relabel-12/skin.js/more"):
        assert (await client.get(base + wrong)).status_code == 404


def test_a_page_without_a_head_stays_as_it_is() -> None:
    assert dress(b"<li>Mug</li>", Skin("redesign", 1), "shopping") == b"<li>Mug</li>"


async def test_menus_hold_what_solvers_look_for_in_them(server: SiteServer) -> None:
    pages = {"reddit": "/", "gitlab": "/harbour-code/tidewater", "map": "/", "wikipedia": "/wiki/Umbrella"}
    for site, path in pages.items():
        cookie = server.cookie(0, site, "emma_l")
        async with httpx.AsyncClient(
            transport=LocalhostTransport(), cookies={cookie["name"]: cookie["value"]}
        ) as client:
            page = (await client.get(server.url(site) + path)).text
        for menu, names in menus(site).items():
            found = re.search(rf'<(nav|aside)[^>]* aria-label="{menu}".*?</\1>', page, re.DOTALL)
            assert found, (site, menu)
            assert [name for name in names if f">{name}<" not in found[0]] == []


# --- in the browser ---------------------------------------------------------------------------------------------


@asynccontextmanager
async def browsing(skin: Skin) -> AsyncIterator[tuple[SiteServer, Session]]:
    async with serve() as server, launch() as browser:
        server.dress(0, skin)
        cookies = [server.cookie(0, "shopping", EMMA), server.cookie(0, "shopping_admin", "admin")]
        cookies += [server.cookie(0, site, "emma_l") for site in ("reddit", "gitlab", "map", "wikipedia")]
        async with browser.session(allow=server.allow(0), now=NOW, cookies=cookies) as session:
            yield server, session


async def look(session: Session, url: str = "") -> Observation:
    if url:
        await session.goto(url)
        await session.settle()
    return await session.observe(screenshot=False)


def only(seen: Observation, role: str, name: str) -> Candidate:
    [found] = [one for one in seen.candidates if one.role == role and one.name == name]
    return found


async def press(session: Session, seen: Observation, role: str, name: str) -> Observation:
    assert await session.execute(Click(target=Mark(mark=only(seen, role, name).mark))) is None
    await session.settle()
    return await look(session)


def redesign(site: str, wanted: Callable[[Widgets], bool]) -> Skin:
    """The first redesign that has such widgets on a site."""
    drawn = ((Skin("redesign", seed), widgets(Skin("redesign", seed), site)) for seed in range(500))
    return next(skin for skin, found in drawn if found is not None and wanted(found))


async def test_relabelled_controls_do_what_they_did() -> None:
    skin = Skin("relabel", 2)
    shown = words(skin, "shopping")
    async with browsing(skin) as (server, session):
        seen = await look(session, server.url("shopping") + "/p/harbour-mug-no-3")
        assert only(seen, "combobox", shown["Search products"]).placeholder == shown["Search the whole store"]
        # Words that come later, from a shadow root or after an action, are the skin's too.
        assert only(seen, "textbox", shown["Quantity"]).value == "1"
        seen = await press(session, seen, "button", shown["Only necessary"])
        assert not [one for one in seen.candidates if one.name in shown and one.name != shown[one.name]]
        seen = await press(session, seen, "button", shown["Add to cart"])
        changes = server.database(0, "shopping").changes()
        assert [(one.op, (one.after or {})["quantity"]) for one in changes if one.table == "cart_item"] == [
            ("insert", 1)
        ]
        assert only(seen, "button", shown["Dismiss message"])


async def test_an_empty_list_names_the_control_that_fills_it_as_it_is_shown(server: SiteServer) -> None:
    skin = Skin("relabel", 2)
    async with paging(server) as page_of:
        page = await page_of("shopping", "/compare", skin)
        shown = words(skin, "shopping")["Add to compare"]
        await expect(page.locator(".empty p")).to_contain_text(f"products with “{shown}” and see them")


async def test_a_folded_menu_opens_by_click_and_by_keyboard() -> None:
    skin = next(
        Skin("relayout", seed)
        for seed in range(100)
        if b"nav.site-nav" in shown_file(Skin("relayout", seed), "shopping", "skin.js")
    )
    async with browsing(skin) as (server, session):
        seen = await look(session, server.url("shopping") + "/contact")
        menu = only(seen, "button", "Categories")
        assert "collapsed" in menu.states
        header = [one.name for one in seen.candidates if one.box.y < 200]
        assert "Electronics" not in header
        seen = await press(session, seen, "button", "Categories")
        assert "expanded" in only(seen, "button", "Categories").states
        assert [one.name for one in seen.candidates if one.box.y < 300].count("Electronics") == 1
        await session.execute(PressEnter())
        await session.settle()
        assert "collapsed" in only(await look(session), "button", "Categories").states


async def test_the_widgets_of_a_redesign_send_the_same_form() -> None:
    skin = redesign("shopping", lambda found: found.many == "list" and found.ticks == "switches")
    shown = words(skin, "shopping")
    async with browsing(skin) as (server, session):
        seen = await look(session, server.url("shopping") + "/account/addresses/new")
        if [one for one in seen.candidates if one.name == shown["Only necessary"]]:
            seen = await press(session, seen, "button", shown["Only necessary"])
        for label, text in (("First name", "Emma"), ("Last name", "Lopez"), ("Street address", "Kuja 4")):
            assert (
                await session.execute(Type(target=Mark(mark=only(seen, "textbox", shown[label]).mark), text=text))
                is None
            )
            await session.settle()
            seen = await look(session)
        box = only(seen, "combobox", "Country")
        assert (box.tag, box.options, box.states) == ("button", (), ("collapsed", "required"))
        seen = await press(session, seen, "combobox", "Country")
        offered = [one.name for one in seen.candidates if one.role == "option"]
        assert {"Finland", "Sweden", "Japan"} <= set(offered)
        seen = await press(session, seen, "option", "Sweden")
        assert only(seen, "combobox", "Country").value == "Sweden"
        assert not [one for one in seen.candidates if one.role == "option"]
        for label, text in (("Postcode", "11122"), ("City", "Stockholm"), ("Phone", "+46 8 555 0100")):
            name = shown.get(label, label)
            field = next((one for one in seen.candidates if one.name == name and one.role == "textbox"), None)
            if field is not None:
                assert await session.execute(Type(target=Mark(mark=field.mark), text=text)) is None
                await session.settle()
                seen = await look(session)
        switches = [one for one in seen.candidates if one.role == "switch"]
        assert switches
        assert all(one.tag == "input" and "unchecked" in one.states for one in switches)
        seen = await press(session, seen, "switch", switches[0].name)
        assert "checked" in only(seen, "switch", switches[0].name).states
        # The form's own Enter sends it, as it does with native controls.
        field = only(seen, "textbox", shown["City"])
        assert await session.execute(Type(target=Mark(mark=field.mark), text="Uppsala")) is None
        assert await session.execute(PressEnter()) is None
        await session.settle()
        connection = server.database(0, "shopping").connection
        [row] = connection.execute("SELECT * FROM address ORDER BY id DESC LIMIT 1").fetchall()
        assert (row["city"], row["country"], row["first_name"]) == ("Uppsala", "Sweden", "Emma")


async def test_a_list_of_a_redesign_is_used_by_keyboard_alone(server: SiteServer) -> None:
    faults: list[str] = []
    server.dress(0, redesign("shopping", lambda found: found.few == found.many == "list"))
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=find_chromium(playwright), args=["--no-sandbox"])
        page = await (await browser.new_context(base_url=server.url("shopping"))).new_page()
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("console", lambda line: faults.append(line.text) if "Content Security" in line.text else None)
        await page.goto("/search?q=mug")
        box = page.locator("button[role=combobox][aria-labelledby]").first
        native = page.locator("select#sort-by")
        before = await native.input_value()
        await box.focus()
        for key in ("ArrowDown", "ArrowDown", "Escape"):
            await page.keyboard.press(key)
        await expect(box).to_have_attribute("aria-expanded", "false")
        await expect(box).to_be_focused()
        assert await native.input_value() == before
        # A letter seeks the first entry that begins with it; the page then sends its form as for a native list.
        await page.keyboard.press("p")
        await expect(page.get_by_role("option", name="Price, low to high")).to_have_class("is-active")
        async with page.expect_navigation():
            await page.keyboard.press("Enter")
        assert "sort=price" in page.url
        await expect(page.locator("button[role=combobox][aria-labelledby]").first).to_have_text("Price, low to high")
        await page.evaluate("document.getElementById('sort-by').selectedIndex = 0")
        await expect(page.locator("button[role=combobox][aria-labelledby]").first).not_to_have_text(
            "Price, low to high"
        )
        await browser.close()
    assert faults == []


async def test_lists_and_choices_that_change_places_send_the_same_form() -> None:
    skin = redesign(
        "reddit", lambda found: found.few == "pills" and found.choices == "list" and "Save settings" in found.swaps
    )
    async with browsing(skin) as (server, session):
        seen = await look(session, server.url("reddit") + "/settings/lists")
        assert not [one for one in seen.candidates if one.name == "Order of posts"]
        seen = await press(session, seen, "radio", "New")
        assert "checked" in only(seen, "radio", "New").states
        box = only(seen, "combobox", "How lists look")
        assert (box.tag, box.options, box.value) == ("select", ("Cards", "Compact"), "Cards")
        assert await session.execute(Select(target=Mark(mark=box.mark), option="Compact")) is None
        await session.settle()
        seen = await press(session, await look(session), "link", words(skin, "reddit")["Save settings"])
        [change] = [one for one in server.database(0, "reddit").changes() if one.table == "preference"]
        assert change.before is not None
        assert change.after is not None
        changed = {name: value for name, value in change.after.items() if change.before[name] != value}
        assert changed == {"default_sort": "new", "list_view": "compact"}


async def test_a_row_of_links_that_became_a_list_leads_where_they_led() -> None:
    skin = next(
        Skin("relayout", seed)
        for seed in range(100)
        if b"nav.sort-bar" in shown_file(Skin("relayout", seed), "reddit", "skin.js")
    )
    async with browsing(skin) as (server, session):
        seen = await look(session, server.url("reddit") + "/f/tea")
        box = only(seen, "combobox", "Order of the posts")
        assert box.options == ("Hot", "New", "Top", "Controversial")
        assert await session.execute(Select(target=Mark(mark=box.mark), option="Top")) is None
        await session.settle()
        seen = await look(session)
        assert seen.url.endswith("/f/tea?sort=top")
        assert only(seen, "combobox", "Order of the posts").value == "Top"


async def test_tabs_that_became_a_list_show_their_parts() -> None:
    skin = redesign("map", lambda found: found.tabs == "list")
    async with browsing(skin) as (server, session):
        seen = await look(session, server.url("map") + "/place/n464729826")
        assert not [one for one in seen.candidates if one.role == "tab"]
        box = only(seen, "combobox", "About this place")
        assert await session.execute(Select(target=Mark(mark=box.mark), option="Nearby")) is None
        await session.settle()
        seen = await look(session)
        assert [one for one in seen.candidates if one.role == "link" and one.name == "Pharmacies"]
        assert only(seen, "combobox", "About this place").value == "Nearby"


async def test_a_link_that_became_a_button_and_radio_buttons_work_by_keyboard(server: SiteServer) -> None:
    skin = redesign("reddit", lambda found: found.few == "rows" and "New message" in found.swaps)
    server.dress(0, skin)
    cookie = server.cookie(0, "reddit", "emma_l")
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=find_chromium(playwright), args=["--no-sandbox"])
        context = await browser.new_context(base_url=server.url("reddit"))
        await context.add_cookies([{"name": cookie["name"], "value": cookie["value"], "url": server.url("reddit")}])
        page = await context.new_page()
        await page.goto("/messages")
        await page.get_by_role("button", name=words(skin, "reddit")["New message"]).focus()
        async with page.expect_navigation():
            await page.keyboard.press("Space")
        assert page.url.endswith("/messages/compose")
        await page.goto("/settings/lists")
        await page.get_by_role("radio", name="Hot").focus()
        await page.keyboard.press("ArrowDown")
        await expect(page.get_by_role("radio", name="New", exact=True)).to_be_checked()
        assert await page.locator("select[name=default_sort]").input_value() == "new"
        await browser.close()


NAMES = {"shopping": EMMA, "shopping_admin": "admin"}


@asynccontextmanager
async def paging(
    server: SiteServer, width: int = 1440
) -> AsyncIterator[Callable[[str, str, Skin | None], Awaitable[Page]]]:
    """A function that opens a page of a site in a skin, signed in."""
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=find_chromium(playwright), args=["--no-sandbox"])
        context = await browser.new_context(viewport={"width": width, "height": 900}, reduced_motion="reduce")

        async def page_of(site: str, path: str, skin: Skin | None) -> Page:
            server.dress(0, skin)
            cookie = server.cookie(0, site, NAMES.get(site, "emma_l"))
            await context.add_cookies([{"name": cookie["name"], "value": cookie["value"], "url": cookie["url"]}])
            page = await context.new_page()
            await page.goto(server.url(site) + path)
            return page

        yield page_of
        await browser.close()


def wearing(kind: Kind, site: str, looks: str) -> Skin:
    """The first skin of a kind whose sheet has some text."""
    skins_of = (Skin(kind, seed) for seed in range(300))
    return next(skin for skin in skins_of if looks in shown_file(skin, site, "skin.css").decode())


EDGES = "(parts) => parts.map((part) => { const box = part.getBoundingClientRect(); return [box.left, box.right]; })"


async def test_no_entry_of_the_open_menu_runs_over_its_edge(server: SiteServer) -> None:
    said = {
        "/reports/reviews": "Opinions on each product",
        "/staff": "Users of the back office",
        "/messages": "Letters from customers",
    }
    word = {"/reports/reviews": "Reviews by product", "/staff": "Staff accounts", "/messages": "Contact messages"}
    async with paging(server) as page_of:
        for path, text in said.items():
            skin = next(
                found
                for found in (Skin("relabel", seed) for seed in range(300))
                if words(found, "shopping_admin")[word[path]] == text
            )
            page = await page_of("shopping_admin", path, skin)
            entry = page.locator(".menu li.current ul a", has_text=text)
            assert await entry.evaluate("(link) => link.scrollWidth - link.clientWidth") == 0


async def test_long_heads_of_columns_push_no_deed_out_of_the_table(server: SiteServer) -> None:
    skin = next(
        found
        for found in (Skin("relabel", seed) for seed in range(300))
        if {"State of things", "Article number", "Product group"} <= set(words(found, "shopping_admin").values())
    )
    async with paging(server) as page_of:
        page = await page_of("shopping_admin", "/products", skin)
        over = "(box) => box.scrollWidth - box.clientWidth"
        assert await page.locator(".table-scroll").evaluate(over) == 0


async def test_the_encyclopedia_s_menu_scrolls_on_a_telephone_and_breaks_no_entry(server: SiteServer) -> None:
    skin = next(
        found
        for found in (Skin("relabel", seed) for seed in range(300))
        if words(found, "wikipedia")["Recent changes"] == "Latest edits to articles"
    )
    async with paging(server, width=390) as page_of:
        page = await page_of("wikipedia", "/", skin)
        entry = page.locator(".site-nav a", has_text="Latest edits to articles")
        assert await entry.evaluate("(link) => link.getClientRects().length") == 1
        assert await page.evaluate("document.documentElement.scrollWidth") == 390


async def test_radio_buttons_in_a_bar_of_filters_lie_under_no_button(server: SiteServer) -> None:
    async with paging(server) as page_of:
        for few in ("rows", "pills"):
            skin = next(
                found
                for found in (Skin("redesign", seed) for seed in range(300))
                if (made := widgets(found, "gitlab")) is not None
                and made.few == few
                and "main > form.filters" not in shown_file(found, "gitlab", "skin.css").decode()
            )
            page = await page_of("gitlab", "/emma_l/recipe-box/merge_requests", skin)
            labels = await page.locator("form.filters .skin-pick label").evaluate_all(EDGES)
            assert len(labels) == 3
            [[button, _]] = await page.locator("form.filters > button.button").evaluate_all(EDGES)
            assert max(right for _, right in labels) < button


async def test_radio_buttons_among_fields_of_one_width_lie_under_no_other_field(server: SiteServer) -> None:
    skin = redesign("shopping_admin", lambda found: found.few == "rows" and found.many == "native")
    async with paging(server) as page_of:
        page = await page_of("shopping_admin", "/reports/sales", skin)
        labels = await page.locator(".report-tools .skin-pick label").evaluate_all(EDGES)
        assert len(labels) == 3
        [[status, _]] = await page.locator("#report-status").evaluate_all(EDGES)
        assert max(right for _, right in labels) < status


async def test_an_entry_of_a_menu_that_became_a_button_stays_in_line(server: SiteServer) -> None:
    skin = redesign("shopping_admin", lambda found: "New customer" in found.swaps)
    async with paging(server) as page_of:
        page = await page_of("shopping_admin", "/customers", skin)
        entries = page.locator(".menu li.current ul a")
        assert await entries.nth(1).get_attribute("role") == "button"
        first, second = await entries.evaluate_all(EDGES)
        assert first == second


async def test_a_wide_link_that_became_a_button_stays_wide(server: SiteServer) -> None:
    skin = redesign("shopping", lambda found: "Proceed to checkout" in found.swaps)
    async with paging(server) as page_of:
        connection = server.database(0, "shopping").connection
        connection.execute(
            "INSERT INTO cart_item (cart_id, product_id, options, quantity, unit_cents)"
            " SELECT id, 1, '{}', 1, 1290 FROM cart WHERE customer_id = 1"
        )
        connection.commit()
        page = await page_of("shopping", "/cart", skin)
        [[left, right]] = await page.locator('.summary a[role=button][href="/checkout"]').evaluate_all(EDGES)
        [[outer, end]] = await page.locator(".summary").evaluate_all(EDGES)
        assert right - left > (end - outer) * 0.8


async def test_chips_stand_apart(server: SiteServer) -> None:
    skin = redesign("reddit", lambda found: found.ticks == "chips")
    async with paging(server) as page_of:
        page = await page_of("reddit", "/settings/email", skin)
        boxes = await page.locator(".skin-chip").evaluate_all(
            "(chips) => chips.map((chip) => { const { left, right, top, bottom } = chip.getBoundingClientRect();"
            " return [left, right, top, bottom]; })"
        )
        [one, other] = sorted(boxes)
        assert other[0] - one[1] >= 6 or other[2] - one[3] >= 4


async def test_a_list_instead_of_tabs_keeps_its_distance(server: SiteServer) -> None:
    skin = redesign("wikipedia", lambda found: found.tabs == "list")
    async with paging(server) as page_of:
        page = await page_of("wikipedia", "/preferences", skin)
        gap = await page.evaluate(
            "document.querySelector('[role=tabpanel]:not([hidden])').getBoundingClientRect().top"
            " - document.querySelector('.skin-set').getBoundingClientRect().bottom"
        )
        assert gap >= 8


@pytest.mark.parametrize(
    ("site", "path", "chosen"), [("wikipedia", "/preferences", "#tab-look"), ("map", "/place/b1", "#tab-reviews")]
)
async def test_the_chosen_tab_is_read_under_the_pointer_too(
    server: SiteServer, site: str, path: str, chosen: str
) -> None:
    skin = wearing("relayout", site, ".tabs [aria-selected=true]:hover")
    async with paging(server) as page_of:
        page = await page_of(site, path, skin)
        tab = page.locator(chosen)
        await tab.click()
        await expect(tab).to_have_attribute("aria-selected", "true")
        letters, ground = await tab.evaluate(
            "(tab) => [getComputedStyle(tab).color, getComputedStyle(tab).backgroundColor]"
        )
        assert await tab.evaluate("(tab) => tab.matches(':hover')")
        assert letters == "rgb(255, 255, 255)"
        parts = [int(part) for part in re.findall(r"\d+", ground)]
        assert len(parts) == 3
        assert 1.05 / (luminance("#" + "".join(f"{part:02x}" for part in parts), 0, 0) + 0.05) >= 4.5


async def test_what_stands_on_the_shop_s_brand_is_white_in_every_look(server: SiteServer) -> None:
    async with paging(server) as page_of:
        page = await page_of("shopping", "/", Skin("relayout", 971))
        text = page.locator(".hero-text > p:not(.hero-kicker, .row)")
        assert await text.evaluate("(text) => getComputedStyle(text).color") == "rgb(255, 255, 255)"


async def test_the_price_of_the_product_itself_stays_large_in_every_look_of_cards(server: SiteServer) -> None:
    skin = wearing("relayout", "shopping", "repeat(3, minmax(0, 1fr)); gap: 40px 28px")
    async with paging(server) as page_of:
        page = await page_of("shopping", "/p/kids-camera", skin)
        size = "(price) => parseFloat(getComputedStyle(price).fontSize)"
        assert await page.locator(".price-large").evaluate(size) == 28


async def test_only_the_tools_of_an_article_fold_behind_tools(server: SiteServer) -> None:
    skin = wearing("relayout", "wikipedia", ".tools .skin-fold")
    async with paging(server) as page_of:
        page = await page_of("wikipedia", "/wiki/Kettle", skin)
        await expect(page.get_by_role("button", name="Tools")).to_be_visible()
        await expect(page.get_by_role("link", name="What links here")).to_be_hidden()
        page = await page_of("wikipedia", "/de/Wasserkessel", skin)
        await expect(page.get_by_role("button", name="Tools")).to_have_count(0)
        await expect(page.get_by_role("link", name="English")).to_be_visible()


async def test_the_choice_of_columns_fits_a_narrow_window(server: SiteServer) -> None:
    async with paging(server, width=390) as page_of:
        for skin in (None, Skin("relabel", 1), Skin("redesign", 971)):
            page = await page_of("shopping_admin", "/orders", skin)
            await page.locator(".grid-tools-end .dropdown > button").click()
            [[left, right]] = await page.locator(".columns-panel").evaluate_all(EDGES)
            assert left >= 0
            assert right <= 390


async def test_votes_at_the_right_stand_in_one_line_with_and_without_a_picture(server: SiteServer) -> None:
    skin = wearing("relayout", "reddit", "minmax(0, 1fr) auto 44px")
    async with paging(server) as page_of:
        page = await page_of("reddit", "/", skin)
        assert await page.locator(".post-card > .thumb").count()
        assert await page.locator(".post-card:not(:has(> .thumb))").count()
        votes = await page.locator(".post-card > .votes").evaluate_all(EDGES)
        assert len({left for left, _ in votes}) == 1


async def test_what_a_folded_row_of_departments_opens_lies_below_it(server: SiteServer) -> None:
    skin = next(
        found
        for found in (Skin("relayout", seed) for seed in range(300))
        if ".site-nav { order: 0;" in (sheet := shown_file(found, "shopping", "skin.css").decode())
        and ".site-nav.is-unfolded" in sheet
    )
    async with paging(server) as page_of:
        page = await page_of("shopping", "/", skin)
        await page.locator(".site-header > .skin-fold").click()
        await page.locator(".nav-caret").first.click()
        row = await page.locator(".nav-list").bounding_box()
        opened = await page.locator(".nav-item.open .mega").bounding_box()
        assert row is not None
        assert opened is not None
        assert opened["y"] >= row["y"] + row["height"] - 1


async def test_filters_beside_a_list_take_no_room_from_a_board(server: SiteServer) -> None:
    skin = wearing("relayout", "gitlab", "> form.filters {")
    async with paging(server) as page_of:
        page = await page_of("gitlab", "/harbour-code/camp-site/board", skin)
        [[_, right]] = await page.locator("form.filters").evaluate_all(EDGES)
        [[_, end]] = await page.locator(".board").evaluate_all(EDGES)
        assert right == end


NARROW = (
    ("shopping", "/p/harbour-mug-no-3"),
    ("shopping_admin", "/orders"),
    ("reddit", "/f/tea"),
    ("reddit", "/forums"),
    ("gitlab", "/emma_l/recipe-box/members"),
    ("map", "/place/n464729826"),
    ("wikipedia", "/preferences"),
)
"""Pages that fit a telephone's window without a skin."""


async def test_what_fits_a_narrow_window_fits_it_in_every_look(server: SiteServer) -> None:
    wide: list[tuple[str, str, str, int]] = []
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=find_chromium(playwright), args=["--no-sandbox"])
        context = await browser.new_context(viewport={"width": 390, "height": 844}, bypass_csp=True)
        page = await context.new_page()
        for site, path in NARROW:
            cookie = server.cookie(0, site, NAMES.get(site, "emma_l"))
            await context.add_cookies([{"name": cookie["name"], "value": cookie["value"], "url": cookie["url"]}])
            await page.goto(server.url(site) + path)
            sheets = {
                "no skin": "",
                **{
                    f"relayout-{seed}": shown_file(Skin("relayout", seed), site, "skin.css").decode()
                    for seed in range(8)
                },
            }
            for skin, sheet in sheets.items():
                width = await page.evaluate(
                    """(sheet) => {
                        const style = document.querySelector("#looks") ?? document.createElement("style");
                        style.id = "looks";
                        style.textContent = sheet;
                        document.head.append(style);
                        return document.documentElement.scrollWidth;
                    }""",
                    sheet,
                )
                if width > 390:
                    wide.append((site, path, skin, width))
        await browser.close()
    assert wide == []
