"""The cart of an account, and its named lists for 快速下单."""

from apps.cart.models.item import CartItem
from apps.cart.models.quick_list import QuickList

__all__ = ["CartItem", "QuickList"]
