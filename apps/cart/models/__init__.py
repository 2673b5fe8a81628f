"""The cart of an account, on the server, and its lists to order again."""

from apps.cart.models.item import CartItem
from apps.cart.models.quick_list import QuickList

__all__ = ["CartItem", "QuickList"]
