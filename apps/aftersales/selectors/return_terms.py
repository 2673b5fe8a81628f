"""Return terms: the orders that can be returned, and for each line the possible kinds, time limits
and refusals. The page shows them and `return_apply` enforces them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from django.db.models import F, Max, Prefetch, Q, QuerySet
from django.utils import timezone

from apps.aftersales import texts
from apps.aftersales.enums import ReturnKind, ReturnReason
from apps.aftersales.models import ReturnPolicy
from apps.orders.enums import OrderStatus
from apps.orders.errors import OrderNotFound
from apps.orders.locks import may_change
from apps.orders.models import Order, OrderLine, ReceiptLine
from apps.orders.states import ORDERS
from apps.org.menus import MenuCode
from apps.org.selectors.data_scope import scope_filter

if TYPE_CHECKING:
    from apps.org.models import Account

R = ReturnReason
# The mall is responsible: opened goods are accepted, and the mall pays the return freight.
OUR_FAULT = frozenset({R.QUALITY, R.DAMAGED, R.SHORT, R.WRONG})
REASONS: dict[str, tuple[ReturnReason, ...]] = {
    ReturnKind.RETURN: tuple(R),
    ReturnKind.EXCHANGE: tuple(R),
    ReturnKind.REPAIR: (R.QUALITY,),
}

# The columns that the terms need: of the order line, and of its product.
CATEGORY_FIELDS = ("l1_id", "l2_id", "l3_id")
LINE_FIELDS = (
    "group_id", "order_id", "no", "product_code", "name", "customer_name", "brand", "unit",
    "image",
    "quantity", "cancelled_quantity", "received_quantity", "returning_quantity",
    "returned_quantity", "unit_price_incl_tax", "amount_incl_tax", "tax_amount",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Policy:
    """A row of 售后政策, or the default without a row."""

    days: int
    quality_days: int
    takes_opened: bool
    note: str = ""


# Default terms (help page 1), if the table has neither a row for the category nor a general row.
DEFAULT_POLICIES: dict[str, Policy] = {
    ReturnKind.RETURN: Policy(7, 15, takes_opened=False),
    ReturnKind.EXCHANGE: Policy(7, 15, takes_opened=False),
    ReturnKind.REPAIR: Policy(365, 365, takes_opened=True),
}


@dataclass(frozen=True, slots=True)
class KindTerms:
    """One kind of after-sales for a line, with the time limits for ordinary reasons and for
    defects. `why_not` is empty if a request is possible.
    """

    kind: ReturnKind
    until: datetime | None
    quality_until: datetime | None
    takes_opened: bool
    note: str
    why_not: str = ""

    def explain_refusal(self, *, reason: str, is_opened: bool) -> str:
        """Return the error text if this reason is not allowed now, otherwise ""."""
        if self.why_not:
            return self.why_not
        until = self.quality_until if reason == R.QUALITY else self.until
        name = ReturnReason(reason).label
        if until is None or until < timezone.now():
            last_day = f"（截至 {_format_day(until)}）" if until else ""
            return texts.return_period_over(kind=self.kind.label, last_day=last_day, name=name)
        if is_opened and not self.takes_opened and reason not in OUR_FAULT:
            note = f"：{self.note}" if self.note else "，质量问题、破损、少件、发错除外"
            return texts.opened_goods_refused(kind=self.kind.label, exception=note)
        return ""


@dataclass(frozen=True, slots=True)
class LineTerms:
    """An order line with the pieces that can still be returned, the time of receipt, and the
    kinds.
    """

    line: OrderLine
    free: int
    received_at: datetime | None
    kinds: tuple[KindTerms, ...]


def list_line_terms(*, order: Order) -> list[LineTerms]:
    """Return the terms of every line of the order."""
    lines = list(
        order.lines.select_related("product")
        .only(*LINE_FIELDS, *(f"product__{name}" for name in CATEGORY_FIELDS))
        .order_by("no")
    )
    received, policies = get_receipt_times(order=order), _get_policies(lines)
    return [
        _build_line_terms(
            line,
            why_not=_describe_refusal(order, line),
            at=received.get(line.pk),
            policies=policies,
        )
        for line in lines
    ]


def count_free_pieces(line: OrderLine) -> int:
    """Return the received pieces that are neither in after-sales nor returned."""
    pieces: int = line.received_quantity - line.returning_quantity - line.returned_quantity
    return pieces


def get_receipt_times(*, order: Order) -> dict[int, datetime]:
    """Return {order line pk: time of its latest receipt}."""
    rows = ReceiptLine.objects.filter(receipt__order=order).order_by().values_list("order_line_id")
    return dict(rows.annotate(at=Max("receipt__received_at")))


def _get_policies(lines: Iterable[OrderLine]) -> dict[tuple[int | None, str], Policy]:
    """Return {(category pk, kind of return): policy}. The policy for all categories has None as
    its category.
    """
    places = {getattr(line.product, name) for line in lines for name in CATEGORY_FIELDS}
    rows = ReturnPolicy.objects.filter(Q(category__in=places) | Q(category__isnull=True))
    return {
        (row.category_id, row.kind): Policy(row.days, row.quality_days, row.takes_opened, row.note)
        for row in rows
    }


def _find_policy(
    line: OrderLine, kind: str, policies: Mapping[tuple[int | None, str], Policy]
) -> Policy:
    for place in (line.product.l3_id, line.product.l2_id, line.product.l1_id, None):
        if (place, kind) in policies:
            return policies[place, kind]
    return DEFAULT_POLICIES[kind]


def _build_line_terms(
    line: OrderLine,
    *,
    why_not: str,
    at: datetime | None,
    policies: Mapping[tuple[int | None, str], Policy],
) -> LineTerms:
    kinds = tuple(
        _build_kind_terms(kind, _find_policy(line, kind, policies), at=at, why_not=why_not)
        for kind in ReturnKind
    )
    return LineTerms(line, 0 if why_not else count_free_pieces(line), at, kinds)


def _describe_refusal(order: Order, line: OrderLine) -> str:
    """Return why the line cannot be returned now. Empty if it can."""
    is_cancelled = order.status == OrderStatus.CANCELLED
    if is_cancelled or (line.quantity == 0 and line.cancelled_quantity):
        return (
            f"{'订单' if is_cancelled else '该商品'}已取消，"
            "无需申请售后；如已付款，可在订单详情中查看退款进度"
        )
    if order.status in (OrderStatus.REJECTED, OrderStatus.WITHDRAWN):
        return "，".join(ORDERS.state_texts[order.status])
    if line.received_quantity == 0:
        return texts.NOT_RECEIVED
    if count_free_pieces(line) <= 0:
        return texts.ALL_RETURNED
    return ""


def _build_kind_terms(
    kind: ReturnKind, policy: Policy, *, at: datetime | None, why_not: str
) -> KindTerms:
    """Return until when this kind of return is possible, and why it is not. `at`: when the goods
    were received.
    """
    until = at + timedelta(days=policy.days) if at and policy.days else None
    quality = at + timedelta(days=policy.quality_days) if at and policy.quality_days else None
    if not why_not and not policy.days and not policy.quality_days:
        why_not = texts.kind_not_supported(kind.label) + (f"：{policy.note}" if policy.note else "")
    last = max((day for day in (until, quality) if day), default=None)
    if not why_not and last is not None and last < timezone.now():
        why_not = texts.period_over(kind=kind.label, last_day=_format_day(last))
    return KindTerms(
        kind=kind,
        until=until,
        quality_until=quality,
        takes_opened=policy.takes_opened,
        note=policy.note,
        why_not=why_not,
    )


def _format_day(at: datetime) -> str:
    return f"{timezone.localtime(at):%Y-%m-%d}"


@dataclass(frozen=True, slots=True)
class OrderTerms:
    """An order with the terms of its lines. `why_not` is the reason why the reader may view but
    not apply.
    """

    order: Order
    lines: list[LineTerms]
    why_not: str

    @property
    def can_apply(self) -> bool:
        """Whether the reader may apply for at least one line now."""
        return not self.why_not and any(
            not kind.why_not for line in self.lines for kind in line.kinds
        )


def list_visible_orders(*, actor: Account) -> QuerySet[Order]:
    """Return the orders in the actor's data scope for returns, including orders that cannot be
    returned.
    """
    scope = scope_filter(actor=actor, menu=MenuCode.ORDER_RETURN, account="requester")
    queryset: QuerySet[Order] = Order.objects.filter(scope)
    return queryset


def get_order_terms(*, actor: Account, order_no: str) -> OrderTerms:
    """Return the terms of the order's lines: possible kinds, time limits and refusals.

    Raises:
        OrderNotFound: the actor cannot see an order with this number for returns.
    """
    order = list_visible_orders(actor=actor).filter(order_no=order_no).first()
    if order is None:
        raise OrderNotFound
    why_not = "" if may_change(actor=actor, order=order) else texts.RETURN_BY_OTHERS
    return OrderTerms(order, list_line_terms(order=order), why_not)


def list_returnable_orders(*, actor: Account, keyword: str = "") -> QuerySet[Order]:
    """Return the orders that the actor may request a return for and that have received pieces
    outside after-sales, newest first.
    """
    queryset = list_visible_orders(actor=actor)
    if not actor.is_group_admin:
        queryset = queryset.filter(requester=actor)
    lines = OrderLine.objects.filter(
        received_quantity__gt=F("returning_quantity") + F("returned_quantity")
    )
    if keyword:
        line_matches = (
            Q(name__icontains=keyword)
            | Q(customer_name__icontains=keyword)
            | Q(product_code=keyword)
        )
        queryset = queryset.filter(
            Q(order_no__icontains=keyword) | Q(pk__in=lines.filter(line_matches).values("order"))
        )
    return queryset.filter(pk__in=lines.values("order")).prefetch_related(
        Prefetch("lines", OrderLine.objects.order_by("no"))
    )
