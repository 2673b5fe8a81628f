"""GET /api/Product/Rank and its sheet. It reads orders, so it belongs to this app."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.response import Response

from apps.catalog.selectors.pictures import get_image_url
from apps.common.api.access import Access
from apps.common.api.serializers import (
    AnswerSerializer,
    BodySerializer,
    IdTextField,
    MoneyField,
    QuerySerializer,
)
from apps.common.api.views import AuthedRequest, MallViewSet
from apps.common.files.kinds import XLSX_TYPE
from apps.documents.api import build_sheet_response
from apps.orders.enums import RankGap, RankMeasure, RankPeriod, RankScope
from apps.orders.selectors.ranking import (
    RankCategory,
    Ranking,
    RankQuestion,
    RankRow,
    rank_products,
)

TITLES = (
    "名次",
    "上期名次",
    "商品编码",
    "物料号",
    "商品名称",
    "品牌",
    "型号",
    "单位",
    "单价（含税）",
    "市场价（含税）",
    "起订量",
)
OWN_TITLES = ("下单次数", "采购数量", "采购金额（含税）")


class _RankParameters(serializers.Serializer[Any]):
    Scope = serializers.ChoiceField(RankScope.choices, required=False, default=RankScope.ENTERPRISE)
    Period = serializers.ChoiceField(RankPeriod.choices, required=False, default=RankPeriod.MONTH)
    Measure = serializers.ChoiceField(
        RankMeasure.choices, required=False, default=RankMeasure.TIMES
    )
    Cid = IdTextField(error_messages={"invalid": "类目编号只能由数字组成"})


class RankQuerySerializer(_RankParameters, QuerySerializer):
    """GET /api/Product/Rank."""


class RankBodySerializer(_RankParameters, BodySerializer):
    """POST /api/Product/Rank/Export."""


class RankRowSerializer(AnswerSerializer):
    """A product with its place. `Before` is null for a new product. `Times`, `Quantity` and
    `Amount` are null for the industry.
    """

    Place = serializers.IntegerField(source="place")
    Before = serializers.IntegerField(source="before", allow_null=True)
    Times = serializers.IntegerField(source="times", allow_null=True)
    Quantity = serializers.IntegerField(source="quantity", allow_null=True)
    Amount = MoneyField(source="amount", allow_null=True, max_digits=20)
    ProductCode = serializers.CharField(source="offer.product.code")
    ImageUrl = serializers.SerializerMethodField()
    CustomerProductName = serializers.CharField(source="offer.name")
    CustomerCode = serializers.CharField(source="offer.customer_code")
    CustomerPrice = MoneyField(source="offer.shown_price", allow_null=True)
    MallPrice = MoneyField(source="offer.shown_market_price", allow_null=True)
    IsAgreementPrice = serializers.SerializerMethodField()
    Brand = serializers.CharField(source="offer.product.brand.name")
    ModelCode = serializers.CharField(source="offer.product.model_code")
    Unit = serializers.CharField(source="offer.product.unit")
    MinQuantity = serializers.IntegerField(source="offer.product.min_quantity")
    StepQuantity = serializers.IntegerField(source="offer.product.step_quantity")
    Stock = serializers.IntegerField(source="offer.available")
    IsOnSale = serializers.BooleanField(source="offer.is_on_sale")
    Rating = serializers.DecimalField(
        source="offer.product.rating", max_digits=2, decimal_places=1, allow_null=True
    )
    ReviewCount = serializers.IntegerField(source="offer.product.rating_count")

    def get_ImageUrl(self, row: RankRow) -> str:
        return get_image_url(row.offer.product)

    def get_IsAgreementPrice(self, row: RankRow) -> bool:
        return row.offer.price_source is not None


class RankCategorySerializer(serializers.Serializer[RankCategory]):
    CategoryId = serializers.CharField(source="pk")
    Name = serializers.CharField(source="name")
    Count = serializers.IntegerField(source="count")


class RankGapSerializer(serializers.Serializer[Any]):
    Code = serializers.ChoiceField(RankGap.choices, source="value")
    Message = serializers.CharField(source="label")


class RankingSerializer(AnswerSerializer):
    """`From` and `To` are the first and the last counted day. `Whose` is the data scope of the
    counted orders, null for the industry.
    """

    From = serializers.DateField(source="window.since")
    To = serializers.DateField(source="window.last_day")
    Whose = serializers.CharField(source="whose.label", allow_null=True, default=None)
    Categories = RankCategorySerializer(source="categories", many=True)
    Items = RankRowSerializer(source="rows", many=True)
    Gap = RankGapSerializer(source="gap", allow_null=True)


class RankingViewSet(MallViewSet):
    """The most bought products: of the actor's data scope, or of the industry (at least five
    groups).
    """

    access = Access.login()
    serializer_class = RankingSerializer
    pagination_class = None

    @extend_schema(parameters=[RankQuerySerializer], responses=RankingSerializer)
    @action(detail=False, methods=["get"], url_path="Rank")
    def rank(self, request: AuthedRequest) -> Response:
        result = rank_products(
            actor=request.user, question=_build_question(RankQuerySerializer.parse(request))
        )
        return Response(RankingSerializer.answer(result))

    @extend_schema(request=RankBodySerializer, responses={(200, XLSX_TYPE): OpenApiTypes.BINARY})
    @action(detail=False, methods=["post"], url_path="Rank/Export")
    def export(self, request: AuthedRequest) -> HttpResponse:
        """Return the ranking as a sheet."""
        result = rank_products(
            actor=request.user, question=_build_question(RankBodySerializer.parse(request))
        )
        return _render_sheet(result)


def _build_question(parameters: dict[str, Any]) -> RankQuestion:
    return RankQuestion(
        scope=RankScope(parameters["Scope"]),
        period=RankPeriod(parameters["Period"]),
        measure=RankMeasure(parameters["Measure"]),
        category_id=int(parameters["Cid"]) if parameters["Cid"] else None,
    )


def _build_file_name(result: Ranking) -> str:
    question = result.question
    return f"{question.scope.label}_{question.period.label}_{timezone.localdate():%Y%m%d}.xlsx"


def _render_sheet(result: Ranking) -> HttpResponse:
    is_own = result.question.scope == RankScope.ENTERPRISE
    header = (*TITLES, *OWN_TITLES) if is_own else TITLES
    rows = (_build_cells(row, is_own=is_own) for row in result.rows)
    return build_sheet_response(
        _build_file_name(result), header=header, rows=rows, sheet=str(result.question.scope.label)
    )


def _build_cells(row: RankRow, *, is_own: bool) -> tuple[Any, ...]:
    offer, product = row.offer, row.offer.product
    cells = (
        *(row.place, "新上榜" if row.before is None else row.before),
        *(
            product.code,
            offer.customer_code,
            offer.name,
            product.brand.name,
            product.model_code,
            product.unit,
        ),
        *(offer.shown_price, offer.shown_market_price, product.min_quantity),
    )
    return (*cells, row.times, row.quantity, row.amount) if is_own else cells
