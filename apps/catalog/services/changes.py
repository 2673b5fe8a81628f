"""Record changes of products, prices, assortments and agreements in the transaction of the
change.
"""

from __future__ import annotations

from collections.abc import Iterable

from apps.catalog.enums import ChangeKind
from apps.catalog.models import CatalogChange

BATCH = 1000


def change_record(kind: ChangeKind, key: str) -> None:
    """Write one CatalogChange: the kind of the changed object and its code."""
    CatalogChange.objects.create(kind=kind, key=key[:60])


def changes_record(kind: ChangeKind, keys: Iterable[str]) -> None:
    """Write one CatalogChange for each distinct key, in bulk."""
    rows = [CatalogChange(kind=kind, key=key[:60]) for key in dict.fromkeys(keys)]
    CatalogChange.objects.bulk_create(rows, batch_size=BATCH)
