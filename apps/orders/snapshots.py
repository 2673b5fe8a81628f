"""What an order keeps of its address and its invoice title, in the keys the wire uses: all that it showed."""

from __future__ import annotations

from collections.abc import Mapping

from apps.org.models import Address, InvoiceTitle


def address_snapshot(address: Address) -> dict[str, str]:
    """Return the address as it was chosen."""
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


def address_text(snapshot: Mapping[str, str]) -> str:
    """Return a kept address in one line."""
    return "".join(snapshot.get(key, "") for key in ("Province", "City", "District", "Street"))


def invoice_snapshot(title: InvoiceTitle) -> dict[str, str]:
    """Return the invoice title as it was chosen."""
    return {
        "Id": str(title.pk),
        "Title": title.title,
        "TaxNumber": title.tax_number,
        "Address": title.address,
        "Phone": title.phone,
        "Bank": title.bank,
        "BankAccount": title.bank_account,
    }
