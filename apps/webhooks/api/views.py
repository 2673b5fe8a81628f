"""/api/Webhook: webhooks of the group, their secrets and deliveries (集团管理), with their request
and response bodies.
"""

from __future__ import annotations

from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.response import Response

from apps.common.api.access import Access
from apps.common.api.exceptions import serialize_stale
from apps.common.api.idempotency import idempotent
from apps.common.api.renderers import Ok
from apps.common.api.serializers import (
    PersonSerializer,
    QuerySerializer,
    SeenAtField,
)
from apps.common.api.views import DIGITS, AuthedRequest, MallViewSet
from apps.identity.shared_serializers import OwnerProofSerializer, drop_proof, require_owner
from apps.org.menus import MenuCode
from apps.webhooks.enums import EVENTS, TEST_EVENT, DeliveryState, EventGroup
from apps.webhooks.models import Webhook, WebhookDelivery
from apps.webhooks.selectors import (
    get_delivery,
    get_webhook,
    list_deliveries,
    list_webhooks,
)
from apps.webhooks.services.delivery import delivery_replay
from apps.webhooks.services.webhook import (
    WebhookWithSecret,
    refuse_address,
    webhook_create,
    webhook_delete,
    webhook_rotate,
    webhook_test,
    webhook_update,
)

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


class WebhookBodySerializer(OwnerProofSerializer):
    """A webhook's address receives the group's orders, so a new one needs the owner's proof."""

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


KEEPERS = Access.menu(MenuCode.MANAGEMENT_GROUP)
ONE = rf"Delivery/(?P<delivery_id>{DIGITS})"


def adds_an_address(request: AuthedRequest) -> bool:
    """Return true, after the checks of body and right that the call makes, too."""
    url = WebhookBodySerializer.parse(request)["url"]
    list_webhooks(actor=request.user)
    refuse_address(url)
    return True


def changes_the_address(request: AuthedRequest, pk: str) -> bool:
    """Return whether the request sends the orders to another address.

    Raises:
        WebhookNotFound: there is no such webhook, whatever the password is.
    """
    webhook = get_webhook(actor=request.user, pk=pk)
    url = WebhookChangeSerializer.parse(request, partial=True).get("url", webhook.url)
    if url == webhook.url:
        return False
    refuse_address(url)
    return True


def shows_a_secret(request: AuthedRequest, pk: str) -> bool:
    """Return true for an existing webhook: the answer has the secret that signs the events.

    Raises:
        WebhookNotFound: there is no such webhook.
    """
    get_webhook(actor=request.user, pk=pk)
    OwnerProofSerializer.parse(request)
    return True


class WebhookViewSet(MallViewSet):
    """For accounts with 集团管理 in the data scope of the whole group. Changes and secrets are
    refused during impersonation.
    """

    access = KEEPERS
    action_access = dict.fromkeys(
        ("create", "partial_update", "destroy", "rotate", "test", "replay"), KEEPERS.in_person()
    )
    serializer_class = WebhookSerializer
    paged_actions = ("list", "deliveries")

    def list(self, request: AuthedRequest) -> Response:
        page: Any = self.paginate_queryset(list_webhooks(actor=request.user))
        return self.get_paginated_response(WebhookSerializer(page, many=True).data)

    def retrieve(self, request: AuthedRequest, pk: str) -> Response:
        return Response(WebhookSerializer(get_webhook(actor=request.user, pk=pk)).data)

    # Not idempotent by key: the stored response would contain the secret.
    @extend_schema(request=WebhookBodySerializer, responses=KeyedWebhookSerializer)
    @require_owner(adds_an_address)
    def create(self, request: AuthedRequest) -> Response:
        """Create a webhook. Only this response contains the secret."""
        keyed = webhook_create(
            actor=request.user, fields=drop_proof(WebhookBodySerializer.parse(request))
        )
        return Ok(_render_with_secret(keyed), message="推送地址已新增，请立即保存签名密钥")

    @extend_schema(request=WebhookChangeSerializer(partial=True))
    @require_owner(changes_the_address)
    def partial_update(self, request: AuthedRequest, pk: str) -> Response:
        changes = drop_proof(WebhookChangeSerializer.parse(request, partial=True))
        seen_at = changes.pop("UpdatedAt", None)
        with serialize_stale(lambda row: WebhookSerializer(row).data):
            webhook = webhook_update(actor=request.user, pk=pk, changes=changes, seen_at=seen_at)
        return Ok(WebhookSerializer(webhook).data, message="推送地址已保存")

    @extend_schema(responses=OpenApiTypes.NONE)
    def destroy(self, request: AuthedRequest, pk: str) -> Response:
        webhook_delete(actor=request.user, pk=pk)
        return Ok(None, message="推送地址已删除")

    @extend_schema(request=OwnerProofSerializer, responses=KeyedWebhookSerializer)
    @action(detail=True, methods=["post"], url_path="Rotate")
    @require_owner(shows_a_secret)
    def rotate(self, request: AuthedRequest, pk: str) -> Response:
        """Create a new secret; only this response contains it. Both secrets sign for 24 hours."""
        return Ok(
            _render_with_secret(webhook_rotate(actor=request.user, pk=pk)),
            message="签名密钥已更换，请立即保存",
        )

    @extend_schema(request=None, responses=WholeWebhookDeliverySerializer)
    @action(detail=True, methods=["post"], url_path="Test")
    def test(self, request: AuthedRequest, pk: str) -> Response:
        """Send a test event now and return the delivery."""
        return Response(
            WholeWebhookDeliverySerializer(webhook_test(actor=request.user, pk=pk)).data
        )

    @extend_schema(
        parameters=[WebhookDeliveryQuerySerializer],
        responses=WebhookDeliverySerializer(many=True),
    )
    @action(detail=True, methods=["get"], url_path="Delivery")
    def deliveries(self, request: AuthedRequest, pk: str) -> Response:
        query = WebhookDeliveryQuerySerializer.parse(request)
        page: Any = self.paginate_queryset(
            list_deliveries(actor=request.user, pk=pk, state=query["State"], event=query["Event"])
        )
        return self.get_paginated_response(WebhookDeliverySerializer(page, many=True).data)

    @extend_schema(responses=WholeWebhookDeliverySerializer)
    @action(detail=True, methods=["get"], url_path=ONE)
    def delivery(self, request: AuthedRequest, pk: str, delivery_id: str) -> Response:
        return Response(
            WholeWebhookDeliverySerializer(
                get_delivery(actor=request.user, pk=pk, delivery_id=delivery_id)
            ).data
        )

    @extend_schema(request=None, responses=WholeWebhookDeliverySerializer)
    @action(detail=True, methods=["post"], url_path=f"{ONE}/Replay")
    @idempotent
    def replay(self, request: AuthedRequest, pk: str, delivery_id: str) -> Response:
        """Send the event again with the same id."""
        row = delivery_replay(actor=request.user, pk=pk, delivery_id=delivery_id)
        return Ok(WholeWebhookDeliverySerializer(row).data, message="已重新推送")


def _render_with_secret(keyed: WebhookWithSecret) -> dict[str, Any]:
    return dict(KeyedWebhookSerializer(keyed.webhook, context={"secret": keyed.secret}).data)
