"""Promotions: cart price rules and coupons."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from guideact.sites import web
from guideact.sites.shopping_admin import grid, shell
from guideact.sites.shopping_admin.customers import GROUPS
from guideact.sites.shopping_admin.forms import Field, Reading, Section, cents_text, fields_of, parse, raw_of, read
from guideact.sites.shopping_admin.grid import Column, Grid, MassAction

guard = shell.guard("content")

KINDS = (("percent", "Percent off"), ("fixed", "Fixed amount off"), ("free_shipping", "Free delivery"))
SECTIONS = (
    Section(
        "Rule",
        (
            Field("name", "Name", required=True, max_length=80, wide=True),
            Field("description", "Description", "textarea", max_length=500),
            Field("is_active", "Active", "switch"),
        ),
        "Seen by staff only.",
    ),
    Section(
        "Discount",
        (
            Field("kind", "Kind", "select", required=True, options=KINDS),
            Field("amount", "Amount", hint="Percent points, or dollars for a fixed amount."),
            Field("minimum_cents", "Minimum subtotal", "money", hint="Empty or 0 for none."),
        ),
    ),
    Section(
        "Conditions",
        (
            Field(
                "code",
                "Coupon code",
                max_length=30,
                pattern=(r"[A-Za-z0-9_-]+", "A code has letters, digits, dashes and underscores only."),
                hint="Empty: the rule applies by itself.",
            ),
            Field("customer_group", "Customer group", "select", options=(("", "Everybody"), *GROUPS)),
            Field("starts_on", "First day", "date"),
            Field("ends_on", "Last day", "date"),
        ),
        "Who gets it, and when. Both days are included.",
    ),
)
STATE = (
    "CASE WHEN is_active = 0 THEN 'inactive'"
    f" WHEN starts_on IS NOT NULL AND starts_on > '{web.today_text()}' THEN 'scheduled'"
    f" WHEN ends_on IS NOT NULL AND ends_on < '{web.today_text()}' THEN 'expired' ELSE 'active' END"
)
"""What a rule is today: the column of the list, and what its filter asks for."""


def amount_text(kind: str, amount: int) -> str:
    """The discount in words: 10%, $5.00, Free delivery."""
    return {"percent": f"{amount}%", "fixed": web.money(amount)}.get(kind, "Free delivery")


def _set_active(active: int, done: str) -> Any:
    def run(request: Request, ids: list[int], _: Any) -> str:
        count = web.execute(
            request,
            f"UPDATE promotion SET is_active = ? WHERE is_active != ? AND id IN ({grid.marks(ids)})",
            active,
            active,
            *ids,
        )
        return f"{web.plural(count, 'promotion')} {done}."

    return run


def _delete(request: Request, ids: list[int], _: Any) -> str:
    count = web.execute(request, f"DELETE FROM promotion WHERE id IN ({grid.marks(ids)})", *ids)
    return f"{web.plural(count, 'promotion')} deleted."


PROMOTIONS = Grid(
    name="promotions",
    path="/promotions",
    title="Promotions",
    noun=("promotion", "promotions"),
    source="promotion",
    key="id",
    columns=(
        Column("name", "Name", "name", filter="text", link="/promotions/{id}"),
        Column("code", "Coupon code", "code", filter="text"),
        Column("kind", "Kind", "kind", filter="select", options=KINDS, shown=False),
        Column(
            "amount",
            "Discount",
            "amount",
            "number",
            render=lambda row: grid.text_cell(amount_text(row["kind"], row["amount"])),
        ),
        Column("minimum_cents", "Minimum", "minimum_cents", "money", filter="money"),
        Column(
            "customer_group",
            "Group",
            "customer_group",
            filter="select",
            options=GROUPS,
            render=lambda row: grid.text_cell(row["customer_group"] or "Everybody"),
        ),
        Column("starts_on", "First day", "starts_on", "date", filter="date"),
        Column("ends_on", "Last day", "ends_on", "date", filter="date"),
        Column("uses", "Uses", "uses", "number", filter="integer"),
        Column(
            "state",
            "Status",
            STATE,
            "badge",
            filter="select",
            options=tuple((key, key.capitalize()) for key in ("active", "scheduled", "expired", "inactive")),
        ),
    ),
    row_name=lambda row: f"promotion {row['name']}",
    search=("name", "code", "description"),
    search_hint="Name, code or description",
    sort="name",
    descending=False,
    views=(
        ("All", ()),
        *((key.capitalize(), (("state", key),)) for key in ("active", "scheduled", "expired", "inactive")),
    ),
    actions=(
        MassAction("activate", "Activate", _set_active(1, "activated")),
        MassAction("deactivate", "Deactivate", _set_active(0, "deactivated"), "Deactivate {count} {noun}?"),
        MassAction("delete", "Delete", _delete, "Delete {count} {noun}? This cannot be undone."),
    ),
    row_links=(("Edit", "/promotions/{id}"),),
    primary=("New promotion", "/promotions/new"),
)


def _raw(row: Mapping[str, Any]) -> dict[str, str]:
    raw = raw_of(fields_of(SECTIONS), row)
    raw["amount"] = cents_text(row["amount"]) if row["kind"] == "fixed" else str(row["amount"] or "")
    return raw


def _read(request: Request, own: int) -> Reading:
    reading = read(fields_of(SECTIONS), web.form(request))
    values, errors = reading.values, reading.errors
    kind, text = values.get("kind"), reading.raw["amount"]
    try:
        if kind == "percent":
            percent = Field("amount", "Amount", "integer", required=True, minimum=1, maximum=100)
            values["amount"] = parse(percent, text.removesuffix("%").strip())
        elif kind == "fixed":
            values["amount"] = parse(Field("amount", "Amount", "money", required=True, minimum=1), text)
        else:
            values["amount"] = 0
    except ValueError as problem:
        errors["amount"] = str(problem)
    values["minimum_cents"] = values.get("minimum_cents") or 0
    values["code"] = values.get("code", "").upper()
    if values["code"] and web.value(
        request, "SELECT 1 FROM promotion WHERE upper(code) = ? AND id != ?", values["code"], own
    ):
        errors["code"] = "Another promotion has this code already."
    starts, ends = values.get("starts_on"), values.get("ends_on")
    if starts and ends and ends < starts:
        errors["ends_on"] = "The last day must not be before the first."
    return reading


def _render(request: Request, row: Any, raw: dict[str, str], errors: dict[str, str]) -> Response:
    return web.render(
        request,
        "promotion.html",
        status=422 if errors else 200,
        row=row,
        sections=SECTIONS,
        raw=raw,
        errors=errors,
        action=f"/promotions/{row['id']}" if row else "/promotions/new",
    )


@guard
async def edit(request: Request) -> Response:
    row = web.row(request, "SELECT * FROM promotion WHERE id = ?", shell.whole_id(request))
    if row is None:
        web.not_found("There is no such promotion.")
    if request.method == "GET":
        return _render(request, row, _raw(dict(row)), {})
    reading = _read(request, row["id"])
    if not reading.ok:
        return _render(request, row, reading.raw, reading.errors)
    shell.update(request, "promotion", row["id"], shell.changed(row, reading.values))
    web.flash(request, f"Promotion {reading.values['name']} was saved.")
    return web.redirect(f"/promotions/{row['id']}")


@guard
async def new(request: Request) -> Response:
    if request.method == "GET":
        return _render(request, None, {"kind": "percent", "is_active": "1"}, {})
    reading = _read(request, 0)
    if not reading.ok:
        return _render(request, None, reading.raw, reading.errors)
    made = shell.insert(request, "promotion", reading.values)
    web.flash(request, f"Promotion {reading.values['name']} was created.")
    return web.redirect(f"/promotions/{made}")


@guard
async def delete(request: Request) -> Response:
    row = web.row(request, "SELECT id, name FROM promotion WHERE id = ?", shell.whole_id(request))
    if row is None:
        web.not_found("There is no such promotion.")
    web.execute(request, "DELETE FROM promotion WHERE id = ?", row["id"])
    web.flash(request, f"Promotion {row['name']} was deleted.")
    return web.redirect("/promotions")


ROUTES = [
    *grid.routes(PROMOTIONS, guard),
    Route("/promotions/new", new, methods=["GET", "POST"]),
    Route("/promotions/{id:int}", edit, methods=["GET", "POST"]),
    Route("/promotions/{id:int}/delete", delete, methods=["POST"]),
]
