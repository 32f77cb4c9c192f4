"""Orders in the back office: invoicing and shipping, refunds, holds, addresses, tracking."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import ROUND_HALF_UP, Decimal

from guideact.tasks.backoffice import (
    choose,
    fill,
    mass_action,
    menu,
    open_order,
    save,
    search_all,
    search_list,
    switch,
    tick_all,
    view,
)
from guideact.tasks.solve import Page, Solver
from guideact.tasks.template import ADMIN, Params, Query, Template
from guideact.types import Change, Check, StateCheck

_START = "__SHOPPING_ADMIN__/"
_LOGINS = {"shopping_admin": ADMIN}
_HINT = "Order number, name or email"


def _id(db: Query, number: str) -> int:
    (found,) = db.execute("SELECT id FROM sales_order WHERE number = ?", (number,)).fetchone()
    return int(found)


# --- invoice, ship, comment ---------------------------------------------------------------------------------------

_PARCELS = (
    ("Posti", "PO7740215568", "Your parcel left the warehouse this morning."),
    ("DHL", "DH8120667413", "Handed to the courier. The tracking page wakes up tonight."),
    ("UPS", "UP4459031827", "Two of us checked the box twice: everything is in it."),
)


def _fulfil_params(db: Query) -> Sequence[Params]:
    rows = db.execute(
        "SELECT o.number FROM sales_order o JOIN order_item i ON i.order_id = o.id WHERE o.status = 'pending'"
        " AND o.payment_method = 'card' GROUP BY o.id HAVING count(*) BETWEEN 1 AND 3 ORDER BY o.id"
    ).fetchall()
    return [
        {"order": rows[at]["number"], "carrier": carrier, "tracking": tracking, "comment": comment}
        for at, (carrier, tracking, comment) in zip((2, 5, 8), _PARCELS, strict=True)
    ]


def _fulfil_check(db: Query, p: Params) -> Check:
    order = db.execute("SELECT id, total_cents FROM sales_order WHERE number = ?", (p["order"],)).fetchone()
    units = [
        Change(
            table="order_item",
            op="update",
            where={"id": item["id"]},
            values={"invoiced": item["quantity"], "shipped": item["quantity"]},
        )
        for item in db.execute("SELECT id, quantity FROM order_item WHERE order_id = ?", (order["id"],)).fetchall()
    ]
    own = {"order_id": order["id"], "body": {"~": p["comment"]}, "is_visible": 1}
    required = (
        *units,
        Change(table="invoice", op="insert", values={"order_id": order["id"], "total_cents": order["total_cents"]}),
        Change(
            table="shipment",
            op="insert",
            values={"order_id": order["id"], "carrier": p["carrier"], "tracking_number": p["tracking"]},
        ),
        Change(table="sales_order", op="update", where={"id": order["id"]}, values={"status": "complete"}),
        Change(table="order_comment", op="insert", values={"order_id": order["id"], "body": {"contains": "Invoice 0"}}),
        Change(
            table="order_comment", op="insert", values={"order_id": order["id"], "body": {"contains": "Shipment 0"}}
        ),
        Change(table="order_comment", op="insert", values=own),
    )
    return Check(state=(StateCheck(site="shopping", required=required),))


def _fulfil_opened(page: Page, p: Params) -> Solver:
    yield from page.click(
        "link",
        "Invoice",
        direction="up",
        say=(
            "Begin with the money: “Invoice”, in the row of buttons at the top right, opens a form.",
            "Before anything is sent out the order needs an invoice. “Invoice” is the blue button beside its title.",
        ),
    )
    yield from page.click(
        "button",
        "Create invoice",
        say=(
            "All quantities are filled in already, so go straight to “Create invoice”.",
            "The form suggests every piece that is still open. Leave it so and press “Create invoice” at the bottom.",
        ),
    )
    yield from page.click(
        "link",
        "Ship",
        direction="up",
        say=(
            "Continue with the button “Ship” at the top right.",
            "The invoice is listed now. Next comes the parcel, which “Ship” beside the order's title takes care of.",
        ),
    )
    yield from page.select(
        "Carrier",
        p["carrier"],
        say=(
            f"Choose {p['carrier']} as the carrier, below the list of items.",
            f"Under “Carrier and tracking” the first drop-down is still undecided; it should say “{p['carrier']}”.",
        ),
    )
    yield from page.type(
        "Tracking number",
        p["tracking"],
        say=(
            f"Enter the tracking number “{p['tracking']}” next to the carrier.",
            f"To the right of the carrier there is room for the number of the parcel: “{p['tracking']}”.",
        ),
    )
    yield from page.click(
        "button",
        "Create shipment",
        say=(
            "Confirm the parcel with “Create shipment”; the order turns into a complete one.",
            "With everything sent at once no quantity has to be touched: “Create shipment” finishes this form.",
        ),
    )
    yield from page.click(
        "link",
        "History",
        direction="up",
        say=(
            "Go to the tab “History” to write to the customer.",
            "Comments are written in the last of the order's tabs, the one named “History”.",
        ),
    )
    yield from page.type(
        "Comment",
        p["comment"],
        say=(
            f"Write “{p['comment']}” in the box “Comment”.",
            f"On the left there is an empty box for your words, which are: “{p['comment']}”",
        ),
    )
    yield from page.click(
        "checkbox",
        "Visible to customer",
        say=(
            "Tick “Visible to customer”, or only colleagues will read it.",
            "A comment stays inside the shop unless the box “Visible to customer” below it is checked.",
        ),
    )
    yield from page.click(
        "button",
        "Add comment",
        say=(
            "Add it with the blue button under the boxes.",
            "“Add comment” puts your words on top of the list on the right.",
        ),
    )
    yield from page.finish(
        say=(
            "The history now shows the invoice, the shipment and your comment, so all three things are done.",
            "Stop here: beside the order's number it says “Complete”, and your words head the list.",
        )
    )


def _fulfil(page: Page, p: Params) -> Solver:
    yield from open_order(page, p["order"])
    yield from _fulfil_opened(page, p)


def _fulfil_by_search(page: Page, p: Params) -> Solver:
    yield from search_all(page, p["order"], f"Order {p['order']}")
    yield from _fulfil_opened(page, p)


# --- a part of an order back --------------------------------------------------------------------------------------

_RETURNS = (
    ("Arrived damaged", 2, "two pieces"),
    ("Wrong size", 1, "one piece"),
    ("Changed my mind", 2, "two pieces"),
)


def _refund_params(db: Query) -> Sequence[Params]:
    rows = db.execute(
        "SELECT o.number, i.name FROM sales_order o JOIN order_item i ON i.order_id = o.id"
        " WHERE o.status = 'complete' AND i.quantity > 2 AND i.refunded = 0 AND i.invoiced = i.quantity"
        " AND (SELECT count(*) FROM order_item x WHERE x.order_id = o.id) > 1"
        " AND NOT EXISTS (SELECT 1 FROM order_item x WHERE x.order_id = o.id AND x.id <> i.id"
        "  AND instr(x.name, i.name)) GROUP BY o.id ORDER BY o.id DESC"
    ).fetchall()
    return [
        {"order": rows[at]["number"], "product": rows[at]["name"], "reason": reason, "units": units, "pieces": pieces}
        for at, (reason, units, pieces) in enumerate(_RETURNS)
    ]


def _refund_check(db: Query, p: Params) -> Check:
    row = db.execute(
        "SELECT o.id AS order_id, o.subtotal_cents, o.discount_cents, o.tax_cents, o.refunded_cents, i.id AS item,"
        " i.unit_cents, p.id AS product, p.stock FROM sales_order o JOIN order_item i ON i.order_id = o.id"
        " JOIN product p ON p.id = i.product_id WHERE o.number = ? AND i.name = ?",
        (p["order"], p["product"]),
    ).fetchone()
    # What a unit cost with its share of discount and tax.
    paid = Decimal(row["subtotal_cents"] - row["discount_cents"] + row["tax_cents"]) / row["subtotal_cents"]
    cents = int((paid * row["unit_cents"] * p["units"]).quantize(Decimal(1), ROUND_HALF_UP))
    required = (
        Change(
            table="refund",
            op="insert",
            values={"order_id": row["order_id"], "reason": p["reason"], "total_cents": cents},
        ),
        Change(table="order_item", op="update", where={"id": row["item"]}, values={"refunded": p["units"]}),
        Change(
            table="sales_order",
            op="update",
            where={"id": row["order_id"]},
            values={"refunded_cents": row["refunded_cents"] + cents},
        ),
        Change(table="product", op="update", where={"id": row["product"]}, values={"stock": row["stock"] + p["units"]}),
        Change(
            table="order_comment", op="insert", values={"order_id": row["order_id"], "body": {"contains": "Refund 0"}}
        ),
    )
    return Check(state=(StateCheck(site="shopping", required=required),))


def _refund_opened(page: Page, p: Params) -> Solver:
    yield from page.click(
        "link",
        "Refund",
        direction="up",
        say=(
            "Press “Refund” in the upper right corner of the order.",
            "Money is given back on a form of its own; the button “Refund” next to the title opens it.",
        ),
    )
    yield from page.type(
        f"Quantity to refund of {p['product']}",
        str(p["units"]),
        say=(
            f"In the row of “{p['product']}”, change the quantity at the right end to {p['units']}.",
            f"The last column says how many pieces are refunded: {p['units']} of “{p['product']}”, "
            "zero of everything else.",
        ),
    )
    yield from page.select(
        "Reason",
        p["reason"],
        say=(
            f"As the reason, choose “{p['reason']}”.",
            f"The part “Refund details” asks why. From its drop-down take “{p['reason']}”.",
        ),
    )
    yield from switch(page, "Return the units to stock", on=True, where="under the reason")
    yield from page.click(
        "button",
        "Create refund",
        say=(
            "Create the refund with the blue button at the bottom and agree to the question.",
            "“Create refund” asks once more and then takes you to the list of this order's refunds.",
        ),
    )
    yield from page.finish(
        say=(
            "The new refund is in the table with today's date; the amount was worked out for you.",
            "A green note names the refund and its amount, which means that you are through.",
        )
    )


def _refund(page: Page, p: Params) -> Solver:
    yield from open_order(page, p["order"])
    yield from _refund_opened(page, p)


def _refund_by_search(page: Page, p: Params) -> Solver:
    yield from search_all(page, p["order"], f"Order {p['order']}")
    yield from _refund_opened(page, p)


# --- hold all of a customer's open orders -------------------------------------------------------------------------


def _hold_params(db: Query) -> Sequence[Params]:
    rows = db.execute(
        "SELECT ship_name FROM sales_order WHERE status = 'pending' GROUP BY ship_name HAVING count(*) > 1"
        " ORDER BY count(*) DESC, ship_name LIMIT 3"
    ).fetchall()
    return [{"customer": row["ship_name"]} for row in rows]


def _hold_check(db: Query, p: Params) -> Check:
    orders = db.execute(
        "SELECT id FROM sales_order WHERE status = 'pending' AND fold(ship_name) = fold(?)", (p["customer"],)
    ).fetchall()
    required = []
    for (order,) in orders:
        required += [
            Change(table="sales_order", op="update", where={"id": order}, values={"status": "on_hold"}),
            Change(table="order_comment", op="insert", values={"order_id": order, "status": "on_hold"}),
        ]
    return Check(state=(StateCheck(site="shopping", required=tuple(required)),))


def _hold_listed(page: Page, p: Params) -> Solver:
    yield from menu(page, "Sales", "Orders")
    yield from view(page, "Pending")
    yield from search_list(page, _HINT, p["customer"])


def _hold(page: Page, p: Params) -> Solver:
    yield from _hold_listed(page, p)
    yield from tick_all(page, "orders")
    yield from mass_action(page, "Put on hold")
    yield from page.finish(
        say=(
            "The list of pending orders is empty now for this customer, which is what was wanted.",
            "According to the message all of them were put on hold. That is all.",
        )
    )


def _hold_one_by_one(page: Page, p: Params) -> Solver:
    yield from _hold_listed(page, p)
    numbers = [link.name for link in page.find_all("link") if re.fullmatch(r"\d{9}", link.name)]
    for number in numbers:
        yield from search_all(page, number, f"Order {number}")
        yield from page.click(
            "button",
            "Hold",
            say=(
                "Stop this order with “Hold”, at the right of its title.",
                "A badge by the number changes to “On hold” as soon as the button “Hold” has been pressed.",
            ),
        )
    yield from page.finish(
        say=("Each of the orders says “On hold” now.", "With the last pending order stopped, nothing is left to do.")
    )


# --- another address ----------------------------------------------------------------------------------------------

_MOVES = (
    ("Kalevankatu 18 B 4", "Helsinki", "00100", "+358 40 555 0181"),
    ("Via Torino 44", "Milano", "20123", "+39 02 555 0144"),
    ("Rue des Lilas 9", "Lyon", "69003", "+33 4 55 50 01 29"),
    ("Gartenweg 27", "Hamburg", "20095", "+49 40 555 0127"),
)


def _address_params(db: Query) -> Sequence[Params]:
    rows = db.execute("SELECT number FROM sales_order WHERE status = 'processing' ORDER BY id DESC LIMIT 12").fetchall()
    return [
        {"order": rows[3 * at]["number"], "street": street, "city": city, "postcode": postcode, "phone": phone}
        for at, (street, city, postcode, phone) in enumerate(_MOVES)
    ]


def _address_check(db: Query, p: Params) -> Check:
    row = db.execute("SELECT * FROM sales_order WHERE number = ?", (p["order"],)).fetchone()
    wanted = {f"ship_{key}": p[key] for key in ("street", "city", "postcode", "phone")}
    change = Change(
        table="sales_order",
        op="update",
        where={"id": row["id"]},
        values={column: value for column, value in wanted.items() if row[column] != value},
    )
    return Check(state=(StateCheck(site="shopping", required=(change,)),))


def _address_opened(page: Page, p: Params) -> Solver:
    yield from page.click(
        "link",
        "Edit delivery address",
        say=(
            "Click “Edit” in the corner of the frame “Delivery address”, not the one for billing.",
            "Two addresses stand below the items. The left one is where the parcel goes; its “Edit” opens a form.",
        ),
    )
    for field, key in (("Street address", "street"), ("City", "city"), ("Postcode", "postcode"), ("Phone", "phone")):
        yield from fill(page, field, p[key], where="in the form of the delivery address")
    yield from save(page, "Save address")
    yield from page.finish(
        say=(
            "Back on the order, the frame “Delivery address” shows the new place.",
            "The order is in front of you again with a green note about its address. Name and country stayed the same.",
        )
    )


def _address(page: Page, p: Params) -> Solver:
    yield from open_order(page, p["order"])
    yield from _address_opened(page, p)


def _address_by_search(page: Page, p: Params) -> Solver:
    yield from search_all(page, p["order"], f"Order {p['order']}")
    yield from _address_opened(page, p)


# --- a tracking number put right ----------------------------------------------------------------------------------

_LABELS = (("UPS", "UP9031557284"), ("FedEx", "FX5528190347"), ("Posti", "PO2290418865"), ("DHL", "DH3175520096"))


def _tracking_params(db: Query) -> Sequence[Params]:
    found = []
    for at, (carrier, tracking) in enumerate(_LABELS):
        rows = db.execute(
            "SELECT o.number FROM shipment s JOIN sales_order o ON o.id = s.order_id WHERE s.carrier <> ?"
            " GROUP BY o.id HAVING count(*) = 1 ORDER BY o.id DESC",
            (carrier,),
        ).fetchall()
        found.append({"order": rows[4 * at + 1]["number"], "carrier": carrier, "tracking": tracking})
    return found


def _tracking_check(db: Query, p: Params) -> Check:
    row = db.execute(
        "SELECT id FROM shipment WHERE order_id = (SELECT id FROM sales_order WHERE number = ?)", (p["order"],)
    ).fetchone()
    change = Change(
        table="shipment",
        op="update",
        where={"id": row["id"]},
        values={"carrier": p["carrier"], "tracking_number": p["tracking"]},
    )
    return Check(state=(StateCheck(site="shopping", required=(change,)),))


def _tracking_opened(page: Page, p: Params) -> Solver:
    yield from choose(page, "Carrier", p["carrier"], where="in the part “Tracking”")
    yield from fill(page, "Tracking number", p["tracking"], where="beside the carrier")
    yield from save(page, "Save tracking")
    yield from page.finish(
        say=(
            "The message at the top confirms the new tracking, and the fields keep what you entered.",
            "As soon as the page comes back with a green line about the tracking, the correction is complete.",
        )
    )


def _open_shipment(page: Page) -> Solver:
    yield from page.click(
        "link",
        "View shipment",
        say=(
            "Open the only shipment that is listed with “View” at the right.",
            "One row is in the table. Its last cell, “View”, leads to the parcel's own page.",
        ),
    )


def _tracking(page: Page, p: Params) -> Solver:
    yield from menu(page, "Sales", "Shipments")
    yield from search_list(page, "Shipment, order, name or tracking number", p["order"])
    yield from _open_shipment(page)
    yield from _tracking_opened(page, p)


def _tracking_from_order(page: Page, p: Params) -> Solver:
    yield from search_all(page, p["order"], f"Order {p['order']}")
    yield from page.click(
        "link",
        "Shipments 1",
        say=(
            "Change to the order's tab “Shipments”.",
            "The parcels of an order are on a tab of their own, between the invoices and the refunds.",
        ),
    )
    yield from _open_shipment(page)
    yield from _tracking_opened(page, p)


TEMPLATES = (
    Template(
        id="shopping_admin.order_fulfil",
        sites=("shopping_admin",),
        start=_START,
        logins=_LOGINS,
        intents=(
            "Order {order} is packed. Invoice all of it, ship everything with {carrier} under the tracking number "
            "{tracking}, and then add a comment that the customer can see: “{comment}”",
            "Please finish order {order}: a full invoice, a full shipment ({carrier}, {tracking}), and a comment "
            "visible to the customer saying “{comment}”",
        ),
        params=_fulfil_params,
        check=_fulfil_check,
        solve=_fulfil,
        second_route=_fulfil_by_search,
        wrong_value=lambda db, p: {**p, "tracking": p["tracking"][:-1]},
    ),
    Template(
        id="shopping_admin.order_refund_part",
        sites=("shopping_admin",),
        start=_START,
        logins=_LOGINS,
        intents=(
            "The customer of order {order} sent back {pieces} of “{product}”. Refund that, without delivery, with the "
            "reason “{reason}”, and put the goods back into stock.",
            "Refund {pieces} of “{product}” from order {order}. Reason: {reason}. We can sell what came back, so "
            "return it to stock; the delivery costs are not refunded.",
        ),
        params=_refund_params,
        check=_refund_check,
        solve=_refund,
        second_route=_refund_by_search,
        wrong_value=lambda db, p: {**p, "units": p["units"] + 1},
    ),
    Template(
        id="shopping_admin.order_hold",
        sites=("shopping_admin",),
        start=_START,
        logins=_LOGINS,
        intents=(
            "{customer} rang: please put all of their pending orders on hold.",
            "Something is wrong with the card of {customer}. Hold every order of theirs that is still pending.",
        ),
        params=_hold_params,
        check=_hold_check,
        solve=_hold,
        second_route=_hold_one_by_one,
    ),
    Template(
        id="shopping_admin.order_address",
        sites=("shopping_admin",),
        start=_START,
        logins=_LOGINS,
        intents=(
            "The customer of order {order} is moving. Send the parcel to {street}, {postcode} {city} instead, phone "
            "{phone}; name and country stay.",
            "Change the delivery address of order {order}: street {street}, city {city}, postcode {postcode}, phone "
            "{phone}. Leave the billing address alone.",
        ),
        params=_address_params,
        check=_address_check,
        solve=_address,
        second_route=_address_by_search,
        wrong_value=lambda db, p: {**p, "postcode": "99" + p["postcode"][2:]},
    ),
    Template(
        id="shopping_admin.shipment_tracking",
        sites=("shopping_admin",),
        start=_START,
        logins=_LOGINS,
        intents=(
            "The shipment of order {order} has the wrong label: it went with {carrier}, tracking number {tracking}. "
            "Please correct that.",
            "Set the carrier of order {order}'s shipment to {carrier} and its tracking number to {tracking}.",
        ),
        params=_tracking_params,
        check=_tracking_check,
        solve=_tracking,
        second_route=_tracking_from_order,
        wrong_value=lambda db, p: {**p, "tracking": p["tracking"].replace("5", "6")},
    ),
)
