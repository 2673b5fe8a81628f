"""The change history, for those who may see its subject."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.db.models import Q, QuerySet

from apps.common.errors import Forbidden, NotFound
from apps.org.enums import DataScope
from apps.org.menus import MenuCode
from apps.org.models import Account, Address, Department, Enterprise, Group, OrganisationChange, Role
from apps.org.selectors.data_scope import scope_filter
from apps.org.subjects import SUBJECTS, Subject, subject_register


def changes_of(*, actor: Account, kind: str, pk: int | None = None) -> QuerySet[OrganisationChange]:
    """Return the changes of one subject, or of all of its kind that the actor sees, the latest first, with who made them.

    Raises:
        NotFound: there is no such kind, or no such subject that the actor may see.
        Forbidden: the kind's menu code is not his.
    """
    subject = SUBJECTS.get(kind)
    if subject is None:
        raise NotFound
    if not actor.has_menu_code(subject.menu):
        raise Forbidden
    rows: QuerySet[OrganisationChange] = OrganisationChange.objects.filter(subject_type=kind)
    if actor.data_scope_of(subject.menu) != DataScope.GROUP:
        rows = rows.filter(subject_id__in=subject.seen(actor).order_by().values("pk"))
    if pk is not None:
        rows = rows.filter(subject_id=pk)
        # What was deleted keeps its history; what never was is missing.
        if not rows.exists() and not subject.seen(actor).filter(pk=pk).exists():
            raise NotFound
    return rows.select_related("actor").order_by("-pk")


def _scoped(model: Any, menu: str, account: str, department: str, enterprise: str, actor: Account) -> QuerySet[Any]:
    rows: QuerySet[Any] = model.objects.filter(
        scope_filter(actor=actor, menu=menu, account=account, department=department, enterprise=enterprise)
    )
    return rows


def departments_seen(actor: Account) -> QuerySet[Department]:
    """Return the departments of the actor's data scope in 部门管理, disabled ones too; his own for the narrowest."""
    own = Q(pk__in=[actor.department_id])
    rows: QuerySet[Department] = Department.objects.filter(
        own | scope_filter(actor=actor, menu=MenuCode.MANAGEMENT_DEPARTMENT, account="head", department="pk", enterprise="enterprise")
    )
    return rows


def enterprises_seen(actor: Account) -> QuerySet[Enterprise]:
    """Return the enterprises of the actor's data scope in 集团管理, disabled ones too; his own but for the whole group."""
    rows: QuerySet[Enterprise] = Enterprise.objects.all()
    whole = actor.data_scope_of(MenuCode.MANAGEMENT_GROUP) == DataScope.GROUP
    return rows if whole else rows.filter(pk__in=[actor.enterprise_id])


def _own_group(actor: Account) -> QuerySet[Group]:
    return Group.objects.filter(pk__in=[actor.group_id])


def _all_roles(_: Account) -> QuerySet[Role]:
    rows: QuerySet[Role] = Role.objects.all()
    return rows


for _subject in (
    Subject("group", "集团", MenuCode.MANAGEMENT_GROUP, _own_group),
    Subject("enterprise", "企业", MenuCode.MANAGEMENT_GROUP, enterprises_seen),
    Subject("department", "部门", MenuCode.MANAGEMENT_DEPARTMENT, departments_seen),
    Subject(
        "account",
        "账号",
        MenuCode.MANAGEMENT_ACCOUNT,
        partial(_scoped, Account, MenuCode.MANAGEMENT_ACCOUNT, "pk", "department", "enterprise"),
    ),
    Subject("role", "角色", MenuCode.MANAGEMENT_ROLE, _all_roles),
    Subject(
        "address",
        "收货地址",
        MenuCode.MANAGEMENT_ADDRESS,
        partial(_scoped, Address, MenuCode.MANAGEMENT_ADDRESS, "account", "department", "enterprise"),
    ),
):
    subject_register(_subject)
