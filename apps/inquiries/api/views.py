"""/api/ProductInquiry, with its request and response bodies. The cart owns the Adopt route,
because it adds to the cart.
"""

from __future__ import annotations

from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.response import Response

from apps.catalog.selectors.pictures import get_image_url
from apps.common.api.access import Access
from apps.common.api.idempotency import idempotent
from apps.common.api.serializers import (
    AttachmentSerializer,
    BodySerializer,
    DayField,
    MoneyField,
    PeriodFields,
    PersonSerializer,
    PicturesField,
    QuantityField,
    QuerySerializer,
    ThreadMessageSerializer,
    TimelineRowSerializer,
    WholeField,
    build_text_field,
    list_of,
)
from apps.common.api.views import AuthedRequest
from apps.common.document_kit.views import (
    DocumentViewSet,
    describe_document_schemas,
    route_document_verb,
)
from apps.inquiries.enums import InquiryEventKind, InquiryStatus
from apps.inquiries.models import ProductInquiry, ProductInquiryLine
from apps.inquiries.selectors import (
    InquiryFilter,
    count_inquiries_by_status,
    get_inquiry,
    get_inquiry_actions,
    has_expired,
    list_inquiries,
)
from apps.inquiries.services.inquiries import (
    InquiryForm,
    InquiryFormLine,
    inquiry_ask_again,
    inquiry_close,
    inquiry_create,
    inquiry_read,
    inquiry_send_message,
)
from apps.org.models import Account

MAX_LINES = 20


class InquiryLineBodySerializer(BodySerializer):
    Name = build_text_field(120, missing_message="请填写意向商品")
    Spec = build_text_field(300)
    Quantity = QuantityField()
    Unit = build_text_field(10, missing_message="请填写单位")
    TargetPrice = MoneyField(required=False, allow_null=True, min_value=0, max_digits=9)


class InquiryBodySerializer(BodySerializer):
    Lines = list_of(InquiryLineBodySerializer, allow_empty=False, max_length=MAX_LINES)
    CategoryId = WholeField(required=False, allow_null=True, min_value=1)
    NeedBy = DayField(required=False, allow_null=True)
    Remark = build_text_field(500)
    FileIds = PicturesField()

    @staticmethod
    def build_form(body: dict[str, Any]) -> InquiryForm:
        """Return the parsed body as the form that the services take."""
        lines = tuple(
            InquiryFormLine(
                line["Name"], line["Quantity"], line["Unit"], line["Spec"], line.get("TargetPrice")
            )
            for line in body["Lines"]
        )
        return InquiryForm(
            lines,
            body.get("CategoryId"),
            body.get("NeedBy"),
            body["Remark"],
            tuple(body["FileIds"]),
        )


class CloseInquirySerializer(BodySerializer):
    Reason = build_text_field(200, missing_message="请填写关闭原因")


class AskAgainSerializer(BodySerializer):
    Note = build_text_field(200, missing_message="请说明希望如何调整")


class InquiryMessageBodySerializer(BodySerializer):
    Text = build_text_field(500, missing_message="请填写留言内容")


class InquiryQuerySerializer(PeriodFields, QuerySerializer):
    Keyword = serializers.CharField(max_length=60, required=False, allow_blank=True, default="")
    Status = serializers.ChoiceField(
        choices=InquiryStatus.choices, required=False, allow_blank=True, default=""
    )
    Unread = serializers.BooleanField(required=False, default=False)

    @staticmethod
    def build_filter(query: dict[str, Any]) -> InquiryFilter:
        """Return the filter for the selector."""
        return InquiryFilter(
            query["Keyword"].strip(), query["Status"], query["From"], query["To"], query["Unread"]
        )


class InquiryProductSerializer(serializers.Serializer[Any]):
    ProductCode = serializers.CharField(source="code")
    Name = serializers.CharField(source="name")
    Brand = serializers.CharField(source="brand.name")
    Unit = serializers.CharField(source="unit")
    ImageUrl = serializers.SerializerMethodField()
    MallPrice = MoneyField(source="market_price")
    MinQuantity = serializers.IntegerField(source="min_quantity")
    StepQuantity = serializers.IntegerField(source="step_quantity")
    Stock = serializers.IntegerField(source="available")

    def get_ImageUrl(self, product: Any) -> str:
        """Return the URL of the main picture."""
        return get_image_url(product)


class InquiryLineSerializer(serializers.Serializer[ProductInquiryLine]):
    """A requested line. Product, QuotedPrice and PriceBefore (the customer's price before the
    quote) are set once it is quoted.
    """

    Id = serializers.CharField(source="pk")
    Name = serializers.CharField(source="name")
    Spec = serializers.CharField(source="spec")
    Quantity = serializers.IntegerField(source="quantity")
    Unit = serializers.CharField(source="unit")
    TargetPrice = MoneyField(source="target_price", allow_null=True)
    Product = InquiryProductSerializer(source="product", allow_null=True)
    QuotedPrice = MoneyField(source="quoted_price", allow_null=True)
    PriceBefore = MoneyField(source="price_before", allow_null=True)
    Note = serializers.CharField(source="note")


class InquiryRowSerializer(serializers.Serializer[ProductInquiry]):
    """A row of the list. `context["actor"]` is the viewing account."""

    InquiryNo = serializers.CharField(source="inquiry_no")
    Status = serializers.CharField(source="status")
    StatusText = serializers.CharField(source="get_status_display")
    CreatedAt = serializers.DateTimeField(source="submitted_at")
    Requester = PersonSerializer(source="requester")
    Department = serializers.CharField(source="department.name", default="")
    NeedBy = serializers.DateField(source="need_by", allow_null=True)
    QuotedAt = serializers.DateTimeField(source="quoted_at", allow_null=True)
    ValidTo = serializers.DateField(source="valid_to", allow_null=True)
    HasExpired = serializers.SerializerMethodField()
    CloseReason = serializers.CharField(source="close_reason")
    Unread = serializers.SerializerMethodField()
    Lines = InquiryLineSerializer(source="lines.all", many=True)
    AllowedActions = serializers.SerializerMethodField()

    def get_HasExpired(self, inquiry: ProductInquiry) -> bool:
        """Return whether the quote has expired as of today."""
        return has_expired(inquiry)

    def get_Unread(self, inquiry: ProductInquiry) -> int:
        """Return the number of staff messages and events that the requester has not read. 0 for
        other accounts.
        """
        return inquiry.customer_unread if inquiry.requester_id == self.context["actor"].pk else 0

    def get_AllowedActions(self, inquiry: ProductInquiry) -> list[str]:
        """Return the codes of the actions that the actor can take now."""
        return get_inquiry_actions(actor=self.context["actor"], inquiry=inquiry)


class InquiryPictureSerializer(AttachmentSerializer):
    """A picture of the requested product."""


class InquiryMessageSerializer(ThreadMessageSerializer):
    """A message of an inquiry."""


class InquiryEventSerializer(TimelineRowSerializer):
    """An event of an inquiry."""

    kinds = dict(InquiryEventKind.choices)
    states = dict(InquiryStatus.choices)


class InquiryDetailSerializer(InquiryRowSerializer):
    """An inquiry with all details. `context["detail"]` has its timeline."""

    Enterprise = serializers.CharField(source="enterprise.name", default="")
    Category = serializers.CharField(source="category.name", default="")
    Remark = serializers.CharField(source="remark")
    QuoteNote = serializers.CharField(source="quote_note")
    Pictures = InquiryPictureSerializer(source="pictures.all", many=True)
    Messages = InquiryMessageSerializer(source="messages.all", many=True)
    Timeline = serializers.SerializerMethodField()

    @extend_schema_field(InquiryEventSerializer(many=True))
    def get_Timeline(self, inquiry: ProductInquiry) -> Any:
        """Return the events, oldest first."""
        return InquiryEventSerializer(self.context["detail"].timeline, many=True).data


DETAIL = InquiryDetailSerializer


@describe_document_schemas(page="InquiryPage", detail=DETAIL)
class ProductInquiryViewSet(DocumentViewSet):
    """意向商品询价 in the actor's data scope. The page has no menu code, so every signed-in account
    has access.
    """

    access = Access.login()
    serializer_class = row_serializer = InquiryRowSerializer
    query_serializer = InquiryQuerySerializer
    tab_names = {"": "全部", **dict(InquiryStatus.choices)}
    lookup_url_kwarg = "inquiry_no"
    list_documents = staticmethod(list_inquiries)
    count_tabs = staticmethod(count_inquiries_by_status)

    def build_detail_body(self, *, actor: Account, key: str) -> Any:
        detail = get_inquiry(actor=actor, inquiry_no=key)
        return DETAIL(detail.inquiry, context={"actor": actor, "detail": detail}).data

    @extend_schema(request=InquiryBodySerializer, responses=DETAIL)
    @idempotent
    def create(self, request: AuthedRequest) -> Response:
        form = InquiryBodySerializer.build_form(InquiryBodySerializer.parse(request))
        inquiry = inquiry_create(actor=request.user, form=form)
        return self.answer_detail(request, inquiry.inquiry_no, message="询价已提交")

    @route_document_verb("Close", body=CloseInquirySerializer, detail=DETAIL)
    def close(self, request: AuthedRequest, inquiry_no: str, body: dict[str, Any]) -> None:
        inquiry_close(actor=request.user, inquiry_no=inquiry_no, reason=body["Reason"])

    @route_document_verb("AskAgain", body=AskAgainSerializer, detail=DETAIL)
    def ask_again(self, request: AuthedRequest, inquiry_no: str, body: dict[str, Any]) -> None:
        inquiry_ask_again(actor=request.user, inquiry_no=inquiry_no, note=body["Note"])

    @route_document_verb("Message", body=InquiryMessageBodySerializer, detail=DETAIL)
    def message(self, request: AuthedRequest, inquiry_no: str, body: dict[str, Any]) -> None:
        inquiry_send_message(actor=request.user, inquiry_no=inquiry_no, text=body["Text"])

    @extend_schema(request=None, responses=OpenApiTypes.BOOL)
    @action(detail=True, methods=["post"], url_path="Read")
    def read(self, request: AuthedRequest, inquiry_no: str) -> Response:
        inquiry_read(actor=request.user, inquiry_no=inquiry_no)
        return Response(True)
