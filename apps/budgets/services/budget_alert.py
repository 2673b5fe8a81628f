"""Notify the owner and the managers of a budget when 80 % or 100 % is used: after an order, or
after the amount is lowered.
"""

from __future__ import annotations

from typing import Any

from django.db import transaction

from apps.budgets.enums import BudgetOwner, BudgetState
from apps.budgets.models import Budget, BudgetReservation
from apps.common.background.outbox import outbox_publish
from apps.org.menus import MenuCode
from apps.org.selectors.rights import list_entitled_accounts

# Published when an order was submitted; the key is its number.
LISTENS_TO, ALERT_TOPIC = "order.submitted", "budget.alert"


def reserved_handler(key: str, _payload: dict[str, Any]) -> None:
    """Handle LISTENS_TO: publish an alert for the order's budget if needed."""
    budgets = Budget.objects.filter(
        pk__in=BudgetReservation.objects.filter(reference=key).values("budget")
    )
    budget = budgets.select_related("department").first()
    if budget is not None and budget.state != BudgetState.NORMAL:
        with transaction.atomic():
            _publish(budget)


def alert_publish_if_used(budget: Budget) -> None:
    """Publish an alert if the lowered amount is used to 80 % or more. Rollovers do not call
    this, because they lower only ended periods.
    """
    if budget.state != BudgetState.NORMAL:
        _publish(budget)


def _publish(budget: Budget) -> None:
    """Publish an alert. `Once` contains the state and the amount, so the same alert repeats
    only after the amount was changed.
    """
    share = int(budget.used * 100 / budget.amount) if budget.amount else 100
    is_over = budget.used > budget.amount
    stands = (
        "已用完"
        if budget.state == BudgetState.FULL and not is_over
        else "已超支"
        if is_over
        else f"已用 {share}%"
    )
    left = f"超支 {-budget.available:,.2f} 元" if is_over else f"可用 {budget.available:,.2f} 元"
    payload = {
        "To": _list_recipients(budget),
        "Title": f"预算“{budget.name}”{stands}",
        "Text": (
            f"额度 {budget.amount:,.2f} 元，已预占 {budget.reserved:,.2f} 元，已使用 "
            f"{budget.consumed:,.2f} 元，{left}"
        ),
        "Link": "/userCenter/asset/budget",
        "SubjectKey": f"budget:{budget.pk}",
        "Once": f"{budget.pk}:{budget.state}:{budget.amount}",
    }
    outbox_publish(topic=ALERT_TOPIC, key=str(budget.pk), payload=payload)


def _list_recipients(budget: Budget) -> list[int]:
    keepers = set(
        list_entitled_accounts(
            menu=MenuCode.ASSET_BUDGET, enterprise_id=budget.enterprise_id
        ).values_list("pk", flat=True)
    )
    head = (
        budget.department.head_id
        if budget.owner_type == BudgetOwner.DEPARTMENT and budget.department
        else None
    )
    return sorted(keepers | {pk for pk in (budget.account_id, head) if pk})
