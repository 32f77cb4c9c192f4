"""How Python reaches `*.localhost`: only Chromium resolves those names by itself."""

from __future__ import annotations

import httpx

__all__ = ["LocalhostTransport"]


class LocalhostTransport(httpx.AsyncBaseTransport):
    """Sends a request for `something.localhost` to 127.0.0.1, its Host header kept; refuses any other host.

    A new request is built rather than the given one changed: httpx looks at the original's address to decide which
    cookies belong to it.

        async with httpx.AsyncClient(transport=LocalhostTransport()) as client:
            await client.get(server.url("shopping", 7))
    """

    def __init__(self) -> None:
        self._inner = httpx.AsyncHTTPTransport()

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        if not request.url.host.endswith(".localhost"):
            raise httpx.UnsupportedProtocol(f"only *.localhost can be reached here, not {request.url.host}")
        return await self._inner.handle_async_request(
            httpx.Request(
                request.method,
                request.url.copy_with(host="127.0.0.1"),
                headers=request.headers,
                stream=request.stream,
                extensions=request.extensions,
            )
        )

    async def aclose(self) -> None:
        await self._inner.aclose()
