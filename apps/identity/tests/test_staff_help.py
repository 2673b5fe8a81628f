"""Staff help a customer with a one-time link or with a new number or mail address. The old
address receives a notice.
"""

from __future__ import annotations

import re
from typing import Any

import pytest
from auditlog.models import LogEntry
from django.core import mail
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from apps.common.background.delivery import outbox_deliver
from apps.common.tenancy import no_scope
from apps.common.testing import ApiClient
from apps.identity.models import ResetCode
from apps.identity.tests.test_admin import NEW, build_account_form
from apps.org.models import Account, Department
from apps.org.tests.factories import PASSWORD
from apps.org.tests.office import create_staff, open_office

ADDRESS = "203.0.113.7"
REASON = "客户来电，已核对身份"
OLD = "buyer@yf.example"


@pytest.fixture
def helper(db: None) -> Account:
    """A member of staff with the job 客服."""
    return create_staff("客服")


@pytest.fixture
def desk(helper: Account) -> Client:
    client = open_office(helper)
    client.defaults["REMOTE_ADDR"] = ADDRESS
    return client


@pytest.fixture
def customer(buyer: Account) -> Account:
    """The buyer, with a mail address."""
    buyer.email = OLD
    buyer.save()
    LogEntry.objects.all().delete()
    return buyer


def post(client: Client, page: str, account: Account, **form: Any) -> str:
    with no_scope():
        return client.post(
            reverse(f"admin:{page}", args=[account.pk]), form, follow=True
        ).content.decode()


def list_acts() -> list[tuple[str, str, str, int]]:
    """Return the log entries with additional data: (kind, note, client address, id of the
    actor).
    """
    entries = LogEntry.objects.order_by("pk").exclude(additional_data=None)
    return [
        (each.additional_data["kind"], each.changes["note"][1], each.remote_addr, each.actor_id)
        for each in entries
    ]


def get_code_of_letter() -> str:
    match = re.search(r"/resetPassword#account=\w+&code=(\w{12})", str(mail.outbox[-1].body))
    assert match
    return match[1]


def spend(code: str, username: str = "buyer", password: str = NEW) -> bool:
    return (
        ApiClient()
        .post(
            "/api/Account/ResetPassword",
            {"UserName": username, "Code": code, "NewPassword": password},
        )
        .ok
    )


def may_sign_in(password: str, username: str = "buyer") -> bool:
    return ApiClient().post("/api/Account/Login", {"UserName": username, "Password": password}).ok


def test_staff_password_reset_mails_a_link_that_works_once(desk: Client, customer: Account) -> None:
    signed_in = ApiClient(customer)
    page = post(desk, "org_account_password_link", customer, reason=REASON)
    outbox_deliver()

    assert mail.outbox[-1].to == [OLD]
    assert get_code_of_letter() not in page
    assert signed_in.get("/api/Account/Profile").status == 401
    assert not may_sign_in(PASSWORD)
    code = get_code_of_letter()
    assert [spend(code), spend(code, password="other-Mall-2028")] == [True, False]
    assert may_sign_in(NEW)


def test_the_link_of_a_reset_by_staff_runs_out(desk: Client, customer: Account) -> None:
    post(desk, "org_account_password_link", customer, reason=REASON)
    outbox_deliver()
    assert 71 < (ResetCode.objects.get().expires_at - timezone.now()).total_seconds() / 3600 <= 72
    ResetCode.objects.update(expires_at=timezone.now())

    assert not spend(get_code_of_letter())


def test_a_reset_by_staff_is_in_the_log_with_reason_and_address(
    desk: Client, customer: Account, helper: Account
) -> None:
    post(desk, "org_account_password_link", customer, reason=REASON)

    assert list_acts() == [
        ("password_link", f"一次性链接发送至 {OLD}；原因：{REASON}", ADDRESS, helper.pk)
    ]


def test_the_log_shows_a_reset_in_words(desk: Client, customer: Account, staff: Account) -> None:
    post(desk, "org_account_password_link", customer, reason=REASON)
    with no_scope():
        page = (
            open_office(staff).get(reverse("admin:auditlog_logentry_changelist")).content.decode()
        )

    assert "发送设置密码链接" in page
    assert ADDRESS in page


@pytest.mark.parametrize("reason", ["", "   "])
def test_password_link_requires_a_reason(desk: Client, customer: Account, reason: str) -> None:
    page = post(desk, "org_account_password_link", customer, reason=reason)

    assert "请填写原因" in page
    assert may_sign_in(PASSWORD)
    assert list_acts() == []


def test_staff_password_reset_requires_a_mail_address(desk: Client, buyer: Account) -> None:
    page = post(desk, "org_account_password_link", buyer, reason=REASON)

    assert "请先填写邮箱" in page
    assert may_sign_in(PASSWORD)


@pytest.mark.parametrize("job", ["客服", "系统", "superuser"])
def test_staff_cannot_set_a_customer_password(customer: Account, staff: Account, job: str) -> None:
    client = open_office(staff if job == "superuser" else create_staff(job))
    both = {"password1": NEW, "password2": NEW, "password": NEW}
    for page in ("auth_user_password_change", "org_account_change"):
        post(client, page, customer, **build_account_form(customer), **both)

    customer.refresh_from_db()
    assert customer.check_password(PASSWORD)
    assert not may_sign_in(NEW)


def test_password_link_for_a_staff_account_is_forbidden(desk: Client, staff: Account) -> None:
    with no_scope():
        answer = desk.post(
            reverse("admin:org_account_password_link", args=[staff.pk]), {"reason": REASON}
        )

    assert answer.status_code == 403


def test_a_new_customer_gets_a_link_and_no_password_from_staff(
    desk: Client, department: Department, helper: Account
) -> None:
    form = {
        "username": "Newbie",
        "nickname": "小新",
        "email": "newbie@yf.example",
        "group": department.group_id,
        "department": department.pk,
        "kind": "NU",
        "password1": NEW,
        "password2": NEW,
    }
    with no_scope():
        desk.post(reverse("admin:org_account_add"), form)
    outbox_deliver()

    assert not Account.objects.get(username="newbie").has_usable_password()
    assert mail.outbox[-1].to == ["newbie@yf.example"]
    assert list_acts() == [
        ("password_link", "新开账号，一次性链接发送至 newbie@yf.example", ADDRESS, helper.pk)
    ]
    assert spend(get_code_of_letter(), "newbie", "third-Mall-2029")
    assert may_sign_in("third-Mall-2029", "newbie")


def test_a_new_customer_needs_a_mail_address(desk: Client, department: Department) -> None:
    form = {
        "username": "newbie",
        "nickname": "小新",
        "group": department.group_id,
        "department": department.pk,
        "kind": "NU",
    }
    with no_scope():
        page = desk.post(reverse("admin:org_account_add"), form).content.decode()

    assert "请填写邮箱：客户本人通过发送到该邮箱的一次性链接设置密码" in page
    assert not Account.objects.filter(username="newbie").exists()


def test_the_password_of_new_staff_is_set_on_the_next_page_by_a_superuser(staff: Account) -> None:
    client = open_office(staff)
    with no_scope():
        answer = client.post(
            reverse("admin:org_account_add"),
            {"username": "Colleague", "nickname": "新同事", "kind": "NU", "is_staff": "on"},
        )
        client.post(
            answer["Location"], {"password1": NEW, "password2": NEW, "usable_password": "true"}
        )

        assert (
            Client()
            .post(reverse("admin:login"), {"username": "colleague", "password": NEW})
            .status_code
            == 302
        )


def test_a_new_address_by_staff_needs_a_reason(desk: Client, customer: Account) -> None:
    page = post(
        desk,
        "org_account_change",
        customer,
        **build_account_form(customer, email="thief@evil.example"),
    )

    customer.refresh_from_db()
    assert customer.email == OLD
    assert "修改客户的手机号码或邮箱须填写原因" in page
    assert LogEntry.objects.count() == 0


def test_mail_change_by_staff_is_logged_and_mailed_to_the_old_address(
    desk: Client, customer: Account, helper: Account
) -> None:
    post(
        desk,
        "org_account_change",
        customer,
        **build_account_form(customer, email="new@yf.example", contact_reason=REASON),
    )
    outbox_deliver()

    assert list_acts() == [
        ("contact_change", f"邮箱 {OLD} → new@yf.example；原因：{REASON}", ADDRESS, helper.pk)
    ]
    (letter,) = mail.outbox
    assert (letter.to, letter.subject) == ([OLD], "文采商城：邮箱已由客服更换")
    assert f"由商城客服 {helper.nickname} 更换" in str(letter.body)
    assert "/contactUndo#key=" in str(letter.body)


def test_mobile_change_by_staff_is_mailed_to_the_account(desk: Client, customer: Account) -> None:
    post(
        desk,
        "org_account_change",
        customer,
        **build_account_form(customer, mobile="13911112222", contact_reason=REASON),
    )
    outbox_deliver()

    assert [note for _kind, note, _address, _staff in list_acts()] == [
        f"手机号码 13800000000 → 13911112222；原因：{REASON}"
    ]
    assert [(letter.to, letter.subject) for letter in mail.outbox] == [
        ([OLD], "文采商城：手机号码已由客服更换")
    ]


def test_account_change_without_contacts_requires_no_reason(
    desk: Client, customer: Account
) -> None:
    post(desk, "org_account_change", customer, **build_account_form(customer, nickname="新名"))

    customer.refresh_from_db()
    assert customer.nickname == "新名"
    assert list_acts() == []
