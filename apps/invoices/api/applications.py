"""/api/InvoiceApplication."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.decorators import action
from rest_framework.response import Response

from apps.common.api.access import Access
from apps.common.api.idempotency import idempotent, require_key
from apps.common.api.pagination import DEFAULT_PAGE_SIZE, PAGE_SIZES, build_page_schema, parse_page
from apps.common.api.views import AuthedRequest
from apps.common.document_kit.views import (
    DocumentViewSet,
    describe_document_schemas,
    route_document_verb,
)
from apps.common.files.kinds import PDF, XLSX_TYPE
from apps.dimensions.enums import DimensionKind
from apps.documents.api import build_attachment_response, build_sheet_response
from apps.invoices.api import application_serializers as s
from apps.invoices.capitals import write_amount_in_capitals
from apps.invoices.enums import PAPER_KINDS, SPECIAL_KINDS, ApplicationStatus, InvoiceKind
from apps.invoices.selectors.applications import (
    count_applications,
    draw_application_paper,
    get_application_detail,
    list_application_splits,
    list_applications,
    sum_application_splits,
)
from apps.invoices.selectors.available import get_available_page
from apps.invoices.selectors.dimension_split import NO_DIMENSION
from apps.invoices.selectors.plan import MAX_LINES, Plan, get_enterprise, get_plan
from apps.invoices.selectors.titles import (
    can_change_titles,
    list_departments,
    list_enterprises,
)
from apps.invoices.services.applications import application_submit, application_withdraw
from apps.orders.selectors.customer_terms import list_invoice_kinds
from apps.org.menus import MenuCode
from apps.org.models import Account

SHOWN_LINES = 200
READERS = Access.menu(MenuCode.INVOICE_APPLY, MenuCode.INVOICE_LIST)
SPLIT_TITLES = ("发票号码", "订单号", "名称", "数量", "金额（含税）")
DETAIL = s.ApplicationDetailSerializer
PAGING = [
    OpenApiParameter("PageIndex", int, default=1),
    OpenApiParameter("PageSize", int, enum=list(PAGE_SIZES), default=DEFAULT_PAGE_SIZE),
]
AvailablePage = build_page_schema(
    "InvoiceAvailablePage",
    s.InvoiceAvailableItemSerializer,
    Totals=s.InvoiceAvailableTotalsSerializer(),
)


@describe_document_schemas(page="InvoiceApplicationPage", detail=DETAIL)
class InvoiceApplicationViewSet(DocumentViewSet):
    """申请开票 in the actor's data scope."""

    access = Access.menu(MenuCode.INVOICE_APPLY)
    action_access = {
        "list": READERS,
        "retrieve": READERS,
        "allocations_export": READERS,
        "file": READERS,
    }
    serializer_class = row_serializer = s.ApplicationRowSerializer
    query_serializer = s.ApplicationQuerySerializer
    tab_names = {"": "全部", **dict(ApplicationStatus.choices)}
    lookup_url_kwarg = "application_no"
    list_documents = staticmethod(list_applications)
    count_tabs = staticmethod(count_applications)

    def build_detail_body(self, *, actor: Account, key: str) -> Any:
        detail = get_application_detail(actor=actor, application_no=key)
        sums = sum_application_splits(application=detail.application)
        return DETAIL(detail.application, context={"detail": detail, "sums": sums}).data

    @extend_schema(request=s.ApplicationBodySerializer, responses=DETAIL)
    @require_key
    @idempotent
    def create(self, request: AuthedRequest) -> Response:
        form = s.ApplicationBodySerializer.build_form(s.ApplicationBodySerializer.parse(request))
        application = application_submit(actor=request.user, form=form)
        return self.answer_detail(request, application.application_no, message="开票申请已提交")

    @extend_schema(parameters=[s.AvailableQuerySerializer, *PAGING], responses=AvailablePage)
    @action(detail=False, methods=["get"], url_path="Available")
    def available(self, request: AuthedRequest) -> Response:
        query = s.AvailableQuerySerializer.parse(request)
        index, size = parse_page(request)
        enterprise = get_enterprise(actor=request.user, enterprise_id=query["EnterpriseId"])
        filters = s.AvailableFields.build_filter(query)
        rows, totals = get_available_page(
            actor=request.user,
            enterprise_id=enterprise.pk,
            filters=filters,
            start=(index - 1) * size,
            size=size,
        )
        body = {
            "Items": s.InvoiceAvailableItemSerializer.serialize_all(rows),
            "Totals": s.InvoiceAvailableTotalsSerializer.answer(totals),
        }
        return Response(
            {**body, "Total": totals.lines + totals.freights, "PageIndex": index, "PageSize": size}
        )

    @extend_schema(responses=s.InvoiceOptionsSerializer)
    @action(detail=False, methods=["get"], url_path="Options")
    def options_of_page(self, request: AuthedRequest) -> Response:
        kinds = [
            {
                "Code": kind,
                "Name": InvoiceKind(kind).label,
                "IsSpecial": kind in SPECIAL_KINDS,
                "IsPaper": kind in PAPER_KINDS,
            }
            for kind in list_invoice_kinds(request.user)
        ]
        body = {
            "Enterprises": list_enterprises(actor=request.user),
            "Departments": list_departments(actor=request.user),
            "Kinds": kinds,
            "Email": request.user.email,
            "AmountLimit": settings.INVOICE_AMOUNT_LIMIT,
            "MaxLines": MAX_LINES,
            "CanKeepTitles": can_change_titles(request.user),
        }
        return Response(s.InvoiceOptionsSerializer(body).data)

    @extend_schema(request=s.PlanBodySerializer, responses=s.InvoicePlanSerializer)
    @action(detail=False, methods=["post"], url_path="Preview")
    def preview(self, request: AuthedRequest) -> Response:
        form = s.PlanBodySerializer.plan(s.PlanBodySerializer.parse(request))
        return Response(
            s.InvoicePlanSerializer(_plan_body(get_plan(actor=request.user, form=form))).data
        )

    @extend_schema(
        parameters=[s.ApplicationSplitQuerySerializer],
        responses={(200, XLSX_TYPE): OpenApiTypes.BINARY},
    )
    @action(detail=True, methods=["get"], url_path="Allocations/Export", pagination_class=None)
    def allocations_export(self, request: AuthedRequest, application_no: str) -> HttpResponse:
        """Return one row for each part of an invoice line. The rows sum to the amount of the
        application.
        """
        kind = s.ApplicationSplitQuerySerializer.parse(request)["Kind"]
        detail = get_application_detail(actor=request.user, application_no=application_no)
        label = DimensionKind(kind).label
        rows = (
            (
                part.code or NO_DIMENSION,
                part.name,
                part.line.invoice.invoice_no,
                part.line.order.order_no,
                part.line.name,
                part.line.quantity,
                part.amount,
            )
            for part in list_application_splits(application=detail.application, kind=kind)
        )
        header = (f"{label}编码", f"{label}名称", *SPLIT_TITLES)
        name = f"开票申请-{label}分摊-{application_no}.xlsx"
        return build_sheet_response(name, header=header, rows=rows, sheet=label)

    @extend_schema(responses={(200, PDF.content_type): OpenApiTypes.BINARY})
    @action(detail=True, methods=["get"], url_path="File", pagination_class=None)
    def file(self, request: AuthedRequest, application_no: str) -> HttpResponse:
        """Return the application with its amounts by dimension as a PDF."""
        detail = get_application_detail(actor=request.user, application_no=application_no)
        sums = sum_application_splits(application=detail.application)
        return build_attachment_response(
            f"开票申请-{application_no}.pdf",
            content=draw_application_paper(detail, sums),
            content_type=PDF.content_type,
        )

    @route_document_verb("Withdraw", body=s.InvoiceReasonSerializer, detail=DETAIL)
    def withdraw(self, request: AuthedRequest, application_no: str, body: dict[str, Any]) -> str:
        application_withdraw(
            actor=request.user, application_no=application_no, reason=body["Reason"]
        )
        return "开票申请已撤回"


def _plan_body(plan: Plan) -> dict[str, Any]:
    """Return the plan in the form of its serializer."""
    invoices = [
        {
            "No": number,
            "TitleId": invoice.title_id,
            "Title": plan.titles[invoice.title_id].title,
            "TaxNumber": plan.titles[invoice.title_id].tax_number,
            "Amount": invoice.amount,
            "Net": invoice.amount - invoice.tax,
            "Tax": invoice.tax,
            "Capitals": write_amount_in_capitals(invoice.amount),
            "LineCount": len(invoice.lines),
            "OrderNos": list(dict.fromkeys(line.item.order_no for line in invoice.lines)),
            "Lines": invoice.lines[:SHOWN_LINES],
        }
        for number, invoice in enumerate(plan.invoices, start=1)
    ]
    return {
        "Enterprise": plan.enterprise,
        "InvoiceCount": len(plan.invoices),
        "LineCount": plan.line_count,
        "Net": plan.total - plan.tax,
        "Tax": plan.tax,
        "Total": plan.total,
        "AmountLimit": plan.limit,
        "Invoices": invoices,
    }
