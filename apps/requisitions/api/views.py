"""/api/Requisition: requests of accounts to a buyer of their company, with their request and
response bodies.
"""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema, extend_schema_field, inline_serializer
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.response import Response

from apps.catalog.selectors.pictures import build_media_url
from apps.common.api.access import Access
from apps.common.api.idempotency import idempotent
from apps.common.api.renderers import Ok
from apps.common.api.serializers import (
    AnswerSerializer,
    BodySerializer,
    IdField,
    MoneyField,
    PersonSerializer,
    QuantityField,
    QuerySerializer,
    TimelineRowSerializer,
    build_text_field,
    list_of,
)
from apps.common.api.views import AuthedRequest, MallViewSet
from apps.common.events import list_events
from apps.org.menus import MenuCode
from apps.requisitions.enums import (
    RequisitionAction,
    RequisitionBox,
    RequisitionEventKind,
    RequisitionStatus,
)
from apps.requisitions.models import Requisition, RequisitionLine
from apps.requisitions.selectors import (
    RequisitionFilter,
    get_requisition,
    get_requisition_actions,
    list_boxes,
    list_requisitions,
    prefetch_lines,
)
from apps.requisitions.services.requisition_order import requisition_gather
from apps.requisitions.services.requisitions import (
    requisition_return,
    requisition_submit,
    requisition_withdraw,
)

MAX_LINES = 200


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
    def build_filter(query: dict[str, Any]) -> RequisitionFilter:
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
    CostCenter = build_text_field(60)
    Reason = build_text_field(300)


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
    Reason = build_text_field(200)


class TakeSerializer(AnswerSerializer):
    OrderNo = serializers.CharField(source="order_no")
    Quantity = serializers.IntegerField(source="quantity")
    Buyer = PersonSerializer(source="buyer")
    At = serializers.DateTimeField(source="at")


class RequisitionLineSerializer(AnswerSerializer):
    Id = serializers.CharField(source="pk")
    ProductCode = serializers.CharField(source="product_code")
    Name = serializers.CharField(source="name")
    Brand = serializers.CharField(source="product.brand.name")
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
        return build_media_url(line.image)

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
        lines = RequisitionLineSerializer.serialize_all(row.lines.all())
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
    Brand = serializers.CharField()
    Message = serializers.CharField()


class GatheredSerializer(serializers.Serializer[Any]):
    Added = serializers.IntegerField()
    LeftOut = GatherLeftOutSerializer(many=True)


RequisitionPage = inline_serializer(
    "RequisitionPage",
    {
        "Items": RequisitionSerializer(many=True),
        "Boxes": inline_serializer(
            "RequisitionBoxCount",
            {"Code": serializers.CharField(), "Count": serializers.IntegerField()},
            many=True,
        ),
        "Total": serializers.IntegerField(),
        "PageIndex": serializers.IntegerField(),
        "PageSize": serializers.IntegerField(),
    },
)


class RequisitionViewSet(MallViewSet):
    """Requisitions. A person with a cart may submit one; a person who may see the orders of
    others may order for them.
    """

    access = Access.login()
    action_access = dict.fromkeys(("gather", "give_back"), Access.menu(MenuCode.ORDER_LIST))
    serializer_class = RequisitionSerializer
    lookup_url_kwarg = "requisition_no"

    @extend_schema(parameters=[RequisitionQuery], responses=RequisitionPage)
    def list(self, request: AuthedRequest) -> Response:
        query = RequisitionQuery.parse(request)
        filters = RequisitionQuery.build_filter(query)
        boxes = {
            box: list_requisitions(actor=request.user, box=box, filters=filters)
            for box in list_boxes(actor=request.user)
        }
        shown = boxes.get(query["Box"], boxes[RequisitionBox.MINE])
        rows: Any = self.paginate_queryset(prefetch_lines(shown))
        page = self.get_paginated_response(
            RequisitionSerializer(rows, many=True, context={"actor": request.user}).data
        )
        page.data["Boxes"] = [
            {"Code": box.value, "Count": rows.order_by().count()} for box, rows in boxes.items()
        ]
        return page

    @extend_schema(responses=RequisitionDetailSerializer)
    def retrieve(self, request: AuthedRequest, requisition_no: str) -> Response:
        return Response(self._serialize_detail(request, requisition_no))

    @extend_schema(request=RequisitionBody, responses=RequisitionDetailSerializer)
    @idempotent
    def create(self, request: AuthedRequest) -> Response:
        body = RequisitionBody.parse(request)
        row = requisition_submit(
            actor=request.user,
            item_ids=body.get("Items"),
            cost_center=body["CostCenter"].strip(),
            reason=body["Reason"].strip(),
        )
        return Ok(
            self._serialize_detail(request, row.requisition_no),
            message="采购申请已提交，采购人员会收到通知",
        )

    @extend_schema(request=GatherBody, responses=GatheredSerializer)
    @action(detail=False, methods=["post"], url_path="Gather", pagination_class=None)
    @idempotent
    def gather(self, request: AuthedRequest) -> Response:
        added, left_out = requisition_gather(
            actor=request.user, quantities=GatherBody.parse(request)["Lines"]
        )
        message = f"已加入购物车 {added} 项" + (f"，{len(left_out)} 项未加入" if left_out else "")
        rows = [
            {"Name": line.name, "Brand": line.product.brand.name, "Message": reason}
            for line, reason in left_out
        ]
        return Ok({"Added": added, "LeftOut": rows}, message=message)

    @extend_schema(request=RequisitionReturnBody, responses=RequisitionDetailSerializer)
    @action(detail=True, methods=["post"], url_path="Return")
    @idempotent
    def give_back(self, request: AuthedRequest, requisition_no: str) -> Response:
        requisition_return(
            actor=request.user,
            requisition_no=requisition_no,
            reason=RequisitionReturnBody.parse(request)["Reason"],
        )
        return Ok(self._serialize_detail(request, requisition_no), message="已退回给申请人")

    @extend_schema(request=RequisitionWithdrawBody, responses=RequisitionDetailSerializer)
    @action(detail=True, methods=["post"], url_path="Withdraw")
    @idempotent
    def withdraw(self, request: AuthedRequest, requisition_no: str) -> Response:
        requisition_withdraw(
            actor=request.user,
            requisition_no=requisition_no,
            reason=RequisitionWithdrawBody.parse(request)["Reason"],
        )
        return Ok(self._serialize_detail(request, requisition_no), message="采购申请已撤回")

    @staticmethod
    def _serialize_detail(request: AuthedRequest, requisition_no: str) -> dict[str, Any]:
        row = get_requisition(actor=request.user, requisition_no=requisition_no)
        return dict(
            RequisitionDetailSerializer(
                row, context={"actor": request.user, "timeline": list_events(row)}
            ).data
        )
