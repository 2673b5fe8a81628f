"""Locking an inquiry; whoever also writes the customer's own prices locks those after it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db.models import QuerySet

from apps.catalog.errors import InquiryNotFound, NotYourInquiry
from apps.catalog.models import ProductInquiry
from apps.catalog.selectors.inquiries import inquiries_visible, may_change

if TYPE_CHECKING:
    from apps.org.models import Account


def lock_own_inquiry(*, actor: Account, inquiry_no: str) -> ProductInquiry:
    """Lock and return an inquiry that the actor may change: his own, or any of the group for its admin.

    Raises:
        InquiryNotFound: there is none that he may see.
        NotYourInquiry: he may see it, no more.
    """
    inquiry = _locked(inquiries_visible(actor=actor).filter(inquiry_no=inquiry_no))
    if not may_change(actor=actor, inquiry=inquiry):
        raise NotYourInquiry
    return inquiry


def lock_inquiry(*, inquiry_id: int) -> ProductInquiry:
    """Lock and return any inquiry in the open scope: for staff and for the system.

    Raises:
        InquiryNotFound: there is none.
    """
    return _locked(ProductInquiry.objects.filter(pk=inquiry_id))


def _locked(inquiries: QuerySet[ProductInquiry]) -> ProductInquiry:
    inquiry = inquiries.select_for_update(of=("self",)).first()
    if inquiry is None:
        raise InquiryNotFound
    return inquiry
