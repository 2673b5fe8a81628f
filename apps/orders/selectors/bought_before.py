"""The last purchases of a person, to be bought again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from apps.orders.models import OrderLine
from apps.orders.selectors.ranking import BOUGHT

if TYPE_CHECKING:
    from apps.org.models import Account

LOOKED_AT = 300


def bought_before(
    *, actor: Account, category_id: int | None = None, words: Sequence[str] = ()
) -> list[OrderLine]:
    """Return the newest own order line of the category whose names contain all the words.
    Without category and words, return all lines of the last order.

    Empty if there is none. One query over the newest LOOKED_AT lines.
    """
    lines = OrderLine.objects.filter(
        order__requester=actor, order__status__in=BOUGHT, quantity__gt=0
    ).select_related("order", "product")
    newest = list(lines.order_by("-order__submitted_at", "order_id", "no")[:LOOKED_AT])
    if category_id is None and not words:
        return [line for line in newest if line.order_id == newest[0].order_id]
    fitting = [line for line in newest if _fits(line, category_id, words)]
    return fitting[:1]


def _fits(line: OrderLine, category_id: int | None, words: Sequence[str]) -> bool:
    names = f"{line.name} {line.customer_name} {line.brand} {line.model_code}".lower()
    return category_id in (None, line.product.l3_id) and all(
        word.lower() in names for word in words
    )
