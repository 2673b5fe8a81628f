"""Which quantities of a product may be bought; the rule itself is everybody's (`apps/common/quantity.py`)."""

from apps.common.quantity import MAX_QUANTITY, is_legal, last_legal, next_legal

__all__ = ["MAX_QUANTITY", "is_legal", "last_legal", "next_legal"]
