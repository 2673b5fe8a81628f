"""Contacts in account management (账号管理). A shared contact needs a confirmation, an
administrator cannot change their own contact there, and a colleague's old address receives a
notice.
"""

from __future__ import annotations

import pytest
from django.core import mail

from apps.common.background.delivery import outbox_deliver
from apps.common.testing import ApiClient
from apps.org.enums import DataScope
from apps.org.menus import MenuCode
from apps.org.models import Account, Department
from apps.org.tests.factories import PASSWORD, AccountFactory, DepartmentFactory, RoleFactory

pytestmark = pytest.mark.django_db
OWN = {"Password": PASSWORD}
CONTACT = {"Mobile": "13912345678", "Email": "LIN@yf.cn"}


@pytest.fixture
def lin(department: Department) -> Account:
    return AccountFactory(
        department=department,
        username="lin",
        nickname="小林",
        mobile="13912345678",
        email="lin@yf.cn",
    )


def test_new_account_with_a_colleagues_contacts_requires_confirmation(
    ga: Account, lin: Account
) -> None:
    body = {
        "UserName": "twin",
        "NickName": "同号",
        "DepartmentId": str(lin.department_id),
        **CONTACT,
    }
    client = ApiClient(ga)

    answer = client.post("/api/Account", body)
    assert answer.errors == {
        "SameContact": ["手机号码与 小林（lin）相同", "邮箱与 小林（lin）相同"]
    }
    assert not Account.objects.filter(username="twin").exists()

    assert client.post("/api/Account", {**body, "Anyway": True}).body["Mobile"] == lin.mobile


def test_contact_check_covers_changed_fields_and_enabled_accounts(
    ga: Account, lin: Account
) -> None:
    twin = AccountFactory(department=lin.department, username="twin", mobile=lin.mobile)
    client = ApiClient(ga)

    assert client.patch(
        f"/api/Account/{twin.pk}", {"NickName": "改名", "Mobile": lin.mobile, **OWN}
    ).ok
    assert client.patch(f"/api/Account/{twin.pk}", {"Email": lin.email, **OWN}).errors == {
        "SameContact": ["邮箱与 小林（lin）相同"]
    }
    Account.objects.filter(pk=lin.pk).update(is_active=False)
    assert client.patch(f"/api/Account/{twin.pk}", {"Email": lin.email, **OWN}).ok


def test_contact_check_does_not_name_accounts_outside_the_data_scope(lin: Account) -> None:
    beside = DepartmentFactory(enterprise=lin.department.enterprise)
    role = RoleFactory(
        group=lin.group,
        code="clerk",
        menu_codes=[MenuCode.MANAGEMENT_ACCOUNT],
        data_scope=DataScope.DEPARTMENT,
    )
    clerk = AccountFactory(department=beside, username="clerk", roles=[role])

    body = {
        "UserName": "twin",
        "NickName": "同号",
        "DepartmentId": str(beside.pk),
        "Mobile": lin.mobile,
    }
    assert ApiClient(clerk).post("/api/Account", body).errors == {
        "SameContact": ["手机号码与集团内其他账号相同"]
    }


@pytest.mark.parametrize(
    ("field", "value"), [("Mobile", "13911112222"), ("Email", "mine@evil.example")]
)
def test_administrator_cannot_change_his_own_contacts_in_the_account_list(
    ga: Account, field: str, value: str
) -> None:
    label = {"Mobile": "手机号码", "Email": "邮箱"}[field]
    answer = ApiClient(ga).patch(f"/api/Account/{ga.pk}", {"NickName": "新名", field: value})

    assert answer.errors == {
        field: [f"更换自己的{label}请到“个人中心 - 个人信息”办理，需要验证身份"]
    }
    before = Account.objects.get(pk=ga.pk)
    assert (before.nickname, before.mobile, before.email) == (ga.nickname, ga.mobile, ga.email)


def test_an_administrator_changes_the_rest_of_himself_as_before(ga: Account) -> None:
    same = {"NickName": "新名", "Mobile": ga.mobile, "Email": ga.email}

    assert ApiClient(ga).patch(f"/api/Account/{ga.pk}", same).body["NickName"] == "新名"


def test_contact_change_of_a_colleague_is_mailed_to_the_old_address_with_an_undo_link(
    ga: Account, lin: Account
) -> None:
    changed = {"Email": "new@yf.cn", "Mobile": "13911112222", **OWN}
    ApiClient(ga).patch(f"/api/Account/{lin.pk}", changed)
    outbox_deliver()

    assert [(letter.to, letter.subject) for letter in mail.outbox] == [
        (["lin@yf.cn"], "文采商城：手机号码已更换"),
        (["lin@yf.cn"], "文采商城：邮箱已更换"),
    ]
    assert all(f"由贵司管理员 {ga.nickname} 更换" in str(letter.body) for letter in mail.outbox)
    assert all("/contactUndo#key=" in str(letter.body) for letter in mail.outbox)


def test_change_without_contacts_sends_no_mail(ga: Account, lin: Account) -> None:
    ApiClient(ga).patch(f"/api/Account/{lin.pk}", {"NickName": "改名"})
    outbox_deliver()

    assert mail.outbox == []


def test_an_address_that_was_mistyped_at_opening_gets_no_link(ga: Account, lin: Account) -> None:
    """The address is unverified, so the mail may reach a stranger."""
    lin.set_unusable_password()
    lin.save()
    ApiClient(ga).patch(f"/api/Account/{lin.pk}", {"Email": "right@yf.cn", **OWN})
    outbox_deliver()

    assert mail.outbox[0].to == ["lin@yf.cn"]
    assert "contactUndo" not in str(mail.outbox[0].body)
