"""Proposals with real processes: an act is proposed once and done once, with any number of
second people at the same moment.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from decimal import Decimal
from functools import partial

import pytest
from django.utils import timezone

from apps.aftersales.models import ReturnOrder
from apps.aftersales.services.controlled_acts import REFUND_RETURN
from apps.aftersales.tests.stories import create_story, received_order
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
from apps.invoices.models import BankMatch, BankReceipt
from apps.invoices.services.bank_receipts import receipt_record
from apps.invoices.services.controlled_acts import MATCH_RECEIPT, build_match_parameters
from apps.orders.models import Payment
from apps.orders.services.controlled_acts import (
    RECORD_PAYMENT,
    SET_CREDIT,
    build_credit_parameters,
    build_payment_parameters,
)
from apps.orders.tests.factories import place_order
from apps.org.models import Account, Enterprise
from apps.org.tests.factories import EnterpriseFactory
from apps.org.tests.office import create_staff
from tests.gauntlet.race import run_race

pytestmark = [pytest.mark.gauntlet, pytest.mark.django_db(transaction=True)]


def propose(actor: Account, customer: Enterprise) -> int:
    parameters = build_credit_parameters(
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
        people = [create_staff("财务") for _ in range(10)]

    outcomes = run_race([partial(propose, person, customer) for person in people])

    assert sum(outcome.ok for outcome in outcomes) == 1
    assert {outcome.code for outcome in outcomes if not outcome.ok} == {"wrong_state"}


def test_releases_rejections_and_a_withdrawal_at_once_decide_it_once() -> None:
    with platform_scope(reason="test"):
        act_limits_fill()
        customer = EnterpriseFactory(credit_limit=Decimal(1000))
        proposer, *people = [create_staff("财务") for _ in range(9)]
    key = propose(proposer, customer)
    works: list[Callable[[], object]] = [
        partial(proposal_release, actor=person, proposal_id=key) for person in people
    ]
    works += [
        partial(proposal_reject, actor=people[0], proposal_id=key, reason="不同意"),
        partial(proposal_withdraw, actor=proposer, proposal_id=key),
    ]

    outcomes = run_race([partial(decide, work) for work in works])

    assert sum(outcome.ok for outcome in outcomes) == 1
    with platform_scope(reason="test"):
        is_released = Proposal.objects.get().state == "released"
        assert Event.objects.count() == int(is_released)
        limit = Enterprise.objects.values_list("credit_limit", flat=True).get()
    assert limit == Decimal(300000 if is_released else 1000)


def record_part(actor: Account, order_id: int) -> None:
    parameters = build_payment_parameters(order_id=order_id, amount=Decimal(3))
    with platform_scope(reason="test"):
        act_submit(actor=actor, kind=RECORD_PAYMENT, parameters=parameters)


def test_eight_parts_of_a_payment_at_once_are_one_payment_above_the_limit(
    shopper: Account,
) -> None:
    order = place_order(shopper, payment_kind="transfer")
    with platform_scope(reason="test"):
        row = {"kind": RECORD_PAYMENT, "job": "财务"}
        ActLimit.objects.update_or_create(**row, defaults={"alone": Decimal(10)})
        person = create_staff("财务")

    outcomes = run_race([partial(record_part, person, order.pk)] * 8)

    # Three parts, 9.00 元, are within the limit of 10.00 元. The fourth waits for a second person.
    assert sum(outcome.ok for outcome in outcomes) == 4
    with platform_scope(reason="test"):
        assert Payment.objects.count() == 3
        assert Proposal.objects.get().amount == Decimal(12)


# The limit of each person in the tests below, in 元.
ALONE = Decimal(10)


def list_people_with_limit(kind: str, count: int) -> list[Account]:
    """Return members of 财务 who may each do acts of this kind up to `ALONE` without a second
    person.
    """
    with platform_scope(reason="test"):
        ActLimit.objects.update_or_create(kind=kind, job="财务", defaults={"alone": ALONE})
        return [create_staff("财务") for _ in range(count)]


def match_part(actor: Account, receipt_id: int, order_id: int, amount: Decimal) -> None:
    parameters = build_match_parameters(
        receipt_id=receipt_id, parts={order_id: amount}, statement_id=None
    )
    with platform_scope(reason="test"):
        act_submit(actor=actor, kind=MATCH_RECEIPT, parameters=parameters)


def refund_return(actor: Account, return_id: int) -> None:
    with platform_scope(reason="test"):
        act_submit(actor=actor, kind=REFUND_RETURN, parameters={"return_id": return_id})


def record_receipt(actor: Account) -> BankReceipt:
    """A bank receipt of 1,000.00 元."""
    return receipt_record(
        actor=actor,
        serial="S1",
        received_on=timezone.localdate(),
        payer_name="某某",
        amount=Decimal(1000),
    )


def assert_one_waits_for(amount: Decimal) -> None:
    """Check that one proposal of this amount (元) waits, the earlier parts included."""
    with platform_scope(reason="test"):
        (proposal,) = Proposal.objects.all()
        assert (proposal.amount, proposal.state) == (amount, "proposed")


def test_parts_of_a_payment_by_eight_people_at_once_are_one_payment(shopper: Account) -> None:
    order = place_order(shopper, payment_kind="transfer")
    people = list_people_with_limit(RECORD_PAYMENT, 8)

    outcomes = run_race([partial(record_part, person, order.pk) for person in people])

    # Three parts, 9.00 元, are within everybody's limit. The fourth waits for a second person.
    assert Counter(outcome.code for outcome in outcomes) == {"": 4, "wrong_state": 4}
    with platform_scope(reason="test"):
        assert Payment.objects.count() == 3
    assert_one_waits_for(Decimal(12))


def test_a_payment_and_matches_of_one_order_at_once_are_one_payment(shopper: Account) -> None:
    order = place_order(shopper, payment_kind="transfer")
    people = list_people_with_limit(RECORD_PAYMENT, 8)
    with platform_scope(reason="test"):
        receipt = record_receipt(people[0])
    matches = [
        partial(match_part, person, receipt.pk, order.pk, Decimal(4)) for person in people[:2]
    ]
    payments = [partial(record_part, person, order.pk) for person in people[2:]]

    run_race([*matches, *payments])

    # A payment is judged with every match before it. Matches count towards the receipt's limit.
    with platform_scope(reason="test"):
        recorded = Payment.objects.filter(bank_match=None).order_by("pk").last()
        before = Payment.objects.filter(pk__lte=recorded.pk if recorded else 0)
        assert sum(payment.amount for payment in before) <= ALONE


def test_matches_of_a_receipt_by_eight_people_at_once_are_one_match(shopper: Account) -> None:
    orders = [place_order(shopper, payment_kind="transfer") for _ in range(8)]
    people = list_people_with_limit(MATCH_RECEIPT, 8)
    with platform_scope(reason="test"):
        receipt = record_receipt(people[0])

    outcomes = run_race(
        [
            partial(match_part, person, receipt.pk, order.pk, Decimal(3))
            for person, order in zip(people, orders, strict=True)
        ]
    )

    assert Counter(outcome.code for outcome in outcomes) == {"": 4, "wrong_state": 4}
    with platform_scope(reason="test"):
        assert BankMatch.objects.count() == 3
    assert_one_waits_for(Decimal(12))


def test_refunds_of_one_order_by_five_people_at_once_are_one_refund(
    shopper: Account, staff: Account
) -> None:
    order = received_order(shopper, staff)
    stories = [create_story(shopper, staff, order, 1) for _ in range(5)]
    for story in stories:
        story.to("processing")
    people = list_people_with_limit(REFUND_RETURN, 5)

    outcomes = run_race(
        [
            partial(refund_return, person, story.pk)
            for person, story in zip(people, stories, strict=True)
        ]
    )

    # One piece, 10.00 元, is the limit. Every other return waits for a second person.
    assert all(outcome.ok for outcome in outcomes)
    with platform_scope(reason="test"):
        assert ReturnOrder.objects.exclude(refunded_at=None).count() == 1
        assert list(Proposal.objects.values_list("amount", flat=True)) == [Decimal(20)] * 4


def lower_credit(actor: Account, customer: Enterprise, limit: Decimal) -> None:
    parameters = build_credit_parameters(
        enterprise_id=customer.pk, limit=limit, policy="block", days=30, reason="年度授信"
    )
    with platform_scope(reason="test"):
        act_submit(actor=actor, kind=SET_CREDIT, parameters=parameters)


def test_a_credit_that_others_have_lowered_is_raised_by_two_people(shopper: Account) -> None:
    with platform_scope(reason="test"):
        customer = EnterpriseFactory(credit_limit=Decimal(500), credit_days=30)
    people = list_people_with_limit(SET_CREDIT, 10)
    limits = [Decimal(20 + 10 * number) for number in range(10)]

    run_race(
        [
            partial(lower_credit, person, customer, limit)
            for person, limit in zip(people, limits, strict=True)
        ]
    )

    # All lower the credit of 500.00 元. One that runs after a lower one raises it again, above the
    # limit of 10.00 元 of one person.
    with platform_scope(reason="test"):
        changes = Event.objects.filter(kind="credit.set").order_by("pk")
        reasons = [change.note for change in changes]
    after = [
        Decimal(re.findall(r"额度 ¥([0-9.,]+)", reason)[1].replace(",", "")) for reason in reasons
    ]
    assert after == sorted(after, reverse=True)
