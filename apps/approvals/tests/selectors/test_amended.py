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
from apps.approvals.subjects import ApprovalSubject, PastFacts, SubjectLine, SubjectPart
from apps.org.models import Account

SUM = st.fixed_dictionaries({"days": st.just(7), "amount": st.integers(0, 60).map(str)})
VALUES: dict[str, st.SearchStrategy[Any]] = {
    ConditionKind.AMOUNT: st.integers(0, 200).map(str),
    ConditionKind.CATEGORY: st.lists(st.integers(1, 4), max_size=2),
    ConditionKind.PRODUCT: st.lists(st.integers(1, 4), max_size=2),
    ConditionKind.LINE_QUANTITY: st.integers(1, 20),
    ConditionKind.DEPARTMENT: st.lists(st.integers(1, 4), max_size=2),
    ConditionKind.REQUESTER: st.lists(st.integers(1, 4), max_size=2),
    ConditionKind.OVER_BUDGET: st.none(),
    ConditionKind.PAYMENT: st.lists(st.sampled_from(["credit", "cod"])),
    **dict.fromkeys((kind for kind in ConditionKind if kind.startswith("sum_")), SUM),
    ConditionKind.OFF_AGREEMENT: st.none(),
    ConditionKind.PRICE_RISE: st.integers(0, 100),
    **dict.fromkeys((kind for kind in ConditionKind if kind.startswith("first_")), st.none()),
}
# What came before: something of each sum, of products 1 and 2, and their last prices.
PAST = PastFacts(
    sums={
        (kind, 7, key): Decimal(10)
        for kind in ConditionKind
        if kind.startswith("sum_")
        for key in ("1", "2", "home")
    },
    used_before={
        kind: frozenset({"1", "2", "home"}) for kind in ConditionKind if kind.startswith("first_")
    },
    last_prices={1: Decimal("0.80"), 2: Decimal("1.00")},
)
CONDITION = st.sampled_from(list(ConditionKind.values)).flatmap(
    lambda kind: VALUES[kind].map(lambda value: {"kind": kind, "value": value})
)
# Products 1 to 4 at 1.00, each in its own category: the quantity, and the quantity that stays.
QUANTITIES = st.lists(
    st.tuples(st.integers(0, 20), st.integers(0, 20)).map(lambda pair: (max(pair), min(pair))),
    min_size=4,
    max_size=4,
)


def build_subject(quantities: list[int], is_over: bool) -> ApprovalSubject:
    lines = tuple(
        SubjectLine(
            number,
            (number,),
            quantity,
            amount=Decimal(quantity),
            price=Decimal(1),
            brand_id=number,
            is_off_agreement=number == 3,
        )
        for number, quantity in enumerate(quantities, start=1)
        if quantity
    )
    total = Decimal(sum(quantities))
    return ApprovalSubject(
        Account(pk=1),
        total,
        "credit",
        is_over,
        lines=lines,
        parts=(SubjectPart(total, department_key="1", address_key="home"),),
        past=PAST,
    )


@given(
    conditions=st.lists(CONDITION, max_size=4),
    mode=st.sampled_from(ConditionMode.values),
    quantities=QUANTITIES,
    over=st.tuples(st.booleans(), st.booleans()),
)
def test_lower_quantities_never_match_a_new_rule(
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
        rule=rule, subject=build_subject([many for many, _ in quantities], max(over)), path={1, 2}
    )
    after = get_match_reason(
        rule=rule, subject=build_subject([few for _, few in quantities], min(over)), path={1, 2}
    )
    assert before or not after
