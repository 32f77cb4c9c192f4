"""The customer's wish list."""

from __future__ import annotations

import sqlite3

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from guideact.sites.shopping.carts import (
    EFFECTIVE_PRICE,
    MAX_QUANTITY,
    open_cart,
    picture_url,
    put_in_cart,
    units_in_cart,
)
from guideact.sites.web import execute, field, flash, integer, not_found, redirect, render, rows, signed_in

__all__ = ["ROUTES"]

LONGEST_NOTE = 200


def _wishes(request: Request, condition: str = "1", *parameters: object) -> list[sqlite3.Row]:
    return rows(
        request,
        f"SELECT w.id, w.note, w.quantity, w.added_at, p.id AS product_id, p.name, p.slug, p.brand, p.stock, p.status,"
        f" p.price_cents, {EFFECTIVE_PRICE} AS final_cents,"
        " EXISTS (SELECT 1 FROM product_option o WHERE o.product_id = p.id) AS has_options"
        " FROM wishlist_item w JOIN product p ON p.id = w.product_id"
        f" WHERE w.customer_id = ? AND {condition} ORDER BY w.added_at DESC, w.id DESC",
        request.state.session.user_id,
        *parameters,
    )


def _wish(request: Request) -> sqlite3.Row:
    found = _wishes(request, "w.id = ?", request.path_params["number"])
    if not found:
        not_found("This is no longer on your wish list.")
    return found[0]


@signed_in
async def show(request: Request) -> Response:
    """All wishes, newest first, in one form for notes and quantities."""
    found = _wishes(request)
    return render(request, "account/wishlist.html", wishes=[(wish, picture_url(wish["product_id"])) for wish in found])


@signed_in
async def update(request: Request) -> Response:
    """Keep the notes and quantities that were typed; a wrong quantity keeps all as it was."""
    changes: list[tuple[str, int, int]] = []
    for wish in _wishes(request):
        quantity = integer(request, f"quantity-{wish['id']}", wish["quantity"])
        note = field(request, f"note-{wish['id']}", wish["note"])[:LONGEST_NOTE]
        if quantity is None or not 1 <= quantity <= MAX_QUANTITY:
            flash(request, f"Enter a quantity from 1 to {MAX_QUANTITY} for {wish['name']}.", "error")
            return redirect("/account/wishlist")
        if (note, quantity) != (wish["note"], wish["quantity"]):
            changes.append((note, quantity, wish["id"]))
    for note, quantity, key in changes:
        execute(request, "UPDATE wishlist_item SET note = ?, quantity = ? WHERE id = ?", note, quantity, key)
    flash(request, "Your wish list was updated.")
    return redirect("/account/wishlist")


@signed_in
async def remove(request: Request) -> Response:
    """Take a wish off the list."""
    wish = _wish(request)
    execute(request, "DELETE FROM wishlist_item WHERE id = ?", wish["id"])
    flash(request, f"{wish['name']} was removed from your wish list.")
    return redirect("/account/wishlist")


@signed_in
async def to_cart(request: Request) -> Response:
    """Move a wish into the cart; one with options to choose leads to its product page first."""
    wish = _wish(request)
    if wish["has_options"]:
        flash(request, f"Choose the options of {wish['name']} first.", "info")
        return redirect(f"/p/{wish['slug']}")
    if _move(request, wish):
        flash(request, f"{wish['name']} was moved to your cart.")
    else:
        flash(request, f"{wish['name']} is not available in this quantity.", "error")
    return redirect("/account/wishlist")


@signed_in
async def all_to_cart(request: Request) -> Response:
    """Move every wish into the cart that can be bought as it is."""
    left: list[str] = []
    moved = 0
    for wish in reversed(_wishes(request)):
        if not wish["has_options"] and _move(request, wish):
            moved += 1
        else:
            left.append(wish["name"])
    if moved:
        flash(request, f"{moved} {'wish was' if moved == 1 else 'wishes were'} moved to your cart.")
    if left:
        flash(request, f"Still on the list, because of options or stock: {', '.join(left)}.", "info")
    return redirect("/account/wishlist")


def _move(request: Request, wish: sqlite3.Row) -> bool:
    cart_id = open_cart(request)
    held = units_in_cart(request, cart_id, wish["product_id"])
    if wish["status"] != "enabled" or held + wish["quantity"] > min(MAX_QUANTITY, wish["stock"]):
        return False
    put_in_cart(request, cart_id, wish["product_id"], {}, wish["quantity"], wish["final_cents"])
    execute(request, "DELETE FROM wishlist_item WHERE id = ?", wish["id"])
    return True


ROUTES = [
    Route("/account/wishlist", show),
    Route("/account/wishlist/update", update, methods=["POST"]),
    Route("/account/wishlist/all-to-cart", all_to_cart, methods=["POST"]),
    Route("/account/wishlist/{number:int}/remove", remove, methods=["POST"]),
    Route("/account/wishlist/{number:int}/to-cart", to_cart, methods=["POST"]),
]
