"""A price that has moved far is told of when it is saved: whoever mistyped it is still there; the alarm follows by the clock."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest

from apps.catalog.models import PriceListItem, Product
from apps.catalog.services.price_move_alarms import Drift, price_drifts_now
from apps.common.admin.money import yuan_text

FEW = 5


def moved_told(before: Decimal, after: Decimal) -> str:
    """Return by how much a price has moved within the window."""
    moved = after - before
    share = f"（{abs(moved) / before:.1%}）" if before else ""
    return f"30 天内{'涨' if moved > 0 else '降'} {yuan_text(abs(moved))}{share}"


def drifts_tell(request: HttpRequest, *, items: Sequence[PriceListItem] = (), products: Sequence[Product] = ()) -> None:
    """Say of each saved price that has moved beyond the percentage by how much, in few messages; nothing where none has."""
    if not items and not products:
        return
    codes = {row.product_id: row.product.code for row in items} | {row.pk: row.code for row in products}
    drifts = price_drifts_now(items=[row.pk for row in items], products=[row.pk for row in products])
    if not drifts:
        return
    told = "；".join(f"{codes[one.last.product_id]} {_price(one)}" for one in drifts[:FEW])
    more = f"；等 {len(drifts)} 个价格" if len(drifts) > FEW else ""
    limit = f"超过 {settings.PRICE_MOVE_PERCENT}%，将列入价格预警，如填写有误请改回"
    messages.warning(request, f"{told}{more}。{limit}")


class DriftTold:
    """Gives a page of prices, or of a list with its prices, what a save says of those that have moved far."""

    def after_change(self, request: HttpRequest, changed: Sequence[tuple[Any, Sequence[str]]]) -> None:
        """Say it of the rows whose price was changed."""
        drifts_tell(request, items=[row for row, names in changed if isinstance(row, PriceListItem) and "price" in names])


def _price(drift: Drift) -> str:
    return f"{'协议价' if drift.last.item_id else '市场价'} {moved_told(drift.was, drift.last.after)}"
