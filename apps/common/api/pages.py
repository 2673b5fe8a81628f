"""Schemas of pages of rows, and the tabs above a list with their counts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from drf_spectacular.utils import inline_serializer
from rest_framework import serializers

from apps.common.api.serializers import AnswerSerializer


class TabSerializer(AnswerSerializer):
    """A tab above a list, with the number of rows that match the filter."""

    Code = serializers.CharField()
    Name = serializers.CharField()
    Count = serializers.IntegerField()


def page_schema(
    name: str, row: type[serializers.Serializer[Any]], **more: Any
) -> serializers.Serializer[Any]:
    """Return the schema of a page of `row`, with the additional fields `more`."""
    paging = {key: serializers.IntegerField() for key in ("Total", "PageIndex", "PageSize")}
    return inline_serializer(name, {"Items": row(many=True), **more, **paging})


def tabbed_schema(
    name: str, row: type[serializers.Serializer[Any]], **more: Any
) -> serializers.Serializer[Any]:
    """Return the schema of a page of `row` with tabs."""
    return page_schema(name, row, Tabs=TabSerializer(many=True), **more)


def tabs_of(counts: Mapping[str, int], names: Mapping[str, str]) -> list[dict[str, Any]]:
    """Return the tabs as JSON, in the order of `counts`."""
    return [{"Code": code, "Name": names[code], "Count": number} for code, number in counts.items()]
