"""The JSON schema of an answer, for decoding that is held to it (`--structured-output`).

It asks for what the prompt asks for and no more: the keys in their order, the verbs, and what a target and a value can
be. Bounds (a mark that is on the page, a point on the screen) are left out, since the providers' subsets of JSON schema
know few of them. What such an answer says can still be wrong, and its guide can still leak.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from guideact.actions import KEYS
from guideact.types import VERBS

_PROPERTIES: dict[str, dict[str, Any]] = {
    "think": {"type": "string"},
    "action": {"type": "string", "enum": list(VERBS)},
    "target": {"anyOf": [{"type": "array", "items": {"type": "integer"}}, {"type": "null"}]},
    "value": {"anyOf": [{"type": "string"}, {"type": "null"}]},
    "guide": {"type": "string"},
}


def answer_schema(order: Sequence[str] = KEYS) -> dict[str, Any]:
    """The schema of an answer whose keys are decoded in `order`."""
    return {
        "type": "object",
        "properties": {key: dict(_PROPERTIES[key]) for key in order},
        "required": list(order),
        "additionalProperties": False,
    }
