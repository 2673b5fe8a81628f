"""Snapshots of the address, the invoice title and the tiers of an order. The keys are the names in
the API.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from apps.org.models import Address, InvoiceTitle


def build_address_snapshot(address: Address) -> dict[str, str]:
    """Return the snapshot of an address."""
    return {
        "Id": str(address.pk),
        "Receiver": address.receiver,
        "Mobile": address.mobile,
        "Province": address.province,
        "City": address.city,
        "District": address.district,
        "Street": address.local_text,
        "PostalCode": address.postal_code,
    }


def format_address(snapshot: Mapping[str, str]) -> str:
    """Return an address snapshot in one line, from province to street. A name that is repeated for
    province and city, or city and district, appears once, as in `Address.full_text`.
    """
    regions = dict.fromkeys(snapshot.get(key, "") for key in ("Province", "City", "District"))
    return "".join(regions) + snapshot.get("Street", "")


def format_receiver(snapshot: Mapping[str, str]) -> str:
    """Return receiver, mobile and place of an address snapshot in one line."""
    parts = (snapshot.get("Receiver", ""), snapshot.get("Mobile", ""), format_address(snapshot))
    return " ".join(part for part in parts if part)


def build_address_key(snapshot: Mapping[str, str]) -> str:
    """Return a digest of the place in an address snapshot, "" without a place. Two addresses of the
    same place have the same key, whoever receives the goods and however the text is spaced and
    punctuated, in full-width characters too.
    """
    plain_text = unicodedata.normalize("NFKC", format_address(snapshot)).lower()
    text = "".join(
        character
        for character in plain_text
        if not character.isspace() and unicodedata.category(character) != "Cf"
    )
    # 1-12 号 and 11-2 号 are two places.
    text = re.sub(r"(?<=[0-9])[\W_]+(?=[0-9])", "-", text)
    text = re.sub(r"(?<![0-9])[\W_]+|[\W_]+(?![0-9])", "", text)
    return hashlib.sha256(text.encode()).hexdigest()[:32] if text else ""


def build_invoice_snapshot(title: InvoiceTitle) -> dict[str, str]:
    """Return the snapshot of an invoice title."""
    return {
        "Id": str(title.pk),
        "Title": title.title,
        "TaxNumber": title.tax_number,
        "Address": title.address,
        "Phone": title.phone,
        "Bank": title.bank,
        "BankAccount": title.bank_account,
    }


def get_snapshot_price(snapshot: Mapping[str, Any], *, quantity: int) -> Decimal:
    """Return the price of a unit (元, 含税) for a quantity under a snapshot of tiers."""
    return Decimal([price for first, price in snapshot["Steps"] if quantity >= first][-1])
