"""Product serializers: the row of a list, and the detail."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from apps.catalog.selectors.families import MemberValues
from apps.common.api.serializers import AnswerSerializer, MoneyField
from apps.pricing.selectors.offers import Offer
from apps.pricing.shared_serializers import OfferSerializer, offer_row
from apps.search.selectors.favorites import FavoriteRow, SavedOffer
from apps.search.selectors.product_detail import Family, ProductDetail, Variant


def serialize_product(offer: Offer) -> dict[str, Any]:
    """Return an offer as JSON: the fields of `offer_row`, its sales and its rating."""
    product = offer.product
    rating = {
        "Rating": None if product.rating is None else str(product.rating),
        "ReviewCount": product.rating_count,
    }
    return offer_row(offer) | {"SalesCount": product.sales_count, **rating}


class ProductRowSerializer(OfferSerializer):
    """A product in a list, with the additional columns of the table view."""

    SalesCount = serializers.IntegerField(source="product.sales_count")
    Rating = serializers.DecimalField(
        source="product.rating", max_digits=2, decimal_places=1, allow_null=True
    )
    ReviewCount = serializers.IntegerField(source="product.rating_count")

    def to_representation(self, instance: Any) -> dict[str, Any]:
        """Return the serialized row, plus the fields that a subclass declares."""
        row = serialize_product(instance)
        for field in self._additional_fields:
            value = field.get_attribute(instance)
            row[str(field.field_name)] = None if value is None else field.to_representation(value)
        return row

    @cached_property
    def _additional_fields(self) -> list[serializers.Field[Any, Any, Any, Any]]:
        declared = ProductRowSerializer._declared_fields
        return [
            field
            for name, field in self.fields.items()
            if name not in declared and not field.write_only
        ]


class CategoryLinkSerializer(AnswerSerializer):
    """A link to a category."""

    CategoryId = serializers.CharField(source="pk")
    Name = serializers.CharField(source="name")


class PriceSourceSerializer(serializers.Serializer[Any]):
    """The agreement that sets the price, and its last day."""

    Code = serializers.CharField(source="agreement_code")
    Name = serializers.CharField(source="agreement_name")
    ValidTo = serializers.DateField(source="valid_to", allow_null=True)


class AttributeSerializer(serializers.Serializer[Any]):
    Name = serializers.CharField()
    Value = serializers.CharField()


def serialize_specs(values: MemberValues) -> list[dict[str, str]]:
    """Return the values of a member of a family as rows of `AttributeSerializer`."""
    return [{"Name": name, "Value": value} for name, value in values]


class VariantSerializer(AnswerSerializer):
    """A product of a family, with its value on each axis. The price is null if the role shows
    none.
    """

    ProductCode = serializers.CharField(source="code")
    ImageUrl = serializers.CharField(source="image_url")
    Specs = serializers.SerializerMethodField()
    InStock = serializers.BooleanField(source="in_stock")
    CustomerPrice = MoneyField(source="price", allow_null=True)

    @extend_schema_field(AttributeSerializer(many=True))
    def get_Specs(self, variant: Variant) -> list[dict[str, str]]:
        return serialize_specs(variant.specs)


class FamilySerializer(AnswerSerializer):
    """The product family of a row. Prices are the customer's own."""

    Code = serializers.CharField(source="code")
    Name = serializers.CharField(source="name")
    Axes = serializers.ListField(
        source="axes", child=serializers.CharField(), help_text="可选项，按选择顺序"
    )
    LowestPrice = MoneyField(
        source="lowest_price", allow_null=True, help_text="符合筛选条件的可买成员的最低价"
    )
    HasPriceRange = serializers.BooleanField(
        source="has_price_range", help_text="这些成员的价格是否不同（页面显示“起”）"
    )


class ListedProductSerializer(ProductRowSerializer):
    """A row of the product list. Variants and Family are present only if the list asked for
    Variants. Family is null for a product without a choice.
    """

    Variants = VariantSerializer(many=True, required=False)
    Family = FamilySerializer(required=False, allow_null=True)


def serialize_family(family: Family | None) -> dict[str, Any]:
    """Return the fields Variants and Family of a product's row as JSON. Empty without a family."""
    if family is None:
        return {"Variants": [], "Family": None}
    return {
        "Variants": VariantSerializer.serialize_all(family.variants),
        "Family": FamilySerializer.answer(family),
    }


class DocumentSerializer(AnswerSerializer):
    """A product document at /api/Product/{ProductCode}/Document/{Id}. Size is in bytes."""

    Id = serializers.CharField(source="pk")
    Kind = serializers.CharField(source="kind_text")
    Title = serializers.CharField(source="title")
    Size = serializers.IntegerField(source="size")


class ComparedProductSerializer(ProductRowSerializer):
    """A product in a comparison. Variants are the products of its family."""

    Variants = VariantSerializer(source="variants", many=True)
    Attributes = serializers.SerializerMethodField()
    SellingPoints = serializers.SerializerMethodField()
    TaxRate = serializers.DecimalField(source="product.tax_rate", max_digits=4, decimal_places=2)
    PriceSource = PriceSourceSerializer(source="price_source", allow_null=True)

    @extend_schema_field(AttributeSerializer(many=True))
    def get_Attributes(self, offer: Offer) -> list[dict[str, str]]:
        return serialize_attributes(offer)

    def get_SellingPoints(self, offer: Offer) -> list[str]:
        return split_selling_points(offer)


def serialize_attributes(offer: Offer) -> list[dict[str, str]]:
    """Return the attributes as name and value, in order."""
    return [{"Name": name, "Value": str(value)} for name, value in offer.product.attributes.items()]


def split_selling_points(offer: Offer) -> list[str]:
    """Return the selling points as a list."""
    return [point for point in offer.product.selling_points.split(";") if point]


class SubstituteDifferenceSerializer(serializers.Serializer[Any]):
    """An attribute in which a substitute differs."""

    Name = serializers.CharField(source="name")
    Value = serializers.CharField(source="value")
    Own = serializers.CharField(source="own", help_text="本商品的值")


class SubstituteSerializer(ProductRowSerializer):
    """A substitute. It agrees with the product in all attributes that must match by category."""

    Differences = SubstituteDifferenceSerializer(source="differences", many=True)
    Quantity = serializers.IntegerField(
        source="quantity",
        help_text="代替所需数量的本商品数量：规格不同的按基本单位折算，并符合起订量与增量",
    )


class ProductDetailSerializer(ProductRowSerializer):
    """The product detail for this customer."""

    ProductName = serializers.CharField(source="product.name")
    Images = serializers.ListField(child=serializers.CharField(), source="images")
    PriceSource = PriceSourceSerializer(source="price_source", allow_null=True)
    Attributes = serializers.SerializerMethodField()
    SellingPoints = serializers.SerializerMethodField()
    Description = serializers.CharField(source="product.description")
    TaxRate = serializers.DecimalField(source="product.tax_rate", max_digits=4, decimal_places=2)
    Barcode = serializers.CharField(source="product.barcode", help_text="条码；空为未填写")
    TaxCode = serializers.CharField(source="product.tax_code")
    ListedAt = serializers.DateField(source="product.listed_at")
    Breadcrumbs = CategoryLinkSerializer(source="path", many=True)
    IsFavorite = serializers.BooleanField(source="is_favorite")
    OwnName = serializers.SerializerMethodField(help_text="集团自有品名；空为沿用协议或商城品名")
    OwnCode = serializers.SerializerMethodField(help_text="集团自有物料号")
    Variants = VariantSerializer(source="variants", many=True)
    Family = FamilySerializer(source="family", allow_null=True)
    Documents = DocumentSerializer(source="documents", many=True)
    Substitutes = SubstituteSerializer(source="substitutes", many=True)
    GoesWith = ProductRowSerializer(source="goes_with", many=True)
    HasDevices = serializers.BooleanField(source="has_devices", help_text="是否有适用机型")

    def get_OwnName(self, detail: ProductDetail) -> str:
        return detail.own_terms[0]

    def get_OwnCode(self, detail: ProductDetail) -> str:
        return detail.own_terms[1]

    @extend_schema_field(AttributeSerializer(many=True))
    def get_Attributes(self, detail: ProductDetail) -> list[dict[str, str]]:
        return serialize_attributes(detail)

    def get_SellingPoints(self, detail: ProductDetail) -> list[str]:
        return split_selling_points(detail)


class ProblemSerializer(serializers.Serializer[Any]):
    """The reason why a product cannot be bought, and a way to solve it."""

    Code = serializers.CharField(source="code")
    Message = serializers.CharField(source="text")


class SavedRowSerializer(ProductRowSerializer):
    """The row of a product that the account keeps in a list. Prices are null if the account can no
    longer see the product, or if its role shows no prices.
    """

    CategoryId = serializers.CharField(source="product.l3_id", help_text="三级类目，用于找同类商品")
    Valid = serializers.SerializerMethodField()
    Problem = ProblemSerializer(source="problem", allow_null=True)

    def get_Valid(self, row: SavedOffer) -> bool:
        return row.problem is None

    def to_representation(self, instance: Any) -> dict[str, Any]:
        """Return no prices and no stock of a product that the person may no longer see."""
        row = dict(super().to_representation(instance))
        return (
            row
            if instance.visible
            else {
                **row,
                "CustomerPrice": None,
                "MallPrice": None,
                "BaseUnitPrice": None,
                "Stock": 0,
            }
        )


class FavoriteRowSerializer(SavedRowSerializer):
    """The row of a favourite or browse record."""

    TargetId = serializers.CharField(source="product.code")
    Type = serializers.IntegerField(source="favorite.type")
    CreatedAt = serializers.DateTimeField(source="favorite.at")
    AddedPrice = MoneyField(
        source="added_price", allow_null=True, help_text="收藏或上次浏览时的单价"
    )
    PriceChange = MoneyField(
        source="price_change", allow_null=True, help_text="现价减当时单价，负数为降价"
    )
    Specs = serializers.SerializerMethodField(help_text="商品族中的可选值；不在商品族中为空")

    @extend_schema_field(AttributeSerializer(many=True))
    def get_Specs(self, row: FavoriteRow) -> list[dict[str, str]]:
        return serialize_specs(row.member_values)
