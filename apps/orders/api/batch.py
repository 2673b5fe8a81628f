"""/api/Order for several orders: receive, buy again, print, export."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.response import Response

from apps.common.api.access import Access
from apps.common.api.idempotency import idempotent
from apps.common.api.renderers import Ok
from apps.common.api.serializers import BodySerializer
from apps.common.api.views import AuthedRequest, MallViewSet
from apps.common.files.kinds import XLSX_TYPE
from apps.documents.api import build_attachment_response, build_sheet_response
from apps.orders.api.bodies import OrderFilterSerializer
from apps.orders.api.serializers import ReorderedSerializer
from apps.orders.enums import PaperKind
from apps.orders.papers import draw_order_papers
from apps.orders.selectors.order_sheets import HEADER, iterate_order_sheet_rows, orders_to_print
from apps.orders.services.receipts import orders_receive
from apps.orders.services.reorders import orders_reorder
from apps.org.menus import MenuCode

MAX_ORDERS = 100
PDF_TYPE = "application/pdf"


def build_order_nos_field(*, required: bool = True) -> serializers.ListField:
    """Return the field of order numbers."""
    messages: dict[str, Any] = {
        "empty": "请先勾选订单",
        "required": "请先勾选订单",
        "max_length": f"一次最多 {MAX_ORDERS} 单，请分批操作",
    }
    optional: dict[str, Any] = {} if required else {"required": False, "default": list}
    child = serializers.CharField(max_length=24)
    return serializers.ListField(
        child=child,
        allow_empty=not required,
        max_length=MAX_ORDERS,
        error_messages=messages,
        **optional,
    )


class OrderNosBody(BodySerializer):
    OrderNos = build_order_nos_field()


class PrintBody(OrderNosBody):
    Kind = serializers.ChoiceField(
        choices=PaperKind.choices, help_text="delivery 送货单，purchase 采购单"
    )


class OrderExportBody(OrderFilterSerializer, BodySerializer):
    OrderNos = build_order_nos_field(required=False)


class BatchOutcomeSerializer(serializers.Serializer[Any]):
    OrderNo = serializers.CharField(source="order_no")
    Success = serializers.BooleanField(source="success")
    RetCode = serializers.CharField(source="code")
    RetMessage = serializers.CharField(source="message")


class BatchResultSerializer(serializers.Serializer[Any]):
    Results = BatchOutcomeSerializer(many=True)
    Done = serializers.IntegerField()
    Refused = serializers.IntegerField()


class OrderBatchViewSet(MallViewSet):
    """Batch actions on orders of the actor's data scope."""

    access = Access.menu(MenuCode.ORDER_LIST)
    serializer_class = BatchResultSerializer
    pagination_class = None

    @extend_schema(request=OrderNosBody, responses=BatchResultSerializer)
    @action(detail=False, methods=["post"], url_path="BatchReceive")
    @idempotent
    def receive(self, request: AuthedRequest) -> Response:
        """Receive all goods in transit of each order. One failure does not affect the others."""
        outcomes = orders_receive(
            actor=request.user, order_nos=OrderNosBody.parse(request)["OrderNos"]
        )
        received_count = sum(row.success for row in outcomes)
        answer = {
            "Results": BatchOutcomeSerializer(outcomes, many=True).data,
            "Done": received_count,
            "Refused": len(outcomes) - received_count,
        }
        return Ok(
            answer,
            message=f"已收货 {received_count} 单"
            + (
                f"，{len(outcomes) - received_count} 单未处理"
                if received_count < len(outcomes)
                else ""
            ),
        )

    @extend_schema(request=OrderNosBody, responses=ReorderedSerializer)
    @action(detail=False, methods=["post"], url_path="BatchReorder")
    @idempotent
    def reorder(self, request: AuthedRequest) -> Response:
        """Add the goods of all orders to the cart."""
        result = orders_reorder(
            actor=request.user, order_nos=OrderNosBody.parse(request)["OrderNos"]
        )
        return Response(ReorderedSerializer(result).data)

    @extend_schema(request=PrintBody, responses={(200, PDF_TYPE): OpenApiTypes.BINARY})
    @action(detail=False, methods=["post"], url_path="Print")
    def papers(self, request: AuthedRequest) -> HttpResponse:
        """Return one PDF of the orders. Each order starts on a new page."""
        body = PrintBody.parse(request)
        orders = orders_to_print(actor=request.user, order_nos=body["OrderNos"], kind=body["Kind"])
        name = (
            f"{PaperKind(body['Kind']).label}"
            f"-{orders[0].order_no if len(orders) == 1 else f'{timezone.localdate():%Y%m%d}'}.pdf"
        )
        return build_attachment_response(
            name, content=draw_order_papers(orders, kind=body["Kind"]), content_type=PDF_TYPE
        )

    @extend_schema(request=OrderExportBody, responses={(200, XLSX_TYPE): OpenApiTypes.BINARY})
    @action(detail=False, methods=["post"], url_path="Export")
    def export(self, request: AuthedRequest) -> HttpResponse:
        """Return the named or filtered orders as a sheet with a row per line."""
        body = OrderExportBody.parse(request)
        rows = iterate_order_sheet_rows(
            actor=request.user,
            filters=OrderExportBody.build_filter(body),
            order_nos=body["OrderNos"],
        )
        return build_sheet_response(
            f"订单-{timezone.localdate():%Y%m%d}.xlsx", header=HEADER, rows=rows, sheet="订单"
        )
