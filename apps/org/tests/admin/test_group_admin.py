"""A group that staff create starts with the default roles."""

from __future__ import annotations

import pytest

from apps.common.tenancy import no_scope, platform_scope
from apps.org.models import Group, Role
from apps.org.services.group import group_roles_create
from apps.org.tests.factories import GroupFactory, RoleFactory
from apps.org.tests.office import create_staff, open_office

pytestmark = pytest.mark.django_db


def test_a_new_group_has_roles_that_its_first_sheet_of_accounts_can_name() -> None:
    given = {
        "code": "QH",
        "name": "青禾集团",
        "short_name": "青禾",
        "theme_color": "#1456d9",
        "is_active": "on",
    }
    as_offered = (
        "over_budget",
        "budget_choice",
        "approval_remind_hours",
        "approval_escalate_hours",
    )
    left = {name: Group._meta.get_field(name).get_default() for name in as_offered}
    client = open_office(create_staff("系统"))
    with no_scope():
        answer = client.post("/admin/org/group/add/", {**given, **left})

    assert answer.status_code == 302
    with platform_scope(reason="test"):
        roles = (
            Role.objects.filter(group__code="QH").order_by("pk").values_list("name", "data_scope")
        )
        assert list(roles) == [
            ("采购员", "own"),
            ("部门负责人", "department"),
            ("财务", "enterprise"),
            ("组织管理员", "group"),
        ]


def test_group_with_roles_gets_no_default_roles() -> None:
    with platform_scope(reason="test"):
        group = GroupFactory()
        RoleFactory(group=group, code="own", name="自有")
        group_roles_create(group=group)
        assert list(Role.objects.filter(group=group).values_list("name", flat=True)) == ["自有"]
