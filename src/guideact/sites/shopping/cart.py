"""The cart page and everything that changes the cart after something was put in."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from guideact.sites.shopping.carts import (
    MAX_QUANTITY,
    CartLine,
    coupon,
    find_cart,
    group_of,
    lines_of,
    rates,
    totals_of,
)
from guideact.sites.shopping.pricing import SHIPPING_METHODS, Totals, refusal, shipping_price
from guideact.sites.web import (
    execute,
    field,
    flash,
    integer,
    money,
    not_found,
    now_text,
    redirect,
    render,
    row,
    today_text,
    user,
)


def coupon_problem(request: Request, code: str, subtotal_cents: int) -> str:
    """Why this code takes nothing off, as a sentence; empty when it works."""
    found = coupon(request, code)
    if found is None:
        return f"The coupon code “{code}” is not valid."
    why = refusal(found, subtotal_cents, group_of(request), date.fromisoformat(today_text()))
    return f"The coupon code “{found.code}” {why}" if why else ""


def delivery_choices(request: Request, totals: Totals) -> list[tuple[str, str, str]]:
    """(method, label, price) for every way of delivery, as it would cost with these goods."""
    known = rates(request)
    goods = totals.subtotal_cents - totals.discount_cents
    free = any(
        row(request, "SELECT 1 FROM promotion WHERE id = ? AND kind = 'free_shipping'", applied)
        for applied in totals.applied
    )
    choices = []
    for method, label in SHIPPING_METHODS.items():
        cents = shipping_price(method, goods, known, free=free)
        choices.append((method, label, money(cents) if cents else "Free"))
    return choices


def _page(
    request: Request,
    *,
    errors: Mapping[str, str] | None = None,
    typed: Mapping[str, str] | None = None,
    status: int = 200,
) -> Response:
    cart = find_cart(request)
    lines = () if cart is None else lines_of(request, cart["id"])
    code = "" if cart is None else cart["coupon_code"]
    asked = request.query_params.get("method", "")
    method = asked if asked in SHIPPING_METHODS else None
    totals = totals_of(request, lines, code, method)
    return render(
        request,
        "cart.html",
        status=status,
        lines=lines,
        totals=totals,
        coupon_code=code,
        coupon_warning=coupon_problem(request, code, totals.subtotal_cents) if code else "",
        method=method,
        method_label=SHIPPING_METHODS[method] if method else "",
        methods=delivery_choices(request, totals),
        errors=errors or {},
        typed=typed or {},
        max_quantity=MAX_QUANTITY,
    )


async def show(request: Request) -> Response:
    return _page(request)


def _lines(request: Request) -> tuple[CartLine, ...]:
    cart = find_cart(request)
    return () if cart is None else lines_of(request, cart["id"])


def _sent_line(request: Request) -> CartLine:
    """The visitor's own line that the field `line` names."""
    wanted = integer(request, "line")
    found = next((line for line in _lines(request) if line.id == wanted), None)
    return found if found is not None else not_found("This item is no longer in your cart.")


async def update(request: Request) -> Response:
    """New quantities for all lines, all or nothing; 0 takes a line out."""
    lines = _lines(request)
    typed = {f"quantity_{line.id}": field(request, f"quantity_{line.id}", str(line.quantity)) for line in lines}
    errors: dict[str, str] = {}
    wanted: dict[int, int] = {}
    for line in lines:
        name = f"quantity_{line.id}"
        quantity = int(typed[name]) if typed[name].isascii() and typed[name].isdigit() else -1
        if quantity < 0:
            errors[name] = "Enter a whole number."
        wanted[line.id] = quantity
    for line in lines:
        units = sum(wanted[other.id] for other in lines if other.product_id == line.product_id)
        most = min(line.stock, MAX_QUANTITY)
        name = f"quantity_{line.id}"
        if name not in errors and wanted[line.id] > 0 and wanted[line.id] > line.quantity and units > most:
            errors[name] = f"Only {most} can be bought."
    if errors:
        return _page(request, errors=errors, typed=typed, status=422)
    for line in lines:
        if wanted[line.id] == 0:
            execute(request, "DELETE FROM cart_item WHERE id = ?", line.id)
        elif wanted[line.id] != line.quantity:
            execute(request, "UPDATE cart_item SET quantity = ? WHERE id = ?", wanted[line.id], line.id)
    flash(request, "Your cart was updated.")
    return redirect("/cart")


async def remove(request: Request) -> Response:
    line = _sent_line(request)
    execute(request, "DELETE FROM cart_item WHERE id = ?", line.id)
    flash(request, f"{line.name} was removed from your cart.")
    return redirect("/cart")


async def clear(request: Request) -> Response:
    cart = find_cart(request)
    if cart is not None:
        execute(request, "DELETE FROM cart_item WHERE cart_id = ?", cart["id"])
        execute(request, "UPDATE cart SET coupon_code = '' WHERE id = ?", cart["id"])
    flash(request, "Your cart is empty now.")
    return redirect("/cart")


async def move_to_wishes(request: Request) -> Response:
    """Take a line out of the cart and keep its product on the wish list."""
    line = _sent_line(request)
    customer = user(request)
    if customer is None:
        flash(request, "Sign in to keep a wish list.", "info")
        return redirect("/login?next=/cart")
    known = row(
        request,
        "SELECT id FROM wishlist_item WHERE customer_id = ? AND product_id = ?",
        customer["id"],
        line.product_id,
    )
    if known is None:
        execute(
            request,
            "INSERT INTO wishlist_item (customer_id, product_id, quantity, added_at) VALUES (?, ?, ?, ?)",
            customer["id"],
            line.product_id,
            line.quantity,
            now_text(),
        )
    execute(request, "DELETE FROM cart_item WHERE id = ?", line.id)
    flash(request, f"{line.name} was moved to your wish list.")
    return redirect("/cart")


async def apply_coupon(request: Request) -> Response:
    code = field(request, "code")
    cart = find_cart(request)
    if cart is None or not _lines(request):
        flash(request, "Your cart is empty.", "error")
        return redirect("/cart")
    subtotal = sum(line.total_cents for line in _lines(request))
    problem = coupon_problem(request, code, subtotal) if code else "Enter a coupon code."
    if problem:
        return _page(request, errors={"code": problem}, typed={"code": code}, status=422)
    found = coupon(request, code)
    assert found is not None
    execute(request, "UPDATE cart SET coupon_code = ? WHERE id = ?", found.code, cart["id"])
    flash(request, f"Coupon code “{found.code}” was applied.")
    return redirect("/cart")


async def remove_coupon(request: Request) -> Response:
    cart = find_cart(request)
    if cart is not None and cart["coupon_code"]:
        execute(request, "UPDATE cart SET coupon_code = '' WHERE id = ?", cart["id"])
        flash(request, f"Coupon code “{cart['coupon_code']}” was removed.")
    return redirect("/cart")


ROUTES = [
    Route("/cart", show),
    Route("/cart/update", update, methods=["POST"]),
    Route("/cart/remove", remove, methods=["POST"]),
    Route("/cart/clear", clear, methods=["POST"]),
    Route("/cart/wish", move_to_wishes, methods=["POST"]),
    Route("/cart/coupon", apply_coupon, methods=["POST"]),
    Route("/cart/coupon/remove", remove_coupon, methods=["POST"]),
]
