"""Buying: from the search to the thank-you page, with a coupon, an address and a way to pay."""

from __future__ import annotations

from collections.abc import Sequence

from guideact.tasks.shop import add_to_cart, open_product
from guideact.tasks.solve import Page, Solver
from guideact.tasks.template import EMMA, Params, Query, Template
from guideact.types import Change, Check, StateCheck

_PLANS = (
    # coupon, quantity, cents at least and at most, address, delivery, payment
    ("WELCOME10", 2, 3000, 6000, "310 Congress Avenue", "Express delivery", "Credit card"),
    ("TAKE20", 3, 9000, 20000, "58 NW Lovejoy Street", "Standard delivery", "Invoice"),
    ("LETTER7", 4, 1500, 4000, "310 Congress Avenue", "Express delivery", "Cash on delivery"),
    ("SPRINGSHIP", 2, 2500, 4500, "58 NW Lovejoy Street", "Standard delivery", "Credit card"),
)
_METHODS = {"Standard delivery": "standard", "Express delivery": "express", "Store pickup": "pickup"}
_PAYMENTS = {"Credit card": "card", "Invoice": "invoice", "Cash on delivery": "cash_on_delivery"}
_NEXT_METHOD = {
    "Standard delivery": "Express delivery",
    "Express delivery": "Store pickup",
    "Store pickup": "Standard delivery",
}


def _params(db: Query) -> Sequence[Params]:
    found = []
    for number, (coupon, quantity, low, high, street, method, payment) in enumerate(_PLANS):
        rows = db.execute(
            "SELECT name FROM product WHERE special_price_cents IS NULL AND price_cents BETWEEN ? AND ? AND stock > 20"
            " AND id NOT IN (SELECT product_id FROM product_option) ORDER BY id",
            (low, high),
        ).fetchall()
        found.append(
            {
                "product": rows[number * 3]["name"],
                "quantity": quantity,
                "coupon": coupon,
                "street": street,
                "method": method,
                "how": method.lower(),
                "payment": payment,
                "pay": payment.lower(),
            }
        )
    return found


def _check(db: Query, p: Params) -> Check:
    product = db.execute("SELECT id, sku, price_cents, stock FROM product WHERE name = ?", (p["product"],)).fetchone()
    address = db.execute(
        "SELECT street, city, postcode FROM address WHERE customer_id = 1 AND street LIKE ? || '%'", (p["street"],)
    ).fetchone()
    coupon = db.execute("SELECT id, kind, amount, uses FROM promotion WHERE code = ?", (p["coupon"],)).fetchone()
    rates = dict(db.execute("SELECT key, CAST(value AS INTEGER) FROM setting WHERE key LIKE 'shipping.%_cents'"))
    (tax_percent,) = db.execute("SELECT CAST(value AS REAL) FROM setting WHERE key = 'tax.rate_percent'").fetchone()
    subtotal = product["price_cents"] * p["quantity"]
    discount = {
        "percent": int(subtotal * coupon["amount"] / 100 + 0.5),
        "fixed": coupon["amount"],
        "free_shipping": 0,
    }[coupon["kind"]]
    goods = subtotal - discount
    method = _METHODS[p["method"]]
    free = method == "standard" and (coupon["kind"] == "free_shipping" or goods >= rates["shipping.free_over_cents"])
    shipping = 0 if free else rates[f"shipping.{method}_cents"]
    tax = int(goods * tax_percent / 100 + 0.5)
    order = {
        "customer_id": 1,
        "status": "pending",
        "subtotal_cents": subtotal,
        "discount_cents": discount,
        "shipping_cents": shipping,
        "total_cents": goods + shipping + tax,
        "coupon_code": p["coupon"],
        "shipping_method": method,
        "payment_method": _PAYMENTS[p["payment"]],
        "ship_street": address["street"],
        "ship_postcode": address["postcode"],
        "bill_street": address["street"],
        "gift_message": "",
    }
    of_order = {"order_id": {"new": "sales_order"}}
    item = {
        **of_order,
        "product_id": product["id"],
        "name": p["product"],
        "sku": product["sku"],
        "quantity": p["quantity"],
    }
    required = (
        Change(table="sales_order", op="insert", values=order),
        Change(table="order_item", op="insert", values=item),
        Change(table="order_comment", op="insert", values={**of_order, "status": "pending"}),
        Change(
            table="product",
            op="update",
            where={"id": product["id"]},
            values={"stock": product["stock"] - p["quantity"]},
        ),
        Change(table="promotion", op="update", where={"id": coupon["id"]}, values={"uses": coupon["uses"] + 1}),
    )
    return Check(state=(StateCheck(site="shopping", required=required),))


def _use_coupon(page: Page, p: Params) -> Solver:
    yield from page.click(
        "button",
        "Coupon code",
        say=(
            "Unfold “Coupon code” in the summary on the right.",
            "The place for a discount is folded away under “Coupon code”, beside the list of items.",
        ),
    )
    yield from page.type(
        "Enter coupon code",
        p["coupon"],
        say=(
            f"Type the code {p['coupon']}.",
            f"The field that has appeared is for the code, which is {p['coupon']}.",
        ),
    )
    yield from page.click(
        "button",
        "Apply coupon",
        say=(
            "Confirm the code with “Apply coupon”; the summary then names it.",
            "Whether the code counts is seen in the summary after you have pressed “Apply coupon”.",
        ),
    )


def _to_checkout(page: Page) -> Solver:
    yield from page.click(
        "link",
        "Proceed to checkout",
        say=(
            "Go on with “Proceed to checkout”, below the sums.",
            "The cart is ready: the wide button under the total starts the four steps of buying.",
        ),
    )


def _choose_all(page: Page, p: Params) -> Solver:
    """From the address to the thank-you page."""
    yield from page.click(
        "radio",
        p["street"],
        near=p["street"],
        what="your addresses",
        say=(
            f"Select the address in {p['street']}.",
            f"Of your saved addresses, the one that begins with {p['street']} is where the parcel goes.",
        ),
    )
    yield from page.click(
        "button",
        "Continue to delivery method",
        say=(
            "Continue to the delivery method.",
            "The first step is complete; the button below the addresses leads to the second.",
        ),
    )
    yield from page.click(
        "radio",
        p["method"],
        say=(
            f"Mark “{p['method']}” in the list.",
            f"Three ways to get the goods are offered, with their prices. Take “{p['method']}”.",
        ),
    )
    yield from page.click(
        "button",
        "Continue to payment",
        say=(
            "Go on to the payment with the button underneath.",
            "Leave the gift message alone and move to the next step.",
        ),
    )
    yield from page.click(
        "radio",
        p["payment"],
        say=(
            f"Choose to pay by “{p['payment']}”.",
            f"Nothing is preselected here, so mark “{p['payment']}” among the ways to pay.",
        ),
    )
    yield from page.click(
        "button",
        "Continue to review",
        say=(
            "Proceed to the last step, the review.",
            "“Continue to review” shows everything once more before it counts.",
        ),
    )
    yield from page.click(
        "checkbox",
        "I accept the terms",
        what="the box for the terms",
        say=(
            "Tick the box that says you accept the terms and conditions.",
            "Without a tick next to the terms the shop does not take the order, so set it.",
        ),
    )
    yield from page.click(
        "button",
        "Place order",
        say=(
            "Place the order with the button below the list of items.",
            "One click is left, on “Place order”. A page that thanks you means that it went through.",
        ),
    )
    yield from page.finish(
        say=(
            "The shop thanks you and names the number of the new order: the purchase is complete.",
            "Seeing an order number on the thank-you page is the sign that nothing is left to do.",
        )
    )


def _solve(page: Page, p: Params) -> Solver:
    yield from open_product(page, p["product"])
    yield from add_to_cart(page, p["product"], quantity=p["quantity"])
    yield from page.click(
        "button",
        "My cart",
        direction="up",
        say=(
            "Open the cart at the right end of the header.",
            "The icon with a number, in the upper right corner, unfolds what you have collected.",
        ),
    )
    yield from page.click(
        "link",
        "View and edit cart",
        say=(
            "Choose “View and edit cart” in the panel, for that is where coupons are entered.",
            "Do not go to the checkout yet; the second button in the panel leads to the whole cart.",
        ),
    )
    yield from _use_coupon(page, p)
    yield from _to_checkout(page)
    yield from _choose_all(page, p)


TEMPLATES = (
    Template(
        id="shopping.checkout",
        sites=("shopping",),
        logins={"shopping": EMMA},
        intents=(
            "Buy {quantity} of the {product} with coupon {coupon}. Send them to {street} by {how}, and I pay by {pay}.",
            "Order {quantity} pieces of the {product} for me: {how} to my address in {street}, payment by {pay}. "
            "I have a coupon, {coupon}.",
        ),
        params=_params,
        check=_check,
        solve=_solve,
        wrong_value=lambda db, p: {**p, "method": _NEXT_METHOD[p["method"]]},
    ),
)
