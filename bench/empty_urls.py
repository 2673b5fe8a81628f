"""The mall's URLs plus two views for comparison: one that only authenticates, and one of DRF
that does nothing.
"""

from django.urls import path
from rest_framework.decorators import (
    api_view,
    authentication_classes,
    permission_classes,
    renderer_classes,
)
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from apps.common.api.access import Access
from apps.common.api.views import MallViewSet
from mall.urls import urlpatterns as mall_urls


class EmptyViewSet(MallViewSet):
    """Authenticates like all other views, then does nothing."""

    access = Access.login()

    def create(self, request: Request) -> Response:
        return Response(None)


@api_view(["GET"])
@authentication_classes([])
@permission_classes([])
@renderer_classes([JSONRenderer])
def bare(_request: Request) -> Response:
    """Return the answer of the framework's empty view, the reference of the measurements."""
    return Response({})


urlpatterns = [
    path("api/Empty", EmptyViewSet.as_view({"post": "create"})),
    path("api/Bare", bare),
    *mall_urls,
]
