"""Two administrators change the rules of one group in parallel, with real processes."""

from __future__ import annotations

from functools import partial

import pytest

from apps.approvals.enums import ApproverKind
from apps.approvals.models import ApprovalRule
from apps.approvals.selectors.rule_form import StepSpec
from apps.approvals.services.rule_manage import rules_sort
from apps.approvals.tests.factories import create_rule
from apps.org.models import Account
from tests.gauntlet.race import run_race

pytestmark = [pytest.mark.gauntlet, pytest.mark.django_db(transaction=True)]


def test_concurrent_rule_sorts_in_opposite_orders_do_not_deadlock(ga: Account) -> None:
    steps = [StepSpec(ApproverKind.ACCOUNTS, accounts=(ga,))]
    ids = [
        create_rule(group_id=ga.group_id, name=f"规则 {number}", steps=steps, position=number).pk
        for number in range(40)
    ]

    outcomes = run_race(
        [partial(rules_sort, actor=ga, ids=order) for _ in range(5) for order in (ids, ids[::-1])],
        processes=4,
    )

    assert all(outcome.ok for outcome in outcomes)
    assert list(ApprovalRule.objects.order_by("position").values_list("pk", flat=True)) in (
        ids,
        ids[::-1],
    )
