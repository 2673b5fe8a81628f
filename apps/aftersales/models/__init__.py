"""Models of after-sales."""

from apps.aftersales.models.cancels import CancelOrder, CancelOrderLine
from apps.aftersales.models.returns import (
    ReturnLine,
    ReturnMessage,
    ReturnOrder,
    ReturnParcel,
    ReturnPicture,
    ReturnPolicy,
)

__all__ = [
    "CancelOrder",
    "CancelOrderLine",
    "ReturnLine",
    "ReturnMessage",
    "ReturnOrder",
    "ReturnParcel",
    "ReturnPicture",
    "ReturnPolicy",
]
