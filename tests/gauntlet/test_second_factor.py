"""Codes of the second factor with real processes: each works once."""

from __future__ import annotations

import time
from functools import partial

import pyotp
import pytest

from apps.common.tenancy import platform_scope
from apps.identity.services.second_factor import factor_begin, factor_check, factor_confirm
from apps.org.models import Account
from apps.org.tests.factories import StaffFactory
from tests.gauntlet.race import race

pytestmark = [pytest.mark.gauntlet, pytest.mark.django_db(transaction=True)]


def check(account: Account, code: str) -> None:
    with platform_scope(reason="test"):
        factor_check(account=account, code=code)


@pytest.mark.parametrize("is_recovery", [False, True])
def test_a_code_sent_five_times_at_once_works_once(is_recovery: bool) -> None:
    with platform_scope(reason="test"):
        account = StaffFactory()
        totp = pyotp.TOTP(factor_begin(account=account).secret)
        first, *_rest = factor_confirm(account=account, code=totp.at(int(time.time())))
    code = first if is_recovery else totp.at(int(time.time()), counter_offset=1)

    outcomes = race([partial(check, account, code)] * 5)

    assert sum(outcome.ok for outcome in outcomes) == 1
    assert {outcome.code for outcome in outcomes if not outcome.ok} == {"wrong_second_factor"}
