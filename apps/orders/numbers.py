"""Numbers of orders, payments and shipments. They derive from primary keys, so they are unique
over all processes.
"""

import secrets
from datetime import datetime

from apps.common.numbers import document_number


def order_number(*, pk: int, at: datetime) -> str:
    """Return the order number of a primary key: SO, the day in Shanghai, eight digits."""
    return document_number("SO", pk=pk, at=at)


def payment_number(*, order_no: str) -> str:
    """Return a payment number that cannot be guessed, because the number alone opens the
    payment page.
    """
    return f"PAY{order_no[2:]}{secrets.token_hex(6)}"


def shipment_number(*, order_no: str, nth: int) -> str:
    """Return the number of the nth shipment of an order."""
    return f"{order_no}-{nth}"
