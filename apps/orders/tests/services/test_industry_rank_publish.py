"""Tests of 行业排行: which figures are published, and that they do not reveal one customer's
orders.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone

from apps.catalog.models import Product
from apps.catalog.tests.factories import ProductFactory
from apps.common.background.periodic import list_periodic_jobs
from apps.common.tenancy import platform_scope, tenant_scope
from apps.common.testing import ApiClient, assert_queries
from apps.orders.models import Order, RankEntry, RankPublication
from apps.orders.services import industry_ranking as publishing
from apps.orders.services.cancellations import order_cancel
from apps.orders.services.industry_ranking import industry_rank_publish
from apps.orders.tests.factories import place_order, settle_in
from apps.org.models import Account
from apps.org.tests.factories import (
    AccountFactory,
    DepartmentFactory,
    EnterpriseFactory,
    GroupFactory,
    RoleFactory,
)

Wish = tuple[Product, int]


def get_months_ago(count: int) -> datetime:
    """Return a moment in the middle of the month that is the given number of months before this
    one.
    """
    day = timezone.localtime().replace(day=1, hour=12)
    for _ in range(count):
        day = (day - timedelta(days=1)).replace(day=1)
    return day + timedelta(days=14)


@pytest.fixture
def houses(db: None) -> list[Account]:
    """One buyer in each of six groups."""
    with platform_scope(reason="test: six groups"):
        return [_house(number) for number in range(6)]


def _house(number: int) -> Account:
    enterprise = EnterpriseFactory(group=GroupFactory(code=f"G{number}"), code=f"E{number}")
    account: Account = AccountFactory(
        department=DepartmentFactory(enterprise=enterprise, code=f"D{number}"),
        username=f"house{number}",
        roles=[RoleFactory(group=enterprise.group)],
    )
    settle_in(account)
    return account


def buy_products(account: Account, *wishes: Wish, months: int = 1) -> Order:
    """Place an order of the group, dated the given number of months ago."""
    with tenant_scope(group_id=account.group_id or 0):
        order = place_order(account, *wishes)
        Order.objects.filter(pk=order.pk).update(submitted_at=get_months_ago(months))
    return order


def publish() -> int:
    with platform_scope(reason="test: the job"):
        return industry_rank_publish()


def get_ranking(account: Account, **parameters: str) -> dict[str, Any]:
    body: dict[str, Any] = (
        ApiClient(account).get("/api/Product/Rank", {"Scope": "industry", **parameters}).body
    )
    return body


def list_codes(body: dict[str, Any]) -> list[str]:
    return [row["ProductCode"] for row in body["Items"]]


def test_ranking_requires_purchases_by_five_groups(
    houses: list[Account],
) -> None:
    five, four = ProductFactory.create_batch(2)
    for house in houses[:4]:
        buy_products(house, (five, 1), (four, 9))
    buy_products(houses[4], (five, 1))

    publish()

    assert list_codes(get_ranking(houses[5])) == [five.code]


def test_repeated_purchases_of_a_group_count_as_one_group(houses: list[Account]) -> None:
    pen: Product = ProductFactory()
    for house in (*houses[:4], *houses[:4], houses[0]):
        buy_products(house, (pen, 1))

    publish()

    assert get_ranking(houses[0])["Gap"]["Code"] == "too_few_groups"


def test_ranking_excludes_a_product_with_more_than_half_of_its_amount_from_one_group(
    houses: list[Account],
) -> None:
    even, lone = ProductFactory.create_batch(2)
    for number, house in enumerate(houses[:5]):
        buy_products(house, (even, 1), (lone, 9 if number == 0 else 2))

    publish()

    assert list_codes(get_ranking(houses[1], Measure="amount")) == [even.code]
    assert list_codes(get_ranking(houses[1], Measure="times")) == [even.code, lone.code]


def test_places_are_shown_without_any_figure(houses: list[Account]) -> None:
    pen: Product = ProductFactory()
    for house in houses[:5]:
        buy_products(house, (pen, 3))

    publish()
    row = get_ranking(houses[0])["Items"][0]

    assert (row["Place"], row["Times"], row["Quantity"], row["Amount"]) == (1, None, None, None)


def test_ranking_renumbers_places_without_hidden_products_and_shares_ties(
    houses: list[Account],
) -> None:
    most, alike, same, hidden = (
        ProductFactory(market_price=price) for price in ("40.00", "10.00", "10.00", "30.00")
    )
    for house in houses[:5]:
        buy_products(house, (most, 1), (alike, 1), (same, 1), (hidden, 1))
    publish()
    Product.objects.filter(pk=hidden.pk).update(is_public=False)

    rows = get_ranking(houses[0], Measure="amount")["Items"]

    assert [(row["ProductCode"], row["Place"]) for row in rows] == [
        (most.code, 1),
        (alike.code, 2),
        (same.code, 2),
    ]


def test_ranking_applies_the_minimum_group_count_to_each_period(
    houses: list[Account],
) -> None:
    pen: Product = ProductFactory()
    for number, house in enumerate(houses[:5]):
        buy_products(house, (pen, 1), months=1 if number < 4 else 5)

    publish()

    assert [
        list_codes(get_ranking(houses[0], Period=period)) for period in ("month", "quarter", "year")
    ] == [
        [],
        [],
        [pen.code],
    ]


def test_the_place_before_is_that_of_the_months_before(houses: list[Account]) -> None:
    riser, faller, new = ProductFactory.create_batch(3)
    for house in houses[:5]:
        buy_products(house, (faller, 5), (riser, 1), months=2)
        buy_products(house, (riser, 9), (faller, 5), (new, 1), months=1)

    publish()
    rows = get_ranking(houses[0], Measure="amount")["Items"]

    assert [(row["ProductCode"], row["Place"], row["Before"]) for row in rows] == [
        (riser.code, 1, 2),
        (faller.code, 2, 1),
        (new.code, 3, None),
    ]


def test_ranking_ignores_current_month_orders_and_orders_after_publication(
    houses: list[Account],
) -> None:
    pen, late = ProductFactory.create_batch(2)
    for house in houses[:5]:
        buy_products(house, (pen, 1))
        buy_products(house, (late, 1), months=0)
    publish()
    for house in houses[:5]:
        buy_products(house, (late, 1))

    assert (publish(), list_codes(get_ranking(houses[0]))) == (0, [pen.code])


def test_a_cancelled_order_does_not_count(houses: list[Account]) -> None:
    pen: Product = ProductFactory()
    orders = [buy_products(house, (pen, 1)) for house in houses[:5]]
    with tenant_scope(group_id=houses[0].group_id or 0):
        order_cancel(actor=houses[0], order_no=orders[0].order_no, reason="买错了")

    publish()

    assert get_ranking(houses[1])["Gap"]["Code"] == "too_few_groups"


def test_ranking_reports_a_separate_gap_code_for_products_outside_the_catalogue(
    houses: list[Account],
) -> None:
    pen: Product = ProductFactory()
    for house in houses[:5]:
        buy_products(house, (pen, 1))
    publish()
    Product.objects.update(is_public=False)

    assert get_ranking(houses[0])["Gap"]["Code"] == "not_in_catalogue"


def test_a_category_keeps_its_first_places_only(
    houses: list[Account], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(publishing, "MAX_PER_CATEGORY", 1)
    first, second = ProductFactory(), ProductFactory()
    Product.objects.filter(pk=second.pk).update(l1=first.l1)
    for house in houses[:5]:
        buy_products(house, (first, 2), (second, 1))

    publish()

    assert list_codes(get_ranking(houses[0], Measure="amount")) == [first.code]


def test_publication_keeps_the_last_two_publications(db: None) -> None:
    this = timezone.localdate().replace(day=1)
    for year in (3, 2, 1):
        RankPublication.objects.create(month=this.replace(year=this.year - year))

    publish()

    assert list(RankPublication.objects.values_list("month", flat=True)) == [
        this,
        this.replace(year=this.year - 1),
    ]
    assert not RankEntry.objects.exists()


def test_the_job_is_run_by_the_clock() -> None:
    assert {job.name: job.every for job in list_periodic_jobs()}[
        "orders.industry_rank"
    ] == timedelta(hours=6)


def test_looking_costs_six_queries(houses: list[Account]) -> None:
    products = ProductFactory.create_batch(3)
    for house in houses[:5]:
        buy_products(house, *((product, 1) for product in products))
    publish()
    client = ApiClient(houses[0])
    client.get("/api/Product/Rank", {"Scope": "industry"})

    with assert_queries(6):
        client.get("/api/Product/Rank", {"Scope": "industry"})
