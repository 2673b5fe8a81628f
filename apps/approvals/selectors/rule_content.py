"""What a version keeps of a rule besides its words: enough to fill in the form again."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Any

from apps.approvals.enums import ConditionKind
from apps.approvals.models import ApprovalRule
from apps.approvals.selectors.rule_form import ConditionForm, RuleForm, StepForm
from apps.catalog.models import Product


def rule_content(rule: ApprovalRule) -> dict[str, Any]:
    """Return the rule as data, its people and places by their ids; switch and place in the order are not part of it."""
    steps = rule.steps.prefetch_related("accounts").order_by("no")
    return {
        "name": rule.name,
        "enterprise": rule.enterprise_id,
        "department": rule.department_id,
        "condition_mode": rule.condition_mode,
        "conditions": rule.conditions,
        "steps": [
            {
                "approver_kind": step.approver_kind,
                "mode": step.mode,
                "accounts": [account.pk for account in step.accounts.all()],
                "role": step.role_id,
                "levels_up": step.levels_up,
            }
            for step in steps
        ],
        "allows_self_approval": rule.allows_self_approval,
        "valid_from": rule.valid_from.isoformat() if rule.valid_from else None,
        "valid_until": rule.valid_until.isoformat() if rule.valid_until else None,
    }


def form_of(content: dict[str, Any]) -> RuleForm:
    """Return the form that says what a version kept; one query where it names products."""
    codes = _codes(content["conditions"])
    return RuleForm(
        name=content["name"],
        enterprise_id=content["enterprise"],
        department_id=content["department"],
        condition_mode=content["condition_mode"],
        conditions=tuple(_condition(row, codes) for row in content["conditions"]),
        steps=tuple(_step(row) for row in content["steps"]),
        allows_self_approval=content["allows_self_approval"],
        valid_from=_day(content["valid_from"]),
        valid_until=_day(content["valid_until"]),
    )


def _codes(conditions: list[dict[str, Any]]) -> dict[int, str]:
    named = [pk for row in conditions if row["kind"] == ConditionKind.PRODUCT for pk in row["value"]]
    return dict(Product.objects.filter(pk__in=named).values_list("pk", "code")) if named else {}


def _condition(row: dict[str, Any], codes: dict[int, str]) -> ConditionForm:
    kind, value = row["kind"], row.get("value")
    if kind == ConditionKind.AMOUNT:
        return ConditionForm(kind, amount=Decimal(str(value)))
    if kind == ConditionKind.LINE_QUANTITY:
        return ConditionForm(kind, quantity=int(value or 0))
    # A product that is gone keeps its id: no code is so, and the form is refused.
    return ConditionForm(kind, keys=tuple(codes.get(key, str(key)) if kind == ConditionKind.PRODUCT else str(key) for key in value or ()))


def _step(row: dict[str, Any]) -> StepForm:
    return StepForm(row["approver_kind"], row["mode"], tuple(row["accounts"]), row["role"], row["levels_up"])


def _day(text: str | None) -> date | None:
    return date.fromisoformat(text) if text else None
