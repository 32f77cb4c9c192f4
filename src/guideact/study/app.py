"""The pages of a served study as an ASGI application, and the websites of its trials behind the same port.

There is one address, `/`: it shows whatever a participant has to do next, so that reloading, going back, or coming
another day leads to the right page. A form names the trial that it is about; one that was left open in an old tab does
nothing.
"""

from __future__ import annotations

from functools import lru_cache, partial
from importlib.resources import files
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from guideact.sites.server import place
from guideact.studio.web import Headers, csrf, form_of, sessions
from guideact.study.desk import Desk
from guideact.study.folder import PICTURES, Question, Shown
from guideact.study.gate import Gate, entrance
from guideact.study.state import Person
from guideact.study.words import LANGUAGES, translate

SCALE = 7
LONGEST = 2000
"""Characters of an answer in words that are kept."""


def make_app(desk: Desk) -> ASGIApp:
    """The application. Raises MissingDependency without what the extra `studio` brings."""
    session = sessions(desk.key, "guideact_study", "A study")
    posts = {
        "code": _code,
        "language": _language,
        "leave": _leave,
        "consent": _consent,
        "begin": _begin,
        "done": _done,
        "give-up": _give_up,
        "answers": _answers,
        "withdraw": _withdraw,
    }
    app = Starlette(
        routes=[
            Route("/", _home),
            Route("/website", _website),
            Route("/picture/{name}", _picture),
            Route("/static/study.css", _style),
            *(Route(f"/{name}", handler, methods=["POST"]) for name, handler in posts.items()),
        ],
        middleware=[Middleware(Headers), session],
        exception_handlers={HTTPException: _problem},
    )
    app.state.desk = desk
    return _Front(app, Gate(desk))


class _Front:
    """One port for both: the websites have hosts of their own."""

    def __init__(self, study: ASGIApp, websites: ASGIApp) -> None:
        self._study, self._websites = study, websites

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        website = scope["type"] == "http" and place(Request(scope).headers.get("host", "")) is not None
        await (self._websites if website else self._study)(scope, receive, send)


# --- what is shown --------------------------------------------------------------------------------------------------


async def _home(request: Request) -> Response:
    person = await _person(request)
    if person is None:
        return _page(request, None, "code.html", problem="")
    match person.place:
        case "consent":
            return _page(request, person, "consent.html", blocks=blocks(_desk(request).study.consent))
        case "trial":
            return _trial(request, person)
        case "questions" | "end":
            return _questions(request, person, {}, frozenset())
        case other:
            return _page(request, person, f"{other}.html")


def _trial(request: Request, person: Person) -> Response:
    desk, current = _desk(request), person.current
    assert current is not None
    return _page(
        request,
        person,
        "trial.html",
        steps=_shown(desk, person).steps,
        goal=desk.study.task(current.trial.task).intent if desk.study.settings.goals else "",
        minutes=f"{desk.study.settings.minutes:g}",
        # The page asks again when the time is up, and is then shown the questions.
        refresh=int(desk.left(current).total_seconds()) + 1,
    )


def _questions(request: Request, person: Person, given: dict[str, str], missing: frozenset[str]) -> Response:
    asked = _asked(_desk(request), person)
    steps = _shown(_desk(request), person).steps if person.place == "questions" else ()
    status = 422 if missing else 200
    return _page(
        request, person, "questions.html", status, asked=asked, steps=steps, given=given, missing=missing, scale=SCALE
    )


async def _website(request: Request) -> Response:
    """Into the websites of the trial that goes on."""
    person = await _person(request)
    if person is None or person.place != "trial" or person.current is None:
        return RedirectResponse("/", 303)
    return RedirectResponse(entrance(_desk(request), person.current.instance), 303)


async def _picture(request: Request) -> Response:
    """A picture of the guide at hand, and of no other."""
    person, name = await _person(request), request.path_params["name"]
    desk = _desk(request)
    if person is None or person.place not in ("trial", "questions"):
        raise HTTPException(404)
    if name not in {step.picture for step in _shown(desk, person).steps if step.picture}:
        raise HTTPException(404)
    return Response((desk.study.folder / PICTURES / name).read_bytes(), media_type="image/webp")


async def _style(request: Request) -> Response:
    return Response(files(__package__).joinpath("static", "study.css").read_bytes(), media_type="text/css")


# --- what is sent ---------------------------------------------------------------------------------------------------


async def _code(request: Request) -> Response:
    fields = await form_of(request)
    given = "".join(letter for letter in fields.get("code", "")[:100].upper() if letter.isalnum())
    number = _desk(request).study.codes.get(f"{given[:5]}-{given[5:]}")
    if number is None:
        problem = "There is no such code. Look at it again: it has ten letters and digits."
        return _page(request, None, "code.html", 401, problem=problem)
    language = _language_of(request, None)
    request.session.clear()
    request.session.update(participant=number, language=language)
    return RedirectResponse("/", 303)


async def _language(request: Request) -> Response:
    fields = await form_of(request)
    if fields.get("language") not in LANGUAGES:
        raise HTTPException(400)
    request.session["language"] = fields["language"]
    return RedirectResponse("/", 303)


async def _leave(request: Request) -> Response:
    await form_of(request)
    request.session.clear()
    return RedirectResponse("/", 303)


async def _consent(request: Request) -> Response:
    fields = await form_of(request)
    person = await _person(request)
    if person is not None and fields.get("agree") == "yes":
        # The text that was read, not the one that would be shown now.
        language = fields.get("language", "")
        if language not in LANGUAGES:
            raise HTTPException(400)
        _desk(request).consent(person.number, language)
    return RedirectResponse("/", 303)


async def _begin(request: Request) -> Response:
    person, position, _ = await _sent(request)
    _desk(request).begin(person.number, position)
    return RedirectResponse("/", 303)


async def _done(request: Request) -> Response:
    person, position, _ = await _sent(request)
    await _desk(request).end(person.number, position, "done")
    return RedirectResponse("/", 303)


async def _give_up(request: Request) -> Response:
    person, position, _ = await _sent(request)
    await _desk(request).end(person.number, position, "gave_up")
    return RedirectResponse("/", 303)


async def _answers(request: Request) -> Response:
    person, position, fields = await _sent(request)
    at = person.current.position if person.current is not None else -1
    if person.place not in ("questions", "end") or position != at:
        return RedirectResponse("/", 303)
    desk = _desk(request)
    answers: dict[str, Any] = {}
    missing = set()
    for question in _asked(desk, person):
        answer = _read(question, fields.get(question.id, ""), len(_shown(desk, person).steps) if at >= 0 else 0)
        if answer is None:
            missing.add(question.id)
        answers[question.id] = answer
    if missing:
        return _questions(request, person, fields, frozenset(missing))
    desk.answer(person.number, at if at >= 0 else None, answers)
    return RedirectResponse("/", 303)


async def _withdraw(request: Request) -> Response:
    await form_of(request)
    person = await _person(request)
    if person is not None and person.place not in ("consent", "withdrawn"):
        _desk(request).withdraw(person.number)
    return RedirectResponse("/", 303)


async def _sent(request: Request) -> tuple[Person, int, dict[str, str]]:
    """Who sent a form, about which trial (-1: none), and its fields. Raises 403 for nobody, 400 for no trial."""
    fields = await form_of(request)
    person = await _person(request)
    if person is None:
        raise HTTPException(403)
    try:
        return person, int(fields.pop("trial", "")), fields
    except ValueError as error:
        raise HTTPException(400) from error


def _read(question: Question, given: str, steps: int) -> int | str | None:
    """An answer; None where it is missing or cannot be."""
    if question.kind == "text":
        return given.strip()[:LONGEST]
    low, high = (1, SCALE) if question.kind == "scale" else (0, steps)
    return int(given) if given.isdecimal() and len(given) < 5 and low <= int(given) <= high else None


# --- what all of it shares ------------------------------------------------------------------------------------------


def _desk(request: Request) -> Desk:
    found: Desk = request.app.state.desk
    return found


async def _person(request: Request) -> Person | None:
    """Whose code was entered in this browser."""
    desk, number = _desk(request), request.session.get("participant")
    if not isinstance(number, int) or not 1 <= number <= len(desk.study.settings.assignment):
        return None
    return await desk.settled(number)


def _shown(desk: Desk, person: Person) -> Shown:
    assert person.current is not None
    trial = person.current.trial
    return desk.study.shown[trial.task, trial.condition]


def _asked(desk: Desk, person: Person) -> tuple[Question, ...]:
    """The questions of now. Without a guide nobody is asked about its steps."""
    if person.place == "end":
        return desk.study.questions.at_end
    guided = bool(_shown(desk, person).steps)
    return tuple(each for each in desk.study.questions.after_task if guided or each.kind != "step")


def _language_of(request: Request, person: Person | None) -> str:
    """The one chosen in this browser, else that of the consent, else what the browser asks for first."""
    asked = request.headers.get("accept-language", "")[:2].lower()
    found = request.session.get("language") or (person.language if person is not None else "") or asked
    return found if found in LANGUAGES else "en"


def _page(request: Request, person: Person | None, template: str, status: int = 200, **values: Any) -> HTMLResponse:
    language = _language_of(request, person)
    if "blocks" in values:
        values["blocks"] = values["blocks"][language]
    text = (
        _environment()
        .get_template(template)
        .render(
            t=partial(translate, language),
            language=language,
            languages=LANGUAGES,
            csrf=csrf(request),
            person=person,
            current=person.current if person is not None else None,
            **values,
        )
    )
    return HTMLResponse(text, status)


_PROBLEMS = {
    400: "That cannot be.",
    403: "The form is out of date. Go to the start and try again.",
    404: "There is no such page.",
    405: "There is no such page.",
    413: "That is too much at once.",
}


async def _problem(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    text = _PROBLEMS.get(error.status_code, "Something went wrong.")
    return _page(request, None, "problem.html", error.status_code, text=text)


def blocks(texts: dict[str, str]) -> dict[str, list[tuple[str, list[str]]]]:
    """Consent texts as (kind, lines) for the page: `h1`, `h2`, `ul` or `p`. Of Markdown no more than that is read."""
    found: dict[str, list[tuple[str, list[str]]]] = {}
    for language, text in texts.items():
        made: list[tuple[str, list[str]]] = []
        for part in text.split("\n\n"):
            for line in filter(None, map(str.strip, part.splitlines())):
                mark, _, rest = line.partition(" ")
                kind = {"#": "h1", "##": "h2", "-": "ul"}.get(mark, "p")
                said = rest if kind != "p" else line
                if made and made[-1][0] == kind == "ul":
                    made[-1][1].append(said)
                else:
                    made.append((kind, [said]))
        found[language] = made
    return found


@lru_cache(1)
def _environment() -> Environment:
    loader = PackageLoader("guideact.study", "templates")
    return Environment(loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
