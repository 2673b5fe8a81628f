"""/api/Requisition: requests of accounts to a buyer of their company."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema, inline_serializer
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.response import Response

from apps.common.api.access import Access
from apps.common.api.idempotency import idempotent
from apps.common.api.renderers import Ok
from apps.common.api.views import AuthedRequest, MallViewSet
from apps.common.events import list_events
from apps.org.menus import MenuCode
from apps.requisitions.api.serializers import (
    GatherBody,
    GatheredSerializer,
    RequisitionBody,
    RequisitionDetailSerializer,
    RequisitionQuery,
    RequisitionReturnBody,
    RequisitionSerializer,
    RequisitionWithdrawBody,
)
from apps.requisitions.enums import RequisitionBox
from apps.requisitions.selectors import (
    get_requisition,
    list_requisitions,
    prefetch_lines,
)
from apps.requisitions.services.requisition_order import requisition_gather
from apps.requisitions.services.requisitions import (
    requisition_return,
    requisition_submit,
    requisition_withdraw,
)

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
        filters = RequisitionQuery.filter(query)
        boxes = {
            box: list_requisitions(actor=request.user, box=box, filters=filters)
            for box in RequisitionBox.values
        }
        rows: Any = self.paginate_queryset(prefetch_lines(boxes[query["Box"]]))
        page = self.get_paginated_response(
            RequisitionSerializer(rows, many=True, context={"actor": request.user}).data
        )
        page.data["Boxes"] = [
            {"Code": box, "Count": rows.order_by().count()} for box, rows in boxes.items()
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
        return Ok(
            {"Added": added, "LeftOut": [{"Name": name, "Message": why} for name, why in left_out]},
            message=message,
        )

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
