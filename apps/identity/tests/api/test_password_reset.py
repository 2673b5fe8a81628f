"""Reset of a forgotten password: SendResetCode, CheckResetCode, ResetPassword."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from django.core import mail
from django.core.mail import EmailMultiAlternatives
from django.utils import timezone

from apps.common.background.delivery import outbox_deliver
from apps.common.models import OutboxMessage
from apps.common.testing import ApiClient
from apps.identity.models import ResetCode, SessionKeyIssuer
from apps.identity.services.session_key import session_key_issue
from apps.identity.tests.api.forgetful import (
    NEW,
    SEND,
    ask,
    change_code,
    check,
    let_seconds_pass,
    login,
    request_code,
    reset,
)
from apps.org.models import Account
from apps.org.tests.factories import PASSWORD

WRONG = "验证码不正确或已过期，请核对邮件或重新获取"


def test_a_mailed_code_sets_a_new_password_and_ends_all_sign_ins(mailed: Account) -> None:
    signed_in = ApiClient(mailed)
    code = request_code()

    assert reset(code).message == "密码已重置，请使用新密码登录"
    assert login(NEW).ok
    assert login(PASSWORD).code == "wrong_credentials"
    assert signed_in.get("/api/Account/Profile").status == 401


def test_a_reset_ends_the_session_keys_too(mailed: Account) -> None:
    key = session_key_issue(account=mailed, issuer=SessionKeyIssuer.SSO)
    reset(request_code())

    assert (
        ApiClient().get("/api/Account/LoginBySession", {"sessionKey": key}).code
        == "session_key_invalid"
    )


def test_a_password_changed_in_between_ends_the_code(mailed: Account) -> None:
    code = request_code()
    assert (
        ApiClient(mailed)
        .post("/api/Account/ChangePassword", {"OldPassword": PASSWORD, "NewPassword": NEW})
        .ok
    )

    assert reset(code).code == "validation"


def test_password_reset_clears_the_captcha_requirement(mailed: Account) -> None:
    for _ in range(5):
        login("wrong")
    assert login(PASSWORD).code == "captcha_required"
    reset(request_code())

    assert login(NEW).ok


def test_the_letter_is_chinese_in_text_and_as_a_page(mailed: Account) -> None:
    mailed.nickname = "小采<b>"
    mailed.save()
    code = request_code()
    letter = mail.outbox[0]
    assert isinstance(letter, EmailMultiAlternatives)
    page, kind = letter.alternatives[0]

    assert (letter.subject, letter.to) == ("文采商城：重置密码验证码", ["buyer@yf.example"])
    assert f"您正在重置账号 buyer 的登录密码，验证码为 {code}，10 分钟内有效，只能使用一次" in str(
        letter.body
    )
    assert str(letter.body).startswith("小采<b>，您好：")
    assert (kind, code in str(page), "小采&lt;b&gt;，您好" in str(page)) == (
        "text/html",
        True,
        True,
    )


def test_reset_code_has_six_digits_lasts_ten_minutes_and_is_hashed(mailed: Account) -> None:
    code = request_code()
    row = ResetCode.objects.get()

    assert re.fullmatch(r"\d{6}", code)
    assert timedelta(seconds=595) < row.expires_at - timezone.now() <= timedelta(minutes=10)
    assert code not in row.code_hash
    assert len(row.code_hash) == 64


def test_outbox_message_of_a_reset_contains_no_code(mailed: Account) -> None:
    ask()

    assert OutboxMessage.objects.get().payload == {"UserName": "buyer"}


def test_an_expired_code_is_refused(mailed: Account) -> None:
    code = request_code()
    ResetCode.objects.update(expires_at=timezone.now())

    assert (check(code).message, reset(code).message) == (WRONG, WRONG)


def test_reset_answer_is_the_same_for_an_unknown_name(mailed: Account) -> None:
    known, unknown = ask(), ask("nobody")
    outbox_deliver()

    assert (known.ok, known.message, known.body) == (unknown.ok, unknown.message, unknown.body)
    assert known.message == "如账号存在且登记了邮箱，验证码已发送，10 分钟内有效"
    assert [message.to for message in mail.outbox] == [["buyer@yf.example"]]


def test_a_code_works_once(mailed: Account) -> None:
    code = request_code()
    reset(code)

    assert reset(code, "third-Mall-2028").message == WRONG


def test_a_right_code_may_be_checked_and_stays_good(mailed: Account) -> None:
    code = request_code()
    checked = [check(code).ok for _ in range(6)]

    assert checked == [True] * 6
    assert reset(code).ok


def test_a_code_survives_four_wrong_tries(mailed: Account) -> None:
    code = request_code()
    for _ in range(2):
        check(change_code(code))
        reset(change_code(code))

    assert reset(code).ok


def test_a_code_does_not_survive_five(mailed: Account) -> None:
    code = request_code()
    answers = [check(change_code(code)) for _ in range(5)]

    assert {answer.errors["Code"][0] for answer in answers} == {WRONG}
    assert reset(code).errors == {"Code": [WRONG]}


def test_a_newer_code_ends_the_older(mailed: Account) -> None:
    older = request_code()
    let_seconds_pass(60)
    newer = request_code()

    assert older == newer or not check(older).ok
    assert check(newer).ok


def test_reset_code_is_valid_only_for_its_account(mailed: Account, ga: Account) -> None:
    code = request_code()

    assert check(code, "ga").message == WRONG


@pytest.mark.parametrize(
    ("password", "message"),
    [
        ("12345678", "这个密码过于常见，容易被猜到，请更换"),
        ("836403918274", "密码不能全是数字，请加入字母或符号"),
        ("aB3!x", "密码至少 8 个字符，请加长"),
        ("buyer-123", "密码与账号或昵称过于相似，请更换"),
    ],
)
def test_weak_password_is_refused_with_its_reason_and_keeps_the_code_valid(
    mailed: Account, password: str, message: str
) -> None:
    code = request_code()
    refused = [reset(code, password) for _ in range(6)][-1]

    assert message in refused.errors["NewPassword"]
    assert login(PASSWORD).ok
    assert reset(code).ok


@pytest.mark.parametrize("change", [{"is_active": False}, {"email": ""}])
def test_reset_mail_is_not_sent_to_a_disabled_account_or_without_an_address(
    mailed: Account, change: dict[str, Any]
) -> None:
    Account.objects.filter(pk=mailed.pk).update(**change)

    assert ask().ok
    outbox_deliver()
    assert mail.outbox == []


def test_reset_code_of_an_account_disabled_meanwhile_is_refused(mailed: Account) -> None:
    code = request_code()
    mailed.is_active = False
    mailed.save()

    assert reset(code).message == WRONG


def test_staff_do_not_reset_at_the_storefront(staff: Account) -> None:
    staff.email = "ops@wencai.example"
    ask("ops")
    outbox_deliver()

    assert mail.outbox == []


@pytest.mark.parametrize("code", ["12345", "1234567", "12345a", "１２３４５６", ""])
def test_a_code_is_six_digits(db: None, code: str) -> None:
    assert set(check(code).errors) == {"Code"}


def test_reset_channel_must_be_mail(db: None) -> None:
    answer = ApiClient().post(SEND, {"UserName": "buyer", "Channel": "sms"})

    assert answer.errors == {"Channel": ["暂只支持通过邮箱找回密码"]}
