"""All templates: every module here holds `TEMPLATES`, a tuple of `Template`s."""

from __future__ import annotations

import functools
import importlib
import pkgutil
import traceback
from pathlib import Path

from guideact.errors import InputError
from guideact.tasks.template import Template


@functools.cache
def all_templates() -> tuple[Template, ...]:
    """Every template, by id. Raises InputError when two share one, and for a module that cannot be read."""
    found: dict[str, Template] = {}
    for module in sorted(module.name for module in pkgutil.iter_modules(__path__)):
        for template in _templates_of(module):
            if template.id in found:
                raise InputError(f"two templates are called {template.id}", fix=f"Rename the one in {module}.py.")
            found[template.id] = template
    return tuple(found[name] for name in sorted(found))


def _templates_of(module: str) -> tuple[Template, ...]:
    path = Path(__path__[0]) / f"{module}.py"
    try:
        loaded = importlib.import_module(f"{__name__}.{module}")
    except Exception as error:
        lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == str(path)]
        line = error.lineno if isinstance(error, SyntaxError) and error.filename == str(path) else (lines or [None])[-1]
        what = " ".join(f"{type(error).__name__}: {error}".split())
        raise InputError(
            f"{path}{f':{line}' if line else ''} cannot be loaded, {what}",
            fix="Mend it there; docs/add-a-task.md has whole examples.",
        ) from error
    templates = getattr(loaded, "TEMPLATES", None)
    if not isinstance(templates, tuple) or not all(isinstance(one, Template) for one in templates):
        raise InputError(
            f"{path} holds no TEMPLATES, a tuple of Template records",
            fix="Mind the trailing comma: TEMPLATES = (Template(...),).",
        )
    return templates
