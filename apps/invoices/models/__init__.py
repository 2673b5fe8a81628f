"""Applications, invoices with their lines, red requests, special qualifications, statements."""

from apps.invoices.models.bank_receipt import BankMatch, BankReceipt
from apps.invoices.models.invoice import Invoice, InvoiceApplication, InvoicedFreight, InvoiceLine
from apps.invoices.models.qualification import SpecialQualification
from apps.invoices.models.red_letter import RedLetter, RedLine
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
