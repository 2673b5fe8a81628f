"""All state changes of an inquiry: transition, save, event, and outbox message."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from django.db import transaction

from apps.common.document_kit.flow import UNREAD_COLUMNS, DocumentFlow, MessageThread, count_unread
from apps.inquiries.enums import InquiryEventKind, InquiryStatus
from apps.inquiries.errors import InquiryFull
from apps.inquiries.locks import lock_own_inquiry, locked_inquiry
from apps.inquiries.models import ProductInquiry, ProductInquiryMessage
from apps.inquiries.selectors import MAX_MESSAGES

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


THREAD = MessageThread(
    flow=INQUIRIES,
    document_field="inquiry",
    max_messages=MAX_MESSAGES,
    full_error=InquiryFull,
    published_characters=0,
)


@transaction.atomic
def inquiry_message(*, actor: Account, inquiry_no: str, text: str) -> ProductInquiryMessage:
    """Send a message of the customer to the staff and return it. A staff member who
    impersonates the customer is its author.

    Raises:
        InquiryNotFound, NotYourInquiry: the actor cannot see or cannot change the inquiry.
        InquiryFull: the inquiry has the maximum number of messages.
    """
    inquiry = lock_own_inquiry(actor=actor, inquiry_no=inquiry_no)
    message = THREAD.write(inquiry, author=actor, text=text, is_ours=False)
    return cast("ProductInquiryMessage", message)


def inquiry_reply(*, actor: Account, inquiry_id: int, text: str) -> ProductInquiryMessage:
    """Send a message of the staff to the customer and return it.

    Raises:
        InquiryFull: the inquiry has the maximum number of messages.
    """
    with locked_inquiry(inquiry_id=inquiry_id) as inquiry:
        message = THREAD.write(inquiry, author=actor, text=text, is_ours=True)
        return cast("ProductInquiryMessage", message)


@transaction.atomic
def inquiry_read(*, actor: Account, inquiry_no: str) -> None:
    """Mark the inquiry as read by its requester. Nothing changes for other accounts, or for
    staff who impersonate the requester.

    Raises:
        InquiryNotFound, NotYourInquiry: the actor cannot see or cannot change the inquiry.
    """
    THREAD.mark_read(lock_own_inquiry(actor=actor, inquiry_no=inquiry_no), actor=actor)
