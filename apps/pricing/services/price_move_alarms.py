"""Find large price changes within 30 days. Each change is raised once. After staff close an
alarm, the count starts at the confirmed price.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal
from typing import Any, NamedTuple

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from apps.pricing.enums import AlarmKind
from apps.pricing.models import PriceAlarm, PriceMove
from apps.pricing.services.price_alarms import alarms_forget

WINDOW = timedelta(days=30)
BATCH = 1000
ALL = Q()


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
def price_move_alarms_find() -> int:
    """Raise an alarm for each price that changed by more than PRICE_MOVE_PERCENT within 30
    days. Return the number of new alarms. Periodic job.

    Five statements, and one per 1,000 new alarms. If the price of an open alarm changes again, the
    alarm is replaced. An open alarm remains after 30 days.
    """
    alarms_forget(_superseded())
    told = dict(PriceAlarm.objects.filter(move__isnull=False).values_list("move_id", "seen_at"))
    confirmed = {move for move, seen_at in told.items() if seen_at is not None}
    far = [
        one
        for one in _drifts(confirmed)
        if one.exceeds(settings.PRICE_MOVE_PERCENT) and one.last.pk not in told
    ]
    PriceAlarm.objects.bulk_create(map(_alarm, far), batch_size=BATCH, ignore_conflicts=True)
    return len(far)


def _superseded() -> QuerySet[PriceAlarm]:
    same = Q(item=OuterRef("item")) | Q(item__isnull=True, product=OuterRef("product"))
    later = PriceMove.objects.filter(same, pk__gt=OuterRef("move_id"))
    return PriceAlarm.objects.filter(Exists(later), kind=AlarmKind.MOVED, seen_at__isnull=True)


def price_drifts_now(*, items: Iterable[int] = (), products: Iterable[int] = ()) -> list[Drift]:
    """Return the given agreed prices and market prices that changed so far that the job will
    raise an alarm.
    """
    of = Q(item__in=list(items)) | Q(item__isnull=True, product__in=list(products))
    seen = PriceMove.objects.filter(of, alarm__seen_at__isnull=False).values_list("pk", flat=True)
    return [one for one in _drifts(set(seen), of) if one.exceeds(settings.PRICE_MOVE_PERCENT)]


def _drifts(confirmed: set[int], of: Q = ALL) -> Iterator[Drift]:
    """Yield each price that changed within the window. A confirmed move starts a new count."""
    today = timezone.localdate()
    ended = Q(item__price_list__valid_to__lt=today) | Q(item__valid_to__lt=today)
    moves = (
        PriceMove.objects.filter(of, at__gte=timezone.now() - WINDOW).exclude(ended).order_by("pk")
    )
    drifts: dict[tuple[int | None, int], Drift] = {}
    rows: Any = moves.values_list(
        "pk", "item_id", "product_id", "before", "after", "product__market_price"
    )
    for move in itertools.starmap(Move, rows):
        drift = drifts.setdefault((move.item_id, move.product_id), Drift(move.before, move))
        drift.last = move
        if move.pk in confirmed:
            drift.was = move.after
    yield from drifts.values()


def _alarm(drift: Drift) -> PriceAlarm:
    move = drift.last
    return PriceAlarm(  # type: ignore[misc]
        kind=AlarmKind.MOVED,
        item_id=move.item_id,
        product_id=None if move.item_id else move.product_id,
        price=move.after,
        price_before=drift.was,
        market_price=move.market_price,
        move_id=move.pk,
    )
