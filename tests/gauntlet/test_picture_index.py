"""Picture features are computed in the background while staff change pictures, with real
processes.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import pytest
from django.db import transaction

from apps.catalog.models import Product
from apps.catalog.tests.factories import ProductFactory
from apps.search.models import PictureVector
from apps.search.services.picture_index import pictures_mark_outdated, vectors_write
from tests.gauntlet.race import run_race

pytestmark = [pytest.mark.gauntlet, pytest.mark.django_db(transaction=True)]
ROUNDS = 12


def list_vectors(products: Sequence[Product]) -> list[PictureVector]:
    """Compute features, most-bought products first, and return the result."""
    return [
        PictureVector(product=product, path=product.image, embedder="test", vector=b"")
        for product in reversed(products)
    ]


def mark_outdated(products: Sequence[Product]) -> None:
    for _ in range(ROUNDS):
        with transaction.atomic():
            pictures_mark_outdated(product_ids=[product.pk for product in products])


def write_vectors(products: Sequence[Product]) -> None:
    for _ in range(ROUNDS):
        vectors_write(list_vectors(products))


def test_picture_changes_and_vector_writes_do_not_deadlock(platform: None) -> None:
    """The job and the change lock rows in different orders. Without SKIP LOCKED, PostgreSQL
    would cancel one of them as a deadlock.
    """
    products: list[Product] = [
        ProductFactory(image=f"products/{nth}.png", sales_count=nth) for nth in range(400)
    ]
    write_vectors(products)

    run_race([partial(mark_outdated, products), partial(write_vectors, products)] * 2)

    vectors_write(list_vectors(products))
    assert dict(PictureVector.objects.values_list("product", "path")) == {
        product.pk: product.image for product in products
    }
