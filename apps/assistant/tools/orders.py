"""Tools that read orders and approvals in the person's data scope."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING

from django.db.models import Max, Q
from django.db.models.functions import TruncDate

from apps.approvals.enums import Box, TaskStatus
from apps.approvals.models import Approval, ApprovalTask
from apps.approvals.selectors.approvals import list_approvals_in_box, with_chain
from apps.assistant.tools.tool import NotAllowed, require_menu_code
from apps.orders.enums import PURCHASED
from apps.orders.errors import OrderNotFound
from apps.orders.models import Order, OrderLine
from apps.orders.selectors.orders import (
    OWED_ONLINE,
    UNPAID,
    OrderDetail,
    OrderFilter,
    count_order_tabs,
    find_orders,
    get_order_detail,
)
from apps.org.enums import DataScope
from apps.org.menus import MenuCode

if TYPE_CHECKING:
    from django.db.models import QuerySet

    from apps.org.models import Account

MAX_ORDERS = 5
MAX_LINES = 20


@dataclass(frozen=True, slots=True)
class OrderQuestion:
    """Which orders: states (`unpaid` included, empty for any), days of submission, requesters. No
    requester means the actor himself.

    `shipped` are days on which a parcel left.
    """

    statuses: tuple[str, ...] = ()
    since: date | None = None
    until: date | None = None
    requester_ids: tuple[int, ...] = ()
    department_id: int | None = None
    shipped: tuple[date, date] | None = None
    is_own: bool = True


@dataclass(frozen=True, slots=True)
class OrderPage:
    """The newest orders, and the total number."""

    orders: list[Order]
    total: int


def require_colleague_scope(actor: Account, menu: str, ids: Collection[int]) -> None:
    """Raise NotAllowed if a person asks about colleagues and his scope is his own data."""
    if not set(ids) <= {actor.pk} and actor.get_data_scope(menu) == DataScope.OWN:
        raise NotAllowed(
            "您的账号只能查看自己的单据和金额，没有查看同事、部门或公司数据的权限。"
            "如需开通请联系贵司的集团管理员。"
        )


def look_up_order(*, actor: Account, order_no: str) -> OrderDetail | None:
    """Return an order that the actor can see, or None.

    Raises:
        NotAllowed: the actor has no right to open orders.
    """
    require_menu_code(actor, MenuCode.ORDER_LIST, "订单")
    try:
        return get_order_detail(actor=actor, order_no=order_no.upper())
    except OrderNotFound:
        return None


def orders_find(*, actor: Account, question: OrderQuestion) -> OrderPage:
    """Return the newest orders that match, and their number.

    Raises:
        NotAllowed: the actor has no right to open orders, or asks about colleagues with a scope of
            his own orders.
    """
    require_menu_code(actor, MenuCode.ORDER_LIST, "订单")
    require_colleague_scope(actor, MenuCode.ORDER_LIST, question.requester_ids)
    filters = OrderFilter(
        since=question.since, until=question.until, department_id=question.department_id
    )
    orders = find_orders(actor=actor, filters=filters)
    if question.requester_ids:
        orders = orders.filter(requester__in=question.requester_ids)
    elif question.is_own:
        orders = orders.filter(requester=actor)
    if question.statuses == (UNPAID,):
        total = count_order_tabs(orders)[UNPAID]
        return OrderPage(_load_newest(orders.filter(OWED_ONLINE)), total)
    if question.statuses:
        orders = orders.filter(status__in=question.statuses)
    if question.shipped:
        since, until = question.shipped
        days = orders.annotate(sent=TruncDate("shipments__shipped_at"))
        orders = orders.filter(
            pk__in=days.filter(sent__gte=since, sent__lte=until).order_by().values("pk")
        )
    return OrderPage(_load_newest(orders), orders.count())


def _load_newest(orders: QuerySet[Order]) -> list[Order]:
    return list(
        orders.select_related("requester")
        .prefetch_related("lines", "shipments")
        .order_by("-submitted_at", "-id")[:MAX_ORDERS]
    )


def find_last_shipped_order(*, actor: Account) -> Order | None:
    """Return the actor's order with the newest parcel, or None.

    Raises:
        NotAllowed: the actor has no right to open orders.
    """
    require_menu_code(actor, MenuCode.ORDER_LIST, "订单")
    orders = find_orders(actor=actor, filters=OrderFilter(requester_id=actor.pk))
    return (
        orders.filter(shipments__isnull=False)
        .annotate(sent=Max("shipments__shipped_at"))
        .order_by("-sent", "-pk")
        .first()
    )


@dataclass(frozen=True, slots=True)
class Purchases:
    """Bought lines, newest first, and their total number."""

    lines: list[OrderLine]
    total: int


def purchases_find(
    *,
    actor: Account,
    category_ids: Sequence[int] = (),
    words: Sequence[str] = (),
    since: date | None = None,
    until: date | None = None,
    requester_ids: Sequence[int] = (),
) -> Purchases:
    """Return the order lines that the actor, or the named colleagues, bought.

    Raises:
        NotAllowed: the actor has no right to open orders, or asks about colleagues with a scope of
            his own orders.
    """
    require_menu_code(actor, MenuCode.ORDER_LIST, "订单")
    require_colleague_scope(actor, MenuCode.ORDER_LIST, requester_ids)
    orders = find_orders(actor=actor, filters=OrderFilter(since=since, until=until)).filter(
        requester__in=requester_ids or [actor.pk], status__in=PURCHASED
    )
    lines = OrderLine.objects.filter(order__in=orders.order_by().values("pk"), quantity__gt=0)
    if category_ids:
        lines = lines.filter(
            Q(product__l3__in=category_ids)
            | Q(product__l3__parent__in=category_ids)
            | Q(product__l3__parent__parent__in=category_ids)
        )
    for word in words:
        lines = lines.filter(name__icontains=word)
    rows = lines.select_related("order").order_by("-order__submitted_at", "order_id", "no")
    return Purchases(list(rows[:MAX_LINES]), rows.count())


def look_up_approvals(*, actor: Account) -> tuple[list[Approval], int]:
    """Return the newest approvals that wait for the actor, and their total number.

    Raises:
        NotAllowed: the actor has no right to open approvals.
    """
    require_menu_code(actor, MenuCode.ORDER_APPROVAL, "审批")
    approvals = list_approvals_in_box(actor=actor, box=Box.TODO)
    return list(with_chain(approvals)[:MAX_ORDERS]), approvals.count()


def format_waiting_names(approval: Approval) -> str:
    """Return the nicknames of the people who must decide now."""
    names = [
        task.approver.nickname
        for step in approval.steps.all()
        for task in step.tasks.all()
        if task.status == TaskStatus.PENDING
    ]
    return "、".join(dict.fromkeys(names))


def count_decided_approvals(*, actor: Account, since: date, until: date) -> int:
    """Return the number of approvals that the actor decided on these days.

    Raises:
        NotAllowed: the actor has no right to open approvals.
    """
    require_menu_code(actor, MenuCode.ORDER_APPROVAL, "审批")
    decided = list_approvals_in_box(actor=actor, box=Box.DONE)
    tasks = (
        ApprovalTask.objects.filter(
            Q(approver=actor) | Q(acting_for=actor),
            status__in=(TaskStatus.APPROVED, TaskStatus.REJECTED),
        )
        .annotate(day=TruncDate("decided_at"))
        .filter(day__gte=since, day__lte=until)
    )
    return decided.filter(pk__in=tasks.values("step__approval")).count()


def list_own_waiting_approvals(*, actor: Account) -> list[Approval]:
    """Return the actor's own requests in approval, newest first, with their steps and tasks.

    Raises:
        NotAllowed: the actor has no right to open orders.
    """
    require_menu_code(actor, MenuCode.ORDER_LIST, "订单")
    mine = list_approvals_in_box(actor=actor, box=Box.MINE).filter(status="pending")
    return list(with_chain(mine)[:MAX_ORDERS])
