"""Is the active tab where it should be? The path is compared exactly, the query as a multiset."""

from __future__ import annotations

import re
from collections import Counter
from urllib.parse import parse_qsl, unquote, urlsplit

from guideact.types import CheckPart, UrlCheck

_INSTANCE = re.compile(r"-i\d+$")


def site_of(url: str) -> str:
    """The site of a url: `http://shopping-admin-i7.localhost:8080/x` -> `shopping_admin`; "" for another host."""
    host = urlsplit(url).hostname or ""
    if not host.endswith(".localhost"):
        return ""
    return _INSTANCE.sub("", host.removesuffix(".localhost")).replace("-", "_")


def parts_of(url: str) -> tuple[str, Counter[tuple[str, str]]]:
    """Path (decoded, no slash at the end) and query pairs of a url; the fragment is left out."""
    split = urlsplit(url)
    path = unquote(split.path).rstrip("/") or "/"
    return path, Counter(parse_qsl(split.query, keep_blank_values=True))


def check_url(check: UrlCheck, url: str) -> CheckPart:
    """The verdict on a final url, canonical or actual (instance and port do not matter)."""
    path, query = parts_of(url)
    wanted_path, wanted_query = parts_of(check.path)[0], Counter(check.query)
    reason = ""
    if site_of(url) != check.site:
        reason = f"on {site_of(url) or repr(url)}, not on {check.site}"
    elif path != wanted_path:
        reason = f"at {path}, not at {wanted_path}"
    elif missing := wanted_query - query:
        reason = f"the query lacks {_pairs(missing)}"
    elif check.exact_query and (extra := query - wanted_query):
        reason = f"the query also has {_pairs(extra)}"
    return CheckPart(part="url", passed=not reason, reason=reason)


def _pairs(query: Counter[tuple[str, str]]) -> str:
    return "&".join(f"{key}={value}" for key, value in query.elements())
