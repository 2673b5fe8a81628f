"""/api/QuickList: named lists (采购清单), shared with people and departments."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.decorators import action
from rest_framework.response import Response

from apps.cart.api import list_serializers as s
from apps.cart.api.list_sheet import QUICK_LIST_HEAD, iterate_quick_list_rows
from apps.cart.models import QuickList
from apps.cart.selectors.quick_lists import (
    get_quick_list,
    list_colleagues,
    list_members,
    list_quick_list_lines,
    list_visible_quick_lists,
    sum_amounts,
)
from apps.cart.services.quick_list_order import quick_list_to_cart
from apps.cart.services.quick_list_save import (
    quick_list_copy,
    quick_list_create,
    quick_list_delete,
    quick_list_update,
)
from apps.cart.services.quick_list_share import (
    quick_list_hand_over,
    quick_list_leave,
    quick_list_share,
    quick_list_take_over,
)
from apps.common.api.access import Access
from apps.common.api.idempotency import idempotent
from apps.common.api.renderers import Ok
from apps.common.api.views import DIGITS, AuthedRequest, MallViewSet
from apps.common.errors import Stale
from apps.common.files.kinds import XLSX_TYPE
from apps.documents.api import build_sheet_response
from apps.org.enums import PurchasingRight
from apps.org.selectors.purchasing import can_purchase


class QuickListViewSet(MallViewSet):
    """The caller's own lists and those that colleagues share with him or his department. The
    answers tell the caller's role and what he may do.
    """

    access = Access.login()
    serializer_class = s.QuickListRowSerializer
    lookup_value_regex = DIGITS

    def list(self, request: AuthedRequest) -> Response:
        page: Any = self.paginate_queryset(list_visible_quick_lists(actor=request.user))
        return self.get_paginated_response(
            s.QuickListRowSerializer(page, many=True, context={"account": request.user}).data
        )

    @extend_schema(responses=s.QuickListDetailSerializer)
    def retrieve(self, request: AuthedRequest, pk: str) -> Response:
        return Response(_serialize_detail(request, get_quick_list(actor=request.user, pk=int(pk))))

    @extend_schema(request=s.QuickListBodySerializer, responses=s.QuickListDetailSerializer)
    @idempotent
    def create(self, request: AuthedRequest) -> Response:
        body = s.QuickListBodySerializer.parse(request)
        quick_list = quick_list_create(
            actor=request.user, name=body["Name"], is_shared=body["Shared"], **body["Items"]
        )
        return Ok(_serialize_detail(request, quick_list), message="清单已保存")

    @extend_schema(request=s.QuickListChangeSerializer, responses=s.QuickListDetailSerializer)
    def partial_update(self, request: AuthedRequest, pk: str) -> Response:
        body = s.QuickListChangeSerializer.parse(request)
        try:
            quick_list = quick_list_update(
                actor=request.user,
                pk=int(pk),
                name=body.get("Name"),
                is_shared=body.get("Shared"),
                version_seen=body.get("Version"),
                **body.get("Items", {}),
            )
        except Stale as error:
            current_list = get_quick_list(actor=request.user, pk=int(pk))
            raise Stale(error.text, body=_serialize_detail(request, current_list)) from error
        return Ok(_serialize_detail(request, quick_list), message="清单已保存")

    @extend_schema(responses=OpenApiTypes.NONE)
    def destroy(self, request: AuthedRequest, pk: str) -> Response:
        quick_list_delete(actor=request.user, pk=int(pk))
        return Ok(None, message="清单已删除")

    @extend_schema(request=s.ListCartBodySerializer, responses=s.ListFilledSerializer)
    @action(detail=True, methods=["post"], url_path="AddToCart")
    @idempotent
    def add_to_cart(self, request: AuthedRequest, pk: str) -> Response:
        """Add the lines that can be bought. The answer names the others, and those that were added
        with another price or quantity.
        """
        codes = s.ListCartBodySerializer.parse(request).get("ProductCodes")
        fill = quick_list_to_cart(actor=request.user, pk=int(pk), codes=codes)
        return Ok(s.list_filled_body(fill), message="添加购物车成功" if fill.added else "")

    @extend_schema(request=s.QuickListNameSerializer, responses=s.QuickListDetailSerializer)
    @action(detail=True, methods=["post"], url_path="Copy")
    @idempotent
    def copy(self, request: AuthedRequest, pk: str) -> Response:
        name = s.QuickListNameSerializer.parse(request)["Name"]
        quick_list = quick_list_copy(actor=request.user, pk=int(pk), name=name)
        return Ok(_serialize_detail(request, quick_list), message="已另存为您的清单")

    @extend_schema(request=s.MembersBodySerializer, responses=s.QuickListDetailSerializer)
    @action(detail=True, methods=["put"], url_path="Members")
    def members(self, request: AuthedRequest, pk: str) -> Response:
        rights = s.MembersBodySerializer.parse(request)["Members"]
        quick_list = quick_list_share(actor=request.user, pk=int(pk), rights=rights)
        return Ok(_serialize_detail(request, quick_list), message="共享设置已保存")

    @extend_schema(request=None, responses=OpenApiTypes.NONE)
    @action(detail=True, methods=["post"], url_path="Leave")
    @idempotent
    def leave(self, request: AuthedRequest, pk: str) -> Response:
        quick_list_leave(actor=request.user, pk=int(pk))
        return Ok(None, message="已退出此清单的共享")

    @extend_schema(request=s.HandOverBodySerializer, responses=s.QuickListDetailSerializer)
    @action(detail=True, methods=["post"], url_path="HandOver")
    @idempotent
    def hand_over(self, request: AuthedRequest, pk: str) -> Response:
        account_id = s.HandOverBodySerializer.parse(request)["AccountId"]
        quick_list = quick_list_hand_over(actor=request.user, pk=int(pk), account_id=account_id)
        return Ok(_serialize_detail(request, quick_list), message="清单已移交")

    @extend_schema(request=None, responses=s.QuickListDetailSerializer)
    @action(detail=True, methods=["post"], url_path="TakeOver")
    @idempotent
    def take_over(self, request: AuthedRequest, pk: str) -> Response:
        quick_list = quick_list_take_over(actor=request.user, pk=int(pk))
        return Ok(_serialize_detail(request, quick_list), message="清单已接管")

    @extend_schema(responses={(200, XLSX_TYPE): OpenApiTypes.BINARY})
    @action(detail=True, methods=["get"], url_path="Export")
    def export(self, request: AuthedRequest, pk: str) -> HttpResponse:
        """Return the lines at the caller's prices as an Excel file."""
        quick_list = get_quick_list(actor=request.user, pk=int(pk))
        lines = list_quick_list_lines(actor=request.user, quick_list=quick_list)
        return build_sheet_response(
            f"采购清单-{quick_list.name}.xlsx",
            header=QUICK_LIST_HEAD,
            rows=iterate_quick_list_rows(lines),
            sheet="采购清单",
        )

    @extend_schema(
        parameters=[s.ListColleagueQuerySerializer],
        responses=s.ListColleagueSerializer(many=True),
        filters=False,
    )
    @action(detail=False, methods=["get"], url_path="Colleagues", pagination_class=None)
    def colleagues(self, request: AuthedRequest) -> Response:
        keyword = s.ListColleagueQuerySerializer.parse(request)["Keyword"].strip()
        return Response(
            s.ListColleagueSerializer.serialize_all(
                list_colleagues(actor=request.user, keyword=keyword)
            )
        )


def _serialize_detail(request: AuthedRequest, row: QuickList) -> dict[str, Any]:
    """Return the list as JSON, with prices and amount only for people who may see prices."""
    actor = request.user
    lines = list_quick_list_lines(actor=actor, quick_list=row)
    shows_prices = can_purchase(actor=actor, needed=PurchasingRight.BROWSE)
    context = {
        "account": actor,
        "lines": lines,
        "members": list_members(quick_list=row),
        "amount": sum_amounts(lines) if shows_prices else None,
    }
    return dict(s.QuickListDetailSerializer(row, context=context).data)
