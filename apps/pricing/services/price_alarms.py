"""Raise and close price alarms (价格预警): agreed prices above the market price, and large price
changes within 30 days.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal
from typing import TYPE_CHECKING, Any, NamedTuple

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.utils import timezone

from apps.pricing.enums import AlarmKind
from apps.pricing.errors import AlarmSeen
from apps.pricing.models import PriceAlarm, PriceListItem, PriceMove

if TYPE_CHECKING:
    from apps.org.models import Account

BATCH = 1000
WINDOW = timedelta(days=30)
ALL = Q()


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
    alarms_delete(
        open_ones.exclude(item__price=F("price"), item__product__market_price=F("market_price"))
    )
    is_ended = Q(price_list__valid_to__lt=today) | Q(valid_to__lt=today)
    above = PriceListItem.objects.filter(price__gt=F("product__market_price")).exclude(is_ended)
    known_facts = set(of_kind.values_list("item_id", "price", "market_price"))
    current = [
        fact
        for fact in above.order_by("pk").values_list("pk", "price", "product__market_price")
        if fact not in known_facts
    ]
    rows = [
        PriceAlarm(item_id=item, price=price, market_price=market)
        for item, price, market in current
        if price is not None
    ]
    PriceAlarm.objects.bulk_create(rows, batch_size=BATCH, ignore_conflicts=True)
    return len(rows)


def alarms_delete(lapsed: QuerySet[PriceAlarm]) -> None:
    """Delete alarms that no longer apply, in one statement. No user decides this, so the admin
    log gets no entries.
    """
    PriceAlarm.objects.filter(pk__in=lapsed.values("pk"))._raw_delete(using=lapsed.db)


@transaction.atomic
def price_alarm_confirm(*, actor: Account, alarm_id: int, note: str) -> PriceAlarm:
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


class Move(NamedTuple):
    """A price move with the current market price (元, 含税)."""

    pk: int
    item_id: int | None
    product_id: int
    before: Decimal
    after: Decimal
    market_price: Decimal


@dataclass(slots=True)
class Drift:
    """The total change of a price: `was` is the first price of the window or the last confirmed
    price, `last` the newest move.
    """

    was: Decimal
    last: Move

    def exceeds(self, percent: int) -> bool:
        """Return whether the price changed by more than `percent`, up or down. Any change from
        0 exceeds it.
        """
        return abs(self.last.after - self.was) * 100 > self.was * percent


@transaction.atomic
def price_move_alarms_raise() -> int:
    """Raise an alarm for each price that changed by more than PRICE_MOVE_PERCENT within 30
    days. Return the number of new alarms. Periodic job.

    Five statements, and one per 1,000 new alarms. If the price of an open alarm changes again, the
    alarm is replaced. An open alarm remains after 30 days.
    """
    alarms_delete(_list_superseded())
    alarms = dict(PriceAlarm.objects.filter(move__isnull=False).values_list("move_id", "seen_at"))
    confirmed = {move for move, seen_at in alarms.items() if seen_at is not None}
    large = [
        drift
        for drift in _iter_drifts(confirmed)
        if drift.exceeds(settings.PRICE_MOVE_PERCENT) and drift.last.pk not in alarms
    ]
    PriceAlarm.objects.bulk_create(
        map(_build_alarm, large), batch_size=BATCH, ignore_conflicts=True
    )
    return len(large)


def _list_superseded() -> QuerySet[PriceAlarm]:
    same = Q(item=OuterRef("item")) | Q(item__isnull=True, product=OuterRef("product"))
    later = PriceMove.objects.filter(same, pk__gt=OuterRef("move_id"))
    return PriceAlarm.objects.filter(Exists(later), kind=AlarmKind.MOVED, seen_at__isnull=True)


def list_price_drifts(
    *, item_ids: Iterable[int] = (), product_ids: Iterable[int] = ()
) -> list[Drift]:
    """Return the given agreed prices and market prices that changed so far that the job will
    raise an alarm.
    """
    condition = Q(item__in=list(item_ids)) | Q(item__isnull=True, product__in=list(product_ids))
    seen_alarms = PriceMove.objects.filter(condition, alarm__seen_at__isnull=False).values_list(
        "pk", flat=True
    )
    return [
        drift
        for drift in _iter_drifts(set(seen_alarms), condition)
        if drift.exceeds(settings.PRICE_MOVE_PERCENT)
    ]


def _iter_drifts(confirmed_ids: set[int], condition: Q = ALL) -> Iterator[Drift]:
    """Yield each price that changed within the window. A confirmed move starts a new count."""
    today = timezone.localdate()
    is_ended = Q(item__price_list__valid_to__lt=today) | Q(item__valid_to__lt=today)
    moves = (
        PriceMove.objects.filter(condition, at__gte=timezone.now() - WINDOW)
        .exclude(is_ended)
        .order_by("pk")
    )
    drifts: dict[tuple[int | None, int], Drift] = {}
    rows: Any = moves.values_list(
        "pk", "item_id", "product_id", "before", "after", "product__market_price"
    )
    for move in itertools.starmap(Move, rows):
        drift = drifts.setdefault((move.item_id, move.product_id), Drift(move.before, move))
        drift.last = move
        if move.pk in confirmed_ids:
            drift.was = move.after
    yield from drifts.values()


def _build_alarm(drift: Drift) -> PriceAlarm:
    """Return the alarm of a price that drifted from `was` to the price of its last move."""
    move = drift.last
    return PriceAlarm(
        kind=AlarmKind.MOVED,
        item_id=move.item_id,
        product_id=None if move.item_id else move.product_id,
        price=move.after,
        price_before=drift.was,
        market_price=move.market_price,
        move_id=move.pk,
    )
