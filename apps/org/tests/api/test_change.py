"""/api/Change: author, time, old and new value of each change, for accounts that can see the
subject.
"""

from __future__ import annotations

from decimal import Decimal

import pytest

from apps.common.testing import ApiClient, assert_queries
from apps.org.enums import DataScope
from apps.org.menus import MenuCode
from apps.org.models import Account, Department, OrganisationChange
from apps.org.services.changes import change_record
from apps.org.tests.factories import AccountFactory, DepartmentFactory, RoleFactory

URL = "/api/Change"
LABELS = {"name": "名称", "limit": "额度", "is_active": "启用", "roles": "角色"}


def rename_department(
    actor: Account | None, department: Department, old: str = "行政部", new: str = "综合部"
) -> OrganisationChange | None:
    return change_record(
        actor=actor,
        subject_type="department",
        subject_id=department.pk,
        subject_name=new,
        action="update",
        before={"name": old},
        after={"name": new},
        labels=LABELS,
    )


def test_change_history_shows_the_actor_and_the_value_before(
    ga: Account, department: Department
) -> None:
    rename_department(ga, department)
    Account.objects.filter(pk=ga.pk).update(full_name="陈启明")

    row = (
        ApiClient(ga)
        .get(URL, {"SubjectType": "department", "SubjectId": department.pk})
        .body["Items"][0]
    )

    assert row["By"] == {"Id": str(ga.pk), "Name": "集管（陈启明）"}
    assert row["ActingFor"] is None
    assert row["ActionText"] == "修改"
    assert row["Changes"] == [
        {"Field": "name", "Label": "名称", "Before": "行政部", "After": "综合部"}
    ]


def test_history_values_are_stored_as_displayed(ga: Account, department: Department) -> None:
    row = change_record(
        actor=ga,
        subject_type="department",
        subject_id=department.pk,
        subject_name="行政部",
        action="update",
        before={"limit": Decimal("1000.00"), "is_active": True, "roles": ["采购员"], "name": None},
        after={
            "limit": Decimal("1000.50"),
            "is_active": False,
            "roles": ["采购员", "财务"],
            "name": "",
        },
        labels=LABELS,
    )

    assert row is not None
    assert [(one["label"], one["before"], one["after"]) for one in row.changes] == [
        ("额度", "1000.00", "1000.50"),
        ("启用", "是", "否"),
        ("角色", "采购员", "采购员、财务"),
    ]


def test_unchanged_update_leaves_no_history_row(ga: Account, department: Department) -> None:
    assert rename_department(ga, department, old="行政部", new="行政部") is None


def test_change_by_a_job_has_no_actor(ga: Account, department: Department) -> None:
    rename_department(None, department)

    assert ApiClient(ga).get(URL, {"SubjectType": "department"}).body["Items"][0]["By"] is None


def test_the_history_of_a_foreign_subject_is_missing(
    ga: Account, other_ga: Account, department: Department
) -> None:
    rename_department(ga, department)

    assert (
        ApiClient(other_ga)
        .get(URL, {"SubjectType": "department", "SubjectId": department.pk})
        .status
        == 404
    )


def test_a_subject_without_changes_has_an_empty_history(
    ga: Account, department: Department
) -> None:
    assert (
        ApiClient(ga)
        .get(URL, {"SubjectType": "department", "SubjectId": department.pk})
        .body["Total"]
        == 0
    )


def test_change_history_requires_the_menu_code(limited: Account, department: Department) -> None:
    assert (
        ApiClient(limited)
        .get(URL, {"SubjectType": "department", "SubjectId": department.pk})
        .status
        == 403
    )


def test_department_head_sees_only_changes_of_his_subtree(
    ga: Account, department: Department
) -> None:
    below, beside = (
        DepartmentFactory(enterprise=department.enterprise, parent=department),
        DepartmentFactory(enterprise=department.enterprise),
    )
    role = RoleFactory(
        group=department.group,
        menu_codes=[MenuCode.MANAGEMENT_DEPARTMENT],
        data_scope=DataScope.DEPARTMENT,
    )
    head = AccountFactory(department=department, roles=[role])
    rename_department(ga, below, new="甲")
    rename_department(ga, beside, new="乙")
    client = ApiClient(head)

    assert [
        row["SubjectName"] for row in client.get(URL, {"SubjectType": "department"}).body["Items"]
    ] == ["甲"]
    assert client.get(URL, {"SubjectType": "department", "SubjectId": beside.pk}).status == 404


@pytest.mark.parametrize("kind", ["", "nothing", "account'"])
def test_an_unknown_kind_of_subject_is_refused(ga: Account, kind: str) -> None:
    assert not ApiClient(ga).get(URL, {"SubjectType": kind}).ok


def test_a_page_of_changes_takes_three_queries(ga: Account, department: Department) -> None:
    for number in range(15):
        rename_department(ga, department, new=str(number))
    client = ApiClient(ga)

    with assert_queries(3):
        client.get(URL, {"SubjectType": "department"})
