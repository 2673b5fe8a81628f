"""Dimensions: create, change, history, refusals, defaults, merges of departments."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta

import pytest
from django.utils import timezone

from apps.common.errors import Forbidden, Stale, ValidationFailed
from apps.dimensions.errors import DimensionNotFound
from apps.dimensions.models import Dimension, DimensionDefault
from apps.dimensions.selectors.dimensions import list_kind_choices
from apps.dimensions.services.dimensions import (
    DimensionForm,
    dimension_create,
    dimension_update,
    links_move_department,
)
from apps.org.models import Account, Department, OrganisationChange
from apps.org.tests.factories import AccountFactory, DepartmentFactory

pytestmark = pytest.mark.django_db
FORM = DimensionForm(kind="cost_center", code="CC-1", name="行政")


def get_choices(actor: Account, department: Department | None = None) -> dict[str, list[str]]:
    rows = list_kind_choices(actor=actor, department_id=department.pk if department else None)
    return {row.kind: [each.code for each in row.rows] for row in rows}


def test_a_dimension_is_created_changed_and_in_the_history(
    ga: Account, buyer: Account, department: Department
) -> None:
    row = dimension_create(
        actor=ga, form=replace(FORM, owner_id=buyer.pk, default_ids=(department.pk,))
    )
    changes = {
        "name": "行政与后勤",
        "owner_id": None,
        "is_active": False,
        "department_ids": (department.pk,),
        "default_ids": (),
    }
    changed = dimension_update(
        actor=ga, dimension_id=row.pk, changes=changes, seen_at=row.updated_at
    )

    assert (changed.name, changed.is_active, changed.owner) == ("行政与后勤", False, None)
    first, second = OrganisationChange.objects.filter(subject_type="dimension").order_by("pk")
    assert first.subject_name == "成本中心 CC-1 行政"
    assert [(row["label"], row["before"], row["after"]) for row in second.changes] == [
        ("名称", "行政", "行政与后勤"),
        ("负责人", buyer.nickname, ""),
        ("启用", "是", "否"),
        ("适用部门", "", f"{department.enterprise.code}/{department.code} {department.name}"),
        ("默认部门", f"{department.enterprise.code}/{department.code} {department.name}", ""),
    ]


def test_the_second_of_two_changes_is_refused(ga: Account) -> None:
    row = dimension_create(actor=ga, form=FORM)
    seen = row.updated_at
    dimension_update(actor=ga, dimension_id=row.pk, changes={"name": "后勤"}, seen_at=seen)

    with pytest.raises(Stale):
        dimension_update(actor=ga, dimension_id=row.pk, changes={"name": "财务"}, seen_at=seen)
    assert Dimension.objects.get().name == "后勤"


def test_invalid_dimension_form_is_refused_with_a_hint(ga: Account, department: Department) -> None:
    dimension_create(actor=ga, form=FORM)
    foreign = AccountFactory.build().pk or 999_999
    other = DepartmentFactory(enterprise=department.enterprise)
    wrong = {
        "本集团已有编码为“CC-1”的成本中心": FORM,
        "编码请填写": replace(FORM, code="A B"),
        "名称请填写": replace(FORM, code="CC-2", name="行\n政"),
        "失效日期不能早于": replace(
            FORM, code="CC-2", valid_from=date(2026, 2, 1), valid_to=date(2026, 1, 31)
        ),
        "负责人不存在": replace(FORM, code="CC-2", owner_id=foreign),
        "部门不存在": replace(FORM, code="CC-2", department_ids=(999_999,)),
        "不在适用部门及其下级内": replace(
            FORM, code="CC-2", department_ids=(department.pk,), default_ids=(other.pk,)
        ),
    }
    for message, form in wrong.items():
        with pytest.raises(ValidationFailed, match=message):
            dimension_create(actor=ga, form=form)
    assert Dimension.objects.count() == 1


def test_only_the_scope_of_the_group_may_write(buyer: Account, ga: Account) -> None:
    with pytest.raises(Forbidden, match="本集团"):
        dimension_create(actor=buyer, form=FORM)
    with pytest.raises(DimensionNotFound):
        dimension_update(actor=ga, dimension_id="999999", changes={}, seen_at=None)


def test_choices_are_usable_today_and_for_the_department(
    ga: Account, buyer: Account, department: Department
) -> None:
    today = timezone.localdate()
    below = DepartmentFactory(enterprise=department.enterprise, parent=department)
    other = DepartmentFactory(enterprise=department.enterprise)
    day = timedelta(days=1)
    open_to_all = replace(FORM, valid_from=today, valid_to=today)
    rows = (
        (open_to_all, "CC-1"),
        (replace(FORM, department_ids=(department.pk,)), "CC-2"),
        (replace(FORM, department_ids=(other.pk,)), "CC-3"),
        (replace(FORM, valid_to=today - day), "CC-4"),
        (replace(FORM, valid_from=today + day), "CC-5"),
        (replace(FORM, is_active=False), "CC-6"),
    )
    for form, code in rows:
        dimension_create(actor=ga, form=replace(form, code=code))

    assert get_choices(buyer)["cost_center"] == ["CC-1", "CC-2"]
    assert get_choices(buyer, below)["cost_center"] == ["CC-1", "CC-2"]
    assert get_choices(buyer, other)["cost_center"] == ["CC-1", "CC-3"]
    states = {row.code: str(row.state_on(today)) for row in Dimension.objects.all()}
    assert states == {
        "CC-1": "usable",
        "CC-2": "usable",
        "CC-3": "usable",
        "CC-4": "expired",
        "CC-5": "upcoming",
        "CC-6": "disabled",
    }
    stored_values = {row.kind: row.is_kept for row in list_kind_choices(actor=buyer)}
    assert stored_values == {"cost_center": True, "project": False, "subject": False}


def test_the_nearest_default_applies_and_a_new_one_replaces_it(
    ga: Account, buyer: Account, department: Department
) -> None:
    below = DepartmentFactory(enterprise=department.enterprise, parent=department)
    dimension_create(actor=ga, form=replace(FORM, default_ids=(department.pk,)))

    def default() -> str:
        rows = list_kind_choices(actor=buyer, department_id=below.pk, kind="cost_center")
        return rows[0].default.code if rows[0].default else ""

    assert default() == "CC-1"
    dimension_create(actor=ga, form=replace(FORM, code="CC-2", default_ids=(below.pk,)))
    assert default() == "CC-2"
    dimension_create(actor=ga, form=replace(FORM, code="CC-3", default_ids=(below.pk,)))
    assert (default(), DimensionDefault.objects.count()) == ("CC-3", 2)


def test_a_merge_moves_rights_and_defaults(ga: Account, department: Department) -> None:
    target = DepartmentFactory(enterprise=department.enterprise)
    both = (department.pk, target.pk)
    dimension_create(actor=ga, form=replace(FORM, department_ids=both, default_ids=both[:1]))

    links_move_department(ga, department, target)

    row = Dimension.objects.get()
    assert [link.department_id for link in row.departments.all()] == [target.pk]
    assert [link.department_id for link in row.defaults.all()] == [target.pk]
