"""Everything the workbench shows, in one call: what one has no code for is neither asked nor shown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db.models import Count, F, OuterRef, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce, NullIf

from apps.approvals.selectors.inbox import todo_figures
from apps.budgets.selectors.budget_gauges import BudgetGauges, budget_gauges
from apps.budgets.selectors.transfers import transfers_to_decide
from apps.catalog.selectors.inquiries import inquiries_quoted
from apps.catalog.selectors.offers import Offer
from apps.content.selectors.working_time import WorkingCalendar, working_calendar
from apps.orders.models import Order, OrderLine, WorkbenchShortcuts
from apps.orders.selectors.kept import Kept, kept_by
from apps.orders.selectors.recommended import frequently_bought
from apps.orders.selectors.scope import orders_in_scope
from apps.orders.selectors.spend import OrdersInView, orders_in_view
from apps.orders.shortcuts import OFFERED, shortcuts_allowed
from apps.orders.todo import todo_counts
from apps.org.enums import DataScope
from apps.org.menus import MenuCode
from apps.org.selectors.department_chain import departments_below

if TYPE_CHECKING:
    from apps.org.models import Account

RECENT = 5
OFTEN = 6
GAUGES = 6


@dataclass(frozen=True, slots=True)
class Shortcuts:
    """The codes that stand there, and all that may; `is_arranged` where he chose them himself."""

    chosen: list[str]
    allowed: list[str]
    is_arranged: bool


@dataclass(frozen=True, slots=True)
class Workbench:
    """What waits for the person, and what he watches over. None is what he has no code for; `scope` is whose orders are counted.

    `above` is what the apps above count by their own names (apps.orders.todo).
    """

    pending_approval: int | None
    late_approval: int | None
    kept: Kept
    quoted_inquiries: int
    transfers_to_decide: int | None
    above: dict[str, int | None]
    scope: DataScope
    orders: OrdersInView | None
    recent_orders: list[Order] | None
    gauges: BudgetGauges
    often: list[Offer]
    shortcuts: Shortcuts


def workbench(*, actor: Account) -> Workbench:
    """Return what the workbench shows to the actor: his own work, and figures over his data scope."""
    scope = actor.data_scope_of(MenuCode.ORDER_LIST)
    # Read once for orders and budgets.
    below = departments_below(account=actor)
    orders = orders_in_scope(actor=actor, below=below) if actor.has_menu_code(MenuCode.ORDER_LIST) else None
    approves = actor.has_menu_code(MenuCode.ORDER_APPROVAL)
    # Who neither approves nor keeps the rules need not be told the holidays.
    calendar = working_calendar() if approves or actor.has_menu_code(MenuCode.MANAGEMENT_APPROVAL) else WorkingCalendar({})
    pending, late = todo_figures(actor=actor, calendar=calendar) if approves else (None, None)
    return Workbench(
        pending_approval=pending,
        late_approval=late,
        kept=kept_by(actor=actor, calendar=calendar),
        quoted_inquiries=inquiries_quoted(actor=actor),
        transfers_to_decide=transfers_to_decide(actor=actor),
        above=todo_counts(actor=actor, below=below),
        scope=scope,
        orders=None if orders is None else orders_in_view(actor=actor, orders=orders),
        recent_orders=None if orders is None else _recent(orders),
        gauges=budget_gauges(actor=actor, most=GAUGES, below=below),
        often=frequently_bought(actor=actor, count=OFTEN),
        shortcuts=shortcuts_of(actor=actor),
    )


def _recent(orders: QuerySet[Order]) -> list[Order]:
    """Return the last orders, each with the name of its first line and the number of its lines; one query."""
    lines = OrderLine.objects.filter(order=OuterRef("pk")).order_by("no")
    number = lines.order_by().values("order").annotate(number=Count("pk")).values("number")
    named = Coalesce(NullIf("customer_name", Value("")), F("name"))
    first = lines.annotate(shown=named).values("shown")[:1]
    return list(orders.select_related("requester").annotate(first_name=Subquery(first), line_count=Subquery(number))[:RECENT])


def shortcuts_of(*, actor: Account) -> Shortcuts:
    """Return the actor's shortcuts: those he chose as far as he still may use them, else those that are offered."""
    allowed = shortcuts_allowed(actor=actor)
    kept = WorkbenchShortcuts.objects.filter(account=actor).values_list("codes", flat=True).first()
    chosen = [code for code in kept or () if code in allowed]
    return Shortcuts(chosen or allowed[:OFFERED], allowed, bool(chosen))
