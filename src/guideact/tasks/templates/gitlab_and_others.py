"""Work of the forge that needs the encyclopedia, the map, the shop or its back office in between."""

from __future__ import annotations

from collections.abc import Sequence

from guideact.sites.companies import COMPANIES
from guideact.tasks.across import back_to
from guideact.tasks.backoffice import search_all
from guideact.tasks.gitlab_checks import LOGGED, id_in_project, issue_id
from guideact.tasks.gitlab_deeds import add_token, fill, open_issue, open_project, save, side, unfold
from guideact.tasks.map_deeds import open_place, suggested
from guideact.tasks.map_survey import closing, named
from guideact.tasks.shop import open_product
from guideact.tasks.solve import Page, Solver
from guideact.tasks.template import ADMIN, EMMA, EMMA_GITLAB, EMMA_MAP, EMMA_WIKIPEDIA, Params, Query, Template
from guideact.tasks.wikipedia_deeds import look_up, take_suggestion
from guideact.types import Change, Check, StateCheck

_START = "__GITLAB__/"
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


def _project(db: Query, path: str) -> int:
    (number,) = db.execute("SELECT id FROM project WHERE full_path = ?", (path,)).fetchone()
    return int(number)


def _new_issue(page: Page) -> Solver:
    yield from side(page, "Issues")
    yield from page.click(
        "link",
        "New issue",
        say=(
            "Begin an issue with “New issue”, over the list on the right.",
            "What you found out belongs into an issue: “New issue” opens an empty form for it.",
        ),
    )


# --- a company that is missing --------------------------------------------------------------------------------------

_MISSING = ("Tempora", "Velora", "Stratos", "Sonora")


def _missing_params(db: Query) -> Sequence[Params]:
    return [{"company": company, "label": "missing"} for company in _MISSING]


def _missing_check(db: Query, p: Params) -> Check:
    company = COMPANIES[p["company"]]
    issue = {
        "project_id": _project(db, "open-atlas/gazetteer"),
        "title": {"~": f"{company.name} is missing"},
        "body": {"~": p.get("text", f"Founded in {company.founded}")},
        "author_id": 1,
        "state": "open",
        "is_confidential": 0,
        "weight": None,
        "due_on": "",
        "milestone_id": None,
    }
    label = {
        "issue_id": {"new": "issue"},
        "label_id": id_in_project(db, "label", "open-atlas/gazetteer", "name", p["label"]),
    }
    required = (
        Change(table="issue", op="insert", values=issue),
        Change(table="issue_label", op="insert", values=label),
    )
    return Check(state=(StateCheck(site="gitlab", required=required, allowed=LOGGED),))


def _missing(page: Page, p: Params) -> Solver:
    yield from open_project(page, "open-atlas/gazetteer")
    project = page.seen.url
    yield from side(page, "Encyclopaedia")
    yield from look_up(page, p["company"])
    yield from _missing_read(page, p, project)


def _missing_suggested(page: Page, p: Params) -> Solver:
    yield from open_project(page, "open-atlas/gazetteer")
    project = page.seen.url
    yield from side(page, "Encyclopaedia")
    yield from take_suggestion(page, p["company"][:5], p["company"])
    yield from _missing_read(page, p, project)


def _missing_read(page: Page, p: Params, project: str) -> Solver:
    yield from page.reach_text("Founded", what="the box of facts beside the article")
    text = p.get("text") or f"Founded in {page.read('Founded')}"
    yield from back_to(page, project, "the project", noted="the founding year")
    yield from _new_issue(page)
    yield from fill(page, "Title", f"{p['company']} is missing", where="at the top of the form")
    yield from page.type(
        "Description",
        text,
        say=(
            "Write “Founded in” and the year that you have seen into “Description”.",
            "The text of the issue is short: after “Founded in” comes the year from the encyclopedia, and that is all.",
        ),
    )
    yield from add_token(page, "Labels", p["label"])
    yield from save(page, "Create issue")
    yield from page.finish(
        say=(
            "The issue has a number now; year and label are where they should be.",
            "A page of its own for the issue, with the label in the right column, tells that it was opened.",
        )
    )


# --- until when it is open ------------------------------------------------------------------------------------------

_HOURS = (
    (
        "toolo-bikes/workshop-calendar",
        "Workshop Calendar",
        "Put the opening hours on the map",
        "Töölö Bicycle Workshop",
        "Saturday",
    ),
    (
        "north-star/relay-planner",
        "Relay Planner",
        "Who runs the third leg?",
        "Trailhead Outpost",
        "Friday",
    ),
    (
        "plain-text/days-2026",
        "Days 2026",
        "May one bring a keyboard that clicks?",
        "Esplanadi Reading Room",
        "Wednesday",
    ),
    ("toolo-bikes/workshop-calendar", "Workshop Calendar", "Stand 2 on the 24th", "Volta Repair Desk", "Tuesday"),
)


def _hours_params(db: Query) -> Sequence[Params]:
    return [dict(zip(("path", "project", "issue", "place", "day"), row, strict=True)) for row in _HOURS]


def _hours_check(db: Query, p: Params) -> Check:
    time = closing(named(p["place"])["hours"], _DAYS.index(p["day"]))
    values = {
        "issue_id": issue_id(db, p["path"], p["issue"]),
        "author_id": 1,
        "body": {"~": f"{p['place']} is open until {time} on {p['day']}s"},
    }
    return Check(state=(StateCheck(site="gitlab", required=(Change(table="note", op="insert", values=values),)),))


def _hours(page: Page, p: Params) -> Solver:
    yield from open_issue(page, p["path"], p["issue"])
    issue = page.seen.url
    yield from side(page, "Map")
    yield from open_place(page, p["place"])
    yield from _hours_read(page, p, issue)


def _hours_suggested(page: Page, p: Params) -> Solver:
    yield from open_issue(page, p["path"], p["issue"])
    issue = page.seen.url
    yield from side(page, "Map")
    yield from suggested(page, p["place"], p["place"])
    yield from _hours_read(page, p, issue)


def _hours_read(page: Page, p: Params, issue: str) -> Solver:
    yield from page.reach_text(p["day"], what="the table of opening hours")
    time = page.read(p["day"]).split("–")[-1]
    yield from back_to(page, issue, "the issue", noted=f"the closing time on a {p['day']}")
    yield from page.type(
        "Comment",
        f"{p['place']} is open until {time} on {p['day']}s",
        say=(
            "Write your sentence into the box “Comment”, with the closing time in it as the map had it.",
            "Below the thread is room for a comment: put the words you were given there, and the time into their gap.",
        ),
    )
    yield from save(page, "Comment")
    yield from page.finish(
        say=(
            f"Your sentence about “{p['place']}” is the last entry of the thread.",
            "Whoever reads the issue can now see the time that the map gives. That was all.",
        )
    )


# --- something to watch ---------------------------------------------------------------------------------------------

_WATCHED = (("Storm Umbrella", "2"), ("Porch Speaker", "3"), ("Glass Tea Kettle", "1"), ("Folding Guest Chair", "4"))


def _watch_params(db: Query) -> Sequence[Params]:
    return [{"product": product, "weight": weight} for product, weight in _WATCHED]


def _watch_check(db: Query, p: Params) -> Check:
    (sku,) = db.execute("SELECT sku FROM shop.product WHERE name = ?", (p["product"],)).fetchone()
    issue = {
        "project_id": _project(db, "lumo-market/price-watch"),
        "title": {"~": f"Watch the {p['product']}"},
        "body": {"~": f"SKU {sku}"},
        "author_id": 1,
        "state": "open",
        "is_confidential": 0,
        "weight": int(p["weight"]),
        "due_on": "",
        "milestone_id": None,
    }
    label = {
        "issue_id": {"new": "issue"},
        "label_id": id_in_project(db, "label", "lumo-market/price-watch", "name", "wish"),
    }
    required = (
        Change(table="issue", op="insert", values=issue),
        Change(table="issue_label", op="insert", values=label),
    )
    return Check(state=(StateCheck(site="gitlab", required=required, allowed=LOGGED),))


def _watch(page: Page, p: Params) -> Solver:
    yield from open_project(page, "lumo-market/price-watch")
    project = page.seen.url
    yield from side(page, "The shop")
    yield from open_product(page, p["product"])
    number = (yield from page.reach_matches(r"^SKU (\S+)", what="the number behind “SKU”"))[0].group(1)
    yield from back_to(page, project, "Price Watch", noted="the code after “SKU”")
    yield from _new_issue(page)
    yield from fill(page, "Title", f"Watch the {p['product']}", where="in the first line")
    yield from page.type(
        "Description",
        f"SKU {number}",
        say=(
            "Type “SKU” and the code that the shop gave into “Description”.",
            "What the issue says is the article number: three letters, “SKU”, and then the code you remember.",
        ),
    )
    yield from add_token(page, "Labels", "wish")
    yield from fill(page, "Weight", p["weight"], where="at the end of the form")
    yield from save(page, "Create issue")
    yield from page.finish(
        say=(
            "The new issue shows the code in its text; label and weight stand at the right.",
            "As soon as the issue has its own page, everything that was asked for is in it.",
        )
    )


# --- an order stopped -----------------------------------------------------------------------------------------------

_STOPPED = (
    ("Order 000000371: when will it leave?", "000000371", "It waits for a signature.", "answered"),
    ("Order 000000365: packed or not?", "000000365", "Stopped, so that the lamp can be added.", "answered"),
    ("How many orders are on hold?", "000000359", "One more as of today.", "answered"),
    ("A refund of more than the order was accepted", "000000366", "Stopped until this is mended.", "question"),
)


def _stopped_params(db: Query) -> Sequence[Params]:
    return [dict(zip(("issue", "order", "text", "label"), row, strict=True)) for row in _STOPPED]


def _stopped_check(db: Query, p: Params) -> Check:
    path = "lumo-market/order-desk"
    issue = issue_id(db, path, p["issue"])
    label = id_in_project(db, "label", path, "name", p["label"])
    (order,) = db.execute("SELECT id FROM shop.sales_order WHERE number = ?", (p["order"],)).fetchone()
    held = (
        Change(table="sales_order", op="update", where={"id": order}, values={"status": "on_hold"}),
        Change(table="order_comment", op="insert", values={"order_id": order, "status": "on_hold"}),
    )
    told = (
        Change(table="note", op="insert", values={"issue_id": issue, "author_id": 1, "body": {"~": p["text"]}}),
        Change(table="issue_label", op="insert", values={"issue_id": issue, "label_id": label}),
    )
    return Check(
        state=(
            StateCheck(site="gitlab", required=told, allowed=LOGGED),
            StateCheck(site="shopping", required=held),
        )
    )


def _stopped(page: Page, p: Params) -> Solver:
    yield from open_issue(page, "lumo-market/order-desk", p["issue"])
    issue = page.seen.url
    yield from side(page, "Back office")
    yield from search_all(page, p["order"], f"Order {p['order']}")
    yield from page.click(
        "button",
        "Hold",
        direction="up",
        say=(
            "Stop the order with “Hold”, among the buttons beside its number.",
            "“Hold” at the top right keeps the order from being packed; the badge by the number changes.",
        ),
    )
    yield from back_to(page, issue, "the issue on the forge")
    yield from fill(page, "Comment", p["text"], where="under the activity")
    yield from save(page, "Comment")
    yield from unfold(page, "Edit labels")
    yield from add_token(page, "Add a label", p["label"])
    yield from save(page, "Save labels")
    yield from page.finish(
        say=(
            "The order is on hold, and the thread has your words and the new label.",
            "Order, comment, label: all three are done, and the last one shows in the right column.",
        )
    )


TEMPLATES = (
    Template(
        id="gitlab.maker_missing",
        sites=("gitlab", "wikipedia"),
        start=_START,
        logins={"gitlab": EMMA_GITLAB, "wikipedia": EMMA_WIKIPEDIA},
        intents=(
            "The forge's project Gazetteer lacks {company}. Open an issue there called “{company} is missing”, label "
            "it “{label}”, and write “Founded in” and the year as its description. The encyclopedia that the project "
            "links to has the year.",
            "Please report to the project Gazetteer that {company} is not in it: an issue “{company} is missing” with "
            "the label “{label}” and the text “Founded in [year]”. Look the year up in the encyclopedia; the project's "
            "side menu leads there.",
        ),
        params=_missing_params,
        check=_missing_check,
        solve=_missing,
        second_route=_missing_suggested,
        wrong_value=lambda db, p: {**p, "text": "Founded in 1900"},
    ),
    Template(
        id="gitlab.opening_hours_issue",
        sites=("gitlab", "map"),
        start=_START,
        logins={"gitlab": EMMA_GITLAB, "map": EMMA_MAP},
        intents=(
            "Comment on the issue “{issue}” of {project}: “{place} is open until [time] on {day}s”. Take the time from "
            "the map that the project links to, written as it is there.",
            "Under “{issue}” in the project {project} they need to know how long {place} is open on {day}s. See what "
            "the map says (there is a link in the side menu) and comment “{place} is open until [time] on {day}s”.",
        ),
        params=_hours_params,
        check=_hours_check,
        solve=_hours,
        second_route=_hours_suggested,
        wrong_value=lambda db, p: {**p, "day": "Thursday"},
    ),
    Template(
        id="gitlab.watch_product",
        sites=("gitlab", "shopping"),
        start=_START,
        logins={"gitlab": EMMA_GITLAB, "shopping": EMMA},
        intents=(
            "Price Watch should follow the {product} as well. Open an issue “Watch the {product}” in that project, "
            "with “SKU” and the shop's article number as the description, the label “wish” and a weight of {weight}.",
            "File “Watch the {product}” as an issue of Price Watch: label “wish”, weight {weight}, and as its text "
            "“SKU” followed by the code that the shop gives for this product.",
        ),
        params=_watch_params,
        check=_watch_check,
        solve=_watch,
        wrong_value=lambda db, p: {**p, "weight": "9"},
    ),
    Template(
        id="gitlab.order_stopped",
        sites=("gitlab", "shopping_admin"),
        start=_START,
        logins={"gitlab": EMMA_GITLAB, "shopping_admin": ADMIN},
        intents=(
            "Put order {order} on hold in the shop's back office. Then comment “{text}” on the issue “{issue}” of "
            "Order Desk and add the label “{label}” to it.",
            "“{issue}” in Order Desk: stop order {order} in the back office (hold it), answer the issue with “{text}”, "
            "and label it “{label}” besides the labels it has.",
        ),
        params=_stopped_params,
        check=_stopped_check,
        solve=_stopped,
        wrong_value=lambda db, p: {**p, "text": "No idea."},
    ),
)
