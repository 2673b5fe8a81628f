"""Queries and request bodies of returns."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from apps.aftersales.enums import ReturnKind, ReturnReason, ReturnStatus, ReturnWay
from apps.aftersales.selectors.returns import ReturnFilter
from apps.aftersales.services.return_apply import AskedLine, ReturnForm
from apps.common.api.bodies import PeriodFields, PicturesField, text
from apps.common.api.serializers import BodySerializer, QuantityField, QuerySerializer, list_of

MAX_LINES = 200
MAX_ID = 10**18


def choice(choices: Any, needed: str) -> serializers.ChoiceField:
    """Return a required choice field."""
    return serializers.ChoiceField(
        choices=choices,
        error_messages=dict.fromkeys(("required", "null", "blank", "invalid_choice"), needed),
    )


class ReturnAskedSerializer(BodySerializer):
    OrderLineId = serializers.IntegerField(min_value=1, max_value=MAX_ID)
    Quantity = QuantityField()
    Opened = serializers.BooleanField(required=False, default=False)


class ReturnBodySerializer(BodySerializer):
    OrderNo = text(24, needed="请选择要申请售后的订单")
    Kind = choice(ReturnKind.choices, "请选择退货、换货或维修")
    Reason = choice(ReturnReason.choices, "请选择原因")
    Way = choice(ReturnWay.choices, "请选择退回方式")
    Lines = list_of(ReturnAskedSerializer, allow_empty=False, max_length=MAX_LINES)
    Detail = text(500)
    FileIds = PicturesField()
    VideoUrl = serializers.CharField(required=False, allow_blank=True, default="", max_length=300)
    Pickup = text(100)

    def validate_VideoUrl(self, given: str) -> str:
        """Accept only https addresses, because staff open them."""
        if given:
            serializers.URLField().run_validation(given)
            if not given.lower().startswith("https://"):
                raise serializers.ValidationError("视频链接须以 https:// 开头")
        return given

    @staticmethod
    def form(body: dict[str, Any]) -> ReturnForm:
        """Return the form for the service."""
        return ReturnForm(
            order_no=body["OrderNo"],
            kind=body["Kind"],
            reason=body["Reason"],
            way=body["Way"],
            lines=tuple(
                AskedLine(line["OrderLineId"], line["Quantity"], line["Opened"])
                for line in body["Lines"]
            ),
            detail=body["Detail"],
            video_url=body["VideoUrl"],
            file_ids=tuple(body["FileIds"]),
            pickup=body["Pickup"],
        )


class ReturnTermsQuerySerializer(QuerySerializer):
    OrderNo = text(24, needed="请指定订单")


class OrdersToReturnQuerySerializer(QuerySerializer):
    Keyword = serializers.CharField(max_length=60, required=False, allow_blank=True, default="")


class ReturnQuerySerializer(PeriodFields, QuerySerializer):
    Keyword = serializers.CharField(max_length=60, required=False, allow_blank=True, default="")
    Status = serializers.ChoiceField(
        choices=ReturnStatus.choices, required=False, allow_blank=True, default=""
    )
    Kind = serializers.ChoiceField(
        choices=ReturnKind.choices, required=False, allow_blank=True, default=""
    )
    OrderNo = serializers.CharField(max_length=24, required=False, allow_blank=True, default="")
    Unread = serializers.BooleanField(required=False, default=False)

    @staticmethod
    def filter(query: dict[str, Any]) -> ReturnFilter:
        """Return the filter for the selector."""
        return ReturnFilter(
            keyword=query["Keyword"].strip(),
            status=query["Status"],
            kind=query["Kind"],
            order_no=query["OrderNo"],
            since=query["From"],
            until=query["To"],
            is_unread=query["Unread"],
        )


class ReturnWithdrawSerializer(BodySerializer):
    Reason = text(200, needed="请填写撤销原因")


class ReturnShipSerializer(BodySerializer):
    Carrier = text(40, needed="请填写承运商")
    TrackingNo = text(60, needed="请填写运单号")


class ReturnMessageBodySerializer(BodySerializer):
    Text = text(500, needed="请填写留言内容")
    FileIds = PicturesField()
