"""Update the facts of orders to match their source rows, after an event or in a rebuild. Late or
repeated messages give the same result.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction

from apps.common.models import OutboxMessage
from apps.common.tenancy import tenant_scope
from apps.invoices.models import InvoiceLine
from apps.orders.enums import OrderEventKind
from apps.orders.models import Order
from apps.org.models import Group
from apps.reports.models import ReportFact, ReportOrderDay
from apps.reports.selectors.facts import iterate_facts, sum_days


@dataclass(frozen=True, slots=True)
class _ReadModel:
    """A table of the read model. `key` identifies a row; all other columns are its values."""

    model: Any
    key: tuple[str, ...]

    def list_value_columns(self) -> dict[str, str]:
        """Return the value columns: attribute name → field name."""
        fields = self.model._meta.concrete_fields
        return {
            field.attname: field.name
            for field in fields
            if field.attname not in {"id", "group_id", *self.key}
        }


FACTS = _ReadModel(ReportFact, ("kind", "source_id"))
ORDER_DAYS = _ReadModel(ReportOrderDay, ("order_id", "basis", "day"))
REBUILD_BATCH = 200
Handler = Callable[[str, dict[str, Any]], None]


@transaction.atomic
def facts_update(order_ids: Collection[int]) -> int:
    """Insert, update and delete facts of these orders and their daily sums. All orders belong
    to one group. Return the number of changed facts.

    The orders are locked first, in the order of their keys. If two transactions update the same
    order, the second one reads the result of the first.
    """
    rows = Order.objects.select_for_update(of=("self",), no_key=True).filter(pk__in=order_ids)
    orders = list(rows.select_related("budget_reservation").order_by("pk"))
    facts = list(iterate_facts(orders))
    _replace_rows(ORDER_DAYS, order_ids, sum_days(facts))
    return _replace_rows(FACTS, order_ids, facts)


def _replace_rows(table: _ReadModel, order_ids: Collection[int], rows: Iterable[Any]) -> int:
    """Make the rows of these orders equal to `rows`. Return the number of inserted, updated
    and deleted rows.
    """
    columns = table.list_value_columns()
    existing = {
        _build_row_values(row, table.key): row
        for row in table.model.objects.filter(order__in=order_ids).order_by()
    }
    new_rows, changed_rows = [], []
    for row in rows:
        stored_row = existing.pop(_build_row_values(row, table.key), None)
        if stored_row is None:
            new_rows.append(row)
        elif _build_row_values(stored_row, columns) != _build_row_values(row, columns):
            row.pk = stored_row.pk
            changed_rows.append(row)
    table.model.objects.bulk_create(new_rows, batch_size=500)
    table.model.objects.bulk_update(changed_rows, list(columns.values()), batch_size=200)
    if existing:
        table.model.objects.filter(pk__in=[row.pk for row in existing.values()]).delete()
    return len(new_rows) + len(changed_rows) + len(existing)


def _build_row_values(row: Any, names: Iterable[str]) -> tuple[Any, ...]:
    return tuple(getattr(row, name) for name in names)


def facts_rebuild(
    *, group_id: int | None = None, write_line: Callable[[str], object] = lambda _: None
) -> int:
    """Return the number of changed rows, 0 if the read model was correct. Memory use is limited
    to 200 orders.

    The caller must open the platform scope. Each batch of 200 orders is one transaction, so that
    readers never see missing facts.
    """
    groups = Group.objects.order_by("pk")
    changed_count = 0
    for group in groups if group_id is None else groups.filter(pk=group_id):
        with tenant_scope(group_id=group.pk):
            count = _rebuild_group()
        write_line(f"{group.name}：{count} 行")
        changed_count += count
    return changed_count


def _rebuild_group() -> int:
    """Compute the facts of all orders in the open scope again. Return how many changed."""
    last_pk, changed_count = 0, 0
    rows = Order.objects.order_by("pk").values_list("pk", flat=True)
    while order_ids := list(rows.filter(pk__gt=last_pk)[:REBUILD_BATCH]):
        changed_count += facts_update(order_ids)
        last_pk = order_ids[-1]
    return changed_count


def handle_order_changed(_key: str, payload: dict[str, Any]) -> None:
    """Update the facts of the order that the payload names."""
    facts_update([payload["order_id"]])


def handle_orders_changed_batch(messages: Sequence[OutboxMessage]) -> None:
    """Update the facts of all orders that the messages of one group name."""
    facts_update({message.payload["order_id"] for message in messages})


def handle_invoice_issued(key: str, _payload: dict[str, Any]) -> None:
    """Update the facts of the orders on an invoice, blue or red. The message key is its request
    number.
    """
    facts_update(list_invoiced_orders([key]))


def list_invoiced_orders(request_nos: list[str]) -> list[int]:
    """Return the keys of the orders on these invoices."""
    rows = InvoiceLine.objects.filter(invoice__request_no__in=request_nos).order_by("order")
    return list(rows.values_list("order_id", flat=True).distinct())


ORDER_TOPICS = tuple(f"order.{kind}" for kind in OrderEventKind.values)
TOPICS: dict[str, Handler] = {
    **dict.fromkeys(ORDER_TOPICS, handle_order_changed),
    "return.refunded": handle_order_changed,
    "invoice.issued": handle_invoice_issued,
}
