"""Compare the `sql` engine with the naive oracle: random queries of random customers must give
equal results. PostgreSQL tries a thousand, SQLite the first third of them.
"""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import date
from decimal import Decimal
from typing import Any

import pytest

from apps.catalog.models import Brand, Category, Product, ProductFamily
from apps.catalog.services.product_index import products_index, suggest_terms_write
from apps.catalog.tests.factories import (
    AgreementFactory,
    AssortmentFactory,
    BrandFactory,
    CategoryFactory,
    PriceListFactory,
    create_customer_agreement,
    exclude_from_assortment,
    include_in_assortment,
)
from apps.common.testing import examples
from apps.org.models import Account
from apps.org.tests.factories import (
    AccountFactory,
    DepartmentFactory,
    EnterpriseFactory,
    GroupFactory,
)
from apps.pricing.models import AssortmentRule, CustomerAgreement, PriceListItem
from apps.pricing.selectors.context import CatalogueContext, get_catalogue_context
from apps.pricing.selectors.offers import get_offers
from apps.search.enums import ProductSort
from apps.search.keyword import get_lexicon
from apps.search.models import SearchSynonym
from apps.search.query import PRICE_BOUNDS, CatalogQuery, CategoryFilter
from apps.search.sql.engine import SqlEngine
from apps.search.tests.engine.oracle import Oracle, Terms

TODAY = date(2026, 6, 15)
QUERIES = 1000
PRODUCTS = 240
CUSTOMERS = 8
WORDS = (
    "按动中性笔",
    "订书机",
    "复印纸",
    "文件夹",
    "A4",
    "0.5mm",
    "24/6",
    "硒鼓",
    "黑色",
    "蓝色",
    "12支/盒",
    "70g",
    "档案盒",
)
SOUNDS = ("zhongxingbi", "ding shu", "FYZ", "wjj", "硒骨", "zy", "heise")
SPOKEN = (
    "签字笔",
    "要 签字笔 蓝色",
    "水笔",
    "5丝",
    "没有的 文件夹",
    "蓝色 没有 订书机",
    "型号ZY-7",
    "zhongxingbi heise",
    "24x6",
    "0.5",
    "书机",
    "办公 蓝色 文件夹",
    "结实 红色 A4 订书机 耐用",
)
NEGATED = ("黑色", "0.5mm", "签字笔", "A4 文件夹")
CONTENTS: tuple[dict[str, Any], ...] = (
    {},
    {"base_unit": "支", "contents": 1},
    {"base_unit": "支", "contents": 12},
    {"base_unit": "张", "contents": 2500},
    {"base_unit": "张", "contents": 7},
)
ATTRIBUTES = {"颜色": ("黑", "蓝", "红"), "规格": ("A4", "A3"), "线幅": ("0.5mm", "0.7mm", "1.0mm")}


EACH = tuple(Decimal(text) for text in ("0", "0.0999", "0.1", "0.5", "0.0123", "1.35", "17.5"))


class World:
    """A small catalogue and some customers, generated from one seed."""

    def __init__(self, seed: int) -> None:
        self.draw = random.Random(seed)
        self._words()
        self.brands: list[Brand] = [BrandFactory(name=f"牌子{n}") for n in range(5)]
        self.leaves = self._categories()
        self.products = self._products()
        self.customers = [self._customer() for _ in range(CUSTOMERS)]

    @staticmethod
    def _words() -> None:
        """Create the search words of staff: one synonym, one word that implies two others, one
        unit and two ignored words.
        """
        rows = (
            ("签字笔", "same", "中性笔"),
            ("水笔", "means", "中性笔 黑色"),
            ("丝", "unit", "mm"),
            ("要", "ignored", ""),
            ("型号", "ignored", ""),
        )
        SearchSynonym.objects.bulk_create(
            SearchSynonym(
                word=word,
                kind=kind,
                others=others,
                factor=Decimal("0.1") if kind == "unit" else None,
            )
            for word, kind, others in rows
        )

    def _categories(self) -> list[Category]:
        leaves: list[Category] = []
        for _ in range(3):
            root = CategoryFactory()
            for _ in range(2):
                middle = CategoryFactory(parent=root, level=2, menu_group=None)
                leaves += [
                    CategoryFactory(parent=middle, level=3, menu_group=None, name=name)
                    for name in self._names(len(leaves))
                ]
        return leaves

    @staticmethod
    def _names(number: int) -> tuple[str, str]:
        """Return the names of two leaves. Only the first two leaves have names that also occur
        in products.
        """
        return ("中性笔", "订书机") if number == 0 else (f"类目甲{number}", f"类目乙{number}")

    def _products(self) -> list[Product]:
        draw = self.draw
        rows = [
            Product(
                code=str(700000 + n),
                name=" ".join(draw.sample(WORDS, 3)),
                model_code=f"ZY-{draw.randrange(60)}",
                brand=draw.choice(self.brands),
                category=draw.choice(self.leaves),
                unit="个",
                **draw.choice(CONTENTS),
                market_price=Decimal(draw.randrange(100, 400_000)) / 100,
                tax_rate=Decimal("0.13"),
                tax_code="1",
                attributes={
                    name: draw.choice(values)
                    for name, values in ATTRIBUTES.items()
                    if draw.random() < 0.7
                },
                stock=draw.choice((0, 5, 50)),
                sales_count=draw.randrange(40),
                status=draw.choice(("on", "on", "on", "off")),
                is_public=draw.random() < 0.6,
                listed_at=date(2026, 1, draw.randrange(1, 29)),
            )
            for n in range(PRODUCTS)
        ]
        Product.objects.bulk_create(products_index(products=rows))
        products = list(Product.objects.select_related("brand").order_by("pk"))
        suggest_terms_write(product_ids=[product.pk for product in products])
        self._families(products)
        return products

    def _families(self, products: list[Product]) -> None:
        """Put half of the products into families, from two members to more than the engine reads
        for one card.
        """
        rest = self.draw.sample(products, PRODUCTS // 2)
        while rest:
            number = self.draw.choice((2, 3, 4, 25))
            members, rest = rest[:number], rest[number:]
            family = ProductFamily.objects.create(
                code=f"F{members[0].pk}", name="族", category=self.leaves[0], axes=["颜色"]
            )
            for member in members:
                member.family = family
        Product.objects.bulk_update(products, ["family"])

    def _customer(self) -> tuple[CatalogueContext, Oracle]:
        department = DepartmentFactory(enterprise=EnterpriseFactory(group=GroupFactory()))
        account: Account = AccountFactory(department=department)
        for priority in range(self.draw.randrange(4)):
            self._agreement(account, priority)
        terms = self._terms(account)
        return get_catalogue_context(actor=account), Oracle(self.products, terms, get_lexicon(""))

    def _agreement(self, account: Account, priority: int) -> None:
        draw = self.draw
        assortment, price_list = (
            AssortmentFactory(),
            PriceListFactory(kind=draw.choice(("contract", "customer"))),
        )
        targets = [
            *self.brands,
            *self.leaves,
            *(leaf.parent for leaf in self.leaves),
            *self.products[:20],
        ]
        if draw.random() < 0.3:
            include_in_assortment(assortment)
        include_in_assortment(assortment, *dict.fromkeys(draw.sample(targets, 6)))
        exclude_some = dict.fromkeys(draw.sample(targets, draw.randrange(4)))
        if exclude_some:
            exclude_from_assortment(assortment, *exclude_some)
        items = [
            PriceListItem(
                price_list=price_list,
                product=product,
                price=draw.choice(
                    (None, product.market_price * 8 / 10 // Decimal("0.01") / 100, Decimal("9.90"))
                ),
                customer_code=draw.choice(("", f"MAT-{product.pk}")),
                customer_name=draw.choice(("", f"自有{product.pk}")),
            )
            for product in draw.sample(self.products, 60)
        ]
        for item in items:
            self._tiers(item)
        PriceListItem.objects.bulk_create(items)
        begins, ends = draw.choice(
            (
                (date(2026, 1, 1), None),
                (date(2026, 1, 1), TODAY),
                (date(2026, 6, 16), None),
                (TODAY, date(2027, 1, 1)),
            )
        )
        agreement = AgreementFactory(
            assortment=assortment, price_list=price_list, valid_from=begins, valid_to=ends
        )
        create_customer_agreement(
            account.group,
            agreement,
            enterprise=draw.choice((None, account.enterprise)),
            priority=priority,
        )

    def _tiers(self, item: PriceListItem) -> None:
        """Give the row up to three tiers, with rising quantities and falling prices."""
        if item.price is None or item.price < Decimal("0.10"):
            return
        price, quantity = item.price, 1
        for number in range(1, self.draw.randrange(4) + 1):
            quantity += self.draw.randrange(1, 30)
            price = max(price - Decimal(self.draw.randrange(0, 4)) / 100, Decimal("0.01"))
            setattr(item, f"tier{number}_quantity", quantity)
            setattr(item, f"tier{number}_price", price)

    @staticmethod
    def _terms(account: Account) -> list[Terms]:
        agreements = [
            given
            for given in CustomerAgreement.objects.filter(group=account.group).select_related(
                "agreement__price_list"
            )
            if given.agreement.valid_from <= TODAY
            and (given.agreement.valid_to is None or given.agreement.valid_to >= TODAY)
        ]
        agreements.sort(
            key=lambda given: (given.agreement.price_list.kind != "customer", given.priority)
        )
        return [
            Terms(
                tuple(AssortmentRule.objects.filter(assortment=given.agreement.assortment_id)),
                {
                    item.product_id: item
                    for item in PriceListItem.objects.filter(
                        price_list=given.agreement.price_list_id
                    )
                },
            )
            for given in agreements
        ]

    def question(self) -> CatalogQuery:
        draw = self.draw
        product = draw.choice(self.products)
        keywords = (
            *WORDS,
            product.code,
            product.name,
            product.model_code,
            f"mat-{product.pk}",
            f"自有{product.pk}",
            "黑色 中性",
            "笔中",
            "没有",
            "!?",
            *SOUNDS,
            *SPOKEN,
        )
        category = draw.choice((product.l1, product.l2, product.l3))
        low = Decimal(draw.randrange(3000))
        return CatalogQuery(
            keyword=draw.choice(keywords) if draw.random() < 0.5 else "",
            excluded=(draw.choice(NEGATED),) if draw.random() < 0.2 else (),
            category=CategoryFilter(category.pk, category.level) if draw.random() < 0.4 else None,
            brands=tuple(
                draw.choice((brand.name, str(brand.pk))) for brand in draw.sample(self.brands, 2)
            )
            if draw.random() < 0.3
            else (),
            min_price=low if draw.random() < 0.2 else None,
            max_price=low + 1000 if draw.random() < 0.2 else None,
            base_unit=draw.choice(("支", "张")) if draw.random() < 0.1 else "",
            min_base_unit_price=draw.choice(EACH) if draw.random() < 0.1 else None,
            max_base_unit_price=draw.choice(EACH) * 40 if draw.random() < 0.1 else None,
            in_stock=draw.random() < 0.2,
            agreed_only=draw.random() < 0.1,
            attributes=tuple(
                (name, tuple(draw.sample(values, 2)))
                for name, values in ATTRIBUTES.items()
                if draw.random() < 0.15
            ),
            sort=draw.choice(list(ProductSort)),
            page_index=draw.choice((1, 1, 1, 2)),
            page_size=draw.choice((10, 20)),
            by_family=draw.random() < 0.4,
        )


@pytest.fixture
def world(platform: None, monkeypatch: pytest.MonkeyPatch) -> World:
    monkeypatch.setattr("apps.pricing.selectors.context.timezone.localdate", lambda: TODAY)
    return World(seed=20260615)


def test_the_engine_answers_as_the_oracle_does(world: World) -> None:
    engine = SqlEngine()
    for number in range(examples(QUERIES)):
        context, oracle = world.customers[number % CUSTOMERS]
        query = world.question()
        if number % 5:
            query = replace(query, with_facets=False)
        expected = oracle.rows_of_list(query)
        page = engine.get_page(context=context, query=query)

        assert list(page.ids) == [
            p.pk for p in expected[query.offset : query.offset + query.page_size]
        ], (number, query)
        assert page.total == len(expected), (number, query)
        if page.facets is not None:
            wanted = oracle.facets(query)
            assert {count.id: count.count for count in page.facets.categories} == wanted[
                "categories"
            ], (number, query)
            assert {count.id: count.count for count in page.facets.brands} == wanted["brands"], (
                number,
                query,
            )
            assert {
                PRICE_BOUNDS.index(count.lower): count.count for count in page.facets.prices
            } == wanted["prices"], (number, query)
            counts = {
                (facet.name, value): count
                for facet in page.facets.attributes
                for value, count in facet.values
            }
            assert counts == wanted["attributes"], (number, query)
            assert page.facets.in_stock == len(
                oracle.rows_of_list(replace(query, in_stock=True))
            ), (
                number,
                query,
            )
            assert page.facets.agreed == len(
                oracle.rows_of_list(replace(query, agreed_only=True))
            ), (
                number,
                query,
            )


def test_offers_match_the_visibility_and_price_of_the_oracle(world: World) -> None:
    for context, oracle in world.customers:
        offers = get_offers(context=context, product_ids=[product.pk for product in world.products])

        assert {pk: (offer.visible, offer.price) for pk, offer in offers.items()} == {
            product.pk: (oracle.sees(product), oracle.price(product)) for product in world.products
        }


def test_the_price_at_a_quantity_is_that_of_the_oracle(world: World) -> None:
    tiered = 0
    for context, oracle in world.customers:
        offers = get_offers(context=context, product_ids=[product.pk for product in world.products])
        for product in world.products:
            offer = offers[product.pk]
            bounds = [
                quantity + by for quantity in (t.quantity for t in offer.tiers) for by in (-1, 0)
            ]
            tiered += len(offer.tiers)
            for quantity in (1, 2, 7, 30, 95, *bounds):
                expected = oracle.get_price_for(product, quantity)
                assert offer.get_price_for(quantity) == expected, (product.pk, quantity)
    assert tiered > 100
