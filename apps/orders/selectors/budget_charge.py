"""The judgement of the budgets of an order. Cart, checkout, approval and refusal all use it,
so they never differ.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING

from apps.approvals.subjects import OverBudget, SubjectReason
from apps.budgets.enums import BudgetPolicy, BudgetState
from apps.budgets.errors import describe_exceeded_budget
from apps.budgets.models import Budget, get_usage_state
from apps.common.money import ZERO
from apps.orders import texts
from apps.orders.enums import ReasonKind
from apps.orders.selectors.customer_terms import get_over_budget_policy

if TYPE_CHECKING:
    from apps.budgets.selectors.budget_choice import UsableBudgets
    from apps.org.models import Account


@dataclass(frozen=True, slots=True)
class Charge:
    """A budget before and after the order, in 元. `is_over`: the budget has less than the order
    takes. `policy` is the stricter of the budget's and the group's.

    Of an earmarked budget: `charged_amount` is the amount of the counted lines, `earmark` its limit
    in words.
    `used_name` is the budget of the lines if this one is above it.
    """

    pk: int
    name: str
    policy: str
    amount: Decimal
    available: Decimal
    after: Decimal
    charged_amount: Decimal = ZERO
    earmark: str = ""
    used_name: str = ""

    @property
    def state(self) -> BudgetState:
        """Return the usage level of the budget after the order."""
        return get_usage_state(amount=self.amount, used_amount=self.amount - self.after)

    @property
    def is_over(self) -> bool:
        """Return whether the order exceeds the budget."""
        return self.after < ZERO

    @property
    def is_refused(self) -> bool:
        """Return whether the order exceeds the budget and no approval can allow it."""
        return self.is_over and self.policy == BudgetPolicy.BLOCK

    @property
    def needs_approval(self) -> bool:
        """Return whether the order exceeds the budget and its policy asks for an approval."""
        return self.is_over and self.policy == BudgetPolicy.APPROVE


@dataclass(frozen=True, slots=True)
class BudgetCharge:
    """The levels that an order of `total` 元 charges: the chosen budget, then the budgets above it.
    `passed_over` are the nearer budgets that were left although they refuse the order or ask for an
    approval, the nearest first.
    """

    levels: tuple[Charge, ...]
    total: Decimal
    passed_over: tuple[Charge, ...] = ()

    @property
    def own(self) -> Charge:
        """Return the charge of the chosen budget."""
        return self.levels[0]

    @property
    def parents(self) -> tuple[Charge, ...]:
        """Return the charges of the budgets above, upwards."""
        return self.levels[1:]

    @property
    def refused(self) -> Charge | None:
        """Return the lowest level that refuses the order, or None."""
        return next((level for level in self.levels if level.is_refused), None)

    def format_refusal(self, *, has_others: bool) -> str:
        """Return the message of the refusal; "" if no level refuses. `has_others`: the buyer can
        choose another budget.
        """
        level = self.refused
        if level is None:
            return ""
        return describe_exceeded_budget(
            name=level.name,
            available=level.available,
            amount=self.total,
            has_others=has_others,
            used_name="" if level is self.own else self.own.name,
        )

    @property
    def over_budgets(self) -> tuple[OverBudget, ...]:
        """Return the levels that need an approval, each with the reason."""
        return tuple(
            OverBudget(
                level.pk, describe_over_budget(level.name, is_own=level is self.own), level.name
            )
            for level in self.levels
            if level.needs_approval
        )

    @property
    def left_reason(self) -> SubjectReason | None:
        """Return why leaving a nearer budget needs an approval; None if none was passed over."""
        if not self.passed_over:
            return None
        basis = {
            "kind": ReasonKind.LEFT_BUDGET,
            "levels": [charge.pk for charge in self.passed_over],
            "used_name": self.own.name,
        }
        return SubjectReason(
            describe_left_budget(self.passed_over[0], used_name=self.own.name), basis
        )


def describe_left_budget(nearer: Charge, *, used_name: str) -> str:
    """Return why leaving the budget `nearer` for another one needs an approval."""
    available_text = (
        texts.budget_available(nearer.available)
        if nearer.available > ZERO
        else texts.BUDGET_USED_UP
    )
    return texts.budget_passed_over(
        name=nearer.name,
        available=available_text,
        is_blocking=nearer.is_refused,
        used_name=used_name,
    )


def describe_over_budget(name: str, *, is_own: bool) -> str:
    """Return why a budget needs an approval. `is_own` False: it is above the order's budget."""
    return texts.budget_exceeded(name) if is_own else texts.parent_budget_exceeded(name)


def get_charge(*, actor: Account, budget: Budget, total: Decimal) -> Charge:
    """Return one budget before and after an order of `total` 元."""
    return Charge(
        pk=budget.pk,
        name=budget.name,
        policy=get_over_budget_policy(actor=actor, budget=budget),
        amount=budget.amount,
        available=budget.available,
        after=budget.available - total,
    )


def get_budget_charge(
    *, actor: Account, budgets: UsableBudgets, budget: Budget | None, total: Decimal
) -> BudgetCharge | None:
    """Return the charge of an order of `total` 元 on `budget`. None without a budget. No query."""
    if budget is None:
        return None

    def list_level_charges(row: Budget) -> tuple[Charge, ...]:
        """Return the charge of the budget and of each budget above it."""
        return tuple(
            get_charge(actor=actor, budget=level, total=total) for level in budgets.get_path(row)
        )

    levels = list_level_charges(budget)
    nearer = budgets.choices[: budgets.choices.index(budget)]
    # A level of the chosen budget is a reason by itself.
    passed_over = dict.fromkeys(
        level
        for row in nearer
        for level in list_level_charges(row)
        if (level.is_refused or level.needs_approval) and level not in levels
    )
    return BudgetCharge(levels=levels, total=total, passed_over=tuple(passed_over))
