"""GET /api/Approval, its decisions, and the bulk."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.decorators import action
from rest_framework.response import Response

from apps.approvals.api.present import approval_shown, present_shown
from apps.approvals.api.serializers import (
    ApproveBody,
    BulkBody,
    BulkOutcomeSerializer,
    BulkRejectBody,
    BulkRejectedSerializer,
    BulkResultSerializer,
    RejectBody,
    TransferBody,
)
from apps.approvals.enums import Box
from apps.approvals.models import Approval
from apps.approvals.selectors.approvals import with_chain
from apps.approvals.selectors.inbox import approvals_listed, box_choices, box_counts
from apps.approvals.services.approval_approve_lines import approval_approve_lines
from apps.approvals.services.approval_decide import (
    approval_approve,
    approval_reject,
    approval_transfer,
    approvals_bulk_approve,
    approvals_bulk_reject,
)
from apps.approvals.services.approval_urge import approval_urge
from apps.approvals.wire import ApprovalSerializer, BoxChoicesSerializer, BoxQuery, BoxTabSerializer
from apps.common.api.access import Access
from apps.common.api.idempotency import idempotent
from apps.common.api.pages import page_schema, tabs_of
from apps.common.api.pagination import CountedRows
from apps.common.api.renderers import Ok
from apps.common.api.views import AuthedRequest, MallViewSet
from apps.common.errors import ValidationFailed
from apps.org.menus import MenuCode
from apps.org.models import Account

ApprovalPage = page_schema("ApprovalPage", ApprovalSerializer, Tabs=BoxTabSerializer(many=True))


class ApprovalViewSet(MallViewSet):
    """The actor's approvals: waiting for him, decided by him, asked for by him."""

    access = Access.menu(MenuCode.ORDER_APPROVAL)
    action_access = {
        **dict.fromkeys(("approve", "reject", "transfer", "bulk_approve", "bulk_reject"), Access.menu(MenuCode.ORDER_APPROVAL).in_person()),
        # Whoever may order urges for his order, whether he may open approvals or not.
        "urge": Access.login().in_person(),
    }
    serializer_class = ApprovalSerializer
    lookup_url_kwarg = "approval_id"
    lookup_value_regex = r"\d{1,18}"

    def _answer(self, request: AuthedRequest, approval: Approval, message: str = "") -> Response:
        return Ok(approval_shown(actor=request.user, approval_id=approval.pk), message=message)

    @extend_schema(parameters=[BoxQuery], responses=ApprovalPage)
    def list(self, request: AuthedRequest) -> Response:
        query = BoxQuery.parse(request)
        calendar = BoxQuery.calendar(query)
        wanted = BoxQuery.filter(query, actor=request.user, calendar=calendar)
        counts = box_counts(actor=request.user, wanted=wanted)
        found = with_chain(approvals_listed(actor=request.user, box=query["Box"], wanted=wanted))
        rows: Any = self.paginate_queryset(CountedRows(found, counts[query["Box"]]))
        context = {"actor": request.user, **({"calendar": calendar} if calendar else {})}
        page = self.get_paginated_response(ApprovalSerializer(rows, many=True, context=context).data)
        page.data["Tabs"] = tabs_of(counts, dict(Box.choices))
        return page

    @extend_schema(parameters=[BoxQuery], responses=BoxChoicesSerializer, filters=False)
    @action(detail=False, methods=["get"], url_path="Choices", pagination_class=None)
    def choices(self, request: AuthedRequest) -> Response:
        return Response(BoxChoicesSerializer.answer(box_choices(actor=request.user, box=BoxQuery.parse(request)["Box"])))

    @extend_schema(responses=ApprovalSerializer)
    def retrieve(self, request: AuthedRequest, approval_id: str) -> Response:
        return Response(approval_shown(actor=request.user, approval_id=int(approval_id)))

    @extend_schema(request=ApproveBody, responses=ApprovalSerializer)
    @action(detail=True, methods=["post"], url_path="Approve")
    @idempotent
    def approve(self, request: AuthedRequest, approval_id: str) -> Response:
        body = ApproveBody.parse(request)
        what: dict[str, Any] = {"approval_id": int(approval_id), "comment": body["Comment"], "version": body["Version"]}
        with present_shown(actor=request.user, approval_id=int(approval_id)):
            if body["Lines"]:
                approval = approval_approve_lines(actor=request.user, quantities=body["Lines"], **what)
            else:
                approval = approval_approve(actor=request.user, **what)
        return self._answer(request, approval, "已按调整后的数量同意" if body["Lines"] else "已同意")

    @extend_schema(request=RejectBody, responses=ApprovalSerializer)
    @action(detail=True, methods=["post"], url_path="Reject")
    @idempotent
    def reject(self, request: AuthedRequest, approval_id: str) -> Response:
        body = RejectBody.parse(request)
        what: dict[str, Any] = {"approval_id": int(approval_id), "reason": body["Reason"], "version": body["Version"]}
        with present_shown(actor=request.user, approval_id=int(approval_id)):
            approval = approval_reject(actor=request.user, **what)
        return self._answer(request, approval, "已驳回")

    @extend_schema(request=TransferBody, responses=ApprovalSerializer)
    @action(detail=True, methods=["post"], url_path="Transfer")
    @idempotent
    def transfer(self, request: AuthedRequest, approval_id: str) -> Response:
        body = TransferBody.parse(request)
        to = Account.objects.filter(pk=int(body["To"])).first()
        if to is None:
            raise ValidationFailed({"To": ["请选择要转交的同事"]})
        what: dict[str, Any] = {"approval_id": int(approval_id), "to": to, "reason": body["Reason"], "version": body["Version"]}
        with present_shown(actor=request.user, approval_id=int(approval_id)):
            approval = approval_transfer(actor=request.user, **what)
        return self._answer(request, approval, f"已转交给 {to.nickname}")

    @extend_schema(request=None, responses=ApprovalSerializer)
    @action(detail=True, methods=["post"], url_path="Urge")
    @idempotent
    def urge(self, request: AuthedRequest, approval_id: str) -> Response:
        """Remind whoever the caller's own approval waits for; once in four working hours."""
        approval = approval_urge(actor=request.user, approval_id=int(approval_id))
        return self._answer(request, approval, "已催办，审批人会收到提醒")

    @extend_schema(request=BulkBody, responses=BulkResultSerializer)
    @action(detail=False, methods=["post"], url_path="BulkApprove", pagination_class=None)
    @idempotent
    def bulk_approve(self, request: AuthedRequest) -> Response:
        body = BulkBody.parse(request)
        outcomes = approvals_bulk_approve(actor=request.user, approval_ids=[int(row) for row in body["Ids"]], comment=body["Comment"])
        approved = sum(row.success for row in outcomes)
        answer = {
            "Results": BulkOutcomeSerializer(outcomes, many=True).data,
            "Approved": approved,
            "Refused": len(outcomes) - approved,
        }
        message = f"已同意 {approved} 条" + (f"，{len(outcomes) - approved} 条未处理" if approved < len(outcomes) else "")
        return Ok(answer, message=message)

    @extend_schema(request=BulkRejectBody, responses=BulkRejectedSerializer)
    @action(detail=False, methods=["post"], url_path="BulkReject", pagination_class=None)
    @idempotent
    def bulk_reject(self, request: AuthedRequest) -> Response:
        """Reject each with the same reason: the orders of one submit in one go."""
        body = BulkRejectBody.parse(request)
        outcomes = approvals_bulk_reject(actor=request.user, approval_ids=[int(row) for row in body["Ids"]], reason=body["Reason"])
        rejected = sum(row.success for row in outcomes)
        refused = len(outcomes) - rejected
        answer = {"Results": BulkOutcomeSerializer(outcomes, many=True).data, "Rejected": rejected, "Refused": refused}
        return Ok(answer, message=f"已驳回 {rejected} 条" + (f"，{refused} 条未处理" if refused else ""))
