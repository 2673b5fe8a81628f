"""Fixtures that every test may ask for, and how the tests' API client signs in."""

import gc
import secrets
from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone
from hypothesis import HealthCheck, settings

from apps.catalog.selectors.categories import counted
from apps.common.testing import ApiClient
from apps.identity.models import TokenFamily
from apps.identity.tokens import access_token, hash_of
from apps.org.models import Account

# A busy machine is slow, not wrong: properties have no clock. What else holds, such as no chance in CI, is the library's own.
settings.register_profile("mall", parent=settings.default, deadline=None, suppress_health_check=list(HealthCheck))
settings.load_profile("mall")

pytest_plugins = ["apps.common.testing.fixtures", "apps.org.tests.fixtures", "apps.orders.tests.fixtures"]


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out, on SQLite, the tests that are marked as PostgreSQL's."""
    if connection.vendor == "postgresql":
        return
    left_out = [item for item in items if item.get_closest_marker("postgres")]
    items[:] = [item for item in items if not item.get_closest_marker("postgres")]
    config.hook.pytest_deselected(items=left_out)


def pytest_collection_finish() -> None:
    """Let the garbage collector look no more at what lives as long as the process: the mall, its libraries and the collected tests."""
    gc.collect()
    gc.freeze()


def mint(account: Account) -> str:
    """Return a bearer of a new sign-in, as a login with the password would give."""
    now = timezone.now()
    family = TokenFamily.objects.create(
        account=account, token_hash=hash_of(secrets.token_hex()), used_at=now, expires_at=now + timedelta(days=30)
    )
    return access_token(account=account, family=family.public_id)


@pytest.fixture(autouse=True)
def fresh_menu() -> None:
    """Forget the counted catalogues: a test that was rolled back leaves the number of its last change to the next one."""
    counted.cache_clear()


ApiClient.mint = staticmethod(mint)
