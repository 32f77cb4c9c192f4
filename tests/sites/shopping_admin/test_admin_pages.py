"""Every page answers, only for whom it is meant, and shows data as words."""

from __future__ import annotations

import re

import pytest

from guideact.sites.shopping_admin import SITE, grid, reports, settings, shell
from guideact.sites.shopping_admin.richtext import sanitise

from .conftest import Office, make_client

LISTS = [
    "/orders",
    "/invoices",
    "/shipments",
    "/refunds",
    "/products",
    "/customers",
    "/reviews",
    "/promotions",
    "/pages",
    "/messages",
    "/subscribers",
    "/search-terms",
    "/staff",
]
PAGES = (
    *LISTS,
    *[
        "/",
        "/?period=7d",
        "/?period=12m&measure=orders",
        "/?period=year",
        "/account",
        "/search",
        "/search?q=emma",
        "/categories",
        "/categories/3",
        "/orders/1",
        "/orders/1/invoices",
        "/orders/1/shipments",
        "/orders/1/refunds",
        "/orders/1/history",
        "/orders/1/address/shipping",
        "/orders/1/address/billing",
        "/invoices/1",
        "/shipments/1",
        "/refunds/1",
        "/products/1",
        "/products/new",
        "/customers/1",
        "/customers/new",
        "/customers/1/addresses",
        "/customers/1/addresses/new",
        "/customers/1/orders",
        "/customers/1/cart",
        "/customers/1/reviews",
        "/customers/1/newsletter",
        "/reviews/1",
        "/promotions/1",
        "/promotions/new",
        "/pages/1",
        "/pages/new",
        "/pages/1/preview",
        "/messages/1",
        "/staff/1",
        "/staff/new",
        "/settings",
        "/reports",
    ],
    *(f"/settings/{section}" for section in settings.SECTIONS),
    *(f"/reports/{key}" for key in reports.REPORTS),
)
ADMINISTRATOR = ["/settings", "/settings/tax", "/staff", "/staff/new", "/staff/1"]
SALES = ["/orders", "/orders/1", "/invoices", "/shipments/1", "/refunds", "/customers", "/customers/1", "/messages"]
CATALOG = ["/products", "/products/1", "/categories", "/reviews", "/promotions", "/pages/1", "/subscribers"]


@pytest.mark.parametrize("path", PAGES)
async def test_every_page_answers_the_administrator(office: Office, path: str) -> None:
    page = await office.get(path)
    assert "<h1" in page
    assert await office.changes() == []


@pytest.mark.parametrize("path", PAGES)
async def test_every_page_sends_guests_to_the_sign_in(office: Office, path: str) -> None:
    async with make_client(office.server) as guest:
        response = await guest.get(path)
    assert response.status_code == 303
    assert response.headers["location"].startswith("/login?next=%2F")


async def test_every_post_is_closed_to_guests_and_to_forged_forms(office: Office) -> None:
    posts = [route for route in SITE.routes if route.methods and "POST" in route.methods]
    assert len(posts) > 50
    for route in posts:
        path = re.sub(r"\{address:int\}", "1", re.sub(r"\{id:int\}", "1", route.path)).replace("{section:str}", "tax")
        assert (await office.client.post(path, data={"csrf": "forged"})).status_code == 403, path
        if route.path not in ("/login", "/logout"):
            async with make_client(office.server) as guest:
                login = await guest.get("/login")
                token = re.findall(r'name="csrf" value="([^"]+)"', login.text)[0]
                answer = await guest.post(path, data={"csrf": token})
            assert answer.status_code == 303, path
            assert answer.headers["location"].startswith("/login"), path
    assert await office.changes() == []


@pytest.mark.parametrize(
    ("username", "closed", "opened"),
    [("catalog.kim", ADMINISTRATOR + SALES, CATALOG), ("sales.ari", ADMINISTRATOR + CATALOG, SALES)],
)
async def test_roles_see_their_areas(office: Office, username: str, closed: list[str], opened: list[str]) -> None:
    person = office.signed_in(username)
    for path in closed:
        page = await person.get(path, 403)
        assert "does not include this page" in page
    for path in opened:
        await person.get(path)
    dashboard = await person.get("/")
    menu = dashboard[dashboard.index('<nav aria-label="Main"') : dashboard.index('<div class="column">')]
    for path in closed:
        assert f'href="{path}"' not in menu
    found = await person.get("/search?q=a")
    assert ("/products/" in found) is (username == "catalog.kim")
    assert ("/customers/" in found) is (username == "sales.ari")
    await person.client.aclose()


async def test_signing_in_and_out(office: Office) -> None:
    async with make_client(office.server) as guest:
        token = re.findall(r'name="csrf" value="([^"]+)"', (await guest.get("/login?next=/orders")).text)[0]
        wrong = await guest.post("/login", data={"csrf": token, "username": "admin", "password": "nope"})
        assert wrong.status_code == 422
        assert "The username or the password is wrong." in wrong.text
        assert 'value="admin"' in wrong.text
        right = {"csrf": token, "username": "admin", "password": "admin1234", "next": "/orders"}
        assert (await guest.post("/login", data=right)).headers["location"] == "/orders"
        assert (await guest.get("/orders")).status_code == 200
        await guest.post("/logout", data={"csrf": token})
        assert (await guest.get("/orders")).status_code == 303


@pytest.mark.parametrize("target", ["https://evil.example/", "//evil.example", "/\\evil.example"])
async def test_signing_in_never_leads_to_another_site(office: Office, target: str) -> None:
    async with make_client(office.server) as guest:
        token = re.findall(r'name="csrf" value="([^"]+)"', (await guest.get("/login")).text)[0]
        sent = {"csrf": token, "username": "admin", "password": "admin1234", "next": target}
        assert (await guest.post("/login", data=sent)).headers["location"] == "/"


async def test_no_page_has_inline_code_and_all_ids_are_unique(office: Office) -> None:
    for path in PAGES:
        page = await office.get(path)
        assert not re.search(r"<script(?![^>]* src=)", page), path
        assert not re.search(r"<[^>]*\son[a-z]+\s*=", page), path
        assert not re.search(r"<[^>]*\sstyle\s*=", page), path
        ids = re.findall(r'\sid="([^"]+)"', re.sub(r"<template.*?</template>", "", page, flags=re.S))
        assert len(ids) == len(set(ids)), (path, sorted({one for one in ids if ids.count(one) > 1}))


async def test_every_control_has_a_name(office: Office) -> None:
    for path in PAGES:
        page = re.sub(r"<template.*?</template>", "", await office.get(path), flags=re.S)
        labelled = set(re.findall(r'<label[^>]* for="([^"]+)"', page))
        for tag in re.findall(r"<(?:input|select|textarea)\b[^>]*>", page):
            if 'type="hidden"' in tag or " hidden" in tag or 'aria-label="' in tag or 'name="column"' in tag:
                continue
            wrapped = re.search(r"<label[^>]*>\s*" + re.escape(tag), page)
            found = re.search(r'\sid="([^"]+)"', tag)
            assert wrapped or (found and found[1] in labelled), (path, tag)


async def test_what_people_typed_is_shown_as_words(office: Office) -> None:
    hostile = "<script>alert(1)</script>\"'&"
    office.db.execute(
        "UPDATE customer SET first_name = ?, note = ?, email = 'x@y.example' WHERE id = 1", (hostile, hostile)
    )
    office.db.execute("UPDATE product SET name = ?, brand = ? WHERE id = 1", (hostile, hostile))
    office.db.execute("UPDATE sales_order SET ship_name = ?, bill_name = ?, gift_message = ?", (hostile,) * 3)
    office.db.execute("UPDATE order_comment SET body = ?, author = ?", (hostile, hostile))
    office.db.execute("UPDATE review SET title = ?, body = ?, nickname = ? WHERE id < 30", (hostile,) * 3)
    office.db.execute("UPDATE contact_message SET name = ?, subject = ?, body = ?", (hostile,) * 3)
    office.db.execute("UPDATE search_term SET term = ? WHERE id = 1", (hostile,))
    office.db.execute("UPDATE promotion SET name = ? WHERE id = 1", (hostile,))
    office.db.execute("UPDATE category SET name = ? WHERE id = 2", (hostile,))
    office.db.execute("UPDATE refund SET reason = ?", (hostile,))
    office.db.execute("UPDATE cms_page SET title = ?, body = ? WHERE id = 1", (hostile, hostile))
    office.db.commit()
    for path in (*PAGES, "/search?q=%3Cscript%3E", "/orders?q=%3Cscript%3E", "/orders?ship_name=%22%3E%3Cscript%3E"):
        assert "<script>alert" not in await office.get(path), path


async def test_missing_things_are_not_found(office: Office) -> None:
    for path in ("/nowhere", "/orders/999999", "/products/999999999999999999999", "/reports/none", "/settings/none"):
        page = await office.get(path, 404)
        assert "Back to the dashboard" in page


async def test_the_search_suggests_what_it_finds(office: Office) -> None:
    number = office.value("SELECT number FROM sales_order WHERE id = 187")
    suggestions = (await office.client.get("/search/suggest", params={"q": f"#{number}"})).json()
    assert [one["url"] for one in suggestions] == ["/orders/187"]
    assert (await office.client.get("/search/suggest", params={"q": ""})).json() == []


def test_menu_leads_only_to_pages_that_exist() -> None:
    paths = {route.path for route in SITE.routes}
    for group in shell.MENU:
        for _, url, area in group.items:
            assert url in paths or url.rsplit("/", 1)[0] + "/{key:str}" in paths
            assert area in shell.AREAS


def test_badges_escape() -> None:
    assert "<b>" not in grid.badge("<b>")
    assert sanitise("<b>x</b>") == "<p><strong>x</strong></p>"
