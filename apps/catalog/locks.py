"""Locking an inquiry, whoever also writes the customer's own prices locks those after it; and the category tree."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import connection
from django.db.models import QuerySet

from apps.catalog.errors import BatchUndone, InquiryNotFound, NotYourInquiry, PictureBatchNotWritten, PictureBatchWritten
from apps.catalog.models import Category, PictureBatch, ProductInquiry
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


def lock_category_tree() -> None:
    """Lock every category, by primary key: whoever orders the tree does so alone. Products may be put into it meanwhile."""
    list(Category.objects.select_for_update(no_key=True).order_by("pk").values_list("pk", flat=True))


def hold_category_tree() -> None:
    """Keep the tree in order as it is until this transaction ends, beside others who do: whoever writes paths of products.

    Before any product is locked. Of those who order the tree each waits for the first category, the very first that he locks.
    """
    if connection.vendor == "postgresql":  # elsewhere one writes at a time
        with connection.cursor() as cursor:
            cursor.execute("SELECT id FROM catalog_category ORDER BY id LIMIT 1 FOR SHARE")


def lock_product_words() -> None:
    """Be alone with what products are indexed by until this transaction ends: whoever renames a brand.

    Before any brand or product is locked. Whoever writes products holds the tree: he is done before, or reads the new name.
    """
    list(Category.objects.select_for_update(no_key=True).order_by("pk").values_list("pk", flat=True)[:1])


def lock_picture_batch(*, batch_id: int) -> PictureBatch:
    """Lock and return a batch of pictures that still waits to be written.

    Raises:
        PictureBatchWritten: it has been written, or is there no more.
    """
    batch = PictureBatch.objects.select_for_update(no_key=True).filter(pk=batch_id, written_at=None).first()
    if batch is None:
        raise PictureBatchWritten
    return batch


def lock_written_pictures(*, batch_id: int) -> PictureBatch:
    """Lock and return a batch of pictures that was written and stands.

    Raises:
        PictureBatchNotWritten: it has not been written, or is there no more.
        BatchUndone: it has been undone already.
    """
    batch = PictureBatch.objects.select_for_update(no_key=True).filter(pk=batch_id, written_at__isnull=False).first()
    if batch is None:
        raise PictureBatchNotWritten
    if batch.undone_at is not None:
        raise BatchUndone
    return batch
