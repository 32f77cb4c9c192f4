"""Products: the list with stock edited in place, and the form with category picker, rich text, options and picture."""

from __future__ import annotations

import re
import sqlite3
from dataclasses import dataclass, field
from typing import Any

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from guideact.sites import web
from guideact.sites.shopping.pictures import draw as draw_picture
from guideact.sites.shopping_admin import categories, grid, shell
from guideact.sites.shopping_admin.forms import Field, Reading, Section, cents_text, fields_of, parse, raw_of, read
from guideact.sites.shopping_admin.grid import Column, Grid, MassAction

guard = shell.guard("catalog")

STATUSES = (("enabled", "Enabled"), ("disabled", "Disabled"))
VISIBILITIES = (
    ("catalog_search", "Catalog and search"),
    ("catalog", "Catalog only"),
    ("search", "Search only"),
    ("hidden", "Not visible"),
)
STOCK = Field("stock", "Stock", "integer", required=True, minimum=0, maximum=999_999, suffix="units")
PERCENT = Field(
    "percent", "Percent", "integer", required=True, minimum=-90, maximum=500, hint="-10 lowers, 10 raises", suffix="%"
)


def _set_status(status: str, done: str) -> Any:
    def run(request: Request, ids: list[int], _: Any) -> str:
        count = web.execute(
            request,
            f"UPDATE product SET status = ? WHERE status != ? AND id IN ({grid.marks(ids)})",
            status,
            status,
            *ids,
        )
        return f"{web.plural(count, 'product')} {done}."

    return run


def _change_price(request: Request, ids: list[int], percent: int) -> str:
    count = web.execute(
        request,
        "UPDATE product SET price_cents = max(1, (price_cents * (100 + ?) + 50) / 100)"
        f" WHERE id IN ({grid.marks(ids)})",
        percent,
        *ids,
    )
    return f"The price of {web.plural(count, 'product')} was changed by {percent:+d}%."


def remove(request: Request, product_id: int) -> bool:
    """Delete a product with what hangs on it; False, and nothing done, for one that was ever ordered."""
    if web.value(request, "SELECT 1 FROM order_item WHERE product_id = ? LIMIT 1", product_id):
        return False
    web.execute(
        request,
        "DELETE FROM product_option_value WHERE option_id IN (SELECT id FROM product_option WHERE product_id = ?)",
        product_id,
    )
    for table in ("product_option", "review", "wishlist_item", "compare_item", "cart_item", "product_view"):
        web.execute(request, f"DELETE FROM {table} WHERE product_id = ?", product_id)
    return bool(web.execute(request, "DELETE FROM product WHERE id = ?", product_id))


def _delete(request: Request, ids: list[int], _: Any) -> str:
    deleted = sum(remove(request, product_id) for product_id in ids)
    kept = len(ids) - deleted
    text = f"{web.plural(deleted, 'product')} deleted."
    return text + (f" {web.plural(kept, 'product')} kept: ordered products can only be disabled." if kept else "")


def _name_cell(row: grid.Row) -> Markup:
    return Markup(
        '<span class="with-thumb"><img class="thumb" src="/media/product/{}.svg" alt="" width="38" height="38"'
        ' loading="lazy"><a href="/products/{}">{}</a></span>'
    ).format(row["_id"], row["_id"], row["name"])


def _stock_cell(row: grid.Row) -> Markup:
    level = " none" if row["stock"] <= 0 else " low" if row["stock"] <= row["low"] else ""
    return Markup(
        '<span class="stock-edit{}"><button type="button" data-stock="/products/{}/stock" data-value="{}"'
        ' data-name="{}" aria-label="Edit stock of {}: {}">{}'
        '<svg class="icon" aria-hidden="true"><use href="/static/icons.svg#pencil"/></svg></button></span>'
    ).format(level, row["_id"], row["stock"], row["name"], row["name"], row["stock"], row["stock"])


def _brands(request: Request) -> grid.Options:
    return tuple((row[0], row[0]) for row in web.rows(request, "SELECT DISTINCT brand FROM product ORDER BY brand"))


LOW = f"coalesce((SELECT CAST(value AS INTEGER) FROM setting WHERE key = 'catalog.low_stock'), {shell.LOW_STOCK})"
PRODUCTS = Grid(
    name="products",
    path="/products",
    title="Products",
    noun=("product", "products"),
    source="product p JOIN category c ON c.id = p.category_id",
    key="p.id",
    extra=(("low", LOW),),
    columns=(
        Column("id", "ID", "p.id", "number", filter="integer", shown=False),
        Column("name", "Product", "p.name", filter="text", render=_name_cell),
        Column("sku", "SKU", "p.sku", filter="text"),
        Column("brand", "Brand", "p.brand", filter="select", options=_brands),
        Column(
            "category",
            "Category",
            "c.name",
            filter="select",
            options=lambda request: tuple(
                (row[0], row[0])
                for row in web.rows(
                    request,
                    "SELECT DISTINCT c.name FROM category c JOIN product p ON p.category_id = c.id ORDER BY c.name",
                )
            ),
        ),
        Column("price_cents", "Price", "p.price_cents", "money", filter="money"),
        Column("special_price_cents", "Special price", "p.special_price_cents", "money", filter="money"),
        Column("stock", "Stock", "p.stock", "number", filter="integer", render=_stock_cell),
        Column("status", "Status", "p.status", "badge", filter="select", options=STATUSES),
        Column(
            "visibility",
            "Visibility",
            "p.visibility",
            filter="select",
            options=VISIBILITIES,
            shown=False,
            render=lambda row: grid.text_cell(dict(VISIBILITIES).get(row["visibility"], row["visibility"])),
        ),
        Column("material", "Material", "p.material", filter="text", shown=False),
        Column("weight_grams", "Weight (g)", "p.weight_grams", "number", filter="integer", shown=False),
        Column("is_new", "New", "p.is_new", "yesno", shown=False),
        Column("created_at", "Created on", "p.created_at", "date", filter="date", shown=False),
    ),
    row_name=lambda row: f"product {row['name']}",
    search=("p.name", "p.sku", "p.brand"),
    search_hint="Name, SKU or brand",
    sort="id",
    views=(
        ("All", ()),
        ("Out of stock", (("stock_to", "0"),)),
        ("On sale", (("special_price_cents_from", "0.01"),)),
        ("Disabled", (("status", "disabled"),)),
    ),
    actions=(
        MassAction("enable", "Enable", _set_status("enabled", "enabled")),
        MassAction("disable", "Disable", _set_status("disabled", "disabled"), "Disable {count} {noun}?"),
        MassAction("price", "Change price by percent", _change_price, "Change the price of {count} {noun}?", PERCENT),
        MassAction("delete", "Delete", _delete, "Delete {count} {noun}? This cannot be undone."),
    ),
    row_links=(("Edit", "/products/{id}"),),
    primary=("New product", "/products/new"),
)

GENERAL = Section(
    "General",
    (
        Field("name", "Name", required=True, wide=True),
        Field(
            "sku",
            "SKU",
            required=True,
            max_length=40,
            pattern=(r"[A-Za-z0-9._-]+", "A SKU has letters, digits, dots, dashes and underscores only."),
        ),
        Field("brand", "Brand", required=True, max_length=60),
        Field("status", "Enabled", "switch", hint="Disabled products are not sold."),
        Field("is_new", "Marked as new", "switch"),
    ),
    "What the product is called and whether it is for sale.",
)
PRICE = Section(
    "Price and stock",
    (
        Field("price_cents", "Price", "money", required=True, minimum=1),
        Field("special_price_cents", "Special price", "money", minimum=1, hint="Empty for no sale."),
        STOCK,
        Field("weight_grams", "Weight", "integer", minimum=0, maximum=1_000_000, suffix="g"),
    ),
)
PLACE = Section(
    "Where it is found",
    (
        Field("visibility", "Visibility", "select", required=True, options=VISIBILITIES),
        Field(
            "slug",
            "URL key",
            max_length=120,
            pattern=(r"[a-z0-9]+(-[a-z0-9]+)*", "A URL key has small letters, digits and single dashes only."),
            hint="Made from the name when left empty.",
        ),
    ),
    "Category, visibility and address in the store.",
)
WORDS = Section(
    "Description",
    (Field("material", "Material", max_length=80, wide=True), Field("description", "Description", "rich")),
)


def slug_of(name: str) -> str:
    """Harbour Mug No. 1 -> harbour-mug-no-1."""
    return re.sub(r"[^a-z0-9]+", "-", name.lower().replace("'", "")).strip("-")


# --- options ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Value:
    """One choice of an option as the form holds it; `key` is its row's id, or n… for a new one."""

    key: str
    label: str
    extra: str


@dataclass(frozen=True)
class Option:
    """One option as the form holds it."""

    key: str
    name: str
    values: tuple[Value, ...]


@dataclass
class Options:
    """The options part of a submission."""

    options: list[Option] = field(default_factory=list)
    errors: dict[str, str] = field(default_factory=dict)


def stored_options(request: Request, product_id: int) -> list[Option]:
    """The options of a product as its form shows them."""
    values: dict[int, list[Value]] = {}
    for row in web.rows(
        request,
        "SELECT v.* FROM product_option_value v JOIN product_option o ON o.id = v.option_id WHERE o.product_id = ?"
        " ORDER BY v.position, v.id",
        product_id,
    ):
        value = Value(str(row["id"]), row["label"], cents_text(row["extra_cents"]))
        values.setdefault(row["option_id"], []).append(value)
    return [
        Option(str(row["id"]), row["name"], tuple(values.get(row["id"], ())))
        for row in web.rows(
            request, "SELECT * FROM product_option WHERE product_id = ? ORDER BY position, id", product_id
        )
    ]


def read_options(request: Request) -> Options:
    """Options of the form, in page order: `option-K` names one, `option-K-V-label` and `-extra` are its values."""
    sent = Options()
    form = web.form(request)
    for name in form:
        match = re.fullmatch(r"option-(n?\d{1,12})", name)
        if not match:
            continue
        key = match[1]
        title = " ".join(str(form[name]).split())[:60]
        if not title:
            sent.errors[name] = "Give the option a name."
        values = []
        for other in form:
            found = re.fullmatch(rf"option-{key}-(n?\d{{1,12}})-label", other)
            if not found:
                continue
            label = " ".join(str(form[other]).split())[:60]
            extra_name = f"option-{key}-{found[1]}-extra"
            extra = str(form.get(extra_name, "")).strip()
            if not label:
                sent.errors[other] = "Give the value a label."
            try:
                parse(Field(extra_name, "Extra price", "money", minimum=-100_000), extra)
            except ValueError as problem:
                sent.errors[extra_name] = str(problem)
            values.append(Value(found[1], label, extra))
        if not values and name not in sent.errors:
            sent.errors[name] = "An option needs at least one value."
        sent.options.append(Option(key, title, tuple(values)))
    return sent


def save_options(request: Request, product_id: int, sent: list[Option]) -> None:
    """Write the options of a product: rows that are still named are updated, others deleted, new ones added."""
    known = {option.key: {value.key for value in option.values} for option in stored_options(request, product_id)}
    named = {option.key for option in sent}
    for key, values in known.items():
        kept = {value.key for option in sent if option.key == key for value in option.values}
        gone = [int(value) for value in values if key not in named or value not in kept]
        web.execute(request, f"DELETE FROM product_option_value WHERE id IN ({grid.marks(gone)})", *gone)
        if key not in named:
            web.execute(request, "DELETE FROM product_option WHERE id = ?", int(key))
    for place, option in enumerate(sent):
        if option.key in known:
            option_id = int(option.key)
            web.execute(request, "UPDATE product_option SET name = ? WHERE id = ?", option.name, option_id)
        else:
            option_id = shell.insert(
                request, "product_option", {"product_id": product_id, "name": option.name, "position": place}
            )
        for position, value in enumerate(option.values):
            extra = parse(Field("extra", "Extra price", "money", minimum=-100_000), value.extra) or 0
            if value.key in known.get(option.key, ()):
                web.execute(
                    request,
                    "UPDATE product_option_value SET label = ?, extra_cents = ? WHERE id = ?",
                    value.label,
                    extra,
                    int(value.key),
                )
            else:
                shell.insert(
                    request,
                    "product_option_value",
                    {"option_id": option_id, "label": value.label, "extra_cents": extra, "position": position},
                )


# --- the form ---------------------------------------------------------------------------------------------------


def _words_of(request: Request, column: str) -> grid.Options:
    """The picture words in use: shapes, colours, patterns."""
    return tuple(
        (row[0], row[0].replace("_", " ").capitalize())
        for row in web.rows(request, f"SELECT DISTINCT {column} FROM product ORDER BY {column}")
    )


def _picture(request: Request) -> Section:
    return Section(
        "Picture",
        tuple(
            Field(column, label, "select", required=True, options=_words_of(request, column))
            for column, label in (
                ("picture_shape", "Shape"),
                ("picture_colour", "Colour"),
                ("picture_pattern", "Pattern"),
            )
        ),
        "The picture is drawn from these three.",
    )


def _render(
    request: Request,
    row: sqlite3.Row | None,
    raw: dict[str, str],
    errors: dict[str, str],
    options: list[Option],
    drawn: Section,
) -> Response:
    return web.render(
        request,
        "product.html",
        status=422 if errors else 200,
        row=row,
        raw=raw,
        errors=errors,
        options=options,
        next_key=len(options) * 100 + 1,
        general=GENERAL,
        price=PRICE,
        place=PLACE,
        words=WORDS,
        picture=drawn,
        tree=categories.paths(request),
        action=f"/products/{row['id']}" if row else "/products/new",
        ordered=bool(row and web.value(request, "SELECT 1 FROM order_item WHERE product_id = ? LIMIT 1", row["id"])),
    )


def _read(request: Request, row: sqlite3.Row | None, drawn: Section) -> Reading:
    fields = fields_of((GENERAL, PRICE, PLACE, WORDS, drawn))
    reading = read(fields, web.form(request))
    values, raw, errors = reading.values, reading.raw, reading.errors
    values["status"] = "enabled" if values["status"] else "disabled"
    raw["category_id"] = web.field(request, "category_id")
    category = raw["category_id"]
    known = web.value(request, "SELECT id FROM category WHERE id = ?", category) if category.isdecimal() else None
    if known is None:
        errors["category_id"] = "Choose a category."
    else:
        values["category_id"] = known
    if row is not None and raw["description"] == row["description"]:
        values["description"] = row["description"]
    if "weight_grams" in values:
        values["weight_grams"] = values["weight_grams"] or 0
    if values.get("slug") == "" and values.get("name"):
        values["slug"] = slug_of(values["name"]) or "product"
    price, special = values.get("price_cents"), values.get("special_price_cents")
    if price is not None and special is not None and special >= price:
        errors["special_price_cents"] = "The special price must be below the price."
    own = row["id"] if row is not None else 0
    for column, label in (("sku", "SKU"), ("slug", "URL key")):
        taken = web.value(
            request, f"SELECT name FROM product WHERE {column} = ? AND id != ?", values.get(column, ""), own
        )
        if taken and column not in errors:
            errors[column] = f"This {label} belongs to {taken} already."
    return reading


@guard
async def edit(request: Request) -> Response:
    """The form of one product."""
    row = web.row(request, "SELECT * FROM product WHERE id = ?", shell.whole_id(request))
    if row is None:
        web.not_found("There is no such product.")
    drawn = _picture(request)
    fields = fields_of((GENERAL, PRICE, PLACE, WORDS, drawn))
    if request.method == "GET":
        raw = raw_of(fields, row) | {"category_id": str(row["category_id"])}
        raw["status"] = "1" if row["status"] == "enabled" else ""
        return _render(request, row, raw, {}, stored_options(request, row["id"]), drawn)
    reading, options = _read(request, row, drawn), read_options(request)
    errors = reading.errors | options.errors
    if errors:
        return _render(request, row, reading.raw, errors, options.options, drawn)
    shell.update(request, "product", row["id"], shell.changed(row, reading.values))
    save_options(request, row["id"], options.options)
    web.flash(request, f"Product {reading.values['name']} was saved.")
    return web.redirect("/products" if web.field(request, "then") == "list" else f"/products/{row['id']}")


@guard
async def new(request: Request) -> Response:
    """An empty product form."""
    drawn = _picture(request)
    if request.method == "GET":
        raw = {"status": "1", "visibility": "catalog_search", "stock": "0", "picture_pattern": "plain"}
        return _render(request, None, raw, {}, [], drawn)
    reading, options = _read(request, None, drawn), read_options(request)
    errors = reading.errors | options.errors
    if errors:
        return _render(request, None, reading.raw, errors, options.options, drawn)
    made = shell.insert(request, "product", {**reading.values, "created_at": web.now_text()})
    save_options(request, made, options.options)
    web.flash(request, f"Product {reading.values['name']} was created.")
    return web.redirect("/products" if web.field(request, "then") == "list" else f"/products/{made}")


@guard
async def delete(request: Request) -> Response:
    row = web.row(request, "SELECT id, name FROM product WHERE id = ?", shell.whole_id(request))
    if row is None:
        web.not_found("There is no such product.")
    if not remove(request, row["id"]):
        web.flash(request, f"{row['name']} was ordered before and can only be disabled.", "error")
        return web.redirect(f"/products/{row['id']}")
    web.flash(request, f"Product {row['name']} was deleted.")
    return web.redirect("/products")


@guard
async def set_stock(request: Request) -> Response:
    """The stock edited in the list: answers JSON."""
    row = web.row(request, "SELECT id, name, stock FROM product WHERE id = ?", shell.whole_id(request))
    if row is None:
        return web.json_response({"error": "There is no such product."}, 404)
    try:
        stock = parse(STOCK, web.field(request, "stock"))
    except ValueError as problem:
        return web.json_response({"error": str(problem)}, 422)
    shell.update(request, "product", row["id"], shell.changed(row, {"stock": stock}))
    message = f"Stock of {row['name']} is now {stock}."
    return web.json_response({"stock": stock, "low": shell.low_stock(request), "message": message})


@web.signed_in
async def picture(request: Request) -> Response:
    """A product's picture."""
    row = web.row(
        request,
        "SELECT picture_shape, picture_colour, picture_pattern FROM product WHERE id = ?",
        shell.whole_id(request),
    )
    if row is None:
        web.not_found("There is no such product.")
    return _svg(*row)


@guard
async def preview(request: Request) -> Response:
    """The picture that the form's three words would give."""
    words = []
    for column, name in (("picture_shape", "shape"), ("picture_colour", "colour"), ("picture_pattern", "pattern")):
        word = web.field(request, name)
        if word not in dict(_words_of(request, column)):
            web.not_found("There is no such picture.")
        words.append(word)
    return _svg(*words)


def _svg(shape: str, colour: str, pattern: str) -> Response:
    return Response(draw_picture(shape, colour, pattern), media_type="image/svg+xml")


ROUTES = [
    *grid.routes(PRODUCTS, guard),
    Route("/products/new", new, methods=["GET", "POST"]),
    Route("/products/{id:int}", edit, methods=["GET", "POST"]),
    Route("/products/{id:int}/delete", delete, methods=["POST"]),
    Route("/products/{id:int}/stock", set_stock, methods=["POST"]),
    Route("/media/product/{id:int}.svg", picture),
    Route("/media/picture.svg", preview),
]
