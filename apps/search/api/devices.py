"""/api/Device and /api/Product/…/Devices: 耗材查找. Visitors see the public catalogue."""

from __future__ import annotations

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from apps.common.api.access import Access
from apps.common.api.serializers import AnswerSerializer, IdTextField, QuerySerializer
from apps.common.api.views import DIGITS, MallViewSet, find_account
from apps.finders.enums import CompatibilityKind, DeviceKind
from apps.pricing.shared_serializers import CatalogueAnswer
from apps.search.selectors.device_finder import (
    get_device_products,
    list_device_brands,
    list_devices,
    list_devices_of_product,
)
from apps.search.shared_serializers import ProductRowSerializer


class DeviceBrandSerializer(AnswerSerializer):
    """A maker of devices."""

    BrandId = serializers.CharField(source="pk")
    Name = serializers.CharField(source="name")
    EnglishName = serializers.CharField(source="english_name")


class DeviceSerializer(AnswerSerializer):
    """A model of a device."""

    DeviceId = serializers.CharField(source="pk")
    BrandId = serializers.CharField(source="brand_id")
    Brand = serializers.CharField(source="brand")
    Model = serializers.CharField(source="model")
    Aliases = serializers.CharField(source="aliases", help_text="别名，分号隔开")
    DeviceKind = serializers.ChoiceField(DeviceKind.choices, source="kind")
    DeviceKindText = serializers.CharField(source="kind_text")


class DeviceQuerySerializer(QuerySerializer):
    """GET /api/Device."""

    BrandId = IdTextField(error_messages={"invalid": "设备品牌编号只能由数字组成"})
    Key = serializers.CharField(
        required=False, allow_blank=True, default="", max_length=60, help_text="机型或别名的开头"
    )


class FittingProductSerializer(ProductRowSerializer):
    """A product that fits the device."""

    CategoryId = serializers.CharField(source="category_id", help_text="三级类目")
    CategoryName = serializers.CharField(source="category_name")
    Compatibility = serializers.ChoiceField(CompatibilityKind.choices, source="kind")
    CompatibilityText = serializers.CharField(source="kind_text", help_text="原装或兼容")
    Note = serializers.CharField(source="note")


class DeviceProductsSerializer(AnswerSerializer):
    """A device with the products that fit it."""

    Device = DeviceSerializer(source="device")
    Items = FittingProductSerializer(source="products", many=True)


class DeviceOfProductSerializer(AnswerSerializer):
    """A device that the product fits."""

    Device = DeviceSerializer(source="device")
    Compatibility = serializers.ChoiceField(CompatibilityKind.choices, source="kind")
    CompatibilityText = serializers.CharField(source="kind_text", help_text="原装或兼容")
    Note = serializers.CharField(source="note")


class DeviceViewSet(MallViewSet):
    """The finder: brand, model, products."""

    access = Access.public()
    paged_actions = ()
    serializer_class = DeviceSerializer
    lookup_field = "device_id"
    lookup_value_regex = DIGITS
    pagination_class = None

    @extend_schema(parameters=[DeviceQuerySerializer], responses=DeviceSerializer(many=True))
    def list(self, request: Request) -> Response:
        parameters = DeviceQuerySerializer.parse(request)
        context, devices = list_devices(
            actor=find_account(request),
            brand_id=int(parameters["BrandId"]) if parameters["BrandId"] else None,
            key=parameters["Key"],
        )
        return CatalogueAnswer(DeviceSerializer.serialize_all(devices), context=context)

    @extend_schema(responses=DeviceBrandSerializer(many=True))
    @action(detail=False, methods=["get"], url_path="Brands")
    def brands(self, _request: Request) -> Response:
        return Response(DeviceBrandSerializer.serialize_all(list_device_brands()))

    @extend_schema(
        parameters=[OpenApiParameter("device_id", int, OpenApiParameter.PATH)],
        responses=DeviceProductsSerializer,
    )
    @action(detail=True, methods=["get"], url_path="Products")
    def products(self, request: Request, device_id: str) -> Response:
        products = get_device_products(actor=find_account(request), device_id=int(device_id))
        return CatalogueAnswer(DeviceProductsSerializer.answer(products), context=products.context)


class ProductDeviceViewSet(MallViewSet):
    """The devices that a product fits."""

    access = Access.public()
    serializer_class = DeviceOfProductSerializer
    lookup_field = "product_code"
    lookup_value_regex = DIGITS
    pagination_class = None

    @extend_schema(responses=DeviceOfProductSerializer(many=True))
    @action(detail=True, methods=["get"], url_path="Devices")
    def devices(self, request: Request, product_code: str) -> Response:
        context, devices = list_devices_of_product(
            actor=find_account(request), product_code=product_code
        )
        return CatalogueAnswer(DeviceOfProductSerializer.serialize_all(devices), context=context)
