from __future__ import annotations

import pytest

from guideact.harness import browsers, ray_crew, runner


@pytest.fixture(autouse=True)
def no_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    """What failed is begun anew at once."""
    monkeypatch.setattr(runner, "REST_SECONDS", 0.0)
    monkeypatch.setattr(browsers, "REST_SECONDS", (0.0, 0.0))
    monkeypatch.setattr(ray_crew, "REST_SECONDS", 0.0)
