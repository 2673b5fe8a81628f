"""The recurring orders that an account sees, and what it may do with them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db.models import Case, Count, F, IntegerField, QuerySet, Sum, Value, When

from apps.calendar.selectors import get_working_calendar
from apps.common.money import MoneyField
from apps.org.menus import MenuCode
from apps.org.selectors.data_scope import scope_filter
from apps.recurring.enums import RecurringAction, RecurringStatus
from apps.recurring.errors import RecurringOrderNotFound
from apps.recurring.models import RecurringOrder, RecurringRun
from apps.recurring.schedule import Schedule

if TYPE_CHECKING:
    from apps.org.models import Account

A, S = RecurringAction, RecurringStatus
# The actions by state. The owner may do all of them, a group admin those of ADMIN_ACTIONS.
ACTIONS: dict[str, tuple[RecurringAction, ...]] = {
    S.ACTIVE: (A.CHANGE, A.PAUSE, A.SKIP, A.END),
    S.BLOCKED: (A.CHANGE, A.DECIDE, A.PAUSE, A.SKIP, A.END),
    S.PAUSED: (A.CHANGE, A.RESUME, A.END),
    S.ENDED: (),
}
ADMIN_ACTIONS = frozenset({A.PAUSE, A.RESUME, A.SKIP, A.END})
# Runs that the detail page shows.
MAX_RUNS = 50
AGREED_AMOUNT = Sum(F("lines__quantity") * F("lines__agreed_price"), output_field=MoneyField())
URGENCY = Case(
    When(status=S.BLOCKED, then=Value(0)),
    When(status=S.ENDED, then=Value(2)),
    default=Value(1),
    output_field=IntegerField(),
)


def list_visible_recurring_orders(*, actor: Account) -> QuerySet[RecurringOrder]:
    """Return the actor's own recurring orders. With the menu code of orders, also those in its
    data scope.
    """
    scope = scope_filter(actor=actor, menu=MenuCode.ORDER_LIST, account="requester")
    rows: QuerySet[RecurringOrder] = RecurringOrder.objects.filter(scope)
    return rows


def list_recurring_orders(*, actor: Account, status: str = "") -> QuerySet[RecurringOrder]:
    """Return the visible recurring orders in a state (empty: in any), with the number of their
    lines. Those that wait for a decision come first, ended ones last.
    """
    rows = list_visible_recurring_orders(actor=actor)
    if status:
        rows = rows.filter(status=status)
    return (
        rows.select_related("requester", "department")
        .annotate(line_count=Count("lines"), agreed_amount=AGREED_AMOUNT)
        .order_by(URGENCY, "next_due", "-pk")
    )


def count_by_status(*, actor: Account) -> dict[str, int]:
    """Return the number of visible recurring orders by state. One query."""
    rows = list_visible_recurring_orders(actor=actor).order_by().values("status")
    counts_by_status = {row["status"]: row["number"] for row in rows.annotate(number=Count("pk"))}
    return {status: counts_by_status.get(status, 0) for status in RecurringStatus.values}


def get_recurring_order(*, actor: Account, recurring_no: str) -> RecurringOrder:
    """Return one recurring order that the actor may see, with its people, lines and runs.

    Raises:
        RecurringOrderNotFound: the actor cannot see one with this number.
    """
    row = (
        list_visible_recurring_orders(actor=actor)
        .select_related("requester", "department", "address", "invoice_title", "budget")
        .annotate(line_count=Count("lines"), agreed_amount=AGREED_AMOUNT)
        .filter(recurring_no=recurring_no)
        .first()
    )
    if row is None:
        raise RecurringOrderNotFound
    return row


def get_recurring_actions(*, actor: Account, row: RecurringOrder) -> list[str]:
    """Return the codes of the actions that the actor may take now."""
    actions = ACTIONS[row.status]
    if row.requester_id != actor.pk:
        actions = tuple(each for each in actions if each in ADMIN_ACTIONS)
        if not actor.is_group_admin:
            actions = ()
    return [action.value for action in actions]


def list_runs(row: RecurringOrder) -> QuerySet[RecurringRun]:
    """Return the newest runs with their orders, newest first."""
    runs: QuerySet[RecurringRun] = row.runs.select_related("order").order_by("-due_on")
    return runs[:MAX_RUNS]


def build_schedule(row: RecurringOrder) -> Schedule:
    """Return the schedule with the present calendar. One query."""
    return Schedule(rhythm=row.rhythm, number=row.number, calendar=get_working_calendar())
