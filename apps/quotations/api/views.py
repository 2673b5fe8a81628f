"""/api/Quotation, with its request and response bodies. An order from a quotation is a checkout:
`QuotationNo` of /api/Order/Preview and /api/Order.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.response import Response

from apps.common.api.access import Access
from apps.common.api.idempotency import idempotent
from apps.common.api.pagination import build_page_schema
from apps.common.api.renderers import Ok
from apps.common.api.serializers import (
    AnswerSerializer,
    BodySerializer,
    MoneyField,
    PersonSerializer,
    QuerySerializer,
    TimelineRowSerializer,
    build_text_field,
)
from apps.common.api.views import AuthedRequest, MallViewSet
from apps.documents.api import build_attachment_response
from apps.quotations.enums import (
    QuotationAction,
    QuotationEventKind,
    QuotationState,
    QuotationStatus,
)
from apps.quotations.models import Quotation
from apps.quotations.papers import draw_quotation_paper
from apps.quotations.selectors import (
    QuotedLine,
    get_quotation,
    get_quotation_actions,
    get_quotation_detail,
    list_quotations,
)
from apps.quotations.services import quotation_create, quotation_void

PDF_TYPE = "application/pdf"


class QuotationBodySerializer(BodySerializer):
    Remark = build_text_field(300)


class QuotationQuerySerializer(QuerySerializer):
    Keyword = serializers.CharField(max_length=60, required=False, allow_blank=True, default="")
    Status = serializers.ChoiceField(
        choices=QuotationState.choices, required=False, allow_blank=True, default=""
    )
    Ours = serializers.BooleanField(required=False, default=False)


class QuotationRowSerializer(serializers.Serializer[Quotation]):
    """A row of the list. `context["actor"]` is the viewer."""

    QuotationNo = serializers.CharField(source="quotation_no")
    Status = serializers.ChoiceField(choices=QuotationState.choices, source="state")
    StatusText = serializers.CharField(source="state.label")
    CreatedAt = serializers.DateTimeField(source="quoted_at")
    ValidTo = serializers.DateField(source="valid_to")
    Requester = PersonSerializer(source="requester")
    GoodsAmount = MoneyField(source="goods_amount", max_digits=20)
    LineCount = serializers.IntegerField(source="line_count")
    Remark = serializers.CharField(source="remark")
    OrderNo = serializers.CharField(source="order_no")
    AllowedActions = serializers.SerializerMethodField()

    @extend_schema_field(
        serializers.ListField(child=serializers.ChoiceField(choices=QuotationAction.choices))
    )
    def get_AllowedActions(self, quotation: Quotation) -> list[str]:
        """Return the codes of the actions that the viewer can take now."""
        return get_quotation_actions(actor=self.context["actor"], quotation=quotation)


class QuotedLineSerializer(AnswerSerializer):
    """A line. `OrderPrice` is the lower one of the quoted and the present price."""

    Id = serializers.CharField(source="line.pk")
    ProductCode = serializers.CharField(source="line.product_code")
    CustomerCode = serializers.CharField(source="line.customer_code")
    Name = serializers.CharField(source="line.name")
    Brand = serializers.CharField(source="line.brand")
    Pack = serializers.CharField(source="line.pack")
    Unit = serializers.CharField(source="line.unit")
    Quantity = serializers.IntegerField(source="line.quantity")
    QuotedPrice = MoneyField(source="line.price")
    Amount = MoneyField(source="line.amount", max_digits=20)
    CurrentPrice = MoneyField(source="current_price", allow_null=True)
    OrderPrice = MoneyField(
        source="order_price", allow_null=True, help_text="现在下单的单价；仅报价单有效时有值"
    )
    ProblemText = serializers.CharField(source="problem")


class QuotationEventSerializer(TimelineRowSerializer):
    """An event of a quotation."""

    kinds = dict(QuotationEventKind.choices)
    states = dict(QuotationStatus.choices)


class QuotationDetailSerializer(QuotationRowSerializer):
    """A quotation with its lines. `context["detail"]` has lines and timeline."""

    Enterprise = serializers.CharField(source="enterprise.name")
    VoidReason = serializers.CharField(source="void_reason")
    OrderAmount = serializers.SerializerMethodField()
    Lines = serializers.SerializerMethodField()
    Timeline = serializers.SerializerMethodField()

    @extend_schema_field(
        MoneyField(max_digits=20, allow_null=True, help_text="现在可下单商品的金额；仅有效时有值")
    )
    def get_OrderAmount(self, _quotation: Quotation) -> str | None:
        """Return the amount of the goods that can be ordered now."""
        amount: Decimal | None = self.context["detail"].order_amount
        return None if amount is None else str(amount)

    @extend_schema_field(QuotedLineSerializer(many=True))
    def get_Lines(self, _quotation: Quotation) -> Any:
        rows: list[QuotedLine] = self.context["detail"].lines
        return QuotedLineSerializer.serialize_all(rows)

    @extend_schema_field(QuotationEventSerializer(many=True))
    def get_Timeline(self, _quotation: Quotation) -> Any:
        return QuotationEventSerializer(self.context["detail"].timeline, many=True).data


QuotationPage = build_page_schema("QuotationPage", QuotationRowSerializer)


class QuotationViewSet(MallViewSet):
    """Quotations of the cart. Every account of the enterprise whose role shows prices may open
    them.
    """

    access = Access.login()
    serializer_class = QuotationRowSerializer
    lookup_url_kwarg = "quotation_no"

    @extend_schema(parameters=[QuotationQuerySerializer], responses=QuotationPage)
    def list(self, request: AuthedRequest) -> Response:
        query = QuotationQuerySerializer.parse(request)
        rows: Any = self.paginate_queryset(
            list_quotations(
                actor=request.user,
                keyword=query["Keyword"].strip(),
                state=query["Status"],
                is_ours=query["Ours"],
            )
        )
        context = {"actor": request.user}
        return self.get_paginated_response(
            QuotationRowSerializer(rows, many=True, context=context).data
        )

    @extend_schema(responses=QuotationDetailSerializer)
    def retrieve(self, request: AuthedRequest, quotation_no: str) -> Response:
        return Response(self._serialize_detail(request, quotation_no))

    @extend_schema(request=QuotationBodySerializer, responses=QuotationDetailSerializer)
    @idempotent
    def create(self, request: AuthedRequest) -> Response:
        remark = QuotationBodySerializer.parse(request)["Remark"]
        quotation = quotation_create(actor=request.user, remark=remark)
        return Ok(self._serialize_detail(request, quotation.quotation_no), message="报价单已生成")

    @extend_schema(request=None, responses=QuotationDetailSerializer)
    @action(detail=True, methods=["post"], url_path="Void")
    @idempotent
    def void(self, request: AuthedRequest, quotation_no: str) -> Response:
        quotation_void(actor=request.user, quotation_no=quotation_no)
        return Ok(self._serialize_detail(request, quotation_no), message="报价单已作废")

    @extend_schema(responses={(200, PDF_TYPE): OpenApiTypes.BINARY})
    @action(detail=True, methods=["get"], url_path="File")
    def file(self, request: AuthedRequest, quotation_no: str) -> HttpResponse:
        """Return the PDF."""
        quotation = get_quotation(actor=request.user, quotation_no=quotation_no)
        content = draw_quotation_paper(quotation, list(quotation.lines.order_by("no")))
        name = f"报价单-{quotation.quotation_no}.pdf"
        return build_attachment_response(name, content=content, content_type=PDF_TYPE)

    @staticmethod
    def _serialize_detail(request: AuthedRequest, quotation_no: str) -> dict[str, Any]:
        detail = get_quotation_detail(actor=request.user, quotation_no=quotation_no)
        context = {"actor": request.user, "detail": detail}
        return dict(QuotationDetailSerializer(detail.quotation, context=context).data)
