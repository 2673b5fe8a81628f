"""What of orders the apis of several apps write alike."""

from __future__ import annotations

from rest_framework import serializers

from apps.orders.models import TrackingEvent


class TrackingSerializer(serializers.Serializer[TrackingEvent]):
    """What a carrier told of a parcel, of an order's or of a return's."""

    At = serializers.DateTimeField(source="at")
    Kind = serializers.CharField(source="kind")
    KindText = serializers.CharField(source="get_kind_display")
    Text = serializers.CharField(source="text")
