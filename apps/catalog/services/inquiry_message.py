"""Write to the other side of an inquiry, and mark what it wrote as seen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction
from django.utils import timezone

from apps.catalog.errors import InquiryFull
from apps.catalog.locks import lock_inquiry, lock_own_inquiry
from apps.catalog.models import ProductInquiry, ProductInquiryMessage
from apps.catalog.selectors.inquiries import MOST_MESSAGES
from apps.catalog.services.inquiry_moves import inquiry_news
from apps.common.background.outbox import outbox_publish
from apps.common.events import doer_id, doer_of
from apps.common.tenancy import tenant_scope

if TYPE_CHECKING:
    from apps.org.models import Account

UNREAD = ["customer_unread", "staff_unread", "updated_at"]


@transaction.atomic
def inquiry_message(*, actor: Account, inquiry_no: str, text: str) -> ProductInquiryMessage:
    """Return what the customer has written to us; staff who act for him write in their own name.

    Raises:
        InquiryNotFound, NotYourInquiry: it is not the actor's.
        InquiryFull: too much was written already.
    """
    return _write(lock_own_inquiry(actor=actor, inquiry_no=inquiry_no), author=actor, text=text, is_ours=False)


def inquiry_reply(*, actor: Account, inquiry_id: int, text: str) -> ProductInquiryMessage:
    """Return what staff have written to the customer.

    Raises:
        InquiryFull: too much was written already.
    """
    group_id = ProductInquiry.objects.values_list("group_id", flat=True).get(pk=inquiry_id)
    with tenant_scope(group_id=group_id), transaction.atomic():
        return _write(lock_inquiry(inquiry_id=inquiry_id), author=actor, text=text, is_ours=True)


@transaction.atomic
def inquiry_read(*, actor: Account, inquiry_no: str) -> None:
    """The person who asked has seen the news; another who looks changes nothing, nor do staff who act for him.

    Raises:
        InquiryNotFound, NotYourInquiry: it is not the actor's.
    """
    inquiry = lock_own_inquiry(actor=actor, inquiry_no=inquiry_no)
    if inquiry.customer_unread and inquiry.requester_id == actor.pk and actor.impersonator is None:
        inquiry.customer_unread = 0
        inquiry.save(update_fields=UNREAD)


def _write(inquiry: ProductInquiry, *, author: Account, text: str, is_ours: bool) -> ProductInquiryMessage:
    if inquiry.messages.count() >= MOST_MESSAGES:
        raise InquiryFull
    really, acting_for = doer_of(author)
    message: ProductInquiryMessage = ProductInquiryMessage.objects.create(
        group_id=inquiry.group_id,
        inquiry=inquiry,
        author=really,
        acting_for=acting_for,
        is_ours=is_ours,
        text=text,
        sent_at=timezone.now(),
    )
    inquiry_news(inquiry, from_us=is_ours)
    inquiry.save(update_fields=UNREAD)
    payload = {"inquiry_id": inquiry.pk, "requester_id": inquiry.requester_id, "actor_id": doer_id(author), "is_ours": is_ours}
    outbox_publish(topic="inquiry.message", key=inquiry.inquiry_no, payload=payload)
    return message
