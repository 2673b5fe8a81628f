"""Endpoints that help to choose a product: comparison, documents, and the group's own name and
code.
"""

from __future__ import annotations

from django.http.response import HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from apps.common.api.access import Access
from apps.common.api.file_views import file_response
from apps.common.api.renderers import Ok
from apps.common.api.views import DIGITS, AuthedRequest, MallViewSet, account_of
from apps.org.menus import MenuCode
from apps.pricing.services.own_name import own_name_set
from apps.pricing.shared_serializers import CatalogueAnswer
from apps.search import shared_serializers as rows
from apps.search.api.serializers import CompareQuerySerializer, OwnNameBodySerializer
from apps.search.selectors.documents import document_get
from apps.search.selectors.product_compare import product_compare


class ProductChoiceViewSet(MallViewSet):
    """Comparison, documents and own names of products."""

    access = Access.public()
    action_access = {"own_name": Access.menu(MenuCode.MANAGEMENT_GROUP)}
    serializer_class = rows.ProductRowSerializer
    lookup_field = "product_code"
    lookup_value_regex = DIGITS

    @extend_schema(
        parameters=[CompareQuerySerializer], responses=rows.ComparedProductSerializer(many=True)
    )
    @action(detail=False, methods=["get"], url_path="Compare", pagination_class=None)
    def compare(self, request: Request) -> Response:
        codes = CompareQuerySerializer.parse(request)["Code"]
        found = product_compare(actor=account_of(request), codes=codes)
        return CatalogueAnswer(
            rows.ComparedProductSerializer.answers(found.offers), context=found.context
        )

    @extend_schema(
        parameters=[OpenApiParameter("document_id", int, OpenApiParameter.PATH)],
        responses={(200, "application/octet-stream"): OpenApiTypes.BINARY},
    )
    @action(detail=True, methods=["get"], url_path=rf"Document/(?P<document_id>{DIGITS})")
    def document(self, request: Request, product_code: str, document_id: str) -> HttpResponseBase:
        """Return the file if the actor can see the product."""
        return file_response(
            document_get(actor=account_of(request), product_code=product_code, pk=int(document_id))
        )

    @extend_schema(request=OwnNameBodySerializer, responses=rows.ProductRowSerializer)
    @action(detail=True, methods=["patch"], url_path="OwnName")
    def own_name(self, request: AuthedRequest, product_code: str) -> Response:
        body = OwnNameBodySerializer.parse(request)
        offer = own_name_set(
            actor=request.user,
            product_code=product_code,
            name=body.get("CustomerProductName"),
            code=body.get("CustomerCode"),
        )
        is_cleared = len(body) == 2 and not any(body.values())
        message = "已恢复为协议中的品名与物料号" if is_cleared else "自有品名与物料号已更新"
        return Ok(rows.ProductRowSerializer.answer(offer), message=message)
