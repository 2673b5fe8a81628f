"""/api/CancelOrder, with its queries, request bodies and responses."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.response import Response

from apps.aftersales.enums import CancelEventKind, CancelReason, CancelStatus
from apps.aftersales.models import CancelOrder, CancelOrderLine
from apps.aftersales.selectors.cancels import (
    CancelFilter,
    count_cancels_by_status,
    get_cancel,
    get_cancel_actions,
    get_cancel_preview,
    list_cancels,
)
from apps.aftersales.services.cancel_apply import CancelForm, cancel_apply
from apps.aftersales.services.cancel_decide import cancel_withdraw
from apps.catalog.selectors.pictures import build_media_url
from apps.common.api.access import Access
from apps.common.api.idempotency import idempotent
from apps.common.api.serializers import (
    BodySerializer,
    IdField,
    MoneyField,
    PeriodFields,
    PersonSerializer,
    QuantityField,
    QuerySerializer,
    TimelineRowSerializer,
    list_of,
)
from apps.common.api.views import DIGITS, AuthedRequest
from apps.common.document_kit.views import (
    DocumentViewSet,
    describe_document_schemas,
    route_document_verb,
)
from apps.orders.models import OrderLine
from apps.org.menus import MenuCode
from apps.org.models import Account

MAX_LINES = 200


class CancelLineBodySerializer(BodySerializer):
    Id = IdField(help_text="订单行")
    Quantity = QuantityField(min_value=0, help_text="要取消的数量")


class CancelPreviewBodySerializer(BodySerializer):
    OrderNo = serializers.CharField(max_length=24)
    Lines = list_of(
        CancelLineBodySerializer,
        required=False,
        allow_empty=False,
        max_length=MAX_LINES,
        help_text="留空为全部可取消的商品",
    )

    def validate_Lines(self, lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Refuse a repeated order line."""
        ids = [line["Id"] for line in lines]
        if len(ids) != len(set(ids)):
            raise serializers.ValidationError("同一商品行重复提交，请刷新后重试")
        return lines

    @staticmethod
    def read_pieces(body: dict[str, Any]) -> dict[int, int] | None:
        """Return {order line pk: pieces}, None for the whole order."""
        lines = body.get("Lines")
        return None if lines is None else {line["Id"]: line["Quantity"] for line in lines}


class CancelBodySerializer(CancelPreviewBodySerializer):
    ReasonKind = serializers.ChoiceField(
        choices=CancelReason.choices, error_messages={"required": "请选择取消原因"}
    )
    Reason = serializers.CharField(
        max_length=200,
        required=False,
        allow_blank=True,
        default="",
        error_messages={"max_length": "最多 200 个字"},
    )

    @classmethod
    def build_form(cls, body: dict[str, Any]) -> CancelForm:
        """Return the form for the service."""
        return CancelForm(
            body["OrderNo"], body["ReasonKind"], body["Reason"].strip(), cls.read_pieces(body)
        )


class CancelQuerySerializer(PeriodFields, QuerySerializer):
    Keyword = serializers.CharField(max_length=60, required=False, allow_blank=True, default="")
    Status = serializers.ChoiceField(
        choices=CancelStatus.choices, required=False, allow_blank=True, default=""
    )
    OrderNo = serializers.CharField(max_length=24, required=False, allow_blank=True, default="")

    @staticmethod
    def build_filter(query: dict[str, Any]) -> CancelFilter:
        """Return the filter for the selector."""
        return CancelFilter(
            query["Keyword"].strip(), query["Status"], query["From"], query["To"], query["OrderNo"]
        )


class _OrderLineFields(serializers.Serializer[Any]):
    """Shared product fields of order lines."""

    def describe_line(self, line: OrderLine) -> dict[str, Any]:
        return {
            "Id": str(line.pk),
            "ProductCode": line.product_code,
            "Name": line.customer_name or line.name,
            "Brand": line.brand,
            "Unit": line.unit,
            "ImageUrl": build_media_url(line.image),
            "UnitPrice": str(line.unit_price_incl_tax),
        }


class CancelLineSerializer(_OrderLineFields):
    Id = serializers.CharField(help_text="订单行")
    ProductCode = serializers.CharField()
    Name = serializers.CharField()
    Brand = serializers.CharField()
    Unit = serializers.CharField()
    ImageUrl = serializers.CharField()
    UnitPrice = MoneyField()
    Quantity = serializers.IntegerField()
    Amount = MoneyField()

    def to_representation(self, row: CancelOrderLine) -> dict[str, Any]:
        return {
            **self.describe_line(row.order_line),
            "Quantity": row.quantity,
            "Amount": str(row.amount_incl_tax),
        }


class CancellableLineSerializer(_OrderLineFields):
    Id = serializers.CharField()
    ProductCode = serializers.CharField()
    Name = serializers.CharField()
    Brand = serializers.CharField()
    Unit = serializers.CharField()
    ImageUrl = serializers.CharField()
    UnitPrice = MoneyField()
    Quantity = serializers.IntegerField(help_text="仍有效的数量")
    ShippedQuantity = serializers.IntegerField()
    Cancellable = serializers.IntegerField(help_text="还可取消的数量")

    def to_representation(self, line: OrderLine) -> dict[str, Any]:
        counts = {
            "Quantity": line.quantity,
            "ShippedQuantity": line.shipped_quantity,
            "Cancellable": line.unshipped,
        }
        return {**self.describe_line(line), **counts}


class CancelAmountsSerializer(serializers.Serializer[Any]):
    Goods = MoneyField()
    Freight = MoneyField()
    Tax = MoneyField()
    Total = MoneyField()


class CancelPreviewSerializer(serializers.Serializer[Any]):
    OrderNo = serializers.CharField(source="order.order_no")
    Status = serializers.CharField(source="order.status")
    StatusText = serializers.CharField(source="order.get_status_display")
    PaymentKindText = serializers.CharField(source="order.get_payment_kind_display")
    IsWhole = serializers.BooleanField(source="reduced.is_whole")
    DecideBy = serializers.DateTimeField(
        source="decide_by",
        allow_null=True,
        help_text="需要客服处理时，最晚的处理时间；空为立即取消",
    )
    Lines = CancellableLineSerializer(source="lines", many=True)
    Before = serializers.SerializerMethodField()
    After = serializers.SerializerMethodField()
    Reduction = serializers.SerializerMethodField()
    Refund = MoneyField(source="refund", help_text="退回的款项")
    BudgetName = serializers.CharField(
        source="order.budget_reservation.budget.name", default="", help_text="退回额度的预算"
    )

    @extend_schema_field(CancelAmountsSerializer)
    def get_Before(self, preview: Any) -> dict[str, str]:
        """Return the order's current amounts."""
        order = preview.order
        return _serialize_amounts(
            order.goods_amount, order.freight_amount, order.tax_amount, order.total_amount
        )

    @extend_schema_field(CancelAmountsSerializer)
    def get_After(self, preview: Any) -> dict[str, str]:
        """Return the order's amounts after the cancellation."""
        reduced = preview.reduced
        return _serialize_amounts(reduced.goods, reduced.freight, reduced.tax, reduced.total)

    @extend_schema_field(MoneyField)
    def get_Reduction(self, preview: Any) -> str:
        """Return the reduction of the order's total."""
        return str(preview.order.total_amount - preview.reduced.total)


def _serialize_amounts(goods: Any, freight: Any, tax: Any, total: Any) -> dict[str, str]:
    return {"Goods": str(goods), "Freight": str(freight), "Tax": str(tax), "Total": str(total)}


class CancelOrderRowSerializer(serializers.Serializer[CancelOrder]):
    """A row of the list. `context["actor"]` is the reader."""

    Id = serializers.CharField(source="pk")
    CancelNo = serializers.CharField(source="cancel_no")
    OrderNo = serializers.CharField(source="order.order_no")
    Status = serializers.ChoiceField(source="status", choices=CancelStatus.choices)
    StatusText = serializers.CharField(source="get_status_display")
    IsWhole = serializers.BooleanField(source="is_whole")
    ReasonKind = serializers.ChoiceField(source="reason_kind", choices=CancelReason.choices)
    ReasonText = serializers.CharField(source="get_reason_kind_display")
    Reason = serializers.CharField(source="reason")
    Goods = MoneyField(source="goods_amount")
    Reduction = serializers.SerializerMethodField()
    Refund = MoneyField(source="refund_amount")
    CreatedAt = serializers.DateTimeField(source="submitted_at")
    DecideBy = serializers.DateTimeField(source="decide_by", allow_null=True)
    DecidedAt = serializers.DateTimeField(source="decided_at", allow_null=True)
    DecisionNote = serializers.CharField(source="decision_note")
    Requester = serializers.SerializerMethodField()
    Lines = CancelLineSerializer(source="lines.all", many=True)
    AllowedActions = serializers.SerializerMethodField()

    @extend_schema_field(MoneyField)
    def get_Reduction(self, cancel: CancelOrder) -> str:
        """Return the reduction of the order's total."""
        return str(cancel.total_before - cancel.total_after)

    @extend_schema_field(PersonSerializer)
    def get_Requester(self, cancel: CancelOrder) -> dict[str, str]:
        """Return the requester's name; 系统 or 平台客服 if it was not the customer."""
        if cancel.requester is not None:
            return dict(PersonSerializer(cancel.requester).data)
        return {"Id": "", "Name": "平台客服" if cancel.decided_by_id else "系统"}

    def get_AllowedActions(self, cancel: CancelOrder) -> list[str]:
        """Return the codes of the actions that the actor may take now."""
        return get_cancel_actions(actor=self.context["actor"], cancel=cancel)


class CancelEventSerializer(TimelineRowSerializer):
    kinds = dict(CancelEventKind.choices)
    states = dict(CancelStatus.choices)


class CancelOrderDetailSerializer(CancelOrderRowSerializer):
    """One cancellation with its timeline in `context["detail"]`."""

    OrderStatusText = serializers.CharField(source="order.get_status_display")
    PaymentKindText = serializers.CharField(source="order.get_payment_kind_display")
    FreightBefore = MoneyField(source="freight_before")
    FreightAfter = MoneyField(source="freight_after")
    TotalBefore = MoneyField(source="total_before")
    TotalAfter = MoneyField(source="total_after")
    Timeline = serializers.SerializerMethodField()

    @extend_schema_field(CancelEventSerializer(many=True))
    def get_Timeline(self, cancel: CancelOrder) -> Any:
        """Return the events, oldest first."""
        return CancelEventSerializer(self.context["detail"].timeline, many=True).data


DETAIL = CancelOrderDetailSerializer


@describe_document_schemas(page="CancelPage", detail=DETAIL)
class CancelOrderViewSet(DocumentViewSet):
    """取消订单 in the actor's data scope."""

    access = Access.menu(MenuCode.ORDER_CANCEL)
    serializer_class = row_serializer = CancelOrderRowSerializer
    query_serializer = CancelQuerySerializer
    tab_names = {"": "全部", **dict(CancelStatus.choices)}
    lookup_url_kwarg = "cancel_order_id"
    lookup_value_regex = DIGITS
    list_documents = staticmethod(list_cancels)
    count_tabs = staticmethod(count_cancels_by_status)

    def build_detail_body(self, *, actor: Account, key: str) -> Any:
        detail = get_cancel(actor=actor, cancel_id=int(key))
        return DETAIL(detail.cancel, context={"actor": actor, "detail": detail}).data

    @extend_schema(request=CancelBodySerializer, responses=DETAIL)
    @idempotent
    def create(self, request: AuthedRequest) -> Response:
        form = CancelBodySerializer.build_form(CancelBodySerializer.parse(request))
        cancel = cancel_apply(actor=request.user, form=form)
        is_done = cancel.status == CancelStatus.DONE
        message = "取消成功" if is_done else "取消申请已提交，请等待客服处理"
        return self.answer_detail(request, str(cancel.pk), message=message)

    @extend_schema(request=CancelPreviewBodySerializer, responses=CancelPreviewSerializer)
    @action(detail=False, methods=["post"], url_path="Preview")
    def preview(self, request: AuthedRequest) -> Response:
        body = CancelPreviewBodySerializer.parse(request)
        pieces = CancelPreviewBodySerializer.read_pieces(body)
        return Response(
            CancelPreviewSerializer(
                get_cancel_preview(actor=request.user, order_no=body["OrderNo"], pieces=pieces)
            ).data
        )

    @route_document_verb("Withdraw", detail=DETAIL)
    def withdraw(self, request: AuthedRequest, key: str) -> str:
        cancel_withdraw(actor=request.user, cancel_id=int(key))
        return "已撤销取消申请"
