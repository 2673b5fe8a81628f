"""Saving a product in the back office."""

from __future__ import annotations

import pytest

from apps.catalog.errors import StockBelowReserved
from apps.catalog.models import Product
from apps.catalog.services.products import product_save
from apps.catalog.services.stock import stock_reserve
from apps.catalog.tests.factories import ProductFactory
from apps.org.models import Account


def test_stock_below_the_reserved_quantity_is_refused(staff: Account, platform: None) -> None:
    product = ProductFactory(stock=7)
    stock_reserve(lines={product.pk: 5}, reference="SO1")
    product.stock = 4

    with pytest.raises(StockBelowReserved, match="已有订单预占 5，库存不能小于它"):
        product_save(actor=staff, product=product, stock_was=7)
    assert Product.objects.get().stock == 7


def test_stock_may_equal_the_reserved_quantity(staff: Account, platform: None) -> None:
    product = ProductFactory(stock=7)
    stock_reserve(lines={product.pk: 5}, reference="SO1")
    product.stock = 5
    product_save(actor=staff, product=product, stock_was=7)

    assert Product.objects.get().stock == 5
