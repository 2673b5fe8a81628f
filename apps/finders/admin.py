"""Back office: devices with the products that fit them, part numbers of other brands, the rules
for substitutes, and expected arrivals.
"""

from __future__ import annotations

from typing import Any

from auditlog.registry import auditlog
from django.contrib import admin
from django.core.exceptions import ValidationError
from django.forms import ModelForm
from django.http import HttpRequest

from apps.catalog.admin.base import CatalogueAdmin
from apps.catalog.admin.imports import ImportExportMixin
from apps.catalog.indexing.text import build_model_key, normalise
from apps.finders.models import (
    CrossReference,
    Device,
    DeviceBrand,
    DeviceCompatibility,
    ExpectedArrival,
    SubstituteRule,
)
from apps.finders.services.devices import cross_reference_save, device_brand_save, device_save
from apps.office.pages import get_request_staff


@admin.register(DeviceBrand)
class DeviceBrandAdmin(ImportExportMixin, CatalogueAdmin):
    import_kinds = ("device_brands",)
    import_key = "名称"
    import_manner = "已有名称的行更新，其余为新增；文件中没有的列保持原值。"
    list_display = ("name", "english_name", "position")
    search_fields = ("name", "english_name")
    search_help_text = "按名称搜索"

    def save_row(self, request: HttpRequest, row: Any) -> None:
        """Save through the service, which also writes the keys of the devices."""
        device_brand_save(actor=get_request_staff(request), brand=row)


class DeviceForm(ModelForm[Device]):
    """Derives the key of the model, so that the same model cannot exist twice."""

    def clean_model(self) -> str:
        model: str = self.cleaned_data["model"]
        self.instance.model_key = build_model_key(model)
        if not self.instance.model_key:
            raise ValidationError("机型至少包含一个字母、数字或汉字")
        return model


@admin.register(Device)
class DeviceAdmin(ImportExportMixin, CatalogueAdmin):
    form = DeviceForm
    import_kinds = ("devices",)
    import_key = "设备品牌与机型"
    import_manner = "已有的机型（不分大小写与符号）更新，其余为新增；文件中没有的列保持原值。"
    list_display = ("model", "brand", "kind", "aliases")
    list_select_related = ("brand",)
    list_filter = ("kind",)
    autocomplete_fields = ("brand",)
    search_fields = ("model", "model_key", "aliases")
    search_help_text = "按机型或别名搜索"

    def save_row(self, request: HttpRequest, row: Any) -> None:
        """Save through the service, which also writes the keys of the device."""
        device_save(actor=get_request_staff(request), device=row)


@admin.register(DeviceCompatibility)
class DeviceCompatibilityAdmin(ImportExportMixin, CatalogueAdmin):
    import_kinds = ("device_compatibilities",)
    import_key = "设备品牌、机型与商品编码"
    import_manner = "已有的一对机型与商品更新，其余为新增；文件中没有的列保持原值。"
    list_display = ("device", "product", "kind", "note")
    list_select_related = ("device__brand", "product")
    list_filter = ("kind",)
    autocomplete_fields = ("device", "product")
    search_fields = ("product__code", "device__model_key")
    search_help_text = "按商品编码或机型搜索"


class CrossReferenceForm(ModelForm[CrossReference]):
    """Derives the keys, so that the constraints of the row can be checked."""

    def clean(self) -> dict[str, Any]:
        values: dict[str, Any] = super().clean() or {}
        self.instance.part_key = build_model_key(values.get("part_number", ""))
        self.instance.name_key = normalise(values.get("name", ""))
        return values


@admin.register(CrossReference)
class CrossReferenceAdmin(ImportExportMixin, CatalogueAdmin):
    form = CrossReferenceForm
    import_kinds = ("cross_references",)
    import_key = "对方品牌、型号或品名与我方商品编码"
    import_manner = "已有的对照更新，其余为新增；文件中没有的列保持原值。"
    list_display = ("brand", "part_number", "name", "product", "kind", "note")
    list_display_links = ("brand", "part_number")
    list_select_related = ("product",)
    list_filter = ("kind",)
    autocomplete_fields = ("product",)
    search_fields = ("part_number", "part_key", "name", "product__code")
    search_help_text = "按对方型号、品名或我方商品编码搜索"

    def save_row(self, request: HttpRequest, row: Any) -> None:
        """Save through the service, which also writes the keys of the row."""
        cross_reference_save(actor=get_request_staff(request), row=row)


@admin.register(SubstituteRule)
class SubstituteRuleAdmin(ImportExportMixin, CatalogueAdmin):
    import_kinds = ("substitute_rules",)
    import_key = "类目编码与属性"
    import_manner = "已有的一对类目与属性更新，其余为新增；文件中没有的列保持原值。"
    list_display = ("category", "attribute", "match")
    list_select_related = ("category",)
    list_filter = ("match",)
    autocomplete_fields = ("category",)
    search_fields = ("category__name", "attribute")
    search_help_text = "按类目或属性搜索"


@admin.register(ExpectedArrival)
class ExpectedArrivalAdmin(ImportExportMixin, CatalogueAdmin):
    import_kinds = ("expected_arrivals",)
    import_key = "商品编码"
    list_display = ("product", "date", "quantity")
    list_select_related = ("product",)
    autocomplete_fields = ("product",)
    search_fields = ("product__code", "product__name")
    search_help_text = "按商品编码或名称搜索"


for model in (
    DeviceBrand,
    Device,
    DeviceCompatibility,
    CrossReference,
    SubstituteRule,
    ExpectedArrival,
):
    auditlog.register(model)
