"""What a migration does to a database that has products already."""

from __future__ import annotations

from importlib import import_module

import pytest
from django.apps import apps

from apps.catalog.models import Product, SuggestTerm
from apps.catalog.search.text import encoded
from apps.catalog.tests.factories import ProductFactory


@pytest.mark.django_db
def test_products_with_a_chinese_unit_are_indexed_again() -> None:
    product = ProductFactory(name="复印纸 70克")
    SuggestTerm.objects.all().delete()
    Product.objects.update(name_key="复印纸 70克", search_tokens=f"70 {encoded('克')}")

    import_module("apps.catalog.migrations.0003_measures_in_latin_units").forwards(apps, None)

    product.refresh_from_db()
    assert product.name_key == "复印纸 70g"
    assert "70g" in product.search_tokens.split()
    assert SuggestTerm.objects.filter(product=product, key="复印纸70g").exists()
