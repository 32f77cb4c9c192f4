"""Promotions, coupons and the newsletter in the back office."""

from __future__ import annotations

from collections.abc import Sequence

from guideact.tasks.backoffice import choose, fill, mass_action, menu, open_row, save, search_all, search_list, tick
from guideact.tasks.solve import Page, Solver
from guideact.tasks.template import ADMIN, Params, Query, Template
from guideact.types import AnswerCheck, Change, Check, StateCheck

_START = "__SHOPPING_ADMIN__/"
_LOGINS = {"shopping_admin": ADMIN}

# --- a new promotion ----------------------------------------------------------------------------------------------

_PROMOTIONS = (
    ("Midsummer", "MIDSUMMER20", "Percent off", "20", "60.00", "Retailer", "2026-06-15", "2026-06-28"),
    ("Trade fair", "FAIR35", "Fixed amount off", "35.00", "250.00", "Wholesale", "2026-04-20", "2026-04-24"),
    ("Rainy April", "APRIL12", "Percent off", "12", "45.00", "General", "2026-04-01", "2026-04-30"),
)
_AMOUNTS = {"Percent off": "{} percent off", "Fixed amount off": "${} off"}


def _new_params(db: Query) -> Sequence[Params]:
    keys = ("name", "code", "kind", "amount", "minimum", "group", "first", "last")
    found = [dict(zip(keys, values, strict=True)) for values in _PROMOTIONS]
    return [{**one, "discount": _AMOUNTS[one["kind"]].format(one["amount"])} for one in found]


def _new_check(db: Query, p: Params) -> Check:
    percent = p["kind"] == "Percent off"
    values = {
        "name": {"~": p["name"]},
        "code": p["code"],
        "kind": "percent" if percent else "fixed",
        "amount": int(p["amount"]) if percent else round(float(p["amount"]) * 100),
        "minimum_cents": round(float(p["minimum"]) * 100),
        "customer_group": p["group"],
        "starts_on": p["first"],
        "ends_on": p["last"],
        "is_active": 1,
    }
    return Check(
        state=(StateCheck(site="shopping", required=(Change(table="promotion", op="insert", values=values),)),)
    )


def _new(page: Page, p: Params) -> Solver:
    yield from menu(page, "Marketing", "Promotions")
    yield from page.click(
        "link",
        "New promotion",
        say=(
            "Open a blank form with “New promotion” at the top right.",
            "None of the listed promotions fits, so make one: the blue button above the table does that.",
        ),
    )
    yield from fill(page, "Name", p["name"], where="in the first line")
    yield from choose(page, "Kind", p["kind"], where="under “Discount”")
    yield from fill(page, "Amount", p["amount"], where="beside the kind")
    yield from fill(page, "Minimum subtotal", p["minimum"], where="under “Discount”")
    yield from fill(page, "Coupon code", p["code"], where="in the part “Conditions”")
    yield from choose(page, "Customer group", p["group"], where="next to the code")
    yield from page.type(
        "First day",
        p["first"],
        say=(
            f"Enter {p['first']} as the first day; year, month and day are joined by dashes.",
            f"A calendar can be opened here, but typing is quicker: the promotion begins on {p['first']}.",
        ),
    )
    yield from page.type(
        "Last day",
        p["last"],
        say=(
            f"Enter {p['last']} as the last day.",
            f"Right of it, “Last day” takes {p['last']}, a day that still counts.",
        ),
    )
    yield from save(page, "Save promotion")
    yield from page.finish(
        say=(
            "The promotion has a page of its own, titled with its name: it was created.",
            "That it says “Used 0 times” under the new title shows that the promotion exists.",
        )
    )


# --- a promotion changed ------------------------------------------------------------------------------------------


def _change_params(db: Query) -> Sequence[Params]:
    rows = db.execute(
        "SELECT name, code FROM promotion WHERE is_active = 1 AND code <> '' AND kind <> 'free_shipping'"
        " AND ends_on IS NOT NULL ORDER BY id"
    ).fetchall()
    new = (("2026-05-31", "40.00"), ("2026-06-30", "25.00"), ("2026-04-26", "55.00"))
    return [
        {"name": rows[-1 - at]["name"], "code": rows[-1 - at]["code"], "last": last, "minimum": minimum}
        for at, (last, minimum) in enumerate(new)
    ]


def _change_check(db: Query, p: Params) -> Check:
    (promotion,) = db.execute("SELECT id FROM promotion WHERE code = ?", (p["code"],)).fetchone()
    values = {"ends_on": p["last"], "minimum_cents": round(float(p["minimum"]) * 100)}
    change = Change(table="promotion", op="update", where={"id": promotion}, values=values)
    return Check(state=(StateCheck(site="shopping", required=(change,)),))


def _change_opened(page: Page, p: Params) -> Solver:
    yield from fill(page, "Minimum subtotal", p["minimum"], where="in the part “Discount”")
    yield from page.type(
        "Last day",
        p["last"],
        say=(
            f"Move the end to {p['last']} in the field “Last day”.",
            f"The present end of the promotion stands under “Last day”; overwrite it with {p['last']}.",
        ),
    )
    yield from save(page, "Save promotion")
    yield from page.finish(
        say=(
            "Both fields keep their new contents and a note tells that the promotion was saved.",
            "The promotion now lasts longer and starts at another sum, as the saved form shows.",
        )
    )


def _change(page: Page, p: Params) -> Solver:
    yield from menu(page, "Marketing", "Promotions")
    yield from open_row(page, p["name"])
    yield from _change_opened(page, p)


def _change_by_code(page: Page, p: Params) -> Solver:
    yield from menu(page, "Marketing", "Promotions")
    yield from search_list(page, "Name, code or description", p["code"])
    yield from page.click(
        "link",
        "Edit promotion",
        say=(
            "Use “Edit” at the end of the row that was found.",
            "One row is left, and “Edit” on its right side opens the form.",
        ),
    )
    yield from _change_opened(page, p)


# --- what a coupon cost -------------------------------------------------------------------------------------------

_SPANS = (
    ("WELCOME10", "2025-09-01", "2025-12-31", "between September 1 and December 31, 2025"),
    ("LETTER7", "2025-06-01", "2025-08-31", "in June, July and August 2025"),
    ("WELCOME10", "2026-01-01", "2026-02-28", "in the first two months of 2026"),
)


def _coupon_params(db: Query) -> Sequence[Params]:
    return [{"code": code, "first": first, "last": last, "words": words} for code, first, last, words in _SPANS]


def _coupon_check(db: Query, p: Params) -> Check:
    (cents,) = db.execute(
        "SELECT SUM(discount_cents) FROM sales_order WHERE coupon_code = ? AND status <> 'canceled'"
        " AND substr(created_at, 1, 10) >= ? AND substr(created_at, 1, 10) <= ?",
        (p["code"], p["first"], p["last"]),
    ).fetchone()
    return Check(answer=AnswerCheck(kind="money", expected=(f"{cents / 100:.2f}",)))


def _coupon(page: Page, p: Params) -> Solver:
    yield from menu(page, "Reports", "Coupon usage")
    yield from fill(page, "From", p["first"], where="above the chart")
    yield from fill(page, "To", p["last"], where="next to the first day")
    yield from page.click(
        "button",
        "Show report",
        say=(
            "Press “Show report” so that only these days count.",
            "The table still covers a whole year; “Show report” makes it follow the two dates.",
        ),
    )
    yield from page.reach_text(p["code"], what="the table under the chart")
    yield from page.finish(
        page.cell(p["code"], "Discount"),
        say=(
            f"Find the row “{p['code']}” and read its cell in the column “Discount”.",
            f"The answer is an amount in the row of “{p['code']}”: not the order totals, but what was taken off.",
        ),
    )


# --- the newsletter -----------------------------------------------------------------------------------------------


def _letter_params(db: Query) -> Sequence[Params]:
    rows = db.execute(
        "SELECT c.first_name || ' ' || c.last_name AS name, s.email FROM newsletter_subscriber s"
        " JOIN customer c ON c.id = s.customer_id WHERE s.status = 'subscribed' ORDER BY s.id"
    ).fetchall()
    return [{"customer": rows[at]["name"], "email": rows[at]["email"]} for at in (2, 5, 9)]


def _letter_check(db: Query, p: Params) -> Check:
    (subscriber,) = db.execute("SELECT id FROM newsletter_subscriber WHERE email = ?", (p["email"],)).fetchone()
    change = Change(
        table="newsletter_subscriber", op="update", where={"id": subscriber}, values={"status": "unsubscribed"}
    )
    return Check(state=(StateCheck(site="shopping", required=(change,)),))


def _letter(page: Page, p: Params) -> Solver:
    yield from menu(page, "Marketing", "Newsletter subscribers")
    yield from search_list(page, "Email or name", p["email"])
    yield from tick(page, f"Select subscriber {p['email']}", "the address that was found")
    yield from mass_action(page, "Unsubscribe")
    yield from page.finish(
        say=(
            "The badge in the row has turned to “Unsubscribed”, so no more letters go there.",
            "One subscriber was unsubscribed, says the message, and one is what was asked for.",
        )
    )


def _letter_from_customer(page: Page, p: Params) -> Solver:
    yield from search_all(page, p["email"], p["customer"])
    yield from page.click(
        "link",
        "Newsletter",
        say=(
            "Change to the tab “Newsletter” of the customer.",
            "The last tab, “Newsletter”, tells whether this customer gets the letter.",
        ),
    )
    yield from page.click(
        "switch",
        "Subscribed to the newsletter",
        say=(
            "Turn the switch off.",
            "It is green as long as letters are sent; click it to make it grey.",
        ),
    )
    yield from save(page, "Save newsletter")
    yield from page.finish(
        say=(
            "Below the switch it says “Unsubscribed” now.",
            "The green message names the customer as unsubscribed, and the job is over.",
        )
    )


TEMPLATES = (
    Template(
        id="shopping_admin.promotion_new",
        sites=("shopping_admin",),
        start=_START,
        logins=_LOGINS,
        intents=(
            "Set up a promotion called {name}: {discount} with the code {code}, for the group {group} only, from a "
            "subtotal of ${minimum}, valid {first} to {last}.",
            "We need a coupon. Code {code}, name {name}, {discount}, minimum subtotal ${minimum}, customer group "
            "{group}, first day {first}, last day {last}.",
        ),
        params=_new_params,
        check=_new_check,
        solve=_new,
        wrong_value=lambda db, p: {**p, "minimum": "10.00"},
    ),
    Template(
        id="shopping_admin.promotion_change",
        sites=("shopping_admin",),
        start=_START,
        logins=_LOGINS,
        intents=(
            "Let the promotion “{name}” run until {last}, but only from a subtotal of ${minimum}.",
            "Change the coupon {code}: its last day becomes {last} and its minimum subtotal ${minimum}.",
        ),
        params=_change_params,
        check=_change_check,
        solve=_change,
        second_route=_change_by_code,
        wrong_value=lambda db, p: {**p, "last": "2027-01-01"},
    ),
    Template(
        id="shopping_admin.coupon_usage",
        sites=("shopping_admin",),
        start=_START,
        logins=_LOGINS,
        intents=(
            "How much discount did the coupon {code} give away {words}? Leave out canceled orders.",
            "I want to know what {code} cost us {words}: the sum of its discounts, canceled orders not counted.",
        ),
        params=_coupon_params,
        check=_coupon_check,
        solve=_coupon,
    ),
    Template(
        id="shopping_admin.newsletter_unsubscribe",
        sites=("shopping_admin",),
        start=_START,
        logins=_LOGINS,
        intents=(
            "{customer} ({email}) does not want our newsletter any more. Unsubscribe the address, do not delete it.",
            "Please take {email} off the newsletter; the entry itself should stay, as unsubscribed.",
        ),
        params=_letter_params,
        check=_letter_check,
        solve=_letter,
        second_route=_letter_from_customer,
    ),
)
