"""The wish list: putting something on it, moving something to the cart, keeping it in order."""

from __future__ import annotations

from collections.abc import Sequence

from guideact.tasks.shop import open_account, open_product
from guideact.tasks.solve import Page, Solver
from guideact.tasks.template import EMMA, Params, Query, Template
from guideact.types import Change, Check, StateCheck


def _state(*required: Change) -> Check:
    return Check(state=(StateCheck(site="shopping", required=required),))


# --- add ----------------------------------------------------------------------------------------------------------


def _add_params(db: Query) -> Sequence[Params]:
    rows = db.execute(
        "SELECT name FROM product WHERE id NOT IN (SELECT product_id FROM wishlist_item WHERE customer_id = 1)"
        " AND is_new = 1 ORDER BY id"
    ).fetchall()
    return [{"product": rows[at]["name"]} for at in (0, 4, 8, 12)]


def _add_check(db: Query, p: Params) -> Check:
    row = db.execute("SELECT id FROM product WHERE name = ?", (p["product"],)).fetchone()
    values = {"customer_id": 1, "product_id": row["id"], "quantity": 1}
    return _state(Change(table="wishlist_item", op="insert", values=values))


def _add(page: Page, p: Params) -> Solver:
    yield from open_product(page, p["product"])
    yield from page.click(
        "button",
        "Add to wish list",
        say=(
            "Click “Add to wish list” under the cart button.",
            "There is a small heart below the button for buying; the words next to it keep the product for later.",
        ),
    )
    yield from page.finish(
        say=(
            "A message says that the product was added, and the heart in the header counts one more.",
            "You may stop when the wish list in the header has grown by one.",
        )
    )


def _add_from_list(page: Page, p: Params) -> Solver:
    yield from page.search(p["product"])
    yield from page.click(
        "button",
        f"Add {p['product']} to wish list",
        say=(
            "Press the heart in the corner of the product's picture.",
            "Every card carries a heart. The one on this card puts the product on your list.",
        ),
    )
    yield from page.finish(
        say=(
            "The confirmation at the top is all you have to wait for.",
            "It is on the list as soon as the message names it.",
        )
    )


# --- move to the cart ---------------------------------------------------------------------------------------------


def _move_params(db: Query) -> Sequence[Params]:
    rows = db.execute(
        "SELECT p.name FROM wishlist_item w JOIN product p ON p.id = w.product_id WHERE w.customer_id = 1"
        " AND p.stock >= w.quantity AND p.id NOT IN (SELECT product_id FROM product_option) ORDER BY w.id"
    ).fetchall()
    return [{"product": row["name"]} for row in rows[:4]]


def _move_check(db: Query, p: Params) -> Check:
    wish = db.execute(
        "SELECT id, product_id, quantity FROM wishlist_item WHERE customer_id = 1"
        " AND product_id = (SELECT id FROM product WHERE name = ?)",
        (p["product"],),
    ).fetchone()
    return _state(
        Change(table="wishlist_item", op="delete", where={"id": wish["id"]}),
        Change(
            table="cart_item",
            op="insert",
            values={"product_id": wish["product_id"], "quantity": wish["quantity"], "cart_id": 1},
        ),
    )


def _move(page: Page, p: Params) -> Solver:
    yield from open_account(page, "My wish list")
    yield from page.click(
        "button",
        f"Add {p['product']} to cart",
        what=f"the row of “{p['product']}”",
        say=(
            f"Press “Add to cart” in the row of “{p['product']}”.",
            f"Each wish has a button of its own at the right; the one of “{p['product']}” moves it to the cart.",
        ),
    )
    yield from page.finish(
        say=(
            "The product has left the list and waits in the cart, as the message says.",
            "One wish fewer on the page and something in the cart: that is the result you want.",
        )
    )


def _move_by_heart(page: Page, p: Params) -> Solver:
    yield from page.click(
        "link",
        "Wish list",
        direction="up",
        say=(
            "Open your wish list with the heart in the header.",
            "The heart at the top leads straight to your wishes.",
        ),
    )
    yield from page.click(
        "button",
        f"Add {p['product']} to cart",
        what=f"the entry “{p['product']}”",
        say=(
            f"Put “{p['product']}” in the cart from here.",
            f"To the right of “{p['product']}” is the button that sends it to the cart.",
        ),
    )
    yield from page.finish(
        say=(
            "Once the wish is gone from the list, it is in the cart.",
            "A message about the move ends the task.",
        )
    )


# --- a note and a quantity ----------------------------------------------------------------------------------------

_NOTES = ("For my brother in June", "Ask about the colour first", "Only if it is reduced", "Two for the kitchen")


def _note_params(db: Query) -> Sequence[Params]:
    rows = db.execute(
        "SELECT p.name, w.quantity FROM wishlist_item w JOIN product p ON p.id = w.product_id WHERE w.customer_id = 1"
        " ORDER BY w.id"
    ).fetchall()
    return [
        {"product": rows[at]["name"], "note": _NOTES[at], "quantity": rows[at]["quantity"] + 2 + at} for at in range(4)
    ]


def _note_check(db: Query, p: Params) -> Check:
    wish = db.execute(
        "SELECT w.id FROM wishlist_item w JOIN product p ON w.product_id = p.id AND p.name = ? WHERE w.customer_id = 1",
        (p["product"],),
    ).fetchone()
    values = {"note": {"~": p["note"]}, "quantity": p["quantity"]}
    return _state(Change(table="wishlist_item", op="update", where={"id": wish["id"]}, values=values))


def _note(page: Page, p: Params) -> Solver:
    yield from open_account(page, "My wish list")
    yield from page.type(
        f"Note for {p['product']}",
        p["note"],
        what=f"the note of “{p['product']}”",
        say=(
            f"Replace the note of “{p['product']}” by “{p['note']}”.",
            f"In the box to the right of “{p['product']}” you can leave yourself a remark: “{p['note']}”.",
        ),
    )
    yield from page.type(
        f"Qty of {p['product']}",
        str(p["quantity"]),
        what=f"the quantity of “{p['product']}”",
        say=(
            f"Set the quantity below it to {p['quantity']}.",
            f"How many you want stands under the note. Make it {p['quantity']}.",
        ),
    )
    yield from page.click(
        "button",
        "Update wish list",
        say=(
            "Store both with “Update wish list”, at the end of the list.",
            "What you have typed is kept only after “Update wish list”, the button below the last wish.",
        ),
    )
    yield from page.finish(
        say=(
            "The page comes back with your remark and number in place, and a message that says so.",
            "When the shop reports that the list was updated, both changes have been kept.",
        )
    )


TEMPLATES = (
    Template(
        id="shopping.wish_add",
        sites=("shopping",),
        logins={"shopping": EMMA},
        intents=(
            "Remember the {product} for me: put it on my wish list.",
            "I can't afford the {product} yet. Add it to my wish list, please.",
        ),
        params=_add_params,
        check=_add_check,
        solve=_add,
        second_route=_add_from_list,
    ),
    Template(
        id="shopping.wish_to_cart",
        sites=("shopping",),
        logins={"shopping": EMMA},
        intents=(
            "Time to get the {product} from my wish list: move it to the cart.",
            "Move the {product} from my wish list into the cart, in the quantity I noted there.",
        ),
        params=_move_params,
        check=_move_check,
        solve=_move,
        second_route=_move_by_heart,
    ),
    Template(
        id="shopping.wish_note",
        sites=("shopping",),
        logins={"shopping": EMMA},
        intents=(
            "On my wish list, change the note of the {product} to “{note}” and its quantity to {quantity}.",
            "The {product} on my wish list should say “{note}”, and I now want {quantity} of them.",
        ),
        params=_note_params,
        check=_note_check,
        solve=_note,
        wrong_value=lambda db, p: {**p, "quantity": p["quantity"] + 1},
    ),
)
