"""Factories for catalogue rows. `ProductFactory` writes the search index as the import does.
Other factories create price lists, assortments and agreements of customers.
"""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Any

import factory

from apps.catalog.indexing.text import build_suggest_keys
from apps.catalog.models import Brand, Category, MenuGroup, Product, ProductFamily
from apps.catalog.services.families import family_members_set, family_save
from apps.catalog.services.product_index import product_index, suggest_terms_insert
from apps.catalog.services.stock import StockCount, stock_count_record
from apps.common.testing.factories import RowFactory
from apps.org.models import Enterprise, Group
from apps.pricing.enums import RuleKind, RuleMode
from apps.pricing.models import (
    Agreement,
    Assortment,
    AssortmentRule,
    CustomerAgreement,
    PriceList,
    PriceListItem,
)


class MenuGroupFactory(RowFactory[MenuGroup]):
    class Meta:
        model = MenuGroup

    code = factory.Sequence(lambda n: f"M{n}")
    name = factory.Sequence(lambda n: f"分组{n}")
    position = factory.Sequence(lambda n: n)


class CategoryFactory(RowFactory[Category]):
    """A first-level category. `create_category_path` creates all three levels."""

    class Meta:
        model = Category

    code = factory.Sequence(lambda n: f"C{n}")
    name = factory.Sequence(lambda n: f"类目{n}")
    level = 1
    position = factory.Sequence(lambda n: n)
    menu_group = factory.SubFactory(MenuGroupFactory)


def create_category_path(*names: str) -> Category:
    """Create a new category on each of the three levels and return the third. Pass the names
    from level 1 to level 3.
    """
    first, second, third = (*names, *("一级", "二级", "三级")[len(names) :])
    root = CategoryFactory(name=first)
    middle = CategoryFactory(name=second, parent=root, level=2, menu_group=None)
    leaf: Category = CategoryFactory(name=third, parent=middle, level=3, menu_group=None)
    return leaf


class BrandFactory(RowFactory[Brand]):
    class Meta:
        model = Brand

    code = factory.Sequence(lambda n: f"B{n:04d}")
    name = factory.Sequence(lambda n: f"墨岚{n}")


class ProductFactory(RowFactory[Product]):
    """A public product on sale: price 10.00 元, 100 in stock, recorded by a stock count."""

    class Meta:
        model = Product

    code = factory.Sequence(lambda n: f"{500000 + n}")
    name = factory.Sequence(lambda n: f"商品{n}")
    brand = factory.SubFactory(BrandFactory)
    category = factory.LazyFunction(create_category_path)
    unit = "支"
    market_price = Decimal("10.00")
    tax_rate = Decimal("0.13")
    tax_code = "1060201000000000000"
    stock = 100
    listed_at = date(2026, 1, 1)

    @classmethod
    def _create(cls, model_class: type[Product], *args: Any, **kwargs: Any) -> Product:
        product = model_class(*args, **kwargs)
        # As `product_save`, without reading the brand and the categories again.
        product_index(product=product, brand=product.brand, category=product.category, words={})
        product.save()
        keys = build_suggest_keys(
            name=product.name, model_code=product.model_code, code=product.code
        )
        suggest_terms_insert((product.pk, key) for key in sorted(keys))
        # Book the stock as a count, as the import does, so that the stock ledger is complete.
        if product.stock:
            stock_count_record([StockCount(product.pk, 0, product.stock)], reference="期初")
        return product


def make_family(
    *products: Product, axes: tuple[str, ...], code: str = "F1", name: str = "按动中性笔"
) -> ProductFamily:
    """Create an active family of the products through the services."""
    family = family_save(
        actor=None,
        family=ProductFamily(code=code, name=name, category=products[0].category, axes=list(axes)),
    )
    family_members_set(
        actor=None,
        family_id=family.pk,
        values_by_code={product.code: {} for product in products},
    )
    return family


class PriceListFactory(RowFactory[PriceList]):
    class Meta:
        model = PriceList

    code = factory.Sequence(lambda n: f"PL{n}")
    name = factory.Sequence(lambda n: f"价目表{n}")


class PriceListItemFactory(RowFactory[PriceListItem]):
    class Meta:
        model = PriceListItem

    price_list = factory.SubFactory(PriceListFactory)
    product = factory.SubFactory(ProductFactory)
    price = Decimal("8.00")


class AssortmentFactory(RowFactory[Assortment]):
    class Meta:
        model = Assortment

    code = factory.Sequence(lambda n: f"AS{n}")
    name = factory.Sequence(lambda n: f"范围{n}")


class AgreementFactory(RowFactory[Agreement]):
    """An agreement that is valid from 2020 and has no end date."""

    class Meta:
        model = Agreement

    code = factory.Sequence(lambda n: f"AG{n}")
    name = factory.Sequence(lambda n: f"协议{n}")
    price_list = factory.SubFactory(PriceListFactory)
    assortment = factory.SubFactory(AssortmentFactory)
    valid_from = date(2020, 1, 1)


def include_in_assortment(assortment: Assortment, *targets: Category | Brand | Product) -> None:
    """Add include rules for the targets to the assortment. Without targets, include every
    product.
    """
    _add_rules(assortment, RuleMode.INCLUDE, targets)


def exclude_from_assortment(assortment: Assortment, *targets: Category | Brand | Product) -> None:
    """Add exclude rules for the targets to the assortment."""
    _add_rules(assortment, RuleMode.EXCLUDE, targets)


def _add_rules(
    assortment: Assortment, mode: RuleMode, targets: tuple[Category | Brand | Product, ...]
) -> None:
    if not targets:
        AssortmentRule.objects.create(assortment=assortment, mode=mode, kind=RuleKind.ALL)
    for target in targets:
        kind = RuleKind(type(target).__name__.lower())
        AssortmentRule.objects.create(
            assortment=assortment, mode=mode, kind=kind, **{kind.value: target}
        )


def create_customer_agreement(
    group: Group, agreement: Agreement, *, enterprise: Enterprise | None = None, priority: int = 10
) -> CustomerAgreement:
    """Assign the agreement to the group or to one of its enterprises. The scope of the group or
    of the platform must be open.
    """
    customer: CustomerAgreement = CustomerAgreement.objects.create(
        group=group, enterprise=enterprise, agreement=agreement, priority=priority
    )
    return customer
