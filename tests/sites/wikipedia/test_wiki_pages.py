"""Every page opens for a guest and for an editor; reading, searching and finding one's way."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from .conftest import Reader

PAGES = (
    "/", "/all", "/all?letter=K", "/categories", "/category/Cookware", "/category/Places", "/wiki/Kettle",
    "/wiki/Helsinki", "/wiki/Gravel_Sunday", "/wiki/Mono_(disambiguation)", "/wiki/Almanach", "/talk/Nordvik",
    "/talk/Tagus", "/history/Kettle", "/links/Kettle", "/links/Linen", "/information/Kettle", "/print/Kettle",
    "/cite/Kettle", "/source/Almanach", "/de/Wasserkessel", "/file/diagram-kettle", "/embed/map/Berlin",
    "/embed/map/Krakow?zoom=0", "/search", "/search?q=kettle&full=1", "/search?q=zzzz", "/search?q=%22%27%28",
    "/recent", "/recent?days=365&minor=hide&page=2", "/contributions/hwalsh", "/user/emma_l", "/login",
    "/revision/12", "/compare?old=12&new=12",
)  # fmt: skip
OWN = (
    "/edit/Kettle", "/edit/Kettle?section=2", "/edit/A_new_title", "/facts/Nordvik", "/watchlist", "/lists", "/lists/1",
    "/preferences", "/user/emma_l/edit", "/restore/12",
)  # fmt: skip


def sound(page: str, path: str) -> None:
    ids = Counter(re.findall(r'\bid="([^"]+)"', page))
    assert [one for one, count in ids.items() if count > 1] == [], path
    assert re.search(r"\son[a-z]+=", page) is None, path
    assert page.count('method="post"') == page.count('name="csrf"'), path
    assert len(re.findall(r"<[a-z]", page)) < 1500, path


async def test_every_page_opens_for_a_guest(guest: Reader) -> None:
    for path in PAGES:
        sound(await guest.get(path), path)
    for path in OWN:
        response = await guest.client.get(path)
        assert response.status_code == 303, path
        assert response.headers["location"].startswith("/login?next="), path
    assert guest.changes() == ()


async def test_every_page_opens_for_an_editor(emma: Reader) -> None:
    for path in (*PAGES, *OWN):
        sound(await emma.get(path), path)
    assert {change.table for change in emma.changes()} == {"user"}


@pytest.mark.parametrize(
    "path",
    ["/wiki/Nothing", "/talk/Nothing", "/history/Nothing", "/revision/999999", "/compare?old=1&new=x", "/category/No",
     "/file/none", "/media/none.svg", "/media/emblem-None.svg", "/embed/map/Nowhere", "/user/nobody", "/de/Nichts",
     "/contributions/nobody"],
)  # fmt: skip
async def test_what_is_not_there_says_so(guest: Reader, path: str) -> None:
    await guest.get(path, 404)


async def test_names_lead_to_articles(guest: Reader) -> None:
    assert "<h1>Kettle</h1>" in await guest.get("/wiki/kettle")
    page = await guest.get("/wiki/Tea_kettle")
    assert "Redirected from" in page
    assert "<h1>Kettle</h1>" in page
    assert "Redirected from" not in await guest.get("/wiki/Kettle")
    assert "<h1>Kettle</h1>" in await guest.get("/search?q=KETTLE")
    assert "<h1>Munich</h1>" in await guest.get("/search?q=m%C3%BCnchen")


async def test_search_finds_words_in_texts_and_pages_through_them(guest: Reader) -> None:
    page = await guest.get("/search?q=herring+toll")
    assert 'href="/wiki/Ferrymens_Bridge"' in page
    assert "<mark>herring</mark>" in page
    many = await guest.get("/search?q=the&full=1")
    assert "Page 2" in many
    first = re.findall(r'<h2><a href="([^"]+)"', many)
    second = re.findall(r'<h2><a href="([^"]+)"', await guest.get("/search?q=the&full=1&page=2"))
    assert len(first) == 10
    assert not set(first) & set(second)


async def test_suggestions_begin_with_what_was_typed(guest: Reader) -> None:
    found = re.findall(r"<b>([^<]+)</b>", await guest.get("/search/suggest?q=ket"))
    assert found[0] == "Kettle"
    assert "Golden Kettle" in found
    assert "Helsinki" in await guest.get("/search/suggest?q=helsingf")
    assert await guest.get("/search/suggest?q=") == ""


async def test_random_articles_differ_and_repeat_in_every_session(server: object, guest: Reader, emma: Reader) -> None:
    async def three(reader: Reader) -> list[str]:
        found = []
        for _ in range(3):
            response = await reader.client.get("/random")
            found.append(response.headers["location"])
        return found

    first = await three(guest)
    assert len(set(first)) == 3
    assert await three(emma) == first


async def test_the_map_zooms(guest: Reader) -> None:
    far, near = await guest.get("/embed/map/Helsinki?zoom=3"), await guest.get("/embed/map/Helsinki?zoom=0")
    assert "Berlin" in far
    assert "Berlin" not in near


async def test_links_to_other_sites(guest: Reader) -> None:
    assert "http://shopping.localhost:8000/search?q=Volta&amp;brand=Volta" in await guest.get("/wiki/Volta")
    assert "http://shopping.localhost:8000/p/the-lighthouse-keepers-almanac" in await guest.get(
        "/wiki/The_Lighthouse_Keepers_Almanac"
    )
    assert "http://shopping-admin.localhost:8000" in await guest.get("/wiki/Lumo_Market")
