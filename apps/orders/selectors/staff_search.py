"""One box of the order desk finds anything: an order, purchase order, parcel or payment by number, a customer, a person, or goods."""

from __future__ import annotations

from typing import Any

from django.db.models import Q, QuerySet

from apps.orders.models import Order, Payment, Shipment
from apps.orders.selectors.order_search import of_keyword
from apps.org.models import Account, Enterprise

# Of more customers or people than this the newest are searched.
MOST_NAMED = 200
MOST_TEXT = 60


def of_anything(text: str) -> Q:
    """Return the condition on orders; in the platform's scope."""
    text = text.strip()[:MOST_TEXT]
    if not text:
        return Q()
    named = Q(name__icontains=text) | Q(code__iexact=text) | Q(group__name__icontains=text)
    enterprises = list(Enterprise.objects.filter(named).order_by("-pk").values_list("pk", flat=True)[:MOST_NAMED])
    called = Q(username__iexact=text) | Q(nickname__icontains=text) | Q(full_name__icontains=text) | Q(mobile=text)
    people = list(Account.objects.filter(called, group__isnull=False).order_by("-pk").values_list("pk", flat=True)[:MOST_NAMED])
    found: list[QuerySet[Any]] = [
        Order.objects.filter(of_keyword(text)).values("pk"),
        Shipment.objects.filter(Q(tracking_no=text) | Q(shipment_no=text.upper())).values("order_id"),
        Payment.objects.filter(Q(payment_no=text) | Q(gateway_reference=text)).values("order_id"),
        Order.objects.filter(enterprise_id__in=enterprises).values("pk"),
        Order.objects.filter(requester_id__in=people).values("pk"),
    ]
    first, *others = (rows.order_by() for rows in found)
    return Q(pk__in=first.union(*others))
