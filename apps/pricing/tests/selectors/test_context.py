"""The process caches a customer's agreements. Every change to them invalidates the cache,
whichever way it is made.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from decimal import Decimal
from typing import Any

import pytest
from django.db import connection, transaction

from apps.catalog.models import Category, Product
from apps.catalog.tests.factories import (
    AgreementFactory,
    PriceListItemFactory,
    ProductFactory,
    create_customer_agreement,
    include_in_assortment,
)
from apps.common.tenancy import platform_scope
from apps.common.testing import ApiClient
from apps.common.testing.database import assert_queries
from apps.org.models import Account
from apps.pricing.enums import RuleKind, RuleMode
from apps.pricing.models import Agreement, AssortmentRule, CustomerAgreement, PriceList
from apps.pricing.selectors.context import CatalogueContext, get_catalogue_context
from apps.search.selectors.product_list import get_category_path

LONG_AGO = date(2020, 1, 2)
Write = Callable[[Agreement], Any]


@pytest.fixture
def pen(db: None) -> Product:
    """A pen with a market price of 10 元."""
    product: Product = ProductFactory(code="110001", market_price=Decimal("10.00"))
    return product


@pytest.fixture
def agreed(buyer: Account, pen: Product) -> Agreement:
    """The buyer's agreement: it includes the pen's category and sells the pen for 8 元. The
    context of the buyer is already in the cache.
    """
    agreement: Agreement = AgreementFactory()
    create_customer_agreement(buyer.group, agreement)
    include_in_assortment(agreement.assortment, pen.category)
    PriceListItemFactory(price_list=agreement.price_list, product=pen, price=Decimal("8.00"))
    get_catalogue_context(actor=buyer)
    return agreement


def test_cached_catalogue_context_takes_one_query(buyer: Account, agreed: Agreement) -> None:
    with assert_queries(1):
        assert len(get_catalogue_context(actor=buyer).sources) == 1


def test_catalogue_context_is_cached_per_customer(
    buyer: Account, other_ga: Account, agreed: Agreement
) -> None:
    assert get_catalogue_context(actor=other_ga).is_public
    assert not get_catalogue_context(actor=buyer).is_public


WRITES: dict[str, tuple[Write, Callable[[CatalogueContext], bool]]] = {
    "an agreement that ended": (
        lambda _: Agreement.objects.update(valid_to=LONG_AGO),
        lambda now: now.is_public,
    ),
    "a price list that ended": (
        lambda _: PriceList.objects.update(valid_to=LONG_AGO),
        lambda now: now.sources == (),
    ),
    "an agreement taken away": (
        lambda _: CustomerAgreement.objects.all().delete(),
        lambda now: now.is_public,
    ),
    "a rule more": (
        lambda held: AssortmentRule.objects.create(
            assortment=held.assortment, mode=RuleMode.EXCLUDE, kind=RuleKind.ALL
        ),
        lambda now: now.assortments[0].exclude.everything,
    ),
    "a rule less": (
        lambda _: AssortmentRule.objects.all().delete(),
        lambda now: now.assortments[0].include.categories == (),
    ),
    "a category at another level": (
        lambda _: Category.objects.filter(level=3).update(level=2),
        lambda now: now.assortments[0].include.categories[0][0] == 2,
    ),
}


@pytest.mark.parametrize("name", WRITES)
def test_a_write_past_every_service_shows_in_the_next_look(
    name: str, buyer: Account, agreed: Agreement
) -> None:
    write, shows = WRITES[name]
    with platform_scope(reason="test"):
        write(agreed)
    assert shows(get_catalogue_context(actor=buyer))


def test_rolled_back_change_is_not_cached(buyer: Account, agreed: Agreement) -> None:
    with transaction.atomic():
        Agreement.objects.update(valid_to=LONG_AGO)
        assert get_catalogue_context(actor=buyer).is_public
        transaction.set_rollback(True)
    assert not get_catalogue_context(actor=buyer).is_public


def test_a_renamed_category_shows_in_the_next_path(pen: Product) -> None:
    token = get_catalogue_context(actor=None).agreements_token
    assert [category.name for category in get_category_path(pen.l1_id, token=token)] == [
        pen.l1.name
    ]
    Category.objects.filter(pk=pen.l1_id).update(name="改名")
    token = get_catalogue_context(actor=None).agreements_token
    assert [category.name for category in get_category_path(pen.l1_id, token=token)] == ["改名"]


@pytest.mark.django_db(transaction=True)
def test_commit_of_another_connection_shows_in_the_next_request(
    buyer: Account, agreed: Agreement
) -> None:
    client = ApiClient(buyer)
    assert client.get("/api/Product/110001").body["CustomerPrice"] == "8.00"

    def elsewhere() -> None:
        with connection.cursor() as cursor:
            cursor.execute("UPDATE pricing_agreement SET valid_to = %s", [LONG_AGO.isoformat()])
        connection.close()

    with ThreadPoolExecutor(1) as another:
        another.submit(elsewhere).result()
    assert client.get("/api/Product/110001").body["CustomerPrice"] == "10.00"
