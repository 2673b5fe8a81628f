"""A brand is renamed while its products are saved, with real processes: the search uses the
brand's latest name.
"""

from __future__ import annotations

from functools import partial

import pytest

from apps.catalog.models import Brand, Category, Product
from apps.catalog.services.products import product_save
from apps.catalog.services.taxonomy import brand_save
from apps.catalog.tests.factories import BrandFactory, ProductFactory, create_category_path
from apps.org.models import Account
from tests.gauntlet.race import run_race

pytestmark = [pytest.mark.gauntlet, pytest.mark.django_db(transaction=True)]


def rename_brand(staff: Account, brand: Brand, name: str) -> None:
    brand.english_name = name
    brand_save(actor=staff, brand=brand)


def save_product(staff: Account, category: Category, brand: Brand, code: str) -> None:
    product_save(
        actor=staff, product=ProductFactory.build(category=category, brand=brand, code=code)
    )


def count_words_left(word: str) -> int:
    """Return the number of products that a word finds."""
    return Product.objects.filter(search_tokens__contains=word).count()


@pytest.mark.parametrize("nth", range(5))
def test_products_saved_beside_a_rename_of_their_brand_have_its_new_name(
    staff: Account, nth: int
) -> None:
    """Without the lock the rename would miss uncommitted products, which would keep the old
    name.
    """
    category, brand = create_category_path(), BrandFactory(name="晨曦", english_name="oldenbrand")
    saves = [
        partial(save_product, staff, category, brand, f"9{nth}0{number:03}") for number in range(12)
    ]

    outcomes = run_race([*saves[:6], partial(rename_brand, staff, brand, "newenbrand"), *saves[6:]])

    assert all(outcome.ok for outcome in outcomes)
    assert (count_words_left("oldenbrand"), count_words_left("newenbrand")) == (0, 12)
