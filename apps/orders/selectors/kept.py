"""What the workbench tells those who keep others' work going: approvals that run late, people and rules that need them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from apps.approvals.enums import ApprovalStatus
from apps.approvals.models import Approval, ApprovalRule, ApprovalRuleStep, ApprovalTask
from apps.approvals.selectors.deadlines import late_tasks
from apps.content.selectors.working_time import WorkingCalendar
from apps.org.enums import DataScope
from apps.org.menus import MenuCode
from apps.org.selectors.account_list import WITHOUT_ROLE
from apps.org.selectors.accounts import accounts_visible

if TYPE_CHECKING:
    from apps.org.models import Account

WIDE = (DataScope.ENTERPRISE, DataScope.GROUP)


@dataclass(frozen=True, slots=True)
class Kept:
    """None is what he has no code for."""

    late_approvals: int | None
    people_without_role: int | None
    rules_with_disabled: int | None


def kept_by(*, actor: Account, calendar: WorkingCalendar) -> Kept:
    """Return what needs the actor as a keeper; one query for each that he may see."""
    people = rules = None
    if _keeps(actor, MenuCode.MANAGEMENT_ACCOUNT):
        people = accounts_visible(actor=actor, menu=MenuCode.MANAGEMENT_ACCOUNT).filter(WITHOUT_ROLE).count()
    if _keeps(actor, MenuCode.MANAGEMENT_APPROVAL):
        rules = _rules_with_disabled(actor).count()
    return Kept(_late(actor, calendar), people, rules)


def _keeps(actor: Account, menu: str) -> bool:
    """Whether he has the code for a whole enterprise or the group: less is his own work."""
    return actor.has_menu_code(menu) and actor.data_scope_of(menu) in WIDE


def _late(actor: Account, calendar: WorkingCalendar) -> int | None:
    """Count the pending approvals of his data scope that somebody lets lie; for who keeps the rules, or sees a whole enterprise's."""
    menu = next((code for code in (MenuCode.MANAGEMENT_APPROVAL, MenuCode.ORDER_APPROVAL) if _keeps(actor, code)), None)
    if menu is None:
        return None
    late = ApprovalTask.objects.filter(late_tasks(actor=actor, calendar=calendar), step__approval=OuterRef("pk"))
    rows = Approval.objects.filter(Exists(late), status=ApprovalStatus.PENDING)
    if actor.data_scope_of(menu) != DataScope.GROUP:
        rows = rows.filter(requester__in=accounts_visible(actor=actor, menu=menu).order_by().values("pk"))
    return int(rows.count())


def _rules_with_disabled(actor: Account) -> QuerySet[ApprovalRule]:
    """The rules in force of the actor's enterprise, or of the whole group for who keeps that, that name somebody disabled."""
    today = timezone.localdate()
    named = ApprovalRuleStep.objects.filter(rule=OuterRef("pk"), accounts__is_active=False)
    in_force = Q(valid_until=None) | Q(valid_until__gte=today)
    rows: QuerySet[ApprovalRule] = ApprovalRule.objects.filter(in_force, Exists(named), is_active=True)
    if actor.data_scope_of(MenuCode.MANAGEMENT_APPROVAL) == DataScope.GROUP:
        return rows
    here = Q(enterprise=None, department=None) | Q(enterprise=actor.enterprise_id) | Q(department__enterprise=actor.enterprise_id)
    return rows.filter(here)
