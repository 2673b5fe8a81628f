"""The API refuses the latest five passwords."""

from __future__ import annotations

from itertools import pairwise

import pytest

from apps.common.testing import ApiClient
from apps.identity.models import FormerPassword
from apps.org.models import Account
from apps.org.tests.factories import PASSWORD

CHANGE = "/api/Account/ChangePassword"
USED = [PASSWORD, *(f"office-Mall-{year}" for year in range(2030, 2035))]


@pytest.fixture
def changed(buyer: Account) -> ApiClient:
    """Change the password five times. The last entry of USED is the current password."""
    client = ApiClient(buyer)
    for old, new in pairwise(USED):
        assert client.post(CHANGE, {"OldPassword": old, "NewPassword": new}).ok
    return client


@pytest.mark.parametrize("former", USED[1:-1])
def test_latest_five_passwords_are_refused(changed: ApiClient, former: str) -> None:
    answer = changed.post(CHANGE, {"OldPassword": USED[-1], "NewPassword": former})

    assert answer.errors == {"NewPassword": ["不能使用最近 5 次用过的密码，请更换"]}


def test_sixth_latest_password_is_accepted(changed: ApiClient) -> None:
    assert changed.post(CHANGE, {"OldPassword": USED[-1], "NewPassword": USED[0]}).ok


def test_four_former_passwords_are_stored(changed: ApiClient, buyer: Account) -> None:
    assert FormerPassword.objects.filter(account=buyer).count() == 4
