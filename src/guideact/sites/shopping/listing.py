"""Lists of products: which belong to them, the filters of the sidebar with their counts, and the order.

A list has a *scope* (a category with all below it, the words of a search, ...), read with one query. The few hundred
rows at most are then filtered and counted in Python: the number beside a filter's value says how many products have
that value, with all the other filters as they are.
"""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple
from urllib.parse import quote_plus, urlencode

from starlette.requests import Request

from guideact.sites.shopping.carts import EFFECTIVE_PRICE, picture_url
from guideact.sites.state import fold
from guideact.sites.web import money, rows

SORTS: dict[str, str] = {
    "position": "Our picks",
    "relevance": "Relevance",
    "name": "Name, A to Z",
    "name-desc": "Name, Z to A",
    "price": "Price, low to high",
    "price-desc": "Price, high to low",
    "rating": "Best rated",
    "newest": "Newest first",
}
PAGE_SIZES = (12, 24, 48)
PRICE_BANDS = ((0, 2500), (2500, 5000), (5000, 10000), (10000, 20000), (20000, None))
"""Bounds in cents, the upper one excluded."""

# In the order of the fields of `Card`.
_COLUMNS = f"""p.id, p.sku, p.name, p.slug, p.brand, p.category_id, p.price_cents, {EFFECTIVE_PRICE} AS final_cents,
 p.stock, p.material, p.created_at, p.is_new,
 COALESCE((SELECT AVG(rating) FROM review r WHERE r.product_id = p.id AND r.status = 'approved'), 0.0) AS rating,
 (SELECT COUNT(*) FROM review r WHERE r.product_id = p.id AND r.status = 'approved') AS reviews,
 EXISTS (SELECT 1 FROM product_option o WHERE o.product_id = p.id) AS has_options"""

IN_CATALOG = "p.status = 'enabled' AND p.visibility IN ('catalog_search', 'catalog')"
IN_SEARCH = "p.status = 'enabled' AND p.visibility IN ('catalog_search', 'search')"


class Card(NamedTuple):
    """A product as lists show it. Prices in cents; `rating` is the mean of the approved reviews, 0 without any."""

    id: int
    sku: str
    name: str
    slug: str
    brand: str
    category_id: int
    price_cents: int
    final_cents: int
    stock: int
    material: str
    created_at: str
    is_new: int
    rating: float
    reviews: int
    has_options: int

    @property
    def on_sale(self) -> bool:
        return self.final_cents < self.price_cents

    @property
    def percent_off(self) -> int:
        return round(100 - 100 * self.final_cents / self.price_cents)

    @property
    def url(self) -> str:
        return f"/p/{self.slug}"

    @property
    def picture(self) -> str:
        return picture_url(self.id)


def cards(request: Request, where: str, *parameters: Any, order: str = "p.id", limit: int = -1) -> list[Card]:
    """The products for which the SQL condition `where` (on `product p`) holds."""
    # The inner query chooses, so that ratings are averaged for the chosen ones only.
    chosen = f"SELECT p.id FROM product p WHERE {where} ORDER BY {order} LIMIT ?"
    found = rows(
        request,
        f"SELECT {_COLUMNS} FROM product p WHERE p.id IN ({chosen}) ORDER BY {order}",
        *parameters,
        limit,
    )
    return [Card._make(one) for one in found]


def search(request: Request, words: str, limit: int | None = None) -> list[Card]:
    """The products that hold every word in name, brand, SKU, material or category; best match first.

    Case and accents do not matter. First come products whose name begins with the words, then those in whose name every
    word begins one, then those where that holds somewhere, then the rest.
    """
    tokens = fold(words).split()
    if not tokens:
        return []
    texts = rows(
        request,
        "SELECT p.id, p.name, p.name || ' ' || p.brand || ' ' || p.sku || ' ' || p.material || ' ' || c.name"
        f" FROM product p JOIN category c ON c.id = p.category_id WHERE {IN_SEARCH}",
    )
    ranked: list[tuple[int, str, int]] = []
    for product_id, name, text in texts:
        folded = _folded(text)
        if all(token in folded for token in tokens):
            title = _folded(name)
            if title.startswith(" ".join(tokens)):
                rank = 0
            elif _begin_words(tokens, title):
                rank = 1
            else:
                rank = 2 if _begin_words(tokens, folded) else 3
            ranked.append((rank, title, product_id))
    ranked.sort()
    return cards_by_id(request, [product_id for _, _, product_id in ranked[:limit]])


def _begin_words(tokens: Sequence[str], text: str) -> bool:
    return all(f" {token}" in f" {text}" for token in tokens)


# The same few hundred texts are folded for every search.
_folded = functools.lru_cache(8192)(fold)


def cards_by_id(request: Request, ids: Sequence[int]) -> list[Card]:
    """The products with these ids, in this order; ids that do not exist are left out."""
    marks = ", ".join("?" * len(ids))
    found = {one.id: one for one in cards(request, f"p.id IN ({marks})", *ids)}
    return [found[product_id] for product_id in ids if product_id in found]


@dataclass(frozen=True)
class Filters:
    """What the sidebar asks for. Prices in cents, both ends included; None where a bound is not given."""

    price_from: int | None = None
    price_to: int | None = None
    brands: tuple[str, ...] = ()
    materials: tuple[str, ...] = ()
    rating: int | None = None
    """At least so many stars."""
    in_stock: bool = False
    on_sale: bool = False

    @classmethod
    def of(cls, request: Request) -> Filters:
        """From the query: price_from, price_to (dollars), brand*, material*, rating, in_stock, on_sale."""
        query = request.query_params
        rating = query.get("rating", "")
        return cls(
            price_from=dollars(query.get("price_from", "")),
            price_to=dollars(query.get("price_to", "")),
            brands=tuple(dict.fromkeys(query.getlist("brand"))),
            materials=tuple(dict.fromkeys(query.getlist("material"))),
            rating=int(rating) if rating in ("1", "2", "3", "4") else None,
            in_stock=query.get("in_stock") == "1",
            on_sale=query.get("on_sale") == "1",
        )

    def keeps(self, product: Card) -> bool:
        return (
            (self.price_from is None or product.final_cents >= self.price_from)
            and (self.price_to is None or product.final_cents <= self.price_to)
            and (not self.brands or product.brand in self.brands)
            and (not self.materials or product.material in self.materials)
            and (self.rating is None or product.rating >= self.rating)
            and (not self.in_stock or product.stock > 0)
            and (not self.on_sale or product.on_sale)
        )


def dollars(text: str) -> int | None:
    """An amount as a buyer types it ("19.5", "$1,200") in cents; None for anything else and for less than nothing."""
    try:
        cents = round(float(text.strip().lstrip("$").replace(",", "")) * 100)
    except (ValueError, OverflowError):
        return None
    return cents if 0 <= cents <= 100_000_000 else None


class Links:
    """Addresses of the same list with one filter changed; the rest of the query is written out once a filter."""

    def __init__(self, request: Request) -> None:
        self._path = request.url.path
        self._pairs = [pair for pair in request.query_params.multi_items() if pair[0] != "page"]
        self._rest: dict[tuple[str, ...], str] = {}

    def put(self, **changes: str | Sequence[str] | None) -> str:
        """None takes a filter out, a sequence repeats it; the list begins at its first page again."""
        names = tuple(changes)
        if names not in self._rest:
            self._rest[names] = urlencode([pair for pair in self._pairs if pair[0] not in changes])
        mine = []
        for name, given in changes.items():
            for one in () if given is None else (given,) if isinstance(given, str) else given:
                mine.append(f"{name}={quote_plus(one)}")
        query = "&".join((*filter(None, [self._rest[names]]), *mine))
        return f"{self._path}?{query}" if query else self._path


@dataclass(frozen=True)
class Choice:
    """One value of a filter: how many products it would show, whether it is on, and where its link leads."""

    label: str
    count: int
    active: bool
    url: str
    value: str = ""


@dataclass(frozen=True)
class Chip:
    """A filter that is on, with the address of the page without it."""

    label: str
    url: str


@dataclass(frozen=True)
class Listing:
    """A list of products after filtering and sorting, with everything its page shows but the paging."""

    products: tuple[Card, ...]
    filters: Filters
    prices: tuple[Choice, ...]
    brands: tuple[Choice, ...]
    materials: tuple[Choice, ...]
    ratings: tuple[Choice, ...]
    in_stock: Choice
    on_sale: Choice
    chips: tuple[Chip, ...]
    sort: str
    sorts: tuple[tuple[str, str], ...]
    view: str
    """grid or list"""
    scope_count: int

    @property
    def count(self) -> int:
        return len(self.products)


def listing(request: Request, scope: Sequence[Card], default_sort: str) -> Listing:
    """Filter, count and sort the products of a scope as the query asks. `scope` is in the order of `default_sort`."""
    filters = Filters.of(request)
    links = Links(request)

    def counted(**without: Any) -> list[Card]:
        others = replace(filters, **without)
        return [product for product in scope if others.keeps(product)]

    sorts = tuple(
        (key, text) for key, text in SORTS.items() if key not in ("position", "relevance") or key == default_sort
    )
    sort = request.query_params.get("sort", default_sort)
    if sort not in dict(sorts):
        sort = default_sort
    return Listing(
        products=tuple(ordered(counted(), sort)),
        filters=filters,
        prices=tuple(_price_choices(links, filters, counted(price_from=None, price_to=None))),
        brands=tuple(_value_choices(links, "brand", filters.brands, counted(brands=()), lambda product: product.brand)),
        materials=tuple(
            _value_choices(
                links, "material", filters.materials, counted(materials=()), lambda product: product.material
            )
        ),
        ratings=tuple(_rating_choices(links, filters, counted(rating=None))),
        in_stock=_switch(links, "in_stock", "In stock", filters.in_stock, counted(in_stock=True)),
        on_sale=_switch(links, "on_sale", "On sale", filters.on_sale, counted(on_sale=True)),
        chips=tuple(_chips(links, filters)),
        sort=sort,
        sorts=sorts,
        view="list" if request.query_params.get("view") == "list" else "grid",
        scope_count=len(scope),
    )


def ordered(products: Iterable[Card], sort: str) -> list[Card]:
    """Sorted as `sort` says; position and relevance keep the order given. Ties go by name, then id."""
    keys: dict[str, Callable[[Card], Any]] = {
        "name": lambda product: fold(product.name),
        "price": lambda product: product.final_cents,
        "price-desc": lambda product: -product.final_cents,
        "rating": lambda product: (-product.rating, -product.reviews),
    }
    if sort in ("position", "relevance"):
        return list(products)
    by_name = sorted(products, key=lambda product: (fold(product.name), product.id))
    if sort == "name-desc":
        return sorted(by_name, key=lambda product: fold(product.name), reverse=True)
    if sort == "newest":
        return sorted(by_name, key=lambda product: product.created_at, reverse=True)
    return sorted(by_name, key=keys[sort])


def _value_choices(
    links: Links, name: str, chosen: tuple[str, ...], products: list[Card], of: Callable[[Card], str]
) -> list[Choice]:
    counts = Counter(of(product) for product in products)
    counts.pop("", None)
    found = []
    for label in sorted({*counts, *chosen}, key=str.casefold):
        active = label in chosen
        left = [one for one in chosen if one != label] if active else [*chosen, label]
        url = links.put(**{name: left})
        found.append(Choice(label, counts[label], active, url, label))
    return found


def _price_choices(links: Links, filters: Filters, products: list[Card]) -> list[Choice]:
    found = []
    for low, high in PRICE_BANDS:
        last = None if high is None else high - 1
        count = sum(
            1 for product in products if product.final_cents >= low and (last is None or product.final_cents <= last)
        )
        if not count:
            continue
        active = (filters.price_from, filters.price_to) == (low or None, last)
        if active:
            url = links.put(price_from=None, price_to=None)
        else:
            url = links.put(
                price_from=str(low // 100) if low else None,
                price_to=None if last is None else f"{last / 100:.2f}",
            )
        found.append(Choice(_price_label(low, last), count, active, url))
    return found


def _price_label(low: int, last: int | None) -> str:
    if last is None:
        return f"{money(low)} and more"
    return f"{money(low)} – {money(last)}" if low else f"Up to {money(last)}"


def _rating_choices(links: Links, filters: Filters, products: list[Card]) -> list[Choice]:
    found = []
    for stars in (4, 3, 2, 1):
        active = filters.rating == stars
        count = sum(1 for product in products if product.rating >= stars)
        url = links.put(rating=None if active else str(stars))
        found.append(Choice(f"{stars} stars and up" if stars > 1 else "1 star and up", count, active, url, str(stars)))
    return found


def _switch(links: Links, name: str, label: str, active: bool, products: list[Card]) -> Choice:
    return Choice(label, len(products), active, links.put(**{name: None if active else "1"}))


def _chips(links: Links, filters: Filters) -> list[Chip]:
    found = []
    if filters.price_from is not None or filters.price_to is not None:
        label = _price_label(filters.price_from or 0, filters.price_to)
        found.append(Chip(f"Price: {label}", links.put(price_from=None, price_to=None)))
    for name, word, chosen in (("brand", "Brand", filters.brands), ("material", "Material", filters.materials)):
        for label in chosen:
            left = [one for one in chosen if one != label]
            found.append(Chip(f"{word}: {label}", links.put(**{name: left})))
    if filters.rating is not None:
        found.append(Chip(f"Rating: {filters.rating}+ stars", links.put(rating=None)))
    if filters.in_stock:
        found.append(Chip("In stock", links.put(in_stock=None)))
    if filters.on_sale:
        found.append(Chip("On sale", links.put(on_sale=None)))
    return found
