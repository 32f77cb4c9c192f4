"""What every embedded site's pages are written with.

A site is a `Site`: Starlette routes over one SQLite database, a folder of Jinja2 templates and one of static files. The
server (`guideact.sites.server`) finds the route, and around each handler it

- opens the database of the instance that the host name asks for: `request.state.db` (rows are `sqlite3.Row`),
- finds the browser's session by its host-only cookie `sid`, or makes one: `request.state.session`,
- for a POST reads the form, and refuses it (403) without the session's token in the field `csrf` or the header
  `X-CSRF-Token`,
- commits what the handler wrote when it returns, rolls back when it raises.

So a handler is `async def page(request: Request) -> Response`, needs no await and no commit of its own, and answers a
POST by a redirect:

    @signed_in
    async def rename(request: Request) -> Response:
        name = field(request, "name")
        if not name:
            return render(request, "rename.html", errors={"name": "Enter a name."}, status=422)
        execute(request, "UPDATE customer SET first_name = ? WHERE id = ?", name, request.state.session.user_id)
        flash(request, "Your name was saved.")
        return redirect("/account")

    SITE = Site(
        name="shopping", title="...", database="shop", folder=Path(__file__).parent, user_table="customer",
        user_key="email", login_path="/login", context=site_context,
        routes=[Route("/rename", rename, methods=["GET", "POST"])],
    )

In a handler: `row`, `rows`, `value`, `execute` (SQL); `field`, `integer`, `fields`, `form` (what was sent); `flash`,
`redirect`, `safe_next`, `render`, `not_found`, `forbidden`; `sign_in`, `sign_out`, `user`; guards `signed_in`,
`roles("Administrator")`; `Pager.of`, `Sort.of`, `with_query`; `site_url(request, "shopping", "/path")` for a link to
another site of the same instance.

In every template (autoescaped; an unknown name is an error): `request`, `path`, `site`, `session`, `user` (row or
None), `messages` (flash messages as (kind, text), gone once walked through), `csrf` (token), `csrf_input()` (hidden
field), `static("base.css")` (address with a version), `with_query(page=2)`, `site_url("shopping_admin", "/x")`, `now`
(datetime), and what `Site.context(request)` gives. Filters: `money` (123450 -> $1,234.50), `date` (Mar 16, 2026),
`datetime` (Mar 16, 2026, 10:00 AM), `plural` (3|plural("item") -> "3 items"), `json` (parse). `macros.html` offers
`pagination(pager)` and `sort_header(sort, key, label)`. A site's `error.html` (code, title, text) replaces the
common one. Templates and static files are read anew when they change.

The content security policy allows no inline script and no handler attribute: scripts are files under `static/`. htmx
needs `<meta name="htmx-config" content='{"includeIndicatorStyles": false, "allowEval": false}'>` and, to post,
`hx-headers` with the token. `static/common.js` has what several sites use: `data-confirm="Really?"`, `data-submit`,
`data-print`, ARIA tabs.
"""

from __future__ import annotations

import functools
import json
import math
import os
import sqlite3
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from datetime import date, datetime
from pathlib import Path
from typing import Any, NoReturn
from urllib.parse import urlencode

import jinja2
from markupsafe import Markup
from starlette.datastructures import FormData, QueryParams
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from guideact.sites.world import NOW

__all__ = [
    "Handler",
    "Pager",
    "Session",
    "Site",
    "Sort",
    "execute",
    "field",
    "fields",
    "flash",
    "forbidden",
    "form",
    "integer",
    "json_response",
    "money",
    "not_found",
    "now_text",
    "redirect",
    "render",
    "roles",
    "row",
    "rows",
    "safe_next",
    "sign_in",
    "sign_out",
    "signed_in",
    "site_url",
    "today_text",
    "user",
    "value",
    "with_query",
]

Handler = Callable[[Request], Awaitable[Response]]

COMMON = Path(__file__).parent
CONTENT_SECURITY_POLICY = (
    "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; "
    "frame-ancestors 'self'; form-action 'self'; base-uri 'none'; object-src 'none'"
)


def _no_context(request: Request) -> dict[str, Any]:
    return {}


@dataclass(frozen=True)
class Site:
    """One embedded site. `folder` holds `templates/` and `static/`; `user_table` is where its signed-in users live."""

    name: str
    """As in tasks: shopping, shopping_admin. Its host name has a dash where the name has an underscore."""
    title: str
    database: str
    """Name of the pristine image; sites that give the same one share their data."""
    routes: Sequence[Route]
    folder: Path
    user_table: str
    user_key: str
    """The column by which Python names a user when it signs one in: email, username."""
    login_path: str = "/login"
    context: Callable[[Request], Mapping[str, Any]] = _no_context
    """What every template of the site needs besides: a menu, the number of things in the cart."""
    environment: jinja2.Environment = dataclass_field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "environment", _environment(self.folder / "templates"))

    @property
    def host(self) -> str:
        return self.name.replace("_", "-")

    @functools.cached_property
    def static_folders(self) -> tuple[Path, Path]:
        """Where `/static/...` is looked for, in this order."""
        return (self.folder / "static", COMMON / "static")


@dataclass
class Session:
    """The browser's session: a row of the table `session`, written back after the handler where it changed."""

    token: str
    site: str
    csrf: str
    user_id: int | None = None
    flash: list[list[str]] = dataclass_field(default_factory=list)
    """Messages for the next page: [kind, text]."""
    data: dict[str, Any] = dataclass_field(default_factory=dict)
    """Anything that JSON can hold: a compare list, a checkout draft, grid filters. Change it in place."""


# --- data -------------------------------------------------------------------------------------------------------


def rows(request: Request, sql: str, *parameters: Any) -> list[sqlite3.Row]:
    """All rows of a query."""
    connection: sqlite3.Connection = request.state.db
    return connection.execute(sql, parameters).fetchall()


def row(request: Request, sql: str, *parameters: Any) -> sqlite3.Row | None:
    """The first row of a query, or None."""
    found = rows(request, sql, *parameters)
    return found[0] if found else None


def value(request: Request, sql: str, *parameters: Any) -> Any:
    """The first column of the first row, or None."""
    found = row(request, sql, *parameters)
    return None if found is None else found[0]


def execute(request: Request, sql: str, *parameters: Any) -> int:
    """Run a statement that writes. The new row's id after an INSERT, otherwise the number of rows changed."""
    connection: sqlite3.Connection = request.state.db
    cursor = connection.execute(sql, parameters)
    if sql.lstrip()[:6].upper() == "INSERT":
        return cursor.lastrowid or 0
    return cursor.rowcount


def now_text() -> str:
    """The sites' constant now as the databases write it: 2026-03-16 10:00:00."""
    return NOW.strftime("%Y-%m-%d %H:%M:%S")


def today_text() -> str:
    """The sites' constant today: 2026-03-16."""
    return NOW.strftime("%Y-%m-%d")


# --- what was sent ----------------------------------------------------------------------------------------------


def form(request: Request) -> FormData:
    """The fields of a POST (read by the server before the handler began); empty for a GET."""
    sent: FormData = request.state.form
    return sent


def _source(request: Request) -> FormData | QueryParams:
    return form(request) if request.method == "POST" else request.query_params


def field(request: Request, name: str, default: str = "") -> str:
    """One field of the form of a POST or of the query of a GET, with the white space around it taken off."""
    sent = _source(request).get(name)
    return sent.strip() if isinstance(sent, str) else default


def fields(request: Request, name: str) -> list[str]:
    """All values of a repeated field (checkboxes, a multiple select)."""
    return [sent.strip() for sent in _source(request).getlist(name) if isinstance(sent, str)]


def integer(request: Request, name: str, default: int | None = None) -> int | None:
    """A field as a whole number, or the default where it is missing or none."""
    try:
        return int(field(request, name))
    except ValueError:
        return default


# --- answers ----------------------------------------------------------------------------------------------------


def redirect(url: str) -> Response:
    """See other: what a POST answers, so that reloading the next page sends nothing twice."""
    return RedirectResponse(url, status_code=303)


def json_response(content: Any, status: int = 200) -> Response:
    return JSONResponse(content, status_code=status)


def not_found(text: str = "The page you asked for does not exist.") -> NoReturn:
    """Give the 404 page."""
    raise HTTPException(404, text)


def forbidden(text: str = "You are not allowed to do this.") -> NoReturn:
    """Give the 403 page."""
    raise HTTPException(403, text)


def flash(request: Request, text: str, kind: str = "success") -> None:
    """A message for the next page that is rendered. `kind`: success, error, info, warning."""
    request.state.session.flash.append([kind, text])


def render(request: Request, template: str, /, status: int = 200, **context: Any) -> Response:
    """A page of the site. The names that every template knows are listed in the module's docstring."""
    site: Site = request.state.site
    everything = {**_page_context(request), **site.context(request), **context}
    return HTMLResponse(site.environment.get_template(template).render(everything), status_code=status)


def _page_context(request: Request) -> dict[str, Any]:
    session: Session = request.state.session
    token = Markup('<input type="hidden" name="csrf" value="{}">').format(session.csrf)

    def messages() -> list[list[str]]:
        shown, session.flash = session.flash, []
        return shown

    return {
        "request": request,
        "path": request.url.path,
        "site": request.state.site,
        "session": session,
        "user": user(request),
        "messages": _Messages(messages),
        "csrf": session.csrf,
        "csrf_input": lambda: token,
        "static": functools.partial(static_url, request.state.site),
        "with_query": functools.partial(with_query, request),
        "site_url": functools.partial(site_url, request),
        "now": NOW,
    }


class _Messages:
    """The flash messages, taken out of the session only when a template walks through them: a fragment keeps them."""

    def __init__(self, take: Callable[[], list[list[str]]]) -> None:
        self._take = take

    def __iter__(self) -> Any:
        return iter(self._take())


def static_url(site: Site, name: str) -> str:
    """Address of a static file of the site (or a common one), with its time as a version, so that it can be cached.

    Raises FileNotFoundError for a file that is not there: a page that asks for it is a page to mend.
    """
    return f"/static/{name}?v={os.stat(_static_file(site.static_folders, name)).st_mtime_ns // 1_000_000:x}"


@functools.cache
def _static_file(folders: tuple[Path, ...], name: str) -> str:
    for folder in folders:
        if (folder / name).is_file():
            return str(folder / name)
    raise FileNotFoundError(f"no static file {name} in {' or '.join(str(folder) for folder in folders)}")


def site_url(request: Request, site: str, path: str = "/") -> str:
    """Address of a page of another site of the same instance."""
    make: Callable[[str, str], str] = request.state.site_url
    return make(site, path)


def with_query(request: Request, /, **changes: Any) -> str:
    """This page's path and query with some parameters changed: None takes one out, a list repeats it."""
    query = request.query_params
    pairs = [(name, sent) for name, sent in query.multi_items() if name not in changes]
    for name, given in changes.items():
        if isinstance(given, (list, tuple)):
            pairs += [(name, str(one)) for one in given]
        elif given is not None:
            pairs.append((name, str(given)))
    path = request.url.path
    return f"{path}?{urlencode(pairs)}" if pairs else path


def safe_next(request: Request, default: str = "/") -> str:
    """The field `next` where it is a path of this site, otherwise the default."""
    wanted = field(request, "next") or request.query_params.get("next", "")
    if wanted.startswith("/") and not wanted.startswith(("//", "/\\")):
        return wanted
    return default


# --- who is signed in -------------------------------------------------------------------------------------------


def user(request: Request) -> sqlite3.Row | None:
    """The signed-in user's row (of `Site.user_table`), read once a request; None for a guest."""
    state = request.state
    if not hasattr(state, "user"):
        session: Session = state.session
        site: Site = state.site
        state.user = (
            None
            if session.user_id is None
            else row(request, f"SELECT * FROM {site.user_table} WHERE id = ?", session.user_id)
        )
    found: sqlite3.Row | None = state.user
    return found


def sign_in(request: Request, user_id: int) -> None:
    """Make the session this user's and note the time in the user's row."""
    site: Site = request.state.site
    request.state.session.user_id = user_id
    execute(request, f"UPDATE {site.user_table} SET last_login_at = ? WHERE id = ?", now_text(), user_id)
    if hasattr(request.state, "user"):
        del request.state.user


def sign_out(request: Request) -> None:
    """Make the session a guest's again and forget what it held."""
    session: Session = request.state.session
    session.user_id = None
    session.data.clear()
    if hasattr(request.state, "user"):
        del request.state.user


def signed_in(handler: Handler) -> Handler:
    """Guard: a guest is sent to the site's login page, and from there back."""

    @functools.wraps(handler)
    async def guarded(request: Request) -> Response:
        if user(request) is None:
            site: Site = request.state.site
            back = with_query(request) if request.method == "GET" else "/"
            login = f"{site.login_path}?{urlencode({'next': back})}"
            if "hx-request" in request.headers:
                return Response(headers={"HX-Redirect": login})
            return redirect(login)
        return await handler(request)

    return guarded


def roles(*names: str) -> Callable[[Handler], Handler]:
    """Guard: signed in, and with one of these roles (the column `role`); others get the 403 page."""

    def guard(handler: Handler) -> Handler:
        @functools.wraps(handler)
        async def checked(request: Request) -> Response:
            found = user(request)
            if found is not None and found["role"] not in names:
                forbidden(f"Your role ({found['role']}) does not include this page.")
            return await handler(request)

        return signed_in(checked)

    return guard


# --- lists ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Pager:
    """One page of a list. `LIMIT :size OFFSET :offset` gives its rows; its addresses keep the other parameters."""

    request: Request
    page: int
    size: int
    count: int
    sizes: tuple[int, ...] = ()
    """Page sizes to choose from (query parameter `size`); empty for a fixed one."""

    @classmethod
    def of(cls, request: Request, count: int, size: int = 20, sizes: tuple[int, ...] = ()) -> Pager:
        """Read `page` and, where there is a choice, `size` from the query; a page past the end is the last one."""
        wanted = _whole(request.query_params.get("size"), size)
        chosen = wanted if wanted in sizes else size
        pages = max(1, math.ceil(count / chosen))
        page = min(max(1, _whole(request.query_params.get("page"), 1)), pages)
        return cls(request, page, chosen, count, sizes)

    @property
    def pages(self) -> int:
        return max(1, math.ceil(self.count / self.size))

    @property
    def offset(self) -> int:
        return (self.page - 1) * self.size

    @property
    def first(self) -> int:
        """1-based number of the page's first row, 0 for an empty list."""
        return self.offset + 1 if self.count else 0

    @property
    def last(self) -> int:
        return min(self.offset + self.size, self.count)

    @property
    def previous_url(self) -> str | None:
        return self.url(self.page - 1) if self.page > 1 else None

    @property
    def next_url(self) -> str | None:
        return self.url(self.page + 1) if self.page < self.pages else None

    @property
    def numbers(self) -> list[int | None]:
        """The page numbers to offer: the ends and the neighbours, None for a gap."""
        near = {1, self.pages, *range(self.page - 2, self.page + 3)}
        shown: list[int | None] = []
        for number in sorted(number for number in near if 1 <= number <= self.pages):
            if shown and shown[-1] is not None and number - shown[-1] > 1:
                shown.append(None)
            shown.append(number)
        return shown

    def url(self, page: int) -> str:
        return with_query(self.request, page=page if page > 1 else None)

    def size_url(self, size: int) -> str:
        return with_query(self.request, size=size, page=None)


@dataclass(frozen=True)
class Sort:
    """The order of a list: query parameters `sort` and `dir`. `sql` is safe to put after ORDER BY."""

    request: Request
    key: str
    descending: bool
    columns: Mapping[str, str]

    @classmethod
    def of(cls, request: Request, columns: Mapping[str, str], default: str, descending: bool = False) -> Sort:
        """`columns` maps what the address says to SQL, for instance {"price": "p.price_cents"}."""
        key = request.query_params.get("sort", default)
        direction = request.query_params.get("dir", "")
        if key not in columns:
            key, direction = default, ""
        falls = direction == "desc" if direction in ("asc", "desc") else descending and key == default
        return cls(request, key, falls, columns)

    @property
    def sql(self) -> str:
        """For instance `p.price_cents DESC`; follow it by a unique column, so that the order is always the same."""
        return f"{self.columns[self.key]} {'DESC' if self.descending else 'ASC'}"

    def state(self, key: str) -> str:
        """Value of `aria-sort` for a column's header."""
        if key != self.key:
            return "none"
        return "descending" if self.descending else "ascending"

    def url(self, key: str) -> str:
        """Where the column's header leads: sorted by it, or the other way round where it is the one already."""
        turned = "desc" if key == self.key and not self.descending else "asc"
        return with_query(self.request, sort=key, dir=turned, page=None)


def _whole(text: str | None, default: int) -> int:
    try:
        return int(text) if text is not None else default
    except ValueError:
        return default


# --- templates --------------------------------------------------------------------------------------------------


def money(cents: int) -> str:
    """123450 -> $1,234.50; -500 -> -$5.00."""
    return f"{'-' if cents < 0 else ''}${abs(cents) // 100:,}.{abs(cents) % 100:02}"


def date_text(given: str | date | None) -> str:
    """2026-03-16 (or a longer ISO text) -> Mar 16, 2026; empty for nothing."""
    if not given:
        return ""
    day = date.fromisoformat(given[:10]) if isinstance(given, str) else given
    return f"{day:%b} {day.day}, {day.year}"


def datetime_text(given: str | datetime | None) -> str:
    """2026-03-16 10:00:00 -> Mar 16, 2026, 10:00 AM; empty for nothing."""
    if not given:
        return ""
    moment = datetime.fromisoformat(given) if isinstance(given, str) else given
    return f"{date_text(moment.date())}, {moment.hour % 12 or 12}:{moment:%M} {'AM' if moment.hour < 12 else 'PM'}"


def plural(count: int, one: str, many: str = "") -> str:
    """3, "item" -> 3 items; 1, "item" -> 1 item; 2, "entry", "entries" -> 2 entries."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def _environment(templates: Path) -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader([templates, COMMON / "templates"]),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        cache_size=-1,
    )
    environment.filters |= {
        "money": money,
        "date": date_text,
        "datetime": datetime_text,
        "plural": plural,
        "json": json.loads,
    }
    return environment
