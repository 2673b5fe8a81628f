"""Fixtures of the assistant's tests: a stand-in for the model."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import pytest

from apps.assistant import providers
from apps.assistant.tests.model_stand_in import StandIn, standing_in


@pytest.fixture(autouse=True)
def _rested(monkeypatch: pytest.MonkeyPatch) -> None:
    """Forget model failures of earlier tests."""
    monkeypatch.setattr(providers, "_back_at", 0.0)


@pytest.fixture
def model(settings: Any) -> Generator[StandIn]:
    """A local model server. The test sets its answers in `script`."""
    with standing_in() as stand_in:
        settings.ASSISTANT_BASE_URL, settings.ASSISTANT_API_KEY, settings.ASSISTANT_MODEL = (
            stand_in.url,
            "key",
            "stand-in",
        )
        settings.ASSISTANT_SILENCE_SECONDS = 5.0
        yield stand_in
