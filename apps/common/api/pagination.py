"""Pages of rows: the paginator, the schemas of pages, and the tabs above a list with counts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet
from drf_spectacular.utils import inline_serializer
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.pagination import BasePagination
from rest_framework.request import Request
from rest_framework.response import Response

from apps.common.api.serializers import AnswerSerializer, WholeField

PAGE_SIZES = (10, 20, 50, 100, 1000)
DEFAULT_PAGE_SIZE = 20
# Visitors cannot request a page of 1000 rows: it occupies the process for long, and the caller is
# anonymous.
VISITOR_PAGE_SIZE = 100
MAX_ROWS_DEEP = 10_000


def parse_page(request: Request) -> tuple[int, int]:
    """Return (PageIndex, PageSize) of a call.

    Raises:
        ValidationError: not a whole number from 1, not one of the spec's sizes, more than 100 for
            a visitor, or deeper than 10,000 rows.
    """
    query = request.query_params
    index = _parse_whole_number(query.get("PageIndex"), "PageIndex", 1)
    size = _parse_whole_number(query.get("PageSize"), "PageSize", DEFAULT_PAGE_SIZE)
    if size not in PAGE_SIZES:
        sizes = "、".join(map(str, PAGE_SIZES))
        raise ValidationError({"PageSize": [f"每页条数 PageSize 只能是 {sizes}"]})
    if size > VISITOR_PAGE_SIZE and request.user is None:
        raise ValidationError(
            {"PageSize": [f"未登录时每页最多 {VISITOR_PAGE_SIZE} 条，请登录后再选择每页 {size} 条"]}
        )
    if (index - 1) * size >= MAX_ROWS_DEEP and index > 1:
        raise ValidationError({"PageIndex": ["最多可翻看前 10000 条，请缩小筛选范围或使用导出"]})
    return index, size


def _parse_whole_number(raw: Any, name: str, default: int) -> int:
    """Return the number in a query parameter, or the default if it is empty. Raises
    ValidationError.
    """
    if raw in (None, ""):
        return default
    field = WholeField(min_value=1)
    field.field_name = name
    try:
        return int(field.run_validation(raw))
    except ValidationError as error:
        raise ValidationError({name: error.detail}) from error


@dataclass(frozen=True, slots=True)
class CountedRows(Sequence[Any]):
    """Rows whose number is already known, so that the pagination does not count them again."""

    rows: QuerySet[Any]
    total: int

    def __len__(self) -> int:
        return self.total

    def __getitem__(self, key: Any) -> Any:
        return self.rows[key]


class PagePagination(BasePagination):
    """The pagination of every list."""

    def paginate_queryset(
        self, queryset: QuerySet[Any] | Sequence[Any], request: Request, view: Any = None
    ) -> list[Any]:
        self.index, self.size = parse_page(request)
        self.total = queryset.count() if isinstance(queryset, QuerySet) else len(queryset)
        start = (self.index - 1) * self.size
        return list(queryset[start : start + self.size])

    def get_paginated_response(self, data: Any) -> Response:
        return Response(
            {"Items": data, "Total": self.total, "PageIndex": self.index, "PageSize": self.size}
        )

    def get_paginated_response_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        """Return the OpenAPI schema of a page."""
        whole = {"type": "integer"}
        return {
            "type": "object",
            "required": ["Items", "Total", "PageIndex", "PageSize"],
            "properties": {"Items": schema, "Total": whole, "PageIndex": whole, "PageSize": whole},
        }

    def get_schema_operation_parameters(self, view: Any) -> list[dict[str, Any]]:
        """Return the OpenAPI description of PageIndex and PageSize."""
        return [
            {
                "name": "PageIndex",
                "in": "query",
                "schema": {"type": "integer", "minimum": 1, "default": 1},
            },
            {
                "name": "PageSize",
                "in": "query",
                "schema": {
                    "type": "integer",
                    "enum": list(PAGE_SIZES),
                    "default": DEFAULT_PAGE_SIZE,
                },
            },
        ]


class TabSerializer(AnswerSerializer):
    """A tab above a list, with the number of rows that match the filter."""

    Code = serializers.CharField()
    Name = serializers.CharField()
    Count = serializers.IntegerField()


def build_page_schema(
    name: str, row: type[serializers.Serializer[Any]], **more: Any
) -> serializers.Serializer[Any]:
    """Return the schema of a page of `row`, with the additional fields `more`."""
    paging = {key: serializers.IntegerField() for key in ("Total", "PageIndex", "PageSize")}
    return inline_serializer(name, {"Items": row(many=True), **more, **paging})


def build_tabbed_schema(
    name: str, row: type[serializers.Serializer[Any]], **more: Any
) -> serializers.Serializer[Any]:
    """Return the schema of a page of `row` with tabs."""
    return build_page_schema(name, row, Tabs=TabSerializer(many=True), **more)


def serialize_tabs(counts: Mapping[str, int], names: Mapping[str, str]) -> list[dict[str, Any]]:
    """Return the tabs as JSON, in the order of `counts`."""
    return [{"Code": code, "Name": names[code], "Count": number} for code, number in counts.items()]
