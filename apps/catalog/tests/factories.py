"""Made-up catalogue rows. `ProductFactory` indexes as the import does; the price and assortment factories take the customer's side."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Any

import factory
from factory.django import DjangoModelFactory

from apps.catalog.enums import RuleKind, RuleMode
from apps.catalog.models import (
    Agreement,
    Assortment,
    AssortmentRule,
    Brand,
    Category,
    CustomerAgreement,
    MenuGroup,
    PriceList,
    PriceListItem,
    Product,
)
from apps.catalog.services.product_index import products_indexed, suggest_terms_write
from apps.catalog.services.stock_count import StockCount, stock_counted
from apps.org.models import Enterprise, Group


class MenuGroupFactory(DjangoModelFactory[MenuGroup]):
    class Meta:
        model = MenuGroup

    code = factory.Sequence(lambda n: f"M{n}")
    name = factory.Sequence(lambda n: f"分组{n}")
    position = factory.Sequence(lambda n: n)


class CategoryFactory(DjangoModelFactory[Category]):
    """A first-level category; `category_path` makes all three levels."""

    class Meta:
        model = Category

    code = factory.Sequence(lambda n: f"C{n}")
    name = factory.Sequence(lambda n: f"类目{n}")
    level = 1
    position = factory.Sequence(lambda n: n)
    menu_group = factory.SubFactory(MenuGroupFactory)


def category_path(*names: str) -> Category:
    """Return a third-level category under a new first and second one; names are given from level 1 down."""
    first, second, third = (*names, *("一级", "二级", "三级")[len(names) :])
    root = CategoryFactory(name=first)
    middle = CategoryFactory(name=second, parent=root, level=2, menu_group=None)
    leaf: Category = CategoryFactory(name=third, parent=middle, level=3, menu_group=None)
    return leaf


class BrandFactory(DjangoModelFactory[Brand]):
    class Meta:
        model = Brand

    code = factory.Sequence(lambda n: f"B{n:04d}")
    name = factory.Sequence(lambda n: f"墨岚{n}")


class ProductFactory(DjangoModelFactory[Product]):
    """On sale, public, 100 in stock by a count, 10.00 yuan."""

    class Meta:
        model = Product

    code = factory.Sequence(lambda n: f"{500000 + n}")
    name = factory.Sequence(lambda n: f"商品{n}")
    brand = factory.SubFactory(BrandFactory)
    category = factory.LazyFunction(category_path)
    unit = "支"
    market_price = Decimal("10.00")
    tax_rate = Decimal("0.13")
    tax_code = "1060201000000000000"
    stock = 100
    listed_at = date(2026, 1, 1)

    @classmethod
    def _create(cls, model_class: type[Product], *args: Any, **kwargs: Any) -> Product:
        product = model_class(*args, **kwargs)
        products_indexed(products=[product])
        product.save()
        suggest_terms_write(product_ids=[product.pk])
        # As the import does: the books know where the stock comes from.
        if product.stock:
            stock_counted([StockCount(product.pk, 0, product.stock)], reference="期初")
        return product


class PriceListFactory(DjangoModelFactory[PriceList]):
    class Meta:
        model = PriceList

    code = factory.Sequence(lambda n: f"PL{n}")
    name = factory.Sequence(lambda n: f"价目表{n}")


class PriceListItemFactory(DjangoModelFactory[PriceListItem]):
    class Meta:
        model = PriceListItem

    price_list = factory.SubFactory(PriceListFactory)
    product = factory.SubFactory(ProductFactory)
    price = Decimal("8.00")


class AssortmentFactory(DjangoModelFactory[Assortment]):
    class Meta:
        model = Assortment

    code = factory.Sequence(lambda n: f"AS{n}")
    name = factory.Sequence(lambda n: f"范围{n}")


class AgreementFactory(DjangoModelFactory[Agreement]):
    """Valid from 2020 without end."""

    class Meta:
        model = Agreement

    code = factory.Sequence(lambda n: f"AG{n}")
    name = factory.Sequence(lambda n: f"协议{n}")
    price_list = factory.SubFactory(PriceListFactory)
    assortment = factory.SubFactory(AssortmentFactory)
    valid_from = date(2020, 1, 1)


def include(assortment: Assortment, *targets: Category | Brand | Product) -> None:
    """Let the targets into the assortment; everything where none is given."""
    _rules(assortment, RuleMode.INCLUDE, targets)


def exclude(assortment: Assortment, *targets: Category | Brand | Product) -> None:
    """Keep the targets out of the assortment."""
    _rules(assortment, RuleMode.EXCLUDE, targets)


def _rules(assortment: Assortment, mode: RuleMode, targets: tuple[Category | Brand | Product, ...]) -> None:
    if not targets:
        AssortmentRule.objects.create(assortment=assortment, mode=mode, kind=RuleKind.ALL)
    for target in targets:
        kind = RuleKind(type(target).__name__.lower())
        AssortmentRule.objects.create(assortment=assortment, mode=mode, kind=kind, **{kind.value: target})


def agree(group: Group, agreement: Agreement, *, enterprise: Enterprise | None = None, priority: int = 10) -> CustomerAgreement:
    """Give the agreement to the group, or to one of its enterprises; in the scope of that group or of the platform."""
    customer: CustomerAgreement = CustomerAgreement.objects.create(
        group=group, enterprise=enterprise, agreement=agreement, priority=priority
    )
    return customer
