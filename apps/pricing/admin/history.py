"""The history of a price: changes by batches, sheets and jobs. Each trace links to its batch or
move.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from decimal import Decimal

from django.http import HttpRequest

from apps.catalog.admin.history import account_name, list_link, page_link
from apps.catalog.models import Product
from apps.office.cells import yuan_text
from apps.office.history import NEWEST, Trace
from apps.pricing.models import PriceBatch, PriceBatchRow, PriceListItem, PriceMove

# A batch and its moves belong to one transaction, so their times differ less than this.
TOGETHER = timedelta(minutes=5)
# (old price, new price, time)
BatchChange = tuple[Decimal, Decimal, datetime]


def price_item_traces(request: HttpRequest, item: PriceListItem) -> list[Trace]:
    """Return the batches that changed or restored the price, and its other moves."""
    rows = (
        PriceBatchRow.objects.filter(item=item)
        .select_related("batch__made_by", "batch__undone_by")
        .order_by("-batch_id")[:NEWEST]
    )
    traces: list[Trace] = []
    changes: list[BatchChange] = []
    for row in rows:
        batch, page = row.batch, page_link(request, PriceBatch, row.batch_id)
        what = f"批量调价（批次 {batch.pk}，{batch.rule_text}）：{_change(row.before, row.after)}"
        traces.append(Trace(batch.made_at, what, account_name(batch.made_by), page))
        changes.append((row.before, row.after, batch.made_at))
        if batch.undone_at and not row.is_left:
            what = f"撤销批量调价（批次 {batch.pk}）：{_change(row.after, row.before)}"
            traces.append(Trace(batch.undone_at, what, account_name(batch.undone_by), page))
            changes.append((row.after, row.before, batch.undone_at))
    moves = PriceMove.objects.filter(item=item).order_by("-pk")[:NEWEST]
    alone = [move for move in moves if not _is_of_batch(move, changes)]
    return [*traces, *(_move_trace(request, move) for move in alone)]


def market_price_traces(request: HttpRequest, product: Product) -> list[Trace]:
    """Return the moves of the product's market price."""
    moves = PriceMove.objects.filter(product=product, item=None).order_by("-pk")[:NEWEST]
    return [_move_trace(request, move) for move in moves]


def price_ledger(request: HttpRequest, product_id: int) -> list[tuple[str, str]]:
    """Return the label and URL of the product's price moves. Empty without the permission."""
    page = list_link(request, PriceMove, product__id__exact=product_id)
    return [("价格变动", page)] if page else []


def _is_of_batch(move: PriceMove, changes: list[BatchChange]) -> bool:
    return any(
        (move.before, move.after) == (before, after) and abs(move.at - at) < TOGETHER
        for before, after, at in changes
    )


def _move_trace(request: HttpRequest, move: PriceMove) -> Trace:
    name = "协议价" if move.item_id else "市场价"
    return Trace(
        move.at,
        f"{name}变动：{_change(move.before, move.after)}",
        page=page_link(request, PriceMove, move.pk),
    )


def _change(before: Decimal, after: Decimal) -> str:
    return f"{yuan_text(before)} → {yuan_text(after)}"
