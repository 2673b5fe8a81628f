"""Tests of the second factor: codes of an authenticator, recovery codes, remembered browsers."""

from __future__ import annotations

import time
from datetime import timedelta
from typing import Any

import pyotp
import pytest
from auditlog.models import LogEntry
from django.core.management import CommandError, call_command
from django.utils import timezone
from pytest_django import Settings

from apps.common.background.delivery import outbox_deliver
from apps.common.errors import Forbidden, ValidationFailed, WrongState
from apps.identity.errors import SecondFactorSlowed, WrongSecondFactor
from apps.identity.models import RememberedDevice, SecondFactor, TokenFamily
from apps.identity.services.family import family_begin
from apps.identity.services.password import password_set
from apps.identity.services.purge import identity_purge
from apps.identity.services.remembered_devices import (
    device_remember,
    devices_forget,
    is_device_remembered,
)
from apps.identity.services.second_factor import (
    Proof,
    count_recovery_codes,
    factor_begin,
    factor_check,
    factor_confirm,
    factor_remove,
    factor_reset,
    find_step,
    has_second_factor,
    recovery_codes_renew,
)
from apps.org.models import Account
from apps.org.tests.factories import StaffFactory

pytestmark = pytest.mark.usefixtures("platform")
SECRET = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"


def compute_code(secret: str, *, steps: int = 0) -> str:
    """Return the code that the app shows now, or that of a later step."""
    return pyotp.TOTP(secret).at(int(time.time()), counter_offset=steps)


@pytest.fixture
def secret(staff: Account) -> str:
    """The secret of the confirmed authenticator of `staff`."""
    secret = factor_begin(account=staff).secret
    factor_confirm(account=staff, code=compute_code(secret))
    return secret


@pytest.mark.parametrize(
    ("drift", "step"),
    [(-60, None), (-30, 99), (0, 100), (30, 101), (60, None)],
)
def test_totp_code_may_be_one_step_off(drift: int, step: int | None) -> None:
    code = pyotp.TOTP(SECRET).generate_otp(100 + drift // 30)
    assert find_step(secret=SECRET, code=code, now=3015) == step


@pytest.mark.parametrize("code", ["", "12345", "１２３４５６", "0" * 5000, "abcdef"])
def test_a_malformed_code_is_wrong(code: str) -> None:
    assert find_step(secret=SECRET, code=code, now=3015) is None


def test_the_secret_is_stored_encrypted_and_counts_after_its_first_code(staff: Account) -> None:
    secret = factor_begin(account=staff).secret
    assert factor_begin(account=staff).secret == secret
    assert secret not in SecondFactor.objects.get().secret
    assert not has_second_factor(staff)
    with pytest.raises(WrongSecondFactor):
        factor_check(account=staff, proof=Proof(compute_code(secret)))
    with pytest.raises(WrongSecondFactor, match="手机时间"):
        factor_confirm(account=staff, code="000000x")
    codes = factor_confirm(account=staff, code=compute_code(secret))
    assert len(set(codes)) == 10
    assert has_second_factor(staff)
    with pytest.raises(WrongState):
        factor_begin(account=staff)


def test_unconfirmed_secret_expires_after_an_hour_or_a_password_change(
    staff: Account,
) -> None:
    first = factor_begin(account=staff).secret
    assert factor_begin(account=staff).secret == first
    SecondFactor.objects.update(created_at=timezone.now() - timedelta(minutes=61))
    second = factor_begin(account=staff).secret
    assert second != first
    password_set(account=staff, password="Another-Mall-2027", keep=None)
    assert factor_begin(account=staff).secret != second


def test_a_new_password_keeps_the_authenticator_and_forgets_the_browsers(
    staff: Account, secret: str
) -> None:
    key = device_remember(account=staff, user_agent="Firefox")
    password_set(account=staff, password="Another-Mall-2027", keep=None)
    assert has_second_factor(staff)
    assert not is_device_remembered(account=staff, key=key)


def test_totp_code_is_accepted_once_and_blocks_older_codes(staff: Account, secret: str) -> None:
    with pytest.raises(WrongSecondFactor):
        factor_check(account=staff, proof=Proof(compute_code(secret)))
    later = compute_code(secret, steps=1)
    factor_check(account=staff, proof=Proof(later))
    with pytest.raises(WrongSecondFactor):
        factor_check(account=staff, proof=Proof(later))


def test_a_recovery_code_works_once_in_any_spelling(staff: Account) -> None:
    secret = factor_begin(account=staff).secret
    first, second, *_rest = factor_confirm(account=staff, code=compute_code(secret))
    factor_check(account=staff, proof=Proof(f" {first.upper().replace('-', ' ')}"))
    with pytest.raises(WrongSecondFactor):
        factor_check(account=staff, proof=Proof(first))
    assert count_recovery_codes(staff) == 9
    renewed = recovery_codes_renew(account=staff, proof=Proof(second))
    assert count_recovery_codes(staff) == 10
    with pytest.raises(WrongSecondFactor):
        factor_check(account=staff, proof=Proof(_rest[0]))
    factor_check(account=staff, proof=Proof(renewed[0]))


def test_recovery_code_of_another_account_is_refused(staff: Account, secret: str) -> None:
    other = StaffFactory()
    [code, *_rest] = factor_confirm(
        account=other, code=compute_code(factor_begin(account=other).secret)
    )
    with pytest.raises(WrongSecondFactor):
        factor_check(account=staff, proof=Proof(code))


def test_guessing_is_slowed_down_and_a_right_code_waits_too(staff: Account, secret: str) -> None:
    for _ in range(6):
        with pytest.raises(WrongSecondFactor):
            factor_check(account=staff, proof=Proof("000000x"))
    with pytest.raises(SecondFactorSlowed) as refusal:
        factor_check(account=staff, proof=Proof(compute_code(secret, steps=1)))
    assert 0 < (refusal.value.retry_after or 0) <= 30


def test_a_browser_is_remembered_for_this_account_for_thirty_days(
    staff: Account, secret: str
) -> None:
    key = device_remember(account=staff, user_agent="x" * 900)
    assert is_device_remembered(account=staff, key=key)
    assert not is_device_remembered(account=staff, key="")
    assert not is_device_remembered(account=StaffFactory(), key=key)
    RememberedDevice.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    assert not is_device_remembered(account=staff, key=key)
    assert identity_purge() == 1
    assert devices_forget(account=staff) == 0


def test_owner_disables_an_optional_second_factor_with_a_code(
    staff: Account, secret: str, settings: Settings
) -> None:
    settings.STAFF_SECOND_FACTOR = True
    with pytest.raises(Forbidden):
        factor_remove(account=staff, proof=Proof(compute_code(secret, steps=1)))
    settings.STAFF_SECOND_FACTOR = False
    with pytest.raises(WrongSecondFactor):
        factor_remove(account=staff, proof=Proof("000000x"))
    factor_remove(account=staff, proof=Proof(compute_code(secret, steps=1)))
    assert not has_second_factor(staff)


def test_command_line_reset_removes_the_second_factor_and_is_logged(
    staff: Account, secret: str
) -> None:
    with pytest.raises(CommandError, match="no account"):
        call_command("reset_second_factor", "nobody", reason="手机丢失")
    call_command("reset_second_factor", staff.username, reason="手机丢失", verbosity=0)
    assert not has_second_factor(staff)
    entry = LogEntry.objects.get(additional_data={"kind": "second_factor.reset"})
    assert entry.actor is None


def test_second_factor_reset_by_another_person_requires_and_logs_a_reason(
    staff: Account, secret: str
) -> None:
    key, boss = device_remember(account=staff, user_agent=""), StaffFactory()
    family_begin(account=staff, client="127.0.0.1")
    with pytest.raises(ValidationFailed):
        factor_reset(staff=boss, account=staff, reason=" ")
    with pytest.raises(Forbidden, match="不能重置自己"):
        factor_reset(staff=staff, account=staff, reason="手机丢失")
    with pytest.raises(Forbidden, match="超级管理员"):
        factor_reset(staff=StaffFactory(is_superuser=False), account=staff, reason="手机丢失")
    factor_reset(staff=boss, account=staff, reason="手机丢失")
    assert not has_second_factor(staff)
    assert count_recovery_codes(staff) == 0
    assert not is_device_remembered(account=staff, key=key)
    assert TokenFamily.objects.get().revoked_why == "已重置两步验证"
    entry = LogEntry.objects.get(additional_data={"kind": "second_factor.reset"})
    assert entry.actor == boss
    assert entry.changes["note"][1] == "重置两步验证；原因：手机丢失"
    with pytest.raises(WrongState):
        factor_reset(staff=boss, account=staff, reason="手机丢失")


@pytest.mark.parametrize(
    ("is_by_staff", "who"),
    [(True, "由商城客服 运营 重置"), (False, "由系统管理员重置")],
    ids=["staff", "operator"],
)
def test_customer_is_told_by_mail_who_reset_the_second_factor(
    buyer: Account, staff: Account, mailoutbox: list[Any], is_by_staff: bool, who: str
) -> None:
    Account.objects.filter(pk=buyer.pk).update(email="buyer@yf.example")
    factor_confirm(account=buyer, code=compute_code(factor_begin(account=buyer).secret))
    factor_reset(staff=staff if is_by_staff else None, account=buyer, reason="手机丢失")
    outbox_deliver()

    [letter] = mailoutbox
    assert (letter.to, letter.subject) == (["buyer@yf.example"], "文采商城：两步验证已重置")
    assert who in letter.body
    assert "联系商城客服和贵司管理员" in letter.body
    assert "手机丢失" not in letter.body


def test_staff_are_told_by_mail_who_reset_the_second_factor(
    staff: Account, secret: str, mailoutbox: list[Any]
) -> None:
    Account.objects.filter(pk=staff.pk).update(email="ops@mall.example")
    factor_reset(staff=StaffFactory(nickname="小周"), account=staff, reason="手机丢失")
    outbox_deliver()

    [letter] = mailoutbox
    assert letter.to == ["ops@mall.example"]
    assert "由管理员 小周 重置" in letter.body


def test_refused_reset_of_the_second_factor_sends_no_letter(
    staff: Account, secret: str, mailoutbox: list[Any]
) -> None:
    with pytest.raises(ValidationFailed):
        factor_reset(staff=StaffFactory(), account=staff, reason=" ")
    outbox_deliver()

    assert mailoutbox == []
