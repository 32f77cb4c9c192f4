"""Hosts, instances, sessions, forms and faults of the server, over the wire."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import httpx
import pytest
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from guideact.errors import InputError
from guideact.sites import registry
from guideact.sites.registry import SITES
from guideact.sites.server import SiteServer, serve
from guideact.sites.web import Site, execute, flash, redirect, render

EMMA = "emma.lopez@example.com"


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("shopping.localhost", 200),
        ("shopping-i7.localhost", 200),
        ("SHOPPING.localhost", 200),
        ("shopping-i0.localhost", 404),
        ("shopping-i07.localhost", 404),
        ("nothing.localhost", 404),
        ("shopping.localhost.example.com", 404),
        ("127.0.0.1", 404),
        ("", 404),
    ],
)
async def test_a_host_name_chooses_the_site(server: SiteServer, host: str, status: int) -> None:
    async with httpx.AsyncClient() as client:
        answer = await client.get(f"http://127.0.0.1:{server.port}/", headers={"Host": f"{host}:{server.port}"})
    assert answer.status_code == status


async def test_every_site_answers_on_its_own_host(server: SiteServer, client: httpx.AsyncClient) -> None:
    titles = set()
    for site in SITES:
        answer = await client.get(server.url(site), follow_redirects=True)
        assert answer.status_code == 200
        titles.add(answer.text.split("<title>")[1].split("</title>")[0])
    assert len(titles) == len(SITES)


async def test_instances_keep_their_data_apart(server: SiteServer) -> None:
    first, second = server.database(1, "shopping"), server.database(2, "shopping")
    first.connection.execute("UPDATE product SET stock = 999 WHERE id = 1")
    first.connection.commit()
    assert first.changes() != ()
    assert second.changes() == ()
    assert server.database(1, "shopping_admin") is first


async def test_reset_takes_back_everything_and_only_here(server: SiteServer) -> None:
    for number in (1, 2):
        connection = server.database(number, "shopping").connection
        connection.execute("UPDATE product SET stock = 999 WHERE id = 1")
        connection.commit()
    server.database(1, "shopping").connection.execute("DELETE FROM review")  # left open on purpose
    server.reset(1)
    assert server.database(1, "shopping").changes() == ()
    assert [change.table for change in server.database(2, "shopping").changes()] == ["product"]


async def test_a_reset_signs_everybody_out(server: SiteServer, emma: httpx.AsyncClient) -> None:
    page = server.url("shopping") + "/account"
    assert (await emma.get(page)).status_code == 200
    server.reset(0)
    answer = await emma.get(page)
    assert answer.status_code == 303
    assert answer.headers["location"] == "/login?next=%2Faccount"


async def test_an_instance_does_not_know_the_cookies_of_another(server: SiteServer, client: httpx.AsyncClient) -> None:
    cookie = server.cookie(1, "shopping", EMMA)
    assert cookie["url"] == server.url("shopping", 1)
    client.cookies.set(cookie["name"], cookie["value"], domain=".localhost")
    assert (await client.get(server.url("shopping", 1) + "/account")).status_code == 200
    assert (await client.get(server.url("shopping", 2) + "/account")).status_code == 303


async def test_cookies_belong_to_one_host(server: SiteServer, client: httpx.AsyncClient) -> None:
    answer = await client.get(server.url("shopping", 3))
    cookie = answer.headers["set-cookie"]
    assert cookie.startswith("sid=")
    assert "domain" not in cookie.lower()
    assert "httponly" in cookie.lower()
    again = await client.get(server.url("shopping", 3))
    assert "set-cookie" not in again.headers
    sessions = server.database(3, "shopping").connection.execute("SELECT count(*) FROM session").fetchall()
    assert sessions[0][0] == 1


async def test_unknown_users_and_sites_are_named(server: SiteServer) -> None:
    with pytest.raises(InputError, match=r"no user 'nobody@example\.com'.*email"):
        server.cookie(0, "shopping", "nobody@example.com")
    with pytest.raises(InputError, match=r"no site 'shop'.*shopping"):
        server.url("shop")


async def test_staff_sign_in_to_the_back_office(server: SiteServer) -> None:
    cookie = server.cookie(0, "shopping_admin", "admin")
    rows = server.database(0, "shopping").connection.execute("SELECT site, user_id, token FROM session").fetchall()
    assert [tuple(row) for row in rows] == [("shopping_admin", 1, cookie["value"])]


async def test_addresses_to_and_fro(server: SiteServer) -> None:
    port = server.port
    assert server.url("shopping_admin", 4) == f"http://shopping-admin-i4.localhost:{port}"
    assert server.allow(4)[:2] == (f"shopping-i4.localhost:{port}", f"shopping-admin-i4.localhost:{port}")
    actual = f"http://shopping-i7.localhost:{port}/c/mugs-cups?page=2&q=a%20b#top"
    canonical = "http://shopping.localhost/c/mugs-cups?page=2&q=a%20b#top"
    assert server.canonical(actual) == canonical
    assert server.canonical(canonical) == canonical
    assert server.actual(canonical, 7) == actual
    assert server.actual("__SHOPPING__/cart", 7) == f"http://shopping-i7.localhost:{port}/cart"
    assert server.actual("__SHOPPING_ADMIN__", 0) == f"http://shopping-admin.localhost:{port}"
    for other in ("about:blank", "https://example.com/x", "data:text/plain,hi", "http://nothing.localhost/x"):
        assert server.canonical(other) == server.actual(other, 7) == other
    with pytest.raises(InputError, match="no site 'nowhere'"):
        server.actual("__NOWHERE__/f/books", 1)


async def test_a_form_needs_the_token_of_its_session(
    server: SiteServer, emma: httpx.AsyncClient, token: Callable[[str], str]
) -> None:
    page = server.url("shopping") + "/account/newsletter"
    good = token((await emma.get(page)).text)
    for wrong in ({}, {"csrf": ""}, {"csrf": "guessed"}, {"csrf": "ümlaut"}):
        answer = await emma.post(page, data={"subscribed": "1", **wrong})
        assert answer.status_code == 403
        assert "out of date" in answer.text
    assert server.database(0, "shopping").changes() == ()
    assert (await emma.post(page, data={"subscribed": "1", "csrf": good})).status_code == 303
    header = await emma.post(page, data={"subscribed": ""}, headers={"X-CSRF-Token": good})
    assert header.status_code == 303


async def test_pages_that_do_not_exist(server: SiteServer, client: httpx.AsyncClient) -> None:
    origin = server.url("shopping")
    missing = await client.get(origin + "/no/such/page")
    assert missing.status_code == 404
    assert "does not exist" in missing.text
    assert (await client.get(origin + "/account/newsletter/", follow_redirects=True)).status_code == 404
    assert (await client.get(origin + "/logout")).status_code == 405
    assert server.faults(0) == []


async def test_static_files_come_from_their_folders_only(server: SiteServer, client: httpx.AsyncClient) -> None:
    origin = server.url("shopping")
    script = await client.get(origin + "/static/htmx.min.js")
    assert script.status_code == 200
    assert script.headers["content-type"].startswith("text/javascript")
    assert "set-cookie" not in script.headers
    font = await client.get(origin + "/static/fonts/inter-latin-wght-normal.woff2")
    assert font.headers["content-type"] == "font/woff2"
    for path in ("/static/../web.py", "/static/%2e%2e/web.py", "/static//etc/passwd", "/static/", "/favicon.ico"):
        assert (await client.get(origin + path)).status_code == 404


async def test_every_page_forbids_inline_scripts(server: SiteServer, client: httpx.AsyncClient) -> None:
    answer = await client.get(server.url("shopping"))
    policy = answer.headers["content-security-policy"]
    assert "default-src 'self'" in policy
    assert "script-src" not in policy
    assert answer.headers["cache-control"] == "no-store"


async def test_a_picture_tells_nothing_by_its_address(server: SiteServer, client: httpx.AsyncClient) -> None:
    origin = server.url("shopping")
    one, other = [await client.get(f"{origin}/media/product/{number}.svg") for number in (1, 2)]
    assert one.headers["content-type"] == "image/svg+xml"
    assert "max-age" in one.headers["cache-control"]
    assert one.content != other.content
    assert (await client.get(f"{origin}/media/product/9999.svg")).status_code == 404


@pytest.fixture
def tryout(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Site:
    """A site of four pages, put in the place of the storefront."""

    async def boom(request: Request) -> Response:
        execute(request, "UPDATE product SET stock = 0 WHERE id = 1")
        raise ValueError("the page broke")

    async def write(request: Request) -> Response:
        execute(request, "UPDATE product SET stock = 77 WHERE id = 1")
        flash(request, "Written <b>down</b>.")
        return redirect("/show")

    async def show(request: Request) -> Response:
        return render(request, "show.html")

    async def upset(request: Request) -> Response:
        return render(request, "upset.html")

    (tmp_path / "templates").mkdir()
    (tmp_path / "templates" / "show.html").write_text(
        "{% for kind, text in messages %}[{{ kind }}: {{ text }}]{% endfor %}"
    )
    (tmp_path / "templates" / "upset.html").write_text("{{ nothing_of_that_name }}")
    site = Site(
        name="shopping",
        title="Tryout",
        database="shop",
        folder=tmp_path,
        user_table="customer",
        user_key="email",
        routes=[Route("/boom", boom), Route("/write", write), Route("/show", show), Route("/upset", upset)],
    )
    monkeypatch.setitem(registry.SITES._loaded, "shopping", site)  # type: ignore[attr-defined]
    return site


async def test_a_fault_is_kept_and_its_writes_are_not(
    tryout: Site, server: SiteServer, client: httpx.AsyncClient
) -> None:
    answer = await client.get(server.url("shopping", 5) + "/boom")
    assert answer.status_code == 500
    assert "the page broke" not in answer.text
    [fault] = server.faults(5)
    assert "ValueError: the page broke" in fault
    assert server.faults(6) == []
    assert server.database(5, "shopping").changes() == ()
    server.reset(5)
    assert server.faults(5) == []


async def test_a_name_that_a_template_does_not_know_is_a_fault(
    tryout: Site, server: SiteServer, client: httpx.AsyncClient
) -> None:
    assert (await client.get(server.url("shopping") + "/upset")).status_code == 500
    assert "nothing_of_that_name" in server.faults(0)[0]


async def test_writes_are_kept_and_a_message_is_shown_once(
    tryout: Site, server: SiteServer, client: httpx.AsyncClient
) -> None:
    answer = await client.get(server.url("shopping") + "/write")
    assert answer.status_code == 303
    [change] = server.database(0, "shopping").changes("shopping")
    assert (change.site, change.table, change.key, change.after) == ("shopping", "product", "1", {"stock": 77})
    shown = await client.get(server.url("shopping") + "/show")
    assert shown.text == "[success: Written &lt;b&gt;down&lt;/b&gt;.]"
    assert (await client.get(server.url("shopping") + "/show")).text == ""


async def test_a_port_in_use_is_named(server: SiteServer) -> None:
    with pytest.raises(InputError, match=rf"port {server.port} is already in use\. .*--port"):
        async with serve(server.port):
            pytest.fail("two servers on one port")


async def test_a_port_that_cannot_be(server: SiteServer) -> None:
    with pytest.raises(InputError, match="port 70000 is none: they go from 0 to 65535"):
        async with serve(70_000):
            pytest.fail("there is no such port")


async def test_a_port_is_free_again_afterwards() -> None:
    async with serve() as first:
        port = first.port
    async with serve(port) as second:
        assert second.port == port


async def test_a_form_that_cannot_be_read_is_refused(server: SiteServer, client: httpx.AsyncClient) -> None:
    answer = await client.post(
        server.url("shopping") + "/contact",
        content=b"no boundary here",
        headers={"Content-Type": "multipart/form-data; boundary=x"},
    )
    assert answer.status_code == 400
    assert server.faults(0) == []
