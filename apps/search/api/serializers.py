"""Request and response serializers of the catalogue's routes. The product rows are in
shared_serializers.py.
"""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from apps.catalog.shared_serializers import ProductCodeField
from apps.common.api.serializers import (
    AnswerSerializer,
    BodySerializer,
    IdTextField,
    MoneyField,
    PartialSerializer,
    QuerySerializer,
    WholeField,
)
from apps.finders.enums import ReferenceKind
from apps.search.api.image_search import ImageHeadSerializer
from apps.search.enums import PhraseKind, ProductFilter, ProductSort
from apps.search.selectors.product_detail import MAX_COMPARED
from apps.search.shared_serializers import CategoryLinkSerializer, ListedProductSerializer

NEGATIVE_PRICE = "价格不能为负数"
NOTHING_CHOSEN = "请选择要对比的商品"
# Number of different attributes. Each one costs the facets and the suggestions of an empty list
# another pass over the products.
MAX_ATTRIBUTES = 10
GROUPS = ("family",)
YES_NO = ("1", "0", "true", "false")
MAX_MILLISECONDS = 4_102_444_800_000  # the year 2100


class BaseUnitPriceField(MoneyField):
    """A bound of the price per base unit (折合单价), in 元 with at most four decimals."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(
            max_digits=10,
            decimal_places=4,
            min_value=0,
            error_messages={"min_value": NEGATIVE_PRICE},
            **kwargs,
        )


class ProductQuerySerializer(QuerySerializer):
    """GET /api/Product. Brand takes ids or names. Attr is `name:value`. Both can be repeated;
    Attr can use at most ten names.
    """

    Keyword = serializers.CharField(required=False, allow_blank=True, default="", max_length=100)
    Cid = IdTextField(error_messages={"invalid": "类目编号只能由数字组成"})
    Brand = serializers.ListField(
        child=serializers.CharField(max_length=60), required=False, default=list, max_length=50
    )
    MinPrice = MoneyField(required=False, min_value=0, error_messages={"min_value": NEGATIVE_PRICE})
    MaxPrice = MoneyField(required=False, min_value=0, error_messages={"min_value": NEGATIVE_PRICE})
    BaseUnit = serializers.CharField(
        required=False, allow_blank=True, default="", max_length=10, help_text="基本单位，如 支"
    )
    MinBaseUnitPrice = BaseUnitPriceField(required=False)
    MaxBaseUnitPrice = BaseUnitPriceField(required=False)
    InStock = serializers.ChoiceField(YES_NO, required=False, default="0")
    Agreed = serializers.ChoiceField(YES_NO, required=False, default="0", help_text="只看协议商品")
    Attr = serializers.ListField(
        child=serializers.CharField(max_length=200), required=False, default=list, max_length=50
    )
    ImageKey = serializers.CharField(
        required=False, allow_blank=True, default="", max_length=64, help_text="以图搜索的结果"
    )
    Sort = serializers.ChoiceField(ProductSort.choices, required=False, default=ProductSort.DEFAULT)
    Facets = serializers.ChoiceField(YES_NO, required=False, default="1")
    Total = serializers.ChoiceField(YES_NO, required=False, default="1")
    Variants = serializers.ChoiceField(
        YES_NO, required=False, default="0", help_text="每行附同款可选规格"
    )
    Group = serializers.ChoiceField(
        GROUPS,
        required=False,
        allow_blank=True,
        default="",
        help_text="family：同一商品族合为一行，总数与筛选计数按行计",
    )

    def validate_Attr(self, values: list[str]) -> list[tuple[str, tuple[str, ...]]]:
        """Return the chosen values by attribute name, as pairs. The input is 名称:值."""
        values_by_name: dict[str, list[str]] = {}
        for pair in values:
            name, colon, value = pair.partition(":")
            if not (name and colon and value):
                raise serializers.ValidationError("属性筛选请按“名称:值”填写")
            values_by_name.setdefault(name, []).append(value)
        if len(values_by_name) > MAX_ATTRIBUTES:
            raise serializers.ValidationError(
                f"一次最多按 {MAX_ATTRIBUTES} 种属性筛选，请减少后重试"
            )
        return [(name, tuple(chosen_values)) for name, chosen_values in values_by_name.items()]

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Check that no minimum is above its maximum."""
        for name in ("Price", "BaseUnitPrice"):
            lower, upper = attrs.get(f"Min{name}"), attrs.get(f"Max{name}")
            if lower is not None and upper is not None and lower > upper:
                raise serializers.ValidationError({f"Max{name}": ["最高价不能低于最低价"]})
        return attrs


class CategoryFacetSerializer(serializers.Serializer[Any]):
    CategoryId = serializers.CharField(source="id")
    Name = serializers.CharField(source="name")
    Level = serializers.IntegerField(source="level")
    ParentId = serializers.CharField(source="parent_id", allow_null=True)
    Count = serializers.IntegerField(source="count")


class BrandFacetSerializer(serializers.Serializer[Any]):
    BrandId = serializers.CharField(source="id")
    Name = serializers.CharField(source="name")
    Count = serializers.IntegerField(source="count")


class AttributeValueSerializer(serializers.Serializer[Any]):
    Value = serializers.CharField()
    Count = serializers.IntegerField()


class AttributeFacetSerializer(serializers.Serializer[Any]):
    Name = serializers.CharField(source="name")
    Values = serializers.SerializerMethodField()

    @extend_schema_field(AttributeValueSerializer(many=True))
    def get_Values(self, facet: Any) -> list[dict[str, Any]]:
        return [{"Value": value, "Count": count} for value, count in facet.values]


class PriceFacetSerializer(serializers.Serializer[Any]):
    MinPrice = MoneyField(source="lower")
    MaxPrice = MoneyField(source="upper", allow_null=True)
    Count = serializers.IntegerField(source="count")


class FacetsSerializer(AnswerSerializer):
    """Each facet ignores its own filter."""

    Categories = CategoryFacetSerializer(source="categories", many=True)
    Brands = BrandFacetSerializer(source="brands", many=True)
    Attributes = AttributeFacetSerializer(source="attributes", many=True)
    Prices = PriceFacetSerializer(source="prices", many=True)
    InStock = serializers.IntegerField(source="in_stock", help_text="其中有货的件数")
    Agreed = serializers.IntegerField(source="agreed", help_text="其中协议商品的件数")


class DroppedSerializer(serializers.Serializer[Any]):
    """A filter to remove. `Filter` is the parameter to leave out. Price means MinPrice and
    MaxPrice, BaseUnitPrice the two bounds of the price per base unit, All means every filter.
    """

    Filter = serializers.ChoiceField(ProductFilter.choices, source="filter")
    Name = serializers.CharField(source="name", help_text="属性名，仅当 Filter 为 Attr")
    Label = serializers.CharField(source="label", help_text="如“品牌：墨岚”")
    Count = serializers.IntegerField(source="count", help_text="去掉后有多少商品，至多 10000")


class NearWordSerializer(serializers.Serializer[Any]):
    Keyword = serializers.CharField(source="keyword")
    Count = serializers.IntegerField(source="count")


class NoResultSerializer(AnswerSerializer):
    """Suggestions for an empty first page: filters whose removal gives products, single filters
    first, and similar keywords that find something.
    """

    Dropped = DroppedSerializer(source="removable_filters", many=True)
    NearWords = NearWordSerializer(source="near_words", many=True)


class PhrasePartSerializer(AnswerSerializer):
    """A part of the typed keyword that was understood. Searching `Keyword` removes the part.
    A part of kind attribute is searched as a word. A part of kind ignored has no effect, and its
    label says why.
    """

    Kind = serializers.ChoiceField(PhraseKind.choices, source="kind")
    Label = serializers.CharField(source="label", help_text="如“价格 ≤ 10 元”“不含 红色”")
    Keyword = serializers.CharField(source="rest", help_text="去掉这部分后的搜索词，可能为空")


class CrossReferenceSerializer(AnswerSerializer):
    """A part number or name of another brand that the keyword contains, and our product for it."""

    Brand = serializers.CharField(source="reference.brand")
    PartNumber = serializers.CharField(source="reference.label", help_text="对方型号或品名")
    Relation = serializers.ChoiceField(
        ReferenceKind.choices, source="reference.kind", help_text="equal 等同，near 相近"
    )
    Note = serializers.CharField(source="reference.note", help_text="与对方商品的差别")
    ProductCode = serializers.CharField(source="offer.product.code")
    ProductName = serializers.CharField(source="offer.name")


class ProductPageSerializer(serializers.Serializer[Any]):
    """A page of products. Total and Facets are missing if the request did not ask for them."""

    Items = ListedProductSerializer(many=True)
    Total = serializers.IntegerField(required=False)
    TotalIsCapped = serializers.BooleanField(required=False)
    PageIndex = serializers.IntegerField()
    PageSize = serializers.IntegerField()
    Breadcrumbs = CategoryLinkSerializer(many=True)
    Facets = FacetsSerializer(required=False)
    ImageSearch = ImageHeadSerializer(required=False, help_text="仅当按图片查找")
    Understood = serializers.CharField(required=False, help_text="没有字面匹配时，实际按什么词查找")
    Phrase = PhrasePartSerializer(
        many=True, required=False, help_text="搜索词中理解到的条件，可逐项去掉"
    )
    Relaxed = serializers.ListField(
        child=serializers.CharField(),
        required=False,
        help_text="没有同时符合的商品时，已放宽的条件",
    )
    CrossReferences = CrossReferenceSerializer(
        many=True, required=False, help_text="搜索词是其他品牌的型号或品名时，对应的我方商品"
    )
    NoResult = NoResultSerializer(required=False, help_text="仅当第一页没有商品")


class CompareQuerySerializer(QuerySerializer):
    """GET /api/Product/Compare."""

    Code = serializers.ListField(
        child=ProductCodeField(),
        min_length=1,
        max_length=MAX_COMPARED,
        error_messages={
            "max_length": f"一次最多对比 {MAX_COMPARED} 件商品",
            "min_length": NOTHING_CHOSEN,
            "required": NOTHING_CHOSEN,
        },
    )


class OwnNameBodySerializer(PartialSerializer):
    """PATCH /api/Product/{ProductCode}/OwnName. If both fields are empty, the agreement's name
    and code apply again. A missing field does not change.
    """

    CustomerProductName = serializers.CharField(
        max_length=120, allow_blank=True, trim_whitespace=True
    )
    CustomerCode = serializers.CharField(max_length=60, allow_blank=True, trim_whitespace=True)


class SearchBodySerializer(BodySerializer):
    """POST /api/Product/Search."""

    Key = serializers.CharField(
        max_length=100,
        error_messages={
            "blank": "请输入搜索关键词",
            "required": "请输入搜索关键词",
            "null": "请输入搜索关键词",
        },
    )


class ProductSuggestionSerializer(AnswerSerializer):
    """A suggestion row of the spec, with its brand and kind."""

    ProductName = serializers.CharField(source="name")
    Brand = serializers.CharField(source="product.brand.name")
    ProductCode = serializers.CharField(source="product.code")
    Kind = serializers.SerializerMethodField()

    def get_Kind(self, _offer: Any) -> str:
        return "product"


class HistoryQuerySerializer(QuerySerializer):
    """DELETE /api/Search/History."""

    Keyword = serializers.CharField(
        required=False, allow_blank=True, default="", max_length=100, help_text="留空则清除全部"
    )


class SuggestionsSerializer(AnswerSerializer):
    """GET /api/Search/Suggest."""

    Products = ProductSuggestionSerializer(source="products", many=True)
    Categories = serializers.SerializerMethodField()
    Brands = serializers.SerializerMethodField()
    History = serializers.ListField(child=serializers.CharField(), source="history")

    def get_Categories(self, suggestions: Any) -> list[dict[str, str]]:
        return [{"CategoryId": str(pk), "Name": name} for pk, name in suggestions.categories]

    def get_Brands(self, suggestions: Any) -> list[dict[str, str]]:
        return [{"BrandId": str(pk), "Name": name} for pk, name in suggestions.brands]


class HotWordBodySerializer(BodySerializer):
    """POST /api/Product/SupposeCategory. Times are milliseconds since 1970. The default is the
    last three months and 8 words.
    """

    BeginTime = WholeField(min_value=0, max_value=MAX_MILLISECONDS, required=False)
    EndTime = WholeField(min_value=0, max_value=MAX_MILLISECONDS, required=False)
    TopN = WholeField(min_value=1, max_value=50, default=8)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if "BeginTime" in attrs and "EndTime" in attrs and attrs["BeginTime"] > attrs["EndTime"]:
            raise serializers.ValidationError({"EndTime": ["结束时间不能早于开始时间"]})
        return attrs


class HotWordSerializer(serializers.Serializer[Any]):
    Keywords = serializers.CharField(source="keyword")
    IsHighlight = serializers.BooleanField(source="is_highlight")


class C1Serializer(serializers.Serializer[Any]):
    CategoryId = serializers.CharField(source="category.id")
    Name = serializers.CharField(source="category.name")
    CategoryGroup = serializers.CharField(source="group")
    CategoryGroupCode = serializers.CharField(source="group_code")
    ProductCounts = serializers.IntegerField(source="category.count")


class CountedSerializer(serializers.Serializer[Any]):
    """The rows C2 and C3 of the spec."""

    CategoryId = serializers.CharField(source="category.id")
    Name = serializers.CharField(source="category.name")
    ProductCounts = serializers.IntegerField(source="category.count")


class Category3Serializer(serializers.Serializer[Any]):
    C3 = CountedSerializer(source="*")


class Category2Serializer(serializers.Serializer[Any]):
    C2 = CountedSerializer(source="*")
    Category3List = Category3Serializer(source="children", many=True)


class CategoryTreeSerializer(AnswerSerializer):
    """The category tree (spec section 3)."""

    C1 = C1Serializer(source="*")
    Category2List = Category2Serializer(source="children", many=True)
