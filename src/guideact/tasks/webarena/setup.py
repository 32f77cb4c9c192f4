"""Where WebArena's sites are, who signs in there, and how they are put back: from options, a file, and variables.

An address given with `--address SITE=URL` wins over the file of `--webarena FILE`, and the file over the variables that
WebArena's users set already (`SHOPPING` or `WA_SHOPPING`, and so on). The file is TOML:

    hosts = ["tiles.example:443"]           # further hosts that pages may load from
    states = ".auth"                        # where logins are kept between runs; left out: in memory alone

    [sites]
    shopping = "http://localhost:7770"

    [accounts.shopping]                     # left out: WebArena's public account
    username = "emma.lopez@gmail.com"
    password = "..."                        # or in the variable WA_SHOPPING_PASSWORD

    [reset]
    command = "sh reset.sh {site}"          # or: url = "http://localhost:7565/reset"
    when = "changed"                        # or "task": before each one
"""

from __future__ import annotations

import difflib
import os
import re
import shlex
import shutil
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit

from pydantic import Field, SecretStr, ValidationError

from guideact.errors import InputError, first_fault
from guideact.types import Frozen

SITES = ("shopping", "shopping_admin", "reddit", "gitlab", "wikipedia", "map")
SITE_WORD = "{site}"
_HOMEPAGE = "homepage"
_PORTS = {"http": 80, "https": 443}
_PLACEHOLDER = re.compile(r"__([A-Z]+(?:_[A-Z]+)*)__")


class Account(Frozen):
    """Who signs in. The password is shown nowhere."""

    username: str = Field(min_length=1)
    password: SecretStr


ACCOUNTS = {
    "shopping": Account(username="emma.lopez@gmail.com", password=SecretStr("Password.123")),
    "shopping_admin": Account(username="admin", password=SecretStr("admin1234")),
    "reddit": Account(username="MarvelsGrantMan136", password=SecretStr("test1234")),
    "gitlab": Account(username="byteblaze", password=SecretStr("hello1234")),
}
"""The accounts that WebArena publishes. Two of its evaluators also sign in to `shopping` as `shopping_admin`."""


class Reset(Frozen):
    """How the sites are put back: a command or an address, for one site (`{site}` in it) or for all at once."""

    command: str = ""
    url: str = ""
    """Asked with GET. 418 means that a reset is under way already, as WebArena's reset servers say it."""
    status: str = ""
    """Asked until it answers 200, with `ready` in its text."""
    ready: str = ""
    when: Literal["changed", "task"] = "changed"
    """`changed`: before a task whose sites a task before may have changed. `task`: before each one."""
    seconds: float = Field(default=600, gt=0)
    """How long it may take until the sites answer again."""

    @property
    def by_site(self) -> bool:
        return SITE_WORD in self.command + self.url


class Setup(Frozen):
    """All that must be known of where the sites run."""

    addresses: Mapping[str, str]
    """By site, without a slash at the end."""
    homepage: str = ""
    """WebArena's page of links, if there is one."""
    hosts: tuple[str, ...] = ()
    """Further `host:port` patterns that pages may load from."""
    accounts: Mapping[str, Account] = Field(default_factory=lambda: dict(ACCOUNTS))
    reset: Reset | None = None
    states: Path | None = None
    """Folder of storage states, named as WebArena names them: shopping_state.json."""

    @property
    def allow(self) -> tuple[str, ...]:
        """What a browser may reach, as `host:port`."""
        pages = [*self.addresses.values(), *([self.homepage] if self.homepage else [])]
        return tuple(dict.fromkeys([*map(host_of, pages), *self.hosts]))

    def host_name(self, site: str) -> str:
        """The host that a site runs on, without its port."""
        return urlsplit(self.addresses[site]).hostname or ""

    def fill(self, text: str) -> str:
        """The text with every placeholder of a site that has an address replaced by it."""
        return _PLACEHOLDER.sub(lambda found: self.addresses.get(found[1].lower(), found[0]), text)

    def canonical(self, url: str) -> str:
        """The address with a site's placeholder in place of where it runs here; any other stays as it is."""
        # The longest first: the back office may lie under the shop.
        for site, address in sorted(self.addresses.items(), key=lambda pair: -len(pair[1])):
            rest = url.removeprefix(address)
            if rest != url and (not rest or rest[0] in "/?#"):
                return f"__{site.upper()}__{rest}"
        return url

    def refuse_missing(self, needed: Mapping[str, Sequence[str]]) -> None:
        """Raise InputError where a site has no address: `needed` gives, for each site, the tasks that need it."""
        missing = {site: tasks for site, tasks in needed.items() if site not in self.addresses}
        if missing:
            said = "; ".join(f"{site} ({_few(tasks)})" for site, tasks in missing.items())
            raise InputError(
                f"no address is known of {said}",
                fix=f"Set {', '.join(map(str.upper, missing))} (or WA_{next(iter(missing)).upper()} and so on), "
                f"or give --address {next(iter(missing))}=http://HOST:PORT.",
            )


def placeholders(texts: Iterable[str]) -> tuple[str, ...]:
    """The sites whose placeholders stand in the texts."""
    found = [name.lower() for text in texts for name in _PLACEHOLDER.findall(text)]
    return tuple(dict.fromkeys(name for name in found if name in SITES))


def host_of(address: str) -> str:
    """`host:port` of an address."""
    parts = urlsplit(address)
    return f"{parts.hostname}:{parts.port or _PORTS[parts.scheme]}"


def read_setup(
    file: Path | None = None, addresses: Sequence[str] = (), environ: Mapping[str, str] | None = None
) -> Setup:
    """What options, file and variables say. Raises InputError, naming the place, for what cannot be used."""
    environ = os.environ if environ is None else environ
    told = _from_file(file) if file is not None else {}
    sites: dict[str, str] = {}
    for site in (*SITES, _HOMEPAGE):
        variable = next((name for name in (f"WA_{site.upper()}", site.upper()) if environ.get(name)), None)
        if variable is not None:
            sites[site] = _address(environ[variable], variable)
    for site, value in _table(told, "sites", file).items():
        sites[_site(site, f"{file}: sites", (*SITES, _HOMEPAGE))] = _address(value, f"{file}: sites.{site}")
    for option in addresses:
        site, equals, value = option.partition("=")
        if not equals:
            raise InputError(f"--address {option!r} names no site", fix="Write --address shopping=http://HOST:PORT.")
        sites[_site(site, "--address", (*SITES, _HOMEPAGE))] = _address(value, f"--address {site}")
    hosts = told.get("hosts", [])
    if not isinstance(hosts, list) or not all(isinstance(each, str) and re.search(r":\d+$", each) for each in hosts):
        raise InputError(f"{file}: hosts is {hosts!r}", fix='Write hosts = ["host:port", ...].')
    states = told.get("states")
    if states is not None and not isinstance(states, str):
        raise InputError(f"{file}: states is {states!r}", fix="Write the path of a folder.")
    return Setup(
        addresses={site: sites[site] for site in SITES if site in sites},
        homepage=sites.get(_HOMEPAGE, ""),
        hosts=tuple(hosts),
        accounts=_accounts(_table(told, "accounts", file), environ, file),
        reset=_reset(_table(told, "reset", file), environ, file),
        states=Path(states) if states is not None else None,
    )


# --- reading ----------------------------------------------------------------------------------------------------

_KEYS = ("sites", "accounts", "reset", "hosts", "states")


def _from_file(path: Path) -> dict[str, Any]:
    try:
        told = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"--webarena {path} cannot be read: {error.strerror}", fix="Check the path.") from error
    except ValueError as error:
        raise InputError(f"--webarena {path} is no TOML: {error}", fix="Mend that place.") from error
    for key in told:
        _site(key, str(path), _KEYS, "key")
    return told


def _table(told: Mapping[str, Any], name: str, file: Path | None) -> dict[str, Any]:
    found = told.get(name, {})
    if not isinstance(found, dict):
        raise InputError(f"{file}: {name} is {found!r}", fix=f"Write a table: [{name}].")
    return found


def _site(name: str, place: str, known: Sequence[str], noun: str = "site") -> str:
    if name not in known:
        close = difflib.get_close_matches(name, known, n=1)
        raise InputError(
            f"{place}: there is no {noun} {name!r}",
            fix=f"Did you mean {close[0]}?" if close else f"Use one of {', '.join(known)}.",
        )
    return name


def _address(value: object, place: str) -> str:
    """An address as it is used: with a scheme, without a slash at its end."""
    text = value.strip() if isinstance(value, str) else ""
    try:
        parts = urlsplit(text if "://" in text else f"http://{text}")
    except ValueError:
        # What stands before an @ may be a secret, and is not repeated.
        raise InputError(f"{place} is no address", fix="Write it as http://HOST:PORT.") from None
    try:
        usable = bool(parts.hostname) and parts.scheme in _PORTS and parts.port != 0
    except ValueError:
        usable = False
    if parts.username is not None or parts.password is not None:
        # What stands before the @ is a secret, and is not repeated.
        raise InputError(f"{place} holds a user or a password", fix="Give accounts in the file of --webarena instead.")
    if not usable or parts.query or parts.fragment or re.search(r"[\s<>\"\\]", text):
        raise InputError(f"{place} is {value!r}, which is no address", fix="Write it as http://HOST:PORT.")
    return parts.geturl().rstrip("/")


def _accounts(table: Mapping[str, Any], environ: Mapping[str, str], file: Path | None) -> dict[str, Account]:
    accounts: dict[str, Account] = {}
    for site in table:
        _site(site, f"{file}: accounts", tuple(ACCOUNTS))
    for site, public in ACCOUNTS.items():
        own = table.get(site, {})
        if not isinstance(own, dict) or not own.keys() <= {"username", "password"}:
            raise InputError(f"{file}: accounts.{site} cannot be read", fix="Give it a username and a password.")
        given = {
            name: environ.get(f"WA_{site.upper()}_{name.upper()}") or own.get(name) for name in ("username", "password")
        }
        if given["username"] and not given["password"] and given["username"] != public.username:
            raise InputError(
                f"there is no password for {given['username']} on {site}", fix=f"Set WA_{site.upper()}_PASSWORD."
            )
        if not all(value is None or isinstance(value, str) for value in given.values()):
            raise InputError(f"{file}: accounts.{site} cannot be read", fix="Write both values in quotes.")
        accounts[site] = Account(
            username=given["username"] or public.username,
            password=SecretStr(given["password"]) if given["password"] else public.password,
        )
    return accounts


def _reset(table: Mapping[str, Any], environ: Mapping[str, str], file: Path | None) -> Reset | None:
    if not table:
        server = environ.get("WA_FULL_RESET", "")
        if not server:
            return None
        base = _address(server, "WA_FULL_RESET")
        return Reset(url=f"{base}/reset", status=f"{base}/status", ready="Ready for duty!")
    try:
        reset = Reset.model_validate(table)
    except ValidationError as error:
        raise InputError(f"{file}: {first_fault(error, 'reset')}", fix="See docs/webarena.md.") from error
    if bool(reset.command) == bool(reset.url):
        raise InputError(f"{file}: reset needs a command or a url, and not both", fix="Give one of them.")
    for name in ("url", "status"):
        if value := getattr(reset, name):
            _address(value.replace(SITE_WORD, "site").partition("?")[0], f"{file}: reset.{name}")
    if reset.command:
        _runnable(reset.command, file)
    return reset


def _runnable(command: str, file: Path | None) -> None:
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise InputError(f"{file}: reset.command cannot be read: {error}", fix="Mend its quotes.") from error
    if not words or shutil.which(words[0]) is None:
        raise InputError(
            f"{file}: reset.command begins with {words[0] if words else ''!r}, which is no program",
            fix="Name one that can be run; a script needs its path and the right to be executed.",
        )


def _few(tasks: Sequence[str]) -> str:
    more = f" and {len(tasks) - 2} more" if len(tasks) > 2 else ""
    return f"needed by {', '.join(tasks[:2])}{more}"
