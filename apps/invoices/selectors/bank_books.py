"""Reconciliation of bank receipts: the matched amount of a receipt equals the sum of its
matches, and each match equals its payment.
"""

from __future__ import annotations

from collections.abc import Iterator

from django.db.models import F, Q, Sum

from apps.common.books import Difference, compare_streams
from apps.common.money import ZERO
from apps.invoices.models import BankMatch, BankReceipt

CHUNK = 2000


def bank_differences() -> Iterator[Difference]:
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
    for pk, (have,), (said,) in compare_streams(
        receipts.iterator(chunk_size=CHUNK), matches.iterator(chunk_size=CHUNK), nothing=(ZERO,)
    ):
        yield Difference(
            f"银行到账 {BankReceipt.objects.get(pk=pk).serial}", "已匹配金额", have, said
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
