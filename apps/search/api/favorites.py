"""/api/Favorite: 收藏 (Type 1) and 浏览记录 (Type 2) of the signed-in account (spec section 7)."""

from __future__ import annotations

from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.response import Response

from apps.catalog.shared_serializers import ProductCodeField
from apps.common.api.access import Access
from apps.common.api.pagination import parse_page
from apps.common.api.renderers import Ok
from apps.common.api.serializers import (
    AnswerSerializer,
    BodySerializer,
    IdTextField,
    QuerySerializer,
)
from apps.common.api.views import DIGITS, AuthedRequest, MallViewSet
from apps.pricing.shared_serializers import CatalogueAnswer
from apps.search.enums import FavoriteType
from apps.search.selectors.favorites import FavoriteCategory, FavoriteFilters, get_favorite_list
from apps.search.services.favorites import (
    MAX_BROWSED,
    MAX_FAVORITES,
    favorite_add,
    favorite_remove,
    favorites_clear,
    favorites_remove,
)
from apps.search.shared_serializers import FavoriteRowSerializer

YES_NO = ("1", "0", "true", "false")
MAX_ROWS_OF: dict[FavoriteType, int] = {
    FavoriteType.FAVORITE: MAX_FAVORITES,
    FavoriteType.BROWSE: MAX_BROWSED,
}
CHOSEN_MESSAGES: dict[str, Any] = {
    "empty": "请先选择商品",
    "required": "请先选择商品",
    "max_length": f"一次最多移除 {MAX_FAVORITES} 种商品",
}


class FavoriteBodySerializer(BodySerializer):
    """POST /api/Favorite/Add: TargetId is a ProductCode."""

    TargetId = ProductCodeField()
    Type = serializers.ChoiceField(FavoriteType.choices, default=FavoriteType.FAVORITE)


class FavoriteQuerySerializer(QuerySerializer):
    Type = serializers.ChoiceField(
        FavoriteType.choices,
        required=False,
        default=FavoriteType.FAVORITE,
        error_messages={"invalid_choice": "Type 只能是 1（收藏）或 2（浏览记录）"},
    )


class FavoriteListQuerySerializer(FavoriteQuerySerializer):
    """GET /api/Favorite. Dropped: only products that are cheaper than when they were added.
    InStock: only products that can be bought now.
    """

    Keyword = serializers.CharField(required=False, allow_blank=True, default="", max_length=100)
    Cid = IdTextField(error_messages={"invalid": "类目编号只能由数字组成"})
    Dropped = serializers.ChoiceField(YES_NO, required=False, default="0")
    InStock = serializers.ChoiceField(YES_NO, required=False, default="0")


class FavoritesBodySerializer(BodySerializer):
    """POST /api/Favorite/Remove."""

    TargetIds = serializers.ListField(
        child=ProductCodeField(),
        allow_empty=False,
        max_length=MAX_FAVORITES,
        error_messages=CHOSEN_MESSAGES,
    )
    Type = serializers.ChoiceField(FavoriteType.choices, default=FavoriteType.FAVORITE)


class FavoriteClearSerializer(BodySerializer):
    """POST /api/Favorite/Clear."""

    Type = serializers.ChoiceField(FavoriteType.choices)


class FavoriteCategorySerializer(serializers.Serializer[FavoriteCategory]):
    CategoryId = serializers.CharField(source="pk")
    Name = serializers.CharField(source="name")
    Count = serializers.IntegerField(source="count")


class FavoriteSummarySerializer(AnswerSerializer):
    """Counts over the account's whole list, regardless of the filters."""

    Total = serializers.IntegerField(source="total")
    Dropped = serializers.IntegerField(source="cheaper", help_text="比收藏时便宜的")
    InStock = serializers.IntegerField(source="buyable", help_text="现在可以购买的")
    Categories = FavoriteCategorySerializer(source="categories", many=True)


class FavoritePageSerializer(serializers.Serializer[Any]):
    """A page of the list. MaxRows is the maximum size of the list."""

    Items = FavoriteRowSerializer(many=True)
    Total = serializers.IntegerField()
    PageIndex = serializers.IntegerField()
    PageSize = serializers.IntegerField()
    MaxRows = serializers.IntegerField()
    Summary = FavoriteSummarySerializer()


class FavoriteViewSet(MallViewSet):
    """Favourites and browse records of the account."""

    access = Access.login()
    serializer_class = FavoriteRowSerializer
    lookup_field = "target_id"
    lookup_value_regex = DIGITS

    @extend_schema(request=FavoriteBodySerializer, responses=OpenApiTypes.NONE)
    @action(detail=False, methods=["post"], url_path="Add")
    def add(self, request: AuthedRequest) -> Response:
        body = FavoriteBodySerializer.parse(request)
        kind = FavoriteType(body["Type"])
        favorite_add(actor=request.user, code=body["TargetId"], kind=kind)
        return Ok(None, message="添加收藏成功" if kind == FavoriteType.FAVORITE else "")

    @extend_schema(
        parameters=[
            FavoriteListQuerySerializer,
            OpenApiParameter("PageIndex", int),
            OpenApiParameter("PageSize", int),
        ],
        responses=FavoritePageSerializer,
    )
    def list(self, request: AuthedRequest) -> Response:
        query = FavoriteListQuerySerializer.parse(request)
        kind = FavoriteType(query["Type"])
        index, size = parse_page(request)
        favorites = get_favorite_list(
            actor=request.user, kind=kind, filters=_build_filters(query), index=index, size=size
        )
        body = {
            "Items": FavoriteRowSerializer.serialize_all(favorites.rows),
            "Total": favorites.total,
            "PageIndex": index,
            "PageSize": size,
            "MaxRows": MAX_ROWS_OF[kind],
            "Summary": FavoriteSummarySerializer.answer(favorites.summary),
        }
        return CatalogueAnswer(body, context=favorites.context)

    @extend_schema(parameters=[FavoriteQuerySerializer], responses=OpenApiTypes.NONE)
    def destroy(self, request: AuthedRequest, target_id: str) -> Response:
        kind = FavoriteType(FavoriteQuerySerializer.parse(request)["Type"])
        favorite_remove(actor=request.user, code=target_id, kind=kind)
        return Ok(None, message="已移除")

    @extend_schema(request=FavoritesBodySerializer, responses=OpenApiTypes.INT)
    @action(detail=False, methods=["post"], url_path="Remove")
    def remove(self, request: AuthedRequest) -> Response:
        body = FavoritesBodySerializer.parse(request)
        removed_count = favorites_remove(
            actor=request.user, codes=body["TargetIds"], kind=FavoriteType(body["Type"])
        )
        return Ok(removed_count, message=f"已移除 {removed_count} 种商品")

    @extend_schema(request=FavoriteClearSerializer, responses=OpenApiTypes.INT)
    @action(detail=False, methods=["post"], url_path="Clear")
    def clear(self, request: AuthedRequest) -> Response:
        kind = FavoriteType(FavoriteClearSerializer.parse(request)["Type"])
        return Ok(favorites_clear(actor=request.user, kind=kind), message=f"{kind.label}记录已清空")


def _build_filters(query: dict[str, Any]) -> FavoriteFilters:
    return FavoriteFilters(
        keyword=query["Keyword"].strip(),
        category_id=int(query["Cid"]) if query["Cid"] else None,
        cheaper_only=query["Dropped"] in ("1", "true"),
        buyable_only=query["InStock"] in ("1", "true"),
    )
