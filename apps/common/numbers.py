"""Numbers that people read: unique over all processes, since they come from primary keys."""

from datetime import datetime

from django.utils import timezone

# Odd and no multiple of 5, so multiplying permutes the numbers below MODULUS: no two keys give one number, none tells how many there are.
FACTOR = 48_271_117
MODULUS = 10**8


def document_number(prefix: str, *, pk: int, at: datetime) -> str:
    """Return the number of a primary key: the prefix, the day in Shanghai, eight digits."""
    return f"{prefix}{timezone.localtime(at):%y%m%d}{pk * FACTOR % MODULUS:08d}"
