"""The webhooks of a group and their deliveries, for those who keep the whole group."""

from __future__ import annotations

from django.db.models import QuerySet

from apps.common.errors import Forbidden
from apps.common.keys import key_of
from apps.org.enums import DataScope
from apps.org.menus import MenuCode
from apps.org.models import Account
from apps.webhooks.errors import DeliveryNotFound, WebhookNotFound
from apps.webhooks.models import Webhook, WebhookDelivery


def may_keep(actor: Account) -> bool:
    """Whether he may keep webhooks: what they tell is the whole group's."""
    return actor.has_menu_code(MenuCode.MANAGEMENT_GROUP) and actor.data_scope_of(MenuCode.MANAGEMENT_GROUP) == DataScope.GROUP


def webhooks_of(*, actor: Account) -> QuerySet[Webhook]:
    """Return the group's webhooks, the oldest first, with their owners.

    Raises:
        Forbidden: his data scope is not the whole group.
    """
    if not may_keep(actor):
        raise Forbidden("您的数据范围不是全集团，不能查看事件推送，请联系集团管理员")
    rows: QuerySet[Webhook] = Webhook.objects.select_related("owner").order_by("pk")
    return rows


def webhook_get(*, actor: Account, pk: str) -> Webhook:
    """Return one.

    Raises:
        WebhookNotFound: there is none in his group.
        Forbidden: as for the list.
    """
    found = webhooks_of(actor=actor).filter(pk=key_of(pk)).first()
    if found is None:
        raise WebhookNotFound
    return found


def deliveries_of(*, actor: Account, pk: str, state: str = "", event: str = "") -> QuerySet[WebhookDelivery]:
    """Return a webhook's deliveries, the latest first, without their bodies.

    Raises:
        WebhookNotFound, Forbidden: as for the webhook.
    """
    rows: QuerySet[WebhookDelivery] = WebhookDelivery.objects.filter(webhook=webhook_get(actor=actor, pk=pk)).defer("payload")
    if state:
        rows = rows.filter(state=state)
    if event:
        rows = rows.filter(event=event)
    return rows.order_by("-pk")


def delivery_get(*, actor: Account, pk: str, delivery_id: str) -> WebhookDelivery:
    """Return one delivery with its body.

    Raises:
        WebhookNotFound, Forbidden, DeliveryNotFound: there is none he may see.
    """
    found: WebhookDelivery | None = WebhookDelivery.objects.filter(webhook=webhook_get(actor=actor, pk=pk), pk=key_of(delivery_id)).first()
    if found is None:
        raise DeliveryNotFound
    return found


def webhooks_seen(actor: Account) -> QuerySet[Webhook]:
    """Return the webhooks whose history the actor may read: all of his group's, or none."""
    rows: QuerySet[Webhook] = Webhook.objects.all()
    return rows if may_keep(actor) else rows.none()
