"""The webhooks of a group and their deliveries, for administrators of the whole group."""

from __future__ import annotations

from django.db.models import QuerySet

from apps.common.numbers import key_of
from apps.org.enums import DataScope
from apps.org.menus import MenuCode
from apps.org.models import Account
from apps.webhooks.errors import DeliveryNotFound, WebhookNotFound, WebhooksOutOfScope
from apps.webhooks.models import Webhook, WebhookDelivery


def may_manage_webhooks(actor: Account) -> bool:
    """Return whether the actor may manage webhooks. The data scope must be the whole group,
    because events contain the group's data.
    """
    return (
        actor.has_menu_code(MenuCode.MANAGEMENT_GROUP)
        and actor.data_scope_of(MenuCode.MANAGEMENT_GROUP) == DataScope.GROUP
    )


def list_webhooks(*, actor: Account) -> QuerySet[Webhook]:
    """Return the group's webhooks with their owners, the oldest first.

    Raises:
        Forbidden: the actor's data scope is not the whole group.
    """
    if not may_manage_webhooks(actor):
        raise WebhooksOutOfScope
    rows: QuerySet[Webhook] = Webhook.objects.select_related("owner").order_by("pk")
    return rows


def get_webhook(*, actor: Account, pk: str) -> Webhook:
    """Return one webhook.

    Raises:
        WebhookNotFound: the group has no such webhook.
        Forbidden: see list_webhooks.
    """
    webhook = list_webhooks(actor=actor).filter(pk=key_of(pk)).first()
    if webhook is None:
        raise WebhookNotFound
    return webhook


def list_deliveries(
    *, actor: Account, pk: str, state: str = "", event: str = ""
) -> QuerySet[WebhookDelivery]:
    """Return a webhook's deliveries without their bodies, the latest first.

    Raises:
        WebhookNotFound, Forbidden: see get_webhook.
    """
    rows: QuerySet[WebhookDelivery] = WebhookDelivery.objects.filter(
        webhook=get_webhook(actor=actor, pk=pk)
    ).defer("payload")
    if state:
        rows = rows.filter(state=state)
    if event:
        rows = rows.filter(event=event)
    return rows.order_by("-pk")


def get_delivery(*, actor: Account, pk: str, delivery_id: str) -> WebhookDelivery:
    """Return one delivery with its body.

    Raises:
        WebhookNotFound, Forbidden: see get_webhook.
        DeliveryNotFound: the webhook has no such delivery.
    """
    delivery: WebhookDelivery | None = WebhookDelivery.objects.filter(
        webhook=get_webhook(actor=actor, pk=pk), pk=key_of(delivery_id)
    ).first()
    if delivery is None:
        raise DeliveryNotFound
    return delivery


def list_webhooks_with_history(actor: Account) -> QuerySet[Webhook]:
    """Return the webhooks whose change history the actor may read: all of the group or none."""
    rows: QuerySet[Webhook] = Webhook.objects.all()
    return rows if may_manage_webhooks(actor) else rows.none()
