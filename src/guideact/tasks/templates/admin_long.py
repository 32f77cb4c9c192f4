"""Longer work in the back office: a coupon made and tried in the store, a product that another one takes over from."""

from __future__ import annotations

from collections.abc import Sequence

from guideact.tasks.backoffice import choose, fill, menu, open_row, save, search_all, search_list, switch
from guideact.tasks.shop import add_to_cart, open_product
from guideact.tasks.solve import Page, Solver
from guideact.tasks.template import ADMIN, EMMA, Params, Query, Template
from guideact.types import Change, Check, StateCheck

_START = "__SHOPPING_ADMIN__/"
_HINT = "Name, SKU or brand"


def _product(db: Query, name: str) -> int:
    (number,) = db.execute("SELECT id FROM product WHERE name = ?", (name,)).fetchone()
    return int(number)


# --- a coupon, tried at once ----------------------------------------------------------------------------------------

_COUPONS = (
    ("Tea time", "TEATIME15", "Percent off", "15", "15 percent off", "Glass Tea Kettle"),
    ("Porch season", "PORCH9", "Fixed amount off", "9.00", "$9.00 off", "Porch Speaker"),
    ("Green thumbs", "THUMB25", "Percent off", "25", "25 percent off", "Peace Lily"),
    ("Dry feet", "DRY6", "Fixed amount off", "6.50", "$6.50 off", "Storm Umbrella, Duo"),
)


def _coupon_params(db: Query) -> Sequence[Params]:
    keys = ("name", "code", "kind", "amount", "discount", "product")
    return [dict(zip(keys, row, strict=True)) for row in _COUPONS]


def _coupon_check(db: Query, p: Params) -> Check:
    percent = p["kind"] == "Percent off"
    promotion = {
        "name": {"~": p["name"]},
        "code": p["code"],
        "kind": "percent" if percent else "fixed",
        "amount": int(p["amount"]) if percent else round(float(p["amount"]) * 100),
        "minimum_cents": 0,
        "customer_group": "",
        "is_active": 1,
    }
    (cart,) = db.execute("SELECT id FROM cart WHERE customer_id = 1").fetchone()
    required = (
        Change(table="promotion", op="insert", values=promotion),
        Change(table="cart", op="update", where={"id": cart}, values={"coupon_code": p["code"]}),
        Change(
            table="cart_item",
            op="insert",
            values={"cart_id": cart, "product_id": _product(db, p["product"]), "quantity": 1},
        ),
    )
    return Check(state=(StateCheck(site="shopping", required=required),))


def _coupon(page: Page, p: Params) -> Solver:
    yield from menu(page, "Marketing", "Promotions")
    yield from page.click(
        "link",
        "New promotion",
        say=(
            "Make a promotion of your own with “New promotion”, over the list on the right.",
            "A coupon is a promotion with a code: “New promotion” opens the form for one.",
        ),
    )
    yield from fill(page, "Name", p["name"], where="at the top")
    if p["kind"] != "Percent off":
        yield from choose(page, "Kind", p["kind"], where="in the part “Discount”")
    yield from fill(page, "Amount", p["amount"], where="right of the kind")
    yield from fill(page, "Coupon code", p["code"], where="among the conditions")
    yield from save(page, "Save promotion")
    yield from page.click(
        "link",
        "View store",
        direction="up",
        say=(
            "Now go to the store as a customer: “View store” in the top bar.",
            "The coupon exists; whether it works is seen in the store, which “View store” at the top opens.",
        ),
    )
    yield from open_product(page, p["product"])
    yield from add_to_cart(page, p["product"])
    yield from page.click(
        "button",
        "My cart",
        direction="up",
        say=(
            "Unfold the cart in the corner of the header.",
            "What you have collected is behind the cart symbol, at the far right of the header.",
        ),
    )
    yield from page.click(
        "link",
        "View and edit cart",
        say=(
            "Go on to the whole cart with “View and edit cart”.",
            "A code can be entered on the page of the cart, to which “View and edit cart” leads.",
        ),
    )
    yield from page.click(
        "button",
        "Coupon code",
        say=(
            "Open the fold “Coupon code” beside the items.",
            "Under “Coupon code”, in the column with the sums, a field is hidden. Click to see it.",
        ),
    )
    yield from page.type(
        "Enter coupon code",
        p["code"],
        say=(
            f"Enter the new code, {p['code']}.",
            f"The code that you have just made up for the shop goes here: {p['code']}.",
        ),
    )
    yield from page.click(
        "button",
        "Apply coupon",
        say=(
            "Press “Apply coupon” and watch the sum go down.",
            "With “Apply coupon” the shop checks the code; the discount then has a line of its own.",
        ),
    )
    yield from page.finish(
        say=(
            "The sums have a line for the discount, so the coupon works and is in use.",
            "The store took the new code. Leave the cart as it is.",
        )
    )


# --- one out, one in ------------------------------------------------------------------------------------------------

_SUCCESSIONS = (
    ("Kids' Straw Bottle", "Glass Bottle with Sleeve", "140", "19.50"),
    ("Festival Tent", "Dome Tent for Four", "36", "149.00"),
    ("Kitchen Clock", "Nordic Wall Clock", "75", "31.00"),
    ("Calligraphy Pen", "Signature Rollerball", "210", "15.90"),
)


def _succession_params(db: Query) -> Sequence[Params]:
    return [dict(zip(("old", "new", "stock", "price"), row, strict=True)) for row in _SUCCESSIONS]


def _succession_check(db: Query, p: Params) -> Check:
    price = round(float(p["price"]) * 100)
    required = (
        Change(
            table="product",
            op="update",
            where={"id": _product(db, p["old"])},
            values={"status": "disabled", "stock": 0},
        ),
        Change(
            table="product",
            op="update",
            where={"id": _product(db, p["new"])},
            values={"special_price_cents": price, "stock": int(p["stock"])},
        ),
    )
    return Check(state=(StateCheck(site="shopping", required=required),))


def _retire(page: Page) -> Solver:
    yield from switch(page, "Enabled", on=False, where="in the first part of the form")
    yield from fill(page, "Stock", "0", where="in the part “Price and stock”")
    yield from save(page, "Save product")


def _promote(page: Page, p: Params) -> Solver:
    yield from fill(page, "Special price", p["price"], where="beside the ordinary price")
    yield from fill(page, "Stock", p["stock"], where="under the price")
    yield from save(page, "Save product")
    yield from page.finish(
        say=(
            "The second product is saved as well: one is out of the store, the other ready for it.",
            "Two green notes have come, one for each product, and with that you are through.",
        )
    )


def _succession(page: Page, p: Params) -> Solver:
    yield from search_all(page, p["old"], p["old"])
    yield from _retire(page)
    yield from search_all(page, p["new"], p["new"])
    yield from _promote(page, p)


def _succession_by_list(page: Page, p: Params) -> Solver:
    yield from menu(page, "Catalog", "Products")
    yield from search_list(page, _HINT, p["old"])
    yield from open_row(page, p["old"])
    yield from _retire(page)
    yield from menu(page, "Catalog", "Products")
    yield from search_list(page, _HINT, p["new"])
    yield from open_row(page, p["new"])
    yield from _promote(page, p)


TEMPLATES = (
    Template(
        id="shopping_admin.coupon_tried",
        sites=("shopping_admin", "shopping"),
        start=_START,
        logins={"shopping_admin": ADMIN, "shopping": EMMA},
        intents=(
            "Make a promotion “{name}” in the back office: {discount} for everybody, coupon code {code}, nothing else "
            "set. Then try it in the store, where you are signed in as a customer: put one {product} in the cart and "
            "apply the code.",
            "We need a coupon {code} (promotion “{name}”, {discount}, no other conditions). When it is saved, add the "
            "{product} to your cart in the store and use the coupon there, without ordering.",
        ),
        params=_coupon_params,
        check=_coupon_check,
        solve=_coupon,
        wrong_value=lambda db, p: {**p, "amount": "2"},
    ),
    Template(
        id="shopping_admin.product_retired",
        sites=("shopping_admin",),
        start=_START,
        logins={"shopping_admin": ADMIN},
        intents=(
            "The {old} is discontinued: disable it and set its stock to 0. The {new} takes its place, so give that a "
            "special price of ${price} and a stock of {stock}.",
            "Please take the {old} out of the store (disabled, stock 0). Instead we push the {new}: special price "
            "${price}, {stock} pieces in stock.",
        ),
        params=_succession_params,
        check=_succession_check,
        solve=_succession,
        second_route=_succession_by_list,
        wrong_value=lambda db, p: {**p, "stock": "7"},
    ),
)
