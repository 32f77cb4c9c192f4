"""The page that compares products side by side."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from guideact.sites.shopping.compared import LIMIT, add_compared, clear_compared, compared_ids, remove_compared
from guideact.sites.shopping.listing import cards_by_id
from guideact.sites.shopping.product import options_of, sent_product
from guideact.sites.web import flash, integer, redirect, render, rows, safe_next, value


async def show(request: Request) -> Response:
    ids = compared_ids(request)
    marks = ", ".join("?" * len(ids))
    shown = cards_by_id(request, ids)
    more = {
        one["id"]: one
        for one in rows(
            request,
            "SELECT p.id, p.weight_grams, p.description, c.name AS category FROM product p"
            f" JOIN category c ON c.id = p.category_id WHERE p.id IN ({marks})",
            *ids,
        )
    }
    options = {
        one.id: ", ".join(option.name for option in options_of(request, one.id)) if one.has_options else "–"
        for one in shown
    }
    return render(request, "compare.html", products_shown=shown, more=more, options=options, limit=LIMIT)


async def add(request: Request) -> Response:
    product = sent_product(request)
    known = compared_ids(request)
    if product["id"] in known:
        flash(request, f"{product['name']} is already on your comparison list.", "info")
    elif len(known) >= LIMIT:
        flash(request, f"You can compare {LIMIT} products. Remove one from the list first.", "error")
    else:
        add_compared(request, product["id"])
        flash(request, f"{product['name']} was added to your comparison list.")
    return redirect(safe_next(request, f"/p/{product['slug']}"))


async def remove(request: Request) -> Response:
    product_id = integer(request, "product")
    if product_id in compared_ids(request):
        assert product_id is not None
        remove_compared(request, product_id)
        name = value(request, "SELECT name FROM product WHERE id = ?", product_id)
        flash(request, f"{name} was removed from your comparison list.")
    return redirect("/compare")


async def clear(request: Request) -> Response:
    clear_compared(request)
    flash(request, "Your comparison list is empty now.")
    return redirect("/compare")


ROUTES = [
    Route("/compare", show),
    Route("/compare/add", add, methods=["POST"]),
    Route("/compare/remove", remove, methods=["POST"]),
    Route("/compare/clear", clear, methods=["POST"]),
]
