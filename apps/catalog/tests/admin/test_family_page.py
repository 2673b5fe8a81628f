"""The page of a product family: its matrix, and products that are added and removed."""

from __future__ import annotations

import re

import pytest
from auditlog.models import LogEntry
from django.test import Client

from apps.catalog.models import FamilyMember, Product, ProductFamily
from apps.catalog.tests.factories import ProductFactory, create_category_path, make_family
from apps.org.models import Account


@pytest.fixture
def office(platform: None, client: Client) -> Client:
    client.force_login(Account.objects.create_superuser(username="ops", nickname="运营"))
    return client


@pytest.fixture
def family(platform: None) -> ProductFamily:
    """Two black pens and a red one. A red box of pens is of the same category, outside."""
    category = create_category_path()
    pens: list[Product] = [
        ProductFactory(code=code, category=category, pack=pack, attributes={"颜色": colour})
        for code, colour, pack in (
            ("1", "黑色", "1支"),
            ("2", "黑色", "12支"),
            ("3", "红色", "1支"),
            ("4", "红色", "12支"),
        )
    ]
    return make_family(*pens[:3], axes=("颜色", "规格"))


def open_page(family: ProductFamily, act: str = "change") -> str:
    return f"/admin/catalog/productfamily/{family.pk}/{act}/"


def test_the_matrix_has_a_place_for_each_pair_of_values(
    office: Client, family: ProductFamily
) -> None:
    html = office.get(open_page(family)).content.decode()

    table = re.sub(r"<[^>]+>", " ", html[html.index("office-matrix") : html.rindex("</table>")])
    assert table.split()[1:] == [
        *("颜色", "1支", "12支"),
        *("黑色", "1", "¥10.00", "可用", "100", "·", "在售", "·", "移出"),
        *("2", "¥10.00", "可用", "100", "·", "在售", "·", "移出"),
        *("红色", "3", "¥10.00", "可用", "100", "·", "在售", "·", "移出", "添加"),
    ]


def test_family_member_changes_are_logged(office: Client, family: ProductFamily) -> None:
    box = Product.objects.get(code="4")

    added = office.post(open_page(family, "add-member"), {"product": box.pk, "axis0": "红色"})
    removed = office.post(open_page(family, "remove-member"), {"product_code": "1"})

    assert (added.status_code, removed.status_code) == (302, 302)
    assert list(FamilyMember.objects.values_list("product__code", "values")) == [
        ("2", ["黑色", "12支"]),
        ("3", ["红色", "1支"]),
        ("4", ["红色", "12支"]),
    ]
    assert list(Product.objects.filter(family=family).values_list("code", flat=True)) == [
        *("2", "3", "4")
    ]
    log = LogEntry.objects.get_for_object(family).order_by("-pk")[:2]
    assert [entry.changes for entry in log] == [
        {"members": ["1 黑色 1支", ""]},
        {"members": ["", "4 红色 12支"]},
    ]


def test_product_that_does_not_fit_the_family_is_refused_in_the_form(
    office: Client, family: ProductFamily
) -> None:
    answer = office.post(
        open_page(family, "add-member"),
        {"product": Product.objects.get(code="4").pk, "axis0": "蓝色"},
    )

    assert "商品 4 的“颜色”是“红色”，不能在商品族中写成“蓝色”" in answer.content.decode()
    assert family.members.count() == 3


def test_axes_with_two_equal_members_are_refused_in_the_form(
    office: Client, family: ProductFamily
) -> None:
    answer = office.post(
        open_page(family),
        {"code": "F1", "name": "笔", "category": family.category_id, "axes": "颜色"},
    )

    assert "商品 2 与 1 的可选值同为“黑色”" in answer.content.decode()
    family.refresh_from_db()
    assert family.axes == ["颜色", "规格"]
