"""Suggestions for matching 银行到账: the open orders, the orders that a receipt probably pays, and
the search for another customer.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from decimal import Decimal

from django.db.models import F, Q, QuerySet

from apps.common.money import ZERO
from apps.invoices.enums import FIGURE_KINDS, StatementFigure, StatementStatus
from apps.invoices.models import BankMatch, BankReceipt, Statement, StatementLine
from apps.invoices.selectors.debts import get_settled
from apps.orders.enums import PaymentKind, SettlementStatus
from apps.orders.models import Order
from apps.orders.selectors.payments import UNPAYABLE
from apps.org.models import Enterprise, InvoiceTitle

UNMATCHED = Q(matched_amount__lt=F("amount"), set_aside="")
ORDER_NO, STATEMENT_NO = re.compile(r"SO[0-9]{14}"), re.compile(r"DZ[0-9]{14}")
# Maximum number of suggestions, and of orders per enterprise.
MAX_SUGGESTIONS, MAX_ORDERS = 8, 500
MAX_TARGETS = 10
# Scores of the reasons for a suggestion, from strong to weak.
SCORE_NUMBER, SCORE_ACCOUNT, SCORE_NAME, SCORE_AMOUNT, SCORE_OLDEST = 8, 4, 3, 2, 0


@dataclass(frozen=True, slots=True)
class OpenOrder:
    """An order that can be paid by transfer, with its unpaid amount in 元."""

    order: Order
    left: Decimal


@dataclass(slots=True)
class Suggestion:
    """A possible match. `parts` is {order pk: 元}, oldest order first, at most the unmatched
    amount.
    """

    enterprise: Enterprise
    parts: dict[int, Decimal]
    statement: Statement | None = None
    score: int = 0
    reasons: list[str] = field(default_factory=list)

    @property
    def amount(self) -> Decimal:
        """The sum of the parts in 元."""
        return sum(self.parts.values(), ZERO)


def list_unmatched_receipts() -> QuerySet[BankReceipt]:
    """Return the receipts with an unmatched amount."""
    return BankReceipt.objects.filter(UNMATCHED)


def list_open_orders(*, enterprise_id: int, statement: Statement | None = None) -> list[OpenOrder]:
    """Return the enterprise's unpaid orders with the amount left to pay in 元, oldest first,
    optionally only those of one statement. Three queries.
    """
    rows = (
        Order.objects.filter(enterprise=enterprise_id)
        .exclude(status__in=UNPAYABLE)
        .exclude(payment_kind=PaymentKind.ONLINE)
    )
    if statement is not None:
        lines = StatementLine.objects.filter(
            statement=statement, kind__in=FIGURE_KINDS[StatementFigure.DELIVERIES]
        )
        rows = rows.filter(pk__in=lines.order_by().values("order_id"))
    orders = list(
        rows.exclude(settlement_status=SettlementStatus.DONE).order_by("submitted_at", "pk")[
            :MAX_ORDERS
        ]
    )
    settled_by_order = get_settled([order.pk for order in orders])
    open_orders = [
        OpenOrder(order, order.total_amount - settled_by_order[order.pk]) for order in orders
    ]
    return [row for row in open_orders if row.left > ZERO]


def allocate_amount(orders: Iterable[OpenOrder], *, amount: Decimal) -> dict[int, Decimal]:
    """Allocate an amount to the orders, oldest first. Returns {order pk: 元}."""
    parts: dict[int, Decimal] = {}
    for row in orders:
        part = min(row.left, amount)
        if part > ZERO:
            parts[row.order.pk] = part
            amount -= part
    return parts


def list_suggestions(receipt: BankReceipt) -> list[Suggestion]:
    """Return possible matches of the receipt, most likely first: by numbers in the remark, by
    payer, by amount.
    """
    suggestions = _suggest_named_orders(receipt)
    for enterprise, score, reason in _list_likely_enterprises(receipt):
        suggestions += _suggest_for_enterprise(
            receipt=receipt, enterprise=enterprise, score=score, reason=reason
        )
    if not suggestions:
        suggestions = _suggest_by_amount(receipt)
    best: dict[tuple[int, frozenset[tuple[int, Decimal]]], Suggestion] = {}
    for row in sorted(suggestions, key=lambda row: -row.score):
        if row.parts:
            best.setdefault((row.enterprise.pk, frozenset(row.parts.items())), row)
    return list(best.values())[:MAX_SUGGESTIONS]


def _suggest_named_orders(receipt: BankReceipt) -> list[Suggestion]:
    """Return a suggestion for each enterprise with an order number in the remark."""
    orders = (
        Order.objects.filter(order_no__in=set(ORDER_NO.findall(receipt.remark)))
        .select_related("enterprise")
        .order_by("pk")
    )
    suggestions = []
    for enterprise in {order.enterprise for order in orders}:
        numbers = [order.order_no for order in orders if order.enterprise_id == enterprise.pk]
        rows = [
            row
            for row in list_open_orders(enterprise_id=enterprise.pk)
            if row.order.order_no in numbers
        ]
        parts = allocate_amount(rows, amount=receipt.left)
        suggestions.append(
            Suggestion(
                enterprise=enterprise,
                parts=parts,
                score=SCORE_NUMBER,
                reasons=[f"附言中有订单号 {'、'.join(numbers)}"],
            )
        )
    return suggestions


def _list_likely_enterprises(receipt: BankReceipt) -> list[tuple[Enterprise, int, str]]:
    """Return (enterprise, score, reason) for each enterprise that the payer or a statement
    number in the remark points to.
    """
    likely: dict[int, tuple[Enterprise, int, str]] = {}
    titles = InvoiceTitle.objects.select_related("enterprise")
    earlier = BankMatch.objects.filter(
        receipt__payer_account=receipt.payer_account, undone_at=None
    ).select_related("payment__order__enterprise")
    statements = Statement.objects.filter(
        statement_no__in=set(STATEMENT_NO.findall(receipt.remark))
    ).select_related("enterprise")
    ways: list[tuple[Iterable[Enterprise], int, str]] = [
        ((row.enterprise for row in statements), SCORE_NUMBER, "附言中有对账单号"),
        (
            (row.enterprise for row in titles.filter(bank_account=receipt.payer_account)),
            SCORE_ACCOUNT,
            "付款账号是其开票抬头的账号",
        ),
        (
            (row.payment.order.enterprise for row in earlier.order_by("-pk")[:20]),
            SCORE_ACCOUNT,
            "该账号曾为其付款",
        ),
        (
            Enterprise.objects.filter(name=receipt.payer_name),
            SCORE_NAME,
            "付款方户名与企业名称一致",
        ),
        (
            (row.enterprise for row in titles.filter(title=receipt.payer_name)),
            SCORE_NAME,
            "付款方户名与开票抬头一致",
        ),
    ]
    for rows, score, reason in ways:
        if score == SCORE_ACCOUNT and not receipt.payer_account:
            continue
        for enterprise in rows:
            likely.setdefault(enterprise.pk, (enterprise, score, reason))
    return list(likely.values())


def _suggest_for_enterprise(
    *, receipt: BankReceipt, enterprise: Enterprise, score: int, reason: str
) -> list[Suggestion]:
    """Return the suggestions for the enterprise: its oldest orders, an order of this amount, or
    the orders of a statement. A higher score is more likely.
    """
    orders = list_open_orders(enterprise_id=enterprise.pk)
    suggestions = [
        Suggestion(
            enterprise=enterprise,
            parts=allocate_amount(orders, amount=receipt.left),
            score=score + SCORE_OLDEST,
            reasons=[reason, "先结最早的订单"],
        )
    ]
    suggestions += [
        Suggestion(
            enterprise=enterprise,
            parts={row.order.pk: row.left},
            score=score + SCORE_AMOUNT,
            reasons=[reason, f"金额与订单 {row.order.order_no} 未结金额一致"],
        )
        for row in orders
        if row.left == receipt.left
    ]
    open_by_pk = {row.order.pk: row for row in orders}
    for statement, order_ids in _list_statements_with_orders(enterprise, receipt, open_by_pk):
        rows = [open_by_pk[pk] for pk in sorted(order_ids)]
        points, text = score, f"{statement.month:%Y-%m} 对账单的订单"
        if sum((row.left for row in rows), ZERO) == receipt.left:
            points += SCORE_AMOUNT
            text = f"金额与 {statement.month:%Y-%m} 对账单未结金额一致"
        if statement.statement_no in receipt.remark:
            points += 1
        suggestions.append(
            Suggestion(
                enterprise=enterprise,
                statement=statement,
                parts=allocate_amount(rows, amount=receipt.left),
                score=points,
                reasons=[reason, text],
            )
        )
    return suggestions


def _list_statements_with_orders(
    enterprise: Enterprise, receipt: BankReceipt, order_ids: Collection[int]
) -> list[tuple[Statement, set[int]]]:
    """Return (statement, pks of its unpaid orders) of the newest issued statements and of those
    that the remark names. Two queries.
    """
    named_or_issued = Q(statement_no__in=STATEMENT_NO.findall(receipt.remark)) | ~Q(
        status=StatementStatus.RUNNING
    )
    rows = list(
        Statement.objects.filter(named_or_issued, enterprise=enterprise).order_by("-month")[:12]
    )
    lines = StatementLine.objects.filter(
        statement__in=rows,
        order__in=list(order_ids),
        kind__in=FIGURE_KINDS[StatementFigure.DELIVERIES],
    )
    orders: dict[int, set[int]] = {}
    for statement_id, order_id in (
        lines.order_by().values_list("statement_id", "order_id").distinct()
    ):
        orders.setdefault(statement_id, set()).add(order_id)
    return [(row, orders[row.pk]) for row in rows if row.pk in orders]


def _suggest_by_amount(receipt: BankReceipt) -> list[Suggestion]:
    """Return suggestions for an unknown payer: unpaid orders of any customer whose total equals
    the unmatched amount.
    """
    rows = Order.objects.filter(
        total_amount=receipt.left, settlement_status=SettlementStatus.NONE
    ).exclude(status__in=UNPAYABLE)
    rows = (
        rows.exclude(payment_kind=PaymentKind.ONLINE)
        .select_related("enterprise")
        .order_by("-submitted_at")[:MAX_SUGGESTIONS]
    )
    reason = "只有金额一致，请核对付款方"
    settled_by_order = get_settled([order.pk for order in rows])
    return [
        Suggestion(
            enterprise=order.enterprise, parts={order.pk: receipt.left}, score=1, reasons=[reason]
        )
        for order in rows
        if not settled_by_order[order.pk]
    ]


@dataclass(frozen=True, slots=True)
class Target:
    """A possible target of a match. `query` is its part of the page's address."""

    text: str
    query: str


def find_targets(words: str) -> list[Target]:
    """Return the enterprises, orders and statements of all customers that match the words.
    Three queries.
    """
    enterprises = Enterprise.objects.filter(name__icontains=words).order_by("name")[:MAX_TARGETS]
    targets = [Target(row.name, f"enterprise={row.pk}") for row in enterprises]
    orders = Order.objects.filter(order_no=words).select_related("enterprise")[:MAX_TARGETS]
    targets += [
        Target(f"{row.enterprise.name}（订单 {row.order_no}）", f"enterprise={row.enterprise_id}")
        for row in orders
    ]
    statements = Statement.objects.filter(statement_no=words).select_related("enterprise")[
        :MAX_TARGETS
    ]
    return targets + [
        Target(f"{row.enterprise.name} {row.month:%Y-%m} 对账单", f"statement={row.pk}")
        for row in statements
    ]
