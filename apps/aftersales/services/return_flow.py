"""All changes of a return's state: the transition with its deadline, the event, the order's
timeline and the message.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db.models import F
from django.utils import timezone

from apps.aftersales.deadlines import compute_due_at
from apps.aftersales.enums import ReturnEventKind, ReturnStatus
from apps.aftersales.models import ENDED, ReturnOrder
from apps.common.document_kit.flow import (
    DocumentFlow,
    add_unread,
    is_requester_in_person,
    mention_step,
)
from apps.orders.enums import AfterSalesStatus

if TYPE_CHECKING:
    from apps.org.models import Account

S, K = ReturnStatus, ReturnEventKind
RETURNS = DocumentFlow(
    name="return",
    number="return_no",
    state_texts={
        S.PENDING_REVIEW: ("售后单待审核", "请等待客服审核"),
        S.REJECTED: ("售后单已被驳回", "可按驳回原因补充凭证后重新申请"),
        S.PENDING_SEND: ("售后单待寄回", "请先寄回商品或撤销申请"),
        S.PENDING_RECEIPT: ("退回的商品在途（待收货）", "请等待收货"),
        S.INSPECTING: ("退回的商品正在检测", "请等待检测结果"),
        S.PROCESSING: ("售后单处理中", "请等待处理完成"),
        S.PENDING_CONFIRM: ("售后单已处理，待确认", "请核对后确认完成，有疑问请留言"),
        S.COMPLETED: ("售后单已完成", "如还有问题请重新申请"),
        S.WITHDRAWN: ("售后单已撤销", "如仍需售后请重新申请"),
    },
    columns=[
        "status", "close_reason", "send_to", "refund_amount", "paid_back", "waits_red", "refunder",
        "approved_at", "received_at", "inspected_at", "refunded_at", "completed_at",
        "waiting_since", "due_at", "reminded_at", "customer_unread", "staff_unread",
    ],
)  # fmt: skip
# Steps that the timeline of the order shows too.
IN_ORDER_TIMELINE = (K.APPLIED, K.REFUNDED, K.COMPLETED)


def return_transition(return_order: ReturnOrder, method: str, verb: str, **arguments: Any) -> str:
    """Make a transition of a locked return, start the next deadline and return the previous state.
    `return_record` saves it.

    Raises:
        WrongState: the present state does not allow it; the message says what can be done instead.
    """
    before = RETURNS.transition(return_order, method, verb, **arguments)
    now = timezone.now()
    return_order.waiting_since, return_order.reminded_at = now, None
    return_order.due_at = compute_due_at(status=return_order.status, way=return_order.way, at=now)
    return before


def return_record(
    return_order: ReturnOrder,
    *,
    actor: Account | None,
    kind: ReturnEventKind,
    before: str,
    reason: str = "",
    order_reason: str | None = None,
    payload: dict[str, Any] | None = None,
) -> None:
    """Save the return, write its event, update its order and publish `return.<kind>`.

    `order_reason` replaces `reason` in the order's timeline. `payload` is added to the message.
    """
    is_ours = actor is None or actor.is_staff
    add_unread(return_order, is_ours=is_ours)
    # A step of the customer marks all earlier entries as read. A completed return needs no answer.
    has_read = not is_ours and actor is not None and is_requester_in_person(return_order, actor)
    if has_read or kind == K.COMPLETED:
        return_order.customer_unread = 0
    RETURNS.record(return_order, actor=actor, kind=kind, before=before, reason=reason)
    after_sales_status_update(return_order)
    if kind in IN_ORDER_TIMELINE:
        mention_step(
            return_order.order,
            actor=actor,
            kind=f"return.{kind}",
            document_text=f"{return_order.get_kind_display()}单 {return_order.return_no}",
            reason=reason if order_reason is None else order_reason,
        )
    extra = {"order_id": return_order.order_id, "kind": return_order.kind, **(payload or {})}
    RETURNS.publish(return_order, actor=actor, kind=kind, reason=reason, payload=extra)


def after_sales_status_update(return_order: ReturnOrder) -> None:
    """Set the after-sales status of the locked order: 处理中 while a return is open, 已完成 once
    one is completed, otherwise 无.
    """
    order, returns = return_order.order, ReturnOrder.objects.filter(order=return_order.order_id)
    if returns.exclude(status__in=ENDED).exists():
        status = AfterSalesStatus.OPEN
    elif returns.filter(status=S.COMPLETED).exists():
        status = AfterSalesStatus.DONE
    else:
        status = AfterSalesStatus.NONE
    if order.after_sales_status != status:
        order.after_sales_status = status
        order.save(update_fields=["after_sales_status", "updated_at"])


def get_requested_quantities(return_order: ReturnOrder) -> dict[int, int]:
    """Return the requested quantity by order line."""
    return dict(return_order.lines.order_by().values_list("order_line_id", "quantity"))


def get_accepted_quantities(return_order: ReturnOrder) -> dict[int, int]:
    """Return the accepted quantity by order line, without the lines of which none was accepted."""
    rows = return_order.lines.filter(accepted_quantity__gt=0).order_by()
    return dict(rows.values_list("order_line_id", F("accepted_quantity")))
