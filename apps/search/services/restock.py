"""到货提醒: register for a product without stock, and tell each account once when it is back.

A job looks at the open reminders every minute, so that any way of stock is noticed: receipts,
returns, cancellations, counts and imports.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import structlog
from django.db import connection, transaction
from django.db.models import F, QuerySet
from django.utils import timezone

from apps.catalog.enums import ProductStatus
from apps.catalog.errors import ProductNotFound
from apps.common.background.outbox import outbox_publish
from apps.common.background.periodic import run_for_each
from apps.org.locks import lock_account
from apps.pricing.selectors.context import get_catalogue_context
from apps.pricing.selectors.offers import get_offers, get_offers_by_code
from apps.search.errors import RemindersFull, RestockInStock
from apps.search.models import RestockReminder

if TYPE_CHECKING:
    from apps.org.models import Account

TOPIC = "restock.arrived"
MAX_REMINDERS = 100
BATCH = 500
log = structlog.get_logger(__name__)


@transaction.atomic
def restock_reminder_add(*, actor: Account, code: str) -> RestockReminder:
    """Register the actor for a product. A second registration changes nothing; one after the notice
    replaces the reminder that was told. Return the open reminder.

    Raises:
        ProductNotFound: the product does not exist, or the actor cannot see it.
        RestockInStock: the product can be bought now.
        RemindersFull: the account waits for 100 other products.
    """
    offer = get_offers_by_code(context=get_catalogue_context(actor=actor), codes=[code]).get(code)
    if offer is None or not offer.visible:
        raise ProductNotFound
    lock_account(actor.pk)
    open_ones = RestockReminder.objects.filter(account=actor, told_at=None)
    open_reminder: RestockReminder | None = open_ones.filter(product=offer.product).first()
    if open_reminder is not None:
        return open_reminder
    if offer.is_on_sale and offer.available >= offer.product.min_quantity:
        raise RestockInStock
    if open_ones.count() >= MAX_REMINDERS:
        raise RemindersFull
    RestockReminder.objects.filter(account=actor, product=offer.product).delete()
    reminder: RestockReminder = RestockReminder.objects.create(
        group_id=actor.group_id, account=actor, product=offer.product
    )
    return reminder


def restock_reminder_remove(*, actor: Account, code: str) -> None:
    """Remove the actor's reminder of a product, open or told. Without one, nothing happens."""
    RestockReminder.objects.filter(account=actor, product__code=code).delete()


def restock_reminders_run() -> int:
    """Tell the accounts whose products can be bought again. Return how many were told."""
    told_count, last = 0, 0
    while True:
        rows = list(
            _list_due().filter(pk__gt=last).order_by("pk").values_list("pk", flat=True)[:BATCH]
        )
        told_count += run_for_each([(pk,) for pk in rows], _send_reminder)
        if len(rows) < BATCH:
            return told_count
        last = rows[-1]


def _list_due() -> QuerySet[RestockReminder]:
    """Return the reminders to send: not yet sent, the account is active, the product can be
    bought.
    """
    due: QuerySet[RestockReminder] = RestockReminder.objects.filter(
        told_at=None,
        account__is_active=True,
        product__status=ProductStatus.ON_SALE,
        product__stock__gte=F("product__reserved") + F("product__min_quantity"),
    )
    return due


@transaction.atomic
def _send_reminder(pk: int) -> bool:
    """Mark the reminder and publish its notice in one transaction. Return whether the account
    was notified. False if another job holds the row or the customer cannot see the product.
    """
    features = connection.features
    due: Any = _list_due().select_for_update(
        of=("self",) if features.has_select_for_update_of else (),
        skip_locked=features.has_select_for_update_skip_locked,
    )
    reminder = due.filter(pk=pk).select_related("account").first()
    if reminder is None:
        return False
    account = reminder.account
    context = get_catalogue_context(actor=account)
    offer = get_offers(context=context, product_ids=[reminder.product_id]).get(reminder.product_id)
    if offer is None or not offer.visible:
        return False
    reminder.told_at = timezone.now()
    reminder.save(update_fields=["told_at"])
    product = offer.product
    outbox_publish(
        topic=TOPIC,
        key=str(reminder.pk),
        payload={
            "To": [account.pk],
            "Title": f"“{offer.name}”到货了",
            "Text": f"现有 {offer.available} {product.unit}，数量有限，请尽快下单",
            "Link": f"/{product.code}.html",
            "SubjectKey": f"restock:{product.pk}",
            "Once": f"restock:{reminder.pk}",
        },
    )
    log.info("restock_told", reminder=reminder.pk, product=product.code)
    return True
