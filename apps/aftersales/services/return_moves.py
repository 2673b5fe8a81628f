"""Every change of a return's state goes through here: the transition, its deadline, its save, its event, its message."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db.models import F
from django.utils import timezone
from django_fsm import TransitionNotAllowed

from apps.aftersales.deadlines import due_at
from apps.aftersales.enums import ReturnEventKind, ReturnStatus
from apps.aftersales.models import ReturnOrder
from apps.aftersales.models.returns import ENDED
from apps.common.background.outbox import outbox_publish
from apps.common.errors import WrongState
from apps.common.events import doer_id, event_record
from apps.orders.enums import AfterSalesStatus

if TYPE_CHECKING:
    from apps.org.models import Account

S, K = ReturnStatus, ReturnEventKind
# How a refusal says where the return stands, and what the person can do instead.
STANDS: dict[str, tuple[str, str]] = {
    S.PENDING_REVIEW: ("售后单待审核", "请等待客服审核"),
    S.REJECTED: ("售后单已被驳回", "可按驳回原因补充凭证后重新申请"),
    S.PENDING_SEND: ("售后单待寄回", "请先寄回商品或撤销申请"),
    S.PENDING_RECEIPT: ("退回的商品在途（待收货）", "请等待收货"),
    S.INSPECTING: ("退回的商品正在检测", "请等待检测结果"),
    S.PROCESSING: ("售后单处理中", "请等待处理完成"),
    S.PENDING_CONFIRM: ("售后单已处理，待确认", "请核对后确认完成，有疑问请留言"),
    S.COMPLETED: ("售后单已完成", "如还有问题请重新申请"),
    S.WITHDRAWN: ("售后单已撤销", "如仍需售后请重新申请"),
}
FIELDS = [
    "status", "close_reason", "send_to", "refund_amount", "paid_back", "waits_red", "refunder", "approved_at", "received_at",
    "inspected_at", "refunded_at", "completed_at", "waiting_since", "due_at", "reminded_at",
    "customer_unread", "staff_unread", "updated_at",
]  # fmt: skip
MOST_UNREAD = 999
# What the order's own timeline tells of its returns.
TOLD_BY_ORDER = (K.APPLIED, K.REFUNDED, K.COMPLETED)


def return_move(return_order: ReturnOrder, transition: str, verb: str, **arguments: Any) -> str:
    """Make a transition of a locked return and return the state it left; `return_record` saves it.

    Raises:
        WrongState: it stands where this cannot be done; the message says where, and what to do.
    """
    before: str = return_order.status
    try:
        getattr(return_order, transition)(**arguments)
    except TransitionNotAllowed as error:
        raise wrong_state(return_order, verb) from error
    now = timezone.now()
    return_order.waiting_since, return_order.reminded_at = now, None
    return_order.due_at = due_at(status=return_order.status, way=return_order.way, at=now)
    return before


def wrong_state(return_order: ReturnOrder, verb: str) -> WrongState:
    """Return the refusal of doing `verb` to the return as it stands."""
    stands, instead = STANDS[return_order.status]
    body = {"Status": return_order.status, "StatusText": return_order.get_status_display()}
    return WrongState.standing(stands, verb, instead, body=body)


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
    """Save the return, mark the news for the other side, keep its order's axis right, write the event, publish it as `return.<kind>`
    with `payload` beside who and what; `order_reason` is what the order's timeline says where that is another."""
    return_news(return_order, actor=actor)
    if kind == K.COMPLETED:
        # Confirmed, or left to the clock after all of it was told: an end that asks for nothing is no news.
        return_order.customer_unread = 0
    return_order.save(update_fields=FIELDS)
    axis_follow(return_order)
    event_record(return_order, actor=actor, kind=kind, from_state=before, to_state=return_order.status, reason=reason[:500])
    if kind in TOLD_BY_ORDER:
        order, said = return_order.order, reason if order_reason is None else order_reason
        note = f"{return_order.get_kind_display()}单 {return_order.return_no}" + (f"，{said}" if said else "")
        event_record(order, actor=actor, kind=f"return.{kind}", from_state=order.status, to_state=order.status, reason=note[:500])
    told = {
        "return_id": return_order.pk,
        "order_id": return_order.order_id,
        "requester_id": return_order.requester_id,
        "actor_id": doer_id(actor),
        "reason": reason,
        "kind": return_order.kind,
        **(payload or {}),
    }
    outbox_publish(topic=f"return.{kind}", key=return_order.return_no, payload=told)


def return_news(return_order: ReturnOrder, *, actor: Account | None) -> None:
    """Count one more that the other side has not seen; who speaks has seen what was said before, though another for him has not."""
    if actor is None or actor.is_staff:
        return_order.customer_unread = min(return_order.customer_unread + 1, MOST_UNREAD)
        return_order.staff_unread = 0
    else:
        return_order.staff_unread = min(return_order.staff_unread + 1, MOST_UNREAD)
        if return_order.requester_id == actor.pk and actor.impersonator is None:
            return_order.customer_unread = 0


def axis_follow(return_order: ReturnOrder) -> None:
    """Set the after-sales axis of the locked order: 处理中 while a return is open, 已完成 once one was completed, else 无."""
    order, others = return_order.order, ReturnOrder.objects.filter(order=return_order.order_id)
    if others.exclude(status__in=ENDED).exists():
        stands = AfterSalesStatus.OPEN
    else:
        stands = AfterSalesStatus.DONE if others.filter(status=S.COMPLETED).exists() else AfterSalesStatus.NONE
    if order.after_sales_status != stands:
        order.after_sales_status = stands
        order.save(update_fields=["after_sales_status", "updated_at"])


def quantities_of(return_order: ReturnOrder) -> dict[int, int]:
    """Return the pieces asked for by order line."""
    return dict(return_order.lines.order_by().values_list("order_line_id", "quantity"))


def accepted_of(return_order: ReturnOrder) -> dict[int, int]:
    """Return the pieces accepted by order line; a line of which none was is left out."""
    rows = return_order.lines.filter(accepted_quantity__gt=0).order_by()
    return dict(rows.values_list("order_line_id", F("accepted_quantity")))
