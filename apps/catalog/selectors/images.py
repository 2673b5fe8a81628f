"""URLs of product pictures. No other module builds them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.conf import settings

if TYPE_CHECKING:
    from apps.catalog.models import Product


def media_url(path: str) -> str:
    """Return the URL of a stored picture. Empty for an empty path."""
    return f"{settings.MEDIA_URL}{path}" if path else ""


def image_url(product: Product) -> str:
    """Return the URL of the product's main picture. Empty if it has none."""
    return media_url(product.image)
