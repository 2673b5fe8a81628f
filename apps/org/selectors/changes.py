"""The change history: the registry of its subjects, and the changes that an actor may see.

An app above `org` registers its own subjects in AppConfig.ready, e.g.
`register_history_subject(HistorySubject("budget", "预算", MenuCode.ASSET_BUDGET,
list_budgets_with_history))`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from django.db.models import QuerySet

from apps.common.errors import Forbidden, NotFound
from apps.org.enums import DataScope
from apps.org.menus import MenuCode
from apps.org.models import Account, Address, Group, OrganisationChange, Role
from apps.org.selectors.data_scope import scope_filter
from apps.org.selectors.departments import list_departments_in_scope
from apps.org.selectors.enterprises import list_enterprises_in_scope


@dataclass(frozen=True, slots=True)
class HistorySubject:
    """A kind of row with a change history. `visible_rows` returns the rows an account may see,
    disabled ones included. In the group's data scope, deleted rows are visible too.
    """

    kind: str
    name: str
    menu: str
    visible_rows: Callable[[Account], QuerySet[Any]]


HISTORY_SUBJECTS: dict[str, HistorySubject] = {}


def register_history_subject(subject: HistorySubject) -> None:
    """Make the history of this kind readable through the API."""
    HISTORY_SUBJECTS[subject.kind] = subject


def list_changes(
    *, actor: Account, kind: str, pk: int | None = None
) -> QuerySet[OrganisationChange]:
    """Return the changes of one subject, or of all visible subjects of this kind, latest first,
    with their actors and the customers for whom staff acted.

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
    if actor.get_data_scope(subject.menu) != DataScope.GROUP:
        rows = rows.filter(subject_id__in=subject.visible_rows(actor).order_by().values("pk"))
    if pk is not None:
        rows = rows.filter(subject_id=pk)
        # A deleted subject still has a history. A subject that never existed has none.
        if not rows.exists() and not subject.visible_rows(actor).filter(pk=pk).exists():
            raise NotFound
    return rows.select_related("actor", "acting_for").order_by("-pk")


def _filter_by_scope(
    model: Any, menu: str, account: str, department: str, enterprise: str, actor: Account
) -> QuerySet[Any]:
    """Return the rows in the actor's data scope. `account`, `department` and `enterprise` are
    the lookups to the owner.
    """
    rows: QuerySet[Any] = model.objects.filter(
        scope_filter(
            actor=actor, menu=menu, account=account, department=department, enterprise=enterprise
        )
    )
    return rows


def _filter_own_group(actor: Account) -> QuerySet[Group]:
    return Group.objects.filter(pk__in=[actor.group_id])


def _list_all_roles(_: Account) -> QuerySet[Role]:
    rows: QuerySet[Role] = Role.objects.all()
    return rows


for _subject in (
    HistorySubject("group", "集团", MenuCode.MANAGEMENT_GROUP, _filter_own_group),
    HistorySubject("enterprise", "企业", MenuCode.MANAGEMENT_GROUP, list_enterprises_in_scope),
    HistorySubject("department", "部门", MenuCode.MANAGEMENT_DEPARTMENT, list_departments_in_scope),
    HistorySubject(
        "account",
        "账号",
        MenuCode.MANAGEMENT_ACCOUNT,
        partial(
            _filter_by_scope, Account, MenuCode.MANAGEMENT_ACCOUNT, "pk", "department", "enterprise"
        ),
    ),
    HistorySubject("role", "角色", MenuCode.MANAGEMENT_ROLE, _list_all_roles),
    HistorySubject(
        "address",
        "收货地址",
        MenuCode.MANAGEMENT_ADDRESS,
        partial(
            _filter_by_scope,
            Address,
            MenuCode.MANAGEMENT_ADDRESS,
            "account",
            "department",
            "enterprise",
        ),
    ),
):
    register_history_subject(_subject)
