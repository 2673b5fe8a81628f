"""Answers of /api/Content; the shell carries the same in the page (frontend/src/lib/boot.ts)."""

from typing import Any

from rest_framework import serializers


class LinkSerializer(serializers.Serializer[Any]):
    Name = serializers.CharField()
    Url = serializers.CharField()


class LinkColumnSerializer(serializers.Serializer[Any]):
    Title = serializers.CharField()
    Links = LinkSerializer(many=True)


class BannerSerializer(serializers.Serializer[Any]):
    Title = serializers.CharField()
    Subtitle = serializers.CharField()
    ImageUrl = serializers.CharField(allow_null=True)
    Url = serializers.CharField()
    Tone = serializers.CharField()


class FooterSerializer(serializers.Serializer[Any]):
    Columns = LinkColumnSerializer(many=True)
    Licences = serializers.ListField(child=serializers.CharField())
    Copyright = serializers.CharField()
    BusinessLicence = serializers.CharField(allow_null=True)
    ServiceHours = serializers.CharField()
    Phone = serializers.CharField(allow_null=True)
