"""盘点: what staff count becomes the stock, with a movement that says by how much it changed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from apps.catalog.models import StockMovement


@dataclass(frozen=True, slots=True)
class StockCount:
    """A product whose stock staff have set from one figure to another."""

    product_id: int
    before: int
    after: int


def stock_counted(counts: Sequence[StockCount], *, reference: str = "导入") -> None:
    """Write the movement of each count, in the transaction that has set the stock of rows it holds locked."""
    StockMovement.objects.bulk_create(
        [
            StockMovement(
                product_id=count.product_id, kind=StockMovement.Kind.ADJUST, quantity=count.after - count.before, reference=reference
            )
            for count in counts
        ],
        batch_size=500,
    )
