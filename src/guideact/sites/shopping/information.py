"""The shop's own pages, the contact form, and the newsletter's form in the footer."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from guideact.sites.shopping.account import write_subscription
from guideact.sites.shopping.checkout import EMAIL
from guideact.sites.shopping.layout import settings
from guideact.sites.web import (
    execute,
    field,
    flash,
    not_found,
    now_text,
    redirect,
    render,
    row,
    rows,
    user,
)

__all__ = ["ROUTES"]

LONGEST_MESSAGE = 2000


async def page(request: Request) -> Response:
    """One of the shop's pages, by its address."""
    found = row(request, "SELECT * FROM cms_page WHERE slug = ? AND is_active = 1", request.path_params["slug"])
    if found is None:
        not_found()
    others = rows(request, "SELECT slug, title FROM cms_page WHERE is_active = 1 ORDER BY id")
    return render(request, "page.html", page=found, others=others)


async def contact(request: Request) -> Response:
    """Write to the shop."""
    names = ("name", "email", "phone", "subject", "body")
    values = {name: field(request, name) for name in names}
    errors: dict[str, str] = {}
    if request.method == "POST":
        if not values["name"]:
            errors["name"] = "Enter your name."
        if not EMAIL.fullmatch(values["email"]):
            errors["email"] = "Enter an email address such as name@example.com."
        if not values["body"]:
            errors["body"] = "Write your message."
        elif len(values["body"]) > LONGEST_MESSAGE:
            errors["body"] = f"Use at most {LONGEST_MESSAGE} characters."
        for name in ("name", "phone", "subject"):
            if len(values[name]) > 120:
                errors[name] = "Use at most 120 characters."
        if not errors:
            execute(
                request,
                f"INSERT INTO contact_message ({', '.join(names)}, created_at) VALUES (?, ?, ?, ?, ?, ?)",
                *(values[name] for name in names),
                now_text(),
            )
            flash(request, "Thank you for writing to us. We answer within one working day.")
            return redirect("/contact")
    else:
        customer = user(request)
        if customer is not None:
            values["name"] = f"{customer['first_name']} {customer['last_name']}"
            values |= {"email": customer["email"], "phone": customer["phone"]}
    return render(
        request, "contact.html", values=values, errors=errors, store=settings(request), status=422 if errors else 200
    )


async def subscribe(request: Request) -> Response:
    """The form in the footer of every page."""
    email = field(request, "email")
    if not EMAIL.fullmatch(email):
        flash(request, "Enter an email address such as name@example.com.", "error")
    else:
        known = row(request, "SELECT id FROM customer WHERE email = ? COLLATE NOCASE", email)
        if write_subscription(request, email, known["id"] if known else None, True):
            flash(request, "Thank you for subscribing to our newsletter.")
        else:
            flash(request, "This address is subscribed already.", "info")
    return redirect(_back(request))


def _back(request: Request) -> str:
    """The page of this site that the form was sent from."""
    origin = f"{request.url.scheme}://{request.headers['host']}"
    came_from = request.headers.get("referer", "")
    return came_from.removeprefix(origin) if came_from.startswith(origin + "/") else "/"


ROUTES = [
    Route("/page/{slug}", page),
    Route("/contact", contact, methods=["GET", "POST"]),
    Route("/newsletter/subscribe", subscribe, methods=["POST"]),
]
