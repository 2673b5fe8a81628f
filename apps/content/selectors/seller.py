"""The seller's data in the texts of pages: placeholders in braces are replaced with the data
printed on invoices.
"""

from __future__ import annotations

import re

from django.conf import settings

# {placeholder: key of INVOICE_SELLER}
NAMES: dict[str, str] = {
    "销售方名称": "Name",
    "销售方税号": "TaxNumber",
    "销售方地址": "Address",
    "销售方电话": "Phone",
    "销售方开户行": "Bank",
    "销售方账号": "BankAccount",
}
BRACES = re.compile(r"\{\{\s*(" + "|".join(NAMES) + r")\s*\}\}")


def fill_seller_names(text: str) -> str:
    """Replace {{销售方名称}} and the other placeholders. Unknown braces stay."""
    return BRACES.sub(lambda found: settings.INVOICE_SELLER[NAMES[found[1]]], text)
