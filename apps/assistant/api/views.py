"""/api/Assistant: conversations, answers as server-sent events, and accepting a proposal."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import Any

from django.http import StreamingHttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.decorators import action
from rest_framework.response import Response

from apps.assistant.api.serializers import (
    AcceptSerializer,
    AskSerializer,
    ConversationDetailSerializer,
    ConversationSerializer,
    EmptyConversationSerializer,
    RenameSerializer,
)
from apps.assistant.api.stream import PLACES, place_take, stream_response
from apps.assistant.errors import ProposalNotFound
from apps.assistant.models import Message
from apps.assistant.selectors import (
    get_conversation,
    get_conversation_detail,
    list_conversations,
)
from apps.assistant.services.answer_give import answer_give
from apps.assistant.services.conversation import (
    allowance_take,
    answer_retry,
    conversation_begin,
    conversation_delete,
    conversation_rename,
    proposal_accept,
    question_ask,
)
from apps.common.api.access import Access
from apps.common.api.idempotency import idempotent
from apps.common.api.renderers import Ok
from apps.common.api.views import DIGITS, AuthedRequest, MallViewSet

STREAM = {(200, "text/event-stream"): OpenApiTypes.STR}
ADDED = "添加购物车成功"
WRITES = ("create", "partial_update", "destroy", "message", "retry")


class ConversationViewSet(MallViewSet):
    """The account's own conversations. Staff who act as the customer can read them but cannot ask
    in his name.
    """

    access = Access.login()
    action_access = dict.fromkeys(WRITES, Access.login().in_person())
    serializer_class = ConversationSerializer
    lookup_url_kwarg = "conversation_id"
    lookup_value_regex = DIGITS

    @extend_schema(responses=ConversationSerializer(many=True))
    def list(self, request: AuthedRequest) -> Response:
        page = self.paginate_queryset(list_conversations(actor=request.user))
        return self.get_paginated_response(ConversationSerializer.serialize_all(page or ()))

    @extend_schema(request=None, responses=EmptyConversationSerializer)
    @idempotent
    def create(self, request: AuthedRequest) -> Response:
        return Response(EmptyConversationSerializer.answer(conversation_begin(actor=request.user)))

    @extend_schema(responses=ConversationDetailSerializer)
    def retrieve(self, request: AuthedRequest, conversation_id: str) -> Response:
        detail = get_conversation_detail(actor=request.user, conversation_id=int(conversation_id))
        return Response(
            ConversationDetailSerializer(detail, context={"account": request.user}).data
        )

    @extend_schema(request=RenameSerializer, responses=ConversationSerializer)
    def partial_update(self, request: AuthedRequest, conversation_id: str) -> Response:
        title = RenameSerializer.parse(request).get("Title")
        renamed = conversation_rename(
            actor=request.user, conversation_id=int(conversation_id), title=title
        )
        return Response(ConversationSerializer.answer(renamed))

    @extend_schema(responses={200: None})
    def destroy(self, request: AuthedRequest, conversation_id: str) -> Response:
        conversation_delete(actor=request.user, conversation_id=int(conversation_id))
        return Response(None)

    @extend_schema(request=AskSerializer, responses=STREAM)
    @action(detail=True, methods=["post"], url_path="Message")
    def message(self, request: AuthedRequest, conversation_id: str) -> StreamingHttpResponse:
        """Ask, and stream the answer as server-sent events. A refusal before the stream has the
        usual envelope.
        """
        body = AskSerializer.parse(request)
        question = {"text": body["Text"].strip(), "file_ids": body["FileIds"]}
        return _stream_answer(
            request, int(conversation_id), lambda **identity: question_ask(**identity, **question)
        )

    @extend_schema(request=None, responses=STREAM)
    @action(detail=True, methods=["post"], url_path="Retry")
    def retry(self, request: AuthedRequest, conversation_id: str) -> StreamingHttpResponse:
        """Delete the last answer and stream a new one to the same question."""
        return _stream_answer(request, int(conversation_id), answer_retry)


def _stream_answer(
    request: AuthedRequest, conversation_id: int, begin: Callable[..., Message]
) -> StreamingHttpResponse:
    """Start an answer with `begin` and return its stream.

    The stream releases its place of the process when it ends. If no stream is returned, the place
    is released here.

    Raises:
        ConversationNotFound: the actor has no conversation with this id.
        TooManyQuestions, DailyLimitReached: the actor has asked too often.
        AssistantBusy: no place is free.
    """
    actor: Any = request.user
    get_conversation(actor=actor, conversation_id=conversation_id)
    allowance_take(actor=actor)
    place_take()
    try:
        answer = begin(actor=actor, conversation_id=conversation_id)
        return stream_response(answer, answer_give(actor=actor, answer=answer))
    except BaseException:
        PLACES.release()
        raise


class ProposalViewSet(MallViewSet):
    """Proposals for the cart, by their one-time id."""

    access = Access.login().in_person()
    lookup_url_kwarg = "proposal_id"
    lookup_value_regex = r"[0-9a-fA-F-]{1,36}"
    serializer_class = AcceptSerializer

    @extend_schema(
        request=AcceptSerializer,
        responses=OpenApiTypes.INT,
        parameters=[OpenApiParameter("proposal_id", str, "path")],
    )
    @action(detail=True, methods=["post"], url_path="Accept")
    @idempotent
    def accept(self, request: AuthedRequest, proposal_id: str) -> Response:
        """Add the proposal, or the named part of it, to the cart. Returns the number of products in
        the cart.
        """
        quantities = AcceptSerializer.read_quantities(AcceptSerializer.parse(request))
        try:
            public_id = uuid.UUID(proposal_id)
        except ValueError:
            raise ProposalNotFound from None
        return Ok(
            proposal_accept(actor=request.user, public_id=public_id, quantities=quantities),
            message=ADDED,
        )
