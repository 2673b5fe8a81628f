"""Serializers of webhooks and their deliveries."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from apps.common.api.serializers import (
    BodySerializer,
    PersonSerializer,
    QuerySerializer,
    SeenAtField,
)
from apps.webhooks.enums import EVENTS, TEST_EVENT, DeliveryState, EventGroup
from apps.webhooks.models import Webhook, WebhookDelivery

EVENT_GROUPS = tuple(EventGroup.choices)
EVENT_NAMES = tuple((name, name) for name in (*EVENTS, TEST_EVENT))
DELIVERY_STATES = tuple(DeliveryState.choices)


class WebhookSerializer(serializers.Serializer[Webhook]):
    """`PausedReason`: why the mall paused the webhook; empty if it is active or a person
    switched it off.
    """

    Id = serializers.CharField(source="pk")
    Name = serializers.CharField(source="name")
    Url = serializers.CharField(source="url")
    Events = serializers.ListField(child=serializers.ChoiceField(EVENT_GROUPS), source="events")
    Owner = PersonSerializer(source="owner")
    IsActive = serializers.BooleanField(source="is_active")
    PausedReason = serializers.CharField(source="paused_reason")
    Failures = serializers.IntegerField(source="failures")
    OldSecretUntil = serializers.DateTimeField(source="old_seed_until", allow_null=True)
    DeliveredAt = serializers.DateTimeField(source="delivered_at", allow_null=True)
    CreatedAt = serializers.DateTimeField(source="created_at")
    UpdatedAt = serializers.DateTimeField(source="updated_at")


class KeyedWebhookSerializer(WebhookSerializer):
    """A webhook with its secret. No other response contains the secret."""

    Secret = serializers.SerializerMethodField()

    def get_Secret(self, _webhook: Webhook) -> str:
        return str(self.context["secret"])


class WebhookBodySerializer(BodySerializer):
    Name = serializers.CharField(
        source="name",
        max_length=40,
        error_messages={"required": "请填写名称", "blank": "请填写名称"},
    )
    Url = serializers.CharField(
        source="url",
        max_length=500,
        error_messages={"required": "请填写推送地址", "blank": "请填写推送地址"},
    )
    Events = serializers.ListField(
        child=serializers.ChoiceField(
            EVENT_GROUPS, error_messages={"invalid_choice": "没有此类事件"}
        ),
        source="events",
        min_length=1,
        max_length=len(EVENT_GROUPS),
        error_messages={"required": "请选择要订阅的事件", "min_length": "请至少选择一类事件"},
    )

    def validate_Events(self, events: list[str]) -> list[str]:
        """Return each event group once, in the order of the screen."""
        return [event for event in EventGroup.values if event in events]


class WebhookChangeSerializer(WebhookBodySerializer):
    IsActive = serializers.BooleanField(source="is_active")
    UpdatedAt = SeenAtField(required=False)


class WebhookDeliveryQuerySerializer(QuerySerializer):
    State = serializers.ChoiceField(DELIVERY_STATES, required=False, default="")
    Event = serializers.ChoiceField(EVENT_NAMES, required=False, default="")


class WebhookDeliverySerializer(serializers.Serializer[WebhookDelivery]):
    Id = serializers.CharField(source="pk")
    EventId = serializers.CharField(source="event_id")
    Event = serializers.CharField(source="event")
    Subject = serializers.CharField(source="subject")
    State = serializers.ChoiceField(DELIVERY_STATES, source="state")
    StateText = serializers.CharField(source="get_state_display")
    Attempts = serializers.IntegerField(source="attempts")
    Replays = serializers.IntegerField(source="replays")
    StatusCode = serializers.IntegerField(source="status_code", allow_null=True)
    Answer = serializers.CharField(source="answer")
    Error = serializers.CharField(source="error")
    CreatedAt = serializers.DateTimeField(source="created_at")
    NextAt = serializers.SerializerMethodField()
    EndedAt = serializers.DateTimeField(source="ended_at", allow_null=True)

    def get_NextAt(self, row: WebhookDelivery) -> str | None:
        """Return the time of the next attempt; null if the delivery has ended or is being sent."""
        return (
            serializers.DateTimeField().to_representation(row.due_at)
            if row.state == DeliveryState.WAITING
            else None
        )


class WebhookTrySerializer(serializers.Serializer[Any]):
    At = serializers.DateTimeField()
    StatusCode = serializers.IntegerField(allow_null=True)
    Error = serializers.CharField()
    Milliseconds = serializers.IntegerField()

    def to_representation(self, instance: Any) -> dict[str, Any]:
        return dict(instance)


class WholeWebhookDeliverySerializer(WebhookDeliverySerializer):
    """A delivery with its body and its last attempts."""

    Payload = serializers.JSONField(source="payload")
    Tries = WebhookTrySerializer(source="tries", many=True)
