"""A missing menu permission, and the accounts that can grant it."""

from __future__ import annotations

import pytest

from apps.common.testing import ApiClient
from apps.org.enums import AccountType
from apps.org.models import Account
from apps.org.selectors.roles import get_menu_right
from apps.org.tests.factories import AccountFactory, DepartmentFactory, EnterpriseFactory


def test_missing_menu_right_names_its_group_and_grantors(limited: Account, ga: Account) -> None:
    body = ApiClient(limited).get("/api/Account/MenuRight", {"Code": "order.approval"}).body

    assert body == {
        "Code": "order.approval",
        "Name": "订单审批",
        "Group": "我的订单",
        "Allowed": False,
        "GrantedBy": ["集管"],
    }


def test_granted_menu_right_is_allowed(limited: Account) -> None:
    assert get_menu_right(actor=limited, code="order.list").is_allowed


def test_unknown_menu_right_code_is_refused(limited: Account) -> None:
    answer = ApiClient(limited).get("/api/Account/MenuRight", {"Code": "order.nothing"})

    assert answer.errors == {"Code": ["没有这项权限"]}


def test_admins_of_the_own_enterprise_are_named_first(limited: Account, ga: Account) -> None:
    elsewhere = DepartmentFactory(enterprise=EnterpriseFactory(group=limited.group))
    Account.objects.filter(pk=ga.pk).update(enterprise=elsewhere.enterprise, department=elsewhere)
    AccountFactory(
        department=limited.department, username="ga2", nickname="近管", kind=AccountType.GROUP_ADMIN
    )

    assert get_menu_right(actor=limited, code="report.order").granted_by == ["近管", "集管"]


@pytest.mark.usefixtures("other_ga")
def test_admins_of_another_group_are_not_named(limited: Account) -> None:
    assert get_menu_right(actor=limited, code="report.order").granted_by == []
