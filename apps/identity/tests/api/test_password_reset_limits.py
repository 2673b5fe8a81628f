"""How often a code is asked for and tried; what a name that does not exist costs."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.common.background.delivery import outbox_deliver
from apps.common.testing import ApiClient
from apps.identity.models import ResetCode
from apps.identity.tests.api.forgetful import CHECK, NEW, RESET, SEND, ask, check, let_pass, reset
from apps.org.models import Account


def statements(path: str, body: dict[str, str]) -> list[str]:
    """Return the first words of what the call says to the database."""
    with CaptureQueriesContext(connection) as seen:
        ApiClient().post(path, body)
    return [" ".join(query["sql"].split()[:3]) for query in seen.captured_queries]


@pytest.mark.parametrize(("path", "more"), [(SEND, {}), (CHECK, {"Code": "000000"}), (RESET, {"Code": "000000", "NewPassword": NEW})])
def test_an_unknown_name_costs_the_same_statements(mailed: Account, path: str, more: dict[str, str]) -> None:
    for name in ("buyer", "nobody"):
        ask(name)
    outbox_deliver()
    let_pass(60)
    ResetCode.objects.update(attempts=0)

    assert statements(path, {"UserName": "buyer", **more}) == statements(path, {"UserName": "nobody", **more})


@pytest.mark.parametrize("name", ["buyer", "nobody"])
def test_a_second_code_is_sent_after_sixty_seconds(mailed: Account, name: str) -> None:
    ask(name)
    early = ask(name)
    let_pass(60)

    assert (early.code, early.message, early.body) == ("too_soon", "验证码刚刚发送过，请 60 秒后再获取", {"RetryAfter": 60})
    assert ask(name).ok


@pytest.mark.parametrize("name", ["buyer", "nobody"])
def test_the_sixth_code_in_an_hour_is_refused(mailed: Account, name: str) -> None:
    for _ in range(5):
        assert ask(name).ok
        let_pass(60)

    assert ask(name).message == "该账号获取验证码次数过多，请 1 小时后再试，或联系贵司管理员重置密码"
    let_pass(3600)
    assert ask(name).ok


def test_the_limit_of_a_name_holds_however_it_is_spelt(mailed: Account) -> None:
    ask("buyer")

    assert ask("BUYER", REMOTE_ADDR="203.0.113.9").code == "too_soon"


def test_a_client_asks_for_twenty_codes_an_hour(db: None, limited_calls: None) -> None:
    codes = [ask(f"name{number}").status for number in range(21)]

    assert codes == [200] * 20 + [429]
    assert ask("name0", REMOTE_ADDR="203.0.113.9").code == "too_soon"


def test_a_client_tries_sixty_codes_an_hour(db: None, limited_calls: None) -> None:
    statuses = [check("000000", f"name{number}").status for number in range(30)] + [reset("000000", NEW, f"n{n}").status for n in range(31)]

    assert statuses == [200] * 60 + [429]
