"""JSON of an answer: a Decimal is a string, never a float, also where a view returns one without a serializer."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from rest_framework.utils.encoders import JSONEncoder


class WireEncoder(JSONEncoder):
    """DRF's encoder, exact with decimals."""

    def default(self, obj: Any) -> Any:
        return str(obj) if isinstance(obj, Decimal) else super().default(obj)
