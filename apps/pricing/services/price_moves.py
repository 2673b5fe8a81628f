"""Record price changes. Each service that changes a price calls this module in its transaction."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta
from decimal import Decimal
from typing import NamedTuple

from django.db import connection
from django.utils import timezone

from apps.catalog.services.product_hooks import MarketPriceChange
from apps.common.sql import rows_insert
from apps.pricing.models import PriceMove

MAX_AGE = timedelta(days=400)
DELETE_BATCH = 2000
COLUMNS = ("item_id", "product_id", "before", "after", "at")


class PriceChange(NamedTuple):
    """A price before and after (元, 含税). `item_id` is the row of a price list, or None for the
    market price.
    """

    item_id: int | None
    product_id: int
    before: Decimal | None
    after: Decimal | None


def price_moves_record(prices: Iterable[PriceChange]) -> int:
    """Record the prices that differ and return their number. One statement.

    A new price and a removed price (None on one side) are not moves.
    """
    at = connection.ops.adapt_datetimefield_value(timezone.now())
    rows = [
        (change.item_id, change.product_id, int(change.before * 100), int(change.after * 100), at)
        for change in prices
        if change.before is not None and change.after is not None and change.before != change.after
    ]
    if rows:
        rows_insert(table=PriceMove._meta.db_table, columns=COLUMNS, rows=rows)
    return len(rows)


def market_price_moves_record(changes: Iterable[MarketPriceChange]) -> None:
    """Record changes of market prices. The catalogue calls it for every saved product."""
    price_moves_record(PriceChange(None, *change) for change in changes)


def price_moves_purge() -> int:
    """Delete moves older than 400 days, 2,000 per statement. Return the number of deleted
    moves. Their alarms remain. Periodic job.
    """
    before, deleted = timezone.now() - MAX_AGE, 0
    while keys := list(
        PriceMove.objects.filter(at__lt=before)
        .order_by("at")
        .values_list("pk", flat=True)[:DELETE_BATCH]
    ):
        PriceMove.objects.filter(pk__in=keys).delete()
        deleted += len(keys)
    return deleted
