"""/api/Budget: the list with its sums, the ledger, and changes of budgets."""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import Any

from django.http import HttpResponse, HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.parsers import MultiPartParser
from rest_framework.response import Response

from apps.budgets.api import serializers as s
from apps.budgets.enums import TransferStatus
from apps.budgets.models import Budget
from apps.budgets.selectors.budget_list import (
    get_awaiting_by_budget,
    get_owner_paths,
    list_awaiting_of,
    list_budget_tree,
    list_budgets,
    sum_budgets,
)
from apps.budgets.selectors.budgets import (
    filter_hidden_references,
    get_budget,
    list_budget_entries,
    list_usable_budgets,
    may_manage,
    may_manage_any,
)
from apps.budgets.services.budget_import import (
    COLUMNS,
    WRITER,
    budgets_build_wrong_sheet,
    budgets_import,
    budgets_preview,
    build_sheet_cells,
    require_budget_import,
)
from apps.budgets.services.budget_manage import BudgetChange, BudgetForm, budget_change, budget_open
from apps.budgets.services.budget_transfer import budget_transfer
from apps.common.api.access import Access
from apps.common.api.exceptions import serialize_stale
from apps.common.api.files import only_upload
from apps.common.api.idempotency import idempotent
from apps.common.api.renderers import Ok
from apps.common.api.views import DIGITS, AuthedRequest, MallViewSet
from apps.common.files import file_take
from apps.common.files.kinds import TABLES, XLSX_TYPE
from apps.documents.api import (
    SheetRowSerializer,
    SheetTakenSerializer,
    build_sheet_response,
    build_wrong_rows_response,
    import_answer,
    import_body,
    read_sheet_options,
    sheet_preview,
)
from apps.documents.excel import find_sheet_mapping
from apps.org.menus import MenuCode

KEEPERS = Access.menu(MenuCode.ASSET_BUDGET)
WRITES = ("create", "partial_update", "transfer")


def render_rows(request: AuthedRequest, budgets: Sequence[Budget]) -> list[dict[str, Any]]:
    """Return the budgets as rows of the list. Two queries for all of them."""
    context = {
        "paths": get_owner_paths(budgets),
        "awaiting": get_awaiting_by_budget(budgets),
        "may_manage": lambda enterprise_id: (
            request.user.impersonator is None and may_manage(request.user, enterprise_id)
        ),
    }
    return list(s.BudgetRowSerializer(budgets, many=True, context=context).data)


def render_row(request: AuthedRequest, budget: Budget) -> dict[str, Any]:
    """Return one budget as a row of the list."""
    return render_rows(request, [budget])[0]


def _build_visibility_context(request: AuthedRequest, rows: Iterable[Any]) -> dict[str, Any]:
    """Return the context with the orders the caller may not open. One query for all rows."""
    return {
        "closed": filter_hidden_references(
            actor=request.user, references=[row.reference for row in rows]
        )
    }


class BudgetViewSet(MallViewSet):
    """The budgets in the caller's data scope. `Usable` lists the budgets the caller may order
    on today.
    """

    access = KEEPERS
    action_access = {"usable": Access.login(), **{name: KEEPERS.in_person() for name in WRITES}}
    paged_actions = ("list", "entries")
    serializer_class = s.BudgetRowSerializer
    lookup_url_kwarg = "budget_id"
    lookup_value_regex = DIGITS

    @extend_schema(parameters=[s.BudgetQuerySerializer], responses=s.BudgetRowSerializer(many=True))
    def list(self, request: AuthedRequest) -> Response:
        page = self.paginate_queryset(
            list_budgets(actor=request.user, filters=s.BudgetQuerySerializer.build_filters(request))
        )
        return self.get_paginated_response(render_rows(request, page or []))

    @extend_schema(request=s.BudgetBodySerializer, responses=s.BudgetRowSerializer)
    @idempotent
    def create(self, request: AuthedRequest) -> Response:
        budget = budget_open(
            actor=request.user, form=BudgetForm(**s.BudgetBodySerializer.parse(request))
        )
        return Ok(render_row(request, budget), message="预算已新增")

    @extend_schema(request=s.BudgetChangeSerializer, responses=s.BudgetRowSerializer)
    def partial_update(self, request: AuthedRequest, budget_id: str) -> Response:
        fields = s.BudgetChangeSerializer.parse(request)
        change = BudgetChange(**fields, is_parent_changed="parent_id" in fields)
        with serialize_stale(lambda budget: render_row(request, budget)):
            budget = budget_change(actor=request.user, budget_id=int(budget_id), change=change)
        return Ok(render_row(request, budget), message="预算已保存")

    @extend_schema(request=s.BudgetTransferSerializer, responses=s.BudgetRowSerializer)
    @action(detail=True, methods=["post"], url_path="Transfer")
    @idempotent
    def transfer(self, request: AuthedRequest, budget_id: str) -> Response:
        """Request a transfer to another budget and return the source. A second manager decides."""
        transfer = budget_transfer(
            actor=request.user,
            source_id=int(budget_id),
            **s.BudgetTransferSerializer.parse(request),
        )
        waits = transfer.status == TransferStatus.WAITING
        return Ok(
            render_row(request, transfer.source),
            message="已提交，等待其他预算维护人审批" if waits else "额度已调拨",
        )

    @extend_schema(parameters=[s.BudgetQuerySerializer], responses=s.BudgetSummarySerializer)
    @action(detail=False, methods=["get"], url_path="Summary", pagination_class=None)
    def summary(self, request: AuthedRequest) -> Response:
        """Return the sums over the filtered list, and whether the caller may manage budgets. The
        amounts are those of ordinary budgets, unless `Earmark` asks for others.
        """
        filters = s.BudgetQuerySerializer.build_filters(request)
        sums = sum_budgets(
            list_budgets(actor=request.user, filters=filters), earmark=filters.earmark
        )
        can_keep = request.user.impersonator is None and may_manage_any(request.user)
        return Response(
            s.BudgetSummarySerializer.answer(
                {**asdict(sums), "available": sums.available, "can_keep": can_keep}
            )
        )

    @extend_schema(
        parameters=[s.BudgetQuerySerializer], responses=s.BudgetNodeSerializer(many=True)
    )
    @action(detail=False, methods=["get"], url_path="Tree", pagination_class=None)
    def tree(self, request: AuthedRequest) -> Response:
        """Return at most 2,000 budgets of the filtered list in the order of the tree."""
        rows = list_budget_tree(
            actor=request.user, filters=s.BudgetQuerySerializer.build_filters(request)
        )
        return Response(s.BudgetNodeSerializer.serialize_all(rows))

    @extend_schema(
        parameters=[s.BudgetQuerySerializer], responses={(200, XLSX_TYPE): OpenApiTypes.BINARY}
    )
    @action(detail=False, methods=["get"], url_path="Export", pagination_class=None)
    def export(self, request: AuthedRequest) -> HttpResponse:
        """Return the filtered budgets as a sheet of the import, each below its parent."""
        rows = list_budget_tree(
            actor=request.user, filters=s.BudgetQuerySerializer.build_filters(request)
        )
        return build_sheet_response(
            "预算.xlsx",
            header=tuple(COLUMNS),
            rows=(build_sheet_cells(row.budget) for row in rows),
            sheet="预算",
        )

    @extend_schema(responses=s.BudgetSerializer(many=True))
    @action(detail=False, methods=["get"], url_path="Usable")
    def usable(self, request: AuthedRequest) -> Response:
        rows = list_usable_budgets(actor=request.user).select_related(
            "enterprise", "department", "account"
        )
        return Response(s.BudgetSerializer(rows, many=True).data)

    @extend_schema(
        parameters=[s.EntryQuerySerializer], responses=s.BudgetEntrySerializer(many=True)
    )
    @action(detail=True, methods=["get"], url_path="Entries")
    def entries(self, request: AuthedRequest, budget_id: str) -> Response:
        figure = s.EntryQuerySerializer.parse(request)["Figure"]
        page = (
            self.paginate_queryset(
                list_budget_entries(actor=request.user, budget_id=int(budget_id), figure=figure)
            )
            or []
        )
        return self.get_paginated_response(
            s.BudgetEntrySerializer(
                page, many=True, context=_build_visibility_context(request, page)
            ).data
        )

    @extend_schema(responses=s.AwaitingOrderSerializer(many=True))
    @action(detail=True, methods=["get"], url_path="Awaiting", pagination_class=None)
    def awaiting(self, request: AuthedRequest, budget_id: str) -> Response:
        """Return the latest 100 orders in approval that reserve part of the budget or of a budget
        below it.
        """
        budget = get_budget(actor=request.user, budget_id=int(budget_id))
        rows = list(list_awaiting_of(Budget.objects.filter(pk=budget.pk))[:100])
        return Response(
            s.AwaitingOrderSerializer(
                rows, many=True, context=_build_visibility_context(request, rows)
            ).data
        )


class BudgetPlanRowSerializer(SheetRowSerializer):
    EnterpriseCode = serializers.CharField(source="named.enterprise")
    DepartmentCode = serializers.CharField(source="named.department")
    UserName = serializers.CharField(source="named.account")
    Name = serializers.CharField(source="named.name")
    Day = serializers.CharField(source="named.day")
    Amount = serializers.CharField(source="named.amount")


class BudgetPlanSerializer(SheetTakenSerializer):
    Rows = BudgetPlanRowSerializer(many=True)


class BudgetSheetViewSet(MallViewSet):
    """Importing needs the same rights as creating a budget."""

    access = KEEPERS
    action_access = {"import_rows": KEEPERS.in_person()}
    serializer_class = BudgetPlanSerializer
    pagination_class = None

    @extend_schema(request=import_body(), responses=BudgetPlanSerializer)
    @action(detail=False, methods=["post"], url_path="Import", parser_classes=[MultiPartParser])
    def import_rows(self, request: AuthedRequest) -> HttpResponseBase:
        """Check the sheet. With `Confirm`, write all rows, with `GoodOnly` the valid ones."""
        upload = only_upload(request, missing_message="请选择一个表格文件")
        file = io.BytesIO(file_take(upload, kinds=TABLES, max_mb=5).content)
        require_budget_import(request.user)
        options = read_sheet_options(request, kind=WRITER, columns=COLUMNS)
        if options.is_confirmed:
            run = budgets_import(actor=request.user, file=file, is_good_only=options.is_good_only)
            return import_answer(run, noun="个预算")
        rows = budgets_preview(actor=request.user, file=file)
        if options.wants_wrong_rows:
            return build_wrong_rows_response(budgets_build_wrong_sheet(rows))
        mapping = find_sheet_mapping(file, kind=WRITER, columns=COLUMNS)
        return Response(sheet_preview(rows, BudgetPlanRowSerializer, mapping=mapping))

    @extend_schema(responses={(200, XLSX_TYPE): OpenApiTypes.BINARY})
    @action(detail=False, methods=["get"], url_path="Template")
    def template(self, request: AuthedRequest) -> HttpResponse:
        """Return an empty sheet with two example rows."""
        code = request.user.enterprise.code if request.user.enterprise else ""
        rows = [
            (
                code,
                "ADM",
                "",
                "行政部办公用品预算（示例，请改写）",
                "月度",
                "2027-01",
                "5000.00",
                "超出禁止下单",
                "限额结转",
                "1000.00",
                "",
                "50/80/95",
                "",
            ),
            (
                code,
                "",
                "zhang.san",
                "个人零星采购（示例，请改写）",
                "季度",
                "2027Q1",
                "800.00",
                "超出提醒",
                "不结转",
                "",
                "",
                "",
                "",
            ),
        ]
        return build_sheet_response(
            "预算导入模板.xlsx", header=tuple(COLUMNS), rows=rows, sheet="预算"
        )
