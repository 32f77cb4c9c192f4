"""Which addresses a session may reach.

Requests are refused by a dead proxy with a bypass list, which nothing gets around: redirects, websockets and other
ports included. `data:` and `blob:` documents need no network, so the address of the page is checked as well.
"""

from __future__ import annotations

from fnmatch import fnmatchcase
from urllib.parse import urlsplit

from playwright.async_api import ProxySettings

_DEAD = "http://127.0.0.1:1"
_PORTS = {"http": 80, "https": 443}


def proxy(allow: tuple[str, ...] | None) -> ProxySettings | None:
    """Proxy settings of a context that may reach `allow` (`host:port` patterns) only; None for any host."""
    if allow is None:
        return None
    return {"server": _DEAD, "bypass": ",".join(("<-loopback>", *allow))}


def allowed(url: str, allow: tuple[str, ...] | None) -> bool:
    """Whether a document may be shown: http(s) of an allowed host, or a blank page."""
    if url in ("", "about:blank", "about:srcdoc"):
        return True
    parts = urlsplit(url)
    if parts.scheme not in _PORTS:
        return allow is None
    if allow is None:
        return True
    try:
        port = parts.port or _PORTS[parts.scheme]
    except ValueError:
        return False
    host = f"{(parts.hostname or '').lower()}:{port}"
    return any(fnmatchcase(host, pattern.lower()) for pattern in allow)


def named(url: str) -> str:
    """What an address is called in a sentence: its host, or its scheme where it has none."""
    parts = urlsplit(url)
    return parts.hostname or f"a {parts.scheme}: page"
