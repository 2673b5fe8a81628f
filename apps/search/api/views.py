"""/api/Product, /api/Category, /api/Search: the customer's catalogue. Visitors see the public
catalogue at market prices.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from django.http.response import HttpResponseBase
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from apps.common.api.access import Access
from apps.common.api.files import file_response
from apps.common.api.pagination import parse_page
from apps.common.api.renderers import Ok
from apps.common.api.views import DIGITS, AuthedRequest, MallViewSet, find_account
from apps.org.menus import MenuCode
from apps.pricing.services.own_name import own_name_set
from apps.pricing.shared_serializers import CatalogueAnswer
from apps.search import shared_serializers as rows
from apps.search.api import serializers as s
from apps.search.api.image_search import get_image_result_of_request, serialize_image_head
from apps.search.api.serializers import CompareQuerySerializer, OwnNameBodySerializer
from apps.search.query import CatalogQuery
from apps.search.selectors.categories import get_category_tree
from apps.search.selectors.product_detail import (
    get_document,
    get_families,
    get_product_comparison,
    get_product_detail,
)
from apps.search.selectors.product_list import ProductList, product_list
from apps.search.selectors.suggestions import (
    get_all_suggestions,
    list_hot_words,
    list_product_suggestions,
)
from apps.search.services.search_log import search_history_forget, search_log_record

HOT_PERIOD = timedelta(days=90)
PAGE_PARAMETERS = [OpenApiParameter("PageIndex", int), OpenApiParameter("PageSize", int)]


def _is_on(flag: str) -> bool:
    return flag in ("1", "true")


class ProductViewSet(MallViewSet):
    """Product list, product detail, suggestions and hot keywords."""

    access = Access.public()
    action_access = {"hot": Access.login()}
    serializer_class = rows.ProductRowSerializer
    lookup_field = "product_code"
    lookup_value_regex = DIGITS

    @extend_schema(
        parameters=[s.ProductQuerySerializer, *PAGE_PARAMETERS], responses=s.ProductPageSerializer
    )
    def list(self, request: Request) -> Response:
        parameters = s.ProductQuerySerializer.parse(request)
        query = build_catalog_query(parameters, *parse_page(request))
        actor = find_account(request)
        if (image := get_image_result_of_request(request, parameters["ImageKey"])) is not None:
            query = replace(query, image_product_ids=image.product_ids)
        products = product_list(
            actor=actor,
            query=query,
            category_id=int(parameters["Cid"]) if parameters["Cid"] else None,
        )
        if actor is not None and query.keyword and query.page_index == 1:
            search_log_record(
                actor=actor,
                keyword=query.keyword,
                results=products.page.total or len(products.page.ids),
            )
        body = build_page_body(products)
        if image is not None:
            body["ImageSearch"] = serialize_image_head(image)
        if _is_on(parameters["Variants"]):
            families = get_families(
                context=products.context,
                products=[offer.product for offer in products.offers],
                matching=products.page.matching,
            )
            for row, offer in zip(body["Items"], products.offers, strict=True):
                row.update(rows.serialize_family(families.get(offer.product.pk)))
        return CatalogueAnswer(body, context=products.context)

    @extend_schema(responses=rows.ProductDetailSerializer)
    def retrieve(self, request: Request, product_code: str) -> Response:
        detail = get_product_detail(actor=find_account(request), code=product_code)
        return CatalogueAnswer(rows.ProductDetailSerializer.answer(detail), context=detail.context)

    @extend_schema(
        request=s.SearchBodySerializer, responses=s.ProductSuggestionSerializer(many=True)
    )
    @action(detail=False, methods=["post"], url_path="Search")
    def search(self, request: Request) -> Response:
        body = s.SearchBodySerializer.parse(request)
        suggestions = list_product_suggestions(actor=find_account(request), typed=body["Key"])
        return CatalogueAnswer(
            s.ProductSuggestionSerializer.serialize_all(suggestions.products),
            context=suggestions.context,
        )

    @extend_schema(request=s.HotWordBodySerializer, responses=s.HotWordSerializer(many=True))
    @action(detail=False, methods=["post"], url_path="SupposeCategory")
    def hot(self, request: AuthedRequest) -> Response:
        body = s.HotWordBodySerializer.parse(request)
        end = _parse_milliseconds(body["EndTime"]) if "EndTime" in body else timezone.now()
        begin = _parse_milliseconds(body["BeginTime"]) if "BeginTime" in body else end - HOT_PERIOD
        words = list_hot_words(actor=request.user, begin=begin, end=end, top=body["TopN"])
        return Response(s.HotWordSerializer(words, many=True).data)


def build_catalog_query(parameters: dict[str, Any], index: int, size: int) -> CatalogQuery:
    """Return the query for a page of the catalogue from validated query parameters."""
    return CatalogQuery(
        keyword=parameters["Keyword"].strip(),
        brands=tuple(parameters["Brand"]),
        base_unit=parameters["BaseUnit"],
        min_base_unit_price=parameters.get("MinBaseUnitPrice"),
        max_base_unit_price=parameters.get("MaxBaseUnitPrice"),
        min_price=parameters.get("MinPrice"),
        max_price=parameters.get("MaxPrice"),
        in_stock=_is_on(parameters["InStock"]),
        agreed_only=_is_on(parameters["Agreed"]),
        attributes=tuple(parameters["Attr"]),
        sort=parameters["Sort"],
        page_index=index,
        page_size=size,
        with_total=_is_on(parameters["Total"]),
        with_facets=_is_on(parameters["Facets"]),
        by_family=parameters["Group"] == "family",
    )


def build_page_body(result: ProductList) -> dict[str, Any]:
    """Return the serialized page. Understood, Phrase, Relaxed and NoResult are present only if they
    have content.
    """
    body: dict[str, Any] = {
        "Items": rows.ProductRowSerializer.serialize_all(result.offers),
        "PageIndex": result.query.page_index,
        "PageSize": result.query.page_size,
        "Breadcrumbs": rows.CategoryLinkSerializer.serialize_all(result.path),
    }
    if result.page.total is not None:
        body |= {"Total": result.page.total, "TotalIsCapped": result.page.total_is_capped}
    if result.page.facets is not None:
        body["Facets"] = s.FacetsSerializer.answer(result.page.facets)
    if result.understood:
        body["Understood"] = result.understood
    if result.phrase.parts:
        body["Phrase"] = s.PhrasePartSerializer.serialize_all(result.phrase.parts)
    if result.references:
        body["CrossReferences"] = s.CrossReferenceSerializer.serialize_all(result.references)
    if result.relaxed:
        body["Relaxed"] = list(result.relaxed)
    if result.no_result is not None:
        body["NoResult"] = s.NoResultSerializer.answer(result.no_result)
    return body


def _parse_milliseconds(milliseconds: int) -> datetime:
    return datetime.fromtimestamp(milliseconds / 1000, tz=UTC)


class CategoryViewSet(MallViewSet):
    """The category menu with product counts."""

    access = Access.public()
    action_access = {"own": Access.login()}
    serializer_class = s.CategoryTreeSerializer

    @extend_schema(request=OpenApiTypes.NONE, responses=s.CategoryTreeSerializer(many=True))
    @action(detail=False, methods=["post"], url_path="GetCustomerCategories")
    def own(self, request: AuthedRequest) -> Response:
        tree = get_category_tree(actor=request.user)
        return CatalogueAnswer(
            s.CategoryTreeSerializer.serialize_all(tree.roots), context=tree.context
        )

    @extend_schema(request=OpenApiTypes.NONE, responses=s.CategoryTreeSerializer(many=True))
    @action(detail=False, methods=["post"], url_path="MallCategories")
    def public(self, _request: Request) -> Response:
        tree = get_category_tree(actor=None)
        return CatalogueAnswer(
            s.CategoryTreeSerializer.serialize_all(tree.roots), context=tree.context
        )


class SuggestViewSet(MallViewSet):
    """Suggestions for a prefix, in groups."""

    access = Access.public()
    action_access = {"forget": Access.login().in_person()}
    serializer_class = s.SuggestionsSerializer

    @extend_schema(
        parameters=[
            OpenApiParameter("Key", str),
            OpenApiParameter("Products", str, enum=s.YES_NO, description="0：不要商品"),
        ],
        responses=s.SuggestionsSerializer,
    )
    @action(detail=False, methods=["get"], url_path="Suggest")
    def suggest(self, request: Request) -> Response:
        parameters = request.query_params
        suggestions = get_all_suggestions(
            actor=find_account(request),
            typed=parameters.get("Key", "")[:100],
            with_products=_is_on(parameters.get("Products", "1")),
        )
        return CatalogueAnswer(
            s.SuggestionsSerializer.answer(suggestions), context=suggestions.context
        )

    @extend_schema(parameters=[s.HistoryQuerySerializer], responses=OpenApiTypes.NONE)
    @action(detail=False, methods=["delete"], url_path="History")
    def forget(self, request: AuthedRequest) -> Response:
        search_history_forget(
            actor=request.user, keyword=s.HistoryQuerySerializer.parse(request)["Keyword"]
        )
        return Ok(None, message="已清除")


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
        comparison = get_product_comparison(actor=find_account(request), codes=codes)
        return CatalogueAnswer(
            rows.ComparedProductSerializer.serialize_all(comparison.products),
            context=comparison.context,
        )

    @extend_schema(
        parameters=[OpenApiParameter("document_id", int, OpenApiParameter.PATH)],
        responses={(200, "application/octet-stream"): OpenApiTypes.BINARY},
    )
    @action(detail=True, methods=["get"], url_path=rf"Document/(?P<document_id>{DIGITS})")
    def document(self, request: Request, product_code: str, document_id: str) -> HttpResponseBase:
        """Return the file if the actor can see the product."""
        return file_response(
            get_document(
                actor=find_account(request), product_code=product_code, pk=int(document_id)
            )
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
