"""The change history of budgets."""

from __future__ import annotations

from typing import Any

from apps.budgets.models import Budget
from apps.budgets.periods import period_text
from apps.budgets.services.budget_rollover import rollover_text
from apps.org.enums import ChangeAction
from apps.org.models import Account
from apps.org.services.changes import change_record

CREATED, CHANGED = ChangeAction.CREATE, ChangeAction.UPDATE
LABELS = {
    "name": "预算名称",
    "period": "周期",
    "amount": "额度（元）",
    "policy": "超出策略",
    "rollover": "结转",
}


def get_history_values(budget: Budget) -> dict[str, Any]:
    """Return the values that the history compares, in words."""
    period = period_text(period=budget.period, first=budget.period_from, last=budget.period_to)
    policies = {"policy": budget.get_policy_display(), "rollover": rollover_text(budget)}
    return {"name": budget.name, "period": period, "amount": budget.amount, **policies}


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
