"""/api/Product/QuickOrder: order many lines at once."""

from __future__ import annotations

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
from apps.cart.selectors.quick_order import get_quick_order
from apps.cart.services.cart_add import cart_fill
from apps.common.api.access import Access
from apps.common.api.files import only_upload
from apps.common.api.idempotency import idempotent
from apps.common.api.parsers import BoundedJSONParser
from apps.common.api.renderers import Ok
from apps.common.api.views import AuthedRequest, MallViewSet
from apps.common.errors import FileRefused
from apps.common.files.kinds import XLSX_TYPE
from apps.documents.api import build_sheet_response

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
        order = get_quick_order(actor=request.user, lines=_parse_written_lines(request))
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
        return Ok(s.build_filled_body(added_count, refusals), message=message)

    @extend_schema(
        request=s.ExportBodySerializer, responses={(200, XLSX_TYPE): OpenApiTypes.BINARY}
    )
    @action(detail=False, methods=["post"], url_path="QuickOrder/Export")
    def export(self, request: AuthedRequest) -> HttpResponse:
        """Return lines with their reasons as an Excel file."""
        lines = s.ExportBodySerializer.parse(request)["Lines"]
        keys = ("No", "Text", "Status", "ProductCode", "Name", "Quantity", "Reason")
        rows = ([line[key] for key in keys] for line in lines)
        return build_sheet_response(
            "快速下单未完成的行.xlsx", header=EXPORT_HEAD, rows=rows, sheet="快速下单"
        )

    @extend_schema(responses={(200, XLSX_TYPE): OpenApiTypes.BINARY})
    @action(detail=False, methods=["get"], url_path="QuickOrder/Template")
    def template(self, _request: AuthedRequest) -> HttpResponse:
        """Return an empty Excel template."""
        return build_sheet_response(
            "快速下单模板.xlsx", header=TEMPLATE_HEAD, rows=TEMPLATE_ROWS, sheet="快速下单"
        )


def _parse_written_lines(request: AuthedRequest) -> list[WrittenLine]:
    """Return the order lines of the request: an uploaded sheet, a pasted text, or typed lines."""
    if request.FILES:
        return read_sheet(only_upload(request))
    if request.content_type.startswith("multipart/"):
        raise FileRefused(WRONG_KIND)
    body = s.QuickOrderBodySerializer.parse(request)
    return read_text(body["Text"]) if "Text" in body else s.read_typed_lines(body["Lines"])
