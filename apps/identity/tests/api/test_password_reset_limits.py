"""Limits for requests and attempts of reset codes. An unknown account name causes the same work
as a known one.
"""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.common.background.delivery import outbox_deliver
from apps.common.testing import ApiClient
from apps.identity.models import ResetCode
from apps.identity.tests.api.forgetful import (
    CHECK,
    NEW,
    RESET,
    SEND,
    ask,
    change_code,
    check,
    let_seconds_pass,
    request_code,
    reset,
)
from apps.org.models import Account
from apps.org.tests.factories import PASSWORD


def list_statements(path: str, body: dict[str, str]) -> list[str]:
    """Return the first three words of each SQL statement of the call."""
    with CaptureQueriesContext(connection) as seen:
        ApiClient().post(path, body)
    return [" ".join(query["sql"].split()[:3]) for query in seen.captured_queries]


@pytest.mark.parametrize(
    ("path", "more"),
    [(SEND, {}), (CHECK, {"Code": "000000"}), (RESET, {"Code": "000000", "NewPassword": NEW})],
)
def test_an_unknown_name_costs_the_same_statements(
    mailed: Account, path: str, more: dict[str, str]
) -> None:
    for name in ("buyer", "nobody"):
        ask(name)
    outbox_deliver()
    let_seconds_pass(60)
    ResetCode.objects.update(attempts=0)

    assert list_statements(path, {"UserName": "buyer", **more}) == list_statements(
        path, {"UserName": "nobody", **more}
    )


@pytest.mark.parametrize("name", ["buyer", "nobody"])
def test_a_second_code_is_sent_after_sixty_seconds(mailed: Account, name: str) -> None:
    ask(name)
    early = ask(name)
    let_seconds_pass(60)

    assert (early.code, early.message, early.body) == (
        "too_soon",
        "验证码刚刚发送过，请 60 秒后再获取",
        {"RetryAfter": 60},
    )
    assert ask(name).ok


@pytest.mark.parametrize("name", ["buyer", "nobody"])
def test_the_sixth_code_in_an_hour_is_refused(mailed: Account, name: str) -> None:
    for _ in range(5):
        assert ask(name).ok
        let_seconds_pass(60)

    assert (
        ask(name).message == "该账号获取验证码次数过多，请 1 小时后再试，或联系贵司管理员重置密码"
    )
    let_seconds_pass(3600)
    assert ask(name).ok


def test_reset_limit_of_a_name_ignores_its_case(mailed: Account) -> None:
    ask("buyer")

    assert ask("BUYER").code == "too_soon"


def test_a_stranger_uses_up_no_code_of_the_owner(mailed: Account) -> None:
    for _ in range(5):
        assert ask("buyer", REMOTE_ADDR="203.0.113.66").ok
        let_seconds_pass(60)

    assert not ask("buyer", REMOTE_ADDR="203.0.113.66").ok
    assert ask("buyer").ok


def test_many_strangers_fill_no_mailbox_and_keep_no_owner_out(mailed: Account) -> None:
    signed_in = ApiClient(REMOTE_ADDR="198.51.100.20")
    signed_in.post("/api/Account/Login", {"UserName": "buyer", "Password": PASSWORD})
    strangers = [ask("buyer", REMOTE_ADDR=f"203.0.113.{n}").ok for n in range(12)]

    assert strangers == [True] * 10 + [False] * 2
    assert ask("buyer", REMOTE_ADDR="198.51.100.20").ok


def test_wrong_tries_of_strangers_end_no_code_of_the_owners_device(mailed: Account) -> None:
    owner = ApiClient(REMOTE_ADDR="198.51.100.20")
    owner.post("/api/Account/Login", {"UserName": "buyer", "Password": PASSWORD})
    code = request_code()
    for _ in range(6):
        check(change_code(code))
    body = {"UserName": "buyer", "Code": code}

    assert check(code).errors == {"Code": ["验证码不正确或已过期，请核对邮件或重新获取"]}
    assert owner.post(CHECK, body).ok


def test_the_owners_device_tries_five_codes(mailed: Account) -> None:
    owner = ApiClient(REMOTE_ADDR="198.51.100.20")
    owner.post("/api/Account/Login", {"UserName": "buyer", "Password": PASSWORD})
    code = request_code()
    for _ in range(5):
        owner.post(CHECK, {"UserName": "buyer", "Code": change_code(code)})

    assert not owner.post(CHECK, {"UserName": "buyer", "Code": code}).ok


def test_client_may_request_twenty_reset_codes_an_hour(db: None, limited_calls: None) -> None:
    codes = [ask(f"name{number}").status for number in range(21)]

    assert codes == [200] * 20 + [429]


def test_a_client_tries_sixty_codes_an_hour(db: None, limited_calls: None) -> None:
    statuses = [check("000000", f"name{number}").status for number in range(30)] + [
        reset("000000", NEW, f"n{n}").status for n in range(31)
    ]

    assert statuses == [200] * 60 + [429]
