"""The questions of a product, and /api/ProductQuestion: the own questions of an account."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from apps.catalog.selectors.pictures import get_image_url
from apps.catalog.shared_serializers import ProductCodeField
from apps.common.api.access import Access
from apps.common.api.idempotency import idempotent
from apps.common.api.pagination import build_page_schema
from apps.common.api.renderers import Ok
from apps.common.api.serializers import AnswerSerializer, BodySerializer, QuerySerializer
from apps.common.api.views import DIGITS, AuthedRequest, MallViewSet, find_account
from apps.common.numbers import parse_key
from apps.org.validators import validate_visible
from apps.questions.enums import QuestionScope, QuestionState
from apps.questions.models import MAX_TEXT, MIN_TEXT, ProductQuestion
from apps.questions.selectors import (
    VisibleQuestion,
    get_question_actions,
    list_own_questions,
    list_product_questions,
    show_questions,
)
from apps.questions.services import question_ask, question_retract

MAX_KEYWORD = 60
PAGING = [OpenApiParameter(name, int) for name in ("PageIndex", "PageSize")]


class QuestionBodySerializer(BodySerializer):
    ProductCode = ProductCodeField()
    Text = serializers.CharField(
        min_length=MIN_TEXT,
        max_length=MAX_TEXT,
        error_messages={
            **dict.fromkeys(("required", "blank", "null"), "请填写您的问题"),
            "min_length": f"请至少用 {MIN_TEXT} 个字说明您的问题",
            "max_length": f"最多 {MAX_TEXT} 个字",
        },
    )
    IsPrivate = serializers.BooleanField(
        required=False, default=False, help_text="仅本集团可见，不展示给其他客户"
    )

    def validate_Text(self, text: str) -> str:
        """Refuse invisible characters. Line ends are allowed."""
        validate_visible(" ".join(text.split()))
        return text


class ProductQuestionsQuery(QuerySerializer):
    Keyword = serializers.CharField(
        max_length=MAX_KEYWORD, required=False, allow_blank=True, default=""
    )
    Scope = serializers.ChoiceField(
        choices=QuestionScope.choices, required=False, default=QuestionScope.ALL
    )


class OwnQuestionsQuery(QuerySerializer):
    Keyword = serializers.CharField(
        max_length=MAX_KEYWORD, required=False, allow_blank=True, default=""
    )
    State = serializers.ChoiceField(
        choices=QuestionState.choices, required=False, allow_blank=True, default=""
    )


class VisibleQuestionSerializer(AnswerSerializer):
    """A question of a product. `Asker` is a name only for colleagues of the same enterprise."""

    Question = serializers.CharField(source="text")
    AskedAt = serializers.DateTimeField(source="asked_at")
    Answer = serializers.CharField(source="answer")
    AnsweredAt = serializers.DateTimeField(source="answered_at", allow_null=True)
    Asker = serializers.CharField(source="asker")
    IsOwn = serializers.BooleanField(source="is_own")
    IsPublic = serializers.BooleanField(source="is_public", help_text="其他客户也能看到")


class OwnQuestionSerializer(serializers.Serializer[ProductQuestion]):
    Id = serializers.CharField(source="pk")
    ProductCode = serializers.CharField(source="product.code")
    ProductName = serializers.CharField(source="product.name")
    ImageUrl = serializers.SerializerMethodField()
    Question = serializers.CharField(source="text")
    AskedAt = serializers.DateTimeField(source="asked_at")
    Answer = serializers.CharField(source="answer")
    AnsweredAt = serializers.DateTimeField(source="answered_at", allow_null=True)
    State = serializers.ChoiceField(choices=QuestionState.choices, source="state")
    StateText = serializers.CharField(source="get_state_display")
    IsPublic = serializers.BooleanField(source="is_public", help_text="其他客户也能看到")
    HiddenReason = serializers.CharField(source="hidden_reason")
    AllowedActions = serializers.SerializerMethodField()

    def get_ImageUrl(self, question: ProductQuestion) -> str:
        """Return the URL of the product's main picture."""
        return get_image_url(question.product)

    def get_AllowedActions(self, question: ProductQuestion) -> list[str]:
        """Return the codes of the actions that the asker can take now."""
        return get_question_actions(question)


QuestionPage = build_page_schema("QuestionPage", VisibleQuestionSerializer)
OwnQuestionPage = build_page_schema("OwnQuestionPage", OwnQuestionSerializer)


class ProductQuestionsViewSet(MallViewSet):
    """Questions of a product, for everybody who may see the product."""

    access = Access.public()
    serializer_class = VisibleQuestionSerializer
    lookup_field = "product_code"
    lookup_value_regex = DIGITS
    paged_actions = ()

    @extend_schema(parameters=[ProductQuestionsQuery, *PAGING], responses=QuestionPage)
    @action(detail=True, methods=["get"], url_path="Questions")
    def questions(self, request: Request, product_code: str) -> Response:
        actor, query = find_account(request), ProductQuestionsQuery.parse(request)
        rows: Any = self.paginate_queryset(
            list_product_questions(
                actor=actor, code=product_code, keyword=query["Keyword"], scope=query["Scope"]
            )
        )
        visible_questions: list[VisibleQuestion] = show_questions(actor=actor, rows=rows)
        return self.get_paginated_response(
            VisibleQuestionSerializer.serialize_all(visible_questions)
        )


class ProductQuestionViewSet(MallViewSet):
    """The questions that the account has asked. Staff who act for a customer cannot ask."""

    access = Access.login().in_person()
    action_access = {"list": Access.login()}
    serializer_class = OwnQuestionSerializer
    lookup_url_kwarg = "question_id"
    lookup_value_regex = DIGITS

    @extend_schema(parameters=[OwnQuestionsQuery], responses=OwnQuestionPage)
    def list(self, request: AuthedRequest) -> Response:
        query = OwnQuestionsQuery.parse(request)
        rows: Any = self.paginate_queryset(
            list_own_questions(actor=request.user, keyword=query["Keyword"], state=query["State"])
        )
        return self.get_paginated_response(OwnQuestionSerializer(rows, many=True).data)

    @extend_schema(request=QuestionBodySerializer, responses=OwnQuestionSerializer)
    @idempotent
    def create(self, request: AuthedRequest) -> Response:
        body = QuestionBodySerializer.parse(request)
        question = question_ask(
            actor=request.user,
            code=body["ProductCode"],
            text=body["Text"],
            is_private=body["IsPrivate"],
        )
        return Ok(OwnQuestionSerializer(question).data, message="提问已提交，回答后会通知您")

    @extend_schema(request=None, responses=OwnQuestionSerializer)
    @action(detail=True, methods=["post"], url_path="Retract")
    @idempotent
    def retract(self, request: AuthedRequest, question_id: str) -> Response:
        question = question_retract(actor=request.user, question_id=parse_key(question_id))
        return Ok(OwnQuestionSerializer(question).data, message="提问已撤回")
