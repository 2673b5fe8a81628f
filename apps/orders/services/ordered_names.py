"""Save the names under which products are ordered. The order search reads them."""

from __future__ import annotations

from collections.abc import Iterable

from apps.orders.models import OrderedName, OrderLine


def ordered_names_write(lines: Iterable[OrderLine]) -> None:
    """Save the new names of the lines. Call it after the stock of the lines is locked, so that
    two submits do not deadlock.
    """
    rows = {
        (line.product_id, line.name, line.customer_name, line.customer_code): OrderedName(
            group_id=line.group_id,
            product_id=line.product_id,
            product_code=line.product_code,
            name=line.name,
            customer_name=line.customer_name,
            customer_code=line.customer_code,
        )
        for line in lines
    }
    OrderedName.objects.bulk_create((rows[key] for key in sorted(rows)), ignore_conflicts=True)
