"""Forms as data: a `Field` says what a control holds, `read` turns a submission into values or field errors.

A form that comes back with errors shows what was typed (`Reading.raw`), the error beside its control, and a summary
that links to each; `templates/forms.html` draws all of it.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal, InvalidOperation
from typing import Any, Literal

from guideact.sites.shopping_admin.richtext import sanitise

Kind = Literal[
    "text", "textarea", "email", "money", "integer", "decimal", "select", "switch", "date", "password", "rich"
]
Options = tuple[tuple[str, str], ...]

EMAIL = re.compile(r"[^@\s]+@[^@\s.]+(\.[^@\s.]+)+\Z")
MAX_CENTS = 100_000_000
"""One million dollars: amounts above are typing errors."""


@dataclass(frozen=True)
class Field:
    """One control. `options` are (value, label) pairs of a select; `pattern` is a regular expression and the sentence
    shown when a value does not match it."""

    name: str
    label: str
    kind: Kind = "text"
    required: bool = False
    hint: str = ""
    options: Options = ()
    minimum: int | None = None
    maximum: int | None = None
    max_length: int = 200
    pattern: tuple[str, str] | None = None
    prefix: str = ""
    suffix: str = ""
    wide: bool = False
    autocomplete: str = "off"


@dataclass(frozen=True)
class Section:
    """Fields under one heading."""

    title: str
    fields: tuple[Field, ...]
    text: str = ""


@dataclass(frozen=True)
class Reading:
    """A read submission: `values` hold Python values of the fields without an error, `raw` what was typed."""

    values: dict[str, Any] = field(default_factory=dict)
    raw: dict[str, str] = field(default_factory=dict)
    errors: dict[str, str] = field(default_factory=dict)

    @property
    def ok(self) -> bool:
        return not self.errors


def fields_of(sections: Sequence[Section]) -> tuple[Field, ...]:
    """All fields of some sections, in order."""
    return tuple(each for section in sections for each in section.fields)


def cents_text(cents: int | None) -> str:
    """How an amount stands in an input: 1234 -> "12.34", None -> ""."""
    if cents is None:
        return ""
    sign, cents = ("-", -cents) if cents < 0 else ("", cents)
    return f"{sign}{cents // 100}.{cents % 100:02d}"


def raw_of(fields: Sequence[Field], row: Mapping[str, Any] | sqlite3.Row) -> dict[str, str]:
    """The text each control shows for a stored row, whose columns are named like the fields."""
    raw = {}
    for each in fields:
        value = row[each.name]
        if each.kind == "money":
            raw[each.name] = cents_text(value)
        else:
            raw[each.name] = "" if value is None else str(value)
    return raw


def read(fields: Sequence[Field], form: Mapping[str, Any]) -> Reading:
    """Values and errors of a submitted form. An empty optional number or date is None, an empty text is ""."""
    reading = Reading()
    for each in fields:
        text = str(form.get(each.name, ""))
        text = text.replace("\r\n", "\n").replace("\r", "\n")
        if each.kind not in ("password", "rich", "textarea"):
            text = " ".join(text.split())
        elif each.kind == "textarea":
            text = text.strip()
        reading.raw[each.name] = text
        try:
            reading.values[each.name] = parse(each, text)
        except ValueError as error:
            reading.errors[each.name] = str(error)
    return reading


def parse(each: Field, text: str) -> Any:
    """The value of one control; ValueError carries the sentence to show at it."""
    if each.kind == "switch":
        return int(text in ("1", "on"))
    if each.kind == "rich":
        clean = sanitise(text)
        if each.required and not clean:
            raise ValueError(f"{each.label} is required.")
        return clean
    if not text:
        if each.required:
            raise ValueError(f"{each.label} is required.")
        return None if each.kind in ("money", "integer", "decimal", "date") else ""
    if each.kind == "select":
        if text not in {value for value, _ in each.options}:
            raise ValueError(f"Choose one of the listed options for {each.label.lower()}.")
        return text
    if each.kind == "money":
        return _parse_money(each, text)
    if each.kind == "integer":
        return _parse_integer(each, text)
    if each.kind == "decimal":
        return _parse_decimal(each, text)
    if each.kind == "date":
        try:
            return date.fromisoformat(text).isoformat()
        except ValueError:
            raise ValueError("Enter a date as YYYY-MM-DD, for example 2026-03-31.") from None
    if each.kind == "email" and not EMAIL.match(text):
        raise ValueError("Enter an email address such as name@example.com.")
    if len(text) > each.max_length:
        raise ValueError(f"{each.label} may have at most {each.max_length} characters.")
    if each.pattern and not re.fullmatch(each.pattern[0], text):
        raise ValueError(each.pattern[1])
    return text


def _parse_money(each: Field, text: str) -> int:
    """ "$1,234.5" -> 123450 cents."""
    bare = text.replace("$", "").replace(" ", "")
    if not re.fullmatch(r"-?(\d+|\d{1,3}(,\d{3})+)?(\.\d{1,2})?", bare) or not re.search(r"\d", bare):
        raise ValueError("Enter an amount such as 24.90.")
    cents = int(Decimal(bare.replace(",", "")) * 100)
    least = each.minimum if each.minimum is not None else 0
    if cents < least:
        raise ValueError(f"{each.label} must be at least ${cents_text(least)}.")
    most = each.maximum if each.maximum is not None else MAX_CENTS
    if cents > most:
        raise ValueError(f"{each.label} may be at most ${cents_text(most)}.")
    return cents


def _parse_integer(each: Field, text: str) -> int:
    if not re.fullmatch(r"[+-]?[0-9]{1,9}", text):
        raise ValueError("Enter a whole number.")
    number = int(text)
    if each.minimum is not None and number < each.minimum:
        raise ValueError(f"{each.label} must be at least {each.minimum}.")
    if each.maximum is not None and number > each.maximum:
        raise ValueError(f"{each.label} may be at most {each.maximum}.")
    return number


def _parse_decimal(each: Field, text: str) -> str:
    """A decimal number, kept as its shortest text: settings store text."""
    try:
        number = Decimal(text)
    except InvalidOperation:
        raise ValueError("Enter a number such as 8 or 8.5.") from None
    if not number.is_finite():
        raise ValueError("Enter a number such as 8 or 8.5.")
    if each.minimum is not None and number < each.minimum:
        raise ValueError(f"{each.label} must be at least {each.minimum}.")
    if each.maximum is not None and number > each.maximum:
        raise ValueError(f"{each.label} may be at most {each.maximum}.")
    return f"{number.normalize():f}"
