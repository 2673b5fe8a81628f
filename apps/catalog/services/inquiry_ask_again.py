"""Ask for another quote: of one that does not please, or of an inquiry that has ended."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction
from django.utils import timezone

from apps.catalog.enums import InquiryEventKind
from apps.catalog.locks import lock_own_inquiry
from apps.catalog.models import ProductInquiry
from apps.catalog.services.inquiry_moves import inquiry_move, inquiry_record
from apps.catalog.services.own_prices import own_prices_take_back

if TYPE_CHECKING:
    from apps.org.models import Account


@transaction.atomic
def inquiry_ask_again(*, actor: Account, inquiry_no: str, note: str) -> ProductInquiry:
    """已报价 or 已关闭 → 待报价; what was quoted is the customer's price no more.

    Raises:
        InquiryNotFound, NotYourInquiry: it is not the actor's.
        WrongState: it waits for a quote already, or its quote was taken.
    """
    inquiry = lock_own_inquiry(actor=actor, inquiry_no=inquiry_no)
    before = inquiry_move(inquiry, "ask_again", "重新询价", at=timezone.now())
    own_prices_take_back(inquiry=inquiry)
    inquiry.lines.update(product=None, quoted_price=None, price_before=None, price_item=None, note="")
    inquiry.quoted_at, inquiry.valid_to, inquiry.quote_note = None, None, ""
    inquiry_record(inquiry, actor=actor, kind=InquiryEventKind.ASKED_AGAIN, before=before, reason=note)
    return inquiry
