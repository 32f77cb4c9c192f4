"""The catalogue in the back office: new products, options, prices, stock, counts."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import ROUND_HALF_UP, Decimal

from guideact.tasks.backoffice import (
    apply_filters,
    choose,
    fill,
    mass_action,
    menu,
    open_filters,
    open_row,
    save,
    search_all,
    search_list,
    switch,
    tick_all,
)
from guideact.tasks.solve import Page, Solver
from guideact.tasks.template import ADMIN, Params, Query, Template
from guideact.types import AnswerCheck, Change, Check, Mark, StateCheck, Type

_START = "__SHOPPING_ADMIN__/"
_LOGINS = {"shopping_admin": ADMIN}
_HINT = "Name, SKU or brand"


def _plain_products(db: Query, condition: str = "1") -> list[str]:
    """Names of products without options, none of which is a part of another product's name."""
    rows = db.execute(
        "SELECT p.name FROM product p WHERE p.status = 'enabled' AND p.id NOT IN"
        " (SELECT product_id FROM product_option) AND NOT EXISTS"
        f" (SELECT 1 FROM product q WHERE q.id <> p.id AND instr(q.name, p.name)) AND {condition} ORDER BY p.id"
    ).fetchall()
    return [row["name"] for row in rows]


# --- a new product ------------------------------------------------------------------------------------------------

_NEW = (
    ("Orchard Notebook A6", "NBK-9001", "Mono", "7.90", 120, "Notebooks", "Book", "Green"),
    ("Quayside Watch Cap", "HAT-9002", "Nordvik", "24.00", 45, "Hats & Scarves", "Hat", "Navy"),
    ("Pebble Floor Lamp", "LMP-9003", "Lumina", "119.00", 8, "Lamps & Lighting", "Lamp", "White"),
)


def _new_params(db: Query) -> Sequence[Params]:
    keys = ("name", "sku", "brand", "price", "stock", "category", "shape", "colour")
    return [dict(zip(keys, values, strict=True)) for values in _NEW]


def _new_check(db: Query, p: Params) -> Check:
    (category,) = db.execute("SELECT id FROM category WHERE name = ?", (p["category"],)).fetchone()
    values = {
        "name": {"~": p["name"]},
        "sku": p["sku"],
        "brand": {"~": p["brand"]},
        "price_cents": int(Decimal(p["price"]) * 100),
        "special_price_cents": None,
        "stock": p["stock"],
        "category_id": category,
        "picture_shape": p["shape"].lower(),
        "picture_colour": p["colour"].lower(),
        "status": "enabled",
        "slug": p["name"].lower().replace(" ", "-"),
    }
    return Check(state=(StateCheck(site="shopping", required=(Change(table="product", op="insert", values=values),)),))


def _new(page: Page, p: Params) -> Solver:
    yield from menu(page, "Catalog", "Products")
    yield from page.click(
        "link",
        "New product",
        say=(
            "Start an empty product form with “New product”, at the top right.",
            "The blue button above the list, “New product”, leads to a form for something that is not listed yet.",
        ),
    )
    yield from fill(page, "Name", p["name"], where="at the top of the form")
    yield from fill(page, "SKU", p["sku"], where="below the name")
    yield from fill(page, "Brand", p["brand"], where="to the right of the SKU")
    yield from fill(page, "Price", p["price"], where="in the part “Price and stock”")
    yield from fill(page, "Stock", str(p["stock"]), where="in the part “Price and stock”")
    yield from page.type(
        "Category",
        p["category"],
        what="the field “Category”",
        say=(
            f"Click into “Category” and type “{p['category']}”; the list below shrinks to it.",
            f"Categories are picked from a tree. Typing “{p['category']}” leaves only the branch you want.",
        ),
    )
    yield from page.click(
        "option",
        p["category"],
        say=(
            f"Choose “{p['category']}” from the list under the field.",
            f"Typing alone is not enough: “{p['category']}” has to be clicked, after which its whole path is shown.",
        ),
    )
    yield from choose(page, "Shape", p["shape"], where="in the part “Picture” at the end")
    yield from choose(page, "Colour", p["colour"], where="beside the shape")
    yield from save(page, "Save product")
    yield from page.finish(
        say=(
            "The name of the new product has become the heading of the page, so it exists now.",
            "With the message that the product was created, and its SKU under the title, you have finished.",
        )
    )


# --- a sale -------------------------------------------------------------------------------------------------------


def _sale_params(db: Query) -> Sequence[Params]:
    names = _plain_products(db, "p.special_price_cents IS NULL AND p.is_new = 0 AND p.price_cents > 4000")
    prices = ("29.90", "34.50", "31.00")
    return [{"product": names[7 * at + 2], "price": price} for at, price in enumerate(prices)]


def _sale_check(db: Query, p: Params) -> Check:
    (product,) = db.execute("SELECT id FROM product WHERE name = ?", (p["product"],)).fetchone()
    values = {"special_price_cents": round(float(p["price"]) * 100), "is_new": 1}
    change = Change(table="product", op="update", where={"id": product}, values=values)
    return Check(state=(StateCheck(site="shopping", required=(change,)),))


def _sale_opened(page: Page, p: Params) -> Solver:
    yield from switch(page, "Marked as new", on=True, where="in the first part of the form")
    yield from page.type(
        "Special price",
        p["price"],
        say=(
            f"Enter {p['price']} as the special price, and leave the ordinary price next to it as it is.",
            f"A sale is made by the field “Special price”, empty so far: {p['price']} belongs there.",
        ),
    )
    yield from save(page, "Save product")
    yield from page.finish(
        say=(
            "The form shows both prices and the switch as you set them, under a green message.",
            "It is on sale from this moment; the confirmation above the form says that it was saved.",
        )
    )


def _sale(page: Page, p: Params) -> Solver:
    yield from menu(page, "Catalog", "Products")
    yield from search_list(page, _HINT, p["product"])
    yield from open_row(page, p["product"])
    yield from _sale_opened(page, p)


def _sale_by_search(page: Page, p: Params) -> Solver:
    yield from search_all(page, p["product"], p["product"])
    yield from _sale_opened(page, p)


# --- prices of many -----------------------------------------------------------------------------------------------


def _percent_params(db: Query) -> Sequence[Params]:
    rows = db.execute(
        "SELECT p.brand, c.name AS category FROM product p JOIN category c ON c.id = p.category_id"
        " WHERE NOT EXISTS (SELECT 1 FROM category d WHERE d.id <> c.id AND instr(d.name, c.name))"
        " GROUP BY p.brand, c.id HAVING count(*) BETWEEN 3 AND 5 ORDER BY p.brand, c.id"
    ).fetchall()
    changes = ((4, 10, "Raise", "up"), (12, -15, "Lower", "down"), (20, 5, "Raise", "up"))
    return [
        {
            "brand": rows[at]["brand"],
            "category": rows[at]["category"],
            "percent": percent,
            "size": abs(percent),
            "verb": verb,
            "direction": direction,
        }
        for at, percent, verb, direction in changes
    ]


def _percent_check(db: Query, p: Params) -> Check:
    rows = db.execute(
        "SELECT id, price_cents FROM product WHERE brand = ?"
        " AND category_id = (SELECT id FROM category WHERE name = ?)",
        (p["brand"], p["category"]),
    ).fetchall()
    required = []
    for row in rows:
        exact = Decimal(row["price_cents"]) * (100 + p["percent"]) / 100
        cents = int(exact.quantize(Decimal(1), ROUND_HALF_UP))
        required.append(Change(table="product", op="update", where={"id": row["id"]}, values={"price_cents": cents}))
    return Check(state=(StateCheck(site="shopping", required=tuple(required)),))


def _percent_listed(page: Page, p: Params) -> Solver:
    yield from tick_all(page, "products")
    amount = page.type(
        "Percent",
        str(p["percent"]),
        say=(
            f"Write {p['percent']} in the small field “Percent” that has appeared next to the action.",
            f"A field for the percentage turns up beside the drop-down: enter {p['percent']} (a minus lowers).",
        ),
    )
    yield from mass_action(page, "Change price by percent", amount)
    yield from page.finish(
        say=(
            "The message counts the products whose price was changed; compare it with the number under the table.",
            "All the rows in the table show other prices than before, and that completes the job.",
        )
    )


def _percent(page: Page, p: Params) -> Solver:
    yield from menu(page, "Catalog", "Products")
    yield from open_filters(page)
    yield from choose(page, "Brand", p["brand"], where="in the filter panel")
    yield from choose(page, "Category", p["category"], where="in the filter panel")
    yield from apply_filters(page)
    yield from _percent_listed(page, p)


def _percent_by_category(page: Page, p: Params) -> Solver:
    yield from menu(page, "Catalog", "Categories")
    yield from open_row(page, p["category"])
    yield from page.click(
        "link",
        "Show products",
        direction="up",
        say=(
            "Follow “Show products” to the list of this category.",
            "On the right, under the fields of the category, “Show products” opens them as a list.",
        ),
    )
    yield from search_list(page, _HINT, p["brand"])
    yield from _percent_listed(page, p)


# --- stock --------------------------------------------------------------------------------------------------------


def _stock_params(db: Query) -> Sequence[Params]:
    names = _plain_products(db, "p.stock < 6")
    arrived = ((24, 60), (15, 40), (36, 12))
    return [
        {"first": names[2 * at], "second": names[2 * at + 5], "one": one, "other": other}
        for at, (one, other) in enumerate(arrived)
    ]


def _stock_check(db: Query, p: Params) -> Check:
    required = []
    for name, stock in ((p["first"], p["one"]), (p["second"], p["other"])):
        (product,) = db.execute("SELECT id FROM product WHERE name = ?", (name,)).fetchone()
        required.append(Change(table="product", op="update", where={"id": product}, values={"stock": stock}))
    return Check(state=(StateCheck(site="shopping", required=tuple(required)),))


def _stock(page: Page, p: Params) -> Solver:
    yield from menu(page, "Catalog", "Products")
    for name, stock in ((p["first"], p["one"]), (p["second"], p["other"])):
        yield from search_list(page, _HINT, name)
        yield from page.click(
            "button",
            f"Edit stock of {name}",
            say=(
                f"Click the number in the column “Stock” of “{name}”; it turns into a field.",
                "There is no need to open the product: the figure with the little pencil can be edited in place.",
            ),
        )
        yield from page.type(
            f"Stock of {name}",
            str(stock),
            say=(
                f"Overwrite the old figure with {stock}.",
                f"In the field that took the figure's place, the new stock of {stock} replaces the old one.",
            ),
        )
        yield from page.click(
            "button",
            f"Save stock of {name}",
            say=(
                "Press the small “Save” beside it and wait for the note in the corner.",
                f"“Save”, right of the number, keeps it; a short note repeats the stock of “{name}”.",
            ),
        )
    yield from page.finish(
        say=(
            "Both products have been confirmed with their new stock, one after the other.",
            "The second note has appeared as well, so no number is left to change.",
        )
    )


def _stock_in_the_form(page: Page, p: Params) -> Solver:
    for name, stock in ((p["first"], p["one"]), (p["second"], p["other"])):
        yield from search_all(page, name, name)
        yield from fill(page, "Stock", str(stock), where="in the part “Price and stock”")
        yield from save(page, "Save product")
    yield from page.finish(
        say=(
            "The second product is saved too.",
            "Two green messages, one for each product, and the stock is up to date.",
        )
    )


# --- a new option -------------------------------------------------------------------------------------------------

_OPTIONS = (
    ("Size", ("Small", "Large"), "4.00"),
    ("Gift box", ("Without", "With ribbon"), "3.50"),
    ("Engraving", ("None", "Initials"), "12.00"),
)


def _option_params(db: Query) -> Sequence[Params]:
    names = _plain_products(db, "p.price_cents BETWEEN 2000 AND 9000")
    return [
        {"product": names[11 * at + 3], "option": option, "plain": values[0], "extra": values[1], "price": price}
        for at, (option, values, price) in enumerate(_OPTIONS)
    ]


def _option_check(db: Query, p: Params) -> Check:
    (product,) = db.execute("SELECT id FROM product WHERE name = ?", (p["product"],)).fetchone()
    named = {"product_id": product, "name": {"~": p["option"]}}
    surcharge = round(float(p["price"]) * 100)
    of_new = {"option_id": {"new": "product_option"}}
    required = (
        Change(table="product_option", op="insert", values=named),
        Change(
            table="product_option_value", op="insert", values={**of_new, "label": {"~": p["plain"]}, "extra_cents": 0}
        ),
        Change(
            table="product_option_value",
            op="insert",
            values={**of_new, "label": {"~": p["extra"]}, "extra_cents": surcharge},
        ),
    )
    return Check(state=(StateCheck(site="shopping", required=required),))


def _type_into_empty(page: Page, name: str, text: str, say: tuple[str, str]) -> Solver:
    """The rows of an option's values are alike; the new one is the empty one."""
    yield from page.reach("textbox", name)
    empty = [field for field in page.find_all("textbox", name) if not field.value]
    yield from page.act(Type(target=Mark(mark=empty[-1].mark), text=text), say)


def _option(page: Page, p: Params) -> Solver:
    yield from menu(page, "Catalog", "Products")
    yield from search_list(page, _HINT, p["product"])
    yield from open_row(page, p["product"])
    yield from _option_opened(page, p)


def _option_by_search(page: Page, p: Params) -> Solver:
    yield from search_all(page, p["product"], p["product"])
    yield from _option_opened(page, p)


def _option_opened(page: Page, p: Params) -> Solver:
    yield from page.click(
        "button",
        "Add option",
        what="the part “Options”",
        say=(
            "Press “Add option” in the part “Options”; an empty frame appears.",
            "This product has nothing to choose yet. “Add option” makes room for a first choice.",
        ),
    )
    yield from fill(page, "Option name", p["option"], where="in the new frame")
    yield from page.click(
        "button",
        "Add value",
        say=(
            "Make a line for the first value with “Add value”.",
            "Each choice is a line of the frame, and “Add value” under the name adds one.",
        ),
    )
    yield from _type_into_empty(
        page,
        "Value",
        p["plain"],
        (
            f"Call the first value “{p['plain']}”; its extra price stays empty.",
            f"“{p['plain']}” goes into the new line, without any surcharge.",
        ),
    )
    yield from page.click(
        "button",
        "Add value",
        say=(
            "Add a second line in the same way.",
            "There are two choices, so “Add value” has to be pressed once more.",
        ),
    )
    yield from _type_into_empty(
        page,
        "Value",
        p["extra"],
        (
            f"Name the second value “{p['extra']}”.",
            f"The empty line at the bottom of the frame is for “{p['extra']}”.",
        ),
    )
    fields = page.find_all("textbox", "Extra price ($)")
    yield from page.act(
        Type(target=Mark(mark=fields[-1].mark), text=p["price"]),
        (
            f"Put its surcharge of {p['price']} in the field “Extra price ($)” on the same line.",
            f"To the right of “{p['extra']}”, the extra price has to be {p['price']}.",
        ),
    )
    yield from save(page, "Save product")
    yield from page.finish(
        say=(
            "The saved product now has the option with both of its values.",
            "Once the message at the top has confirmed it, buyers can choose, and your work ends.",
        )
    )


# --- how many -----------------------------------------------------------------------------------------------------


def _count_params(db: Query) -> Sequence[Params]:
    rows = db.execute(
        "SELECT brand, count(*) AS n, sum(price_cents > 5000) AS dear FROM product GROUP BY brand"
        " HAVING dear BETWEEN 2 AND n - 2 ORDER BY n DESC, brand"
    ).fetchall()
    seen: dict[int, str] = {}
    for row in rows:
        seen.setdefault(row["dear"], row["brand"])
    return [{"brand": brand, "price": "50.00"} for brand in list(seen.values())[:3]]


def _count_check(db: Query, p: Params) -> Check:
    (count,) = db.execute(
        "SELECT count(*) FROM product WHERE brand = ? AND price_cents >= ?",
        (p["brand"], round(float(p["price"]) * 100)),
    ).fetchone()
    return Check(answer=AnswerCheck(kind="number", expected=(str(count),)))


def _count_read(page: Page) -> Solver:
    yield from page.reach_text("Rows per page", what="the line below the table")
    found = page.matches(r"of ([\d,]+) products?$")
    if not found:
        raise page.stuck("no count under the table")
    yield from page.finish(
        found[-1].group(1),
        say=(
            "Below the last row it says how many products there are in all: that figure is the answer.",
            "Count the rows, or read the number after “of” in the line at the foot of the list.",
        ),
    )


def _count(page: Page, p: Params) -> Solver:
    yield from menu(page, "Catalog", "Products")
    yield from open_filters(page)
    yield from choose(page, "Brand", p["brand"], where="in the filter panel")
    yield from fill(page, "Price from", p["price"], where="in the filter panel")
    yield from apply_filters(page)
    yield from _count_read(page)


def _count_by_search(page: Page, p: Params) -> Solver:
    yield from menu(page, "Catalog", "Products")
    yield from search_list(page, _HINT, p["brand"])
    yield from open_filters(page)
    yield from fill(page, "Price from", p["price"], where="among the filters")
    yield from apply_filters(page)
    yield from _count_read(page)


TEMPLATES = (
    Template(
        id="shopping_admin.product_new",
        sites=("shopping_admin",),
        start=_START,
        logins=_LOGINS,
        intents=(
            "Add a new product to the shop: {name}, SKU {sku}, brand {brand}, ${price}, {stock} in stock, category "
            "{category}. For the picture use the shape {shape} in {colour}.",
            "We start selling the {name} by {brand}. Create it: SKU {sku}, price ${price}, stock {stock}, under "
            "{category}, picture shape {shape}, picture colour {colour}. The rest can stay as it is.",
        ),
        params=_new_params,
        check=_new_check,
        solve=_new,
        wrong_value=lambda db, p: {**p, "stock": p["stock"] + 10},
    ),
    Template(
        id="shopping_admin.product_sale",
        sites=("shopping_admin",),
        start=_START,
        logins=_LOGINS,
        intents=(
            "Put “{product}” on sale for ${price} and mark it as new, please.",
            "“{product}” should get the special price ${price}. Flag it as new as well so that people notice.",
        ),
        params=_sale_params,
        check=_sale_check,
        solve=_sale,
        second_route=_sale_by_search,
        wrong_value=lambda db, p: {**p, "price": "19.90"},
    ),
    Template(
        id="shopping_admin.price_percent",
        sites=("shopping_admin",),
        start=_START,
        logins=_LOGINS,
        intents=(
            "{verb} the prices of everything by {brand} in the category {category} by {size} %.",
            "{brand} has new price lists: in {category} all of their products go {direction} by {size} percent.",
        ),
        params=_percent_params,
        check=_percent_check,
        solve=_percent,
        second_route=_percent_by_category,
        wrong_value=lambda db, p: {**p, "percent": -p["percent"]},
    ),
    Template(
        id="shopping_admin.stock_update",
        sites=("shopping_admin",),
        start=_START,
        logins=_LOGINS,
        intents=(
            "I counted the shelves: there are {one} of “{first}” and {other} of “{second}”. Set the stock to that.",
            "Update the stock: “{first}” to {one}, “{second}” to {other}.",
        ),
        params=_stock_params,
        check=_stock_check,
        solve=_stock,
        second_route=_stock_in_the_form,
        wrong_value=lambda db, p: {**p, "other": p["other"] - 2},
    ),
    Template(
        id="shopping_admin.product_option",
        sites=("shopping_admin",),
        start=_START,
        logins=_LOGINS,
        intents=(
            "From now on buyers of “{product}” find a choice “{option}”: either “{plain}” at no extra charge, or "
            "“{extra}” for ${price} more. Set that up.",
            "Add an option “{option}” to “{product}”, with the values “{plain}” and “{extra}”; the second costs "
            "${price} extra.",
        ),
        params=_option_params,
        check=_option_check,
        solve=_option,
        second_route=_option_by_search,
        wrong_value=lambda db, p: {**p, "price": "1.00"},
    ),
    Template(
        id="shopping_admin.product_count",
        sites=("shopping_admin",),
        start=_START,
        logins=_LOGINS,
        intents=(
            "How many products by {brand} have a price of ${price} or more?",
            "For the price list: count the {brand} products whose regular price is at least ${price}.",
        ),
        params=_count_params,
        check=_count_check,
        solve=_count,
        second_route=_count_by_search,
    ),
)
