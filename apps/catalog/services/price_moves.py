"""Remember what prices were before they changed. Called by every service that changes one, in its transaction."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta
from decimal import Decimal
from typing import NamedTuple

from django.db import connection
from django.utils import timezone

from apps.catalog.models import PriceMove
from apps.catalog.search.sql.rows_insert import rows_insert

KEPT = timedelta(days=400)
AT_ONCE = 2000
COLUMNS = ("item_id", "product_id", "before", "after", "at")


class Moved(NamedTuple):
    """A price before and after; of a row of a price list, or with `item_id` None the market's."""

    item_id: int | None
    product_id: int
    before: Decimal | None
    after: Decimal | None


def price_moves_record(prices: Iterable[Moved]) -> int:
    """Write the prices that are others than before, and return how many: one statement, whatever their number.

    A price that begins or ends (None on one side) has not moved.
    """
    moved = [one for one in prices if one.before is not None and one.after is not None and one.before != one.after]
    if moved:
        at = connection.ops.adapt_datetimefield_value(timezone.now())
        # Both have been told from None above.
        rows = ((one.item_id, one.product_id, int(one.before * 100), int(one.after * 100), at) for one in moved)  # type: ignore[operator]
        rows_insert(table=PriceMove._meta.db_table, columns=COLUMNS, rows=rows)
    return len(moved)


def price_moves_purge() -> int:
    """Delete changes older than 400 days, 2,000 at once; return how many. Alarms of them stay. Runs by the clock."""
    before, gone = timezone.now() - KEPT, 0
    while keys := list(PriceMove.objects.filter(at__lt=before).order_by("at").values_list("pk", flat=True)[:AT_ONCE]):
        PriceMove.objects.filter(pk__in=keys).delete()
        gone += len(keys)
    return gone
