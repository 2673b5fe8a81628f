"""Pictures described in the background while staff change them, by real processes."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import pytest
from django.db import transaction

from apps.catalog.models import PictureVector, Product
from apps.catalog.services.picture_index import pictures_moved, vectors_write
from apps.catalog.tests.factories import ProductFactory
from tests.gauntlet.race import race

pytestmark = [pytest.mark.gauntlet, pytest.mark.django_db(transaction=True)]
ROUNDS = 12


def vectors(products: Sequence[Product]) -> list[PictureVector]:
    """Return what the describing came to, what is bought most first."""
    return [PictureVector(product=product, path=product.image, embedder="test", vector=b"") for product in reversed(products)]


def moved(products: Sequence[Product]) -> None:
    for _ in range(ROUNDS):
        with transaction.atomic():
            pictures_moved(product_ids=[product.pk for product in products])


def described(products: Sequence[Product]) -> None:
    for _ in range(ROUNDS):
        vectors_write(vectors(products))


def test_nobody_who_changes_pictures_is_ended_by_the_describing_of_them(platform: None) -> None:
    """The describing takes what is bought most first, a change goes in the table's order: waiting for each other, one would be killed."""
    products: list[Product] = [ProductFactory(image=f"products/{nth}.png", sales_count=nth) for nth in range(400)]
    described(products)

    race([partial(moved, products), partial(described, products)] * 2)

    vectors_write(vectors(products))
    assert dict(PictureVector.objects.values_list("product", "path")) == {product.pk: product.image for product in products}
