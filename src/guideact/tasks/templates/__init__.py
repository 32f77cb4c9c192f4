"""All templates: every module here holds `TEMPLATES`, a tuple of `Template`s."""

from __future__ import annotations

import functools
import importlib
import pkgutil

from guideact.errors import InputError
from guideact.tasks.template import Template


@functools.cache
def all_templates() -> tuple[Template, ...]:
    """Every template, by id. Raises InputError when two share one."""
    found: dict[str, Template] = {}
    for module in sorted(module.name for module in pkgutil.iter_modules(__path__)):
        for template in importlib.import_module(f"{__name__}.{module}").TEMPLATES:
            if template.id in found:
                raise InputError(f"two templates are called {template.id}", fix=f"Rename the one in {module}.py.")
            found[template.id] = template
    return tuple(found[name] for name in sorted(found))
