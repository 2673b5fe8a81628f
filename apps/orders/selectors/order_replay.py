"""Orders of the past as subjects of approval rules, each with what was known before it. Used to
replay them against a draft rule.

The orders are read once, oldest first. Their sums, first uses and last prices are kept in memory,
so that a replay runs no query for each order.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from decimal import Decimal
from itertools import groupby

from django.db.models import Prefetch

from apps.approvals.enums import ConditionKind
from apps.approvals.models import Approval
from apps.approvals.subjects import (
    ApprovalSubject,
    PastFacts,
    PastNeeds,
    PastSubject,
)
from apps.common.money import ZERO
from apps.dimensions.enums import DimensionKind
from apps.orders.enums import ENDED_UNSHIPPED, OrderStatus
from apps.orders.models import Order, OrderAllocation, OrderLine
from apps.orders.selectors.access import SUBJECT_TYPE
from apps.orders.selectors.allocations import split_cost_center_codes
from apps.orders.selectors.past_orders import (
    LINE_FIRSTS,
    LINE_SUMS,
    ORDER_FIRSTS,
    ORDER_SUMS,
    PastOrders,
)
from apps.orders.selectors.rule_subject import build_subject_lines, build_subject_part
from apps.org.models import Account
from apps.org.selectors.departments import get_department_chain

CHUNK = 1000
# The columns that a replay reads. Without this choice it takes half as much time again.
ORDER_COLUMNS = (
    "order_no",
    "submitted_at",
    "batch",
    "status",
    "enterprise",
    "requester",
    "department__name",
    "total_amount",
    "payment_kind",
    "cost_center",
    "address_key",
    "address_snapshot",
)
LINE_COLUMNS = (
    "order",
    "no",
    "product",
    "category_id_l1",
    "category_id_l2",
    "category_id_l3",
    "quantity",
    "amount_incl_tax",
    "unit_price_incl_tax",
    "name",
    "customer_name",
    "brand",
    "brand_key",
    "is_off_agreement",
)


@dataclass(slots=True)
class _Sum:
    """The amounts of one key in the order of time: the times, and the sums up to each time."""

    times: list[datetime] = field(default_factory=list)
    totals: list[Decimal] = field(default_factory=list)

    def add(self, at: datetime, amount: Decimal) -> None:
        self.times.append(at)
        self.totals.append((self.totals[-1] if self.totals else ZERO) + amount)

    def sum_since(self, at: datetime) -> Decimal:
        """Return the sum of the amounts after a time."""
        first = bisect_right(self.times, at)
        if first == len(self.times):
            return ZERO
        return self.totals[-1] - (self.totals[first - 1] if first else ZERO)


@dataclass(slots=True)
class _Memory:
    """The orders so far as the conditions need them. Facts from before `begin` are read when a
    condition needs them.

    `sums` has the amounts by (kind, enterprise, key), `is_used` whether an order has used the key,
    and `prices` the last price in 元 by (enterprise, product).
    """

    begin: datetime
    sums: dict[tuple[str, int, str], _Sum] = field(default_factory=lambda: defaultdict(_Sum))
    is_used: dict[tuple[str, int, str], bool] = field(default_factory=dict)
    prices: dict[tuple[int, int], Decimal | None] = field(default_factory=dict)

    def add(self, order: Order, lines: list[OrderLine]) -> None:
        """Remember an order."""
        enterprise, at = order.enterprise_id, order.submitted_at
        for kind, column in ORDER_SUMS.items():
            key = str(getattr(order, column) or "")
            self.sums[kind, enterprise, key].add(at, order.total_amount)
        for line in lines:
            for kind, column in LINE_SUMS.items():
                key = str(getattr(line, column))
                self.sums[kind, enterprise, key].add(at, line.amount_incl_tax)
        if order.status != OrderStatus.PENDING_APPROVAL:
            self._add_uses(order, [line for line in lines if line.quantity])

    def _add_uses(self, order: Order, lines: list[OrderLine]) -> None:
        """Remember what an approved order has used, and its prices."""
        enterprise = order.enterprise_id
        for kind, column in ORDER_FIRSTS.items():
            self.is_used[kind, enterprise, str(getattr(order, column))] = True
        for code in split_cost_center_codes(order.cost_center):
            self.is_used[ConditionKind.FIRST_COST_CENTER, enterprise, code] = True
        for project, _name in _list_projects([order]):
            self.is_used[ConditionKind.FIRST_PROJECT, enterprise, project] = True
        for line in lines:
            for first, (_model, column) in LINE_FIRSTS.items():
                self.is_used[first, enterprise, str(getattr(line, column))] = True
            self.prices[enterprise, line.product_id] = line.unit_price_incl_tax

    def read(self, needs: PastNeeds, *, enterprise: int, at: datetime) -> PastFacts:
        """Return what was known at a time, after all orders before it were added."""
        sums = {
            (kind, days, key): self.sums[kind, enterprise, key].sum_since(at - timedelta(days=days))
            for (kind, days), keys in needs.sums.items()
            for key in keys
            if (kind, enterprise, key) in self.sums
        }
        self._read_before(needs, enterprise)
        used_before = {
            kind: frozenset(key for key in keys if self.is_used[kind, enterprise, key])
            for kind, keys in needs.firsts.items()
        }
        prices = {pk: self.prices[enterprise, pk] for pk in needs.products}
        return PastFacts(
            sums=sums,
            used_before=used_before,
            last_prices={pk: price for pk, price in prices.items() if price is not None},
        )

    def _read_before(self, needs: PastNeeds, enterprise: int) -> None:
        """Read what was known at the begin of keys that were not asked for yet."""
        firsts = {
            kind: frozenset(key for key in keys if (kind, enterprise, key) not in self.is_used)
            for kind, keys in needs.firsts.items()
        }
        products = frozenset(pk for pk in needs.products if (enterprise, pk) not in self.prices)
        unread_needs = PastNeeds(
            sums={}, firsts={kind: keys for kind, keys in firsts.items() if keys}, products=products
        )
        if not unread_needs.has_needs:
            return
        facts = PastOrders(enterprise_id=enterprise, until=self.begin).read(unread_needs)
        for kind, keys in unread_needs.firsts.items():
            for key in keys:
                self.is_used[kind, enterprise, key] = key in facts.used_before[kind]
        for pk in products:
            self.prices[enterprise, pk] = facts.last_prices.get(pk)


@dataclass(frozen=True, slots=True)
class _HistoryAt:
    """The memory as the history of one subject."""

    memory: _Memory
    enterprise: int
    at: datetime

    def read(self, needs: PastNeeds) -> PastFacts:
        """Return what was known before the subject."""
        return self.memory.read(needs, enterprise=self.enterprise, at=self.at)


def get_past_subjects(
    *, since: datetime, before: timedelta, enterprise_id: int | None, department_id: int | None
) -> tuple[int, Iterator[PastSubject]]:
    """Return (number of submits since a time, their subjects, oldest first).

    The orders of one submit to several addresses are one subject. Orders that ended unshipped are
    subjects too, but count for no later one.
    """
    begin = since - before
    people = _get_requesters(enterprise_id, department_id)
    rows = Order.objects.filter(submitted_at__gt=begin)
    replayed_orders = rows.filter(submitted_at__gt=since, requester__in=list(people))
    total = replayed_orders.filter(batch=None).count()
    total += replayed_orders.exclude(batch=None).values("batch").distinct().count()
    return total, _iterate_subjects(begin, since, people)


def _get_requesters(enterprise_id: int | None, department_id: int | None) -> dict[int, Account]:
    """Return the customers of the place by their id, with their departments."""
    rows = Account.objects.filter(is_staff=False).select_related("department", "enterprise")
    if enterprise_id is not None:
        rows = rows.filter(enterprise=enterprise_id)
    people = {row.pk: row for row in rows}
    if department_id is None:
        return people
    return {
        pk: row
        for pk, row in people.items()
        if any(link.pk == department_id for link in get_department_chain(account=row))
    }


def _iterate_subjects(
    begin: datetime, since: datetime, people: dict[int, Account]
) -> Iterator[PastSubject]:
    """Yield the submits after `since` by `people`, oldest first. Orders after `begin` count as
    history.
    """
    memory = _Memory(begin)
    over_budget_ids = set(
        Approval.objects.filter(
            subject_type=SUBJECT_TYPE, is_over_budget=True, created_at__gt=since
        ).values_list("subject_id", flat=True)
    )
    rows = Order.objects.filter(submitted_at__gt=begin).select_related("department")
    parts = OrderAllocation.objects.filter(kind=DimensionKind.PROJECT, line__isnull=False)
    projects = Prefetch("allocations", queryset=parts.order_by("pk"))
    rows = rows.only(*ORDER_COLUMNS).order_by("submitted_at", "batch_id", "pk")
    rows = rows.prefetch_related(projects)
    for orders, lines in _with_lines(rows.iterator(chunk_size=CHUNK)):
        first = orders[0]
        requester = people.get(first.requester_id)
        if requester is not None and first.submitted_at > since:
            subject = _build_subject(
                memory, requester, orders, lines, is_over=first.pk in over_budget_ids
            )
            yield PastSubject(first.order_no, first.submitted_at, subject)
        for order in orders:
            if order.status not in ENDED_UNSHIPPED:
                memory.add(order, lines[order.pk])


def _with_lines(
    rows: Iterator[Order],
) -> Iterator[tuple[list[Order], dict[int, list[OrderLine]]]]:
    """Yield (orders of a submit, {order pk: lines}) for each submit."""
    chunk: list[list[Order]] = []
    for _, group in groupby(rows, key=lambda order: order.batch_id or -order.pk):
        chunk.append(list(group))
        if len(chunk) == CHUNK:
            yield from _read_lines(chunk)
            chunk = []
    yield from _read_lines(chunk)


def _read_lines(
    chunk: list[list[Order]],
) -> Iterator[tuple[list[Order], dict[int, list[OrderLine]]]]:
    """Yield (orders of a submit, {order pk: lines}) for each submit of the chunk. One query."""
    keys = [order.pk for orders in chunk for order in orders]
    lines_by_order: dict[int, list[OrderLine]] = defaultdict(list)
    lines = OrderLine.objects.filter(order__in=keys).only(*LINE_COLUMNS)
    for line in lines.order_by("order_id", "no"):
        lines_by_order[line.order_id].append(line)
    for orders in chunk:
        yield orders, {order.pk: lines_by_order[order.pk] for order in orders}


def _build_subject(
    memory: _Memory,
    requester: Account,
    orders: list[Order],
    lines: dict[int, list[OrderLine]],
    *,
    is_over: bool,
) -> ApprovalSubject:
    """Return one submit as the facts that the approval rules read. `lines`: by order pk."""
    first = orders[0]
    total = sum((order.total_amount for order in orders), ZERO)
    return ApprovalSubject(
        requester=requester,
        amount=total,
        payment_kind=first.payment_kind,
        is_over_budget=is_over,
        lines=build_subject_lines(
            line for order in orders for line in lines[order.pk] if line.quantity
        ),
        parts=tuple(build_subject_part(order, order.total_amount) for order in orders),
        cost_centers=tuple(
            dict.fromkeys(
                code for row in orders for code in split_cost_center_codes(row.cost_center)
            )
        ),
        projects=_list_projects(orders),
        history=_HistoryAt(memory, first.enterprise_id, first.submitted_at),
    )


def _list_projects(orders: list[Order]) -> tuple[tuple[str, str], ...]:
    """Return (id, name) of the projects of the orders, each once."""
    parts: Iterator[OrderAllocation] = (part for row in orders for part in row.allocations.all())
    return tuple({str(part.dimension_id): part.name for part in parts}.items())
