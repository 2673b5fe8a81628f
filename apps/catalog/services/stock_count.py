"""盘点: record counted stock as a movement of the difference."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from apps.catalog.models import StockMovement

# Reference of movements that an import wrote.
IMPORTED = "导入"


@dataclass(frozen=True, slots=True)
class StockCount:
    """The stock of a product before and after a count."""

    product_id: int
    before: int
    after: int


def stock_counted(counts: Sequence[StockCount], *, reference: str = IMPORTED) -> None:
    """Write the movement of each count. The caller has locked the rows and sets the stock in
    the same transaction.
    """
    StockMovement.objects.bulk_create(
        [
            StockMovement(
                product_id=count.product_id,
                kind=StockMovement.Kind.ADJUST,
                quantity=count.after - count.before,
                reference=reference,
            )
            for count in counts
        ],
        batch_size=500,
    )
