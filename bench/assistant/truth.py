"""The truth behind the judged questions, read from the tables and not through the assistant."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

from django.db.models import Q, QuerySet, Sum
from django.utils import timezone

from apps.approvals.enums import ApprovalStatus, TaskStatus
from apps.approvals.models import Approval, ApprovalTask
from apps.budgets.models import Budget
from apps.catalog.enums import ProductStatus
from apps.catalog.models import Category, Product
from apps.orders.enums import OrderStatus as S
from apps.orders.models import Order, OrderLine
from apps.orders.selectors.orders import OWED_ONLINE
from apps.org.models import Account, Department
from apps.pricing.selectors.context import get_catalogue_context
from apps.pricing.selectors.offers import Offer, get_offers
from apps.reports.models import ReportFact
from apps.selection.solver.packs import read_pack_contents

DAY = timedelta(days=1)
Window = tuple[date, date]


def add_months(first: date, count: int) -> date:
    """Return the first day of the month `count` months later."""
    index = first.year * 12 + first.month - 1 + count
    return date(index // 12, index % 12 + 1, 1)


def get_window(time: str) -> Window:
    """Return the days of a period of the sheet, both included."""
    today = timezone.localdate()
    month, monday = today.replace(day=1), today - timedelta(days=today.weekday())
    quarter = month.replace(month=(month.month - 1) // 3 * 3 + 1)
    name, _, value = time.partition(":")
    fixed: dict[str, Window] = {
        "today": (today, today),
        "yesterday": (today - DAY, today - DAY),
        "this_week": (monday, today),
        "last_week": (monday - timedelta(days=7), monday - DAY),
        "this_month": (month, today),
        "last_month": (add_months(month, -1), month - DAY),
        "this_quarter": (quarter, today),
        "last_quarter": (add_months(quarter, -3), quarter - DAY),
        "this_year": (date(today.year, 1, 1), today),
        "last_year": (date(today.year - 1, 1, 1), date(today.year - 1, 12, 31)),
        "first_half": (date(today.year, 1, 1), date(today.year, 6, 30)),
    }
    if name in fixed:
        return fixed[name]
    if name == "month":
        first = date(today.year - (int(value) > today.month), int(value), 1)
        return first, min(add_months(first, 1) - DAY, today)
    if ".." in time:
        ends = [re.split("-", end) for end in time.split("..")]
        return date(today.year, int(ends[0][0]), int(ends[0][1])), date(
            today.year, int(ends[1][0]), int(ends[1][1])
        )
    raise ValueError(time)


def list_windows(time: str) -> list[Window]:
    """Return the windows that a period may mean: 近三个月 with or without the running month."""
    name, _, value = time.partition(":")
    if name != "last_months":
        return [get_window(time)]
    today = timezone.localdate()
    month, count = today.replace(day=1), int(value)
    day = min(today.day, 28)
    return [
        (add_months(month, 1 - count), today),
        (add_months(month, -count), month - DAY),
        (add_months(month, -count).replace(day=day), today),
        (add_months(month, -count).replace(day=day) + DAY, today),
    ]


def build_window_condition(field: str, window: Window) -> Q:
    """Return the condition that a moment lies in a window."""
    return Q(**{f"{field}__date__gte": window[0], f"{field}__date__lte": window[1]})


OPEN = (S.PENDING_APPROVAL, S.PENDING_CONFIRM, S.PENDING_SHIPMENT, S.PARTLY_SHIPPED)
OPEN_ALL = (*OPEN, S.PENDING_RECEIPT)
# State of the sheet → the sets of states that the words may mean.
STATES: dict[str, tuple[tuple[str, ...], ...]] = {
    "": (tuple(S.values),),
    "open": (OPEN_ALL, OPEN_ALL[1:]),
    "transit": ((S.PARTLY_SHIPPED, S.PENDING_RECEIPT),),
    "receiving": ((S.PARTLY_SHIPPED, S.PENDING_RECEIPT), (S.PENDING_RECEIPT,)),
    "unshipped": (
        (S.PENDING_CONFIRM, S.PENDING_SHIPMENT),
        (S.PENDING_SHIPMENT,),
        OPEN[:3],
        OPEN[1:],
    ),
    "approving": ((S.PENDING_APPROVAL,),),
    "cancelled": ((S.CANCELLED,),),
    "rejected": ((S.REJECTED,),),
    "withdrawn": ((S.WITHDRAWN,),),
    "completed": ((S.COMPLETED,),),
}


def get_person(name: str) -> Account:
    """Return the account with a full name."""
    account: Account = Account.objects.get(full_name=name)
    return account


def list_order_sets(actor: Account, *, state: str, time: str, name: str) -> list[set[str]]:
    """Return the sets of order numbers that a question may mean."""
    orders = Order.objects.filter(requester=get_person(name) if name else actor)
    if time:
        orders = orders.filter(build_window_condition("submitted_at", get_window(time)))
    if state == "unpaid":
        return [_numbers(orders.filter(OWED_ONLINE))]
    return [_numbers(orders.filter(status__in=states)) for states in STATES[state]]


def list_shipped(actor: Account, time: str) -> set[str]:
    """Return the orders of the actor with a parcel sent in a period."""
    orders = Order.objects.filter(requester=actor)
    return _numbers(
        orders.filter(build_window_condition("shipments__shipped_at", get_window(time)))
    )


def _numbers(orders: QuerySet[Order]) -> set[str]:
    return set(orders.order_by().values_list("order_no", flat=True))


def list_category_ids(names: Iterable[str]) -> set[int]:
    """Return the ids of the categories with these names, of the deepest level of each name."""
    result: set[int] = set()
    for name in names:
        rows = list(Category.objects.filter(name=name).values_list("level", "pk"))
        deepest = max((level for level, _ in rows), default=0)
        result |= {pk for level, pk in rows if level == deepest}
    return result


def list_bought(actor: Account, *, kind: str, time: str) -> QuerySet[OrderLine]:
    """Return the lines that the actor bought, newest first."""
    lines: QuerySet[OrderLine] = OrderLine.objects.filter(
        order__requester=actor,
        order__status__in=(*OPEN_ALL[1:], S.COMPLETED),
        quantity__gt=0,
    ).select_related("order")
    if kind:
        lines = lines.filter(product__l3__name=kind)
    if time:
        lines = lines.filter(build_window_condition("order__submitted_at", get_window(time)))
    return lines.order_by("-order__submitted_at")


def list_facts(actor: Account, slots: dict[str, str], window: Window) -> QuerySet[ReportFact]:
    """Return the ordered facts of a spending question. Its scope is the group for a group
    administrator, the enterprise for the finance department, else the person himself.
    """
    rows: QuerySet[ReportFact] = ReportFact.objects.filter(
        basis="ordered", day__gte=window[0], day__lte=window[1]
    )
    if not actor.is_group_admin:
        rows = (
            rows.filter(enterprise=actor.enterprise_id)
            if actor.username == "finance"
            else rows.filter(requester=actor)
        )
    if name := slots.get("person"):
        rows = rows.filter(requester=get_person(name))
    if name := slots.get("department"):
        top = Department.objects.get(name=name)
        ids = [row.pk for row in Department.objects.all() if _is_below(row, top.pk)]
        rows = rows.filter(department__in=ids)
    if name := slots.get("kind"):
        ids = list(list_category_ids([name]))
        rows = rows.filter(
            Q(category_id_l1__in=ids) | Q(category_id_l2__in=ids) | Q(category_id_l3__in=ids)
        )
    if name := slots.get("brand"):
        rows = rows.filter(product__brand__name=name)
    return rows.order_by()


def _is_below(row: Department | None, top: int) -> bool:
    while row is not None:
        if row.pk == top:
            return True
        row = row.parent
    return False


BY = {
    "category": ("category_id_l1", "category_id_l3"),
    "department": ("department",),
    "person": ("requester",),
    "month": ("day__month",),
}


def list_tops(rows: QuerySet[ReportFact], by: str) -> list[list[Decimal]]:
    """Return the three largest sums of a grouping, once for each meaning of the grouping."""
    results: list[list[Decimal]] = []
    for column in BY[by]:
        goods = rows.exclude(**{column: 0}) if by == "category" else rows
        sums = goods.values(column).annotate(total=Sum("amount")).values_list("total", flat=True)
        results.append(sorted((amount for amount in sums), reverse=True)[:3])
    return results


def list_current_budgets() -> QuerySet[Budget]:
    """Return the budgets of today's periods."""
    today = timezone.localdate()
    rows: QuerySet[Budget] = Budget.objects.filter(period_from__lte=today, period_to__gte=today)
    return rows


def list_approvers(order_no: str) -> set[str]:
    """Return the nicknames of the people who must decide an order now."""
    return set(
        ApprovalTask.objects.filter(
            step__approval__subject_no=order_no,
            step__approval__status=ApprovalStatus.PENDING,
            status=TaskStatus.PENDING,
        ).values_list("approver__nickname", flat=True)
    )


def count_decided(actor: Account, time: str) -> int:
    """Return how many approvals the actor decided in a period."""
    tasks = ApprovalTask.objects.filter(
        approver=actor, status__in=(TaskStatus.APPROVED, TaskStatus.REJECTED)
    )
    return len(
        set(
            tasks.filter(build_window_condition("decided_at", get_window(time))).values_list(
                "step__approval", flat=True
            )
        )
    )


def list_waiting(actor: Account) -> list[Approval]:
    """Return the approvals that wait for the actor himself."""
    tasks = ApprovalTask.objects.filter(approver=actor, status=TaskStatus.PENDING)
    return list(
        Approval.objects.filter(
            pk__in=tasks.values("step__approval"), status=ApprovalStatus.PENDING
        ).order_by("-created_at", "-id")
    )


def list_offers(actor: Account, kinds: Iterable[str]) -> list[Offer]:
    """Return the products of these kinds that the actor may buy."""
    ids = Product.objects.filter(
        l3__name__in=list(kinds), status=ProductStatus.ON_SALE
    ).values_list("pk", flat=True)
    result = get_offers(context=get_catalogue_context(actor=actor), product_ids=list(ids)).values()
    return [offer for offer in result if offer.visible and offer.is_on_sale]


def compute_piece_price(offer: Offer) -> Decimal:
    """Return the price of one piece in 元."""
    number, _ = read_pack_contents(unit=offer.product.unit, pack=offer.product.pack or "")
    return offer.price / number


def describe(offer: Offer) -> str:
    """Return everything that a product says about itself, in lower case."""
    product = offer.product
    words: list[Any] = [product.name, offer.name, product.pack, product.unit, product.model_code]
    return " ".join(str(word) for word in [*words, *product.attributes.values()]).casefold()
