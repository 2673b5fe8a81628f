"""Tests of the scripts of search fields in the back office."""

from __future__ import annotations

import re

import pytest

from apps.common.tenancy import no_scope
from apps.org.models import Account
from apps.org.tests.office import open_office


@pytest.mark.parametrize(
    "path",
    [
        "/admin/catalog/product/add/",
        "/admin/pricing/customeragreement/add/",
        "/admin/org/role/add/",
    ],
)
def test_a_page_loads_select2_once_so_that_its_texts_are_chinese(staff: Account, path: str) -> None:
    with no_scope():
        page = open_office(staff).get(path).content.decode()
    assert re.findall(r"select2\.full[.\w]*\.js", page) == ["select2.full.js"]
    assert page.index("select2.full.js") < page.index("i18n/zh-CN.js")


def test_the_filters_of_a_list_get_chinese_texts(staff: Account) -> None:
    with no_scope():
        page = open_office(staff).get("/admin/orders/order/").content.decode()
    assert "i18n/zh-CN.js" not in page
    assert "office/select2_words.js" in page
