"""Numbers of applications, invoices and red requests, and the format of the tax bureau's
numbers.
"""

from __future__ import annotations

import re
from datetime import datetime

from django.utils import timezone

from apps.common.numbers import format_document_number
from apps.invoices.enums import E_KINDS, InvoiceKind

E_NUMBER = re.compile(r"[0-9]{20}")
PAPER_NUMBER = re.compile(r"[0-9]{8}")
# Code of a paper invoice: 10 digits for a special invoice, 12 for an ordinary one.
PAPER_CODE = {
    InvoiceKind.PAPER_SPECIAL: re.compile(r"[0-9]{10}"),
    InvoiceKind.PAPER_NORMAL: re.compile(r"[0-9]{12}"),
}
# The year of the first 数电 invoices.
FIRST_YEAR = 21


def format_application_number(*, pk: int, at: datetime) -> str:
    """Return the number of an application: KP, the day in Shanghai, eight digits."""
    return format_document_number("KP", pk=pk, at=at)


def format_request_number(*, pk: int, at: datetime) -> str:
    """Return the 开票流水号 of an invoice, blue or red."""
    return format_document_number("FP", pk=pk, at=at)


def format_red_number(*, pk: int, at: datetime) -> str:
    """Return the number of a red request."""
    return format_document_number("HZ", pk=pk, at=at)


def find_number_problem(*, kind: str, code: str, number: str) -> tuple[str, str] | None:
    """Return the wrong field of an invoice number and the error text, None if number and code
    are valid for the kind.

    数电: 20 digits (two for the year, two for the region, the channel, the sequence) and no code.
    Paper: a code and 8 digits.
    """
    if kind in E_KINDS:
        if not E_NUMBER.fullmatch(number):
            return "invoice_no", "数电发票号码为 20 位数字"
        if not FIRST_YEAR <= int(number[:2]) <= timezone.localdate().year % 100:
            return "invoice_no", "数电发票号码前两位应为开票年度，请核对"
        return ("invoice_code", "数电发票没有发票代码，请留空") if code else None
    form = PAPER_CODE[InvoiceKind(kind)]
    if not form.fullmatch(code):
        return (
            "invoice_code",
            "纸质专票代码为 10 位数字"
            if kind == InvoiceKind.PAPER_SPECIAL
            else "纸质普票代码为 12 位数字",
        )
    return None if PAPER_NUMBER.fullmatch(number) else ("invoice_no", "纸质发票号码为 8 位数字")
