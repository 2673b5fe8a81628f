"""Locks of an inquiry. A change of the customer's own prices from quotes locks the group first, so
that the prices of a group change one after another.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from django.db.models import QuerySet

from apps.common.tenancy import row_scope
from apps.inquiries.errors import InquiryNotFound, NotYourInquiry
from apps.inquiries.models import ProductInquiry
from apps.inquiries.selectors import list_visible_inquiries, may_change
from apps.org.locks import lock_group

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


def lock_own_quote(*, actor: Account, inquiry_no: str) -> ProductInquiry:
    """Lock the group, then the inquiry as lock_own_inquiry, for a change of its prices."""
    lock_group(actor.group_id)
    return lock_own_inquiry(actor=actor, inquiry_no=inquiry_no)


@contextmanager
def locked_quote(*, inquiry_id: int) -> Generator[ProductInquiry]:
    """As locked_inquiry, but lock the group first, for a change of the inquiry's prices."""
    with row_scope(ProductInquiry, inquiry_id, missing=InquiryNotFound):
        yield lock_quote(inquiry_id=inquiry_id)


def lock_quote(*, inquiry_id: int) -> ProductInquiry:
    """As lock_inquiry, but lock the group first, for a change of the inquiry's prices."""
    groups = ProductInquiry.objects.filter(pk=inquiry_id).values_list("group_id", flat=True)
    lock_group(groups.first())
    return lock_inquiry(inquiry_id=inquiry_id)


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
