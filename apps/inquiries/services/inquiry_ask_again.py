"""Request another quote, for a quoted or for a closed inquiry."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction
from django.utils import timezone

from apps.inquiries.enums import InquiryEventKind
from apps.inquiries.locks import lock_own_inquiry
from apps.inquiries.models import ProductInquiry
from apps.inquiries.services.inquiry_flow import INQUIRIES, inquiry_record
from apps.inquiries.services.own_prices import own_prices_take_back

if TYPE_CHECKING:
    from apps.org.models import Account


@transaction.atomic
def inquiry_ask_again(*, actor: Account, inquiry_no: str, note: str) -> ProductInquiry:
    """Move the inquiry from 已报价 or 已关闭 to 待报价. The quoted prices no longer apply to the
    customer.

    Raises:
        InquiryNotFound, NotYourInquiry: the actor cannot see or cannot change the inquiry.
        WrongState: the inquiry already waits for a quote, or its quote was adopted.
    """
    inquiry = lock_own_inquiry(actor=actor, inquiry_no=inquiry_no)
    before = INQUIRIES.transition(inquiry, "ask_again", "重新询价", at=timezone.now())
    own_prices_take_back(inquiry=inquiry)
    inquiry.lines.update(
        product=None, quoted_price=None, price_before=None, price_item=None, note=""
    )
    inquiry.quoted_at, inquiry.valid_to, inquiry.quote_note = None, None, ""
    inquiry_record(
        inquiry, actor=actor, kind=InquiryEventKind.ASKED_AGAIN, before=before, reason=note
    )
    return inquiry
