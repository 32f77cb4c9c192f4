"""Settings of the shop, accounts of its staff, and ways to the right list."""

from __future__ import annotations

from collections.abc import Sequence

from guideact.tasks.backoffice import apply_filters, choose, fill, menu, open_filters, save, switch, view
from guideact.tasks.solve import Page, Solver
from guideact.tasks.template import ADMIN, Params, Query, Template
from guideact.types import Change, Check, StateCheck, UrlCheck

_START = "__SHOPPING_ADMIN__/"
_LOGINS = {"shopping_admin": ADMIN}

# --- two sections -------------------------------------------------------------------------------------------------

_PRICES = (("17.50", "120.00", "8.5"), ("12.90", "80.00", "9"), ("19.00", "150.00", "7.25"))


def _prices_params(db: Query) -> Sequence[Params]:
    return [{"express": express, "free": free, "rate": rate} for express, free, rate in _PRICES]


def _prices_check(db: Query, p: Params) -> Check:
    wanted = {
        "shipping.express_cents": str(round(float(p["express"]) * 100)),
        "shipping.free_over_cents": str(round(float(p["free"]) * 100)),
        "tax.rate_percent": p["rate"],
    }
    required = tuple(
        Change(table="setting", op="update", where={"key": key}, values={"value": value})
        for key, value in wanted.items()
    )
    return Check(state=(StateCheck(site="shopping", required=required),))


def _section(page: Page, name: str) -> Solver:
    yield from page.click(
        "link",
        name,
        say=(
            f"Choose the section “{name}” in the list left of the form.",
            f"Settings are spread over several sections, whose names stand in a column; open “{name}”.",
        ),
    )


def _delivery(page: Page, p: Params) -> Solver:
    yield from _section(page, "Shipping")
    yield from fill(page, "Express delivery", p["express"], where="under “Delivery prices”")
    yield from fill(page, "Free standard delivery from", p["free"], where="in the same part")
    yield from save(page, "Save settings")


def _tax(page: Page, p: Params) -> Solver:
    yield from _section(page, "Tax")
    yield from fill(page, "Tax rate", p["rate"], where="in the first field")
    yield from save(page, "Save settings")


def _prices(page: Page, p: Params) -> Solver:
    yield from menu(page, "System", "Settings")
    yield from _delivery(page, p)
    yield from _tax(page, p)
    yield from page.finish(
        say=(
            "Delivery and tax are both saved, each with a message of its own.",
            "The second section has been stored as well. All three figures are in force now.",
        )
    )


def _prices_tax_first(page: Page, p: Params) -> Solver:
    yield from menu(page, "System", "Settings")
    yield from _tax(page, p)
    yield from _delivery(page, p)
    yield from page.finish(say=("Both sections are stored.", "With the delivery prices saved too, you can stop."))


# --- switches -----------------------------------------------------------------------------------------------------

_RULES = (
    ("Cash on delivery", "payment.cash_on_delivery_enabled", "21", "36"),
    ("Invoice", "payment.invoice_enabled", "30", "48"),
    ("Cash on delivery", "payment.cash_on_delivery_enabled", "10", "12"),
)


def _rules_params(db: Query) -> Sequence[Params]:
    return [{"method": method, "key": key, "days": days, "size": size} for method, key, days, size in _RULES]


def _rules_check(db: Query, p: Params) -> Check:
    wanted = {p["key"]: "0", "payment.invoice_days": p["days"], "catalog.products_per_page": p["size"]}
    required = tuple(
        Change(table="setting", op="update", where={"key": key}, values={"value": value})
        for key, value in wanted.items()
    )
    return Check(state=(StateCheck(site="shopping", required=required),))


def _rules(page: Page, p: Params) -> Solver:
    yield from menu(page, "System", "Settings")
    yield from _section(page, "Payment")
    yield from switch(page, p["method"], on=False, where="among the methods of payment")
    yield from fill(page, "Invoices are due after", p["days"], where="below the methods")
    yield from save(page, "Save settings")
    yield from _section(page, "Catalog")
    yield from choose(page, "Products per page", p["size"], where="under “Lists”")
    yield from save(page, "Save settings")
    yield from page.finish(
        say=(
            "Payment and catalog have both answered with “Settings saved.”",
            "After the second green message everything is as it was asked for.",
        )
    )


# --- a colleague --------------------------------------------------------------------------------------------------

_STAFF = (
    ("Ines Barroso", "ines.barroso@lumo-market.example", "catalog.ines", "Catalog", "copper-kettle-5"),
    ("Otto Lindgren", "otto.lindgren@lumo-market.example", "sales.otto", "Sales", "paper-boat-81"),
    ("Maya Thornton", "maya.thornton@lumo-market.example", "maya", "Administrator", "quiet-harbour-3"),
)


def _staff_params(db: Query) -> Sequence[Params]:
    keys = ("name", "email", "username", "role", "password")
    return [dict(zip(keys, values, strict=True)) for values in _STAFF]


def _staff_check(db: Query, p: Params) -> Check:
    values = {
        "full_name": {"~": p["name"]},
        "email": {"~": p["email"]},
        "username": p["username"],
        "role": p["role"],
        "password": p["password"],
    }
    return Check(state=(StateCheck(site="shopping", required=(Change(table="staff", op="insert", values=values),)),))


def _staff(page: Page, p: Params) -> Solver:
    yield from menu(page, "System", "Staff accounts")
    yield from page.click(
        "link",
        "New staff account",
        say=(
            "Add an account with “New staff account” at the upper right.",
            "The colleagues who may sign in are listed here, and the blue button over the list adds one.",
        ),
    )
    yield from fill(page, "Full name", p["name"], where="in the first field")
    yield from fill(page, "Email", p["email"], where="beside the name")
    yield from fill(page, "Username", p["username"], where="under the name")
    yield from choose(page, "Role", p["role"], where="next to the username")
    yield from page.type(
        "Password",
        p["password"],
        say=(
            f"Type “{p['password']}” in the password field of the second part.",
            f"The first password, “{p['password']}”, goes into the part “Password”.",
        ),
    )
    yield from save(page, "Save account")
    yield from page.finish(
        say=(
            "You are back at the list, which has one colleague more.",
            "Look for the new name among the staff; when it is there, nothing else has to be done.",
        )
    )


# --- to a list ----------------------------------------------------------------------------------------------------

_LISTS = (
    ("Sales", "Orders", "On hold", "/orders", "status", "on_hold", "the orders that are on hold"),
    ("Customers", "All customers", "Wholesale", "/customers", "customer_group", "Wholesale", "our wholesale customers"),
    ("Catalog", "Reviews", "Rejected", "/reviews", "status", "rejected", "the reviews that were rejected"),
    ("Content", "Pages", "Disabled", "/pages", "is_active", "0", "the pages that are disabled"),
)


def _list_params(db: Query) -> Sequence[Params]:
    keys = ("group", "item", "view", "path", "column", "value", "words")
    return [dict(zip(keys, values, strict=True)) for values in _LISTS]


def _list_check(db: Query, p: Params) -> Check:
    return Check(url=UrlCheck(site="shopping_admin", path=p["path"], query=((p["column"], p["value"]),)))


def _list(page: Page, p: Params) -> Solver:
    yield from menu(page, p["group"], p["item"])
    yield from view(page, p["view"])
    yield from page.finish(
        say=(
            "Leave the list open as it is, with the filter named in the label above it.",
            "The label over the table says what is shown; this is where you were to go.",
        )
    )


def _list_by_filter(page: Page, p: Params) -> Solver:
    yield from menu(page, p["group"], p["item"])
    yield from open_filters(page)
    field = "Group" if p["column"] == "customer_group" else "Status"
    yield from choose(page, field, p["view"], where="in the filter panel")
    yield from apply_filters(page)
    yield from page.finish(
        say=("The filtered list is in front of you.", "Stay on this list: it holds what was wanted.")
    )


TEMPLATES = (
    Template(
        id="shopping_admin.settings_prices",
        sites=("shopping_admin",),
        start=_START,
        logins=_LOGINS,
        intents=(
            "New prices from today: express delivery ${express}, standard delivery free from ${free}, and the tax rate "
            "is {rate} %. Change the settings.",
            "In the settings, set express delivery to ${express}, free standard delivery from ${free}, and the tax to "
            "{rate} percent.",
        ),
        params=_prices_params,
        check=_prices_check,
        solve=_prices,
        second_route=_prices_tax_first,
        wrong_value=lambda db, p: {**p, "rate": "6"},
    ),
    Template(
        id="shopping_admin.settings_rules",
        sites=("shopping_admin",),
        start=_START,
        logins=_LOGINS,
        intents=(
            "We stop offering “{method}” as a way to pay, invoices are due after {days} days, and the store's lists "
            "should have {size} products a page. Please set that.",
            "Three settings: payment by “{method}” off, invoices due after {days} days, {size} products per page.",
        ),
        params=_rules_params,
        check=_rules_check,
        solve=_rules,
        wrong_value=lambda db, p: {**p, "days": "60"},
    ),
    Template(
        id="shopping_admin.staff_new",
        sites=("shopping_admin",),
        start=_START,
        logins=_LOGINS,
        intents=(
            "{name} starts tomorrow. Create a staff account: username {username}, email {email}, role {role}, first "
            "password {password}",
            "Please give {name} ({email}) access to the back office as {role}, with the username {username} and the "
            "password {password}",
        ),
        params=_staff_params,
        check=_staff_check,
        solve=_staff,
        wrong_value=lambda db, p: {**p, "role": "Sales" if p["role"] != "Sales" else "Catalog"},
    ),
    Template(
        id="shopping_admin.go_to_list",
        sites=("shopping_admin",),
        start=_START,
        logins=_LOGINS,
        intents=(
            "Open the list of {words}, so that I can go on from there.",
            "Take me to {words}; just the list, filtered accordingly.",
        ),
        params=_list_params,
        check=_list_check,
        solve=_list,
        second_route=_list_by_filter,
    ),
)
