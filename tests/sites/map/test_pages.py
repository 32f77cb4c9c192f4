"""The map's pages as a visitor without scripts sees them."""

from __future__ import annotations

import gzip
import json
import re

import pytest

from guideact.sites.map.atlas import vectors
from guideact.sites.state import pristine
from tests.sites.map.conftest import Visitor

PUBLIC = (
    "/",
    "/search?q=kirja",
    "/search?q=nothing-like-it",
    "/search?q=apteekki&sort=name",
    "/categories",
    "/category/cafes",
    "/category/cafes?near=b3&open=1&step_free=1&sort=rating",
    "/category/museums?near=nowhere-at-all",
    "/at/60.17,24.94",
    "/place/b1",
    "/place/b3?day=2&order=lowest",
    "/place/w8033120",
    "/place/b2/embed",
    "/directions",
    "/directions?from=b1&to=b12&mode=bicycle&route=1",
    "/directions?from=b1&via=b3&via=b6&to=b12&mode=car",
    "/directions?from=nothing-like-it&to=b12",
    "/measure",
    "/measure?p=b1&p=b3&p=60.17,24.94",
    "/lists",
    "/lists/2",
    "/about",
    "/login",
    "/register",
)
OWN = (
    "/saved",
    "/saved/1",
    "/saved/1?sort=note",
    "/saved/1/edit",
    "/saved/place/1",
    "/account",
    "/account/reviews",
    "/account/reports",
    "/account/history",
    "/place/b4/report",
    "/place/b4",
)


@pytest.mark.parametrize("path", PUBLIC)
async def test_a_guest_sees_every_public_page(guest: Visitor, path: str) -> None:
    page = await guest.get(path)
    assert page.count("<") < 3000
    assert "OpenStreetMap contributors" in page
    ids = re.findall(r'\sid="([^"]+)"', page)
    assert len(ids) == len(set(ids))


async def test_a_member_sees_every_page_of_the_account(emma: Visitor) -> None:
    for path in OWN:
        page = await emma.get(path)
        assert "Emma" in page
    assert {change.table for change in emma.changes()} == {"member"}


async def test_a_guest_is_asked_to_sign_in(guest: Visitor) -> None:
    for path in ("/saved", "/account", "/place/b4/report"):
        assert "User name or email" in await guest.get(path)
    await guest.get("/place/n0", 404)
    await guest.get("/at/1.0,2.0", 404)
    await guest.get("/lists/1", 404)
    await guest.get("/saved/1", 200)


async def test_lists_of_others_are_private(emma: Visitor) -> None:
    await emma.get("/saved/5", 404)
    await emma.post("/saved/5/delete", 404)
    await emma.post("/saved/place/18", 404, note="mine now")


def test_the_image_is_small_and_the_same() -> None:
    image = pristine("map")
    pristine.cache_clear()
    assert pristine("map") == image
    assert len(image) < 1_500_000


async def test_what_is_drawn_is_what_the_data_have(guest: Visitor) -> None:
    page = await guest.get("/")
    address = re.search(r'data-vectors="([^"]+)"', page)
    assert address is not None
    response = await guest.client.get(address[1])
    assert response.headers["cache-control"].startswith("public")
    drawn = response.json()
    assert drawn == json.loads(gzip.decompress(vectors()))
    assert {label[0] for label in drawn["labels"]} >= {"b1", "w8033120"}


async def test_directions_can_be_reversed_and_given_stops(guest: Visitor) -> None:
    page = await guest.get("/directions?from=Lumo+Market+Store&to=Cable+Hall&mode=bicycle&reverse=1")
    assert re.search(r'id="from" name="from" value="Cable Hall"', page)
    assert re.search(r'id="to" name="to" value="Lumo Market Store"', page)
    page = await guest.get("/directions?from=b1&to=b6&add=1")
    assert 'id="via1"' in page
    page = await guest.get("/directions?from=b1&via=b3&to=b6")
    assert "Pass Esplanadi Reading Room" in page
    page = await guest.get("/directions?from=b1&via=b3&to=b6&drop=0")
    assert 'id="via1"' not in page
    page = await guest.get("/directions?from=b1&to=b1")
    assert "so close" in page


async def test_units_are_kept_by_members_and_guests(guest: Visitor, emma: Visitor) -> None:
    assert " km<" in await guest.get("/directions?from=b1&to=b12")
    await guest.post("/units", units="miles")
    assert " mi<" in await guest.get("/directions?from=b1&to=b12")
    assert [change.table for change in guest.changes() if change.table != "member"] == []
    await emma.post("/units", units="miles")
    assert emma.rows("SELECT units FROM member WHERE id = 1") == [{"units": "miles"}]


async def test_settings_are_checked_and_kept(emma: Visitor) -> None:
    good = {"full_name": "Emma Lopez", "email": "emma.lopez@example.com", "city": "Austin"}
    await emma.post("/account", 422, **good | {"email": "nonsense"}, units="km", travel_mode="foot")
    await emma.post("/account", **good, units="miles", travel_mode="bicycle", public_reviews="1")
    assert emma.rows("SELECT units, travel_mode, keep_history, public_reviews FROM member WHERE id = 1") == [
        {"units": "miles", "travel_mode": "bicycle", "keep_history": 0, "public_reviews": 1}
    ]
    before = emma.rows("SELECT COUNT(*) AS n FROM search_history")
    await emma.get("/search?q=museum")
    assert emma.rows("SELECT COUNT(*) AS n FROM search_history") == before


async def test_searches_are_remembered_and_forgotten(emma: Visitor) -> None:
    await emma.get("/search?q=Oodi")
    assert "Oodi" in await emma.get("/account/history")
    await emma.post("/account/history/forget", search="1")
    assert emma.rows("SELECT 1 FROM search_history WHERE id = 1") == []
    await emma.post("/account/history/forget")
    assert emma.rows("SELECT 1 FROM search_history WHERE member_id = 1") == []
    assert emma.rows("SELECT 1 FROM search_history WHERE member_id <> 1")


async def test_places_are_saved_changed_and_removed(emma: Visitor) -> None:
    await emma.post("/saved", name="Lamps")
    number = emma.rows("SELECT id FROM place_list WHERE name = 'Lamps'")[0]["id"]
    await emma.post("/saved", 422, name="lamps")
    await emma.post("/save", place="b9", list=str(number), note="Bring a record.")
    await emma.post("/save", place="b9", list=str(number))
    [saved] = emma.rows("SELECT * FROM saved_place WHERE list_id = ?", number)
    assert (saved["place"], saved["note"]) == ("b9", "Bring a record.")
    await emma.post(f"/saved/place/{saved['id']}", note="Two records.", colour="green", list="1")
    [saved] = emma.rows("SELECT * FROM saved_place WHERE id = ?", saved["id"])
    assert (saved["note"], saved["colour"], saved["list_id"]) == ("Two records.", "green", 1)
    await emma.post(f"/saved/place/{saved['id']}/remove")
    assert emma.rows("SELECT 1 FROM saved_place WHERE id = ?", saved["id"]) == []
    await emma.post(f"/saved/{number}/edit", name="Lampshades", description="", is_public="1")
    assert "Lampshades" in await emma.get(f"/lists/{number}")
    await emma.post("/saved/1/delete")
    assert emma.rows("SELECT 1 FROM saved_place WHERE list_id = 1") == []


async def test_reviews_are_written_once_changed_and_deleted(emma: Visitor) -> None:
    await emma.post("/place/b10/review", 422, rating="", body="too short")
    await emma.post("/place/b10/review", rating="4", body="A good table to try pens at.")
    await emma.post("/place/b10/review", rating="5", body="An excellent table to try pens at.")
    [own] = emma.rows("SELECT * FROM review WHERE place = 'b10' AND member_id = 1")
    assert own["rating"] == 5
    other = emma.rows("SELECT id FROM review WHERE place = 'b10' AND member_id <> 1")[0]["id"]
    await emma.post(f"/review/{other}/delete", 403)
    await emma.post(f"/review/{other}/helpful")
    assert len(emma.rows("SELECT 1 FROM helpful_vote")) == 1
    await emma.post(f"/review/{other}/helpful")
    assert emma.rows("SELECT 1 FROM helpful_vote") == []
    await emma.post(f"/review/{own['id']}/helpful", 403)
    await emma.post(f"/review/{own['id']}/delete")
    assert emma.rows("SELECT 1 FROM review WHERE place = 'b10' AND member_id = 1") == []


async def test_reports_are_checked_and_kept(emma: Visitor) -> None:
    await emma.post("/place/b7/report", 422, kind="", details="", noticed_on="2026-03-20")
    await emma.post("/place/b7/report", kind="hours", details="Opens at eight.", noticed_on="2026-03-12")
    [made] = emma.rows("SELECT * FROM report WHERE member_id = 1 AND noticed_on = '2026-03-12'")
    assert (made["place"], made["kind"], made["status"]) == ("b7", "hours", "new")


async def test_layers_are_kept_by_the_session(guest: Visitor) -> None:
    await guest.post("/layers", places="1", style="night", back="/about")
    page = await guest.get("/")
    assert 'value="night" checked' in page
    assert 'name="buildings" value="1">' in page
    assert guest.changes() == ()


async def test_a_new_member_signs_up_and_out(guest: Visitor) -> None:
    await guest.post("/register", 422, username="X", full_name="", email="no", password="short")
    await guest.post(
        "/register", username="nova", full_name="Nova Lind", email="nova@example.com", password="password1"
    )
    assert "Nova" in await guest.get("/account")
    await guest.post("/logout")
    assert "Sign in" in await guest.get("/")
    await guest.post("/login", 422, username="nova", password="wrong")


async def test_busy_hours_are_drawn_and_never_written(guest: Visitor) -> None:
    response = await guest.client.get("/place/b7/busy/2.svg")
    assert response.headers["content-type"].startswith("image/svg+xml")
    assert response.text.count("<rect") == 14
    assert "<text" not in response.text
    await guest.get("/place/b7/busy/7.svg", 404)
