"""Responses of submit, pay and buy again, and the departments that a person may order for."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from apps.common.api.serializers import AnswerSerializer, MoneyField


class OrderDepartmentSerializer(AnswerSerializer):
    """A department that the actor may order for."""

    Id = serializers.CharField(source="pk")
    Name = serializers.CharField(source="name")
    ParentId = serializers.CharField(source="parent_id", allow_null=True)
    CostCenter = serializers.CharField(source="cost_center")


class SubmittedOrderSerializer(AnswerSerializer):
    OrderNo = serializers.CharField(source="order_no")
    Status = serializers.CharField(source="status")
    StatusText = serializers.CharField(source="get_status_display")
    Total = MoneyField(source="total_amount")
    PaymentKind = serializers.CharField(source="payment_kind")


class SubmittedSerializer(SubmittedOrderSerializer):
    """The first order of the submit, and all of its orders."""

    Orders = SubmittedOrderSerializer(many=True)


class PaySerializer(serializers.Serializer[Any]):
    PaymentNo = serializers.CharField()
    Amount = MoneyField()
    PayUrl = serializers.CharField()


class LeftOutSerializer(serializers.Serializer[Any]):
    ProductCode = serializers.CharField(source="product_code")
    Name = serializers.CharField(source="name")
    Message = serializers.CharField(source="message")


class ReorderedSerializer(serializers.Serializer[Any]):
    Added = serializers.IntegerField(source="added")
    LeftOut = LeftOutSerializer(source="left_out", many=True)
