"""Send a message to the other side of an inquiry, and mark its messages as read."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from django.db import transaction

from apps.common.document_kit.messages import MessageThread
from apps.common.tenancy import tenant_scope
from apps.inquiries.errors import InquiryFull
from apps.inquiries.locks import lock_inquiry, lock_own_inquiry
from apps.inquiries.models import ProductInquiry, ProductInquiryMessage
from apps.inquiries.selectors.inquiries import MOST_MESSAGES
from apps.inquiries.services.inquiry_flow import INQUIRIES

if TYPE_CHECKING:
    from apps.org.models import Account

THREAD = MessageThread(
    flow=INQUIRIES,
    document_field="inquiry",
    max_messages=MOST_MESSAGES,
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
    group_id = ProductInquiry.objects.values_list("group_id", flat=True).get(pk=inquiry_id)
    with tenant_scope(group_id=group_id), transaction.atomic():
        inquiry = lock_inquiry(inquiry_id=inquiry_id)
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
