"""The customer view (客户所见): staff see a customer's products and prices, and the reasons."""

from __future__ import annotations

from decimal import Decimal

import pytest
from django.test import Client

from apps.catalog.models import Product
from apps.catalog.tests.factories import (
    AgreementFactory,
    PriceListItemFactory,
    ProductFactory,
    create_customer_agreement,
    include_in_assortment,
)
from apps.common.tenancy import platform_scope
from apps.org.models import Account, Enterprise
from apps.org.tests.office import create_staff, open_office

SEEN = "/admin/pricing/customeragreement/seen/"


@pytest.fixture
def pen(enterprise: Enterprise) -> Product:
    """A pen with a market price of 10 元 and an agreed price of 8 元. It is the only product of
    the customer's catalogue.
    """
    pen: Product = ProductFactory(
        code="110001", name="晨光中性笔", market_price=Decimal("10.00"), min_quantity=12
    )
    agreement = AgreementFactory(name="年度协议")
    create_customer_agreement(enterprise.group, agreement)
    include_in_assortment(agreement.assortment, pen)
    PriceListItemFactory(price_list=agreement.price_list, product=pen, price=Decimal("8.00"))
    return pen


@pytest.fixture
def desk(pen: Product) -> Client:
    return open_office(create_staff("商品"))


def look(desk: Client, words: str, **customer: object) -> str:
    answer = desk.get(SEEN, {"words": words, **customer})
    assert answer.status_code == 200
    return answer.content.decode()


def test_customer_view_shows_the_adopted_list_the_price_and_the_rule(
    desk: Client, enterprise: Enterprise
) -> None:
    page = look(desk, "110001", enterprise=enterprise.pk)

    assert page.count("<td>采用</td>") == 1
    assert "<b>¥8.00</b><small>年度协议</small>" in page
    assert "<td>该商品</td>" in page
    assert "12，每次加 1" in page


def test_a_product_is_found_by_a_part_of_its_name_though_the_customer_does_not_see_it(
    desk: Client, enterprise: Enterprise
) -> None:
    ProductFactory(code="220002", name="红色印泥")

    page = look(desk, "印泥", enterprise=enterprise.pk)

    assert "220002" in page
    assert "不放行：没有规则包含它" in page


def test_words_that_mean_no_product_are_named(desk: Client, enterprise: Enterprise) -> None:
    assert "没有找到：999999" in look(desk, "110001\n999999", enterprise=enterprise.pk)


def test_more_than_a_hundred_products_are_refused(desk: Client, enterprise: Enterprise) -> None:
    page = look(desk, ",".join(str(900000 + n) for n in range(101)), enterprise=enterprise.pk)

    assert "一次最多 100 个商品，现在有 101 个" in page


def test_an_enterprise_of_another_group_is_refused(
    desk: Client, other_ga: Account, enterprise: Enterprise
) -> None:
    assert "不属于星澜集团" in look(
        desk, "110001", enterprise=enterprise.pk, group=other_ga.group_id
    )


def test_the_list_shows_the_customers_rows_at_his_prices(
    desk: Client, enterprise: Enterprise
) -> None:
    ProductFactory(code="220002")

    page = desk.get(f"{SEEN}list/", {"enterprise": enterprise.pk}).content.decode()

    assert "共 1 种" in page
    assert '<td class="is-number">¥8.00</td><td class="is-number">¥10.00</td>' in page
    assert "220002" not in page


def test_customer_view_requires_the_agreement_permission(pen: Product) -> None:
    finance = open_office(create_staff("财务"))

    assert [finance.get(address).status_code for address in (SEEN, f"{SEEN}list/")] == [403, 403]


@pytest.mark.parametrize("field", ["group", "enterprise"])
def test_catalogue_staff_search_customers_by_name(
    desk: Client, enterprise: Enterprise, field: str
) -> None:
    query = {
        "app_label": "pricing",
        "model_name": "customeragreement",
        "field_name": field,
        "term": "云帆",
    }

    with platform_scope(reason="test"):
        answer = desk.get("/admin/autocomplete/", query)

    assert answer.status_code == 200
    assert [row["id"] for row in answer.json()["results"]] == [
        str(enterprise.group_id if field == "group" else enterprise.pk)
    ]
