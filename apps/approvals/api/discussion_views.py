"""POST /api/Approval/{ApprovalId}/Amend, /Ask, /Answer and what is said beside an approval."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.decorators import action
from rest_framework.response import Response

from apps.approvals.api import discussion_bodies as b
from apps.approvals.api.present import approval_shown, present_shown
from apps.approvals.errors import NotYourTurn
from apps.approvals.selectors.amended import amendment_preview
from apps.approvals.selectors.approvals import allowed_actions, approval_detail
from apps.approvals.selectors.discussion import mentionable, remarks_of
from apps.approvals.services.approval_amend import approval_amend
from apps.approvals.services.approval_ask import approval_answer, approval_ask
from apps.approvals.services.approval_comment import approval_comment
from apps.approvals.wire import ApprovalSerializer, RemarkSerializer
from apps.common.api.access import Access
from apps.common.api.idempotency import idempotent
from apps.common.api.renderers import Ok
from apps.common.api.views import AuthedRequest, MallViewSet
from apps.org.menus import MenuCode


class ApprovalDiscussionViewSet(MallViewSet):
    """An approver changes quantities down or asks back; everybody who may see the approval talks beside it."""

    access = Access.menu(MenuCode.ORDER_APPROVAL)
    action_access = {
        **dict.fromkeys(("amend", "ask", "comment"), Access.menu(MenuCode.ORDER_APPROVAL).in_person()),
        # Whoever may order is asked about his order, whether he may open approvals or not.
        "answer": Access.login().in_person(),
    }
    serializer_class = ApprovalSerializer
    pagination_class = None
    lookup_url_kwarg = "approval_id"
    lookup_value_regex = r"\d{1,18}"

    def _shown(self, request: AuthedRequest, approval_id: str, message: str) -> Response:
        return Ok(approval_shown(actor=request.user, approval_id=int(approval_id)), message=message)

    @extend_schema(request=b.AmendBody, responses=ApprovalSerializer)
    @action(detail=True, methods=["post"], url_path="Amend")
    @idempotent
    def amend(self, request: AuthedRequest, approval_id: str) -> Response:
        body = b.AmendBody.parse(request)
        what: dict[str, Any] = {"quantities": body["Lines"], "reason": body["Reason"], "version": body["Version"]}
        with present_shown(actor=request.user, approval_id=int(approval_id)):
            approval_amend(actor=request.user, approval_id=int(approval_id), **what)
        return self._shown(request, approval_id, "数量已调整，请继续审批")

    @extend_schema(request=b.AmendPreviewBody, responses=b.AmendPreviewSerializer)
    @action(detail=True, methods=["post"], url_path="AmendPreview")
    def amend_preview(self, request: AuthedRequest, approval_id: str) -> Response:
        body = b.AmendPreviewBody.parse(request)
        approval = approval_detail(actor=request.user, approval_id=int(approval_id))
        if "amend" not in allowed_actions(actor=request.user, approval=approval):
            raise NotYourTurn
        return Response(b.AmendPreviewSerializer.answer(amendment_preview(approval=approval, quantities=body["Lines"])))

    @extend_schema(request=b.AskBody, responses=ApprovalSerializer)
    @action(detail=True, methods=["post"], url_path="Ask")
    @idempotent
    def ask(self, request: AuthedRequest, approval_id: str) -> Response:
        approval_ask(actor=request.user, approval_id=int(approval_id), text=b.AskBody.parse(request)["Text"])
        return self._shown(request, approval_id, "已向申请人提问，等待答复")

    @extend_schema(request=b.AnswerBody, responses=ApprovalSerializer)
    @action(detail=True, methods=["post"], url_path="Answer")
    @idempotent
    def answer(self, request: AuthedRequest, approval_id: str) -> Response:
        body = b.AnswerBody.parse(request)
        question_id = int(body["QuestionId"]) if body["QuestionId"] else None
        approval_answer(actor=request.user, approval_id=int(approval_id), text=body["Text"], question_id=question_id)
        return self._shown(request, approval_id, "已答复，审批人会继续处理")

    @extend_schema(responses=RemarkSerializer(many=True), filters=False)
    @action(detail=True, methods=["get"], url_path="Comment")
    def comments(self, request: AuthedRequest, approval_id: str) -> Response:
        approval = approval_detail(actor=request.user, approval_id=int(approval_id))
        return Response(RemarkSerializer.answers(remarks_of(approval=approval)))

    @extend_schema(request=b.CommentBody, responses=RemarkSerializer)
    @comments.mapping.post
    @idempotent
    def comment(self, request: AuthedRequest, approval_id: str) -> Response:
        body = b.CommentBody.parse(request)
        mentions = [int(pk) for pk in body["Mentions"]]
        remark = approval_comment(actor=request.user, approval_id=int(approval_id), text=body["Text"], mentions=mentions)
        return Ok(RemarkSerializer.answer(remark), message="评论已发送")

    @extend_schema(parameters=[b.MentionQuery], responses=b.ColleagueMentionedSerializer(many=True), filters=False)
    @action(detail=True, methods=["get"], url_path="Mention")
    def mention(self, request: AuthedRequest, approval_id: str) -> Response:
        approval = approval_detail(actor=request.user, approval_id=int(approval_id))
        rows = mentionable(actor=request.user, approval=approval, keyword=b.MentionQuery.parse(request)["Keyword"].strip())
        return Response(b.ColleagueMentionedSerializer.answers(rows))
