"""The studio as an ASGI application."""

from __future__ import annotations

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from guideact.errors import InputError
from guideact.studio import audits, boards, reviews
from guideact.studio.accounts import SignIn
from guideact.studio.runs import Runs
from guideact.studio.store import Store
from guideact.studio.web import Headers, Studio, begin_session, form_of, page, person_of, sessions, static, studio_of
from guideact.studio.words import LANGUAGES
from guideact.studio.work import Plan


def make_app(store: Store, plan: Plan, runs: Runs) -> Starlette:
    """The application. Raises MissingDependency without what the extra `studio` brings."""
    session = sessions(store.key, "guideact_studio", "The studio")
    app = Starlette(
        routes=[
            Route("/", _home),
            Route("/sign-in", _sign_in, methods=["GET", "POST"]),
            Route("/sign-out", _sign_out, methods=["POST"]),
            Route("/language", _language, methods=["POST"]),
            Route("/static/{name}", _static),
            *reviews.ROUTES,
            *boards.ROUTES,
            *audits.ROUTES,
        ],
        middleware=[Middleware(Headers), session],
        exception_handlers={HTTPException: _problem, InputError: _input_error},
    )
    app.state.studio = Studio(store, plan, runs, SignIn(store))
    return app


async def _home(request: Request) -> Response:
    return RedirectResponse("/work" if person_of(request) else "/sign-in", 303)


async def _sign_in(request: Request) -> Response:
    to = request.query_params.get("to", "/work")
    if not to.startswith("/") or to.startswith(("//", "/\\")):
        to = "/work"
    if request.method == "GET":
        return page(request, "sign_in.html", to=to, problem="", name="")
    fields = await form_of(request)
    name = fields.get("name", "").strip()[:100]
    sign_in = studio_of(request).sign_in
    if sign_in.waits(name):
        problem = "Too many wrong passwords. Wait half a minute and try again."
        return page(request, "sign_in.html", 429, to=to, problem=problem, name=name)
    person = sign_in.check(name, fields.get("password", "")[:1000])
    if person is None:
        return page(request, "sign_in.html", 401, to=to, problem="The name or the password is wrong.", name=name)
    begin_session(request, person)
    return RedirectResponse(to, 303)


async def _sign_out(request: Request) -> Response:
    await form_of(request)
    request.session.clear()
    return RedirectResponse("/sign-in", 303)


async def _language(request: Request) -> Response:
    fields = await form_of(request)
    language, back = fields.get("language", ""), fields.get("back", "/")
    if language not in LANGUAGES:
        raise HTTPException(400)
    request.session["language"] = language
    person = person_of(request)
    if person is not None:
        studio_of(request).store.set_language(person.name, language)
    return RedirectResponse(back if back.startswith("/") and not back.startswith(("//", "/\\")) else "/", 303)


async def _static(request: Request) -> Response:
    name = request.path_params["name"]
    found = static(name)
    if found is None:
        raise HTTPException(404)
    return Response(found, media_type="text/css" if name.endswith(".css") else "text/javascript")


_PROBLEMS = {
    400: "That cannot be.",
    403: "This is not for you, or the form is out of date. Go back, reload the page and try again.",
    404: "There is no such page.",
    405: "There is no such page.",
    413: "That is too much at once.",
}


async def _problem(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    text = _PROBLEMS.get(error.status_code, "Something went wrong.")
    return page(request, "problem.html", error.status_code, text=text, detail="")


async def _input_error(request: Request, error: Exception) -> Response:
    return page(request, "problem.html", 409, text="This cannot be shown:", detail=str(error))
