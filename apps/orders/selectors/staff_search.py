"""The search box of the order desk. It searches order, purchase order, parcel and payment
numbers, cost centers, customers, people and goods.
"""

from __future__ import annotations

from typing import Any

from django.db.models import Q, QuerySet

from apps.common.searching import has_text, newest_keys
from apps.orders.models import Order, Payment, Shipment
from apps.orders.selectors.order_search import of_keyword
from apps.org.models import Account, Enterprise, Group

# If more customers or people match, only the newest are searched.
MOST_NAMED = 200
MOST_TEXT = 60


def of_anything(text: str) -> Q:
    """Return the condition on orders for the search text. Runs in the platform scope."""
    text = text.strip()[:MOST_TEXT]
    if not text:
        return Q()
    groups, _more = newest_keys(Group.objects.filter(has_text("name", text)), "pk", most=MOST_NAMED)
    named = (
        has_text("name", text)
        | Q(code__in={text, text.upper(), text.lower()})
        | Q(group_id__in=groups)
    )
    enterprises, _more = newest_keys(Enterprise.objects.filter(named), "pk", most=MOST_NAMED)
    called = (
        Q(username=text.casefold())
        | has_text("nickname", text)
        | has_text("full_name", text)
        | Q(mobile=text)
    )
    people, _more = newest_keys(
        Account.objects.filter(called, group__isnull=False), "pk", most=MOST_NAMED
    )
    found: list[QuerySet[Any]] = [
        Order.objects.filter(of_keyword(text)).values("pk"),
        Shipment.objects.filter(Q(tracking_no=text) | Q(shipment_no=text.upper())).values(
            "order_id"
        ),
        Payment.objects.filter(Q(payment_no=text) | Q(gateway_reference=text)).values("order_id"),
        Order.objects.filter(cost_center__in={text, text.upper(), text.lower()}).values("pk"),
        Order.objects.filter(enterprise_id__in=enterprises).values("pk"),
        Order.objects.filter(requester_id__in=people).values("pk"),
    ]
    first, *others = (rows.order_by() for rows in found)
    return Q(pk__in=first.union(*others))
