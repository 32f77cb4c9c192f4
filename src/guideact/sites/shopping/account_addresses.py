"""The customer's address book."""

from __future__ import annotations

import sqlite3

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from guideact.sites.shopping.addresses import COUNTRIES, FIELDS, addresses_of, as_values, read_address
from guideact.sites.web import execute, field, flash, not_found, redirect, render, row, signed_in, value

__all__ = ["ROUTES"]

_USES = ("billing", "shipping")


@signed_in
async def book(request: Request) -> Response:
    """All addresses, the default ones first."""
    found = addresses_of(request, request.state.session.user_id)
    return render(
        request,
        "account/addresses.html",
        billing=next((one for one in found if one["is_default_billing"]), None),
        shipping=next((one for one in found if one["is_default_shipping"]), None),
        others=[one for one in found if not one["is_default_billing"] and not one["is_default_shipping"]],
    )


def _own(request: Request) -> sqlite3.Row:
    found = row(
        request,
        "SELECT * FROM address WHERE id = ? AND customer_id = ?",
        request.path_params["number"],
        request.state.session.user_id,
    )
    if found is None:
        not_found("There is no such address in your book.")
    return found


@signed_in
async def new(request: Request) -> Response:
    """A new address; the first one of a customer is the default for both uses."""
    return _form(request, None)


@signed_in
async def edit(request: Request) -> Response:
    """Change an address."""
    return _form(request, _own(request))


def _form(request: Request, address: sqlite3.Row | None) -> Response:
    countries = [(name, name) for name in COUNTRIES]
    customer_id = request.state.session.user_id
    if request.method == "GET":
        values = {} if address is None else as_values(address)
        return render(
            request, "account/address.html", address=address, values=values, errors={}, countries=countries, ticked={}
        )
    values, errors = read_address(request)
    ticked = {use: field(request, f"default_{use}") == "1" for use in _USES}
    if errors:
        return render(
            request,
            "account/address.html",
            address=address,
            values=values,
            errors=errors,
            countries=countries,
            ticked=ticked,
            status=422,
        )
    names = [name for name, _, _ in FIELDS]
    if address is None:
        first = value(request, "SELECT count(*) FROM address WHERE customer_id = ?", customer_id) == 0
        key = execute(
            request,
            f"INSERT INTO address (customer_id, {', '.join(names)}) VALUES (?{', ?' * len(names)})",
            customer_id,
            *(values[name] for name in names),
        )
        ticked = {use: chosen or first for use, chosen in ticked.items()}
    else:
        key = address["id"]
        execute(
            request,
            f"UPDATE address SET {', '.join(f'{name} = ?' for name in names)} WHERE id = ?",
            *(values[name] for name in names),
            key,
        )
    for use, chosen in ticked.items():
        if chosen:
            _make_default(request, key, use)
    flash(request, "You saved the address.")
    return redirect("/account/addresses")


def _make_default(request: Request, key: int, use: str) -> None:
    column = f"is_default_{use}"
    execute(
        request,
        f"UPDATE address SET {column} = 0 WHERE customer_id = ? AND {column} = 1 AND id <> ?",
        request.state.session.user_id,
        key,
    )
    execute(request, f"UPDATE address SET {column} = 1 WHERE id = ?", key)


@signed_in
async def set_default(request: Request) -> Response:
    """Use an address for invoices or for parcels from now on."""
    use = field(request, "use")
    if use not in _USES:
        not_found()
    _make_default(request, _own(request)["id"], use)
    flash(request, f"The default {use} address was changed.")
    return redirect("/account/addresses")


@signed_in
async def delete(request: Request) -> Response:
    """Remove an address that is not a default one."""
    address = _own(request)
    if address["is_default_billing"] or address["is_default_shipping"]:
        flash(request, "A default address cannot be deleted. Make another one the default first.", "error")
    else:
        execute(request, "DELETE FROM address WHERE id = ?", address["id"])
        flash(request, "You deleted the address.")
    return redirect("/account/addresses")


ROUTES = [
    Route("/account/addresses", book),
    Route("/account/addresses/new", new, methods=["GET", "POST"]),
    Route("/account/addresses/{number:int}", edit, methods=["GET", "POST"]),
    Route("/account/addresses/{number:int}/default", set_default, methods=["POST"]),
    Route("/account/addresses/{number:int}/delete", delete, methods=["POST"]),
]
