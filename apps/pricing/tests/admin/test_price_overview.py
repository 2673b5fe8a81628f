"""价格说明 and the four entries of prices in the menu."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from apps.org.tests.office import create_staff, open_office

OVERVIEW = "/admin/pricing/pricelist/overview/"


@pytest.fixture
def office(platform: None) -> Client:
    return open_office(create_staff("商品"))


def open_page(office: Client, address: str) -> str:
    answer = office.get(address)
    assert answer.status_code == 200
    return answer.content.decode()


def test_the_overview_names_and_opens_every_page_of_prices(office: Client) -> None:
    page = open_page(office, OVERVIEW)
    body = page[page.index('class="office-wide"') :]
    links = re.findall(r'class="is-short"><a href="([^"]+)">([^<]+)</a>', body)

    assert [title for _link, title in links] == [
        "客户协议",
        "协议",
        "商品范围",
        "客户品名与物料号",
        "价目表",
        "价目",
        "批量调价",
        "价格预警",
        "价格变动",
        "客户所见",
    ]
    assert [office.get(link).status_code for link, _title in links] == [200] * 10


def test_pricing_menu_has_four_entries_and_tabs_to_related_pages(office: Client) -> None:
    page = open_page(office, "/admin/pricing/pricelistitem/")
    menu = page[page.index('id="nav-sidebar"') :]
    start = menu.index("价格与协议")
    group = menu[start : menu.find("客户组织", start)] if "客户组织" in menu else menu[start:]

    assert re.findall(r'href="(/admin/pricing/[^"]+)"', group)[:4] == [
        OVERVIEW,
        "/admin/pricing/customeragreement/",
        "/admin/pricing/pricelist/",
        "/admin/pricing/pricealarm/",
    ]
    tabs = page[page.index('aria-label="相关页面"') :][:1000]
    assert [
        f"/admin/pricing/{model}/" in tabs for model in ("pricelist", "pricelistitem", "pricebatch")
    ] == [True, True, True]


def test_price_overview_requires_the_price_permission(platform: None) -> None:
    assert open_office(create_staff("系统")).get(OVERVIEW).status_code == 403
