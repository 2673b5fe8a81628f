"""Serializers of orders that the APIs of several apps share."""

from __future__ import annotations

from rest_framework import serializers

from apps.orders.models import TrackingEvent
from apps.pricing.shared_serializers import BriefOfferSerializer


class RecommendedSerializer(BriefOfferSerializer):
    """A recommended product, in the format of the spec."""


class TrackingSerializer(serializers.Serializer[TrackingEvent]):
    """A tracking event that the carrier reported for a parcel of an order or a return."""

    At = serializers.DateTimeField(source="at")
    Kind = serializers.CharField(source="kind")
    KindText = serializers.CharField(source="get_kind_display")
    Text = serializers.CharField(source="text")
