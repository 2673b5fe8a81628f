"""Publish 行业排行 once a month, over whole months. It contains places only.

These rules prevent readers from deriving the purchases of a single group:
- A product is ranked in a period only if at least five groups bought it in that period, and no
  group makes up more than half of the figure.
- Only places are published, no figures and no number of groups. Products that are left out leave
  no gap in the places.
- Each period and measure has one ranking. A category shows a part of it, so several categories
  together reveal nothing more.
- A month is counted once, after its end, and never counted again. Results on two days do not
  differ, and a new order changes nothing that a reader could subtract.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from django.db import connection, transaction
from django.db.models import Count, Sum
from django.utils import timezone

from apps.common.days import start_of_day
from apps.orders.enums import PURCHASED, RankMeasure, RankPeriod
from apps.orders.models import OrderLine, RankEntry, RankPublication
from apps.orders.selectors.ranking import get_whole_months_window

MIN_GROUPS = 5
MAX_PER_CATEGORY = 300
MAX_PUBLICATIONS = 2
TOTALS = """
SELECT bought.product_id, p.l1_id, SUM(bought.times), MAX(bought.times), SUM(bought.amount),
    MAX(bought.amount)
FROM ({bought}) bought JOIN catalog_product p ON p.id = bought.product_id
GROUP BY bought.product_id, p.l1_id HAVING COUNT(*) >= %s
"""


@dataclass(frozen=True, slots=True)
class _Total:
    """Purchases of one product by all groups, and the largest purchase by one group. Amounts in
    分.
    """

    product_id: int
    category_id: int
    figures: Mapping[RankMeasure, int]
    largest: Mapping[RankMeasure, int]

    def is_dominated_by_one_group(self, measure: RankMeasure) -> bool:
        """Return whether one group makes up more than half of the figure."""
        return 2 * self.largest[measure] > self.figures[measure]


def industry_rank_publish() -> int:
    """Publish the ranking of the months that have ended, unless it exists. Return the number of
    places written.

    The caller must open the platform scope. The previous publication stays, because a reader may
    still page through it; older ones are deleted.
    """
    month = timezone.localdate().replace(day=1)
    if RankPublication.objects.filter(month=month).exists():
        return 0
    entries = [entry for period in RankPeriod for entry in _build_entries(period, month)]
    with transaction.atomic():
        publication, is_new = RankPublication.objects.get_or_create(month=month)
        if not is_new:
            return 0
        for entry in entries:
            entry.publication = publication
        RankEntry.objects.bulk_create(entries, batch_size=2000)
        newest = list(RankPublication.objects.values_list("pk", flat=True)[:MAX_PUBLICATIONS])
        RankPublication.objects.exclude(pk__in=newest).delete()
    return len(entries)


def _build_entries(period: RankPeriod, month: date) -> Iterable[RankEntry]:
    """Yield the unsaved ranking rows of the period that ends with `month`, for each measure."""
    window = get_whole_months_window(period, month=month)
    now, before = (
        _list_totals(window.since, window.until),
        _list_totals(window.before, window.since),
    )
    for measure in RankMeasure:
        places, places_before = _rank_products(now, measure), _rank_products(before, measure)
        for product_id in places | places_before:
            yield RankEntry(
                period=period,
                measure=measure,
                product_id=product_id,
                place=places.get(product_id),
                place_before=places_before.get(product_id),
            )


def _list_totals(since: date, until: date) -> list[_Total]:
    """Return the products that at least five groups bought in these days."""
    lines = OrderLine.objects.filter(
        order__status__in=PURCHASED,
        quantity__gt=0,
        order__submitted_at__gte=start_of_day(since),
        order__submitted_at__lt=start_of_day(until),
    )
    each = (
        lines.order_by()
        .values("product_id", "group_id")
        .annotate(times=Count("pk"), amount=Sum("amount_incl_tax"))
    )
    sql, parameters = each.query.sql_with_params()
    with connection.cursor() as cursor:
        cursor.execute(TOTALS.format(bought=sql), [*parameters, MIN_GROUPS])
        rows = cursor.fetchall()
    return [
        _Total(
            product_id=product_id,
            category_id=category_id,
            figures={RankMeasure.TIMES: int(times), RankMeasure.AMOUNT: int(Decimal(amount))},
            largest={
                RankMeasure.TIMES: int(max_times),
                RankMeasure.AMOUNT: int(Decimal(max_amount)),
            },
        )
        for product_id, category_id, times, max_times, amount, max_amount in rows
    ]


def _rank_products(totals: Iterable[_Total], measure: RankMeasure) -> dict[int, int]:
    """Return product id → place, the largest figure of `measure` first. Equal figures share a
    place.

    Omits products whose figure comes mostly from one group, and the products after the first
    MAX_PER_CATEGORY of a first-level category.
    """
    publishable = sorted(
        (total for total in totals if not total.is_dominated_by_one_group(measure)),
        key=lambda total: (-total.figures[measure], total.product_id),
    )
    places: dict[int, int] = {}
    of_category: Counter[int] = Counter()
    place, last = 0, -1
    for total in publishable:
        of_category[total.category_id] += 1
        if of_category[total.category_id] > MAX_PER_CATEGORY:
            continue
        if total.figures[measure] != last:
            place, last = len(places) + 1, total.figures[measure]
        places[total.product_id] = place
    return places
