"""Filling the cart: with options and quantities, and with several things."""

from __future__ import annotations

from collections.abc import Sequence

from guideact.tasks.shop import add_to_cart, open_product
from guideact.tasks.solve import Page, Solver
from guideact.tasks.template import EMMA, Params, Query, Template
from guideact.types import Change, Check, StateCheck

# --- one product with its options ---------------------------------------------------------------------------------


def _options_params(db: Query) -> Sequence[Params]:
    def product(option: str, number: int) -> str:
        rows = db.execute(
            "SELECT p.name FROM product p JOIN product_option o ON o.product_id = p.id WHERE p.stock > 20"
            " GROUP BY p.id HAVING GROUP_CONCAT(o.name) = ? ORDER BY p.id",
            (option,),
        ).fetchall()
        return str(rows[number]["name"])

    return [
        {"product": product("Size", 5), "option": "Size", "value": "M", "quantity": 3},
        {"product": product("Capacity", 1), "option": "Capacity", "value": "Large", "quantity": 2},
        {"product": product("Colour", 1), "option": "Colour", "value": "Forest", "quantity": 4},
        {"product": product("Finish", 0), "option": "Finish", "value": "Gloss", "quantity": 6},
        {"product": product("Cover", 0), "option": "Cover", "value": "Premium", "quantity": 2},
    ]


def _options_check(db: Query, p: Params) -> Check:
    row = db.execute("SELECT id FROM product WHERE name = ?", (p["product"],)).fetchone()
    (cart,) = db.execute("SELECT id FROM cart WHERE customer_id = 1").fetchone()
    values = {
        "cart_id": cart,
        "product_id": row["id"],
        "options": {p["option"]: p["value"]},
        "quantity": p["quantity"],
    }
    return Check(
        state=(StateCheck(site="shopping", required=(Change(table="cart_item", op="insert", values=values),)),)
    )


def _options(page: Page, p: Params) -> Solver:
    yield from open_product(page, p["product"])
    yield from add_to_cart(page, p["product"], {p["option"]: p["value"]}, p["quantity"])
    yield from page.finish(
        say=(
            "Make sure the message at the top says that the product was added; then you are done.",
            "The cart in the upper right corner now shows how many pieces it holds, and that ends the task.",
        )
    )


def _other_value(db: Query, p: Params) -> Params:
    row = db.execute(
        "SELECT v.label FROM product_option_value v JOIN product_option o ON o.id = v.option_id"
        " JOIN product p ON p.id = o.product_id WHERE p.name = ? AND o.name = ? AND v.label <> ? ORDER BY v.id LIMIT 1",
        (p["product"], p["option"], p["value"]),
    ).fetchone()
    return {**p, "value": row["label"]}


# --- two products -------------------------------------------------------------------------------------------------


def _pair_params(db: Query) -> Sequence[Params]:
    rows = db.execute(
        "SELECT name FROM product WHERE stock > 30 AND id NOT IN (SELECT product_id FROM product_option)"
        " ORDER BY price_cents % 97, id"
    ).fetchall()
    return [{"first": rows[at]["name"], "second": rows[at + 9]["name"], "quantity": 2} for at in (0, 20, 41, 62)]


def _pair_check(db: Query, p: Params) -> Check:
    required = []
    for name, quantity in ((p["first"], 1), (p["second"], p["quantity"])):
        row = db.execute("SELECT id FROM product WHERE name = ?", (name,)).fetchone()
        values = {"product_id": row["id"], "quantity": quantity, "cart_id": {"new": "cart"}}
        required.append(Change(table="cart_item", op="insert", values=values))
    return Check(state=(StateCheck(site="shopping", required=tuple(required)),))


def _pair(page: Page, p: Params) -> Solver:
    yield from open_product(page, p["first"])
    yield from add_to_cart(page, p["first"])
    yield from open_product(page, p["second"])
    yield from add_to_cart(page, p["second"], quantity=p["quantity"])
    yield from page.finish(
        say=(
            "Both products are in the cart now; its number in the header tells you so.",
            "After the second confirmation there is nothing left on the list, so stop here.",
        )
    )


def _pair_from_lists(page: Page, p: Params) -> Solver:
    for name, times in ((p["first"], 1), (p["second"], p["quantity"])):
        yield from page.search(name)
        for number in range(times):
            yield from page.click(
                "button",
                f"Add {name} to cart",
                say=(
                    f"Add “{name}” straight from the results with the button on its card.",
                    "The product need not be opened"
                    + (
                        ", and a second click on the same button makes it two."
                        if number
                        else ": its card has a button."
                    ),
                ),
            )
    yield from page.finish(
        say=(
            "The header counts all the pieces, so the cart is complete.",
            "You can stop as soon as the second product has been confirmed as well.",
        )
    )


TEMPLATES = (
    Template(
        id="shopping.cart_options",
        sites=("shopping",),
        logins={"shopping": EMMA},
        intents=(
            "Put {quantity} of the {product} in my cart, {option} {value}.",
            "I need {quantity} of the {product} with {option} “{value}”. Just add them to the cart, I'll pay later.",
            "Please add the {product} to my cart: {option} {value}, {quantity} times.",
        ),
        params=_options_params,
        check=_options_check,
        solve=_options,
        wrong_value=_other_value,
    ),
    Template(
        id="shopping.cart_pair",
        sites=("shopping",),
        intents=(
            "Add one {first} and two {second} to the cart.",
            "I'm getting ready for the weekend: one {first} and {quantity} of the {second} should be in my cart.",
        ),
        params=_pair_params,
        check=_pair_check,
        solve=_pair,
        second_route=_pair_from_lists,
        wrong_value=lambda db, p: {**p, "quantity": p["quantity"] + 1},
    ),
)
