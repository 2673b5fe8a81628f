"""A product on the wire: the row of lists, and all of it (api.md, Catalogue)."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from apps.catalog.selectors.favorites import FavoriteRow
from apps.catalog.selectors.images import image_url
from apps.catalog.selectors.offers import Offer
from apps.catalog.selectors.product_detail import ProductDetail
from apps.common.api.serializers import AnswerSerializer, MoneyField


def product_row(offer: Offer) -> dict[str, Any]:
    """Return the row on the wire; written out, since a page of rows spends most of its time in the fields (make bench BENCH=speed)."""
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
        "SalesCount": product.sales_count,
        "IsOnSale": offer.is_on_sale,
    }


class ProductRowSerializer(AnswerSerializer):
    """Each product row of api.md, and what the table view shows beside it."""

    ProductCode = serializers.CharField(source="product.code")
    ImageUrl = serializers.SerializerMethodField()
    CustomerProductName = serializers.CharField(source="name")
    CustomerCode = serializers.CharField(source="customer_code")
    CustomerPrice = MoneyField(source="price")
    MallPrice = MoneyField(source="market_price")
    IsAgreementPrice = serializers.SerializerMethodField()
    Brand = serializers.CharField(source="product.brand.name")
    ModelCode = serializers.CharField(source="product.model_code")
    Pack = serializers.CharField(source="product.pack")
    Unit = serializers.CharField(source="product.unit")
    MinQuantity = serializers.IntegerField(source="product.min_quantity")
    StepQuantity = serializers.IntegerField(source="product.step_quantity")
    Stock = serializers.IntegerField(source="available")
    LeadDays = serializers.IntegerField(source="product.lead_days")
    SalesCount = serializers.IntegerField(source="product.sales_count")
    IsOnSale = serializers.BooleanField(source="is_on_sale")

    def get_ImageUrl(self, offer: Offer) -> str:  # noqa: N802 - named after the wire's key
        return image_url(offer.product)

    def get_IsAgreementPrice(self, offer: Offer) -> bool:  # noqa: N802
        return offer.price_source is not None

    def to_representation(self, instance: Any) -> dict[str, Any]:
        """Return the written row, and beside it what a subclass declares."""
        row = product_row(instance)
        for field in self._beside:
            value = field.get_attribute(instance)
            row[str(field.field_name)] = None if value is None else field.to_representation(value)
        return row

    @cached_property
    def _beside(self) -> list[serializers.Field[Any, Any, Any, Any]]:
        declared = ProductRowSerializer._declared_fields
        return [field for name, field in self.fields.items() if name not in declared and not field.write_only]


class CategoryLinkSerializer(AnswerSerializer):
    """A category to go to."""

    CategoryId = serializers.CharField(source="pk")
    Name = serializers.CharField(source="name")


class PriceSourceSerializer(serializers.Serializer[Any]):
    """The agreement that gives the price, and its last day."""

    Code = serializers.CharField(source="agreement_code")
    Name = serializers.CharField(source="agreement_name")
    ValidTo = serializers.DateField(source="valid_to", allow_null=True)


class AttributeSerializer(serializers.Serializer[Any]):
    Name = serializers.CharField()
    Value = serializers.CharField()


class ProductDetailSerializer(ProductRowSerializer):
    """All of a product as this customer may see it."""

    ProductName = serializers.CharField(source="product.name")
    Images = serializers.ListField(child=serializers.CharField(), source="images")
    PriceSource = PriceSourceSerializer(source="price_source", allow_null=True)
    Attributes = serializers.SerializerMethodField()
    SellingPoints = serializers.SerializerMethodField()
    Description = serializers.CharField(source="product.description")
    TaxRate = serializers.DecimalField(source="product.tax_rate", max_digits=4, decimal_places=2)
    TaxCode = serializers.CharField(source="product.tax_code")
    ListedAt = serializers.DateField(source="product.listed_at")
    Breadcrumbs = CategoryLinkSerializer(source="path", many=True)
    IsFavorite = serializers.BooleanField(source="is_favorite")
    Substitutes = ProductRowSerializer(source="substitutes", many=True)
    GoesWith = ProductRowSerializer(source="goes_with", many=True)

    @extend_schema_field(AttributeSerializer(many=True))
    def get_Attributes(self, detail: ProductDetail) -> list[dict[str, str]]:  # noqa: N802
        return [{"Name": name, "Value": str(value)} for name, value in detail.product.attributes.items()]

    def get_SellingPoints(self, detail: ProductDetail) -> list[str]:  # noqa: N802
        return [point for point in detail.product.selling_points.split(";") if point]


class ProblemSerializer(serializers.Serializer[Any]):
    """What is in the way of buying, and what to do about it."""

    Code = serializers.CharField(source="code")
    Message = serializers.CharField(source="text")


class FavoriteRowSerializer(ProductRowSerializer):
    """The product row of what was kept; prices are null where the product may no longer be seen."""

    TargetId = serializers.CharField(source="product.code")
    Type = serializers.IntegerField(source="favorite.type")
    CreatedAt = serializers.DateTimeField(source="favorite.at")
    CustomerPrice = MoneyField(source="price", allow_null=True)
    MallPrice = MoneyField(source="market_price", allow_null=True)
    Valid = serializers.SerializerMethodField()
    Problem = ProblemSerializer(source="problem", allow_null=True)

    def get_Valid(self, row: FavoriteRow) -> bool:  # noqa: N802
        return row.problem is None

    def to_representation(self, instance: Any) -> dict[str, Any]:
        shown = dict(super().to_representation(instance))
        return shown if instance.visible else {**shown, "CustomerPrice": None, "MallPrice": None, "Stock": 0}
