"""Columns of a customer's own sheet, which staff import for it."""

from __future__ import annotations

import re

from django.core.files.uploadedfile import SimpleUploadedFile

from apps.catalog.tests.factories import PriceListFactory, ProductFactory
from apps.common.tenancy import no_scope, platform_scope
from apps.org.models import Account, Enterprise
from apps.org.tests.factories import EnterpriseFactory
from apps.org.tests.office import open_office

PATH = "/admin/pricing/pricelistitem/import/"


def test_a_mapping_belongs_to_the_customer_of_the_sheet(staff: Account) -> None:
    with platform_scope(reason="test"):
        first, second = EnterpriseFactory(), EnterpriseFactory()
    PriceListFactory(code="PL")
    office = open_office(staff)
    rows = f"清单,料号,单价\nPL,{ProductFactory(code='700001').code},9.00\n".encode()

    def upload(customer: Enterprise | None) -> str:
        named = {"customer": customer.pk} if customer else {}
        sheet = {"kind": "price_items", "file": SimpleUploadedFile("价目.csv", rows), **named}
        return office.post(PATH, sheet).content.decode()

    with no_scope():
        page = upload(first)
        token = re.search(r'name="token" value="([^"]+)"', page)
        assert token is not None
        chosen = {"column-0": "编码", "column-1": "商品编码", "column-2": "协议价", "map": "1"}
        mapped = office.post(PATH, {"kind": "price_items", "token": token.group(1), **chosen})

        assert "选择会按所选客户记住" in page
        assert "校验通过，尚未导入。价目：共 1 行，新增 1" in mapped.content.decode()
        assert "校验通过" in upload(first)
        assert "单价 对应的内容" in upload(second)
        assert "单价 对应的内容" in upload(None)
        assert "另为 1 家客户记住了各自的列对应" in office.get(PATH).content.decode()
