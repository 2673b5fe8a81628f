"""/api/RecurringOrder: orders that repeat on working days."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from drf_spectacular.utils import extend_schema, inline_serializer
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.response import Response

from apps.common.api.access import Access
from apps.common.api.exceptions import serialize_stale
from apps.common.api.idempotency import idempotent
from apps.common.api.renderers import Ok
from apps.common.api.views import AuthedRequest, MallViewSet
from apps.common.events import list_events
from apps.recurring.api.serializers import (
    UPCOMING,
    RecurringBody,
    RecurringChangeBody,
    RecurringContinueBody,
    RecurringDetailQuery,
    RecurringDetailSerializer,
    RecurringDraftQuery,
    RecurringDraftSerializer,
    RecurringQuery,
    RecurringReasonBody,
    RecurringRowSerializer,
)
from apps.recurring.enums import RecurringStatus
from apps.recurring.selectors.drafts import get_draft
from apps.recurring.selectors.next_run import get_next_run, get_standing_approval
from apps.recurring.selectors.recurring_orders import (
    build_schedule,
    count_by_status,
    get_recurring_order,
    list_recurring_orders,
    list_runs,
)
from apps.recurring.services.recurring_decide import (
    recurring_order_continue,
    recurring_order_end,
    recurring_order_pause,
    recurring_order_resume,
    recurring_order_skip,
)
from apps.recurring.services.recurring_manage import (
    recurring_order_change,
    recurring_order_create,
)

RecurringPage = inline_serializer(
    "RecurringPage",
    {
        "Items": RecurringRowSerializer(many=True),
        "States": inline_serializer(
            "RecurringStateCount",
            {"Code": serializers.CharField(), "Count": serializers.IntegerField()},
            many=True,
        ),
        "Total": serializers.IntegerField(),
        "PageIndex": serializers.IntegerField(),
        "PageSize": serializers.IntegerField(),
    },
)


class RecurringOrderViewSet(MallViewSet):
    """Recurring orders. A person who may order sets up own ones; a person who may see the orders
    of others sees theirs.
    """

    access = Access.login()
    serializer_class = RecurringRowSerializer
    lookup_url_kwarg = "recurring_no"

    @extend_schema(parameters=[RecurringQuery], responses=RecurringPage)
    def list(self, request: AuthedRequest) -> Response:
        status = RecurringQuery.parse(request)["Status"]
        rows: Any = self.paginate_queryset(list_recurring_orders(actor=request.user, status=status))
        page = self.get_paginated_response(
            RecurringRowSerializer(rows, many=True, context={"actor": request.user}).data
        )
        page.data["States"] = [
            {"Code": code, "Count": number}
            for code, number in count_by_status(actor=request.user).items()
        ]
        return page

    @extend_schema(parameters=[RecurringDetailQuery], responses=RecurringDetailSerializer)
    def retrieve(self, request: AuthedRequest, recurring_no: str) -> Response:
        drop_line_ids = RecurringDetailQuery.parse(request)["DropLineIds"]
        return Response(self._serialize_detail(request, recurring_no, drop_line_ids=drop_line_ids))

    @extend_schema(parameters=[RecurringDraftQuery], responses=RecurringDraftSerializer)
    @action(detail=False, methods=["get"], url_path="Draft", pagination_class=None)
    def draft(self, request: AuthedRequest) -> Response:
        query = RecurringDraftQuery.parse(request)
        draft = get_draft(
            actor=request.user,
            order_no=query["OrderNo"],
            list_id=query.get("QuickListId"),
            recurring_no=query["RecurringNo"],
        )
        return Response(RecurringDraftSerializer(draft).data)

    @extend_schema(request=RecurringBody, responses=RecurringDetailSerializer)
    @idempotent
    def create(self, request: AuthedRequest) -> Response:
        form = RecurringBody.build_form(RecurringBody.parse(request))
        row = recurring_order_create(actor=request.user, form=form)
        return Ok(self._serialize_detail(request, row.recurring_no), message="定期采购已设置")

    @extend_schema(request=RecurringChangeBody, responses=RecurringDetailSerializer)
    def update(self, request: AuthedRequest, recurring_no: str) -> Response:
        body = RecurringChangeBody.parse(request)
        with serialize_stale(lambda row: self._serialize_detail(request, row.recurring_no)):
            recurring_order_change(
                actor=request.user,
                recurring_no=recurring_no,
                form=RecurringChangeBody.build_form(body),
                seen_at=body.get("UpdatedAt"),
            )
        return Ok(self._serialize_detail(request, recurring_no), message="已保存")

    @extend_schema(request=RecurringReasonBody, responses=RecurringDetailSerializer)
    @action(detail=True, methods=["post"], url_path="Pause")
    @idempotent
    def pause(self, request: AuthedRequest, recurring_no: str) -> Response:
        reason = RecurringReasonBody.parse(request)["Reason"]
        recurring_order_pause(actor=request.user, recurring_no=recurring_no, reason=reason)
        return Ok(self._serialize_detail(request, recurring_no), message="已暂停")

    @extend_schema(request=None, responses=RecurringDetailSerializer)
    @action(detail=True, methods=["post"], url_path="Resume")
    @idempotent
    def resume(self, request: AuthedRequest, recurring_no: str) -> Response:
        recurring_order_resume(actor=request.user, recurring_no=recurring_no)
        return Ok(self._serialize_detail(request, recurring_no), message="已恢复")

    @extend_schema(request=RecurringReasonBody, responses=RecurringDetailSerializer)
    @action(detail=True, methods=["post"], url_path="Skip")
    @idempotent
    def skip(self, request: AuthedRequest, recurring_no: str) -> Response:
        reason = RecurringReasonBody.parse(request)["Reason"]
        recurring_order_skip(actor=request.user, recurring_no=recurring_no, reason=reason)
        return Ok(self._serialize_detail(request, recurring_no), message="已跳过")

    @extend_schema(request=RecurringReasonBody, responses=RecurringDetailSerializer)
    @action(detail=True, methods=["post"], url_path="End")
    @idempotent
    def end(self, request: AuthedRequest, recurring_no: str) -> Response:
        reason = RecurringReasonBody.parse(request)["Reason"]
        recurring_order_end(actor=request.user, recurring_no=recurring_no, reason=reason)
        return Ok(self._serialize_detail(request, recurring_no), message="已结束")

    @extend_schema(request=RecurringContinueBody, responses=RecurringDetailSerializer)
    @action(detail=True, methods=["post"], url_path="Continue")
    @idempotent
    def proceed(self, request: AuthedRequest, recurring_no: str) -> Response:
        body = RecurringContinueBody.parse(request)
        order = recurring_order_continue(
            actor=request.user,
            recurring_no=recurring_no,
            seen_amount=body["SeenAmount"],
            drop_line_ids=body["DropLineIds"],
        )
        return Ok(
            self._serialize_detail(request, recurring_no), message=f"已生成订单 {order.order_no}"
        )

    @staticmethod
    def _serialize_detail(
        request: AuthedRequest, recurring_no: str, *, drop_line_ids: Collection[int] = ()
    ) -> dict[str, Any]:
        row = get_recurring_order(actor=request.user, recurring_no=recurring_no)
        is_over = row.status == RecurringStatus.ENDED
        context = {
            "actor": request.user,
            "next_run": None
            if is_over
            else get_next_run(row=row, owner=row.requester, drop_line_ids=drop_line_ids),
            "standing": None if is_over else get_standing_approval(row, owner=row.requester),
            "upcoming": []
            if is_over
            else build_schedule(row).list_upcoming(row.next_due, UPCOMING),
            "lines": row.lines.select_related("product__brand").order_by("no"),
            "runs": list_runs(row),
            "timeline": list_events(row),
        }
        return dict(RecurringDetailSerializer(row, context=context).data)
