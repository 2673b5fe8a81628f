"""Tests of the requests that after-sales refuse. A refused request writes nothing."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage

from apps.aftersales.errors import NotYourReturn, ReturnNotFound, ReturnRefused
from apps.aftersales.models import ReturnOrder
from apps.aftersales.services.return_apply import ReturnFormLine, return_apply
from apps.aftersales.services.return_close import return_confirm, return_withdraw
from apps.aftersales.services.return_message import pictures_attach
from apps.aftersales.services.return_parcels import (
    return_send_out,
    return_send_refused,
    return_ship,
)
from apps.aftersales.services.return_refund import require_refundable, return_refund
from apps.aftersales.services.return_review import (
    return_approve,
    return_inspect,
    return_receive,
    return_reject,
)
from apps.aftersales.tests.stories import (
    SEND_TO,
    Story,
    apply_for_return,
    build_return_form,
    create_story,
    get_line,
    received_order,
)
from apps.catalog.tests.factories import ProductFactory
from apps.common.errors import QuantityExceeded, ValidationFailed, WrongState
from apps.common.models import StoredFile
from apps.orders.errors import NotYourOrder, OrderNotFound
from apps.orders.models import Order, OrderLine
from apps.orders.services.cancellations import order_cancel
from apps.orders.tests.factories import place_order
from apps.org.models import Account

# Each step and its allowed states. All other states refuse it.
STEPS: dict[str, tuple[str, ...]] = {
    "approve": ("pending_review",),
    "reject": ("pending_review",),
    "withdraw": ("pending_review", "pending_send", "pending_receipt"),
    "ship": ("pending_send",),
    "receive": ("pending_receipt",),
    "inspect": ("inspecting",),
    "refund": ("processing",),
    "send_out": (),
    "confirm": ("pending_confirm",),
}
STATES = (
    "pending_review",
    "pending_send",
    "pending_receipt",
    "inspecting",
    "processing",
    "pending_confirm",
    "completed",
)


@pytest.fixture
def order(shopper: Account, staff: Account) -> Order:
    return received_order(shopper, staff)


def attempt(verb: str, buyer: Account, staff: Account, return_order: ReturnOrder) -> Any:
    key, number = return_order.pk, return_order.return_no
    steps: dict[str, Any] = {
        "approve": lambda: return_approve(actor=staff, return_id=key, send_to=SEND_TO),
        "reject": lambda: return_reject(actor=staff, return_id=key, reason="超出范围"),
        "withdraw": lambda: return_withdraw(actor=buyer, return_no=number, reason="不退了"),
        "ship": lambda: return_ship(
            actor=buyer, return_no=number, carrier="示例快递", tracking_no="SF1"
        ),
        "receive": lambda: return_receive(actor=staff, return_id=key),
        "inspect": lambda: return_inspect(actor=staff, return_id=key, lines={}),
        "refund": lambda: return_refund(actor=staff, return_id=key),
        "send_out": lambda: return_send_out(
            actor=staff, return_id=key, carrier="示例快递", tracking_no="SF2"
        ),
        "confirm": lambda: return_confirm(actor=buyer, return_no=number),
    }
    return steps[verb]()


@pytest.mark.parametrize("state", STATES)
def test_return_step_is_refused_from_every_wrong_state(
    shopper: Account, staff: Account, order: Order, state: str
) -> None:
    story = create_story(shopper, staff, order)
    while story.now.status != state:
        if story.now.status == "pending_confirm":
            return_confirm(actor=shopper, return_no=story.now.return_no)
        else:
            story.to({"completed": "pending_confirm"}.get(state, state))
    before = story.now.updated_at, get_line(order).returning_quantity
    for verb, allowed in STEPS.items():
        if state not in allowed:
            with pytest.raises(WrongState):
                attempt(verb, shopper, staff, story.now)
    assert (story.now.updated_at, get_line(order).returning_quantity) == before


def test_refunded_return_is_not_refundable_again(
    shopper: Account, staff: Account, order: Order
) -> None:
    story = create_story(shopper, staff, order)
    story.to("pending_confirm")

    with pytest.raises(WrongState):
        require_refundable(story.now, {get_line(order).pk: 2})


def test_return_quantity_is_limited_to_received_minus_returning_pieces(
    shopper: Account, order: Order
) -> None:
    apply_for_return(shopper, order, 7)
    with pytest.raises(QuantityExceeded, match="最多还可申请 3"):
        apply_for_return(shopper, order, 4)
    assert (ReturnOrder.objects.count(), get_line(order).returning_quantity) == (1, 7)


def test_returned_pieces_cannot_be_returned_again(
    shopper: Account, staff: Account, order: Order
) -> None:
    create_story(shopper, staff, order, 10).to("pending_confirm")
    with pytest.raises(ReturnRefused, match="都在售后中或已退回"):
        apply_for_return(shopper, order, 1)


def test_a_cancelled_line_is_refused_in_words(shopper: Account, staff: Account) -> None:
    order = received_order(
        shopper, staff, (ProductFactory(stock=9), 2), (ProductFactory(stock=9), 1)
    )
    last = order.lines.order_by("-no")[0]
    zero = dict.fromkeys(("quantity", "shipped_quantity", "received_quantity"), 0)
    OrderLine.objects.filter(pk=last.pk).update(cancelled_quantity=1, **zero)
    with pytest.raises(
        ReturnRefused, match="该商品已取消，无需申请售后；如已付款，可在订单详情中查看退款进度"
    ):
        apply_for_return(shopper, order, lines=(ReturnFormLine(last.pk, 1),))


def test_return_of_a_cancelled_or_rejected_order_is_refused(shopper: Account) -> None:
    order = place_order(shopper)
    order_cancel(actor=shopper, order_no=order.order_no, reason="买错了")
    with pytest.raises(
        ReturnRefused, match="订单已取消，无需申请售后；如已付款，可在订单详情中查看退款进度"
    ):
        apply_for_return(shopper, order, 1)
    Order.objects.filter(pk=order.pk).update(status="rejected")
    with pytest.raises(ReturnRefused, match="订单已被审批驳回，如仍需购买请再次下单"):
        apply_for_return(shopper, order, 1)


def test_return_before_receipt_is_refused(shopper: Account) -> None:
    order = place_order(shopper)
    with pytest.raises(ReturnRefused, match="尚未签收"):
        apply_for_return(shopper, order, 1)


def test_return_with_a_foreign_or_repeated_line_is_refused(
    shopper: Account, staff: Account, order: Order
) -> None:
    strange, own = get_line(received_order(shopper, staff)).pk, get_line(order).pk
    for lines in ((ReturnFormLine(strange, 1),), (ReturnFormLine(own, 1), ReturnFormLine(own, 1))):
        with pytest.raises(ValidationFailed, match="不在该订单中或重复"):
            apply_for_return(shopper, order, lines=lines)


def test_colleague_who_sees_the_order_cannot_apply_for_a_return(
    shopper: Account, approver: Account, order: Order
) -> None:
    with pytest.raises(NotYourOrder):
        apply_for_return(approver, order)
    assert not ReturnOrder.objects.exists()


def test_colleague_who_sees_the_return_cannot_withdraw_it(
    shopper: Account, approver: Account, order: Order
) -> None:
    return_order = apply_for_return(shopper, order)
    with pytest.raises(NotYourReturn):
        return_withdraw(actor=approver, return_no=return_order.return_no, reason="不退了")


def test_missing_return_is_not_found(shopper: Account) -> None:
    with pytest.raises(ReturnNotFound):
        return_confirm(actor=shopper, return_no="TH0")


def test_return_for_a_missing_order_is_not_found(shopper: Account, order: Order) -> None:
    with pytest.raises(OrderNotFound):
        return_apply(
            actor=shopper,
            form=build_return_form(order, order_no="SO0", lines=(ReturnFormLine(1, 1),)),
        )


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"reason": "short"}, "少件无需寄回"),
        ({"way": "none"}, "请选择上门取件或客户寄回"),
        ({"kind": "repair", "reason": "unsuitable"}, "维修请选择“质量问题”"),
    ],
)
def test_contradictory_return_application_is_refused(
    shopper: Account, order: Order, changes: dict[str, str], message: str
) -> None:
    with pytest.raises(ValidationFailed, match=message):
        apply_for_return(shopper, order, **changes)


def test_picture_of_another_account_is_refused_like_a_missing_one(
    shopper: Account, ga: Account, order: Order
) -> None:
    path = default_storage.save("files/x.png", ContentFile(b"x"))
    row = StoredFile.objects.create(
        owner=ga, path=path, name="x.png", content_type="image/png", size=1, sha256="0" * 64
    )
    with pytest.raises(ValidationFailed, match="图片不存在"):
        apply_for_return(shopper, order, file_ids=(row.public_id,))
    assert get_line(order).returning_quantity == 0


def test_a_return_has_at_most_60_pictures(shopper: Account, staff: Account, order: Order) -> None:
    story = create_story(shopper, staff, order)
    path = default_storage.save("files/x.png", ContentFile(b"x"))
    row = StoredFile.objects.create(
        owner=shopper, path=path, name="x.png", content_type="image/png", size=1, sha256="0" * 64
    )
    pictures_attach(story.now, [row] * 59)
    with pytest.raises(ValidationFailed, match="最多 60 张图片"):
        pictures_attach(story.now, [row] * 2)
    pictures_attach(story.now, [row])
    assert story.now.pictures.count() == 60


def test_a_refusal_and_a_shortfall_need_words(
    shopper: Account, staff: Account, order: Order
) -> None:
    story = create_story(shopper, staff, order)
    with pytest.raises(ValidationFailed, match="请填写驳回原因"):
        return_reject(actor=staff, return_id=story.pk, reason=" ")
    with pytest.raises(ValidationFailed, match="收件地址"):
        return_approve(actor=staff, return_id=story.pk)
    assert story.now.status == "pending_review"


def test_refund_of_pieces_that_failed_inspection_is_refused(
    shopper: Account, staff: Account, order: Order
) -> None:
    story = create_story(shopper, staff, order, 2)
    story.to("inspecting")
    story.inspect(0)
    with pytest.raises(WrongState, match="没有通过检测"):
        return_refund(actor=staff, return_id=story.pk)
    return_send_refused(actor=staff, return_id=story.pk, carrier="示例快递", tracking_no="SF3")
    assert (
        story.now.status,
        get_line(order).returning_quantity,
        get_line(order).returned_quantity,
    ) == ("pending_confirm", 0, 0)


def test_pickup_return_refuses_a_customer_shipment(
    shopper: Account, staff: Account, order: Order
) -> None:
    story = create_story(shopper, staff, order, way="pickup")
    story.to("pending_send")
    with pytest.raises(WrongState, match="该售后单由我们上门取件，无需填写运单"):
        return_ship(
            actor=shopper, return_no=story.now.return_no, carrier="示例快递", tracking_no="SF9"
        )
    assert story.now.status == "pending_send"


@pytest.mark.parametrize("accepted", [-1, 3])
def test_accepted_quantity_above_the_returned_quantity_is_refused(
    shopper: Account, staff: Account, accepted: int
) -> None:
    story = Story(shopper, staff, apply_for_return(shopper, received_order(shopper, staff), 2))
    story.to("inspecting")

    with pytest.raises(QuantityExceeded, match="申请了 2 件，通过数量不能超过它"):
        story.inspect(accepted)
    assert story.now.status == "inspecting"
