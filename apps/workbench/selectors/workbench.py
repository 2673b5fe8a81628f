"""All data of the workbench in one call. Data without its menu code is not queried."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db.models import Count, F, OuterRef, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce, NullIf

from apps.aftersales.selectors.returns import returns_todo
from apps.approvals.selectors.inbox import count_todo
from apps.budgets.selectors.budget_list import BudgetGauges, get_budget_gauges
from apps.budgets.selectors.transfers import count_transfers_to_decide
from apps.calendar.selectors import WorkingCalendar, working_calendar
from apps.inquiries.selectors import inquiries_quoted
from apps.invoices.selectors.available import count_orders_to_invoice
from apps.orders.models import Order, OrderLine
from apps.orders.selectors.access import orders_in_scope
from apps.orders.selectors.purchase_history import frequently_bought
from apps.org.enums import DataScope
from apps.org.menus import MenuCode
from apps.org.selectors.departments import departments_below
from apps.pricing.selectors.offers import Offer
from apps.requisitions.selectors import count_waiting_requisitions
from apps.workbench.models import WorkbenchShortcuts
from apps.workbench.selectors.oversight import Kept, kept_by
from apps.workbench.selectors.spend import OrdersInView, orders_in_view
from apps.workbench.shortcuts import OFFERED, shortcuts_allowed

if TYPE_CHECKING:
    from apps.org.models import Account

RECENT = 5
OFTEN = 6
GAUGES = 6


@dataclass(frozen=True, slots=True)
class Shortcuts:
    """The shown codes and all allowed codes. `is_arranged`: the person chose them."""

    chosen: list[str]
    allowed: list[str]
    is_arranged: bool


@dataclass(frozen=True, slots=True)
class Workbench:
    """Counts and figures of the workbench. A value is None if the actor lacks its menu code.

    `scope` is the data scope of the order figures; `returns` has the keys of `returns_todo`.
    """

    pending_approval: int | None
    late_approval: int | None
    kept: Kept
    quoted_inquiries: int
    transfers_to_decide: int | None
    requisitions_to_order: int | None
    returns: dict[str, int | None]
    orders_to_invoice: int | None
    scope: DataScope
    orders: OrdersInView | None
    recent_orders: list[Order] | None
    gauges: BudgetGauges
    often: list[Offer]
    shortcuts: Shortcuts


def workbench(*, actor: Account) -> Workbench:
    """Return the workbench of the actor: own work, and figures over the data scope."""
    scope = actor.data_scope_of(MenuCode.ORDER_LIST)
    # Orders and budgets both need the subtree, so it is read once.
    below = departments_below(account=actor)
    orders = (
        orders_in_scope(actor=actor, below=below)
        if actor.has_menu_code(MenuCode.ORDER_LIST)
        else None
    )
    approves = actor.has_menu_code(MenuCode.ORDER_APPROVAL)
    # Only approvers and rule managers need the holidays. The query is skipped for others.
    calendar = (
        working_calendar()
        if approves or actor.has_menu_code(MenuCode.MANAGEMENT_APPROVAL)
        else WorkingCalendar({})
    )
    pending, late = count_todo(actor=actor, calendar=calendar) if approves else (None, None)
    return Workbench(
        pending_approval=pending,
        late_approval=late,
        kept=kept_by(actor=actor, calendar=calendar),
        quoted_inquiries=inquiries_quoted(actor=actor),
        transfers_to_decide=count_transfers_to_decide(actor=actor),
        requisitions_to_order=count_waiting_requisitions(actor=actor, below=below),
        returns=returns_todo(actor=actor),
        orders_to_invoice=count_orders_to_invoice(actor=actor, below=below),
        scope=scope,
        orders=None if orders is None else orders_in_view(actor=actor, orders=orders),
        recent_orders=None if orders is None else _recent(orders),
        gauges=get_budget_gauges(actor=actor, most=GAUGES, below=below),
        often=frequently_bought(actor=actor, count=OFTEN),
        shortcuts=shortcuts_of(actor=actor),
    )


def _recent(orders: QuerySet[Order]) -> list[Order]:
    """Return the newest orders with the name of their first line and the number of lines. One
    query.
    """
    lines = OrderLine.objects.filter(order=OuterRef("pk")).order_by("no")
    number = lines.order_by().values("order").annotate(number=Count("pk")).values("number")
    named = Coalesce(NullIf("customer_name", Value("")), F("name"))
    first = lines.annotate(shown=named).values("shown")[:1]
    return list(
        orders.select_related("requester").annotate(
            first_name=Subquery(first), line_count=Subquery(number)
        )[:RECENT]
    )


def shortcuts_of(*, actor: Account) -> Shortcuts:
    """Return the actor's chosen shortcuts that are still allowed. Without any, return the
    default.
    """
    allowed = shortcuts_allowed(actor=actor)
    kept = WorkbenchShortcuts.objects.filter(account=actor).values_list("codes", flat=True).first()
    chosen = [code for code in kept or () if code in allowed]
    return Shortcuts(chosen or allowed[:OFFERED], allowed, bool(chosen))
