"""Match rules against a subject and give the reason in words."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Any

from django.db.models import Q
from django.utils import timezone

from apps.approvals.enums import ConditionKind, ConditionMode
from apps.approvals.models import ApprovalRule
from apps.approvals.subjects import ApprovalSubject

PAYMENT_TEXT = {"credit": "月结", "cod": "货到付款", "transfer": "公司转账", "online": "在线支付"}


def _ids(value: Any) -> set[int]:
    return {int(item) for item in value or ()}


def _amount(value: Any, subject: ApprovalSubject, _path: set[int]) -> str | None:
    floor = Decimal(str(value))
    amount, name = (
        subject.judged_amount,
        "订单金额" if subject.whole_amount is None else "同批订单合计",
    )
    return f"{name} ¥{amount:,.2f} 达到 ¥{floor:,.2f}" if amount >= floor else None


def _category(value: Any, subject: ApprovalSubject, _path: set[int]) -> str | None:
    wanted = _ids(value)
    return (
        "含需审批类目的商品"
        if any(wanted & set(line.category_ids) for line in subject.lines)
        else None
    )


def _product(value: Any, subject: ApprovalSubject, _path: set[int]) -> str | None:
    wanted = _ids(value)
    return "含需审批的商品" if any(line.product_id in wanted for line in subject.lines) else None


def _line_quantity(value: Any, subject: ApprovalSubject, _path: set[int]) -> str | None:
    return (
        f"单行数量达到 {int(value)}"
        if any(line.quantity >= int(value) for line in subject.lines)
        else None
    )


def _department(value: Any, _subject: ApprovalSubject, path: set[int]) -> str | None:
    return "申请部门需审批" if _ids(value) & path else None


def _requester(value: Any, subject: ApprovalSubject, _path: set[int]) -> str | None:
    return "申请人的订单需审批" if subject.requester.pk in _ids(value) else None


def _over_budget(_value: Any, subject: ApprovalSubject, _path: set[int]) -> str | None:
    return "超出预算余额" if subject.is_over_budget else None


def _payment(value: Any, subject: ApprovalSubject, _path: set[int]) -> str | None:
    text = PAYMENT_TEXT.get(subject.payment_kind, subject.payment_kind)
    return f"付款方式为{text}" if subject.payment_kind in (value or ()) else None


TESTS: dict[str, Callable[[Any, ApprovalSubject, set[int]], str | None]] = {
    ConditionKind.AMOUNT: _amount,
    ConditionKind.CATEGORY: _category,
    ConditionKind.PRODUCT: _product,
    ConditionKind.LINE_QUANTITY: _line_quantity,
    ConditionKind.DEPARTMENT: _department,
    ConditionKind.REQUESTER: _requester,
    ConditionKind.OVER_BUDGET: _over_budget,
    ConditionKind.PAYMENT: _payment,
}


def get_match_reason(*, rule: ApprovalRule, subject: ApprovalSubject, path: set[int]) -> str | None:
    """Return why the rule matches in words, or None. A rule without conditions always matches.

    `path` holds the ids of the requester's department and all departments above it.
    """
    if not rule.conditions:
        return f"所有订单均需审批（{rule.name}）"
    found = [TESTS[row["kind"]](row.get("value"), subject, path) for row in rule.conditions]
    met = [text for text in found if text]
    passed = bool(met) if rule.condition_mode == ConditionMode.ANY else len(met) == len(found)
    return f"{'，'.join(met)}（{rule.name}）" if passed else None


def filter_applicable_steps(*, subject: ApprovalSubject, path: set[int]) -> Q:
    """Return the condition on rule steps whose rule is valid today for the requester: rules of
    the group, of the enterprise, and of departments in `path`.
    """
    today = timezone.localdate()
    enterprise = Q(rule__enterprise__isnull=True) | Q(
        rule__enterprise_id=subject.requester.enterprise_id
    )
    department = Q(rule__department__isnull=True) | Q(rule__department_id__in=path)
    begun = Q(rule__valid_from__isnull=True) | Q(rule__valid_from__lte=today)
    unended = Q(rule__valid_until__isnull=True) | Q(rule__valid_until__gte=today)
    return enterprise & department & begun & unended & Q(rule__is_active=True)
