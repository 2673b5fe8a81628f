"""After confirmation, staff decide on a cancellation. The pieces are held until then. Without a
decision before the deadline, the cancellation is granted.
"""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.core import mail
from django.utils import timezone

from apps.aftersales.models import CancelOrder
from apps.aftersales.services.cancel_decide import (
    _grant_overdue_cancel,
    _remind_about_cancel,
    cancel_grant,
    cancel_refuse,
    cancel_withdraw,
    cancels_grant_overdue,
    cancels_remind,
    remind_staff_handler,
)
from apps.aftersales.tests.cancelling import (
    ask,
    confirm_order,
    get_amounts,
    get_reserved,
    list_lines,
    order_two_lines,
    receive,
    ship,
)
from apps.common.errors import QuantityExceeded, ValidationFailed, WrongState
from apps.common.models import Event, OutboxMessage
from apps.common.tenancy import platform_scope
from apps.orders.models import Order
from apps.orders.services.cancellations import order_cancel, order_cancel_by_staff
from apps.orders.services.confirmations import order_confirm
from apps.org.models import Account

D = Decimal


@pytest.fixture
def order(shopper: Account, staff: Account) -> Order:
    """Ten and five pieces at 10.00 元, 待发货."""
    return confirm_order(order_two_lines(shopper), staff)


def test_cancellation_request_holds_its_pieces_until_the_decision(
    order: Order, shopper: Account
) -> None:
    cancel = ask(shopper, order, 3)

    assert cancel.status == "pending"
    assert cancel.decide_by is not None
    assert round((cancel.decide_by - cancel.submitted_at) / timedelta(hours=1), 1) == 24.0
    assert (get_amounts(order)[3], list_lines(order), get_reserved()) == (
        D("150.00"),
        [(10, 0, 3), (5, 0, 0)],
        (D("150.00"), D("0.00"), [10, 5]),
    )


def test_pieces_in_a_cancellation_request_cannot_be_shipped(
    order: Order, shopper: Account, staff: Account
) -> None:
    ask(shopper, order, 3)
    with pytest.raises(QuantityExceeded, match="最多还可发 7（另有 3 件客户申请取消，待处理）"):
        ship(staff, order, 8)
    ship(staff, order)
    assert get_amounts(order)[0] == "partly_shipped"
    with pytest.raises(WrongState, match="未发货的商品都在申请取消"):
        ship(staff, order)


def test_granted_cancellation_releases_amount_and_stock(
    order: Order, shopper: Account, staff: Account
) -> None:
    cancel = cancel_grant(actor=staff, cancel_id=ask(shopper, order, 3).pk, note="已通知仓库")

    assert (cancel.status, cancel.decided_by, cancel.decision_note) == ("done", staff, "已通知仓库")
    assert (get_amounts(order), list_lines(order)) == (
        ("pending_shipment", D("120.00"), D("0.00"), D("120.00")),
        [(7, 3, 0), (5, 0, 0)],
    )
    assert get_reserved() == (D("120.00"), D("0.00"), [7, 5])


def test_the_whole_granted_ends_the_order(order: Order, shopper: Account, staff: Account) -> None:
    cancel_grant(actor=staff, cancel_id=ask(shopper, order).pk)

    assert (get_amounts(order)[0], list_lines(order), get_reserved()) == (
        "cancelled",
        [(10, 0, 0), (5, 0, 0)],
        (D("0.00"), D("0.00"), [0, 0]),
    )


def test_granted_rest_of_a_shipped_order_leaves_it_pending_receipt(
    order: Order, shopper: Account, staff: Account
) -> None:
    ship(staff, order, 10, 2)
    cancel_grant(actor=staff, cancel_id=ask(shopper, order).pk)

    assert (get_amounts(order)[0], get_amounts(order)[3], list_lines(order)) == (
        "pending_receipt",
        D("120.00"),
        [(10, 0, 0), (2, 3, 0)],
    )
    receive(shopper, order)
    assert (get_amounts(order)[0], get_reserved()) == (
        "completed",
        (D("0.00"), D("120.00"), [0, 0]),
    )


def test_granted_rest_of_a_received_order_completes_it_with_freight(
    order: Order, shopper: Account, staff: Account
) -> None:
    ship(staff, order, 5)
    receive(shopper, order)
    cancel_grant(actor=staff, cancel_id=ask(shopper, order).pk)

    assert get_amounts(order) == ("completed", D("50.00"), D("15.00"), D("65.00"))
    assert get_reserved() == (D("0.00"), D("65.00"), [0, 0])


def test_refused_its_pieces_go_on_their_way(order: Order, shopper: Account, staff: Account) -> None:
    cancel = cancel_refuse(actor=staff, cancel_id=ask(shopper, order).pk, reason="货物已打包出库")

    assert (cancel.status, cancel.decision_note, list_lines(order)) == (
        "refused",
        "货物已打包出库",
        [(10, 0, 0), (5, 0, 0)],
    )
    ship(staff, order)
    assert get_amounts(order)[0] == "pending_receipt"


def test_cancellation_refusal_requires_a_reason(
    order: Order, shopper: Account, staff: Account
) -> None:
    with pytest.raises(ValidationFailed):
        cancel_refuse(actor=staff, cancel_id=ask(shopper, order).pk, reason="  ")


def test_withdrawn_cancellation_can_be_requested_again(order: Order, shopper: Account) -> None:
    assert cancel_withdraw(actor=shopper, cancel_id=ask(shopper, order, 3).pk).status == "withdrawn"
    assert list_lines(order) == [(10, 0, 0), (5, 0, 0)]
    assert ask(shopper, order, 4).status == "pending"


def test_second_cancellation_request_is_refused_while_one_is_pending(
    order: Order, shopper: Account
) -> None:
    first = ask(shopper, order, 3)
    with pytest.raises(WrongState, match=f"已有待处理的取消申请 {first.cancel_no}"):
        ask(shopper, order, 1)


def test_decided_cancellation_refuses_further_decisions(
    order: Order, shopper: Account, staff: Account
) -> None:
    pk = ask(shopper, order, 3).pk
    cancel_refuse(actor=staff, cancel_id=pk, reason="已打包")
    for act in (
        lambda: cancel_grant(actor=staff, cancel_id=pk),
        lambda: cancel_refuse(actor=staff, cancel_id=pk, reason="已打包"),
        lambda: cancel_withdraw(actor=shopper, cancel_id=pk),
    ):
        with pytest.raises(WrongState, match="取消申请已被拒绝"):
            act()
    assert list_lines(order) == [(10, 0, 0), (5, 0, 0)]


def test_pending_cancellation_request_blocks_direct_cancellation_and_confirmation(
    order: Order, shopper: Account, staff: Account
) -> None:
    ask(shopper, order, 3)
    with pytest.raises(WrongState, match="正等待处理"):
        order_cancel_by_staff(actor=staff, order_id=order.pk, reason="缺货")
    with pytest.raises(WrongState, match="不能直接取消，如需取消请提交取消申请"):
        order_cancel(actor=shopper, order_no=order.order_no, reason="不要了")
    with pytest.raises(WrongState):
        order_confirm(actor=staff, order_id=order.pk)


def by_clock(job: Any) -> int:
    with platform_scope(reason="test: the clock"):
        return int(job())


def wait(hours: float) -> None:
    CancelOrder.objects.update(decide_by=timezone.now() + timedelta(hours=24 - hours))


def test_job_leaves_a_request_alone_whose_deadline_moved_meanwhile(
    order: Order, shopper: Account
) -> None:
    cancel = ask(shopper, order, 3)

    assert not _grant_overdue_cancel(cancel.pk, order.order_no, cancel.group_id)
    assert CancelOrder.objects.get().status == "pending"


def test_overdue_cancellation_request_is_granted_automatically_after_24_hours(
    order: Order, shopper: Account
) -> None:
    ask(shopper, order, 3)
    wait(23.9)
    assert by_clock(cancels_grant_overdue) == 0
    wait(24.1)
    assert [by_clock(cancels_grant_overdue), by_clock(cancels_grant_overdue)] == [1, 0]

    cancel = CancelOrder.objects.get()
    assert (cancel.status, cancel.decided_by, cancel.decision_note) == (
        "done",
        None,
        "客服逾期未处理，已自动同意",
    )
    assert get_amounts(order)[3] == D("120.00")
    assert Event.objects.filter(kind="granted_late").count() == 1


def test_automatic_grant_is_named_in_the_order_timeline_and_message(
    shopper: Account, order: Order
) -> None:
    ask(shopper, order)
    wait(24.1)
    by_clock(cancels_grant_overdue)

    expected_text = "客服逾期未处理，已自动同意，取消原因：不想要了"
    assert Event.objects.get(kind="cancelled").note == expected_text
    assert OutboxMessage.objects.get(topic="order.cancelled").payload["reason"] == expected_text


def may_be_written_to(staff: Account) -> None:
    with platform_scope(reason="test: staff"):
        Account.objects.filter(pk=staff.pk).update(email="kefu@wencai.example", is_superuser=True)


def test_staff_are_written_to_once_before_the_deadline(
    order: Order, shopper: Account, staff: Account
) -> None:
    may_be_written_to(staff)
    ask(shopper, order, 3)
    wait(17)
    assert by_clock(cancels_remind) == 0
    wait(18.1)
    assert [by_clock(cancels_remind), by_clock(cancels_remind)] == [1, 0]

    message = OutboxMessage.objects.get(topic="cancel.remind_staff")
    remind_staff_handler(message.key, message.payload)
    assert [
        (letter.to, CancelOrder.objects.get().cancel_no in letter.subject) for letter in mail.outbox
    ] == [(["kefu@wencai.example"], True)]


def test_repeated_reminder_of_a_cancellation_request_is_sent_once(
    order: Order, shopper: Account
) -> None:
    cancel = ask(shopper, order, 3)
    query = (cancel.pk, order.order_no, order.group_id)
    assert [_remind_about_cancel(*query), _remind_about_cancel(*query)] == [True, False]


def test_decided_cancellation_sends_no_reminder_mail(
    order: Order, shopper: Account, staff: Account
) -> None:
    may_be_written_to(staff)
    cancel = ask(shopper, order, 3)
    cancel_grant(actor=staff, cancel_id=cancel.pk)
    remind_staff_handler("", {"cancel_id": cancel.pk})
    assert mail.outbox == []
