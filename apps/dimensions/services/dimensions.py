"""Create and change dimensions with their departments and defaults, with rights and history."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import TYPE_CHECKING, Any

from django.db import transaction

from apps.common.errors import Forbidden, ValidationFailed, refuse_stale
from apps.dimensions.enums import DimensionKind
from apps.dimensions.errors import DepartmentsUnavailable, KindUnchangeable, OwnerUnavailable
from apps.dimensions.models import Dimension, DimensionDefault, DimensionDepartment
from apps.dimensions.selectors.dimensions import get_dimension, may_manage_dimensions
from apps.org.enums import ChangeAction
from apps.org.locks import lock_group
from apps.org.models import Account, Department
from apps.org.services.changes import change_record

if TYPE_CHECKING:
    from apps.org.models import Enterprise

NOT_MANAGER = "维护核算项需要“本集团”的数据范围，请联系集团管理员"
CODE = re.compile(r"[^\s\x00-\x1f\x7f-\x9f、；;/]{1,40}")
CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")
WRONG_CODE = "编码请填写 1 至 40 个字，不含空格、斜杠、顿号和分号"
WRONG_NAME = "名称请填写 1 至 80 个字，不含换行等不可见字符"
WRONG_DAYS = "失效日期不能早于生效日期"
TAKEN = "本集团已有编码为“{code}”的{kind}，请更换编码"
NOT_ALLOWED_DEFAULT = "默认部门“{name}”不在适用部门及其下级内，请先加入适用部门"
LABELS = {
    "kind": "类别",
    "code": "编码",
    "name": "名称",
    "owner": "负责人",
    "valid_from": "生效日期",
    "valid_to": "失效日期",
    "is_active": "启用",
    "departments": "适用部门",
    "defaults": "默认部门",
}


@dataclass(frozen=True, slots=True)
class DimensionForm:
    """All fields of a dimension. Empty `department_ids`: every department may use it."""

    kind: str
    code: str
    name: str
    owner_id: int | None = None
    valid_from: date | None = None
    valid_to: date | None = None
    is_active: bool = True
    department_ids: tuple[int, ...] = ()
    default_ids: tuple[int, ...] = ()


@transaction.atomic
def dimension_create(*, actor: Account, form: DimensionForm) -> Dimension:
    """Create a dimension and return it.

    Raises:
        Forbidden: the actor does not manage dimensions.
        ValidationFailed: the code is taken or malformed, the days are in the wrong order, or the
            owner or a department is not of this group or is disabled.
    """
    _authorise_and_lock(actor)
    _check_fields(form)
    _refuse_taken(form)
    row = Dimension(group=actor.group, kind=form.kind)
    return _save_dimension(actor, row, form, before=None)


@transaction.atomic
def dimension_update(
    *, actor: Account, dimension_id: str, changes: Mapping[str, Any], seen_at: datetime | None
) -> Dimension:
    """Change a dimension and return it. `changes` are fields of DimensionForm with their new
    values; the other fields stay. The kind never changes. If nothing changes, nothing is written.
    Orders keep the code and the name that they were submitted with.

    Raises:
        DimensionNotFound: the group has no such dimension.
        Forbidden, ValidationFailed: as `dimension_create`.
        Stale: it changed since `seen_at`.
    """
    _authorise_and_lock(actor)
    row = get_dimension(pk=dimension_id)
    refuse_stale(row, seen_at=seen_at)
    form = replace(build_form(row), **changes)
    if form.kind != row.kind:
        raise KindUnchangeable
    _check_fields(form)
    _refuse_taken(form, but=row.pk)
    return _save_dimension(actor, row, form, before=get_dimension_values(row))


def build_form(row: Dimension) -> DimensionForm:
    """Return the present fields of the dimension."""
    return DimensionForm(
        kind=row.kind,
        code=row.code,
        name=row.name,
        owner_id=row.owner_id,
        valid_from=row.valid_from,
        valid_to=row.valid_to,
        is_active=row.is_active,
        department_ids=tuple(link.department_id for link in row.departments.all()),
        default_ids=tuple(link.department_id for link in row.defaults.all()),
    )


def _authorise_and_lock(actor: Account) -> None:
    """Lock the actor's group. Raise Forbidden if the actor may not manage dimensions."""
    if not may_manage_dimensions(actor):
        raise Forbidden(NOT_MANAGER)
    # Two people, a sheet and a merge of departments write one after the other.
    lock_group(actor.group_id)


def _check_fields(form: DimensionForm) -> None:
    """Raise ValidationFailed with the messages of all wrong fields."""
    errors: dict[str, list[str]] = {}
    if form.kind not in DimensionKind.values:
        errors["Kind"] = ["请选择类别"]
    if not CODE.fullmatch(form.code):
        errors["Code"] = [WRONG_CODE]
    if not 1 <= len(form.name) <= 80 or CONTROL.search(form.name):
        errors["Name"] = [WRONG_NAME]
    if form.valid_from and form.valid_to and form.valid_to < form.valid_from:
        errors["ValidTo"] = [WRONG_DAYS]
    if errors:
        raise ValidationFailed(errors)


def _refuse_taken(form: DimensionForm, *, but: int | None = None) -> None:
    same_code = Dimension.objects.filter(kind=form.kind, code=form.code).exclude(pk=but)
    if same_code.exists():
        kind = DimensionKind(form.kind).label
        raise ValidationFailed({"Code": [TAKEN.format(code=form.code, kind=kind)]})


def _save_dimension(
    actor: Account, row: Dimension, form: DimensionForm, *, before: dict[str, Any] | None
) -> Dimension:
    """Check and save the form with its departments, and write the history. Nothing is saved if
    nothing changed.
    """
    owner = _get_owner(form, row)
    present_ids = {link.department_id for link in row.departments.all()} if row.pk else set()
    present_ids |= {link.department_id for link in row.defaults.all()} if row.pk else set()
    departments = _get_departments(form, present_ids)
    allowed_departments = [departments[pk] for pk in dict.fromkeys(form.department_ids)]
    defaults = [departments[pk] for pk in dict.fromkeys(form.default_ids)]
    _refuse_default_outside(allowed_departments, defaults)
    row.code, row.name, row.owner = form.code, form.name, owner
    row.valid_from, row.valid_to, row.is_active = form.valid_from, form.valid_to, form.is_active
    after = get_field_values(row, departments=allowed_departments, defaults=defaults)
    if before == after:
        return row
    row.save()
    links_save(row, department_ids=form.department_ids, default_ids=form.default_ids)
    change_record(
        actor=actor,
        subject_type="dimension",
        subject_id=row.pk,
        subject_name=f"{row.get_kind_display()} {row}",
        action=ChangeAction.CREATE if before is None else ChangeAction.UPDATE,
        before=before or {},
        after=after,
        labels=LABELS,
    )
    return get_dimension(pk=row.pk)


def _get_owner(form: DimensionForm, row: Dimension) -> Account | None:
    """Return the owner. A disabled owner may stay, so that the rest can be changed.

    Raises:
        OwnerUnavailable: the account is missing, or disabled and not the present owner.
    """
    if form.owner_id is None:
        return None
    owner: Account | None = Account.objects.filter(pk=form.owner_id).first()
    if owner is None or not (owner.is_active or owner.pk == row.owner_id):
        raise OwnerUnavailable
    return owner


def _get_departments(form: DimensionForm, present_ids: Collection[int]) -> dict[int, Department]:
    """Return {pk: department} of the departments in the form. Disabled ones are accepted only if
    they stay.

    Raises:
        DepartmentsUnavailable: one is missing, or disabled and not present already.
    """
    ids = {*form.department_ids, *form.default_ids}
    rows = {
        row.pk: row
        for row in Department.objects.filter(pk__in=ids).select_related("enterprise")
        if row.is_active or row.pk in present_ids
    }
    for field, named in (("DepartmentIds", form.department_ids), ("DefaultIds", form.default_ids)):
        if set(named) - set(rows):
            raise DepartmentsUnavailable(field)
    return rows


def _refuse_default_outside(
    allowed_departments: list[Department], defaults: list[Department]
) -> None:
    if not (allowed_departments and defaults):
        return
    parents = dict(Department.objects.order_by().values_list("pk", "parent_id"))
    for department in list_outside(
        defaults, allowed_ids={row.pk for row in allowed_departments}, parents=parents
    ):
        text = NOT_ALLOWED_DEFAULT.format(name=department.name)
        raise ValidationFailed({"DefaultIds": [text]})


def list_outside(
    departments: Iterable[Department],
    *,
    allowed_ids: Collection[int],
    parents: Mapping[int, int | None],
) -> list[Department]:
    """Return the departments that are neither one of `allowed_ids` nor below one. Empty if
    `allowed_ids` is empty, because then every department may use the dimension. `parents` are
    the parent of each department, by id.
    """
    outside: list[Department] = []
    for department in departments if allowed_ids else ():
        current: int | None = department.pk
        visited_ids: set[int] = set()
        while current is not None and current not in allowed_ids and current not in visited_ids:
            visited_ids.add(current)
            current = parents.get(current)
        if current not in allowed_ids:
            outside.append(department)
    return outside


def links_save(
    row: Dimension, *, department_ids: Iterable[int], default_ids: Iterable[int]
) -> None:
    """Replace the departments and the defaults of the dimension. A department that had another
    default of the kind gets this one.
    """
    allowed_ids, defaults = set(department_ids), set(default_ids)
    DimensionDepartment.objects.filter(dimension=row).exclude(department__in=allowed_ids).delete()
    DimensionDepartment.objects.bulk_create(
        (
            DimensionDepartment(group_id=row.group_id, dimension=row, department_id=pk)
            for pk in sorted(allowed_ids)
        ),
        ignore_conflicts=True,
    )
    DimensionDefault.objects.filter(dimension=row).exclude(department__in=defaults).delete()
    for pk in sorted(defaults):
        DimensionDefault.objects.update_or_create(
            department_id=pk,
            kind=row.kind,
            defaults={"dimension": row, "group_id": row.group_id},
        )


def get_dimension_values(row: Dimension) -> dict[str, Any]:
    """Return the present values that the history compares, in words."""
    return get_field_values(
        row,
        departments=[link.department for link in row.departments.all()],
        defaults=[link.department for link in row.defaults.all()],
    )


def get_field_values(
    row: Dimension, *, departments: Iterable[Department], defaults: Iterable[Department]
) -> dict[str, Any]:
    """Return the values that the history compares, in words, with these departments. No query if
    the departments have their enterprises.
    """
    return {
        "kind": row.get_kind_display(),
        "code": row.code,
        "name": row.name,
        "owner": row.owner.nickname if row.owner else "",
        "valid_from": row.valid_from,
        "valid_to": row.valid_to,
        "is_active": row.is_active,
        "departments": list_department_names(departments),
        "defaults": list_department_names(defaults),
    }


def list_department_names(departments: Iterable[Department]) -> list[str]:
    """Return the names of departments as the history shows them, sorted."""
    return sorted(f"{build_department_key(row)} {row.name}" for row in departments)


def build_department_key(department: Department) -> str:
    """Return the key of a department in a sheet: 企业编码/部门编码."""
    enterprise: Enterprise = department.enterprise
    return f"{enterprise.code}/{department.code}"


def count_links(department: Department) -> int:
    """Return the number of dimensions that name the department."""
    dimensions = DimensionDepartment.objects.filter(department=department).values("dimension")
    defaults = DimensionDefault.objects.filter(department=department).values("dimension")
    return int(dimensions.union(defaults).count())


def links_move_department(_actor: Account, source: Department, target: Department) -> int:
    """Give the rights and defaults of `source` to `target`; return how many. Defaults of the
    target stay.
    """
    moved_count = 0
    for model, key in ((DimensionDepartment, "dimension_id"), (DimensionDefault, "kind")):
        present = model.objects.filter(department=target).values(key)
        moved_count += model.objects.filter(department=source).count()
        model.objects.filter(department=source).exclude(**{f"{key}__in": present}).update(
            department=target
        )
        model.objects.filter(department=source).delete()
    return moved_count
