"""Fixtures for all tests, and the bearer of the tests' API client."""

import gc
import secrets
from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone
from hypothesis import HealthCheck, settings
from rest_framework_simplejwt.tokens import AccessToken

from apps.common.limits.counters import refusals
from apps.common.testing import ApiClient
from apps.identity.models import TokenFamily
from apps.identity.tokens import FAMILY_CLAIM, hash_text
from apps.org.models import Account
from apps.search.selectors.categories import get_category_counts

# Imports and collection create millions of objects but hardly any garbage.
gc.disable()
# Python's own threshold of 700 objects costs up to 7 % of the tests' processor time.
GC_THRESHOLD = 50_000

# Property tests have no time limit, because a busy machine is slow. All other settings are
# hypothesis's own, such as a fixed seed in CI.
settings.register_profile(
    "mall", parent=settings.default, deadline=None, suppress_health_check=list(HealthCheck)
)
settings.load_profile("mall")

pytest_plugins = [
    "apps.common.testing.fixtures",
    "apps.org.tests.fixtures",
    "apps.orders.tests.fixtures",
]


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """On SQLite, deselect the tests marked `postgres`."""
    if connection.vendor == "postgresql":
        return
    left_out = [item for item in items if item.get_closest_marker("postgres")]
    items[:] = [item for item in items if not item.get_closest_marker("postgres")]
    config.hook.pytest_deselected(items=left_out)


def pytest_collection_finish() -> None:
    """Start the garbage collector, without the objects that live as long as the process: the
    mall, its libraries and the collected tests.
    """
    gc.freeze()
    gc.set_threshold(GC_THRESHOLD, 20, 20)
    gc.enable()


def mint(account: Account) -> str:
    """Return the bearer of a new sign-in. It has the claims that the server reads. A login adds
    those that the client shows, which cost four queries.
    """
    now = timezone.now()
    family = TokenFamily.objects.create(
        account=account,
        token_hash=hash_text(secrets.token_hex()),
        used_at=now,
        expires_at=now + timedelta(days=30),
    )
    token = AccessToken()
    token["uid"] = str(account.pk)
    token["gid"] = str(account.group_id or "")
    token[FAMILY_CLAIM] = family.public_id.hex
    return str(token)


@pytest.fixture(autouse=True)
def fresh_menu() -> None:
    """Forget the counted catalogues: a test that was rolled back leaves the number of its last
    change to the next one.
    """
    get_category_counts.cache_clear()


@pytest.fixture(autouse=True)
def nobody_refused() -> None:
    """Forget who was over a limit: the counters of a test are rolled back with it."""
    refusals.clear()


ApiClient.mint = staticmethod(mint)
