"""/api/Statement."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.http import HttpResponse
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.decorators import action
from rest_framework.parsers import MultiPartParser
from rest_framework.response import Response

from apps.common.api.access import Access
from apps.common.api.files import only_upload
from apps.common.api.idempotency import idempotent
from apps.common.api.renderers import Ok
from apps.common.api.views import AuthedRequest, MallViewSet
from apps.common.files.kinds import PDF, XLSX_TYPE
from apps.dimensions.enums import DimensionKind
from apps.documents.api import (
    build_attachment_response,
    build_mapped_upload_body,
    build_sheet_response,
    read_sheet_options,
)
from apps.invoices.api import statement_serializers as s
from apps.invoices.models import Statement
from apps.invoices.selectors.debts import (
    find_closing_debt,
    get_debts,
    get_prepaid,
    list_debts,
)
from apps.invoices.selectors.dimension_split import NO_DIMENSION
from apps.invoices.selectors.goods_match import (
    EXAMPLE,
    HEAD,
    MATCH_HEADER,
    SHEET_KIND,
    count_results,
    find_goods_match,
    list_match_lines,
    match_cells,
)
from apps.invoices.selectors.statements import (
    draw_statement_paper,
    get_statement,
    get_statement_moment,
    list_statement_lines,
    list_statement_remarks,
    list_statement_splits,
    list_statements,
    sum_statement_splits,
)
from apps.invoices.services.goods_match import goods_match_create, goods_match_dispute
from apps.invoices.services.statements import statement_confirm, statement_dispute
from apps.org.menus import MenuCode

READERS = Access.menu(MenuCode.INVOICE_LIST)
TITLES = (
    "类型",
    "发生时间",
    "订单号",
    "单据",
    "摘要",
    "单位",
    "数量",
    "单价",
    "金额（含税）",
    "税额",
    "成本中心",
)
SPLIT_TITLES = ("编码", "名称", "类型", "发生时间", "订单号", "摘要", "金额（含税）")


class StatementViewSet(MallViewSet):
    """对账单 of the actor's enterprise, or of the actor's group."""

    access = READERS
    action_access = {
        "confirm": READERS.in_person(),
        "dispute": READERS.in_person(),
        "match_dispute": READERS.in_person(),
    }
    paged_actions = ("list", "lines", "match_lines")
    serializer_class = s.StatementRowSerializer

    @extend_schema(
        parameters=[s.StatementQuerySerializer], responses=s.StatementRowSerializer(many=True)
    )
    def list(self, request: AuthedRequest) -> Response:
        page = self.paginate_queryset(
            list_statements(
                actor=request.user, filters=s.StatementQuerySerializer.build_filter(request)
            )
        )
        return self.get_paginated_response(s.StatementRowSerializer(page, many=True).data)

    @extend_schema(responses=s.StatementDetailSerializer)
    def retrieve(self, request: AuthedRequest, pk: str) -> Response:
        return Response(_serialize_detail(request, get_statement(actor=request.user, pk=pk)))

    @extend_schema(
        parameters=[s.StatementLinesQuerySerializer], responses=s.StatementLineSerializer(many=True)
    )
    @action(detail=True, methods=["get"], url_path="Lines")
    def lines(self, request: AuthedRequest, pk: str) -> Response:
        """Return the lines of a figure."""
        figure = s.StatementLinesQuerySerializer.parse(request)["Kind"]
        page = self.paginate_queryset(
            list_statement_lines(statement=get_statement(actor=request.user, pk=pk), figure=figure)
        )
        return self.get_paginated_response(s.StatementLineSerializer(page, many=True).data)

    @extend_schema(responses={(200, XLSX_TYPE): OpenApiTypes.BINARY})
    @action(detail=True, methods=["get"], url_path="Export", pagination_class=None)
    def export(self, request: AuthedRequest, pk: str) -> HttpResponse:
        """Return the statement with its lines as a spreadsheet."""
        statement = get_statement(actor=request.user, pk=pk)
        name = f"对账单-{statement.enterprise.name}-{statement.month:%Y%m}.xlsx"
        return build_sheet_response(
            name, header=TITLES, rows=_iterate_cells(statement), sheet=f"{statement.month:%Y-%m}"
        )

    @extend_schema(
        parameters=[s.StatementSplitQuerySerializer], responses=s.DimensionSumSerializer(many=True)
    )
    @action(detail=True, methods=["get"], url_path="Allocations", pagination_class=None)
    def allocations(self, request: AuthedRequest, pk: str) -> Response:
        """Return the sum of each dimension: goods and freight, less returns."""
        statement = get_statement(actor=request.user, pk=pk)
        kind = s.StatementSplitQuerySerializer.parse(request)["Kind"]
        return Response(
            s.DimensionSumSerializer.serialize_all(
                sum_statement_splits(statement=statement, kind=kind)
            )
        )

    @extend_schema(
        parameters=[s.StatementSplitQuerySerializer],
        responses={(200, XLSX_TYPE): OpenApiTypes.BINARY},
    )
    @action(detail=True, methods=["get"], url_path="Allocations/Export", pagination_class=None)
    def allocations_export(self, request: AuthedRequest, pk: str) -> HttpResponse:
        """Return one row for each part of a line. The rows sum to goods and freight, less
        returns.
        """
        statement = get_statement(actor=request.user, pk=pk)
        kind = s.StatementSplitQuerySerializer.parse(request)["Kind"]
        label = DimensionKind(kind).label
        name = f"对账单-{label}分摊-{statement.enterprise.name}-{statement.month:%Y%m}.xlsx"
        rows = (
            (
                part.code or NO_DIMENSION,
                part.name,
                part.line.get_kind_display(),
                part.line.at,
                part.line.order.order_no if part.line.order else "",
                part.line.text,
                part.amount,
            )
            for part in list_statement_splits(statement=statement, kind=kind)
        )
        titles = [f"{label}{title}" for title in SPLIT_TITLES[:2]]
        return build_sheet_response(
            name, header=[*titles, *SPLIT_TITLES[2:]], rows=rows, sheet=label
        )

    @extend_schema(responses={(200, PDF.content_type): OpenApiTypes.BINARY})
    @action(detail=True, methods=["get"], url_path="File", pagination_class=None)
    def file(self, request: AuthedRequest, pk: str) -> HttpResponse:
        """Return the statement as a PDF for the stamps of both sides."""
        statement = get_statement(actor=request.user, pk=pk)
        name = f"对账单-{statement.enterprise.name}-{statement.month:%Y%m}.pdf"
        return build_attachment_response(
            name, content=draw_statement_paper(statement), content_type=PDF.content_type
        )

    @extend_schema(responses=s.GoodsMatchSerializer(allow_null=True))
    @action(detail=True, methods=["get"], url_path="Match", pagination_class=None)
    def match(self, request: AuthedRequest, pk: str) -> Response:
        """Return the latest goods-received match, or null."""
        return Response(_match(get_statement(actor=request.user, pk=pk)))

    @extend_schema(
        request=build_mapped_upload_body(), responses=s.GoodsMatchSerializer(allow_null=True)
    )
    @action(
        detail=True,
        methods=["post"],
        url_path="Match/Upload",
        parser_classes=[MultiPartParser],
        pagination_class=None,
    )
    def match_upload(self, request: AuthedRequest, pk: str) -> Response:
        """Match a goods-received sheet with the statement."""
        get_statement(actor=request.user, pk=pk)
        read_sheet_options(request, kind=SHEET_KIND, columns=HEAD)
        upload = only_upload(request, missing_message="请选择收货单表格")
        match = goods_match_create(actor=request.user, statement_id=pk, upload=upload)
        return Ok(_match(match.statement), message=f"已核对 {match.sheet_rows} 行收货单")

    @extend_schema(
        parameters=[s.GoodsMatchQuerySerializer], responses=s.GoodsMatchLineSerializer(many=True)
    )
    @action(detail=True, methods=["get"], url_path="Match/Lines")
    def match_lines(self, request: AuthedRequest, pk: str) -> Response:
        """Return the lines of the match: all differences, or those with one result."""
        result = s.GoodsMatchQuerySerializer.parse(request)["Result"]
        match = find_goods_match(statement=get_statement(actor=request.user, pk=pk))
        rows: Any = list_match_lines(match=match, result=result) if match else []
        page: Any = self.paginate_queryset(rows)
        return self.get_paginated_response(s.GoodsMatchLineSerializer(page, many=True).data)

    @extend_schema(responses={(200, XLSX_TYPE): OpenApiTypes.BINARY})
    @action(detail=True, methods=["get"], url_path="Match/Export", pagination_class=None)
    def match_export(self, request: AuthedRequest, pk: str) -> HttpResponse:
        """Return the whole match as a spreadsheet."""
        statement = get_statement(actor=request.user, pk=pk)
        match = find_goods_match(statement=statement)
        name = f"收货核对-{statement.enterprise.name}-{statement.month:%Y%m}.xlsx"
        rows = match_cells(match) if match else []
        return build_sheet_response(name, header=MATCH_HEADER, rows=rows, sheet="收货核对")

    @extend_schema(responses={(200, XLSX_TYPE): OpenApiTypes.BINARY})
    @action(detail=False, methods=["get"], url_path="MatchTemplate", pagination_class=None)
    def match_template(self, _request: AuthedRequest) -> HttpResponse:
        """Return an empty goods-received sheet to fill in."""
        return build_sheet_response("收货单模板.xlsx", header=HEAD, rows=[EXAMPLE], sheet="收货单")

    @extend_schema(
        request=s.GoodsMatchDisputeSerializer, responses=s.GoodsMatchSerializer(allow_null=True)
    )
    @action(detail=True, methods=["post"], url_path="Match/Dispute", pagination_class=None)
    @idempotent
    def match_dispute(self, request: AuthedRequest, pk: str) -> Response:
        """Dispute differences of the match."""
        body = s.GoodsMatchDisputeSerializer.parse(request)
        remarks = goods_match_dispute(actor=request.user, statement_id=pk, **body)
        return Ok(
            _match(get_statement(actor=request.user, pk=pk)),
            message=f"已对 {len(remarks)} 条差异提出异议，客服会尽快答复",
        )

    @extend_schema(responses=s.DebtRowSerializer(many=True))
    @action(detail=False, methods=["get"], url_path="Debts", pagination_class=None)
    def debts(self, request: AuthedRequest) -> Response:
        """Return the debts by age of each enterprise whose statements the actor sees. Ten
        queries.
        """
        debts = list_debts(actor=request.user, today=timezone.localdate())
        return Response(s.DebtRowSerializer(debts, many=True).data)

    @extend_schema(request=s.StatementConfirmSerializer, responses=s.StatementDetailSerializer)
    @action(detail=True, methods=["post"], url_path="Confirm")
    @idempotent
    def confirm(self, request: AuthedRequest, pk: str) -> Response:
        statement = statement_confirm(
            actor=request.user, statement_id=pk, **s.StatementConfirmSerializer.parse(request)
        )
        return Ok(
            _serialize_detail(request, statement),
            message=f"{statement.month:%Y 年 %m 月}对账单已确认",
        )

    @extend_schema(request=s.StatementDisputeSerializer, responses=s.StatementDetailSerializer)
    @action(detail=True, methods=["post"], url_path="Dispute")
    @idempotent
    def dispute(self, request: AuthedRequest, pk: str) -> Response:
        statement_dispute(
            actor=request.user, statement_id=pk, **s.StatementDisputeSerializer.parse(request)
        )
        return Ok(
            _serialize_detail(request, get_statement(actor=request.user, pk=pk)),
            message="异议已提交，客服会尽快答复",
        )


def _match(statement: Statement) -> dict[str, Any] | None:
    match = find_goods_match(statement=statement)
    if match is None:
        return None
    context = {"counts": count_results(match)}
    return dict(s.GoodsMatchSerializer(match, context=context).data)


def _serialize_detail(request: AuthedRequest, statement: Statement) -> dict[str, Any]:
    ages = get_debts([statement.enterprise], today=timezone.localdate())
    context = {
        "remarks": list_statement_remarks(statement=statement),
        "ages": ages,
        "prepaid": get_prepaid(ages),
        "closing_debt": find_closing_debt(statement=statement),
        "as_of": get_statement_moment(statement=statement),
        "in_person": request.user.impersonator is None,
    }
    return dict(s.StatementDetailSerializer(statement, context=context).data)


def _iterate_cells(statement: Statement) -> Iterator[tuple[Any, ...]]:
    for name, amount in (
        ("期初应付", statement.opening),
        ("本期签收", statement.deliveries),
        ("本期退货", -statement.returns),
    ):
        yield (name, None, "", "", "", "", None, None, amount, None, "")
    for name, amount in (
        ("本期付款", -statement.paid),
        ("期末应付", statement.closing),
        ("本期开票", statement.invoiced),
    ):
        yield (name, None, "", "", "", "", None, None, amount, None, "")
    for line in list_statement_lines(statement=statement).iterator(chunk_size=2000):
        order_no = line.order.order_no if line.order else ""
        yield (
            line.get_kind_display(),
            line.at,
            order_no,
            line.reference,
            line.text,
            line.unit,
            line.quantity,
            line.unit_price,
            line.amount,
            line.tax_amount,
            line.order.cost_center if line.order else "",
        )
