"""Proposals with real processes: an act is proposed once and done once, with any number of
second people at the same moment.
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from functools import partial

import pytest

from apps.common.models import Event
from apps.common.tenancy import platform_scope
from apps.dual_control.models import Proposal
from apps.dual_control.services.limits import act_limits_fill
from apps.dual_control.services.proposals import (
    act_submit,
    proposal_reject,
    proposal_release,
    proposal_withdraw,
)
from apps.orders.services.controlled_acts import SET_CREDIT, credit_parameters
from apps.org.models import Account, Enterprise
from apps.org.tests.factories import EnterpriseFactory
from apps.org.tests.office import staff_of
from tests.gauntlet.race import race

pytestmark = [pytest.mark.gauntlet, pytest.mark.django_db(transaction=True)]


def propose(actor: Account, customer: Enterprise) -> int:
    parameters = credit_parameters(
        enterprise_id=customer.pk,
        limit=Decimal(300000),
        policy="block",
        days=30,
        reason="年度授信",
    )
    with platform_scope(reason="test"):
        proposal = act_submit(actor=actor, kind=SET_CREDIT, parameters=parameters).proposal
    assert proposal is not None
    return proposal.pk


def decide(service: Callable[[], object]) -> None:
    with platform_scope(reason="test"):
        service()


def test_ten_people_propose_the_same_act_and_one_proposal_waits() -> None:
    with platform_scope(reason="test"):
        act_limits_fill()
        customer = EnterpriseFactory(credit_limit=Decimal(1000))
        people = [staff_of("财务") for _ in range(10)]

    outcomes = race([partial(propose, person, customer) for person in people])

    assert sum(outcome.ok for outcome in outcomes) == 1
    assert {outcome.code for outcome in outcomes if not outcome.ok} == {"wrong_state"}


def test_releases_rejections_and_a_withdrawal_at_once_decide_it_once() -> None:
    with platform_scope(reason="test"):
        act_limits_fill()
        customer = EnterpriseFactory(credit_limit=Decimal(1000))
        proposer, *people = [staff_of("财务") for _ in range(9)]
    key = propose(proposer, customer)
    works: list[Callable[[], object]] = [
        partial(proposal_release, actor=person, proposal_id=key) for person in people
    ]
    works += [
        partial(proposal_reject, actor=people[0], proposal_id=key, reason="不同意"),
        partial(proposal_withdraw, actor=proposer, proposal_id=key),
    ]

    outcomes = race([partial(decide, work) for work in works])

    assert sum(outcome.ok for outcome in outcomes) == 1
    with platform_scope(reason="test"):
        is_released = Proposal.objects.get().state == "released"
        assert Event.objects.count() == int(is_released)
        limit = Enterprise.objects.values_list("credit_limit", flat=True).get()
    assert limit == Decimal(300000 if is_released else 1000)
