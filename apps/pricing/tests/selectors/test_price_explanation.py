"""The price explanation for staff shows the price that the customer pays, and the reason."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest

from apps.catalog.models import Product
from apps.catalog.tests.factories import (
    AgreementFactory,
    PriceListFactory,
    PriceListItemFactory,
    ProductFactory,
    create_customer_agreement,
    exclude_from_assortment,
    include_in_assortment,
)
from apps.common.tenancy import platform_scope
from apps.common.testing import assert_queries
from apps.org.models import Enterprise
from apps.pricing.selectors.context import CatalogueContext, get_customer_context
from apps.pricing.selectors.offers import get_offers
from apps.pricing.selectors.price_explanation import PriceExplanation, explain_prices
from apps.search.tests.engine.test_engine_oracle import World


@pytest.fixture
def pen(db: None) -> Product:
    return ProductFactory(code="110001", market_price=Decimal("10.00"))


def context_of(enterprise: Enterprise) -> CatalogueContext:
    return get_customer_context(group_id=enterprise.group_id, enterprise_id=enterprise.pk)


def explain_price(enterprise: Enterprise, product: Product) -> PriceExplanation:
    return explain_prices(context=context_of(enterprise), product_ids=[product.pk])[0]


def list_verdicts(found: PriceExplanation) -> list[tuple[int | None, str, str]]:
    return [
        (reason.place, reason.customer_agreement.agreement.code, reason.verdict)
        for reason in found.prices
    ]


def test_price_explanation_matches_the_sold_price_and_visibility(db: None) -> None:
    """Check every product of a random catalogue for random customers."""
    with platform_scope(reason="test"):
        world = World(20260)
        for context, _oracle in world.customers:
            ids = [product.pk for product in world.products]
            offers = get_offers(context=context, product_ids=ids)
            reasons = [
                row
                for at in range(0, len(ids), 100)
                for row in explain_prices(context=context, product_ids=ids[at : at + 100])
            ]
            assert len(reasons) == len(offers)
            for row in reasons:
                product, offer = row.offer.product, offers[row.offer.product.pk]
                winners = [reason.price for reason in row.prices if reason.is_winner]
                assert winners == ([] if offer.price_source is None else [offer.price]), product
                is_visible = any(reason.lets_through for reason in row.visibility_reasons)
                assert is_visible == offer.visible, product
                for reason in row.visibility_reasons:
                    assert reason.lets_through == bool(reason.includes and not reason.excludes), (
                        product,
                        reason,
                    )


def test_price_explanation_adopts_the_first_priority_and_lists_the_other(
    enterprise: Enterprise, pen: Product
) -> None:
    for code, priority, price in (("A", 20, "7.00"), ("B", 10, "8.00")):
        agreement = AgreementFactory(code=code)
        create_customer_agreement(enterprise.group, agreement, priority=priority)
        PriceListItemFactory(price_list=agreement.price_list, product=pen, price=Decimal(price))

    assert list_verdicts(explain_price(enterprise, pen)) == [
        (1, "B", "采用"),
        (2, "A", "未采用：顺位在后"),
    ]


def test_price_explanation_names_the_dates_of_invalid_lists(
    enterprise: Enterprise, pen: Product
) -> None:
    ended = AgreementFactory(code="OLD", valid_to=date(2021, 1, 1))
    coming = AgreementFactory(code="NEW", price_list=PriceListFactory(valid_from=date(2990, 1, 1)))
    for priority, agreement in enumerate((ended, coming)):
        create_customer_agreement(enterprise.group, agreement, priority=priority)
        PriceListItemFactory(price_list=agreement.price_list, product=pen)

    explanation = explain_price(enterprise, pen)

    assert list_verdicts(explanation) == [
        (None, "OLD", "未采用：协议 2021-01-01 已到期"),
        (None, "NEW", "未采用：价目表 2990-01-01 起生效"),
    ]
    assert explanation.offer.price == Decimal("10.00")


def test_visibility_reason_names_the_excluding_rule(enterprise: Enterprise, pen: Product) -> None:
    agreement = AgreementFactory()
    create_customer_agreement(enterprise.group, agreement)
    include_in_assortment(agreement.assortment)
    exclude_from_assortment(agreement.assortment, pen.brand)

    reason = explain_price(enterprise, pen).visibility_reasons[0]

    assert (reason.lets_through, reason.includes, reason.excludes) == (
        False,
        ("全部商品",),
        (f"品牌 {pen.brand.name}",),
    )


def test_visibility_without_an_agreement_follows_the_public_catalogue(
    enterprise: Enterprise,
) -> None:
    hidden = ProductFactory(is_public=False)

    reason = explain_price(enterprise, hidden).visibility_reasons[0]

    assert (reason.title, reason.lets_through, reason.includes) == ("公开商品目录", False, ())


def test_price_explanation_takes_five_queries_for_any_number_of_products(
    enterprise: Enterprise,
) -> None:
    products = [ProductFactory() for _ in range(5)]
    agreement = AgreementFactory()
    create_customer_agreement(enterprise.group, agreement)
    include_in_assortment(agreement.assortment)
    context = context_of(enterprise)

    for ids in ([products[0].pk], [product.pk for product in products]):
        with assert_queries(5):
            explain_prices(context=context, product_ids=ids)
