"""Search orders by keyword: for customers by order number, purchase order number, product name or
code; for staff also by parcel, payment, amount, cost center, customer and person.
"""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Any

from django.db.models import Count, F, Q, QuerySet

from apps.common.money import ZERO, parse_cell_amount
from apps.common.queries import build_text_condition, list_newest_keys
from apps.orders.models import Order, OrderedName, OrderLine, Payment, Shipment
from apps.org.models import Account, Enterprise, Group

WHOLE_NUMBER = re.compile(r"SO[0-9]{14}")
PART_OF_NUMBER = re.compile(r"(SO)?[0-9]{4,14}")
# This many digits can only be part of an order number. Fewer may also be a product code or model.
SURELY_A_NUMBER = 8
# Above this number of products or orders, the query filters the rows instead of a list of keys.
MAX_KEYS = 2000

# If more customers or people match, only the newest are searched.
MAX_NAMED = 200
MAX_TEXT = 60
# The highest amount due that the search looks for.
MAX_AMOUNT = Decimal("9999999999.99")


def build_keyword_condition(text: str) -> Q:
    """Return the condition on orders for a keyword. One query finds the products that were
    ordered under the name. If there is none, or the text is too long for a code, a second
    query searches the order numbers.
    """
    number = text.upper()
    if WHOLE_NUMBER.fullmatch(number):
        return Q(order_no=number)
    lines, is_known = _find_lines(text)
    sources: list[QuerySet[Any]] = [
        lines.values("order_id"),
        Order.objects.filter(purchase_order_no=text).values("pk"),
    ]
    if PART_OF_NUMBER.fullmatch(number) and (not is_known or len(number) >= SURELY_A_NUMBER):
        numbered = Order.objects.filter(order_no__contains=number).order_by()
        keys = list(numbered.values_list("pk", flat=True)[: MAX_KEYS + 1])
        sources.append(
            (Order.objects.filter(pk__in=keys) if len(keys) <= MAX_KEYS else numbered).values("pk")
        )
    first, *others = (rows.order_by() for rows in sources)
    return Q(pk__in=first.union(*others))


def _find_lines(text: str) -> tuple[QuerySet[OrderLine], bool]:
    """Return (lines with this name or code, whether any exists). If all names of a product
    match, the product index alone finds its lines.
    """
    name_matches = (
        Q(name__icontains=text)
        | Q(customer_name__icontains=text)
        | Q(product_code=text)
        | Q(customer_code=text)
    )
    match_counts = (
        OrderedName.objects.order_by()
        .values("product_id")
        .annotate(name_count=Count("pk"), match_count=Count("pk", filter=name_matches))
    )
    matching_products = list(
        match_counts.filter(match_count__gt=0)
        .annotate(other_names=F("name_count") - F("match_count"))
        .values_list("product_id", "other_names")[: MAX_KEYS + 1]
    )
    lines: QuerySet[OrderLine] = OrderLine.objects.all()
    if len(matching_products) > MAX_KEYS:
        return lines.filter(name_matches), True
    fully_matching_ids, partly_matching_ids = (
        [pk for pk, other_names in matching_products if not other_names],
        [pk for pk, other_names in matching_products if other_names],
    )
    line_condition = (
        Q(product_id__in=fully_matching_ids)
        | (Q(product_id__in=partly_matching_ids) & name_matches)
        if partly_matching_ids
        else Q(product_id__in=fully_matching_ids)
    )
    return lines.filter(line_condition), bool(matching_products)


def _build_amount_condition(text: str) -> Q | None:
    """Return the condition on orders with this amount due, or None if the text is no amount."""
    try:
        amount = parse_cell_amount(text)
    except ValueError:
        return None
    return Q(total_amount=amount) if ZERO < amount <= MAX_AMOUNT else None


def build_staff_search_condition(text: str) -> Q:
    """Return the condition on orders for the text. The caller must open the platform scope."""
    text = text.strip()[:MAX_TEXT]
    if not text:
        return Q()
    groups, _more = list_newest_keys(
        Group.objects.filter(build_text_condition("name", text)), "pk", limit=MAX_NAMED
    )
    name_matches = (
        build_text_condition("name", text)
        | Q(code__in={text, text.upper(), text.lower()})
        | Q(group_id__in=groups)
    )
    enterprises, _more = list_newest_keys(
        Enterprise.objects.filter(name_matches), "pk", limit=MAX_NAMED
    )
    customer_matches = (
        Q(username=text.casefold())
        | build_text_condition("nickname", text)
        | build_text_condition("full_name", text)
        | Q(mobile=text)
    )
    people, _more = list_newest_keys(
        Account.objects.filter(customer_matches, group__isnull=False), "pk", limit=MAX_NAMED
    )
    sources: list[QuerySet[Any]] = [
        Order.objects.filter(build_keyword_condition(text)).values("pk"),
        Shipment.objects.filter(Q(tracking_no=text) | Q(shipment_no=text.upper())).values(
            "order_id"
        ),
        Payment.objects.filter(Q(payment_no=text) | Q(gateway_reference=text)).values("order_id"),
        Order.objects.filter(cost_center__in={text, text.upper(), text.lower()}).values("pk"),
        Order.objects.filter(enterprise_id__in=enterprises).values("pk"),
        Order.objects.filter(requester_id__in=people).values("pk"),
    ]
    if (amount := _build_amount_condition(text)) is not None:
        sources.append(Order.objects.filter(amount).values("pk"))
    first, *others = (rows.order_by() for rows in sources)
    return Q(pk__in=first.union(*others))
