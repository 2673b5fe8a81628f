"""Applications, invoices with their lines, red requests, special qualifications, statements."""

from apps.invoices.models.application import InvoiceApplication
from apps.invoices.models.bank import BankMatch, BankReceipt
from apps.invoices.models.freight import InvoicedFreight
from apps.invoices.models.invoice import Invoice, InvoiceLine
from apps.invoices.models.qualification import SpecialQualification
from apps.invoices.models.red import RedLetter, RedLine
from apps.invoices.models.statement import (
    Statement,
    StatementLine,
    StatementProgress,
    StatementRemark,
)

__all__ = [
    "BankMatch",
    "BankReceipt",
    "Invoice",
    "InvoiceApplication",
    "InvoiceLine",
    "InvoicedFreight",
    "RedLetter",
    "RedLine",
    "SpecialQualification",
    "Statement",
    "StatementLine",
    "StatementProgress",
    "StatementRemark",
]
