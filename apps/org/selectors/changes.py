"""The change history, limited to subjects that the actor may see."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.db.models import Q, QuerySet

from apps.common.errors import Forbidden, NotFound
from apps.org.enums import DataScope
from apps.org.history_subjects import HISTORY_SUBJECTS, HistorySubject, register_history_subject
from apps.org.menus import MenuCode
from apps.org.models import (
    Account,
    Address,
    Department,
    Enterprise,
    Group,
    OrganisationChange,
    Role,
)
from apps.org.selectors.data_scope import scope_filter


def changes_of(*, actor: Account, kind: str, pk: int | None = None) -> QuerySet[OrganisationChange]:
    """Return the changes of one subject, or of all visible subjects of this kind, latest first,
    with their actors.

    Raises:
        NotFound: the kind does not exist, or the actor cannot see the subject.
        Forbidden: the actor lacks the kind's menu code.
    """
    subject = HISTORY_SUBJECTS.get(kind)
    if subject is None:
        raise NotFound
    if not actor.has_menu_code(subject.menu):
        raise Forbidden
    rows: QuerySet[OrganisationChange] = OrganisationChange.objects.filter(subject_type=kind)
    if actor.data_scope_of(subject.menu) != DataScope.GROUP:
        rows = rows.filter(subject_id__in=subject.visible_rows(actor).order_by().values("pk"))
    if pk is not None:
        rows = rows.filter(subject_id=pk)
        # A deleted subject still has a history. A subject that never existed has none.
        if not rows.exists() and not subject.visible_rows(actor).filter(pk=pk).exists():
            raise NotFound
    return rows.select_related("actor").order_by("-pk")


def _scoped(
    model: Any, menu: str, account: str, department: str, enterprise: str, actor: Account
) -> QuerySet[Any]:
    rows: QuerySet[Any] = model.objects.filter(
        scope_filter(
            actor=actor, menu=menu, account=account, department=department, enterprise=enterprise
        )
    )
    return rows


def departments_seen(actor: Account) -> QuerySet[Department]:
    """Return the departments of the actor's data scope in 部门管理, disabled ones included. With
    the narrowest scope, return the actor's own department.
    """
    own = Q(pk__in=[actor.department_id])
    rows: QuerySet[Department] = Department.objects.filter(
        own
        | scope_filter(
            actor=actor,
            menu=MenuCode.MANAGEMENT_DEPARTMENT,
            account="head",
            department="pk",
            enterprise="enterprise",
        )
    )
    return rows


def enterprises_seen(actor: Account) -> QuerySet[Enterprise]:
    """Return the enterprises of the actor's data scope in 集团管理, disabled ones included: all for
    the group scope, otherwise the actor's own.
    """
    rows: QuerySet[Enterprise] = Enterprise.objects.all()
    whole = actor.data_scope_of(MenuCode.MANAGEMENT_GROUP) == DataScope.GROUP
    return rows if whole else rows.filter(pk__in=[actor.enterprise_id])


def _own_group(actor: Account) -> QuerySet[Group]:
    return Group.objects.filter(pk__in=[actor.group_id])


def _all_roles(_: Account) -> QuerySet[Role]:
    rows: QuerySet[Role] = Role.objects.all()
    return rows


for _subject in (
    HistorySubject("group", "集团", MenuCode.MANAGEMENT_GROUP, _own_group),
    HistorySubject("enterprise", "企业", MenuCode.MANAGEMENT_GROUP, enterprises_seen),
    HistorySubject("department", "部门", MenuCode.MANAGEMENT_DEPARTMENT, departments_seen),
    HistorySubject(
        "account",
        "账号",
        MenuCode.MANAGEMENT_ACCOUNT,
        partial(_scoped, Account, MenuCode.MANAGEMENT_ACCOUNT, "pk", "department", "enterprise"),
    ),
    HistorySubject("role", "角色", MenuCode.MANAGEMENT_ROLE, _all_roles),
    HistorySubject(
        "address",
        "收货地址",
        MenuCode.MANAGEMENT_ADDRESS,
        partial(
            _scoped, Address, MenuCode.MANAGEMENT_ADDRESS, "account", "department", "enterprise"
        ),
    ),
):
    register_history_subject(_subject)
