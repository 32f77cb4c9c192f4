"""The one list of the back office: a `Grid` says what it shows, and every list page is made from it.

The address holds the whole view, so it can be bookmarked, shared and checked: `q` (keyword), `sort`, `dir`, `page`,
`size`, and one parameter a filter (`status=pending`; ranges as `total_from`, `total_to`). Chosen columns and saved
views live in the session. `?export=csv` gives every row that the filters leave, with the shown columns.
"""

from __future__ import annotations

import csv
import functools
import io
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Any, Literal
from urllib.parse import parse_qsl, urlencode

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from guideact.sites import web
from guideact.sites.shopping_admin.forms import Field, parse
from guideact.sites.web import Handler, Pager, Sort

Row = Mapping[str, Any]
Options = tuple[tuple[str, str], ...]
CellKind = Literal["text", "number", "money", "date", "datetime", "badge", "yesno", "stars", "excerpt"]
FilterKind = Literal["", "text", "select", "integer", "money", "date"]
SIZES = (10, 20, 50, 100, 200)
RESERVED = frozenset({"q", "sort", "dir", "page", "size", "export"})
TONES = {
    **dict.fromkeys(("complete", "approved", "enabled", "paid", "subscribed", "active"), "green"),
    **dict.fromkeys(("pending", "open", "low"), "amber"),
    **dict.fromkeys(("processing", "unread"), "blue"),
    **dict.fromkeys(("on_hold", "scheduled"), "violet"),
    **dict.fromkeys(("rejected", "out_of_stock"), "red"),
}
"""Colour of a badge by the stored value it stands for; grey for all others."""


def label_of(value: str) -> str:
    """on_hold -> On hold."""
    return value.replace("_", " ").capitalize()


@functools.cache
def badge(value: str, label: str = "") -> Markup:
    """A coloured pill."""
    return Markup('<span class="badge badge-{}">{}</span>').format(TONES.get(value, "grey"), label or label_of(value))


def text_cell(text: object) -> Markup:
    """A cell of plain words."""
    return Markup(escape(str(text)))


def link_cell(text: object, url: str) -> Markup:
    """A cell that leads somewhere."""
    return Markup(f'<a href="{escape(url)}">{escape(str(text))}</a>')


@functools.cache
def stars(rating: int) -> Markup:
    """Five stars of which `rating` are filled."""
    return Markup('<span class="stars" role="img" aria-label="{} out of 5 stars">{}<i>{}</i></span>').format(
        rating, "★" * rating, "★" * (5 - rating)
    )


@dataclass(frozen=True)
class Column:
    """One column: `sql` is an expression over the grid's source; `link` (`/orders/{id}`) makes the cell a link."""

    key: str
    label: str
    sql: str
    kind: CellKind = "text"
    filter: FilterKind = ""
    options: Options | Callable[[Request], Options] = ()
    link: str = ""
    shown: bool = True
    sortable: bool = True
    render: Callable[[Row], Markup] | None = None
    """Draws the cell from the whole row, where a plain value is not enough."""

    def choices(self, request: Request) -> Options:
        return self.options(request) if callable(self.options) else self.options


@dataclass(frozen=True)
class MassAction:
    """Something done to the selected rows. `run(request, ids, value)` returns the sentence shown afterwards.

    `confirm` is the question, in which `{count}` and `{noun}` are filled in; `field` asks for a value first.
    """

    key: str
    label: str
    run: Callable[[Request, list[int], Any], str]
    confirm: str = ""
    field: Field | None = None


@dataclass(frozen=True)
class Grid:
    """A list page. `source` is what follows FROM, `key` the column of the row's id; `noun` is (singular, plural)."""

    name: str
    path: str
    title: str
    noun: tuple[str, str]
    source: str
    key: str
    columns: tuple[Column, ...]
    row_name: Callable[[Row], str]
    """What tells a row from the others, as in "Select order 000000187"."""
    search: tuple[str, ...] = ()
    search_hint: str = "Search"
    sort: str = "id"
    descending: bool = True
    views: tuple[tuple[str, tuple[tuple[str, str], ...]], ...] = ()
    actions: tuple[MassAction, ...] = ()
    row_links: tuple[tuple[str, str], ...] = ()
    """(label, address with {id}) at the end of each row."""
    extra: tuple[tuple[str, str], ...] = ()
    """(key, sql) that `row_name` and `render` need besides the columns."""
    primary: tuple[str, str] | None = None
    """(label, address) of the page's main button."""
    intro: str = ""
    size: int = 20


@dataclass(frozen=True)
class FilterControl:
    """One control of the filter panel, as the template draws it."""

    column: Column
    choices: Options
    value: str = ""
    low: str = ""
    high: str = ""
    error: str = ""


@dataclass
class View:
    """What a request asks of a grid, read once."""

    where: list[str] = field(default_factory=list)
    parameters: list[Any] = field(default_factory=list)
    chips: list[tuple[str, str]] = field(default_factory=list)
    """(what is filtered, address without it)."""
    controls: list[FilterControl] = field(default_factory=list)
    query: str = ""


def read_view(request: Request, grid: Grid) -> View:
    """Filters of the address as SQL, chips and panel controls. One that cannot be read is an error at its control."""
    view = View(query=request.query_params.get("q", "").strip())
    if view.query and grid.search:
        for word in view.query.split():
            view.where.append("(" + " OR ".join(f"{sql} LIKE ? ESCAPE '\\'" for sql in grid.search) + ")")
            view.parameters += [like(word)] * len(grid.search)
        view.chips.append((f"Keyword: {view.query}", web.with_query(request, q=None, page=None)))
    for column in grid.columns:
        if not column.filter:
            continue
        if column.filter in ("text", "select"):
            _read_value(request, column, view)
        else:
            _read_range(request, column, view)
    return view


def like(word: str) -> str:
    """A LIKE pattern that finds the word anywhere, its own % and _ taken literally."""
    escaped = word.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
    return f"%{escaped}%"


def _read_value(request: Request, column: Column, view: View) -> None:
    text = request.query_params.get(column.key, "").strip()
    choices = column.choices(request)
    view.controls.append(FilterControl(column, choices, value=text))
    if not text:
        return
    shown = text
    if column.filter == "select":
        shown = dict(choices).get(text, text)
        view.where.append(f"CAST({column.sql} AS TEXT) = ?")
        view.parameters.append(text)
    else:
        view.where.append(f"{column.sql} LIKE ? ESCAPE '\\'")
        view.parameters.append(like(text))
    view.chips.append((f"{column.label}: {shown}", web.with_query(request, **{column.key: None, "page": None})))


def _read_range(request: Request, column: Column, view: View) -> None:
    names = (f"{column.key}_from", f"{column.key}_to")
    texts = [request.query_params.get(name, "").strip() for name in names]
    kind: Any = column.filter
    error = ""
    for name, text, sign, word in zip(names, texts, (">=", "<="), ("from", "to"), strict=True):
        if not text:
            continue
        try:
            bound = parse(Field(name, column.label, kind), text)
        except ValueError as problem:
            error = str(problem)
            continue
        # A whole last day: stored moments are longer texts than the day they fall on.
        view.where.append(f"{'date(' + column.sql + ')' if kind == 'date' else column.sql} {sign} ?")
        view.parameters.append(bound)
        shown = web.date_text(bound) if kind == "date" else web.money(bound) if kind == "money" else f"{bound:,}"
        view.chips.append((f"{column.label} {word}: {shown}", web.with_query(request, **{name: None, "page": None})))
    view.controls.append(FilterControl(column, (), low=texts[0], high=texts[1], error=error))


def shown_columns(request: Request, grid: Grid) -> list[Column]:
    """The columns that this session shows, in the grid's order."""
    chosen = request.state.session.data.get("columns", {}).get(grid.name)
    if chosen is None:
        return [column for column in grid.columns if column.shown]
    return [column for column in grid.columns if column.key in chosen]


def select(request: Request, grid: Grid, view: View, tail: str, *parameters: Any) -> list[Any]:
    """Rows of the grid under a view; `tail` is ORDER BY, LIMIT and OFFSET.

    The ids are found first, so that columns which are queries of their own are computed for the shown rows only.
    """
    ids = [
        row[0]
        for row in web.rows(
            request, f"SELECT {grid.key} FROM {grid.source}{where(view)} {tail}", *view.parameters, *parameters
        )
    ]
    wanted = ", ".join(
        [f'{grid.key} AS "_id"', *(f'{sql} AS "{key}"' for key, sql in grid.extra)]
        + [f'{column.sql} AS "{column.key}"' for column in grid.columns]
    )
    found = web.rows(request, f"SELECT {wanted} FROM {grid.source} WHERE {grid.key} IN ({marks(ids)})", *ids)
    by_id = {row["_id"]: row for row in found}
    return [by_id[number] for number in ids]


def where(view: View) -> str:
    """The WHERE of a view, with a leading space."""
    return " WHERE " + " AND ".join(view.where) if view.where else ""


def sorting(request: Request, grid: Grid) -> Sort:
    """The order that the address asks for."""
    return Sort.of(
        request, {column.key: column.sql for column in grid.columns if column.sortable}, grid.sort, grid.descending
    )


def cell(column: Column, row: Row) -> str:
    """One drawn cell, as markup."""
    if column.render is not None:
        return column.render(row)
    value = row[column.key]
    if value is None:
        return '<span class="faint">–</span>'
    text: str
    if column.kind == "money":
        text = web.money(value)
    elif column.kind == "date":
        text = web.date_text(value)
    elif column.kind == "datetime":
        text = web.datetime_text(value)
    elif column.kind == "number":
        text = f"{value:,}"
    elif column.kind == "badge":
        return badge(str(value))
    elif column.kind == "yesno":
        return badge("active", "Yes") if value else badge("inactive", "No")
    elif column.kind == "stars":
        return stars(value)
    elif column.kind == "excerpt":
        text = value if len(value) <= 90 else value[:88].rstrip() + "…"
    else:
        text = str(value)
    if column.link:
        return f'<a href="{escape(column.link.format(id=row["_id"]))}">{escape(text)}</a>'
    return escape(text)


def draw_row(grid: Grid, columns: Sequence[Column], row: Row) -> str:
    """One row of the table. Written here and not in a template because a list draws hundreds of cells."""
    name = escape(grid.row_name(row))
    number = row["_id"]
    parts = ["<tr>"]
    if grid.actions:
        parts.append(
            f'<td class="check"><input type="checkbox" form="mass" name="ids" value="{number}"'
            f' aria-label="Select {name}"></td>'
        )
    parts += [f'<td class="cell-{column.kind}">{cell(column, row)}</td>' for column in columns]
    if grid.row_links:
        links = "".join(
            f'<a class="row-link" href="{target.format(id=number)}" aria-label="{label} {name}">{label}</a>'
            for label, target in grid.row_links
        )
        parts.append(f'<td class="actions">{links}</td>')
    parts.append("</tr>")
    return "".join(parts)


def plain_cell(column: Column, row: Row) -> str:
    """One cell of a CSV file. A leading =, +, - or @ would make a spreadsheet run it as a formula."""
    value = row[column.key]
    if value is None:
        return ""
    if column.kind == "money":
        return f"{value / 100:.2f}"
    if column.kind == "yesno":
        return "Yes" if value else "No"
    if column.kind == "badge":
        return label_of(str(value))
    text = str(value)
    return f"'{text}" if isinstance(value, str) and text.startswith(("=", "+", "-", "@")) else text


def draw(request: Request, grid: Grid) -> dict[str, Any]:
    """Everything `grid.html` shows, for the address of the request."""
    view = read_view(request, grid)
    count = web.value(request, f"SELECT count(*) FROM {grid.source}{where(view)}", *view.parameters)
    pager = Pager.of(request, count, grid.size, SIZES)
    columns = shown_columns(request, grid)
    sort = sorting(request, grid)
    ties = f"{grid.key} {'DESC' if sort.descending else 'ASC'}"
    found = select(request, grid, view, f"ORDER BY {sort.sql}, {ties} LIMIT ? OFFSET ?", pager.size, pager.offset)
    filtered = _filter_pairs(request)
    saved = request.state.session.data.get("views", {}).get(grid.name, [])
    views = [
        (label, f"{grid.path}?{urlencode(pairs)}" if pairs else grid.path, sorted(pairs) == sorted(filtered))
        for label, pairs in grid.views
    ]
    return {
        "grid": grid,
        "view": view,
        "pager": pager,
        "columns": columns,
        "head": Markup(draw_head(request, grid, columns, sort)),
        "body": Markup("".join(draw_row(grid, columns, row) for row in found)),
        "empty": not found,
        "views": views,
        "saved": [
            (label, f"{grid.path}?{query}", sorted(parse_qsl(query)) == sorted(filtered)) for label, query in saved
        ],
        "filters_open": any(control.error for control in view.controls),
        "here": web.with_query(request),
        "query_string": urlencode(filtered),
    }


def draw_head(request: Request, grid: Grid, columns: Sequence[Column], sort: Sort) -> str:
    """The cells of the header row, each sortable column's a link."""
    kept = urlencode([pair for pair in request.query_params.multi_items() if pair[0] not in ("sort", "dir", "page")])
    base = f"{grid.path}?{escape(kept)}&amp;" if kept else f"{grid.path}?"
    icons = {"ascending": "arrow-up", "descending": "arrow-down", "none": "arrow-up-down"}
    cells = []
    for column in columns:
        if not column.sortable:
            cells.append(f'<th scope="col" class="cell-{column.kind}">{escape(column.label)}</th>')
            continue
        state = sort.state(column.key)
        turned = "desc" if state == "ascending" else "asc"
        cells.append(
            f'<th scope="col" class="cell-{column.kind}" aria-sort="{state}">'
            f'<a href="{base}sort={column.key}&amp;dir={turned}" aria-label="Sort by {escape(column.label)}">'
            f'{escape(column.label)}<svg class="icon" aria-hidden="true">'
            f'<use href="/static/icons.svg#{icons[state]}"/></svg></a></th>'
        )
    return "".join(cells)


def _filter_pairs(request: Request) -> list[tuple[str, str]]:
    """The filters of the address: what a saved view keeps, without page and order."""
    skipped = RESERVED - {"q"}
    return [(key, sent) for key, sent in request.query_params.multi_items() if key not in skipped and sent.strip()]


def csv_response(request: Request, grid: Grid) -> Response:
    """All rows of the view as a file."""
    view = read_view(request, grid)
    sort = sorting(request, grid)
    columns = shown_columns(request, grid)
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow([column.label for column in columns])
    for row in select(request, grid, view, f"ORDER BY {sort.sql}, {grid.key}"):
        writer.writerow([plain_cell(column, row) for column in columns])
    return Response(
        out.getvalue(),
        media_type="text/csv",
        headers={"Content-Disposition": f'attachment; filename="{grid.name}.csv"'},
    )


def _back(request: Request, grid: Grid) -> str:
    """Where a list's own forms return to: the list as it was."""
    target = web.safe_next(request, grid.path)
    return target if target.split("?")[0] == grid.path else grid.path


def routes(grid: Grid, guard: Callable[[Handler], Handler], template: str = "grid.html") -> list[Route]:
    """The list page of a grid and what its controls post to."""

    async def show(request: Request) -> Response:
        if request.query_params.get("export") == "csv":
            return csv_response(request, grid)
        return web.render(request, template, **draw(request, grid))

    async def mass(request: Request) -> Response:
        back = _back(request, grid)
        action = next((each for each in grid.actions if each.key == web.field(request, "action")), None)
        ids = [int(sent) for sent in web.fields(request, "ids") if sent.isdecimal()]
        if action is None:
            web.flash(request, "Choose an action first.", "error")
        elif not ids:
            web.flash(request, f"Select at least one {grid.noun[0]} first.", "error")
        else:
            given: Any = None
            if action.field is not None:
                try:
                    given = parse(action.field, web.field(request, action.field.name))
                except ValueError as problem:
                    web.flash(request, f"{action.label}: {problem}", "error")
                    return web.redirect(back)
            web.flash(request, action.run(request, ids, given))
        return web.redirect(back)

    async def choose_columns(request: Request) -> Response:
        known = {column.key for column in grid.columns}
        chosen = [key for key in web.fields(request, "column") if key in known]
        store = request.state.session.data.setdefault("columns", {})
        if web.field(request, "reset"):
            store.pop(grid.name, None)
        elif chosen:
            store[grid.name] = chosen
        else:
            web.flash(request, "A list needs at least one column.", "error")
        return web.redirect(_back(request, grid))

    async def save_view(request: Request) -> Response:
        label = " ".join(web.field(request, "label").split())[:40]
        query = web.field(request, "query")
        store = request.state.session.data.setdefault("views", {}).setdefault(grid.name, [])
        if not label:
            web.flash(request, "Give the view a name.", "error")
            return web.redirect(_back(request, grid))
        store[:] = [view for view in store if view[0] != label] + [[label, query]]
        web.flash(request, f"View “{label}” saved.")
        return web.redirect(f"{grid.path}?{query}" if query else grid.path)

    async def delete_view(request: Request) -> Response:
        label = web.field(request, "label")
        store = request.state.session.data.setdefault("views", {}).setdefault(grid.name, [])
        store[:] = [view for view in store if view[0] != label]
        web.flash(request, f"View “{label}” deleted.")
        return web.redirect(grid.path)

    found = [
        Route(grid.path, guard(show)),
        Route(f"{grid.path}/columns", guard(choose_columns), methods=["POST"]),
        Route(f"{grid.path}/views", guard(save_view), methods=["POST"]),
        Route(f"{grid.path}/views/delete", guard(delete_view), methods=["POST"]),
    ]
    if grid.actions:
        found.append(Route(f"{grid.path}/mass", guard(mass), methods=["POST"]))
    return found


def marks(ids: list[int]) -> str:
    """Placeholders for an IN list."""
    return ", ".join("?" * len(ids))
