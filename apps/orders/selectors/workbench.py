"""Everything the workbench shows, in one call."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db.models import Count, Prefetch, Q

from apps.approvals.selectors.approvals import approvals_in_box
from apps.budgets.models import Budget
from apps.budgets.selectors.budgets import budgets_usable
from apps.catalog.selectors.inquiries import inquiries_quoted
from apps.catalog.selectors.offers import Offer
from apps.orders.enums import OrderStatus
from apps.orders.models import Order, OrderLine
from apps.orders.selectors.orders import OWED_ONLINE
from apps.orders.selectors.recommended import frequently_bought
from apps.orders.selectors.scope import orders_in_scope

if TYPE_CHECKING:
    from apps.org.models import Account

RECENT = 5
OFTEN = 6


@dataclass(frozen=True, slots=True)
class Workbench:
    """Counts of what waits for the person, his budgets, his last orders, what he buys often."""

    pending_approval: int
    pending_receipt: int
    pending_payment: int
    pending_shipment: int
    own_in_approval: int
    quoted_inquiries: int
    budgets: list[Budget]
    recent_orders: list[Order]
    often: list[Offer]


def workbench(*, actor: Account) -> Workbench:
    """Return what the workbench shows to the actor; his own orders, what waits for his decision."""
    on_way = Q(status__in=[OrderStatus.PARTLY_SHIPPED, OrderStatus.PENDING_RECEIPT])
    counts = Order.objects.filter(requester=actor).aggregate(
        receipt=Count("pk", filter=on_way),
        payment=Count("pk", filter=OWED_ONLINE),
        shipment=Count("pk", filter=Q(status=OrderStatus.PENDING_SHIPMENT)),
        approval=Count("pk", filter=Q(status=OrderStatus.PENDING_APPROVAL)),
    )
    recent = orders_in_scope(actor=actor).select_related("requester", "department")
    return Workbench(
        pending_approval=approvals_in_box(actor=actor, box="todo").count(),
        pending_receipt=counts["receipt"],
        pending_payment=counts["payment"],
        pending_shipment=counts["shipment"],
        own_in_approval=counts["approval"],
        quoted_inquiries=inquiries_quoted(actor=actor),
        budgets=list(budgets_usable(actor=actor)),
        recent_orders=list(recent.prefetch_related(Prefetch("lines", OrderLine.objects.order_by("no")))[:RECENT]),
        often=frequently_bought(actor=actor, count=OFTEN),
    )
