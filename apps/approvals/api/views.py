"""/api/Approval: the boxes, the decisions, batches, amendments and the discussion."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.decorators import action
from rest_framework.response import Response

from apps.approvals.api import bodies as b
from apps.approvals.api.bodies import (
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
from apps.approvals.errors import NotYourTurn
from apps.approvals.models import Approval
from apps.approvals.selectors.amendment_effect import amendment_preview
from apps.approvals.selectors.approvals import (
    get_approval_detail,
    list_allowed_actions,
    list_mentionable_colleagues,
    list_remarks,
    with_chain,
)
from apps.approvals.selectors.approvers import list_candidates
from apps.approvals.selectors.inbox import count_boxes, get_box_choices, list_approvals
from apps.approvals.services.approval_add import approval_add, approval_remove_added
from apps.approvals.services.approval_amend import approval_amend
from apps.approvals.services.approval_copies import approval_copy, copy_read
from apps.approvals.services.approval_decide import (
    approval_approve,
    approval_approve_lines,
    approval_reject,
    approval_transfer,
    approvals_bulk_approve,
    approvals_bulk_reject,
)
from apps.approvals.services.approval_discussion import (
    approval_answer,
    approval_ask,
    approval_comment,
)
from apps.approvals.services.approval_reminders import approval_urge
from apps.approvals.shared_serializers import (
    ApprovalSerializer,
    BoxChoicesSerializer,
    BoxQuery,
    BoxTabSerializer,
    RemarkSerializer,
)
from apps.common.api.access import Access
from apps.common.api.exceptions import serialize_stale
from apps.common.api.idempotency import idempotent
from apps.common.api.pagination import CountedRows, build_page_schema, serialize_tabs
from apps.common.api.renderers import Ok
from apps.common.api.views import DIGITS, AuthedRequest, MallViewSet
from apps.common.errors import ValidationFailed
from apps.org.menus import MenuCode
from apps.org.models import Account


def render_approval(*, actor: Account, approval_id: int) -> dict[str, Any]:
    """Return the approval as JSON, with the actions the actor may take now."""
    return dict(
        ApprovalSerializer(
            get_approval_detail(actor=actor, approval_id=approval_id), context={"actor": actor}
        ).data
    )


def add_current_approval_if_stale(
    *, actor: Account, approval_id: int
) -> AbstractContextManager[None]:
    """Add the current approval to a Stale refusal of the block."""
    return serialize_stale(lambda _: render_approval(actor=actor, approval_id=approval_id))


ApprovalPage = build_page_schema(
    "ApprovalPage", ApprovalSerializer, Tabs=BoxTabSerializer(many=True)
)


class ApprovalViewSet(MallViewSet):
    """The caller's approvals: waiting for the caller, decided, or requested."""

    access = Access.menu(MenuCode.ORDER_APPROVAL)
    action_access = {
        **dict.fromkeys(
            (
                "approve",
                "reject",
                "transfer",
                "add",
                "remove_added",
                "copy",
                "bulk_approve",
                "bulk_reject",
            ),
            Access.menu(MenuCode.ORDER_APPROVAL).in_person(),
        ),
        # Everybody may urge the own order, also without the menu of approvals.
        "urge": Access.login().in_person(),
    }
    serializer_class = ApprovalSerializer
    lookup_url_kwarg = "approval_id"
    lookup_value_regex = DIGITS

    def _answer(self, request: AuthedRequest, approval: Approval, message: str = "") -> Response:
        return Ok(render_approval(actor=request.user, approval_id=approval.pk), message=message)

    @extend_schema(parameters=[BoxQuery], responses=ApprovalPage)
    def list(self, request: AuthedRequest) -> Response:
        query = BoxQuery.parse(request)
        calendar = BoxQuery.get_calendar(query)
        filters = BoxQuery.build_filter(query, actor=request.user, calendar=calendar)
        counts = count_boxes(actor=request.user, filters=filters)
        approvals = with_chain(
            list_approvals(actor=request.user, box=query["Box"], filters=filters)
        )
        rows: Any = self.paginate_queryset(CountedRows(approvals, counts[query["Box"]]))
        context = {"actor": request.user, **({"calendar": calendar} if calendar else {})}
        page = self.get_paginated_response(
            ApprovalSerializer(rows, many=True, context=context).data
        )
        page.data["Tabs"] = serialize_tabs(counts, dict(Box.choices))
        return page

    @extend_schema(parameters=[BoxQuery], responses=BoxChoicesSerializer, filters=False)
    @action(detail=False, methods=["get"], url_path="Choices", pagination_class=None)
    def choices(self, request: AuthedRequest) -> Response:
        return Response(
            BoxChoicesSerializer.answer(
                get_box_choices(actor=request.user, box=BoxQuery.parse(request)["Box"])
            )
        )

    @extend_schema(responses=ApprovalSerializer)
    def retrieve(self, request: AuthedRequest, approval_id: str) -> Response:
        return Response(render_approval(actor=request.user, approval_id=int(approval_id)))

    @extend_schema(request=ApproveBody, responses=ApprovalSerializer)
    @action(detail=True, methods=["post"], url_path="Approve")
    @idempotent
    def approve(self, request: AuthedRequest, approval_id: str) -> Response:
        body = ApproveBody.parse(request)
        arguments: dict[str, Any] = {
            "approval_id": int(approval_id),
            "comment": body["Comment"],
            "version": body["Version"],
        }
        with add_current_approval_if_stale(actor=request.user, approval_id=int(approval_id)):
            if body["Lines"]:
                approval = approval_approve_lines(
                    actor=request.user, quantities=body["Lines"], **arguments
                )
            else:
                approval = approval_approve(actor=request.user, **arguments)
        return self._answer(
            request, approval, "已按调整后的数量同意" if body["Lines"] else "已同意"
        )

    @extend_schema(request=RejectBody, responses=ApprovalSerializer)
    @action(detail=True, methods=["post"], url_path="Reject")
    @idempotent
    def reject(self, request: AuthedRequest, approval_id: str) -> Response:
        body = RejectBody.parse(request)
        with add_current_approval_if_stale(actor=request.user, approval_id=int(approval_id)):
            approval = approval_reject(
                actor=request.user,
                approval_id=int(approval_id),
                reason=body["Reason"],
                version=body["Version"],
            )
        return self._answer(request, approval, "已驳回")

    @extend_schema(request=TransferBody, responses=ApprovalSerializer)
    @action(detail=True, methods=["post"], url_path="Transfer")
    @idempotent
    def transfer(self, request: AuthedRequest, approval_id: str) -> Response:
        body = TransferBody.parse(request)
        to = Account.objects.filter(pk=int(body["To"])).first()
        if to is None:
            raise ValidationFailed({"To": ["请选择要转交的同事"]})
        with add_current_approval_if_stale(actor=request.user, approval_id=int(approval_id)):
            approval = approval_transfer(
                actor=request.user,
                approval_id=int(approval_id),
                to=to,
                reason=body["Reason"],
                version=body["Version"],
            )
        return self._answer(request, approval, f"已转交给 {to.nickname}")

    @extend_schema(
        parameters=[b.MentionQuery],
        responses=b.ApproverCandidateSerializer(many=True),
        filters=False,
    )
    @action(detail=True, methods=["get"], url_path="Candidates", pagination_class=None)
    def candidates(self, request: AuthedRequest, approval_id: str) -> Response:
        approval = get_approval_detail(actor=request.user, approval_id=int(approval_id))
        keyword = b.MentionQuery.parse(request)["Keyword"].strip()
        rows = list_candidates(actor=request.user, approval=approval, keyword=keyword)
        return Response(b.ApproverCandidateSerializer.serialize_all(rows))

    @extend_schema(request=b.AddBody, responses=ApprovalSerializer)
    @action(detail=True, methods=["post"], url_path="Add")
    @idempotent
    def add(self, request: AuthedRequest, approval_id: str) -> Response:
        body = b.AddBody.parse(request)
        with add_current_approval_if_stale(actor=request.user, approval_id=int(approval_id)):
            approval = approval_add(
                actor=request.user,
                approval_id=int(approval_id),
                placement=body["Placement"],
                account_ids=[int(pk) for pk in body["To"]],
                mode=body["Mode"],
                reason=body["Reason"],
                version=body["Version"],
            )
        return self._answer(request, approval, "已加签")

    @extend_schema(request=b.RemoveAddedBody, responses=ApprovalSerializer)
    @action(detail=True, methods=["post"], url_path="RemoveAdded")
    @idempotent
    def remove_added(self, request: AuthedRequest, approval_id: str) -> Response:
        approval = approval_remove_added(
            actor=request.user,
            approval_id=int(approval_id),
            account_id=int(b.RemoveAddedBody.parse(request)["AccountId"]),
        )
        return self._answer(request, approval, "已撤回加签")

    @extend_schema(request=b.CopyBody, responses=ApprovalSerializer)
    @action(detail=True, methods=["post"], url_path="Copy")
    @idempotent
    def copy(self, request: AuthedRequest, approval_id: str) -> Response:
        body = b.CopyBody.parse(request)
        approval = approval_copy(
            actor=request.user,
            approval_id=int(approval_id),
            account_ids=[int(pk) for pk in body["To"]],
            role_ids=[int(pk) for pk in body["Roles"]],
        )
        return self._answer(request, approval, "已抄送")

    @extend_schema(request=None, responses=OpenApiTypes.NONE)
    @action(detail=True, methods=["post"], url_path="CopyRead")
    def copy_read(self, request: AuthedRequest, approval_id: str) -> Response:
        copy_read(actor=request.user, approval_id=int(approval_id))
        return Ok(None)

    @extend_schema(request=None, responses=ApprovalSerializer)
    @action(detail=True, methods=["post"], url_path="Urge")
    @idempotent
    def urge(self, request: AuthedRequest, approval_id: str) -> Response:
        """Remind the approvers of the caller's own approval; once in four working hours."""
        approval = approval_urge(actor=request.user, approval_id=int(approval_id))
        return self._answer(request, approval, "已催办，审批人会收到提醒")

    @extend_schema(request=BulkBody, responses=BulkResultSerializer)
    @action(detail=False, methods=["post"], url_path="BulkApprove", pagination_class=None)
    @idempotent
    def bulk_approve(self, request: AuthedRequest) -> Response:
        body = BulkBody.parse(request)
        outcomes = approvals_bulk_approve(
            actor=request.user,
            approval_ids=[int(row) for row in body["Ids"]],
            comment=body["Comment"],
        )
        approved = sum(row.success for row in outcomes)
        answer = {
            "Results": BulkOutcomeSerializer(outcomes, many=True).data,
            "Approved": approved,
            "Refused": len(outcomes) - approved,
        }
        message = f"已同意 {approved} 条" + (
            f"，{len(outcomes) - approved} 条未处理" if approved < len(outcomes) else ""
        )
        return Ok(answer, message=message)

    @extend_schema(request=BulkRejectBody, responses=BulkRejectedSerializer)
    @action(detail=False, methods=["post"], url_path="BulkReject", pagination_class=None)
    @idempotent
    def bulk_reject(self, request: AuthedRequest) -> Response:
        """Reject each approval with the same reason."""
        body = BulkRejectBody.parse(request)
        outcomes = approvals_bulk_reject(
            actor=request.user,
            approval_ids=[int(row) for row in body["Ids"]],
            reason=body["Reason"],
        )
        rejected = sum(row.success for row in outcomes)
        failed_count = len(outcomes) - rejected
        answer = {
            "Results": BulkOutcomeSerializer(outcomes, many=True).data,
            "Rejected": rejected,
            "Refused": failed_count,
        }
        return Ok(
            answer,
            message=f"已驳回 {rejected} 条"
            + (f"，{failed_count} 条未处理" if failed_count else ""),
        )


class ApprovalDiscussionViewSet(MallViewSet):
    """Lower quantities, ask and answer questions, and comment. Everybody who sees the approval
    may comment.
    """

    access = Access.menu(MenuCode.ORDER_APPROVAL)
    action_access = {
        **dict.fromkeys(
            ("amend", "ask", "comment"), Access.menu(MenuCode.ORDER_APPROVAL).in_person()
        ),
        # Everybody may answer questions about the own order, also without the menu of
        # approvals.
        "answer": Access.login().in_person(),
    }
    serializer_class = ApprovalSerializer
    pagination_class = None
    lookup_url_kwarg = "approval_id"
    lookup_value_regex = DIGITS

    def _approval_response(
        self, request: AuthedRequest, approval_id: str, message: str
    ) -> Response:
        return Ok(
            render_approval(actor=request.user, approval_id=int(approval_id)), message=message
        )

    @extend_schema(request=b.AmendBody, responses=ApprovalSerializer)
    @action(detail=True, methods=["post"], url_path="Amend")
    @idempotent
    def amend(self, request: AuthedRequest, approval_id: str) -> Response:
        body = b.AmendBody.parse(request)
        with add_current_approval_if_stale(actor=request.user, approval_id=int(approval_id)):
            approval_amend(
                actor=request.user,
                approval_id=int(approval_id),
                quantities=body["Lines"],
                reason=body["Reason"],
                version=body["Version"],
            )
        return self._approval_response(request, approval_id, "数量已调整，请继续审批")

    @extend_schema(request=b.AmendPreviewBody, responses=b.AmendPreviewSerializer)
    @action(detail=True, methods=["post"], url_path="AmendPreview")
    def amend_preview(self, request: AuthedRequest, approval_id: str) -> Response:
        body = b.AmendPreviewBody.parse(request)
        approval = get_approval_detail(actor=request.user, approval_id=int(approval_id))
        if "amend" not in list_allowed_actions(actor=request.user, approval=approval):
            raise NotYourTurn
        return Response(
            b.AmendPreviewSerializer.answer(
                amendment_preview(approval=approval, quantities=body["Lines"])
            )
        )

    @extend_schema(request=b.AskBody, responses=ApprovalSerializer)
    @action(detail=True, methods=["post"], url_path="Ask")
    @idempotent
    def ask(self, request: AuthedRequest, approval_id: str) -> Response:
        approval_ask(
            actor=request.user, approval_id=int(approval_id), text=b.AskBody.parse(request)["Text"]
        )
        return self._approval_response(request, approval_id, "已向申请人提问，等待答复")

    @extend_schema(request=b.AnswerBody, responses=ApprovalSerializer)
    @action(detail=True, methods=["post"], url_path="Answer")
    @idempotent
    def answer(self, request: AuthedRequest, approval_id: str) -> Response:
        body = b.AnswerBody.parse(request)
        question_id = int(body["QuestionId"]) if body["QuestionId"] else None
        approval_answer(
            actor=request.user,
            approval_id=int(approval_id),
            text=body["Text"],
            question_id=question_id,
        )
        return self._approval_response(request, approval_id, "已答复，审批人会继续处理")

    @extend_schema(responses=RemarkSerializer(many=True), filters=False)
    @action(detail=True, methods=["get"], url_path="Comment")
    def comments(self, request: AuthedRequest, approval_id: str) -> Response:
        approval = get_approval_detail(actor=request.user, approval_id=int(approval_id))
        return Response(RemarkSerializer.serialize_all(list_remarks(approval=approval)))

    @extend_schema(request=b.CommentBody, responses=RemarkSerializer)
    @comments.mapping.post
    @idempotent
    def comment(self, request: AuthedRequest, approval_id: str) -> Response:
        body = b.CommentBody.parse(request)
        mentions = [int(pk) for pk in body["Mentions"]]
        remark = approval_comment(
            actor=request.user, approval_id=int(approval_id), text=body["Text"], mentions=mentions
        )
        return Ok(RemarkSerializer.answer(remark), message="评论已发送")

    @extend_schema(
        parameters=[b.MentionQuery],
        responses=b.ColleagueMentionedSerializer(many=True),
        filters=False,
    )
    @action(detail=True, methods=["get"], url_path="Mention")
    def mention(self, request: AuthedRequest, approval_id: str) -> Response:
        approval = get_approval_detail(actor=request.user, approval_id=int(approval_id))
        rows = list_mentionable_colleagues(
            actor=request.user,
            approval=approval,
            keyword=b.MentionQuery.parse(request)["Keyword"].strip(),
        )
        return Response(b.ColleagueMentionedSerializer.serialize_all(rows))
