"""Every page opens for a guest and for a customer, and its markup can be used by someone who sees nothing."""

from __future__ import annotations

from collections import Counter
from html.parser import HTMLParser

import pytest

from .conftest import Visitor

PAGES = (
    "/",
    "/c/clothing",
    "/c/mugs-cups?view=list&sort=price&size=12",
    "/sale",
    "/new",
    "/search?q=mug",
    "/search?q=",
    "/search/advanced",
    "/search/advanced?name=mug",
    "/search/terms",
    "/search/suggest?q=mug",
    "/p/everyday-tee",
    "/p/trail-pack-35-l?sort=lowest&page=2",
    "/delivery-estimate?product=1",
    "/cart",
    "/cart?method=express",
    "/checkout",
    "/compare",
    "/login",
    "/register",
    "/forgotten-password",
)


class Markup(HTMLParser):
    """What a page offers: ids, labels, controls, forms."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.ids: Counter[str] = Counter()
        self.labelled: set[str] = set()
        self.references: set[str] = set()
        self.nameless: list[dict[str, str | None]] = []
        self.posts = 0
        self.tokens = 0
        self.inline: list[str] = []
        self._labels = 0
        self._button: dict[str, str | None] | None = None
        self._controls: list[dict[str, str | None]] = []
        self.feed(page)
        self.nameless += [one for one in self._controls if one.get("id") not in self.labelled]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        if found.get("id"):
            self.ids[str(found["id"])] += 1
        self.references |= {
            one
            for name in ("aria-controls", "aria-labelledby", "aria-describedby")
            for one in (found.get(name) or "").split()
        }
        self.inline += [name for name in found if name.startswith("on")]
        if tag == "script" and not found.get("src"):
            self.inline.append("script")
        if tag == "label":
            self._labels += 1
            if found.get("for"):
                self.labelled.add(str(found["for"]))
        elif tag in ("input", "select", "textarea") and found.get("type") != "hidden":
            if not self._labels and not found.get("aria-label"):
                self._controls.append(found)
        elif tag in ("button", "a"):
            self._button = None if found.get("aria-label") or found.get("aria-hidden") else found
        elif tag == "form" and (found.get("method") or "").lower() == "post":
            self.posts += 1
        if tag == "input" and found.get("name") == "csrf":
            self.tokens += 1
        if tag == "img":
            assert "alt" in found, found

    def handle_data(self, data: str) -> None:
        if data.strip():
            self._button = None

    def handle_endtag(self, tag: str) -> None:
        if tag == "label":
            self._labels -= 1
        if tag in ("button", "a") and self._button is not None:
            self.nameless.append(self._button)
            self._button = None


def check(page: str) -> None:
    markup = Markup(page)
    assert not markup.nameless
    assert markup.posts == markup.tokens
    assert not markup.inline
    assert [name for name, count in markup.ids.items() if count > 1] == []
    if "<html" in page:
        assert markup.references <= set(markup.ids)


@pytest.mark.parametrize("path", PAGES)
async def test_for_a_guest(guest: Visitor, path: str) -> None:
    check(await guest.get(path))


@pytest.mark.parametrize("path", PAGES)
async def test_for_a_customer(emma: Visitor, path: str) -> None:
    product = emma.product()
    await emma.post("/cart/add", product=product["id"], quantity=1)
    await emma.post("/compare/add", product=product["id"])
    await emma.get("/compare")
    if path not in ("/login", "/register"):
        check(await emma.get(path))


async def test_every_product_and_category_opens(guest: Visitor) -> None:
    for row in guest.rows("SELECT slug FROM category WHERE is_active = 1"):
        check(await guest.get(f"/c/{row['slug']}"))
    for row in guest.rows("SELECT slug FROM product WHERE status = 'enabled' AND id % 5 = 0"):
        check(await guest.get(f"/p/{row['slug']}"))


async def test_looking_around_changes_counters_only(emma: Visitor) -> None:
    before = {(change.table, change.key) for change in emma.changes()}
    for path in PAGES:
        await emma.get(path)
    after = {change.table for change in emma.changes() if (change.table, change.key) not in before}
    assert after <= {"product_view", "search_term"}


async def test_a_view_is_counted(guest: Visitor) -> None:
    product = guest.product()
    counted = "SELECT COALESCE(SUM(views), 0) FROM product_view WHERE product_id = ?"
    before = guest.value(counted, product["id"])
    await guest.get(f"/p/{product['slug']}")
    assert guest.value(counted, product["id"]) == before + 1


async def test_an_unknown_page_is_a_404_in_the_shop_s_frame(guest: Visitor) -> None:
    for path in ("/nope", "/p/nope", "/c/nope", "/delivery-estimate?product=99999"):
        page = await guest.get(path, status=404)
        assert "Back to the home page" in page
        check(page)


async def test_the_cookie_banner_is_answered_once(guest: Visitor) -> None:
    assert "Accept all cookies" in await guest.get("/")
    answer = await guest.post("/cookies", choice="all", next="/sale")
    assert answer.headers["location"] == "/sale"
    assert "Accept all cookies" not in await guest.get("/")


async def test_nobody_is_sent_to_another_site(guest: Visitor) -> None:
    answer = await guest.post("/cookies", choice="all", next="//evil.example/x")
    assert answer.headers["location"] == "/"


@pytest.mark.parametrize(
    "path",
    [
        "/cart/add", "/cart/update", "/cart/remove", "/cart/clear", "/cart/wish", "/cart/coupon", "/cart/coupon/remove",
        "/wishlist/add", "/compare/add", "/compare/remove", "/compare/clear", "/p/everyday-tee/review", "/login",
        "/logout", "/register", "/forgotten-password", "/cookies", "/checkout/address", "/checkout/delivery",
        "/checkout/payment", "/checkout/review",
    ],
)  # fmt: skip
async def test_a_form_without_the_token_is_refused(emma: Visitor, path: str) -> None:
    before = emma.changes()
    response = await emma.client.post(path, data={"csrf": "guessed", "product": "1", "quantity": "1"})
    assert response.status_code == 403
    assert emma.changes() == before
