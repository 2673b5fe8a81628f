"""Search orders by keyword: order number or part of it, purchase order number, product name or
code.
"""

from __future__ import annotations

import re
from typing import Any

from django.db.models import Count, F, Q, QuerySet

from apps.orders.models import Order, OrderedName, OrderLine

WHOLE_NUMBER = re.compile(r"SO[0-9]{14}")
PART_OF_NUMBER = re.compile(r"(SO)?[0-9]{4,14}")
# This many digits can only be part of an order number. Fewer may also be a product code or model.
SURELY_A_NUMBER = 8
# Above this number of products or orders, the query filters the rows instead of a list of keys.
MOST = 2000


def of_keyword(text: str) -> Q:
    """Return the condition on orders for a keyword. One query finds the products that were
    ordered under the name. If there is none, or the text is too long for a code, a second
    query searches the order numbers.
    """
    number = text.upper()
    if WHOLE_NUMBER.fullmatch(number):
        return Q(order_no=number)
    lines, is_known = _lines(text)
    found: list[QuerySet[Any]] = [
        lines.values("order_id"),
        Order.objects.filter(purchase_order_no=text).values("pk"),
    ]
    if PART_OF_NUMBER.fullmatch(number) and (not is_known or len(number) >= SURELY_A_NUMBER):
        numbered = Order.objects.filter(order_no__contains=number).order_by()
        keys = list(numbered.values_list("pk", flat=True)[: MOST + 1])
        found.append(
            (Order.objects.filter(pk__in=keys) if len(keys) <= MOST else numbered).values("pk")
        )
    first, *others = (rows.order_by() for rows in found)
    return Q(pk__in=first.union(*others))


def _lines(text: str) -> tuple[QuerySet[OrderLine], bool]:
    """Return the lines with this name or code, and whether any exists. If all names of a
    product match, the product index alone finds its lines.
    """
    named = (
        Q(name__icontains=text)
        | Q(customer_name__icontains=text)
        | Q(product_code=text)
        | Q(customer_code=text)
    )
    counted = (
        OrderedName.objects.order_by()
        .values("product_id")
        .annotate(names=Count("pk"), hits=Count("pk", filter=named))
    )
    hits = list(
        counted.filter(hits__gt=0)
        .annotate(rest=F("names") - F("hits"))
        .values_list("product_id", "rest")[: MOST + 1]
    )
    lines: QuerySet[OrderLine] = OrderLine.objects.all()
    if len(hits) > MOST:
        return lines.filter(named), True
    whole, part = [pk for pk, rest in hits if not rest], [pk for pk, rest in hits if rest]
    fits = (
        Q(product_id__in=whole) | (Q(product_id__in=part) & named)
        if part
        else Q(product_id__in=whole)
    )
    return lines.filter(fits), bool(hits)
