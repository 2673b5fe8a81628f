"""/api/Product/QuickOrder and /api/QuickList: order many lines at once, and save them as named
lists.
"""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.decorators import action
from rest_framework.parsers import MultiPartParser
from rest_framework.response import Response

from apps.cart.api import quick_serializers as s
from apps.cart.api.quick_serializers import QuickOrderSerializer
from apps.cart.parsing import read_sheet, read_text
from apps.cart.parsing.document import WRONG_KIND
from apps.cart.parsing.line import WrittenLine
from apps.cart.selectors.quick_lists import get_quick_list, list_visible_quick_lists
from apps.cart.selectors.quick_order import quick_order
from apps.cart.services.cart_add import cart_fill
from apps.cart.services.quick_list_save import (
    quick_list_create,
    quick_list_delete,
    quick_list_update,
)
from apps.common.api.access import Access
from apps.common.api.files import only_upload
from apps.common.api.idempotency import idempotent
from apps.common.api.parsers import BoundedJSONParser
from apps.common.api.renderers import Ok
from apps.common.api.views import DIGITS, AuthedRequest, MallViewSet
from apps.common.errors import FileRefused
from apps.common.files.kinds import XLSX_TYPE
from apps.documents.api import sheet_response

TEMPLATE_HEAD = ("编码/名称", "数量", "备注")
TEMPLATE_ROWS = (
    ("110001", 2, "示例：商品编码，下单前请删除示例行"),
    ("XLM0000417", 20, "示例：您自己的物料编码"),
    ("ZY-1103", 5, "示例：型号，可不写横线"),
)
EXPORT_HEAD = ("行号", "原内容", "状态", "商品编码", "商品名称", "数量", "原因")


class QuickOrderViewSet(MallViewSet):
    """快速下单: text, a sheet or typed lines become products with prices and legal quantities.
    Every line of the input appears in the response.
    """

    access = Access.login()
    serializer_class = QuickOrderSerializer
    pagination_class = None

    @extend_schema(request=s.QuickOrderBodySerializer, responses=QuickOrderSerializer)
    @action(
        detail=False,
        methods=["post"],
        url_path="QuickOrder",
        parser_classes=[BoundedJSONParser, MultiPartParser],
    )
    def quick_order(self, request: AuthedRequest) -> Response:
        order = quick_order(actor=request.user, lines=_parse_written_lines(request))
        return Response(QuickOrderSerializer.answer(order))

    @extend_schema(request=s.FillBodySerializer, responses=s.FilledSerializer)
    @action(detail=False, methods=["post"], url_path="QuickOrder/AddToCart")
    @idempotent
    def fill(self, request: AuthedRequest) -> Response:
        """Add the products that can be bought to the cart, in one transaction. The response
        lists the others with the reasons; a full cart is one of them.
        """
        body = s.FillBodySerializer.parse(request)
        added_count, refusals = cart_fill(actor=request.user, quantities=body["Items"])
        message = "添加购物车成功" if added_count else ""
        return Ok(s.filled_body(added_count, refusals), message=message)

    @extend_schema(
        request=s.ExportBodySerializer, responses={(200, XLSX_TYPE): OpenApiTypes.BINARY}
    )
    @action(detail=False, methods=["post"], url_path="QuickOrder/Export")
    def export(self, request: AuthedRequest) -> HttpResponse:
        """Return lines with their reasons as an Excel file."""
        lines = s.ExportBodySerializer.parse(request)["Lines"]
        keys = ("No", "Text", "Status", "ProductCode", "Name", "Quantity", "Reason")
        rows = ([line[key] for key in keys] for line in lines)
        return sheet_response(
            "快速下单未完成的行.xlsx", header=EXPORT_HEAD, rows=rows, sheet="快速下单"
        )

    @extend_schema(responses={(200, XLSX_TYPE): OpenApiTypes.BINARY})
    @action(detail=False, methods=["get"], url_path="QuickOrder/Template")
    def template(self, _request: AuthedRequest) -> HttpResponse:
        """Return an empty Excel template."""
        return sheet_response(
            "快速下单模板.xlsx", header=TEMPLATE_HEAD, rows=TEMPLATE_ROWS, sheet="快速下单"
        )


def _parse_written_lines(request: AuthedRequest) -> list[WrittenLine]:
    if request.FILES:
        return read_sheet(only_upload(request))
    if request.content_type.startswith("multipart/"):
        raise FileRefused(WRONG_KIND)
    body = s.QuickOrderBodySerializer.parse(request)
    return read_text(body["Text"]) if "Text" in body else s.typed_lines(body["Lines"])


class QuickListViewSet(MallViewSet):
    """The caller's own lists and those that the caller's department shares. Only the owner can
    change a list.
    """

    access = Access.login()
    serializer_class = s.QuickListRowSerializer
    lookup_value_regex = DIGITS

    def list(self, request: AuthedRequest) -> Response:
        page = self.paginate_queryset(list_visible_quick_lists(actor=request.user))
        return self.get_paginated_response(
            s.QuickListRowSerializer(page, many=True, context={"account": request.user}).data
        )

    @extend_schema(responses=s.QuickListDetailSerializer)
    def retrieve(self, request: AuthedRequest, pk: str) -> Response:
        return Response(_serialize_detail(request, get_quick_list(actor=request.user, pk=int(pk))))

    @extend_schema(request=s.QuickListBodySerializer, responses=s.QuickListDetailSerializer)
    @idempotent
    def create(self, request: AuthedRequest) -> Response:
        body = s.QuickListBodySerializer.parse(request)
        quick_list = quick_list_create(
            actor=request.user,
            name=body["Name"],
            quantities=body["Items"],
            is_shared=body["Shared"],
        )
        return Ok(_serialize_detail(request, quick_list), message="清单已保存")

    @extend_schema(request=s.QuickListChangeSerializer, responses=s.QuickListDetailSerializer)
    def partial_update(self, request: AuthedRequest, pk: str) -> Response:
        body = s.QuickListChangeSerializer.parse(request)
        changes = {
            "name": body.get("Name"),
            "quantities": body.get("Items"),
            "is_shared": body.get("Shared"),
        }
        return Ok(
            _serialize_detail(
                request, quick_list_update(actor=request.user, pk=int(pk), **changes)
            ),
            message="清单已保存",
        )

    @extend_schema(responses=OpenApiTypes.NONE)
    def destroy(self, request: AuthedRequest, pk: str) -> Response:
        quick_list_delete(actor=request.user, pk=int(pk))
        return Ok(None, message="清单已删除")


def _serialize_detail(request: AuthedRequest, row: Any) -> dict[str, Any]:
    return dict(s.QuickListDetailSerializer(row, context={"account": request.user}).data)
