"""Locks of an inquiry. Lock order: the inquiry, then the customer's own prices."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from django.db.models import QuerySet

from apps.common.tenancy import row_scope
from apps.inquiries.errors import InquiryNotFound, NotYourInquiry
from apps.inquiries.models import ProductInquiry
from apps.inquiries.selectors import list_visible_inquiries, may_change

if TYPE_CHECKING:
    from apps.org.models import Account


def lock_own_inquiry(*, actor: Account, inquiry_no: str) -> ProductInquiry:
    """Lock and return an inquiry that the actor can change: the actor's own, or any inquiry of
    the group for a group administrator.

    Raises:
        InquiryNotFound: the inquiry does not exist, or the actor cannot see it.
        NotYourInquiry: the actor can see the inquiry but not change it.
    """
    inquiry = _lock_inquiry(list_visible_inquiries(actor=actor).filter(inquiry_no=inquiry_no))
    if not may_change(actor=actor, inquiry=inquiry):
        raise NotYourInquiry
    return inquiry


@contextmanager
def locked_inquiry(*, inquiry_id: int) -> Generator[ProductInquiry]:
    """Open the scope of the inquiry's group and a transaction, lock the inquiry, and yield it. For
    staff.

    Raises:
        InquiryNotFound: no inquiry has this id.
    """
    with row_scope(ProductInquiry, inquiry_id, missing=InquiryNotFound):
        yield lock_inquiry(inquiry_id=inquiry_id)


def lock_inquiry(*, inquiry_id: int) -> ProductInquiry:
    """Lock and return any inquiry in the current tenant scope.

    Raises:
        InquiryNotFound: the inquiry does not exist.
    """
    return _lock_inquiry(ProductInquiry.objects.filter(pk=inquiry_id))


def _lock_inquiry(inquiries: QuerySet[ProductInquiry]) -> ProductInquiry:
    inquiry = inquiries.select_for_update(of=("self",)).first()
    if inquiry is None:
        raise InquiryNotFound
    return inquiry
