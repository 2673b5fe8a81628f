"""Figures for administrators: late approvals, accounts without a role, and rules with a
disabled approver.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from apps.approvals.enums import ApprovalStatus
from apps.approvals.models import Approval, ApprovalRule, ApprovalRuleStep, ApprovalTask
from apps.approvals.selectors.waiting import late_tasks
from apps.calendar.selectors import WorkingCalendar
from apps.org.enums import DataScope
from apps.org.menus import MenuCode
from apps.org.selectors.accounts import WITHOUT_ROLE, list_visible_accounts

if TYPE_CHECKING:
    from apps.org.models import Account

WIDE = (DataScope.ENTERPRISE, DataScope.GROUP)


@dataclass(frozen=True, slots=True)
class Kept:
    """The figures. A value is None if the actor lacks its menu code, or its data scope is too
    narrow.
    """

    late_approvals: int | None
    people_without_role: int | None
    rules_with_disabled: int | None


def kept_by(*, actor: Account, calendar: WorkingCalendar) -> Kept:
    """Return the figures for the actor. One query for each figure that the actor may see."""
    people = rules = None
    if _keeps(actor, MenuCode.MANAGEMENT_ACCOUNT):
        people = (
            list_visible_accounts(actor=actor, menu=MenuCode.MANAGEMENT_ACCOUNT)
            .filter(WITHOUT_ROLE)
            .count()
        )
    if _keeps(actor, MenuCode.MANAGEMENT_APPROVAL):
        rules = _rules_with_disabled(actor).count()
    return Kept(_late(actor, calendar), people, rules)


def _keeps(actor: Account, menu: str) -> bool:
    """Return whether the actor has the menu code with the data scope of an enterprise or the
    group.
    """
    return actor.has_menu_code(menu) and actor.data_scope_of(menu) in WIDE


def _late(actor: Account, calendar: WorkingCalendar) -> int | None:
    """Count the pending approvals with a late task in the actor's data scope. None unless the
    actor manages rules or sees the approvals of a whole enterprise.
    """
    menu = next(
        (
            code
            for code in (MenuCode.MANAGEMENT_APPROVAL, MenuCode.ORDER_APPROVAL)
            if _keeps(actor, code)
        ),
        None,
    )
    if menu is None:
        return None
    late = ApprovalTask.objects.filter(
        late_tasks(actor=actor, calendar=calendar), step__approval=OuterRef("pk")
    )
    rows = Approval.objects.filter(Exists(late), status=ApprovalStatus.PENDING)
    if actor.data_scope_of(menu) != DataScope.GROUP:
        rows = rows.filter(
            requester__in=list_visible_accounts(actor=actor, menu=menu).order_by().values("pk")
        )
    return int(rows.count())


def _rules_with_disabled(actor: Account) -> QuerySet[ApprovalRule]:
    """Return the rules in force that name a disabled account, of the actor's enterprise or,
    with group scope, of the whole group.
    """
    today = timezone.localdate()
    named = ApprovalRuleStep.objects.filter(rule=OuterRef("pk"), accounts__is_active=False)
    in_force = Q(valid_until=None) | Q(valid_until__gte=today)
    rows: QuerySet[ApprovalRule] = ApprovalRule.objects.filter(
        in_force, Exists(named), is_active=True
    )
    if actor.data_scope_of(MenuCode.MANAGEMENT_APPROVAL) == DataScope.GROUP:
        return rows
    here = (
        Q(enterprise=None, department=None)
        | Q(enterprise=actor.enterprise_id)
        | Q(department__enterprise=actor.enterprise_id)
    )
    return rows.filter(here)
