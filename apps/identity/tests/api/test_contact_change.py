"""Change of the mobile number or mail address: the code for the new contact, and the proof that
the owner makes the request.
"""

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
from apps.org.tests.factories import PASSWORD

SEND, CHANGE = "/api/Account/SendContactCode", "/api/Account/ChangeContact"
EMAIL = {"Kind": "email", "Value": "new@yf.example"}
MOBILE = {"Kind": "mobile", "Value": "13912345678"}
PROOF = {"Password": PASSWORD}
WRONG = {"Code": ["验证码不正确或已过期，请核对邮件或重新获取"]}
UNPROVED = {"Password": ["请输入登录密码，或发送到原邮箱的验证码，以证明是您本人操作"]}


def get_code_of_letter() -> str:
    """Return the six digits in the latest mail."""
    match = re.search(r"验证码为 ([0-9]{6})", str(mail.outbox[-1].body))
    assert match is not None
    return match[1]


def request_code(client: ApiClient, contact: dict[str, str]) -> str:
    assert client.post(SEND, contact).ok
    outbox_deliver()
    return get_code_of_letter()


def test_code_is_mailed_to_the_new_address_and_confirms_it(mailed: Account) -> None:
    client = ApiClient(mailed)
    sent = client.post(SEND, EMAIL)
    outbox_deliver()

    assert sent.body == {"Channel": "email", "To": "n***@yf.example", "RetryAfter": 60}
    assert mail.outbox[-1].to == ["new@yf.example"]
    assert (
        client.post(CHANGE, {**EMAIL, **PROOF, "Code": get_code_of_letter()}).body["Email"]
        == "new@yf.example"
    )
    mailed.refresh_from_db()
    assert mailed.email == "new@yf.example"


def test_old_address_is_notified_of_the_change(mailed: Account) -> None:
    client = ApiClient(mailed)
    client.post(CHANGE, {**EMAIL, **PROOF, "Code": request_code(client, EMAIL)})
    outbox_deliver()

    assert [(letter.to, letter.subject) for letter in mail.outbox[1:]] == [
        (["buyer@yf.example"], "文采商城：邮箱已更换")
    ]


def test_code_for_a_mobile_number_is_mailed(mailed: Account) -> None:
    client = ApiClient(mailed)
    code = request_code(client, MOBILE)

    assert (mail.outbox[-1].to, mail.outbox[-1].subject) == (
        ["buyer@yf.example"],
        "文采商城：更换手机号码验证码",
    )
    assert client.post(CHANGE, {**MOBILE, "Code": code}).body["Mobile"] == "13912345678"


def test_a_number_needs_a_mail_address(buyer: Account) -> None:
    answer = ApiClient(buyer).post(SEND, MOBILE)

    assert (answer.code, answer.message) == (
        "wrong_state",
        "短信通道尚未开通，验证码需发送到您的邮箱，请先绑定邮箱",
    )


def test_first_mail_address_requires_the_password_and_notifies_no_old_address(
    buyer: Account,
) -> None:
    client = ApiClient(buyer)
    code = request_code(client, EMAIL)

    assert (
        client.post(SEND, {**EMAIL, "To": "old"}).message
        == "账号没有登记邮箱，请使用登录密码验证身份"
    )
    assert client.post(CHANGE, {**EMAIL, "Code": code}).errors == UNPROVED
    assert client.post(CHANGE, {**EMAIL, **PROOF, "Code": code}).ok
    outbox_deliver()
    assert len(mail.outbox) == 1


def test_a_code_is_good_once(mailed: Account) -> None:
    client = ApiClient(mailed)
    code = request_code(client, EMAIL)
    client.post(CHANGE, {**EMAIL, **PROOF, "Code": code})
    mailed.email = "buyer@yf.example"
    mailed.save()

    assert client.post(CHANGE, {**EMAIL, **PROOF, "Code": code}).errors == WRONG


def test_contact_code_is_valid_only_for_its_value(mailed: Account) -> None:
    client = ApiClient(mailed)
    code = request_code(client, EMAIL)

    assert (
        client.post(CHANGE, {**EMAIL, **PROOF, "Value": "thief@yf.example", "Code": code}).errors
        == WRONG
    )
    assert client.post(CHANGE, {**MOBILE, **PROOF, "Code": code}).errors == WRONG


def test_contact_code_is_valid_only_for_its_owner(mailed: Account, approver: Account) -> None:
    code = request_code(ApiClient(mailed), EMAIL)

    assert ApiClient(approver).post(CHANGE, {**EMAIL, **PROOF, "Code": code}).errors == WRONG


def test_a_code_runs_out(mailed: Account) -> None:
    client = ApiClient(mailed)
    code = request_code(client, EMAIL)
    ContactCode.objects.update(expires_at=timezone.now() - timedelta(seconds=1))

    assert client.post(CHANGE, {**EMAIL, **PROOF, "Code": code}).errors == WRONG


def test_contact_code_is_invalid_after_five_wrong_tries(mailed: Account) -> None:
    client = ApiClient(mailed)
    code = request_code(client, EMAIL)
    wrong = f"{(int(code) + 1) % 1_000_000:06d}"
    for _ in range(5):
        assert client.post(CHANGE, {**EMAIL, **PROOF, "Code": wrong}).errors == WRONG

    assert client.post(CHANGE, {**EMAIL, **PROOF, "Code": code}).errors == WRONG


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
def test_invalid_contact_is_refused_with_a_hint(
    mailed: Account, contact: dict[str, str], message: str
) -> None:
    assert ApiClient(mailed).post(SEND, contact).errors == {"Value": [message]}


def test_mail_change_expires_open_reset_codes(mailed: Account) -> None:
    later = timezone.now() + timedelta(minutes=5)
    live = ResetCode.objects.create(account=mailed, code_hash="x", expires_at=later)
    client = ApiClient(mailed)
    client.post(CHANGE, {**EMAIL, **PROOF, "Code": request_code(client, EMAIL)})

    live.refresh_from_db()
    assert live.expires_at <= timezone.now()


def test_contact_change_requires_a_proof_besides_the_token(mailed: Account) -> None:
    thief = ApiClient(mailed)

    assert thief.post(CHANGE, {**EMAIL, "Code": request_code(thief, EMAIL)}).errors == UNPROVED
    mailed.refresh_from_db()
    assert mailed.email == "buyer@yf.example"


def test_code_to_the_old_address_replaces_the_password(mailed: Account) -> None:
    client = ApiClient(mailed)
    code, proof = request_code(client, EMAIL), request_code(client, {**EMAIL, "To": "old"})

    assert (mail.outbox[-1].to, mail.outbox[-1].subject) == (
        ["buyer@yf.example"],
        "文采商城：更换邮箱身份验证码",
    )
    assert client.post(CHANGE, {**EMAIL, "Code": proof, "ProofCode": proof}).errors == WRONG
    assert client.post(CHANGE, {**EMAIL, "Code": code, "ProofCode": code}).errors == {
        "ProofCode": WRONG["Code"]
    }
    assert client.post(CHANGE, {**EMAIL, "Code": code, "ProofCode": proof}).ok


def test_proof_code_is_valid_only_for_its_value(mailed: Account) -> None:
    client = ApiClient(mailed)
    proof = request_code(client, {**EMAIL, "To": "old"})
    thief = {"Kind": "email", "Value": "thief@evil.example"}

    assert list(client.post(CHANGE, {**thief, "Code": "123456", "ProofCode": proof}).errors) == [
        "ProofCode"
    ]


def test_a_guessed_password_is_counted_and_costs_no_code(mailed: Account) -> None:
    client = ApiClient(mailed)
    code = request_code(client, EMAIL)
    heard = [
        client.post(CHANGE, {**EMAIL, "Password": "wrong", "Code": code}).errors for _ in range(6)
    ]

    assert heard[:5] == [{"Password": ["登录密码不正确，请重新输入"]}] * 5
    assert heard[5] == {"Password": ["登录密码错误次数过多，请 15 分钟后再试"]}
    assert client.post(CHANGE, {**EMAIL, **PROOF, "Code": code}).errors == heard[5]
    assert client.post(
        "/api/Account/ChangePassword", {"OldPassword": PASSWORD, "NewPassword": "another-Mall-2027"}
    ).errors == {"OldPassword": ["原密码错误次数过多，请 15 分钟后再试"]}
    assert ContactCode.objects.get().attempts == 0


def test_contact_change_expires_other_open_codes(mailed: Account) -> None:
    client = ApiClient(mailed)
    request_code(client, {**MOBILE, "To": "old"})
    client.post(CHANGE, {**EMAIL, **PROOF, "Code": request_code(client, EMAIL)})

    assert not ContactCode.objects.filter(
        used_at__isnull=True, expires_at__gt=timezone.now()
    ).exists()
