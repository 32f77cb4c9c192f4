"""Settings: one form a section, and the accounts of the staff."""

from __future__ import annotations

import sqlite3
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from guideact.sites import web
from guideact.sites.shopping_admin import grid, shell
from guideact.sites.shopping_admin.customers import GROUPS
from guideact.sites.shopping_admin.forms import Field, Reading, Section, cents_text, fields_of, raw_of, read
from guideact.sites.shopping_admin.grid import Column, Grid

guard = shell.guard("system")


def _choices(*words: str) -> grid.Options:
    return tuple((word, word) for word in words)


SECTIONS: dict[str, tuple[Section, ...]] = {
    "general": (
        Section(
            "Store name and units",
            (
                Field("general.store_name", "Store name", required=True, max_length=60),
                Field("general.currency", "Currency", "select", required=True, options=_choices("USD", "EUR", "GBP")),
                Field("general.weight_unit", "Weight unit", "select", required=True, options=_choices("g", "kg", "lb")),
            ),
        ),
        Section(
            "Place and time",
            (
                Field(
                    "general.locale",
                    "Language",
                    "select",
                    required=True,
                    options=(
                        ("en_US", "English (United States)"),
                        ("en_GB", "English (United Kingdom)"),
                        ("fi_FI", "Finnish"),
                        ("de_DE", "German"),
                    ),
                ),
                Field(
                    "general.timezone",
                    "Time zone",
                    "select",
                    required=True,
                    options=_choices("Europe/Helsinki", "Europe/Berlin", "Europe/London", "America/New_York"),
                ),
                Field(
                    "general.first_day_of_week",
                    "First day of the week",
                    "select",
                    required=True,
                    options=_choices("Monday", "Sunday"),
                ),
            ),
        ),
    ),
    "store": (
        Section(
            "Contact",
            (
                Field("store.phone", "Phone", max_length=40),
                Field("store.email", "Email", "email", required=True),
                Field("store.opening_hours", "Opening hours", max_length=120, wide=True),
            ),
        ),
        Section(
            "Address",
            (
                Field("store.street", "Street address", required=True),
                Field("store.city", "City", required=True),
                Field("store.postcode", "Postcode", required=True, max_length=20),
                Field("store.country", "Country", required=True),
            ),
        ),
    ),
    "tax": (
        Section(
            "Tax",
            (
                Field("tax.rate_percent", "Tax rate", "decimal", required=True, minimum=0, maximum=100, suffix="%"),
                Field(
                    "tax.based_on",
                    "Based on",
                    "select",
                    required=True,
                    options=(
                        ("shipping address", "Delivery address"),
                        ("billing address", "Billing address"),
                        ("store address", "Store address"),
                    ),
                ),
                Field(
                    "tax.display",
                    "Prices are shown",
                    "select",
                    required=True,
                    options=(("excluding", "Excluding tax"), ("including", "Including tax")),
                ),
            ),
            "Taken of the goods after discount, for orders placed from now on.",
        ),
    ),
    "shipping": (
        Section(
            "Delivery prices",
            (
                Field("shipping.standard_cents", "Standard delivery", "money", required=True),
                Field("shipping.express_cents", "Express delivery", "money", required=True),
                Field("shipping.pickup_cents", "Store pickup", "money", required=True),
                Field(
                    "shipping.free_over_cents",
                    "Free standard delivery from",
                    "money",
                    required=True,
                    hint="0 for never.",
                ),
            ),
        ),
    ),
    "payment": (
        Section(
            "Payment methods",
            (
                Field("payment.card_enabled", "Credit card", "switch"),
                Field("payment.invoice_enabled", "Invoice", "switch"),
                Field("payment.cash_on_delivery_enabled", "Cash on delivery", "switch"),
                Field(
                    "payment.invoice_days",
                    "Invoices are due after",
                    "integer",
                    required=True,
                    minimum=0,
                    maximum=365,
                    suffix="days",
                ),
            ),
        ),
    ),
    "email": (
        Section(
            "Email",
            (
                Field("email.sender_name", "Sender name", required=True, max_length=60),
                Field("email.order_copy_to", "Copy of each order to", "email"),
                Field("email.send_shipment_notice", "Tell customers when an order ships", "switch"),
                Field("newsletter.confirm_by_email", "Confirm newsletter sign-ups by email", "switch"),
            ),
        ),
    ),
    "catalog": (
        Section(
            "Lists",
            (
                Field(
                    "catalog.products_per_page",
                    "Products per page",
                    "select",
                    required=True,
                    options=_choices("12", "24", "36", "48"),
                ),
                Field("catalog.show_out_of_stock", "Show products that are out of stock", "switch"),
                Field(
                    "catalog.low_stock",
                    "Low stock from",
                    "integer",
                    required=True,
                    minimum=0,
                    maximum=999,
                    suffix="units",
                ),
            ),
        ),
        Section(
            "Reviews",
            (
                Field("catalog.allow_guest_reviews", "Guests may write reviews", "switch"),
                Field("catalog.reviews_need_approval", "Reviews need approval", "switch"),
            ),
        ),
    ),
    "customers": (
        Section(
            "Customers",
            (
                Field("customer.default_group", "Group of new customers", "select", required=True, options=GROUPS),
                Field("customer.guest_checkout", "Guests may order", "switch"),
            ),
        ),
    ),
}
LABELS = {"email": "Email", "tax": "Tax"}


def _nav(chosen: str) -> list[tuple[str, str, bool]]:
    return [(LABELS.get(key, key.capitalize()), f"/settings/{key}", key == chosen) for key in SECTIONS]


@guard
async def settings(request: Request) -> Response:
    """One section's form; each control is a row of `setting`."""
    name = request.path_params.get("section", "general")
    if name not in SECTIONS:
        web.not_found("There is no such section.")
    sections = SECTIONS[name]
    fields = fields_of(sections)
    stored = {row["key"]: row["value"] for row in web.rows(request, "SELECT key, value FROM setting")}
    context: dict[str, Any] = {
        "sections": sections,
        "nav": _nav(name),
        "section_title": LABELS.get(name, name.capitalize()),
        "action": f"/settings/{name}",
    }
    if request.method == "GET":
        raw = {each.name: stored.get(each.name, "") for each in fields}
        for each in fields:
            if each.kind == "money":
                raw[each.name] = cents_text(int(raw[each.name] or 0))
        return web.render(request, "settings.html", **context, raw=raw, errors={})
    reading = read(fields, web.form(request))
    if not reading.ok:
        return web.render(request, "settings.html", status=422, **context, raw=reading.raw, errors=reading.errors)
    for key, value in reading.values.items():
        if stored.get(key) != str(value):
            web.execute(
                request,
                "INSERT INTO setting (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
                key,
                str(value),
            )
    web.flash(request, "Settings saved.")
    return web.redirect(f"/settings/{name}")


# --- staff ------------------------------------------------------------------------------------------------------

ROLES = tuple((role, role) for role in shell.ROLES)
STAFF = Grid(
    name="staff",
    path="/staff",
    title="Staff accounts",
    noun=("staff account", "staff accounts"),
    source="staff",
    key="id",
    columns=(
        Column("full_name", "Name", "full_name", filter="text", link="/staff/{id}"),
        Column("username", "Username", "username", filter="text"),
        Column("email", "Email", "email", filter="text"),
        Column("role", "Role", "role", filter="select", options=ROLES),
        Column("last_login_at", "Last sign-in", "last_login_at", "datetime", filter="date"),
    ),
    row_name=lambda row: f"staff account {row['username']}",
    search=("full_name", "username", "email"),
    search_hint="Name, username or email",
    sort="full_name",
    descending=False,
    row_links=(("Edit", "/staff/{id}"),),
    primary=("New staff account", "/staff/new"),
)
ACCOUNT = (
    Section(
        "Account",
        (
            Field("full_name", "Full name", required=True, max_length=80),
            Field("email", "Email", "email", required=True),
            Field(
                "username",
                "Username",
                required=True,
                max_length=40,
                pattern=(r"[A-Za-z0-9._-]+", "A username has letters, digits, dots, dashes and underscores only."),
            ),
            Field("role", "Role", "select", required=True, options=ROLES),
        ),
        "Catalog looks after products, reviews and pages; Sales after orders, customers and messages.",
    ),
    Section("Password", (Field("password", "Password", "password", hint="At least 8 characters."),)),
)


def _read_account(request: Request, row: sqlite3.Row | None) -> Reading:
    reading = read(fields_of(ACCOUNT), web.form(request))
    values, errors = reading.values, reading.errors
    own = row["id"] if row is not None else 0
    if web.value(request, "SELECT 1 FROM staff WHERE username = ? AND id != ?", values.get("username", ""), own):
        errors.setdefault("username", "This username is taken.")
    if not values.get("password") and row is not None:
        values.pop("password", None)
    elif len(reading.raw["password"]) < 8:
        errors["password"] = "A password needs at least 8 characters."
    if row is not None and row["role"] == "Administrator" and values.get("role") != "Administrator":
        others = web.value(request, "SELECT count(*) FROM staff WHERE role = 'Administrator' AND id != ?", own)
        if not others:
            errors.setdefault("role", "Somebody must stay Administrator.")
    return reading


def _render_account(request: Request, row: sqlite3.Row | None, raw: dict[str, str], errors: dict[str, str]) -> Response:
    return web.render(
        request,
        "staff.html",
        status=422 if errors else 200,
        row=row,
        sections=ACCOUNT,
        raw=raw | {"password": ""},
        errors=errors,
        action=f"/staff/{row['id']}" if row else "/staff/new",
    )


def _load_account(request: Request) -> sqlite3.Row:
    row = web.row(request, "SELECT * FROM staff WHERE id = ?", shell.whole_id(request))
    if row is None:
        web.not_found("There is no such staff account.")
    return row


@guard
async def edit_account(request: Request) -> Response:
    row = _load_account(request)
    if request.method == "GET":
        return _render_account(request, row, raw_of(fields_of(ACCOUNT), row), {})
    reading = _read_account(request, row)
    if not reading.ok:
        return _render_account(request, row, reading.raw, reading.errors)
    shell.update(request, "staff", row["id"], shell.changed(row, reading.values))
    web.flash(request, f"Account of {reading.values['full_name']} was saved.")
    return web.redirect("/staff")


@guard
async def new_account(request: Request) -> Response:
    if request.method == "GET":
        return _render_account(request, None, {"role": "Sales"}, {})
    reading = _read_account(request, None)
    if not reading.ok:
        return _render_account(request, None, reading.raw, reading.errors)
    shell.insert(request, "staff", reading.values)
    web.flash(request, f"Account of {reading.values['full_name']} was created.")
    return web.redirect("/staff")


@guard
async def delete_account(request: Request) -> Response:
    row = _load_account(request)
    person = web.user(request)
    assert person is not None
    if row["id"] == person["id"]:
        web.flash(request, "You cannot delete your own account.", "error")
        return web.redirect(f"/staff/{row['id']}")
    web.execute(request, "DELETE FROM session WHERE site = 'shopping_admin' AND user_id = ?", row["id"])
    web.execute(request, "DELETE FROM staff WHERE id = ?", row["id"])
    web.flash(request, f"Account of {row['full_name']} was deleted.")
    return web.redirect("/staff")


ROUTES = [
    Route("/settings", settings),
    Route("/settings/{section:str}", settings, methods=["GET", "POST"]),
    *grid.routes(STAFF, guard),
    Route("/staff/new", new_account, methods=["GET", "POST"]),
    Route("/staff/{id:int}", edit_account, methods=["GET", "POST"]),
    Route("/staff/{id:int}/delete", delete_account, methods=["POST"]),
]
