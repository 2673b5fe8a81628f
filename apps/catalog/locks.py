"""Locks of the category tree, of picture batches and of product families."""

from __future__ import annotations

from collections.abc import Iterable

from django.db import connection

from apps.catalog.errors import BatchUndone, PictureBatchAlreadyWritten, PictureBatchNotWritten
from apps.catalog.models import Category, FamilyMember, PictureBatch, ProductFamily


def lock_category_tree() -> None:
    """Lock all categories by primary key, so that only one transaction changes the tree. Other
    transactions can still insert products into a category.
    """
    list(
        Category.objects.select_for_update(no_key=True).order_by("pk").values_list("pk", flat=True)
    )


def hold_category_tree() -> None:
    """Prevent changes of the tree until this transaction ends. Take this shared lock before
    writing paths of products.

    Take it before locking any product. It locks only the first category. Transactions that change
    the tree lock the same row first, so the two exclude each other; several holders do not.
    """
    if connection.vendor == "postgresql":  # SQLite has a single writer
        with connection.cursor() as cursor:
            cursor.execute("SELECT id FROM catalog_category ORDER BY id LIMIT 1 FOR SHARE")


def lock_product_words() -> None:
    """Block all writers of products until this transaction ends. Take this lock before renaming
    a brand.

    Take it before locking any brand or product. Writers of products hold the tree, so they either
    finish before the rename or read the new name.
    """
    list(
        Category.objects.select_for_update(no_key=True)
        .order_by("pk")
        .values_list("pk", flat=True)[:1]
    )


def lock_picture_batch(*, batch_id: int) -> PictureBatch:
    """Lock and return a batch of pictures that is not written yet.

    Raises:
        PictureBatchAlreadyWritten: the batch was written or no longer exists.
    """
    batch = (
        PictureBatch.objects.select_for_update(no_key=True)
        .filter(pk=batch_id, written_at=None)
        .first()
    )
    if batch is None:
        raise PictureBatchAlreadyWritten
    return batch


def lock_written_pictures(*, batch_id: int) -> PictureBatch:
    """Lock and return a batch of pictures that was written and not undone.

    Raises:
        PictureBatchNotWritten: the batch was not written or no longer exists.
        BatchUndone: the batch was already undone.
    """
    batch = (
        PictureBatch.objects.select_for_update(no_key=True)
        .filter(pk=batch_id, written_at__isnull=False)
        .first()
    )
    if batch is None:
        raise PictureBatchNotWritten
    if batch.undone_at is not None:
        raise BatchUndone
    return batch


def lock_families_of(*, product_ids: Iterable[int]) -> None:
    """Lock the families of the products, because a change of the products may change them. One
    query, two if a product has a family.
    """
    members = FamilyMember.objects.filter(product__in=list(product_ids))
    lock_families(family_ids=members.values_list("family_id", flat=True))


def lock_families(*, family_ids: Iterable[int]) -> dict[int, ProductFamily]:
    """Lock the families by primary key and return them by primary key. Lock families before
    products.
    """
    rows = ProductFamily.objects.select_for_update(no_key=True, of=("self",))
    locked_families = rows.select_related("category").filter(pk__in=list(family_ids)).order_by("pk")
    return {family.pk: family for family in locked_families}
