"""Tell who keeps a budget, and whose it is, that 80 % or all of it is used: after an order, and where its amount is lowered."""

from __future__ import annotations

from typing import Any

from django.db import transaction

from apps.budgets.enums import BudgetOwner, BudgetState
from apps.budgets.models import Budget, BudgetReservation
from apps.common.background.outbox import outbox_publish
from apps.org.menus import MenuCode
from apps.org.selectors.entitled import entitled

# An order has just reserved; its number is the key.
LISTENS_TO, ALERT_TOPIC = "order.submitted", "budget.alert"


def reserved_handler(key: str, _payload: dict[str, Any]) -> None:
    """The outbox's handler of LISTENS_TO."""
    budgets = Budget.objects.filter(pk__in=BudgetReservation.objects.filter(reference=key).values("budget"))
    budget = budgets.select_related("department").first()
    if budget is not None and budget.state != BudgetState.NORMAL:
        with transaction.atomic():
            _publish(budget)


def lowered_publish(budget: Budget) -> None:
    """Tell with the change that what is used is now more of a smaller amount; a carry lowers a closed period alone, and is no news."""
    if budget.state != BudgetState.NORMAL:
        _publish(budget)


def _publish(budget: Budget) -> None:
    """`Once` is the threshold at this amount: told again only after the amount was changed."""
    share = int(budget.used * 100 / budget.amount) if budget.amount else 100
    is_over = budget.used > budget.amount
    stands = "已用完" if budget.state == BudgetState.FULL and not is_over else "已超支" if is_over else f"已用 {share}%"
    left = f"超支 {-budget.available:,.2f} 元" if is_over else f"可用 {budget.available:,.2f} 元"
    payload = {
        "To": _concerned(budget),
        "Title": f"预算“{budget.name}”{stands}",
        "Text": f"额度 {budget.amount:,.2f} 元，已预占 {budget.reserved:,.2f} 元，已使用 {budget.consumed:,.2f} 元，{left}",
        "Link": "/userCenter/asset/budget",
        "SubjectKey": f"budget:{budget.pk}",
        "Once": f"{budget.pk}:{budget.state}:{budget.amount}",
    }
    outbox_publish(topic=ALERT_TOPIC, key=str(budget.pk), payload=payload)


def _concerned(budget: Budget) -> list[int]:
    keepers = set(entitled(menu=MenuCode.ASSET_BUDGET, enterprise_id=budget.enterprise_id).values_list("pk", flat=True))
    head = budget.department.head_id if budget.owner_type == BudgetOwner.DEPARTMENT and budget.department else None
    return sorted(keepers | {pk for pk in (budget.account_id, head) if pk})
