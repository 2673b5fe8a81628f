"""What a customer's controller does with budgets: create and change them, with rights and
change history. Also moves budgets when departments are merged.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from apps.budgets.enums import BudgetOwner, BudgetPolicy, BudgetRollover
from apps.budgets.locks import lock_managed_budgets
from apps.budgets.models import Budget
from apps.budgets.periods import period_around, period_text
from apps.budgets.selectors.budgets import may_manage
from apps.budgets.services.budget_allocate import budget_adjust, budget_create
from apps.budgets.services.budget_history import (
    CHANGED,
    CREATED,
    get_history_values,
    history_record,
)
from apps.budgets.services.budget_rollover import rollover_terms
from apps.common.errors import Forbidden, Stale, ValidationFailed
from apps.common.money import ZERO, yuan
from apps.common.stale import refuse_stale
from apps.org.locks import lock_enterprises
from apps.org.models import Account, Department, Enterprise


@dataclass(frozen=True, slots=True)
class BudgetChange:
    """The changed fields; None: unchanged. `rollover_cap` belongs to `rollover`.

    `amount` is the new amount in 元, `amount_seen` the one the actor saw; `seen_at` is the
    `updated_at` the actor saw.
    """

    name: str | None = None
    policy: str | None = None
    rollover: str | None = None
    rollover_cap: Decimal | None = None
    amount: Decimal | None = None
    amount_seen: Decimal | None = None
    seen_at: datetime | None = None
    reason: str = ""


@transaction.atomic
def budget_change(*, actor: Account, budget_id: int, change: BudgetChange) -> Budget:
    """Change a budget and return it. If nothing changes, nothing is written.

    Raises:
        BudgetNotFound, Forbidden: the actor cannot see or cannot change the budget.
        Stale: the budget or its amount changed since the actor saw it.
        ValidationFailed: the owner has another budget of that name in the period; there is no
            reason for a new amount or policy; *block* for an overdrawn budget; the rollover has no
            cap, or the period has ended.
        BudgetExceeded: the new amount is below reserved + consumed + held.
    """
    budget = _locked(actor, budget_id, change)
    before = get_history_values(budget)
    _check_name(budget, change)
    _require_policy_reason(budget, change)
    budget = _change_amount(budget, change, actor=actor)
    _change_policy(budget, change)
    _change_rollover(budget, change)
    budget.name = change.name or budget.name
    if get_history_values(budget) == before:
        # Leave `updated_at` as it is, so that an open editor stays valid.
        return budget
    budget.save(update_fields=["name", "policy", "rollover", "rollover_cap", "updated_at"])
    history_record(actor=actor, before=before, after=budget, action=CHANGED, note=change.reason)
    return budget


def _change_amount(budget: Budget, change: BudgetChange, *, actor: Account) -> Budget:
    """Adjust the amount in the database and return the changed budget."""
    if change.amount is None or yuan(change.amount) == budget.amount:
        return budget
    if not change.reason:
        raise ValidationFailed({"Reason": ["请填写调整原因，将记入预算流水"]})
    if change.amount_seen is not None and change.amount_seen != budget.amount:
        raise Stale("额度已被他人调整，请核对最新额度后重试", body=budget)
    delta = yuan(change.amount) - budget.amount
    return budget_adjust(actor=actor, budget=budget, delta=delta, note=change.reason)


def _require_policy_reason(budget: Budget, change: BudgetChange) -> None:
    if change.policy not in (None, budget.policy) and not change.reason:
        raise ValidationFailed({"Reason": ["请填写变更超出策略的原因，将记入变更记录"]})


def _change_policy(budget: Budget, change: BudgetChange) -> None:
    """Set the policy. The amount is already changed, because *block* needs an available rest."""
    if change.policy == BudgetPolicy.BLOCK and budget.available < ZERO:
        raise ValidationFailed({"Policy": ["该预算已超支，请先调增额度，再改为“超出禁止下单”"]})
    budget.policy = change.policy or budget.policy


def _change_rollover(budget: Budget, change: BudgetChange) -> None:
    wanted = (change.rollover, change.rollover_cap)
    if change.rollover is None or wanted == (budget.rollover, budget.rollover_cap):
        return
    budget.rollover, budget.rollover_cap = rollover_terms(
        rollover=change.rollover, cap=change.rollover_cap, last=budget.period_to
    )


def _locked(actor: Account, budget_id: int, change: BudgetChange) -> Budget:
    if change.name is not None:
        # Serialise with budget_open, so that the second writer finds the first name. Lock
        # order: enterprise, budget.
        enterprises = Budget.objects.filter(pk=budget_id).values_list("enterprise_id", flat=True)
        if found := enterprises.first():
            lock_enterprises(found)
    budget = lock_managed_budgets(actor=actor, budget_ids={budget_id})[budget_id]
    refuse_stale(budget, seen_at=change.seen_at)
    return budget


def _check_name(budget: Budget, change: BudgetChange) -> None:
    if change.name in (None, budget.name):
        return
    owner = Owner(budget.enterprise, budget.department, budget.account)
    same = list_same_budgets(owner, budget.period_from, budget.period_to).filter(name=change.name)
    if same.exclude(pk=budget.pk).exists():
        raise ValidationFailed({"Name": ["该归属在此周期已有同名预算，请更换名称"]})


@dataclass(frozen=True, slots=True)
class BudgetForm:
    """The form of a new budget; `day` is any day of the period, `amount` in 元."""

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
    """The owner of a budget. The enterprise is always set."""

    enterprise: Enterprise
    department: Department | None = None
    account: Account | None = None


@transaction.atomic
def budget_open(*, actor: Account, form: BudgetForm) -> Budget:
    """Create a budget from the form, with its allocation entry.

    Raises:
        Forbidden: the actor does not manage budgets of that enterprise.
        ValidationFailed: the owner does not exist or has a budget of that name in the period; the
            period has ended; the rollover has no cap.
    """
    owner = find_owner(owner_type=form.owner_type, pk=form.owner_id)
    if owner is None:
        raise ValidationFailed({"OwnerId": ["归属不存在或已停用，请重新选择"]})
    if not may_manage(actor, owner.enterprise.pk):
        raise Forbidden("您不能维护该企业的预算，请联系贵司管理员或财务")
    # If two are created at the same time, the second waits here and finds the first.
    lock_enterprises(owner.enterprise.pk)
    first, last = period_around(period=form.period, day=form.day)
    refuse_ended_period(period=form.period, first=first, last=last)
    rollover, cap = rollover_terms(rollover=form.rollover, cap=form.rollover_cap, last=last)
    if list_same_budgets(owner, first, last).filter(name=form.name).exists():
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
    history_record(actor=actor, before=None, after=budget, action=CREATED)
    return budget


def refuse_ended_period(*, period: str, first: date, last: date) -> None:
    """Raise ValidationFailed if the period has ended, because nobody could order on the budget."""
    if last < timezone.localdate():
        name = period_text(period=period, first=first, last=last)
        raise ValidationFailed({"Day": [f"{name}已结束，请选择本期或以后的期次"]})


def find_owner(*, owner_type: str, pk: int) -> Owner | None:
    """Return the enabled enterprise, department or account of the group, or None."""
    if owner_type == BudgetOwner.ENTERPRISE:
        enterprise = Enterprise.objects.filter(pk=pk, is_active=True).first()
        return Owner(enterprise) if enterprise else None
    if owner_type == BudgetOwner.DEPARTMENT:
        department = (
            Department.objects.filter(pk=pk, is_active=True).select_related("enterprise").first()
        )
        return Owner(department.enterprise, department=department) if department else None
    account = Account.objects.filter(pk=pk, is_active=True).select_related("enterprise").first()
    return Owner(account.enterprise, account=account) if account and account.enterprise else None


def list_same_budgets(owner: Owner, first: date, last: date) -> QuerySet[Budget]:
    """Return the owner's budgets of the period."""
    rows: QuerySet[Budget] = Budget.objects.filter(
        enterprise=owner.enterprise,
        department=owner.department,
        account=owner.account,
        period_from=first,
        period_to=last,
    )
    return rows


def count_open_budgets(department: Department) -> int:
    """Return the number of the department's budgets that have not ended."""
    return int(
        Budget.objects.filter(department=department, period_to__gte=timezone.localdate()).count()
    )


def budgets_move_department(_actor: Account, source: Department, target: Department) -> int:
    """Give all budgets of `source`, ended ones included, to `target`; return how many. Amounts
    and ledger do not change.
    """
    return int(Budget.objects.filter(department=source).update(department=target))
