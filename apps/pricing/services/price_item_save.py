"""Save one row of a price list from the back office."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Any

from django.db import transaction

from apps.catalog.services.changes import catalogue_row_save
from apps.pricing.models import PriceListItem
from apps.pricing.services.price_moves import Moved, price_moves_record

if TYPE_CHECKING:
    from apps.org.models import Account


@transaction.atomic
def price_item_save(*, actor: Account | None, item: PriceListItem) -> None:
    """Save the row and record its CatalogChange and its price move."""
    price_before = _stored_price(item)
    catalogue_row_save(actor=actor, row=item)
    price_moves_record([Moved(item.pk, item.product_id, price_before, item.price)])


def _stored_price(item: PriceListItem) -> Decimal | None:
    """Lock the stored row and return its price. None for a new row."""
    stored = PriceListItem.objects.filter(
        pk=item.pk, product=item.product_id, price_list=item.price_list_id
    )
    price: Any = stored.select_for_update(no_key=True).values_list("price", flat=True).first()
    return price if price is None else Decimal(price)
