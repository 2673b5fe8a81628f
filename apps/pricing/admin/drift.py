"""Warn about a large price change when it is saved, so that the user can correct a typing error
at once. The job raises the alarm later.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest

from apps.catalog.models import Product
from apps.office.cells import yuan_text
from apps.office.decorators import request_staff
from apps.pricing.models import PriceListItem
from apps.pricing.services.price_item_save import price_item_save
from apps.pricing.services.price_move_alarms import Drift, price_drifts_now

if TYPE_CHECKING:
    from apps.catalog.admin.base import CatalogueAdmin as _Base
else:
    _Base = object

FEW = 5


def moved_told(before: Decimal, after: Decimal) -> str:
    """Return a text with the price change within the window: direction, amount and percentage."""
    moved = after - before
    share = f"（{abs(moved) / before:.1%}）" if before else ""
    return f"30 天内{'涨' if moved > 0 else '降'} {yuan_text(abs(moved))}{share}"


def drifts_tell(
    request: HttpRequest, *, items: Sequence[PriceListItem] = (), products: Sequence[Product] = ()
) -> None:
    """Show one warning that lists the saved prices whose change exceeds PRICE_MOVE_PERCENT, if
    any.
    """
    if not items and not products:
        return
    codes = {row.product_id: row.product.code for row in items} | {
        row.pk: row.code for row in products
    }
    drifts = price_drifts_now(
        items=[row.pk for row in items], products=[row.pk for row in products]
    )
    if not drifts:
        return
    told = "；".join(f"{codes[one.last.product_id]} {_price(one)}" for one in drifts[:FEW])
    more = f"；等 {len(drifts)} 个价格" if len(drifts) > FEW else ""
    limit = f"超过 {settings.PRICE_MOVE_PERCENT}%，将列入价格预警，如填写有误请改回"
    messages.warning(request, f"{told}{more}。{limit}")


class PricePageMixin(_Base):
    """For pages that save rows of price lists. Records price moves and warns about large
    changes.
    """

    def save_row(self, request: HttpRequest, row: Any) -> None:
        if isinstance(row, PriceListItem):
            price_item_save(actor=request_staff(request), item=row)
        else:
            super().save_row(request, row)

    def after_change(
        self, request: HttpRequest, changed: Sequence[tuple[Any, Sequence[str]]]
    ) -> None:
        """Warn about the rows whose price changed."""
        drifts_tell(
            request,
            items=[
                row for row, names in changed if isinstance(row, PriceListItem) and "price" in names
            ],
        )


def _price(drift: Drift) -> str:
    return (
        f"{'协议价' if drift.last.item_id else '市场价'} {moved_told(drift.was, drift.last.after)}"
    )
