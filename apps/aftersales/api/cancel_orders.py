"""/api/CancelOrder."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.decorators import action
from rest_framework.response import Response

from apps.aftersales.api import cancel_bodies as bodies
from apps.aftersales.api import cancel_rows as rows
from apps.aftersales.cancel_enums import CancelStatus
from apps.aftersales.selectors.cancel_orders import cancel_detail, cancel_tabs, cancels_listed
from apps.aftersales.selectors.cancel_preview import cancel_preview
from apps.aftersales.services.cancel_apply import cancel_apply
from apps.aftersales.services.cancel_decide import cancel_withdraw
from apps.common.api.access import Access
from apps.common.api.idempotency import idempotent
from apps.common.api.pages import tabbed_schema, tabs_of
from apps.common.api.renderers import Ok
from apps.common.api.views import AuthedRequest, MallViewSet
from apps.org.menus import MenuCode

TAB_NAMES: dict[str, str] = {"": "全部", **dict(CancelStatus.choices)}
CancelPage = tabbed_schema("CancelPage", rows.CancelOrderRowSerializer)


class CancelOrderViewSet(MallViewSet):
    """取消订单 of the actor's data scope."""

    access = Access.menu(MenuCode.ORDER_CANCEL)
    serializer_class = rows.CancelOrderRowSerializer
    lookup_url_kwarg = "cancel_order_id"
    lookup_value_regex = r"\d{1,18}"

    @extend_schema(parameters=[bodies.CancelQuerySerializer], responses=CancelPage)
    def list(self, request: AuthedRequest) -> Response:
        wanted = bodies.CancelQuerySerializer.filter(bodies.CancelQuerySerializer.parse(request))
        tabs = cancel_tabs(actor=request.user, wanted=wanted)
        found: Any = self.paginate_queryset(cancels_listed(actor=request.user, wanted=wanted))
        page = self.get_paginated_response(rows.CancelOrderRowSerializer(found, many=True, context={"actor": request.user}).data)
        page.data["Tabs"] = tabs_of(tabs, TAB_NAMES)
        return page

    @extend_schema(responses=rows.CancelOrderDetailSerializer)
    def retrieve(self, request: AuthedRequest, cancel_order_id: str) -> Response:
        return self._detail(request, int(cancel_order_id))

    @extend_schema(request=bodies.CancelBodySerializer, responses=rows.CancelOrderDetailSerializer)
    @idempotent
    def create(self, request: AuthedRequest) -> Response:
        form = bodies.CancelBodySerializer.form(bodies.CancelBodySerializer.parse(request))
        cancel = cancel_apply(actor=request.user, form=form)
        is_done = cancel.status == CancelStatus.DONE
        return self._detail(request, cancel.pk, message="取消成功" if is_done else "取消申请已提交，请等待客服处理")

    @extend_schema(request=bodies.CancelPreviewBodySerializer, responses=rows.CancelPreviewSerializer)
    @action(detail=False, methods=["post"], url_path="Preview")
    def preview(self, request: AuthedRequest) -> Response:
        body = bodies.CancelPreviewBodySerializer.parse(request)
        pieces = bodies.CancelPreviewBodySerializer.pieces(body)
        return Response(rows.CancelPreviewSerializer(cancel_preview(actor=request.user, order_no=body["OrderNo"], pieces=pieces)).data)

    @extend_schema(request=None, responses=rows.CancelOrderDetailSerializer)
    @action(detail=True, methods=["post"], url_path="Withdraw")
    @idempotent
    def withdraw(self, request: AuthedRequest, cancel_order_id: str) -> Response:
        cancel = cancel_withdraw(actor=request.user, cancel_id=int(cancel_order_id))
        return self._detail(request, cancel.pk, message="已撤销取消申请")

    @staticmethod
    def _detail(request: AuthedRequest, cancel_id: int, *, message: str = "") -> Response:
        detail = cancel_detail(actor=request.user, cancel_id=cancel_id)
        body = rows.CancelOrderDetailSerializer(detail.cancel, context={"actor": request.user, "detail": detail}).data
        return Ok(body, message=message) if message else Response(body)
