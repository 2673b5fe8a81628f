"""Create budgets, change their terms and amounts, with rights, ledger entries and change history.
Also moves budgets when departments are merged.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone

from apps.budgets.enums import BudgetOwner, BudgetPolicy, BudgetRollover, EntryKind
from apps.budgets.errors import (
    AmountBelowUse,
    AmountMoved,
    AmountReasonMissing,
    BudgetExists,
    BudgetNameTaken,
    EarmarkedCategoryUnavailable,
    EarmarkedDimensionUnavailable,
    EnterpriseNotManaged,
    OverspentForBlock,
    OwnerUnavailable,
    ParentBelowItself,
    ParentEarmarkDiffers,
    ParentOfOtherEnterprise,
    ParentPeriodTooShort,
    ParentUnavailable,
    PeriodEnded,
    PolicyReasonMissing,
    RolloverAfterEnd,
    RolloverCapMissing,
    ThresholdInvalid,
    TooManyThresholds,
    TreeTooDeep,
    TwoEarmarks,
)
from apps.budgets.locks import lock_budget_paths, lock_managed_budgets
from apps.budgets.models import DEFAULT_THRESHOLDS, Budget
from apps.budgets.periods import format_period, get_period_around
from apps.budgets.selectors.budget_tree import MAX_LEVELS, build_below_condition, get_path
from apps.budgets.selectors.budgets import may_manage
from apps.budgets.selectors.earmarks import NO_EARMARK, Earmark
from apps.budgets.services.budget_moves import (
    alert_publish_if_used,
    entry_write,
    tree_use_move,
)
from apps.catalog.models import Category
from apps.common.errors import refuse_stale
from apps.common.money import ZERO, build_money_value, round_yuan
from apps.dimensions.models import Dimension
from apps.org.enums import ChangeAction
from apps.org.locks import lock_enterprises
from apps.org.models import Account, Department, Enterprise
from apps.org.services.changes import change_record

MAX_THRESHOLDS = 5


@dataclass(frozen=True, slots=True)
class BudgetChange:
    """The changed fields; None: unchanged. `rollover_cap` belongs to `rollover`, `parent_id` to
    `is_parent_changed` (None then means no parent).

    `amount` is the new amount in 元, `amount_seen` the one the actor saw; `seen_at` is the
    `updated_at` the actor saw.
    """

    name: str | None = None
    policy: str | None = None
    rollover: str | None = None
    rollover_cap: Decimal | None = None
    amount: Decimal | None = None
    amount_seen: Decimal | None = None
    thresholds: Sequence[int] | None = None
    parent_id: int | None = None
    is_parent_changed: bool = False
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
            cap, or the period has ended; the budget cannot be below the new parent.
        BudgetExceeded: the new amount is below reserved + consumed + held, or a new parent has less
            than the budget uses.
    """
    budget = _lock_for_change(actor, budget_id, change)
    before = get_history_values(budget)
    _check_name(budget, change)
    _require_policy_reason(budget, change)
    budget = _change_amount(budget, change, actor=actor)
    _change_policy(budget, change)
    _change_rollover(budget, change)
    if change.is_parent_changed:
        budget_parent_set(actor=actor, budget=budget, parent_id=change.parent_id)
    if change.thresholds is not None:
        budget.thresholds = check_thresholds(change.thresholds)
    budget.name = change.name or budget.name
    if get_history_values(budget) == before:
        # Leave `updated_at` as it is, so that an open editor stays valid.
        return budget
    budget.save(
        update_fields=[
            "name",
            "policy",
            "rollover",
            "rollover_cap",
            "thresholds",
            "parent",
            "updated_at",
        ]
    )
    history_record(actor=actor, before=before, after=budget, action=CHANGED, note=change.reason)
    return budget


def _change_amount(budget: Budget, change: BudgetChange, *, actor: Account) -> Budget:
    """Adjust the amount in the database and return the changed budget.

    Raises:
        AmountReasonMissing: the change has no reason.
        AmountMoved: the amount has changed since the person saw it.
    """
    if change.amount is None or round_yuan(change.amount) == budget.amount:
        return budget
    if not change.reason:
        raise AmountReasonMissing
    if change.amount_seen is not None and change.amount_seen != budget.amount:
        raise AmountMoved(body=budget)
    delta = round_yuan(change.amount) - budget.amount
    return budget_adjust(actor=actor, budget=budget, delta=delta, note=change.reason)


def _require_policy_reason(budget: Budget, change: BudgetChange) -> None:
    if change.policy not in (None, budget.policy) and not change.reason:
        raise PolicyReasonMissing


def _change_policy(budget: Budget, change: BudgetChange) -> None:
    """Set the policy. The amount is already changed, because *block* needs an available rest.

    Raises:
        OverspentForBlock: the budget is overspent.
    """
    if change.policy == BudgetPolicy.BLOCK and budget.available < ZERO:
        raise OverspentForBlock
    budget.policy = change.policy or budget.policy


def _change_rollover(budget: Budget, change: BudgetChange) -> None:
    new_rollover = (change.rollover, change.rollover_cap)
    if change.rollover is None or new_rollover == (budget.rollover, budget.rollover_cap):
        return
    budget.rollover, budget.rollover_cap = get_rollover_terms(
        rollover=change.rollover, cap=change.rollover_cap, last=budget.period_to
    )


def _lock_for_change(actor: Account, budget_id: int, change: BudgetChange) -> Budget:
    """Lock what the change touches and return the budget.

    Raises:
        Stale: the budget has changed since the person opened the form.
    """
    if change.name is not None or change.is_parent_changed:
        # Serialise with budget_open, so that the second writer finds the first name, and with
        # other changes of the tree, so that two of them form no cycle. Lock order: enterprise,
        # budget.
        enterprises = Budget.objects.filter(pk=budget_id).values_list("enterprise_id", flat=True)
        if enterprise := enterprises.first():
            lock_enterprises(enterprise)
    if change.is_parent_changed:
        lock_budget_paths(budget_ids={budget_id, change.parent_id or budget_id})
    budget = lock_managed_budgets(actor=actor, budget_ids={budget_id})[budget_id]
    refuse_stale(budget, seen_at=change.seen_at)
    return budget


def _check_name(budget: Budget, change: BudgetChange) -> None:
    if change.name in (None, budget.name):
        return
    owner = Owner(budget.enterprise, budget.department, budget.account)
    same_name_budgets = list_same_budgets(owner, budget.period_from, budget.period_to).filter(
        name=change.name
    )
    if same_name_budgets.exclude(pk=budget.pk).exists():
        raise BudgetNameTaken


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
    parent_id: int | None = None
    thresholds: Sequence[int] = DEFAULT_THRESHOLDS
    category_id: int | None = None
    dimension_id: int | None = None


def find_earmark(*, category_id: int | None, dimension_id: int | None) -> Earmark:
    """Return the earmark of a new budget.

    Raises:
        ValidationFailed: both are given, or the category or dimension does not exist or is
            disabled.
    """
    if category_id is not None and dimension_id is not None:
        raise TwoEarmarks
    category = dimension = None
    if category_id is not None:
        rows = Category.objects.select_related("parent__parent")
        category = rows.filter(pk=category_id).first()
        if category is None:
            raise EarmarkedCategoryUnavailable
    if dimension_id is not None:
        dimension = Dimension.objects.filter(pk=dimension_id, is_active=True).first()
        if dimension is None:
            raise EarmarkedDimensionUnavailable
    return Earmark(category, dimension)


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
            period has ended; the rollover has no cap; the budget cannot be below the parent; the
            category or dimension does not exist.
    """
    owner = find_owner(owner_type=form.owner_type, pk=form.owner_id)
    if owner is None:
        raise OwnerUnavailable
    if not may_manage(actor, owner.enterprise.pk):
        raise EnterpriseNotManaged
    # If two are created at the same time, the second waits here and finds the first.
    lock_enterprises(owner.enterprise.pk)
    first, last = get_period_around(period=form.period, day=form.day)
    refuse_ended_period(period=form.period, first=first, last=last)
    rollover, cap = get_rollover_terms(rollover=form.rollover, cap=form.rollover_cap, last=last)
    if list_same_budgets(owner, first, last).filter(name=form.name).exists():
        raise BudgetExists
    earmark = find_earmark(category_id=form.category_id, dimension_id=form.dimension_id)
    parent = find_parent(
        parent_id=form.parent_id,
        enterprise_id=owner.enterprise.pk,
        first=first,
        last=last,
        earmark=earmark,
    )
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
        parent=parent,
        thresholds=check_thresholds(form.thresholds),
        earmark=earmark,
    )
    history_record(actor=actor, before=None, after=budget, action=CREATED)
    return budget


def check_thresholds(thresholds: Sequence[int]) -> list[int]:
    """Return the thresholds in percent, ascending and without repetition. Empty: no alerts.

    Raises:
        ValidationFailed: there are more than five, or one is not between 1 and 100.
    """
    rows = sorted(set(thresholds))
    if len(rows) > MAX_THRESHOLDS:
        raise TooManyThresholds(MAX_THRESHOLDS)
    if any(not 1 <= row <= 100 for row in rows):
        raise ThresholdInvalid
    return rows


def budget_parent_set(*, actor: Account, budget: Budget, parent_id: int | None) -> None:
    """Put a budget under another parent, or under none. Its use leaves the figures of the old
    levels and enters those of the new ones. The caller has locked the enterprise and both paths,
    and saves the budget.

    Raises:
        ValidationFailed: the budget cannot be below this parent.
        BudgetExceeded: a new level with the policy *block* has less than the budget uses.
    """
    if parent_id == budget.parent_id:
        return
    parent = find_parent(
        parent_id=parent_id,
        enterprise_id=budget.enterprise_id,
        first=budget.period_from,
        last=budget.period_to,
        earmark=Earmark(budget.category, budget.dimension),
        budget=budget,
    )
    old_path = get_path(budget)[1:]
    new_path = get_path(parent) if parent else []
    stay = {level.pk for level in old_path} & {level.pk for level in new_path}
    tree_use_move(
        actor=actor,
        budget=budget,
        source=[level for level in old_path if level.pk not in stay],
        target=[level for level in new_path if level.pk not in stay],
    )
    budget.parent = parent


def find_parent(
    *,
    parent_id: int | None,
    enterprise_id: int,
    first: date,
    last: date,
    earmark: Earmark = NO_EARMARK,
    budget: Budget | None = None,
) -> Budget | None:
    """Return the parent for a budget of this enterprise, period and earmark. `budget` is an
    existing budget that moves.

    Raises:
        ValidationFailed: there is no such budget; it belongs to another enterprise; its period does
            not contain the budget's; it does not count what the budget counts; it is the budget
            itself or below it; the tree gets too deep.
    """
    if parent_id is None:
        return None
    parent: Budget | None = Budget.objects.filter(pk=parent_id).first()
    if parent is None:
        raise ParentUnavailable
    if parent.enterprise_id != enterprise_id:
        raise ParentOfOtherEnterprise
    if parent.period_from > first or parent.period_to < last:
        period = format_period(
            period=parent.period, first=parent.period_from, last=parent.period_to
        )
        raise ParentPeriodTooShort(name=parent.name, period=period)
    if not earmark.is_within(parent):
        raise ParentEarmarkDiffers(parent.name)
    path = get_path(parent)
    if budget is not None and any(level.pk == budget.pk for level in path):
        raise ParentBelowItself
    if len(path) + (_count_levels(budget) if budget else 1) > MAX_LEVELS:
        raise TreeTooDeep(MAX_LEVELS)
    return parent


def _count_levels(budget: Budget) -> int:
    """Return the number of levels from the budget down to the lowest budget below it."""
    parents = dict(
        Budget.objects.filter(build_below_condition(Budget.objects.filter(pk=budget.pk)))
        .order_by()
        .values_list("pk", "parent_id")
    )
    levels, subtree_ids = 1, {budget.pk}
    while subtree_ids := {pk for pk, parent_id in parents.items() if parent_id in subtree_ids}:
        levels += 1
    return levels


def refuse_ended_period(*, period: str, first: date, last: date) -> None:
    """Raise ValidationFailed if the period has ended, because nobody could order on the budget."""
    if last < timezone.localdate():
        name = format_period(period=period, first=first, last=last)
        raise PeriodEnded(name)


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


@transaction.atomic
def budget_create(
    *,
    actor: Account | None,
    name: str,
    owner_type: str,
    enterprise: Enterprise,
    department: Department | None = None,
    account: Account | None = None,
    period: str,
    period_from: date,
    period_to: date,
    amount: Decimal,
    policy: str,
    rollover: str = BudgetRollover.NONE,
    rollover_cap: Decimal | None = None,
    parent: Budget | None = None,
    thresholds: Sequence[int] = DEFAULT_THRESHOLDS,
    earmark: Earmark = NO_EARMARK,
) -> Budget:
    """Create a budget of `amount` 元 with its allocation entry. `rollover_cap` is set only for
    the rollover CAP. The caller has checked the parent (`find_parent`).
    """
    budget: Budget = Budget.objects.create(
        group_id=enterprise.group_id,
        name=name,
        owner_type=owner_type,
        enterprise=enterprise,
        department=department,
        account=account,
        period=period,
        period_from=period_from,
        period_to=period_to,
        amount=round_yuan(amount),
        policy=policy,
        rollover=rollover,
        rollover_cap=rollover_cap,
        parent=parent,
        thresholds=[*thresholds],
        category=earmark.category,
        dimension=earmark.dimension,
    )
    entry_write(
        budget_id=budget.pk,
        group_id=budget.group_id,
        actor=actor,
        kind=EntryKind.ALLOCATE,
        amount=budget.amount,
        note="预算拨款",
    )
    return budget


@transaction.atomic
def budget_adjust(*, actor: Account | None, budget: Budget, delta: Decimal, note: str) -> Budget:
    """Change the amount by `delta` 元 and return the changed budget.

    Raises:
        BudgetExceeded: the new amount is below reserved + consumed + held.
    """
    delta = round_yuan(delta)
    # Raising is always allowed, also for an overdrawn budget.
    floor = (
        Q(amount__gte=F("reserved") + F("consumed") + F("held") - build_money_value(delta))
        if delta < ZERO
        else Q()
    )
    updated_count = Budget.objects.filter(floor, pk=budget.pk).update(
        amount=F("amount") + build_money_value(delta), updated_at=timezone.now()
    )
    if not updated_count:
        budget.refresh_from_db(fields=["amount", "reserved", "consumed", "held"])
        used = budget.reserved + budget.consumed + budget.held
        raise AmountBelowUse(new=budget.amount + delta, used=used)
    entry_write(
        budget_id=budget.pk,
        group_id=budget.group_id,
        actor=actor,
        kind=EntryKind.ADJUST,
        amount=delta,
        note=note,
    )
    budget_after: Budget = Budget.objects.select_related("department").get(pk=budget.pk)
    if delta < ZERO:
        alert_publish_if_used(budget_after)
    return budget_after


CREATED, CHANGED = ChangeAction.CREATE, ChangeAction.UPDATE
LABELS = {
    "name": "预算名称",
    "period": "周期",
    "amount": "额度（元）",
    "policy": "超出策略",
    "rollover": "结转",
    "thresholds": "预警线",
    "parent": "上级预算",
    "earmark": "限定范围",
}


def get_history_values(budget: Budget) -> dict[str, Any]:
    """Return the values that the history compares, in words."""
    period = format_period(period=budget.period, first=budget.period_from, last=budget.period_to)
    policies = {"policy": budget.get_policy_display(), "rollover": format_rollover(budget)}
    parent = budget.parent.name if budget.parent else "无"
    return {
        "name": budget.name,
        "period": period,
        "amount": budget.amount,
        **policies,
        "thresholds": "、".join(f"{row}%" for row in budget.thresholds) or "不预警",
        "parent": parent,
        "earmark": budget.earmark_text or "不限",
    }


def history_record(
    *,
    actor: Account,
    before: dict[str, Any] | None,
    after: Budget,
    action: ChangeAction,
    note: str = "",
) -> None:
    """Write the change of a budget, in the caller's transaction."""
    subject: dict[str, Any] = {
        "subject_type": "budget",
        "subject_id": after.pk,
        "subject_name": after.name,
    }
    change_record(
        actor=actor,
        action=action,
        before=before or {},
        after=get_history_values(after),
        labels=LABELS,
        note=note,
        **subject,
    )


def get_rollover_terms(
    *, rollover: str, cap: Decimal | None, last: date
) -> tuple[str, Decimal | None]:
    """Return the rollover and its cap in 元 (None unless the rollover is CAP).

    Raises:
        ValidationFailed: the cap is missing, or the period has ended.
    """
    if rollover == BudgetRollover.NONE:
        return rollover, None
    if last < timezone.localdate():
        raise RolloverAfterEnd
    if rollover == BudgetRollover.ALL:
        return rollover, None
    if cap is None or cap <= ZERO:
        raise RolloverCapMissing
    return rollover, round_yuan(cap)


def format_rollover(budget: Budget) -> str:
    """Return the rollover in words: 不结转, 全部结转, 限额结转（最多 500.00 元）."""
    words = str(budget.get_rollover_display())
    return words if budget.rollover_cap is None else f"{words}（最多 ¥{budget.rollover_cap:,.2f}）"
