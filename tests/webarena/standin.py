"""A stand-in for WebArena's sites: pages of the same shape on the same url patterns, each site on a port of its own.

What evaluators, logins and start pages look at is there as Magento, Postmill, GitLab, OpenStreetMap and Kiwix have it:
field names, ids, classes, paths, redirects, cookies. All sites run on one host, so they share its cookies, as they do
where WebArena is set up on one machine: the shop and the forums call theirs by the same name.
"""

from __future__ import annotations

import asyncio
import html
import json
import secrets
import socket
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

import uvicorn
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.types import Receive, Scope, Send

from guideact.tasks.webarena.setup import ACCOUNTS, SITES

COOKIES = {"shopping": "PHPSESSID", "shopping_admin": "admin", "reddit": "PHPSESSID", "gitlab": "_gitlab_session"}
BOOK = "wikipedia_en_all_maxi_2022-05"
PRODUCTS = {
    "blue-candle-4-pack": ("Blue Candle, 4 Pack", "11", "CAN4", 12.0),
    "red-candle-12-pack": ("Red Candle, 12 Pack", "12", "CAN12", 24.0),
}


@dataclass
class Data:
    """What can be changed, by site; a reset puts it back."""

    cart: list[str] = field(default_factory=list)
    orders: list[dict[str, Any]] = field(default_factory=lambda: [{"entity_id": 188, "increment_id": "000000188"}])
    reviews: list[dict[str, Any]] = field(default_factory=list)
    product: dict[str, str] = field(default_factory=lambda: {"status": "1", "price": "32.00"})
    posts: list[dict[str, str]] = field(
        default_factory=lambda: [{"forum": "books", "title": "What to read next?", "body": "I liked Dune."}]
    )
    votes: dict[str, str] = field(default_factory=dict)
    members: dict[str, str] = field(default_factory=lambda: {"byteblaze": "Owner", "vinta": "Guest"})
    starred: bool = False


class StandIn:
    """The running sites. `down` names those that answer 503."""

    def __init__(self) -> None:
        self.ports: dict[str, int] = {}
        self.data = {site: Data() for site in SITES}
        self.sessions: dict[str, dict[str, bool]] = {site: {} for site in SITES}
        self.passwords = {site: account.password.get_secret_value() for site, account in ACCOUNTS.items()}
        self.down: set[str] = set()
        self.down_after: dict[str, int] = {}
        """How many more requests a site answers before it goes down."""
        self.resets: list[str] = []
        self.logins: list[str] = []
        self.events: list[tuple[str, str]] = []
        """(site, what): page views and writes, in order."""
        self.reset_takes = 0
        """How often the status still says that a reset is under way."""

    def address(self, site: str) -> str:
        base = f"http://127.0.0.1:{self.ports[site]}"
        if site == "shopping_admin":
            return f"{base}/admin"
        return f"{base}/{BOOK}/A/User:The_other_Kiwix_guy/Landing" if site == "wikipedia" else base

    @property
    def environ(self) -> dict[str, str]:
        """The variables that a user of WebArena sets."""
        return {site.upper(): self.address(site) for site in SITES}

    @property
    def control(self) -> str:
        """Address of the server that resets the sites."""
        return f"http://127.0.0.1:{self.ports['control']}"

    def reset(self, site: str) -> None:
        self.resets.append(site)
        self.data[site] = Data()
        self.sessions[site] = {}

    # --- the application

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        port = scope["server"][1]
        site = next(name for name, own in self.ports.items() if own == port)
        if site == "control":
            response = self._control(request)
        elif site in self.down or self._goes_down(site):
            response = PlainTextResponse("under maintenance", status_code=503)
        else:
            form = {k: str(v) for k, v in (await request.form()).items()} if request.method == "POST" else {}
            if request.headers.get("content-type", "").startswith("application/json"):
                form = await request.json()
            self.events.append((site, f"{request.method} {request.url.path}"))
            response = self._page(site, request, form)
        await response(scope, receive, send)

    def _goes_down(self, site: str) -> bool:
        if site in self.down_after:
            self.down_after[site] -= 1
        return self.down_after.get(site, 0) < 0

    def _control(self, request: Request) -> Response:
        if request.url.path == "/status":
            self.reset_takes -= 1
            return PlainTextResponse("Ready for duty!" if self.reset_takes < 0 else "Reset ongoing.")
        one = request.query_params.get("site")
        for site in [one] if one else SITES:
            self.reset(site)
        return PlainTextResponse("Reset initiated.")

    def _page(self, site: str, request: Request, form: dict[str, Any]) -> Response:
        token = request.cookies.get(COOKIES.get(site, "-"), "")
        signed_in = self.sessions[site].get(token, False)
        login = _login_page(site)
        if login is not None and request.url.path == login[0] and not (signed_in and site == "shopping_admin"):
            return self._login(site, request, form, login)
        if request.url.path.endswith(("/logout", "/logout/")):
            self.sessions[site].pop(token, None)
            return RedirectResponse("/", 302)
        page: Callable[[Request, dict[str, Any], bool], Response] = getattr(self, f"_{site}")
        return page(request, form, signed_in)

    def _login(self, site: str, request: Request, form: dict[str, Any], login: tuple[str, str, str]) -> Response:
        path, user, password = login
        if request.method == "POST":
            known = form.get(user) == ACCOUNTS[site].username and form.get(password) == self.passwords[site]
            if known and form.get("token") == "form-token":
                token = secrets.token_hex(8)
                self.sessions[site][token] = True
                self.logins.append(site)
                response = RedirectResponse("/admin/dashboard" if site == "shopping_admin" else "/", 302)
                response.set_cookie(COOKIES[site], token, httponly=True)
                return response
        wrapper = 'id="login-form" class="form form-login"' if site == "shopping" else ""
        return _html(
            "Sign in",
            f'<form method="post" action="{path}" {wrapper}><input type="hidden" name="token" value="form-token">'
            f'<label>User <input name="{user}"></label>'
            f'<label>Password <input name="{password}" type="password"></label>'
            "<button>Sign in</button></form>",
        )

    def _write(self, site: str) -> Data:
        self.events.append((site, "write"))
        return self.data[site]

    # --- One Stop Market

    def _shopping(self, request: Request, form: dict[str, Any], signed_in: bool) -> Response:
        path, data = request.url.path, self.data["shopping"]
        if path.startswith("/rest/"):
            return self._rest(request, form)
        if path == "/wishlist/":
            return _html("My Wish List", "<h1>My Wish List</h1>") if signed_in else _to("/customer/account/login/")
        if path == "/checkout/cart/":
            rows = "".join(f'<tr><td class="product-item-name">{PRODUCTS[key][0]}</td></tr>' for key in data.cart)
            return _html("Shopping Cart", f'<h1>Shopping Cart</h1><table id="shopping-cart-table">{rows}</table>')
        if path.startswith("/checkout/cart/add/"):
            self._write("shopping").cart.append(form["key"])
            response = _to("/checkout/cart/")
            response.set_cookie("mage-messages", quote(json.dumps([{"text": "You added it to your cart."}])))
            return response
        if path == "/checkout/":
            number = 188 + len(data.orders)
            names = [PRODUCTS[key][0] for key in data.cart]
            self._write("shopping").orders.insert(
                0, {"entity_id": number, "increment_id": f"{number:09}", "items": names}
            )
            data.cart.clear()
            return _html("Success Page", f"<h1>Thank you for your purchase!</h1><p>Your order is {number:09}.</p>")
        if path.startswith("/sales/order/view/order_id/"):
            number = int(path.split("/")[5])
            order = next((each for each in data.orders if each["entity_id"] == number), None)
            items = ", ".join(order.get("items", ())) if order is not None and signed_in else ""
            return _html(f"Order {number}", f'<div class="order-details-items ordered">{items}</div>')
        if path == "/contact/":
            return _html(
                "Contact Us",
                '<form><label>Name <input name="name"></label><label>What’s on your mind? '
                '<textarea name="comment" title="What’s on your mind?" id="comment"></textarea></label></form>',
            )
        key = path.removeprefix("/").removesuffix(".html")
        if key in PRODUCTS:
            return self._product(key, form, request)
        links = "".join(f'<li><a href="/{key}.html">{product[0]}</a></li>' for key, product in PRODUCTS.items())
        who = '<a href="/customer/account/logout/">Sign Out</a>' if signed_in else "Sign In"
        more = '<a href="/contact/">Contact Us</a> <a href="/checkout/cart/">My Cart</a> <a href="/checkout/">Buy</a>'
        return _html("One Stop Market", f"<h1>One Stop Market</h1><p>{who} {more}</p><ul>{links}</ul>")

    def _product(self, key: str, form: dict[str, Any], request: Request) -> Response:
        name, number, sku, price = PRODUCTS[key]
        if request.method == "POST":
            stars = {"1": "20", "5": "100"}[form["stars"]]
            review = {"id": 1, "nickname": form["nickname"], "ratings": [{"rating_name": "Rating", "percent": stars}]}
            self._write("shopping").reviews.append({"sku": sku, **review})
        # The shop builds its prices by script, after the page has come to rest.
        return _html(
            name,
            f'<h1 class="page-title">{name}</h1><div id="price"></div>'
            f"<script>setTimeout(() => document.querySelector('#price').textContent = '${price:.2f}', 600)</script>"
            f'<form method="post" action="/checkout/cart/add/uenc/x/product/{number}"><input type="hidden" name="key" '
            f'value="{key}"><input type="hidden" name="qty" value="1"><button>Add {name} to Cart</button></form>'
            '<form method="post"><label>Nickname <input name="nickname"></label><label>Stars <select name="stars">'
            "<option>1</option><option>5</option></select></label><button>Submit Review</button></form>",
        )

    def _rest(self, request: Request, form: dict[str, Any]) -> Response:
        path, data = request.url.path, self.data["shopping"]
        if path == "/rest/default/V1/integration/admin/token":
            known = form == {"username": "admin", "password": self.passwords["shopping_admin"]}
            return JSONResponse("the-token" if known else {"message": "wrong"}, 200 if known else 401)
        if request.headers.get("authorization") != "Bearer the-token":
            return JSONResponse({"message": "The consumer isn't authorized."}, 401)
        if path == "/rest/V1/orders":
            return JSONResponse({"items": data.orders[:1]})
        sku = path.split("/")[4]
        return JSONResponse([each for each in data.reviews if each["sku"] == sku])

    # --- its back office

    def _shopping_admin(self, request: Request, form: dict[str, Any], signed_in: bool) -> Response:
        path, data = request.url.path, self.data["shopping_admin"]
        if not signed_in:
            return _to("/admin")
        if path == "/admin/catalog/product/edit/id/7/":
            if request.method == "POST":
                price = form.get("product[price]", data.product["price"])
                self._write("shopping_admin").product = {"status": form["product[status]"], "price": price}
            options = "".join(
                f'<option value="{value}" {"selected" if value == data.product["status"] else ""}>{label}</option>'
                for value, label in (("1", "Enabled"), ("2", "Disabled"))
            )
            # The price stands in a part of the form that is not there until it is opened, as in the original.
            opened = f'<input name="product[price]" aria-label="Price" value="{data.product["price"]}">'
            return _html(
                "Push It Messenger Bag",
                '<form method="post"><h1>Push It Messenger Bag</h1>'
                f'<label>Status <select name="product[status]">{options}</select></label>'
                f'<div data-index="prices"><button type="button" class="admin__collapsible-title">Prices</button></div>'
                f"<template>{opened}</template><button>Save</button></form><script>"
                "document.querySelector('.admin__collapsible-title').onclick = event => event.target.after("
                "document.querySelector('template').content.cloneNode(true))</script>",
            )
        return _html(
            "Dashboard / Magento Admin",
            '<h1>Dashboard</h1><a href="/admin/catalog/product/edit/id/7/">Push It Messenger Bag</a>',
        )

    # --- Postmill

    def _reddit(self, request: Request, form: dict[str, Any], signed_in: bool) -> Response:
        path, data = request.url.path, self.data["reddit"]
        user = ACCOUNTS["reddit"].username
        if path == f"/user/{user}/account":
            return _html("Account", "<button>Delete account</button>") if signed_in else _to("/login")
        if path.startswith("/submit"):
            if not signed_in:
                return _to("/login")
            if request.method == "POST":
                self._write("reddit").posts.append(
                    {"forum": form["forum"], "title": form["submission[title]"], "body": form["submission[body]"]}
                )
                slug = form["submission[title]"].lower().replace(" ", "-")
                return _to(f"/f/{form['forum']}/{len(data.posts)}/{slug}")
            return _html(
                "Create submission",
                '<form method="post"><label>Title <input name="submission[title]"></label><label>Body '
                '<textarea name="submission[body]"></textarea></label><label>Forum <select name="forum">'
                "<option>books</option><option>consoles</option></select></label>"
                "<button>Create submission</button></form>",
            )
        words = path.split("/")
        if path.startswith("/f/") and len(words) > 3 and words[3].isdigit() and int(words[3]) <= len(data.posts):
            post, number = data.posts[int(words[3]) - 1], words[3]
            if request.method == "POST":
                self._write("reddit").votes[number] = form["choice"]
            vote = data.votes.get(number, "")
            return _html(
                post["title"],
                f'<div class="submission__inner"><h1>{html.escape(post["title"])}</h1>'
                f'<p class="submission__body">{html.escape(post["body"])}</p></div><div class="submission__vote">'
                f'<form method="post" class="vote {"vote--user-upvoted" if vote == "1" else ""}">'
                '<button name="choice" value="1">Upvote</button></form></div>',
            )
        links = "".join(
            f'<li><a href="/f/{post["forum"]}/{number}/x">{html.escape(post["title"])}</a></li>'
            for number, post in enumerate(data.posts, 1)
        )
        return _html("Postmill", f'<h1>Postmill</h1><a href="/submit">Submit</a><ul>{links}</ul>')

    # --- GitLab

    def _gitlab(self, request: Request, form: dict[str, Any], signed_in: bool) -> Response:
        path, data = request.url.path, self.data["gitlab"]
        if path == "/-/profile":
            return _html("Edit Profile", "<h1>Edit Profile</h1>") if signed_in else _to("/users/sign_in")
        if path == "/byteblaze/dotfiles/-/project_members":
            if request.method == "POST":
                self._write("gitlab").members[form["user"]] = form["role"]
            rows = "".join(
                f"<tr><td data-label='Account'><span class='gl-avatar-labeled-sublabel'>@{name}</span></td>"
                f"<td class='col-max-role'><span>{role}</span></td></tr>"
                for name, role in data.members.items()
            )
            return _html(
                "Members",
                f'<h1>Members</h1><table>{rows}</table><form method="post"><label>User <input name="user"></label>'
                '<label>Role <select name="role"><option>Guest</option><option>Reporter</option>'
                "<option>Developer</option></select></label><button>Invite</button></form>",
            )
        if path == "/byteblaze/dotfiles/toggle_star.json":
            self._write("gitlab").starred = True
            return JSONResponse({"star_count": 1})
        if path == "/byteblaze/dotfiles":
            star = "fetch('/byteblaze/dotfiles/toggle_star.json', {method: 'POST'})"
            return _html(
                "byteblaze / dotfiles",
                f'<h1>dotfiles</h1><button onclick="{star}">Star</button>'
                '<a href="/byteblaze/dotfiles/-/project_members">Members</a>',
            )
        if path == "/dashboard/todos":
            return _html("To-Do List", "<h1>To-Do List</h1>")
        return _html(
            "Projects",
            '<h1>Projects</h1><a href="/byteblaze/dotfiles">dotfiles</a> <a href="/dashboard/todos">To-Do List</a>',
        )

    # --- OpenStreetMap and Kiwix

    def _map(self, request: Request, form: dict[str, Any], signed_in: bool) -> Response:
        place = html.escape(request.query_params.get("query", ""))
        found = f'<p class="result">{place}: 4.2 km, 16 min</p>' if place else ""
        locate = "navigator.geolocation.getCurrentPosition(p => document.querySelector('#here').textContent = "
        locate += "p.coords.latitude + ', ' + p.coords.longitude)"
        response = _html(
            "OpenStreetMap",
            '<form action="/search"><label>Search <input name="query"></label><button>Go</button></form>'
            f'{found}<button onclick="{locate}">Show My Location</button><p id="here"></p>',
        )
        response.set_cookie("_osm_directions_engine", "fossgis_osrm_car")
        return response

    def _wikipedia(self, request: Request, form: dict[str, Any], signed_in: bool) -> Response:
        if request.url.path == f"/{BOOK}/A/Pittsburgh":
            return _html("Pittsburgh", "<h1>Pittsburgh</h1><p>A city in Pennsylvania, with 446 bridges.</p>")
        return _html("User:The other Kiwix guy/Landing", f'<a href="/{BOOK}/A/Pittsburgh">Pittsburgh</a>')


def _login_page(site: str) -> tuple[str, str, str] | None:
    """Path of a site's form, and what it calls user and password."""
    magento = ("login[username]", "login[password]")
    pages = {
        "shopping": ("/customer/account/login/", *magento),
        "shopping_admin": ("/admin", *magento),
        "reddit": ("/login", "_username", "_password"),
        "gitlab": ("/users/sign_in", "user[login]", "user[password]"),
    }
    return pages.get(site)


def _html(title: str, body: str) -> HTMLResponse:
    style = "body{font:16px sans-serif;margin:24px}label{display:block;margin:8px 0}li{margin:6px 0}"
    return HTMLResponse(
        f'<!doctype html><html lang="en"><head><title>{html.escape(title)}</title><style>{style}</style></head>'
        f"<body>{body}</body></html>"
    )


def _to(path: str) -> RedirectResponse:
    return RedirectResponse(path, 302)


class _Server(uvicorn.Server):
    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.ready = asyncio.Event()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.ready.set()

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


@asynccontextmanager
async def serve_standin() -> AsyncIterator[StandIn]:
    """All sites, and the server that resets them, on free ports of the loopback interface."""
    there = StandIn()
    sockets = []
    for name in (*SITES, "control"):
        sockets.append(bound := socket.create_server(("127.0.0.1", 0)))
        there.ports[name] = bound.getsockname()[1]
    server = _Server(
        uvicorn.Config(there, host="127.0.0.1", log_level="critical", lifespan="off", timeout_graceful_shutdown=1)
    )
    serving = asyncio.create_task(server.serve(sockets))
    await server.ready.wait()
    try:
        yield there
    finally:
        server.should_exit = True
        await serving
