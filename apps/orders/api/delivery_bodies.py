"""Deliveries in a request: the lines of one checkout, split over addresses and departments."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from rest_framework import serializers

from apps.common.api.serializers import BodySerializer, IdField, MoneyField, QuantityField, list_of
from apps.orders.selectors.checkout import SeenLine
from apps.orders.selectors.deliveries import DeliveryForm

MAX_LINES = 200
MAX_DELIVERIES = 50
MAX_ROWS = 1000


class DeliveryLineSerializer(BodySerializer):
    CartItemId = IdField()
    Quantity = QuantityField()
    CustomerPrice = MoneyField(required=False, allow_null=True, min_value=0)


class SplitDeliverySerializer(BodySerializer):
    AddressId = IdField(error_messages={"required": "请选择收货地址"})
    DepartmentId = IdField(required=False, allow_null=True, help_text="不填为下单人的部门")
    CostCenter = serializers.CharField(
        max_length=60,
        required=False,
        allow_blank=True,
        default="",
        error_messages={"max_length": "最多 60 个字"},
    )
    Lines = list_of(
        DeliveryLineSerializer,
        allow_empty=False,
        max_length=MAX_LINES,
        error_messages={
            "empty": "每个地址至少分配一种商品",
            "max_length": f"每个地址最多 {MAX_LINES} 种商品",
        },
    )

    def validate_Lines(self, lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Refuse a cart line that appears twice for one address."""
        if len({line["CartItemId"] for line in lines}) < len(lines):
            raise serializers.ValidationError("同一商品在同一地址只能填写一次，请合并数量")
        return lines


def deliveries_field() -> serializers.BaseSerializer[Any]:
    """Return the optional field of deliveries."""
    return list_of(
        SplitDeliverySerializer,
        required=False,
        allow_empty=False,
        max_length=MAX_DELIVERIES,
        error_messages={"max_length": f"一次最多送往 {MAX_DELIVERIES} 个地址，请分批提交"},
        help_text=(
            "多地址收货：每个地址成一张订单，全部成功或全部不提交；填写时不填 AddressId 和 Lines"
        ),
    )


def refuse_mixed(body: dict[str, Any]) -> dict[str, Any]:
    """Return a body whose deliveries are valid.

    Raises:
        ValidationError: the body has deliveries and also lines or an address, too many lines or
            products, or two prices for one cart line.
    """
    deliveries = body.get("Deliveries")
    if deliveries is None:
        return body
    if body.get("Lines") is not None or body.get("AddressId") is not None:
        raise serializers.ValidationError(
            {"Deliveries": ["多地址收货时，地址和商品行只填写在 Deliveries 中"]}
        )
    rows = [line for row in deliveries for line in row["Lines"]]
    if len(rows) > MAX_ROWS:
        raise serializers.ValidationError(
            {"Deliveries": [f"一次最多拆分 {MAX_ROWS} 行，请分批提交"]}
        )
    if len({line["CartItemId"] for line in rows}) > MAX_LINES:
        raise serializers.ValidationError(
            {"Deliveries": [f"一次最多提交 {MAX_LINES} 种商品，请分批提交"]}
        )
    prices: dict[int, Decimal | None] = {}
    for line in rows:
        if prices.setdefault(line["CartItemId"], line.get("CustomerPrice")) != line.get(
            "CustomerPrice"
        ):
            raise serializers.ValidationError(
                {"Deliveries": ["同一商品在各地址的单价须一致，请刷新后重试"]}
            )
    return body


def deliveries_of(body: dict[str, Any]) -> tuple[DeliveryForm, ...]:
    """Return the deliveries of the body as DeliveryForms."""
    return tuple(
        DeliveryForm(
            address_id=row["AddressId"],
            department_id=row.get("DepartmentId"),
            cost_center=row["CostCenter"].strip(),
            quantities={line["CartItemId"]: line["Quantity"] for line in row["Lines"]},
        )
        for row in body.get("Deliveries") or ()
    )


def seen_lines_of(body: dict[str, Any]) -> tuple[SeenLine, ...] | None:
    """Return the ordered cart lines with the prices that the buyer saw. None means the selected
    lines of the cart.
    """
    rows = body.get("Lines")
    if body.get("Deliveries") is not None:
        rows = [line for row in body["Deliveries"] for line in row["Lines"]]
    if rows is None:
        return None
    seen = {line["CartItemId"]: line.get("CustomerPrice") for line in rows}
    return tuple(SeenLine(pk, price) for pk, price in seen.items())
