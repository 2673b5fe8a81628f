"""Codes and passkeys with real processes: each works once, and the last factor stays."""

from __future__ import annotations

import time
from dataclasses import replace
from functools import partial

import pyotp
import pytest
from auditlog.models import LogEntry
from pytest_django import Settings

from apps.common.tenancy import platform_scope
from apps.identity.services.passkeys import (
    Assertion,
    issue_new_passkey_challenge,
    issue_passkey_challenge,
    list_passkeys,
)
from apps.identity.services.second_factor import (
    Proof,
    factor_begin,
    factor_check,
    factor_confirm,
    factor_reset,
    passkey_register,
    passkey_remove,
)
from apps.identity.tests.authenticator import Authenticator
from apps.org.models import Account
from apps.org.tests.factories import StaffFactory
from tests.gauntlet.race import run_race

pytestmark = [pytest.mark.gauntlet, pytest.mark.django_db(transaction=True)]


def check(account: Account, code: str) -> None:
    with platform_scope(reason="test"):
        factor_check(account=account, proof=Proof(code))


@pytest.mark.parametrize("is_recovery", [False, True])
def test_a_code_sent_five_times_at_once_works_once(is_recovery: bool) -> None:
    with platform_scope(reason="test"):
        account = StaffFactory()
        totp = pyotp.TOTP(factor_begin(account=account).secret)
        first, *_rest = factor_confirm(account=account, code=totp.at(int(time.time())))
    code = first if is_recovery else totp.at(int(time.time()), counter_offset=1)

    outcomes = run_race([partial(check, account, code)] * 5)

    assert sum(outcome.ok for outcome in outcomes) == 1
    assert {outcome.code for outcome in outcomes if not outcome.ok} == {"wrong_second_factor"}


def get_new_passkey(account: Account, device: Authenticator, name: str) -> int:
    options = issue_new_passkey_challenge(account=account, session="s")
    attestation = device.create(options)
    passkey_register(account=account, session="s", name=name, attestation=attestation)
    return list_passkeys(account)[-1].pk


def use(account: Account, assertion: Assertion) -> None:
    with platform_scope(reason="test"):
        factor_check(account=account, proof=Proof(passkey=assertion, session="s"))


def remove(account: Account, passkey_id: int, code: str) -> None:
    with platform_scope(reason="test"):
        passkey_remove(account=account, passkey_id=passkey_id, proof=Proof(code))


@pytest.mark.parametrize("are_same", [True, False])
def test_a_passkey_used_five_times_at_once_with_one_counter_works_once(are_same: bool) -> None:
    device = Authenticator()
    with platform_scope(reason="test"):
        account = StaffFactory()
        get_new_passkey(account, device, "one")
        challenges = [issue_passkey_challenge(account=account, session="s") for _ in range(5)]
    # The same assertion again, or five copies of the key with their own challenges.
    given = [replace(device).get(each) for each in challenges if each]
    outcomes = run_race([partial(use, account, given[0] if are_same else each) for each in given])

    assert sum(outcome.ok for outcome in outcomes) == 1
    assert {outcome.code for outcome in outcomes if not outcome.ok} == {"wrong_second_factor"}


def test_concurrent_removals_leave_one_required_factor(
    settings: Settings,
) -> None:
    settings.STAFF_SECOND_FACTOR = True
    with platform_scope(reason="test"):
        account = StaffFactory()
        first, options = Authenticator(), issue_new_passkey_challenge(account=account, session="s")
        codes = passkey_register(
            account=account, session="s", name="one", attestation=first.create(options)
        )
        ids = [list_passkeys(account)[0].pk, get_new_passkey(account, Authenticator(), "two")]
    pairs = zip(ids, codes, strict=False)
    outcomes = run_race([partial(remove, account, key, code) for key, code in pairs])

    assert sorted(outcome.code for outcome in outcomes if not outcome.ok) == ["forbidden"]
    with platform_scope(reason="test"):
        assert len(list_passkeys(account)) == 1


def reset(account: Account, staff: Account) -> None:
    with platform_scope(reason="test"):
        factor_reset(staff=staff, account=account, reason="手机丢失")


def test_concurrent_resets_of_a_second_factor_are_one_reset() -> None:
    with platform_scope(reason="test"):
        account, *colleagues = StaffFactory.create_batch(6)
        totp = pyotp.TOTP(factor_begin(account=account).secret)
        factor_confirm(account=account, code=totp.at(int(time.time())))

    outcomes = run_race([partial(reset, account, staff) for staff in colleagues])

    assert sorted(outcome.code for outcome in outcomes) == ["", *["wrong_state"] * 4]
    logged = LogEntry.objects.filter(object_pk=str(account.pk), changes__icontains="手机丢失")
    assert logged.count() == 1
