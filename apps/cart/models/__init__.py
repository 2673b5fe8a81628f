"""The cart of an account, on the server."""

from apps.cart.models.item import CartItem

__all__ = ["CartItem"]
