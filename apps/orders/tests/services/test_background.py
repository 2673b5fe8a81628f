"""What orders set off: the statements of notices, report facts, budget alerts and webhooks behind
ten orders that are delivered together.
"""

from __future__ import annotations

from apps.common.background.delivery import outbox_deliver
from apps.common.models import OutboxMessage
from apps.common.testing import CLAIM_QUERIES, assert_queries
from apps.notices.models import Notice
from apps.orders.models import Order
from apps.orders.tests.factories import make_budget, make_rule, place_order
from apps.org.models import Account
from apps.reports.models import ReportFact

ORDERS = 10


def test_ten_orders_set_off_10_queries_and_a_claim(shopper: Account) -> None:
    for _ in range(ORDERS):
        place_order(shopper)
    with assert_queries(10 + CLAIM_QUERIES):
        assert outbox_deliver() == ORDERS

    assert ReportFact.objects.filter(kind="ordered").count() == ORDERS


def test_ten_orders_for_approval_set_off_29_queries_and_two_claims(
    shopper: Account, approver: Account
) -> None:
    make_budget(shopper, "1000.00")
    make_rule(shopper, approver)
    for _ in range(ORDERS):
        place_order(shopper)
    assert OutboxMessage.objects.count() == 2 * ORDERS
    with assert_queries(29 + 2 * CLAIM_QUERIES):
        while outbox_deliver():
            pass

    notices = (
        Notice.objects.filter(recipient=approver).values_list("title", flat=True).order_by("pk")
    )
    assert list(notices) == [
        f"{shopper.nickname}提交的订单 {order.order_no} 等待您审批"
        for order in Order.objects.order_by("pk")
    ]
