"""Models of after-sales."""

from apps.aftersales.models.cancel import CancelOrder, CancelOrderLine
from apps.aftersales.models.policy import ReturnPolicy
from apps.aftersales.models.return_parts import ReturnMessage, ReturnParcel, ReturnPicture
from apps.aftersales.models.returns import ReturnLine, ReturnOrder

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
