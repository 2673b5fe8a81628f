"""/api/ReturnOrder, with its queries, request bodies and responses."""

from __future__ import annotations

from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.response import Response

from apps.aftersales.deadlines import find_step
from apps.aftersales.enums import ReturnEventKind, ReturnKind, ReturnReason, ReturnStatus, ReturnWay
from apps.aftersales.models import ReturnLine, ReturnMessage, ReturnOrder, ReturnParcel
from apps.aftersales.selectors.return_terms import (
    REASONS,
    KindTerms,
    LineTerms,
    get_order_terms,
    list_returnable_orders,
)
from apps.aftersales.selectors.returns import (
    ReturnFilter,
    count_returns_by_status,
    get_return,
    get_return_actions,
    list_returns,
)
from apps.aftersales.services.return_apply import ReturnForm, ReturnFormLine, return_apply
from apps.aftersales.services.return_close import return_confirm, return_withdraw
from apps.aftersales.services.return_message import return_message, return_read
from apps.aftersales.services.return_parcels import return_ship
from apps.catalog.selectors.pictures import build_media_url
from apps.common.api.access import Access
from apps.common.api.idempotency import idempotent
from apps.common.api.pagination import build_page_schema
from apps.common.api.serializers import (
    AttachmentSerializer,
    BodySerializer,
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
from apps.orders.shared_serializers import TrackingSerializer
from apps.org.menus import MenuCode
from apps.org.models import Account

MAX_LINES = 200


def build_choice_field(choices: Any, needed: str) -> serializers.ChoiceField:
    """Return a required choice field."""
    return serializers.ChoiceField(
        choices=choices,
        error_messages=dict.fromkeys(("required", "null", "blank", "invalid_choice"), needed),
    )


class ReturnLineBodySerializer(BodySerializer):
    OrderLineId = WholeField(min_value=1)
    Quantity = QuantityField()
    Opened = serializers.BooleanField(required=False, default=False)


class ReturnBodySerializer(BodySerializer):
    OrderNo = build_text_field(24, missing_message="请选择要申请售后的订单")
    Kind = build_choice_field(ReturnKind.choices, "请选择退货、换货或维修")
    Reason = build_choice_field(ReturnReason.choices, "请选择原因")
    Way = build_choice_field(ReturnWay.choices, "请选择退回方式")
    Lines = list_of(ReturnLineBodySerializer, allow_empty=False, max_length=MAX_LINES)
    Detail = build_text_field(500)
    FileIds = PicturesField()
    VideoUrl = serializers.CharField(required=False, allow_blank=True, default="", max_length=300)
    Pickup = build_text_field(100)

    def validate_VideoUrl(self, url: str) -> str:
        """Accept only https addresses, because staff open them."""
        if url:
            serializers.URLField().run_validation(url)
            if not url.lower().startswith("https://"):
                raise serializers.ValidationError("视频链接须以 https:// 开头")
        return url

    @staticmethod
    def build_form(body: dict[str, Any]) -> ReturnForm:
        """Return the form for the service."""
        return ReturnForm(
            order_no=body["OrderNo"],
            kind=body["Kind"],
            reason=body["Reason"],
            way=body["Way"],
            lines=tuple(
                ReturnFormLine(line["OrderLineId"], line["Quantity"], line["Opened"])
                for line in body["Lines"]
            ),
            detail=body["Detail"],
            video_url=body["VideoUrl"],
            file_ids=tuple(body["FileIds"]),
            pickup=body["Pickup"],
        )


class ReturnTermsQuerySerializer(QuerySerializer):
    OrderNo = build_text_field(24, missing_message="请指定订单")


class OrdersToReturnQuerySerializer(QuerySerializer):
    Keyword = serializers.CharField(max_length=60, required=False, allow_blank=True, default="")


class ReturnQuerySerializer(PeriodFields, QuerySerializer):
    Keyword = serializers.CharField(max_length=60, required=False, allow_blank=True, default="")
    Status = serializers.ChoiceField(
        choices=ReturnStatus.choices, required=False, allow_blank=True, default=""
    )
    Kind = serializers.ChoiceField(
        choices=ReturnKind.choices, required=False, allow_blank=True, default=""
    )
    OrderNo = serializers.CharField(max_length=24, required=False, allow_blank=True, default="")
    Unread = serializers.BooleanField(required=False, default=False)

    @staticmethod
    def build_filter(query: dict[str, Any]) -> ReturnFilter:
        """Return the filter for the selector."""
        return ReturnFilter(
            keyword=query["Keyword"].strip(),
            status=query["Status"],
            kind=query["Kind"],
            order_no=query["OrderNo"],
            since=query["From"],
            until=query["To"],
            is_unread=query["Unread"],
        )


class ReturnWithdrawSerializer(BodySerializer):
    Reason = build_text_field(200, missing_message="请填写撤销原因")


class ReturnShipSerializer(BodySerializer):
    Carrier = build_text_field(40, missing_message="请填写承运商")
    TrackingNo = build_text_field(60, missing_message="请填写运单号")


class ReturnMessageBodySerializer(BodySerializer):
    Text = build_text_field(500, missing_message="请填写留言内容")
    FileIds = PicturesField()


class ReturnLineSerializer(serializers.Serializer[ReturnLine]):
    """A return line. Accepted, Finding and FindingNote are set by the inspection, Amount and
    Tax by the refund.
    """

    Id = serializers.CharField(source="pk")
    OrderLineId = serializers.CharField(source="order_line_id")
    ProductCode = serializers.CharField(source="order_line.product_code")
    Name = serializers.SerializerMethodField()
    Brand = serializers.CharField(source="order_line.brand")
    Unit = serializers.CharField(source="order_line.unit")
    ImageUrl = serializers.SerializerMethodField()
    UnitPrice = MoneyField(source="order_line.unit_price_incl_tax")
    Quantity = serializers.IntegerField(source="quantity")
    Opened = serializers.BooleanField(source="is_opened")
    Accepted = serializers.IntegerField(source="accepted_quantity", allow_null=True)
    Finding = serializers.CharField(source="finding")
    FindingText = serializers.CharField(source="get_finding_display")
    FindingNote = serializers.CharField(source="finding_note")
    Amount = MoneyField(source="amount_incl_tax")
    Tax = MoneyField(source="tax_amount")

    def get_Name(self, line: ReturnLine) -> str:
        """Return the customer's name of the product, as on the order's lines."""
        return str(line.order_line.customer_name or line.order_line.name)

    def get_ImageUrl(self, line: ReturnLine) -> str:
        """Return the URL of the picture."""
        return build_media_url(line.order_line.image)


class ReturnRowSerializer(serializers.Serializer[ReturnOrder]):
    """A row of the list. `context["actor"]` is the reader."""

    ReturnOrderId = serializers.CharField(source="return_no")
    OrderNo = serializers.CharField(source="order.order_no")
    Kind = serializers.CharField(source="kind")
    KindText = serializers.CharField(source="get_kind_display")
    Status = serializers.CharField(source="status")
    StatusText = serializers.CharField(source="get_status_display")
    Reason = serializers.CharField(source="reason")
    ReasonText = serializers.CharField(source="get_reason_display")
    Way = serializers.CharField(source="way")
    WayText = serializers.CharField(source="get_way_display")
    CreatedAt = serializers.DateTimeField(source="submitted_at")
    DueAt = serializers.DateTimeField(source="due_at", allow_null=True)
    DueByUs = serializers.SerializerMethodField()
    WaitsRed = serializers.BooleanField(source="waits_red", help_text="已开票，红冲完成后自动退款")
    RefundAmount = MoneyField(source="refund_amount")
    Requester = PersonSerializer(source="requester")
    Department = serializers.CharField(source="department.name", default="")
    CloseReason = serializers.CharField(source="close_reason")
    Unread = serializers.SerializerMethodField()
    Lines = ReturnLineSerializer(source="lines.all", many=True)
    AllowedActions = serializers.SerializerMethodField()

    def get_DueByUs(self, return_order: ReturnOrder) -> bool:
        """Return whether the mall has to take the next step."""
        step = find_step(status=return_order.status, way=return_order.way)
        return step is not None and step.is_ours

    def get_Unread(self, return_order: ReturnOrder) -> int:
        """Return the number of unread entries for the requester, 0 for everyone except the
        requester.
        """
        return (
            return_order.customer_unread
            if return_order.requester_id == self.context["actor"].pk
            else 0
        )

    def get_AllowedActions(self, return_order: ReturnOrder) -> list[str]:
        """Return the codes of the actions that the actor may take now."""
        return get_return_actions(actor=self.context["actor"], return_order=return_order)


class ReturnPictureSerializer(AttachmentSerializer):
    """A picture of the application or of a message."""


class ReturnMessageSerializer(ThreadMessageSerializer):
    Pictures = serializers.SerializerMethodField()

    @extend_schema_field(ReturnPictureSerializer(many=True))
    def get_Pictures(self, message: ReturnMessage) -> Any:
        """Return the pictures of this message, from the pictures loaded with the return."""
        rows = [picture for picture in self.context["pictures"] if picture.message_id == message.pk]
        return ReturnPictureSerializer(instance=rows, many=True, context=self.context).data


class ReturnParcelSerializer(serializers.Serializer[ReturnParcel]):
    Direction = serializers.CharField(source="direction")
    DirectionText = serializers.CharField(source="get_direction_display")
    Carrier = serializers.CharField(source="carrier")
    TrackingNo = serializers.CharField(source="tracking_no")
    SentAt = serializers.DateTimeField(source="sent_at")
    Tracking = serializers.SerializerMethodField()

    @extend_schema_field(TrackingSerializer(many=True))
    def get_Tracking(self, parcel: ReturnParcel) -> Any:
        """Return the carrier's tracking events, newest first."""
        return TrackingSerializer(
            self.context["detail"].tracking.get((parcel.carrier, parcel.tracking_no), ()), many=True
        ).data


class ReturnEventSerializer(TimelineRowSerializer):
    """An event of a return."""

    kinds = dict(ReturnEventKind.choices)
    states = dict(ReturnStatus.choices)


class ReturnDetailSerializer(ReturnRowSerializer):
    """One return with its timeline in `context["detail"]` and its pictures in
    `context["pictures"]`.
    """

    Enterprise = serializers.CharField(source="enterprise.name")
    Detail = serializers.CharField(source="detail")
    VideoUrl = serializers.CharField(source="video_url")
    Contact = serializers.DictField(source="contact", child=serializers.CharField())
    SendTo = serializers.CharField(source="send_to")
    ApprovedAt = serializers.DateTimeField(source="approved_at", allow_null=True)
    ReceivedAt = serializers.DateTimeField(source="received_at", allow_null=True)
    InspectedAt = serializers.DateTimeField(source="inspected_at", allow_null=True)
    RefundedAt = serializers.DateTimeField(source="refunded_at", allow_null=True)
    CompletedAt = serializers.DateTimeField(source="completed_at", allow_null=True)
    Pictures = serializers.SerializerMethodField()
    Parcels = ReturnParcelSerializer(source="parcels.all", many=True)
    Messages = ReturnMessageSerializer(source="messages.all", many=True)
    Timeline = serializers.SerializerMethodField()

    @extend_schema_field(ReturnPictureSerializer(many=True))
    def get_Pictures(self, return_order: ReturnOrder) -> Any:
        """Return the pictures of the application."""
        rows = [picture for picture in self.context["pictures"] if picture.message_id is None]
        return ReturnPictureSerializer(instance=rows, many=True, context=self.context).data

    @extend_schema_field(ReturnEventSerializer(many=True))
    def get_Timeline(self, return_order: ReturnOrder) -> Any:
        """Return the events, oldest first."""
        return ReturnEventSerializer(self.context["detail"].timeline, many=True).data


class KindTermsSerializer(serializers.Serializer[KindTerms]):
    """Terms of one kind of after-sales for a line. WhyNot is empty if a request is possible."""

    Kind = serializers.CharField(source="kind")
    KindText = serializers.CharField(source="kind.label")
    Until = serializers.DateTimeField(
        source="until", allow_null=True, help_text="一般原因的最后期限"
    )
    QualityUntil = serializers.DateTimeField(
        source="quality_until", allow_null=True, help_text="质量问题的最后期限"
    )
    TakesOpened = serializers.BooleanField(source="takes_opened")
    Note = serializers.CharField(source="note")
    WhyNot = serializers.CharField(source="why_not")
    Reasons = serializers.SerializerMethodField()

    def get_Reasons(self, terms: KindTerms) -> list[str]:
        """Return the codes of the reasons allowed today for an unopened piece."""
        return [
            reason.value
            for reason in REASONS[terms.kind]
            if not terms.explain_refusal(reason=reason, is_opened=False)
        ]


class LineTermsSerializer(serializers.Serializer[LineTerms]):
    OrderLineId = serializers.CharField(source="line.pk")
    ProductCode = serializers.CharField(source="line.product_code")
    Name = serializers.SerializerMethodField()
    Brand = serializers.CharField(source="line.brand")
    Unit = serializers.CharField(source="line.unit")
    ImageUrl = serializers.SerializerMethodField()
    UnitPrice = MoneyField(source="line.unit_price_incl_tax")
    ReceivedQuantity = serializers.IntegerField(source="line.received_quantity")
    ReturningQuantity = serializers.IntegerField(source="line.returning_quantity")
    ReturnedQuantity = serializers.IntegerField(source="line.returned_quantity")
    Free = serializers.IntegerField(source="free", help_text="还可申请的数量")
    ReceivedAt = serializers.DateTimeField(source="received_at", allow_null=True)
    Kinds = KindTermsSerializer(source="kinds", many=True)

    def get_Name(self, terms: LineTerms) -> str:
        """Return the customer's name of the product."""
        return str(terms.line.customer_name or terms.line.name)

    def get_ImageUrl(self, terms: LineTerms) -> str:
        """Return the URL of the picture."""
        return build_media_url(terms.line.image)


class ReturnTermsSerializer(serializers.Serializer[Any]):
    """The possible requests for an order, line by line."""

    OrderNo = serializers.CharField(source="order.order_no")
    CanApply = serializers.BooleanField(source="can_apply", help_text="是否可由当前账号申请")
    WhyNot = serializers.CharField(source="why_not")
    Address = serializers.DictField(source="order.address_snapshot", child=serializers.CharField())
    Lines = LineTermsSerializer(source="lines", many=True)


class OrderToReturnSerializer(serializers.Serializer[Any]):
    """An order with pieces that can still be returned."""

    OrderNo = serializers.CharField(source="order_no")
    Status = serializers.CharField(source="status")
    StatusText = serializers.CharField(source="get_status_display")
    CreatedAt = serializers.DateTimeField(source="submitted_at")
    Total = MoneyField(source="total_amount")
    Names = serializers.SerializerMethodField()
    LineCount = serializers.SerializerMethodField()

    def get_Names(self, order: Any) -> list[str]:
        """Return the names of its first products."""
        return [str(line.customer_name or line.name) for line in order.lines.all()[:3]]

    def get_LineCount(self, order: Any) -> int:
        """Return the number of lines."""
        return len(order.lines.all())


DETAIL = ReturnDetailSerializer
PAGING = [OpenApiParameter("PageIndex", int), OpenApiParameter("PageSize", int)]
OrderToReturnPage = build_page_schema("OrderToReturnPage", OrderToReturnSerializer)


@describe_document_schemas(page="ReturnPage", detail=DETAIL)
class ReturnOrderViewSet(DocumentViewSet):
    """退换货 in the actor's data scope."""

    access = Access.menu(MenuCode.ORDER_RETURN)
    serializer_class = row_serializer = ReturnRowSerializer
    query_serializer = ReturnQuerySerializer
    tab_names = {"": "全部", **dict(ReturnStatus.choices)}
    lookup_url_kwarg = "return_order_id"
    list_documents = staticmethod(list_returns)
    count_tabs = staticmethod(count_returns_by_status)

    def build_detail_body(self, *, actor: Account, key: str) -> Any:
        detail = get_return(actor=actor, return_no=key)
        pictures = list(detail.return_order.pictures.all())
        context = {"actor": actor, "detail": detail, "pictures": pictures}
        return DETAIL(detail.return_order, context=context).data

    @extend_schema(parameters=[ReturnTermsQuerySerializer], responses=ReturnTermsSerializer)
    @action(detail=False, methods=["get"], url_path="Terms")
    def terms(self, request: AuthedRequest) -> Response:
        order_no = ReturnTermsQuerySerializer.parse(request)["OrderNo"]
        return Response(
            ReturnTermsSerializer(get_order_terms(actor=request.user, order_no=order_no)).data
        )

    @extend_schema(parameters=[OrdersToReturnQuerySerializer, *PAGING], responses=OrderToReturnPage)
    @action(detail=False, methods=["get"], url_path="Orders")
    def orders(self, request: AuthedRequest) -> Response:
        keyword = OrdersToReturnQuerySerializer.parse(request)["Keyword"].strip()
        rows: Any = self.paginate_queryset(
            list_returnable_orders(actor=request.user, keyword=keyword)
        )
        return self.get_paginated_response(OrderToReturnSerializer(rows, many=True).data)

    @extend_schema(request=ReturnBodySerializer, responses=DETAIL)
    @idempotent
    def create(self, request: AuthedRequest) -> Response:
        form = ReturnBodySerializer.build_form(ReturnBodySerializer.parse(request))
        return_order = return_apply(actor=request.user, form=form)
        return self.answer_detail(request, return_order.return_no, message="售后申请已提交")

    @route_document_verb("Withdraw", body=ReturnWithdrawSerializer, detail=DETAIL)
    def withdraw(self, request: AuthedRequest, return_no: str, body: dict[str, Any]) -> None:
        return_withdraw(actor=request.user, return_no=return_no, reason=body["Reason"])

    @route_document_verb("Ship", body=ReturnShipSerializer, detail=DETAIL)
    def ship(self, request: AuthedRequest, return_no: str, body: dict[str, Any]) -> None:
        return_ship(
            actor=request.user,
            return_no=return_no,
            carrier=body["Carrier"],
            tracking_no=body["TrackingNo"],
        )

    @route_document_verb("Confirm", detail=DETAIL)
    def confirm(self, request: AuthedRequest, return_no: str) -> None:
        return_confirm(actor=request.user, return_no=return_no)

    @route_document_verb("Message", body=ReturnMessageBodySerializer, detail=DETAIL)
    def message(self, request: AuthedRequest, return_no: str, body: dict[str, Any]) -> None:
        return_message(
            actor=request.user,
            return_no=return_no,
            text=body["Text"],
            file_ids=body["FileIds"],
        )

    @extend_schema(request=None, responses=OpenApiTypes.BOOL)
    @action(detail=True, methods=["post"], url_path="Read")
    def read(self, request: AuthedRequest, return_order_id: str) -> Response:
        return_read(actor=request.user, return_no=return_order_id)
        return Response(True)
