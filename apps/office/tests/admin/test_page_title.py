"""The path of names at the top of each page of the back office."""

from __future__ import annotations

import re

import pytest

from apps.org.tests.office import create_staff, open_office


@pytest.mark.parametrize(
    ("address", "names"),
    [
        ("/admin/orders/order/", ["订单"]),
        ("/admin/orders/shipment/", ["订单", "发货单"]),
    ],
)
def test_an_app_named_like_its_list_is_named_once(db: None, address: str, names: list[str]) -> None:
    page = open_office(create_staff("客服")).get(address).content.decode()
    [title] = re.findall(r"<h1.*?</h1>", page, re.DOTALL)

    links = re.findall(
        r"<(?:a|span)[^>]*align-middle inline-block[^>]*min-w-0[^>]*>([^<]*)<", title
    )
    assert [text.strip() for text in links] == names
