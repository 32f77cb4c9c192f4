"""Customers in the back office: groups and notes, new accounts, what they have bought."""

from __future__ import annotations

from collections.abc import Sequence

from guideact.tasks.backoffice import choose, fill, mass_action, menu, open_row, save, search_all, search_list, tick
from guideact.tasks.solve import Page, Solver
from guideact.tasks.template import ADMIN, Params, Query, Template
from guideact.types import AnswerCheck, Change, Check, StateCheck

_START = "__SHOPPING_ADMIN__/"
_LOGINS = {"shopping_admin": ADMIN}
_HINT = "Name, email or phone"


def _people(db: Query, condition: str) -> list[dict[str, str]]:
    """Customers with a name that nobody else has, by id."""
    rows = db.execute(
        "SELECT first_name || ' ' || last_name AS name, email FROM customer c WHERE NOT EXISTS"
        " (SELECT 1 FROM customer d WHERE d.id <> c.id AND d.first_name || d.last_name = c.first_name || c.last_name)"
        f" AND is_active = 1 AND {condition} ORDER BY id"
    ).fetchall()
    return [{"customer": row["name"], "email": row["email"]} for row in rows]


# --- group and note -----------------------------------------------------------------------------------------------

_TERMS = (
    ("Wholesale", "Runs a café in the old town. Orders every second Monday."),
    ("Retailer", "Two shops in Turku. Wants the invoices in one mail."),
    ("Wholesale", "Approved by Morgan on March 12. Credit limit 2,000 dollars."),
)


def _group_params(db: Query) -> Sequence[Params]:
    people = _people(db, "customer_group = 'General' AND note = ''")
    return [{**people[9 * at + 4], "group": group, "note": note} for at, (group, note) in enumerate(_TERMS)]


def _group_check(db: Query, p: Params) -> Check:
    (customer,) = db.execute("SELECT id FROM customer WHERE email = ?", (p["email"],)).fetchone()
    values = {"customer_group": p["group"], "note": {"~": p["note"]}}
    change = Change(table="customer", op="update", where={"id": customer}, values=values)
    return Check(state=(StateCheck(site="shopping", required=(change,)),))


def _group_opened(page: Page, p: Params) -> Solver:
    yield from choose(page, "Customer group", p["group"], where="in the part “Account”")
    yield from page.type(
        "Note",
        p["note"],
        say=(
            f"Write the note “{p['note']}” under “Staff note”.",
            f"Further down is a box that only colleagues see. It should say: “{p['note']}”",
        ),
    )
    yield from save(page, "Save customer")
    yield from page.finish(
        say=(
            "The group under the customer's name has changed and the note is kept.",
            "See the line below the name: with the new group in it, and the green message above, it is done.",
        )
    )


def _group(page: Page, p: Params) -> Solver:
    yield from menu(page, "Customers", "All customers")
    yield from search_list(page, _HINT, p["customer"])
    yield from open_row(page, p["customer"])
    yield from _group_opened(page, p)


def _group_by_search(page: Page, p: Params) -> Solver:
    yield from search_all(page, p["email"], p["customer"])
    yield from _group_opened(page, p)


# --- several into one group ---------------------------------------------------------------------------------------


def _several_params(db: Query) -> Sequence[Params]:
    people = _people(db, "customer_group = 'General'")
    return [
        {"first": people[at]["customer"], "second": people[at + 2]["customer"], "group": group}
        for at, group in ((1, "Retailer"), (14, "Wholesale"), (27, "Retailer"))
    ]


def _several_check(db: Query, p: Params) -> Check:
    required = []
    for name in (p["first"], p["second"]):
        (customer,) = db.execute("SELECT id FROM customer WHERE first_name || ' ' || last_name = ?", (name,)).fetchone()
        values = {"customer_group": p["group"]}
        required.append(Change(table="customer", op="update", where={"id": customer}, values=values))
    return Check(state=(StateCheck(site="shopping", required=tuple(required)),))


def _several(page: Page, p: Params) -> Solver:
    yield from menu(page, "Customers", "All customers")
    for name in (p["first"], p["second"]):
        yield from search_list(page, _HINT, name)
        yield from tick(page, f"Select customer {name}", "the customer found")
        yield from mass_action(
            page,
            "Change group",
            page.select(
                "Customer group",
                p["group"],
                say=(
                    f"In the list that has turned up beside the action, choose “{p['group']}”.",
                    f"The action wants to know the group: it is “{p['group']}”, in the drop-down next to it.",
                ),
            ),
        )
    yield from page.finish(
        say=(
            "Both customers were moved, as two messages have said.",
            "With the second customer in the new group the request is met.",
        )
    )


def _several_by_form(page: Page, p: Params) -> Solver:
    for name in (p["first"], p["second"]):
        yield from search_all(page, name, name)
        yield from choose(page, "Customer group", p["group"], where="in the part “Account”")
        yield from save(page, "Save customer")
    yield from page.finish(
        say=("The second form is saved as well.", "Each of the two pages names the new group below the customer.")
    )


# --- a new account ------------------------------------------------------------------------------------------------

_ACCOUNTS = (
    (
        "Irina",
        "Sokolova",
        "irina.sokolova@example.org",
        "+371 20 555 018",
        "Retailer",
        "lantern-48",
        "Met at the fair.",
    ),
    ("Tobias", "Hartl", "tobias.hartl@example.com", "+43 1 555 0162", "Wholesale", "bluebird-77", "Hotel in Graz."),
    ("Chiara", "Fontana", "chiara.fontana@example.net", "+39 06 555 0193", "Retailer", "thimble-19", "Speaks Italian."),
)


def _new_params(db: Query) -> Sequence[Params]:
    keys = ("first", "last", "email", "phone", "group", "password", "note")
    return [dict(zip(keys, values, strict=True)) for values in _ACCOUNTS]


def _new_check(db: Query, p: Params) -> Check:
    values = {
        "first_name": {"~": p["first"]},
        "last_name": {"~": p["last"]},
        "email": {"~": p["email"]},
        "phone": p["phone"],
        "customer_group": p["group"],
        "password": p["password"],
        "note": {"~": p["note"]},
        "is_active": 1,
    }
    return Check(state=(StateCheck(site="shopping", required=(Change(table="customer", op="insert", values=values),)),))


def _new_filled(page: Page, p: Params) -> Solver:
    yield from fill(page, "First name", p["first"], where="at the top left of the form")
    yield from fill(page, "Last name", p["last"], where="right of the first name")
    yield from fill(page, "Email", p["email"], where="under the name")
    yield from fill(page, "Phone", p["phone"], where="beside the email address")
    yield from choose(page, "Customer group", p["group"], where="under “Account”")
    yield from page.type(
        "Password",
        p["password"],
        say=(
            f"Type the password “{p['password']}”; dots stand for its letters.",
            f"An account needs a password, which here is “{p['password']}”.",
        ),
    )
    yield from fill(page, "Note", p["note"], where="under “Staff note”")
    yield from save(page, "Create customer")
    yield from page.finish(
        say=(
            "The new customer's page is open, with no orders so far.",
            "The heading has the new name and the badge “Active”: the account is there.",
        )
    )


def _new(page: Page, p: Params) -> Solver:
    yield from menu(page, "Customers", "New customer")
    yield from _new_filled(page, p)


def _new_from_list(page: Page, p: Params) -> Solver:
    yield from menu(page, "Customers", "All customers")
    yield from page.click(
        "link",
        "New customer",
        say=(
            "Press “New customer” above the list.",
            "The list has a blue button for adding somebody, at its upper right.",
        ),
    )
    yield from _new_filled(page, p)


# --- who bought most ----------------------------------------------------------------------------------------------


def _best_params(db: Query) -> Sequence[Params]:
    return [
        {"group": "Wholesale", "column": "Lifetime sales", "words": "brought in the most money"},
        {"group": "General", "column": "Lifetime sales", "words": "brought in the most money"},
        {"group": "Retailer", "column": "Lifetime sales", "words": "brought in the most money"},
    ]


def _best_check(db: Query, p: Params) -> Check:
    measure = {
        "Orders": "count(*)",
        "Lifetime sales": "sum(CASE WHEN status = 'canceled' THEN 0 ELSE total_cents - refunded_cents END)",
    }[p["column"]]
    row = db.execute(
        f"SELECT c.first_name || ' ' || c.last_name AS name, {measure} AS much FROM sales_order o"
        " JOIN customer c ON c.id = o.customer_id WHERE c.customer_group = ? GROUP BY c.id ORDER BY much DESC",
        (p["group"],),
    ).fetchone()
    return Check(answer=AnswerCheck(kind="text", expected=(row["name"],)))


def _best(page: Page, p: Params) -> Solver:
    yield from menu(page, "Customers", "All customers")
    yield from page.unfold("Views")
    yield from page.click(
        "link",
        p["group"],
        say=(
            f"Have the list show the group “{p['group']}” only, with the words above it.",
            f"Customers are listed by group when you choose one in the top line: “{p['group']}”.",
        ),
    )
    for say in (
        (
            f"Sort by “{p['column']}”, whose title is a link.",
            f"The titles of the columns sort the list, and “{p['column']}” is the one that counts here.",
        ),
        (
            "Click the title once more to have the biggest figure on top.",
            "The smallest comes first; another click on the same title turns the list upside down.",
        ),
    ):
        yield from page.click("link", f"Sort by {p['column']}", say=say)
    names = page.column("Name")
    yield from page.finish(
        names[0],
        say=(
            "Answer with the name in the first row.",
            "Who stands at the top of the sorted list is the customer asked for.",
        ),
    )


TEMPLATES = (
    Template(
        id="shopping_admin.customer_group",
        sites=("shopping_admin",),
        start=_START,
        logins=_LOGINS,
        intents=(
            "{customer} ({email}) becomes a {group} customer. Change the group, and leave this note for the staff: "
            "“{note}”",
            "Move {customer} to the group {group} and add the staff note “{note}”",
        ),
        params=_group_params,
        check=_group_check,
        solve=_group,
        second_route=_group_by_search,
        wrong_value=lambda db, p: {**p, "note": p["note"].split(". ")[0]},
    ),
    Template(
        id="shopping_admin.customers_regroup",
        sites=("shopping_admin",),
        start=_START,
        logins=_LOGINS,
        intents=(
            "Put {first} and {second} into the customer group {group}.",
            "From today {first} and {second} buy as {group} customers. Please change their groups.",
        ),
        params=_several_params,
        check=_several_check,
        solve=_several,
        second_route=_several_by_form,
        wrong_value=lambda db, p: {**p, "group": {"Retailer": "Wholesale", "Wholesale": "Retailer"}[p["group"]]},
    ),
    Template(
        id="shopping_admin.customer_new",
        sites=("shopping_admin",),
        start=_START,
        logins=_LOGINS,
        intents=(
            "Open an account for {first} {last}: email {email}, phone {phone}, group {group}, password {password}, and "
            "the staff note “{note}”",
            "A new {group} customer: {first} {last}, {email}, {phone}. Give them the password {password} and note for "
            "the staff: “{note}”",
        ),
        params=_new_params,
        check=_new_check,
        solve=_new,
        second_route=_new_from_list,
        wrong_value=lambda db, p: {**p, "phone": p["phone"][:-1]},
    ),
    Template(
        id="shopping_admin.customer_best",
        sites=("shopping_admin",),
        start=_START,
        logins=_LOGINS,
        intents=(
            "Which customer of the group {group} {words} so far, going by the list of customers? Give the full name.",
            "Look through the {group} customers: who {words}?",
        ),
        params=_best_params,
        check=_best_check,
        solve=_best,
    ),
)
