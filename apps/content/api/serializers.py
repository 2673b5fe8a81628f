"""Responses of /api/Content. The page contains the same data (frontend/src/lib/boot.ts)."""

from typing import Any

from rest_framework import serializers

from apps.content.markdown import Section


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
