"""POST /api/ShoppingCart/YouLike/{Scene}/{Count}. It reads the order history, so it belongs to
orders and not to cart.
"""

from __future__ import annotations

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.decorators import action
from rest_framework.response import Response

from apps.common.api.access import Access
from apps.common.api.views import AuthedRequest, MallViewSet
from apps.orders.selectors.purchase_history import you_like
from apps.orders.shared_serializers import RecommendedSerializer

MAX_PRODUCTS = 20


class YouLikeViewSet(MallViewSet):
    access = Access.login()
    serializer_class = RecommendedSerializer
    pagination_class = None

    @extend_schema(
        request=None,
        responses=RecommendedSerializer(many=True),
        parameters=[OpenApiParameter("scene", str, "path"), OpenApiParameter("count", int, "path")],
    )
    @action(
        detail=False,
        methods=["post"],
        url_path=r"YouLike/(?P<scene>[^/]{1,20})/(?P<count>[0-9]{1,2})",
    )
    def you_like(self, request: AuthedRequest, scene: str, count: str) -> Response:
        offers = you_like(actor=request.user, count=min(int(count), MAX_PRODUCTS))
        return Response(RecommendedSerializer(offers, many=True).data)
