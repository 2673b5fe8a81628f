"""If another approver changes the quantities after the task was assigned, an approval must name
the version that the approver saw. Otherwise it fails.
"""

from __future__ import annotations

import pytest

from apps.approvals.errors import ApprovalStale
from apps.approvals.services.approval_decide import approval_approve, approvals_bulk_approve
from apps.approvals.services.approval_discussion import approval_answer, approval_ask
from apps.catalog.tests.factories import ProductFactory
from apps.common.testing import ApiClient
from apps.orders.models import Order
from apps.orders.tests.amending import amend, build_accounts_step, create_amount_rule, get_approval
from apps.orders.tests.factories import place_order
from apps.org.models import Account

pytestmark = pytest.mark.django_db


@pytest.fixture
def order(shopper: Account, approver: Account, ga: Account) -> Order:
    """An order of ten pieces, waiting for `approver` or `ga`."""
    create_amount_rule(shopper, "部门审批", "0.00", build_accounts_step(approver, ga))
    return place_order(shopper, (ProductFactory(stock=100), 10))


def test_bulk_approval_skips_an_order_amended_after_delivery(
    order: Order, shopper: Account, approver: Account, ga: Account
) -> None:
    other = place_order(shopper, (ProductFactory(stock=100), 10))
    amend(ga, order, 4)

    outcomes = approvals_bulk_approve(
        actor=approver, approval_ids=[get_approval(order).pk, get_approval(other).pk]
    )

    assert [(row.success, row.code) for row in outcomes] == [(False, "stale"), (True, "ok")]
    assert outcomes[0].message == "送达您之后，这张单据的数量已被他人调整，请打开单据核对后再审批"
    assert [Order.objects.get(pk=row.pk).status for row in (order, other)] == [
        "pending_approval",
        "pending_confirm",
    ]


def test_approval_with_the_current_version_accepts_amended_quantities(
    order: Order, approver: Account, ga: Account
) -> None:
    amend(ga, order, 4)
    client, path = ApiClient(approver), f"/api/Approval/{get_approval(order).pk}/Approve"

    assert client.post(path, {}).code == "stale"
    assert client.post(path, {"Version": 2}).body["Status"] == "approved"


def test_last_amender_may_bulk_approve_the_amended_order(
    order: Order, approver: Account, ga: Account
) -> None:
    amend(approver, order, 6)
    amend(ga, order, 4)

    with pytest.raises(ApprovalStale):
        approval_approve(actor=approver, approval_id=get_approval(order).pk)
    assert [
        row.success
        for row in approvals_bulk_approve(actor=ga, approval_ids=[get_approval(order).pk])
    ] == [True]


def test_answer_to_a_question_does_not_mark_an_amendment_as_seen(
    order: Order, shopper: Account, approver: Account, ga: Account
) -> None:
    key = get_approval(order).pk
    amend(ga, order, 4)
    approval_ask(actor=ga, approval_id=key, text="急吗？")
    approval_answer(actor=shopper, approval_id=key, text="急")

    assert [row.code for row in approvals_bulk_approve(actor=approver, approval_ids=[key])] == [
        "stale"
    ]
    assert [row.code for row in approvals_bulk_approve(actor=ga, approval_ids=[key])] == ["ok"]


def test_next_approver_approves_an_order_amended_before_his_step(
    shopper: Account, approver: Account, ga: Account
) -> None:
    create_amount_rule(shopper, "部门审批", "0.00", build_accounts_step(approver))
    create_amount_rule(shopper, "总经理审批", "0.00", build_accounts_step(ga))
    order = place_order(shopper, (ProductFactory(stock=100), 10))
    amend(approver, order, 4)
    approval_approve(actor=approver, approval_id=get_approval(order).pk)

    approval_approve(actor=ga, approval_id=get_approval(order).pk)

    assert Order.objects.get(pk=order.pk).status == "pending_confirm"
