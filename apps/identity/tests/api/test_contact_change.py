"""A new mobile number or mail address: the code that proves it."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.core import mail
from django.utils import timezone

from apps.common.background.delivery import outbox_deliver
from apps.common.testing import ApiClient
from apps.identity.models import ContactCode, ResetCode
from apps.org.models import Account

SEND, CHANGE = "/api/Account/SendContactCode", "/api/Account/ChangeContact"
EMAIL = {"Kind": "email", "Value": "new@yf.example"}
MOBILE = {"Kind": "mobile", "Value": "13912345678"}
WRONG = {"Code": ["验证码不正确或已过期，请核对邮件或重新获取"]}


def code_of_letter() -> str:
    """Return the six digits of the latest letter."""
    found = re.search(r"验证码为 ([0-9]{6})", str(mail.outbox[-1].body))
    assert found is not None
    return found[1]


def asked(client: ApiClient, contact: dict[str, str]) -> str:
    assert client.post(SEND, contact).ok
    outbox_deliver()
    return code_of_letter()


def test_the_code_goes_to_the_new_address_and_sets_it(mailed: Account) -> None:
    client = ApiClient(mailed)
    sent = client.post(SEND, EMAIL)
    outbox_deliver()

    assert sent.body == {"Channel": "email", "To": "n***@yf.example", "RetryAfter": 60}
    assert mail.outbox[-1].to == ["new@yf.example"]
    assert client.post(CHANGE, {**EMAIL, "Code": code_of_letter()}).body["Email"] == "new@yf.example"
    mailed.refresh_from_db()
    assert mailed.email == "new@yf.example"


def test_the_address_before_hears_of_it(mailed: Account) -> None:
    client = ApiClient(mailed)
    client.post(CHANGE, {**EMAIL, "Code": asked(client, EMAIL)})
    outbox_deliver()

    assert [(letter.to, letter.subject) for letter in mail.outbox[1:]] == [(["buyer@yf.example"], "文采商城：邮箱已更换")]


def test_the_code_for_a_number_goes_to_the_mail_address(mailed: Account) -> None:
    client = ApiClient(mailed)
    code = asked(client, MOBILE)

    assert (mail.outbox[-1].to, mail.outbox[-1].subject) == (["buyer@yf.example"], "文采商城：更换手机号码验证码")
    assert client.post(CHANGE, {**MOBILE, "Code": code}).body["Mobile"] == "13912345678"


def test_a_number_needs_a_mail_address(buyer: Account) -> None:
    answer = ApiClient(buyer).post(SEND, MOBILE)

    assert (answer.code, answer.message) == ("wrong_state", "短信通道尚未开通，验证码需发送到您的邮箱，请先绑定邮箱")


def test_a_first_address_needs_none_before_it(buyer: Account) -> None:
    client = ApiClient(buyer)

    assert client.post(CHANGE, {**EMAIL, "Code": asked(client, EMAIL)}).ok


def test_a_code_is_good_once(mailed: Account) -> None:
    client = ApiClient(mailed)
    code = asked(client, EMAIL)
    client.post(CHANGE, {**EMAIL, "Code": code})
    mailed.email = "buyer@yf.example"
    mailed.save()

    assert client.post(CHANGE, {**EMAIL, "Code": code}).errors == WRONG


def test_a_code_is_good_for_the_value_it_was_asked_for_alone(mailed: Account) -> None:
    client = ApiClient(mailed)
    code = asked(client, EMAIL)

    assert client.post(CHANGE, {"Kind": "email", "Value": "thief@yf.example", "Code": code}).errors == WRONG
    assert client.post(CHANGE, {**MOBILE, "Code": code}).errors == WRONG


def test_a_code_is_good_for_its_owner_alone(mailed: Account, approver: Account) -> None:
    code = asked(ApiClient(mailed), EMAIL)

    assert ApiClient(approver).post(CHANGE, {**EMAIL, "Code": code}).errors == WRONG


def test_a_code_runs_out(mailed: Account) -> None:
    client = ApiClient(mailed)
    code = asked(client, EMAIL)
    ContactCode.objects.update(expires_at=timezone.now() - timedelta(seconds=1))

    assert client.post(CHANGE, {**EMAIL, "Code": code}).errors == WRONG


def test_after_five_wrong_tries_the_right_code_is_no_more(mailed: Account) -> None:
    client = ApiClient(mailed)
    code = asked(client, EMAIL)
    wrong = f"{(int(code) + 1) % 1_000_000:06d}"
    for _ in range(5):
        assert client.post(CHANGE, {**EMAIL, "Code": wrong}).errors == WRONG

    assert client.post(CHANGE, {**EMAIL, "Code": code}).errors == WRONG


def test_a_second_code_within_a_minute_is_refused(mailed: Account) -> None:
    client = ApiClient(mailed)
    client.post(SEND, EMAIL)
    again = client.post(SEND, EMAIL)

    assert (again.code, again.body) == ("too_soon", {"RetryAfter": 60})


def test_the_number_need_not_wait_for_the_address(mailed: Account) -> None:
    client = ApiClient(mailed)
    client.post(SEND, EMAIL)

    assert client.post(SEND, MOBILE).ok


@pytest.mark.parametrize(
    ("contact", "message"),
    [
        ({"Kind": "email", "Value": "no"}, "请输入正确的邮箱地址"),
        ({"Kind": "email", "Value": "BUYER@yf.example"}, "与当前邮箱相同，无需更换"),
        ({"Kind": "mobile", "Value": "021-68888888"}, "请输入 11 位手机号码"),
        ({"Kind": "mobile", "Value": "13800000000"}, "与当前手机号码相同，无需更换"),
    ],
)
def test_a_wrong_contact_says_what_to_do(mailed: Account, contact: dict[str, str], message: str) -> None:
    assert ApiClient(mailed).post(SEND, contact).errors == {"Value": [message]}


def test_a_code_to_reset_the_password_that_went_to_the_old_address_ends(mailed: Account) -> None:
    later = timezone.now() + timedelta(minutes=5)
    live = ResetCode.objects.create(account=mailed, code_hash="x", expires_at=later)
    client = ApiClient(mailed)
    client.post(CHANGE, {**EMAIL, "Code": asked(client, EMAIL)})

    live.refresh_from_db()
    assert live.expires_at <= timezone.now()
