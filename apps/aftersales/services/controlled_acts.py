"""The acts of this app under dual control: 退款 of a return, and 修改订单 before it ships: lower
quantities, remove lines, send it to another address of the customer.
"""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING

from apps.aftersales.locks import locked_return
from apps.aftersales.models import ReturnOrder
from apps.aftersales.selectors.order_edit import (
    EarlierEdits,
    OrderEditForm,
    get_earlier_edits,
    get_edit_amount,
    get_order_edit,
)
from apps.aftersales.selectors.returns import get_refund_amounts
from apps.aftersales.services.cancel_apply import cancel_by_staff
from apps.aftersales.services.return_flow import get_accepted_quantities
from apps.aftersales.services.return_refund import require_refundable, return_refund
from apps.common.money import ZERO, format_yuan
from apps.dual_control.controlled import ActPreview, ControlledAct, JobLimit, Parameters
from apps.dual_control.selectors.proposals import get_last_release, get_last_releases
from apps.orders.locks import locked_order
from apps.orders.models import Order
from apps.orders.selectors.order_reduction import ReducedOrder
from apps.orders.services.address_change import order_address_change
from apps.orders.snapshots import build_address_snapshot, format_receiver

if TYPE_CHECKING:
    from apps.org.models import Account


def order_edit(*, actor: Account, order_id: int, form: OrderEditForm) -> Order:
    """Edit the order and return it. The removed pieces are a finished cancellation, with stock,
    budget, credit and money as for the customer's own. The requester is notified of both parts.

    Raises:
        DomainError: as `get_order_edit`.
    """
    reason = form.reason.strip()
    with locked_order(order_id=order_id) as order:
        edit = get_order_edit(order=order, form=form)
        if edit.reduced is not None:
            cancel_by_staff(order, actor=actor, reduced=edit.reduced, reason=reason)
        if edit.address is not None:
            order_address_change(order, actor=actor, address=edit.address, reason=reason)
    return order


REFUND_RETURN, EDIT_ORDER = "aftersales.refund_return", "aftersales.edit_order"


def _preview_refund(parameters: Parameters) -> ActPreview:
    """Return what a second person checks before the refund. The amount (元) includes what one
    person alone has refunded of this order.
    """
    # The lock of the order: refunds of its returns count together.
    with locked_return(return_id=parameters["return_id"]) as return_order:
        accepted = get_accepted_quantities(return_order)
        require_refundable(return_order, accepted)
        rows = return_order.lines.filter(accepted_quantity__gt=0).select_related("order_line")
        lines = list(rows)
        amount = sum((incl_tax for incl_tax, _tax in get_refund_amounts(lines).values()), ZERO)
        earlier = _sum_earlier_refunds(return_order)
        goods = "；".join(f"{line.order_line.name} × {line.accepted_quantity}" for line in lines)
        facts = [
            ("订单", return_order.order.order_no),
            ("企业", return_order.enterprise.name),
            ("申请人", str(return_order.requester)),
            ("应退金额", format_yuan(amount)),
            ("检测通过的商品", goods),
        ]
    if earlier:
        facts.append(("本订单此前单人退款", format_yuan(earlier)))
    subject = f"售后单 {return_order.return_no}"
    return ActPreview(return_order, subject, amount + earlier, tuple(facts), earlier=earlier)


def _sum_earlier_refunds(return_order: ReturnOrder) -> Decimal:
    """Return the refunds (元) of the order's other returns that no second person released, since
    the last release. Returns that wait for a red invoice count: they are refunded without another
    act.
    """
    others = list(
        ReturnOrder.objects.filter(order=return_order.order_id).exclude(pk=return_order.pk)
    )
    releases = get_last_releases(kind=REFUND_RETURN, subjects=[return_order, *others])
    last = max(releases.values(), default=None)
    alone = [row for row in others if row.pk not in releases]
    total = ZERO
    for row in alone:
        if row.waits_red:
            lines = list(row.lines.filter(accepted_quantity__gt=0).select_related("order_line"))
            total += sum((amount for amount, _tax in get_refund_amounts(lines).values()), ZERO)
        elif row.refunded_at is not None and (last is None or row.refunded_at > last):
            total += row.refund_amount
    return total


def _refund_return(actor: Account, parameters: Parameters) -> ReturnOrder:
    return return_refund(actor=actor, return_id=parameters["return_id"])


def build_order_edit_parameters(*, order_id: int, form: OrderEditForm) -> Parameters:
    """Return the parameters of 修改订单."""
    return {
        "order_id": order_id,
        "quantities": {str(pk): quantity for pk, quantity in form.quantities.items()},
        "address_id": form.address_id,
        "reason": form.reason,
        "seen": form.seen,
    }


def _parse_edit(parameters: Parameters) -> OrderEditForm:
    return OrderEditForm(
        quantities={int(pk): quantity for pk, quantity in parameters["quantities"].items()},
        address_id=parameters["address_id"],
        reason=parameters["reason"],
        seen=parameters["seen"],
    )


def _preview_edit(parameters: Parameters) -> ActPreview:
    """Return what a second person checks before the order changes. The amount (元) includes what
    one person alone has changed since the last release.
    """
    form = _parse_edit(parameters)
    with locked_order(order_id=parameters["order_id"]) as order:
        since = get_last_release(kind=EDIT_ORDER, subject=order)
        edit = get_order_edit(order=order, form=form)
        earlier = get_earlier_edits(order=order, since=since)
        facts = [
            ("企业", order.enterprise.name),
            ("下单人", str(order.requester)),
            ("订单状态", order.get_status_display()),
            ("应付金额", format_yuan(order.total_amount)),
        ]
    if edit.reduced is not None:
        facts.append(("修改后应付金额", format_yuan(edit.reduced.total)))
        facts.append(("修改数量", _describe_reduction(edit.reduced)))
    if edit.address is not None:
        facts.append(("现收货地址", format_receiver(order.address_snapshot)))
        facts.append(("新收货地址", format_receiver(build_address_snapshot(edit.address))))
    if earlier.less:
        facts.append(("此前单人修改已减少", format_yuan(earlier.less)))
    if earlier.is_address_changed:
        facts.append(("此前单人修改过收货地址", "是"))
    facts.append(("修改原因", form.reason))
    amount = get_edit_amount(order=order, edit=edit, earlier=earlier)
    alone = get_edit_amount(order=order, edit=edit, earlier=EarlierEdits(ZERO, False))
    subject = f"订单 {order.order_no}"
    return ActPreview(order, subject, amount, tuple(facts), earlier=amount - alone)


def _describe_reduction(reduced: ReducedOrder) -> str:
    """Return the pieces of each reduced line before and after, such as "A4 复印纸 10 → 8 包"."""
    return "；".join(
        f"{line.name} {line.quantity + reduced.pieces[line.pk]} → {line.quantity} {line.unit}"
        for line in reduced.lines
        if line.pk in reduced.pieces
    )


def _edit_order(actor: Account, parameters: Parameters) -> Order:
    return order_edit(actor=actor, order_id=parameters["order_id"], form=_parse_edit(parameters))


CONTROLLED_ACTS = (
    ControlledAct(
        kind=EDIT_ORDER,
        title="修改订单",
        permission="orders.change_order",
        limits={"客服": JobLimit(alone=Decimal(5_000), release=None)},
        preview=_preview_edit,
        run=_edit_order,
        # A refund may reach the payment gateway, which no rollback undoes.
        is_tried=False,
    ),
    ControlledAct(
        kind=REFUND_RETURN,
        title="售后退款",
        permission="aftersales.refund_returnorder",
        limits={
            "客服": JobLimit(alone=Decimal(1_000), release=ZERO),
            "财务": JobLimit(alone=Decimal(5_000), release=None),
        },
        preview=_preview_refund,
        run=_refund_return,
        # A refund may reach the payment gateway, which no rollback undoes.
        is_tried=False,
    ),
)
