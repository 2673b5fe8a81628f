"""Find agreed prices above the market price, and close alarms."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone

from apps.pricing.enums import AlarmKind
from apps.pricing.errors import AlarmSeen
from apps.pricing.models import PriceAlarm, PriceListItem

if TYPE_CHECKING:
    from apps.org.models import Account

BATCH = 1000


@transaction.atomic
def price_alarms_find() -> int:
    """Raise an alarm for each new fact and delete open alarms that no longer apply. Return the
    number of new alarms. Periodic job.

    The number of queries does not depend on the number of prices. A closed alarm is raised again
    only if the price or the market price differs.
    """
    today = timezone.localdate()
    of_kind = PriceAlarm.objects.filter(kind=AlarmKind.ABOVE)
    open_ones = of_kind.filter(seen_at__isnull=True)
    alarms_forget(
        open_ones.exclude(item__price=F("price"), item__product__market_price=F("market_price"))
    )
    ended = Q(price_list__valid_to__lt=today) | Q(valid_to__lt=today)
    above = PriceListItem.objects.filter(price__gt=F("product__market_price")).exclude(ended)
    known = set(of_kind.values_list("item_id", "price", "market_price"))
    facts = [
        fact
        for fact in above.order_by("pk").values_list("pk", "price", "product__market_price")
        if fact not in known
    ]
    rows = [
        PriceAlarm(item_id=item, price=price, market_price=market)
        for item, price, market in facts
        if price is not None
    ]
    PriceAlarm.objects.bulk_create(rows, batch_size=BATCH, ignore_conflicts=True)
    return len(rows)


def alarms_forget(lapsed: QuerySet[PriceAlarm]) -> None:
    """Delete alarms that no longer apply, in one statement. No user decides this, so the admin
    log gets no entries.
    """
    PriceAlarm.objects.filter(pk__in=lapsed.values("pk"))._raw_delete(using=lapsed.db)


@transaction.atomic
def price_alarm_see(*, actor: Account, alarm_id: int, note: str) -> PriceAlarm:
    """Close an alarm with a note that says why the price is correct. Return the alarm.

    Raises:
        AlarmSeen: the alarm is already closed.
    """
    alarm = PriceAlarm.objects.select_for_update(no_key=True).get(pk=alarm_id)
    if alarm.seen_at is not None:
        raise AlarmSeen
    alarm.seen_by, alarm.seen_at, alarm.note = actor, timezone.now(), note
    alarm.save(update_fields=["seen_by", "seen_at", "note"])
    return alarm
