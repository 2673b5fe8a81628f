"""Delegations with limits that are set at the same moment, with real processes."""

from __future__ import annotations

from functools import partial

import pytest
from django.utils import timezone

from apps.approvals.enums import ApproverKind
from apps.approvals.models import ApprovalDelegation
from apps.approvals.selectors.rule_form import StepSpec
from apps.approvals.services.delegation_manage import DelegationForm, delegation_create
from apps.approvals.tests.factories import create_rule
from apps.org.models import Account
from apps.org.tests.factories import AccountFactory, RoleFactory
from tests.gauntlet.race import run_race

pytestmark = [pytest.mark.gauntlet, pytest.mark.django_db(transaction=True)]


def test_a_rule_gets_one_stand_in_and_two_people_never_each_other(
    approver: Account, ga: Account
) -> None:
    head = StepSpec(ApproverKind.HEAD)
    rules = [
        create_rule(group_id=ga.group_id, name=f"规则 {no}", steps=[head]).pk for no in range(3)
    ]
    role = RoleFactory(group=ga.group, code="deputy")
    deputies = [AccountFactory(department=approver.department, roles=[role]) for _ in range(5)]
    today = timezone.localdate()

    def form(delegate: Account, *rule_ids: int) -> DelegationForm:
        return DelegationForm(delegate.pk, today, today, rule_ids=rule_ids)

    pairs = [(rules[0], rules[1]), (rules[1], rules[2]), (rules[2],), ()]
    outward = [
        partial(delegation_create, actor=approver, form=form(deputy, *chosen))
        for deputy in deputies
        for chosen in pairs
    ]
    back = [
        partial(delegation_create, actor=deputy, form=form(approver, rules[0]))
        for deputy in deputies
    ]
    outcomes = run_race([work for works in zip(outward, back * 4, strict=True) for work in works])

    rows = list(ApprovalDelegation.objects.all())
    given = [row for row in rows if row.delegator_id == approver.pk]
    taken = [pk for row in given for pk in (row.rules or rules)]
    assert len(rows) == sum(outcome.ok for outcome in outcomes)
    assert len(taken) == len(set(taken)) > 0
    mutual = {
        (row.delegate_id, row.delegator_id) for row in rows if row.has_common_rule([rules[0]])
    }
    assert not any(
        (row.delegator_id, row.delegate_id) in mutual
        for row in rows
        if row in given and row.has_common_rule([rules[0]])
    )
