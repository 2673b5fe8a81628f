"""运费 and extra days from the freight table. The preview, the submit and the displayed lead time
use it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from apps.common.money import ZERO
from apps.orders.models import FreightRegion


@dataclass(frozen=True, slots=True)
class Freight:
    """`fee` in 元 含税. `extra_days` are added to the days of the products."""

    fee: Decimal
    extra_days: int


FREE = Freight(ZERO, 0)


def freight_of(*, province: str, goods_amount: Decimal) -> Freight:
    """Return the freight for goods of this amount to the province. Rows without a province
    apply to all other provinces. One query.
    """
    rows = FreightRegion.objects.filter(province__in=[province, ""], amount_from__lte=goods_amount)
    row = rows.order_by("-province", "-amount_from").first()
    return Freight(row.fee, row.extra_days) if row else FREE


def freights_of(asked: Sequence[tuple[str, Decimal]]) -> list[Freight]:
    """Return the freight for each (province, goods amount), in the given order. One query; none
    for an empty input.
    """
    if not asked:
        return []
    most = max(goods for _, goods in asked)
    wanted = {province for province, _ in asked} | {""}
    rows = list(
        FreightRegion.objects.filter(province__in=wanted, amount_from__lte=most).order_by(
            "-province", "-amount_from"
        )
    )

    def one(province: str, goods: Decimal) -> Freight:
        row = next(
            (row for row in rows if row.province in (province, "") and row.amount_from <= goods),
            None,
        )
        return Freight(row.fee, row.extra_days) if row else FREE

    return [one(province, goods) for province, goods in asked]
