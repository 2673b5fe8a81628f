"""/api/Dimension: cost centres, projects and accounting subjects, their sheet, and the choices of
a buyer.
"""

from __future__ import annotations

import io

from django.http import HttpResponse, HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.decorators import action
from rest_framework.parsers import MultiPartParser
from rest_framework.response import Response

from apps.common.api.access import Access
from apps.common.api.exceptions import serialize_stale
from apps.common.api.files import only_upload
from apps.common.api.idempotency import idempotent
from apps.common.api.renderers import Ok
from apps.common.api.views import DIGITS, AuthedRequest, MallViewSet
from apps.common.files import file_take
from apps.common.files.kinds import TABLES, XLSX_TYPE
from apps.dimensions.api import serializers as s
from apps.dimensions.models import Dimension
from apps.dimensions.selectors.dimensions import (
    count_dimensions,
    list_dimensions,
    list_kind_choices,
    may_manage_dimensions,
)
from apps.dimensions.services.dimension_import import (
    COLUMNS,
    MAX_ROWS,
    WRITER,
    build_sheet_cells,
    dimensions_build_wrong_sheet,
    dimensions_import,
    dimensions_preview,
    require_dimension_import,
)
from apps.dimensions.services.dimensions import (
    DimensionForm,
    dimension_create,
    dimension_update,
)
from apps.documents.api import (
    build_sheet_response,
    build_wrong_rows_response,
    import_answer,
    import_body,
    read_sheet_options,
    sheet_preview,
)
from apps.documents.excel import find_sheet_mapping
from apps.org.menus import MenuCode

READERS = Access.menu(MenuCode.ASSET_DIMENSION)


class DimensionViewSet(MallViewSet):
    """The dimensions of the group. Writing needs the data scope of the group. `Choices` lists the
    dimensions that an order of the caller may use.
    """

    access = READERS
    action_access = {
        "choices": Access.login(),
        "create": READERS.in_person(),
        "partial_update": READERS.in_person(),
        "import_rows": READERS.in_person(),
    }
    paged_actions = ("list",)
    serializer_class = s.DimensionSerializer
    lookup_url_kwarg = "dimension_id"
    lookup_value_regex = DIGITS

    @extend_schema(
        parameters=[s.DimensionQuerySerializer], responses=s.DimensionSerializer(many=True)
    )
    def list(self, request: AuthedRequest) -> Response:
        page = self.paginate_queryset(
            list_dimensions(filters=s.DimensionQuerySerializer.build_filters(request))
        )
        return self.get_paginated_response(s.DimensionSerializer.serialize_all(page or []))

    @extend_schema(request=s.DimensionBodySerializer, responses=s.DimensionSerializer)
    @idempotent
    def create(self, request: AuthedRequest) -> Response:
        values = s.DimensionBodySerializer.read_values(s.DimensionBodySerializer.parse(request))
        row = dimension_create(actor=request.user, form=DimensionForm(**values))
        return Ok(s.DimensionSerializer.answer(row), message="核算项已新增")

    @extend_schema(request=s.DimensionChangeSerializer, responses=s.DimensionSerializer)
    def partial_update(self, request: AuthedRequest, dimension_id: str) -> Response:
        body = s.DimensionChangeSerializer.parse(request, partial=True)
        with serialize_stale(s.DimensionSerializer.answer):
            row = dimension_update(
                actor=request.user,
                dimension_id=dimension_id,
                changes=s.DimensionChangeSerializer.read_values(body),
                seen_at=body.get("UpdatedAt"),
            )
        return Ok(s.DimensionSerializer.answer(row), message="核算项已保存")

    @extend_schema(responses=s.DimensionSummarySerializer)
    @action(detail=False, methods=["get"], url_path="Summary", pagination_class=None)
    def summary(self, request: AuthedRequest) -> Response:
        """Return the number of dimensions of each kind, and whether the caller may change them."""
        can_manage = request.user.impersonator is None and may_manage_dimensions(request.user)
        answer = {"can_manage": can_manage, "kinds": count_dimensions()}
        return Response(s.DimensionSummarySerializer.answer(answer))

    @extend_schema(
        parameters=[s.DimensionChoiceQuerySerializer], responses=s.KindChoicesSerializer(many=True)
    )
    @action(detail=False, methods=["get"], url_path="Choices", pagination_class=None)
    def choices(self, request: AuthedRequest) -> Response:
        """Return the usable dimensions of each kind, with the default of the department."""
        query = s.DimensionChoiceQuerySerializer.parse(request)
        rows = list_kind_choices(
            actor=request.user,
            department_id=query.get("DepartmentId"),
            kind=query["Kind"],
            keyword=query["Keyword"],
        )
        return Response(s.KindChoicesSerializer.serialize_all(rows))

    @extend_schema(request=import_body(), responses=s.DimensionPlanSerializer)
    @action(detail=False, methods=["post"], url_path="Import", parser_classes=[MultiPartParser])
    def import_rows(self, request: AuthedRequest) -> HttpResponseBase:
        """Check the sheet. With `Confirm`, write all rows, with `GoodOnly` the valid ones."""
        upload = only_upload(request, missing_message="请选择一个表格文件")
        file = io.BytesIO(file_take(upload, kinds=TABLES, max_mb=5).content)
        require_dimension_import(request.user)
        options = read_sheet_options(request, kind=WRITER, columns=COLUMNS)
        if options.is_confirmed:
            run = dimensions_import(
                actor=request.user, file=file, is_good_only=options.is_good_only
            )
            return import_answer(run, noun="个核算项")
        rows = dimensions_preview(actor=request.user, file=file)
        if options.wants_wrong_rows:
            return build_wrong_rows_response(dimensions_build_wrong_sheet(rows))
        mapping = find_sheet_mapping(file, kind=WRITER, columns=COLUMNS)
        return Response(sheet_preview(rows, s.DimensionPlanRowSerializer, mapping=mapping))

    @extend_schema(
        parameters=[s.DimensionQuerySerializer], responses={(200, XLSX_TYPE): OpenApiTypes.BINARY}
    )
    @action(detail=False, methods=["get"], url_path="Export", pagination_class=None)
    def export(self, request: AuthedRequest) -> HttpResponse:
        """Return the filtered dimensions as a sheet that can be imported again."""
        rows: list[Dimension] = list(
            list_dimensions(filters=s.DimensionQuerySerializer.build_filters(request))[:MAX_ROWS]
        )
        return build_sheet_response(
            "核算项.xlsx", header=tuple(COLUMNS), rows=map(build_sheet_cells, rows), sheet="核算项"
        )

    @extend_schema(responses={(200, XLSX_TYPE): OpenApiTypes.BINARY})
    @action(detail=False, methods=["get"], url_path="Template", pagination_class=None)
    def template(self, request: AuthedRequest) -> HttpResponse:
        """Return an empty sheet with three example rows."""
        code = request.user.enterprise.code if request.user.enterprise else ""
        department = f"{code}/ADM"
        days = ("2027-01-01", "2027-12-31")
        note = "（示例，请改写）"
        rows = [
            ("成本中心", "CC-1001", f"行政{note}", "", "", "", "启用", department, department),
            ("项目", "P-2027-01", f"新办公楼{note}", "", *days, "启用", "", ""),
            ("会计科目", "6602.01", f"办公费{note}", "", "", "", "启用", "", department),
        ]
        return build_sheet_response(
            "核算项导入模板.xlsx", header=tuple(COLUMNS), rows=rows, sheet="核算项"
        )
