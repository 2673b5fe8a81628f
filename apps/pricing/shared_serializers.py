"""Serializers of products for all apps that show products."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from apps.catalog.selectors.pictures import get_image_url
from apps.common.api.renderers import Ok
from apps.common.api.serializers import AnswerSerializer, MoneyField
from apps.pricing.selectors.base_unit_prices import compute_shown_base_unit_price
from apps.pricing.selectors.context import CatalogueContext
from apps.pricing.selectors.offers import Offer

VERSION_HEADER = "X-Catalogue-Version"


class CatalogueAnswer(Ok):
    """A successful response with data of one customer's catalogue. Adds the version header."""

    def __init__(self, data: Any, *, context: CatalogueContext) -> None:
        super().__init__(data)
        self[VERSION_HEADER] = context.version


def offer_row(offer: Offer) -> dict[str, Any]:
    """Return the fields of `OfferSerializer`. The code avoids the serializer fields, because
    they would take most of the time of a list page.
    """
    product = offer.product
    each = offer.base_unit_price
    return {
        "ProductCode": product.code,
        "ImageUrl": get_image_url(product),
        "CustomerProductName": offer.name,
        "CustomerCode": offer.customer_code,
        "CustomerPrice": str(offer.price) if offer.is_priced else None,
        "MallPrice": str(offer.market_price) if offer.is_priced else None,
        "IsAgreementPrice": offer.price_source is not None,
        "Brand": product.brand.name,
        "ModelCode": product.model_code,
        "Pack": product.pack,
        "Unit": product.unit,
        "BaseUnit": product.base_unit,
        "Contents": product.contents,
        "BaseUnitPrice": None if each is None else str(each),
        "Tiers": serialize_tiers(offer),
        "MinQuantity": product.min_quantity,
        "StepQuantity": product.step_quantity,
        "Stock": offer.available,
        "LeadDays": product.lead_days,
        "IsOnSale": offer.is_on_sale,
    }


class BaseUnitPriceField(serializers.DecimalField):
    """A price per base unit (折合单价), as it is shown: with two to four decimals."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(
            max_digits=14,
            decimal_places=4,
            allow_null=True,
            help_text="折合单价：每 BaseUnit 的价格（元，含税），2 到 4 位小数",
            **kwargs,
        )

    def to_representation(self, value: Any) -> str:
        return str(value)


def serialize_tiers(offer: Offer) -> list[dict[str, Any]]:
    """Return the rows of `TierSerializer` of an offer. Empty without tiers, and if the viewer's
    role shows no prices.
    """
    rows: list[dict[str, Any]] = []
    for tier in offer.shown_tiers:
        each = compute_shown_base_unit_price(price=tier.price, product=offer.product)
        rows.append(
            {
                "Quantity": tier.quantity,
                "Price": str(tier.price),
                "BaseUnitPrice": None if each is None else str(each),
            }
        )
    return rows


class TierSerializer(AnswerSerializer):
    """A tier (阶梯价): from this quantity on, each unit costs this price."""

    Quantity = serializers.IntegerField(help_text="从这个数量起")
    Price = MoneyField(help_text="每个销售单位的价格（元，含税）")
    BaseUnitPrice = BaseUnitPriceField()


class BriefOfferSerializer(AnswerSerializer):
    """A product in short form, at the customer's price. Prices are null if the caller's role
    shows none.
    """

    ProductCode = serializers.CharField(source="product.code")
    ImageUrl = serializers.SerializerMethodField()
    CustomerProductName = serializers.CharField(source="name")
    CustomerPrice = MoneyField(source="shown_price", allow_null=True)
    MallPrice = MoneyField(source="shown_market_price", allow_null=True)
    Brand = serializers.CharField(source="product.brand.name")
    Unit = serializers.CharField(source="product.unit")
    BaseUnit = serializers.CharField(source="product.base_unit", help_text="基本单位；空为未填写")
    Contents = serializers.IntegerField(
        source="product.contents",
        allow_null=True,
        help_text="一个销售单位的内含数量，按 BaseUnit 计",
    )
    BaseUnitPrice = BaseUnitPriceField(source="base_unit_price")
    MinQuantity = serializers.IntegerField(source="product.min_quantity")
    StepQuantity = serializers.IntegerField(source="product.step_quantity")
    Stock = serializers.IntegerField(source="available")

    def get_ImageUrl(self, offer: Offer) -> str:
        """Return the URL of the main picture."""
        return get_image_url(offer.product)


class OfferSerializer(BriefOfferSerializer):
    """A product with all fields that an order line needs. `offer_row` writes it."""

    CustomerCode = serializers.CharField(source="customer_code")
    IsAgreementPrice = serializers.SerializerMethodField()
    Tiers = serializers.SerializerMethodField(help_text="阶梯价，数量由少到多；没有时为空")
    ModelCode = serializers.CharField(source="product.model_code")
    Pack = serializers.CharField(source="product.pack")
    LeadDays = serializers.IntegerField(source="product.lead_days")
    IsOnSale = serializers.BooleanField(source="is_on_sale")

    def get_IsAgreementPrice(self, offer: Offer) -> bool:
        """Return whether the price comes from an agreement."""
        return offer.price_source is not None

    @extend_schema_field(TierSerializer(many=True))
    def get_Tiers(self, offer: Offer) -> list[dict[str, Any]]:
        """Return the tiers of the price."""
        return serialize_tiers(offer)

    def to_representation(self, instance: Any) -> dict[str, Any]:
        return offer_row(instance)
