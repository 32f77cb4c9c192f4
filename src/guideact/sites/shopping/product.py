"""The product page, its reviews, and the estimate of delivery that it frames."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from guideact.sites.shopping.carts import (
    EFFECTIVE_PRICE,
    MAX_QUANTITY,
    find_cart,
    open_cart,
    picture_url,
    put_in_cart,
    units_in_cart,
)
from guideact.sites.shopping.layout import category_url, product_url, settings
from guideact.sites.shopping.listing import IN_CATALOG, Card, cards
from guideact.sites.web import (
    Pager,
    execute,
    field,
    flash,
    forbidden,
    integer,
    not_found,
    now_text,
    redirect,
    render,
    row,
    rows,
    safe_next,
    today_text,
    user,
)

REVIEWS_PER_PAGE = 5
REVIEW_SORTS: dict[str, tuple[str, str]] = {
    "newest": ("Newest first", "created_at DESC, id DESC"),
    "oldest": ("Oldest first", "created_at, id"),
    "highest": ("Highest rating", "rating DESC, created_at DESC, id DESC"),
    "lowest": ("Lowest rating", "rating, created_at DESC, id DESC"),
}
STARS = ((1, "1 star"), (2, "2 stars"), (3, "3 stars"), (4, "4 stars"), (5, "5 stars"))
ESTIMATE_COUNTRIES = ("Finland", "Sweden", "Estonia", "Germany", "United States")
_RELATED = 10


@dataclass(frozen=True)
class OptionValue:
    label: str
    extra_cents: int


@dataclass(frozen=True)
class Option:
    """Something that a buyer must choose. `control`: swatches, select or listbox."""

    id: int
    name: str
    values: tuple[OptionValue, ...]

    @property
    def field(self) -> str:
        """Name of the form's field."""
        return f"option_{self.id}"

    @property
    def control(self) -> str:
        if self.name in ("Colour", "Color"):
            return "swatches"
        return "select" if self.name == "Size" else "listbox"


def options_of(request: Request, product_id: int) -> tuple[Option, ...]:
    """A product's options in their order, each with its values."""
    found = rows(
        request,
        "SELECT o.id, o.name, v.label, v.extra_cents FROM product_option o"
        " JOIN product_option_value v ON v.option_id = o.id WHERE o.product_id = ?"
        " ORDER BY o.position, o.id, v.position, v.id",
        product_id,
    )
    values: dict[tuple[int, str], list[OptionValue]] = {}
    for one in found:
        values.setdefault((one["id"], one["name"]), []).append(OptionValue(one["label"], one["extra_cents"]))
    return tuple(Option(key, name, tuple(some)) for (key, name), some in values.items())


def find_product(request: Request, condition: str, value: Any) -> sqlite3.Row | None:
    """A product that visitors may see, with its price today as `final_cents`."""
    return row(
        request,
        f"SELECT p.*, {EFFECTIVE_PRICE} AS final_cents, c.name AS category, c.slug AS category_slug, c.parent_id"
        f" FROM product p JOIN category c ON c.id = p.category_id"
        f" WHERE {condition} AND p.status = 'enabled' AND p.visibility <> 'hidden'",
        value,
    )


def named_product(request: Request) -> sqlite3.Row:
    """The product that the address names; the 404 page where there is none."""
    found = find_product(request, "p.slug = ?", request.path_params["slug"])
    return found if found is not None else not_found("This product is not available.")


def sent_product(request: Request) -> sqlite3.Row:
    """The product whose id the field `product` holds; the 404 page where there is none."""
    found = find_product(request, "p.id = ?", integer(request, "product"))
    return found if found is not None else not_found("This product is not available.")


def _page(
    request: Request,
    product: sqlite3.Row,
    *,
    errors: Mapping[str, str] | None = None,
    typed: Mapping[str, str] | None = None,
    tab: str = "",
    status: int = 200,
) -> Response:
    """Render the page; `errors` and `typed` are those of the form that was sent."""
    summary = row(
        request,
        "SELECT COUNT(*) AS count, COALESCE(AVG(rating), 0.0) AS rating FROM review"
        " WHERE product_id = ? AND status = 'approved'",
        product["id"],
    )
    assert summary is not None
    sort = request.query_params.get("sort", "newest")
    sort = sort if sort in REVIEW_SORTS else "newest"
    pager = Pager.of(request, summary["count"], REVIEWS_PER_PAGE)
    reviews = rows(
        request,
        "SELECT nickname, rating, title, body, created_at FROM review WHERE product_id = ? AND status = 'approved'"
        f" ORDER BY {REVIEW_SORTS[sort][1]} LIMIT ? OFFSET ?",
        product["id"],
        pager.size,
        pager.offset,
    )
    spread = dict(
        tuple(one)
        for one in rows(
            request,
            "SELECT rating, COUNT(*) FROM review WHERE product_id = ? AND status = 'approved' GROUP BY rating",
            product["id"],
        )
    )
    parent = row(request, "SELECT name, slug FROM category WHERE id = ?", product["parent_id"])
    crumbs = [(parent["name"], category_url(parent["slug"]))] if parent else []
    known = settings(request)
    if not tab:
        tab = "reviews" if {"page", "sort"} & set(request.query_params) else "details"
    customer = user(request)
    return render(
        request,
        "product.html",
        status=status,
        product=product,
        picture=picture_url(product["id"]),
        options=options_of(request, product["id"]),
        crumbs=[*crumbs, (product["category"], category_url(product["category_slug"])), (product["name"], "")],
        summary=summary,
        spread=[(stars, spread.get(stars, 0)) for stars, _ in reversed(STARS)],
        reviews=reviews,
        pager=pager,
        sort=sort,
        sorts=[(key, text) for key, (text, _) in REVIEW_SORTS.items()],
        stars=STARS,
        related=_related(request, product),
        tab=tab,
        errors=errors or {},
        typed=typed if typed is not None else {"nickname": customer["first_name"]} if customer else {},
        max_quantity=min(MAX_QUANTITY, max(1, product["stock"])),
        low_stock=int(known.get("catalog.low_stock", "5")),
        may_review=customer is not None or known.get("catalog.allow_guest_reviews", "1") == "1",
    )


def _related(request: Request, product: sqlite3.Row) -> list[Card]:
    return cards(
        request,
        f"{IN_CATALOG} AND p.category_id = ? AND p.id <> ?",
        product["category_id"],
        product["id"],
        limit=_RELATED,
    )


async def show(request: Request) -> Response:
    product = named_product(request)
    execute(
        request,
        "INSERT INTO product_view (product_id, views) VALUES (?, 1)"
        " ON CONFLICT (product_id) DO UPDATE SET views = views + 1",
        product["id"],
    )
    return _page(request, product)


async def add_to_cart(request: Request) -> Response:
    """From a product page or a card of a list; options and quantity that do not work come back with the page."""
    product = sent_product(request)
    options = options_of(request, product["id"])
    asked = {option.field for option in options} & set(request.state.form)
    if options and not asked:
        flash(request, f"Choose the options of {product['name']} first.", "info")
        return redirect(product_url(product["slug"]))
    errors: dict[str, str] = {}
    chosen: dict[str, str] = {}
    unit = product["final_cents"]
    for option in options:
        label = field(request, option.field)
        match = next((one for one in option.values if one.label == label), None)
        if match is None:
            errors[option.field] = f"Choose a value for {option.name}."
        else:
            chosen[option.name] = label
            unit += match.extra_cents
    quantity = integer(request, "quantity")
    cart = find_cart(request)
    held = 0 if cart is None else units_in_cart(request, cart["id"], product["id"])
    if quantity is None or quantity < 1:
        errors["quantity"] = "Enter a quantity of 1 or more."
    elif product["stock"] <= 0:
        errors["quantity"] = "This product is out of stock."
    elif held + quantity > min(product["stock"], MAX_QUANTITY):
        errors["quantity"] = _too_many(product["stock"], held)
    if errors:
        typed = {name: field(request, name) for name in ("quantity", *(option.field for option in options))}
        return _page(request, product, errors=errors, typed=typed, status=422)
    assert quantity is not None
    put_in_cart(request, open_cart(request), product["id"], chosen, quantity, unit)
    flash(request, f"You added {product['name']} to your cart.")
    return redirect(safe_next(request, product_url(product["slug"])))


def _too_many(stock: int, held: int) -> str:
    most = min(stock, MAX_QUANTITY)
    if held >= most:
        return f"Your cart already holds all {most} that you can buy."
    already = f", and your cart already holds {held}" if held else ""
    return f"You can buy at most {most}{already}."


async def wish(request: Request) -> Response:
    """Put a product on the customer's wish list; a guest is asked to sign in."""
    product = sent_product(request)
    customer = user(request)
    if customer is None:
        flash(request, "Sign in to keep a wish list.", "info")
        return redirect(f"/login?next={product_url(product['slug'])}")
    known = row(
        request,
        "SELECT id FROM wishlist_item WHERE customer_id = ? AND product_id = ?",
        customer["id"],
        product["id"],
    )
    if known is not None:
        flash(request, f"{product['name']} is already on your wish list.", "info")
    else:
        execute(
            request,
            "INSERT INTO wishlist_item (customer_id, product_id, added_at) VALUES (?, ?, ?)",
            customer["id"],
            product["id"],
            now_text(),
        )
        flash(request, f"{product['name']} was added to your wish list.")
    return redirect(safe_next(request, product_url(product["slug"])))


async def review(request: Request) -> Response:
    """Send a review; it is shown once the shop has approved it."""
    product = named_product(request)
    typed = {name: field(request, name) for name in ("rating", "nickname", "title", "body")}
    errors: dict[str, str] = {}
    if typed["rating"] not in ("1", "2", "3", "4", "5"):
        errors["rating"] = "Choose a rating."
    for name, word, longest in (("nickname", "nickname", 60), ("title", "summary", 120), ("body", "review", 2000)):
        if not typed[name]:
            errors[name] = f"Enter a {word}."
        elif len(typed[name]) > longest:
            errors[name] = f"Use at most {longest} characters."
    if errors:
        return _page(request, product, errors=errors, typed=typed, tab="reviews", status=422)
    known = settings(request)
    customer = user(request)
    if customer is None and known.get("catalog.allow_guest_reviews", "1") != "1":
        forbidden("Sign in to write a review.")
    waits = known.get("catalog.reviews_need_approval", "1") == "1"
    execute(
        request,
        "INSERT INTO review (product_id, customer_id, nickname, rating, title, body, status, created_at)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        product["id"],
        customer["id"] if customer else None,
        typed["nickname"],
        int(typed["rating"]),
        typed["title"],
        typed["body"],
        "pending" if waits else "approved",
        now_text(),
    )
    flash(request, "You sent your review." + (" It will be shown once we have approved it." if waits else ""))
    return redirect(product_url(product["slug"]))


async def delivery_estimate(request: Request) -> Response:
    """A small page of its own, framed by the product page: when a parcel would arrive at a postcode."""
    product = find_product(request, "p.id = ?", integer(request, "product"))
    if product is None:
        not_found("This product is not available.")
    country = field(request, "country") or ESTIMATE_COUNTRIES[0]
    postcode = field(request, "postcode")
    error = ""
    arrivals: list[tuple[str, date]] = []
    if "postcode" in request.query_params:
        if country not in ESTIMATE_COUNTRIES:
            error = "Choose a country from the list."
        elif not (len(postcode) == 5 and postcode.isascii() and postcode.isdigit()):
            error = "Enter a postcode of five digits."
        else:
            days = days_to_deliver(country, postcode, product["weight_grams"])
            today = date.fromisoformat(today_text())
            arrivals = [
                ("Standard delivery", after_working_days(today, days)),
                ("Express delivery", after_working_days(today, max(1, days - 2))),
            ]
    return render(
        request,
        "delivery_estimate.html",
        product=product,
        countries=[(name, name) for name in ESTIMATE_COUNTRIES],
        country=country,
        postcode=postcode,
        error=error,
        arrivals=arrivals,
    )


def days_to_deliver(country: str, postcode: str, weight_grams: int) -> int:
    """Working days that standard delivery takes: further for far countries and postcodes, one more over 10 kg."""
    far = {"Finland": 0, "Sweden": 1, "Estonia": 1, "Germany": 2, "United States": 5}[country]
    return 2 + far + int(postcode[0]) // 4 + (1 if weight_grams > 10_000 else 0)


def after_working_days(start: date, days: int) -> date:
    """The day so many working days (Monday to Friday) after `start`."""
    day = start
    while days > 0:
        day += timedelta(days=1)
        if day.weekday() < 5:
            days -= 1
    return day


ROUTES = [
    Route("/p/{slug}", show),
    Route("/p/{slug}/review", review, methods=["POST"]),
    Route("/cart/add", add_to_cart, methods=["POST"]),
    Route("/wishlist/add", wish, methods=["POST"]),
    Route("/delivery-estimate", delivery_estimate),
]
