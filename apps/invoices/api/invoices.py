"""/api/Invoice, and /invoice-gateway/notify/<gateway> for the callbacks of e-invoice gateways."""

from __future__ import annotations

import io
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.urls import path
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.decorators import action
from rest_framework.parsers import MultiPartParser
from rest_framework.response import Response

from apps.common.api.access import Access
from apps.common.api.files import only_upload
from apps.common.api.idempotency import idempotent
from apps.common.api.pagination import build_tabbed_schema, serialize_tabs
from apps.common.api.renderers import Ok
from apps.common.api.serializers import MoneyField
from apps.common.api.views import AuthedRequest, MallViewSet
from apps.common.errors import DomainError
from apps.common.files.kinds import XLSX_TYPE, ZIP_TYPE
from apps.documents.api import (
    build_attachment_response,
    build_sheet_response,
    build_wrong_rows_response,
    import_body,
    read_sheet_options,
    sheet_preview,
)
from apps.documents.excel import build_wrong_sheet, find_sheet_mapping
from apps.invoices.api import invoice_serializers as s
from apps.invoices.enums import InvoiceStatus
from apps.invoices.selectors.invoice_files import (
    archive_name,
    archive_write,
    get_invoice_file,
    list_archived_invoices,
)
from apps.invoices.selectors.invoices import (
    count_invoices,
    get_invoice,
    get_invoice_detail,
    list_invoices,
    sum_invoices,
)
from apps.invoices.services.invoice_marks import (
    EXAMPLE,
    HEAD,
    SHEET_KIND,
    invoices_mark,
    invoices_unmark,
    mark_sheet_apply,
    mark_sheet_preview,
)
from apps.invoices.services.invoice_request import callback_process
from apps.invoices.services.red_letters import (
    red_letter_answer,
    red_letter_apply,
    red_letter_withdraw,
)
from apps.org.menus import MenuCode

TAB_NAMES: dict[str, str] = {"": "全部", **dict(InvoiceStatus.choices)}
InvoicePage = build_tabbed_schema(
    "InvoicePage", s.InvoiceRowSerializer, Amount=MoneyField(help_text="筛选结果合计，红字为负")
)


class InvoiceViewSet(MallViewSet):
    """开票记录 in the actor's data scope."""

    access = Access.menu(MenuCode.INVOICE_LIST)
    action_access = {"red_answer": access.in_person()}
    serializer_class = s.InvoiceRowSerializer

    @extend_schema(parameters=[s.InvoiceQuerySerializer], responses=InvoicePage)
    def list(self, request: AuthedRequest) -> Response:
        filters = s.InvoiceQuerySerializer.build_filter(s.InvoiceQuerySerializer.parse(request))
        tabs = count_invoices(actor=request.user, filters=filters)
        rows: Any = self.paginate_queryset(list_invoices(actor=request.user, filters=filters))
        page = self.get_paginated_response(s.InvoiceRowSerializer(rows, many=True).data)
        page.data["Tabs"] = serialize_tabs(tabs, TAB_NAMES)
        page.data["Amount"] = str(sum_invoices(actor=request.user, filters=filters))
        return page

    @extend_schema(responses=s.InvoiceDetailSerializer)
    def retrieve(self, request: AuthedRequest, pk: str) -> Response:
        return _respond_with_detail(request, pk)

    @extend_schema(
        parameters=[s.FileQuerySerializer],
        responses={(200, "application/octet-stream"): OpenApiTypes.BINARY},
    )
    @action(detail=True, methods=["get"], url_path="File")
    def file(self, request: AuthedRequest, pk: str) -> HttpResponse:
        """Return the invoice as a PDF marked 样票, or a 数电 invoice as XML."""
        query = s.FileQuerySerializer.parse(request)
        file = get_invoice_file(actor=request.user, pk=pk, file_format=query["Format"])
        response = HttpResponse(file.content, content_type=file.content_type)
        response["Content-Disposition"] = f'attachment; filename="{file.name}"'
        response["X-Content-Type-Options"] = "nosniff"
        response["Cache-Control"] = "private, max-age=240"
        return response

    @extend_schema(
        request=s.InvoiceArchiveSerializer, responses={(200, ZIP_TYPE): OpenApiTypes.BINARY}
    )
    @action(detail=False, methods=["post"], url_path="Archive", pagination_class=None)
    def archive(self, request: AuthedRequest) -> HttpResponse:
        """Return the files of up to 50 issued invoices with a list, as one ZIP."""
        body = s.InvoiceArchiveSerializer.parse(request)
        invoices = list_archived_invoices(actor=request.user, **body)
        file = io.BytesIO()
        archive_write(invoices, file)
        return build_attachment_response(
            archive_name(len(invoices)), content=file.getvalue(), content_type=ZIP_TYPE
        )

    @extend_schema(request=s.InvoicesMarkSerializer, responses=s.InvoicesMarkedSerializer)
    @action(detail=False, methods=["post"], url_path="Mark", pagination_class=None)
    @idempotent
    def mark(self, request: AuthedRequest) -> Response:
        """Set or clear a mark of the customer on invoices."""
        body = s.InvoicesMarkSerializer.parse(request)
        wish = {name: body[name] for name in ("invoice_ids", "kind")}
        if body["IsSet"]:
            changed_count = invoices_mark(actor=request.user, note=body["Note"], **wish)
        else:
            changed_count = invoices_unmark(actor=request.user, **wish)
        verb = "已登记" if body["IsSet"] else "已撤销登记"
        return Ok(
            s.InvoicesMarkedSerializer.answer({"Changed": changed_count}),
            message=f"{verb} {changed_count} 张",
        )

    @extend_schema(request=import_body(), responses=s.MarkSheetSerializer)
    @action(
        detail=False,
        methods=["post"],
        url_path="MarkSheet",
        parser_classes=[MultiPartParser],
        pagination_class=None,
    )
    def mark_sheet(self, request: AuthedRequest) -> HttpResponseBase:
        """Check a sheet with the marks (处理状态) of invoices. With `Confirm` = true, set all marks
        or none, with `GoodOnly` those of the valid rows.
        """
        upload = only_upload(request, missing_message="请选择一个表格文件")
        options = read_sheet_options(request, kind=SHEET_KIND, columns=HEAD)
        if not options.is_confirmed:
            rows = mark_sheet_preview(actor=request.user, upload=upload)
            if options.wants_wrong_rows:
                sheet = build_wrong_sheet(
                    "发票处理状态",
                    columns=dict(zip(HEAD, HEAD, strict=True)),
                    rows=((dict(zip(HEAD, row.cells, strict=True)), row.errors) for row in rows),
                )
                return build_wrong_rows_response(sheet)
            mapping = find_sheet_mapping(upload, kind=SHEET_KIND, columns=HEAD)
            return Response(sheet_preview(rows, s.MarkRowSerializer, mapping=mapping))
        count = mark_sheet_apply(
            actor=request.user, upload=upload, is_good_only=options.is_good_only
        )
        return Ok(
            {"Total": count, "Wrong": 0, "Rows": [], "Imported": count, "Mapping": None},
            message=f"已登记 {count} 张发票",
        )

    @extend_schema(responses={(200, XLSX_TYPE): OpenApiTypes.BINARY})
    @action(detail=False, methods=["get"], url_path="MarkTemplate", pagination_class=None)
    def mark_template(self, _request: AuthedRequest) -> HttpResponse:
        """Return an empty sheet of marks to fill in."""
        return build_sheet_response(
            "发票处理状态模板.xlsx", header=HEAD, rows=[EXAMPLE], sheet="发票处理状态"
        )

    @extend_schema(request=s.RedBodySerializer, responses=s.InvoiceDetailSerializer)
    @action(detail=True, methods=["post"], url_path="RedApply")
    @idempotent
    def red_apply(self, request: AuthedRequest, pk: str) -> Response:
        invoice = get_invoice(actor=request.user, pk=pk)
        red_letter_apply(
            actor=request.user,
            invoice_id=invoice.pk,
            form=s.RedBodySerializer.build_form(s.RedBodySerializer.parse(request)),
        )
        return _respond_with_detail(request, pk, message="红冲申请已提交，销方须在 72 小时内确认")

    @extend_schema(request=s.RedAnswerSerializer, responses=s.InvoiceDetailSerializer)
    @action(detail=True, methods=["post"], url_path="RedAnswer")
    @idempotent
    def red_answer(self, request: AuthedRequest, pk: str) -> Response:
        invoice, body = get_invoice(actor=request.user, pk=pk), s.RedAnswerSerializer.parse(request)
        red_letter_answer(
            actor=request.user,
            invoice_id=invoice.pk,
            red_no=body["RedNo"],
            is_agreed=body["IsAgreed"],
            reason=body["Reason"],
        )
        return _respond_with_detail(
            request, pk, message="已确认红冲" if body["IsAgreed"] else "已否认红冲"
        )

    @extend_schema(request=s.RedWithdrawSerializer, responses=s.InvoiceDetailSerializer)
    @action(detail=True, methods=["post"], url_path="RedWithdraw")
    @idempotent
    def red_withdraw(self, request: AuthedRequest, pk: str) -> Response:
        invoice, body = (
            get_invoice(actor=request.user, pk=pk),
            s.RedWithdrawSerializer.parse(request),
        )
        red_letter_withdraw(actor=request.user, invoice_id=invoice.pk, red_no=body["RedNo"])
        return _respond_with_detail(request, pk, message="红冲申请已撤销")


def _respond_with_detail(request: AuthedRequest, pk: str, *, message: str = "") -> Response:
    detail = get_invoice_detail(actor=request.user, pk=pk)
    body = s.InvoiceDetailSerializer(
        detail.invoice, context={"detail": detail, "in_person": request.user.impersonator is None}
    ).data
    return Ok(body, message=message) if message else Response(body)


@csrf_exempt
@require_POST
def receive_notification(request: HttpRequest, gateway: str) -> HttpResponse:
    """Process a signed callback. The answer "success" stops the gateway's repetitions."""
    try:
        callback_process(
            gateway=gateway, fields={name: str(value) for name, value in request.POST.items()}
        )
    except DomainError as error:
        return HttpResponse(error.text, status=400, content_type="text/plain; charset=utf-8")
    return HttpResponse("success", content_type="text/plain")


urlpatterns = [path("notify/<slug:gateway>", receive_notification, name="invoice-notify")]
