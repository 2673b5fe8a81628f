"""Fixtures that every test may ask for, and how the tests' API client signs in."""

import secrets
from datetime import timedelta

import pytest
from django.utils import timezone

from apps.catalog.selectors.categories import counted
from apps.common.testing import ApiClient
from apps.identity.models import TokenFamily
from apps.identity.tokens import access_token, hash_of
from apps.org.models import Account

pytest_plugins = ["apps.common.testing.fixtures", "apps.org.tests.fixtures", "apps.orders.tests.fixtures"]


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
