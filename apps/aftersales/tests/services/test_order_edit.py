"""Staff edit an order before it ships: what changes with it, and what is refused."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest
from auditlog.models import LogEntry

from apps.aftersales.models import CancelOrder
from apps.aftersales.services.controlled_acts import order_edit
from apps.aftersales.tests.cancelling import (
    ask,
    confirm_order,
    get_amounts,
    get_reserved,
    list_lines,
    order_two_lines,
    ship,
)
from apps.aftersales.tests.editing import build_edit_form
from apps.approvals.enums import ApproverKind
from apps.approvals.selectors.rule_form import RuleSpec, StepSpec
from apps.approvals.services.rule_manage import rule_save
from apps.common.books import list_differences
from apps.common.errors import DomainError
from apps.common.models import Event
from apps.notices.models import Notice
from apps.notices.tests.factories import deliver_all
from apps.orders.models import FreightRegion, Order, Payment
from apps.orders.selectors.customer_terms import get_credits
from apps.orders.services.cancellations import order_cancel_by_staff
from apps.orders.snapshots import format_receiver
from apps.org.models import Account, Address
from apps.org.tests.factories import AddressFactory, EnterpriseFactory


@pytest.fixture
def warehouse(shopper: Account) -> Address:
    """Another address of the shopper's enterprise, in a province with two extra days."""
    FreightRegion.objects.create(province="青海省", fee=Decimal("30.00"), extra_days=2)
    return AddressFactory(
        enterprise=shopper.enterprise, receiver="仓库", province="青海省", city="西宁市"
    )


def test_lower_quantities_move_money_budget_credit_and_stock(
    shopper: Account, staff: Account
) -> None:
    order = confirm_order(order_two_lines(shopper), staff)

    order_edit(actor=staff, order_id=order.pk, form=build_edit_form(order, 6, 0))

    # 60.00 元 of goods are below the limit of free freight: 15.00 元.
    assert get_amounts(order) == ("pending_shipment", Decimal(60), Decimal(15), Decimal(75))
    assert list_lines(order) == [(6, 4, 0), (0, 5, 0)]
    assert get_reserved() == (Decimal(75), Decimal(0), [6, 0])
    assert get_credits([order.enterprise_id])[order.enterprise_id].used == Decimal(75)
    cancel = CancelOrder.objects.get()
    assert (cancel.requester, cancel.decided_by_id, cancel.status, cancel.total_after) == (
        None,
        staff.pk,
        "done",
        Decimal(75),
    )
    assert list(list_differences()) == []


def test_a_paid_order_gets_its_money_back(shopper: Account, staff: Account) -> None:
    order = order_two_lines(shopper, payment_kind="online")
    Payment.objects.update(status="paid", gateway="demo", gateway_reference="R1")

    order_edit(actor=staff, order_id=order.pk, form=build_edit_form(order, 10, 1))

    assert Payment.objects.get().refunded_amount == Decimal(40)
    assert CancelOrder.objects.get().refund_amount == Decimal(40)


def test_address_change_keeps_the_amounts_and_moves_the_promised_days(
    shopper: Account, staff: Account, warehouse: Address
) -> None:
    order = confirm_order(order_two_lines(shopper), staff)
    before = format_receiver(order.address_snapshot)

    order_edit(actor=staff, order_id=order.pk, form=build_edit_form(order, address=warehouse))

    now = Order.objects.get(pk=order.pk)
    assert (now.address_snapshot["Receiver"], now.total_amount) == ("仓库", Decimal(150))
    assert now.promised_days == order.promised_days + 2
    assert now.address_key != order.address_key
    event = Event.objects.get(kind="address_changed")
    assert event.note == f"{before} → {format_receiver(now.address_snapshot)}；原因：客户来电"
    assert LogEntry.objects.get_for_object(order).latest("id").actor_id == staff.pk


def test_order_edit_notifies_the_customer_of_cancellation_and_address_change(
    shopper: Account, staff: Account, warehouse: Address
) -> None:
    order = order_two_lines(shopper)
    order_edit(actor=staff, order_id=order.pk, form=build_edit_form(order, 9, address=warehouse))
    deliver_all()

    cancel = CancelOrder.objects.get()
    notices = Notice.objects.filter(recipient=shopper).order_by("pk")
    assert {(notice.kind, notice.title) for notice in notices} == {
        ("cancel_decided", f"平台客服取消了订单中的部分商品（{cancel.cancel_no}）"),
        ("order_changed", f"平台客服修改了订单 {order.order_no} 的收货地址"),
    }


Story = Callable[[Account, Account, Order], object]
STATES: dict[str, tuple[Story, str]] = {
    "shipped": (
        lambda _shopper, staff, order: ship(staff, order),
        "订单已发货（待收货），不能修改",
    ),
    "partly_shipped": (
        lambda _shopper, staff, order: ship(staff, order, 1),
        "订单已发货（部分发货），不能修改",
    ),
    "cancelled": (
        lambda _shopper, staff, order: order_cancel_by_staff(
            actor=staff, order_id=order.pk, reason="缺货"
        ),
        "订单已取消，不能修改",
    ),
    "request_open": (
        lambda shopper, _staff, order: ask(shopper, order, 1),
        "客户对该订单的取消申请正等待处理",
    ),
    "edited": (
        lambda _shopper, staff, order: order_edit(
            actor=staff, order_id=order.pk, form=build_edit_form(order, 9)
        ),
        "您打开此页后该订单已有变化",
    ),
}


@pytest.mark.parametrize("state", STATES)
def test_an_order_that_moved_on_is_not_edited(shopper: Account, staff: Account, state: str) -> None:
    order = confirm_order(order_two_lines(shopper), staff)
    form = build_edit_form(order, 8)
    story, text = STATES[state]
    story(shopper, staff, order)
    before = list_lines(order)

    with pytest.raises(DomainError) as refused:
        order_edit(actor=staff, order_id=order.pk, form=form)

    assert text in refused.value.text
    assert list_lines(order) == before


def test_an_order_in_approval_is_not_edited(order_in_approval: Order, staff: Account) -> None:
    with pytest.raises(DomainError, match="正在审批中"):
        order_edit(
            actor=staff, order_id=order_in_approval.pk, form=build_edit_form(order_in_approval, 1)
        )


@pytest.mark.parametrize(
    ("quantities", "text"),
    [
        ((11, 5), "只能减少或移除，不能多于 10"),
        ((10, 5), "数量和收货地址都没有变化"),
        ((0, 0), "至少保留一种商品"),
        ((-1, 5), "只能减少或移除"),
    ],
)
def test_a_wrong_edit_is_refused(
    shopper: Account, staff: Account, quantities: tuple[int, ...], text: str
) -> None:
    order = order_two_lines(shopper)
    with pytest.raises(DomainError) as refused:
        order_edit(actor=staff, order_id=order.pk, form=build_edit_form(order, *quantities))
    assert text in refused.value.text


def test_an_address_that_the_requester_may_not_use_is_refused(
    shopper: Account, staff: Account
) -> None:
    order = order_two_lines(shopper)
    colleague = AddressFactory(enterprise=EnterpriseFactory(group=shopper.group))
    with pytest.raises(DomainError, match="下单人不能使用该收货地址"):
        order_edit(actor=staff, order_id=order.pk, form=build_edit_form(order, address=colleague))


@pytest.mark.parametrize(
    ("kind", "value", "is_refused"),
    [
        ("first_address", None, True),
        ("sum_address", {"days": 7, "amount": "100.00"}, True),
        ("sum_address", {"days": 7, "amount": "9000.00"}, False),
        ("amount", "1.00", False),
    ],
)
def test_a_place_that_the_customers_rules_want_approved_is_refused(
    shopper: Account,
    approver: Account,
    staff: Account,
    warehouse: Address,
    kind: str,
    value: Any,
    is_refused: bool,
) -> None:
    """Otherwise a buyer would order to a known address and have the order sent elsewhere."""
    order = order_two_lines(shopper)
    rule_save(
        group_id=order.group_id,
        spec=RuleSpec("新地址审批", [{"kind": kind, "value": value}]),
        steps=[StepSpec(approver_kind=ApproverKind.ACCOUNTS, accounts=(approver,))],
    )
    form = build_edit_form(order, address=warehouse)

    if not is_refused:
        order_edit(actor=staff, order_id=order.pk, form=form)
        return
    with pytest.raises(DomainError) as refused:
        order_edit(actor=staff, order_id=order.pk, form=form)
    assert refused.value.text == (
        "按客户的审批规则“新地址审批”，订单送往该地址需要审批，修改地址不会重新审批；"
        "请客户取消订单后按新地址重新提交"
    )


def test_new_receiver_at_the_same_place_requires_no_approval(
    shopper: Account, approver: Account, staff: Account
) -> None:
    order = order_two_lines(shopper)
    rule_save(
        group_id=order.group_id,
        spec=RuleSpec(
            "地址累计", [{"kind": "sum_address", "value": {"days": 7, "amount": "1.00"}}]
        ),
        steps=[StepSpec(approver_kind=ApproverKind.ACCOUNTS, accounts=(approver,))],
    )
    first = Address.objects.get()
    copy = AddressFactory(
        enterprise=shopper.enterprise,
        receiver="前台",
        **{name: getattr(first, name) for name in ("province", "city", "district", "street")},
    )

    order_edit(actor=staff, order_id=order.pk, form=build_edit_form(order, address=copy))

    assert Order.objects.get().address_snapshot["Receiver"] == "前台"
