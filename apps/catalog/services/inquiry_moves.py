"""Every change of an inquiry's state goes through here: the transition, its save, its event, its message."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django_fsm import TransitionNotAllowed

from apps.catalog.enums import InquiryEventKind, InquiryStatus
from apps.catalog.models import ProductInquiry
from apps.common.background.outbox import outbox_publish
from apps.common.errors import WrongState
from apps.common.events import doer_id, event_record

if TYPE_CHECKING:
    from apps.org.models import Account

S = InquiryStatus
# How a refusal says where the inquiry stands, and what the person can do instead.
STANDS: dict[str, tuple[str, str]] = {
    S.PENDING: ("询价单待报价", "请等待客服报价"),
    S.QUOTED: ("询价单已报价", "请采纳报价、重新询价或关闭"),
    S.ADOPTED: ("询价单已采纳", "报价在有效期内仍可直接加购，如需其他商品请发起新的询价"),
    S.CLOSED: ("询价单已关闭", "如仍需购买请重新询价"),
}
FIELDS = ["status", "waiting_since", "quoted_at", "valid_to", "quote_note", "close_reason", "customer_unread", "staff_unread", "updated_at"]
MOST_UNREAD = 999


def inquiry_move(inquiry: ProductInquiry, transition: str, verb: str, **arguments: Any) -> str:
    """Make a transition of a locked inquiry and return the state it left; `inquiry_record` saves it.

    Raises:
        WrongState: it stands where this cannot be done; the message says where, and what to do.
    """
    before: str = inquiry.status
    try:
        getattr(inquiry, transition)(**arguments)
    except TransitionNotAllowed as error:
        stands, instead = STANDS[before]
        body = {"Status": before, "StatusText": inquiry.get_status_display()}
        raise WrongState.standing(stands, verb, instead, body=body) from error
    return before


def inquiry_record(
    inquiry: ProductInquiry,
    *,
    actor: Account | None,
    kind: InquiryEventKind,
    before: str,
    reason: str = "",
    data: dict[str, Any] | None = None,
) -> None:
    """Save the inquiry, mark the news for the other side, write the event, publish it as `inquiry.<kind>`."""
    inquiry_news(inquiry, from_us=actor is None or actor.is_staff)
    inquiry.save(update_fields=FIELDS)
    event_record(inquiry, actor=actor, kind=kind, from_state=before, to_state=inquiry.status, reason=reason[:500], data=data)
    payload = {"inquiry_id": inquiry.pk, "requester_id": inquiry.requester_id, "actor_id": doer_id(actor), "reason": reason}
    outbox_publish(topic=f"inquiry.{kind}", key=inquiry.inquiry_no, payload=payload)


def inquiry_news(inquiry: ProductInquiry, *, from_us: bool) -> None:
    """Count one more that the other side has not seen; who speaks has seen what was said before."""
    if from_us:
        inquiry.customer_unread = min(inquiry.customer_unread + 1, MOST_UNREAD)
        inquiry.staff_unread = 0
    else:
        inquiry.staff_unread = min(inquiry.staff_unread + 1, MOST_UNREAD)
