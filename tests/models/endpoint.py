"""A real HTTP server that speaks chat completions (or what `check` says), and fails in whatever way a test asks for."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

Behaviour = Callable[[Request], Awaitable[Response]]
Check = Callable[[Request, Any], Response | None]


@dataclass
class Endpoint:
    """`behaviours` are used one a request; when they have run out, the last one stays."""

    behaviours: list[Behaviour]
    check: Check | None = None
    port: int = 0
    in_flight: int = 0
    most_in_flight: int = 0
    bodies: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)

    @property
    def root(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def url(self) -> str:
        return f"{self.root}/v1"

    async def handle(self, request: Request) -> Response:
        self.bodies.append(json.loads(await request.body()))
        self.headers.append(dict(request.headers))
        if self.check is not None and (refused := self.check(request, self.bodies[-1])) is not None:
            return refused
        behaviour = self.behaviours.pop(0) if len(self.behaviours) > 1 else self.behaviours[0]
        self.in_flight += 1
        self.most_in_flight = max(self.most_in_flight, self.in_flight)
        try:
            return await behaviour(request)
        finally:
            self.in_flight -= 1


class _Server(uvicorn.Server):
    """Uvicorn that says when it listens, and leaves signals to the test runner."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.ready = asyncio.Event()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.ready.set()

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


@asynccontextmanager
async def endpoint(
    *behaviours: Behaviour, path: str = "/v1/chat/completions", check: Check | None = None
) -> AsyncIterator[Endpoint]:
    """Serve on a free port of the loopback interface, in this event loop.

    What `check` refuses gets its response; everything else the next behaviour.
    """
    there = Endpoint(list(behaviours), check)
    app = Starlette(routes=[Route(path, there.handle, methods=["POST"])])
    server = _Server(
        uvicorn.Config(app, host="127.0.0.1", port=0, log_level="critical", lifespan="off", timeout_graceful_shutdown=1)
    )
    serving = asyncio.create_task(server.serve())
    await server.ready.wait()
    there.port = server.servers[0].sockets[0].getsockname()[1]
    try:
        yield there
    finally:
        server.should_exit = True
        await serving


def says(text: str | None, *, reason: str = "stop", refusal: str | None = None) -> Behaviour:
    async def respond(request: Request) -> Response:
        message = {"role": "assistant", "content": text, "refusal": refusal}
        return JSONResponse(
            {
                "object": "chat.completion",
                "choices": [{"index": 0, "message": message, "finish_reason": reason}],
                "usage": {"prompt_tokens": 1300, "completion_tokens": 42},
            }
        )

    return respond


def fails(status: int, message: str = "no", *, code: str = "", headers: dict[str, str] | None = None) -> Behaviour:
    async def respond(request: Request) -> Response:
        return JSONResponse({"error": {"message": message, "code": code}}, status_code=status, headers=headers)

    return respond


def raw(body: str, status: int = 200) -> Behaviour:
    async def respond(request: Request) -> Response:
        return Response(body, status_code=status, media_type="text/html")

    return respond


def cut() -> Behaviour:
    """Promise more bytes than are sent, then close."""

    async def respond(request: Request) -> Response:
        async def pieces() -> AsyncIterator[bytes]:
            yield b'{"choices": [{"message": {"content": "{'

        return StreamingResponse(pieces(), headers={"content-length": "5000"}, media_type="application/json")

    return respond


def hangs(released: asyncio.Event) -> Behaviour:
    async def respond(request: Request) -> Response:
        await released.wait()
        return JSONResponse({})

    return respond
