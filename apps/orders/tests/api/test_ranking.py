"""Tests of GET /api/Product/Rank over the account's own orders, and of its export."""

from __future__ import annotations

import io
from datetime import timedelta
from typing import Any

from django.utils import timezone

from apps.catalog.models import Product
from apps.catalog.tests.factories import ProductFactory, create_category_path
from apps.common.testing import ApiClient, assert_queries
from apps.documents.excel import read_rows
from apps.orders.models import Order
from apps.orders.services.cancellations import order_cancel
from apps.orders.tests.factories import make_rule, place_order
from apps.org.models import Account


def get_ranking(account: Account, **parameters: str) -> dict[str, Any]:
    body: dict[str, Any] = ApiClient(account).get("/api/Product/Rank", parameters).body
    return body


def list_places(body: dict[str, Any]) -> list[tuple[str, int, int | None]]:
    return [(row["ProductCode"], row["Place"], row["Before"]) for row in body["Items"]]


def order_products(account: Account, *wishes: tuple[Product, int], days_ago: int = 0) -> Order:
    order = place_order(account, *wishes)
    Order.objects.filter(pk=order.pk).update(submitted_at=timezone.now() - timedelta(days=days_ago))
    return order


def test_ranking_orders_by_times_or_amount_with_the_figures_of_the_period(shopper: Account) -> None:
    pen, chair = ProductFactory(), ProductFactory(market_price="400.00")
    order_products(shopper, (pen, 3))
    order_products(shopper, (pen, 4), (chair, 1))

    by_times, by_amount = get_ranking(shopper), get_ranking(shopper, Measure="amount")

    assert [
        (row["ProductCode"], row["Place"], row["Times"], row["Quantity"], row["Amount"])
        for row in by_times["Items"]
    ] == [
        (pen.code, 1, 2, 7, "70.00"),
        (chair.code, 2, 1, 1, "400.00"),
    ]
    assert [row["ProductCode"] for row in by_amount["Items"]] == [chair.code, pen.code]


def test_ranking_shows_the_place_of_the_previous_period(shopper: Account) -> None:
    riser, faller, new, gone = ProductFactory.create_batch(4)
    order_products(shopper, (faller, 5), (riser, 2), (gone, 1), days_ago=45)
    order_products(shopper, (riser, 9), (faller, 3), (new, 1))

    assert list_places(get_ranking(shopper, Measure="amount")) == [
        (riser.code, 1, 2),
        (faller.code, 2, 1),
        (new.code, 3, None),
    ]


def test_the_periods_are_the_last_30_90_and_365_days(shopper: Account) -> None:
    pens = [ProductFactory(code=f"70000{n}") for n in range(4)]
    for pen, days in zip(pens, (29, 89, 364, 366), strict=True):
        order_products(shopper, (pen, 1), days_ago=days)

    assert [
        len(get_ranking(shopper, Period=period)["Items"]) for period in ("month", "quarter", "year")
    ] == [1, 2, 3]
    today = timezone.localdate()
    body = get_ranking(shopper, Period="quarter")
    assert (body["From"], body["To"]) == (
        (today - timedelta(days=89)).isoformat(),
        today.isoformat(),
    )


def test_ranking_excludes_cancelled_orders_and_orders_waiting_for_approval(
    shopper: Account, approver: Account
) -> None:
    order_cancel(
        actor=shopper,
        order_no=order_products(shopper, (ProductFactory(), 1)).order_no,
        reason="买错了",
    )
    make_rule(shopper, approver)
    order_products(shopper, (ProductFactory(), 1))

    body = get_ranking(shopper)

    assert (body["Items"], body["Gap"]["Code"]) == ([], "no_orders")


def test_ranking_counts_only_orders_in_the_data_scope_and_names_the_scope(
    shopper: Account, approver: Account, ga: Account
) -> None:
    pen: Product = ProductFactory()
    order_products(shopper, (pen, 1))
    order_products(ga, (pen, 1))

    texts_by_key = {person.username: get_ranking(person) for person in (shopper, approver, ga)}

    assert {
        name: (body["Whose"], body["Items"][0]["Times"]) for name, body in texts_by_key.items()
    } == {
        "buyer": ("仅本人", 1),
        "approver": ("本部门及下级", 2),
        "ga": ("全集团", 2),
    }


def test_ranking_ignores_orders_of_another_group(shopper: Account, other_ga: Account) -> None:
    order_products(shopper, (ProductFactory(), 1))

    assert get_ranking(other_ga)["Items"] == []


def test_ranking_renumbers_places_without_unavailable_products(shopper: Account) -> None:
    hidden, off, pen = ProductFactory.create_batch(3)
    order_products(shopper, (hidden, 9), (off, 8), (pen, 1))
    Product.objects.filter(pk=hidden.pk).update(is_public=False)
    Product.objects.filter(pk=off.pk).update(status="off")

    assert list_places(get_ranking(shopper)) == [(pen.code, 1, None)]


def test_ranking_of_a_category_keeps_the_other_categories_as_choices(
    shopper: Account,
) -> None:
    leaf = create_category_path("书写", "笔", "中性笔")
    pen, paper = (
        ProductFactory(category=leaf),
        ProductFactory(category=create_category_path("纸品")),
    )
    order_products(shopper, (paper, 9), (pen, 1))
    middle = leaf.parent
    assert middle

    for category in (leaf, middle, middle.parent):
        assert category
        body = get_ranking(shopper, Cid=str(category.pk))
        assert list_places(body) == [(pen.code, 1, None)]
        assert sorted((row["Name"], row["Count"]) for row in body["Categories"]) == [
            ("书写", 1),
            ("纸品", 1),
        ]


def test_ranking_of_an_empty_category_reports_its_gap_code(shopper: Account) -> None:
    order_products(shopper, (ProductFactory(), 1))

    assert get_ranking(shopper, Cid="999999999")["Gap"]["Code"] == "category_empty"


def test_a_hundred_places_are_shown_at_most(shopper: Account) -> None:
    category = create_category_path()
    for batch in range(2):
        products = ProductFactory.create_batch(51, category=category)
        order_products(shopper, *((product, batch + 1) for product in products))

    assert len(get_ranking(shopper)["Items"]) == 100


def test_ranking_takes_six_queries_for_any_number_of_products(shopper: Account) -> None:
    client = ApiClient(shopper)
    for count in (1, 5):
        order_products(shopper, *((product, 1) for product in ProductFactory.create_batch(count)))
        client.get("/api/Product/Rank")
        with assert_queries(6):
            client.get("/api/Product/Rank")


def test_a_wrong_question_names_its_parameter(shopper: Account) -> None:
    client = ApiClient(shopper)
    parameters = {"Scope": "all", "Period": "day", "Measure": "profit", "Cid": "x"}

    assert [
        list(client.get("/api/Product/Rank", {name: value}).errors)
        for name, value in parameters.items()
    ] == [[name] for name in parameters]


def test_ranking_export_contains_the_rows_of_the_page(shopper: Account) -> None:
    pen: Product = ProductFactory(name="=中性笔")
    order_products(shopper, (pen, 3))

    answer = ApiClient(shopper).post(
        "/api/Product/Rank/Export", {"Scope": "enterprise", "Period": "year"}
    )
    header, row = read_rows(io.BytesIO(answer.body), max_rows=10, max_columns=20)

    assert header[:2] == ["名次", "上期名次"]
    assert row[:5] == ["1", "新上榜", pen.code, "", "=中性笔"]
    assert row[-3:] == ["1", "3", "30"]


def test_better_rated_product_comes_first_in_a_shared_place(shopper: Account) -> None:
    rows = [ProductFactory() for _ in range(3)]
    order_products(shopper, *((row, 1) for row in rows))
    for row, (count, stars) in zip(rows, [(2, 6), (0, 0), (2, 9)], strict=True):
        Product.objects.filter(pk=row.pk).update(rating_count=count, rating_stars=stars)
    body = get_ranking(shopper)
    assert [(row["ProductCode"], row["Place"], row["Rating"]) for row in body["Items"]] == [
        (rows[2].code, 1, "4.5"),
        (rows[0].code, 1, "3.0"),
        (rows[1].code, 1, None),
    ]
