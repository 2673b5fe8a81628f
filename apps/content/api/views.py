"""/api/Content: what the mall says about itself, to everybody."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from apps.common.api.access import Access
from apps.common.api.views import MallViewSet
from apps.content.api import serializers as s
from apps.content.selectors.boot import boot_content


class ContentViewSet(MallViewSet):
    """Banners, site navigation and footer."""

    access = Access.public()

    @extend_schema(responses=s.BannerSerializer(many=True))
    @action(detail=False, methods=["get"], url_path="Banners")
    def banners(self, request: Request) -> Response:
        return Response(s.BannerSerializer(boot_content()["Banners"], many=True).data)

    @extend_schema(responses=s.LinkColumnSerializer(many=True))
    @action(detail=False, methods=["get"], url_path="Navigation")
    def navigation(self, request: Request) -> Response:
        return Response(s.LinkColumnSerializer(boot_content()["Navigation"], many=True).data)

    @extend_schema(responses=s.FooterSerializer)
    @action(detail=False, methods=["get"], url_path="Footer")
    def footer(self, request: Request) -> Response:
        return Response(s.FooterSerializer(boot_content()["Footer"]).data)
