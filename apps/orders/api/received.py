"""Response of a receipt."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from apps.orders.api.serializers import OrderDetailSerializer
from apps.orders.claims import Opened
from apps.orders.models import Order


class ClaimedReturnSerializer(serializers.Serializer[Opened]):
    """A return that a claim opened. `ReturnOrderId` is empty if the actor may not open its
    page.
    """

    ReturnOrderId = serializers.CharField(source="number")
    Text = serializers.CharField(source="text")


class ReceivedSerializer(OrderDetailSerializer):
    """The order after a receipt. `context["opened"]` has the returns that its claims opened."""

    Opened = serializers.SerializerMethodField()

    @extend_schema_field(ClaimedReturnSerializer(many=True))
    def get_Opened(self, _order: Order) -> Any:
        """Return the returns of missing or damaged pieces."""
        return ClaimedReturnSerializer(self.context["opened"], many=True).data
