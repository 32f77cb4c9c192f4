"""Home, categories, sales, search."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from guideact.sites.shopping.layout import category_url, settings
from guideact.sites.shopping.listing import (
    IN_CATALOG,
    IN_SEARCH,
    PAGE_SIZES,
    Card,
    cards,
    dollars,
    listing,
    search,
)
from guideact.sites.state import fold
from guideact.sites.web import Pager, execute, field, flash, not_found, redirect, render, row, rows, safe_next

_LONGEST_SEARCH = 80
_ON_SALE = "p.special_price_cents < p.price_cents"


async def home(request: Request) -> Response:
    views = "(SELECT v.views FROM product_view v WHERE v.product_id = p.id)"
    share = "p.special_price_cents * 1.0 / p.price_cents"
    return render(
        request,
        "home.html",
        featured=cards(request, f"{IN_CATALOG} AND p.stock > 0", order=f"{views} DESC, p.id", limit=8),
        arrivals=cards(request, f"{IN_CATALOG} AND p.is_new = 1", order="p.created_at DESC, p.id", limit=8),
        sale=cards(request, f"{IN_CATALOG} AND {_ON_SALE}", order=f"{share}, p.id", limit=8),
        hero=_category_pictures(request),
    )


def _category_pictures(request: Request) -> list[dict[str, Any]]:
    """The top categories, each with the picture of its first product."""
    found = rows(
        request,
        "SELECT c.name, c.slug, (SELECT MIN(p.id) FROM product p JOIN category s ON s.id = p.category_id"
        f" WHERE {IN_CATALOG} AND (s.id = c.id OR s.parent_id = c.id)) AS product_id"
        " FROM category c WHERE c.parent_id IS NULL AND c.is_active = 1 ORDER BY c.position, c.id",
    )
    return [dict(one) | {"url": category_url(one["slug"])} for one in found]


def _list_page(request: Request, scope: list[Card], default_sort: str, template: str, **context: Any) -> Response:
    known = settings(request)
    if known.get("catalog.show_out_of_stock", "1") != "1":
        scope = [product for product in scope if product.stock > 0]
    found = listing(request, scope, default_sort)
    usual = int(known.get("catalog.products_per_page", PAGE_SIZES[0]))
    pager = Pager.of(request, found.count, usual, tuple(sorted({*PAGE_SIZES, usual})))
    shown = found.products[pager.offset : pager.offset + pager.size]
    return render(request, template, found=found, pager=pager, shown=shown, **context)


async def category(request: Request) -> Response:
    this = row(request, "SELECT * FROM category WHERE slug = ? AND is_active = 1", request.path_params["slug"])
    if this is None:
        not_found("There is no such category.")
    below = rows(
        request,
        "WITH RECURSIVE tree(id) AS (SELECT ? UNION ALL"
        " SELECT c.id FROM category c JOIN tree t ON c.parent_id = t.id WHERE c.is_active = 1) SELECT id FROM tree",
        this["id"],
    )
    marks = ", ".join("?" * len(below))
    scope = cards(request, f"{IN_CATALOG} AND p.category_id IN ({marks})", *(one["id"] for one in below))
    parent = row(request, "SELECT name, slug FROM category WHERE id = ?", this["parent_id"])
    children = rows(
        request,
        "SELECT name, slug FROM category WHERE parent_id = ? AND is_active = 1 ORDER BY position, id",
        this["id"],
    )
    crumbs = [(parent["name"], category_url(parent["slug"]))] if parent else []
    return _list_page(
        request,
        scope,
        "position",
        "category.html",
        heading=this["name"],
        intro=this["description"],
        crumbs=[*crumbs, (this["name"], "")],
        subcategories=[(child["name"], category_url(child["slug"])) for child in children],
    )


async def sale(request: Request) -> Response:
    return _list_page(
        request,
        cards(request, f"{IN_CATALOG} AND {_ON_SALE}"),
        "position",
        "category.html",
        heading="Sale",
        intro="Everything that costs less than usual right now.",
        crumbs=[("Sale", "")],
        subcategories=[],
    )


async def new_arrivals(request: Request) -> Response:
    return _list_page(
        request,
        cards(request, f"{IN_CATALOG} AND p.is_new = 1", order="p.created_at DESC, p.id"),
        "newest",
        "category.html",
        heading="New arrivals",
        intro="Fresh in the shop.",
        crumbs=[("New arrivals", "")],
        subcategories=[],
    )


async def search_results(request: Request) -> Response:
    words = " ".join(field(request, "q").split())[:_LONGEST_SEARCH]
    if not words:
        return render(request, "search_empty.html")
    scope = search(request, words)
    refined = set(request.query_params) - {"q"}
    if not refined:
        _count_term(request, words, len(scope))
    return _list_page(request, scope, "relevance", "search.html", query=words, related=_related_terms(request, words))


def _count_term(request: Request, words: str, results: int) -> None:
    term = words.casefold()
    known = row(request, "SELECT id FROM search_term WHERE term = ?", term)
    if known is None:
        execute(request, "INSERT INTO search_term (term, results, uses) VALUES (?, ?, 1)", term, results)
    else:
        execute(request, "UPDATE search_term SET uses = uses + 1, results = ? WHERE id = ?", results, known["id"])


def _related_terms(request: Request, words: str) -> list[str]:
    """Other searches that share a word and found something, most used first."""
    wanted = fold(words)
    tokens = set(wanted.split())
    known = rows(request, "SELECT term FROM search_term WHERE results > 0 ORDER BY uses DESC, id")
    others = [one["term"] for one in known if fold(one["term"]) != wanted]
    return [term for term in others if tokens & set(fold(term).split())][:5]


async def suggest(request: Request) -> Response:
    """The options of the search box's list box, as a fragment."""
    words = " ".join(field(request, "q").split())[:_LONGEST_SEARCH]
    wanted = fold(words)
    terms = [
        one["term"]
        for one in rows(request, "SELECT term FROM search_term WHERE results > 0 ORDER BY uses DESC, id")
        if fold(one["term"]).startswith(wanted)
    ]
    return render(request, "suggestions.html", products=search(request, words, 6), terms=terms[:3] if wanted else [])


async def advanced(request: Request) -> Response:
    """Search by name, SKU, description and price; without any of them the form alone."""
    asked = {name: field(request, name) for name in ("name", "sku", "description", "price_from", "price_to")}
    errors: dict[str, str] = {}
    for name in ("price_from", "price_to"):
        if asked[name] and dollars(asked[name]) is None:
            errors[name] = "Enter an amount such as 25 or 19.90."
    low, high = dollars(asked["price_from"]), dollars(asked["price_to"])
    if not errors and low is not None and high is not None and low > high:
        errors["price_to"] = "This must not be less than the lowest price."
    if "submitted" in request.query_params and not any(asked.values()):
        errors["name"] = "Fill in at least one field."
    if errors or not any(asked.values()):
        return render(request, "advanced_search.html", asked=asked, errors=errors, status=422 if errors else 200)
    conditions, parameters = [IN_SEARCH], []
    for name in ("name", "sku", "description"):
        if asked[name]:
            conditions.append(f"instr(fold(p.{name}), ?) > 0")
            parameters.append(fold(asked[name]))
    scope = cards(request, " AND ".join(conditions), *parameters, order="p.name, p.id")
    return _list_page(request, scope, "name", "advanced_results.html", asked=asked)


async def terms(request: Request) -> Response:
    """What others search for, in alphabetical order, the most used ones large."""
    found = rows(
        request,
        "SELECT term, uses FROM (SELECT * FROM search_term WHERE results > 0 ORDER BY uses DESC, id LIMIT 60)"
        " ORDER BY term",
    )
    top = max((one["uses"] for one in found), default=1)
    weighed = [(one["term"], 1 + round(4 * one["uses"] / top)) for one in found]
    return render(request, "search_terms.html", terms=weighed)


async def cookies(request: Request) -> Response:
    """Remember the answer to the cookie banner."""
    choice = field(request, "choice")
    request.state.session.data["cookies"] = choice if choice in ("all", "necessary") else "necessary"
    if request.headers.get("X-Requested-With") == "fetch":
        return Response(status_code=204)
    flash(request, "Your cookie settings were saved.")
    return redirect(safe_next(request))


ROUTES = [
    Route("/", home),
    Route("/c/{slug}", category),
    Route("/sale", sale),
    Route("/new", new_arrivals),
    Route("/search", search_results),
    Route("/search/suggest", suggest),
    Route("/search/advanced", advanced),
    Route("/search/terms", terms),
    Route("/cookies", cookies, methods=["POST"]),
]
