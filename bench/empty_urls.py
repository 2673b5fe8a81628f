"""The mall's addresses, one view that signs in and then does nothing, and one of DRF's own that does nothing at all."""

from django.urls import path
from rest_framework.decorators import api_view, authentication_classes, permission_classes, renderer_classes
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from apps.common.api.access import Access
from apps.common.api.views import MallViewSet
from mall.urls import urlpatterns as mall_urls


class EmptyViewSet(MallViewSet):
    """Signed in like all others, then nothing."""

    access = Access.login()

    def create(self, request: Request) -> Response:
        return Response(None)


@api_view(["GET"])
@authentication_classes([])
@permission_classes([])
@renderer_classes([JSONRenderer])
def bare(_request: Request) -> Response:
    """Answer with what an empty view of the framework answers: what all else is measured beside."""
    return Response({})


urlpatterns = [path("api/Empty", EmptyViewSet.as_view({"post": "create"})), path("api/Bare", bare), *mall_urls]
