"""How faults of files are worded."""

from __future__ import annotations

import pytest
from pydantic import BaseModel, ValidationError, model_validator

from guideact.errors import first_fault


class Inner(BaseModel):
    count: int


class Record(BaseModel):
    name: str
    parts: tuple[Inner, ...] = ()

    @model_validator(mode="after")
    def has_a_name(self) -> Record:
        if not self.name:
            raise ValueError("the name is empty")
        return self


def fault(value: object, *within: str) -> str:
    with pytest.raises(ValidationError) as caught:
        Record.model_validate(value)
    return first_fault(caught.value, *within)


def test_a_fault_names_its_field_by_its_path() -> None:
    assert fault({"name": "a", "parts": [{"count": 1}, {"count": "x"}]}).startswith("parts.1.count: Input should be a ")
    assert fault({"parts": []}, "configs", "eval") == "configs.eval.name: Field required"


def test_a_fault_of_the_whole_names_none() -> None:
    assert fault({"name": ""}) == "the name is empty"
    assert fault(7).startswith("Input should be a ")
