"""/api/ProductInquiry. The cart owns the Adopt route, because it adds to the cart."""

from __future__ import annotations

from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.decorators import action
from rest_framework.response import Response

from apps.common.api.access import Access
from apps.common.api.idempotency import idempotent
from apps.common.api.pages import tabbed_schema, tabs_of
from apps.common.api.renderers import Ok
from apps.common.api.views import AuthedRequest, MallViewSet
from apps.inquiries.api import serializers as s
from apps.inquiries.enums import InquiryStatus
from apps.inquiries.selectors import count_inquiries_by_status, get_inquiry, list_inquiries
from apps.inquiries.services.inquiries import inquiry_ask_again, inquiry_close, inquiry_create
from apps.inquiries.services.inquiry_flow import inquiry_message, inquiry_read

TAB_NAMES: dict[str, str] = {"": "全部", **dict(InquiryStatus.choices)}
InquiryPage = tabbed_schema("InquiryPage", s.InquiryRowSerializer)


class ProductInquiryViewSet(MallViewSet):
    """意向商品询价 in the actor's data scope. The page has no menu code, so every signed-in account
    has access.
    """

    access = Access.login()
    serializer_class = s.InquiryRowSerializer
    lookup_url_kwarg = "inquiry_no"

    @extend_schema(parameters=[s.InquiryQuerySerializer], responses=InquiryPage)
    def list(self, request: AuthedRequest) -> Response:
        wanted = s.InquiryQuerySerializer.filter(s.InquiryQuerySerializer.parse(request))
        tabs = count_inquiries_by_status(actor=request.user, wanted=wanted)
        rows: Any = self.paginate_queryset(list_inquiries(actor=request.user, wanted=wanted))
        page = self.get_paginated_response(
            s.InquiryRowSerializer(rows, many=True, context={"actor": request.user}).data
        )
        page.data["Tabs"] = tabs_of(tabs, TAB_NAMES)
        return page

    @extend_schema(responses=s.InquiryDetailSerializer)
    def retrieve(self, request: AuthedRequest, inquiry_no: str) -> Response:
        return self._detail(request, inquiry_no)

    @extend_schema(request=s.InquiryBodySerializer, responses=s.InquiryDetailSerializer)
    @idempotent
    def create(self, request: AuthedRequest) -> Response:
        body = s.InquiryBodySerializer.parse(request)
        inquiry = inquiry_create(actor=request.user, form=s.InquiryBodySerializer.form(body))
        return self._detail(request, inquiry.inquiry_no, message="询价已提交")

    @extend_schema(request=s.CloseInquirySerializer, responses=s.InquiryDetailSerializer)
    @action(detail=True, methods=["post"], url_path="Close")
    @idempotent
    def close(self, request: AuthedRequest, inquiry_no: str) -> Response:
        body = s.CloseInquirySerializer.parse(request)
        inquiry_close(actor=request.user, inquiry_no=inquiry_no, reason=body["Reason"])
        return self._detail(request, inquiry_no)

    @extend_schema(request=s.AskAgainSerializer, responses=s.InquiryDetailSerializer)
    @action(detail=True, methods=["post"], url_path="AskAgain")
    @idempotent
    def ask_again(self, request: AuthedRequest, inquiry_no: str) -> Response:
        body = s.AskAgainSerializer.parse(request)
        inquiry_ask_again(actor=request.user, inquiry_no=inquiry_no, note=body["Note"])
        return self._detail(request, inquiry_no)

    @extend_schema(request=s.InquiryMessageBodySerializer, responses=s.InquiryDetailSerializer)
    @action(detail=True, methods=["post"], url_path="Message")
    @idempotent
    def message(self, request: AuthedRequest, inquiry_no: str) -> Response:
        body = s.InquiryMessageBodySerializer.parse(request)
        inquiry_message(actor=request.user, inquiry_no=inquiry_no, text=body["Text"])
        return self._detail(request, inquiry_no)

    @extend_schema(request=None, responses=OpenApiTypes.BOOL)
    @action(detail=True, methods=["post"], url_path="Read")
    def read(self, request: AuthedRequest, inquiry_no: str) -> Response:
        inquiry_read(actor=request.user, inquiry_no=inquiry_no)
        return Response(True)

    @staticmethod
    def _detail(request: AuthedRequest, inquiry_no: str, *, message: str = "") -> Response:
        detail = get_inquiry(actor=request.user, inquiry_no=inquiry_no)
        body = s.InquiryDetailSerializer(
            detail.inquiry, context={"actor": request.user, "detail": detail}
        ).data
        return Ok(body, message=message) if message else Response(body)
