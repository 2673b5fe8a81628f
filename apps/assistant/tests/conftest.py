"""What the assistant's tests stand on."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import pytest

from apps.assistant.providers import chat_model
from apps.assistant.tests.model_stand_in import StandIn, standing_in


@pytest.fixture(autouse=True)
def _rested(monkeypatch: pytest.MonkeyPatch) -> None:
    """No model has failed before the test."""
    monkeypatch.setattr(chat_model, "_back_at", 0.0)


@pytest.fixture
def model(settings: Any) -> Generator[StandIn]:
    """A model to answer, told by its script."""
    with standing_in() as stand_in:
        settings.ASSISTANT_BASE_URL, settings.ASSISTANT_API_KEY, settings.ASSISTANT_MODEL = stand_in.url, "key", "stand-in"
        settings.ASSISTANT_SILENCE_SECONDS = 5.0
        yield stand_in
