"""/api/ReturnOrder."""

from __future__ import annotations

from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.decorators import action
from rest_framework.response import Response

from apps.aftersales.api import return_bodies as b
from apps.aftersales.api import return_rows as s
from apps.aftersales.enums import ReturnStatus
from apps.aftersales.selectors.orders_to_return import orders_to_return
from apps.aftersales.selectors.returns import return_detail, return_tabs, returns_listed
from apps.aftersales.selectors.terms_shown import terms_shown
from apps.aftersales.services.return_apply import return_apply
from apps.aftersales.services.return_confirm import return_confirm
from apps.aftersales.services.return_message import return_message, return_read
from apps.aftersales.services.return_ship import return_ship
from apps.aftersales.services.return_withdraw import return_withdraw
from apps.common.api.access import Access
from apps.common.api.idempotency import idempotent
from apps.common.api.pages import page_schema, tabbed_schema, tabs_of
from apps.common.api.renderers import Ok
from apps.common.api.views import AuthedRequest, MallViewSet
from apps.org.menus import MenuCode

TAB_NAMES: dict[str, str] = {"": "全部", **dict(ReturnStatus.choices)}
PAGING = [OpenApiParameter("PageIndex", int), OpenApiParameter("PageSize", int)]
ReturnPage = tabbed_schema("ReturnPage", s.ReturnRowSerializer)

OrderToReturnPage = page_schema("OrderToReturnPage", s.OrderToReturnSerializer)


class ReturnOrderViewSet(MallViewSet):
    """退换货 of the actor's data scope."""

    access = Access.menu(MenuCode.ORDER_RETURN)
    serializer_class = s.ReturnRowSerializer
    lookup_url_kwarg = "return_order_id"

    @extend_schema(parameters=[b.ReturnQuerySerializer], responses=ReturnPage)
    def list(self, request: AuthedRequest) -> Response:
        wanted = b.ReturnQuerySerializer.filter(b.ReturnQuerySerializer.parse(request))
        tabs = return_tabs(actor=request.user, wanted=wanted)
        rows: Any = self.paginate_queryset(returns_listed(actor=request.user, wanted=wanted))
        page = self.get_paginated_response(s.ReturnRowSerializer(rows, many=True, context={"actor": request.user}).data)
        page.data["Tabs"] = tabs_of(tabs, TAB_NAMES)
        return page

    @extend_schema(parameters=[b.ReturnTermsQuerySerializer], responses=s.ReturnTermsSerializer)
    @action(detail=False, methods=["get"], url_path="Terms")
    def terms(self, request: AuthedRequest) -> Response:
        order_no = b.ReturnTermsQuerySerializer.parse(request)["OrderNo"]
        return Response(s.ReturnTermsSerializer(terms_shown(actor=request.user, order_no=order_no)).data)

    @extend_schema(parameters=[b.OrdersToReturnQuerySerializer, *PAGING], responses=OrderToReturnPage)
    @action(detail=False, methods=["get"], url_path="Orders")
    def orders(self, request: AuthedRequest) -> Response:
        keyword = b.OrdersToReturnQuerySerializer.parse(request)["Keyword"].strip()
        rows: Any = self.paginate_queryset(orders_to_return(actor=request.user, keyword=keyword))
        return self.get_paginated_response(s.OrderToReturnSerializer(rows, many=True).data)

    @extend_schema(responses=s.ReturnDetailSerializer)
    def retrieve(self, request: AuthedRequest, return_order_id: str) -> Response:
        return self._detail(request, return_order_id)

    @extend_schema(request=b.ReturnBodySerializer, responses=s.ReturnDetailSerializer)
    @idempotent
    def create(self, request: AuthedRequest) -> Response:
        form = b.ReturnBodySerializer.form(b.ReturnBodySerializer.parse(request))
        return_order = return_apply(actor=request.user, form=form)
        return self._detail(request, return_order.return_no, message="售后申请已提交")

    @extend_schema(request=b.ReturnWithdrawSerializer, responses=s.ReturnDetailSerializer)
    @action(detail=True, methods=["post"], url_path="Withdraw")
    @idempotent
    def withdraw(self, request: AuthedRequest, return_order_id: str) -> Response:
        body = b.ReturnWithdrawSerializer.parse(request)
        return_withdraw(actor=request.user, return_no=return_order_id, reason=body["Reason"])
        return self._detail(request, return_order_id)

    @extend_schema(request=b.ReturnShipSerializer, responses=s.ReturnDetailSerializer)
    @action(detail=True, methods=["post"], url_path="Ship")
    @idempotent
    def ship(self, request: AuthedRequest, return_order_id: str) -> Response:
        body = b.ReturnShipSerializer.parse(request)
        return_ship(actor=request.user, return_no=return_order_id, carrier=body["Carrier"], tracking_no=body["TrackingNo"])
        return self._detail(request, return_order_id)

    @extend_schema(request=None, responses=s.ReturnDetailSerializer)
    @action(detail=True, methods=["post"], url_path="Confirm")
    @idempotent
    def confirm(self, request: AuthedRequest, return_order_id: str) -> Response:
        return_confirm(actor=request.user, return_no=return_order_id)
        return self._detail(request, return_order_id)

    @extend_schema(request=b.ReturnMessageBodySerializer, responses=s.ReturnDetailSerializer)
    @action(detail=True, methods=["post"], url_path="Message")
    @idempotent
    def message(self, request: AuthedRequest, return_order_id: str) -> Response:
        body = b.ReturnMessageBodySerializer.parse(request)
        return_message(actor=request.user, return_no=return_order_id, text=body["Text"], file_ids=body["FileIds"])
        return self._detail(request, return_order_id)

    @extend_schema(request=None, responses=OpenApiTypes.BOOL)
    @action(detail=True, methods=["post"], url_path="Read")
    def read(self, request: AuthedRequest, return_order_id: str) -> Response:
        return_read(actor=request.user, return_no=return_order_id)
        return Response(True)

    @staticmethod
    def _detail(request: AuthedRequest, return_no: str, *, message: str = "") -> Response:
        detail = return_detail(actor=request.user, return_no=return_no)
        context = {"actor": request.user, "detail": detail, "pictures": list(detail.return_order.pictures.all())}
        body = s.ReturnDetailSerializer(detail.return_order, context=context).data
        return Ok(body, message=message) if message else Response(body)
