"""Passwords: hashed with argon2, never stored, logged or shown; guessing is slowed down."""

from __future__ import annotations

import re
import secrets
import time
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING

from guideact.errors import InputError, MissingDependency
from guideact.studio.store import Person, Role, Store

if TYPE_CHECKING:
    from pwdlib import PasswordHash

NAME = re.compile(r"[\w.-]{1,40}")
SHORTEST = 8
"""Characters of a password."""
TRIES = 5
"""Wrong passwords for one name, after which it has to wait."""
WAIT = 30.0
"""Seconds."""


def hash_password(password: str) -> str:
    """Argon2id with the library's recommended cost. Raises InputError for a short one."""
    if len(password) < SHORTEST:
        raise InputError(f"the password has fewer than {SHORTEST} characters", fix="Give a longer one.")
    return _hasher().hash(password)


def add_person(store: Store, name: str, password: str, role: Role, language: str) -> None:
    """Add an account, or change it. Raises InputError for a bad name or a short password."""
    if not NAME.fullmatch(name):
        raise InputError(f"{name!r} is no name", fix="Use 1 to 40 letters, digits, dots, dashes or underscores.")
    store.add_person(name, hash_password(password), role, language)


@dataclass
class SignIn:
    """Checks passwords, and remembers wrong ones for a while."""

    store: Store
    _wrong: dict[str, list[float]] = field(default_factory=dict)

    def waits(self, name: str) -> bool:
        """Whether too many wrong passwords were given for a name of late."""
        recent = [at for at in self._wrong.get(name, ()) if time.monotonic() - at < WAIT]
        self._wrong[name] = recent
        return len(recent) >= TRIES

    def check(self, name: str, password: str) -> Person | None:
        """Who signs in; None for a wrong name or password, which take the same time."""
        person = self.store.person(name)
        known = person.password if person is not None else _nobody()
        if _hasher().verify(password, known) and person is not None:
            self._wrong.pop(name, None)
            return person
        self._wrong.setdefault(name, []).append(time.monotonic())
        return None


@lru_cache(1)
def _nobody() -> str:
    """A hash that no password has, so that an unknown name takes as long as a known one."""
    return _hasher().hash(secrets.token_hex(16))


def _hasher() -> PasswordHash:
    try:
        from pwdlib import PasswordHash
        from pwdlib.hashers.argon2 import Argon2Hasher
    except ImportError as error:
        raise MissingDependency("The studio needs pwdlib", fix="pip install 'guideact[studio]'") from error
    return PasswordHash((Argon2Hasher(),))
