"""/api/ReturnOrder."""

from __future__ import annotations

from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.decorators import action
from rest_framework.response import Response

from apps.aftersales.api import return_serializers as b
from apps.aftersales.api import return_serializers as s
from apps.aftersales.enums import ReturnStatus
from apps.aftersales.selectors.return_terms import get_order_terms, list_returnable_orders
from apps.aftersales.selectors.returns import count_returns_by_status, get_return, list_returns
from apps.aftersales.services.return_apply import return_apply
from apps.aftersales.services.return_close import return_confirm, return_withdraw
from apps.aftersales.services.return_message import return_message, return_read
from apps.aftersales.services.return_parcels import return_ship
from apps.common.api.access import Access
from apps.common.api.idempotency import idempotent
from apps.common.api.pagination import page_schema
from apps.common.api.views import AuthedRequest
from apps.common.document_kit.views import DocumentViewSet, document_schemas, document_verb
from apps.org.menus import MenuCode
from apps.org.models import Account

DETAIL = s.ReturnDetailSerializer
PAGING = [OpenApiParameter("PageIndex", int), OpenApiParameter("PageSize", int)]
OrderToReturnPage = page_schema("OrderToReturnPage", s.OrderToReturnSerializer)


@document_schemas(page="ReturnPage", detail=DETAIL)
class ReturnOrderViewSet(DocumentViewSet):
    """退换货 in the actor's data scope."""

    access = Access.menu(MenuCode.ORDER_RETURN)
    serializer_class = row_serializer = s.ReturnRowSerializer
    query_serializer = b.ReturnQuerySerializer
    tab_names = {"": "全部", **dict(ReturnStatus.choices)}
    lookup_url_kwarg = "return_order_id"
    list_documents = staticmethod(list_returns)
    count_tabs = staticmethod(count_returns_by_status)

    def detail_body(self, *, actor: Account, key: str) -> Any:
        detail = get_return(actor=actor, return_no=key)
        pictures = list(detail.return_order.pictures.all())
        context = {"actor": actor, "detail": detail, "pictures": pictures}
        return DETAIL(detail.return_order, context=context).data

    @extend_schema(parameters=[b.ReturnTermsQuerySerializer], responses=s.ReturnTermsSerializer)
    @action(detail=False, methods=["get"], url_path="Terms")
    def terms(self, request: AuthedRequest) -> Response:
        order_no = b.ReturnTermsQuerySerializer.parse(request)["OrderNo"]
        return Response(
            s.ReturnTermsSerializer(get_order_terms(actor=request.user, order_no=order_no)).data
        )

    @extend_schema(
        parameters=[b.OrdersToReturnQuerySerializer, *PAGING], responses=OrderToReturnPage
    )
    @action(detail=False, methods=["get"], url_path="Orders")
    def orders(self, request: AuthedRequest) -> Response:
        keyword = b.OrdersToReturnQuerySerializer.parse(request)["Keyword"].strip()
        rows: Any = self.paginate_queryset(
            list_returnable_orders(actor=request.user, keyword=keyword)
        )
        return self.get_paginated_response(s.OrderToReturnSerializer(rows, many=True).data)

    @extend_schema(request=b.ReturnBodySerializer, responses=DETAIL)
    @idempotent
    def create(self, request: AuthedRequest) -> Response:
        form = b.ReturnBodySerializer.form(b.ReturnBodySerializer.parse(request))
        return_order = return_apply(actor=request.user, form=form)
        return self.answer_detail(request, return_order.return_no, message="售后申请已提交")

    @document_verb("Withdraw", body=b.ReturnWithdrawSerializer, detail=DETAIL)
    def withdraw(self, request: AuthedRequest, return_no: str, body: dict[str, Any]) -> None:
        return_withdraw(actor=request.user, return_no=return_no, reason=body["Reason"])

    @document_verb("Ship", body=b.ReturnShipSerializer, detail=DETAIL)
    def ship(self, request: AuthedRequest, return_no: str, body: dict[str, Any]) -> None:
        return_ship(
            actor=request.user,
            return_no=return_no,
            carrier=body["Carrier"],
            tracking_no=body["TrackingNo"],
        )

    @document_verb("Confirm", detail=DETAIL)
    def confirm(self, request: AuthedRequest, return_no: str) -> None:
        return_confirm(actor=request.user, return_no=return_no)

    @document_verb("Message", body=b.ReturnMessageBodySerializer, detail=DETAIL)
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
