"""Orders by a keyword: a number or part of it, a purchase order's, or what was ordered, by name or code."""

from __future__ import annotations

import re
from typing import Any

from django.db.models import Count, F, Q, QuerySet

from apps.orders.models import Order, OrderedName, OrderLine

WHOLE_NUMBER = re.compile(r"SO\d{14}")
PART_OF_NUMBER = re.compile(r"(SO)?\d{4,14}")
# So many digits can be but part of an order's number: fewer may be a code or a model's figure as well.
SURELY_A_NUMBER = 8
# Of more products or orders than this the rows are asked themselves.
MOST = 2000


def of_keyword(text: str) -> Q:
    """Return the condition on orders. One query, for the products that were ever ordered under such a name; where there is none, or the
    text is too long for a code, a second for the orders that have it in their number.
    """
    number = text.upper()
    if WHOLE_NUMBER.fullmatch(number):
        return Q(order_no=number)
    lines, is_known = _lines(text)
    found: list[QuerySet[Any]] = [lines.values("order_id"), Order.objects.filter(purchase_order_no=text).values("pk")]
    if PART_OF_NUMBER.fullmatch(number) and (not is_known or len(number) >= SURELY_A_NUMBER):
        numbered = Order.objects.filter(order_no__contains=number).order_by()
        keys = list(numbered.values_list("pk", flat=True)[: MOST + 1])
        found.append((Order.objects.filter(pk__in=keys) if len(keys) <= MOST else numbered).values("pk"))
    first, *others = (rows.order_by() for rows in found)
    return Q(pk__in=first.union(*others))


def _lines(text: str) -> tuple[QuerySet[OrderLine], bool]:
    """Return the lines under such a name, and whether there is one; where all names of a product fit, an index alone finds them."""
    named = Q(name__icontains=text) | Q(customer_name__icontains=text) | Q(product_code=text) | Q(customer_code=text)
    counted = OrderedName.objects.order_by().values("product_id").annotate(names=Count("pk"), hits=Count("pk", filter=named))
    hits = list(counted.filter(hits__gt=0).annotate(rest=F("names") - F("hits")).values_list("product_id", "rest")[: MOST + 1])
    lines: QuerySet[OrderLine] = OrderLine.objects.all()
    if len(hits) > MOST:
        return lines.filter(named), True
    whole, part = [pk for pk, rest in hits if not rest], [pk for pk, rest in hits if rest]
    fits = Q(product_id__in=whole) | (Q(product_id__in=part) & named) if part else Q(product_id__in=whole)
    return lines.filter(fits), bool(hits)
