"""All data of the workbench in one call: own work, order counts and spend over the data scope, and
figures for administrators. Data without its menu code is not queried.
"""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet, Subquery, Sum, Value
from django.db.models.functions import Coalesce, NullIf, TruncMonth
from django.utils import timezone

from apps.aftersales.selectors.returns import count_returns_todo
from apps.approvals.enums import ApprovalStatus
from apps.approvals.models import Approval, ApprovalRule, ApprovalRuleStep, ApprovalTask
from apps.approvals.selectors.inbox import count_todo
from apps.approvals.selectors.waiting import build_late_tasks_condition
from apps.budgets.selectors.budget_list import BudgetGauges, get_budget_gauges
from apps.budgets.selectors.transfers import count_transfers_to_decide
from apps.calendar.selectors import WorkingCalendar, get_working_calendar
from apps.common.days import start_of_day
from apps.common.money import ZERO
from apps.inquiries.selectors import count_quoted_inquiries
from apps.invoices.selectors.available import count_orders_to_invoice
from apps.orders.enums import PURCHASED, OrderStatus
from apps.orders.models import Order, OrderLine
from apps.orders.selectors.access import list_orders_in_scope
from apps.orders.selectors.orders import OWED_ONLINE, UNPAID, build_awaits_review_condition
from apps.orders.selectors.purchase_history import PurchaseHabits, get_purchase_habits
from apps.org.enums import DataScope
from apps.org.menus import MenuCode
from apps.org.selectors.accounts import WITHOUT_ROLE, list_visible_accounts
from apps.org.selectors.departments import list_department_ids_below
from apps.requisitions.selectors import count_waiting_requisitions
from apps.workbench.models import DEFAULT_COUNT, WorkbenchShortcuts, list_allowed_shortcuts

if TYPE_CHECKING:
    from apps.org.models import Account

MAX_RECENT_ORDERS = 5
MAX_FREQUENT = 6
MAX_GAUGES = 6

MONTHS = 12
# Open states in the order of an order's life. 待支付 is part of 待确认, as in the tabs of the list.
OPEN_STATES = (
    OrderStatus.PENDING_APPROVAL,
    UNPAID,
    OrderStatus.PENDING_CONFIRM,
    OrderStatus.PENDING_SHIPMENT,
    OrderStatus.PARTLY_SHIPPED,
    OrderStatus.PENDING_RECEIPT,
)
WIDE = (DataScope.ENTERPRISE, DataScope.GROUP)


@dataclass(frozen=True, slots=True)
class Shortcuts:
    """The shown codes and all allowed codes. `is_arranged`: the person chose them."""

    chosen: list[str]
    allowed: list[str]
    is_arranged: bool


@dataclass(frozen=True, slots=True)
class Workbench:
    """Counts and figures of the workbench. A value is None if the actor lacks its menu code.

    `scope` is the data scope of the order figures; `returns` has the keys of `count_returns_todo`.
    """

    pending_approval: int | None
    late_approval: int | None
    admin_figures: AdminFigures
    quoted_inquiries: int
    transfers_to_decide: int | None
    requisitions_to_order: int | None
    returns: dict[str, int | None]
    orders_to_invoice: int | None
    scope: DataScope
    orders: OrderFigures | None
    recent_orders: list[Order] | None
    gauges: BudgetGauges
    habits: PurchaseHabits
    shortcuts: Shortcuts


def get_workbench(*, actor: Account) -> Workbench:
    """Return the workbench of the actor: own work, and figures over the data scope."""
    scope = actor.get_data_scope(MenuCode.ORDER_LIST)
    # Orders and budgets both need the subtree, so it is read once.
    subtree_ids = list_department_ids_below(account=actor)
    orders = (
        list_orders_in_scope(actor=actor, subtree_ids=subtree_ids)
        if actor.has_menu_code(MenuCode.ORDER_LIST)
        else None
    )
    approves = actor.has_menu_code(MenuCode.ORDER_APPROVAL)
    # Only approvers and rule managers need the holidays. The query is skipped for others.
    calendar = (
        get_working_calendar()
        if approves or actor.has_menu_code(MenuCode.MANAGEMENT_APPROVAL)
        else WorkingCalendar({})
    )
    pending_count, late_count = (
        count_todo(actor=actor, calendar=calendar) if approves else (None, None)
    )
    return Workbench(
        pending_approval=pending_count,
        late_approval=late_count,
        admin_figures=get_admin_figures(actor=actor, calendar=calendar),
        quoted_inquiries=count_quoted_inquiries(actor=actor),
        transfers_to_decide=count_transfers_to_decide(actor=actor),
        requisitions_to_order=count_waiting_requisitions(actor=actor, subtree_ids=subtree_ids),
        returns=count_returns_todo(actor=actor),
        orders_to_invoice=count_orders_to_invoice(actor=actor, subtree_ids=subtree_ids),
        scope=scope,
        orders=None if orders is None else get_order_figures(actor=actor, orders=orders),
        recent_orders=None if orders is None else _list_recent_orders(orders),
        gauges=get_budget_gauges(actor=actor, limit=MAX_GAUGES, subtree_ids=subtree_ids),
        habits=get_purchase_habits(actor=actor, count=MAX_FREQUENT),
        shortcuts=get_shortcuts(actor=actor),
    )


def _list_recent_orders(orders: QuerySet[Order]) -> list[Order]:
    """Return the newest orders with name and brand of their first line and the number of lines. One
    query.
    """
    lines = OrderLine.objects.filter(order=OuterRef("pk")).order_by("no")
    number = lines.order_by().values("order").annotate(number=Count("pk")).values("number")
    shown_name = Coalesce(NullIf("customer_name", Value("")), F("name"))
    first = lines.annotate(shown=shown_name)
    return list(
        orders.select_related("requester").annotate(
            first_name=Subquery(first.values("shown")[:1]),
            first_brand=Subquery(lines.values("brand")[:1]),
            line_count=Subquery(number),
        )[:MAX_RECENT_ORDERS]
    )


def get_shortcuts(*, actor: Account) -> Shortcuts:
    """Return the actor's chosen shortcuts that are still allowed. Without any, return the
    default.
    """
    allowed_codes = list_allowed_shortcuts(actor=actor)
    saved_codes = (
        WorkbenchShortcuts.objects.filter(account=actor).values_list("codes", flat=True).first()
    )
    codes = [code for code in saved_codes or () if code in allowed_codes]
    return Shortcuts(codes or allowed_codes[:DEFAULT_COUNT], allowed_codes, is_arranged=bool(codes))


@dataclass(frozen=True, slots=True)
class MonthSpend:
    """The spend of a month (its first day) in 元 含税, and the number of orders."""

    month: date
    amount: Decimal
    orders: int


@dataclass(frozen=True, slots=True)
class OrderFigures:
    """Orders by open state, in the data scope (`open`) and of the actor (`own`), and the last
    twelve months including the current one.

    `before` is the spend of the previous month up to the day `before_to`, to compare with the
    current month.
    """

    open: dict[str, int]
    own: dict[str, int]
    own_to_review: int
    months: list[MonthSpend]
    before: Decimal
    before_to: date


def get_order_figures(*, actor: Account, orders: QuerySet[Order]) -> OrderFigures:
    """Return the counts and sums of these orders in one query. Spend counts the same states as
    the rankings, by the day of the submit.
    """
    today = timezone.localdate()
    month_starts = _list_month_starts(today)
    before_to = _get_same_day(month_starts[-2], today)
    is_before = Q(
        submitted_at__gte=start_of_day(month_starts[-2]),
        submitted_at__lt=start_of_day(before_to + timedelta(days=1)),
    )
    under_way = [status for status in OPEN_STATES if status != UNPAID]
    is_own = Q(requester=actor)
    own_to_review = is_own & build_awaits_review_condition()
    # An order older than twelve months may have a recent receipt and still wait for a review.
    counted_rows = (
        Q(status__in=under_way)
        | Q(status__in=PURCHASED, submitted_at__gte=start_of_day(month_starts[0]))
        | own_to_review
    )
    rows: Any = (
        orders.filter(counted_rows)
        .order_by()
        .values("status", month=TruncMonth("submitted_at"))
        .annotate(
            number=Count("pk"),
            own=Count("pk", filter=is_own),
            unpaid=Count("pk", filter=OWED_ONLINE),
            own_unpaid=Count("pk", filter=OWED_ONLINE & is_own),
            own_to_review=Count("pk", filter=own_to_review),
            amount=Sum("total_amount"),
            before=Sum("total_amount", filter=is_before),
        )
    )
    return _build_order_figures(list(rows), month_starts, before_to)


def _build_order_figures(
    rows: list[dict[str, Any]], month_starts: list[date], before_to: date
) -> OrderFigures:
    """Return the counts of open orders and the spending by month. `rows`: the sums of one status
    each.
    """
    purchased_rows = [row for row in rows if row["status"] in PURCHASED]
    return OrderFigures(
        open={
            status: _sum_counts(rows=rows, status=status, number="number", unpaid="unpaid")
            for status in OPEN_STATES
        },
        own={
            status: _sum_counts(rows=rows, status=status, number="own", unpaid="own_unpaid")
            for status in OPEN_STATES
        },
        own_to_review=sum(row["own_to_review"] for row in rows),
        months=[_sum_month_spend(first, purchased_rows) for first in month_starts],
        before=sum((row["before"] or ZERO for row in purchased_rows), ZERO),
        before_to=before_to,
    )


def _sum_counts(rows: Iterable[dict[str, Any]], status: str, number: str, unpaid: str) -> int:
    return sum(
        row[unpaid] if status == UNPAID else row[number]
        for row in rows
        if status in (UNPAID, row["status"])
    )


def _sum_month_spend(month_start: date, purchased_rows: list[dict[str, Any]]) -> MonthSpend:
    """Return amount (元) and number of the orders of one month."""
    month_rows = [row for row in purchased_rows if _get_day(row["month"]) == month_start]
    return MonthSpend(
        month_start,
        sum((row["amount"] for row in month_rows), ZERO),
        sum(row["number"] for row in month_rows),
    )


def _get_day(moment: datetime) -> date:
    return timezone.localtime(moment).date()


def _list_month_starts(today: date) -> list[date]:
    """Return the first days of the last twelve months, including the current month."""
    present_month = today.year * 12 + today.month - 1
    return [
        date(index // 12, index % 12 + 1, 1)
        for index in range(present_month - MONTHS + 1, present_month + 1)
    ]


def _get_same_day(first: date, today: date) -> date:
    """Return the same day number in that month, or its last day if the month is shorter."""
    return first.replace(day=min(today.day, monthrange(first.year, first.month)[1]))


@dataclass(frozen=True, slots=True)
class AdminFigures:
    """The figures. A value is None if the actor lacks its menu code, or its data scope is too
    narrow.
    """

    late_approvals: int | None
    people_without_role: int | None
    rules_with_disabled: int | None


def get_admin_figures(*, actor: Account, calendar: WorkingCalendar) -> AdminFigures:
    """Return the figures for the actor. One query for each figure that the actor may see."""
    people = rules = None
    if _has_wide_scope(actor, MenuCode.MANAGEMENT_ACCOUNT):
        people = (
            list_visible_accounts(actor=actor, menu=MenuCode.MANAGEMENT_ACCOUNT)
            .filter(WITHOUT_ROLE)
            .count()
        )
    if _has_wide_scope(actor, MenuCode.MANAGEMENT_APPROVAL):
        rules = _list_rules_with_disabled(actor).count()
    return AdminFigures(_count_late_approvals(actor, calendar), people, rules)


def _has_wide_scope(actor: Account, menu: str) -> bool:
    """Return whether the actor has the menu code with the data scope of an enterprise or the
    group.
    """
    return actor.has_menu_code(menu) and actor.get_data_scope(menu) in WIDE


def _count_late_approvals(actor: Account, calendar: WorkingCalendar) -> int | None:
    """Return the number of pending approvals with a late task in the actor's data scope. None
    unless the actor manages rules or sees the approvals of a whole enterprise.
    """
    menu = next(
        (
            code
            for code in (MenuCode.MANAGEMENT_APPROVAL, MenuCode.ORDER_APPROVAL)
            if _has_wide_scope(actor, code)
        ),
        None,
    )
    if menu is None:
        return None
    late = ApprovalTask.objects.filter(
        build_late_tasks_condition(actor=actor, calendar=calendar), step__approval=OuterRef("pk")
    )
    rows = Approval.objects.filter(Exists(late), status=ApprovalStatus.PENDING)
    if actor.get_data_scope(menu) != DataScope.GROUP:
        rows = rows.filter(
            requester__in=list_visible_accounts(actor=actor, menu=menu).order_by().values("pk")
        )
    return int(rows.count())


def _list_rules_with_disabled(actor: Account) -> QuerySet[ApprovalRule]:
    """Return the rules in force that name a disabled account, of the actor's enterprise or,
    with group scope, of the whole group.
    """
    today = timezone.localdate()
    disabled_steps = ApprovalRuleStep.objects.filter(rule=OuterRef("pk"), accounts__is_active=False)
    in_force = Q(valid_until=None) | Q(valid_until__gte=today)
    rows: QuerySet[ApprovalRule] = ApprovalRule.objects.filter(
        in_force, Exists(disabled_steps), is_active=True
    )
    if actor.get_data_scope(MenuCode.MANAGEMENT_APPROVAL) == DataScope.GROUP:
        return rows
    in_enterprise = (
        Q(enterprise=None, department=None)
        | Q(enterprise=actor.enterprise_id)
        | Q(department__enterprise=actor.enterprise_id)
    )
    return rows.filter(in_enterprise)
