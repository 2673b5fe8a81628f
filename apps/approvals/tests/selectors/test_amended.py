"""A rule that does not match an order does not match lower quantities: amendments never add
steps.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from apps.approvals.enums import ConditionKind, ConditionMode
from apps.approvals.models import ApprovalRule
from apps.approvals.selectors.plan import get_match_reason
from apps.approvals.subjects import ApprovalSubject, SubjectLine
from apps.org.models import Account

VALUES: dict[str, st.SearchStrategy[Any]] = {
    ConditionKind.AMOUNT: st.integers(0, 200).map(str),
    ConditionKind.CATEGORY: st.lists(st.integers(1, 4), max_size=2),
    ConditionKind.PRODUCT: st.lists(st.integers(1, 4), max_size=2),
    ConditionKind.LINE_QUANTITY: st.integers(1, 20),
    ConditionKind.DEPARTMENT: st.lists(st.integers(1, 4), max_size=2),
    ConditionKind.REQUESTER: st.lists(st.integers(1, 4), max_size=2),
    ConditionKind.OVER_BUDGET: st.none(),
    ConditionKind.PAYMENT: st.lists(st.sampled_from(["credit", "cod"])),
}
CONDITION = st.sampled_from(list(ConditionKind.values)).flatmap(
    lambda kind: VALUES[kind].map(lambda value: {"kind": kind, "value": value})
)
# Products 1 to 4 at 1.00, each in its own category: the quantity, and the quantity that stays.
QUANTITIES = st.lists(
    st.tuples(st.integers(0, 20), st.integers(0, 20)).map(lambda pair: (max(pair), min(pair))),
    min_size=4,
    max_size=4,
)


def subject(quantities: list[int], is_over: bool) -> ApprovalSubject:
    lines = tuple(
        SubjectLine(number, (number,), quantity)
        for number, quantity in enumerate(quantities, start=1)
        if quantity
    )
    return ApprovalSubject(Account(pk=1), Decimal(sum(quantities)), "credit", is_over, lines=lines)


@given(
    conditions=st.lists(CONDITION, max_size=4),
    mode=st.sampled_from(ConditionMode.values),
    quantities=QUANTITIES,
    over=st.tuples(st.booleans(), st.booleans()),
)
def test_no_rule_newly_asks_for_less(
    conditions: list[dict[str, Any]],
    mode: str,
    quantities: list[tuple[int, int]],
    over: tuple[bool, bool],
) -> None:
    assert set(VALUES) == set(ConditionKind.values), (
        "a new kind of condition must fall with the quantities too"
    )
    rule = ApprovalRule(name="任意规则", conditions=conditions, condition_mode=mode)
    before = get_match_reason(
        rule=rule, subject=subject([many for many, _ in quantities], max(over)), path={1, 2}
    )
    after = get_match_reason(
        rule=rule, subject=subject([few for _, few in quantities], min(over)), path={1, 2}
    )
    assert before or not after
