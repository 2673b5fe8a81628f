"""Make a budget as the customer's controller fills it in: for whom, for which period, how much."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from apps.budgets.enums import BudgetOwner, BudgetRollover
from apps.budgets.models import Budget
from apps.budgets.periods import period_around, period_text
from apps.budgets.selectors.budgets import may_keep
from apps.budgets.services.budget_allocate import budget_create
from apps.budgets.services.budget_history import CREATED, budget_recorded
from apps.budgets.services.budget_rollover import rollover_terms
from apps.common.errors import Forbidden, ValidationFailed
from apps.org.locks import lock_enterprises
from apps.org.models import Account, Department, Enterprise


@dataclass(frozen=True, slots=True)
class BudgetForm:
    """What is filled in; `day` is any day of the period, `amount` in 元."""

    name: str
    owner_type: str
    owner_id: int
    period: str
    day: date
    amount: Decimal
    policy: str
    rollover: str = BudgetRollover.NONE
    rollover_cap: Decimal | None = None


@dataclass(frozen=True, slots=True)
class Owner:
    """Whose a budget is; the enterprise is always told."""

    enterprise: Enterprise
    department: Department | None = None
    account: Account | None = None


@transaction.atomic
def budget_open(*, actor: Account, form: BudgetForm) -> Budget:
    """Return a new budget with its allocation in the ledger.

    Raises:
        Forbidden: the actor keeps no budgets of that enterprise.
        ValidationFailed: the owner is not there, or has one of that name for that period already; the period has ended;
            its roll-over is not whole.
    """
    owner = owner_of(owner_type=form.owner_type, pk=form.owner_id)
    if owner is None:
        raise ValidationFailed({"OwnerId": ["归属不存在或已停用，请重新选择"]})
    if not may_keep(actor, owner.enterprise.pk):
        raise Forbidden("您不能维护该企业的预算，请联系贵司管理员或财务")
    # Two at once for one owner: the second waits here and finds the first.
    lock_enterprises(owner.enterprise.pk)
    first, last = period_around(period=form.period, day=form.day)
    refuse_past(period=form.period, first=first, last=last)
    rollover, cap = rollover_terms(rollover=form.rollover, cap=form.rollover_cap, last=last)
    if same_budgets(owner, first, last).filter(name=form.name).exists():
        raise ValidationFailed({"Name": ["该归属在此周期已有同名预算，可以直接调整其额度"]})
    budget = budget_create(
        actor=actor,
        name=form.name,
        owner_type=form.owner_type,
        enterprise=owner.enterprise,
        department=owner.department,
        account=owner.account,
        period=form.period,
        period_from=first,
        period_to=last,
        amount=form.amount,
        policy=form.policy,
        rollover=rollover,
        rollover_cap=cap,
    )
    budget_recorded(actor=actor, before=None, after=budget, action=CREATED)
    return budget


def refuse_past(*, period: str, first: date, last: date) -> None:
    """Raise ValidationFailed for a period that has ended: nobody could order on it."""
    if last < timezone.localdate():
        raise ValidationFailed({"Day": [f"{period_text(period=period, first=first, last=last)}已结束，请选择本期或以后的期次"]})


def owner_of(*, owner_type: str, pk: int) -> Owner | None:
    """Return an enabled enterprise, department or person of the group; None where there is none such."""
    if owner_type == BudgetOwner.ENTERPRISE:
        enterprise = Enterprise.objects.filter(pk=pk, is_active=True).first()
        return Owner(enterprise) if enterprise else None
    if owner_type == BudgetOwner.DEPARTMENT:
        department = Department.objects.filter(pk=pk, is_active=True).select_related("enterprise").first()
        return Owner(department.enterprise, department=department) if department else None
    account = Account.objects.filter(pk=pk, is_active=True).select_related("enterprise").first()
    return Owner(account.enterprise, account=account) if account and account.enterprise else None


def same_budgets(owner: Owner, first: date, last: date) -> QuerySet[Budget]:
    """Return the budgets of an owner for a period."""
    rows: QuerySet[Budget] = Budget.objects.filter(
        enterprise=owner.enterprise, department=owner.department, account=owner.account, period_from=first, period_to=last
    )
    return rows
