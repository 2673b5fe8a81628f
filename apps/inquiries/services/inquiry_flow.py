"""All state changes of an inquiry: transition, save, event, and outbox message."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from apps.common.document_kit.flow import DocumentFlow
from apps.common.document_kit.messages import UNREAD_COLUMNS, count_unread
from apps.inquiries.enums import InquiryEventKind, InquiryStatus
from apps.inquiries.models import ProductInquiry

if TYPE_CHECKING:
    from apps.org.models import Account

S = InquiryStatus
INQUIRIES = DocumentFlow(
    name="inquiry",
    number="inquiry_no",
    state_texts={
        S.PENDING: ("询价单待报价", "请等待客服报价"),
        S.QUOTED: ("询价单已报价", "请采纳报价、重新询价或关闭"),
        S.ADOPTED: ("询价单已采纳", "报价在有效期内仍可直接加购，如需其他商品请发起新的询价"),
        S.CLOSED: ("询价单已关闭", "如仍需购买请重新询价"),
    },
    columns=[
        "status",
        "waiting_since",
        "quoted_at",
        "valid_to",
        "quote_note",
        "close_reason",
        *UNREAD_COLUMNS,
    ],
)


def inquiry_record(
    inquiry: ProductInquiry,
    *,
    actor: Account | None,
    kind: InquiryEventKind,
    before: str,
    reason: str = "",
    data: dict[str, Any] | None = None,
) -> None:
    """Save the inquiry, count it as unread for the other side, write the event, and publish it
    as `inquiry.<kind>`.
    """
    count_unread(inquiry, is_ours=actor is None or actor.is_staff)
    INQUIRIES.record(inquiry, actor=actor, kind=kind, before=before, reason=reason, data=data)
    INQUIRIES.publish(inquiry, actor=actor, kind=kind, reason=reason)
