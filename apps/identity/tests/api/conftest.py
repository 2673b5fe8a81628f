"""Accounts and settings of the sign-in tests."""

from __future__ import annotations

from typing import Any

import pytest

from apps.org.models import Account
from mall.settings.limits import RATES


@pytest.fixture
def mailed(buyer: Account) -> Account:
    buyer.email = "buyer@yf.example"
    buyer.save()
    return buyer


@pytest.fixture
def limited_calls(settings: Any) -> None:
    """Use the rate limits of production."""
    settings.RATE_LIMITS = RATES
