"""Re-exports the rule of legal quantities from `apps/common/quantity.py`."""

from apps.common.quantity import MAX_QUANTITY, is_legal, last_legal, next_legal

__all__ = ["MAX_QUANTITY", "is_legal", "last_legal", "next_legal"]
