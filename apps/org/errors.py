"""Refusals of the organisation."""

from apps.common.errors import NotFound


class AddressNotFound(NotFound):
    """There is no such address that the actor may see."""
