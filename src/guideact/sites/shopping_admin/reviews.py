"""Reviews: the list with moderation, and the form of one."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from guideact.sites import web
from guideact.sites.shopping_admin import grid, shell
from guideact.sites.shopping_admin.forms import Field, Section, fields_of, raw_of, read
from guideact.sites.shopping_admin.grid import Column, Grid, MassAction

guard = shell.guard("catalog")

STATUSES = (("pending", "Pending"), ("approved", "Approved"), ("rejected", "Rejected"))
RATINGS = tuple((str(number), f"{number} star{'s' if number > 1 else ''}") for number in range(5, 0, -1))
SECTIONS = (
    Section(
        "Moderation",
        (Field("status", "Status", "select", required=True, options=STATUSES),),
        "Only approved reviews are shown in the store.",
    ),
    Section(
        "Review",
        (
            Field("nickname", "Nickname", required=True, max_length=60),
            Field("rating", "Rating", "select", required=True, options=RATINGS),
            Field("title", "Summary", required=True, max_length=120, wide=True),
            Field("body", "Review", "textarea", required=True, max_length=4000),
        ),
    ),
)


def _set_status(status: str) -> Any:
    def run(request: Request, ids: list[int], _: Any) -> str:
        count = web.execute(
            request,
            f"UPDATE review SET status = ? WHERE status != ? AND id IN ({grid.marks(ids)})",
            status,
            status,
            *ids,
        )
        return f"{web.plural(count, 'review')} {status}."

    return run


def _delete(request: Request, ids: list[int], _: Any) -> str:
    count = web.execute(request, f"DELETE FROM review WHERE id IN ({grid.marks(ids)})", *ids)
    return f"{web.plural(count, 'review')} deleted."


REVIEWS = Grid(
    name="reviews",
    path="/reviews",
    title="Reviews",
    noun=("review", "reviews"),
    source="review r JOIN product p ON p.id = r.product_id",
    key="r.id",
    extra=(("product_id", "p.id"),),
    columns=(
        Column("id", "ID", "r.id", "number", filter="integer"),
        Column("created_at", "Written on", "r.created_at", "date", filter="date"),
        Column(
            "product",
            "Product",
            "p.name",
            filter="text",
            render=lambda row: grid.link_cell(row["product"], f"/products/{row['product_id']}"),
        ),
        Column("rating", "Rating", "r.rating", "stars", filter="select", options=RATINGS),
        Column("title", "Summary", "r.title", filter="text", link="/reviews/{id}"),
        Column("body", "Review", "r.body", "excerpt", filter="text"),
        Column("nickname", "Nickname", "r.nickname", filter="text"),
        Column("status", "Status", "r.status", "badge", filter="select", options=STATUSES),
    ),
    row_name=lambda row: f"review {row['id']} by {row['nickname']}",
    search=("r.title", "r.body", "r.nickname", "p.name"),
    search_hint="Summary, text, nickname or product",
    sort="created_at",
    views=(("All", ()), *((label, (("status", value),)) for value, label in STATUSES)),
    actions=(
        MassAction("approve", "Approve", _set_status("approved")),
        MassAction("reject", "Reject", _set_status("rejected"), "Reject {count} {noun}?"),
        MassAction("delete", "Delete", _delete, "Delete {count} {noun}? This cannot be undone."),
    ),
    row_links=(("Edit", "/reviews/{id}"),),
)


def _load(request: Request) -> Any:
    found = web.row(
        request,
        "SELECT r.*, p.name AS product, p.id AS product_id, c.first_name || ' ' || c.last_name AS customer"
        " FROM review r JOIN product p ON p.id = r.product_id LEFT JOIN customer c ON c.id = r.customer_id"
        " WHERE r.id = ?",
        shell.whole_id(request),
    )
    if found is None:
        web.not_found("There is no such review.")
    return found


@guard
async def edit(request: Request) -> Response:
    """Moderate or correct one review."""
    row = _load(request)
    fields = fields_of(SECTIONS)
    if request.method == "GET":
        return web.render(request, "review.html", row=row, sections=SECTIONS, raw=raw_of(fields, row), errors={})
    reading = read(fields, web.form(request))
    if not reading.ok:
        return web.render(
            request, "review.html", status=422, row=row, sections=SECTIONS, raw=reading.raw, errors=reading.errors
        )
    values = reading.values | {"rating": int(reading.values["rating"])}
    shell.update(request, "review", row["id"], shell.changed(row, values))
    web.flash(request, f"Review {row['id']} was saved.")
    return web.redirect("/reviews" if web.field(request, "then") == "list" else f"/reviews/{row['id']}")


@guard
async def moderate(request: Request) -> Response:
    """Approve, reject or delete with one button."""
    row = _load(request)
    step = request.url.path.rsplit("/", 1)[1]
    if step == "delete":
        web.execute(request, "DELETE FROM review WHERE id = ?", row["id"])
        web.flash(request, f"Review {row['id']} was deleted.")
        return web.redirect("/reviews")
    status = {"approve": "approved", "reject": "rejected"}[step]
    shell.update(request, "review", row["id"], shell.changed(row, {"status": status}))
    web.flash(request, f"Review {row['id']} was {status}.")
    return web.redirect(f"/reviews/{row['id']}")


ROUTES = [
    *grid.routes(REVIEWS, guard),
    Route("/reviews/{id:int}", edit, methods=["GET", "POST"]),
    *(Route(f"/reviews/{{id:int}}/{step}", moderate, methods=["POST"]) for step in ("approve", "reject", "delete")),
]
