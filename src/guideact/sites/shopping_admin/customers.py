"""Customers: the list, one customer's page with its tabs, new customers."""

from __future__ import annotations

import sqlite3
from typing import Any

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from guideact.sites import web
from guideact.sites.shopping_admin import grid, shell
from guideact.sites.shopping_admin.forms import Field, Section, fields_of, raw_of, read
from guideact.sites.shopping_admin.grid import Column, Grid, MassAction
from guideact.sites.shopping_admin.orders import options_text

guard = shell.guard("customers")

GROUPS = (("General", "General"), ("Wholesale", "Wholesale"), ("Retailer", "Retailer"))
GROUP = Field("customer_group", "Customer group", "select", required=True, options=GROUPS)
PROFILE = (
    Section(
        "Account",
        (
            Field("first_name", "First name", required=True, max_length=60),
            Field("last_name", "Last name", required=True, max_length=60),
            Field("email", "Email", "email", required=True),
            Field("phone", "Phone", max_length=40),
            GROUP,
            Field("is_active", "Account is active", "switch", hint="Inactive customers cannot sign in."),
        ),
        "How the customer is addressed and reached.",
    ),
    Section(
        "Staff note",
        (Field("note", "Note", "textarea", max_length=1000, hint="Seen in the back office only."),),
        "Anything a colleague should know.",
    ),
)
PASSWORD = Field("password", "Password", "password", required=True, hint="At least 8 characters.")
NEW = (Section("Account", (*PROFILE[0].fields, PASSWORD), PROFILE[0].text), PROFILE[1])
ADDRESS = (
    Field("first_name", "First name", required=True, max_length=60),
    Field("last_name", "Last name", required=True, max_length=60),
    Field("street", "Street address", required=True),
    Field("city", "City", required=True),
    Field("postcode", "Postcode", required=True, max_length=20),
    Field("country", "Country", required=True),
    Field("phone", "Phone", max_length=40),
    Field("is_default_billing", "Default billing address", "switch"),
    Field("is_default_shipping", "Default delivery address", "switch"),
)


def _set_active(active: int, done: str) -> Any:
    def run(request: Request, ids: list[int], _: Any) -> str:
        count = web.execute(
            request,
            f"UPDATE customer SET is_active = ? WHERE is_active != ? AND id IN ({grid.marks(ids)})",
            active,
            active,
            *ids,
        )
        return f"{web.plural(count, 'customer')} {done}."

    return run


def _set_group(request: Request, ids: list[int], group: str) -> str:
    count = web.execute(request, f"UPDATE customer SET customer_group = ? WHERE id IN ({grid.marks(ids)})", group, *ids)
    return f"{web.plural(count, 'customer')} moved to the group {group}."


CUSTOMERS = Grid(
    name="customers",
    path="/customers",
    title="Customers",
    noun=("customer", "customers"),
    source="customer c",
    key="c.id",
    columns=(
        Column("id", "ID", "c.id", "number", filter="integer", shown=False),
        Column("name", "Name", "c.first_name || ' ' || c.last_name", filter="text", link="/customers/{id}"),
        Column("email", "Email", "c.email", filter="text"),
        Column("phone", "Phone", "c.phone", filter="text", shown=False),
        Column("customer_group", "Group", "c.customer_group", filter="select", options=GROUPS),
        Column(
            "orders", "Orders", "(SELECT count(*) FROM sales_order o WHERE o.customer_id = c.id)", "number", "integer"
        ),
        Column(
            "spent",
            "Lifetime sales",
            "(SELECT coalesce(sum(o.total_cents - o.refunded_cents), 0) FROM sales_order o"
            " WHERE o.customer_id = c.id AND o.status != 'canceled')",
            "money",
            "money",
        ),
        Column("created_at", "Customer since", "c.created_at", "date", filter="date"),
        Column("last_login_at", "Last seen", "c.last_login_at", "datetime", filter="date", shown=False),
        Column(
            "is_active",
            "Status",
            "c.is_active",
            filter="select",
            options=(("1", "Active"), ("0", "Inactive")),
            render=lambda row: grid.badge("active" if row["is_active"] else "inactive"),
        ),
        Column("note", "Staff note", "c.note", "excerpt", filter="text", shown=False),
    ),
    row_name=lambda row: f"customer {row['name']}",
    search=("c.first_name || ' ' || c.last_name", "c.email", "c.phone"),
    search_hint="Name, email or phone",
    sort="created_at",
    views=(
        ("All", ()),
        ("General", (("customer_group", "General"),)),
        ("Wholesale", (("customer_group", "Wholesale"),)),
        ("Retailer", (("customer_group", "Retailer"),)),
        ("Inactive", (("is_active", "0"),)),
    ),
    actions=(
        MassAction("group", "Change group", _set_group, field=GROUP),
        MassAction("activate", "Activate", _set_active(1, "activated")),
        MassAction("deactivate", "Deactivate", _set_active(0, "deactivated"), "Deactivate {count} {noun}?"),
    ),
    row_links=(("Edit", "/customers/{id}"),),
    primary=("New customer", "/customers/new"),
)


def load_customer(request: Request) -> sqlite3.Row:
    """The row of the customer in the address, or the 404 page."""
    found = web.row(request, "SELECT * FROM customer WHERE id = ?", shell.whole_id(request))
    if found is None:
        web.not_found("There is no such customer.")
    return found


def frame(request: Request, row: sqlite3.Row, tab: str) -> dict[str, Any]:
    """What all tabs of the customer page show."""
    counts = web.rows(
        request,
        "SELECT (SELECT count(*) FROM address WHERE customer_id = ?1),"
        " (SELECT count(*) FROM sales_order WHERE customer_id = ?1),"
        " (SELECT coalesce(sum(i.quantity), 0) FROM cart c JOIN cart_item i ON i.cart_id = c.id"
        "  WHERE c.customer_id = ?1),"
        " (SELECT count(*) FROM review WHERE customer_id = ?1),"
        " (SELECT coalesce(sum(total_cents - refunded_cents), 0) FROM sales_order"
        "  WHERE customer_id = ?1 AND status != 'canceled'),"
        " (SELECT max(created_at) FROM sales_order WHERE customer_id = ?1)",
        row["id"],
    )[0]
    base = f"/customers/{row['id']}"
    tabs: list[tuple[str, str, bool, int | None]] = [("Account", base, tab == "account", None)]
    for at, (label, key) in enumerate(
        (("Addresses", "addresses"), ("Orders", "orders"), ("Cart", "cart"), ("Reviews", "reviews"))
    ):
        tabs.append((label, f"{base}/{key}", tab == key, counts[at]))
    tabs.append(("Newsletter", f"{base}/newsletter", tab == "newsletter", None))
    return {
        "row": row,
        "tab": tab,
        "tabs": tabs,
        "orders_count": counts[1],
        "spent": counts[4],
        "last_order": counts[5],
    }


def _check_email(request: Request, errors: dict[str, str], email: str, own: int) -> None:
    if web.value(request, "SELECT 1 FROM customer WHERE lower(email) = lower(?) AND id != ?", email, own):
        errors.setdefault("email", "Another customer has this email address already.")


@guard
async def edit(request: Request) -> Response:
    """The tab Account: name, group, note, active."""
    row = load_customer(request)
    fields = fields_of(PROFILE)
    if request.method == "GET":
        return web.render(
            request,
            "customer.html",
            **frame(request, row, "account"),
            sections=PROFILE,
            raw=raw_of(fields, row),
            errors={},
        )
    reading = read(fields, web.form(request))
    _check_email(request, reading.errors, reading.values.get("email", ""), row["id"])
    if not reading.ok:
        return web.render(
            request,
            "customer.html",
            status=422,
            **frame(request, row, "account"),
            sections=PROFILE,
            raw=reading.raw,
            errors=reading.errors,
        )
    shell.update(request, "customer", row["id"], shell.changed(row, reading.values))
    web.flash(request, f"Customer {reading.values['first_name']} {reading.values['last_name']} was saved.")
    return web.redirect(f"/customers/{row['id']}")


@guard
async def new(request: Request) -> Response:
    fields = fields_of(NEW)
    if request.method == "GET":
        raw = {"customer_group": "General", "is_active": "1"}
        return web.render(request, "customer_new.html", sections=NEW, raw=raw, errors={})
    reading = read(fields, web.form(request))
    if len(reading.raw["password"]) < 8:
        reading.errors.setdefault("password", "A password needs at least 8 characters.")
    _check_email(request, reading.errors, reading.values.get("email", ""), 0)
    if not reading.ok:
        raw = reading.raw | {"password": ""}
        return web.render(request, "customer_new.html", status=422, sections=NEW, raw=raw, errors=reading.errors)
    made = shell.insert(request, "customer", {**reading.values, "created_at": web.now_text()})
    web.flash(request, f"Customer {reading.values['first_name']} {reading.values['last_name']} was created.")
    return web.redirect(f"/customers/{made}")


@guard
async def addresses(request: Request) -> Response:
    row = load_customer(request)
    found = web.rows(request, "SELECT * FROM address WHERE customer_id = ? ORDER BY id", row["id"])
    return web.render(request, "customer_tabs.html", **frame(request, row, "addresses"), found=found)


@guard
async def orders(request: Request) -> Response:
    row = load_customer(request)
    found = web.rows(
        request, "SELECT * FROM sales_order WHERE customer_id = ? ORDER BY created_at DESC, id DESC", row["id"]
    )
    return web.render(request, "customer_tabs.html", **frame(request, row, "orders"), found=found)


@guard
async def cart(request: Request) -> Response:
    row = load_customer(request)
    found = web.rows(
        request,
        "SELECT i.*, p.name, p.sku FROM cart c JOIN cart_item i ON i.cart_id = c.id"
        " JOIN product p ON p.id = i.product_id WHERE c.customer_id = ? ORDER BY i.id",
        row["id"],
    )
    return web.render(
        request, "customer_tabs.html", **frame(request, row, "cart"), found=found, options_text=options_text
    )


@guard
async def reviews(request: Request) -> Response:
    row = load_customer(request)
    found = web.rows(
        request,
        "SELECT r.*, p.name FROM review r JOIN product p ON p.id = r.product_id WHERE r.customer_id = ?"
        " ORDER BY r.created_at DESC, r.id DESC",
        row["id"],
    )
    return web.render(request, "customer_tabs.html", **frame(request, row, "reviews"), found=found)


@guard
async def newsletter(request: Request) -> Response:
    """Whether the customer gets the newsletter, and the switch for it."""
    row = load_customer(request)
    found = web.row(request, "SELECT * FROM newsletter_subscriber WHERE lower(email) = lower(?)", row["email"])
    if request.method == "GET":
        return web.render(request, "customer_tabs.html", **frame(request, row, "newsletter"), found=found)
    status = "subscribed" if web.field(request, "subscribed") else "unsubscribed"
    if found is not None:
        shell.update(request, "newsletter_subscriber", found["id"], shell.changed(found, {"status": status}))
    elif status == "subscribed":
        shell.insert(
            request,
            "newsletter_subscriber",
            {"email": row["email"], "customer_id": row["id"], "status": status, "created_at": web.now_text()},
        )
    web.flash(request, f"{row['first_name']} {row['last_name']} is {status}.")
    return web.redirect(f"/customers/{row['id']}/newsletter")


@guard
async def edit_address(request: Request) -> Response:
    """One address of a customer, or a new one."""
    row = load_customer(request)
    number = request.path_params.get("address")
    found = None
    if number is not None:
        found = web.row(request, "SELECT * FROM address WHERE id = ? AND customer_id = ?", number, row["id"])
        if found is None:
            web.not_found("There is no such address.")
    sections = (Section("Address", ADDRESS),)
    context: dict[str, Any] = {"row": row, "found": found, "sections": sections, "action": request.url.path}
    if request.method == "GET":
        raw = raw_of(ADDRESS, found or dict.fromkeys((each.name for each in ADDRESS), ""))
        if found is None:
            raw |= {"first_name": row["first_name"], "last_name": row["last_name"]}
        return web.render(request, "customer_address.html", **context, raw=raw, errors={})
    reading = read(ADDRESS, web.form(request))
    if not reading.ok:
        return web.render(
            request, "customer_address.html", status=422, **context, raw=reading.raw, errors=reading.errors
        )
    for column in ("is_default_billing", "is_default_shipping"):
        if reading.values[column]:
            web.execute(
                request,
                f"UPDATE address SET {column} = 0 WHERE customer_id = ? AND id != ? AND {column} = 1",
                row["id"],
                found["id"] if found else 0,
            )
    if found is None:
        shell.insert(request, "address", {"customer_id": row["id"], **reading.values})
    else:
        shell.update(request, "address", found["id"], shell.changed(found, reading.values))
    web.flash(request, "Address saved.")
    return web.redirect(f"/customers/{row['id']}/addresses")


@guard
async def delete_address(request: Request) -> Response:
    row = load_customer(request)
    count = web.execute(
        request, "DELETE FROM address WHERE id = ? AND customer_id = ?", request.path_params["address"], row["id"]
    )
    if not count:
        web.not_found("There is no such address.")
    web.flash(request, "Address deleted.")
    return web.redirect(f"/customers/{row['id']}/addresses")


def customer_link(row: grid.Row) -> Markup:
    """A cell that leads to the customer whose `customer_id` the row has, or the plain name of a guest."""
    if row["customer_id"] is None:
        return Markup('<span class="muted">Guest</span>')
    return grid.link_cell(row["customer"], f"/customers/{row['customer_id']}")


ROUTES = [
    *grid.routes(CUSTOMERS, guard),
    Route("/customers/new", new, methods=["GET", "POST"]),
    Route("/customers/{id:int}", edit, methods=["GET", "POST"]),
    Route("/customers/{id:int}/addresses", addresses),
    Route("/customers/{id:int}/addresses/new", edit_address, methods=["GET", "POST"]),
    Route("/customers/{id:int}/addresses/{address:int}", edit_address, methods=["GET", "POST"]),
    Route("/customers/{id:int}/addresses/{address:int}/delete", delete_address, methods=["POST"]),
    Route("/customers/{id:int}/orders", orders),
    Route("/customers/{id:int}/cart", cart),
    Route("/customers/{id:int}/reviews", reviews),
    Route("/customers/{id:int}/newsletter", newsletter, methods=["GET", "POST"]),
]
