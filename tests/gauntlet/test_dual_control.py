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
from apps.dual_control.models import ActLimit, Proposal
from apps.dual_control.services.limits import act_limits_fill
from apps.dual_control.services.proposals import (
    act_submit,
    proposal_reject,
    proposal_release,
    proposal_withdraw,
)
from apps.orders.models import Payment
from apps.orders.services.controlled_acts import (
    RECORD_PAYMENT,
    SET_CREDIT,
    credit_parameters,
    payment_parameters,
)
from apps.orders.tests.factories import place_order
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


def record_part(actor: Account, order_id: int) -> None:
    parameters = payment_parameters(order_id=order_id, amount=Decimal(3))
    with platform_scope(reason="test"):
        act_submit(actor=actor, kind=RECORD_PAYMENT, parameters=parameters)


def test_eight_parts_of_a_payment_at_once_are_one_payment_above_the_limit(
    shopper: Account,
) -> None:
    order = place_order(shopper, payment_kind="transfer")
    with platform_scope(reason="test"):
        row = {"kind": RECORD_PAYMENT, "job": "财务"}
        ActLimit.objects.update_or_create(**row, defaults={"alone": Decimal(10)})
        person = staff_of("财务")

    outcomes = race([partial(record_part, person, order.pk)] * 8)

    # Three parts, 9.00 元, are within the limit of 10.00 元. The fourth waits for a second person.
    assert sum(outcome.ok for outcome in outcomes) == 4
    with platform_scope(reason="test"):
        assert Payment.objects.count() == 3
        assert Proposal.objects.get().amount == Decimal(12)
