"""/api/Order."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.decorators import action
from rest_framework.response import Response

from apps.common.api.access import Access
from apps.common.api.idempotency import idempotent, require_key
from apps.common.api.pagination import build_tabbed_schema, serialize_tabs
from apps.common.api.renderers import Ok
from apps.common.api.views import AuthedRequest, MallViewSet
from apps.orders.api.bodies import (
    CancelSerializer,
    CheckoutSerializer,
    OrderQuerySerializer,
    ReceiveSerializer,
    WithdrawSerializer,
)
from apps.orders.api.checkout import PreviewSerializer
from apps.orders.api.serializers import (
    OrderDepartmentSerializer,
    OrderDetailSerializer,
    OrderRowSerializer,
    PaySerializer,
    ReceivedSerializer,
    ReorderedSerializer,
    SubmittedOrderSerializer,
    SubmittedSerializer,
)
from apps.orders.api.trace import OrderTraceSerializer
from apps.orders.enums import OrderStatus
from apps.orders.selectors.checkout import get_checkout
from apps.orders.selectors.order_trace import get_order_trace
from apps.orders.selectors.orders import (
    TO_REVIEW,
    UNPAID,
    ListedOrders,
    count_order_tabs,
    find_orders,
    get_order_detail,
)
from apps.orders.services.cancellations import order_cancel, order_withdraw
from apps.orders.services.order_submit import orders_submit
from apps.orders.services.payments import payment_begin
from apps.orders.services.receipts import order_receive
from apps.orders.services.reorders import order_reorder
from apps.org.menus import MenuCode
from apps.org.selectors.departments import list_orderable_departments

TAB_NAMES: dict[str, str] = {
    "": "全部",
    UNPAID: "待支付",
    **dict(OrderStatus.choices),
    TO_REVIEW: "待评价",
}
OrderPage = build_tabbed_schema("OrderPage", OrderRowSerializer)


class OrderViewSet(MallViewSet):
    """Orders of the actor's data scope. A person with a cart may order; an approver may open
    the orders of their approvals.
    """

    access = Access.menu(MenuCode.ORDER_LIST)
    action_access = {
        "preview": Access.login(),
        "create": Access.login(),
        "departments": Access.login(),
        "pay": Access.login().in_person(),
        "retrieve": Access.menu(MenuCode.ORDER_LIST, MenuCode.ORDER_APPROVAL),
        "trace": Access.menu(MenuCode.ORDER_LIST, MenuCode.ORDER_APPROVAL),
    }
    serializer_class = OrderRowSerializer
    lookup_url_kwarg = "order_no"

    @extend_schema(parameters=[OrderQuerySerializer], responses=OrderPage)
    def list(self, request: AuthedRequest) -> Response:
        filters = OrderQuerySerializer.build_filter(OrderQuerySerializer.parse(request))
        page_of_orders = find_orders(actor=request.user, filters=filters)
        tabs = count_order_tabs(page_of_orders)
        rows: Any = self.paginate_queryset(
            ListedOrders(page_of_orders, filters.status, tabs[filters.status])
        )
        page = self.get_paginated_response(
            OrderRowSerializer(rows, many=True, context={"actor": request.user}).data
        )
        page.data["Tabs"] = serialize_tabs(tabs, TAB_NAMES)
        return page

    @extend_schema(responses=OrderDetailSerializer)
    def retrieve(self, request: AuthedRequest, order_no: str) -> Response:
        return self._detail(request, order_no)

    @extend_schema(responses=OrderTraceSerializer)
    @action(detail=True, methods=["get"], url_path="Trace")
    def trace(self, request: AuthedRequest, order_no: str) -> Response:
        return Response(
            OrderTraceSerializer(get_order_trace(actor=request.user, order_no=order_no)).data
        )

    @extend_schema(request=CheckoutSerializer, responses=SubmittedSerializer)
    @require_key
    @idempotent
    def create(self, request: AuthedRequest) -> Response:
        orders = orders_submit(
            actor=request.user,
            form=CheckoutSerializer.build_form(CheckoutSerializer.parse(request), request.user),
        )
        rows = SubmittedOrderSerializer.serialize_all(orders)
        message = "订单提交成功" if len(orders) == 1 else f"已提交 {len(orders)} 张订单"
        return Ok({**rows[0], "Orders": rows}, message=message)

    @extend_schema(responses=OrderDepartmentSerializer(many=True), filters=False)
    @action(detail=False, methods=["get"], url_path="Departments", pagination_class=None)
    def departments(self, request: AuthedRequest) -> Response:
        """Return the departments that the caller may order for."""
        return Response(
            OrderDepartmentSerializer.serialize_all(list_orderable_departments(actor=request.user))
        )

    @extend_schema(request=CheckoutSerializer, responses=PreviewSerializer)
    @action(detail=False, methods=["post"], url_path="Preview")
    def preview(self, request: AuthedRequest) -> Response:
        form = CheckoutSerializer.build_form(CheckoutSerializer.parse(request), request.user)
        return Response(PreviewSerializer(get_checkout(actor=request.user, form=form)).data)

    @extend_schema(request=CancelSerializer, responses=OrderDetailSerializer)
    @action(detail=True, methods=["post"], url_path="Cancel")
    @idempotent
    def cancel(self, request: AuthedRequest, order_no: str) -> Response:
        body = CancelSerializer.parse(request)
        order_cancel(actor=request.user, order_no=order_no, reason=body["Reason"])
        return self._detail(request, order_no)

    @extend_schema(request=WithdrawSerializer, responses=OrderDetailSerializer)
    @action(detail=True, methods=["post"], url_path="Withdraw")
    @idempotent
    def withdraw(self, request: AuthedRequest, order_no: str) -> Response:
        body = WithdrawSerializer.parse(request)
        order_withdraw(actor=request.user, order_no=order_no, reason=body["Reason"])
        return self._detail(request, order_no)

    @extend_schema(request=ReceiveSerializer, responses=ReceivedSerializer)
    @action(detail=True, methods=["post"], url_path="Receive")
    @idempotent
    def receive(self, request: AuthedRequest, order_no: str) -> Response:
        body = ReceiveSerializer.parse(request)
        quantities, claims = (
            ReceiveSerializer.read_quantities(body),
            ReceiveSerializer.build_claims(body),
        )
        received = order_receive(
            actor=request.user,
            order_no=order_no,
            shipment_no=body["ShipmentNo"],
            quantities=quantities,
            claims=claims,
        )
        detail = get_order_detail(actor=request.user, order_no=order_no)
        return Response(
            ReceivedSerializer(
                detail.order,
                context={"actor": request.user, "detail": detail, "opened": received.opened},
            ).data
        )

    @extend_schema(request=None, responses=ReorderedSerializer)
    @action(detail=True, methods=["post"], url_path="Reorder")
    @idempotent
    def reorder(self, request: AuthedRequest, order_no: str) -> Response:
        return Response(
            ReorderedSerializer(order_reorder(actor=request.user, order_no=order_no)).data
        )

    @extend_schema(request=None, responses=PaySerializer)
    @action(detail=True, methods=["post"], url_path="Pay")
    @idempotent
    def pay(self, request: AuthedRequest, order_no: str) -> Response:
        payment, path = payment_begin(actor=request.user, order_no=order_no)
        return Response(
            {"PaymentNo": payment.payment_no, "Amount": str(payment.amount), "PayUrl": path}
        )

    @staticmethod
    def _detail(request: AuthedRequest, order_no: str) -> Response:
        detail = get_order_detail(actor=request.user, order_no=order_no)
        return Response(
            OrderDetailSerializer(
                detail.order, context={"actor": request.user, "detail": detail}
            ).data
        )
