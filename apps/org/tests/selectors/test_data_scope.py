"""Data scopes: own records, department subtree, enterprise, group."""

from __future__ import annotations

import pytest
from django.db.models import Q

from apps.common.testing import assert_queries
from apps.org.enums import DataScope
from apps.org.menus import MenuCode
from apps.org.models import Account, Department
from apps.org.selectors.accounts import list_group_admins, list_visible_accounts
from apps.org.selectors.data_scope import list_department_subtree_ids, scope_filter
from apps.org.selectors.departments import get_department_chain
from apps.org.tests.factories import (
    AccountFactory,
    DepartmentFactory,
    EnterpriseFactory,
    RoleFactory,
)


@pytest.fixture
def tree(department: Department) -> dict[str, Account]:
    """One account in the department, one below it, one beside it and one in another enterprise."""
    below = DepartmentFactory(enterprise=department.enterprise, parent=department)
    deeper = DepartmentFactory(enterprise=department.enterprise, parent=below)
    beside = DepartmentFactory(enterprise=department.enterprise)
    elsewhere = DepartmentFactory(enterprise=EnterpriseFactory(group=department.group))
    places = {
        "here": department,
        "below": below,
        "deeper": deeper,
        "beside": beside,
        "elsewhere": elsewhere,
    }
    return {name: AccountFactory(department=place, username=name) for name, place in places.items()}


def list_visible(actor: Account, menu: str | None = None) -> set[str]:
    return set(list_visible_accounts(actor=actor, menu=menu).values_list("username", flat=True))


@pytest.mark.parametrize(
    ("scope", "expected"),
    [
        (DataScope.OWN, {"here"}),
        (DataScope.DEPARTMENT, {"here", "below", "deeper"}),
        (DataScope.ENTERPRISE, {"here", "below", "deeper", "beside"}),
        (DataScope.GROUP, {"here", "below", "deeper", "beside", "elsewhere"}),
    ],
)
def test_each_data_scope_has_its_visible_accounts(
    tree: dict[str, Account], other_ga: Account, scope: DataScope, expected: set[str]
) -> None:
    actor = tree["here"]
    actor.roles.add(RoleFactory(group=actor.group, data_scope=scope))

    assert list_visible(actor) == expected


def test_account_without_a_role_sees_only_itself(tree: dict[str, Account]) -> None:
    assert list_visible(tree["here"]) == {"here"}


def test_a_group_admin_sees_the_whole_group(
    tree: dict[str, Account], ga: Account, other_ga: Account
) -> None:
    assert list_visible(ga) == {"ga", "here", "below", "deeper", "beside", "elsewhere"}


def test_widest_role_determines_the_data_scope(tree: dict[str, Account]) -> None:
    actor = tree["here"]
    actor.roles.add(
        RoleFactory(group=actor.group, data_scope=DataScope.OWN),
        RoleFactory(group=actor.group, data_scope=DataScope.DEPARTMENT),
    )

    assert list_visible(actor) == {"here", "below", "deeper"}


def test_role_widens_only_the_menus_that_it_grants(tree: dict[str, Account]) -> None:
    actor = tree["here"]
    actor.roles.add(
        RoleFactory(group=actor.group, menu_codes=["report"], data_scope=DataScope.GROUP),
        RoleFactory(group=actor.group, menu_codes=[MenuCode.ORDER_LIST], data_scope=DataScope.OWN),
    )

    assert list_visible(actor, MenuCode.ORDER_LIST) == {"here"}
    assert len(list_visible(actor, "report.order")) == 5


def test_the_group_scope_survives_being_widened(tree: dict[str, Account], ga: Account) -> None:
    nobody = Q(pk__in=[])

    assert Account.objects.filter(scope_filter(actor=ga, account="pk") | nobody).count() == 6


def test_department_subtree_takes_one_query(tree: dict[str, Account]) -> None:
    department_id = tree["here"].department_id
    assert department_id
    with assert_queries(1):
        assert len(list_department_subtree_ids(department_id=department_id)) == 3


def test_the_chain_runs_from_the_department_to_the_root(tree: dict[str, Account]) -> None:
    ids = [tree[name].department_id for name in ("deeper", "below", "here")]

    assert [link.pk for link in get_department_chain(account=tree["deeper"])] == ids


def test_group_admins_are_the_enabled_ones(ga: Account, buyer: Account, other_ga: Account) -> None:
    AccountFactory(department=ga.department, kind="GA", is_active=False)

    assert list(list_group_admins(group=ga.group_id or 0)) == [ga]
