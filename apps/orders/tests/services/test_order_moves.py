"""Tests of each transition: the amounts and stock that it changes or releases, and the states
that refuse it.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from apps.approvals.models import Approval
from apps.approvals.services.approval_decide import approval_approve, approval_reject
from apps.budgets.models import Budget
from apps.cart.models import CartItem
from apps.catalog.models import Product
from apps.catalog.tests.factories import ProductFactory
from apps.common.errors import QuantityExceeded, ValidationFailed, WrongState
from apps.common.models import Event
from apps.orders.errors import NotYourOrder, OrderNotFound
from apps.orders.models import Order
from apps.orders.services.cancellations import order_cancel, order_cancel_by_staff, order_withdraw
from apps.orders.services.confirmations import order_confirm
from apps.orders.services.receipts import order_receive
from apps.orders.services.reorders import order_reorder
from apps.orders.services.shipments import order_ship
from apps.orders.tests.factories import FreightRegionFactory, make_budget, make_rule, place_order
from apps.org.models import Account


def reload(order: Order) -> Order:
    result: Order = Order.objects.get(pk=order.pk)
    return result


def get_held() -> tuple[Decimal, Decimal, int]:
    """Return the budget's reserved and consumed amounts (元) and the product's reserved pieces."""
    budget, product = Budget.objects.get(), Product.objects.get()
    return budget.reserved, budget.consumed, product.reserved


NOTHING = (Decimal("0.00"), Decimal("0.00"), 0)


@pytest.fixture
def charged(shopper: Account) -> Order:
    """Two pieces at 10.00 元 and 5.00 元 of freight on a budget, 待确认."""
    FreightRegionFactory(fee=Decimal("5.00"))
    make_budget(shopper, "100.00")
    return place_order(shopper)


@pytest.fixture
def charged_in_approval(shopper: Account, approver: Account) -> Order:
    """Two pieces at 10.00 元 on a budget, 待审批."""
    make_budget(shopper, "100.00")
    make_rule(shopper, approver)
    return place_order(shopper)


def test_cancelling_gives_back_budget_and_stock(charged: Order, buyer: Account) -> None:
    order_cancel(actor=buyer, order_no=charged.order_no, reason="买错了")
    assert (reload(charged).status, get_held()) == ("cancelled", NOTHING)


def test_cancelling_while_in_approval_ends_the_approval(
    charged_in_approval: Order, buyer: Account
) -> None:
    order_cancel(actor=buyer, order_no=charged_in_approval.order_no, reason="买错了")
    assert (
        Approval.objects.get().status,
        reload(charged_in_approval).approval_status,
        get_held(),
    ) == (
        "withdrawn",
        "withdrawn",
        NOTHING,
    )


def test_withdrawing_gives_back_budget_and_stock(
    charged_in_approval: Order, buyer: Account
) -> None:
    order_withdraw(actor=buyer, order_no=charged_in_approval.order_no)
    assert (reload(charged_in_approval).status, Approval.objects.get().status, get_held()) == (
        "withdrawn",
        "withdrawn",
        NOTHING,
    )


def test_approving_passes_the_order_to_staff(charged_in_approval: Order, approver: Account) -> None:
    approval_approve(actor=approver, approval_id=Approval.objects.get().pk)
    assert (reload(charged_in_approval).status, reload(charged_in_approval).approval_status) == (
        "pending_confirm",
        "approved",
    )
    assert get_held() == (Decimal("20.00"), Decimal("0.00"), 2)


def test_rejection_releases_budget_and_stock_and_records_the_reason(
    charged_in_approval: Order, approver: Account
) -> None:
    approval_reject(actor=approver, approval_id=Approval.objects.get().pk, reason="本月已采购")
    event = Event.objects.get(kind="rejected")
    assert (reload(charged_in_approval).status, get_held(), event.note) == (
        "rejected",
        NOTHING,
        "本月已采购",
    )


def test_a_confirmed_order_is_cancelled_by_staff_only(
    confirmed_order: Order, buyer: Account, staff: Account
) -> None:
    with pytest.raises(
        WrongState, match="订单已确认（待发货），不能直接取消，如需取消请提交取消申请"
    ):
        order_cancel(actor=buyer, order_no=confirmed_order.order_no, reason="买错了")
    assert (
        order_cancel_by_staff(actor=staff, order_id=confirmed_order.pk, reason="客户来电").status
        == "cancelled"
    )


def test_a_shipped_order_is_not_cancelled(shipped_order: Order, buyer: Account) -> None:
    with pytest.raises(WrongState, match="订单已发货（待收货），不能取消"):
        order_cancel(actor=buyer, order_no=shipped_order.order_no, reason="买错了")


def act(verb: str, order: Order, buyer: Account, staff: Account) -> Any:
    match verb:
        case "cancel":
            return order_cancel(actor=buyer, order_no=order.order_no, reason="买错了")
        case "withdraw":
            return order_withdraw(actor=buyer, order_no=order.order_no)
        case "confirm":
            return order_confirm(actor=staff, order_id=order.pk)
        case "ship":
            return order_ship(actor=staff, order_id=order.pk, carrier="示例快递", tracking_no="SF1")
        case _:
            return order_receive(actor=buyer, order_no=order.order_no).order


# State → allowed actions. All other actions are refused, and the error names the state.
LEGAL: dict[str, set[str]] = {
    "pending_approval": {"cancel", "withdraw"},
    "rejected": set(),
    "withdrawn": set(),
    "pending_confirm": {"cancel", "confirm"},
    "pending_shipment": {"ship"},
    "partly_shipped": {"ship", "receive"},
    "pending_receipt": {"receive"},
    "completed": set(),
    "cancelled": set(),
}
VERBS = ("cancel", "withdraw", "confirm", "ship", "receive")
ILLEGAL = [(state, verb) for state, legal in LEGAL.items() for verb in VERBS if verb not in legal]


@pytest.mark.parametrize(("state", "verb"), ILLEGAL)
def test_a_wrong_state_is_refused_by_name(
    placed_order: Order, buyer: Account, staff: Account, state: str, verb: str
) -> None:
    Order.objects.filter(pk=placed_order.pk).update(status=state)
    events = Event.objects.count()
    with pytest.raises(
        WrongState, match=reload(placed_order).get_status_display().removesuffix("货")
    ):
        act(verb, placed_order, buyer, staff)
    assert (reload(placed_order).status, Event.objects.count()) == (state, events)


def test_colleague_who_sees_the_order_cannot_cancel_it(
    placed_order: Order, approver: Account
) -> None:
    with pytest.raises(NotYourOrder, match="只有下单人或集团管理员"):
        order_cancel(actor=approver, order_no=placed_order.order_no, reason="不要了")


def test_colleague_outside_the_data_scope_gets_order_not_found(
    placed_order: Order, limited: Account
) -> None:
    with pytest.raises(OrderNotFound):
        order_cancel(actor=limited, order_no=placed_order.order_no, reason="不要了")


def test_the_group_admin_may_cancel_for_a_colleague(placed_order: Order, ga: Account) -> None:
    assert (
        order_cancel(actor=ga, order_no=placed_order.order_no, reason="离职").status == "cancelled"
    )


def test_a_partial_shipment_leaves_the_rest_to_ship(confirmed_order: Order, staff: Account) -> None:
    line = confirmed_order.lines.get()
    order_ship(
        actor=staff,
        order_id=confirmed_order.pk,
        carrier="示例快递",
        tracking_no="SF1",
        quantities={line.pk: 1},
    )
    assert reload(confirmed_order).status == "partly_shipped"
    assert (Product.objects.get().stock, Product.objects.get().reserved) == (99, 1)


def test_each_shipment_has_its_own_number(confirmed_order: Order, staff: Account) -> None:
    line = confirmed_order.lines.get()
    for tracking in ("SF1", "SF2"):
        order_ship(
            actor=staff,
            order_id=confirmed_order.pk,
            carrier="示例快递",
            tracking_no=tracking,
            quantities={line.pk: 1},
        )
    assert [row.shipment_no for row in confirmed_order.shipments.all()] == [
        f"{confirmed_order.order_no}-1",
        f"{confirmed_order.order_no}-2",
    ]
    assert reload(confirmed_order).status == "pending_receipt"


def test_more_than_ordered_is_not_shipped(confirmed_order: Order, staff: Account) -> None:
    line = confirmed_order.lines.get()
    with pytest.raises(QuantityExceeded, match="最多还可发 2"):
        order_ship(
            actor=staff,
            order_id=confirmed_order.pk,
            carrier="示例快递",
            tracking_no="SF1",
            quantities={line.pk: 3},
        )


def test_shipping_a_line_of_another_order_is_refused(
    confirmed_order: Order, staff: Account, shopper: Account
) -> None:
    foreign = place_order(shopper, (ProductFactory(), 1)).lines.get()
    with pytest.raises(QuantityExceeded):
        order_ship(
            actor=staff,
            order_id=confirmed_order.pk,
            carrier="示例快递",
            tracking_no="SF1",
            quantities={foreign.pk: 1},
        )


def test_partial_receipt_consumes_its_goods_amount_and_the_last_receipt_the_freight(
    charged: Order, buyer: Account, staff: Account
) -> None:
    order_confirm(actor=staff, order_id=charged.pk)
    line = charged.lines.get()
    order_ship(actor=staff, order_id=charged.pk, carrier="示例快递", tracking_no="SF1")
    order_receive(actor=buyer, order_no=charged.order_no, quantities={line.pk: 1})
    assert (reload(charged).status, get_held()[:2]) == (
        "pending_receipt",
        (Decimal("15.00"), Decimal("10.00")),
    )
    order_receive(actor=buyer, order_no=charged.order_no)
    assert (reload(charged).status, get_held()[:2]) == (
        "completed",
        (Decimal("0.00"), Decimal("25.00")),
    )


def test_single_shipment_can_be_received_separately(
    confirmed_order: Order, buyer: Account, staff: Account
) -> None:
    line = confirmed_order.lines.get()
    shipments = [
        order_ship(
            actor=staff,
            order_id=confirmed_order.pk,
            carrier="示例快递",
            tracking_no=number,
            quantities={line.pk: 1},
        )
        for number in ("SF1", "SF2")
    ]
    order_receive(
        actor=buyer, order_no=confirmed_order.order_no, shipment_no=shipments[1].shipment_no
    )
    received = [row.received_at is not None for row in confirmed_order.shipments.all()]
    assert (received, reload(confirmed_order).status) == ([False, True], "pending_receipt")


def test_more_than_is_on_its_way_is_not_received(shipped_order: Order, buyer: Account) -> None:
    with pytest.raises(QuantityExceeded, match="超出在途数量 2"):
        order_receive(
            actor=buyer,
            order_no=shipped_order.order_no,
            quantities={shipped_order.lines.get().pk: 3},
        )
    assert shipped_order.lines.get().received_quantity == 0


def test_receipt_of_a_shipment_of_another_order_is_refused(
    shipped_order: Order, buyer: Account
) -> None:
    with pytest.raises(ValidationFailed, match="没有待收货的商品"):
        order_receive(actor=buyer, order_no=shipped_order.order_no, shipment_no="SO1-1")


def test_reorder_refills_the_cart_and_lists_unavailable_products(shopper: Account) -> None:
    good, gone = ProductFactory(), ProductFactory(name="旧款订书机")
    order = place_order(shopper, (good, 2), (gone, 1))
    Product.objects.filter(pk=gone.pk).update(status="off")
    outcome = order_reorder(actor=shopper, order_no=order.order_no)
    assert (outcome.added, [(row.name, row.message) for row in outcome.left_out]) == (
        1,
        [("旧款订书机", "已下架，请更换其他商品")],
    )


def test_a_rejected_order_refills_the_cart(
    shopper: Account, approver: Account, order_in_approval: Order
) -> None:
    approval_reject(actor=approver, approval_id=Approval.objects.get().pk, reason="超标")
    outcome = order_reorder(actor=shopper, order_no=order_in_approval.order_no)
    line = order_in_approval.lines.get()
    assert (outcome.added, outcome.left_out) == (1, [])
    assert list(CartItem.objects.filter(account=shopper).values_list("product", "quantity")) == [
        (line.product_id, line.quantity)
    ]


@pytest.mark.parametrize(("carrier", "number"), [(" ", "SF1"), ("示例快递", " ")])
def test_a_parcel_has_a_carrier_and_a_number(
    confirmed_order: Order, staff: Account, carrier: str, number: str
) -> None:
    with pytest.raises(ValidationFailed, match="请填写承运商和运单号"):
        order_ship(actor=staff, order_id=confirmed_order.pk, carrier=carrier, tracking_no=number)
