"""Document numbers, derived from primary keys, so that they are unique across processes; and
primary keys in addresses and request bodies.
"""

from datetime import datetime

from django.utils import timezone

# Coprime to MODULUS: multiplication permutes the numbers below it. Keys never collide, and a number
# does not reveal how many documents exist.
FACTOR = 48_271_117
MODULUS = 10**8


def format_document_number(prefix: str, *, pk: int, at: datetime) -> str:
    """Return the document number: prefix, day in Shanghai time, eight digits."""
    return f"{prefix}{timezone.localtime(at):%y%m%d}{pk * FACTOR % MODULUS:08d}"


def parse_key(text: object) -> int:
    """Return the text as a primary key; 0, which no row has, if the text is malformed."""
    digits = str(text)
    return int(digits) if digits.isascii() and digits.isdecimal() and len(digits) < 19 else 0
