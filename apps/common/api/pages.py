"""Pages of rows as the schema tells them, and the tabs above a list with their counts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from drf_spectacular.utils import inline_serializer
from rest_framework import serializers

from apps.common.api.serializers import AnswerSerializer


class TabSerializer(AnswerSerializer):
    """A tab above a list: how many rows the filter leaves under it."""

    Code = serializers.CharField()
    Name = serializers.CharField()
    Count = serializers.IntegerField()


def page_schema(name: str, row: type[serializers.Serializer[Any]], **more: Any) -> serializers.Serializer[Any]:
    """Return the schema of a page of `row` that carries more than its rows."""
    paging = {key: serializers.IntegerField() for key in ("Total", "PageIndex", "PageSize")}
    return inline_serializer(name, {"Items": row(many=True), **more, **paging})


def tabbed_schema(name: str, row: type[serializers.Serializer[Any]], **more: Any) -> serializers.Serializer[Any]:
    """Return the schema of a page of `row` with tabs."""
    return page_schema(name, row, Tabs=TabSerializer(many=True), **more)


def tabs_of(counts: Mapping[str, int], names: Mapping[str, str]) -> list[dict[str, Any]]:
    """Return the tabs on the wire, in the order of the counts."""
    return [{"Code": code, "Name": names[code], "Count": number} for code, number in counts.items()]
