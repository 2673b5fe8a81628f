"""Columns of a customer's own sheet, which staff import for it."""

from __future__ import annotations

import re

from auditlog.models import LogEntry
from django.core.files.uploadedfile import SimpleUploadedFile

from apps.catalog.tests.factories import PriceListFactory, ProductFactory
from apps.common.models import ColumnMapping
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


def test_staff_clear_the_columns_of_one_customer(staff: Account) -> None:
    with platform_scope(reason="test"):
        first, second = EnterpriseFactory(), EnterpriseFactory()
    columns = {"单价": "协议价"}
    for enterprise_id in (0, first.pk, second.pk):
        ColumnMapping.objects.create(
            kind="price_items", enterprise_id=enterprise_id, columns=columns
        )
    office = open_office(staff)
    with no_scope():
        page = office.get(PATH).content.decode()
        cleared = {"kind": "price_items", "forget": str(first.pk), "confirm": "1"}
        office.post(PATH, cleared)
        again = office.post(PATH, cleared)

    assert f"清除{first.name}的列对应" in page
    assert "没有记住的列对应，可能已被清除" in again.content.decode()
    left = ColumnMapping.objects.values_list("enterprise_id", flat=True)
    assert sorted(left) == [0, second.pk]
    entry = LogEntry.objects.get(action=LogEntry.Action.DELETE)
    assert (entry.actor_id, entry.changes) == (staff.pk, {"列对应": ["单价 → 协议价", ""]})


def test_columns_are_cleared_after_a_confirmation_that_lists_them(staff: Account) -> None:
    with platform_scope(reason="test"):
        customer = EnterpriseFactory()
    ColumnMapping.objects.create(kind="price_items", columns={"货号": "商品编码"})
    ColumnMapping.objects.create(
        kind="price_items", enterprise_id=customer.pk, columns={"单价": "协议价", "备注": ""}
    )
    office = open_office(staff)
    with no_scope():
        asked = office.post(PATH, {"kind": "price_items", "forget": str(customer.pk)})
        nothing = office.post(PATH, {"kind": "price_items", "forget": "999999"})

    page = asked.content.decode()
    assert f"<dt>客户企业</dt><dd>{customer.name}</dd>" in page
    assert "<dt>将清除</dt><dd>单价 → 协议价；备注 → 不导入</dd>" in page
    assert "没有记住的列对应，可能已被清除" in nothing.content.decode()
    assert ColumnMapping.objects.count() == 2
