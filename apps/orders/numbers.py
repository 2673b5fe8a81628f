"""Numbers of orders, payments and shipments: unique over all processes, since they come from primary keys."""

import secrets
from datetime import datetime

from django.utils import timezone

# Odd and no multiple of 5, so multiplying permutes the numbers below MODULUS: no two keys give one number, none tells how many there are.
FACTOR = 48_271_117
MODULUS = 10**8


def order_number(*, pk: int, at: datetime) -> str:
    """Return the order number of a primary key: SO, the day in Shanghai, eight digits."""
    return f"SO{timezone.localtime(at):%y%m%d}{pk * FACTOR % MODULUS:08d}"


def payment_number(*, order_no: str) -> str:
    """Return a payment number that cannot be guessed, for it opens the gateway's page."""
    return f"PAY{order_no[2:]}{secrets.token_hex(6)}"


def shipment_number(*, order_no: str, nth: int) -> str:
    """Return the number of an order's nth shipment."""
    return f"{order_no}-{nth}"
