"""The cart of an account, on the server, its lists to order again, and what it asks a buyer to order."""

from apps.cart.models.item import CartItem
from apps.cart.models.quick_list import QuickList
from apps.cart.models.requisition import Requisition, RequisitionLine, RequisitionTake

__all__ = ["CartItem", "QuickList", "Requisition", "RequisitionLine", "RequisitionTake"]
