"""Who sells, in the texts of pages: names in braces stand for what invoices are printed with, so that both say the same."""

from __future__ import annotations

import re

from django.conf import settings

# As written in a page's text → its key in INVOICE_SELLER.
NAMES: dict[str, str] = {
    "销售方名称": "Name",
    "销售方税号": "TaxNumber",
    "销售方地址": "Address",
    "销售方电话": "Phone",
    "销售方开户行": "Bank",
    "销售方账号": "BankAccount",
}
BRACES = re.compile(r"\{\{\s*(" + "|".join(NAMES) + r")\s*\}\}")


def seller_written(text: str) -> str:
    """Return the text with {{销售方名称}} and its like written out; other braces stay as they are."""
    return BRACES.sub(lambda found: settings.INVOICE_SELLER[NAMES[found[1]]], text)
