"""The hand-written product row matches the serializer that the API schema is generated from."""

from __future__ import annotations

from decimal import Decimal

import pytest
from rest_framework import serializers

from apps.catalog.models import Product
from apps.catalog.tests.factories import ProductFactory
from apps.pricing.selectors.context import get_catalogue_context
from apps.pricing.selectors.offers import get_offers
from apps.search.shared_serializers import ProductRowSerializer, serialize_product


@pytest.mark.django_db
@pytest.mark.parametrize("price", ["0.00", "0.10", "12.50", "1234567.89"])
def test_written_product_row_equals_the_declared_serializer(price: str) -> None:
    product: Product = ProductFactory(
        market_price=Decimal(price), image="products/1.svg", model_code="ZY-1"
    )
    offer = get_offers(context=get_catalogue_context(actor=None), product_ids=[product.pk])[
        product.pk
    ]

    assert serialize_product(offer) == serializers.Serializer.to_representation(
        ProductRowSerializer(), offer
    )
