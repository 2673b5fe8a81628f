"""/api/Order/{OrderNo}/Review, and the reviews on the product page, with their request and
response bodies.
"""

from __future__ import annotations

import uuid
from typing import Any

from django.http.response import HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from apps.catalog.selectors.pictures import build_media_url
from apps.common.api.access import Access
from apps.common.api.files import file_response
from apps.common.api.idempotency import idempotent
from apps.common.api.pagination import build_page_schema
from apps.common.api.renderers import Ok
from apps.common.api.serializers import (
    AnswerSerializer,
    AttachmentSerializer,
    BodySerializer,
    IdField,
    PartialSerializer,
    PicturesField,
    QuerySerializer,
    WholeField,
    build_text_field,
    list_of,
)
from apps.common.api.views import DIGITS, AuthedRequest, MallViewSet, find_account
from apps.org.menus import MenuCode
from apps.reviews.enums import ReviewAction, ReviewKind, ReviewState, ReviewTag
from apps.reviews.models import MAX_TEXT, OrderReview, PublishedPicture
from apps.reviews.selectors import (
    OrderReviews,
    ReviewedLine,
    ReviewFilter,
    ReviewSummary,
    VisibleReview,
    get_order_reviews,
    get_product_reviews,
    get_published_picture,
    list_visible_reviews,
)
from apps.reviews.services import ReviewInput, review_edit, review_follow_up, reviews_write

MAX_LINES = 200
MAX_TAGS = 5
STARS_NEEDED = "请选择 1 至 5 星"

CHANGE_FIELDS = {
    "Stars": "stars",
    "Tags": "tags",
    "Text": "text",
    "FileIds": "file_ids",
    "Anonymous": "is_anonymous",
}


class ReviewLineSerializer(BodySerializer):
    OrderLineId = IdField()
    Stars = WholeField(
        min_value=1,
        max_value=5,
        error_messages=dict.fromkeys(
            ("required", "null", "invalid", "min_value", "max_value", "max_string_length"),
            STARS_NEEDED,
        ),
    )
    Tags = serializers.ListField(
        child=serializers.ChoiceField(choices=ReviewTag.choices),
        required=False,
        default=list,
        max_length=MAX_TAGS,
        error_messages={"max_length": f"最多选择 {MAX_TAGS} 个标签"},
    )
    Text = build_text_field(MAX_TEXT)
    FileIds = PicturesField()

    def validate_Tags(self, tags: list[str]) -> list[str]:
        """Remove duplicate tags."""
        return list(dict.fromkeys(tags))

    @staticmethod
    def build_input(row: dict[str, Any]) -> ReviewInput:
        """Return the input for the service."""
        return ReviewInput(
            order_line_id=row["OrderLineId"],
            stars=row["Stars"],
            tags=tuple(row["Tags"]),
            text=row["Text"],
            file_ids=tuple(row["FileIds"]),
        )


class ReviewBodySerializer(BodySerializer):
    Anonymous = serializers.BooleanField(
        required=False, default=False, help_text="对他人匿名：商品页和同事都看不到姓名"
    )
    Lines = list_of(ReviewLineSerializer, allow_empty=False, max_length=MAX_LINES)


class ReviewEditSerializer(PartialSerializer, ReviewLineSerializer):
    """Changes of a review. `OrderLineId` identifies the review, so it is required."""

    Anonymous = serializers.BooleanField()

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        """Require `OrderLineId`, although other fields may be left out."""
        fields = super().get_fields()
        fields["OrderLineId"].required = True
        return fields

    @staticmethod
    def read_changes(body: dict[str, Any]) -> dict[str, Any]:
        """Return the fields that were sent, for the service."""
        return {field: body[key] for key, field in CHANGE_FIELDS.items() if key in body}


class FollowUpSerializer(BodySerializer):
    OrderLineId = IdField()
    Text = build_text_field(MAX_TEXT, missing_message="请填写追加的评价")
    FileIds = PicturesField()


class ReviewQuerySerializer(QuerySerializer):
    Stars = serializers.ChoiceField(
        choices=[(stars, f"{stars} 星") for stars in range(1, 6)],
        required=False,
        allow_blank=True,
        default="",
    )
    Kind = serializers.ChoiceField(
        choices=ReviewKind.choices, required=False, allow_blank=True, default=""
    )
    Tag = serializers.ChoiceField(
        choices=ReviewTag.choices, required=False, allow_blank=True, default=""
    )

    @staticmethod
    def build_filter(query: dict[str, Any]) -> ReviewFilter:
        """Return the parameters as a ReviewFilter."""
        return ReviewFilter(int(query["Stars"] or 0), query["Kind"], query["Tag"])


def get_picture_url(picture: PublishedPicture) -> str:
    """Return the URL of a published picture."""
    return f"/api/Product/ReviewPicture/{picture.token}"


class ReviewTagSerializer(serializers.Serializer[Any]):
    Code = serializers.ChoiceField(choices=ReviewTag.choices)
    Name = serializers.CharField()


class OwnPictureSerializer(AttachmentSerializer):
    """A picture of a review, for its author."""


class OwnReviewSerializer(serializers.Serializer[OrderReview]):
    """A review of an order line. `context["actor"]` is the reader."""

    Stars = serializers.IntegerField(source="stars")
    Tags = serializers.SerializerMethodField()
    Text = serializers.CharField(source="text")
    Pictures = serializers.SerializerMethodField()
    Anonymous = serializers.BooleanField(source="is_anonymous")
    Author = serializers.CharField(source="author.nickname")
    WrittenAt = serializers.DateTimeField(source="written_at")
    EditedAt = serializers.DateTimeField(source="edited_at", allow_null=True)
    FollowUpText = serializers.CharField(source="follow_text")
    FollowUpPictures = serializers.SerializerMethodField()
    FollowedUpAt = serializers.DateTimeField(source="followed_at", allow_null=True)
    ReplyText = serializers.CharField(source="reply_text")
    RepliedAt = serializers.DateTimeField(source="replied_at", allow_null=True)
    State = serializers.ChoiceField(choices=ReviewState.choices, source="state")
    StateText = serializers.CharField(source="get_state_display")
    HiddenReason = serializers.CharField(source="hidden_reason")

    @extend_schema_field(ReviewTagSerializer(many=True))
    def get_Tags(self, review: OrderReview) -> list[dict[str, str]]:
        return [{"Code": code, "Name": ReviewTag(code).label} for code in review.tag_codes]

    @extend_schema_field(OwnPictureSerializer(many=True))
    def get_Pictures(self, review: OrderReview) -> Any:
        return self._serialize_pictures(review, is_follow_up=False)

    @extend_schema_field(OwnPictureSerializer(many=True))
    def get_FollowUpPictures(self, review: OrderReview) -> Any:
        return self._serialize_pictures(review, is_follow_up=True)

    def _serialize_pictures(self, review: OrderReview, *, is_follow_up: bool) -> Any:
        rows = [
            picture for picture in review.pictures.all() if picture.is_follow_up == is_follow_up
        ]
        serializer: Any = OwnPictureSerializer(rows, many=True, context=self.context)
        return serializer.data


class ReviewedLineSerializer(serializers.Serializer[ReviewedLine]):
    OrderLineId = serializers.CharField(source="line.pk")
    ProductCode = serializers.CharField(source="line.product_code")
    Name = serializers.SerializerMethodField()
    ImageUrl = serializers.SerializerMethodField()
    Brand = serializers.CharField(source="line.brand")
    Unit = serializers.CharField(source="line.unit")
    ReceivedQuantity = serializers.IntegerField(source="line.received_quantity")
    IsReviewed = serializers.BooleanField(
        source="is_reviewed", help_text="已评价；同事匿名评价的不显示内容"
    )
    Review = OwnReviewSerializer(source="review", allow_null=True)
    EditUntil = serializers.DateTimeField(source="edit_until", allow_null=True)
    FollowUpUntil = serializers.DateTimeField(source="follow_up_until", allow_null=True)
    AllowedActions = serializers.ListField(
        child=serializers.ChoiceField(choices=ReviewAction.choices), source="actions"
    )

    def get_Name(self, row: ReviewedLine) -> str:
        """Return the customer's name of the product, as on the order line."""
        return str(row.line.customer_name or row.line.name)

    def get_ImageUrl(self, row: ReviewedLine) -> str:
        return build_media_url(row.line.image)


class OrderReviewsSerializer(serializers.Serializer[OrderReviews]):
    """The received lines of an order with their reviews. `Tags` are the tags to choose from."""

    OrderNo = serializers.CharField(source="order.order_no")
    CreatedAt = serializers.DateTimeField(source="order.submitted_at")
    ReviewUntil = serializers.DateTimeField(source="order.review_until", allow_null=True)
    Lines = ReviewedLineSerializer(source="lines", many=True)
    Tags = serializers.SerializerMethodField()

    @extend_schema_field(ReviewTagSerializer(many=True))
    def get_Tags(self, _order: OrderReviews) -> list[dict[str, str]]:
        return [{"Code": code, "Name": name} for code, name in ReviewTag.choices]


class ReviewCountSerializer(serializers.Serializer[Any]):
    Code = serializers.CharField()
    Name = serializers.CharField()
    Count = serializers.IntegerField()


class StarCountSerializer(serializers.Serializer[Any]):
    Stars = serializers.IntegerField()
    Count = serializers.IntegerField()


class ReviewSummarySerializer(AnswerSerializer):
    """Counts of all shown reviews of the product, without the filter."""

    Average = serializers.DecimalField(
        source="average", max_digits=2, decimal_places=1, allow_null=True
    )
    Count = serializers.IntegerField(source="count")
    Stars = serializers.SerializerMethodField()
    Kinds = serializers.SerializerMethodField()
    Tags = serializers.SerializerMethodField()

    @extend_schema_field(StarCountSerializer(many=True))
    def get_Stars(self, summary: ReviewSummary) -> Any:
        return [{"Stars": stars, "Count": count} for stars, count in summary.stars.items()]

    @extend_schema_field(ReviewCountSerializer(many=True))
    def get_Kinds(self, summary: ReviewSummary) -> Any:
        return [
            {"Code": kind, "Name": ReviewKind(kind).label, "Count": count}
            for kind, count in summary.kinds.items()
        ]

    @extend_schema_field(ReviewCountSerializer(many=True))
    def get_Tags(self, summary: ReviewSummary) -> Any:
        return [
            {"Code": tag, "Name": ReviewTag(tag).label, "Count": count}
            for tag, count in summary.tags.items()
        ]


class PublishedPictureSerializer(serializers.Serializer[Any]):
    Url = serializers.CharField()
    IsFollowUp = serializers.BooleanField()


class ProductReviewSerializer(AnswerSerializer):
    """A published review. `Author` is masked, except for the reader's own colleagues."""

    Author = serializers.CharField(source="author")
    IsOwn = serializers.BooleanField(source="is_own")
    Stars = serializers.IntegerField(source="published.stars")
    Tags = serializers.ListField(child=serializers.CharField(), source="published.tag_names")
    Text = serializers.CharField(source="published.text")
    WrittenAt = serializers.DateTimeField(source="published.written_at")
    FollowUpText = serializers.CharField(source="published.follow_text")
    FollowedUpAt = serializers.DateTimeField(source="published.followed_at", allow_null=True)
    ReplyText = serializers.CharField(source="published.reply_text")
    RepliedAt = serializers.DateTimeField(source="published.replied_at", allow_null=True)
    Pictures = serializers.SerializerMethodField()

    @extend_schema_field(PublishedPictureSerializer(many=True))
    def get_Pictures(self, row: VisibleReview) -> Any:
        return [
            {"Url": get_picture_url(picture), "IsFollowUp": picture.is_follow_up}
            for picture in row.pictures
        ]


# A change of the review gives its pictures new URLs, so caching is safe.
PICTURE_AGE = "public, max-age=3600"
PAGING = [OpenApiParameter(name, int) for name in ("PageIndex", "PageSize")]
ReviewPage = build_page_schema(
    "ReviewPage", ProductReviewSerializer, Summary=ReviewSummarySerializer()
)


class OrderReviewViewSet(MallViewSet):
    """Reviews of the received lines of an order. Staff who act for a customer cannot write
    reviews.
    """

    access = Access.menu(MenuCode.ORDER_LIST).in_person()
    action_access = {"review": Access.menu(MenuCode.ORDER_LIST)}
    serializer_class = OrderReviewsSerializer
    pagination_class = None
    lookup_url_kwarg = "order_no"

    @extend_schema(responses=OrderReviewsSerializer)
    @action(detail=True, methods=["get"], url_path="Review")
    def review(self, request: AuthedRequest, order_no: str) -> Response:
        return self._answer_reviews(request, order_no)

    @extend_schema(request=ReviewBodySerializer, responses=OrderReviewsSerializer)
    @review.mapping.post
    @idempotent
    def write(self, request: AuthedRequest, order_no: str) -> Response:
        body = ReviewBodySerializer.parse(request)
        lines = [ReviewLineSerializer.build_input(row) for row in body["Lines"]]
        reviews_write(
            actor=request.user, order_no=order_no, lines=lines, is_anonymous=body["Anonymous"]
        )
        return self._answer_reviews(request, order_no, message="评价已发表")

    @extend_schema(request=ReviewEditSerializer, responses=OrderReviewsSerializer)
    @review.mapping.patch
    @idempotent
    def edit(self, request: AuthedRequest, order_no: str) -> Response:
        body = ReviewEditSerializer.parse(request)
        edit_arguments: dict[str, Any] = {
            "order_line_id": body["OrderLineId"],
            "changes": ReviewEditSerializer.read_changes(body),
        }
        review_edit(actor=request.user, order_no=order_no, **edit_arguments)
        return self._answer_reviews(request, order_no, message="评价已修改")

    @extend_schema(request=FollowUpSerializer, responses=OrderReviewsSerializer)
    @action(detail=True, methods=["post"], url_path="Review/FollowUp")
    @idempotent
    def follow_up(self, request: AuthedRequest, order_no: str) -> Response:
        body = FollowUpSerializer.parse(request)
        fields: dict[str, Any] = {
            "order_line_id": body["OrderLineId"],
            "text": body["Text"],
            "file_ids": body["FileIds"],
        }
        review_follow_up(actor=request.user, order_no=order_no, **fields)
        return self._answer_reviews(request, order_no, message="追加评价已发表")

    @staticmethod
    def _answer_reviews(request: AuthedRequest, order_no: str, *, message: str = "") -> Response:
        reviews = get_order_reviews(actor=request.user, order_no=order_no)
        body = OrderReviewsSerializer(reviews, context={"actor": request.user}).data
        return Ok(body, message=message) if message else Response(body)


class ProductReviewViewSet(MallViewSet):
    """Reviews of a product, for everybody who may see the product."""

    access = Access.public()
    serializer_class = ProductReviewSerializer
    lookup_field = "product_code"
    lookup_value_regex = DIGITS
    paged_actions = ()

    @extend_schema(parameters=[ReviewQuerySerializer, *PAGING], responses=ReviewPage)
    @action(detail=True, methods=["get"], url_path="Reviews")
    def reviews(self, request: Request, product_code: str) -> Response:
        actor = find_account(request)
        filters = ReviewQuerySerializer.build_filter(ReviewQuerySerializer.parse(request))
        reviews = get_product_reviews(actor=actor, code=product_code, filters=filters)
        rows: Any = self.paginate_queryset(reviews.rows)
        page = self.get_paginated_response(
            ProductReviewSerializer.serialize_all(list_visible_reviews(actor=actor, rows=rows))
        )
        page.data["Summary"] = ReviewSummarySerializer.answer(reviews.summary)
        return page

    @extend_schema(
        parameters=[OpenApiParameter("token", OpenApiTypes.UUID, OpenApiParameter.PATH)],
        responses={(200, "image/jpeg"): OpenApiTypes.BINARY},
    )
    @action(
        detail=False,
        methods=["get"],
        url_path=r"ReviewPicture/(?P<token>[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})",
    )
    def picture(self, request: Request, token: str) -> HttpResponseBase:
        """Return the bytes of a picture of a shown review. The response of the review contains
        its URL.
        """
        response = file_response(get_published_picture(token=uuid.UUID(token)))
        response["Cache-Control"] = PICTURE_AGE
        return response
