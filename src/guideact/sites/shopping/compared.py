"""The list of products to compare: rows of `compare_item` for a customer, the session's data for a guest."""

from __future__ import annotations

from starlette.requests import Request

from guideact.sites.web import execute, rows, user

LIMIT = 4
"""Most products that stand side by side."""


def compared_ids(request: Request) -> list[int]:
    """Product ids in the order they were added."""
    customer = user(request)
    if customer is None:
        return [int(product) for product in request.state.session.data.get("compare", [])]
    found = rows(request, "SELECT product_id FROM compare_item WHERE customer_id = ? ORDER BY id", customer["id"])
    return [item["product_id"] for item in found]


def add_compared(request: Request, product_id: int) -> None:
    """Put a product at the end of the list; it must not be there yet."""
    customer = user(request)
    if customer is None:
        data = request.state.session.data
        data["compare"] = [*data.get("compare", []), product_id]
    else:
        execute(
            request,
            "INSERT INTO compare_item (customer_id, product_id) VALUES (?, ?)",
            customer["id"],
            product_id,
        )


def remove_compared(request: Request, product_id: int) -> None:
    customer = user(request)
    if customer is None:
        data = request.state.session.data
        data["compare"] = [product for product in data.get("compare", []) if product != product_id]
    else:
        execute(
            request,
            "DELETE FROM compare_item WHERE customer_id = ? AND product_id = ?",
            customer["id"],
            product_id,
        )


def clear_compared(request: Request) -> None:
    customer = user(request)
    if customer is None:
        request.state.session.data.pop("compare", None)
    else:
        execute(request, "DELETE FROM compare_item WHERE customer_id = ?", customer["id"])
