"""Lists of saved places: making, filling, annotating and sharing them."""

from __future__ import annotations

import sqlite3

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from guideact.sites.map.atlas import atlas
from guideact.sites.map.layout import COLOURS, Marker, map_view
from guideact.sites.map.search import Spot, resolve
from guideact.sites.web import (
    execute,
    field,
    flash,
    integer,
    not_found,
    now_text,
    redirect,
    render,
    row,
    rows,
    safe_next,
    signed_in,
    user,
    value,
)

LONGEST_NAME = 40
LONGEST_NOTE = 300
SORTS = {"added": "s.id", "note": "s.note = '', s.note COLLATE NOCASE"}


def _member(request: Request) -> int:
    known = user(request)
    return 0 if known is None else known["id"]


def _own_list(request: Request, number: int) -> sqlite3.Row:
    found = row(request, "SELECT * FROM place_list WHERE id = ? AND member_id = ?", number, _member(request))
    if found is None:
        not_found("You have no such list.")
    return found


def _own_saved(request: Request) -> sqlite3.Row:
    found = row(
        request,
        "SELECT s.*, l.name AS list_name FROM saved_place s JOIN place_list l ON l.id = s.list_id"
        " WHERE s.id = ? AND l.member_id = ?",
        request.path_params["saved"],
        _member(request),
    )
    if found is None:
        not_found("This place is not among your saved ones.")
    return found


def spot_of(ref: str) -> Spot:
    """What a saved reference stands for. Raises LookupError for one that the map does not have."""
    found = resolve(ref)
    if found is None:
        raise LookupError(f"{ref} is not on the map")
    return found


def _name_error(request: Request, name: str, number: int = 0) -> str:
    if not name:
        return "Give the list a name."
    if len(name) > LONGEST_NAME:
        return f"Use at most {LONGEST_NAME} characters."
    taken = value(
        request,
        "SELECT 1 FROM place_list WHERE member_id = ? AND name = ? COLLATE NOCASE AND id <> ?",
        _member(request),
        name,
        number,
    )
    return "You already have a list of this name." if taken else ""


@signed_in
async def lists(request: Request) -> Response:
    """All lists; a POST makes a new one."""
    name, error = field(request, "name"), ""
    if request.method == "POST":
        error = _name_error(request, name)
        if not error:
            number = execute(
                request,
                "INSERT INTO place_list (member_id, name, description, created_at) VALUES (?, ?, ?, ?)",
                _member(request),
                name,
                field(request, "description")[:200],
                now_text(),
            )
            flash(request, f"The list “{name}” was made.")
            return redirect(f"/saved/{number}")
    found = rows(
        request,
        "SELECT l.*, COUNT(s.id) AS size FROM place_list l LEFT JOIN saved_place s ON s.list_id = l.id"
        " WHERE l.member_id = ? GROUP BY l.id ORDER BY l.id",
        _member(request),
    )
    saved = rows(
        request,
        "SELECT s.place, s.colour FROM saved_place s JOIN place_list l ON l.id = s.list_id"
        " WHERE l.member_id = ? ORDER BY s.id",
        _member(request),
    )
    spots = {one["place"]: (spot_of(one["place"]), one["colour"]) for one in saved}
    return render(
        request,
        "lists.html",
        status=422 if error else 200,
        lists=found,
        name=name,
        error=error,
        map=map_view(
            Marker(f"Saved: {spot.name}", spot.at, spot.url, "", COLOURS[colour])
            for spot, colour in spots.values()
            if spot.at is not None
        ),
    )


@signed_in
async def one_list(request: Request) -> Response:
    chosen = _own_list(request, request.path_params["list"])
    sort = field(request, "sort", "added")
    found = rows(
        request,
        f"SELECT * FROM saved_place s WHERE s.list_id = ? ORDER BY {SORTS.get(sort, 's.id')}, s.id",
        chosen["id"],
    )
    entries = [(one, spot_of(one["place"])) for one in found]
    if sort == "name":
        entries.sort(key=lambda entry: entry[1].name.casefold())
    others = rows(
        request,
        "SELECT id, name FROM place_list WHERE member_id = ? AND id <> ? ORDER BY id",
        _member(request),
        chosen["id"],
    )
    return render(
        request,
        "list.html",
        list=chosen,
        entries=entries,
        others=others,
        sort=sort,
        colours=list(COLOURS),
        map=map_view(
            Marker(f"Marker {number}: {spot.name}", spot.at, spot.url, "", COLOURS[one["colour"]])
            for number, (one, spot) in enumerate(entries, 1)
            if spot.at is not None
        ),
    )


@signed_in
async def edit_list(request: Request) -> Response:
    """Rename a list, describe it, or make it public."""
    chosen = _own_list(request, request.path_params["list"])
    name, error = field(request, "name"), ""
    if request.method == "POST":
        error = _name_error(request, name, chosen["id"])
        if not error:
            execute(
                request,
                "UPDATE place_list SET name = ?, description = ?, is_public = ? WHERE id = ?",
                name,
                field(request, "description")[:200],
                int(field(request, "is_public") == "1"),
                chosen["id"],
            )
            flash(request, "The list was saved.")
            return redirect(f"/saved/{chosen['id']}")
    return render(
        request,
        "list_edit.html",
        status=422 if error else 200,
        list=chosen,
        name=name if error else chosen["name"],
        error=error,
    )


@signed_in
async def delete_list(request: Request) -> Response:
    chosen = _own_list(request, request.path_params["list"])
    execute(request, "DELETE FROM place_list WHERE id = ?", chosen["id"])
    flash(request, f"The list “{chosen['name']}” was deleted.")
    return redirect("/saved")


@signed_in
async def save(request: Request) -> Response:
    """Put a place into a list: one of one's own, or a new one."""
    spot = resolve(field(request, "place"))
    if spot is None:
        not_found("There is no such place on the map.")
    back = safe_next(request, spot.url)
    number, fresh = integer(request, "list", 0) or 0, field(request, "new_list")
    if fresh:
        error = _name_error(request, fresh)
        if error:
            flash(request, error, "error")
            return redirect(back)
        number = execute(
            request,
            "INSERT INTO place_list (member_id, name, created_at) VALUES (?, ?, ?)",
            _member(request),
            fresh,
            now_text(),
        )
    if not number:
        flash(request, "Choose a list, or name a new one.", "error")
        return redirect(back)
    chosen = _own_list(request, number)
    if value(request, "SELECT 1 FROM saved_place WHERE list_id = ? AND place = ?", number, spot.ref):
        flash(request, f"{spot.name} is already in “{chosen['name']}”.", "info")
        return redirect(back)
    execute(
        request,
        "INSERT INTO saved_place (list_id, place, note, created_at) VALUES (?, ?, ?, ?)",
        number,
        spot.ref,
        field(request, "note")[:LONGEST_NOTE],
        now_text(),
    )
    flash(request, f"{spot.name} was saved to “{chosen['name']}”.")
    return redirect(back)


@signed_in
async def edit_saved(request: Request) -> Response:
    """The note, the colour and the list of a saved place."""
    chosen = _own_saved(request)
    spot = spot_of(chosen["place"])
    own = rows(request, "SELECT id, name FROM place_list WHERE member_id = ? ORDER BY id", _member(request))
    error = ""
    if request.method == "POST":
        number = integer(request, "list", chosen["list_id"]) or 0
        colour = field(request, "colour")
        _own_list(request, number)
        taken = number != chosen["list_id"] and value(
            request, "SELECT 1 FROM saved_place WHERE list_id = ? AND place = ?", number, chosen["place"]
        )
        if taken:
            error = "That list has this place already."
        else:
            execute(
                request,
                "UPDATE saved_place SET note = ?, colour = ?, list_id = ? WHERE id = ?",
                field(request, "note")[:LONGEST_NOTE],
                colour if colour in COLOURS else chosen["colour"],
                number,
                chosen["id"],
            )
            flash(request, f"{spot.name} was changed.")
            return redirect(f"/saved/{number}")
    return render(
        request,
        "saved_edit.html",
        status=422 if error else 200,
        saved=chosen,
        spot=spot,
        lists=own,
        colours=COLOURS,
        error=error,
        map=map_view([Marker(f"{spot.name} on the map", spot.at or atlas().centre, "", "", COLOURS[chosen["colour"]])]),
    )


@signed_in
async def remove(request: Request) -> Response:
    chosen = _own_saved(request)
    execute(request, "DELETE FROM saved_place WHERE id = ?", chosen["id"])
    flash(request, f"{spot_of(chosen['place']).name} was removed from “{chosen['list_name']}”.")
    return redirect(safe_next(request, f"/saved/{chosen['list_id']}"))


async def public_list(request: Request) -> Response:
    """A list that its owner has made public, as others see it."""
    chosen = row(
        request,
        "SELECT l.*, m.username, m.full_name FROM place_list l JOIN member m ON m.id = l.member_id"
        " WHERE l.id = ? AND l.is_public = 1",
        request.path_params["list"],
    )
    if chosen is None:
        not_found("This list is private or does not exist.")
    found = rows(request, "SELECT * FROM saved_place WHERE list_id = ? ORDER BY id", chosen["id"])
    entries = [(one, spot_of(one["place"])) for one in found]
    return render(
        request,
        "public_list.html",
        list=chosen,
        entries=entries,
        map=map_view(
            Marker(f"Marker {number}: {spot.name}", spot.at, spot.url, str(number), COLOURS[one["colour"]])
            for number, (one, spot) in enumerate(entries, 1)
            if spot.at is not None
        ),
    )


async def public_lists(request: Request) -> Response:
    found = rows(
        request,
        "SELECT l.*, m.full_name, COUNT(s.id) AS size FROM place_list l JOIN member m ON m.id = l.member_id"
        " LEFT JOIN saved_place s ON s.list_id = l.id WHERE l.is_public = 1 GROUP BY l.id ORDER BY l.name",
    )
    return render(request, "public_lists.html", lists=found)


ROUTES = [
    Route("/saved", lists, methods=["GET", "POST"]),
    Route("/save", save, methods=["POST"]),
    Route("/saved/{list:int}", one_list),
    Route("/saved/{list:int}/edit", edit_list, methods=["GET", "POST"]),
    Route("/saved/{list:int}/delete", delete_list, methods=["POST"]),
    Route("/saved/place/{saved:int}", edit_saved, methods=["GET", "POST"]),
    Route("/saved/place/{saved:int}/remove", remove, methods=["POST"]),
    Route("/lists", public_lists),
    Route("/lists/{list:int}", public_list),
]
