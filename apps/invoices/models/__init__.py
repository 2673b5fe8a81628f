"""Applications, invoices with their lines and marks, red requests, special qualifications,
statements and goods-received matches.
"""

from apps.invoices.models.bank_receipt import BankMatch, BankReceipt
from apps.invoices.models.invoice import (
    Invoice,
    InvoiceApplication,
    InvoicedFreight,
    InvoiceLine,
    InvoiceMark,
    RedLetter,
    RedLine,
)
from apps.invoices.models.qualification import SpecialQualification
from apps.invoices.models.statement import (
    GoodsMatch,
    GoodsMatchLine,
    Statement,
    StatementLine,
    StatementProgress,
    StatementRemark,
)

__all__ = [
    "BankMatch",
    "BankReceipt",
    "GoodsMatch",
    "GoodsMatchLine",
    "Invoice",
    "InvoiceApplication",
    "InvoiceLine",
    "InvoiceMark",
    "InvoicedFreight",
    "RedLetter",
    "RedLine",
    "SpecialQualification",
    "Statement",
    "StatementLine",
    "StatementProgress",
    "StatementRemark",
]
