"""The JSON encoder of answers. A Decimal becomes a string, never a float, even if a view
returns it without a serializer.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from rest_framework.utils.encoders import JSONEncoder


class WireEncoder(JSONEncoder):
    """DRF's encoder, but a Decimal stays exact."""

    def default(self, obj: Any) -> Any:
        return str(obj) if isinstance(obj, Decimal) else super().default(obj)
