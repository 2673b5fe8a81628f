"""Rebuild the facts from their source rows, order by order, while the mall is running."""

from __future__ import annotations

from collections.abc import Callable

from apps.common.tenancy import tenant_scope
from apps.orders.models import Order
from apps.org.models import Group
from apps.reports.services.facts_keep import facts_keep

ORDERS_AT_ONCE = 200


def facts_rebuild(
    *, group_id: int | None = None, say: Callable[[str], object] = lambda _: None
) -> int:
    """Return the number of changed rows, 0 if the read model was correct. Memory use is limited
    to 200 orders.

    Runs in the platform's scope. Each batch of 200 orders is one transaction, so that readers never
    see missing facts.
    """
    groups = Group.objects.order_by("pk")
    moved = 0
    for group in groups if group_id is None else groups.filter(pk=group_id):
        with tenant_scope(group_id=group.pk):
            count = _group()
        say(f"{group.name}：{count} 行")
        moved += count
    return moved


def _group() -> int:
    last, moved = 0, 0
    rows = Order.objects.order_by("pk").values_list("pk", flat=True)
    while keys := list(rows.filter(pk__gt=last)[:ORDERS_AT_ONCE]):
        moved += facts_keep(keys)
        last = keys[-1]
    return moved
