"""/api/Content: the public content of the site."""

from __future__ import annotations

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from apps.common.api.access import Access
from apps.common.api.views import MallViewSet
from apps.content.api import serializers as s
from apps.content.enums import PageKind
from apps.content.selectors.boot import boot_content, business_licence, list_announcements
from apps.content.selectors.pages import get_content_page, list_help_pages, search_pages


class ContentViewSet(MallViewSet):
    """Banners, announcements, site navigation, footer, business licence, help and about pages."""

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

    @extend_schema(responses=s.PageRowSerializer(many=True))
    @action(detail=False, methods=["get"], url_path="Help")
    def help_list(self, request: Request) -> Response:
        return Response(s.PageRowSerializer(list_help_pages(), many=True).data)

    @extend_schema(responses=s.PageSerializer)
    @action(detail=False, methods=["get"], url_path=r"Help/(?P<number>[0-9]{1,3})")
    def help_page(self, request: Request, number: str) -> Response:
        return Response(s.PageSerializer(get_content_page(kind=PageKind.HELP, key=number)).data)

    @extend_schema(responses=s.PageSerializer)
    @action(detail=False, methods=["get"], url_path=r"About/(?P<name>[A-Za-z]{1,20})")
    def about_page(self, request: Request, name: str) -> Response:
        return Response(s.PageSerializer(get_content_page(kind=PageKind.ABOUT, key=name)).data)

    @extend_schema(
        parameters=[OpenApiParameter("Keyword", str)], responses=s.FoundPageSerializer(many=True)
    )
    @action(detail=False, methods=["get"], url_path="HelpSearch")
    def help_search(self, request: Request) -> Response:
        matches = search_pages(text=request.query_params.get("Keyword", "")[:60])
        return Response(s.FoundPageSerializer(matches, many=True).data)

    @extend_schema(responses=s.AnnouncementSerializer(many=True))
    @action(detail=False, methods=["get"], url_path="Announcements")
    def announcements(self, request: Request) -> Response:
        return Response(s.AnnouncementSerializer(list_announcements(), many=True).data)

    @extend_schema(responses=s.LicenceRowSerializer(many=True))
    @action(detail=False, methods=["get"], url_path="BusinessLicence")
    def business_licence(self, request: Request) -> Response:
        return Response(s.LicenceRowSerializer(business_licence(), many=True).data)
