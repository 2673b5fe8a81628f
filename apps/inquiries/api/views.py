"""/api/ProductInquiry. The cart owns the Adopt route, because it adds to the cart."""

from __future__ import annotations

from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.decorators import action
from rest_framework.response import Response

from apps.common.api.access import Access
from apps.common.api.idempotency import idempotent
from apps.common.api.views import AuthedRequest
from apps.common.document_kit.views import DocumentViewSet, document_schemas, document_verb
from apps.inquiries.api import serializers as s
from apps.inquiries.enums import InquiryStatus
from apps.inquiries.selectors import count_inquiries_by_status, get_inquiry, list_inquiries
from apps.inquiries.services.inquiries import inquiry_ask_again, inquiry_close, inquiry_create
from apps.inquiries.services.inquiry_flow import inquiry_message, inquiry_read
from apps.org.models import Account

DETAIL = s.InquiryDetailSerializer


@document_schemas(page="InquiryPage", detail=DETAIL)
class ProductInquiryViewSet(DocumentViewSet):
    """意向商品询价 in the actor's data scope. The page has no menu code, so every signed-in account
    has access.
    """

    access = Access.login()
    serializer_class = row_serializer = s.InquiryRowSerializer
    query_serializer = s.InquiryQuerySerializer
    tab_names = {"": "全部", **dict(InquiryStatus.choices)}
    lookup_url_kwarg = "inquiry_no"
    list_documents = staticmethod(list_inquiries)
    count_tabs = staticmethod(count_inquiries_by_status)

    def detail_body(self, *, actor: Account, key: str) -> Any:
        detail = get_inquiry(actor=actor, inquiry_no=key)
        return DETAIL(detail.inquiry, context={"actor": actor, "detail": detail}).data

    @extend_schema(request=s.InquiryBodySerializer, responses=DETAIL)
    @idempotent
    def create(self, request: AuthedRequest) -> Response:
        form = s.InquiryBodySerializer.form(s.InquiryBodySerializer.parse(request))
        inquiry = inquiry_create(actor=request.user, form=form)
        return self.answer_detail(request, inquiry.inquiry_no, message="询价已提交")

    @document_verb("Close", body=s.CloseInquirySerializer, detail=DETAIL)
    def close(self, request: AuthedRequest, inquiry_no: str, body: dict[str, Any]) -> None:
        inquiry_close(actor=request.user, inquiry_no=inquiry_no, reason=body["Reason"])

    @document_verb("AskAgain", body=s.AskAgainSerializer, detail=DETAIL)
    def ask_again(self, request: AuthedRequest, inquiry_no: str, body: dict[str, Any]) -> None:
        inquiry_ask_again(actor=request.user, inquiry_no=inquiry_no, note=body["Note"])

    @document_verb("Message", body=s.InquiryMessageBodySerializer, detail=DETAIL)
    def message(self, request: AuthedRequest, inquiry_no: str, body: dict[str, Any]) -> None:
        inquiry_message(actor=request.user, inquiry_no=inquiry_no, text=body["Text"])

    @extend_schema(request=None, responses=OpenApiTypes.BOOL)
    @action(detail=True, methods=["post"], url_path="Read")
    def read(self, request: AuthedRequest, inquiry_no: str) -> Response:
        inquiry_read(actor=request.user, inquiry_no=inquiry_no)
        return Response(True)
