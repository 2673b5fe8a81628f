"""The importers of 设备品牌, 机型, 适用机型, 型号对照, 替代规则 and 预计到货."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any

from django.db.models import Q

from apps.catalog.enums import ChangeKind
from apps.catalog.indexing.text import build_model_key, normalise
from apps.catalog.models import Category, Product
from apps.catalog.models.product import MAX_ATTRIBUTE_NAME, MAX_STOCK
from apps.catalog.services.imports import cells
from apps.catalog.services.imports.importer import Importer, PlannedRow
from apps.catalog.services.imports.sheet import Column, Row
from apps.finders.enums import CompatibilityKind, DeviceKind, ReferenceKind, SubstituteMatch
from apps.finders.models import (
    MAX_ALIASES,
    CrossReference,
    Device,
    DeviceBrand,
    DeviceCompatibility,
    ExpectedArrival,
    SubstituteRule,
)
from apps.finders.services.devices import device_names_write


def _build_value_by_text(kinds: Any) -> dict[str, str]:
    """Return the values by the texts that a cell may have: the value, or its label."""
    return {kind.value: kind.value for kind in kinds} | {
        str(kind.label): kind.value for kind in kinds
    }


def parse_product_code(cell: str, today: date) -> str:
    """Return the code of a cell. Refuses anything but digits."""
    return str(cells.build_digits_parser(18, label="商品编码")(cell, today))


class DeviceBrandImporter(Importer[DeviceBrand]):
    """Importer of 设备品牌. A name has one row."""

    kind = "device_brands"
    title = "设备品牌"
    model = DeviceBrand
    change_kind = ChangeKind.SEARCH
    columns = (
        Column("名称", "name", cells.build_text_parser(40), is_key=True, example="惠普"),
        Column("英文名", "english_name", cells.build_text_parser(40), empty="", example="HP"),
        Column("排序", "position", cells.build_integer_parser(0, 1_000_000), empty=0, example="1"),
    )

    def build_row_key(self, row: Row) -> str:
        return str(row.values["name"])

    def prepare(self, rows: Sequence[Row]) -> None:
        names = [row.values["name"] for row in rows]
        self._stored = {brand.name: brand for brand in DeviceBrand.objects.filter(name__in=names)}

    def find(self, row: Row) -> DeviceBrand | None:
        return self._stored.get(row.values["name"])

    def store(self, changed: Sequence[PlannedRow[DeviceBrand]]) -> None:
        """Also derive the keys of the devices of changed brands again."""
        super().store(changed)
        brands = [item.instance.pk for item in changed if item.instance.pk]
        device_names_write(devices=list(Device.objects.filter(brand__in=brands)))


class DeviceImporter(Importer[Device]):
    """Importer of 机型. A brand and a model, compared without marks and case, have one row."""

    kind = "devices"
    title = "机型"
    model = Device
    change_kind = ChangeKind.SEARCH
    export_related = ("brand",)
    columns = (
        Column("设备品牌", "brand_name", cells.build_text_parser(40), is_key=True, example="惠普"),
        Column(
            "机型", "model", cells.build_text_parser(60), is_key=True, example="LaserJet M1005 MFP"
        ),
        Column(
            "别名",
            "aliases",
            cells.build_text_parser(MAX_ALIASES),
            empty="",
            example="M1005；M1005MFP",
        ),
        Column(
            "类型",
            "kind",
            cells.build_choice_parser(_build_value_by_text(DeviceKind)),
            empty=DeviceKind.PRINTER.value,
            example="一体机",
        ),
    )

    def build_row_key(self, row: Row) -> str:
        return f"{row.values['brand_name']} {build_model_key(row.values['model'])}"

    def prepare(self, rows: Sequence[Row]) -> None:
        names = {row.values["brand_name"] for row in rows}
        self._brands = {brand.name: brand for brand in DeviceBrand.objects.filter(name__in=names)}
        keys = [build_model_key(row.values["model"]) for row in rows]
        self._stored = {
            (device.brand_id, device.model_key): device
            for device in Device.objects.filter(
                brand__in=self._brands.values(), model_key__in=keys
            ).select_related("brand")
        }

    def find(self, row: Row) -> Device | None:
        brand = self._brands[row.values["brand_name"]]
        return self._stored.get((brand.pk, build_model_key(row.values["model"])))

    def plan_attributes(self, row: Row) -> dict[str, Any]:
        """Return the values with the brand in place of its name, and the key of the model."""
        values = {**row.values, "model_key": build_model_key(row.values["model"])}
        values["brand"] = self._brands.get(values.pop("brand_name"))
        if values["brand"] is None:
            row.refuse("设备品牌", f"没有设备品牌“{row.values['brand_name']}”，请先导入设备品牌")
        if not values["model_key"]:
            row.refuse("机型", "机型至少包含一个字母、数字或汉字")
        return values

    def list_written_fields(self) -> list[str]:
        """Include the model, because its spelling can differ from the stored one."""
        return ["model", *super().list_written_fields()]

    def store(self, changed: Sequence[PlannedRow[Device]]) -> None:
        """Also write the keys by which the devices are found."""
        super().store(changed)
        device_names_write(devices=[item.instance for item in changed])


class DeviceCompatibilityImporter(Importer[DeviceCompatibility]):
    """Importer of 适用机型. A device and a product have one row."""

    kind = "device_compatibilities"
    title = "适用机型"
    model = DeviceCompatibility
    change_kind = ChangeKind.PRODUCT
    export_related = ("device__brand", "product")
    columns = (
        Column("设备品牌", "brand_name", cells.build_text_parser(40), is_key=True, example="惠普"),
        Column(
            "机型",
            "device_model",
            cells.build_text_parser(60),
            is_key=True,
            example="LaserJet M1005 MFP",
        ),
        Column("商品编码", "product_code", parse_product_code, is_key=True, example="120189"),
        Column(
            "性质",
            "kind",
            cells.build_choice_parser(_build_value_by_text(CompatibilityKind)),
            empty=CompatibilityKind.COMPATIBLE.value,
            example="兼容",
        ),
        Column("说明", "note", cells.build_text_parser(100), empty="", example=""),
    )

    def build_row_key(self, row: Row) -> str:
        values = row.values
        model_key = build_model_key(values["device_model"])
        return f"{values['brand_name']} {model_key} {values['product_code']}"

    def prepare(self, rows: Sequence[Row]) -> None:
        names = {row.values["brand_name"] for row in rows}
        keys = {build_model_key(row.values["device_model"]) for row in rows}
        self._devices = {
            (device.brand.name, device.model_key): device
            for device in Device.objects.filter(
                brand__name__in=names, model_key__in=keys
            ).select_related("brand")
        }
        self._products = {
            product.code: product
            for product in Product.objects.filter(
                code__in=[row.values["product_code"] for row in rows]
            ).only("code", "name")
        }
        self._stored = {
            (row.device_id, row.product_id): row
            for row in DeviceCompatibility.objects.filter(
                device__in=self._devices.values(), product__in=self._products.values()
            )
        }

    def _get_device(self, row: Row) -> Device | None:
        key = row.values["brand_name"], build_model_key(row.values["device_model"])
        return self._devices.get(key)

    def find(self, row: Row) -> DeviceCompatibility | None:
        device, product = self._get_device(row), self._products[row.values["product_code"]]
        return self._stored.get((device.pk, product.pk)) if device else None

    def plan_attributes(self, row: Row) -> dict[str, Any]:
        """Return the values with device and product in place of their names."""
        device, product = self._get_device(row), self._products.get(row.values["product_code"])
        if device is None:
            row.refuse("机型", "没有这个品牌的这个机型，请先导入机型")
        if product is None:
            row.refuse("商品编码", f"没有编码为 {row.values['product_code']} 的商品")
        keys = {"brand_name", "device_model", "product_code"}
        own_values = {name: value for name, value in row.values.items() if name not in keys}
        return {**own_values, "device": device, "product": product}

    def change_key(self, item: PlannedRow[DeviceCompatibility]) -> str:
        """Return the product's code, because the change concerns its page."""
        return str(item.instance.product.code)


class CrossReferenceImporter(Importer[CrossReference]):
    """Importer of 型号对照. A brand, its part number or name, and our product have one row."""

    kind = "cross_references"
    title = "型号对照"
    model = CrossReference
    change_kind = ChangeKind.SEARCH
    export_related = ("product",)
    columns = (
        Column("对方品牌", "brand", cells.build_text_parser(40), is_key=True, example="惠普"),
        Column("对方型号", "part_number", cells.build_text_parser(60), empty="", example="Q2612A"),
        Column("对方品名", "name", cells.build_text_parser(120), empty="", example="12A 黑色硒鼓"),
        Column("我方商品编码", "product_code", parse_product_code, is_key=True, example="120199"),
        Column(
            "关系",
            "kind",
            cells.build_choice_parser(_build_value_by_text(ReferenceKind)),
            required=True,
            example="等同",
        ),
        Column("说明", "note", cells.build_text_parser(100), empty="", example=""),
    )

    @staticmethod
    def _build_keys(row: Row) -> tuple[str, str]:
        values = row.values
        return build_model_key(values.get("part_number", "")), normalise(values.get("name", ""))

    def build_row_key(self, row: Row) -> str:
        part, name = self._build_keys(row)
        return " ".join([row.values["brand"], part or name, row.values["product_code"]])

    def prepare(self, rows: Sequence[Row]) -> None:
        self._products = {
            product.code: product
            for product in Product.objects.filter(
                code__in=[row.values["product_code"] for row in rows]
            ).only("code", "name")
        }
        self._stored = {
            (
                reference.brand,
                reference.part_key,
                reference.name_key,
                reference.product_id,
            ): reference
            for reference in CrossReference.objects.filter(
                brand__in={row.values["brand"] for row in rows},
                product__in=self._products.values(),
            )
        }

    def find(self, row: Row) -> CrossReference | None:
        product = self._products[row.values["product_code"]]
        return self._stored.get((row.values["brand"], *self._build_keys(row), product.pk))

    def plan_attributes(self, row: Row) -> dict[str, Any]:
        """Return the values with the product and the keys of part number and name. One of both is
        required.
        """
        values = dict(row.values)
        code = values.pop("product_code")
        values["product"] = self._products.get(code)
        if values["product"] is None:
            row.refuse("我方商品编码", f"没有编码为 {code} 的商品")
        values["part_key"], values["name_key"] = self._build_keys(row)
        if not values["part_key"] and not values["name_key"]:
            row.refuse("对方型号", "请填写对方型号或对方品名")
        if values.get("kind") == ReferenceKind.NEAR and not values.get("note"):
            row.refuse("说明", "相近的商品请写明差别")
        return values

    def list_written_fields(self) -> list[str]:
        """Include the keys, because the spelling of a part number or name can differ."""
        return [
            "part_key",
            "name_key",
            *(n for n in super().list_written_fields() if n != "product"),
        ]


class SubstituteRuleImporter(Importer[SubstituteRule]):
    """Importer of 替代规则. A category and an attribute have one row."""

    kind = "substitute_rules"
    title = "替代规则"
    model = SubstituteRule
    change_kind = ChangeKind.CATEGORY
    export_related = ("category",)
    columns = (
        Column(
            "类目编码", "category_code", cells.build_text_parser(20), is_key=True, example="110101"
        ),
        Column("类目", "category_name"),
        Column(
            "属性",
            "attribute",
            cells.build_text_parser(MAX_ATTRIBUTE_NAME),
            is_key=True,
            example="颜色",
        ),
        Column(
            "要求",
            "match",
            cells.build_choice_parser(_build_value_by_text(SubstituteMatch)),
            required=True,
            example="必须相同",
        ),
    )

    def build_row_key(self, row: Row) -> str:
        return f"{row.values['category_code']} {row.values['attribute']}"

    def prepare(self, rows: Sequence[Row]) -> None:
        codes = {row.values["category_code"] for row in rows}
        self._categories = {
            category.code: category for category in Category.objects.filter(code__in=codes)
        }
        self._stored = {
            (rule.category_id, rule.attribute): rule
            for rule in SubstituteRule.objects.filter(category__in=self._categories.values())
        }

    def find(self, row: Row) -> SubstituteRule | None:
        category = self._categories[row.values["category_code"]]
        return self._stored.get((category.pk, row.values["attribute"]))

    def plan_attributes(self, row: Row) -> dict[str, Any]:
        """Return the values with the category in place of its code."""
        values = dict(row.values)
        code = values.pop("category_code")
        values["category"] = self._categories.get(code)
        if values["category"] is None:
            row.refuse("类目编码", f"没有编码为 {code} 的类目")
        return values


class ExpectedArrivalImporter(Importer[ExpectedArrival]):
    """Importer of 预计到货. A product has one row."""

    kind = "expected_arrivals"
    title = "预计到货"
    model = ExpectedArrival
    change_kind = ChangeKind.PRODUCT
    export_related = ("product",)
    columns = (
        Column("商品编码", "product_code", parse_product_code, is_key=True, example="120238"),
        Column("预计到货日", "date", cells.parse_day, required=True, example="2026-12-10"),
        Column(
            "预计数量",
            "quantity",
            cells.build_integer_parser(1, MAX_STOCK),
            empty=None,
            example="200",
        ),
    )

    def build_row_key(self, row: Row) -> str:
        return str(row.values["product_code"])

    def prepare(self, rows: Sequence[Row]) -> None:
        codes = [row.values["product_code"] for row in rows]
        self._products = {
            product.code: product
            for product in Product.objects.filter(Q(code__in=codes)).only("code", "name")
        }
        self._stored = {
            arrival.product_id: arrival
            for arrival in ExpectedArrival.objects.filter(product__in=self._products.values())
        }

    def find(self, row: Row) -> ExpectedArrival | None:
        return self._stored.get(self._products[row.values["product_code"]].pk)

    def plan_attributes(self, row: Row) -> dict[str, Any]:
        """Return the values with the product in place of its code."""
        values = dict(row.values)
        code = values.pop("product_code")
        values["product"] = self._products.get(code)
        if values["product"] is None:
            row.refuse("商品编码", f"没有编码为 {code} 的商品")
        return values
