"""Find agreed prices above the market's, and let staff say why one may be so."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone

from apps.catalog.enums import AlarmKind
from apps.catalog.errors import AlarmSeen
from apps.catalog.models import PriceAlarm, PriceListItem

if TYPE_CHECKING:
    from apps.org.models import Account

BATCH = 1000


@transaction.atomic
def price_alarms_find() -> int:
    """Raise an alarm for each new fact, forget open ones that are facts no more; return how many are new. Runs by the clock.

    Two statements over the rows with a price, whatever their number; what has been seen is raised again only as another fact.
    """
    today = timezone.localdate()
    of_kind = PriceAlarm.objects.filter(kind=AlarmKind.ABOVE)
    open_ones = of_kind.filter(seen_at__isnull=True)
    alarms_forget(open_ones.exclude(item__price=F("price"), item__product__market_price=F("market_price")))
    ended = Q(price_list__valid_to__lt=today) | Q(valid_to__lt=today)
    above = PriceListItem.objects.filter(price__gt=F("product__market_price")).exclude(ended)
    known = set(of_kind.values_list("item_id", "price", "market_price"))
    facts = [fact for fact in above.order_by("pk").values_list("pk", "price", "product__market_price") if fact not in known]
    rows = [PriceAlarm(item_id=item, price=price, market_price=market) for item, price, market in facts if price is not None]
    PriceAlarm.objects.bulk_create(rows, batch_size=BATCH, ignore_conflicts=True)
    return len(rows)


def alarms_forget(lapsed: QuerySet[PriceAlarm]) -> None:
    """Delete alarms that are facts no more in one statement: nobody decided it, so the back office's log has no line of each."""
    PriceAlarm.objects.filter(pk__in=lapsed.values("pk"))._raw_delete(using=lapsed.db)


@transaction.atomic
def price_alarm_see(*, actor: Account, alarm_id: int, note: str) -> PriceAlarm:
    """Close an alarm with a note on why the price may stand; return it.

    Raises:
        AlarmSeen: somebody has closed it already.
    """
    alarm = PriceAlarm.objects.select_for_update(no_key=True).get(pk=alarm_id)
    if alarm.seen_at is not None:
        raise AlarmSeen
    alarm.seen_by, alarm.seen_at, alarm.note = actor, timezone.now(), note
    alarm.save(update_fields=["seen_by", "seen_at", "note"])
    return alarm
