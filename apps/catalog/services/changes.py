"""Record changes of products, prices, assortments and agreements in the transaction of the
change. Rows without derived data are saved and deleted here together with their record.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

import structlog
from django.db import transaction

from apps.catalog.enums import ChangeKind
from apps.catalog.models import CatalogChange, ProductImage
from apps.catalog.models.change import Change
from apps.common.files.images import request_picture_variants

if TYPE_CHECKING:
    from apps.org.models import Account

BATCH = 1000
log = structlog.get_logger(__name__)


def change_record(kind: ChangeKind, key: str) -> None:
    """Write one CatalogChange: the kind of the changed object and its code."""
    CatalogChange.objects.create(kind=kind, key=key[:60])


def changes_record(kind: ChangeKind, keys: Iterable[str]) -> dict[str, int]:
    """Write one CatalogChange for each distinct key, in bulk. Return the ids of the rows by key."""
    distinct = list(dict.fromkeys(keys))
    rows = CatalogChange.objects.bulk_create(
        [CatalogChange(kind=kind, key=key[:60]) for key in distinct], batch_size=BATCH
    )
    return {key: row.pk for key, row in zip(distinct, rows, strict=True)}


def changes_take_back(*, keys: Iterable[str], ids: Iterable[int]) -> None:
    """Delete the CatalogChanges of changes that were taken back, and record that these keys were
    restored. The new rows give responses a new version, because some may be cached with the values
    of the import.
    """
    CatalogChange.objects.filter(pk__in=list(ids)).delete()
    changes_record(ChangeKind.RESTORED, keys)


class ChangeSource(Protocol):
    """A model of the catalogue, pricing or search that gives the kind and key of its
    CatalogChange.
    """

    _meta: ClassVar[Any]

    def save(self) -> None: ...

    def delete(self) -> Any: ...

    @property
    def catalog_change(self) -> Change: ...


@transaction.atomic
def catalogue_row_save(*, actor: Account | None, row: ChangeSource) -> None:
    """Save a row without derived data and record its CatalogChange."""
    row.save()
    if isinstance(row, ProductImage):
        request_picture_variants(paths=[row.path])
    _record_and_log_change(actor, row, "saved")


@transaction.atomic
def catalogue_row_delete(*, actor: Account | None, row: ChangeSource) -> None:
    """Delete a row and record its CatalogChange.

    Raises:
        ProtectedError: another row refers to it.
    """
    _record_and_log_change(actor, row, "deleted")
    row.delete()


def _record_and_log_change(actor: Account | None, row: ChangeSource, text: str) -> None:
    """Record a CatalogChange of the row and write a log line. `text` says what changed."""
    kind, key = row.catalog_change
    change_record(kind, key)
    log.info(
        "catalogue_row",
        what=text,
        model=row._meta.label,
        key=key,
        actor=actor.pk if actor else None,
    )
