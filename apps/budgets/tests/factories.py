"""Budgets for tests, created by the service so that their ledger is correct."""

from datetime import date
from decimal import Decimal
from typing import Any

from apps.budgets.enums import BudgetOwner, BudgetPeriod, BudgetPolicy
from apps.budgets.models import Budget, BudgetTransfer
from apps.budgets.services.budget_manage import budget_create
from apps.org.models import Account, Department, Enterprise


def make_budget(
    *,
    enterprise: Enterprise,
    department: Department | None = None,
    account: Account | None = None,
    amount: str = "1000.00",
    policy: str = BudgetPolicy.BLOCK,
    name: str = "办公用品预算",
    days: tuple[date, date] = (date(2020, 1, 1), date(2099, 12, 31)),
    **more: Any,
) -> Budget:
    """Return a budget of the enterprise, or of the given department or account. Without `days`
    it is always valid.
    """
    owner = (
        BudgetOwner.ACCOUNT
        if account
        else BudgetOwner.DEPARTMENT
        if department
        else BudgetOwner.ENTERPRISE
    )
    return budget_create(
        actor=None,
        name=name,
        owner_type=owner,
        enterprise=enterprise,
        department=department,
        account=account,
        period_from=days[0],
        period_to=days[1],
        amount=Decimal(amount),
        policy=policy,
        **{"period": BudgetPeriod.YEAR, **more},
    )


def make_transfer(
    *, requester: Account, enterprise: Enterprise, amount: str = "100.00"
) -> BudgetTransfer:
    """Return a waiting transfer between two new budgets of 1,000.00 each."""
    source, target = (
        make_budget(enterprise=enterprise, name="调出"),
        make_budget(enterprise=enterprise, name="调入"),
    )
    Budget.objects.filter(pk=source.pk).update(held=Decimal(amount))
    group_id = enterprise.group_id
    transfer: BudgetTransfer = BudgetTransfer.objects.create(
        group_id=group_id,
        source=source,
        target=target,
        amount=Decimal(amount),
        reason="补足",
        requester=requester,
    )
    return transfer
