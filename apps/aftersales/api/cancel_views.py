"""/api/CancelOrder."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.decorators import action
from rest_framework.response import Response

from apps.aftersales.api import cancel_serializers as bodies
from apps.aftersales.api import cancel_serializers as rows
from apps.aftersales.enums import CancelStatus
from apps.aftersales.selectors.cancels import (
    count_cancels_by_status,
    get_cancel,
    get_cancel_preview,
    list_cancels,
)
from apps.aftersales.services.cancel_apply import cancel_apply
from apps.aftersales.services.cancel_decide import cancel_withdraw
from apps.common.api.access import Access
from apps.common.api.idempotency import idempotent
from apps.common.api.views import DIGITS, AuthedRequest
from apps.common.document_kit.views import DocumentViewSet, document_schemas, document_verb
from apps.org.menus import MenuCode
from apps.org.models import Account

DETAIL = rows.CancelOrderDetailSerializer


@document_schemas(page="CancelPage", detail=DETAIL)
class CancelOrderViewSet(DocumentViewSet):
    """取消订单 in the actor's data scope."""

    access = Access.menu(MenuCode.ORDER_CANCEL)
    serializer_class = row_serializer = rows.CancelOrderRowSerializer
    query_serializer = bodies.CancelQuerySerializer
    tab_names = {"": "全部", **dict(CancelStatus.choices)}
    lookup_url_kwarg = "cancel_order_id"
    lookup_value_regex = DIGITS
    list_documents = staticmethod(list_cancels)
    count_tabs = staticmethod(count_cancels_by_status)

    def detail_body(self, *, actor: Account, key: str) -> Any:
        detail = get_cancel(actor=actor, cancel_id=int(key))
        return DETAIL(detail.cancel, context={"actor": actor, "detail": detail}).data

    @extend_schema(request=bodies.CancelBodySerializer, responses=DETAIL)
    @idempotent
    def create(self, request: AuthedRequest) -> Response:
        form = bodies.CancelBodySerializer.form(bodies.CancelBodySerializer.parse(request))
        cancel = cancel_apply(actor=request.user, form=form)
        is_done = cancel.status == CancelStatus.DONE
        message = "取消成功" if is_done else "取消申请已提交，请等待客服处理"
        return self.answer_detail(request, str(cancel.pk), message=message)

    @extend_schema(
        request=bodies.CancelPreviewBodySerializer, responses=rows.CancelPreviewSerializer
    )
    @action(detail=False, methods=["post"], url_path="Preview")
    def preview(self, request: AuthedRequest) -> Response:
        body = bodies.CancelPreviewBodySerializer.parse(request)
        pieces = bodies.CancelPreviewBodySerializer.pieces(body)
        return Response(
            rows.CancelPreviewSerializer(
                get_cancel_preview(actor=request.user, order_no=body["OrderNo"], pieces=pieces)
            ).data
        )

    @document_verb("Withdraw", detail=DETAIL)
    def withdraw(self, request: AuthedRequest, key: str) -> str:
        cancel_withdraw(actor=request.user, cancel_id=int(key))
        return "已撤销取消申请"
