"""Two accounts with one mobile or mail: said before it is written, and written where it is said anyway."""

from __future__ import annotations

import pytest

from apps.common.testing import ApiClient
from apps.org.enums import DataScope
from apps.org.menus import MenuCode
from apps.org.models import Account, Department
from apps.org.tests.factories import AccountFactory, DepartmentFactory, RoleFactory

pytestmark = pytest.mark.django_db
CONTACT = {"Mobile": "13912345678", "Email": "LIN@yf.cn"}


@pytest.fixture
def lin(department: Department) -> Account:
    return AccountFactory(department=department, username="lin", nickname="小林", mobile="13912345678", email="lin@yf.cn")


def test_a_new_account_with_a_colleagues_contacts_is_asked_about_first(ga: Account, lin: Account) -> None:
    made = {"UserName": "twin", "NickName": "同号", "DepartmentId": str(lin.department_id), **CONTACT}
    client = ApiClient(ga)

    asked = client.post("/api/Account", made)
    assert asked.errors == {"SameContact": ["手机号码与 小林（lin）相同", "邮箱与 小林（lin）相同"]}
    assert not Account.objects.filter(username="twin").exists()

    assert client.post("/api/Account", {**made, "Anyway": True}).body["Mobile"] == lin.mobile


def test_only_what_changes_is_asked_about_and_nobody_disabled_counts(ga: Account, lin: Account) -> None:
    twin = AccountFactory(department=lin.department, username="twin", mobile=lin.mobile)
    client = ApiClient(ga)

    assert client.patch(f"/api/Account/{twin.pk}", {"NickName": "改名", "Mobile": lin.mobile}).ok
    assert client.patch(f"/api/Account/{twin.pk}", {"Email": lin.email}).errors == {"SameContact": ["邮箱与 小林（lin）相同"]}
    Account.objects.filter(pk=lin.pk).update(is_active=False)
    assert client.patch(f"/api/Account/{twin.pk}", {"Email": lin.email}).ok


def test_whom_one_does_not_see_is_not_named(lin: Account) -> None:
    beside = DepartmentFactory(enterprise=lin.department.enterprise)
    role = RoleFactory(group=lin.group, code="clerk", menu_codes=[MenuCode.MANAGEMENT_ACCOUNT], data_scope=DataScope.DEPARTMENT)
    clerk = AccountFactory(department=beside, username="clerk", roles=[role])

    made = {"UserName": "twin", "NickName": "同号", "DepartmentId": str(beside.pk), "Mobile": lin.mobile}
    assert ApiClient(clerk).post("/api/Account", made).errors == {"SameContact": ["手机号码与集团内其他账号相同"]}
