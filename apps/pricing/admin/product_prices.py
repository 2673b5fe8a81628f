"""The admin page of a product, extended with price moves and the warning about large changes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from apps.catalog.admin.products import ProductAdmin
from apps.catalog.models import Product
from apps.office.history import Trace
from apps.pricing.admin.drift import drifts_tell
from apps.pricing.admin.history import market_price_traces, price_ledger

admin.site.unregister(Product)


@admin.register(Product)
class PricedProductAdmin(ProductAdmin):
    """Replaces the product page of the catalogue, which knows no price moves."""

    def traces(self, request: HttpRequest, row: Product) -> list[Trace]:
        """Return the moves of the market price and the traces of the catalogue."""
        return [*market_price_traces(request, row), *super().traces(request, row)]

    def elsewhere(self, request: HttpRequest, row: Product) -> list[tuple[str, str]]:
        """Return the link to the price ledger and the links of the catalogue."""
        return [*price_ledger(request, row.pk), *super().elsewhere(request, row)]

    def after_change(
        self, request: HttpRequest, changed: Sequence[tuple[Any, Sequence[str]]]
    ) -> None:
        """Warn about large changes of market prices."""
        products = [
            row for row, names in changed if isinstance(row, Product) and "market_price" in names
        ]
        drifts_tell(request, products=products)
