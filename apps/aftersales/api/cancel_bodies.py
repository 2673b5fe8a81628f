"""Queries and request bodies of cancellations."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from apps.aftersales.cancel_enums import CancelReason, CancelStatus
from apps.aftersales.selectors.cancel_orders import CancelFilter
from apps.aftersales.services.cancel_apply import CancelForm
from apps.common.api.bodies import PeriodFields
from apps.common.api.serializers import (
    BodySerializer,
    IdField,
    QuantityField,
    QuerySerializer,
    list_of,
)

MAX_LINES = 200


class CancelLineBodySerializer(BodySerializer):
    Id = IdField(help_text="订单行")
    Quantity = QuantityField(min_value=0, help_text="要取消的数量")


class CancelPreviewBodySerializer(BodySerializer):
    OrderNo = serializers.CharField(max_length=24)
    Lines = list_of(
        CancelLineBodySerializer,
        required=False,
        allow_empty=False,
        max_length=MAX_LINES,
        help_text="留空为全部可取消的商品",
    )

    def validate_Lines(self, lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Refuse a repeated order line."""
        ids = [line["Id"] for line in lines]
        if len(ids) != len(set(ids)):
            raise serializers.ValidationError("同一商品行重复提交，请刷新后重试")
        return lines

    @staticmethod
    def pieces(body: dict[str, Any]) -> dict[int, int] | None:
        """Return {order line pk: pieces}, None for the whole order."""
        lines = body.get("Lines")
        return None if lines is None else {line["Id"]: line["Quantity"] for line in lines}


class CancelBodySerializer(CancelPreviewBodySerializer):
    ReasonKind = serializers.ChoiceField(
        choices=CancelReason.choices, error_messages={"required": "请选择取消原因"}
    )
    Reason = serializers.CharField(
        max_length=200,
        required=False,
        allow_blank=True,
        default="",
        error_messages={"max_length": "最多 200 个字"},
    )

    @classmethod
    def form(cls, body: dict[str, Any]) -> CancelForm:
        """Return the form for the service."""
        return CancelForm(
            body["OrderNo"], body["ReasonKind"], body["Reason"].strip(), cls.pieces(body)
        )


class CancelQuerySerializer(PeriodFields, QuerySerializer):
    Keyword = serializers.CharField(max_length=60, required=False, allow_blank=True, default="")
    Status = serializers.ChoiceField(
        choices=CancelStatus.choices, required=False, allow_blank=True, default=""
    )
    OrderNo = serializers.CharField(max_length=24, required=False, allow_blank=True, default="")

    @staticmethod
    def filter(query: dict[str, Any]) -> CancelFilter:
        """Return the filter for the selector."""
        return CancelFilter(
            query["Keyword"].strip(), query["Status"], query["From"], query["To"], query["OrderNo"]
        )
