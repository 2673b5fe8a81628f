"""Reconciliation of invoices, bank receipts and statements."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from datetime import timedelta
from decimal import Decimal
from typing import Any

from django.db.models import Exists, F, OuterRef, Q, Sum

from apps.common.books import BATCH, Difference, compare_streams, iterate_batches
from apps.common.money import ZERO
from apps.invoices.enums import FIGURE_KINDS, InvoiceStatus, StatementFigure
from apps.invoices.models import (
    BankMatch,
    BankReceipt,
    Invoice,
    InvoicedFreight,
    InvoiceLine,
    Statement,
    StatementLine,
    StatementProgress,
)
from apps.invoices.selectors.available import get_invoicing_status
from apps.invoices.selectors.statement_facts import Window, list_new_facts
from apps.orders.enums import InvoicingStatus
from apps.orders.models import Order, OrderLine
from apps.org.models import Enterprise

CHUNK = 2000
# A transaction that is open during a run is covered by the next run, so recent rows are not
# checked.
MAX_TRANSACTION = timedelta(hours=2)
APPLIED = (InvoiceStatus.PLANNED, InvoiceStatus.ISSUING, InvoiceStatus.FAILED)


def find_invoice_differences() -> Iterator[Difference]:
    """Yield all differences of invoices in the open scope."""
    for figure, column, is_counted in (
        (
            "开票申请中数量",
            "applied_quantity",
            Q(invoice__original=None, invoice__status__in=APPLIED),
        ),
        ("已开票数量", "invoiced_quantity", Q(invoice__issued_at__isnull=False)),
    ):
        yield from _compare_lines(figure, column, is_counted)
    yield from _sum_differences()
    yield from _compare_red_amounts()
    yield from _compare_statuses()


def _compare_lines(figure: str, column: str, is_counted: Q) -> Iterator[Difference]:
    """Compare the lines. Red invoices have negative quantities, so the sum is the invoiced
    quantity.
    """
    stored = (
        OrderLine.objects.filter(**{f"{column}__gt": 0}).order_by("pk").values_list("pk", column)
    )
    lines = (
        InvoiceLine.objects.filter(is_counted, order_line__isnull=False)
        .order_by("order_line_id")
        .values_list("order_line_id")
    )
    facts = lines.annotate(pieces=Sum("quantity")).exclude(pieces=0)
    pairs = compare_streams(
        stored.iterator(chunk_size=CHUNK), facts.iterator(chunk_size=CHUNK), missing_figures=(0,)
    )
    for pk, (actual,), (expected,) in pairs:
        line = OrderLine.objects.select_related("order").get(pk=pk)
        yield Difference(f"订单 {line.order.order_no} 第 {line.no} 行", figure, actual, expected)


def _sum_differences() -> Iterator[Difference]:
    """Compare the amount and the tax of each invoice with the sums of its lines."""
    rows = Invoice.objects.order_by("pk").values_list("pk", "amount_incl_tax", "tax_amount")
    lines = InvoiceLine.objects.order_by("invoice_id").values_list("invoice_id")
    facts = lines.annotate(amount=Sum("amount_incl_tax"), tax=Sum("tax_amount"))
    pairs = compare_streams(
        rows.iterator(chunk_size=CHUNK),
        facts.iterator(chunk_size=CHUNK),
        missing_figures=(ZERO, ZERO),
    )
    for pk, actual, expected in pairs:
        number = Invoice.objects.get(pk=pk).request_no
        for figure, value, total in zip(("发票金额", "发票税额"), actual, expected, strict=True):
            if value != total:
                yield Difference(f"发票 {number}", figure, value, total)


def _compare_red_amounts() -> Iterator[Difference]:
    """Compare the red amount of each invoice with its red invoices. If it is completely red,
    compare the tax too.
    """
    blue = Invoice.objects.filter(original=None).exclude(red_amount=ZERO).order_by("pk")
    red = (
        Invoice.objects.filter(original__isnull=False, issued_at__isnull=False)
        .order_by("original_id")
        .values_list("original_id")
    )
    sums = red.annotate(amount=Sum("amount_incl_tax"), tax=Sum("tax_amount")).iterator(
        chunk_size=CHUNK
    )
    stored_amounts = blue.values_list("pk", "red_amount", "tax_amount").iterator(chunk_size=CHUNK)
    for pk, actual, expected in compare_streams(
        stored_amounts,
        ((pk, -amount, -tax) for pk, amount, tax in sums),
        missing_figures=(ZERO, ZERO),
    ):
        invoice = Invoice.objects.get(pk=pk)
        if actual[0] != expected[0]:
            yield Difference(f"发票 {invoice.request_no}", "已红冲金额", actual[0], expected[0])
        elif invoice.status == InvoiceStatus.RED:
            yield Difference(f"发票 {invoice.request_no}", "已红冲税额", actual[1], expected[1])


def _compare_statuses() -> Iterator[Difference]:
    """Compare 开票状态 of each order with its invoiced quantities."""
    some = Exists(OrderLine.objects.filter(order=OuterRef("pk"), invoiced_quantity__gt=0))
    freight = Exists(InvoicedFreight.objects.filter(order=OuterRef("pk"), is_issued=True))
    rows = (
        Order.objects.filter(~Q(invoicing_status=InvoicingStatus.NONE) | some | freight)
        .annotate(has_freight=freight)
        .order_by("pk")
    )
    last = 0
    while batch := list(
        rows.filter(pk__gt=last).values_list(
            "pk", "order_no", "invoicing_status", "freight_amount", "has_freight"
        )[:BATCH]
    ):
        last = batch[-1][0]
        lines = OrderLine.objects.filter(
            order__in=[row[0] for row in batch], unit_price_incl_tax__gt=ZERO
        ).order_by()
        sums: Any = lines.values_list("order_id").annotate(
            owed_pieces=Sum(F("quantity") - F("returned_quantity")),
            done_pieces=Sum("invoiced_quantity"),
        )
        pieces = {pk: (owed_pieces, done_pieces) for pk, owed_pieces, done_pieces in sums}
        for pk, order_no, status, amount, is_freight_done in batch:
            owed_pieces, done_pieces = pieces.get(pk, (0, 0))
            expected = get_invoicing_status(
                owed_pieces=owed_pieces,
                done_pieces=done_pieces,
                has_freight=amount > ZERO,
                is_freight_done=is_freight_done,
            )
            if status != expected:
                yield Difference(f"订单 {order_no}", "开票状态", status, expected)


def find_bank_differences() -> Iterator[Difference]:
    """Yield every difference between receipts, matches and payments."""
    receipts = (
        BankReceipt.objects.exclude(matched_amount=0)
        .order_by("pk")
        .values_list("pk", "matched_amount")
    )
    matches = (
        BankMatch.objects.filter(undone_at=None)
        .order_by("receipt_id")
        .values_list("receipt_id")
        .annotate(total=Sum("amount"))
    )
    for pk, (actual,), (expected,) in compare_streams(
        receipts.iterator(chunk_size=CHUNK),
        matches.iterator(chunk_size=CHUNK),
        missing_figures=(ZERO,),
    ):
        yield Difference(
            f"银行到账 {BankReceipt.objects.get(pk=pk).serial}", "已匹配金额", actual, expected
        )
    rows = BankMatch.objects.select_related("receipt", "payment")
    for match in rows.exclude(amount=F("payment__amount")).iterator(chunk_size=CHUNK):
        yield Difference(
            f"付款 {match.payment.payment_no}", "匹配金额", match.payment.amount, match.amount
        )
    undone = Q(undone_at__isnull=False) & ~Q(payment__refunded_amount=F("payment__amount"))
    for match in rows.filter(undone).iterator(chunk_size=CHUNK):
        yield Difference(
            f"付款 {match.payment.payment_no}",
            "撤销匹配后的已退金额",
            match.payment.refunded_amount,
            match.amount,
        )


def find_statement_differences() -> Iterator[Difference]:
    """Yield each figure that differs from its lines, each opening that differs from the
    previous closing, and each fact without a line.
    """
    for enterprises in iterate_batches(Enterprise.objects.only("pk"), size=200):
        rows = list(
            Statement.objects.filter(enterprise__in=[row.pk for row in enterprises]).order_by(
                "enterprise_id", "month"
            )
        )
        sums: defaultdict[int, dict[str, Decimal]] = defaultdict(dict)
        lines = StatementLine.objects.filter(statement__in=rows).order_by()
        for statement_id, kind, total in lines.values_list("statement_id", "kind").annotate(
            total=Sum("amount")
        ):
            sums[statement_id][kind] = total
        closing: dict[int, Decimal] = {}
        for row in rows:
            opening = closing.get(row.enterprise_id, ZERO)
            closing[row.enterprise_id] = row.closing
            yield from _compare_figures(row, opening, sums[row.pk])
    yield from _find_missing_lines()


def _find_missing_lines() -> Iterator[Difference]:
    """Yield the facts that existed at the last run but are in no statement."""
    progress = StatementProgress.objects.filter(recorded_until__isnull=False).order_by("pk")
    for enterprise_id, recorded_until in progress.values_list("enterprise_id", "recorded_until"):
        for fact in list_new_facts(
            Window(
                enterprise_id,
                dated_before=recorded_until,
                saved_before=recorded_until - MAX_TRANSACTION,
            )
        ):
            yield Difference(
                f"企业 {enterprise_id} 的{fact.kind.label} {fact.reference}",
                "对账明细",
                "未记入",
                fact.amount,
            )


def _compare_figures(
    row: Statement, opening: Decimal, sums: dict[str, Decimal]
) -> Iterator[Difference]:
    """Yield the figures of the statement (元) that differ. `sums`: 元 by kind of its lines."""
    subject = f"对账单 {row.statement_no}"
    if row.opening != opening:
        yield Difference(subject, "期初应付", row.opening, opening)
    for figure, kinds in FIGURE_KINDS.items():
        total = sum((sums.get(kind, ZERO) for kind in kinds), ZERO)
        if getattr(row, figure) != total:
            yield Difference(
                subject, str(StatementFigure(figure).label), getattr(row, figure), total
            )
