"""A product on the wire, as every app that shows products writes it."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from apps.catalog.selectors.images import image_url
from apps.catalog.selectors.offers import Offer
from apps.common.api.serializers import AnswerSerializer, MoneyField


def offer_row(offer: Offer) -> dict[str, Any]:
    """Return what `OfferSerializer` declares; written out: a page of rows spends most of its time in the fields (bench: speed)."""
    product = offer.product
    return {
        "ProductCode": product.code,
        "ImageUrl": image_url(product),
        "CustomerProductName": offer.name,
        "CustomerCode": offer.customer_code,
        "CustomerPrice": str(offer.price),
        "MallPrice": str(offer.market_price),
        "IsAgreementPrice": offer.price_source is not None,
        "Brand": product.brand.name,
        "ModelCode": product.model_code,
        "Pack": product.pack,
        "Unit": product.unit,
        "MinQuantity": product.min_quantity,
        "StepQuantity": product.step_quantity,
        "Stock": offer.available,
        "LeadDays": product.lead_days,
        "IsOnSale": offer.is_on_sale,
    }


class BriefOfferSerializer(AnswerSerializer):
    """A product in short, at the price of whom it is shown to."""

    ProductCode = serializers.CharField(source="product.code")
    ImageUrl = serializers.SerializerMethodField()
    CustomerProductName = serializers.CharField(source="name")
    CustomerPrice = MoneyField(source="price")
    MallPrice = MoneyField(source="market_price")
    Brand = serializers.CharField(source="product.brand.name")
    Unit = serializers.CharField(source="product.unit")
    MinQuantity = serializers.IntegerField(source="product.min_quantity")
    StepQuantity = serializers.IntegerField(source="product.step_quantity")
    Stock = serializers.IntegerField(source="available")

    def get_ImageUrl(self, offer: Offer) -> str:  # noqa: N802 - named after the wire's key
        """Return the address of the main picture."""
        return image_url(offer.product)


class OfferSerializer(BriefOfferSerializer):
    """The same with all that a line for buying shows; `offer_row` writes it."""

    CustomerCode = serializers.CharField(source="customer_code")
    IsAgreementPrice = serializers.SerializerMethodField()
    ModelCode = serializers.CharField(source="product.model_code")
    Pack = serializers.CharField(source="product.pack")
    LeadDays = serializers.IntegerField(source="product.lead_days")
    IsOnSale = serializers.BooleanField(source="is_on_sale")

    def get_IsAgreementPrice(self, offer: Offer) -> bool:  # noqa: N802
        """Return whether an agreement gives the price."""
        return offer.price_source is not None

    def to_representation(self, instance: Any) -> dict[str, Any]:
        return offer_row(instance)
