"""/api/Order/{OrderNo}/Review, and the reviews on the product page."""

from __future__ import annotations

import uuid
from typing import Any

from django.http.response import HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from apps.common.api.access import Access
from apps.common.api.files import file_response
from apps.common.api.idempotency import idempotent
from apps.common.api.pagination import page_schema
from apps.common.api.renderers import Ok
from apps.common.api.views import DIGITS, AuthedRequest, MallViewSet, account_of
from apps.org.menus import MenuCode
from apps.reviews.api.serializers import (
    FollowUpSerializer,
    OrderReviewsSerializer,
    ProductReviewSerializer,
    ReviewBodySerializer,
    ReviewEditSerializer,
    ReviewLineSerializer,
    ReviewQuerySerializer,
    ReviewSummarySerializer,
)
from apps.reviews.selectors.order_reviews import order_reviews
from apps.reviews.selectors.product_reviews import (
    list_visible_reviews,
    product_reviews,
    published_picture,
)
from apps.reviews.services import review_edit, review_follow_up, reviews_write

# A change of the review gives its pictures new URLs, so caching is safe.
PICTURE_AGE = "public, max-age=3600"
PAGING = [OpenApiParameter(name, int) for name in ("PageIndex", "PageSize")]
ReviewPage = page_schema("ReviewPage", ProductReviewSerializer, Summary=ReviewSummarySerializer())


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
        lines = [ReviewLineSerializer.said(row) for row in body["Lines"]]
        reviews_write(
            actor=request.user, order_no=order_no, lines=lines, is_anonymous=body["Anonymous"]
        )
        return self._answer_reviews(request, order_no, message="评价已发表")

    @extend_schema(request=ReviewEditSerializer, responses=OrderReviewsSerializer)
    @review.mapping.patch
    @idempotent
    def edit(self, request: AuthedRequest, order_no: str) -> Response:
        body = ReviewEditSerializer.parse(request)
        what: dict[str, Any] = {
            "order_line_id": body["OrderLineId"],
            "changes": ReviewEditSerializer.changes(body),
        }
        review_edit(actor=request.user, order_no=order_no, **what)
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
        reviews = order_reviews(actor=request.user, order_no=order_no)
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
        actor = account_of(request)
        filters = ReviewQuerySerializer.filter(ReviewQuerySerializer.parse(request))
        reviews = product_reviews(actor=actor, code=product_code, filters=filters)
        rows: Any = self.paginate_queryset(reviews.rows)
        page = self.get_paginated_response(
            ProductReviewSerializer.answers(list_visible_reviews(actor=actor, rows=rows))
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
        response = file_response(published_picture(token=uuid.UUID(token)))
        response["Cache-Control"] = PICTURE_AGE
        return response
