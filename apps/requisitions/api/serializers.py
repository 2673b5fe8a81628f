"""Requests and responses of requisitions."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from apps.catalog.selectors.pictures import media_url
from apps.common.api.serializers import (
    AnswerSerializer,
    BodySerializer,
    IdField,
    MoneyField,
    PersonSerializer,
    QuantityField,
    QuerySerializer,
    TimelineRowSerializer,
    list_of,
)
from apps.requisitions.enums import (
    RequisitionAction,
    RequisitionBox,
    RequisitionEventKind,
    RequisitionStatus,
)
from apps.requisitions.models import Requisition, RequisitionLine
from apps.requisitions.selectors import RequisitionFilter, get_requisition_actions

MAX_LINES = 200


def _create_optional_text_field(length: int) -> serializers.CharField:
    return serializers.CharField(
        max_length=length,
        required=False,
        allow_blank=True,
        default="",
        error_messages={"max_length": f"最多 {length} 个字"},
    )


class RequisitionQuery(QuerySerializer):
    Box = serializers.ChoiceField(
        choices=RequisitionBox.choices, required=False, default=RequisitionBox.MINE
    )
    Keyword = serializers.CharField(max_length=60, required=False, allow_blank=True, default="")
    Status = serializers.ChoiceField(
        choices=RequisitionStatus.choices, required=False, allow_blank=True, default=""
    )
    Requester = IdField(required=False)
    Department = IdField(required=False)
    CostCenter = serializers.CharField(max_length=60, required=False, allow_blank=True, default="")

    @staticmethod
    def filter(query: dict[str, Any]) -> RequisitionFilter:
        """Return the parameters as a RequisitionFilter."""
        return RequisitionFilter(
            keyword=query["Keyword"].strip(),
            status=query["Status"],
            requester_id=query.get("Requester"),
            department_id=query.get("Department"),
            cost_center=query["CostCenter"].strip(),
        )


class RequisitionBody(BodySerializer):
    Items = serializers.ListField(
        child=IdField(),
        required=False,
        allow_empty=False,
        max_length=MAX_LINES,
        help_text="购物车行；不填为已勾选的商品",
    )
    CostCenter = _create_optional_text_field(60)
    Reason = _create_optional_text_field(300)


class GatherLineBody(BodySerializer):
    Id = IdField(help_text="申请行")
    Quantity = QuantityField()


class GatherBody(BodySerializer):
    Lines = list_of(
        GatherLineBody,
        allow_empty=False,
        max_length=MAX_LINES,
        error_messages=dict.fromkeys(("empty", "required"), "请先勾选要采购的商品"),
    )

    def validate_Lines(self, lines: list[dict[str, Any]]) -> dict[int, int]:
        """Refuse a line that appears twice."""
        if len({line["Id"] for line in lines}) < len(lines):
            raise serializers.ValidationError("同一申请行重复提交，请刷新后重试")
        return {line["Id"]: line["Quantity"] for line in lines}


class RequisitionReturnBody(BodySerializer):
    Reason = serializers.CharField(
        max_length=200,
        error_messages={
            "required": "请填写退回原因",
            "blank": "请填写退回原因",
            "max_length": "最多 200 个字",
        },
    )


class RequisitionWithdrawBody(BodySerializer):
    Reason = _create_optional_text_field(200)


class TakeSerializer(AnswerSerializer):
    OrderNo = serializers.CharField(source="order_no")
    Quantity = serializers.IntegerField(source="quantity")
    Buyer = PersonSerializer(source="buyer")
    At = serializers.DateTimeField(source="at")


class RequisitionLineSerializer(AnswerSerializer):
    Id = serializers.CharField(source="pk")
    ProductCode = serializers.CharField(source="product_code")
    Name = serializers.CharField(source="name")
    ImageUrl = serializers.SerializerMethodField()
    Unit = serializers.CharField(source="unit")
    Price = MoneyField(
        source="price", allow_null=True, help_text="申请时的单价；角色不显示价格时为空"
    )
    Quantity = serializers.IntegerField(source="quantity")
    OrderedQuantity = serializers.IntegerField(source="ordered_quantity")
    Left = serializers.IntegerField(source="left", help_text="未下单数量")
    GatheredBy = serializers.SerializerMethodField()
    GatheredQuantity = serializers.SerializerMethodField()
    Takes = TakeSerializer(source="takes.all", many=True)

    def get_ImageUrl(self, line: RequisitionLine) -> str:
        """Return the URL of the picture."""
        return media_url(line.image)

    @extend_schema_field(PersonSerializer(allow_null=True))
    def get_GatheredBy(self, line: Any) -> Any:
        """Return the buyer whose cart holds the line. Null if no cart holds it."""
        return (
            PersonSerializer(line.gathered_by).data
            if line.is_gathered and line.gathered_by
            else None
        )

    def get_GatheredQuantity(self, line: Any) -> int:
        """Return the number of pieces in that cart."""
        return int(line.gathered_quantity) if line.is_gathered else 0


class RequisitionSerializer(serializers.Serializer[Requisition]):
    """A requisition. `context["actor"]` is the reader."""

    RequisitionNo = serializers.CharField(source="requisition_no")
    Status = serializers.ChoiceField(choices=RequisitionStatus.choices, source="status")
    StatusText = serializers.CharField(source="get_status_display")
    Requester = PersonSerializer(source="requester")
    Department = serializers.CharField(source="department.name", default="")
    CostCenter = serializers.CharField(source="cost_center")
    Reason = serializers.CharField(source="reason")
    ClosedReason = serializers.CharField(source="closed_reason")
    SubmittedAt = serializers.DateTimeField(source="submitted_at")
    Lines = serializers.SerializerMethodField()
    AllowedActions = serializers.SerializerMethodField()

    @extend_schema_field(RequisitionLineSerializer(many=True))
    def get_Lines(self, row: Requisition) -> Any:
        """Return the lines, sorted by line number."""
        lines = RequisitionLineSerializer.answers(row.lines.all())
        if not self.context["actor"].sees_prices:
            lines = [{**line, "Price": None} for line in lines]
        return lines

    @extend_schema_field(
        serializers.ListField(child=serializers.ChoiceField(choices=RequisitionAction.choices))
    )
    def get_AllowedActions(self, row: Requisition) -> list[str]:
        """Return the codes of the actions that the caller may take now."""
        return get_requisition_actions(actor=self.context["actor"], row=row)


class RequisitionEventSerializer(TimelineRowSerializer):
    """An event of the timeline of a requisition."""

    kinds = dict(RequisitionEventKind.choices)
    states = dict(RequisitionStatus.choices)


class RequisitionDetailSerializer(RequisitionSerializer):
    Timeline = serializers.SerializerMethodField()

    @extend_schema_field(RequisitionEventSerializer(many=True))
    def get_Timeline(self, row: Requisition) -> Any:
        """Return the events of the requisition, oldest first."""
        return RequisitionEventSerializer(self.context["timeline"], many=True).data


class GatherLeftOutSerializer(serializers.Serializer[Any]):
    Name = serializers.CharField()
    Message = serializers.CharField()


class GatheredSerializer(serializers.Serializer[Any]):
    Added = serializers.IntegerField()
    LeftOut = GatherLeftOutSerializer(many=True)
