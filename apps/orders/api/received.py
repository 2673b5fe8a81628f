"""What a receipt answers."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from apps.orders.api.serializers import OrderDetailSerializer
from apps.orders.claims import Opened
from apps.orders.models import Order


class ClaimedReturnSerializer(serializers.Serializer[Opened]):
    """What a claim at receipt opened; ReturnOrderId is empty for who may not open its page."""

    ReturnOrderId = serializers.CharField(source="number")
    Text = serializers.CharField(source="text")


class ReceivedSerializer(OrderDetailSerializer):
    """The order after a receipt; `context["opened"]` is what its claims opened."""

    Opened = serializers.SerializerMethodField()

    @extend_schema_field(ClaimedReturnSerializer(many=True))
    def get_Opened(self, _order: Order) -> Any:  # noqa: N802 - DRF names it after the key
        """Return the returns of what was missing or broken."""
        return ClaimedReturnSerializer(self.context["opened"], many=True).data
