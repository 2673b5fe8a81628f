"""The sheets of devices, compatibilities, cross references, rules and arrivals: what they write,
what they refuse, and that an export can be imported again.
"""

from __future__ import annotations

from typing import Any

import pytest

from apps.catalog.errors import ImportRefused
from apps.catalog.services.imports import import_apply
from apps.catalog.services.imports.export import export_header, export_rows
from apps.catalog.tests.factories import ProductFactory, create_category_path
from apps.catalog.tests.sheets import Rows
from apps.finders.models import (
    CrossReference,
    Device,
    DeviceCompatibility,
    DeviceName,
    ExpectedArrival,
    SubstituteRule,
)

pytestmark = pytest.mark.django_db
BRANDS = (("名称", "英文名", "排序"), ("惠普", "HP", "1"))
DEVICES = (
    ("设备品牌", "机型", "别名", "类型"),
    ("惠普", "LaserJet M1005", "M1005；1005", "一体机"),
)
FITS = ("设备品牌", "机型", "商品编码", "性质", "说明")
REFERENCES = ("对方品牌", "对方型号", "对方品名", "我方商品编码", "关系", "说明")


@pytest.fixture(autouse=True)
def _platform(platform: None) -> None:
    ProductFactory(code="120199")
    create_category_path()
    load("device_brands", *BRANDS)
    load("devices", *DEVICES)


def load(kind: str, *rows: tuple[str, ...]) -> None:
    import_apply(actor=None, kind=kind, source=Rows(*rows))


def list_errors(kind: str, *rows: tuple[str, ...]) -> list[str]:
    with pytest.raises(ImportRefused) as refused:
        load(kind, *rows)
    return [str(error) for error in refused.value.report.errors]


def list_keys() -> list[str]:
    return sorted(DeviceName.objects.values_list("key", flat=True))


def test_a_device_has_the_keys_of_its_model_and_aliases_with_and_without_the_brand() -> None:
    own = ["1005", "laserjetm1005", "m1005"]

    assert list_keys() == sorted(
        [*own, *(f"hp{key}" for key in own), *(f"惠普{key}" for key in own)]
    )


def test_a_changed_alias_and_a_changed_brand_change_the_keys() -> None:
    load("devices", DEVICES[0], ("惠普", "laserjet-M1005", "", "打印机"))
    load("device_brands", BRANDS[0], ("惠普", "", "1"))

    assert (Device.objects.count(), list_keys()) == (1, ["laserjetm1005", "惠普laserjetm1005"])


def test_a_pair_of_device_and_product_is_written_once_and_updated() -> None:
    load("device_compatibilities", FITS, ("惠普", "laserjet m1005", "120199", "兼容", ""))
    load("device_compatibilities", FITS, ("惠普", "LaserJet M1005", "120199", "原装", "标准装"))

    row = DeviceCompatibility.objects.get()
    assert (row.product.code, row.kind, row.note) == ("120199", "original", "标准装")


@pytest.mark.parametrize(
    ("kind", "rows", "message"),
    [
        ("devices", (DEVICES[0], ("华为", "B5", "", "")), "没有设备品牌“华为”"),
        ("devices", (DEVICES[0], ("惠普", "--", "", "")), "机型至少包含一个字母"),
        (
            "device_compatibilities",
            (FITS, ("惠普", "M9", "120199", "", "")),
            "没有这个品牌的这个机型",
        ),
        (
            "device_compatibilities",
            (FITS, ("惠普", "LaserJet M1005", "999", "", "")),
            "没有编码为 999 的商品",
        ),
        (
            "cross_references",
            (REFERENCES, ("惠普", "", "", "120199", "等同", "")),
            "请填写对方型号",
        ),
        (
            "cross_references",
            (REFERENCES, ("惠普", "Q2612A", "", "120199", "相近", "")),
            "相近的商品请写明差别",
        ),
        (
            "substitute_rules",
            (("类目编码", "属性", "要求"), ("NONE", "颜色", "必须相同")),
            "没有编码为 NONE 的类目",
        ),
        (
            "expected_arrivals",
            (("商品编码", "预计到货日", "预计数量"), ("120199", "2026-12-01", "0")),
            "请填写 1 到",
        ),
    ],
)
def test_a_wrong_row_is_refused_by_its_cell(
    kind: str, rows: tuple[tuple[str, ...], ...], message: str
) -> None:
    errors = list_errors(kind, *rows)

    assert len(errors) == 1
    assert message in errors[0]


def test_every_export_can_be_imported_again_without_a_change() -> None:
    code = create_category_path("办公", "书写", "中性笔").code
    load("device_compatibilities", FITS, ("惠普", "LaserJet M1005", "120199", "兼容", "说明"))
    load("cross_references", REFERENCES, ("惠普", "Q2612A", "12A", "120199", "等同", ""))
    load("substitute_rules", ("类目编码", "属性", "要求"), (code, "颜色", "必须相同"))
    load(
        "expected_arrivals",
        ("商品编码", "预计到货日", "预计数量"),
        ("120199", "2026-12-01", "200"),
    )
    models: tuple[Any, ...] = (
        Device,
        DeviceCompatibility,
        CrossReference,
        SubstituteRule,
        ExpectedArrival,
    )
    before = [list(model.objects.values()) for model in models]
    for kind in (
        "device_brands",
        "devices",
        "device_compatibilities",
        "cross_references",
        "substitute_rules",
        "expected_arrivals",
    ):
        rows = [
            tuple("" if cell is None else str(cell) for cell in row)
            for row in export_rows(kind=kind)
        ]
        assert len(rows) == 1
        load(kind, tuple(export_header(kind=kind)), *rows)

    assert [list(model.objects.values()) for model in models] == before
