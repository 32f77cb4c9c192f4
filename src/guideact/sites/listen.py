"""An ASGI application that answers on this machine while a block runs."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import socket
from collections.abc import AsyncIterator, Iterator
from typing import Any

import uvicorn

from guideact.errors import InputError


class _Uvicorn(uvicorn.Server):
    """Uvicorn as a guest in somebody else's event loop: signals stay with the host; `ready` is set when it listens."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.ready = asyncio.Event()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.ready.set()

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


def bind(port: int) -> socket.socket:
    """A socket that listens on 127.0.0.1; port 0 takes a free one. Raises InputError where it is taken or none."""
    if not 0 <= port <= 65535:
        raise InputError(
            f"port {port} is none: they go from 0 to 65535",
            fix="Give another one with --port, or 0 for any that is free.",
        )
    # The protocol is named because asyncio turns Nagle's algorithm off only where it is: 40 ms a response otherwise.
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(("127.0.0.1", port))
        listener.listen(1024)
    except OSError as error:
        listener.close()
        if error.errno == errno.EADDRINUSE:
            raise InputError(
                f"port {port} is already in use", fix="Give another one with --port, or 0 for any that is free."
            ) from error
        raise InputError(
            f"cannot listen on port {port}: {error.strerror}", fix="Give another one with --port."
        ) from error
    listener.setblocking(False)
    return listener


@contextlib.asynccontextmanager
async def answering(app: Any, listener: socket.socket) -> AsyncIterator[None]:
    """Answer on a socket of `bind` while the block runs; the socket is closed at its end."""
    config: dict[str, Any] = {"lifespan": "off", "ws": "none", "log_config": None, "access_log": False}
    runner = _Uvicorn(uvicorn.Config(app, timeout_graceful_shutdown=2, server_header=False, **config))
    running = asyncio.create_task(runner.serve(sockets=[listener]))
    try:
        await runner.ready.wait()
        yield
    finally:
        runner.should_exit = True
        await running
        listener.close()
