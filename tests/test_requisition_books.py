"""manage.py check_books reports differences between requisitions and the orders made from them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.db.models import F

from apps.catalog.tests.factories import ProductFactory
from apps.common.books import list_differences
from apps.common.testing.faults import list_missed
from apps.orders.models import OrderLine
from apps.orders.selectors.checkout import CheckoutForm
from apps.orders.services.cancellations import order_cancel
from apps.orders.services.order_submit import order_submit
from apps.orders.tests.factories import fill_cart
from apps.org.models import Account
from apps.org.tests.factories import AccountFactory
from apps.requisitions.models import Requisition, RequisitionLine, RequisitionTake
from apps.requisitions.services.requisition_order import requisition_gather
from apps.requisitions.services.requisitions import requisition_submit


@pytest.fixture
def trade(shopper: Account) -> None:
    """A requisition of five and two: three and two are ordered; one more was ordered and that
    order was cancelled.
    """
    shopper.roles.update(data_scope="enterprise")
    buyer: Account = Account.objects.get(pk=shopper.pk)
    colleague = AccountFactory(department=shopper.department, nickname="小张", roles=[])
    fill_cart(colleague, (ProductFactory(), 5), (ProductFactory(), 2))
    row = requisition_submit(actor=colleague, cost_center="CC-1", reason="月度用品")
    by_size = {line.quantity: line.pk for line in row.lines.all()}
    requisition_gather(actor=buyer, quantities={by_size[5]: 3, by_size[2]: 2})
    order_submit(actor=buyer, form=CheckoutForm())
    requisition_gather(actor=buyer, quantities={by_size[5]: 1})
    order_cancel(
        actor=buyer, order_no=order_submit(actor=buyer, form=CheckoutForm()).order_no, reason="重复"
    )


def get_gathered_line() -> Any:
    """The order line of three pieces, as a queryset."""
    return OrderLine.objects.filter(quantity=3)


PLANTED: dict[str, tuple[Callable[[], object], str]] = {
    "ordered more than orders took": (
        lambda: RequisitionLine.objects.filter(quantity=5).update(ordered_quantity=4),
        "已下单数量",
    ),
    "taken by an order that nobody counted": (
        lambda: RequisitionTake.objects.filter(quantity=3).update(quantity=4),
        "已下单数量",
    ),
    "a taking lost": (lambda: RequisitionTake.objects.filter(quantity=3).delete(), "代采数量"),
    "done, though two pieces wait": (
        lambda: Requisition.objects.update(status="ordered"),
        "采购申请状态",
    ),
    "more for the colleague than he asked for": (
        lambda: get_gathered_line().update(
            quantity=4, amount_incl_tax=F("unit_price_incl_tax") * 4
        ),
        "代采数量",
    ),
    "a line for nobody": (lambda: get_gathered_line().update(requisition_no=""), "代采数量"),
    "a line that has lost its requester": (
        lambda: get_gathered_line().update(asked_by=""),
        "申请人",
    ),
    "a line on another cost centre": (
        lambda: get_gathered_line().update(cost_center="CC-2"),
        "成本中心",
    ),
    "a line of a requisition that is not there": (
        lambda: get_gathered_line().update(requisition_no="CG0"),
        "采购申请单号",
    ),
}


def test_right_books_have_no_difference(trade: None) -> None:
    assert list(list_differences()) == []


def test_each_planted_error_is_found(trade: None) -> None:
    assert list_missed(PLANTED) == []
