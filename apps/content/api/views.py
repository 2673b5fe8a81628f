"""/api/Content: the public content of the site. The page contains the same data
(frontend/src/lib/boot.ts).
"""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from apps.common.api.access import Access
from apps.common.api.views import MallViewSet
from apps.content.enums import PageKind
from apps.content.markdown import Section
from apps.content.selectors.pages import get_content_page, list_help_pages, search_pages
from apps.content.selectors.site import boot_content, get_business_licence, list_announcements


class LinkSerializer(serializers.Serializer[Any]):
    """`For` is the audience: empty for everybody, `visitor` or `member`."""

    Name = serializers.CharField()
    Url = serializers.CharField()
    For = serializers.CharField()


class LinkColumnSerializer(serializers.Serializer[Any]):
    Title = serializers.CharField()
    Links = LinkSerializer(many=True)


class BannerSerializer(serializers.Serializer[Any]):
    Title = serializers.CharField()
    Subtitle = serializers.CharField()
    ImageUrl = serializers.CharField(allow_null=True)
    Url = serializers.CharField()
    Tone = serializers.CharField()
    For = serializers.CharField()


class AnnouncementSerializer(serializers.Serializer[Any]):
    Id = serializers.CharField(source="pk")
    Title = serializers.CharField(source="title")
    Text = serializers.CharField(source="text")
    Url = serializers.CharField(source="link")
    At = serializers.DateTimeField(source="published_at")
    For = serializers.CharField(source="audience")


class LicenceRowSerializer(serializers.Serializer[Any]):
    Name = serializers.CharField()
    Value = serializers.CharField()


class FooterSerializer(serializers.Serializer[Any]):
    Columns = LinkColumnSerializer(many=True)
    Licences = serializers.ListField(child=serializers.CharField())
    Copyright = serializers.CharField()
    HasBusinessLicence = serializers.BooleanField()
    ServiceHours = serializers.CharField()
    Phone = serializers.CharField(allow_null=True)


class PageRowSerializer(serializers.Serializer[Any]):
    Key = serializers.CharField(source="key")
    Title = serializers.CharField(source="title")
    Summary = serializers.CharField(source="summary")
    Path = serializers.CharField(source="path")


class SectionSerializer(serializers.Serializer[Section]):
    Id = serializers.CharField(source="id")
    Title = serializers.CharField(source="title")


class PageSerializer(serializers.Serializer[Any]):
    Key = serializers.CharField(source="page.key")
    Title = serializers.CharField(source="page.title")
    Summary = serializers.CharField(source="page.summary")
    Path = serializers.CharField(source="page.path")
    Html = serializers.CharField(source="text.html")
    Sections = SectionSerializer(source="text.sections", many=True)
    UpdatedAt = serializers.DateTimeField(source="page.updated_at")


class FoundPageSerializer(serializers.Serializer[Any]):
    Title = serializers.CharField(source="page.title")
    Path = serializers.CharField(source="page.path")
    Excerpt = serializers.CharField(source="excerpt")


class ContentViewSet(MallViewSet):
    """Banners, announcements, site navigation, footer, business licence, help and about pages."""

    access = Access.public()

    @extend_schema(responses=BannerSerializer(many=True))
    @action(detail=False, methods=["get"], url_path="Banners")
    def banners(self, request: Request) -> Response:
        return Response(BannerSerializer(boot_content()["Banners"], many=True).data)

    @extend_schema(responses=LinkColumnSerializer(many=True))
    @action(detail=False, methods=["get"], url_path="Navigation")
    def navigation(self, request: Request) -> Response:
        return Response(LinkColumnSerializer(boot_content()["Navigation"], many=True).data)

    @extend_schema(responses=FooterSerializer)
    @action(detail=False, methods=["get"], url_path="Footer")
    def footer(self, request: Request) -> Response:
        return Response(FooterSerializer(boot_content()["Footer"]).data)

    @extend_schema(responses=PageRowSerializer(many=True))
    @action(detail=False, methods=["get"], url_path="Help")
    def help_list(self, request: Request) -> Response:
        return Response(PageRowSerializer(list_help_pages(), many=True).data)

    @extend_schema(responses=PageSerializer)
    @action(detail=False, methods=["get"], url_path=r"Help/(?P<number>[0-9]{1,3})")
    def help_page(self, request: Request, number: str) -> Response:
        return Response(PageSerializer(get_content_page(kind=PageKind.HELP, key=number)).data)

    @extend_schema(responses=PageSerializer)
    @action(detail=False, methods=["get"], url_path=r"About/(?P<name>[A-Za-z]{1,20})")
    def about_page(self, request: Request, name: str) -> Response:
        return Response(PageSerializer(get_content_page(kind=PageKind.ABOUT, key=name)).data)

    @extend_schema(
        parameters=[OpenApiParameter("Keyword", str)], responses=FoundPageSerializer(many=True)
    )
    @action(detail=False, methods=["get"], url_path="HelpSearch")
    def help_search(self, request: Request) -> Response:
        matches = search_pages(text=request.query_params.get("Keyword", "")[:60])
        return Response(FoundPageSerializer(matches, many=True).data)

    @extend_schema(responses=AnnouncementSerializer(many=True))
    @action(detail=False, methods=["get"], url_path="Announcements")
    def announcements(self, request: Request) -> Response:
        return Response(AnnouncementSerializer(list_announcements(), many=True).data)

    @extend_schema(responses=LicenceRowSerializer(many=True))
    @action(detail=False, methods=["get"], url_path="BusinessLicence")
    def business_licence(self, request: Request) -> Response:
        return Response(LicenceRowSerializer(get_business_licence(), many=True).data)
