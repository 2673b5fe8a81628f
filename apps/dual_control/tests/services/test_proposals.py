"""Tests of acts above the limit of one person. They use the credit of an enterprise, whose limit
for 财务 is ¥100,000.00 alone.
"""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal
from functools import partial
from typing import Any

import pytest
from auditlog.models import LogEntry
from django.db import IntegrityError, transaction
from django.utils import timezone

from apps.common.audit import RELEASED_BY
from apps.common.errors import DomainError, Forbidden, Stale, ValidationFailed, WrongState
from apps.common.models import Event
from apps.dual_control.enums import ProposalState
from apps.dual_control.errors import ReleaseRefused
from apps.dual_control.models import ActLimit, Proposal
from apps.dual_control.selectors.limits import get_limits
from apps.dual_control.selectors.proposals import (
    list_releasable_proposals,
    list_visible_proposals,
)
from apps.dual_control.services.limits import act_limit_save, act_limits_fill
from apps.dual_control.services.proposals import (
    Outcome,
    act_submit,
    proposal_reject,
    proposal_release,
    proposal_withdraw,
    proposals_expire,
)
from apps.orders.services.controlled_acts import SET_CREDIT, build_credit_parameters
from apps.orders.services.credit import credit_set
from apps.org.models import Account, Enterprise
from apps.org.tests.factories import EnterpriseFactory
from apps.org.tests.office import create_staff

pytestmark = pytest.mark.usefixtures("platform")
S = ProposalState


@pytest.fixture
def zhou() -> Account:
    return create_staff("财务")


@pytest.fixture
def wu() -> Account:
    return create_staff("财务")


@pytest.fixture
def customer() -> Enterprise:
    return EnterpriseFactory(name="云帆科技", credit_limit=Decimal("1000.00"))


def set_credit(actor: Account, customer: Enterprise, limit: str | None, **changes: Any) -> Outcome:
    terms = {"policy": "block", "days": 30, "reason": "年度授信", **changes}
    parameters = build_credit_parameters(
        enterprise_id=customer.pk, limit=None if limit is None else Decimal(limit), **terms
    )
    return act_submit(actor=actor, kind=SET_CREDIT, parameters=parameters)


def create_proposal(actor: Account, customer: Enterprise) -> Proposal:
    """Return a proposal to raise the credit to 300,000.00 元."""
    proposal = set_credit(actor, customer, "300000").proposal
    assert proposal is not None
    return proposal


def list_releasable(person: Account) -> list[Proposal]:
    rows = list_releasable_proposals(person=person)
    return [] if rows is None else list(rows)


def get_limit(customer: Enterprise) -> Decimal | None:
    return Enterprise.objects.values_list("credit_limit", flat=True).get(pk=customer.pk)


def test_one_person_acts_alone_up_to_the_limit(zhou: Account, customer: Enterprise) -> None:
    assert set_credit(zhou, customer, "100000").proposal is None
    assert get_limit(customer) == Decimal("100000.00")


def test_amount_one_cent_above_the_limit_waits_for_release(
    zhou: Account, customer: Enterprise
) -> None:
    outcome = set_credit(zhou, customer, "100000.01")
    assert outcome.proposal is not None
    assert outcome.proposal_text.startswith("金额 ¥100,000.01 超过您的单人上限，已提交复核")
    assert get_limit(customer) == Decimal("1000.00")
    assert not Event.objects.exists()


@pytest.mark.parametrize(
    ("limit", "changes", "is_alone"),
    [
        ("900", {}, True),
        (None, {}, True),
        ("200000", {}, False),
        ("1000", {"policy": "none"}, False),
        ("1000", {"days": 60}, True),
    ],
    ids=["less", "none", "more", "without a bound", "60 days of 1000"],
)
def test_only_more_credit_needs_a_second_person(
    zhou: Account, customer: Enterprise, limit: str | None, changes: dict[str, Any], is_alone: bool
) -> None:
    assert (set_credit(zhou, customer, limit, **changes).proposal is None) == is_alone


def test_a_second_person_releases_and_timeline_and_log_name_both(
    zhou: Account, wu: Account, customer: Enterprise
) -> None:
    proposal = create_proposal(zhou, customer)
    proposal_release(actor=wu, proposal_id=proposal.pk)

    assert get_limit(customer) == Decimal("300000.00")
    proposal.refresh_from_db()
    assert (proposal.state, proposal.proposer, proposal.decider) == (S.RELEASED, zhou, wu)
    event = Event.objects.get()
    assert (event.actor, event.data) == (zhou, {RELEASED_BY: str(wu)})
    of_customer = LogEntry.objects.get(additional_data={"kind": "credit.set"})
    assert of_customer.actor == zhou
    assert of_customer.changes[RELEASED_BY] == ["", str(wu)]
    release = LogEntry.objects.get(additional_data={"kind": "proposal.released"})
    assert release.actor == wu
    assert release.changes["note"][1].startswith(f"{zhou} 提出，{wu} 复核；现在 额度 ¥1,000.00")


def test_proposer_cannot_release_or_reject_his_own_proposal(
    zhou: Account, staff: Account, customer: Enterprise
) -> None:
    for person in (zhou, staff):
        proposal = create_proposal(person, customer)
        with pytest.raises(ReleaseRefused, match="不能复核自己提出的操作"):
            proposal_release(actor=person, proposal_id=proposal.pk)
        with pytest.raises(ReleaseRefused, match="不能复核自己提出的操作"):
            proposal_reject(actor=person, proposal_id=proposal.pk, reason="不对")
        proposal_withdraw(actor=person, proposal_id=proposal.pk)
    assert get_limit(customer) == Decimal("1000.00")


def test_the_table_itself_refuses_one_person_in_both_parts(
    zhou: Account, customer: Enterprise
) -> None:
    rows = Proposal.objects.filter(pk=create_proposal(zhou, customer).pk)
    with pytest.raises(IntegrityError), transaction.atomic():
        rows.update(state=S.RELEASED, decider=zhou, decided_at=timezone.now())


@pytest.mark.parametrize("job", ["客服", "商品", "系统"])
def test_release_requires_the_permission_of_the_action(
    zhou: Account, customer: Enterprise, job: str
) -> None:
    proposal, other = create_proposal(zhou, customer), create_staff(job)
    with pytest.raises(ReleaseRefused):
        proposal_release(actor=other, proposal_id=proposal.pk)
    assert not list_visible_proposals(person=other).exists()


def test_the_table_sets_both_limits_of_a_job(
    zhou: Account, wu: Account, staff: Account, customer: Enterprise
) -> None:
    act_limits_fill()
    row = ActLimit.objects.get(kind=SET_CREDIT, job="财务")
    row.alone, row.release = Decimal("500.00"), Decimal("299999.99")
    with pytest.raises(Forbidden):
        act_limit_save(actor=zhou, row=row)
    act_limit_save(actor=staff, row=row)

    assert get_limits(person=zhou)[SET_CREDIT].alone == Decimal("500.00")
    proposal = create_proposal(zhou, customer)
    assert list_releasable(wu) == []
    with pytest.raises(ReleaseRefused, match="超过您的复核上限"):
        proposal_release(actor=wu, proposal_id=proposal.pk)
    row.release = None
    act_limit_save(actor=staff, row=row)
    assert list_releasable(wu) == [proposal]
    assert list_releasable(zhou) == []
    proposal_release(actor=wu, proposal_id=proposal.pk)


def test_proposal_on_changed_data_is_refused_as_stale(
    zhou: Account, wu: Account, staff: Account, customer: Enterprise
) -> None:
    proposal = create_proposal(zhou, customer)
    credit_set(
        actor=staff,
        enterprise_id=customer.pk,
        limit=Decimal(50),
        policy="block",
        days=30,
        reason="逾期",
    )
    with pytest.raises(Stale, match=r"现在由 额度 ¥1,000\.00.* 变为 额度 ¥50\.00"):
        proposal_release(actor=wu, proposal_id=proposal.pk)
    assert get_limit(customer) == Decimal("50.00")
    proposal.refresh_from_db()
    assert proposal.state == S.PROPOSED


def test_an_act_that_its_service_refuses_is_not_proposed(
    zhou: Account, customer: Enterprise
) -> None:
    with pytest.raises(ValidationFailed):
        set_credit(zhou, customer, "1000")
    Enterprise.objects.update(credit_policy="none", credit_days=31)
    ActLimit.objects.update_or_create(
        kind=SET_CREDIT, job="财务", defaults={"alone": Decimal(0), "release": None}
    )
    with pytest.raises(ValidationFailed, match="不能小于 0"):
        set_credit(zhou, customer, "-1", days=60)
    assert not Proposal.objects.exists()


def test_the_same_act_waits_once(zhou: Account, wu: Account, customer: Enterprise) -> None:
    first = create_proposal(zhou, customer)
    with pytest.raises(WrongState, match=f"由 {zhou} 提出的“调整月结信用”正在等待复核"):
        create_proposal(wu, customer)
    proposal_withdraw(actor=zhou, proposal_id=first.pk)
    assert create_proposal(wu, customer).state == S.PROPOSED


def test_a_decided_proposal_is_not_decided_again(
    zhou: Account, wu: Account, staff: Account, customer: Enterprise
) -> None:
    proposal = create_proposal(zhou, customer)
    with pytest.raises(ValidationFailed):
        proposal_reject(actor=wu, proposal_id=proposal.pk, reason="  ")
    proposal_reject(actor=wu, proposal_id=proposal.pk, reason="额度过高")
    deciders = (
        partial(proposal_release, actor=staff),
        partial(proposal_reject, actor=staff, reason="同意驳回"),
        partial(proposal_withdraw, actor=zhou),
    )
    for decide in deciders:
        with pytest.raises(WrongState, match="已驳回"):
            decide(proposal_id=proposal.pk)
    assert get_limit(customer) == Decimal("1000.00")


def test_only_the_proposer_withdraws(zhou: Account, wu: Account, customer: Enterprise) -> None:
    with pytest.raises(Forbidden):
        proposal_withdraw(actor=wu, proposal_id=create_proposal(zhou, customer).pk)


def test_proposal_of_a_disabled_account_cannot_be_released(
    zhou: Account, wu: Account, customer: Enterprise
) -> None:
    proposal = create_proposal(zhou, customer)
    Account.objects.filter(pk=zhou.pk).update(is_active=False)
    with pytest.raises(ReleaseRefused, match="已停用或不再有此权限"):
        proposal_release(actor=wu, proposal_id=proposal.pk)


def test_after_seven_days_it_expires(zhou: Account, wu: Account, customer: Enterprise) -> None:
    proposal = create_proposal(zhou, customer)
    Proposal.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    with pytest.raises(WrongState, match="已失效"):
        proposal_release(actor=wu, proposal_id=proposal.pk)
    assert list_releasable(wu) == []
    assert (proposals_expire(), proposals_expire()) == (1, 0)
    proposal.refresh_from_db()
    assert (proposal.state, proposal.decider) == (S.EXPIRED, None)
    assert create_proposal(wu, customer).pk != proposal.pk


def test_an_unknown_proposal_is_not_found(zhou: Account) -> None:
    with pytest.raises(DomainError) as refusal:
        proposal_release(actor=zhou, proposal_id=4711)
    assert refusal.value.status == 404
