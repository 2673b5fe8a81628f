"""/api/Webhook: webhooks of the group, their secrets and deliveries (集团管理)."""

from __future__ import annotations

from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.decorators import action
from rest_framework.response import Response

from apps.common.api.access import Access
from apps.common.api.exceptions import serialize_stale
from apps.common.api.idempotency import idempotent
from apps.common.api.renderers import Ok
from apps.common.api.views import DIGITS, AuthedRequest, MallViewSet
from apps.org.menus import MenuCode
from apps.webhooks.api import serializers as b
from apps.webhooks.selectors.webhooks import (
    get_delivery,
    get_webhook,
    list_deliveries,
    list_webhooks,
)
from apps.webhooks.services.delivery import delivery_replay
from apps.webhooks.services.webhook import (
    WebhookWithSecret,
    webhook_create,
    webhook_delete,
    webhook_rotate,
    webhook_test,
    webhook_update,
)

KEEPERS = Access.menu(MenuCode.MANAGEMENT_GROUP)
ONE = rf"Delivery/(?P<delivery_id>{DIGITS})"


class WebhookViewSet(MallViewSet):
    """For accounts with 集团管理 in the data scope of the whole group. Changes and secrets are
    refused during impersonation.
    """

    access = KEEPERS
    action_access = dict.fromkeys(
        ("create", "partial_update", "destroy", "rotate", "test", "replay"), KEEPERS.in_person()
    )
    serializer_class = b.WebhookSerializer
    paged_actions = ("list", "deliveries")

    def list(self, request: AuthedRequest) -> Response:
        page: Any = self.paginate_queryset(list_webhooks(actor=request.user))
        return self.get_paginated_response(b.WebhookSerializer(page, many=True).data)

    def retrieve(self, request: AuthedRequest, pk: str) -> Response:
        return Response(b.WebhookSerializer(get_webhook(actor=request.user, pk=pk)).data)

    # Not idempotent by key: the stored response would contain the secret.
    @extend_schema(request=b.WebhookBodySerializer, responses=b.KeyedWebhookSerializer)
    def create(self, request: AuthedRequest) -> Response:
        """Create a webhook. Only this response contains the secret."""
        keyed = webhook_create(actor=request.user, fields=b.WebhookBodySerializer.parse(request))
        return Ok(_render_with_secret(keyed), message="推送地址已新增，请立即保存签名密钥")

    @extend_schema(request=b.WebhookChangeSerializer(partial=True))
    def partial_update(self, request: AuthedRequest, pk: str) -> Response:
        changes = b.WebhookChangeSerializer.parse(request, partial=True)
        seen_at = changes.pop("UpdatedAt", None)
        with serialize_stale(lambda row: b.WebhookSerializer(row).data):
            webhook = webhook_update(actor=request.user, pk=pk, changes=changes, seen_at=seen_at)
        return Ok(b.WebhookSerializer(webhook).data, message="推送地址已保存")

    @extend_schema(responses=OpenApiTypes.NONE)
    def destroy(self, request: AuthedRequest, pk: str) -> Response:
        webhook_delete(actor=request.user, pk=pk)
        return Ok(None, message="推送地址已删除")

    @extend_schema(request=None, responses=b.KeyedWebhookSerializer)
    @action(detail=True, methods=["post"], url_path="Rotate")
    def rotate(self, request: AuthedRequest, pk: str) -> Response:
        """Create a new secret; only this response contains it. Both secrets sign for 24 hours."""
        return Ok(
            _render_with_secret(webhook_rotate(actor=request.user, pk=pk)),
            message="签名密钥已更换，请立即保存",
        )

    @extend_schema(request=None, responses=b.WholeWebhookDeliverySerializer)
    @action(detail=True, methods=["post"], url_path="Test")
    def test(self, request: AuthedRequest, pk: str) -> Response:
        """Send a test event now and return the delivery."""
        return Response(
            b.WholeWebhookDeliverySerializer(webhook_test(actor=request.user, pk=pk)).data
        )

    @extend_schema(
        parameters=[b.WebhookDeliveryQuerySerializer],
        responses=b.WebhookDeliverySerializer(many=True),
    )
    @action(detail=True, methods=["get"], url_path="Delivery")
    def deliveries(self, request: AuthedRequest, pk: str) -> Response:
        query = b.WebhookDeliveryQuerySerializer.parse(request)
        page: Any = self.paginate_queryset(
            list_deliveries(actor=request.user, pk=pk, state=query["State"], event=query["Event"])
        )
        return self.get_paginated_response(b.WebhookDeliverySerializer(page, many=True).data)

    @extend_schema(responses=b.WholeWebhookDeliverySerializer)
    @action(detail=True, methods=["get"], url_path=ONE)
    def delivery(self, request: AuthedRequest, pk: str, delivery_id: str) -> Response:
        return Response(
            b.WholeWebhookDeliverySerializer(
                get_delivery(actor=request.user, pk=pk, delivery_id=delivery_id)
            ).data
        )

    @extend_schema(request=None, responses=b.WholeWebhookDeliverySerializer)
    @action(detail=True, methods=["post"], url_path=f"{ONE}/Replay")
    @idempotent
    def replay(self, request: AuthedRequest, pk: str, delivery_id: str) -> Response:
        """Send the event again with the same id."""
        row = delivery_replay(actor=request.user, pk=pk, delivery_id=delivery_id)
        return Ok(b.WholeWebhookDeliverySerializer(row).data, message="已重新推送")


def _render_with_secret(keyed: WebhookWithSecret) -> dict[str, Any]:
    return dict(b.KeyedWebhookSerializer(keyed.webhook, context={"secret": keyed.secret}).data)
