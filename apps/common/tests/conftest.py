"""A Redis server for the tests of the rate limits."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import pytest

from apps.common.limits import counters as limits
from apps.common.tests.redis_stand_in import RedisStandIn


@pytest.fixture
def redis(settings: Any, monkeypatch: pytest.MonkeyPatch) -> Generator[RedisStandIn]:
    """A Redis that the test can stop and start. After an outage the mall retries it at once."""
    stand_in = RedisStandIn()
    stand_in.start()
    settings.CACHE_URL = f"redis://127.0.0.1:{stand_in.port}/0?protocol=2"
    default = {"BACKEND": "django_redis.cache.RedisCache", "LOCATION": settings.CACHE_URL}
    settings.CACHES = {
        "default": default,
        "limits": {"BACKEND": "apps.common.limits.rules.LimitCache"},
    }
    monkeypatch.setattr(limits, "_redis_back_at", 0.0)
    monkeypatch.setattr(limits, "REDIS_REST_SECONDS", 0.0)
    monkeypatch.setattr(limits, "sightings", limits.Sightings())
    yield stand_in
    stand_in.stop()
