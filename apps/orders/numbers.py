"""Numbers of orders, payments and shipments: unique over all processes, since they come from primary keys."""

import secrets
from datetime import datetime

from apps.common.numbers import document_number


def order_number(*, pk: int, at: datetime) -> str:
    """Return the order number of a primary key: SO, the day in Shanghai, eight digits."""
    return document_number("SO", pk=pk, at=at)


def payment_number(*, order_no: str) -> str:
    """Return a payment number that cannot be guessed, for it opens the gateway's page."""
    return f"PAY{order_no[2:]}{secrets.token_hex(6)}"


def shipment_number(*, order_no: str, nth: int) -> str:
    """Return the number of an order's nth shipment."""
    return f"{order_no}-{nth}"
